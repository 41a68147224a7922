// Kinds of ground to walk on, and how each begins: for a person in metres, for others in proportion to their height.

import type { Terrain } from "../schema";

export type Made = Exclude<Terrain["kind"], "mesh">;

const STARTS: Record<Made, Terrain> = {
  none: { kind: "none" },
  plane: { kind: "plane", height: 0 },
  slope: { kind: "slope", degrees: 10 },
  stairs: { kind: "stairs", rise: 0.17, run: 0.3, count: 6 },
  bumps: { kind: "bumps", height: 0.08, size: 0.8, seed: 1 },
};

/** What is a length, in the file's unit. */
export const LENGTHS = new Set(["height", "rise", "run", "size"]);
const PERSON = 1.75; // metres: the height of a person who walks on what stands above
const ALIKE = 1.5; // a figure up to so many times as high or as low walks on the same

/** How many times as large as a person's a figure's ground is: one digit. */
export function groundScale(height: number): number {
  const times = height / PERSON;
  return !(times > 0) || (times < ALIKE && times > 1 / ALIKE) ? 1 : Number(times.toPrecision(1));
}

/** The ground of a kind as it begins under a figure of this height. */
export function startOf(kind: Made, height: number): Terrain {
  const scale = groundScale(height);
  const sized = Object.entries(STARTS[kind]).map(([name, value]) => [name, LENGTHS.has(name) ? Number((scale * (value as number)).toPrecision(3)) : value]);
  return Object.fromEntries(sized) as Terrain;
}

export const GROUNDS: readonly (readonly [kind: Made, name: string])[] = [
  ["none", "none"],
  ["plane", "flat"],
  ["slope", "slope"],
  ["stairs", "stairs"],
  ["bumps", "bumps"],
];
