// Goals, and the rows that they state to the kernels: `posable.goals` in Python.
import type { Figure } from "./figure";
import { FORMS, KINDS } from "./layout";
import type { Manner } from "./natural";

/** One term of a goal, as `goals.rows.Row` in Python. */
export interface Row {
  kind: number;
  joint: number;
  weight: number;
  form: number;
  constants: number[];
  other: number;
  third: number;
  level: number;
  counts: boolean;
}

/** What is wanted of a pose. */
export interface Goal {
  readonly name: string;
  /** How many numbers its target has; 0 where it takes a pose. */
  readonly size: number;
  readonly target: ArrayLike<number>;
  rows(figure: Figure): Row[];
  /** Of a soft goal how strongly it draws to its target, a pose. */
  readonly draws?: number;
  /** Of a goal that says where solves begin: how. It has no target. */
  readonly manner?: Manner;
}

/** Whether it asks for one position of a point, or one rotation, in the world. */
export function isPlain(row: Row): boolean {
  return (row.kind === KINDS.POSITION || row.kind === KINDS.ROTATION) && row.other < 0;
}

/** Whether it asks for a direction to point at a position. */
export function isGaze(row: Row): boolean {
  return row.kind === KINDS.SIGHT;
}

export interface Common {
  weight?: number;
  /** 0 is met first; higher numbers act only in the freedom that the lower ones leave. */
  priority?: number;
}

export interface Relative {
  /** A joint in whose frame the target is given. */
  relativeTo?: string;
}

export interface Region {
  /** The target may lie anywhere on the line from it to target + segment. */
  segment?: ArrayLike<number>;
  /** ... or within these half sides of a box along the axes. */
  box?: ArrayLike<number>;
}

const SEGMENT = 1, BOX = 2;

function row(kind: number, joint: number, form: number, own: Common, more: Partial<Row> = {}): Row {
  const weight = own.weight ?? 1;
  return { kind, joint, weight, form, constants: [], other: -1, third: -1, level: own.priority ?? 0, counts: true, ...more };
}

function other(figure: Figure, own: Relative): number {
  return own.relativeTo === undefined ? -1 : figure.index(own.relativeTo);
}

function region(own: Region): number[] {
  if (own.segment) return [SEGMENT, ...Array.from(own.segment)];
  if (own.box) return [BOX, ...Array.from(own.box, (half) => Math.min(half, 1e15)), 1, 0, 0, 0, 1, 0, 0, 0, 1];
  return [];
}

/** A point of a joint is at a position. */
export function reach(
  joint: string, target: ArrayLike<number>, own: Common & Relative & Region & { tip?: ArrayLike<number> } = {},
): Goal {
  return {
    name: joint, size: 3, target,
    rows: (figure) => {
      const within = region(own);
      const constants = [...Array.from(own.tip ?? [0, 0, 0]), ...within];
      const kind = within.length ? KINDS.REGION : KINDS.POSITION;
      return [row(kind, figure.index(joint), FORMS.POINT, own, { constants, other: other(figure, own) })];
    },
  };
}

/** A joint has a rotation, a quaternion wxyz. */
export function orient(joint: string, wxyz: ArrayLike<number>, own: Common & Relative = {}): Goal {
  return {
    name: joint, size: 4, target: wxyz,
    rows: (figure) => [row(KINDS.ROTATION, figure.index(joint), FORMS.WXYZ, own, { other: other(figure, own) })],
  };
}

/**
 * A joint has a frame: 16 numbers, column by column, as WebGL and three.js have them.
 *
 * cone: rotations about it any of which will do, as the kernels read a cone.
 */
export function place(
  joint: string, frame: ArrayLike<number>, own: Common & Relative & { rotationWeight?: number; cone?: readonly number[] } = {},
): Goal {
  return {
    name: joint, size: 16, target: frame,
    rows: (figure) => {
      const j = figure.index(joint), more = { other: other(figure, own) };
      const turn = { ...own, weight: own.rotationWeight ?? own.weight ?? 1 };
      return [
        row(KINDS.POSITION, j, FORMS.FRAME, own, { ...more, constants: [0, 0, 0] }),
        row(own.cone ? KINDS.LEANING : KINDS.ROTATION, j, FORMS.FRAME, turn, { ...more, constants: [...(own.cone ?? [])] }),
      ];
    },
  };
}

/** A joint faces a position; `forward` is a direction in its frame, the figure's own facing at rest unless given. */
export function lookAt(joint: string, point: ArrayLike<number>, own: Common & { forward?: ArrayLike<number> } = {}): Goal {
  return {
    name: joint, size: 3, target: point,
    rows: (figure) => {
      const j = figure.index(joint);
      return [row(KINDS.SIGHT, j, FORMS.POINT, own, { constants: own.forward ? unit(own.forward) : facing(figure, j) })];
    },
  };
}

function unit(vector: ArrayLike<number>): number[] {
  const numbers = Array.from(vector), length = Math.hypot(...numbers);
  if (!(length > 0)) throw new Error("posable: forward is a direction, and its length is 0");
  return numbers.map((one) => one / length);
}

function facing(figure: Figure, joint: number): number[] {
  const ahead = figure.record.forward;
  if (ahead === null) {
    throw new Error("posable: the facing direction of this figure is unknown; give lookAt a forward direction in the joint's frame");
  }
  const m = figure.rows(figure.rest).subarray(16 * joint, 16 * joint + 12);
  return [0, 1, 2].map((c) => ahead[0] * m[c] + ahead[1] * m[4 + c] + ahead[2] * m[8 + c]);
}

/** The middle of the limb that ends at a joint, an elbow or a knee, points to a position. */
export function pole(joint: string, towards: ArrayLike<number>, own: Common & { middle?: string; first?: string } = {}): Goal {
  return {
    name: joint, size: 3, target: towards,
    rows: (figure) => {
      const end = figure.index(joint);
      const middle = above(figure, end, end, own.middle);
      const first = above(figure, end, middle, own.first);
      return [row(KINDS.POLE, end, FORMS.POINT, own, { other: middle, third: first, counts: !own.priority })];
    },
  };
}

function above(figure: Figure, end: number, below: number, name?: string): number {
  if (name !== undefined) return figure.index(name);
  const frames = figure.rows(figure.rest), chain = figure.chain(end), { joint, reach: size } = figure.record;
  const at = (j: number) => [3, 7, 11].map((k) => frames[16 * j + k]);
  for (const j of chain.slice(0, chain.indexOf(below)).reverse()) {
    const [a, b] = [at(j), at(below)];
    if (Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) > 1e-6 * size && joint[j + 1][3] > joint[j][3]) return j;
  }
  throw new Error(`posable: no limb of three joints ends at ${figure.names[end]}`);
}

/** A soft goal: every freedom as in a pose, as far as the other goals leave it free. */
export function stay(pose: ArrayLike<number>, own: { weight?: number } = {}): Goal {
  return { name: "stay", size: 0, target: pose, rows: () => [], draws: own.weight ?? 1e-3 };
}
