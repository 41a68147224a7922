// The skin: how it is blended, its weights as heat, the brush, and automatic binding.

import { run } from "../actions";
import { send } from "../link";
import * as s from "../store";
import { Check, Choice, NumberField } from "./fields";

export function SkinPanel() {
  const blend = s.document_.value?.blend ?? "linear";
  const brush = s.brush.value;
  const put = (change: Partial<typeof brush>) => (s.brush.value = { ...brush, ...change });
  return (
    <>
      <Choice label="Blend" value={blend} options={[["linear", "linear"], ["dual_quaternion", "dual quaternion"]]} onChange={(value) => send({ op: "skin.blend", blend: value === "linear" ? "linear" : "dual_quaternion" })} />
      <Check label="Show weights" help="Of the selected joint, as colours on the skin (W)" checked={s.heat.value} onChange={() => run("heat")} />
      {s.heat.value && (
        <>
          <div class="ramp" role="img" aria-label="Colours from weight 0 to weight 1"><span>0</span><span>{s.selectedJoint.value?.name ?? "choose a joint"}</span><span>1</span></div>
          <Check label="Paint" help="Drag over the skin" checked={brush.on} onChange={(on) => put({ on })} />
        </>
      )}
      {s.heat.value && brush.on && (
        <>
          <Choice label="Brush" value={brush.mode} options={[["add", "add"], ["subtract", "take away"], ["smooth", "smooth"]]} onChange={(mode) => put({ mode: mode as typeof brush.mode })} />
          <NumberField label="radius, heights" digits={3} step={0.005} min={0.005} max={0.5} value={brush.radius} onChange={(radius) => put({ radius })} />
          <NumberField label="strength" digits={2} step={0.05} min={0.01} max={1} value={brush.strength} onChange={(strength) => put({ strength })} />
          <Check label="Mirror left and right" checked={brush.mirror} onChange={(mirror) => put({ mirror })} />
        </>
      )}
      <div class="line">
        <button type="button" class="plain" title="New weights by heat diffusion from the bones" onClick={() => send({ op: "skin.bind", method: "heat" })}>Bind by heat</button>
        <button type="button" class="plain" title="New weights by paths through the body, for open or untidy meshes" onClick={() => send({ op: "skin.bind", method: "voxel" })}>by voxels</button>
      </div>
    </>
  );
}
