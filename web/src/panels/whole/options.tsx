// Preferences of the whole figure.

import { send } from "../../link";
import * as s from "../../store";
import { Check, Slider } from "../fields";

export const title = "Whole figure";

export function Panel() {
  const options = s.document_.value?.options;
  if (!options) return null;
  return (
    <>
      <Check label="Comfort" help="Joints prefer the middle of their range" checked={options.comfort} onChange={(comfort) => send({ op: "options.set", comfort })} />
      <Check label="Keep apart" help="Limbs do not pass through each other" checked={options.keep_apart} onChange={(keep_apart) => send({ op: "options.set", keep_apart })} />
      <Slider label="Gravity" help="How much limbs hang" value={options.gravity} low={0} high={1} command={(gravity) => ({ op: "options.set", gravity })} />
      <Slider label="Natural" help="How much the rest of the body does what people do; 0 is off" value={options.natural} low={0} high={1} command={(natural) => ({ op: "options.set", natural })} />
      <Slider label="Elasticity" help="How much joints spring back" value={options.elasticity} low={0} high={1} command={(elasticity) => ({ op: "options.set", elasticity })} />
    </>
  );
}
