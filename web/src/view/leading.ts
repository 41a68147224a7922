// How the mouse leads the camera, over handles and arrows too. As in Blender: the middle button turns the view, with Shift it
// moves it, with Ctrl it goes near; Alt with the left one turns it. With Maya's keys Alt and the three buttons do it.

import { MOUSE } from "three";
import { keymap } from "../store";
import type { Gizmo } from "./gizmo";
import type { Stage } from "./stage";

const DRAGGED = 10; // times the speed of the wheel: a hundred pixels go two fifths of the way

/** Listens before handles, gizmo and camera do: what is the camera's takes hold of nothing. */
export function leadCamera(stage: Stage, gizmo: Gizmo, layer: HTMLElement): void {
  const press = (event: PointerEvent) => {
    stage.orbit.mouseButtons = buttonsFor(event);
    const isCameras = event.button !== 0 || event.altKey;
    if (!isCameras) return;
    const wheels = stage.orbit.zoomSpeed;
    gizmo.isAside = true;
    stage.orbit.zoomSpeed = DRAGGED;
    const leave = () => {
      gizmo.isAside = false;
      stage.orbit.zoomSpeed = wheels;
    };
    addEventListener("pointerup", leave, { once: true });
    if (event.target === stage.canvas) return;
    event.preventDefault(); // else the handle takes the focus, and is chosen
    event.stopImmediatePropagation();
    stage.canvas.dispatchEvent(new PointerEvent("pointerdown", event));
  };
  layer.parentElement!.addEventListener("pointerdown", press, true);
  layer.addEventListener("contextmenu", (event) => event.preventDefault());
}

function buttonsFor(event: PointerEvent): Stage["orbit"]["mouseButtons"] {
  if (event.altKey && keymap.value === "maya") return { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.DOLLY };
  return { LEFT: MOUSE.ROTATE, MIDDLE: event.ctrlKey ? MOUSE.DOLLY : MOUSE.ROTATE, RIGHT: MOUSE.PAN };
}
