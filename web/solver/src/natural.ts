// What the goals leave open, done as people do it: `posable.natural` in Python, for a person's skeleton.
import type { Figure } from "./figure";
import { type Goal, isGaze, isPlain, place, reach, type Row } from "./goals";
import { type Doubles, kernels, type Singles, type Wholes } from "./kernels";
import { ENDS, FORMS, HIPS, KEEPS, KINDS, LIMBS, NATURAL, PARENTS, POINTS, SEGMENTS, SIDED, TURNS } from "./layout";
import { network } from "./network";
import { Engine, type Options } from "./prepared";
import { bodies, buildStructure, type Structure } from "./problem";

/** A person's body in a skeleton, as Python's `Body`, every array flat. */
export interface Body {
  axes: number[];
  leg: number[];
  measures: number[];
  turned_by: number[];
  share: number[];
  common: number[];
  bones: number[];
  bent_by: number[];
  segments: number[];
  points: number[];
  turning: number[];
  root: number[];
  rest: number[];
}

/** How much a goal `natural` counts, and what stays as it is in the start. */
export interface Manner {
  strength: number;
  keep: boolean | null;
}

/** What the other goals leave open is done as people do it. The figure's record has to know a person's body in it.
 *
 * strength: 0 to 1. keep: whether the rest of the body stays as it is but for what the goals change; see Python's. */
export function natural(own: { strength?: number; keep?: boolean | null } = {}): Goal {
  const manner = { strength: own.strength ?? 1, keep: own.keep ?? null };
  if (!(manner.strength >= 0 && manner.strength <= 1)) throw new Error("posable: natural takes a strength from 0 to 1");
  return { name: "natural", size: 0, target: [], rows: () => [], manner };
}

function bodyOf(figure: Figure): Body {
  if (figure.record.body) return figure.record.body;
  throw new Error("posable: no person's body is in the record of this figure; write it with posable.browser.figure_record, or leave natural out");
}

/** `[dof]` how much more each freedom resists than an arm's; NaN where nothing is said. */
export function resistances(figure: Figure, { strength }: Manner): number[] {
  const body = bodyOf(figure), { spread } = network(), least = Math.max(...spread), found = new Array<number>(figure.dof).fill(Number.NaN);
  const set = (joint: number, value: number) => {
    for (const d of figure.freedomsAt(joint)) found[d] = value ** strength;
  };
  body.share.forEach((share, joint) => {
    const segment = body.turned_by[2 * joint + Number(share > 0)];
    if (segment >= 0) set(joint, (least / spread[segment]) ** 2);
  });
  if (body.root[0] >= 0) set(body.root[0], NATURAL.ROOT);
  return found;
}

/** A joint that is kept where a solve begins; `proposed`: as it is proposed, not as the solve was given it. */
interface Stands {
  joint: number;
  weight: number;
  turns: number;
  first: boolean;
  proposed: boolean;
  cone?: readonly number[];
}

/** A foot that bears: its ankle and toes, and at which of the numbers of the targets the ankle's position is said. */
interface Foot {
  ankle: number;
  toes: number;
  columns: number[];
}

/** A joint that stays over the feet: `Support` and `_Over` in Python. */
class Over {
  constructor(
    private readonly figure: Figure, readonly joint: number, private readonly feet: Foot[], readonly slack: number,
    private readonly lifted: number,
  ) {}

  private get up(): number {
    return "xyz".indexOf(this.figure.record.up);
  }

  /** That it stays there: a column about a position that `middle` gives. */
  goal(priority: number): Goal {
    const box = [0, 1, 2].map((k) => (k === this.up ? Infinity : this.slack));
    return reach(this.figure.names[this.joint], [0, 0, 0], { box, priority, weight: NATURAL.BALANCE });
  }

