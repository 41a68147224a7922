// The joints of the body, in figures whose files also hold the controls of a rig.

import * as T from "three";
import type { FigureView } from "./figure";

type Parts = Pick<FigureView, "joints" | "meshes"> & { event: Pick<FigureView["event"], "parents"> };

const known = new WeakMap<Parts, boolean[]>();

/** Whether each joint moves some skin, or hangs on one that does; of a figure without a skin, all are of the body. */
export function bodyJoints(figure: Parts): boolean[] {
  const found = known.get(figure) ?? among(figure);
  known.set(figure, found);
  return found;
}

function among({ joints, meshes, event }: Parts): boolean[] {
  const movers = new Set<T.Object3D>();
  for (const mesh of meshes) if (mesh instanceof T.SkinnedMesh) for (const bone of moversOf(mesh)) movers.add(bone);
  if (!movers.size) return joints.map(() => true);
  const isOfBody: boolean[] = [];
  joints.forEach((joint, j) => isOfBody.push(movers.has(joint) || (isOfBody[event.parents[j]!] ?? false))); // parents come first
  return isOfBody;
}

function moversOf(mesh: T.SkinnedMesh): Set<T.Object3D> {
  const [index, weight] = [mesh.geometry.getAttribute("skinIndex"), mesh.geometry.getAttribute("skinWeight")];
  const found = new Set<number>();
  for (let vertex = 0; vertex < weight.count; vertex++) for (let i = 0; i < 4; i++) if (weight.getComponent(vertex, i) > 0) found.add(index.getComponent(vertex, i));
  return new Set([...found].flatMap((bone) => mesh.skeleton.bones[bone] ?? []));
}
