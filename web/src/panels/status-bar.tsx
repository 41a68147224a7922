// What the session says of the pose, how fast it came, and what the keys do now.

import * as s from "../store";

const SIGNS = { REACHED: "✓", AT_LIMIT: "⊣", OUT_OF_REACH: "↛", COMPROMISE: "≈", LOCAL_MINIMUM: "∪", OUT_OF_ITERATIONS: "…" } as const;

export function StatusBar() {
  const status = s.status.value;
  const kind = status?.status ?? "REACHED";
  return (
    <footer class="status-bar">
      <span class={`status ${kind.toLowerCase()}`} role="status" aria-live="polite">
        {s.connected.value ? (
          <>
            <b aria-hidden="true">{status ? SIGNS[kind] : ""}</b> {status?.text}
          </>
        ) : (
          <><b aria-hidden="true">⚡</b> No connection to the session, trying again…</>
        )}
      </span>
      <span class="push" />
      <span class="hints">{hints()}</span>
      <span class="figures" title="Time to solve · from the mouse to the pose · pictures a second">
        <span data-figure="solve">{(status?.ms ?? 0).toFixed(1)} ms</span>
        <span data-figure="latency">{s.latency.value.toFixed(0)} ms</span>
        <span data-figure="fps">{s.framesPerSecond.value.toFixed(0)} fps</span>
      </span>
    </footer>
  );
}

function hints(): string {
  const demo = s.document_.value?.demo;
  if (s.selection.value?.kind === "joint") return "drag a ring: turn · Ctrl snap · Shift slow · ? keys";
  if (s.selection.value) return "drag: move · arrows nudge · Ctrl snap · Shift slow · K key · ? keys";
  if (demo) return "hold the arrow keys to play · ? keys";
  return "click a limb · drag a handle · Space play · Ctrl+K commands · ? keys";
}
