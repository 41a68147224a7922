// Gestures: what the mouse drags moves at once; for the session a gesture is one step of undo.

import * as T from "three";
import { foresee, forsaken, frameOf, released } from "./foresight";
import { drop, flush, isAnswered, send, stream } from "./link";
import { GESTURE_BEGINS, GESTURE_ENDS, ROTATION_FREE, ROTATION_GIVEN } from "./schema";
import type { StudioGoal, Quaternion, Vector } from "./schema";
import { clip, document_, figure, goals, mirrored, tell } from "./store";

export interface Held {
  kind: "goal" | "pole" | "joint" | "prop" | "key";
  name: string;
  position: Vector;
  rotation: Quaternion;
}

export interface Gesture {
  move(position: Vector, rotation: Quaternion): void;
  end(): void;
}

const cancels: (() => void)[] = [];

/** While something is dragged, what Escape does; the result takes it back when the drag is over. */
export function onCancel(cancel: () => void): () => void {
  cancels.push(cancel);
  return () => void (cancels.includes(cancel) && cancels.splice(cancels.indexOf(cancel), 1));
}

/** Cancels what is being dragged; false where nothing is. */
export function cancelDrag(): boolean {
  const all = cancels.splice(0);
  for (const cancel of all) cancel();
  return all.length > 0;
}

/** Takes back all that a gesture has done so far. */
export function takeBack(): void {
  drop();
  dropped = [];
  send({ op: "gesture.cancel" });
}

let held: Held | null = null;
let dropped: (Held & { seq: number })[] = []; // stay where they were put until the session has answered
let isTold = false;

export function inHand(kind: Held["kind"], name: string): Held | null {
  if (dropped.length) dropped = dropped.filter((one) => !isAnswered(one.seq));
  return [held, ...dropped].find((one) => one?.kind === kind && one.name === name) ?? null;
}

/** Let go of what is held; the end of its gesture was sent last. */
function letGo(): void {
  if (held) dropped = [{ ...held, seq: flush() }, ...dropped];
  held = null;
}

export function anyInHand(): boolean {
  return held !== null;
}

/** Explains, once, that an edit of a playing motion needs a key. */
function tellOfKeys(): void {
  if (isTold || !clip.value || document_.value?.auto_key) return;
  isTold = true;
  tell("To keep this in the motion press K for a key here, or A for auto-key");
}

let isStopped = false;

/** The place to which a drag takes a goal: not below the ground that the figure stands on, unless it is there already. */
function aboveGround(goal: StudioGoal, position: Vector, from: Vector): Vector {
  const up = figure.peek()?.up === "z" ? 2 : 1, floor = document_.peek()?.floors[goal.name];
  const least = floor === undefined ? -Infinity : Math.min(floor, from[up]!);
  if (position[up]! >= least) return position;
  if (!isStopped) tell(`The ground stops ${goal.name}: a number typed in its panel takes it below`);
  isStopped = true;
  return position.map((value, axis) => (axis === up ? least : value)) as Vector;
}

/** What becomes of the rotation while a goal is dragged: a foot that is lifted from level ground hangs, and is flat again when it is put down. */
function rotationIn(goal: StudioGoal, turns: boolean): (position: Vector) => number {
  const now = document_.peek(), up = figure.peek()?.up === "z" ? 2 : 1;
  const kept = turns || goal.rotation_weight > 0 ? ROTATION_GIVEN : 0;
  const { lifts_above } = goal;
  if (turns || lifts_above === null || clip.peek() || now?.props.length || now?.terrain.kind !== "none") return () => kept;
  return (position) => (position[up]! > lifts_above ? ROTATION_FREE : ROTATION_GIVEN);
}

