// The network that proposes natural poses, read from the file of the Python package: an npz, a zip of arrays.
import { type Doubles, kernels, type Singles } from "./kernels";

/** Its arrays in the module's memory, as kernels read them. */
export interface Network {
  weights: Singles;
  numbers: Doubles;
  /** Of every segment how far people turn it in its parent's frame, in radians. */
  spread: readonly number[];
  /** Numbers that it is told, of a hidden layer, and that it answers with. */
  sizes: readonly [number, number, number];
}

const WEIGHTS = ["first", "first_bias", "second", "second_bias", "last", "last_bias"] as const;
const NUMBERS = ["measures", "mean", "spread", "relaxed"] as const;

let loaded: Network | null = null;

/** The network, which `loadNatural` has made ready. */
export function network(): Network {
  if (loaded === null) throw new Error("posable: await loadNatural(bytes of natural.npz) before a goal natural() is prepared");
  return loaded;
}

/** Make natural poses ready, after `load`: what was learnt of people, the file natural.npz beside this one. */
export async function loadNatural(file: ArrayBuffer | Uint8Array): Promise<void> {
  if (loaded !== null) return;
  const arrays = await readArrays(file instanceof Uint8Array ? file : new Uint8Array(file));
  const every = (names: readonly string[]) => names.flatMap((name) => Array.from(arrays.get(name)!.values));
  const own = kernels();
  const [told, hidden] = arrays.get("first")!.shape;
  const weights = own.singles(every(WEIGHTS)), numbers = own.doubles(every(NUMBERS));
  loaded ??= { weights, numbers, spread: Array.from(arrays.get("spread")!.values), sizes: [told, hidden, arrays.get("last_bias")!.shape[0]] };
}

interface Table {
  shape: number[];
  values: ArrayLike<number>;
}

/** The arrays of an npz by their names. */
async function readArrays(bytes: Uint8Array): Promise<Map<string, Table>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("posable: loadNatural takes the bytes of natural.npz, and these are not a zip file");
  const found = new Map<string, Table>();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const [name, extra, comment] = [28, 30, 32].map((k) => view.getUint16(at + k, true));
    const local = view.getUint32(at + 42, true);
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = bytes.slice(begin, begin + size);
    const stream = () => new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const content = method === 0 ? packed : new Uint8Array(await new Response(stream()).arrayBuffer());
    const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
    found.set(path.replace(/\.npy$/, ""), readTable(content));
    at += 46 + name + extra + comment;
  }
  return found;
}

/** An npy: a line of text about it, and little-endian numbers. */
function readTable(bytes: Uint8Array): Table {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = 10 + view.getUint16(8, true);
  const text = new TextDecoder().decode(bytes.subarray(10, begin));
  const [, size] = /'<f(\d)'/.exec(text)!, [, sides] = /\(([^)]*)\)/.exec(text)!;
  const shape = sides.split(",").filter((one) => one.trim()).map(Number);
  const length = shape.reduce((product, one) => product * one, 1);
  const read = { "2": half, "4": (from: DataView, k: number) => from.getFloat32(k, true), "8": (from: DataView, k: number) => from.getFloat64(k, true) }[size]!;
  return { shape, values: Float64Array.from({ length }, (_, k) => read(view, begin + Number(size) * k)) };
}

/** A number of 16 bits. */
function half(view: DataView, at: number): number {
  const bits = view.getUint16(at, true), exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
  return bits & 0x8000 ? -size : size;
}
