// The messages between page and session: JSON text for commands and events, little-endian bytes for the streams.
// Written by `python -m posable.studio.typescript` from src/posable/studio: change them there.

export const STATUSES = ["REACHED", "AT_LIMIT", "OUT_OF_REACH", "COMPROMISE", "LOCAL_MINIMUM", "OUT_OF_ITERATIONS", "POSED"] as const;
export type Status = (typeof STATUSES)[number];

export const INTERPOLATIONS = ["cubic", "monotone", "linear", "step"] as const;
export type Interpolation = (typeof INTERPOLATIONS)[number];

export type Vector = [number, number, number];

export type Quaternion = [number, number, number, number];

export type Blend = "linear" | "dual_quaternion";

export type Space = "world" | "local";

export type Kind = "place" | "reach" | "look" | "pole";

export type PaintMode = "add" | "subtract" | "smooth";

export type UploadUse = "figure" | "clip" | "terrain" | "prop" | "companion";

export type PropKind = "box" | "sphere" | "mesh";

export type Range = [number, number];

export type KeyName = [string, number];

export type Terrain = NoTerrain | PlaneTerrain | SlopeTerrain | StairsTerrain | BumpsTerrain | MeshTerrain;

/** A slider of the gait panel. */
export interface GaitNumber {
  name: string;
  low: number;
  high: number;
  default: number;
  help: string;
}

/** The first event: the available figures, demos, methods, exports, grips, gait parameters and endings of files. */
export interface HelloEvent {
  event: "hello";
  figures: string[];
  demos: string[];
  methods: string[];
  exports: string[];
  grips: string[];
  opens: string[];
  gait: GaitNumber[];
}

/** A key of a goal: its target at a frame, and the coordinates `q` when the key was set of the joints that it holds. */
export interface GoalKey {
  frame: number;
  position: Vector;
  rotation: Quaternion;
  weight: number;
  interpolation: Interpolation;
  velocity: Vector | null;
  pole: Vector | null;
  enabled: boolean | null;
}

/** A goal of one joint. enabled: False where its limb is moved by hand (FK). forward: of a look, in joint axes. */
export interface StudioGoal {
  name: string;
  joint: string;
  kind: Kind;
  position: Vector;
  rotation: Quaternion;
  weight: number;
  rotation_weight: number;
  enabled: boolean;
  pinned: boolean;
  pole: Vector | null;
  method: string;
  relative_to: string | null;
  loose: boolean;
  lifts_above: number | null;
  keys: GoalKey[];
}

/** A pose of the library: coordinates `q`, of which those of some joints are used, None for all. */
export interface SavedPose {
  name: string;
  picture: string;
}

/** A thing in the scene: a box, a sphere or a mesh from a file. */
export interface StudioProp {
  name: string;
  kind: PropKind;
  position: Vector;
  rotation: Quaternion;
  size: Vector;
  joint: string | null;
  obstacle: boolean;
  ground: boolean;
}

/** Preferences of the whole figure. gravity, elasticity: weights, 0 is off. natural: how much the rest of a person's */
export interface Options {
  comfort: boolean;
  gravity: number;
  elasticity: number;
  keep_apart: boolean;
  natural: number;
  human_limits: boolean;
  balance: boolean;
  mirror: boolean;
}

/** Keys that count together, over the clip and the layers before. keys: by goal; those of the layer that is edited */
export interface KeyLayer {
  name: string;
  weight: number;
  on: boolean;
}

/** No ground. */
export interface NoTerrain {
  kind: "none";
}

/** Level ground. */
export interface PlaneTerrain {
  kind: "plane";
  height: number;
}

/** A slope that rises in the figure's forward direction. */
export interface SlopeTerrain {
  kind: "slope";
  degrees: number;
}

/** Stairs that rise in the figure's forward direction. */
export interface StairsTerrain {
  kind: "stairs";
  rise: number;
  run: number;
  count: number;
}

