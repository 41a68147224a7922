// The left side: goals with their state, walking and ground, the joints as a tree.

import { useMemo, useState } from "preact/hooks";
import { send } from "../link";
import type { StudioGoal } from "../schema";
import * as s from "../store";
import { Section } from "./controls";
import { GaitPanel } from "./gait-panel";
import { Icon } from "./icons";
import { meshNames } from "../view/looking";
import { MeshesPanel, ScenePanel } from "./scene-panel";
import { TerrainPanel } from "./terrain-panel";

export function LeftSide() {
  const joint = s.selection.value?.kind === "joint" ? s.selectedJoint.value : null;
  return (
    <aside class="side left" aria-label="Figure">
      <Section title="Goals" extra={<em>{s.goals.value.length}</em>}>
        <ul class="rows">
          {goalGroups().map(({ figure, goals }) => (
            <>
              {figure && <li class="row-group">{figure}</li>}
              {goals.map((goal) => <GoalRow goal={goal} figure={figure} />)}
            </>
          ))}
        </ul>
        {joint && !s.goals.value.some((goal) => goal.joint === joint.name) && (
          <button type="button" class="plain" onClick={() => send({ op: "goal.add", joint: joint.name, kind: "place" })}>
            <Icon name="plus" /> Goal for {joint.name}
          </button>
        )}
      </Section>
      {s.document_.value?.gaits.length ? (
        <Section title="Walk" open={false}>
          <GaitPanel />
        </Section>
      ) : null}
      <Section title="Ground" open={false}>
        <TerrainPanel />
      </Section>
      <Section title="Scene" open={s.props.value.length > 0} extra={<em>{s.props.value.length || ""}</em>}>
        <ScenePanel />
      </Section>
      {s.shown.value > 0 && meshNames().length > 1 && (
        <Section title="Meshes" open={false} extra={<em>{meshNames().length}</em>}>
          <MeshesPanel />
        </Section>
      )}
      <Section title="Joints" extra={<em>{s.joints.value.length}</em>}>
        <JointTree />
      </Section>
    </aside>
  );
}

const MODES = {
  free: "Goes along with the body until it is moved or pinned; click to hold it here (IK)",
  IK: "Solved (IK); click for FK",
  FK: "Posed by hand (FK); click for IK",
};

/** The goals of each of several figures under its name; all of a single one, and of racers, whose goals have their names. */
function goalGroups(): { figure: string; goals: StudioGoal[] }[] {
  const members = s.figure.value?.members ?? [];
  const all = s.goals.value;
  if (!members.length || s.racing.value) return [{ figure: "", goals: all }];
  return members.map(({ name }) => ({ figure: name, goals: all.filter((goal) => goal.joint.startsWith(`${name}/`)) }));
}

function GoalRow({ goal, figure }: { goal: StudioGoal; figure: string }) {
  const own = ` of ${figure}`; // its heading says that
  const miss = s.status.value?.goals.find((entry) => entry.name === goal.name);
  const far = goal.enabled && !goal.loose && miss && miss.distance > 0.005 * s.size.value;
  const mode = goal.loose && goal.enabled ? "free" : goal.enabled ? "IK" : "FK";
  const icon = goal.pinned ? "pin" : goal.kind === "look" ? "look" : "goal";
  return (
    <li class={`row ${goal.enabled ? "" : "off"}`}>
      <button type="button" class="row-name" aria-pressed={s.selection.value?.kind !== "joint" && s.chosenGoals.value.includes(goal)} onClick={(event) => (event.shiftKey ? s.chooseToo(goal.name) : s.choose({ kind: "goal", name: goal.name }))}>
        <Icon name={icon} />
        <span title={goal.name}>{goal.name.endsWith(own) ? goal.name.slice(0, -own.length) : goal.name}</span>
        {far && <em class="short" title="Distance to the goal">{lengthText(miss.distance)}</em>}
      </button>
      {goal.pole && (
        <button type="button" class="small" title="Select its pole" aria-label={`Pole of ${goal.name}`} onClick={() => (s.selection.value = { kind: "pole", name: goal.name })}>
          <Icon name="pole" />
        </button>
      )}
      <button type="button" class="small mode" aria-pressed={goal.enabled} title={MODES[mode]} aria-label={`${goal.name} solved by IK`} onClick={() => send({ op: "ikfk.switch", goal: goal.name, to: mode === "IK" ? "fk" : "ik" })}>
        {mode}
      </button>
      {miss?.ms != null && <em class="effort" title="What its method needs from the rest pose">{msText(miss.ms)}, {miss.iterations} iterations</em>}
    </li>
  );
}

