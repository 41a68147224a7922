// Poses: a library with pictures, and what lies between the keys.

import { useEffect, useRef, useState } from "preact/hooks";
import { run } from "../../actions";
import { send } from "../../link";
import type { SavedPose } from "../../schema";
import * as s from "../../store";
import { thumbnail } from "../../view/looking";
import { Icon } from "../icons";
import { Slider } from "../fields";

export const title = "Poses";

export function Panel() {
  const [name, setName] = useState("");
  const poses = s.document_.value?.poses ?? [];
  const goals = s.chosenGoals.value.map((goal) => goal.name);
  const keep = () => {
    send({ op: "pose.save", name, goals, picture: thumbnail() });
    setName("");
  };
  return (
    <>
      <Slider label="In between" help="0 is the pose of the key before, 1 that of the key after; beyond, further" value={0.5} low={-0.5} high={1.5} command={(share) => ({ op: "pose.between", share, goals })} />
      <div class="line">
        <button type="button" class="plain" title="Ctrl+Shift+C" onClick={() => run("copy-pose")}>Copy</button>
        <button type="button" class="plain" title="Ctrl+Shift+V" onClick={() => run("paste-pose")}>Paste</button>
        <button type="button" class="plain" title="Ctrl+Shift+X" onClick={() => run("paste-mirrored")}>Paste mirrored</button>
      </div>
      <form class="line" onSubmit={(event) => (event.preventDefault(), keep())}>
        <input type="text" class="pose-name" placeholder={goals.length ? `Pose of ${goals.join(", ")}` : "Name of the pose"} aria-label="Name of the pose" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        <button type="submit" class="plain">Keep</button>
      </form>
      <ul class="poses">
        {poses.map((pose) => <Entry key={pose.name} pose={pose} />)}
      </ul>
    </>
  );
}

function Entry({ pose }: { pose: SavedPose }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!pose.picture || !canvas.current) return;
    const bytes = Uint8Array.from(atob(pose.picture), (letter) => letter.charCodeAt(0));
    const ink = canvas.current.getContext("2d");
    void createImageBitmap(new Blob([bytes], { type: "image/png" })).then((image) => ink?.drawImage(image, 0, 0, 72, 72));
  }, [pose.picture]);
  const put = (event: MouseEvent) => send({ op: "pose.apply", name: pose.name, mirror: event.shiftKey, share: event.altKey ? 0.5 : 1 });
  return (
    <li class="pose">
      <button type="button" title={`${pose.name}: click puts it on, Shift mirrored, Alt half of the way`} aria-label={`Put on ${pose.name}`} onClick={put}>
        <canvas ref={canvas} width={72} height={72} aria-hidden="true" />
        <span>{pose.name}</span>
      </button>
      <button type="button" class="small" aria-label={`Remove ${pose.name}`} onClick={() => send({ op: "pose.forget", name: pose.name })}><Icon name="close" /></button>
    </li>
  );
}
