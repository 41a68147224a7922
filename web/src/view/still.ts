// The posed figure without bones: ray casts are much faster than on three's own skinned meshes.

import * as T from "three";
import { poseNow } from "../store";
import type { FigureView } from "./figure";

let kept: { figure: FigureView; pose: unknown; stills: T.Mesh[] } | null = null;

/** A mesh without skin for each of the figure's; `userData.of` is the one it stands for. */
export function stillMeshes(figure: FigureView): T.Mesh[] {
  const pose = poseNow();
  if (kept?.figure === figure && kept.pose === pose) return kept.stills;
  for (const still of kept?.stills ?? []) if (still.geometry !== (still.userData.of as T.Mesh).geometry) still.geometry.dispose();
  figure.root.updateMatrixWorld(true); // the pose may not have been drawn yet
  for (const mesh of figure.meshes) if (mesh instanceof T.SkinnedMesh) mesh.skeleton.update();
  kept = { figure, pose, stills: figure.meshes.map(stilled) };
  return kept.stills;
}

function stilled(mesh: T.Mesh): T.Mesh {
  let geometry = mesh.geometry;
  if (mesh instanceof T.SkinnedMesh) {
    const count = geometry.getAttribute("position").count;
    const places = new Float32Array(3 * count);
    const place = new T.Vector3();
    for (let vertex = 0; vertex < count; vertex++) mesh.getVertexPosition(vertex, place).toArray(places, 3 * vertex);
    geometry = new T.BufferGeometry();
    geometry.setAttribute("position", new T.BufferAttribute(places, 3));
    geometry.setIndex(mesh.geometry.getIndex());
  }
  const still = new T.Mesh(geometry, mesh.material);
  still.matrixWorld.copy(mesh.matrixWorld);
  still.userData.of = mesh;
  return still;
}
