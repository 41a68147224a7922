"use strict";
/* The skeleton tree: a joint that is dragged turns the bone that leads to it, and all that hangs below comes along. */
course.figure("tree", [-1.2, -0.1, 1.2, 2.0], (stage) => {
  const { names, parents, rest } = course.traces["01-forward-kinematics"];
  const turns = names.map(() => 0);
  let [root, held] = [rest[0], null];
  const [ground, bones, moved, joints] = [stage.line("ground"), stage.segments("bone"), stage.segments("bone moved"), stage.dots("joint")];
  const head = course.head(stage, names);
  const isBelow = (joint, top) => joint >= 0 && (joint === top || isBelow(parents[joint], top));

  /** Forward kinematics: one pass, parents first. */
  const points = () => {
    const [at, sum] = [[root], [turns[0]]];
    for (let joint = 1; joint < names.length; joint++) {
      const above = parents[joint];
      at[joint] = add(at[above], rotated(minus(rest[joint], rest[above]), sum[above]));
      sum[joint] = sum[above] + turns[joint];
    }
    return at;
  };

  /** Turn the joint above so that its bone points at the pointer. */
  const drag = (joint, to) => {
    held = joint;
    if (joint === 0) root = to;
    else {
      const [at, above] = [points(), parents[joint]];
      const [is, wanted] = [minus(at[joint], at[above]), minus(to, at[above])];
      turns[above] = wrap(turns[above] + Math.atan2(cross(is, wanted), dot(is, wanted)));
    }
    draw();
  };

  const shown = ["head", "forearm_l", "hand_l", "forearm_r", "hand_r", "shin_l", "foot_l", "shin_r", "foot_r", "chest", "root"];
  const handles = shown.map((name) => stage.handle(name, rest[names.indexOf(name)], (to) => drag(names.indexOf(name), to), "small"));

  const draw = () => {
    const at = points();
    const turned = held ? parents[held] : held;
    const pairs = names.map((_, joint) => joint).slice(1);
    const goes = (joint) => turned !== null && isBelow(parents[joint], turned);
    ground([[-1.2, 0], [1.2, 0]]);
    bones(pairs.filter((joint) => !goes(joint)).map((joint) => [at[parents[joint]], at[joint]]));
    moved(pairs.filter(goes).map((joint) => [at[parents[joint]], at[joint]]));
    joints(at);
    head(at);
    handles.forEach((handle, k) => handle.set(at[names.indexOf(shown[k])]));
    stage.facts = { points: at, turns, held };
    if (held === null) return stage.say("Drag a hand, an elbow, a knee, the head or the hips.");
    const carried = names.filter((_, joint) => joint !== turned && isBelow(joint, turned));
    stage.say(
      held === 0
        ? "The root moved: everything hangs from it, so everything moved."
        : `${names[turned]} is rotated by ${degrees(turns[turned])} against its parent. It carries ${carried.join(", ")}; no other joint moved.`,
    );
  };
  draw();
});
