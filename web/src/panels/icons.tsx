// The page's few icons, drawn as strokes in a 20 × 20 box.

const PATHS = {
  move: "M10 2v16M2 10h16M10 2 7.5 4.5M10 2l2.5 2.5M10 18l-2.5-2.5M10 18l2.5-2.5M2 10l2.5-2.5M2 10l2.5 2.5M18 10l-2.5-2.5M18 10l-2.5 2.5",
  rotate: "M16.5 10a6.5 6.5 0 1 1-2-4.7M15 2v3.8h-3.8",
  local: "M10 10V3M10 10l6 4M10 10l-6 4M10 3 8.5 5M10 3l1.5 2",
  snap: "M5 3v6a5 5 0 0 0 10 0V3M5 6.5h3M12 6.5h3M8 3v6a2 2 0 0 0 4 0V3M5 3h3M12 3h3",
  undo: "M7 4 3.5 7.5 7 11M3.5 7.5h8a4.5 4.5 0 0 1 0 9H8",
  redo: "M13 4l3.5 3.5L13 11M16.5 7.5h-8a4.5 4.5 0 0 0 0 9H12",
  mirror: "M10 2.5v15M7.5 5.5v9L2.5 15zM12.5 5.5v9l5 .5z",
  reset: "M4 10a6 6 0 1 0 2-4.5M6 2.5v3.4h3.4",
  help: "M7.2 7.4a2.9 2.9 0 1 1 4.3 2.5c-.9.5-1.5 1.1-1.5 2.1M10 15.2v.3",
  ikfk: "M4 15.5 9 5l7 6M4 15.5h0M9 5h0",
  play: "M6 4v12l10-6z",
  pause: "M6.5 4v12M13.5 4v12",
  start: "M15.5 4.5v11L7 10zM5 4.5v11",
  end: "M4.5 4.5v11L13 10zM15 4.5v11",
  "key-before": "M12 4.5 6.5 10l5.5 5.5M15.5 7.5v5",
  "key-after": "M8 4.5l5.5 5.5L8 15.5M4.5 7.5v5",
  loop: "M4 8.5A5.5 5 0 0 1 14 7M16 11.5A5.5 5 0 0 1 6 13M14.5 3.5V7H11M5.5 16.5V13H9",
  key: "M10 3.5l6.5 6.5-6.5 6.5L3.5 10z",
  copy: "M7 7h9v9H7zM13 7V4H4v9h3",
  paste: "M6 4H4.5v12.5h11V4H14M7.5 2.5h5v3h-5zM10 8.5v5M7.8 11.4 10 13.6l2.2-2.2",
  delete: "M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.8 11h7.4l.8-11M8.5 8.5v5M11.5 8.5v5",
  ghost: "M4.5 17V9a5.5 5.5 0 0 1 11 0v8l-2.7-2-2.8 2-2.8-2zM8 9v.2M12 9v.2",
  path: "M3 15c3-10 6-10 8-5s4 4 6-5M3 15h0M17 5h0",
  bones: "M6 6l8 8M6 6a2 2 0 1 0-2.5-.5M14 14a2 2 0 1 0 2.5.5",
  heat: "M10 2.5c1 3.5 5 5 5 9.5a5 5 0 0 1-10 0c0-2 1-3 2-4 .3 1.5 1 2 1.5 2C8 7 9 4.5 10 2.5z",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M10 8.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3",
  open: "M3 5.5V16h14V7h-7.5L8 5.5z",
  pin: "M6.5 9V6.5a3.5 3.5 0 0 1 7 0V9M5 9h10v7.5H5z",
  pole: "M10 3.5l6.5 6.5-6.5 6.5L3.5 10z",
  goal: "M10 4.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11z",
  look: "M2.5 10s2.800-4.800 7.5-4.800 7.5 4.800 7.5 4.800-2.800 4.800-7.5 4.800S2.5 10 2.5 10zM10 8a2 2 0 1 0 0 4 2 2 0 1 0 0-4z",
  joint: "M10 7a3 3 0 1 0 0 6 3 3 0 1 0 0-6z",
  frozen: "M10 2.5v15M3.5 6.200l13 7.600M16.5 6.200l-13 7.600",
  limit: "M4 16 10 4l6 12M5.5 13a7 7 0 0 0 9 0",
  plus: "M10 4v12M4 10h12",
  close: "M5 5l10 10M15 5 5 15",
  down: "M5.5 8l4.5 4.5L14.5 8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
