// Builds page and viewer into src/posable/studio/static, with licences and build.json beside them.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { sourceHash } from "./sources.mjs";

const MOST_BYTES = 1.9e6;
const web = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(web, "../src/posable/studio/static");

await build({ root: web, logLevel: "warn" });
const alone = (entry, format, name) => ({
  root: web,
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  build: {
    outDir: out, // no source map: almost all of it is three, whose source is public under its version
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: join(web, "src", `${entry}.ts`), formats: [format], name, fileName: () => `${entry}.js` },
  },
});
await build(alone("viewer", "iife", "posableViewer"));
await build(alone("widget", "es"));

const lock = JSON.parse(readFileSync(join(web, "package-lock.json"), "utf8")).packages;
const bundled = ["three", "preact", "@preact/signals", "@preact/signals-core"];
const licences = bundled.map((name) => {
  const folder = join(web, "node_modules", name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${lock[`node_modules/${name}`].version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(out, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));

const versions = Object.fromEntries(bundled.map((name) => [name, lock[`node_modules/${name}`].version]));
writeFileSync(join(out, "build.json"), `${JSON.stringify({ sources: sourceHash(web), versions }, null, 2)}\n`);

const solver = join(web, "../src/posable/browser/static/posable.js"); // which the page fetches when it has shown the figure
const size = [solver, ...readdirSync(out, { recursive: true }).map((name) => join(out, name))]
  .map((name) => statSync(name))
  .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
console.log(`built src/posable/studio/static: ${(size / 1e6).toFixed(2)} MB with the solver`);
if (size > MOST_BYTES) throw new Error(`the page takes ${size} bytes, more than ${MOST_BYTES}`);