/** Drags a goal. turns: whether its rotation is what is dragged. from: where it is. */
export function dragGoal(goal: StudioGoal, turns: boolean, from: Vector): Gesture {
  const turning = rotationIn(goal, turns);
  const index = goals.value.findIndex((entry) => entry.name === goal.name);
  let begun = false;
  const message = (flags: number, position: Vector, rotation: Quaternion) => {
    const first = begun ? 0 : GESTURE_BEGINS;
    begun = true;
    stream({ goal: index, flags: flags | first | turning(position), position, rotation });
  };
  let cancelled = false;
  const over = onCancel(() => {
    cancelled = true;
    held = null;
    forsaken();
    if (begun) takeBack();
  });
  return {
    move(to, rotation) {
      if (cancelled) return;
      const position = turns ? to : aboveGround(goal, to, from);
      held = { kind: "goal", name: goal.name, position, rotation };
      message(0, position, rotation);
      foresee(goal.name, position, rotation, turning(position));
    },
    end() {
      over();
      if (begun && held) {
        message(GESTURE_ENDS, held.position, held.rotation);
        released();
        tellOfKeys();
      }
      letGo();
    },
  };
}

/** Drags several goals: all go as far as the first, and turn as much as it does about their middle. */
export function dragTogether(all: readonly StudioGoal[], places: readonly Pick<Held, "position" | "rotation">[], turns: boolean): Gesture {
  const [first] = places, start = frameOf(first!).invert();
  const middle = places.reduce((sum, { position }) => sum.add(new T.Vector3(...position)), new T.Vector3()).divideScalar(places.length);
  return spoken("goal", all[0]!.name, (position, rotation) => {
    const moved = frameOf({ position, rotation: turns ? rotation : first!.rotation }).multiply(start);
    if (turns) moved.setPosition(middle.clone().sub(middle.clone().applyMatrix4(moved.clone().setPosition(0, 0, 0))));
    const [positions, rotations] = [{}, {}] as [Record<string, Vector>, Record<string, Quaternion>];
    all.forEach((goal, k) => {
      const { name } = goal, frame = frameOf(places[k]!).premultiply(moved);
      const turn = new T.Quaternion().setFromRotationMatrix(frame);
      const place = new T.Vector3().setFromMatrixPosition(frame).toArray() as Vector;
      positions[name] = turns ? place : aboveGround(goal, place, places[k]!.position);
      if (turns) rotations[name] = [turn.w, turn.x, turn.y, turn.z];
    });
    return { op: "goals.move", positions, rotations };
  });
}

export function dragPole(goal: StudioGoal): Gesture {
  return spoken("pole", goal.name, (position) => ({ op: "goal.pole", goal: goal.name, pole: position }));
}

export function dragProp(prop: string): Gesture {
  return spoken("prop", prop, (position, rotation) => ({ op: "prop.set", prop, position, rotation }));
}

/** Moves a key in space. */
export function dragKey(goal: string, frame: number): Gesture {
  return spoken("key", goal, (position) => ({ op: "key.value", goal, frame, position }));
}

export function turnJoint(joint: string): Gesture {
  return spoken("joint", joint, (_, rotation) => ({ op: "joint.rotate", joint, rotation }));
}

/** Moves a joint of the skeleton, when it is let go: the figure is made anew then. */
export function shapeJoint(joint: string): Gesture {
  let to: Vector | null = null;
  const over = onCancel(() => (to = null));
  return {
    move: (position) => void (to = position),
    end() {
      over();
      if (to) send({ op: "skeleton.move", joint, position: to, mirror: mirrored.value && Boolean(figure.value?.mirror) });
    },
  };
}

function spoken(
  kind: Held["kind"],
  name: string,
  command: (position: Vector, rotation: Quaternion) => Parameters<typeof stream>[0],
): Gesture {
  let begun = false;
  let cancelled = false;
  const over = onCancel(() => {
    cancelled = true;
    held = null;
    if (begun) takeBack();
    begun = false;
  });
  return {
    move(position, rotation) {
      if (cancelled) return;
      if (!begun) begun = send({ op: "gesture.begin", label: `${kind} ${name}` });
      held = { kind, name, position, rotation };
      stream(command(position, rotation));
    },
    end() {
      over();
      letGo();
      if (!begun) return;
      send({ op: "gesture.end" });
      if (kind !== "prop" && kind !== "key") tellOfKeys();
    },
  };
}
