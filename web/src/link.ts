// The socket: commands are never dropped; of drag messages at most two are in flight, and the newest wins.

import { ownKey, request } from "./access";
import { told, toldOrigin } from "./foresight";
import { latency } from "./meter";
import { GESTURE_BEGINS, packGoal, POSE, unpackClip, unpackPose } from "./schema";
import type { ClipsEvent, Command, Quaternion, ServerEvent, Vector } from "./schema";
import * as store from "./store";

const MOST_IN_FLIGHT = 2;
const PATIENCE = 1000; // ms until an unanswered message no longer holds back the next
const RETRY = [300, 600, 1200, 2400];
const [REFUSED, CROWDED] = [1008, 1013]; // codes of a close whose reason is for the person
const LONG = 500; // ms after which what is not answered is said to be worked on
const VERY_LONG = 4000; // ms after which it is said why

let socket: WebSocket | null = null;
let counter = 0;
let left = 0; // the last step of a gesture, by its number
let tries = 0;
let attempt = 0;
let again: ReturnType<typeof setTimeout> | undefined;
const flying = new Map<number, number>(); // seq -> time sent
const asked = new Map<number, number>(); // what has no answer yet: id or seq -> time sent
const LASTING: Partial<Record<Command["op"], string>> = {
  "clip.retarget": "retargeting the motion to the figure",
  "clip.bake": "baking the keys",
  "walk.make": "making the walk",
  "figure.open": "opening the figure",
  "terrain.file": "reading the ground",
  "skin.bind": "binding the skin",
  "methods.race": "the methods race",
};
let lasting = ""; // of what was sent last and may last, in words
let answering: (() => void) | null = null;
type Waiting = { goal: number; flags: number; position: Vector; rotation: Quaternion } | Command;
let waiting: Waiting | null = null;

const OPENING = "The studio is there again and opens the session, which may take a while…";
const NO_KEY = "No access: open the address that posable studio printed when it started";

export async function connect(): Promise<void> {
  const mine = ++attempt;
  clearTimeout(again);
  const key = await ownKey().catch(() => undefined);
  if (mine !== attempt) return;
  if (key === undefined) return retry("");
  if (key === null) return lose(NO_KEY); // a new address in this tab brings one
  const address = new URL("ws", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.search = "";
  address.hash = "";
  socket?.close();
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    socket?.send(key);
    if (store.connected.value === false) store.refusal.value = OPENING;
  };
  socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => {
    if (!store.connected.value) begin();
    if (typeof message.data === "string") takeEvent(JSON.parse(message.data) as ServerEvent);
    else takeBytes(message.data);
  };
  socket.onclose = ({ code, reason }) => mine === attempt && retry(code === REFUSED || code === CROWDED ? reason : "");
}

/** A new address was put into this tab: the browser does not load the page again for what follows its #. */
addEventListener("hashchange", () => void (store.connected.value ? ownKey() : connect()));

/** The session has let this page in. */
function begin(): void {
  tries = 0;
  flying.clear();
  answered(counter);
  waiting = null;
  store.connected.value = true;
  for (const command of early.splice(0)) send(command);
}

function lose(why: string): void {
  store.refusal.value = why;
  store.connected.value = false;
}

function retry(why: string): void {
  lose(why);
  again = setTimeout(() => void connect(), RETRY[Math.min(tries++, RETRY.length - 1)]);
}

const early: Command[] = [];

/** Sends a command, in order; false without a connection. What comes before the session first answers waits for that. */
export function send(command: Command): boolean {
  if (store.connected.value === null) {
    early.push(command);
    return true;
  }
  if (socket?.readyState !== WebSocket.OPEN) {
    store.tell("No connection to the session: start posable studio again", true);
    return false;
  }
  flush();
  lasting = LASTING[command.op] ?? (asked.size ? lasting : "");
  socket.send(JSON.stringify({ ...command, id: ++counter }));
  expect(counter);
  return true;
}

function expect(answer: number): void {
  asked.set(answer, performance.now());
  setTimeout(sayWhatLasts, LONG);
}

/** Shows that the session is busy, from the first slow command until all are answered. */
function sayWhatLasts(): void {
  const oldest = Math.min(...asked.values());
  if (answering || performance.now() - oldest < 0.9 * LONG) return;
  const all = new Promise<void>((done) => (answering = done));
  const mine = answering;
  store.busy.value = true;
  if (!store.ready.value) return; // which the status line says
  void store.underWay(lasting || "working", all, store.COMMAND);
  if (!lasting) setTimeout(() => answering === mine && void store.underWay(whatIsWorkedOut(), all, store.COMMAND), VERY_LONG);
}

