import * as T from "three";
import { expect, test } from "vitest";
import { bodyJoints } from "./body-joints";

// root, hips on it, toe on the hips, and a control of the rig on the root.
const parents = [-1, 0, 1, 0];

function skinned(bones: T.Bone[], movers: number[]): T.SkinnedMesh {
  const geometry = new T.BufferGeometry();
  geometry.setAttribute("skinIndex", new T.Uint16BufferAttribute(movers.flatMap((bone) => [bone, 3, 3, 3]), 4));
  geometry.setAttribute("skinWeight", new T.Float32BufferAttribute(movers.flatMap(() => [1, 0, 0, 0]), 4));
  const mesh = new T.SkinnedMesh(geometry);
  mesh.skeleton = new T.Skeleton(bones);
  return mesh;
}

test("controls are not of the body, what hangs on it is", () => {
  const joints = parents.map(() => new T.Bone());
  expect(bodyJoints({ joints, meshes: [skinned(joints, [1, 1])], event: { parents } })).toEqual([false, true, true, false]);
});

test("without a skin all joints are", () => {
  const joints = parents.map(() => new T.Bone());
  expect(bodyJoints({ joints, meshes: [new T.Mesh()], event: { parents } })).toEqual([true, true, true, true]);
});