/** Random bumps. */
export interface BumpsTerrain {
  kind: "bumps";
  height: number;
  size: number;
  seed: number;
}

/** An uploaded mesh. */
export interface MeshTerrain {
  kind: "mesh";
  name: string;
}

/** Limits of the rotation about, or the translation along, one axis; null is unlimited. */
export interface AxisLimit {
  name: string;
  direction: Vector;
  slide: boolean;
  lower: number | null;
  upper: number | null;
  reference: number;
}

/** Limits of the swing and the twist of a ball joint. */
export interface ConeLimit {
  axis: Vector;
  center: Quaternion;
  swing: number | null;
  lower: number | null;
  upper: number | null;
}

/** Limits of a joint. base: its neutral rotation in its parent's frame. */
export interface Limits {
  kind: string;
  base: Quaternion;
  axes: AxisLimit[];
  cone: ConeLimit | null;
}

/** One joint of the figure. coordinates: of the pose, which axis stands at which; null where it follows another. */
export interface Joint {
  name: string;
  frozen: boolean;
  kept: boolean;
  limits: Limits;
  coordinates: (number | null)[];
}

/** A hand with fingers, as it is posed. curls: of its fingers from the thumb on, 0 stretched … 1 closed. */
export interface Hand {
  side: "l" | "r";
  joint: string;
  fingers: string[];
  curls: number[];
  spread: number;
}

/** A point above ground. tip: in its joint's frame. It is below `rather` for goals alone, never below `least`. */
export interface SolidPoint {
  joint: string;
  tip: Vector;
  least: number;
  rather: number;
}

/** What carries the figure. goals: whose targets decide that. below: the height under which those of others do. */
export interface Support {
  corners: Vector[];
  goals: string[];
  below: number;
}

/** All the state of a session. */
export interface Document {
  goals: StudioGoal[];
  poses: SavedPose[];
  props: StudioProp[];
  hidden: string[];
  options: Options;
  fps: number;
  frame: number;
  range: Range;
  cyclic: boolean;
  auto_key: boolean;
  blend: Blend;
  space: Space;
  clips: string[];
  clip: string | null;
  layers: KeyLayer[];
  edited_layer: string;
  gait: Record<string, number> | null;
  gait_name: string | null;
  terrain: Terrain;
  demo: string | null;
  text: string | null;
  name: string;
  joints: Joint[];
  hands: Hand[];
  gaits: string[];
  floors: Record<string, number>;
  above_ground: SolidPoint[];
  support: Support | null;
  has_human_limits: boolean;
  can_undo: boolean;
  can_redo: boolean;
}

/** The whole document, or the entries that changed. */
export interface DocumentEvent {
  event: "document";
  rev: number;
  document?: Document;
  set?: Partial<Document>;
}

/** The plane between left and right at rest, and each joint's mirror image. */
export interface Mirror {
  partners: number[];
  middle: Vector;
  left: Vector;
}

/** One of several figures. joint: the index of its first joint. height: at rest. */
export interface Member {
  name: string;
  joint: number;
  height: number;
}

/** What a dragged hand goes in front of. shapes: two ends and a radius for each joint. hands: their thickness. */
export interface BodyCapsules {
  joints: number[];
  shapes: number[];
  hands: Record<string, number>;
}

/** A new figure, or a new skin of it: the page fetches its GLB. */
export interface FigureEvent {
  event: "figure";
  rev: number;
  url: string;
  joints: string[];
  nodes: number[];
  parents: number[];
  height: number;
  up: "y" | "z";
  mirror: Mirror | null;
  bare: boolean;
  members: Member[];
  carrier: number;
  forward: Vector | null;
  body: BodyCapsules | null;
}

/** The vertices of one skin that follow other joints now: four joints and weights each, the strongest first. */
export interface SkinWeights {
  count: number;
  vertices: number[];
  joints: number[];
  weights: number[];
}

