import * as T from "three";
import { expect, it } from "vitest";
import { steadied } from "./steady";

const camera = new T.PerspectiveCamera();
camera.position.set(0, 2, 5);
camera.lookAt(0, 1, 0); // along -z, a little down
camera.updateMatrixWorld(true);

it("goes along closely with who comes nearer, and loosely with who sways across", () => {
  expect(steadied(new T.Vector3(0, 0, 1), 2, camera).toArray().map((value) => Math.round(1e6 * value) / 1e6)).toEqual([0, 0, 0.88]);
  expect(steadied(new T.Vector3(1, 0, 0), 2, camera).x).toBeCloseTo(0.6);
  expect(steadied(new T.Vector3(0, -1, 0), 2, camera).y).toBeCloseTo(-0.88);
});

it("stays where a figure sways in its place", () => {
  expect(steadied(new T.Vector3(0.3, 0.1, -0.1), 2, camera).length()).toBeCloseTo(0);
});

it("holds also where one looks straight down", () => {
  const above = new T.PerspectiveCamera();
  above.position.set(0, 5, 0);
  above.lookAt(0, 0, 0);
  above.updateMatrixWorld(true);
  expect(steadied(new T.Vector3(1, 0, 0), 2, above).length()).toBeGreaterThan(0.5);
});
