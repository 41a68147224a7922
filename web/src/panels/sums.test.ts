import { expect, test } from "vitest";
import { numberOf } from "./sums";

test.each([
  ["1.5", 1.5], ["1,5", 1.5], [" -0.25 ", -0.25], ["1e-3", 1e-3], [".5", 0.5],
  ["1 + 2 * 3", 7], ["(1 + 2) * 3", 9], ["-(2 - 5)", 3], ["7/2", 3.5], ["2 - -1", 3],
  ["12cm", 0.12], ["0.5 + 12cm", 0.62], ["(1 + 2) mm", 0.003], ["1ft", 0.3048], ["50 %", 0.5],
  ["+= 0.1", 2.1], ["-= 50cm", 1.5], ["*2", 4], ["/4", 0.5], ["*= 1 + 1", 4],
])("%s in metres", (text, wanted) => expect(numberOf(text, "m", 2)).toBeCloseTo(wanted, 12));

test.each([["90°", 90], ["3.14159265358979 rad", 180], ["0.25 turn", 90], ["45 deg + 5", 50]])("%s in degrees", (text, wanted) =>
  expect(numberOf(text, "degrees", 0)).toBeCloseTo(wanted, 9),
);

test.each(["", "  ", "abc", "1 +", "(1", "1)", "1 2", "1/0", "/0", "3 parsecs", "90°", "1..2", "--", "alert(1)"])("%s says no length", (text) =>
  expect(numberOf(text, "m", 2)).toBeNull(),
);
