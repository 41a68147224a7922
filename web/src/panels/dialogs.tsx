// Command palette, help sheet, the text of a figure, and notices.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ACTIONS, keysOf, offered } from "../actions";
import type { Action } from "../actions";
import { send } from "../link";
import * as s from "../store";
import { download } from "../saving";
import type { Shot } from "../saving";
import { viewSize } from "../view/looking";
import { Check, Choice } from "./fields";
import { Icon } from "./icons";
import { moreCommands } from "./palette-more";
import { matches } from "./palette-search";

export function Dialogs() {
  const which = s.dialog.value;
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (which) box.current?.showModal();
    else box.current?.close();
  }, [which]);
  return (
    <dialog
      ref={box}
      class={which ?? ""}
      aria-label={which ? TITLES[which] : ""}
      onCancel={() => (s.dialog.value = null)}
      onClose={() => box.current?.open || (s.dialog.value = null)} // it may have been opened again since
      onClick={(event) => event.target === box.current && box.current?.close()}
    >
      {which === "palette" && <Palette />}
      {which === "help" && <Help />}
      {which === "text" && <TextEditor />}
      {which === "ask" && <Ask />}
      {which === "export" && <ExportBox />}
    </dialog>
  );
}

const TITLES = { palette: "Commands", help: "Keys and mouse", text: "Text of the figure", ask: "What to do with it", export: "Export a picture or film" };

/** A question with a button per answer; Escape or a click outside closes it. */
function Ask() {
  const question = s.question.value;
  const answer = (run: () => void) => {
    s.dialog.value = null;
    run();
  };
  return (
    <div class="ask-box">
      <h2>{question?.title}</h2>
      {question?.options?.map((option) => <Said key={option.label} option={option} />)}
      {question?.choices.map(({ label, help, run }, index) => (
        <button type="button" class={index ? "choice" : "choice first"} autofocus={!index} onClick={() => answer(run)}>
          <b>{label}</b>
          <span>{help}</span>
        </button>
      ))}
      <button type="button" class="corner" aria-label="Close" onClick={() => (s.dialog.value = null)}><Icon name="close" /></button>
    </div>
  );
}

function Said({ option: { label, value, choices, put } }: { option: NonNullable<s.Question["options"]>[number] }) {
  const [now, setNow] = useState(value);
  return <Choice label={label} value={now} options={choices} onChange={(to) => (setNow(to), put(to))} />;
}

const SIZES: [name: string, size: [number, number] | null][] = [
  ["as the view", null],
  ["640 × 480", [640, 480]],
  ["1280 × 720", [1280, 720]],
  ["1920 × 1080", [1920, 1080]],
  ["1080 × 1080", [1080, 1080]],
];
const even = (pixels: number) => Math.max(2, 2 * Math.round(pixels / 2));
let lastShot: Pick<Shot, "bones" | "asSeen"> & { size: number } = { bones: false, asSeen: true, size: 0 };

/** Camera, size and bones of a picture or film; what was chosen last is offered again. */
function ExportBox() {
  const kind = s.exporting.value;
  const [chosen, setChosen] = useState(lastShot);
  const put = (change: Partial<typeof lastShot>) => setChosen((lastShot = { ...chosen, ...change }));
  const make = (event: Event) => {
    event.preventDefault();
    s.dialog.value = null;
    const [width, height] = SIZES[chosen.size]![1] ?? viewSize();
    void download(kind, { ...chosen, width: even(width), height: even(height) });
  };
  return (
    <form class="ask-box" onSubmit={make}>
      <h2>{kind === "png" ? "Export a picture" : `Export a film (${kind.toUpperCase()})`}</h2>
      <Choice label="Camera" value={chosen.asSeen ? "seen" : "all"} options={[["seen", "as in the view"], ["all", "all of the motion"]]} onChange={(value) => put({ asSeen: value === "seen" })} />
      <Choice label="Size" value={String(chosen.size)} options={SIZES.map(([name], index) => [String(index), name] as const)} onChange={(value) => put({ size: Number(value) })} />
      <Check label="Bones over the skin" checked={chosen.bones} onChange={(bones) => put({ bones })} />
      <button type="submit" class="primary" autofocus>Export</button>
      <button type="button" class="corner" aria-label="Close" onClick={() => (s.dialog.value = null)}><Icon name="close" /></button>
    </form>
  );
}

