// The ground under the feet.

import { send } from "../link";
import { chooseFiles } from "../opening";
import type { Terrain } from "../schema";
import * as s from "../store";
import { Choice, Slider } from "./fields";
import { GROUNDS, groundScale, LENGTHS, startOf } from "./grounds";
import type { Made } from "./grounds";

const RANGES: Record<string, [low: number, high: number, help: string]> = {
  height: [-1, 1, "in the figure's unit, mostly metres"],
  degrees: [-35, 35, "uphill above 0"],
  rise: [0.02, 0.4, "height of a step"],
  run: [0.15, 1, "depth of a step"],
  count: [1, 30, "how many steps"],
  size: [0.2, 4, "from bump to bump"],
  seed: [0, 20, "another number is other bumps"],
};

export function TerrainPanel() {
  const terrain = s.document_.value?.terrain ?? startOf("none", 1);
  const choose = (kind: string) => {
    if (kind === "mesh") void chooseFiles("terrain");
    else send({ op: "terrain.set", terrain: startOf(kind as Made, s.size.value) });
  };
  const numbers = Object.entries(terrain).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return (
    <>
      <Choice label="Ground" value={terrain.kind} options={[...GROUNDS, ["mesh", "own mesh…"]]} onChange={choose} />
      {terrain.kind === "mesh" && <p class="hint">{terrain.name}</p>}
      {numbers.map(([name, value]) => {
        const [low, high, help] = RANGES[name] ?? [0, 1, ""];
        const scale = LENGTHS.has(name) ? groundScale(s.size.value) : 1;
        const whole = name === "count" || name === "seed";
        const command = (to: number) => ({ op: "terrain.set", terrain: { ...terrain, [name]: whole ? Math.round(to) : to } as Terrain }) as const;
        return <Slider label={name} help={help} value={value} low={scale * low} high={scale * high} digits={whole ? 0 : 2} command={command} />;
      })}
    </>
  );
}