export function lengthText(length: number): string {
  return length >= 1 ? `${length.toFixed(2)} m` : `${(100 * length).toFixed(length < 0.1 ? 1 : 0)} cm`;
}

function msText(ms: number): string {
  return `${ms < 10 ? ms.toPrecision(2) : ms.toFixed(0)} ms`;
}

interface Branch {
  index: number;
  depth: number;
  children: number;
}

function JointTree() {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [search, setSearch] = useState("");
  const figure = s.figure.value;
  const shown = useMemo(() => branches(figure?.parents ?? [], folded), [figure, folded]);
  if (!figure) return null;
  const wanted = search.trim().toLowerCase();
  const list = wanted
    ? figure.joints.map((_, index) => ({ index, depth: 0, children: 0 })).filter(({ index }) => figure.joints[index]!.toLowerCase().includes(wanted))
    : shown;
  const fold = (index: number, close: boolean) => {
    const next = new Set(folded);
    if (close) next.add(index);
    else next.delete(index);
    setFolded(next);
  };
  const current = s.selection.value?.kind === "joint" ? s.selection.value.name : s.selectedGoal.value?.joint;
  return (
    <>
      <input type="search" class="search" placeholder="Find a joint" aria-label="Find a joint" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      <div class="tree" role="tree" aria-label="Joints">
        {list.map((branch) => {
          const name = figure.joints[branch.index]!;
          return (
            <div
              role="treeitem"
              tabIndex={name === (current ?? figure.joints[0]) ? 0 : -1}
              aria-level={branch.depth + 1}
              aria-selected={name === current}
              aria-expanded={branch.children ? !folded.has(branch.index) : undefined}
              class={`tree-row depth-${Math.min(branch.depth, 14)}`}
              onClick={() => (s.selection.value = { kind: "joint", name })}
              onKeyDown={(event) => treeKey(event, name, (close) => fold(branch.index, close))}
            >
              <button type="button" tabIndex={-1} class={`fold ${folded.has(branch.index) ? "closed" : ""}`} hidden={!branch.children} aria-label={`Fold ${name}`} onClick={(event) => (event.stopPropagation(), fold(branch.index, !folded.has(branch.index)))}>
                <Icon name="down" />
              </button>
              <span class="tree-name">{name}</span>
              <JointSigns name={name} />
            </div>
          );
        })}
      </div>
    </>
  );
}

function JointSigns({ name }: { name: string }) {
  const joint = s.joints.value.find((entry) => entry.name === name);
  return (
    <>
      {s.atLimit.value.has(name) && <span class="sign limit" title="At its limit"><Icon name="limit" /></span>}
      {joint?.frozen && <span class="sign" title="Frozen"><Icon name="frozen" /></span>}
    </>
  );
}

function treeKey(event: KeyboardEvent & { currentTarget: HTMLElement }, name: string, fold: (close: boolean) => void): void {
  const rows = [...(event.currentTarget.parentElement?.children ?? [])] as HTMLElement[];
  const at = rows.indexOf(event.currentTarget);
  if (event.key === "ArrowDown") rows[at + 1]?.focus();
  else if (event.key === "ArrowUp") rows[at - 1]?.focus();
  else if (event.key === "ArrowLeft") fold(true);
  else if (event.key === "ArrowRight") fold(false);
  else if (event.key === "Enter") s.selection.value = { kind: "joint", name };
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The visible joints, each below its parent. */
function branches(parents: readonly number[], folded: ReadonlySet<number>): Branch[] {
  const children = new Map<number, number[]>();
  parents.forEach((parent, index) => children.set(parent, [...(children.get(parent) ?? []), index]));
  const list: Branch[] = [];
  const visit = (index: number, depth: number) => {
    const below = children.get(index) ?? [];
    list.push({ index, depth, children: below.length });
    if (!folded.has(index)) for (const child of below) visit(child, depth + 1);
  };
  for (const root of children.get(-1) ?? []) visit(root, 0);
  return list;
}
