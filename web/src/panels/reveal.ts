// Brings parts of panels into sight: a field that gets the focus, the numbers of what was chosen, its row.

export function reveal(field: string): void {
  const found = document.querySelector<HTMLElement>(field);
  found?.closest("details")?.setAttribute("open", "");
  found?.scrollIntoView({ block: "nearest" });
  found?.focus();
}

/** Scrolls a panel up to where this part of it begins, unless that is in sight. */
export function bringUp(part: HTMLElement): void {
  const panel = part.closest(".side");
  const off = panel ? part.getBoundingClientRect().top - panel.getBoundingClientRect().top : 0;
  if (panel && (off < 0 || off > panel.clientHeight / 2)) panel.scrollTop += off;
}

/** Scrolls a list no further than its pressed row takes to be in sight. */
export function showPressed(list: HTMLElement): void {
  const row = list.querySelector('[aria-pressed="true"]')?.getBoundingClientRect();
  const { top, bottom } = list.getBoundingClientRect();
  if (row) list.scrollTop += Math.min(0, row.top - top) + Math.max(0, row.bottom - bottom);
}
