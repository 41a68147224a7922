import * as T from "three";
import { describe, expect, test } from "vitest";
import type { ConeLimit } from "../schema";
import { about, anglesOf, leanOf } from "./joint-angles";

const X = new T.Vector3(1, 0, 0);
const Y = new T.Vector3(0, 1, 0);
const Z = new T.Vector3(0, 0, 1);
const OBLIQUE = new T.Vector3(0.2, 0.3, 0.9).normalize();

const turnedBy = (axes: readonly T.Vector3[], angles: readonly number[]) =>
  axes.reduce((rotation, axis, k) => rotation.multiply(about(axis, angles[k]!)), new T.Quaternion());

describe("angles of hinges in a row", () => {
  const rows: [T.Vector3[], number[]][] = [
    [[Y], [-2.5]],
    [[Z, new T.Vector3(0, -1, 0)], [0.4, -0.3]],
    [[X, OBLIQUE], [1.1, 0.7]],
    [[Z, X, Y], [0.5, -0.9, 1.2]],
    [[Z, OBLIQUE, X], [-0.3, 0.2, 0.4]],
  ];
  test.each(rows)("%j come back", (axes, angles) => {
    const found = anglesOf(axes, turnedBy(axes, angles));
    found.forEach((angle, k) => expect(angle).toBeCloseTo(angles[k]!, 9));
  });

  test("whatever they are, they make up the rotation", () => {
    const rotation = new T.Quaternion(0.3, -0.5, 0.1, 0.7).normalize();
    const again = turnedBy([Z, Y, X], anglesOf([Z, Y, X], rotation));
    expect(Math.abs(again.dot(rotation))).toBeCloseTo(1, 12);
  });

  test("more than three have no one answer", () => expect(anglesOf([X, Y, Z, X], new T.Quaternion())).toEqual([]));
});

test("a ball's lean and twist are those that made it", () => {
  const center = about(X, 0.4);
  const rotation = center.clone().multiply(about(Z, 0.8)).multiply(about(Y, -0.6));
  const cone: ConeLimit = { axis: [0, 1, 0], center: [center.w, center.x, center.y, center.z], swing: 2, lower: -1, upper: 1 };
  const { swing, twist, leant } = leanOf(cone, rotation);
  expect(swing).toBeCloseTo(0.8, 9);
  expect(twist).toBeCloseTo(-0.6, 9);
  expect(Math.abs(leant.dot(center.multiply(about(Z, 0.8))))).toBeCloseTo(1, 12);
});
