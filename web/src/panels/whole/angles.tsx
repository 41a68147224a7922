// A slider for each axis of a robot's joints: all of its angles and slides in one list.

import { useState } from "preact/hooks";
import type { Joint } from "../../schema";
import * as s from "../../store";
import { Slider } from "../fields";
import { axisValue } from "../joint-panel";

export const title = "Joint angles";
/** A figure with ball joints has rotations that are no list of angles. */
export const isOffered = () => s.joints.value.some(hasAxes) && !s.joints.value.some((joint) => joint.limits.kind === "ball");

const hasAxes = (joint: Joint) => joint.coordinates.some((one) => one !== null);
const DEGREE = Math.PI / 180;

const MANY = 10; // sliders that are seen at once

export function Panel() {
  const [search, setSearch] = useState("");
  const axes = s.joints.value.filter(hasAxes).flatMap((joint) => joint.limits.axes.map((_, axis) => ({ joint, axis })));
  const isLong = axes.length > MANY;
  const wanted = isLong ? search.toLowerCase().split(/[\s_]+/) : []; // each word somewhere in the name: "left knee" is left_knee_joint
  const found = axes.filter(({ joint }) => wanted.every((word) => joint.name.toLowerCase().includes(word)));
  return (
    <>
      {isLong && <input type="search" class="search" placeholder="Find an angle" aria-label="Find an angle" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />}
      <div class="axes">{found.map(({ joint, axis }) => <AxisSlider key={`${joint.name} ${axis}`} joint={joint} axis={axis} />)}</div>
      {!found.length && <p class="facts" role="status">No joint of this name has an angle.</p>}
    </>
  );
}

function AxisSlider({ joint, axis }: { joint: Joint; axis: number }) {
  void [s.shown.value, s.status.value]; // poses are no signals
  const value = axisValue(joint, axis);
  if (value === null) return null;
  const { name, slide, lower, upper } = joint.limits.axes[axis]!;
  const [unit, far, digits, sign] = slide ? [1, s.size.value, 3, "m"] : [DEGREE, Math.PI, 1, "°"];
  const low = lower ?? Math.min(value, -far), high = upper ?? Math.max(value, far);
  return (
    <Slider
      label={joint.limits.axes.length > 1 ? `${joint.name} ${name}` : joint.name}
      help={lower === null && upper === null ? "no limits" : `from ${(low / unit).toFixed(digits)} to ${(high / unit).toFixed(digits)} ${sign}`}
      value={value / unit}
      low={low / unit}
      high={high / unit}
      digits={digits}
      unit={sign}
      disabled={joint.frozen}
      command={(to) => ({ op: "joint.set", joint: joint.name, axis, value: to * unit })}
    />
  );
}
