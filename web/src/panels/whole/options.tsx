// Preferences of the whole figure.

import { send } from "../../link";
import * as s from "../../store";
import { Check, Slider } from "../fields";

export const title = "Whole figure";

export function Panel() {
  const document = s.document_.value;
  if (!document) return null;
  const { options } = document;
  return (
    <>
      <Check label="Comfort" help="Joints prefer the middle of their range" checked={options.comfort} onChange={(comfort) => send({ op: "options.set", comfort })} />
      <Check label="Keep apart" help="Limbs do not pass through each other" checked={options.keep_apart} onChange={(keep_apart) => send({ op: "options.set", keep_apart })} />
      <Check label="Human limits" help="Trunk, neck and head of a person whose file states no limits rotate no further than a person's" checked={options.human_limits} onChange={(human_limits) => send({ op: "options.set", human_limits })} />
      <Check label="Balance" help="The centre of mass stays over the pinned feet: a hand that would tip the figure over stops short" checked={options.balance} onChange={(balance) => send({ op: "options.set", balance })} />
      <Check label="Show the balance" help="The centre of mass, and what carries the figure (C)" checked={s.balance.value} onChange={(on) => (s.balance.value = on)} />
      {s.balanceText.value && <p class={s.balanceText.value.startsWith("falls") ? "facts short" : "facts"} role="status">{s.balanceText.value}</p>}
      <Slider label="Gravity" help="How much limbs hang" value={options.gravity} low={0} high={1} command={(gravity) => ({ op: "options.set", gravity })} />
      <Slider label="Natural" help="How much the rest of the body does what people do; 0 is off" value={options.natural} low={0} high={1} command={(natural) => ({ op: "options.set", natural })} />
      <Slider label="Elasticity" help="How much joints spring back" value={options.elasticity} low={0} high={1} command={(elasticity) => ({ op: "options.set", elasticity })} />
    </>
  );
}
