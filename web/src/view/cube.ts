// The view cube: shows how one looks at the scene, and turns the camera square to a face.

import * as T from "three";
import type { Stage } from "./stage";

const FACES: [name: string, from: [number, number, number], key: string][] = [
  ["Front", [0, 0, 1], "1"],
  ["Right", [1, 0, 0], "3"],
  ["Top", [0, 1, 0.0001], "7"],
  ["Back", [0, 0, -1], ""],
  ["Left", [-1, 0, 0], ""],
  ["Below", [0, -1, 0.0001], ""],
];

export function viewCube(stage: Stage, layer: HTMLElement): () => boolean {
  const cube = document.createElement("div");
  cube.className = "view-cube";
  for (const [name, from, key] of FACES) {
    const face = document.createElement("button");
    face.type = "button";
    face.className = `face ${name.toLowerCase()}`;
    face.textContent = name;
    face.title = key ? `Look from ${name.toLowerCase()} (${key})` : `Look from ${name.toLowerCase()}`;
    face.setAttribute("aria-label", `Look from: ${name.toLowerCase()}`);
    face.addEventListener("click", () => stage.lookFrom(new T.Vector3(...from)));
    cube.append(face);
  }
  const holder = document.createElement("div");
  holder.className = "view-cube-holder";
  holder.append(cube);
  layer.append(holder);
  let drawn = "";
  return () => {
    const e = new T.Matrix4().makeRotationFromQuaternion(stage.camera.quaternion.clone().invert()).elements;
    // The screen's y points down: rows and columns of y change their sign.
    const m = [e[0]!, -e[1]!, e[2]!, 0, -e[4]!, e[5]!, -e[6]!, 0, e[8]!, -e[9]!, e[10]!, 0, 0, 0, 0, 1];
    const now = `matrix3d(${m.map((value) => value.toFixed(4)).join()})`;
    if (now !== drawn) cube.style.transform = drawn = now;
    return false;
  };
}