  /** Between the feet as the numbers have them, moved by as much as the pose of these frames, row by row, is out of balance. */
  middle(frames: Float64Array, numbers: number[]): number[] {
    const at = (joint: number) => [0, 1, 2].map((k) => frames[16 * joint + 3 + 4 * k]);
    const ahead = (foot: Foot) => at(foot.toes).map((one, k) => 0.5 * (one - at(foot.ankle)[k]));
    const between = (ankle: (foot: Foot) => number[]) => this.between(this.feet.map((foot) => ankle(foot).map((one, k) => one + ahead(foot)[k])));
    const stood = between((foot) => at(foot.ankle));
    const wanted = between((foot) => (foot.columns.length ? foot.columns.map((column) => numbers[column]) : at(foot.ankle)));
    return at(this.joint).map((one, k) => {
      const away = one - stood[k];
      return wanted[k] + away - Math.min(Math.max(away, -this.slack), this.slack);
    });
  }

  /** The middle of the feet that bear. */
  private between(feet: number[][]): number[] {
    const least = Math.min(...feet.map((foot) => foot[this.up]));
    const bears = feet.map((foot) => Math.max(1 - (foot[this.up] - least) / this.lifted, 0));
    const total = bears.reduce((sum, one) => sum + one, 0);
    return [0, 1, 2].map((k) => feet.reduce((sum, foot, n) => sum + bears[n] * foot[k], 0) / total);
  }
}

/** Where solves of one list of goals begin: `NaturalStarts` and `Standing` in Python. */
export class Starts {
  private readonly memory: Doubles;
  private readonly whole: Wholes;
  private readonly layers: Singles;
  private readonly given: readonly [Wholes, Doubles];
  private readonly told: readonly [Wholes, Doubles, Wholes, Wholes, Wholes];
  private readonly arms: Wholes;
  private readonly dragged: Wholes;
  private readonly tables: readonly [Wholes, Doubles];
  private readonly numbers: Doubles;
  private readonly before: Doubles;
  private readonly nothing: Doubles;
  private readonly strength: Doubles;
  private readonly start: Doubles;
  private readonly out: Doubles;
  private readonly drawing: readonly [Doubles, Doubles, Doubles];
  private readonly stands: Stands[];
  private readonly over: Over | null;
  private readonly held: Engine | null = null;

  /** size: of the numbers of targets; hard: as many of them as there are; wishes: of the soft goals. */
  constructor(
    private readonly structure: Structure, goals: readonly Goal[], options: Options, size: number,
    private readonly hard: number, wishes: number, private readonly manner: Manner, tables: readonly [Wholes, Doubles],
  ) {
    const own = kernels(), { figure, rows, problem } = structure, body = bodyOf(figure), net = network();
    const asked = new Set(rows.map((row) => slotOf(figure, body, row)).filter((slot) => slot >= 0).map((slot) => POINTS[slot] as string));
    const posed = asked.has("hips") && (asked.has("head") || asked.has("chest"));
    const feet = manner.keep === false || posed ? [] : ["foot_l", "foot_r"];
    const implied = feet.filter((foot) => !asked.has(foot));
    const free = problem.freedom.map(([locked]) => !locked);
    this.over = manner.keep === false ? null : support(figure, body, structure, free);
    const upright = this.over !== null || (feet.length > 0 && asked.has("hips"));
    this.stands = standing(figure, body, rows, free, implied, upright);
    const [known, local] = knownOf(figure, body, rows, free, implied);
    this.tables = tables;
    this.given = [
      own.wholes([SEGMENTS.length, POINTS.length, TURNS, ...body.turned_by, ...body.bent_by, ...body.segments, ...body.points, ...body.turning, ...body.root, ...PARENTS]),
      own.doubles([...body.axes, ...body.leg, ...body.measures, ...body.share, ...body.common, ...body.bones, ...body.rest]),
    ];
    this.told = [own.wholes(known), own.doubles(local), own.wholes(limbsOf(asked)), own.wholes(free.map(Number)), own.wholes(keeps(manner.keep, asked.has("hips") || isTrunkPlaced(figure, body, rows)))];
    [this.arms, this.dragged] = [own.wholes(ofArms(figure, body, free)), own.wholes([0])];
    this.whole = own.block("i64", 2 * POINTS.length + figure.dof);
    this.layers = own.block("f32", 4 * (net.sizes[0] + 2 * net.sizes[1] + net.sizes[2]));
    [this.numbers, this.before, this.nothing] = [own.block("f64", size), own.block("f64", size), own.block("f64", 0)];
    this.strength = own.doubles([manner.strength]);
    [this.start, this.out] = [own.block("f64", figure.rest.length), own.block("f64", figure.rest.length)];
    this.drawing = [own.block("f64", figure.rest.length), own.block("f64", figure.rest.length), own.doubles(figure.record.slides.map((slides) => Number(!slides)))];
    this.memory = own.block("f64", this.propose(this.nothing, this.nothing));
    if (this.stands.length || this.over) {
      this.held = new Engine(holding(structure, goals, options, this.stands, this.over), hard + 16 * this.stands.length + (this.over ? 3 : 0), wishes);
    }
  }

