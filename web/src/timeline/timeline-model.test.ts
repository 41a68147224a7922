import { describe, expect, test } from "vitest";
import type { StudioGoal, GoalKey } from "../schema";
import * as m from "./timeline-model";

const key = (frame: number, x = 0, interpolation: GoalKey["interpolation"] = "cubic"): GoalKey => ({
  frame,
  position: [x, 0, 0],
  rotation: [1, 0, 0, 0],
  weight: 1,
  interpolation,
  velocity: null,
  pole: null,
  enabled: true,
});

const goal = (name: string, frames: number[]): StudioGoal => ({
  name,
  joint: name,
  kind: "place",
  position: [0, 0, 0],
  rotation: [1, 0, 0, 0],
  weight: 1,
  rotation_weight: 0,
  enabled: true,
  pinned: false,
  pole: null,
  relative_to: null,
  loose: false, lifts_above: null, method: "LeastSquares",
  keys: frames.map((frame) => key(frame)),
});

test("a key may leave the pole to those about it", () => {
  const keys = [{ ...key(0), pole: [1, 2, 3] as const }, key(5), { ...key(10), pole: [1, 4, 3] as const }].map((one) => one as GoalKey);
  expect(m.holding(keys, "pole y").map((one) => one.frame)).toEqual([0, 10]);
  expect(m.holding(keys, "y")).toHaveLength(3);
  expect(m.curveAt(m.holding(keys, "pole y"), "pole y", 5, 30)).toBeCloseTo(3, 12);
  expect(m.rowsOf([{ ...goal("arm", []), keys }])[1]!.keys.map((one) => one.pole)).toEqual([true, false, true]);
});

const GOALS = [goal("hand_l", [0, 10, 20]), goal("foot r", [10, 30])];
const SPAN = { first: -5, scale: 4 };
const ids = (...names: [string, number][]) => new Set(names.map(([name, frame]) => m.idOf(name, frame)));

describe("frames and pixels", () => {
  test("there and back", () => {
    for (const frame of [-3, 0, 7.25, 120]) expect(m.frameAt(SPAN, m.xOf(SPAN, frame))).toBeCloseTo(frame, 12);
  });
  test("zooming keeps the frame under the mouse", () => {
    for (const factor of [0.01, 0.5, 2, 1e4]) {
      const span = m.zoomed(SPAN, 123, factor);
      expect(m.frameAt(span, 123)).toBeCloseTo(m.frameAt(SPAN, 123), 9);
      expect(span.scale).toBeGreaterThanOrEqual(0.05);
      expect(span.scale).toBeLessThanOrEqual(60);
    }
  });
  test("ticks are whole frames, apart enough to read", () => {
    for (const scale of [0.06, 0.7, 3, 9, 60]) {
      const { step, frames } = m.ticks({ first: 3, scale }, 900);
      expect(Number.isInteger(step)).toBe(true);
      expect(step * scale).toBeGreaterThanOrEqual(56);
      for (const frame of frames) expect(frame % step).toBe(0);
    }
  });
});

describe("choosing", () => {
  const rows = m.rowsOf(GOALS);
  test("the summary has one key a column, which stands for all its keys", () => {
    expect(rows[0]!.keys.map((entry) => entry.frame)).toEqual([0, 10, 20, 30]);
    expect(new Set(rows[0]!.keys[1]!.ids)).toEqual(ids(["hand_l", 10], ["foot r", 10]));
  });
  test("names with blanks come back from their ids", () => {
    expect(m.nameOf(m.idOf("foot r", 30))).toEqual(["foot r", 30]);
  });
  test("a click hits the nearest key in reach", () => {
    expect(m.hit(rows[1], SPAN, m.xOf(SPAN, 10) + 6)).toEqual([m.idOf("hand_l", 10)]);
    expect(m.hit(rows[1], SPAN, m.xOf(SPAN, 15))).toEqual([]);
  });
  test("a box takes the rows and frames inside, whichever way it was drawn", () => {
    const from: [number, number] = [m.xOf(SPAN, 25), 2];
    const to: [number, number] = [m.xOf(SPAN, 5), 1];
    expect(m.boxed(rows, SPAN, from, to)).toEqual(ids(["hand_l", 10], ["hand_l", 20], ["foot r", 10]));
  });
  test("a click on one chosen key keeps all, elsewhere it starts anew, with Ctrl it toggles", () => {
    const chosen = ids(["hand_l", 0], ["hand_l", 10]);
    const [one] = ids(["hand_l", 0]);
    expect(m.clicked(chosen, [one!], false)).toEqual(chosen);
    expect(m.clicked(chosen, [], false)).toEqual(new Set());
    expect(m.clicked(chosen, [one!], true)).toEqual(ids(["hand_l", 10]));
    expect(m.clicked(chosen, [...ids(["foot r", 10])], true).size).toBe(3);
  });
});