/** A stroke of the brush was taken, or taken back: what changed of the figure's skins, in their order. */
export interface WeightsEvent {
  event: "weights";
  rev: number;
  skins: SkinWeights[];
}

/** How far one goal is from being met. ms, iterations: of a race, what its method needs from the rest pose. */
export interface GoalResidual {
  name: string;
  distance: number;
  angle: number;
  ms: number | null;
  iterations: number | null;
}

/** The result for the goals, in words and numbers. limits: joints at an active limit. */
export interface StatusEvent {
  event: "status";
  text: string;
  inside: boolean;
  detail: string;
  status: Status;
  ms: number;
  goals: GoalResidual[];
  limits: string[];
}

/** The ground as triangles: flat lists of coordinates and of three indices per face. */
export interface TerrainEvent {
  event: "terrain";
  vertices: number[];
  faces: number[];
}

/** Where the targets began to move that have led to the pose: its coordinates, and position and rotation of each */
export interface OriginEvent {
  event: "origin";
  coordinates: number[];
  goals: number[];
}

/** The uploaded motion file has several clips; `clip.retarget` with a name takes another of them. */
export interface ClipsEvent {
  event: "clips";
  file: string;
  name: string;
  clips: string[];
  taken: string;
}

/** Whether the solver's kernels are compiled; until then gestures and commands wait, and are done in their order. */
export interface ReadyEvent {
  event: "ready";
  ready: boolean;
}

/** How far an export is, by the name that the page gave it, or a "command". share: 0 … 1. left: seconds. */
export interface ProgressEvent {
  event: "progress";
  job: string;
  share: number;
  left: number;
  doing?: string;
}

/** A notice for the person. */
export interface NoticeEvent {
  event: "notice";
  text: string;
}

/** The reason why a command was refused. id: the command's, null where it had none. */
export interface ErrorEvent {
  event: "error";
  id: number | null;
  message: string;
}

/** The answer to an accepted upload; a refusal has a `message` instead. */
export interface UploadAnswer {
  name: string;
  plays: string;
  bare: boolean;
}

/** A foot's sole. joints: the joint of each corner. points: the corners, flat, in their joints' frames. */
export interface SoleShape {
  joint: string;
  joints: number[];
  points: number[];
}

/** What a page needs to show balance: masses in kg, centres of mass, flat, in the joints' frames, and soles. */
export interface BodyShape {
  masses: number[];
  centers: number[];
  soles: SoleShape[];
}

export type ServerEvent = HelloEvent | DocumentEvent | FigureEvent | WeightsEvent | StatusEvent | TerrainEvent | OriginEvent | ClipsEvent | ReadyEvent | ProgressEvent | NoticeEvent | ErrorEvent;

