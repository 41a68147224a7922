// The selected joint: its kind, rotation, whether it is frozen, and its limits in numbers.

import * as T from "three";
import { send } from "../link";
import type { Joint, Limits, Quaternion, Vector } from "../schema";
import * as s from "../store";
import { withLimit } from "../view/limit-handles";
import { Section } from "./controls";
import { jointPlace } from "../view/looking";
import { Check, NumberField, RotationField, VectorField } from "./fields";

const DEGREE = Math.PI / 180;

export function JointPanel({ joint }: { joint: Joint }) {
  const { limits } = joint;
  const hit = s.atLimit.value.has(joint.name);
  const set = (next: Limits | null) => send({ op: "joint.limit", joint: joint.name, limits: next });
  const cone = limits.cone;
  return (
    <Section title={`Joint: ${joint.name}`} open={s.selection.value?.kind === "joint"} extra={<em class={hit ? "short" : ""}>{hit ? "at its limit" : limits.kind}</em>}>
      <Turn joint={joint} />
      <Check label="Keeps its rotation" help="The solver moves it only where goals are not met otherwise; so does a joint of the trunk that was turned by hand" checked={joint.kept} onChange={(kept) => send({ op: "joint.keep", joint: joint.name, kept })} />
      <Check label="Frozen" help="The solver does not move it" checked={joint.frozen} onChange={(frozen) => send({ op: "joint.freeze", joint: joint.name, frozen })} />
      {limits.axes.map((axis, index) => (
        <Range
          label={axis.name}
          unit={axis.slide ? "m" : "°"}
          lower={scaled(axis.lower, axis.slide)}
          upper={scaled(axis.upper, axis.slide)}
          onChange={(lower, upper) => {
            const unit = axis.slide ? 1 : DEGREE;
            const low = withLimit(limits, index, "lower", lower === null ? null : lower * unit);
            set(withLimit(low, index, "upper", upper === null ? null : upper * unit));
          }}
        />
      ))}
      {cone && (
        <>
          <NumberField label="swing" unit="°" digits={1} step={1} min={0} max={180} value={(cone.swing ?? Math.PI) / DEGREE} onChange={(value) => set({ ...limits, cone: { ...cone, swing: value * DEGREE } })} />
          <Range label="twist" unit="°" lower={scaled(cone.lower, false)} upper={scaled(cone.upper, false)} onChange={(lower, upper) => set({ ...limits, cone: { ...cone, lower: lower && lower * DEGREE, upper: upper && upper * DEGREE } })} />
        </>
      )}
      {!limits.axes.length && !cone && <p class="hint">No limits: it rotates freely.</p>}
      <button type="button" class="plain" onClick={() => set(null)}>Reset to the file's limits</button>
      <Shape joint={joint} />
    </Section>
  );
}

/** The joint of the skeleton itself: its name, its place at rest, joints added below it, or without it. */
function Shape({ joint }: { joint: Joint }) {
  void [s.shown.value, s.status.value]; // joints are no signals
  const mirror = s.figure.value?.mirror ? s.mirrored.value : false;
  const toggle = (on: boolean) => {
    s.shaping.value = on;
    if (on) send({ op: "pose.reset", settings: false });
  };
  const add = () => {
    const place = jointPlace(joint.name);
    const name = free(`${joint.name}_end`);
    if (!place || !send({ op: "skeleton.add", parent: joint.name, name, position: beyond(joint, place), mirror })) return;
    s.chooseWhenThere({ kind: "joint", name });
  };
  const place = s.shaping.value ? jointPlace(joint.name) : null;
  return (
    <>
      <Check label="Edit the skeleton" help="At rest: drag the joint, rename it, add and remove joints; the skin stays until it is bound again" checked={s.shaping.value} onChange={toggle} />
      {s.shaping.value && (
        <>
          <label class="field"><span>Name</span><input type="text" aria-label="Name of the joint" value={joint.name} onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()} onChange={(event) => rename(joint.name, event.currentTarget.value)} /></label>
          {place && <VectorField key={joint.name} label="At rest" unit="m" value={place} onChange={(position) => send({ op: "skeleton.move", joint: joint.name, position, mirror })} />}
          {s.figure.value?.mirror && <Check label="Mirror left and right" checked={s.mirrored.value} onChange={(on) => (s.mirrored.value = on)} />}
          <div class="line">
            <button type="button" class="plain" onClick={add}>Add a joint</button>
            <button type="button" class="plain" onClick={() => send({ op: "skeleton.remove", joint: joint.name, mirror })}>Remove</button>
            <button type="button" class="plain" title="New weights for the skeleton as it is now" onClick={() => send({ op: "skin.bind", method: "heat" })}>Bind again</button>
          </div>
        </>
      )}
    </>
  );
}

