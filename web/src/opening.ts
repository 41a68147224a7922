// Files opened by drop or by the file dialog: one is uploaded as it is, several or a folder as a zip. For a motion, and
// for a mesh without joints, the page asks what to do.

import { request } from "./access";
import { send } from "./link";
import { playNext } from "./playback";
import { extentOf, inMetres, likely, UNITS } from "./mesh-units";
import { ask, chooseNextProp, COMMAND, document_, menus, tell, underWay } from "./store";
import type { UploadAnswer, UploadUse } from "./schema";
import { zip } from "./zip";
import type { Entry } from "./zip";

export async function openFiles(given: DataTransfer): Promise<void> {
  // All at once: the items are gone after the first wait. What is no entry of a file system is still a file.
  const found = [...given.items].filter((item) => item.kind === "file").map((item) => [item.webkitGetAsEntry(), item.getAsFile()] as const);
  try {
    const files = (await Promise.all(found.map(([entry, file]) => (entry ? walk(entry, "") : file ? [{ path: file.name, file }] : [])))).flat();
    await openAll(files);
  } catch (problem) {
    tell(`The files could not be read: ${(problem as Error).message}`, true);
  }
}

const BESIDE = [".bin", ".mtl", ".png", ".jpg", ".jpeg", ".dae"]; // what such files name

/** use: what becomes of them; by default what they are, or what is asked. */
export async function chooseFiles(use?: UploadUse): Promise<void> {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = [...menus.value.opens, ...BESIDE].join();
  input.addEventListener("change", () => {
    void openAll([...(input.files ?? [])].map((file) => ({ path: file.name, file })), use);
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

const MESH = /\.(obj|stl|ply|off)$/i;
const BESIDE_MESH = /\.(mtl|png|jpe?g)$/i;
const MOTION = /\.(bvh|amc|vrma)$/i;

async function openAll(files: Given[], wanted?: UploadUse): Promise<void> {
  const first = files[0];
  if (!first) return;
  const open: Opener = async (use, fit = false, height = "") => {
    if (files.length === 1) return post(first.path, first.file, use, fit, height);
    const read = async ({ path, file }: Given): Promise<Entry> => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) });
    return post(`${first.path.split("/")[0]!.replace(/(?<=.)\.\w+$/, "")}.zip`, zip(await Promise.all(files.map(read))), use, fit, height);
  };
  const own = files.filter(({ path }) => !BESIDE_MESH.test(path));
  if (own.length === 1 && MESH.test(own[0]!.path)) return askOfMesh(own[0]!, open, wanted);
  if (wanted === "prop") chooseNextProp();
  if (!wanted && (files.some(({ path }) => MOTION.test(path)) || (await isBareMotion(first.file)))) return askOfMotion(first.path, open);
  if (wanted === "companion") return askOfCompanion(first, open);
  const opened = await open(wanted ?? "figure");
  if (opened?.bare) askOfMesh(first, open, wanted);
}

/** fit: whether a mesh without joints gets a skeleton; else the answer says that it is bare. */
type Opener = (use: UploadUse, fit?: boolean, height?: string) => Promise<UploadAnswer | null>;

const USES = {
  figure: ["Add a skeleton", "A fitted skeleton, with the skin bound to it"],
  companion: ["Add a skeleton", "A fitted skeleton, with the skin bound to it: a second figure beside this one"],
  terrain: ["Walk on it", "It becomes the ground under the figure"],
  prop: ["Put it into the scene", "A thing in the scene, where its file has it: to sit on, to hold, to keep off"],
} as const;

/** What becomes of a mesh, and what its file does not say: the unit of its numbers and where its floor is. */
async function askOfMesh(mesh: Given, open: Opener, wanted?: UploadUse): Promise<void> {
  const extent = await extentOf(mesh.file);
  const said = extent && likely(extent);
  const run = async (use: UploadUse) => {
    if (use === "prop") chooseNextProp();
    if (extent && said) mesh.file = await inMetres(mesh.file, extent, said);
    await open(use, true);
  };
  const height = (unit: number) => extent!.high.map((value, axis) => `${Number(((value - extent!.low[axis]!) * unit).toPrecision(3))}`).join(" × ");
  const uses = (Object.keys(USES) as (keyof typeof USES)[]).filter((use) => (wanted ? use === wanted : use !== "companion"));
  ask({
    title: `${mesh.path} has no joints`,
    choices: uses.map((use) => ({ label: USES[use][0], help: USES[use][1], run: () => void run(use) })),
    options: said
      ? [
          { label: "Its unit", value: String(said.unit), choices: UNITS.map(([unit, name]) => [String(unit), `${name}: ${height(unit)} m`] as const), put: (value) => (said.unit = Number(value)) },
          { label: "Its floor", value: String(said.floor), choices: FLOORS, put: (value) => (said.floor = value === "1" ? 1 : value === "2" ? 2 : null) },
        ]
      : [],
  });
}

