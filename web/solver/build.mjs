// Bundles the sources and the module into one file, which needs no other and no network: the module is inside it,
// compressed. The same file is part of the Python package, for the pages that it exports.
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const MOST_BYTES = 300e3; // gzipped
const here = dirname(fileURLToPath(import.meta.url));
const python = join(here, "../../src/posable/browser/static");
const packed = readFileSync(join(python, "solver.wasm.gz"));
const shared = {
  entryPoints: [join(here, "src/index.ts")],
  bundle: true,
  minify: true,
  target: "es2022",
  legalComments: "none",
  define: { PACKED_MODULE: JSON.stringify(packed.toString("base64")) },
};
await build({ ...shared, format: "esm", outfile: join(here, "dist/posable.js") });
await build({ ...shared, format: "iife", globalName: "posable", outfile: join(python, "posable.js") });
copyFileSync(join(here, "../../src/posable/natural/human.npz"), join(here, "dist/natural.npz"));
const size = gzipSync(readFileSync(join(here, "dist/posable.js")), { level: 9 }).length;
console.log(`dist/posable.js takes ${size} bytes gzipped`);
if (size > MOST_BYTES) throw new Error(`the package takes ${size} bytes gzipped, more than ${MOST_BYTES}`);
