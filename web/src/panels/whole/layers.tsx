// Layers of keys: each counts by its weight over the clip and over those below it.

import { send } from "../../link";
import type { KeyLayer } from "../../schema";
import * as s from "../../store";
import { Slider } from "../fields";
import { Icon } from "../icons";

export const title = "Layers of keys";

export function Panel() {
  const document = s.document_.value;
  if (!document) return null;
  const { layers, clip } = document;
  return (
    <>
      <ul class="key-layers" aria-label="Layers, the highest first">
        {layers.map((layer, k) => <Entry key={layer.name} layer={layer} isBase={k === 0 && clip === null} />).reverse()}
      </ul>
      <div class="line">
        <button type="button" class="plain" title="Its keys go over all that plays below it, by its weight" onClick={() => send({ op: "layer.add" })}>Add a layer</button>
        <button type="button" class="plain" title="One clip of all that plays; the keys are in it then" onClick={() => send({ op: "clip.bake" })}>Bake all</button>
      </div>
    </>
  );
}

function Entry({ layer: { name, weight, on }, isBase }: { layer: KeyLayer; isBase: boolean }) {
  const isEdited = s.document_.value?.edited_layer === name, isAlone = s.document_.value?.layers.length === 1;
  const rename = (event: FocusEvent & { currentTarget: HTMLInputElement }) => {
    const wanted = event.currentTarget.value.trim();
    if (wanted && wanted !== name) send({ op: "layer.set", name, rename: wanted });
    else event.currentTarget.value = name;
  };
  const leave = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key === "Escape") event.currentTarget.value = name;
    if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
    event.stopPropagation();
  };
  return (
    <li class={isEdited ? "edited" : ""}>
      <div class="line">
        <label class="tick" title="Whether its keys count">
          <input type="checkbox" checked={on} aria-label={`${name} counts`} onChange={() => send({ op: "layer.set", name, on: !on })} />
        </label>
        <input type="text" class="layer-name" value={name} aria-label={`Name of the layer ${name}`} onBlur={rename} onKeyDown={leave} />
        <button type="button" class="toggle" aria-pressed={isEdited} title="Keys are shown and set in this layer" onClick={() => send({ op: "layer.choose", name })}>Edit</button>
        <button type="button" class="small" aria-label={`Move ${name} up`} title="Over the next layer" onClick={() => send({ op: "layer.move", name, by: 1 })}><Icon name="up" /></button>
        <button type="button" class="small" aria-label={`Remove ${name}`} disabled={isAlone} onClick={() => send({ op: "layer.remove", name })}><Icon name="close" /></button>
      </div>
      {!isBase && <Slider label={`Weight of ${name}`} help="How much its keys count over what plays below it" value={weight} low={0} high={1} command={(weight) => ({ op: "layer.set", name, weight })} />}
    </li>
  );
}
