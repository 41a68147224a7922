// Goals made ready for a figure, solved and followed: `solvers.prepared.Prepared` in Python.
import { Diagnosis } from "./diagnosis";
import type { Figure } from "./figure";
import type { Goal } from "./goals";
import { type Doubles, kernels, type Wholes } from "./kernels";
import { type Manner, Starts } from "./natural";
import { ENDED, OUTCOMES, STATUS } from "./layout";
import { buildStructure, type Structure } from "./problem";
import { flatten } from "./tables";

export interface Options {
  /** Distance, in the figure's length unit, within which a position counts as reached. */
  tolerance?: number;
  /** Angle in radians within which a rotation counts as reached. */
  angleTolerance?: number;
  /** Most iterations of one attempt. */
  maxIterations?: number;
  /** Seeded further attempts where the first one fails. */
  restarts?: number;
  seed?: number;
  /** Joints, or single axes as in "spine.x", that must not move. */
  frozen?: readonly string[];
}

export type Status = keyof typeof STATUS;
/** One target a goal; null keeps the one that it was made with. */
export type Targets = readonly (ArrayLike<number> | null)[];

/** A pose and the targets that it was solved for. */
export interface Origin {
  pose: ArrayLike<number>;
  targets: Targets;
}

/** The best pose found, and why the search ended. */
export interface Solution {
  q: Float64Array;
  iterations: number;
  /** Found out when it is asked for: a proof or further solves earn it. */
  readonly status: Status;
  readonly reached: boolean;
  /** For each goal what it has left: the longest distance, or the largest angle, of its terms. */
  readonly left: number[];
}

/** The poses of a trajectory, one after the other. */
export interface Track {
  /** `[frame × coordinates]` */
  q: Float64Array;
  /** `[frame]` whether every goal is met. */
  reached: boolean[];
}

const FAULTS = ["", "contains a number that is not finite or is above 1e15", "is not a rotation"];

/** A structure in the module's memory. */
export class Engine {
  private readonly memory: Doubles;
  private readonly ints: Wholes;
  private readonly floats: Doubles;
  private readonly coupling: readonly [Wholes, Doubles, Wholes];
  private readonly ended: Wholes;
  private readonly numbers: Doubles;
  private readonly q: Doubles;
  private readonly wishes: Doubles;

  constructor(readonly structure: Structure, size: number, wishes: number) {
    const own = kernels();
    const { figure, lower, upper, cones, problem, ties, gains, coupled } = structure;
    const { ints, floats } = flatten(figure.record, lower, upper, cones, problem);
    this.ints = own.wholes(ints);
    this.floats = own.doubles(floats);
    this.coupling = [own.wholes(ties), own.doubles(gains), own.wholes(coupled)];
    this.memory = own.block("f64", own.run("room", this.ints, this.floats, ...this.coupling));
    this.ended = own.block("i64", 4);
    this.numbers = own.block("f64", size);
    this.q = own.block("f64", figure.rest.length);
    this.wishes = own.block("f64", wishes);
  }

  /** The tables in the module's memory. */
  get blocks(): readonly [Wholes, Doubles] {
    return [this.ints, this.floats];
  }

  /** The tables, as Python's `flatten` writes them. */
  get tables(): { ints: bigint[]; floats: number[] } {
    return { ints: Array.from(this.ints.view), floats: Array.from(this.floats.view) };
  }

  solve(start: ArrayLike<number>, numbers: ArrayLike<number>, wishes: ArrayLike<number>): { q: Float64Array; outcome: number; iterations: number } {
    this.q.view.set(start);
    this.numbers.view.set(numbers);
    this.wishes.view.set(wishes);
    kernels().run("solve", this.memory, this.ints, this.floats, ...this.coupling, this.wishes, this.numbers, this.q, this.ended);
    const ended = this.ended.view;
    const fault = Number(ended[ENDED.FAULT]);
    if (fault) throw new Error(`posable: the target of goal ${this.structure.goalOf[Number(ended[ENDED.FAULTY_TERM])]} ${FAULTS[fault]}`);
    return { q: this.q.view.slice(), outcome: Number(ended[ENDED.OUTCOME]), iterations: Number(ended[ENDED.ITERATIONS]) };
  }

