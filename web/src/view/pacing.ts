// Steps of a drag in which the body moves little farther than what is dragged, as the session has them (`studio/pacing.py`).

import { ALLOWED_LAG, BODY_PACE, LEAST_BODY_PACE, MEETING, SLOW } from "../drag-rules";
import type { Figure } from "../solver";

const COORDINATE = 2; // of a joint's row: its first coordinate
const [BALL, FREE] = [4, 7]; // coordinates of these kinds of joints; the last four are a quaternion

/** How far a joint may move in a step in which a target moves so far. */
export function mostOf(figure: Figure, moved: number): number {
  return Math.max(BODY_PACE * moved, LEAST_BODY_PACE * figure.record.reach);
}

/** Whether a target has moved, and no farther than it is dragged in one step. */
export function isSlow(figure: Figure, moved: number): boolean {
  return moved > 0 && moved < SLOW * figure.record.reach;
}

/** The largest distance between a joint's positions in two poses. */
export function farthest(figure: Figure, one: ArrayLike<number>, other: ArrayLike<number>): number {
  const [a, b] = [one, other].map((q) => figure.world(q).slice()) as [Float64Array, Float64Array];
  const gaps = figure.names.map((_, j) => Math.hypot(...[12, 13, 14].map((k) => a[16 * j + k]! - b[16 * j + k]!)));
  return Math.max(0, ...gaps);
}

/** The pose, or one in which the rest of the body moves less and the handle comes as near.
 * moved: how far its target has. plain: solves for the same without the habits of people. miss: how far the handle is off. */
export function calmed(
  figure: Figure,
  start: Float64Array,
  found: Float64Array,
  moved: number,
  plain: (from: Float64Array) => Float64Array,
  miss: (q: Float64Array) => number,
): Float64Array {
  const most = mostOf(figure, moved), far = farthest(figure, start, found);
  if (!isSlow(figure, moved) || far <= most) return found;
  const calm = plain(between(figure, start, found, most / far));
  const isWorse = miss(calm) > miss(found) + ALLOWED_LAG * figure.record.reach;
  return isWorse || farthest(figure, start, calm) > Math.min(MEETING * most, far) ? found : calm;
}

/** The pose at a share of the path from one to another. */
function between(figure: Figure, one: Float64Array, other: Float64Array, share: number): Float64Array {
  const q = one.map((own, k) => own + share * (other[k]! - own)), { joint } = figure.record;
  figure.names.forEach((_, j) => {
    const [from, to] = [joint[j]![COORDINATE]!, joint[j + 1]![COORDINATE]!];
    if (to - from !== BALL && to - from !== FREE) return;
    const at = to - 4, [a, b] = [one.subarray(at, to), other.subarray(at, to)];
    const sign = Math.sign(a.reduce((sum, own, k) => sum + own * b[k]!, 0)) || 1;
    const mixed = a.map((own, k) => own + share * (sign * b[k]! - own));
    q.set(mixed.map((own) => own / Math.hypot(...mixed)), at);
  });
  return q;
}
