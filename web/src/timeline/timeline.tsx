// The timeline: transport buttons above, names of the goals left, dope sheet or curves right.

import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { action, run } from "../actions";
import { send } from "../link";
import { ActionButton, More } from "../panels/controls";
import { NumberField } from "../panels/fields";
import { Icon } from "../panels/icons";
import { showPressed } from "../panels/reveal";
import { INTERPOLATIONS } from "../schema";
import type { Interpolation } from "../schema";
import { goToTyped, lastFrame, pause } from "../playback";
import * as s from "../store";
import { ClipChoice } from "./clip-menu";
import { drawCurves, pressCurves } from "./curve-view";
import { drawDope, pressDope, ROW, settleChoice } from "./dope";
import { channels, chosenKeys, curves, easeKeys, fitSpan, span } from "./editing";
import { brought, CHANNELS, isPole, zoomed } from "./timeline-model";

export function Timeline() {
  return (
    <section class="timeline" aria-label="Timeline">
      <Transport />
      <div class="sheet">
        <ClipChoice />
        <Names />
        <Canvas />
      </div>
    </section>
  );
}

const SPARE = ["start", "end", "cyclic", "copy", "paste", "delete", "ghosts", "paths"]; // on a narrow page

function Transport() {
  const document = s.document_.value;
  const [from, to] = document?.range ?? [0, 0];
  return (
    <div class="transport" role="toolbar" aria-label="Transport">
      <ActionButton id="start" icon="start" spare />
      <ActionButton id="key-before" icon="key-before" />
      <button type="button" class="tool play" title={s.playing.value ? "Pause (Space)" : "Play (Space)"} aria-label={s.playing.value ? "Pause" : "Play"} aria-pressed={s.playing.value} disabled={!s.clip.value} onClick={action("play").run}>
        <Icon name={s.playing.value ? "pause" : "play"} />
      </button>
      <ActionButton id="key-after" icon="key-after" />
      <ActionButton id="end" icon="end" spare />
      <ActionButton id="loop" icon="loop" />
      <ActionButton id="cyclic" icon="cyclic" spare />
      <span class="gap" />
      <NumberField label="Frame" value={Math.round(s.frame.value)} step={1} digits={0} onType={pause} onChange={goToTyped} inline />
      <NumberField label="from" value={from} step={1} digits={0} onChange={(value) => send({ op: "timeline.set", range: [value, to] })} inline />
      <NumberField label="to" value={to} step={1} digits={0} onChange={(value) => send({ op: "timeline.set", range: [from, value] })} inline />
      <NumberField label="fps" value={document?.fps ?? 30} step={1} digits={0} onChange={(fps) => send({ op: "timeline.set", fps })} inline />
      <label class="inline-field speed">
        <span>speed</span>
        <select title="Playback speed" value={s.speed.value} onChange={(event) => (s.speed.value = Number(event.currentTarget.value))}>
          {[0.1, 0.25, 0.5, 1, 2, 4].map((value) => <option value={value}>×{value}</option>)}
        </select>
      </label>
      <span class="gap" />
      <button type="button" class="tool worded key" title="Set a key (K)" onClick={() => run("key")}>
        <Icon name="key" /><span class="tight"> Key</span>
      </button>
      <AutoKey />
      <label class="inline-field">
        <span class="hidden-text">Interpolation of the selected keys</span>
        <select disabled={!chosenKeys.value.size} title="Interpolation from the selected keys to the next" value={interpolationChosen()} onChange={(event) => easeKeys(event.currentTarget.value as Interpolation)}>
          <option value="" disabled>curve…</option>
          {INTERPOLATIONS.map((name) => <option value={name}>{name}</option>)}
        </select>
      </label>
      <ActionButton id="copy" icon="copy" spare disabled={!chosenKeys.value.size} />
      <ActionButton id="paste" icon="paste" spare />
      <ActionButton id="delete" icon="delete" spare disabled={!chosenKeys.value.size && !s.selectedGoal.value} />
      <span class="push" />
      <ActionButton id="ghosts" icon="ghost" spare />
      <ActionButton id="paths" icon="path" spare />
      <More ids={SPARE} />
      <div class="switch" role="group" aria-label="View of the timeline">
        <button type="button" aria-pressed={!curves.value} onClick={() => (curves.value = false)}>Keys</button>
        <button type="button" aria-pressed={curves.value} onClick={() => (curves.value = true)}>Curves</button>
      </div>
    </div>
  );
}

function AutoKey() {
  const on = s.document_.value?.auto_key ?? false;
  return (
    <button type="button" class={`tool worded auto-key ${on ? "lit" : ""}`} aria-pressed={on} title="Auto-key: moving a goal sets a key at the frame (A)" onClick={() => run("autokey")}>
      <span class="lamp" aria-hidden="true" /> <span>Auto<span class="tight">-key {on ? "on" : "off"}</span></span>
    </button>
  );
}