const BEYOND = 0.06; // of the figure

/** Where a joint is added: a little further the way that leads from its parent to it. */
function beyond(joint: Joint, place: Vector): Vector {
  const above = s.figure.value?.parents[s.joints.value.indexOf(joint)] ?? -1;
  const from = above >= 0 ? jointPlace(s.joints.value[above]!.name) : null;
  const along = place.map((value, axis) => value - (from?.[axis] ?? value)) as Vector;
  const length = Math.hypot(...along);
  const way = length > 1e-6 ? along.map((value) => value / length) : s.figure.value?.up === "z" ? [0, 0, 1] : [0, 1, 0];
  return place.map((value, axis) => value + BEYOND * s.size.value * way[axis]!) as Vector;
}

function rename(joint: string, name: string): void {
  if (name === joint || !send({ op: "skeleton.rename", joint, name })) return;
  s.chooseWhenThere({ kind: "joint", name });
}

function free(name: string): string {
  const taken = new Set(s.joints.value.map((joint) => joint.name));
  let found = name;
  for (let k = 2; taken.has(found); k++) found = `${name}_${k}`;
  return found;
}

/** The joint's rotation, or a number for each of its axes; a typed one moves it by hand (FK). */
function Turn({ joint }: { joint: Joint }) {
  void s.status.value; // poses are no signals: a status follows each
  const index = s.joints.value.indexOf(joint);
  const now = s.poseNow()?.rotations.subarray(4 * index, 4 * index + 4);
  if (now?.length !== 4 || joint.limits.kind === "fixed") return null;
  if (joint.limits.axes.length) {
    return (
      <>
        {joint.limits.axes.map((axis, k) => {
          const value = axisValue(joint, k);
          if (value === null) return <p class="hint">{axis.name} follows another joint.</p>;
          const unit = axis.slide ? 1 : DEGREE;
          return <NumberField label={`${axis.slide ? "place" : "angle"} ${axis.name}`} unit={axis.slide ? "m" : "°"} digits={axis.slide ? 3 : 1} step={axis.slide ? 0.01 : 1} value={value / unit} onChange={(to) => send({ op: "joint.set", joint: joint.name, axis: k, value: to * unit })} />;
        })}
      </>
    );
  }
  const [w, x, y, z] = joint.limits.base;
  const base = new T.Quaternion(x, y, z, w);
  const rotation = base.clone().invert().multiply(new T.Quaternion(now[1], now[2], now[3], now[0]));
  const put = ([a, b, c, d]: Quaternion) => {
    const turned = base.clone().multiply(new T.Quaternion(b, c, d, a));
    send({ op: "joint.rotate", joint: joint.name, rotation: [turned.w, turned.x, turned.y, turned.z] });
  };
  return <RotationField key={joint.name} label="Rotation" value={[rotation.w, rotation.x, rotation.y, rotation.z]} onChange={put} />;
}

/** Where an axis stands, in radians or metres; null where it follows another one, or no pose is there. */
export function axisValue(joint: Joint, axis: number): number | null {
  const coordinate = joint.coordinates[axis] ?? null;
  return coordinate === null ? null : s.poseNow()?.coordinates?.[coordinate] ?? null;
}

function scaled(value: number | null, slide: boolean): number | null {
  return value === null || slide ? value : value / DEGREE;
}

interface RangeProps {
  label: string;
  unit: string;
  lower: number | null;
  upper: number | null;
  onChange(lower: number | null, upper: number | null): void;
}

function Range({ label, unit, lower, upper, onChange }: RangeProps) {
  const free = unit === "°" ? 180 : 1;
  const digits = unit === "°" ? 1 : 3;
  return (
    <fieldset class="range">
      <legend>{label}</legend>
      <NumberField label="from" unit={unit} digits={digits} step={unit === "°" ? 1 : 0.01} value={lower ?? -free} disabled={lower === null} onChange={(value) => onChange(value, upper)} />
      <NumberField label="to" unit={unit} digits={digits} step={unit === "°" ? 1 : 0.01} value={upper ?? free} disabled={upper === null} onChange={(value) => onChange(lower, value)} />
      <Check
        label="limited"
        checked={lower !== null || upper !== null}
        onChange={(on) => onChange(on ? -free / 2 : null, on ? free / 2 : null)}
      />
    </fieldset>
  );
}
