// The scene: things beside the figure, and the figure's own meshes, shown or hidden.

import { effect, signal } from "@preact/signals";
import { addProp } from "../actions";
import { send } from "../link";
import { chooseFiles } from "../opening";
import type { StudioProp, Vector } from "../schema";
import * as s from "../store";
import { jointPlace, meshNames } from "../view/looking";
import { Section } from "./controls";
import { Check, Choice, NumberField, RotationField, VectorField } from "./fields";
import { Icon } from "./icons";

export function ScenePanel() {
  return (
    <>
      <Members />
      <ul class="rows">
        {s.props.value.map((prop) => (
          <li class="row">
            <button type="button" class="row-name" aria-pressed={s.selectedProp.value === prop} onClick={() => (s.selection.value = { kind: "prop", name: prop.name })}>
              <Icon name={prop.kind === "sphere" ? "goal" : "box"} />
              <span>{prop.name}</span>
            </button>
            <button type="button" class="small" aria-label={`Remove ${prop.name}`} onClick={() => send({ op: "prop.remove", prop: prop.name })}><Icon name="close" /></button>
          </li>
        ))}
      </ul>
      <div class="line">
        <button type="button" class="plain" onClick={() => addProp("box")}>Box</button>
        <button type="button" class="plain" onClick={() => addProp("sphere")}>Sphere</button>
        <button type="button" class="plain" title="GLB, OBJ, STL and others, as they stand" onClick={() => void chooseFiles("prop")}>Mesh…</button>
        <button type="button" class="plain" title="Beside this one, with goals of its own" onClick={() => void chooseFiles("companion")}>Second figure…</button>
      </div>
    </>
  );
}

const member = signal<string | null>(null); // the one of several figures whose numbers are shown

/** Several figures: each moved as a whole, or taken out of the scene. */
function Members() {
  void s.status.value; // poses are no signals: a status follows each
  if (s.racing.value) return null; // copies, which stay where they compare
  return (
    <ul class="rows">
      {(s.figure.value?.members ?? []).map(({ name, joint, height }) => (
        <li class="row">
          <button type="button" class="row-name" aria-pressed={member.value === name} onClick={() => (member.value = member.value === name ? null : name)}>
            <Icon name="reset" />
            <span>{name}</span>
          </button>
          <button type="button" class="small" aria-label={`Remove ${name}`} onClick={() => send({ op: "figure.leave", figure: name })}><Icon name="close" /></button>
          {member.value === name && <MemberFields name={name} joint={s.joints.value[joint]?.name ?? ""} height={height} />}
        </li>
      ))}
    </ul>
  );
}

function MemberFields({ name, joint, height }: { name: string; joint: string; height: number }) {
  const position = jointPlace(joint) ?? [0, 0, 0];
  const move = (change: { by?: Vector; turn?: number; size?: number }) => send({ op: "figure.place", figure: name, ...change });
  return (
    <div class="member">
      <VectorField label="Position" unit="m" value={position} onChange={(to) => move({ by: to.map((value, axis) => value - position[axis]!) as Vector })} />
      <NumberField label="Rotate by" unit="°" digits={1} step={5} value={0} onChange={(turn) => move({ turn })} />
      <NumberField label="Height" unit="m" digits={3} min={height / 1000} max={height * 1000} value={height} onChange={(to) => move({ size: to / height })} />
    </div>
  );
}

let asked: Set<string> | null = null; // hidden meshes, until the session says so: a second click may come before that

effect(() => {
  const said = s.document_.value?.hidden ?? [];
  if (asked?.size === said.length && said.every((name) => asked?.has(name))) asked = null;
});

export function MeshesPanel() {
  void s.shown.value;
  const hidden = new Set(s.document_.value?.hidden ?? []);
  const show = (name: string, on: boolean) => {
    const names = new Set(asked ?? hidden);
    if (on) names.delete(name);
    else names.add(name);
    asked = names;
    send({ op: "mesh.hide", names: [...names] });
  };
  return (
    <>
      {meshNames().map((name) => <Check label={name} checked={!hidden.has(name)} onChange={(on) => show(name, on)} />)}
      {hidden.size > 0 && <button type="button" class="plain" onClick={() => send({ op: "mesh.hide", names: [] })}>Show all</button>}
    </>
  );
}

/** The chosen thing in numbers. */
export function PropPanel({ prop }: { prop: StudioProp }) {
  const set = (change: Partial<Omit<StudioProp, "name" | "kind">>) => send({ op: "prop.set", prop: prop.name, ...change });
  const one = (size: Vector) => size.find((value, axis) => value !== prop.size[axis]) ?? prop.size[0];
  const joints = s.joints.value.map((joint) => [joint.name, joint.name] as const);
  return (
    <Section title={`Prop: ${prop.name}`} extra={<em>{prop.kind}</em>}>
      <VectorField key={`${prop.name} place`} label={prop.joint === null ? "Position" : `Position at ${prop.joint}`} unit="m" value={prop.position} onChange={(position) => set({ position })} />
      <RotationField key={`${prop.name} turn`} label="Rotation" value={prop.rotation} onChange={(rotation) => set({ rotation })} />
      <VectorField key={`${prop.name} size`} label={prop.kind === "mesh" ? "Scale" : "Size"} unit={prop.kind === "mesh" ? "" : "m"} value={prop.size} onChange={(size) => set({ size: prop.kind === "sphere" ? [one(size), one(size), one(size)] : size })} />
      <Check label="Obstacle" help="Limbs stay out of it" checked={prop.obstacle} disabled={prop.joint !== null} onChange={(obstacle) => set({ obstacle })} />
      <Check label="Ground" help="Feet stand on it, in walks and retargeted motions" checked={prop.ground} disabled={prop.joint !== null} onChange={(ground) => set({ ground })} />
      <Choice label="Carried by" value={prop.joint ?? ""} options={[["", "nothing"], ...joints]} onChange={(joint) => set({ joint: joint || null })} />
      <button type="button" class="plain" onClick={() => send({ op: "prop.remove", prop: prop.name })}>Remove</button>
    </Section>
  );
}
