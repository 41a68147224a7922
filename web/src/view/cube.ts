// The view cube: shows the direction of view, and turns the camera to a face.

import * as T from "three";
import { UP } from "./stage";
import type { Stage } from "./stage";

type Direction = [number, number, number];

/** Each with its direction, and the right and up of its text. */
const FACES: [name: string, from: Direction, right: Direction, up: Direction, key: string][] = [
  ["Front", [0, 0, 1], [1, 0, 0], [0, 1, 0], "1"],
  ["Right", [1, 0, 0], [0, 0, -1], [0, 1, 0], "3"],
  ["Top", [0, 1, 0], [1, 0, 0], [0, 0, -1], "7"],
  ["Back", [0, 0, -1], [-1, 0, 0], [0, 1, 0], "Ctrl+1"],
  ["Left", [-1, 0, 0], [0, 0, 1], [0, 1, 0], "Ctrl+3"],
  ["Below", [0, -1, 0], [1, 0, 0], [0, 0, 1], "Ctrl+7"],
];
const HALF = 28; // pixels
const ASIDE = 1e-4; // the camera cannot look straight up or down

/** Flat faces, each sheared as it is seen: cheaper to put together than a cube of the style sheet's own. */
export function viewCube(stage: Stage, layer: HTMLElement): () => boolean {
  const holder = document.createElement("div");
  holder.className = "view-cube";
  const faces = FACES.map(([name, [x, y, z], right, up, key]) => {
    const face = document.createElement("button");
    const where = name.toLowerCase();
    face.type = "button";
    face.className = "face";
    face.textContent = name;
    face.title = key ? `Look from ${where} (${key})` : `Look from ${where}`;
    face.setAttribute("aria-label", `Look from: ${where}`);
    face.addEventListener("click", () => stage.lookFromSide(new T.Vector3(x, y, z || ASIDE)));
    holder.append(face);
    return { face, from: new T.Vector3(x, y, z), right: new T.Vector3(...right), up: new T.Vector3(...up) };
  });
  layer.append(holder);
  const [across, above, towards] = [new T.Vector3(), new T.Vector3(), new T.Vector3()];
  let drawn = "";
  return () => {
    const turned = `${stage.camera.quaternion.toArray().join()} ${stage.front}`;
    if (turned === drawn) return false;
    drawn = turned;
    new T.Matrix4().makeRotationFromQuaternion(stage.camera.quaternion).extractBasis(across, above, towards);
    for (const axis of [across, above, towards]) axis.applyAxisAngle(UP, -stage.front);
    for (const { face, from, right, up } of faces) {
      const seen = [
        right.dot(across), -right.dot(above), // the screen's y points down
        -up.dot(across), up.dot(above),
        HALF * from.dot(across), -HALF * from.dot(above),
      ];
      face.style.transform = `matrix(${seen.map((value) => value.toFixed(4)).join()})`;
      face.style.visibility = from.dot(towards) > 0.02 ? "visible" : "hidden";
    }
    return false;
  };
}
