// Joints as the tables that kernels read: `posable.skeleton.tables` and `coordinates` in Python.
import { coneEdges } from "./diagnosis";
import type { FigureRecord } from "./figure";
import { multiply, turnOf, type Vector } from "./rotations";

export interface Axis {
  direction: Vector;
  slide: boolean;
  anchor: Vector;
  lower: number;
  upper: number;
  reference: number;
  name: string;
  follow?: { joint: string; gain: number; offset: number; axis: number };
}

export interface Joint {
  name: string;
  kind: string;
  parent: number;
  position: Vector;
  wxyz: Vector;
  axes: Axis[];
  anchor: Vector;
  cone: { axis: Vector; swing: number; twist: Vector; center: Vector } | null;
  rest: Vector | null;
  active: boolean[] | null;
  /** Its angle counts against the world, not against its parent. */
  absolute: boolean;
  ease: number;
  stiffness: number;
  tips: Vector[];
  aliases: string[];
}

const NO_CONE = [0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 1, 0, 1];
const FREE = 2, BALL = 1, SCALAR = 0;

export const codeOf = (joint: Joint) => (joint.kind === "free" ? FREE : joint.kind === "ball" ? BALL : SCALAR);
const ownAxes = (joint: Joint) => joint.axes.filter((axis) => !axis.follow);
const rotating = (joint: Joint) => [0, 3, 6][codeOf(joint)];
export const dofOf = (joint: Joint) => rotating(joint) + ownAxes(joint).length;

/** The neutral coordinates of a joint, moved inside its limits; a ball's cone is left to the kernels. */
export function restOf(joint: Joint): Vector {
  if (joint.rest) return joint.rest;
  if (joint.kind === "free") return [...joint.position, ...joint.wxyz];
  if (joint.kind === "ball") return [1, 0, 0, 0];
  return ownAxes(joint).map((axis) => Math.min(Math.max(axis.reference, axis.lower), axis.upper));
}

/** The longest way from a root along the joints to an end. */
function reachOf(joints: Joint[]): number {
  const lengths: number[] = [];
  let longest = 0;
  for (const joint of joints) {
    const step = joint.parent < 0 ? 0 : Math.hypot(...joint.position);
    const slides = joint.axes.filter((axis) => axis.slide && Number.isFinite(axis.upper - axis.lower));
    const slide = slides.reduce((sum, axis) => sum + Math.max(Math.abs(axis.lower), Math.abs(axis.upper)), 0);
    const length = (joint.parent < 0 ? 0 : lengths[joint.parent]) + step + slide;
    lengths.push(length);
    longest = Math.max(longest, length, ...joint.tips.map((tip) => length + Math.hypot(...tip)));
  }
  return longest || 1;
}

interface Followed { coordinate: number; dof: number; gain: number; shift: number }

/** What an axis follows: its own freedom, or at the end of a chain of mimics another's. */
function followed(joints: Joint[], first: Vector[], j: number, k: number, depth = 0): Followed {
  const axis = joints[j].axes[k];
  if (!axis.follow) {
    const count = joints[j].axes.slice(0, k).filter((one) => !one.follow).length;
    return { coordinate: first[0][j] + count, dof: first[1][j] + count, gain: 1, shift: 0 };
  }
  const { joint, gain, offset, axis: other } = axis.follow;
  const source = joints.findIndex((one) => one.name === joint);
  if (source < 0 || !joints[source].axes[other] || depth > joints.length) {
    throw new Error(`posable: joint ${joints[j].name} mimics ${joint}, which is itself or has no such axis`);
  }
  const end = followed(joints, first, source, other, depth + 1);
  return { ...end, gain: gain * end.gain, shift: gain * end.shift + offset };
}

