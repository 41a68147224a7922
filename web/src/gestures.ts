// Gestures: what the mouse drags moves at once; for the session a gesture is one step of undo.

import { drop, flush, isAnswered, send, stream } from "./link";
import { GESTURE_BEGINS, GESTURE_ENDS, ROTATION_GIVEN } from "./schema";
import type { StudioGoal, Quaternion, Vector } from "./schema";
import { clip, document_, figure, goals, mirrored, tell } from "./store";

export interface Held {
  kind: "goal" | "pole" | "joint";
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
  dropped = null;
  send({ op: "gesture.cancel" });
}

let held: Held | null = null;
let dropped: (Held & { seq: number }) | null = null; // stays where it was put until the session has answered
let isTold = false;

export function inHand(kind: Held["kind"], name: string): Held | null {
  if (dropped && isAnswered(dropped.seq)) dropped = null;
  return [held, dropped].find((one) => one?.kind === kind && one.name === name) ?? null;
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

export function dragGoal(goal: StudioGoal, turns: boolean): Gesture {
  const index = goals.value.findIndex((entry) => entry.name === goal.name);
  let begun = false;
  const message = (flags: number, position: Vector, rotation: Quaternion) => {
    const first = begun ? 0 : GESTURE_BEGINS;
    begun = true;
    stream({ goal: index, flags: flags | first | (turns ? ROTATION_GIVEN : 0), position, rotation });
  };
  let cancelled = false;
  const over = onCancel(() => {
    cancelled = true;
    held = null;
    if (begun) takeBack();
  });
  return {
    move(position, rotation) {
      if (cancelled) return;
      held = { kind: "goal", name: goal.name, position, rotation };
      message(0, position, rotation);
    },
    end() {
      over();
      if (begun && held) {
        message(GESTURE_ENDS, held.position, held.rotation);
        const seq = flush();
        if (seq) dropped = { ...held, seq };
        tellOfKeys();
      }
      held = null;
    },
  };
}

export function dragPole(goal: StudioGoal): Gesture {
  return spoken("pole", goal.name, (position) => ({ op: "goal.pole", goal: goal.name, pole: position }));
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
      flush();
      if (begun) {
        send({ op: "gesture.end" });
        tellOfKeys();
      }
      held = null;
    },
  };
}