export type Command =
  | { op: "goals.move"; positions: Record<string, Vector>; rotations?: Record<string, Quaternion> }
  | { op: "goals.set"; goals: string[]; weight?: number; rotation_weight?: number }
  | { op: "joint.set"; joint: string; axis: number; value: number }
  | { op: "options.set"; comfort?: boolean; gravity?: number; elasticity?: number; keep_apart?: boolean; natural?: number; human_limits?: boolean; balance?: boolean; mirror?: boolean; space?: Space }
  | { op: "pose.reset"; settings?: boolean }
  | { op: "goals.clear"; goals: string[]; what: "position" | "rotation" }
  | { op: "pose.mirror" }
  | { op: "arms.lower" }
  | { op: "pose.copy"; goals: string[] }
  | { op: "pose.paste"; mirror?: boolean }
  | { op: "pose.between"; share: number; goals: string[] }
  | { op: "pose.save"; name: string; goals: string[]; picture?: string }
  | { op: "pose.apply"; name: string; share?: number; mirror?: boolean }
  | { op: "pose.forget"; name: string }
  | { op: "skin.blend"; blend: Blend }
  | { op: "skin.paint"; joint: string; points: Vector[]; radius: number; strength: number; mode?: PaintMode; mirror?: boolean }
  | { op: "skin.bind"; method?: string }
  | { op: "skeleton.move"; joint: string; position: Vector; mirror?: boolean }
  | { op: "skeleton.rename"; joint: string; name: string }
  | { op: "skeleton.add"; parent: string; name: string; position: Vector; mirror?: boolean }
  | { op: "skeleton.remove"; joint: string; mirror?: boolean }
  | { op: "hand.shape"; side: "l" | "r"; curls?: Record<string, number>; spread?: number; grip?: string }
  | { op: "goal.relative"; goal: string; to: string | null }
  | { op: "joint.keep"; joint: string; kept: boolean }
  | { op: "mesh.hide"; names: string[] }
  | { op: "prop.add"; kind: "box" | "sphere" }
  | { op: "prop.file"; file: string; name?: string }
  | { op: "prop.set"; prop: string; position?: Vector; rotation?: Quaternion; size?: Vector; obstacle?: boolean; ground?: boolean; joint?: string | null }
  | { op: "prop.remove"; prop: string }
  | { op: "methods.race"; goal: string }
  | { op: "figure.join"; name: string; file?: string; fit?: boolean; height?: number | null }
  | { op: "figure.leave"; figure: string }
  | { op: "figure.place"; figure: string; by?: Vector; turn?: number; size?: number }
  | { op: "layer.add"; name?: string }
  | { op: "layer.choose"; name: string }
  | { op: "layer.set"; name: string; weight?: number; on?: boolean; rename?: string }
  | { op: "layer.move"; name: string; by: number }
  | { op: "layer.remove"; name: string }
  | { op: "figure.builtin"; name: string }
  | { op: "figure.open"; file: string; name?: string; fit?: boolean }
  | { op: "goal.add"; joint: string; kind?: Kind }
  | { op: "goal.remove"; goal: string }
  | { op: "goal.set"; goal: string; position?: Vector; rotation?: Quaternion; weight?: number; rotation_weight?: number; enabled?: boolean; pinned?: boolean }
  | { op: "goal.pole"; goal: string; pole: Vector | null }
  | { op: "goal.method"; goal: string; method: string }
  | { op: "joint.rotate"; joint: string; rotation: Quaternion }
  | { op: "joint.freeze"; joint: string; frozen: boolean }
  | { op: "joint.limit"; joint: string; limits: Limits | null }
  | { op: "ikfk.switch"; goal: string; to: string }
  | { op: "key.set"; goals: string[]; frame: number }
  | { op: "key.value"; goal: string; frame: number; position?: Vector; rotation?: Quaternion; weight?: number; velocity?: Vector | null; pole?: Vector | null }
  | { op: "key.delete"; keys: KeyName[] }
  | { op: "key.move"; keys: KeyName[]; by: number; copy?: boolean; ripple?: boolean }
  | { op: "key.copy"; keys: KeyName[] }
  | { op: "key.paste"; frame: number }
  | { op: "key.ease"; keys: KeyName[]; interpolation: Interpolation }
  | { op: "timeline.set"; fps?: number; range?: Range; cyclic?: boolean }
  | { op: "timeline.frame"; frame: number }
  | { op: "autokey"; on: boolean }
  | { op: "gait.load"; name: string }
  | { op: "gait.set"; values: Record<string, number> }
  | { op: "walk.make"; steps?: number; alone?: boolean }
  | { op: "terrain.set"; terrain: Terrain }
  | { op: "terrain.file"; file: string; name?: string }
  | { op: "clip.retarget"; file: string; name?: string; clip?: string | null }
  | { op: "clip.choose"; name: string | null }
  | { op: "clip.bake" }
  | { op: "clip.mirror" }
  | { op: "gesture.begin"; label?: string }
  | { op: "gesture.end" }
  | { op: "gesture.cancel" }
  | { op: "undo" }
  | { op: "redo" }
  | { op: "demo.load"; name: string }
  | { op: "demo.key"; key: string; down: boolean; right?: Vector; up?: Vector }
  | { op: "text.reload"; text: string };

