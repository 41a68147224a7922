// Exports: the session writes the file, the browser downloads it. Pictures and films are asked about first.

import { request } from "./access";
import { problemOf } from "./opening";
import { clip, dialog, document_, exporting, sayOver, tell, terrainMesh, underWay } from "./store";
import { alongNow, cameraNow } from "./view/looking";

export interface Shot {
  width: number;
  height: number;
  bones: boolean;
  asSeen: boolean; // else a camera that has all of the motion in the picture
}

/** Whether it is a picture or a film, which has a camera and a size. */
export const isDrawn = (kind: string): boolean => ["png", "mp4", "gif"].includes(kind);

export function askOfExport(kind: string): void {
  if (!isDrawn(kind)) return void download(kind);
  exporting.value = kind;
  dialog.value = "export";
}

let count = 0;

export async function download(kind: string, shot?: Shot): Promise<void> {
  const job = `${Date.now()}-${++count}`;
  const stop = new AbortController();
  const words = new URLSearchParams(shot ? { job, width: `${shot.width}`, height: `${shot.height}`, bones: shot.bones ? "1" : "0" } : {});
  if (shot?.asSeen) for (const [name, value] of Object.entries(cameraNow())) words.set(name, value);
  const along = shot?.asSeen && kind !== "png" && alongNow();
  if (along) words.set("along", along);
  try {
    const asked = request(`api/export/${kind}?${words}`, { signal: stop.signal });
    const answer = await underWay(`making the ${ending(kind)} file`, asked, job, shot && { cancel: () => stop.abort(), doing: "working out what is seen", ...(kind !== "png" && { frames: framesOfMotion() }) });
    if (!answer.ok) return tell(await problemOf(answer, kind), true);
    const address = URL.createObjectURL(await answer.blob());
    const link = document.createElement("a");
    link.href = address;
    link.download = nameIn(answer.headers.get("Content-Disposition")) ?? `figure.${kind}`;
    link.click();
    const ground = kind === "glb" && terrainMesh.value ? "; the ground is a file of its own (File › Export the ground)" : "";
    tell(`${link.download} is in your downloads${ground}`);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch (problem) {
    if (stop.signal.aborted) {
      tell("The export was cancelled");
      sayOver(`the ${ending(kind)} file: cancelled`);
    } else tell(`The export failed: ${(problem as Error).message}`, true);
  }
}

function framesOfMotion(): number {
  const [first, last] = document_.value?.range ?? [0, 0];
  return clip.value?.frames ?? last - first + 1;
}

/** The file ending in capitals. */
export function ending(kind: string): string {
  return kind === "ground" ? "GLB" : kind.toUpperCase();
}

function nameIn(disposition: string | null): string | null {
  const said = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? "")?.[1];
  return said ? decodeURIComponent(said) : null;
}
