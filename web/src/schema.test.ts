import { expect, test } from "vitest";
import { packGoal, unpackClip, unpackPose } from "./schema";
import vectors from "./vectors.json";

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16)).buffer;
const hexOf = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const listed = (value: unknown) => (value instanceof Float32Array ? [...value] : value);

test("goals are packed as the session reads them", () => {
  for (const { hex, ...message } of vectors.goals) expect(hexOf(packGoal(message))).toBe(hex);
});

test("poses are read as the session packs them", () => {
  for (const { hex, ...said } of vectors.poses) {
    const read = Object.fromEntries(Object.entries(unpackPose(bytesOf(hex))).map(([name, value]) => [name, listed(value)]));
    expect(read).toMatchObject(said);
  }
});

test("clips are read as the session packs them", () => {
  for (const { hex, fps, roots, rotations, translations } of vectors.clips) {
    const read = unpackClip(bytesOf(hex));
    const turns = rotations.flat(3).length / read.frames;
    const values = Array.from({ length: read.frames }, (_, frame) => [
      ...roots.flat(3).slice(3 * frame, 3 * frame + 3),
      ...rotations.flat(3).slice(turns * frame, turns * (frame + 1)),
    ]).flat();
    expect(read.fps).toBe(fps);
    expect(4 * read.joints).toBe(turns);
    expect([...read.values]).toEqual(values);
    expect(listed(read.translations)).toEqual(translations?.flat(3) ?? null);
  }
});

test("messages of a wrong length are refused", () => {
  for (const { hex } of vectors.poses) expect(() => unpackPose(bytesOf(hex.slice(0, -2)))).toThrow("length");
  for (const { hex } of vectors.clips) expect(() => unpackClip(bytesOf(hex.slice(0, -8)))).toThrow("length");
});
