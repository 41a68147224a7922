// Buttons of actions, menus, and sections that fold.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { action, keysOf } from "../actions";
import type { Action } from "../actions";
import { Icon } from "./icons";
import type { IconName } from "./icons";

/**
 * wide: a word that stands beside the icon where there is room; wider: one that does where there is more. spare: whether it
 * stands in the menu More instead, where there is little.
 */
export function ActionButton({ id, icon, word, wide, wider, spare, disabled }: { id: string; icon: IconName; word?: string; wide?: string; wider?: string; spare?: boolean; disabled?: boolean }) {
  const wanted = action(id);
  const keys = keysOf(wanted);
  const title = keys ? `${wanted.label} (${keys})` : wanted.label;
  return (
    <button
      type="button"
      class={`tool ${word ? "worded" : ""} ${spare ? "spare" : ""}`}
      data-action={id}
      title={title}
      aria-label={wanted.label}
      aria-pressed={wanted.active?.()}
      disabled={disabled ?? !(wanted.enabled?.() ?? true)}
      onClick={wanted.run}
    >
      <Icon name={icon} />
      {word}
      {(wide ?? wider) && <span class={wide ? "wide-word" : "wide-word wider"}>{wide ?? wider}</span>}
    </button>
  );
}

/** What has no room beside the other buttons. */
export function More({ ids }: { ids: readonly string[] }) {
  return <div class="more"><Menu label="More" items={ids.map(action)} /></div>;
}

export function Menu({ label, items }: { label: string; items: (Action | null)[] }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    box.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const keys = (event: KeyboardEvent) => {
    const entries = [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape") {
      setOpen(false);
      box.current?.querySelector("button")?.focus();
    } else if (way) entries[(at + way + entries.length) % entries.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const choose = (item: Action) => {
    setOpen(false);
    item.run();
  };
  return (
    <div class="menu" ref={box} onKeyDown={open ? keys : undefined}>
      <button type="button" class="menu-button" aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
        <Icon name="down" />
      </button>
      {open && (
        <div class="menu-list" role="menu" aria-label={label}>
          {items.map((item) =>
            item ? (
              <button type="button" role="menuitem" disabled={!(item.enabled?.() ?? true)} onClick={() => choose(item)}>
                <span class="check" aria-hidden="true">{item.active?.() ? "✓" : ""}</span>
                <span>{item.label}</span>
                <kbd>{keysOf(item)}</kbd>
              </button>
            ) : (
              <hr />
            ),
          )}
        </div>
      )}
    </div>
  );
}

export function Section({ title, children, open = true, extra }: { title: string; children: ComponentChildren; open?: boolean; extra?: ComponentChildren }) {
  return (
    <details class="section" open={open}>
      <summary>
        <span>{title}</span>
        {extra}
      </summary>
      <div class="section-body">{children}</div>
    </details>
  );
}
