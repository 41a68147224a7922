// The clip under the keys: a list, and a window in which each clip plays on the figure while the mouse is over its name.

import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../access";
import { send } from "../link";
import { Icon } from "../panels/icons";
import { pause } from "../playback";
import { unpackClip } from "../schema";
import * as s from "../store";

const REST = 120; // ms over a name before its clip is fetched

export function ClipChoice() {
  const [open, setOpen] = useState(false);
  const document = s.document_.value;
  const clips = document?.clips ?? [];
  return (
    <div class="clip">
      <select aria-label="Clip under the keys" title="The motion that plays under the keys" disabled={!clips.length} value={document?.clip ?? ""} onChange={(event) => send({ op: "clip.choose", name: event.currentTarget.value || null })}>
        <option value="">{clips.length ? "no clip" : "no clips yet"}</option>
        {clips.map((name) => <option value={name}>{name}</option>)}
      </select>
      <button type="button" class="small" aria-label="Look at the clips" title="Look at the clips: each plays while the mouse is over its name" aria-expanded={open} disabled={!clips.length} onClick={() => setOpen(!open)}><Icon name="eye" /></button>
      {open && <Previews clips={clips} close={() => setOpen(false)} />}
    </div>
  );
}

function Previews({ clips, close }: { clips: string[]; close(): void }) {
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef("");
  const [search, setSearch] = useState("");
  useEffect(() => {
    const away = (event: PointerEvent) => box.current?.contains(event.target as Node) || close();
    addEventListener("pointerdown", away);
    return () => {
      removeEventListener("pointerdown", away);
      look("");
    };
  }, []);
  const look = (name: string) => {
    wanted.current = name;
    s.preview.value = null;
    if (name) setTimeout(() => void show(name), REST);
  };
  const show = async (name: string) => {
    if (wanted.current !== name) return;
    pause();
    const answer = await request(`api/clip?name=${encodeURIComponent(name)}`);
    if (answer.ok && wanted.current === name) s.preview.value = unpackClip(await answer.arrayBuffer());
  };
  const choose = (name: string) => {
    send({ op: "clip.choose", name });
    close();
  };
  const found = clips.filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div class="previews" ref={box} role="dialog" aria-label="Clips" onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), close())} onPointerLeave={() => look("")}>
      <input type="search" class="search" placeholder="Find a clip" aria-label="Find a clip" autofocus value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      <div>
        {found.map((name) => (
          <button type="button" class="name" aria-pressed={name === s.document_.value?.clip} onPointerEnter={() => look(name)} onFocus={() => look(name)} onClick={() => choose(name)}>{name}</button>
        ))}
      </div>
    </div>
  );
}