describe("moving", () => {
  test("no key goes below frame 0", () => {
    expect(m.allowedMove(GOALS, ids(["hand_l", 10], ["foot r", 30]), -50, false)).toBe(-10);
  });
  test("ripple takes all later keys of the same goals and stops before the one behind", () => {
    const chosen = ids(["hand_l", 10]);
    expect(m.moving(GOALS, chosen, true)).toEqual(ids(["hand_l", 10], ["hand_l", 20]));
    expect(m.allowedMove(GOALS, chosen, -50, true)).toBe(-9);
  });
  test("the choice moves with its keys and forgets what is gone", () => {
    expect(m.movedBy(ids(["hand_l", 10]), 5)).toEqual(ids(["hand_l", 15]));
    expect(m.existing(GOALS, ids(["hand_l", 10], ["hand_l", 11]))).toEqual(ids(["hand_l", 10]));
  });
  test("key before and after", () => {
    expect(m.neighbourKey(GOALS, 10, 1)).toBe(20);
    expect(m.neighbourKey(GOALS, 10, -1)).toBe(0);
    expect(m.neighbourKey(GOALS, 30, 1)).toBeNull();
  });
});

describe("curves", () => {
  test("a cubic through points of a parabola is that parabola inside", () => {
    const keys = [0, 10, 25, 40].map((frame) => key(frame, 0.01 * frame * frame));
    for (const frame of [12, 17.5, 24]) expect(m.curveAt(keys, "x", frame, 30)).toBeCloseTo(0.01 * frame * frame, 9);
  });
  test("the first and the last key are eased into and out of, and have no slope of their own", () => {
    for (const mode of ["cubic", "monotone"] as const) {
      const keys = [key(0, 0, mode), key(10, 1, mode)];
      for (const u of [0.1, 0.5, 0.9]) expect(m.curveAt(keys, "x", 10 * u, 30)).toBeCloseTo(u * u * (3 - 2 * u), 12);
    }
  });
  test("monotone never overshoots, linear and step do as they say", () => {
    const steep = [key(0, 0, "monotone"), key(10, 1, "monotone"), key(20, 1, "monotone"), key(30, 0, "monotone")];
    for (let frame = 0; frame <= 30; frame += 0.5) {
      const value = m.curveAt(steep, "x", frame, 30);
      expect(value).toBeGreaterThanOrEqual(-1e-12);
      expect(value).toBeLessThanOrEqual(1 + 1e-12);
    }
    expect(m.curveAt([key(0, 0, "linear"), key(10, 1)], "x", 3, 30)).toBeCloseTo(0.3, 12);
    expect(m.curveAt([key(0, 2, "step"), key(10, 1)], "x", 9.9, 30)).toBe(2);
  });
  test("a handle sets the slope, in units per second", () => {
    const keys = [key(0, 0), key(10, 1)];
    keys[0]!.velocity = [6, 0, 0];
    const h = 1e-4;
    expect(m.curveAt(keys, "x", h, 30) / h).toBeCloseTo(6 / 30, 3);
  });
  test("the range of values holds all keys and is never flat", () => {
    const [low, high] = m.valueRange([key(0, 3), key(5, 3)], ["x"]);
    expect(low).toBeLessThan(3);
    expect(high).toBeGreaterThan(3);
  });
  test("a frame is brought into the picture, by as little as that takes", () => {
    const span = { first: 0, scale: 10 };
    expect(m.brought(span, 30, 500)).toBe(span);
    for (const frame of [-40, 70, 1e6]) {
      const x = m.xOf(m.brought(span, frame, 500), frame);
      expect([16, 484]).toContainEqual(expect.closeTo(x, 4));
    }
  });
});