function interpolationChosen(): string {
  const found = new Set<string>();
  for (const goal of s.goals.value) for (const key of goal.keys) if (chosenKeys.value.has(`${key.frame}\n${goal.name}`)) found.add(key.interpolation);
  return found.size === 1 ? [...found][0]! : "";
}

const scroll = { dope: 0 };

function Names() {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const follow = () => {
      scroll.dope = element.scrollTop;
      redraw();
    };
    element.addEventListener("scroll", follow);
    return () => element.removeEventListener("scroll", follow);
  }, [curves.value]);
  const chosen = s.selectedGoal.value?.name;
  useEffect(() => {
    if (list.current) showPressed(list.current);
  }, [curves.value, chosen]);
  if (curves.value) {
    return (
      <div class="names channels" role="group" aria-label="Channels">
        <p>{s.selectedGoal.value?.name ?? "no goal"}</p>
        {CHANNELS.filter((channel) => !isPole(channel) || s.selectedGoal.value?.pole).map((channel) => (
          <label class={`channel ${channel}`}>
            <input type="checkbox" checked={channels.value.has(channel)} onChange={() => toggleChannel(channel)} />
            {channel}
          </label>
        ))}
      </div>
    );
  }
  return (
    <div class="names" ref={list}>
      <div class="name summary">all goals</div>
      {s.goals.value.map((goal) => (
        <button type="button" class="name" aria-pressed={s.selectedGoal.value?.name === goal.name} onClick={() => s.choose({ kind: "goal", name: goal.name })}>
          {goal.name}
        </button>
      ))}
    </div>
  );
}

function toggleChannel(channel: (typeof CHANNELS)[number]): void {
  const next = new Set(channels.value);
  if (!next.delete(channel)) next.add(channel);
  channels.value = next;
}

let redraw = () => {};

function Canvas() {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    let asked = false;
    redraw = () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        settleChoice();
        if (curves.value) drawCurves(canvas);
        else drawDope(canvas, scroll.dope);
      });
    };
    const watch = new ResizeObserver(redraw);
    watch.observe(canvas);
    const stop = effect(() => {
      // Read so that each of them asks for a new drawing.
      void [s.document_.value, s.selection.value, s.frame.value, s.theme.value, chosenKeys.value, span.value, curves.value, channels.value];
      redraw();
    });
    const stopFollow = effect(() => {
      const at = s.frame.value;
      if (!s.playing.peek()) span.value = brought(span.peek(), Math.min(at, lastFrame()), canvas.clientWidth);
    });
    let fitted = "";
    const stopFit = effect(() => {
      const key = `${s.document_.value?.name} ${s.document_.value?.range.join()}`;
      if (s.document_.value && key !== fitted) fitSpan(canvas.clientWidth);
      fitted = key;
    });
    canvas.addEventListener("wheel", wheel, { passive: false });
    return () => (watch.disconnect(), stop(), stopFollow(), stopFit());
  }, []);
  const press = (event: PointerEvent) => {
    const canvas = event.currentTarget as HTMLCanvasElement;
    if (event.button === 1) return pan(event, canvas);
    canvas.focus({ preventScroll: true });
    if (curves.value) pressCurves(event, canvas, redraw);
    else pressDope(event, canvas, scroll.dope, redraw);
  };
  const label = curves.value ? "Curves of the selected goal" : `Keys of ${s.goals.value.length} goals; arrows step the frame, comma and full stop go from key to key`;
  return <canvas ref={ref} tabIndex={0} class="keys" role="application" aria-label={label} onPointerDown={press} />;
}

function wheel(event: WheelEvent): void {
  event.preventDefault();
  const canvas = event.currentTarget as HTMLCanvasElement;
  const sideways = event.shiftKey ? event.deltaY : event.deltaX;
  if (event.altKey) document.querySelector(".timeline .names")?.scrollBy(0, Math.sign(event.deltaY) * ROW);
  else if (sideways) span.value = { ...span.value, first: span.value.first + sideways / span.value.scale };
  else span.value = zoomed(span.value, event.clientX - canvas.getBoundingClientRect().left, Math.exp(-event.deltaY / 400));
}

function pan(event: PointerEvent, canvas: HTMLCanvasElement): void {
  event.preventDefault();
  canvas.setPointerCapture(event.pointerId);
  const start = { x: event.clientX, first: span.value.first };
  const follow = (move: PointerEvent) => (span.value = { ...span.value, first: start.first - (move.clientX - start.x) / span.value.scale });
  canvas.addEventListener("pointermove", follow);
  canvas.addEventListener("lostpointercapture", () => canvas.removeEventListener("pointermove", follow), { once: true });
}
