// Handles on the figure of an exported page: what is dragged is solved in the page itself, by posable's own kernels.
import * as T from "three";
import type { BodyShape } from "../schema";
import type { Figure, FigureRecord, Prepared, Targets } from "../solver";
import { TOLERANCE } from "../drag-rules";
import { Footing } from "./footing";
import type { Try } from "./footing";
import { calmed } from "./pacing";

declare global {
  interface Window {
    /** For scripts beside the page: the figure, its pose now, and where on the screen the handles are. */
    posableLive?: Live;
    /** The same of every figure of the page. */
    posableLives?: Live[];
  }
}

/** What the page was given of its figure. */
export interface Told {
  record: FigureRecord;
  /** The joints that have a handle. */
  handles: string[];
  /** Those of them that stay where they stand before all others. */
  standing: string[];
  /** The pose of the page's file where that is not the rest pose: coordinates. */
  start?: number[];
  /** Those of them that hold nothing where people are known: head and hips. */
  loose: string[];
  /** The joints that stay as they are. */
  frozen: string[];
  /** What it weighs where, and its soles. */
  shape: BodyShape;
  /** What the page plays: its coordinates, frame by frame, as base64 of 32-bit floats. */
  clip?: { name: string; fps: number; q: string };
}

/** What plays the clips of the page's file. */
export interface Player {
  /** The time in seconds of the clip that the page was told of, null while another one plays. */
  now(): number | null;
  /** Stops at a time. */
  stopAt(seconds: number): void;
}

export interface Stage {
  draw(): void;
  canvas: HTMLCanvasElement;
  camera: T.PerspectiveCamera;
  scene: T.Scene;
  orbit: { enabled: boolean };
  size: number;
  /** Whether the camera goes along with the figure. */
  follows: boolean;
}

interface Loaded {
  scene: T.Object3D;
  parser: { json: { nodes?: { name?: string }[] }; associations: Map<unknown, { nodes?: number }> };
}

const NO_FRAME = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const NEAR = 18; // pixels within which a handle is taken
const RADIUS = 0.016; // of the figure's size
const FREE = 0x4a9bf5;
const TAKEN = 0xffb02e;

export class Live {
  pose: Float64Array;
  /** Whether a hand that would tip the figure over stops short; B changes that. */
  balances = true;
  /** What became of the last drag. */
  status = "";
  /** Called when a drag or R has changed the pose. */
  onChange: () => void = () => {};
  /** Called whenever the status may be another. */
  onStatus: () => void = () => {};
  private readonly solver = window.posable!;
  private readonly figure: Figure;
  private readonly joints: { node: T.Object3D; offset: T.Matrix4 }[] = [];
  private readonly upright = new T.Matrix4();
  private readonly dots = new Map<string, T.Mesh<T.SphereGeometry, T.MeshBasicMaterial>>();
  private readonly prepared = new Map<string, { prepared: Prepared; plain: Prepared | null }>();
  private readonly placed = new Set<string>(); // the handles that were dragged
  private soles = new Map<string, Float64Array>(); // how what stands was turned as well
  private pins = new Map<string, T.Vector3>();
  private since: Targets | null = null; // what the pose was solved for
  private ledTo: T.Vector3 | null = null; // where the handle was to be in that
  private held: Float64Array; // the pose in which what is held was held
  private taken: { name: string; plane: T.Plane } | null = null;
  private readonly footing: Footing;
  private readonly frames: Float64Array[] = []; // of the clip that the page plays
  private player: Player | null = null;
  private hasStrayed = false; // from what the player shows, in a drag

  constructor(gltf: Loaded, private readonly stage: Stage, private readonly told: Told) {
    this.figure = this.solver.Figure.fromRecord(told.record);
    this.pose = this.start();
    this.held = this.pose.slice();
    if (told.record.up === "z") this.upright.makeRotationX(-Math.PI / 2);
    this.footing = new Footing(this.figure, told, this.upright, stage.size);
    this.bind(gltf);
    for (const name of told.handles) {
      const look = new T.MeshBasicMaterial({ color: FREE, depthTest: false, transparent: true, opacity: 0.9 });
      const dot = new T.Mesh(new T.SphereGeometry(RADIUS * stage.size, 20, 14), look);
      dot.renderOrder = 10;
      this.dots.set(name, dot);
      stage.scene.add(dot);
    }
    if (told.clip) this.frames = framesOf(told.clip.q, this.figure.rest.length);
    this.show();
    this.listen();
  }

