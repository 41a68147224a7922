// The messages between page and session: JSON text for commands and events, little-endian bytes for the streams.

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number]; // w, x, y, z

export const STATUSES = [
  "REACHED",
  "AT_LIMIT",
  "OUT_OF_REACH",
  "COMPROMISE",
  "LOCAL_MINIMUM",
  "OUT_OF_ITERATIONS",
] as const;
export type Status = (typeof STATUSES)[number];

export const INTERPOLATIONS = ["cubic", "monotone", "linear", "step"] as const;
export type Interpolation = (typeof INTERPOLATIONS)[number];

export type Blend = "linear" | "dual_quaternion";
export type Space = "world" | "local";

export interface Key {
  frame: number;
  position: Vector;
  rotation: Quaternion;
  weight: number;
  interpolation: Interpolation;
  velocity: Vector | null; // handles of the position curves, units per second; null: the neighbours decide
}

export interface Goal {
  name: string;
  joint: string;
  kind: "place" | "reach" | "look" | "pole";
  position: Vector;
  rotation: Quaternion;
  weight: number;
  rotation_weight: number;
  enabled: boolean; // false: the chain is moved by FK
  pinned: boolean;
  pole: Vector | null;
  method: string;
  keys: Key[];
}

export interface AxisLimit {
  name: string;
  direction: Vector;
  slide: boolean;
  lower: number | null; // radians, or lengths of a slide; null: no limit
  upper: number | null;
}

export interface ConeLimit {
  axis: Vector;
  center: Quaternion;
  swing: number | null;
  lower: number | null; // of the twist
  upper: number | null;
}

export interface Limits {
  kind: string;
  base: Quaternion; // of the joint in its parent's frame, nothing moved yet
  axes: AxisLimit[];
  cone: ConeLimit | null;
}

export interface Joint {
  name: string;
  frozen: boolean;
  limits: Limits;
}

export interface Options {
  comfort: boolean;
  gravity: number;
  elasticity: number;
  keep_apart: boolean;
}

export type Terrain =
  | { kind: "none" }
  | { kind: "plane"; height: number }
  | { kind: "slope"; degrees: number }
  | { kind: "stairs"; rise: number; run: number; count: number }
  | { kind: "bumps"; height: number; size: number; seed: number }
  | { kind: "mesh"; name: string };

export interface Document {
  name: string;
  fps: number;
  frame: number;
  range: [number, number];
  auto_key: boolean;
  blend: Blend;
  space: Space;
  goals: Goal[];
  joints: Joint[];
  gait: Record<string, number> | null;
  gait_name: string | null;
  gaits: string[];
  terrain: Terrain;
  clip: string | null;
  clips: string[];
  options: Options;
  can_undo: boolean;
  can_redo: boolean;
  demo: string | null;
  text: string | null;
}

export interface GaitNumber {
  name: string;
  low: number;
  high: number;
  default: number;
  help: string;
}

export type ServerEvent =
  | { event: "welcome"; figures: string[]; demos: string[]; methods: string[]; exports: string[]; gait: GaitNumber[] }
  | { event: "document"; rev: number; document?: Document; set?: Partial<Document> }
  | FigureEvent
  | StatusEvent
  | { event: "terrain"; vertices: number[]; faces: number[] }
  | { event: "notice"; text: string }
  | { event: "error"; id: number | null; message: string };

export interface FigureEvent {
  event: "figure";
  rev: number;
  url: string;
  joints: string[];
  nodes: number[];
  parents: number[];
  height: number;
  up: "y" | "z";
}

export interface StatusEvent {
  event: "status";
  text: string;
  status: Status;
  ms: number;
  goals: { name: string; distance: number; angle: number }[];
  limits: string[];
}

export type KeyName = [goal: string, frame: number];

