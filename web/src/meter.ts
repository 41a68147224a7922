// Numbers that change with every frame, and the rate at which they are shown.

import { signal } from "@preact/signals";

const PACE = 250; // ms: faster could nobody read, and each change has the processor paint a part of the page anew

export const latency = meter();
export const framesPerSecond = meter();

function meter() {
  const shown = signal(0);
  let changed = -Infinity;
  return {
    shown,
    give(value: number): void {
      const now = performance.now();
      if (now - changed < PACE) return;
      changed = now;
      shown.value = value;
    },
  };
}