  /** What carries the figure: its hips, as the first joint of many files stays where it is. */
  get carrier(): T.Object3D | undefined {
    return this.joints[this.told.record.aliases.hips ?? -1]?.node;
  }

  /** The clip that the page plays. */
  get plays(): string | undefined {
    return this.told.clip?.name;
  }

  /** Go along with what a player plays. */
  follow(player: Player): void {
    this.player = player;
    this.goAlong();
  }

  /** Put the handles, and not the figure, where the player has the figure. */
  goAlong(): void {
    const frame = this.frame();
    for (const dot of this.dots.values()) dot.visible = frame !== null;
    if (frame === null) return;
    this.placed.clear();
    this.pose = this.frames[frame]!.slice();
    if (this.hasStrayed) this.show(); // players write what changes in their clip, and no joint that rests in it
    else this.place();
    this.hasStrayed = false;
  }

  /** The frame that the player is at, null where it plays something else. */
  private frame(): number | null {
    const now = this.player?.now() ?? null;
    return now === null ? null : Math.max(0, Math.min(this.frames.length - 1, Math.round(now * this.told.clip!.fps)));
  }

  /** Where on the screen the handle of a joint is. */
  screen(name: string): [number, number] {
    const at = this.dots.get(name)!.position.clone().project(this.stage.camera);
    const box = this.stage.canvas.getBoundingClientRect();
    return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
  }

  /** Where a joint is, in the figure's own axes. */
  position(name: string): [number, number, number] {
    return this.figure.position(this.pose, name);
  }

  /** Bring a handle to a point of the scene, the others staying as far as they can. */
  reach(name: string, point: T.Vector3): void {
    this.placed.add(name);
    const { prepared, plain, targets } = this.preparedFor(name), first = targets(this.pins.get(name)!);
    const solve = (at: T.Vector3): Try<Targets> => {
      const aim = targets(at), moved = at.distanceTo(this.ledTo ?? this.pins.get(name)!);
      const pose = prepared.solve(this.pose, aim, this.since ?? first, { pose: this.held, targets: first }).q;
      if (!plain) return { pose, aim, at };
      const miss = (q: Float64Array) => new T.Vector3(...this.figure.position(q, name)).applyMatrix4(this.upright).distanceTo(at);
      return { pose: calmed(this.figure, this.pose, pose, moved, (from) => plain.solve(from, aim.slice(0, -1), null, null).q, miss), aim, at };
    };
    const dot = this.dots.get(name)!, found = this.balances ? this.footing.solved(dot.position, point, solve) : solve(point);
    if (found) [this.pose, this.since, this.ledTo] = [found.pose, found.aim, found.at];
    this.hasStrayed = true;
    this.show();
    const left = dot.position.distanceTo(point), short = `${((100 * left) / this.stage.size).toFixed(1)} % of the figure's size short`;
    this.status = left <= 1e-3 * this.stage.size ? "reached" : this.balances && this.footing.stopsShort ? `${short}: further, it would tip over` : short;
    this.onStatus();
    this.onChange();
  }

  /** What is held from now on is as it is now. */
  private hold(dragged: string): void {
    this.footing.begin(this.pose, dragged);
    const frames = this.figure.world(this.pose);
    this.pins = new Map([...this.dots].map(([one, dot]) => [one, dot.position.clone()]));
    this.soles = new Map(this.told.standing.map((one) => [one, frames.slice(16 * this.figure.names.indexOf(one)).subarray(0, 16)]));
    [this.since, this.ledTo, this.held] = [null, null, this.pose.slice()];
  }

  /** Where the handles are, in the figure's own axes. */
  goals(): Record<string, [number, number, number]> {
    return Object.fromEntries(this.told.handles.map((name) => [name, this.position(name)]));
  }

  /** Whether it could tip over. */
  get stands(): boolean {
    return this.told.shape.masses.length > 0 && this.told.standing.length > 0;
  }

  get dragging(): boolean {
    return this.taken !== null;
  }

  /** Stand as somebody else says: coordinates of a pose. */
  stand(pose: ArrayLike<number>): void {
    this.pose = Float64Array.from(pose);
    this.show();
  }

  reset(): void {
    this.placed.clear();
    this.pose = this.start();
    this.status = "";
    this.show();
    this.onStatus();
    this.onChange();
  }

