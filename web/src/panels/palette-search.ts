// How the palette finds commands: by their own words, and by those that other programs have for the same.

import type { Action } from "../actions";

/** What animators call it elsewhere, by the id of the command; a * ends what a family of ids begins with. */
export const OTHER_WORDS: Record<string, string> = {
  open: "import load new scene file browse retarget motion mocap recent",
  save: "store keep project scene",
  undo: "revert step back history",
  redo: "repeat again forward history",
  copy: "duplicate keyframes clipboard",
  paste: "duplicate keyframes clipboard",
  delete: "remove erase clear keyframe",
  palette: "search commands menu",
  move: "position drag w tool manipulator gizmo",
  rotate: "spin orient e tool manipulator gizmo",
  space: "world global axes orientation coordinate pivot gimbal",
  ikfk: "ik fk switch blend inverse forward kinematics rig mode",
  pin: "anchor fix plant planted hold freeze stick foot feet lock unpin unlock release",
  mirror: "flip swap left right symmetry",
  "live-mirror": "flip symmetrical editing",
  "paste-mirrored": "opposite swap left right",
  "goes-with": "constraint parent child of attach relative link follow space switch",
  comfort: "relax natural strain",
  keep_apart: "collide intersect penetration self-collision through body inside avoid clip clipping overlap touch",
  reset: "zero clear transforms bind pose a-pose tpose home initial",
  "copy-pose": "clipboard store",
  "paste-pose": "apply clipboard",
  deselect: "unselect nothing",
  "add-layer": "animation layer anim blend nla stack offset",
  key: "keyframe insert keys set s i animate",
  autokey: "record automatic keyframe keying red button",
  play: "playback preview start stop animation",
  loop: "repeat cycle playback",
  cyclic: "cycle infinity extrapolation pre post seamless",
  "keys-view": "dope sheet timeline keyframes action editor track",
  "curves-view": "graph editor f-curves fcurves animation curves tangents easing interpolation euler channels",
  previous: "step back frame before",
  next: "step forward frame after",
  start: "rewind jump begin",
  end: "jump finish",
  "key-before": "jump keyframe back",
  "key-after": "jump keyframe forward",
  bake: "simulate plot collapse layers keys per frame convert",
  "mirror-clip": "flip animation motion",
  fit: "reset view center centre zoom extents",
  frame: "center centre zoom",
  parallel: "flat",
  "orbit-*": "orbit rotate tumble view",
  shape: "joint orient bind rigging",
  wireframe: "shading solid mesh",
  follow: "track camera lock",
  bones: "skeleton armature x-ray joints show hide",
  ghosts: "onion ghosting previous frames trail",
  paths: "trajectory motion trail arc",
  heat: "smooth brush weight paint heat map skinning bind influence vertex colours colors",
  blend: "dqs lbs skin method volume candy wrapper",
  keymap: "preferences settings key bindings hotkey",
  theme: "background theme appearance colors preferences settings",
  text: "edit source toml",
  help: "cheat sheet documentation tutorial guide numpad pan orbit zoom middle mouse shortcuts",
  "export-*": "save as write download",
  "export-mp4": "render playblast movie video animation preview output",
  "export-gif": "render playblast movie animation output",
  "export-png": "render screenshot still image snapshot output",
  "export-fbx": "maya motionbuilder unity unreal",
  "export-usdz": "usd pixar",
  "export-glb": "gltf",
  "export-html": "share publish embed viewer",
  "export-ground": "terrain",
  "figure-*": "new character rig model load",
  "ground-*": "floor terrain plane",
  "gait-*": "walk cycle run style locomotion",
  walk: "locomotion cycle steps gait",
  "grip-*": "hand pose finger curl spread",
  "clip-*": "animation action take motion",
  "prop-*": "object obstacle",
  "prop-box": "cube crate",
  "field-speed": "slow-motion half double time scale",
  "field-range": "set in out",
  "mesh-hide-*": "weapon accessory part off",
  "choose-*": "control controller",
  "choose-head": "aim gaze eyes",
  "choose-pelvis": "hips squat crouch lower seat",
};

const FAMILIES = Object.keys(OTHER_WORDS).filter((id) => id.endsWith("*"));

function wordsOf(entry: Action): string {
  const families = FAMILIES.filter((id) => entry.id.startsWith(id.slice(0, -1)));
  return [entry.label, entry.words ?? "", ...[entry.id, ...families].map((id) => OTHER_WORDS[id] ?? "")].join(" ").toLowerCase();
}

const joined = (text: string) => text.toLowerCase().replace(/(?<=\w)-(?=\w)/g, ""); // "auto-key" and "autokey" are one word

/** Entries that contain every typed word: those that start with it first, then those whose own name has all of them. Where
 * nothing does, entries with words that look like the typed ones.
 */
export function matches(entries: readonly Action[], typed: string): Action[] {
  const words = joined(typed).split(/\s+/).filter(Boolean);
  const rank = (entry: Action) => {
    const label = joined(entry.label);
    if (!words.length) return 0;
    return label.startsWith(words[0]!) ? 0 : words.every((word) => label.includes(word)) ? 1 : 2;
  };
  const texts = entries.map((entry) => joined(wordsOf(entry)));
  const held = entries.filter((_, k) => words.every((word) => texts[k]!.includes(word)));
  if (held.length) return held.sort((a, b) => rank(a) - rank(b));
  const like = (text: string) => words.every((word) => text.split(/[^\p{L}\p{N}]+/u).some((one) => isLike(one, word)));
  const near = entries.filter((_, k) => like(texts[k]!));
  return near.sort((a, b) => Number(like(joined(b.label))) - Number(like(joined(a.label))));
}

/** Whether a word, or its beginning, differs by a slip of the fingers: one letter, or two neighbours swapped; a long one by two. */
function isLike(word: string, typed: string): boolean {
  if (typed.length < 4) return word.startsWith(typed);
  if (typed.length === 4) return Math.abs(word.length - 4) < 2 && word[0] === typed[0] && slips(word, typed) < 2; // "knee" is no "keep"
  const most = typed.length < 8 ? 1 : 2;
  return [typed.length - 1, typed.length, typed.length + 1].some((length) => slips(word.slice(0, length), typed) <= most);
}

/** The optimal string alignment distance (Damerau and Levenshtein's, no letter moved twice). */
function slips(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, k) => k)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = Number(a[i - 1] !== b[j - 1]);
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + other);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
