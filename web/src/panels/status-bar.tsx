// The status of the pose, the solve time, and what the keys do now.

import { useEffect, useState } from "preact/hooks";
import { send } from "../link";
import { framesPerSecond, latency } from "../meter";
import type { StatusEvent, StudioGoal } from "../schema";
import * as s from "../store";

const SIGNS = { REACHED: "✓", AT_LIMIT: "⊣", OUT_OF_REACH: "↛", COMPROMISE: "≈", LOCAL_MINIMUM: "∪", OUT_OF_ITERATIONS: "…", POSED: "○" } as const;

export function StatusBar() {
  const status = s.status.value;
  const kind = status && !s.playing.value && short(status) ? status.status : "REACHED";
  return (
    <footer class="status-bar">
      <span class={`status ${kind.toLowerCase()}`} role="status" aria-live="polite" title={status?.text}>
        {s.playing.value && s.connected.value ? (
          <><b aria-hidden="true">▶</b> playing {s.document_.value?.clip ?? "the keys"}</>
        ) : s.connected.value !== false && !s.document_.value ? (
          "opening…"
        ) : s.connected.value && !s.ready.value ? (
          <><b aria-hidden="true">…</b> getting ready: the solver is compiled, once for this machine (a minute or two); what you do meanwhile is done then</>
        ) : s.connected.value && s.busy.value ? (
          <><b aria-hidden="true">…</b> not solved yet</>
        ) : s.connected.value ? (
          <>
            <b aria-hidden="true">{status ? SIGNS[kind] : ""}</b> {status?.text}
          </>
        ) : (
          <><b aria-hidden="true">⚡</b> {s.refusal.value || "No connection to the session, trying again…"}</>
        )}
      </span>
      <Cure />
      <Working />
      <span class="push" />
      <span class="hints">{hints()}</span>
      <span class="figures" title="Solve time · latency from mouse to pose · frames per second">
        <span data-figure="solve">{status?.ms && framesPerSecond.shown.value ? `${status.ms.toFixed(1)} ms` : ""}</span>
        <span data-figure="latency">{latency.shown.value ? `${latency.shown.value.toFixed(0)} ms` : ""}</span>
        <span data-figure="fps">{framesPerSecond.shown.value ? `${framesPerSecond.shown.value.toFixed(0)} fps` : ""}</span>
      </span>
    </footer>
  );
}

/** What the status advises is one click away. */
function Cure() {
  if (!s.status.value?.inside || s.playing.value || !s.connected.value) return null;
  return <button type="button" class="plain" title="Limbs do not pass through each other: an option of the whole figure" onClick={() => send({ op: "options.set", keep_apart: true })}>Keep apart</button>;
}

/** The newest task; with how far it is and a way to end it, where there are such. */
function Working() {
  const task = s.working.value.at(-1);
  const [now, setNow] = useState(0);
  useEffect(() => {
    const clock = task && setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(clock);
  }, [task]);
  if (!task) return null;
  const seconds = Math.floor((now - task.since) / 1000);
  const { what, share, frames, left, doing, cancel, isOver } = task;
  const far = doing ? `${doing}${seconds > 1 ? `, ${seconds} s` : ""}` : share === undefined ? "" : [`${Math.round(100 * share)} %`, frames && `frame ${Math.round(share * frames)} of ${frames}`, left !== undefined && `${leftText(left)} left`].filter(Boolean).join(", ");
  return (
    <span class="working" role="status">
      {!isOver && <i aria-hidden="true" />}
      {what}{!isOver && "… "}{far || (!isOver && seconds > 1 && `${seconds} s`)}
      {cancel && <button type="button" class="plain" onClick={cancel}>Cancel</button>}
    </span>
  );
}

function leftText(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

const isAskedFor = (goal: StudioGoal | undefined) => Boolean(goal?.enabled && !goal.loose);

/** Whether any residual is visible; invisible progress of the solver is not shown. A goal that is dragged counts, which
 * the document calls free until it is released. */
function short(status: StatusEvent): boolean {
  const counts = (goal: StudioGoal | undefined) => isAskedFor(goal) || (goal !== undefined && goal.name === s.selectedGoal.value?.name);
  return status.goals.some((goal, index) => counts(s.goals.value[index]) && s.isSeen(goal));
}

function hints(): string {
  const demo = s.document_.value?.demo;
  if (s.painting.value) return "drag over the skin: paint · click: choose another joint";
  if (s.grabbing.value) {
    const { mode, axes, typed } = s.grabbing.value;
    const along = axes && `${mode === "rotate" ? " about" : axes.length > 1 ? " in" : " along"} ${[...axes.toLowerCase()].join(" and ")}`;
    const by = typed ? `${mode} by ${typed}${mode === "move" ? " m" : "°"}${along}` : `mouse: ${mode}${along}`;
    return `${by} · X, Y, Z: one axis · Shift: the plane across · numbers · click or Enter sets · Esc takes back`;
  }
  if (s.grip.value) return `drag: ${s.grip.value} · Ctrl snap · Shift slow`;
  if (s.under.value) return `click: choose ${s.under.value.name}${s.under.value.kind === "goal" ? " · Alt: the joint itself" : ""} · drag: turn the view`;
  if (s.selectedJoint.value?.limits.kind === "slide") return "its place is a number at the right, with a slider · ? keys";
  if (s.selection.value?.kind === "joint") return "drag a ring: turn · Ctrl snap · Shift slow · ? keys";
  if (s.selection.value) return "drag or G: move · R rotate · arrows nudge · Ctrl snap · Shift slow · K key · ? keys";
  if (demo) return "hold the arrow keys, or drag a handle · ? keys";
  return "click a limb · drag a handle · Space play · Ctrl+K commands · ? keys";
}
