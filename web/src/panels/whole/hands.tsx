// Fingers: grips, and how far they are curled and spread.

import { useEffect, useState } from "preact/hooks";
import { handAtHand } from "../../actions";
import { send } from "../../link";
import type { Hand } from "../../schema";
import * as s from "../../store";
import { Slider } from "../fields";

export const title = "Hands";
export const isOffered = () => (s.document_.value?.hands.length ?? 0) > 0;

export function Panel() {
  const [side, setSide] = useState<Hand["side"]>("l");
  const hands = s.document_.value?.hands ?? [];
  const at = handAtHand();
  useEffect(() => {
    if (at && at.joint === s.selectedGoal.value?.joint) setSide(at.side);
  }, [s.selectedGoal.value?.joint]);
  const hand = hands.find((one) => one.side === side) ?? hands[0];
  if (!hand) return null;
  const curl = hand.curls.reduce((sum, one) => sum + one, 0) / hand.curls.length;
  const all = (value: number) => Object.fromEntries(hand.fingers.map((finger) => [finger, value]));
  return (
    <>
      <div class="line">
        <div class="switch" role="group" aria-label="Hand">
          {hands.map((one) => (
            <button type="button" aria-pressed={one.side === hand.side} onClick={() => setSide(one.side)}>{one.side === "l" ? "Left" : "Right"}</button>
          ))}
        </div>
      </div>
      <div class="line">
        {s.menus.value.grips.map((grip) => <button type="button" class="plain" onClick={() => send({ op: "hand.shape", side: hand.side, grip })}>{grip}</button>)}
      </div>
      <Slider label="Curl" help="All fingers: 0 stretched, 1 closed" value={curl} low={-0.2} high={1} command={(value) => ({ op: "hand.shape", side: hand.side, curls: all(value) })} />
      <Slider label="Spread" help="Fingers apart, or together below 0" value={hand.spread} low={-1} high={1} command={(spread) => ({ op: "hand.shape", side: hand.side, spread })} />
      {hand.fingers.map((finger, k) => (
        <Slider label={finger} value={hand.curls[k]!} low={-0.2} high={1} command={(value) => ({ op: "hand.shape", side: hand.side, curls: { [finger]: value } })} />
      ))}
    </>
  );
}
