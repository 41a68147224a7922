// Kinds of ground to walk on, and how each begins.

import type { Terrain } from "../schema";

export type Made = Exclude<Terrain["kind"], "mesh">;

export const STARTS: Record<Made, Terrain> = {
  none: { kind: "none" },
  plane: { kind: "plane", height: 0 },
  slope: { kind: "slope", degrees: 10 },
  stairs: { kind: "stairs", rise: 0.17, run: 0.3, count: 6 },
  bumps: { kind: "bumps", height: 0.08, size: 0.8, seed: 1 },
};

export const GROUNDS: readonly (readonly [kind: Made, name: string])[] = [
  ["none", "none"],
  ["plane", "flat"],
  ["slope", "slope"],
  ["stairs", "stairs"],
  ["bumps", "bumps"],
];
