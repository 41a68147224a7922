// Playback and scrubbing: the sampled clip is shown here, frame by frame; when it stops, the session gets the frame.

import { effect } from "@preact/signals";
import { send, stream } from "./link";
import { askFrame, clip, document_, frame, looping, playing, sayOver, speed } from "./store";

let last = 0;
let stopWaiting: (() => void) | null = null;

export function togglePlay(): void {
  if (playing.value) return pause();
  if (!clip.value) return;
  const [from, to] = range();
  if (frame.value >= to) frame.value = from;
  playing.value = true;
  last = performance.now();
  requestAnimationFrame(step);
}

/** Stops at the current frame, and cancels a clip that would play on arrival. */
export function pause(): void {
  stopWaiting?.();
  if (!playing.value) return;
  playing.value = false;
  askFrame(Math.round(frame.value));
  send({ op: "timeline.frame", frame: frame.value });
}

/** Plays the next clip that the session sends; returns a function that cancels this. */
export function playNext(): () => void {
  const before = clip.peek();
  stopWaiting?.();
  const stop = (stopWaiting = effect(() => {
    if (!clip.value || clip.value === before) return;
    queueMicrotask(() => {
      stop();
      if (!playing.value) togglePlay();
    });
  }));
  return stop;
}

function step(now: number): void {
  if (!playing.value) return;
  if (!clip.value) {
    playing.value = false; // what played is gone: undone, say
    frame.value = document_.value?.frame ?? 0;
    return;
  }
  const [from, to] = range();
  const span = Math.max(1, to - from);
  let next = frame.value + ((now - last) / 1000) * (document_.value?.fps ?? 30) * speed.value;
  last = now;
  if (next > to && !looping.value) {
    frame.value = to;
    return pause();
  }
  if (next > to) next = from + ((next - from) % span);
  frame.value = next;
  requestAnimationFrame(step);
}

export function goTo(to: number): void {
  stopWaiting?.();
  playing.value = false;
  askFrame(Math.max(0, Math.round(to)));
  stream({ op: "timeline.frame", frame: frame.value });
}

/** Where the motion ends, and so does what the session goes to. */
export function lastFrame(): number {
  return clip.peek() ? clip.peek()!.frames - 1 : Infinity;
}

/** To a frame that was typed: past the end the last one, which is said. */
export function goToTyped(to: number): void {
  goTo(to);
  if (to > lastFrame()) sayOver(`the motion ends at frame ${lastFrame()}: type a later “to” to go on`, 4000);
}

export function stepFrame(by: number): void {
  goTo(Math.round(frame.value) + by);
}

export function toggleEnd(which: 0 | 1): void {
  goTo(range()[which]);
}

function range(): [number, number] {
  return document_.value?.range ?? [0, 0];
}
