// Walking: the characters, their numbers as sliders, live.

import { useState } from "preact/hooks";
import { spaced, walk } from "../actions";
import { send } from "../link";
import * as s from "../store";
import { Choice, NumberField, Slider } from "./fields";

const FIRST = ["speed", "step", "bounce", "arm_swing", "lean", "mood", "build"];

export function GaitPanel() {
  const [steps, setSteps] = useState(6);
  const [all, setAll] = useState(false);
  const document = s.document_.value;
  const gait = document?.gait;
  const numbers = s.menus.value.gait.filter((number) => gait && number.name in gait && (all || FIRST.includes(number.name)));
  return (
    <>
      <Choice label="Character" value={document?.gait_name ?? ""} options={[["", "choose…"], ...(document?.gaits ?? []).map((name) => [name, spaced(name)] as const)]} onChange={(name) => name && send({ op: "gait.load", name })} />
      <div class="line">
        <NumberField label="steps" value={steps} digits={0} step={1} min={1} max={200} onChange={setSteps} inline />
        <button type="button" class="primary" onClick={() => walk(steps)}>Walk</button>
      </div>
      {numbers.map((number) => (
        <Slider label={spaced(number.name)} help={number.help} value={gait?.[number.name] ?? number.default} low={number.low} high={number.high} command={(value) => ({ op: "gait.set", values: { [number.name]: value } })} />
      ))}
      {gait && (
        <button type="button" class="plain" aria-expanded={all} onClick={() => setAll(!all)}>{all ? "Fewer parameters" : "All parameters"}</button>
      )}
    </>
  );
}
