// A plain zip archive (stored, not compressed) of a dropped folder.

export interface Entry {
  path: string;
  bytes: Uint8Array;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

export function zip(entries: readonly Entry[]): Blob {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let listed = 0;
  for (const { path, bytes } of entries) {
    const name = new TextEncoder().encode(path);
    const common = [20, 0x0800, 0, 0, 0x21] as const; // version, UTF-8 names, stored, 1980-01-01 00:00
    const sizes = [crc32(bytes), bytes.length, bytes.length] as const;
    const local = record(0x04034b50, [...common], [...sizes], [name.length, 0]);
    const central = record(0x02014b50, [20, ...common], [...sizes], [name.length, 0, 0, 0, 0], [0, offset]);
    parts.push(local, name, bytes as Uint8Array<ArrayBuffer>);
    directory.push(central, name);
    offset += local.length + name.length + bytes.length;
    listed += central.length + name.length;
  }
  const end = record(0x06054b50, [0, 0, entries.length, entries.length], [listed, offset], [0]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** A signature, then groups of numbers: shorts, longs, shorts, longs. */
function record(signature: number, ...groups: number[][]): Uint8Array<ArrayBuffer> {
  const size = 4 + groups.reduce((sum, group, i) => sum + group.length * (i % 2 ? 4 : 2), 0);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, signature, true);
  let at = 4;
  groups.forEach((group, i) => {
    for (const value of group) {
      if (i % 2) view.setUint32(at, value, true);
      else view.setUint16(at, value, true);
      at += i % 2 ? 4 : 2;
    }
  });
  return new Uint8Array(view.buffer);
}
