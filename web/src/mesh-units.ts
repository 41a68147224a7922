// A mesh file states no unit and no floor: what the person says of them is written into its numbers before it is sent.

import type { Vector } from "./schema";

export interface Extent {
  low: Vector;
  high: Vector;
}

export interface Said {
  /** Metres for one of the file's units. */
  unit: number;
  /** The axis along which the mesh is moved so that its lowest point is at 0; null leaves it. */
  floor: 1 | 2 | null;
}

export const UNITS: readonly (readonly [metres: number, name: string])[] = [
  [1, "metres"],
  [0.1, "decimetres"],
  [0.01, "centimetres"],
  [0.001, "millimetres"],
  [0.3048, "feet"],
  [0.0254, "inches"],
];

const PERSON = 1.7; // metres
const POINT = /^([ \t]*v[ \t]+)(\S+)([ \t]+)(\S+)([ \t]+)(\S+)/gm;
const CORNER = /(\bvertex\s+)(\S+)(\s+)(\S+)(\s+)(\S+)/g;
const HEAD = 84; // bytes of a binary STL before its triangles, of 50 bytes each
const TRIANGLE = 50;

type Change = (point: Vector) => Vector;

/** The file with all its points changed, or null where it is neither OBJ nor STL. */
async function changed(file: File, change: Change): Promise<Blob | null> {
  if (/\.obj$/i.test(file.name)) return new Blob([inText(await file.text(), POINT, change)]);
  if (!/\.stl$/i.test(file.name)) return null;
  const bytes = await file.arrayBuffer();
  const view = new DataView(bytes);
  const count = bytes.byteLength >= HEAD ? view.getUint32(80, true) : -1;
  if (HEAD + TRIANGLE * count !== bytes.byteLength) return new Blob([inText(await file.text(), CORNER, change)]);
  for (let triangle = 0; triangle < count; triangle++) {
    for (let at = HEAD + TRIANGLE * triangle + 12; at < HEAD + TRIANGLE * triangle + 48; at += 12) {
      const point = change([view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true)]);
      point.forEach((value, axis) => view.setFloat32(at + 4 * axis, value, true));
    }
  }
  return new Blob([bytes]);
}

function inText(text: string, pattern: RegExp, change: Change): string {
  return text.replace(pattern, (_whole, start: string, x: string, gap: string, y: string, space: string, z: string) => {
    const [a, b, c] = change([Number(x), Number(y), Number(z)]);
    return `${start}${a}${gap}${b}${space}${c}`;
  });
}

/** How large a mesh is in its own unit; null where that cannot be seen. */
export async function extentOf(file: File): Promise<Extent | null> {
  const low: Vector = [Infinity, Infinity, Infinity];
  const high: Vector = [-Infinity, -Infinity, -Infinity];
  await changed(file, (point) => {
    point.forEach((value, axis) => {
      low[axis] = Math.min(low[axis]!, value);
      high[axis] = Math.max(high[axis]!, value);
    });
    return point;
  });
  return [...low, ...high].every(Number.isFinite) ? { low, high } : null;
}

/** What is put before the person: of the units the one in which the mesh is most like a person, and the floor as it is. */
export function likely({ low, high }: Extent): Said {
  const size = Math.max(...high.map((value, axis) => value - low[axis]!));
  const off = (metres: number) => Math.abs(Math.log((metres * size) / PERSON));
  const [best] = [...UNITS].sort(([a], [b]) => off(a) - off(b))[0]!;
  const unit = off(1) < Math.log(3) ? 1 : best;
  return { unit, floor: Math.abs(low[1]) > 0.02 * size && Math.abs(low[2]) > 0.02 * size ? 1 : null };
}

/** The file in metres, on the floor. */
export async function inMetres(file: File, extent: Extent, { unit, floor }: Said): Promise<File> {
  if (unit === 1 && floor === null) return file;
  const lift: Vector = [0, 0, 0];
  if (floor !== null) lift[floor] = -extent.low[floor];
  const round = (value: number) => Number((unit * value).toPrecision(9));
  const body = await changed(file, ([x, y, z]) => [round(x + lift[0]), round(y + lift[1]), round(z + lift[2])]);
  return body ? new File([body], file.name) : file;
}
