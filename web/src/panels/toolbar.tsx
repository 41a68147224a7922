// The bar at the top: menus, tools, history.

import { action, ACTIONS, offered } from "../actions";
import type { Action } from "../actions";
import * as s from "../store";
import { ActionButton, Menu } from "./controls";

const group = (name: Action["group"]) => ACTIONS.filter((entry) => entry.group === name);

export function Toolbar() {
  const lists = offered();
  const starting = (start: string) => lists.filter((entry) => entry.id.startsWith(start)).map((entry) => ({ ...entry, label: entry.label.replace(/^(Figure|Demo): /, "") }));
  return (
    <div class="toolbar" role="toolbar" aria-label="Tools">
      <strong class="brand"><img src="./icon.svg" alt="" width="20" height="20" />posable</strong>
      <nav class="menus">
        <Menu label="File" items={[...group("File"), null, ...starting("export-")]} />
        <Menu label="Edit" items={[...group("Edit"), null, ...group("Pose").filter((entry) => ["mirror", "reset"].includes(entry.id))]} />
        <Menu label="View" items={group("View")} />
        <Menu label="Figures" items={[...starting("figure-"), null, action("text")]} />
        <Menu label="Demos" items={starting("demo-")} />
      </nav>
      <span class="gap" />
      <div class="group">
        <ActionButton id="open" icon="open" />
        <ActionButton id="undo" icon="undo" />
        <ActionButton id="redo" icon="redo" />
      </div>
      <div class="group">
        <ActionButton id="move" icon="move" />
        <ActionButton id="rotate" icon="rotate" />
        <ActionButton id="space" icon="local" word={s.document_.value?.space === "local" ? "Local" : "World"} />
        <ActionButton id="snap" icon="snap" />
      </div>
      <div class="group">
        <ActionButton id="ikfk" icon="ikfk" word={s.selectedGoal.value?.enabled === false ? "FK" : "IK"} />
        <ActionButton id="pin" icon="pin" />
        <ActionButton id="mirror" icon="mirror" />
        <ActionButton id="reset" icon="reset" />
      </div>
      <span class="push" />
      <span class="document-name">{s.document_.value?.name}</span>
      <span class="push" />
      <div class="group">
        <ActionButton id="fit" icon="fit" />
        <ActionButton id="bones" icon="bones" />
        <ActionButton id="heat" icon="heat" />
        <ActionButton id="theme" icon="theme" />
        <ActionButton id="help" icon="help" />
      </div>
    </div>
  );
}
