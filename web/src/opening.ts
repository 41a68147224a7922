// Files given to the page, by drop or by the file dialog: one goes as it is, several or a folder as a zip.

import { tell, underWay } from "./store";
import { zip } from "./zip";
import type { Entry } from "./zip";

export async function openFiles(given: DataTransfer): Promise<void> {
  // All at once: the items are gone after the first wait. What is no entry of a file system is still a file.
  const found = [...given.items].filter((item) => item.kind === "file").map((item) => [item.webkitGetAsEntry(), item.getAsFile()] as const);
  try {
    const files = (await Promise.all(found.map(([entry, file]) => (entry ? walk(entry, "") : file ? [{ path: file.name, file }] : [])))).flat();
    await openAll(files);
  } catch (problem) {
    tell(`That could not be read: ${(problem as Error).message}`, true);
  }
}

export async function chooseFiles(): Promise<void> {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ".glb,.gltf,.vrm,.vrma,.bvh,.urdf,.xml,.toml,.zip,.usd,.usda,.usdz,.obj,.stl,.asf,.amc,.c3d,.trc,.json,.bin,.png,.jpg,.dae";
  input.addEventListener("change", () => {
    void openAll([...(input.files ?? [])].map((file) => ({ path: file.name, file })));
  });
  input.click();
}

interface Given {
  path: string;
  file: File;
}

async function walk(entry: FileSystemEntry, above: string): Promise<Given[]> {
  const path = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (!some.length) break;
    found.push(...some);
  }
  return (await Promise.all(found.map((inner) => walk(inner, `${path}/`)))).flat();
}

async function openAll(files: Given[]): Promise<void> {
  const first = files[0];
  if (!first) return;
  if (files.length === 1) return post(first.path, first.file);
  const read = async ({ path, file }: Given): Promise<Entry> => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) });
  await post(`${first.path.split("/")[0]}.zip`, zip(await Promise.all(files.map(read))));
}

async function post(name: string, body: Blob): Promise<void> {
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await underWay(`opening ${name}`, fetch(`api/file?name=${encodeURIComponent(name)}`, { method: "POST", headers, body }));
  if (!answer.ok) tell(await problemOf(answer, name), true);
}

export async function problemOf(answer: Response, name: string): Promise<string> {
  const text = await answer.text();
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text || `${name} was not taken (${answer.status})`;
  }
}
