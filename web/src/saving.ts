// Exports: the session writes the file, the browser downloads it.

import { request } from "./access";
import { problemOf } from "./opening";
import { tell, terrainMesh, underWay } from "./store";

export async function download(kind: string): Promise<void> {
  try {
    const answer = await underWay(`making the ${ending(kind)} file`, request(`api/export/${kind}`));
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
    tell(`The export failed: ${(problem as Error).message}`, true);
  }
}

/** The file ending in capitals. */
export function ending(kind: string): string {
  return kind === "ground" ? "GLB" : kind.toUpperCase();
}

function nameIn(disposition: string | null): string | null {
  const said = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? "")?.[1];
  return said ? decodeURIComponent(said) : null;
}
