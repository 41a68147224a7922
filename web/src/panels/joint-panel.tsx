// The selected joint: its kind, frozen or free, its limits in numbers.

import { send } from "../link";
import type { Joint, Limits } from "../schema";
import * as s from "../store";
import { withLimit } from "../view/limit-handles";
import { Section } from "./controls";
import { Check, NumberField } from "./fields";

const DEGREE = Math.PI / 180;

export function JointPanel({ joint }: { joint: Joint }) {
  const { limits } = joint;
  const hit = s.atLimit.value.has(joint.name);
  const set = (next: Limits | null) => send({ op: "joint.limit", joint: joint.name, limits: next });
  const cone = limits.cone;
  return (
    <Section title={`Joint: ${joint.name}`} extra={<em class={hit ? "short" : ""}>{hit ? "at its limit" : limits.kind}</em>}>
      <Check label="Frozen" help="The solver leaves it as it is" checked={joint.frozen} onChange={(frozen) => send({ op: "joint.freeze", joint: joint.name, frozen })} />
      {limits.axes.map((axis, index) => (
        <Range
          label={axis.name}
          unit={axis.slide ? "m" : "°"}
          lower={scaled(axis.lower, axis.slide)}
          upper={scaled(axis.upper, axis.slide)}
          onChange={(lower, upper) => {
            const unit = axis.slide ? 1 : DEGREE;
            const low = withLimit(limits, index, "lower", lower === null ? null : lower * unit);
            set(withLimit(low, index, "upper", upper === null ? null : upper * unit));
          }}
        />
      ))}
      {cone && (
        <>
          <NumberField label="swing" unit="°" digits={1} step={1} min={0} max={180} value={(cone.swing ?? Math.PI) / DEGREE} onChange={(value) => set({ ...limits, cone: { ...cone, swing: value * DEGREE } })} />
          <Range label="twist" unit="°" lower={scaled(cone.lower, false)} upper={scaled(cone.upper, false)} onChange={(lower, upper) => set({ ...limits, cone: { ...cone, lower: lower && lower * DEGREE, upper: upper && upper * DEGREE } })} />
        </>
      )}
      {!limits.axes.length && !cone && <p class="hint">No limits: it turns freely.</p>}
      <button type="button" class="plain" onClick={() => set(null)}>Limits as in the file</button>
    </Section>
  );
}

function scaled(value: number | null, slide: boolean): number | null {
  return value === null || slide ? value : value / DEGREE;
}

interface RangeProps {
  label: string;
  unit: string;
  lower: number | null;
  upper: number | null;
  onChange(lower: number | null, upper: number | null): void;
}

function Range({ label, unit, lower, upper, onChange }: RangeProps) {
  const free = unit === "°" ? 180 : 1;
  const digits = unit === "°" ? 1 : 3;
  return (
    <fieldset class="range">
      <legend>{label}</legend>
      <NumberField label="from" unit={unit} digits={digits} step={unit === "°" ? 1 : 0.01} value={lower ?? -free} disabled={lower === null} onChange={(value) => onChange(value, upper)} />
      <NumberField label="to" unit={unit} digits={digits} step={unit === "°" ? 1 : 0.01} value={upper ?? free} disabled={upper === null} onChange={(value) => onChange(lower, value)} />
      <Check
        label="limited"
        checked={lower !== null || upper !== null}
        onChange={(on) => onChange(on ? -free / 2 : null, on ? free / 2 : null)}
      />
    </fieldset>
  );
}
