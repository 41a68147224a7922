// The status of the pose, the solve time, and what the keys do now.

import { framesPerSecond, latency } from "../meter";
import type { StatusEvent } from "../schema";
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
        ) : s.connected.value ? (
          <>
            <b aria-hidden="true">{status ? SIGNS[kind] : ""}</b> {status?.text}
          </>
        ) : (
          <><b aria-hidden="true">⚡</b> {s.refusal.value || "No connection to the session, trying again…"}</>
        )}
      </span>
      {s.working.value.length > 0 && <span class="working" role="status"><i aria-hidden="true" />{s.working.value.at(-1)}…</span>}
      <span class="push" />
      <span class="hints">{hints()}</span>
      <span class="figures" title="Solve time · latency from mouse to pose · frames per second">
        <span data-figure="solve">{(status?.ms ?? 0).toFixed(1)} ms</span>
        <span data-figure="latency">{latency.shown.value.toFixed(0)} ms</span>
        <span data-figure="fps">{framesPerSecond.shown.value.toFixed(0)} fps</span>
      </span>
    </footer>
  );
}

/** Whether any residual is visible; invisible progress of the solver is not shown. */
function short(status: StatusEvent): boolean {
  return status.goals.some((goal, index) => s.goals.value[index]?.enabled && s.isSeen(goal));
}

function hints(): string {
  const demo = s.document_.value?.demo;
  if (s.painting.value) return "drag over the skin: paint · click: choose another joint";
  if (s.grip.value) return `drag: ${s.grip.value} · Ctrl snap · Shift slow`;
  if (s.selection.value?.kind === "joint") return "drag a ring: turn · Ctrl snap · Shift slow · ? keys";
  if (s.selection.value) return "drag: move · arrows nudge · Ctrl snap · Shift slow · K key · ? keys";
  if (demo) return "hold the arrow keys to play · ? keys";
  return "click a limb · drag a handle · Space play · Ctrl+K commands · ? keys";
}