  private start(): Float64Array {
    const frame = this.player && this.frame();
    if (typeof frame === "number") return this.frames[frame]!.slice();
    return this.told.start ? Float64Array.from(this.told.start) : this.figure.rest.slice();
  }

  /** The nodes of the file and what of their frames the solver does not know: scales. */
  private bind(gltf: Loaded): void {
    const nodes = new Map<number, T.Object3D>();
    gltf.parser.associations.forEach(({ nodes: index }, thing) => {
      if (index !== undefined && thing instanceof T.Object3D && !(thing.parent && nodes.get(index) === thing.parent)) nodes.set(index, thing);
    });
    gltf.scene.updateMatrixWorld(true);
    const named = new Map<string, T.Object3D>();
    (gltf.parser.json.nodes ?? []).forEach(({ name }, index) => {
      const node = nodes.get(index);
      if (name !== undefined && node && !named.has(name)) named.set(name, node);
    });
    const frames = this.figure.world(this.pose);
    this.figure.names.forEach((name, j) => {
      const node = named.get(name);
      const frame = new T.Matrix4().fromArray(frames, 16 * j).premultiply(this.upright);
      if (node) this.joints[j] = { node, offset: frame.invert().multiply(node.matrixWorld) };
    });
  }

  /** Feet that stand come first, with their soles on the ground, then what is dragged, then the other handles, which
   * stay as far as they can. Of a person only those that were dragged do: a hand that nobody moved goes along.
   * plain: the same for a person without its habits. */
  private preparedFor(name: string): { prepared: Prepared; plain: Prepared | null; targets(point: T.Vector3): Targets } {
    const { handles, standing, record, loose, frozen } = this.told, { solver } = this;
    const person = record.body !== null && window.posableNatural !== undefined;
    const held = new Set(standing.filter((one) => one !== name));
    const stays = (one: string) => held.has(one) || (this.placed.has(one) && !loose.includes(one));
    const asked = handles.filter((one) => one === name || !person || stays(one));
    const level = (one: string) => (held.has(one) ? 0 : Number(held.size > 0) + Number(one !== name));
    const flat = (one: string) => person && held.has(one);
    const key = [name, ...asked].join("\n");
    let own = this.prepared.get(key);
    if (!own) {
      const goals = asked.map((one) => (flat(one) ? solver.place(one, NO_FRAME, { priority: 0 }) : solver.reach(one, [0, 0, 0], { priority: level(one) })));
      const options = { restarts: 0, tolerance: TOLERANCE * record.reach, frozen };
      const plain = this.figure.prepare(goals, options);
      own = person ? { prepared: this.figure.prepare([...goals, solver.natural({ keep: true })], options), plain } : { prepared: plain, plain: null };
      this.prepared.set(key, own);
    }
    const targets = (point: T.Vector3): Targets => {
      const own = asked.map((one) => (flat(one) ? this.soles.get(one)! : this.inFigure(one === name ? point : this.pins.get(one)!)));
      return person ? [...own, null] : own;
    };
    return { ...own, targets };
  }

  private inFigure(point: T.Vector3): number[] {
    return point.clone().applyMatrix4(this.upright.clone().invert()).toArray();
  }

  /** Put the nodes and the handles where the pose has them. */
  private show(): void {
    const frames = this.figure.world(this.pose);
    const world = new T.Matrix4();
    this.figure.names.forEach((_, j) => {
      const own = this.joints[j];
      if (!own) return;
      const { node, offset } = own;
      world.fromArray(frames, 16 * j).premultiply(this.upright).multiply(offset);
      node.parent?.updateWorldMatrix(true, false);
      if (node.parent) world.premultiply(node.parent.matrixWorld.clone().invert());
      world.decompose(node.position, node.quaternion, node.scale);
      node.updateWorldMatrix(false, false);
    });
    this.place();
    this.stage.draw();
  }

  /** The handles where the pose has them. */
  private place(): void {
    for (const [name, dot] of this.dots) {
      dot.position.fromArray(this.figure.position(this.pose, name)).applyMatrix4(this.upright);
      dot.material.color.set(this.taken?.name === name ? TAKEN : FREE);
    }
  }