/** The record of a list of joints, parents first. */
export function recordOf(joints: Joint[], up: "y" | "z"): FigureRecord {
  const first: Vector[] = [[0], [0], [0]];
  for (const joint of joints) {
    const counts = [dofOf(joint) + Number(codeOf(joint) !== SCALAR), dofOf(joint), joint.axes.length];
    counts.forEach((count, i) => first[i].push(first[i][first[i].length - 1] + count));
  }
  const some = (v: Vector) => Number(v.some((one) => one !== 0));
  const rows = joints.map((joint, j) => {
    const turn = joint.kind === "free" ? turnOf([1, 0, 0, 0]) : turnOf(joint.wxyz);
    const turned = Number(turn.some((one, i) => one !== Number(i % 4 === 0)));
    return { turn, row: [joint.parent, codeOf(joint), first[0][j], first[1][j], first[2][j], turned, some(joint.anchor)] };
  });
  const over: number[] = [];  // of every joint the nearest one above that has an absolute angle, -1 without
  for (const { parent } of joints) {
    const passes = parent >= 0 && joints[parent].kind === "fixed" ? over[parent] : -1;
    over.push(parent >= 0 && joints[parent].absolute ? parent : passes);
  }
  const axes = joints.flatMap((joint, j) => joint.axes.map((axis, k) => {
    const own = followed(joints, first, j, k), tied = joint.absolute && over[j] >= 0;
    return { axis, own, second: tied ? followed(joints, first, over[j], 0) : own, gain2: tied ? -1 : 0 };
  }));
  const perDof = <T>(value: (joint: Joint, k: number) => T) =>
    joints.flatMap((joint) => Array.from({ length: dofOf(joint) }, (_, k) => value(joint, k)));
  const bounds = perDof((joint, k) => {
    const axis = ownAxes(joint)[k - rotating(joint)];
    return axis ? [axis.lower, axis.upper] : [-Infinity, Infinity];
  });
  return {
    names: joints.map((joint) => joint.name),
    aliases: Object.fromEntries(joints.flatMap((joint, j) => joint.aliases.map((alias) => [alias, j]))),
    freedoms: joints.flatMap((joint) => freedomNames(joint).map((name) => `${joint.name}.${name}`)),
    up, reach: reachOf(joints), forward: null,
    rest: joints.flatMap(restOf),
    joint: [...rows.map(({ row }) => row), [0, 0, ...first.map((one) => one[joints.length]), 0, 0]],
    frame: joints.map((joint, j) => [...rows[j].turn, ...(joint.kind === "free" ? [0, 0, 0] : joint.position), ...joint.anchor]),
    axis_number: axes.map(({ axis, own, second }) => [
      Number(axis.slide), some(axis.anchor), own.coordinate, own.dof, second.coordinate, second.dof,
    ]),
    axis: axes.map(({ axis, own, gain2 }) => [...axis.direction, ...axis.anchor, own.gain, gain2, own.shift - axis.reference]),
    bound: bounds,
    cones: joints.map((joint) => coneRow(joint)),
    active: perDof((joint, k) => joint.active?.[k] ?? true),
    ease: perDof((joint) => joint.ease),
    stiffness: perDof((joint) => joint.stiffness),
    slides: perDof((joint, k) => (codeOf(joint) === FREE && k < 3) || Boolean(ownAxes(joint)[k - rotating(joint)]?.slide)),
  };
}

function coneRow(joint: Joint): number[] {
  if (!joint.cone) return NO_CONE;
  const { axis, swing, twist, center } = joint.cone;
  return [...axis, ...center, swing, ...twist, ...coneEdges(swing, twist[0], twist[1])];
}

function freedomNames(joint: Joint): string[] {
  const turns = ["x", "y", "z"];
  const own = [[], turns, [...turns, "rx", "ry", "rz"]][codeOf(joint)];
  return [...own, ...ownAxes(joint).map((axis) => axis.name)];
}

/** Rest coordinates of a joint whose frame in its parent's is given; null where they are not found simply. */
export function coordinatesOf(joint: Joint, position: Vector, wxyz: Vector): Vector | null {
  if (joint.kind === "free") return [...position, ...wxyz];
  const back = [joint.wxyz[0], -joint.wxyz[1], -joint.wxyz[2], -joint.wxyz[3]];
  const turn = multiply(back, wxyz);
  if (joint.kind === "ball") return turn[0] < 0 ? turn.map((one) => -one) : turn;
  const [axis] = joint.axes;
  if (joint.axes.length !== 1 || axis.follow || joint.absolute) return null;
  if (!axis.slide) {
    const along = axis.direction[0] * turn[1] + axis.direction[1] * turn[2] + axis.direction[2] * turn[3];
    const angle = 2 * Math.atan2(along, turn[0]);
    return [angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)) + axis.reference];
  }
  const m = turnOf(joint.wxyz), away = position.map((one, i) => one - joint.position[i]);
  const local = [0, 1, 2].map((c) => m[c] * away[0] + m[3 + c] * away[1] + m[6 + c] * away[2]);
  return [local.reduce((sum, one, i) => sum + one * axis.direction[i], 0) + axis.reference];
}
