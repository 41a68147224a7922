// The hash that says which sources the built page comes from: SHA-256 over, for each file in the order of its path (as
// UTF-8, "/" between folders, relative to web/), the path, a zero byte, the file's bytes, a zero byte. The files are all
// below src/ and public/, and index.html, package-lock.json, vite.config.ts.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function sourceHash(web) {
  const below = (folder) =>
    readdirSync(join(web, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(web.length + 1).replaceAll("\\", "/"));
  const paths = [...below("src"), ...below("public"), "index.html", "package-lock.json", "vite.config.ts"];
  const hash = createHash("sha256");
  for (const path of paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    hash.update(path).update("\0").update(readFileSync(join(web, path))).update("\0");
  }
  return hash.digest("hex");
}
