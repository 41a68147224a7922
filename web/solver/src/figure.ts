// A figure as the kernels read it: a skeleton as plain numbers, its rest pose and the names of its joints.
import { bendLimb, type LimbOptions } from "./limb";
import { readGLB } from "./glb";
import { type Doubles, kernels, type Wholes } from "./kernels";
import { CODES } from "./layout";
import { Prepared, type Options } from "./prepared";
import type { Goal } from "./goals";
import type { Body } from "./natural";
import { flatten, NO_PROBLEM } from "./tables";

/** What Python's `posable.browser.figure_record` writes: the columns are those of `posable.skeleton.tables`. */
export interface FigureRecord {
  names: string[];
  /** Other names of joints, roles among them. */
  aliases: Record<string, number>;
  /** Names of the freedoms, as in "spine.x". */
  freedoms: string[];
  up: "y" | "z";
  reach: number;
  /** Where the figure faces at rest, in the world; null where nothing tells. */
  forward: number[] | null;
  rest: number[];
  joint: number[][];
  frame: number[][];
  axis_number: number[][];
  axis: number[][];
  bound: (number | null)[][];
  cones: number[][];
  active: boolean[];
  ease: number[];
  stiffness: number[];
  slides: boolean[];
  /** A person's body in it; none where the figure is no person, or has learnt from clips of its own. */
  body?: Body | null;
}

export const PARENT = 0, CODE = 1, COORDINATE = 2, DOF = 3, AXIS = 4;
const SWING = 7;

/** Joints, their limits and their rest pose. A pose is an array of coordinates, as Python's `pose.q`. */
export class Figure {
  readonly names: readonly string[];
  readonly parents: readonly number[];
  readonly rest: Float64Array;
  readonly dof: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  private readonly ints: Wholes;
  private readonly floats: Doubles;
  private readonly memory: Doubles;
  private readonly frames: Doubles;
  private readonly q: Doubles;
  private readonly tangent: Doubles;

  private constructor(readonly record: FigureRecord, readonly notes: readonly string[]) {
    const count = record.names.length;
    this.names = record.names;
    this.parents = record.joint.slice(0, count).map((row) => row[PARENT]);
    this.rest = Float64Array.from(record.rest);
    this.dof = record.bound.length;
    this.lower = Float64Array.from(record.bound, ([low]) => low ?? -Infinity);
    this.upper = Float64Array.from(record.bound, ([, high]) => high ?? Infinity);
    const own = kernels();
    const { ints, floats } = flatten(record, this.lower, this.upper, record.cones, NO_PROBLEM(this));
    this.ints = own.wholes(ints);
    this.floats = own.doubles(floats);
    const none = own.wholes([]);
    this.memory = own.block("f64", own.run("room", this.ints, this.floats, none, own.doubles([]), none));
    this.frames = own.block("f64", 16 * count);
    this.q = own.block("f64", record.rest.length);
    this.tangent = own.block("f64", this.dof);
  }

  /** The figure in a GLB: nodes that skins name, what posable has written about them, and all above them. */
  static fromGLB(bytes: ArrayBuffer | Uint8Array): Figure {
    const { record, notes } = readGLB(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
    const figure = new Figure(record, notes);
    const within = figure.moved(figure.rest, new Float64Array(figure.dof));
    record.cones.forEach((cone, j) => {
      const [at, end] = [record.joint[j][COORDINATE], record.joint[j + 1][COORDINATE]];
      if (cone[SWING] >= 0) figure.rest.set(within.subarray(at, end), at);
    });
    return figure;
  }

  /** The figure that Python's `posable.browser.figure_record` describes, exactly as it is there. */
  static fromRecord(record: FigureRecord): Figure {
    return new Figure(record, []);
  }

  /** The index of a joint, by its name, another name of it or a role that is written in the record. */
  index(name: string): number {
    const exact = this.names.indexOf(name);
    if (exact >= 0) return exact;
    const found = this.record.aliases[name];
    if (found !== undefined) return found;
    const key = plain(name);
    const near = this.names.findIndex((one) => plain(one) === key);
    if (near >= 0) return near;
    throw new Error(`posable: no joint is called ${JSON.stringify(name)}; figure.names lists them`);
  }

  /** The joints from the root to this one. */
  chain(joint: number): number[] {
    const found: number[] = [];
    for (let j = joint; j >= 0; j = this.parents[j]) found.unshift(j);
    return found;
  }

  /** The freedoms of a joint, of one axis ("spine.x"), or of the root. */
  freedomsOf(name: string): number[] {
    const single = this.record.freedoms.indexOf(name);
    if (single >= 0) return [single];
    const joint = this.record.joint;
    const known = this.names.includes(name) || name in this.record.aliases;
    const free = joint.findIndex((row, j) => j < this.names.length && row[CODE] === CODES.FREE);
    if (name === "root" && !known && free < 0) return [];
    return this.freedomsAt(name === "root" && !known ? free : this.index(name));
  }

  /** The freedoms of the joint with this index. */
  freedomsAt(j: number): number[] {
    const { joint } = this.record;
    return Array.from({ length: joint[j + 1][DOF] - joint[j][DOF] }, (_, k) => joint[j][DOF] + k);
  }

  /** The frames of all joints in the world: 16 numbers a joint, column by column, as WebGL and three.js have them. */
  world(q: ArrayLike<number>): Float64Array {
    const rows = this.rows(q);
    const out = new Float64Array(rows.length);
    for (let at = 0; at < rows.length; at += 16) {
      for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) out[at + 4 * c + r] = rows[at + 4 * r + c];
    }
    return out;
  }

  /** The same, row by row, in the module's memory: valid until the next call. */
  rows(q: ArrayLike<number>): Float64Array {
    this.q.view.set(q);
    kernels().run("place", this.memory, this.ints, this.floats, this.q, this.frames);
    return this.frames.view;
  }

  /** Where a joint, or a point of its frame, is in the world. */
  position(q: ArrayLike<number>, joint: string | number, tip: ArrayLike<number> = [0, 0, 0]): [number, number, number] {
    const m = this.rows(q).subarray(16 * (typeof joint === "number" ? joint : this.index(joint)));
    const at = (r: number) => m[4 * r] * tip[0] + m[4 * r + 1] * tip[1] + m[4 * r + 2] * tip[2] + m[4 * r + 3];
    return [at(0), at(1), at(2)];
  }

  /** A pose moved along a tangent, a number for each freedom, and brought within the limits. */
  moved(q: ArrayLike<number>, tangent: ArrayLike<number>): Float64Array {
    const own = kernels();
    const out = own.block("f64", q.length);
    this.q.view.set(q);
    this.tangent.view.set(tangent);
    own.run("move", this.ints, this.floats, this.q, this.tangent, out);
    const result = out.view.slice();
    out.free();
    return result;
  }

  /** Goals made ready to be solved again and again with other targets. */
  prepare(goals: readonly Goal[], options: Options = {}): Prepared {
    return new Prepared(this, goals, options);
  }

  /** Give the module's memory back; nothing of the figure can be asked afterwards. */
  free(): void {
    for (const block of [this.ints, this.floats, this.memory, this.frames, this.q, this.tangent]) block.free();
  }

  /** Bend a limb to its target by the law of cosines: no iterations. */
  twoBone(q: ArrayLike<number>, limb: LimbOptions): { q: Float64Array; left: number } {
    return bendLimb(this, this.memory, this.ints, this.floats, q, limb);
  }
}

function plain(name: string): string {
  return (name.split(/[:|/]/).pop() ?? name).toLowerCase().replace(/[^a-z0-9]/g, "");
}
