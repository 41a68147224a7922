// The bar at the top: menus, tools, history.

import { action, ACTIONS, offered } from "../actions";
import type { Action } from "../actions";
import * as s from "../store";
import { ActionButton, Menu, More } from "./controls";
import { Icon } from "./icons";
import type { IconName } from "./icons";
import { fold, folded } from "./splits";

const group = (name: Action["group"]) => ACTIONS.filter((entry) => entry.group === name);

const SPARE = ["open", "mirror", "live-mirror", "reset", "fit", "bones", "heat", "balance", "theme", "help"]; // on a narrow page

const FOLDS = [["left", "The left panel"], ["time", "The timeline"], ["right", "The right panel"]] as const;

export function Toolbar() {
  const lists = offered();
  const starting = (start: string) => lists.filter((entry) => entry.id.startsWith(start)).map((entry) => ({ ...entry, label: entry.label.replace(/^(Figure|Demo): /, "") }));
  return (
    <div class="toolbar" role="toolbar" aria-label="Tools">
      <strong class="brand"><img src="./icon.svg" alt="" width="20" height="20" />posable</strong>
      <nav class="menus">
        <Menu label="File" items={[...group("File"), null, ...starting("export-")]} />
        <Menu label="Edit" items={group("Edit")} />
        <Menu label="Pose" items={[...group("Pose"), null, ...starting("grip-")]} />
        <Menu label="Time" items={group("Time")} />
        <Menu label="View" items={group("View")} />
        <Menu label="Figures" items={[...starting("figure-"), null, ...lists.filter(({ id }) => /^(prop|companion)-/.test(id)), null, action("text")]} />
        <Menu label="Demos" items={[...starting("demo-"), null, action("race")]} />
      </nav>
      <span class="gap" />
      <div class="group">
        <ActionButton id="open" icon="open" wider="Open" spare />
        <ActionButton id="undo" icon="undo" wider="Undo" />
        <ActionButton id="redo" icon="redo" wider="Redo" />
      </div>
      <div class="group">
        <ActionButton id="move" icon="move" wide="Move" />
        <ActionButton id="rotate" icon="rotate" wide="Rotate" />
        <ActionButton id="space" icon="local" word={s.document_.value?.space === "local" ? "Local" : "World"} />
        <ActionButton id="snap" icon="snap" wide="Snap" />
      </div>
      <div class="group">
        <ActionButton id="ikfk" icon="ikfk" word={s.selectedGoal.value?.enabled === false ? "FK" : "IK"} />
        <ActionButton id="pin" icon="pin" wide="Pin" />
        <ActionButton id="mirror" icon="mirror" wide="Mirror" spare />
        <ActionButton id="live-mirror" icon="live-mirror" wide="Both sides" spare />
        <ActionButton id="reset" icon="reset" wide="Reset" spare />
      </div>
      <span class="push" />
      <span class="document-name">{s.document_.value?.name}</span>
      <span class="push" />
      <div class="group spare">
        <ActionButton id="fit" icon="fit" wider="Fit" />
        <ActionButton id="bones" icon="bones" wide="Bones" />
        <ActionButton id="heat" icon="heat" wide="Weights" />
        <ActionButton id="balance" icon="balance" wide="Balance" />
        <ActionButton id="theme" icon="theme" wider="Theme" />
        <ActionButton id="help" icon="help" wider="Help" />
      </div>
      <More ids={SPARE} />
      <div class="group folds">
        {FOLDS.map(([name, label]) => (
          <button type="button" class="tool" aria-label={label} title={label} aria-pressed={!folded.value[name]} onClick={() => fold(name)}><Icon name={`side-${name}` as IconName} /></button>
        ))}
      </div>
    </div>
  );
}