  /** The pose to begin at; since: the targets that `start` was solved for. origin: where the drag began. */
  of(start: ArrayLike<number>, numbers: number[], wishes: number[], since: number[] | null, origin: { pose: ArrayLike<number>; numbers: number[] } | null): ArrayLike<number> {
    let proposed = this.proposed(start, numbers, since);
    if (origin) proposed = this.drawn(start, proposed, this.proposed(origin.pose, numbers, origin.numbers));
    const begun = this.reached(proposed, since !== null);
    if (this.held === null || this.manner.strength === 0) return begun;
    const { figure } = this.structure, frames = [figure.rows(start).slice(), figure.rows(begun).slice()];
    const wanted = this.stands.flatMap(({ joint, proposed }) => Array.from(frames[Number(proposed)].subarray(16 * joint, 16 * joint + 16)));
    const middle = this.over?.middle(frames[0], numbers) ?? [];
    const { q } = this.held.solve(begun, [...numbers.slice(0, this.hard), ...wanted, ...middle], wishes);
    return origin ? this.hung(begun, q) : q;
  }

  private proposed(start: ArrayLike<number>, numbers: number[], since: number[] | null): Float64Array {
    this.start.view.set(start);
    this.numbers.view.set(numbers);
    if (since) this.before.view.set(since);
    this.propose(this.memory, since ? this.before : this.nothing);
    return this.out.view.slice();
  }

  /** `draw_back` in Python. */
  private drawn(start: ArrayLike<number>, begun: Float64Array, proposed: Float64Array): Float64Array {
    const [from, towards, angles] = this.drawing, [, , limbs, free] = this.told;
    this.start.view.set(start);
    from.view.set(begun);
    towards.view.set(proposed);
    kernels().run(
      "draw", this.memory, ...this.tables, this.whole, this.layers, ...this.given, limbs, free, this.start, from,
      towards, angles, this.out,
    );
    return this.out.view.slice();
  }

  /** `hang_again` in Python. */
  private hung(begun: Float64Array, pose: ArrayLike<number>): Float64Array {
    const [from] = this.drawing, [, , limbs, free] = this.told;
    from.view.set(begun);
    this.out.view.set(pose);
    kernels().run("hang", this.memory, ...this.tables, this.whole, this.layers, ...this.given, limbs, free, from, this.out);
    return this.out.view.slice();
  }

  /** The pose once the arms have reached for the targets in `this.numbers`. */
  private reached(pose: Float64Array, dragged: boolean): Float64Array {
    const [known, local] = this.told;
    this.start.view.set(pose);
    this.dragged.view[0] = BigInt(dragged);
    kernels().run(
      "reach", this.memory, ...this.tables, this.whole, this.layers, ...this.given, known, local, this.arms,
      this.dragged, this.numbers, this.strength, this.start, this.out,
    );
    return this.out.view.slice();
  }

  free(): void {
    const own = [this.memory, this.whole, this.layers, ...this.given, ...this.told, this.arms, this.dragged, ...this.drawing, this.numbers, this.before, this.nothing, this.strength, this.start, this.out];
    for (const block of own) block.free();
    this.held?.free();
  }

  private propose(memory: Doubles, since: Doubles): number {
    const { weights, numbers } = network(), [known, local, limbs, free, keep] = this.told;
    return kernels().run(
      "propose", memory, ...this.tables, this.whole, this.layers, ...this.given, weights, numbers, known, local, limbs,
      free, keep, this.numbers, since, this.strength, this.start, this.out,
    );
  }
}