/** How large a second figure is: files have other units, and giants and children stand beside people. */
function askOfCompanion(file: Given, open: Opener): void {
  let height = "";
  const run = async () => {
    const opened = await open("companion", false, height);
    if (opened?.bare) void askOfMesh(file, open, "companion");
  };
  ask({
    title: `${file.path} beside ${document_.value?.name ?? "this figure"}`,
    choices: [{ label: "Put it there", help: "A second figure with goals of its own; what stands there stays", run: () => void run() }],
    options: [{ label: "Its height", value: height, choices: HEIGHTS, put: (value) => (height = value) }],
  });
}

const HEIGHTS = [
  ["", "as in its file"],
  ["1", "the same as this figure's"],
  ["0.5", "half of this figure's"],
  ["0.75", "three quarters of this figure's"],
  ["1.5", "one and a half times this figure's"],
  ["2", "twice this figure's"],
  ["4", "four times this figure's"],
] as const;

const FLOORS = [
  ["null", "as in the file"],
  ["1", "its lowest point, y up"],
  ["2", "its lowest point, z up"],
] as const;

function askOfMotion(name: string, open: Opener): void {
  const figure = document_.value?.name ?? "this figure";
  ask({
    title: `${name} is a motion`,
    choices: [
      { label: `Retarget it to ${figure}`, help: "The motion of the file on this figure, with planted feet", run: () => void playOnto(open("clip")) },
      { label: "Open it as a figure", help: "The figure of the file, with its motion", run: () => void playMain(open("figure")) },
    ],
  });
}

/** Plays the motion that is being retargeted; cancels where it was refused. */
async function playOnto(opened: Promise<UploadAnswer | null>): Promise<void> {
  const stop = playNext();
  if (!(await opened)) stop();
}

/** Plays the clip that came with a figure. */
async function playMain(opened: Promise<UploadAnswer | null>): Promise<void> {
  const name = (await opened)?.plays;
  if (!name) return;
  playNext();
  send({ op: "clip.choose", name });
}

/** Whether a GLB has animations and no meshes. */
async function isBareMotion(file: File): Promise<boolean> {
  if (!/\.glb$/i.test(file.name)) return false;
  try {
    const head = new DataView(await file.slice(0, 20).arrayBuffer());
    const json = JSON.parse(await file.slice(20, 20 + head.getUint32(12, true)).text()) as { animations?: unknown[]; meshes?: unknown[] };
    return Boolean(json.animations?.length) && !json.meshes?.length;
  } catch {
    return false; // the session says what is wrong with it
  }
}

async function post(name: string, body: Blob, use: UploadUse, fit: boolean, height = ""): Promise<UploadAnswer | null> {
  const headers = { "Content-Type": "application/octet-stream" };
  const sent = request(`api/file?name=${encodeURIComponent(name)}&use=${use}${fit ? "&fit=1" : ""}${height && `&height=${height}`}`, { method: "POST", headers, body });
  const answer = await underWay(use === "clip" ? `retargeting ${name} to ${document_.value?.name ?? "the figure"}` : `opening ${name}`, sent, COMMAND).catch(() => null);
  if (!answer) {
    tell(`${name} could not be sent: it was changed or moved since it was chosen, or the session has ended. Choose it again`, true);
    return null;
  }
  if (answer.ok) return (await answer.json()) as UploadAnswer;
  tell(await problemOf(answer, name), true);
  return null;
}

export async function problemOf(answer: Response, name: string): Promise<string> {
  const text = await answer.text();
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text || `${name} was not taken (${answer.status})`;
  }
}
