import * as T from "three";
import { expect, test } from "vitest";
import { BentSkin, BentSkins } from "./processor-skin";

/** A bar of two bones, moved, turned and scaled. */
function bar(): T.SkinnedMesh {
  const geometry = new T.BoxGeometry(0.2, 2, 0.3, 1, 6);
  const places = geometry.getAttribute("position");
  const share = (vertex: number) => 0.5 + places.getY(vertex) / 2;
  const pairs = (each: (vertex: number) => number[]) => Array.from({ length: places.count }, (_, vertex) => each(vertex)).flat();
  geometry.setAttribute("skinIndex", new T.Uint16BufferAttribute(pairs(() => [0, 1, 0, 0]), 4));
  geometry.setAttribute("skinWeight", new T.Float32BufferAttribute(pairs((vertex) => [1 - share(vertex), share(vertex), 0, 0]), 4));
  const [lower, upper] = [new T.Bone(), new T.Bone()];
  lower.position.y = -1;
  upper.position.y = 1;
  lower.add(upper);
  const mesh = new T.SkinnedMesh(geometry, new T.MeshStandardMaterial());
  mesh.add(lower);
  mesh.position.set(1, 2, 3);
  mesh.scale.setScalar(2);
  mesh.updateMatrixWorld(true);
  mesh.bind(new T.Skeleton([lower, upper]));
  upper.rotation.set(0.4, 0.1, 1.1);
  lower.position.x = 0.3;
  mesh.updateMatrixWorld(true);
  return mesh;
}

function off(mesh: T.SkinnedMesh, bent: BentSkin): number {
  const place = new T.Vector3();
  const there = bent.plain.geometry.getAttribute("position");
  return Math.max(...Array.from({ length: there.count }, (_, vertex) => mesh.getVertexPosition(vertex, place).distanceTo(new T.Vector3().fromBufferAttribute(there, vertex))));
}

test("a skin is bent as three bends it, again when a bone or a weight has changed", () => {
  const mesh = bar();
  const bent = new BentSkin(mesh);
  mesh.skeleton.computeBoneTexture(); // as when it was drawn before
  bent.follow();
  expect(off(mesh, bent)).toBeLessThan(1e-6);
  mesh.skeleton.bones[1]!.rotation.z = -0.6;
  mesh.updateMatrixWorld(true);
  mesh.skeleton.update();
  expect(off(mesh, bent)).toBeGreaterThan(0.1);
  bent.follow();
  expect(off(mesh, bent)).toBeLessThan(1e-6);
  const weights = mesh.geometry.getAttribute("skinWeight") as T.BufferAttribute;
  weights.setXY(0, 1 - weights.getX(0), 1 - weights.getY(0));
  weights.needsUpdate = true;
  bent.follow();
  expect(off(mesh, bent)).toBeLessThan(1e-6);
});

test("normals turn with it, and it has the colours and the place of its skin", () => {
  const mesh = bar();
  for (const bone of mesh.skeleton.bones) bone.rotation.set(0, 0, 0);
  mesh.skeleton.bones[0]!.rotation.z = Math.PI / 2;
  mesh.updateMatrixWorld(true);
  mesh.geometry.setAttribute("color", new T.Float32BufferAttribute(mesh.geometry.getAttribute("position").count * 3, 3));
  const bent = new BentSkin(mesh);
  bent.follow();
  const [own, turned] = [mesh.geometry, bent.plain.geometry].map((geometry) => new T.Vector3().fromBufferAttribute(geometry.getAttribute("normal"), 0));
  expect(turned!.distanceTo(own!.applyAxisAngle(new T.Vector3(0, 0, 1), Math.PI / 2))).toBeLessThan(1e-6);
  expect(bent.plain.geometry.getAttribute("color")).toBe(mesh.geometry.getAttribute("color"));
  expect(bent.plain.matrixWorld.equals(mesh.matrixWorld)).toBe(true);
  mesh.geometry.deleteAttribute("color");
  bent.follow();
  expect(bent.plain.geometry.getAttribute("color")).toBeUndefined();
});

test("only in pictures it stands for its skin, and never for one that is hidden or blended otherwise", () => {
  const [scene, mesh] = [new T.Scene(), bar()];
  scene.add(mesh);
  new BentSkins(scene).meshes = [mesh];
  const plain = scene.children.at(-1) as T.Mesh;
  const drawn = () => {
    (scene.onBeforeRender as () => void)();
    const seen = [mesh, plain].map((one) => one.visible && one.layers.isEnabled(0));
    (scene.onAfterRender as () => void)();
    return seen;
  };
  expect(drawn()).toEqual([false, true]);
  expect(mesh.layers.isEnabled(0)).toBe(true);
  mesh.visible = false;
  expect(drawn()).toEqual([false, false]);
  mesh.visible = true;
  (mesh.material as T.Material).defines = { DUAL_QUATERNION: "" };
  expect(drawn()).toEqual([true, false]);
});