function Palette() {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = matches([...ACTIONS, ...offered(), ...selections(), ...moreCommands(typed)], typed).slice(0, 12);
  const chosen = Math.min(at, found.length - 1);
  const use = (wanted: Action | undefined) => {
    document.querySelector("dialog")?.close(); // first, as it gives the focus back, which may choose a goal
    s.dialog.value = null;
    if (!wanted) return;
    if (wanted.enabled?.() ?? true) wanted.run();
    else s.tell(`Not possible now: ${wanted.label}. Choose what it is for first: a handle, a joint, a key`);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt((chosen + 1) % found.length);
    else if (event.key === "ArrowUp") setAt((chosen - 1 + found.length) % found.length);
    else if (event.key === "Enter") use(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <div class="palette-box" onKeyDown={keys}>
      <input type="text" autofocus placeholder="What do you want to do?" aria-label="Find a command" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={`palette-${chosen}`} value={typed} onInput={(event) => (setTyped(event.currentTarget.value), setAt(0))} />
      <ul id="palette-list" role="listbox" aria-label="Commands">
        {found.map((entry, index) => (
          <li id={`palette-${index}`} role="option" aria-selected={index === chosen} aria-disabled={!(entry.enabled?.() ?? true)} onClick={() => use(entry)}>
            <em>{entry.group}</em>
            <span>{entry.label}</span>
            <kbd>{keysOf(entry)}</kbd>
          </li>
        ))}
        {!found.length && <li class="nothing">No command matches.</li>}
      </ul>
    </div>
  );
}

function selections(): Action[] {
  return [
    ...s.goals.value.map((goal): Action => ({ id: `choose-${goal.name}`, label: `Select goal ${goal.name}`, group: "Pose", run: () => s.choose({ kind: "goal", name: goal.name }) })),
    ...s.joints.value.map((joint): Action => ({ id: `joint-${joint.name}`, label: `Select joint ${joint.name}`, group: "Pose", run: () => (s.selection.value = { kind: "joint", name: joint.name }) })),
  ];
}

const MOUSE: [string, string][] = [
  ["drag a handle", "the limb follows, in the plane of the view"],
  ["drag an arrow or ring", "along one axis, about one axis"],
  ["G or R over the picture", "moves or rotates with the mouse at once; X, Y, Z: one axis, with Shift the plane across; numbers say how far; click or Enter sets, Escape takes back"],
  ["click a limb", "chooses its goal; with Alt the joint itself"],
  ["Ctrl while dragging", "snaps"],
  ["Shift while dragging", "ten times slower"],
  ["drag the ground, or middle button", "turns the view; right button, or middle one with Shift, moves it; wheel zooms"],
  ["Alt and a button, with Maya's keys", "left turns the view, middle moves it, right zooms; over handles too"],
  ["arrow keys, held", "move the chosen goal; in the timeline step the frame; in a demo play it"],
  ["timeline: drag keys", "moves; Alt copies; Shift moves all later keys too"],
  ["timeline: drag a box", "chooses; Ctrl adds; top row moves whole poses"],
  ["timeline: wheel", "zooms; with Shift or middle button moves along"],
  ["drop a file or folder", "a figure, a motion, a mesh, a session, or a zip of them"],
  ["a key on a motion path (T)", "drag: moves it in space"],
];

function Help() {
  const groups = [...new Set(ACTIONS.map((entry) => entry.group))];
  return (
    <div class="help-box">
      <h2>Keys and mouse</h2>
      <div class="help-columns">
        <section>
          <h3>Mouse and arrows</h3>
          <dl>{MOUSE.map(([what, does]) => <div><dt>{what}</dt><dd>{does}</dd></div>)}</dl>
        </section>
        {groups.map((name) => {
          const keyed = ACTIONS.filter((entry) => entry.group === name && keysOf(entry));
          return keyed.length > 0 && (
            <section>
              <h3>{name}</h3>
              <dl>{keyed.map((entry) => <div><dt><kbd>{keysOf(entry)}</kbd></dt><dd>{entry.label}</dd></div>)}</dl>
            </section>
          );
        })}
      </div>
      <button type="button" class="corner" aria-label="Close" onClick={() => (s.dialog.value = null)}><Icon name="close" /></button>
    </div>
  );
}

function TextEditor() {
  const [text, setText] = useState(s.document_.value?.text ?? "");
  return (
    <form class="text-box" onSubmit={(event) => (event.preventDefault(), send({ op: "text.reload", text }))}>
      <h2>Text of the figure</h2>
      <textarea ref={toTop} spellcheck={false} aria-label="Text of the figure" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <div class="line">
        <button type="submit" class="primary">Load the text</button>
        <button type="button" class="plain" onClick={() => setText(s.document_.value?.text ?? "")}>Revert</button>
        <button type="button" class="plain" onClick={() => (s.dialog.value = null)}>Close</button>
      </div>
    </form>
  );
}

function toTop(area: HTMLTextAreaElement | null): void {
  area?.setSelectionRange(0, 0);
  area?.scrollTo(0, 0);
}

export function Notices() {
  return (
    <div class="notices" aria-live="assertive">
      {s.notices.value.map((notice) => (
        <div key={notice.id} class={`notice ${notice.bad ? "bad" : ""}`} role={notice.bad ? "alert" : "status"}>
          <b aria-hidden="true">{notice.bad ? "!" : "i"}</b>
          <span>{notice.text}</span>
          <button type="button" aria-label="Dismiss" onClick={() => s.dismiss(notice.id)}><Icon name="close" /></button>
        </div>
      ))}
    </div>
  );
}
