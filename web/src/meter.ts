// Numbers that change with every frame, and the rate at which they are shown.

import { signal } from "@preact/signals";

const REST = 2000; // ms without a number after which none is shown
const PACE = 250; // ms: faster could nobody read, and each change has the processor paint a part of the page anew

export const latency = meter();
export const framesPerSecond = meter();

function meter() {
  const shown = signal(0);
  let changed = -Infinity;
  let rest = 0;
  return {
    shown,
    give(value: number): void {
      const now = performance.now();
      clearTimeout(rest);
      rest = window.setTimeout(() => (shown.value = 0), REST);
      if (now - changed < PACE) return;
      changed = now;
      shown.value = value;
    },
  };
}
