// The keys on a motion path: dragged, they move in space, and the path with them.

import * as T from "three";
import { dragKey } from "../gestures";
import { goTo } from "../playback";
import type { GoalKey, Vector } from "../schema";
import { clip, goals, paths, playing, selectedGoal } from "../store";
import type { Stage } from "./stage";

interface Dot {
  button: HTMLButtonElement;
  key: GoalKey;
  goal: string;
}

export class PathKeys {
  private dots: Dot[] = [];
  private held: { frame: number; at: T.Vector3 } | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly layer: HTMLElement,
  ) {}

  tick(): boolean {
    const goal = selectedGoal.value;
    const keys = paths.value && clip.value && goal && !playing.value ? goal.keys : [];
    while (this.dots.length > keys.length) this.dots.pop()!.button.remove();
    keys.forEach((key, k) => {
      const dot = (this.dots[k] ??= this.made());
      Object.assign(dot, { key, goal: goal!.name });
      const place = this.held?.frame === key.frame ? this.held.at : this.stage.world.localToWorld(new T.Vector3(...key.position));
      const at = this.stage.project(place);
      dot.button.hidden = !at.visible;
      const transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -50%)`;
      if (dot.button.style.transform !== transform) dot.button.style.transform = transform;
      const label = `Key of ${goal!.name} at frame ${key.frame}`;
      if (dot.button.title === label) return;
      dot.button.title = label;
      dot.button.setAttribute("aria-label", label);
    });
    return false;
  }

  private made(): Dot {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "path-key";
    this.layer.append(button);
    const dot = { button } as Dot;
    button.addEventListener("pointerdown", (event) => this.press(event, dot));
    return dot;
  }

  /** Drags in the plane of the view; a click goes to the key's frame. */
  private press(event: PointerEvent, { button, key, goal: name }: Dot): void {
    if (event.button !== 0 || !goals.value.some((goal) => goal.name === name)) return;
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    const at = this.stage.world.localToWorld(new T.Vector3(...key.position));
    const plane = new T.Plane().setFromNormalAndCoplanarPoint(this.stage.camera.getWorldDirection(new T.Vector3()), at);
    const start = this.stage.ray(event.clientX, event.clientY).ray.intersectPlane(plane, new T.Vector3());
    const gesture = dragKey(name, key.frame);
    let moved = false;
    const follow = (move: PointerEvent) => {
      const hit = this.stage.ray(move.clientX, move.clientY).ray.intersectPlane(plane, new T.Vector3());
      if (!hit || !start) return;
      moved = true;
      this.held = { frame: key.frame, at: at.clone().add(hit.sub(start)) };
      gesture.move(this.stage.world.worldToLocal(this.held.at.clone()).toArray() as Vector, key.rotation);
      this.stage.touch();
    };
    const release = () => {
      button.removeEventListener("pointermove", follow);
      this.held = null;
      gesture.end();
      if (!moved) goTo(key.frame);
      this.stage.touch();
    };
    button.addEventListener("pointermove", follow);
    button.addEventListener("lostpointercapture", release, { once: true });
  }
}
