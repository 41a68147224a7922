import { expect, test } from "vitest";
import type { GoalKey, Interpolation, Quaternion } from "../schema";
import { rotationAt } from "./rotation-curve";

const TURNS: [number, Quaternion][] = [
  [0, [1, 0, 0, 0]],
  [10, [0.819152044, 0.549386587, 0.164815976, 0]],
  [25, [0.939692621, 0, -0.305912116, -0.152956058]],
  [40, [0.573576436, 0.160648933, 0, 0.803244665]],
];
const keys = (interpolation: Interpolation): GoalKey[] =>
  TURNS.map(([frame, rotation]) => ({ frame, rotation, interpolation, position: [0, 0, 0], weight: 1, velocity: null, pole: null, enabled: true }));

// What posable.Keys says of the same keys at frames 4, 17 and 31.
const SAID: Partial<Record<Interpolation, Quaternion[]>> = {
  cubic: [[0.940429, 0.318338, 0.119343, 0.003448], [0.907063, 0.391963, -0.051945, -0.144577], [0.938875, 0.019141, -0.316316, 0.134509]],
  monotone: [[0.934324, 0.337022, 0.115983, 0.001418], [0.937709, 0.330846, -0.053349, -0.091635], [0.949593, 0.043352, -0.298976, 0.083712]],
  linear: [[0.970296, 0.231719, 0.069516, 0], [0.944061, 0.314939, -0.059982, -0.077232], [0.931929, 0.077902, -0.212838, 0.28309]],
};

test.each(Object.entries(SAID))("a %s curve turns as the session's", (mode, said) => {
  [4, 17, 31].forEach((frame, index) => {
    rotationAt(keys(mode as Interpolation), frame).forEach((value, k) => expect(value).toBeCloseTo(said[index]![k]!, 5));
  });
});

test("a step stays, and outside the keys nothing turns", () => {
  expect(rotationAt(keys("step"), 24.9)).toEqual(TURNS[1]![1]);
  expect(rotationAt(keys("cubic"), -3)).toEqual(TURNS[0]![1]);
  expect(rotationAt(keys("cubic"), 99)).toEqual(TURNS[3]![1]);
});
