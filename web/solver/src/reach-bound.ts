// Proofs that a position cannot be reached: `solvers.reach_bound` in Python, where they are explained.
import { AXIS, CODE } from "./figure";
import { CODES } from "./layout";
import type { Structure } from "./problem";

type Vector = number[];
interface Link { free: boolean; across: number; along: number; next: Vector; slack: number }
interface Chain { pivots: Vector[]; axes: (Vector | null)[]; slack: number[] }

const ANGLES = Array.from({ length: 121 }, (_, i) => (Math.PI * i) / 120);
const STEP = ANGLES[1];
const AROUND = Array.from({ length: 240 }, (_, i) => (2 * Math.PI * i) / 240);
const PARALLEL = 1e-9;

const minus = (a: Vector, b: Vector) => a.map((one, i) => one - b[i]);
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = (a: Vector) => Math.hypot(...a);
const scaled = (s: number, a: Vector) => a.map((one) => s * one);
const sum = (all: number[]) => all.reduce((a, b) => a + b, 0);

/** The distance that the point `tip` of a joint keeps from a target in every pose. */
export function leastDistance(structure: Structure, q: Float64Array, joint: number, tip: Vector, target: Vector): number {
  const chain = chainOf(structure, q, joint, tip);
  if (chain === null) return 0;
  const away = minus(target, chain.pivots[0]);
  const pieces = chain.pivots.slice(1).map((one, i) => minus(one, chain.pivots[i]));
  if (!pieces.some((piece) => piece.some(Boolean)) && !chain.slack.some(Boolean)) return size(away);
  return Math.max(beyondHull(chain, pieces, away), outsideAnnulus(chain, pieces, away));
}

function chainOf(structure: Structure, q: Float64Array, joint: number, tip: Vector): Chain | null {
  const { figure, problem, ties, gains } = structure;
  const { record } = figure;
  const frames = figure.rows(q).slice();
  const world = (j: number, p: ArrayLike<number>) =>
    [0, 1, 2].map((r) => frames[16 * j + 4 * r + 3] + [0, 1, 2].reduce((s, c) => s + frames[16 * j + 4 * r + c] * p[c], 0));
  const turned = (j: number, v: Vector) => [0, 1, 2].map((r) => [0, 1, 2].reduce((s, c) => s + frames[16 * j + 4 * r + c] * v[c], 0));
  const count = problem.motions;
  const frozen = (d: number) => problem.freedom[d][0] > 0;
  const locked = (m: number) => (ties.length ? frozen(ties[m]) && (frozen(ties[count + m]) || gains[count + m] === 0) : frozen(m));
  const found: Chain = { pivots: [world(joint, tip)], axes: [], slack: [] };
  for (const j of figure.chain(joint).reverse()) {
    const [first, last] = [problem.first_motion[j], problem.first_motion[j + 1]];
    const moving = Array.from({ length: last - first }, (_, m) => m).filter((m) => !locked(first + m));
    if (!moving.length) continue;
    const from = record.joint[j][AXIS], own = record.axis.slice(from, record.joint[j + 1][AXIS]);
    const slides = (m: number) => (record.joint[j][CODE] === CODES.FREE ? m < 3 : own.length > 0 && record.axis_number[from + m][0] > 0);
    if (moving.some(slides)) return null;
    const anchors = own.map((axis) => axis.slice(3, 6));
    found.pivots.push(world(j, anchors[0] ?? record.frame[j].slice(12, 15)));
    found.axes.push(own.length === 1 ? turned(j, own[0].slice(0, 3)) : null);
    found.slack.push(2 * sum(anchors.map((anchor) => size(minus(anchor, anchors[0])))));
  }
  return { pivots: found.pivots.reverse(), axes: found.axes.reverse(), slack: found.slack.reverse() };
}

