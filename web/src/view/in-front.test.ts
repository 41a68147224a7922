import * as T from "three";
import { expect, test } from "vitest";
import { bulge, keeperOf } from "./in-front";

const EYE = new T.Vector3(0, 1, 50);
const CHEST = { center: new T.Vector3(0, 1, 0), radius: 0.2 };
const at = (x: number, z = -0.05) => new T.Vector3(x, 1, z);

test("a hand led across the chest passes in front of it, under the pointer, and comes back to its depth", () => {
  const keep = keeperOf(EYE, at(-0.6), [CHEST])!;
  const depths = [-0.6, -0.3, -0.1, 0, 0.1, 0.3, 0.6].map((x) => keep(at(x)));
  expect(depths.map((place) => Number(place.z.toFixed(2)))).toEqual([-0.05, -0.05, 0.17, 0.2, 0.17, -0.05, -0.05]);
  for (const [k, x] of [-0.1, 0.1].entries()) {
    const seen = depths[2 + 2 * k]!;
    expect(seen.x / (EYE.z - seen.z)).toBeCloseTo(x / (EYE.z + 0.05), 9);
  }
});

test("it comes nearer by at most twice what it goes aside, and without a leap", () => {
  const keep = keeperOf(EYE, at(-0.6), [CHEST])!;
  const path = Array.from({ length: 601 }, (_, k) => keep(at(-0.6 + 0.001 * k)).z);
  expect(Math.max(...path.slice(1).map((z, k) => Math.abs(z - path[k]!)))).toBeLessThan(0.0021);
  expect(bulge(0.9)).toBeLessThan(bulge(0.89));
});

test("a hand behind the back stays there, one that begins in the body is not thrown out of it, and one before it is left alone", () => {
  expect(keeperOf(EYE, at(-0.6, -0.5), [CHEST])).toBeNull();
  const own = keeperOf(EYE, at(0.05, 0), [CHEST])!;
  expect(own(at(0.05, 0)).z).toBeCloseTo(0, 9);
  expect(keeperOf(EYE, at(-0.6, 0.3), [CHEST])!(at(0, 0.3)).z).toBe(0.3);
});
