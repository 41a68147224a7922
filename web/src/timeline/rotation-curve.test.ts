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

// What posable.Keys says of the same keys at frames 4, 17 and 31, with velocities of 0 at the first and the last.
const SAID: Partial<Record<Interpolation, Quaternion[]>> = {
  cubic: [[0.980594, 0.185078, 0.064436, 0.005354], [0.907063, 0.391963, -0.051945, -0.144577], [0.918129, 0.036027, -0.251442, 0.304168]],
  monotone: [[0.976971, 0.204373, 0.061312, 0.0], [0.937709, 0.330846, -0.053349, -0.091635], [0.938775, 0.060856, -0.227142, 0.251801]],
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
