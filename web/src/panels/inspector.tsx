// The right side: everything about what is selected, in numbers; below, what holds for the whole figure.

import { action, run } from "../actions";
import { send } from "../link";
import type { StudioGoal } from "../schema";
import * as s from "../store";
import { goalPlace } from "../view/handles";
import { firstPole } from "../view/looking";
import { Section } from "./controls";
import { Check, Choice, RotationField, Slider, VectorField } from "./fields";
import { Icon } from "./icons";
import { JointPanel } from "./joint-panel";
import { SkinPanel } from "./skin-panel";
import { lengthText } from "./tree";

export function Inspector() {
  const goal = s.selectedGoal.value;
  const joint = s.selectedJoint.value;
  return (
    <aside class="side right" aria-label="Inspector">
      {s.heat.value && <SkinSection />}
      {goal && <GoalPanel goal={goal} />}
      {joint && <JointPanel joint={joint} />}
      {!goal && !joint && <p class="empty">Click a limb or a handle, or drag a handle: the figure follows.</p>}
      <OptionsPanel />
      {!s.heat.value && <SkinSection />}
    </aside>
  );
}

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
  const set = (change: Partial<StudioGoal>) => send({ op: "goal.set", goal: goal.name, ...change });
  return (
    <Section title={`Goal: ${goal.name}`} extra={<em>{goal.kind}</em>}>
      <VectorField label="Position" unit="m" value={place.position} onChange={(position) => set({ position })} />
      <RotationField label="Rotation" value={place.rotation} onChange={(rotation) => set({ rotation })} />
      <Slider label="Weight" value={goal.weight} low={0} high={1} command={(weight) => ({ op: "goal.set", goal: goal.name, weight })} />
      <Slider label="Rotation weight" value={goal.rotation_weight} low={0} high={1} command={(rotation_weight) => ({ op: "goal.set", goal: goal.name, rotation_weight })} />
      <div class="line">
        <button type="button" class="toggle" aria-pressed={goal.pinned} title="Stays where it is, whatever else moves (P)" onClick={() => run("pin")}><Icon name="pin" /> Pin</button>
        <button type="button" class="toggle" aria-pressed={goal.pole !== null} title="Says which way elbow or knee point" onClick={() => send({ op: "goal.pole", goal: goal.name, pole: goal.pole ? null : firstPole(goal) })}><Icon name="pole" /> Pole</button>
        <div class="switch" role="group" aria-label="IK or FK">
          <button type="button" aria-pressed={goal.enabled} onClick={() => !goal.enabled && action("ikfk").run()}>IK</button>
          <button type="button" aria-pressed={!goal.enabled} onClick={() => goal.enabled && action("ikfk").run()}>FK</button>
        </div>
      </div>
      {goal.pole && <VectorField label="Pole" unit="m" value={goal.pole} onChange={(pole) => send({ op: "goal.pole", goal: goal.name, pole })} />}
      <Choice label="Solver" value={goal.method} options={methods(goal.method)} onChange={(method) => send({ op: "goal.method", goal: goal.name, method })} />
      {miss && goal.enabled && <p class="facts">{s.isSeen(miss) ? `still missing: ${lengthText(miss.distance)}, ${(miss.angle / s.DEGREE).toFixed(1)}°` : "met"}</p>}
    </Section>
  );
}

function methods(current: string): (readonly [string, string])[] {
  const all = s.menus.value.methods.includes(current) ? s.menus.value.methods : [current, ...s.menus.value.methods];
  return all.map((name) => [name, name.replace(/(?<=[a-z])(?=[A-Z])/g, " ")]);
}

function OptionsPanel() {
  const options = s.document_.value?.options;
  if (!options) return null;
  return (
    <Section title="Whole figure">
      <Check label="Comfort" help="Joints rather stay near the middle of their range" checked={options.comfort} onChange={(comfort) => send({ op: "options.set", comfort })} />
      <Check label="Keep apart" help="Limbs do not pass through each other" checked={options.keep_apart} onChange={(keep_apart) => send({ op: "options.set", keep_apart })} />
      <Slider label="Gravity" help="How much limbs hang" value={options.gravity} low={0} high={1} command={(gravity) => ({ op: "options.set", gravity })} />
      <Slider label="Elasticity" help="How much joints spring back" value={options.elasticity} low={0} high={1} command={(elasticity) => ({ op: "options.set", elasticity })} />
    </Section>
  );
}