  follow(start: ArrayLike<number>, numbers: ArrayLike<number>, wishes: ArrayLike<number>, limits: ArrayLike<number>, frames: number): Track {
    const own = kernels();
    this.q.view.set(start);
    const given = [own.doubles(wishes), own.doubles(limits), this.q, own.doubles(numbers)] as const;
    const out = own.block("f64", frames * start.length), counts = own.block("i64", 3 * frames);
    this.memory.view.fill(0);
    const faulty = own.run("track", this.memory, this.ints, this.floats, ...this.coupling, ...given, out, counts);
    const result = {
      q: out.view.slice(),
      reached: Array.from({ length: frames }, (_, n) => counts.view[3 * n] === BigInt(OUTCOMES.REACHED)),
    };
    for (const block of [given[0], given[1], given[3], out, counts]) block.free();
    if (faulty >= 0) throw new Error(`posable: a target of frame ${faulty} is not a finite position or rotation`);
    return result;
  }

  /** `[dof]` whether a freedom stands at a limit through which the goals would push it. */
  held(numbers: ArrayLike<number>, q: ArrayLike<number>): boolean[] {
    return Array.from(this.look("held", numbers, q, this.structure.figure.dof), (one) => one > 0);
  }

  /** `[term × 3]` what is left, lengths in reaches. */
  left(numbers: ArrayLike<number>, q: ArrayLike<number>): Float64Array {
    return this.look("left", numbers, q, 3 * this.structure.rows.length);
  }

  private look(what: string, numbers: ArrayLike<number>, q: ArrayLike<number>, size: number): Float64Array {
    const out = kernels().block("f64", size);
    this.q.view.set(q);
    this.numbers.view.set(numbers);
    kernels().run(what, this.memory, this.ints, this.floats, ...this.coupling, this.numbers, this.q, out);
    const result = out.view.slice();
    out.free();
    return result;
  }

  free(): void {
    const own = [this.memory, this.ints, this.floats, ...this.coupling, this.ended, this.numbers, this.q, this.wishes];
    for (const block of own) block.free();
  }
}

/** Goals on a figure, ready to be solved for many targets. */
export class Prepared {
  private readonly engine: Engine;
  private readonly hard: number[];
  private readonly soft: number[];
  private readonly size: number;
  private readonly starts: Starts | null;

  constructor(readonly figure: Figure, readonly goals: readonly Goal[], options: Options) {
    const structure = buildStructure(figure, goals, options);
    const every = goals.map((_, k) => k);
    this.soft = every.filter((k) => goals[k].draws !== undefined);
    this.hard = every.filter((k) => goals[k].draws === undefined);
    const sizes = this.hard.reduce((sum, k) => sum + goals[k].size, 0), wishes = this.soft.length * figure.rest.length;
    this.size = Math.max(3, sizes);
    this.engine = new Engine(structure, this.size, wishes);
    const manner: Manner | undefined = goals.find((goal) => goal.manner)?.manner;
    this.starts = manner ? new Starts(structure, goals, options, this.size, sizes, wishes, manner, this.engine.blocks) : null;
  }

  /** What was prepared, as the kernels read it: for tests. */
  get tables(): { ints: bigint[]; floats: number[] } {
    return this.engine.tables;
  }