export const GOAL = 1;
export const POSE = 2;
export const CLIP = 3;
export const ROTATION_GIVEN = 1;
export const GESTURE_BEGINS = 2;
export const GESTURE_ENDS = 4;
export const ROTATION_FREE = 8;
export const WITH_TRANSLATIONS = 128;
export const WITH_COORDINATES = 64;

export interface GoalMessage {
  goal: number;
  flags: number;
  seq: number;
  position: ArrayLike<number>;
  rotation: ArrayLike<number>; // wxyz
}

export interface PoseMessage {
  status: number;
  joints: number;
  seq: number;
  root: Float32Array;
  rotations: Float32Array; // wxyz per joint, in its parent's frame
  goals: Float32Array; // position and rotation wxyz per goal
  residuals: Float32Array; // distance and angle per goal
  translations: Float32Array | null; // per joint, in its parent's frame
  coordinates: Float32Array | null; // of the pose, as the solver has it
}

export interface ClipMessage {
  fps: number;
  frames: number;
  joints: number;
  values: Float32Array; // per frame: root, then wxyz per joint
  translations: Float32Array | null; // per frame and joint, where joints slide
}

export function packGoal(message: GoalMessage): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(36));
  view.setUint8(0, GOAL);
  view.setUint8(1, message.goal);
  view.setUint16(2, message.flags, true);
  view.setUint32(4, message.seq, true);
  for (let i = 0; i < 3; i++) view.setFloat32(8 + 4 * i, message.position[i] ?? 0, true);
  for (let i = 0; i < 4; i++) view.setFloat32(20 + 4 * i, message.rotation[i] ?? 0, true);
  return view.buffer;
}

export function unpackPose(bytes: ArrayBuffer): PoseMessage {
  const view = new DataView(bytes);
  const code = view.getUint8(1);
  const joints = view.getUint16(2, true);
  const moved = (code & WITH_TRANSLATIONS) !== 0;
  const goesOn = (code & WITH_COORDINATES) !== 0;
  const coordinates = goesOn ? view.getUint32(bytes.byteLength - 4, true) : 0;
  const end = bytes.byteLength - (goesOn ? 4 : 0);
  const goals = (end - 20 - (moved ? 28 : 16) * joints - 4 * coordinates) / 36;
  if (!Number.isInteger(goals) || goals < 0) throw new Error("a pose message of a wrong length");
  let at = 8;
  const take = (count: number): Float32Array => {
    const values = new Float32Array(bytes, at, count);
    at += 4 * count;
    return values;
  };
  return {
    status: code & ~(WITH_TRANSLATIONS | WITH_COORDINATES),
    joints,
    seq: view.getUint32(4, true),
    root: take(3),
    rotations: take(4 * joints),
    goals: take(7 * goals),
    residuals: take(2 * goals),
    translations: moved ? take(3 * joints) : null,
    coordinates: goesOn ? take(coordinates) : null,
  };
}

export function unpackClip(bytes: ArrayBuffer): ClipMessage {
  const view = new DataView(bytes);
  const moved = (view.getUint8(1) & 1) !== 0;
  const frames = view.getUint32(8, true);
  const joints = view.getUint32(12, true);
  const own = frames * (3 + 4 * joints);
  const shifts = moved ? 3 * frames * joints : 0;
  if (bytes.byteLength !== 16 + 4 * (own + shifts)) throw new Error("a clip message of a wrong length");
  return {
    fps: view.getFloat32(4, true),
    frames,
    joints,
    values: new Float32Array(bytes, 16, own),
    translations: moved ? new Float32Array(bytes, 16 + 4 * own, shifts) : null,
  };
}