  private listen(): void {
    const { orbit } = this.stage;
    addEventListener("pointermove", (event) => {
      const point = this.taken && this.ray(event).intersectPlane(this.taken.plane, new T.Vector3());
      if (this.taken && point) this.reach(this.taken.name, point);
    });
    const drop = () => {
      if (!this.taken) return;
      this.taken = null;
      orbit.enabled = true;
      this.show();
    };
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }

  /** The handle nearest to the pointer, and how many pixels away it is. */
  nearest(event: PointerEvent): { name: string; away: number } | undefined {
    const away = (name: string) => Math.hypot(...this.screen(name).map((at, i) => at - [event.clientX, event.clientY][i]!));
    const seen = [...this.dots].filter(([, dot]) => dot.visible).map(([name]) => ({ name, away: away(name) }));
    return seen.sort((a, b) => a.away - b.away)[0];
  }

  take(name: string): void {
    const frame = this.player && this.frame();
    if (typeof frame === "number" && !this.hasStrayed) this.player!.stopAt(frame / this.told.clip!.fps);
    this.stage.follows = false; // a handle stays under the pointer
    const facing = this.stage.camera.getWorldDirection(new T.Vector3());
    const plane = new T.Plane().setFromNormalAndCoplanarPoint(facing, this.dots.get(name)!.position);
    this.taken = { name, plane };
    this.hold(name);
    this.stage.orbit.enabled = false;
    this.show();
  }

  private ray(event: PointerEvent): T.Ray {
    const box = this.stage.canvas.getBoundingClientRect();
    const at = new T.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
    const caster = new T.Raycaster();
    caster.setFromCamera(at, this.stage.camera);
    return caster.ray;
  }
}

function framesOf(text: string, width: number): Float64Array[] {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const all = new Float32Array(bytes.buffer);
  return Array.from({ length: all.length / width }, (_, k) => Float64Array.from(all.subarray(width * k, width * (k + 1))));
}

/** Handles on every figure of which the page was given what it needs, if it was given a solver. */
export async function addHandles(gltf: Loaded, stage: Stage): Promise<Live[]> {
  const told = [...document.querySelectorAll('script[id^="live"]')].map((script) => JSON.parse(script.textContent) as Told);
  if (!told.length || !window.posable) return [];
  await window.posable.load();
  const network = told.some(({ record }) => record.body) ? window.posableNatural : undefined;
  if (network) await window.posable.loadNatural(Uint8Array.from(atob(network), (letter) => letter.charCodeAt(0)));
  stage.follows = told.some(({ clip }) => clip !== undefined); // else a handle stays under the pointer
  const lives = told.map((one) => new Live(gltf, stage, one));
  [window.posableLives, window.posableLive] = [lives, lives[0]];
  stage.canvas.addEventListener("pointerdown", (event) => takeNearest(lives, event), { capture: true });
  addBar(lives);
  return lives;
}

function takeNearest(lives: readonly Live[], event: PointerEvent): void {
  if (event.button) return;
  const found = lives.map((live) => ({ live, at: live.nearest(event) })).filter(({ at }) => at && at.away < NEAR);
  const [first] = found.sort((a, b) => a.at!.away - b.at!.away);
  first?.live.take(first.at!.name);
}

const HINT = "Drag a dot to move the figure";

/** What can be done, and what became of it, with buttons for those without keys. */
function addBar(lives: readonly Live[]): void {
  const bar = Object.assign(document.createElement("div"), { className: "bar above" });
  const said = Object.assign(document.createElement("div"), { className: "said", textContent: HINT });
  said.setAttribute("role", "status");
  const button = (text: string, title: string) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, title });
    bar.append(made);
    return made;
  };
  bar.append(said);
  const reset = () => {
    for (const live of lives) live.reset();
  };
  button("Reset", "Back to the pose or motion of the file (R)").addEventListener("click", reset);
  const standing = lives.filter((live) => live.stands);
  const balance = standing.length ? button("Balance", "Whether a figure that would tip over stops before (B)") : null;
  const toggle = () => {
    for (const live of lives) live.balances = !live.balances;
    balance?.setAttribute("aria-pressed", String(lives[0]!.balances));
  };
  balance?.setAttribute("aria-pressed", "true");
  balance?.addEventListener("click", toggle);
  for (const live of lives) live.onStatus = () => (said.textContent = live.status && live.status !== "reached" ? live.status : HINT);
  addEventListener("keydown", ({ key }) => {
    if (key === "r") reset();
    if (key === "b") toggle();
  });
  document.body.append(bar);
}