/** `[dof]` what turns upper arms and forearms. */
function ofArms(figure: Figure, body: Body, free: boolean[]): number[] {
  const arms = ["upper", "lower"].flatMap((part) => ["l", "r"].map((side) => (SEGMENTS as readonly string[]).indexOf(`${part}_arm_${side}`)));
  const own = free.map(() => 0);
  figure.names.forEach((_, joint) => {
    if (arms.includes(body.turned_by[2 * joint])) for (const d of figure.freedomsAt(joint)) own[d] = Number(free[d]);
  });
  return own;
}

/** What stays, of the rest pose and of other starts. */
function keeps(keep: boolean | null, trunk: boolean): number[] {
  if (keep === null) return [trunk ? KEEPS.ARMS : KEEPS.USUAL, KEEPS.ALL];
  return keep ? [KEEPS.ALL, KEEPS.ALL] : [KEEPS.NOTHING, KEEPS.NOTHING];
}

/** Whether goals say where the chest or the head is, and so how far hips and legs go along. */
function isTrunkPlaced(figure: Figure, body: Body, rows: Row[]): boolean {
  return rows.some((row) => row.kind === KINDS.POSITION && ["chest", "head"].includes(POINTS[slotOf(figure, body, row)] ?? ""));
}

/** The point of the body that a row says something of: its joint, or the end of the limb that carries it; or -1. */
function slotOf(figure: Figure, body: Body, row: Row): number {
  if (!((isPlain(row) || isGaze(row)) && row.weight > 0)) return -1;
  for (const joint of figure.chain(row.joint).reverse()) {
    const slot = body.points.indexOf(joint);
    if (slot < 0) continue;
    if (joint === row.joint) return slot;
    const near = apart(figure, joint, row.joint) < NATURAL.REACHES * body.leg[0];
    return near && (ENDS as readonly string[]).includes(POINTS[slot]) ? slot : -1;
  }
  return -1;
}

