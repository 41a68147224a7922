// Panels fold and split: their edges are dragged, or moved by arrow keys; a double click folds them.

import { effect, signal } from "@preact/signals";

interface Split {
  /** The style sheet's name of its size. */
  name: "left" | "right" | "time";
  label: string;
  least: number;
  most: number;
}

const SPLITS: Split[] = [
  { name: "left", label: "Width of the left panel", least: 160, most: 480 },
  { name: "right", label: "Width of the right panel", least: 200, most: 520 },
  { name: "time", label: "Height of the timeline", least: 110, most: 560 },
];
const STEP = 16;

type Sizes = Partial<Record<Split["name"], number>>;
const sizes = signal<Sizes>(kept("posable.sizes"));
export const folded = signal<Partial<Record<Split["name"], boolean>>>(kept("posable.folded"));

function kept<Value extends object>(name: string): Value {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}") as Value;
  } catch {
    return {} as Value;
  }
}

effect(() => {
  const { style, dataset } = document.documentElement;
  for (const { name } of SPLITS) {
    const size = sizes.value[name];
    if (size) style.setProperty(`--${name}-size`, `${size}px`);
    else style.removeProperty(`--${name}-size`);
  }
  dataset.folded = SPLITS.filter(({ name }) => folded.value[name]).map(({ name }) => name).join(" ");
  localStorage.setItem("posable.sizes", JSON.stringify(sizes.value));
  localStorage.setItem("posable.folded", JSON.stringify(folded.value));
});

export function fold(name: Split["name"]): void {
  folded.value = { ...folded.value, [name]: !folded.value[name] };
}

function resize({ name, least, most }: Split, size: number): void {
  sizes.value = { ...sizes.value, [name]: Math.round(Math.min(most, Math.max(least, size))) };
}

const measured = (name: Split["name"]): number => {
  const box = document.querySelector(name === "time" ? ".timeline" : `.side.${name}`)?.getBoundingClientRect();
  return (name === "time" ? box?.height : box?.width) ?? 0;
};

export function Splits() {
  return <>{SPLITS.map((split) => <Edge split={split} />)}</>;
}

function Edge({ split }: { split: Split }) {
  const { name, label } = split;
  const upright = name !== "time";
  const way = name === "left" ? 1 : -1; // of a drag that makes it larger
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const edge = event.currentTarget as HTMLElement;
    edge.setPointerCapture(event.pointerId);
    const [start, before] = [upright ? event.clientX : event.clientY, measured(name)];
    const follow = (move: PointerEvent) => {
      if (folded.value[name]) fold(name);
      resize(split, before + way * ((upright ? move.clientX : move.clientY) - start));
    };
    edge.addEventListener("pointermove", follow);
    edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", follow), { once: true });
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -way, ArrowRight: way, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.key === "Enter") fold(name);
    else if (step && (event.key === "ArrowLeft" || event.key === "ArrowRight") === upright) resize(split, measured(name) + step * STEP);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class={`split ${name}`} role="separator" tabIndex={0} aria-label={label} aria-orientation={upright ? "vertical" : "horizontal"} aria-valuenow={sizes.value[name] ?? 0} title={`${label}: drag; double click folds`} onPointerDown={press} onDblClick={() => fold(name)} onKeyDown={keys} />
  );
}