export type Command =
  | { op: "figure.builtin"; name: string }
  | { op: "goal.add"; joint: string; kind: Goal["kind"] }
  | { op: "goal.remove"; goal: string }
  | ({ op: "goal.set"; goal: string } & Partial<
      Pick<Goal, "position" | "rotation" | "weight" | "rotation_weight" | "enabled" | "pinned">
    >)
  | { op: "goal.pole"; goal: string; pole: Vector | null }
  | { op: "goal.method"; goal: string; method: string }
  | { op: "joint.rotate"; joint: string; rotation: Quaternion }
  | { op: "joint.freeze"; joint: string; frozen: boolean }
  | { op: "joint.limit"; joint: string; limits: Limits | null } // null: as the file has it
  | { op: "ikfk.switch"; goal: string; to: "ik" | "fk" }
  | { op: "pose.reset" }
  | { op: "pose.mirror" }
  | ({ op: "options.set" } & Partial<Options> & { space?: Space })
  | { op: "key.set"; goals: string[]; frame: number }
  | { op: "key.value"; goal: string; frame: number; position?: Vector; weight?: number; velocity?: Vector | null }
  | { op: "key.delete"; keys: KeyName[] }
  | { op: "key.move"; keys: KeyName[]; by: number; copy?: boolean; ripple?: boolean }
  | { op: "key.copy"; keys: KeyName[] }
  | { op: "key.paste"; frame: number }
  | { op: "key.ease"; keys: KeyName[]; interpolation: Interpolation }
  | { op: "timeline.set"; fps?: number; range?: [number, number] }
  | { op: "timeline.frame"; frame: number }
  | { op: "autokey"; on: boolean }
  | { op: "gait.load"; name: string }
  | { op: "gait.set"; values: Record<string, number> }
  | { op: "walk.make"; steps: number }
  | { op: "terrain.set"; terrain: Terrain }
  | { op: "clip.choose"; name: string | null }
  | { op: "clip.bake" }
  | { op: "clip.mirror" }
  | { op: "skin.blend"; blend: Blend }
  | {
      op: "skin.paint";
      joint: string;
      points: Vector[]; // of the brush's way over the skin, as the figure stands
      radius: number;
      strength: number;
      mode: "add" | "subtract" | "smooth";
      mirror: boolean;
    }
  | { op: "skin.bind"; method: "heat" | "voxel" }
  | { op: "gesture.begin"; label: string }
  | { op: "gesture.end" }
  | { op: "undo" }
  | { op: "redo" }
  | { op: "demo.load"; name: string }
  | { op: "demo.key"; key: string; down: boolean }
  | { op: "text.reload"; text: string };

// ---- the streams ----

export const GOAL = 1;
export const POSE = 2;
export const CLIP = 3;
export const ROTATION_GIVEN = 1;
export const GESTURE_BEGINS = 2;
export const GESTURE_ENDS = 4;
const WITH_TRANSLATIONS = 0x80;

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
  translations: Float32Array | null;
}

export interface ClipMessage {
  fps: number;
  frames: number;
  joints: number;
  values: Float32Array; // per frame: root, then wxyz per joint
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
  const goals = (bytes.byteLength - 20 - (moved ? 28 : 16) * joints) / 36;
  if (!Number.isInteger(goals) || goals < 0) throw new Error("a pose message of a wrong length");
  let at = 8;
  const take = (count: number): Float32Array => {
    const values = new Float32Array(bytes, at, count);
    at += 4 * count;
    return values;
  };
  return {
    status: code & 0x7f,
    joints,
    seq: view.getUint32(4, true),
    root: take(3),
    rotations: take(4 * joints),
    goals: take(7 * goals),
    residuals: take(2 * goals),
    translations: moved ? take(3 * joints) : null,
  };
}

export function unpackClip(bytes: ArrayBuffer): ClipMessage {
  const view = new DataView(bytes);
  const frames = view.getUint32(8, true);
  const joints = view.getUint32(12, true);
  if (bytes.byteLength !== 16 + 4 * frames * (3 + 4 * joints)) throw new Error("a clip message of a wrong length");
  return { fps: view.getFloat32(4, true), frames, joints, values: new Float32Array(bytes, 16) };
}
