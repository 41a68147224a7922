import { expect, test } from "vitest";
import type { Action } from "../actions";
import { matches, OTHER_WORDS } from "./palette-search";

const named = (id: string, label: string): Action => ({ id, label, group: "Pose", run: () => {} });
const ENTRIES = [named("goes-with", "Goes with: let the goal follow a joint"), named("export-fbx", "Export figure and motion (FBX)"), named("export-mp4", "Export film (MP4)"), named("reset", "Reset to the rest pose"), named("mirror", "Mirror the pose"), named("frame", "Look at what is chosen"), named("autokey", "Auto-key"), named("heat", "Skin weights"), named("theme", "Dark or light"), named("prop-box", "Add a box"), named("pin", "Pin the goal"), named("mesh-hide-sword", "Hide mesh Sword"), named("keep_apart", "Keep limbs apart"), named("field-speed", "Playback speed…"), named("field-range", "Time range: first and last frame…")];

test.each([["constraint", "goes-with"], ["PARENT", "goes-with"], ["export fbx", "export-fbx"], ["fbx export", "export-fbx"], ["playblast", "export-mp4"], ["zero", "reset"], ["flip", "mirror"], ["center", "frame"], ["autokey", "autokey"], ["auto-key", "autokey"], ["auto key", "autokey"], ["wieght", "heat"], ["miror", "mirror"], ["theme", "theme"], ["cube", "prop-box"], ["pin feet", "pin"], ["unpin", "pin"], ["through body", "keep_apart"], ["clipping", "keep_apart"], ["avoid", "keep_apart"], ["hide weapon", "mesh-hide-sword"], ["slow motion", "field-speed"], ["set range", "field-range"], ["smooth weights", "heat"]])("%s finds", (typed, id) =>
  expect(matches(ENTRIES, typed)[0]?.id).toBe(id),
);

test("what begins with the word comes first, then what has it in its name", () => {
  const own = [named("a", "Bake all"), named("reset", "To the rest pose"), named("b", "The zero frame"), named("c", "Zero it")];
  expect(matches(own, "zero").map((entry) => entry.id)).toEqual(["c", "b", "reset"]);
});

test("nothing is found by a word that no command has", () => expect(matches(ENTRIES, "quaternion")).toEqual([]));

test("no word is said twice of a command", () => {
  for (const words of Object.values(OTHER_WORDS)) expect(new Set(words.split(" ")).size).toBe(words.split(" ").length);
});
