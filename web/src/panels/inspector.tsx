// The right side: the selected goal and joint in numbers; below, the panels of the whole figure.

import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { forChosen, run, switchTo } from "../actions";
import { send } from "../link";
import type { StudioGoal, Vector } from "../schema";
import * as s from "../store";
import { degreesOf, quaternionOf } from "../timeline/degrees";
import { goalPlace } from "../view/handles";
import { Section } from "./controls";
import { Choice, RotationField, Slider, VectorField } from "./fields";
import { Icon } from "./icons";
import { JointPanel } from "./joint-panel";
import { togglePole } from "./palette-more";
import { SkinPanel } from "./skin-panel";
import { PropPanel } from "./scene-panel";
import { bringUp } from "./reveal";
import { lengthText } from "./tree";

interface WholePanel {
  title: string;
  /** Whether the figure has it. */
  isOffered?(): boolean;
  Panel: FunctionComponent;
}

/** The panels of the whole figure: every file in `whole/`, in the order of their names. */
const WHOLE = Object.values(import.meta.glob<WholePanel>("./whole/*.tsx", { eager: true }));

export function Inspector() {
  const goal = s.selectedGoal.value;
  const joint = s.selectedJoint.value;
  const prop = s.selectedProp.value;
  const own = useRef<HTMLDivElement>(null);
  const chosen = s.selection.value;
  useEffect(() => {
    if (chosen) bringUp(own.current!);
  }, [chosen?.kind, chosen?.name]);
  return (
    <aside class="side right" aria-label="Inspector">
      {s.heat.value && <SkinSection />}
      <div ref={own}>
        {goal && <GoalPanel goal={goal} />}
        {joint && <JointPanel joint={joint} />}
        {prop && <PropPanel prop={prop} />}
        {!goal && !joint && !prop && <p class="empty">Click a limb or a handle, or drag a handle: the figure follows.</p>}
      </div>
      {WHOLE.filter(({ isOffered }) => isOffered?.() ?? true).map(({ title, Panel }) => (
        <Section key={title} title={title} open={title !== "Hands" || handIsChosen()}>
          <Panel />
        </Section>
      ))}
      {!s.heat.value && <SkinSection />}
    </aside>
  );
}

const handIsChosen = () => s.document_.value?.hands.some((hand) => hand.joint === s.selectedGoal.value?.joint) ?? false;

/** At the top while weights are shown, else folded at the end. */
function SkinSection() {
  return (
    <Section title="Skin" open={s.heat.value}>
      <SkinPanel />
    </Section>
  );
}

function GoalPanel({ goal }: { goal: StudioGoal }) {
  const place = goalPlace(goal);
  const miss = s.status.value?.goals.find((entry) => entry.name === goal.name);
  const free = goal.enabled && goal.loose;
  const all = s.chosenGoals.value;
  const several = all.length > 1;
  // Of the picture that is shown, as the fields' numbers are: a goal's newer place, with the change that they ask for, would be moved twice.
  const places = all.map(goalPlace);
  const names = all.map((one) => one.name);
  return (
    <Section title={several ? `Goal: ${goal.name} and ${all.length - 1} more` : `Goal: ${goal.name}`} extra={<em>{goal.kind}</em>}>
      <VectorField key={`place ${goal.name}`} label="Position" unit="m" value={place.position} several={several} onChange={(position, axis, by) => send({ op: "goals.move", positions: forEach(all, (_, k) => changed(several ? places[k]!.position : null, position, axis, by)), rotations: {} })} />
      <RotationField key={`turn ${goal.name}`} label="Rotation" value={place.rotation} several={several} onChange={(rotation, axis, by) => send({ op: "goals.move", positions: {}, rotations: forEach(all, (_, k) => quaternionOf(changed(several ? degreesOf(places[k]!.rotation) : null, degreesOf(rotation), axis, by))) })} />
      {several && <p class="facts">What is set here goes to all {all.length} that are chosen; += and -= count from where each is.</p>}
      <Slider label="Weight" value={goal.weight} low={0} high={1} command={(weight) => ({ op: "goals.set", goals: names, weight })} />
      <Slider label="Rotation weight" value={goal.rotation_weight} low={0} high={1} command={(rotation_weight) => ({ op: "goals.set", goals: names, rotation_weight })} />
      <div class="line">
        <button type="button" class="toggle" aria-pressed={goal.pinned} title="Keeps its position, whatever else moves (P)" onClick={() => run("pin")}><Icon name="pin" /> Pin</button>
        <button type="button" class="toggle" aria-pressed={goal.pole !== null} title="Sets where the elbow or knee points" onClick={togglePole}><Icon name="pole" /> Pole</button>
        <div class="switch" role="group" aria-label="IK or FK">
          <button type="button" aria-pressed={free} title="Goes along with the body until it is moved or pinned" onClick={() => !free && switchTo("free")}>Free</button>
          <button type="button" aria-pressed={goal.enabled && !free} title="Stays where it is put" onClick={() => (free || !goal.enabled) && switchTo("ik")}>IK</button>
          <button type="button" aria-pressed={!goal.enabled} title="Its joints are turned by hand" onClick={() => goal.enabled && switchTo("fk")}>FK</button>
        </div>
      </div>
      {goal.pole && <VectorField key={`pole ${goal.name}`} label="Pole" unit="m" value={goal.pole} onChange={(pole) => send({ op: "goal.pole", goal: goal.name, pole })} />}
      {isPlaced(goal) && (
        <Choice label="Goes with" value={goal.relative_to ?? ""} options={[["", "nothing"], ...s.props.value.filter((one) => one.joint === null).map((one) => [one.name, one.name] as const), ...s.joints.value.filter((one) => one.name !== goal.joint).map((one) => [one.name, one.name] as const)]} onChange={(to) => forChosen("goes with", (one) => ({ op: "goal.relative", goal: one.name, to: to === one.joint || !isPlaced(one) ? one.relative_to : to || null }))} />
      )}
      <Choice label="Solver" value={goal.method} options={methods(goal.method)} onChange={(method) => forChosen("solver", (one) => ({ op: "goal.method", goal: one.name, method }))} />
      {miss && goal.enabled && !free && <p class="facts">{s.isSeen(miss) ? `residual: ${lengthText(miss.distance)}, ${(miss.angle / s.DEGREE).toFixed(1)}°` : "met"}</p>}
    </Section>
  );
}

const isPlaced = (goal: StudioGoal) => goal.kind === "place" || goal.kind === "reach";

/** What each goal gets, by its name. */
function forEach<Value>(all: readonly StudioGoal[], value: (goal: StudioGoal, index: number) => Value): Record<string, Value> {
  return Object.fromEntries(all.map((goal, index) => [goal.name, value(goal, index)]));
}

/** Three numbers of which one is changed: by as much as another's, or to the same. own: null for those of the fields. */
function changed(own: Vector | null, other: Vector, axis: number, by: number | undefined): Vector {
  if (!own) return other;
  return own.map((value, k) => (k !== axis ? value : by === undefined ? other[k]! : value + by)) as Vector;
}

function methods(current: string): (readonly [string, string])[] {
  const all = s.menus.value.methods.includes(current) ? s.menus.value.methods : [current, ...s.menus.value.methods];
  return all.map((name) => [name, name.replace(/(?<=[a-z])(?=[A-Z])/g, " ")]);
}