  /** The pose that meets the goals for these targets.
   *
   * since: in a drag the targets that `start` was solved for: the rest of the body then moves by what has changed.
   * origin: the pose in which that drag began and the targets it was solved for: what the goals leave open then returns
   * to it as the targets do, whatever path they have taken. */
  solve(start: ArrayLike<number>, targets: Targets = [], since: Targets | null = null, origin: Origin | null = null): Solution {
    this.check(targets, start);
    if (since) this.check(since, start);
    if (origin) this.check(origin.targets, origin.pose);
    const numbers = this.numbers(targets), wishes = this.wishes(targets);
    const { engine, goals } = this;
    const began = since && origin && { pose: origin.pose, numbers: this.numbers(origin.targets) };
    const begun = this.starts?.of(start, numbers, wishes, since && this.numbers(since), began) ?? start;
    const { q, outcome, iterations } = engine.solve(begun, numbers, wishes);
    let status: Status | undefined = outcome === OUTCOMES.REACHED ? "REACHED" : undefined;
    return {
      q, iterations, reached: outcome === OUTCOMES.REACHED,
      get status() {
        return (status ??= new Diagnosis(engine, numbers, wishes).status(q, outcome));
      },
      get left() {
        const numbersLeft = engine.left(numbers, q), { rows, goalOf, figure } = engine.structure;
        const found = goals.map(() => 0);
        rows.forEach((row, k) => {
          const unit = row.kind === 0 || row.kind === 3 ? figure.record.reach : 1;
          found[goalOf[k]] = Math.max(found[goalOf[k]], unit * Math.hypot(...numbersLeft.subarray(3 * k, 3 * k + 3)));
        });
        return found;
      },
    };
  }

  /** The poses that follow targets over time, each from the one before: no restarts, no flips.
   *
   * targets: one list of targets for every frame. steps: the largest step of every freedom in a frame, and the largest
   * change of it, `[2 × dof]`; with them a `natural` only resists, and without they are the steps of a drag. */
  track(start: ArrayLike<number>, targets: readonly Targets[], steps: ArrayLike<number> = []): Track {
    for (const one of targets) this.check(one, start);
    if (this.starts && !steps.length) return this.dragged(this.starts, start, targets);
    const numbers = targets.flatMap((one) => this.numbers(one)), wishes = targets.flatMap((one) => this.wishes(one));
    return this.engine.follow(start, numbers, wishes, steps, targets.length);
  }

  /** `Proposals.follow` in Python: the steps of a drag that begins at the first frame. */
  private dragged(starts: Starts, start: ArrayLike<number>, targets: readonly Targets[]): Track {
    const size = start.length, q = new Float64Array(size * targets.length), reached: boolean[] = [];
    let before: number[] | null = null, origin: { pose: ArrayLike<number>; numbers: number[] } | null = null;
    for (const [n, one] of targets.entries()) {
      const numbers = this.numbers(one), wishes = this.wishes(one);
      const begun = starts.of(n ? q.slice(size * (n - 1), size * n) : start, numbers, wishes, before, origin);
      const found = this.engine.follow(begun, numbers, wishes, [], 1);
      q.set(found.q, size * n);
      reached.push(...found.reached);
      before = numbers;
      origin ??= { pose: found.q, numbers };
    }
    return { q, reached };
  }

  /** Give the module's memory back; nothing can be solved afterwards. */
  free(): void {
    this.engine.free();
    this.starts?.free();
  }

  private check(targets: Targets, start: ArrayLike<number>): void {
    if (start.length !== this.figure.rest.length) {
      throw new Error(`posable: a pose of this figure has ${this.figure.rest.length} numbers, not ${start.length}`);
    }
    targets.forEach((target, k) => {
      const size = this.goals[k]?.manner ? 0 : this.goals[k]?.size || this.figure.rest.length;
      if (target !== null && target.length !== size) {
        throw new Error(`posable: the target of goal ${k} has ${size} numbers, not ${target.length}`);
      }
    });
  }

  private numbers(targets: Targets): number[] {
    const found = this.hard.flatMap((k) => {
      const target = Array.from(targets[k] ?? this.goals[k].target);
      return target.length === 16 ? target.map((_, i) => target[4 * (i & 3) + (i >> 2)]) : target;
    });
    while (found.length < this.size) found.push(0);
    return found;
  }

  private wishes(targets: Targets): number[] {
    return this.soft.flatMap((k) => Array.from(targets[k] ?? this.goals[k].target));
  }
}