function beyondHull(chain: Chain, pieces: Vector[], away: Vector): number {
  const scale = sum(pieces.map(size)) + sum(chain.slack);
  const links = linksOf(chain, pieces, scale);
  const most = support(links).map((one) => one + 1e-8 * links.length);
  const axis = chain.axes[0];
  if (axis === null) return Math.max(size(away) - scale * most[0], 0);
  const along = dot(away, axis);
  const across = size(minus(away, scaled(along, axis)));
  return Math.max(0, ...ANGLES.map((angle, i) => across * Math.sin(angle) + along * Math.cos(angle) - scale * most[i]));
}

function support(links: Link[]): number[] {
  const [link, ...rest] = links;
  const beyond = rest.length ? support(rest) : ANGLES.map(() => 0);
  const length = sum(links.map((one) => Math.hypot(one.across, one.along) + one.slack));
  if (link.free) {
    const best = Math.max(...ANGLES.map((angle, i) => link.along * Math.cos(angle) + link.across * Math.sin(angle) + beyond[i]));
    return ANGLES.map(() => best + (length * STEP ** 2) / 8 + link.slack);
  }
  return ANGLES.map((polar) => {
    let most = -Infinity;
    for (const around of AROUND) {
      const [x, y, z] = [Math.sin(polar) * Math.cos(around), Math.sin(polar) * Math.sin(around), Math.cos(polar)];
      const angle = Math.acos(Math.min(1, Math.max(-1, link.next[0] * x + link.next[1] * y + link.next[2] * z)));
      const at = Math.min(Math.floor(angle / STEP), ANGLES.length - 2), over = angle - STEP * at;
      const found = (Math.sin(STEP - over) * beyond[at] + Math.sin(over) * beyond[at + 1]) / Math.sin(STEP);
      most = Math.max(most, found + link.across * x + link.along * z);
    }
    return most + (length * Math.sin(polar) * AROUND[1] ** 2) / 8 + link.slack;
  });
}

function linksOf(chain: Chain, pieces: Vector[], scale: number): Link[] {
  return pieces.map((vector, i) => {
    const axis = chain.axes[i], after = chain.axes[i + 1] ?? null;
    const z = axis ?? after ?? [0, 0, 1];
    const along = dot(vector, z);
    let side = minus(vector, scaled(along, z));
    let across = size(side);
    if (across <= 1e-9 * scale) {
      const least = z.map(Math.abs).reduce((best, one, k, all) => (one < all[best] ? k : best), 0);
      side = cross(z, [0, 1, 2].map((k) => Number(k === least)));
      across = size(minus(vector, scaled(along, z)));
    }
    const x = scaled(1 / size(side), side), b = after ?? z;
    const numbers = [across / scale, along / scale, dot(b, x), dot(b, cross(z, x)), dot(b, z), chain.slack[i] / scale];
    const [wide, far, bx, by, bz, slack] = numbers.map((one) => Math.round(one * 1e10) / 1e10);
    return { free: axis === null, across: wide, along: far, next: [bx, by, bz], slack };
  });
}

function outsideAnnulus(chain: Chain, pieces: Vector[], away: Vector): number {
  const axis = common(chain.axes);
  let height = 0;
  if (axis !== null) {
    const total = pieces.reduce((a, b) => a.map((one, i) => one + b[i]), [0, 0, 0]);
    height = dot(minus(away, total), axis);
    const flat = (v: Vector) => minus(v, scaled(dot(v, axis), axis));
    [away, pieces] = [flat(away), pieces.map(flat)];
  }
  const lengths = [...pieces.map(size), ...chain.slack];
  const farthest = sum(lengths), nearest = 2 * Math.max(...lengths) - farthest, distance = size(away);
  return Math.hypot(height, Math.max(0, distance - farthest, nearest - distance));
}

function common(axes: (Vector | null)[]): Vector | null {
  const [first] = axes;
  if (!first || !axes.every((axis) => axis !== null && size(cross(axis, first)) < PARALLEL)) return null;
  return first;
}
