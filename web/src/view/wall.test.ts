import { expect, it } from "vitest";
import { cellFor, lengthText } from "./wall";

it("has lines that are ten to a hundred pixels apart, at lengths that people say", () => {
  for (let pixel = 1e-6; pixel < 1e3; pixel *= 1.07) {
    const cell = cellFor(pixel);
    expect(cell / pixel).toBeGreaterThanOrEqual(10 - 1e-6);
    expect(cell / pixel).toBeLessThan(100);
    expect(Math.abs(Math.log10(cell) - Math.round(Math.log10(cell)))).toBeLessThan(1e-9);
  }
  expect(cellFor(0.001)).toBeCloseTo(0.01);
  expect([0.001, 0.01, 0.1, 1, 10, 100, 1000].map(lengthText)).toEqual(["1 mm", "1 cm", "10 cm", "1 m", "10 m", "100 m", "1 km"]);
});
