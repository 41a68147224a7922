// Why a solve did not reach: `solvers.diagnosis` in Python, for one problem.
import { FORMS, KINDS, OUTCOMES } from "./layout";
import { Engine, type Status } from "./prepared";
import type { Structure } from "./problem";
import { leastDistance } from "./reach-bound";

const OFFSET = 5, WEIGHT = 0, TOLERANCE = 1;

export class Diagnosis {
  constructor(private readonly engine: Engine, private readonly numbers: number[], private readonly wishes: number[]) {}

  status(q: Float64Array, outcome: number): Status {
    if (this.isOutOfReach(q)) return "OUT_OF_REACH";
    if (outcome === OUTCOMES.EXHAUSTED) return "OUT_OF_ITERATIONS";
    if (this.limitsExplain(q)) return "AT_LIMIT";
    return this.isContradictory(q) ? "COMPROMISE" : "LOCAL_MINIMUM";
  }

  private isOutOfReach(q: Float64Array): boolean {
    const { structure } = this.engine;
    const { rows, problem } = structure;
    return rows.some((row, k) => {
      if (row.kind !== KINDS.POSITION || row.other >= 0 || row.weight <= 0) return false;
      const at = problem.terms[k][OFFSET];
      const target = (row.form === FORMS.POINT ? [0, 1, 2] : [3, 7, 11]).map((i) => this.numbers[at + i]);
      const least = leastDistance(structure, q, row.joint, row.constants, target);
      return least * problem.scale > problem.measures[k][TOLERANCE];
    });
  }

  /** Another structure, solved from a pose. */
  private solved(structure: Structure, q: Float64Array): { q: Float64Array; reached: boolean } {
    const engine = new Engine(structure, this.numbers.length, this.wishes.length);
    const found = engine.solve(q, this.numbers, this.wishes);
    engine.free();
    return { q: found.q, reached: found.outcome === OUTCOMES.REACHED };
  }

  private limitsExplain(start: Float64Array): boolean {
    let { structure } = this.engine, q = start, reached = false;
    while (!reached) {
      const engine = new Engine(structure, this.numbers.length, this.wishes.length);
      const held = engine.held(this.numbers, q);
      engine.free();
      if (!held.some(Boolean)) return false;
      structure = released(structure, held);
      ({ q, reached } = this.solved(structure, q));
    }
    const { problem } = this.engine.structure;
    const again = { ...this.engine.structure, problem: { ...problem, seed: problem.seed ^ 1 } };
    return !this.solved(again, q).reached;
  }

  private isContradictory(q: Float64Array): boolean {
    const { structure } = this.engine;
    const counted = new Set(structure.goalOf.filter((_, k) => structure.rows[k].weight > 0 && structure.rows[k].counts));
    if (counted.size < 2) return false;
    return [...counted].every((goal) => {
      const measures = structure.problem.measures.map((row, k) => {
        const own = structure.goalOf[k] === goal && structure.rows[k].weight > 0 && structure.rows[k].counts;
        return own ? row : row.map((value, i) => (i === WEIGHT ? 0 : i === TOLERANCE ? Infinity : value));
      });
      return this.solved({ ...structure, problem: { ...structure.problem, measures } }, q).reached;
    });
  }
}

/** The structure without the limits that are touched. */
function released(structure: Structure, touched: boolean[]): Structure {
  const { figure } = structure;
  const lower = structure.lower.slice(), upper = structure.upper.slice();
  const cones = structure.cones.map((cone, j) => {
    const d = figure.record.joint[j][3], SWING = 7, LOW = 8, HIGH = 9;
    if (cone[SWING] < 0 || !(touched[d] || touched[d + 1])) return cone;
    const [swing, low, high] = [
      touched[d] ? Math.PI : cone[SWING], touched[d + 1] ? -Math.PI : cone[LOW], touched[d + 1] ? Math.PI : cone[HIGH],
    ];
    return [...cone.slice(0, SWING), swing, low, high, ...coneEdges(swing, low, high)];
  });
  touched.forEach((one, d) => {
    if (one) [lower[d], upper[d]] = [-Infinity, Infinity];
  });
  return { ...structure, lower, upper, cones };
}

/** What kernels compare with, of a cone's swing and twist. */
export function coneEdges(swing: number, low: number, high: number): number[] {
  return [Math.cos(swing), Math.sin(low / 2), Math.cos(low / 2), Math.sin(high / 2), Math.cos(high / 2)];
}

