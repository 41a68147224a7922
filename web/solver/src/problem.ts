// A list of goals on a skeleton as tables for kernels: `solvers.problem.build_structure` in Python.
import { CODE, COORDINATE, DOF, type Figure } from "./figure";
import type { Goal, Row } from "./goals";
import { ANGLE, CODES, CONSTANTS, KINDS, SOFTER } from "./layout";
import { resistances } from "./natural";
import type { Options } from "./prepared";
import { motionsOf, type Problem } from "./tables";

/** Everything about a list of goals on a skeleton but where to. */
export interface Structure {
  figure: Figure;
  rows: Row[];
  /** Of every row the goal that states it. */
  goalOf: number[];
  problem: Problem;
  lower: Float64Array;
  upper: Float64Array;
  cones: number[][];
  /** The freedoms of motions that are coupled, and their gains; empty where none is. */
  ties: number[];
  gains: number[];
  /** The terms that pull at several bodies. */
  coupled: number[];
}

const DEFAULTS = { tolerance: 1e-6, angleTolerance: 1e-5, maxIterations: 100, restarts: 20, seed: 0 };

export function isLength(row: Row): boolean {
  return row.kind === KINDS.POSITION || row.kind === KINDS.REGION;
}

export function bodies(row: Row): number[] {
  return [row.joint, row.other, row.third].filter((joint) => joint >= 0);
}

export function buildStructure(figure: Figure, goals: readonly Goal[], options: Options): Structure {
  const { record } = figure;
  const said = { ...DEFAULTS, ...options };
  const stated = goals.map((goal) => goal.rows(figure));
  const rows = stated.flat();
  const motions = motionsOf(record);
  const soft = goals.filter((goal) => goal.draws !== undefined);
  const levels = Math.max(0, ...rows.map((row) => row.level));
  const used = usedJoints(figure, rows, soft.length > 0 || !motions.plain);
  const { terms, measures } = termTable(goals, stated, said.tolerance / record.reach, said.angleTolerance);
  const joints = used.map(([joint]) => joint);
  const problem: Problem = {
    scale: 1 / record.reach, terms, measures, used,
    spans: spansOf(figure, rows, joints, motions.first, !motions.plain),
    ...byKind(figure, joints),
    freedom: freedoms(figure, goals, options.frozen ?? []),
    first_motion: motions.first, motions: motions.rows.length, levels,
    springs: springsOf(figure, soft),
    most: said.maxIterations, restarts: said.restarts, seed: said.seed,
  };
  return {
    figure, rows, problem, lower: figure.lower, upper: figure.upper, cones: record.cones,
    goalOf: stated.flatMap((own, k) => own.map(() => k)),
    ties: motions.plain ? [] : [...motions.rows.map((one) => one[0]), ...motions.rows.map((one) => one[2])],
    gains: motions.plain ? [] : [...motions.rows.map((one) => one[1]), ...motions.rows.map((one) => one[3])],
    coupled: rows.flatMap((row, k) => (row.kind === KINDS.POLE || row.other >= 0 ? [k] : [])),
  };
}

function termTable(
  goals: readonly Goal[], stated: Row[][], tolerance: number, angleTolerance: number,
): { terms: number[][]; measures: number[][] } {
  const terms: number[][] = [], measures: number[][] = [];
  let offset = 0;
  stated.forEach((own, k) => {
    for (const row of own) {
      terms.push([row.kind, row.joint, row.other, row.third, row.form, offset, Number(row.counts), row.level]);
      const weight = row.weight * (isLength(row) ? 1 : ANGLE) * SOFTER ** row.level;
      const allowed = row.weight > 0 ? (isLength(row) ? tolerance : angleTolerance) : Infinity;
      const rest = new Array(CONSTANTS - row.constants.length).fill(0);
      measures.push([weight, allowed, ...row.constants, ...rest]);
    }
    if (own.length) offset += goals[k].size;
  });
  return { terms, measures };
}

function usedJoints(figure: Figure, rows: Row[], everywhere: boolean): number[][] {
  const leads = new Set(rows.flatMap((row) => bodies(row).flatMap((joint) => figure.chain(joint))));
  const joints = everywhere ? figure.names.map((_, j) => j) : [...leads].sort((a, b) => a - b);
  return joints.map((j) => [j, Number(leads.has(j))]);
}

function spansOf(figure: Figure, rows: Row[], used: number[], first: number[], everywhere: boolean): number[][] {
  const parents = figure.parents;
  const ends = new Set(everywhere ? used : rows.flatMap(bodies));
  if (!everywhere) used.forEach((j, n) => (n && parents[j] === used[n - 1] ? 0 : ends.add(parents[j])));
  const table: number[][] = [];
  let begin = 0;
  used.forEach((j, n) => {
    if (!ends.has(j) && used[n + 1] === j + 1 && parents[j + 1] === j) return;
    const above = parents[used[begin]];
    const passes = begin > 0 && above === used[begin - 1];
    table.push([j, first[used[begin]], first[j + 1], above, Number(passes)]);
    begin = n + 1;
  });
  return table;
}

function byKind(figure: Figure, used: number[]): { plain: number[][]; turning: number[][] } {
  const plain: number[][] = [], turning: number[][] = [];
  const rows = figure.record.joint;
  for (const j of used) {
    if (rows[j][CODE] !== CODES.SCALAR) turning.push([j]);
    else for (let d = rows[j][DOF]; d < rows[j + 1][DOF]; d++) plain.push([d, d + rows[j][COORDINATE] - rows[j][DOF]]);
  }
  return { plain, turning };
}

function freedoms(figure: Figure, goals: readonly Goal[], frozen: readonly string[]): number[][] {
  const { active, ease, stiffness, slides, reach } = figure.record;
  const locked = active.map((one) => !one);
  for (const name of frozen) for (const d of figure.freedomsOf(name)) locked[d] = true;
  const asked = goals.flatMap(({ manner }) => (manner ? [resistances(figure, manner)] : []));
  const resists = (d: number) => (asked.length && !Number.isNaN(asked[0][d]) ? Math.max(...asked.map((own) => own[d])) : 1 + stiffness[d]);
  return active.map((_, d) => [Number(locked[d]), slides[d] ? reach : 1, resists(d), ease[d], Number(slides[d])]);
}

/** Only what the springs are against each other matters: all are softer than all goals. */
function springsOf(figure: Figure, soft: Goal[]): number[][][] {
  const largest = Math.max(0, ...soft.map((goal) => goal.draws!));
  const scale = largest > 0 ? (0.1 * SOFTER) / largest : 0;
  const zeros = () => new Array<number>(figure.dof).fill(0);
  return soft.map((goal) => [zeros(), zeros(), zeros().map(() => goal.draws! * scale)]);
}
