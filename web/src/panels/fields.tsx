// Number fields, sliders, switches. A field sends when it is left or Enter is pressed, a slider while it moves, and so
// does a field whose label is dragged.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { flush, isAwaited, send, stream } from "../link";
import type { Command, Quaternion, Vector } from "../schema";
import { degreesOf, quaternionOf } from "../timeline/degrees";
import { sayOver } from "../store";
import { isChange, numberOf } from "./sums";

interface NumberProps {
  label: string;
  value: number;
  step?: number;
  digits?: number;
  min?: number;
  max?: number;
  unit?: string;
  /** The unit that is not said beside the field but may be typed in it. */
  measure?: string;
  disabled?: boolean;
  inline?: boolean;
  /** Whether it stands for several things: the number that is there may be another one's news. */
  several?: boolean;
  /** Called as soon as somebody types. */
  onType?(): void;
  /** by: what is added, where the number was changed (`+= 2`, an arrow key, a label that is dragged) rather than given. */
  onChange(value: number, by?: number): void;
}

export function NumberField({ label, value, step = 0.01, digits = 3, min, max, unit, measure = unit, disabled, inline, several, onType, onChange }: NumberProps) {
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
    const wanted = numberOf(text, measure, value);
    if (wanted !== null) {
      put(wanted, isChange(text));
      const kept = within(wanted).toFixed(digits);
      if (kept !== wanted.toFixed(digits)) sayOver(`${label} goes ${wanted > Number(kept) ? "up" : "down"} to ${kept} ${measure ?? ""}`.trim(), LEGIBLE);
    }
    else if (text.trim()) sayOver(`“${text.trim().slice(0, 30)}” is no number for ${label}: it keeps ${shown}`, LEGIBLE);
  };
  const within = (wanted: number) => Math.min(max ?? Infinity, Math.max(min ?? -Infinity, wanted));
  const put = (wanted: number, isChanged: boolean) => {
    const kept = within(wanted);
    if (kept.toFixed(digits) !== value.toFixed(digits) || several) onChange(kept, isChanged ? kept - value : undefined);
  };
  const latest = useRef(put); // of the picture that is shown: what is beside the number in its command may have changed
  latest.current = put;
  const keys = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const way = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    // The keys that follow are meant for the view again.
    if (event.key === "Enter" || event.key === "Escape") {
      if (event.key === "Enter") commit(event.currentTarget.value);
      else setTyped(null);
      done.current = true;
      event.currentTarget.blur();
    }
    else if (way) put((numberOf(event.currentTarget.value, measure, value) ?? value) + way * step * (event.shiftKey ? 0.1 : 1), true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <label class={inline ? `inline-field ${label}` : "field"}>
      <span class={disabled ? undefined : "scrub"} title={disabled ? undefined : "Drag to change the number; Shift: finer"} onClick={(event) => event.preventDefault()} onPointerDown={(event) => !disabled && scrub(event, label, value, step, latest)}>{label}</span>
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

const LEGIBLE = 6000; // ms
const FINE = 4; // pixels of the mouse before a press on a label is a drag; and each is a step of the field's arrows

/** A label is dragged: the number goes with the mouse, as one step of undo. */
function scrub(press: PointerEvent & { currentTarget: HTMLElement }, label: string, from: number, step: number, put: { current(value: number, isChanged: boolean): void }): void {
  if (press.button) return;
  press.preventDefault(); // else text is selected
  const holder = press.currentTarget;
  holder.setPointerCapture(press.pointerId);
  let [begun, to, last, over] = [false, from, press.clientX, false];
  const move = (event: PointerEvent) => {
    if (!begun && Math.abs(event.clientX - press.clientX) < FINE) return;
    if (!begun) begun = send({ op: "gesture.begin", label });
    to += ((event.clientX - last) / FINE) * step * (event.shiftKey ? 0.1 : 1);
    last = event.clientX;
  };
  let sent = from;
  const follow = () => {
    if (to !== sent && !isAwaited()) put.current((sent = to), true);
    if (!over) requestAnimationFrame(follow);
  };
  const end = (event: PointerEvent) => {
    over = true;
    holder.removeEventListener("pointermove", move);
    if (!begun) return void (event.type === "pointerup" && holder.parentElement?.querySelector("input")?.focus());
    if (to !== sent) put.current(to, true);
    send({ op: "gesture.end" });
  };
  holder.addEventListener("pointermove", move);
  holder.addEventListener("pointerup", end, { once: true });
  holder.addEventListener("pointercancel", end, { once: true });
  requestAnimationFrame(follow);
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
  unit?: string;
  disabled?: boolean;
  command(value: number): Command;
}

const REST = 300; // ms after which a slider whose key was let go counts as left: some strokes, or one held, are one step of undo
const PATIENCE = 1500; // ms

/** A slider beside its number; one drag of the slider is one step of undo. */
export function Slider({ label, value, low, high, help, digits = 2, unit, disabled, command }: SliderProps) {
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
      <NumberField label={label} value={shown} digits={digits} unit={unit} step={(high - low) / 100} min={low} max={high} disabled={disabled} onChange={(to) => send(command(to))} />
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

export function VectorField({ label, value, unit, digits = 3, step, disabled, several, onChange }: { label: string; value: Vector; unit?: string; digits?: number; step?: number; disabled?: boolean; several?: boolean; onChange(value: Vector, axis: number, by?: number): void }) {
  const given = useRef<Vector | null>(null); // by the fields before this one, while the session has yet to answer
  const put = (axis: number, to: number, by?: number) => {
    const from = by === undefined && given.current && isAwaited() ? given.current : value;
    given.current = from.map((old, i) => (i === axis ? to : old)) as Vector;
    onChange(given.current, axis, by);
  };
  return (
    <fieldset class="vector" disabled={disabled}>
      <legend>{label}{unit && <em>{unit}</em>}</legend>
      {["x", "y", "z"].map((name, axis) => (
        <NumberField label={name} value={value[axis]!} digits={digits} step={step} measure={unit} several={several} onChange={(to, by) => put(axis, to, by)} />
      ))}
    </fieldset>
  );
}

export function RotationField({ label, value, disabled, several, onChange }: { label: string; value: Quaternion; disabled?: boolean; several?: boolean; onChange(value: Quaternion, axis: number, by?: number): void }) {
  return <VectorField label={label} unit="degrees" digits={1} step={1} value={degreesOf(value)} disabled={disabled} several={several} onChange={(degrees, axis, by) => onChange(quaternionOf(degrees), axis, by)} />;
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
