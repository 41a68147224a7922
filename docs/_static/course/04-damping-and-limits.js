"use strict";
/* An arm with limits: damping makes steps calm near the edge of reach; a joint at its limit leaves the work to others. */
course.figure("damping", [-2.5, -1.2, 3.4, 2.5], (stage) => {
  const trace = course.traces["04-damping-and-limits"];
  const free = { lengths: [1, 0.8, 0.6] };
  const limited = { ...free, lower: [-1.2, -1.2, -1.2], upper: [1.2, 1.2, 1.2] };
  const start = [0.9, 0.4, 0.3];
  const [reach, wedges] = [stage.circle("area"), limited.lengths.map(() => stage.line("wedge", true))];
  const [ghosts, path, bones, joints, stopped] = [
    stage.segments("bone ghost"), stage.line("trail"), stage.line("bone"), stage.dots("joint"), stage.dots("stopped"),
  ];
  const target = stage.handle("Target", trace.outside.target, () => solve());
  const damping = stage.slider({ name: "damping λ", min: 0, max: 1, step: 0.05, value: 0.3 }, () => solve());
  const limits = stage.tick("limits of ±69°", true, () => solve());
  let [steps, from] = [trace.outside.points, "posable's default solver, recorded"];

  const solve = () => {
    const arm = limits() ? limited : free;
    const angles = course.solve("damped", arm, start, target.at, { damping: damping(), steps: 60 });
    [steps, from] = [angles.map((one) => course.forward(arm, one)), "solved in this page"];
    scrub.use(steps.length);
  };

  const scrub = stage.scrubber("step", (frame) => {
    const points = steps[frame];
    const angles = course.angles(points);
    const atLimit = angles.map((angle) => limits() && Math.abs(angle) > 1.2 - 1e-4);
    reach([0, 0], 2.4);
    angles.reduce((sum, angle, k) => {
      wedges[k](limits() ? wedge(points[k], sum, 1.2) : []);
      return sum + angle;
    }, 0);
    ghosts(steps.slice(0, frame).slice(-12).flatMap((old) => pairs(old)));
    path(steps.slice(0, frame + 1).map(last));
    bones(points);
    joints(points);
    stopped(points.slice(0, -1).filter((_, k) => atLimit[k]));
    const left = size(minus(target.at, last(points)));
    const moves = steps.slice(1, frame + 1).map((now, k) => Math.max(...course.angles(now).map((a, j) => Math.abs(wrap(a - course.angles(steps[k])[j])))));
    const largest = Math.max(0, ...moves);
    stage.facts = { points, target: target.at, left, lengths: free.lengths, angles, largest, from, limited: limits() };
    const held = atLimit.some((one) => one) ? ` Red: at ${atLimit.filter((one) => one).length > 1 ? "their limits" : "its limit"}.` : "";
    stage.say(`Step ${frame} of ${steps.length - 1}, ${from}: ${left.toFixed(2)} left; the largest rotation of a joint in one step was ${degrees(largest)}.${held}`);
  });

  const wedge = (at, middle, half) => {
    const turns = Array.from({ length: 13 }, (_, k) => middle - half + (k / 6) * half);
    return [at, ...turns.map((turn) => add(at, times(along(turn), 0.28)))];
  };
  scrub.use(steps.length);
});