/** What a command that is not known to last has to wait for. */
function whatIsWorkedOut(): string {
  const now = store.document_.peek();
  const isAnimated = Boolean(now?.clip) || store.goals.peek().some((goal) => goal.keys.length);
  return isAnimated ? `working out the motion: ${now!.range[1] + 1} frames` : "working; the first time on a machine may take half a minute";
}

/** A step of a gesture: the next one replaces it while it waits. */
export function stream(message: Waiting): void {
  if (waiting && "flags" in waiting && "flags" in message && waiting.goal === message.goal) {
    message.flags |= waiting.flags & GESTURE_BEGINS;
  }
  waiting = message;
  pump();
}

/** Forgets the waiting step: its gesture is cancelled. */
export function drop(): void {
  waiting = null;
}

/** Sends the waiting step now: the end of a gesture must not be replaced. The number of the last step that was sent. */
export function flush(): number {
  leave();
  return left;
}

/** Whether the session has yet to answer something. */
export const isAwaited = (): boolean => asked.size > 0;

/** Whether the session has answered what was sent under a number. */
export const isAnswered = (number: number): boolean => !asked.has(number);

function pump(): void {
  const now = performance.now();
  for (const [seq, sent] of flying) if (now - sent > PATIENCE) flying.delete(seq);
  if (waiting && flying.size < MOST_IN_FLIGHT) leave();
}

function leave(): void {
  const message = waiting;
  if (!message || socket?.readyState !== WebSocket.OPEN) return;
  waiting = null;
  const seq = (left = ++counter);
  flying.set(seq, performance.now());
  expect(seq);
  socket.send("flags" in message ? packGoal({ ...message, seq }) : JSON.stringify({ ...message, id: seq }));
}

function answered(seq: number): void {
  const sent = flying.get(seq);
  if (sent !== undefined) latency.give(performance.now() - sent);
  for (const list of [flying, asked]) for (const earlier of list.keys()) if (earlier <= seq) list.delete(earlier);
  if (!asked.size) {
    answering?.();
    answering = null;
    store.busy.value = false;
  }
  pump();
  if (!asked.size && !waiting) store.takeFrame();
}

function takeBytes(bytes: ArrayBuffer): void {
  if (new Uint8Array(bytes, 0, 1)[0] === POSE) {
    const pose = unpackPose(bytes);
    answered(pose.seq);
    told(pose, !waiting && !asked.size);
  } else {
    const clip = unpackClip(bytes);
    store.clip.value = clip.frames ? clip : null;
  }
}

const askedOf = new Set<string>();

/** A dropped file has several motions: the first one plays, and the page asks, once per file, for another. */
function askOfClips({ file, name, clips, taken }: ClipsEvent): void {
  const choices = clips.map((clip) => ({
    label: clip,
    help: clip === taken ? "plays now" : "",
    run: () => void (clip !== taken && send({ op: "clip.retarget", file, name, clip })),
  }));
  if (!store.dialog.value && !askedOf.has(file)) store.ask({ title: `${name} holds ${clips.length} motions`, choices });
  askedOf.add(file);
}

function takeEvent(event: ServerEvent): void {
  switch (event.event) {
    case "hello":
      store.menus.value = event;
      break;
    case "document":
      store.takeDocument(event.document, event.set);
      break;
    case "figure":
      store.clip.value = null;
      if (store.figure.value?.joints.join() !== event.joints.join()) store.bones.value = event.bare;
      store.figure.value = event;
      break;
    case "weights":
      store.giveWeights(event);
      break;
    case "status":
      store.status.value = event;
      break;
    case "terrain":
      store.terrainMesh.value = event.faces.length ? event : null;
      break;
    case "origin":
      toldOrigin(event);
      break;
    case "clips":
      askOfClips(event);
      break;
    case "ready":
      store.ready.value = event.ready;
      break;
    case "progress":
      store.progress(event, event.job === store.COMMAND ? { cancel: () => void request("api/cancel", { method: "POST" }) } : {});
      break;
    case "notice":
      store.tell(event.text);
      break;
    case "error":
      store.tell(event.message, true);
      if (event.id !== null) answered(event.id);
  }
}
