import { expect, test } from "vitest";
import { startOf } from "./grounds";

test("stairs are as high as the figure's legs ask", () => {
  const stairs = { kind: "stairs", rise: 0.17, run: 0.3, count: 6 };
  expect(startOf("stairs", 1.75)).toEqual(stairs);
  expect(startOf("stairs", 1.2)).toEqual(stairs); // a small person
  expect(startOf("stairs", 4.6)).toEqual({ ...stairs, rise: 0.51, run: 0.9 });
  expect(startOf("bumps", 78)).toEqual({ kind: "bumps", height: 3.2, size: 32, seed: 1 }); // a fox in centimetres
  expect(startOf("slope", 78)).toEqual({ kind: "slope", degrees: 10 });
});
