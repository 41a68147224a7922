// Gives the focus to a field of a panel, wherever it is.

export function reveal(field: string): void {
  const found = document.querySelector<HTMLElement>(field);
  found?.closest("details")?.setAttribute("open", "");
  found?.scrollIntoView({ block: "nearest" });
  found?.focus();
}
