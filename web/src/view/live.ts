// Handles on the figure of an exported page: what is dragged is solved in the page itself, by posable's own kernels.
import * as T from "three";

/** What of posable's solver (`web/solver`) is used here. */
interface Figure {
  names: string[];
  rest: Float64Array;
  world(pose: Float64Array): Float64Array;
  position(pose: Float64Array, joint: string): [number, number, number];
  prepare(goals: unknown[], options: { restarts: number; tolerance: number }): Prepared;
}

interface Prepared {
  solve(start: Float64Array, targets: number[][]): { q: Float64Array };
}

interface Solver {
  load(): Promise<void>;
  Figure: { fromRecord(record: Told["record"]): Figure };
  reach(joint: string, target: number[], more: { priority: number }): unknown;
}

declare global {
  interface Window {
    posable?: Solver;
    /** For scripts beside the page: the figure, its pose now, and where on the screen the handles are. */
    posableLive?: Live;
  }
}

/** What the page was given of its figure. */
export interface Told {
  record: { up: "y" | "z"; reach: number };
  /** The joints that have a handle. */
  handles: string[];
  /** Those of them that stay where they stand before all others. */
  standing: string[];
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

const NEAR = 18; // pixels within which a handle is taken
const RADIUS = 0.016; // of the figure's size
const FREE = 0x4a9bf5;
const TAKEN = 0xffb02e;

export class Live {
  pose: Float64Array;
  /** What became of the last drag. */
  status = "";
  private readonly solver = window.posable!;
  private readonly figure: Figure;
  private readonly joints: { node: T.Object3D; offset: T.Matrix4 }[] = [];
  private readonly upright = new T.Matrix4();
  private readonly dots = new Map<string, T.Mesh<T.SphereGeometry, T.MeshBasicMaterial>>();
  private readonly prepared = new Map<string, Prepared>();
  private pins = new Map<string, T.Vector3>();
  private taken: { name: string; plane: T.Plane } | null = null;

  constructor(gltf: Loaded, private readonly stage: Stage, private readonly told: Told) {
    this.figure = this.solver.Figure.fromRecord(told.record);
    this.pose = this.figure.rest.slice();
    if (told.record.up === "z") this.upright.makeRotationX(-Math.PI / 2);
    this.bind(gltf);
    for (const name of told.handles) {
      const look = new T.MeshBasicMaterial({ color: FREE, depthTest: false, transparent: true, opacity: 0.9 });
      const dot = new T.Mesh(new T.SphereGeometry(RADIUS * stage.size, 20, 14), look);
      dot.renderOrder = 10;
      this.dots.set(name, dot);
      stage.scene.add(dot);
    }
    this.show();
    this.listen();
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
    const aim = this.told.handles.map((one) => this.inFigure(one === name ? point : this.pins.get(one)!));
    const solution = this.preparedFor(name).solve(this.pose, aim);
    this.pose = solution.q;
    const gap = this.dots.get(name)!;
    this.show();
    const left = gap.position.distanceTo(point);
    this.status = left <= 1e-3 * this.stage.size ? "reached" : `${((100 * left) / this.stage.size).toFixed(1)} % of the figure's size short`;
  }

  reset(): void {
    this.pose = this.figure.rest.slice();
    this.status = "";
    this.show();
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
    const frames = this.figure.world(this.figure.rest);
    this.figure.names.forEach((name, j) => {
      const node = named.get(name);
      const frame = new T.Matrix4().fromArray(frames, 16 * j).premultiply(this.upright);
      if (node) this.joints[j] = { node, offset: frame.invert().multiply(node.matrixWorld) };
    });
  }

  private preparedFor(name: string): Prepared {
    let found = this.prepared.get(name);
    if (!found) {
      const first = new Set([name, ...this.told.standing]);
      const goals = this.told.handles.map((one) => this.solver.reach(one, [0, 0, 0], { priority: first.has(one) ? 0 : 1 }));
      found = this.figure.prepare(goals, { restarts: 0, tolerance: 1e-5 * this.told.record.reach });
      this.prepared.set(name, found);
    }
    return found;
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
    for (const [name, dot] of this.dots) {
      dot.position.fromArray(this.figure.position(this.pose, name)).applyMatrix4(this.upright);
      dot.material.color.set(this.taken?.name === name ? TAKEN : FREE);
    }
    this.stage.draw();
  }

  private listen(): void {
    const { canvas, orbit } = this.stage;
    canvas.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
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
    addEventListener("keydown", (event) => event.key === "r" && this.reset());
  }

  private take(event: PointerEvent): void {
    const away = (name: string) => Math.hypot(...this.screen(name).map((at, i) => at - [event.clientX, event.clientY][i]!));
    const [name] = [...this.dots.keys()].filter((one) => away(one) < NEAR).sort((a, b) => away(a) - away(b));
    if (name === undefined || event.button) return;
    const facing = this.stage.camera.getWorldDirection(new T.Vector3());
    const plane = new T.Plane().setFromNormalAndCoplanarPoint(facing, this.dots.get(name)!.position);
    this.taken = { name, plane };
    this.pins = new Map([...this.dots].map(([one, dot]) => [one, dot.position.clone()]));
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

/** Handles, where the page was given a solver and what it needs. */
export async function addHandles(gltf: Loaded, stage: Stage): Promise<void> {
  const told = JSON.parse(document.getElementById("live")?.textContent ?? "null") as Told | null;
  if (!told || !window.posable) return;
  await window.posable.load();
  stage.follows = false; // a handle stays under the pointer
  window.posableLive = new Live(gltf, stage, told);
  const line = Object.assign(document.createElement("div"), { className: "bar", textContent: "Drag a dot; R takes the figure back to its rest pose." });
  document.body.append(line);
}
