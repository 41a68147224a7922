"use strict";
/* Two methods without matrices: joint after joint points at the target, or points are laid out and back. */
course.figure("sweeps", [-2.9, -1.6, 2.9, 2.35], (stage) => {
  const trace = course.traces["05-cyclic-descent-and-fabrik"];
  const arm = { lengths: [0.5, 0.45, 0.4, 0.35, 0.3, 0.25] };
  const start = [1.2, -0.4, -0.3, -0.3, -0.2, -0.2];
  const reach = stage.circle("area");
  const [before, sight, lever, bones, joints, active] = [
    stage.line("bone ghost"), stage.line("gap"), stage.line("lever"), stage.line("bone"), stage.dots("joint"), stage.dots("active"),
  ];
  const target = stage.handle("Target", trace.cyclicDescent.target, () => solve());
  const chosen = stage.choice("method", ["cyclic descent", "FABRIK"], () => solve());
  let steps = [];

  const solve = () => {
    const isCyclic = chosen() === "cyclic descent";
    steps = isCyclic
      ? course.solve("cyclicDescent", arm, start, target.at).map((angles) => course.forward(arm, angles))
      : course.solve("fabrikPoints", arm, start, target.at);
    scrub.use(steps.length);
  };

  const scrub = stage.scrubber("step", (frame) => {
    const [points, old] = [steps[frame], steps[Math.max(frame - 1, 0)]];
    const isCyclic = chosen() === "cyclic descent";
    const turned = arm.lengths.length - 1 - ((frame - 1) % arm.lengths.length);
    reach([0, 0], arm.lengths.reduce((sum, length) => sum + length, 0));
    before(frame ? old : []);
    bones(points);
    joints(points);
    sight(isCyclic && frame ? [points[turned], target.at] : []);
    lever(isCyclic && frame ? [old[turned], last(old)] : []);
    active(frame ? [isCyclic ? points[turned] : points[frame % 2 ? 0 : arm.lengths.length]] : []);
    const left = size(minus(target.at, last(points)));
    const off = size(points[0]);
    stage.facts = { points, target: target.at, left, lengths: arm.lengths, steps };
    if (!frame) return stage.say(`The start: ${left.toFixed(2)} from the target. Press play.`);
    stage.say(
      isCyclic
        ? `Pass ${Math.ceil(frame / arm.lengths.length)}, joint ${turned + 1}: it rotates until the tip lies on its line to the target; ${left.toFixed(3)} is left.`
        : frame % 2
          ? `Pass ${Math.ceil(frame / 2)}, out: the tip is on the target, and the base has slipped by ${off.toFixed(3)}.`
          : `Pass ${frame / 2}, back: the base is home again, and the tip is ${left.toFixed(3)} from the target.`,
    );
  }, { seconds: 4 });
  solve();
});
