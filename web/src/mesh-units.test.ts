import { expect, test } from "vitest";
import { extentOf, inMetres, likely } from "./mesh-units";

const OBJ = "# a box\nv -1 -9 0.5 1 0 0\nvt 0.5 0.5\nvn 0 1 0\nv 1 9 -0.5\nf 1/1 2/1 1/1\n";

test("an OBJ is scaled and put on the floor, and all else in it stays", async () => {
  const file = new File([OBJ], "box.obj");
  const extent = (await extentOf(file))!;
  expect(extent).toEqual({ low: [-1, -9, -0.5], high: [1, 9, 0.5] });
  expect(likely(extent)).toEqual({ unit: 0.1, floor: 1 });
  const text = await (await inMetres(file, extent, { unit: 0.1, floor: 1 })).text();
  expect(text).toBe("# a box\nv -0.1 0 0.05 1 0 0\nvt 0.5 0.5\nvn 0 1 0\nv 0.1 1.8 -0.05\nf 1/1 2/1 1/1\n");
});

test("a binary STL is scaled", async () => {
  const bytes = new ArrayBuffer(134);
  const view = new DataView(bytes);
  view.setUint32(80, 1, true);
  [1, 2, 3, 4, 5, 6, 7, 8, 9].forEach((value, k) => view.setFloat32(96 + 4 * k, value, true));
  const file = new File([bytes], "one.stl");
  const extent = (await extentOf(file))!;
  expect(extent).toEqual({ low: [1, 2, 3], high: [7, 8, 9] });
  const made = new DataView(await (await inMetres(file, extent, { unit: 0.01, floor: 2 })).arrayBuffer());
  expect(made.getFloat32(96 + 8, true)).toBe(0);
  expect(made.getFloat32(96 + 24, true)).toBeCloseTo(0.07);
});

test("what is as large as a person counts as metres, what is no mesh is left alone", async () => {
  expect(likely({ low: [0, 0, 0], high: [1, 1.9, 0.4] })).toEqual({ unit: 1, floor: null });
  expect(await extentOf(new File(["x"], "picture.png"))).toBeNull();
});