function apart(figure: Figure, one: number, other: number): number {
  const a = figure.position(figure.rest, one), b = figure.position(figure.rest, other);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** (`[known × 6]`, `[known × 3]`): what the goals say, what cannot move and what stands; rotations first. */
function knownOf(figure: Figure, body: Body, rows: Row[], free: boolean[], implied: string[]): [number[], number[]] {
  const found = new Map<string, { turns: boolean; numbers: number[]; local: number[] }>();
  rows.forEach((row, term) => {
    const slot = slotOf(figure, body, row), turns = row.kind === KINDS.ROTATION || isGaze(row);
    if (slot < 0 || (turns && slot >= TURNS)) return;
    const key = `${slot} ${turns}`, local = row.kind === KINDS.ROTATION ? [0, 0, 0] : row.constants.slice(0, 3);
    const kinds = [row.kind === KINDS.POSITION, row.kind === KINDS.ROTATION, isGaze(row)].map(Number);
    if (row.joint === body.points[slot] || !found.has(key)) found.set(key, { turns, numbers: [slot, row.joint, term, ...kinds], local });
  });
  body.points.forEach((joint, slot) => {
    const stays = implied.includes(POINTS[slot]) || !figure.chain(joint).some((j) => moves(figure, j, free));
    if (joint < 0 || !stays) return;
    for (const turns of slot < TURNS ? [true, false] : [false]) {
      found.set(`${slot} ${turns}`, { turns, numbers: [slot, joint, -1, Number(!turns), Number(turns), 0], local: [0, 0, 0] });
    }
  });
  const ordered = [...found.values()].sort((a, b) => Number(b.turns) - Number(a.turns));
  return [ordered.flatMap((one) => one.numbers), ordered.flatMap((one) => one.local)];
}

function moves(figure: Figure, joint: number, free: boolean[]): boolean {
  return figure.freedomsAt(joint).some((d) => free[d]);
}

/** `[segment]` what each belongs to. */
function limbsOf(asked: Set<string>): number[] {
  const limbs = new Array<number>(SEGMENTS.length).fill(LIMBS.TRUNK);
  for (const side of ["l", "r"]) {
    const any = (...parts: string[]) => parts.some((part) => asked.has(`${part}_${side}`));
    const arm = any("hand", "lower_arm") ? LIMBS.ASKED_ARM : LIMBS.IDLE_ARM;
    const leg = any("foot", "lower_leg", "toes") ? LIMBS.TRUNK : LIMBS.IDLE_LEG;
    SIDED.forEach((part, k) => {
      limbs[(SEGMENTS as readonly string[]).indexOf(`${part}_${side}`)] = k < 4 ? arm : leg;
    });
  }
  return limbs;
}

/** What keeps feet where they stand that the goals could carry away: toes stay, heels lift before the hips tip. The hips
 * are rotated as the network proposes, also where the feet are asked for and only balance or a goal of the hips moves
 * them (`upright`). */
function standing(figure: Figure, body: Body, rows: Row[], free: boolean[], feet: string[], upright: boolean): Stands[] {
  const leads = new Set(rows.flatMap((row) => bodies(row).flatMap((joint) => figure.chain(joint))));
  const carried = (joint: number) => figure.chain(joint).some((j) => leads.has(j) && moves(figure, j, free));
  const found: Stands[] = [], point = (name: string) => body.points[(POINTS as readonly string[]).indexOf(name)];
  for (const foot of feet) {
    const side = foot.slice(-1), heel = point(`foot_${side}`), toes = point(`toes_${side}`);
    if (!carried(heel)) continue;
    found.push({ joint: heel, weight: 1, turns: NATURAL.FLAT, first: toes < 0, proposed: false });
    if (toes >= 0) found.push({ joint: toes, weight: 1, turns: 0, first: true, proposed: false });
  }
  const hips = body.points[HIPS];
  if ((found.length || upright) && !rows.some((row) => row.kind === KINDS.ROTATION && row.joint === hips)) {
    found.push({ joint: hips, weight: 0, turns: NATURAL.UPRIGHT, first: false, proposed: true, cone: NATURAL.UPRIGHT_WITHIN });
  }
  return found;
}

/** The chest over the feet, where the root is free to go and no goal says where the trunk is. */
function support(figure: Figure, body: Body, { rows, problem }: Structure, free: boolean[]): Over | null {
  const told = new Map<number, number>();
  rows.forEach((row, term) => {
    const slot = row.kind === KINDS.POSITION ? slotOf(figure, body, row) : -1;
    if (slot >= 0) told.set(body.points[slot], term);
  });
  const point = (name: string) => body.points[(POINTS as readonly string[]).indexOf(name)];
  const root = body.root[0];
  if (root < 0 || !rows.length || !figure.freedomsAt(root).slice(0, 3).every((d) => free[d])) return null;
  if (["hips", "chest", "head"].some((part) => told.has(point(part)))) return null;
  const feet = ["l", "r"].map((side) => {
    const ankle = point(`foot_${side}`), toes = point(`toes_${side}`), term = told.get(ankle);
    const shape = term === undefined ? [] : rows[term].form === FORMS.FRAME ? FRAME_ORIGIN : [0, 1, 2];
    return { ankle, toes: toes >= 0 ? toes : ankle, columns: shape.map((k) => problem.terms[term as number][OFFSET] + k) };
  });
  return new Over(figure, point("chest"), feet, NATURAL.SLACK * body.leg[0], NATURAL.LIFTED * body.leg[0]);
}

const OFFSET = 5, FRAME_ORIGIN = [3, 7, 11];  // of a term's row; of a frame's numbers as the kernels read them

/** The goals with what stands among them, for a first solve. */
function holding(structure: Structure, goals: readonly Goal[], options: Options, stands: Stands[], over: Over | null): Structure {
  const { figure, problem } = structure, after = Math.min(problem.levels + 1, NATURAL.LAST);
  const none = new Array<number>(16).fill(0);
  const places = stands.map(({ joint, weight, turns, first, cone }) =>
    place(figure.names[joint], none, { weight, rotationWeight: turns, priority: first ? 0 : after, cone }),
  );
  return buildStructure(figure, [...goals, ...places, ...(over ? [over.goal(after)] : [])], { ...options, restarts: 0, maxIterations: Math.min(problem.most, NATURAL.MOST) });
}
