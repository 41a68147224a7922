// The WebAssembly module: its exports, and the memory that it shares with JavaScript.

declare const PACKED_MODULE: string; // gzipped, base64; written here by build.mjs

type Word = "i64" | "f64" | "f32" | "u16";
const SIZES = { i64: 8, f64: 8, f32: 4, u16: 2 } as const;
type View<W extends Word> = W extends "i64" ? BigInt64Array : W extends "f64" ? Float64Array : W extends "f32" ? Float32Array : Uint16Array;

/** An array in the module's memory. */
export class Block<W extends Word> {
  constructor(private readonly kernels: Kernels, readonly word: W, readonly pointer: number, readonly length: number) {}

  private seen: ArrayBufferView | null = null;

  /** The numbers; a view made before the memory grew is replaced. */
  get view(): View<W> {
    const { buffer } = this.kernels.memory;
    if (this.seen === null || this.seen.buffer !== buffer) {
      const kind = { i64: BigInt64Array, f64: Float64Array, f32: Float32Array, u16: Uint16Array }[this.word];
      this.seen = new kind(buffer, this.pointer, this.length);
    }
    return this.seen as View<W>;
  }

  free(): void {
    this.kernels.release(this.pointer, this.length * SIZES[this.word]);
  }
}

export type Doubles = Block<"f64">;
export type Wholes = Block<"i64">;
export type Singles = Block<"f32">;

const LINE = 64;
const PAGE = 65536;

/** The module, once it is compiled. */
export class Kernels {
  readonly memory: WebAssembly.Memory;
  private readonly exported: Record<string, (...values: number[]) => number>;
  private readonly free = new Map<number, number[]>();
  private top: number;

  constructor(instance: WebAssembly.Instance) {
    this.memory = instance.exports.memory as WebAssembly.Memory;
    this.exported = instance.exports as unknown as Record<string, (...values: number[]) => number>;
    this.top = line((instance.exports.__heap_base as WebAssembly.Global).value as number);
    this.exported._initialize?.();
  }

  /** Memory for `length` numbers, zeroed. */
  block<W extends Word>(word: W, length: number): Block<W> {
    const bytes = line(Math.max(length, 1) * SIZES[word]);
    const again = this.free.get(bytes)?.pop();
    const pointer = again ?? this.top;
    if (again === undefined) {
      this.top += bytes;
      const missing = this.top - this.memory.buffer.byteLength;
      if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    }
    new Uint8Array(this.memory.buffer, pointer, bytes).fill(0);
    return new Block(this, word, pointer, length);
  }

  doubles(values: ArrayLike<number>): Doubles {
    const block = this.block("f64", values.length);
    block.view.set(values);
    return block;
  }

  singles(values: ArrayLike<number>): Singles {
    const block = this.block("f32", values.length);
    block.view.set(values);
    return block;
  }

  wholes(values: ArrayLike<number>): Wholes {
    const block = this.block("i64", values.length);
    const view = block.view;
    for (let i = 0; i < values.length; i++) view[i] = BigInt(values[i]);
    return block;
  }

  release(pointer: number, bytes: number): void {
    const size = line(Math.max(bytes, 1));
    this.free.set(size, [...(this.free.get(size) ?? []), pointer]);
  }

  /** One of the exports, of whole arrays. */
  run(name: string, ...blocks: Block<Word>[]): number {
    const flat: number[] = [];
    for (const block of blocks) flat.push(block.pointer, block.length);
    return this.exported[name](...flat);
  }
}

function line(bytes: number): number {
  return Math.ceil(bytes / LINE) * LINE;
}

let loaded: Kernels | null = null;

/** The module, which `load` has made ready. */
export function kernels(): Kernels {
  if (loaded === null) throw new Error("posable: await load() before anything else");
  return loaded;
}

/** Make the solver ready; everything else needs it, and it needs nothing: the module is part of this file. */
export async function load(): Promise<void> {
  if (loaded !== null) return;
  const packed = Uint8Array.from(atob(PACKED_MODULE), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { instance } = await WebAssembly.instantiate(await new Response(stream).arrayBuffer(), {});
  loaded ??= new Kernels(instance);
}
