"use strict";
/* The doorbell: each joint would move the hand along a circle; small steps add these moves up to one towards the bell. */
course.figure("doorbell", [-60, -62, 130, 85], (stage) => {
  const trace = course.traces["03-jacobian"];
  const arm = { lengths: [50, 45, 3] };
  const start = course.angles(trace.points[0]);
  const circles = [0, 1, 2].map(() => stage.circle("circle"));
  const [ghosts, path, bones, joints] = [stage.segments("bone ghost"), stage.line("trail"), stage.line("bone"), stage.dots("joint")];
  const arrows = [0, 1, 2].map(() => stage.arrow("column"));
  const wanted = stage.arrow("wanted");
  const bell = stage.handle("Bell", trace.target, () => solve());
  const gain = stage.slider({ name: "gain", min: 0.05, max: 1, step: 0.05, value: 0.1 }, () => solve());
  let [steps, from] = [trace.points, "recorded from posable"];

  const solve = () => {
    const angles = course.solve("pseudoInverse", arm, start, bell.at, { gain: gain() });
    [steps, from] = [angles.map((one) => course.forward(arm, one)), "solved in this page"];
    scrub.use(steps.length);
  };

  const scrub = stage.scrubber("step", (frame) => {
    const points = steps[frame];
    const [hand, columns] = [last(points), course.jacobian(points)];
    points.slice(0, -1).forEach((joint, k) => circles[k](joint, size(minus(hand, joint))));
    ghosts(steps.filter((_, k) => k % 4 === 0 && k < frame).flatMap((old) => pairs(old)));
    path(steps.slice(0, frame + 1).map(last));
    bones(points);
    joints(points);
    columns.forEach((column, k) => arrows[k](hand, times(column, 0.3)));
    wanted(hand, times(minus(bell.at, hand), Math.max(gain(), 0.1)));
    const left = size(minus(bell.at, hand));
    stage.facts = { points, target: bell.at, left, lengths: arm.lengths, steps: steps.length, from };
    stage.say(`Step ${frame} of ${steps.length - 1}, ${from}: the hand is ${left.toFixed(1)} from the bell.`);
  });
  scrub.use(steps.length, 12);
});
