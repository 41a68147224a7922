// The widget of a notebook (anywidget): a page of `viewer.ts` in a frame, its goals and pose shared with Python. The
// viewer comes from Python once, for all widgets of the page, and a widget out of sight has no frame.

import type { Live } from "./view/live";

interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: unknown): void;
  on(event: string, callback: (message: { viewer?: string; key?: string }) => void): void;
  off(event: string, callback: unknown): void;
}

declare global {
  interface Window {
    /** The viewer's source by its hash: every frame of the page takes it from here. */
    posableViewers?: Record<string, string>;
  }
}

const AGAIN = 3000; // milliseconds after which the viewer is asked for again: another kernel may have started

let asked = -Infinity;

/** Have the viewer of that hash in the page; frames wait for it. */
function bring(model: Model, key: string): void {
  if (window.posableViewers?.[key] || performance.now() - asked < AGAIN) return;
  asked = performance.now();
  model.send({ wants: key });
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const place = document.createElement("div");
  place.style.cssText = `height: ${Number(model.get("height"))}px; border-radius: 8px; overflow: hidden; background: #1b1e24`;
  el.append(place);
  let frame: HTMLIFrameElement | null = null;
  let live: Live | null = null;
  let own = false;

  const tell = () => {
    if (!live) return;
    own = true;
    model.set("goals", live.goals());
    model.set("pose", Array.from(live.pose));
    model.set("status", live.status);
    own = false;
    model.save_changes();
  };
  const stand = () => {
    if (!own && live && !live.dragging) live.stand(model.get("pose") as number[]);
  };
  const connect = (tries: number) => {
    const found = frame?.contentWindow?.posableLive;
    if (!frame || live || !model.get("live")) return;
    if (!found) return void (tries && setTimeout(connect, 50, tries - 1));
    live = found;
    live.stand(model.get("pose") as number[]);
    live.onChange = tell;
  };
  const open = () => {
    if (frame) return;
    bring(model, model.get("key") as string);
    frame = document.createElement("iframe");
    frame.title = "a posable figure";
    frame.style.cssText = "width: 100%; height: 100%; border: 0";
    frame.srcdoc = model.get("page") as string;
    frame.addEventListener("load", () => connect(1200));
    place.append(frame);
  };
  const close = () => {
    frame?.remove();
    frame = live = null;
  };
  const heard = (message: { viewer?: string; key?: string }) => {
    if (message.viewer && message.key) (window.posableViewers ??= {})[message.key] = message.viewer;
  };
  const seen = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? open() : close()), { rootMargin: "200px" });
  seen.observe(place);
  model.on("msg:custom", heard);
  model.on("change:pose", stand);
  return () => {
    seen.disconnect();
    close();
    model.off("msg:custom", heard);
    model.off("change:pose", stand);
  };
}

export default { render };
