// Skeleton and goals as the two arrays that kernels take: `flat_tables.flatten` in Python.
import { type Figure, type FigureRecord } from "./figure";
import { HEAD, LEVELS, MOST, MOTIONS, RESTARTS, SEED, TABLES } from "./layout";

/** A list of goals on a skeleton, as `solvers.problem.Problem` in Python. */
export interface Problem {
  scale: number;
  terms: number[][];
  measures: number[][];
  used: number[][];
  spans: number[][];
  plain: number[][];
  turning: number[][];
  freedom: number[][];
  first_motion: number[];
  motions: number;
  levels: number;
  springs: number[][][];
  most: number;
  restarts: number;
  seed: number;
}

const WHOLE = new Set(["joint", "axis_number", "terms", "used", "spans", "plain", "turning", "first_motion"]);
const COLUMNS: Record<string, number> = {
  joint: 7, frame: 15, axis_number: 6, axis: 9, bound: 2, cones: 15, terms: 8, measures: 18, used: 2, spans: 5,
  plain: 2, turning: 1, freedom: 5, bodies: 4, pull: 3,
};

/** How motions go with freedoms: (freedom, gain, second freedom, its gain) each, and where each joint's begin. */
export function motionsOf(record: FigureRecord): { first: number[]; rows: number[][]; plain: boolean } {
  const [CODE, DOF, AXIS] = [1, 3, 4];
  const [DIRECT, DIRECT2] = [3, 5]; // AXIS_DOF and AXIS_DOF2 of `axis_number`
  const first = [0];
  const rows: number[][] = [];
  for (let j = 0; j < record.names.length; j++) {
    const own = record.joint[j];
    const rotating = own[CODE] === 2 ? 6 : own[CODE] === 1 ? 3 : 0;
    for (let k = 0; k < rotating; k++) rows.push([own[DOF] + k, 1, 0, 0]);
    for (let a = own[AXIS]; a < record.joint[j + 1][AXIS]; a++) {
      const number = record.axis_number[a];
      rows.push([number[DIRECT], record.axis[a][6], number[DIRECT2], record.axis[a][7]]);
    }
    first.push(rows.length);
  }
  const simple = rows.every(([dof, gain, , gain2], m) => dof === m && gain === 1 && gain2 === 0);
  return { first, rows, plain: simple };
}

/** No goals: what forward kinematics and limbs are called with. */
export function NO_PROBLEM(figure: Figure): Problem {
  const { first } = motionsOf(figure.record);
  const none: number[][] = [];
  return {
    scale: 1 / figure.record.reach, terms: none, measures: none, used: none, spans: none, plain: none, turning: none,
    freedom: figure.record.active.map(() => [0, 1, 1, 0, 0]), first_motion: first, motions: first[first.length - 1],
    levels: 0, springs: [], most: 100, restarts: 0, seed: 0,
  };
}

/** (ints, floats) for the kernels; their head says where each table begins and its shape. */
export function flatten(
  record: FigureRecord, lower: ArrayLike<number>, upper: ArrayLike<number>, cones: number[][], p: Problem,
): { ints: number[]; floats: number[] } {
  const bound = Array.from(lower, (low, d) => [low, upper[d]]);
  const tables: Record<string, number[][] | number[][][]> = {
    joint: record.joint, frame: record.frame, axis_number: record.axis_number, axis: record.axis, bound, cones,
    terms: p.terms, measures: p.measures, used: p.used, spans: p.spans, plain: p.plain, turning: p.turning,
    freedom: p.freedom, first_motion: [p.first_motion], bodies: [], springs: p.springs, pull: [[0, 0, 0]],
  };
  const ints: number[] = new Array(HEAD).fill(0);
  const floats = [p.scale];
  TABLES.forEach((name, k) => {
    const table = tables[name];
    const into = WHOLE.has(name) ? ints : floats;
    const cube = name === "springs";
    const columns = cube ? 3 : name === "first_motion" ? p.first_motion.length : COLUMNS[name];
    [into.length, table.length, columns, cube ? lower.length : 1].forEach((value, i) => (ints[4 * k + i] = value));
    for (const row of table) for (const value of cube ? (row as number[][]).flat() : (row as number[])) into.push(value);
  });
  [[MOST, p.most], [RESTARTS, p.restarts], [SEED, p.seed], [MOTIONS, p.motions], [LEVELS, p.levels]].forEach(
    ([at, value]) => (ints[at] = value),
  );
  return { ints, floats };
}
