// Number fields, sliders, switches. A field sends when it is left or Enter is pressed, a slider while it moves.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { flush, send, stream } from "../link";
import type { Command, Quaternion, Vector } from "../schema";
import { degreesOf, quaternionOf } from "../timeline/degrees";

interface NumberProps {
  label: string;
  value: number;
  step?: number;
  digits?: number;
  min?: number;
  max?: number;
  unit?: string;
  disabled?: boolean;
  inline?: boolean;
  /** Called as soon as somebody types. */
  onType?(): void;
  onChange(value: number): void;
}

export function NumberField({ label, value, step = 0.01, digits = 3, min, max, unit, disabled, inline, onType, onChange }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const done = useRef(false); // taken or given up: leaving the field says nothing more
  const shown = shownOf(value, digits);
  // A value that changes under the cursor loses its selection: what is typed next would be put beside it.
  useLayoutEffect(() => {
    if (typed === null && document.activeElement === box.current) box.current?.select();
  }, [shown]);
  const commit = (text: string) => {
    setTyped(null);
    const wanted = Number(text.replace(",", "."));
    if (!text.trim() || !Number.isFinite(wanted)) return;
    const kept = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, wanted));
    if (kept.toFixed(digits) !== value.toFixed(digits)) onChange(kept);
  };
  const keys = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const way = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    // The keys that follow are meant for the view again.
    if (event.key === "Enter" || event.key === "Escape") {
      if (event.key === "Enter") commit(event.currentTarget.value);
      else setTyped(null);
      done.current = true;
      event.currentTarget.blur();
    }
    else if (way) commit(String(Number(event.currentTarget.value) + way * step * (event.shiftKey ? 0.1 : 1)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <label class={inline ? `inline-field ${label}` : "field"}>
      <span>{label}</span>
      <input
        ref={box}
        type="text"
        inputMode="decimal"
        aria-label={unit ? `${label} in ${unit}` : label}
        disabled={disabled}
        value={typed ?? shown}
        onMouseDown={enter}
        onFocus={(event) => ((done.current = false), event.currentTarget.select())}
        onInput={(event) => (onType?.(), setTyped(event.currentTarget.value))}
        onBlur={(event) => typed !== null && !done.current && commit(event.currentTarget.value)}
        onKeyDown={keys}
      />
      {unit && <em aria-hidden="true">{unit}</em>}
    </label>
  );
}

/** The first click selects the whole number, even if part of it was selected before. */
function enter(event: MouseEvent & { currentTarget: HTMLInputElement }): void {
  if (document.activeElement === event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.focus();
}

interface SliderProps {
  label: string;
  value: number;
  low: number;
  high: number;
  help?: string;
  digits?: number;
  disabled?: boolean;
  command(value: number): Command;
}

const REST = 300; // ms after which a slider whose key was let go counts as left: some strokes, or one held, are one step of undo
const PATIENCE = 1500; // ms

/** A slider beside its number; one drag of the slider is one step of undo. */
export function Slider({ label, value, low, high, help, digits = 2, disabled, command }: SliderProps) {
  const begun = useRef(false);
  const leaving = useRef(0);
  const keyDown = useRef(false);
  const [held, setHeld] = useState<number | null>(null);
  const shown = held ?? value;
  const move = (to: number) => {
    clearTimeout(leaving.current);
    if (!begun.current) begun.current = send({ op: "gesture.begin", label });
    setHeld(to);
    stream(command(to));
  };
  const end = () => {
    clearTimeout(leaving.current);
    if (!begun.current) return;
    flush();
    send({ op: "gesture.end" });
    begun.current = false;
    leaving.current = window.setTimeout(() => setHeld(null), PATIENCE); // in case it was refused
  };
  const leave = () => {
    clearTimeout(leaving.current);
    if (!keyDown.current) leaving.current = window.setTimeout(end, REST);
  };
  const press = (down: boolean) => {
    keyDown.current = down;
    if (!down && begun.current) leave();
  };
  // What was put in is shown until the session says what it took.
  useEffect(() => {
    if (!begun.current) setHeld(null);
  }, [value]);
  return (
    <div class="slider" title={help}>
      <NumberField label={label} value={shown} digits={digits} step={(high - low) / 100} min={low} max={high} disabled={disabled} onChange={(to) => send(command(to))} />
      <input
        type="range"
        aria-label={help ? `${label}: ${help}` : label}
        min={low}
        max={high}
        step={(high - low) / 200}
        value={shown}
        disabled={disabled}
        onInput={(event) => move(Number(event.currentTarget.value))}
        onChange={leave}
        onKeyDown={() => press(true)}
        onKeyUp={() => press(false)}
        onPointerUp={end}
        onBlur={() => (press(false), end())}
      />
    </div>
  );
}

export function VectorField({ label, value, unit, digits = 3, step, disabled, onChange }: { label: string; value: Vector; unit?: string; digits?: number; step?: number; disabled?: boolean; onChange(value: Vector): void }) {
  const put = (axis: number, to: number) => onChange(value.map((old, i) => (i === axis ? to : old)) as Vector);
  return (
    <fieldset class="vector" disabled={disabled}>
      <legend>{label}{unit && <em>{unit}</em>}</legend>
      {["x", "y", "z"].map((name, axis) => (
        <NumberField label={name} value={value[axis]!} digits={digits} step={step} onChange={(to) => put(axis, to)} />
      ))}
    </fieldset>
  );
}

export function RotationField({ label, value, disabled, onChange }: { label: string; value: Quaternion; disabled?: boolean; onChange(value: Quaternion): void }) {
  return <VectorField label={label} unit="degrees" digits={1} step={1} value={degreesOf(value)} disabled={disabled} onChange={(degrees) => onChange(quaternionOf(degrees))} />;
}

export function Check({ label, checked, disabled, help, onChange }: { label: string; checked: boolean; disabled?: boolean; help?: string; onChange(on: boolean): void }) {
  return (
    <label class="check-field" title={help}>
      <input type="checkbox" role="switch" checked={checked} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

export function Choice({ label, value, options, disabled, onChange }: { label: string; value: string; options: readonly (readonly [value: string, name: string])[]; disabled?: boolean; onChange(value: string): void }) {
  return (
    <label class="field wide">
      <span>{label}</span>
      <select aria-label={label} value={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, name]) => <option value={key}>{name}</option>)}
      </select>
    </label>
  );
}

/** With its digits, and without the sign of a zero. */
function shownOf(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}
