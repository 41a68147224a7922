"use strict";
/* A snake that a force draws to its prey, and a rope that hangs by its weight. */
course.figure("snake", [-3.6, -1.7, 3.6, 3.1], (stage) => {
  const trace = course.traces["06-forces-and-gravity"].snake;
  const arm = { lengths: Array(12).fill(0.25) };
  const start = course.angles(trace.points[0]);
  const [reach, ghosts, path, body, joints] = [
    stage.circle("area"), stage.segments("bone ghost"), stage.line("trail"), stage.line("bone thick"), stage.dots("joint"),
  ];
  const force = stage.arrow("wanted");
  const prey = stage.handle("Prey", trace.target, () => solve());
  const sensitivity = stage.slider({ name: "sensitivity k", min: 0.02, max: 0.4, step: 0.02, value: 0.06 }, () => solve());
  let [steps, from] = [trace.points, "recorded from posable"];

  const solve = () => {
    const angles = course.solve("virtualForce", arm, start, prey.at, { sensitivity: sensitivity(), steps: 120 });
    [steps, from] = [angles.map((one) => course.forward(arm, one)), "solved in this page"];
    scrub.use(steps.length);
  };

  const scrub = stage.scrubber("step", (frame) => {
    const points = steps[frame];
    reach([0, 0], 3);
    ghosts(steps.filter((_, k) => k % 6 === 0 && k < frame).flatMap((old) => pairs(old)));
    path(steps.slice(0, frame + 1).map(last));
    body(points);
    joints(points);
    force(last(points), minus(prey.at, last(points)));
    const left = size(minus(prey.at, last(points)));
    stage.facts = { points, target: prey.at, left, lengths: arm.lengths, from };
    stage.say(`Step ${frame} of ${steps.length - 1}, ${from}: ${left.toFixed(2)} left.`);
  });
  scrub.use(steps.length);
});

course.figure("rope", [-0.9, -1.55, 3.6, 0.75], (stage) => {
  const ropes = course.traces["06-forces-and-gravity"].rope;
  const [rail, rope, curve, joints] = [stage.line("ground"), stage.line("bone"), stage.line("trail"), stage.dots("joint small")];
  const [first, final] = [last(ropes[0])[0], last(last(ropes))[0]];
  const hand = stage.handle("End of the rope", last(ropes[14]), (to) => show(to));

  const show = (to) => {
    const share = clamp((to[0] - first) / (final - first), 0, 1) * (ropes.length - 1);
    const points = ropes[Math.round(share)];
    rail([[first, 0.3], [final, 0.3]]);
    rope(points);
    joints(points);
    curve(catenary(points[0], last(points), 3));
    hand.set(last(points));
    const lowest = Math.min(...points.map((point) => point[1]));
    stage.facts = { points, target: hand.at, left: 0, lengths: Array(12).fill(0.25) };
    stage.say(`Twelve links, posed by posable.Gravity; the lowest joint is at ${lowest.toFixed(2)}. Red: the catenary of a chain without links.`);
  };

  /** y = c cosh((x − m)/c) + k through two points, with the length given: c by halving, then m and k. */
  const catenary = (a, b, length) => {
    const [wide, high] = [b[0] - a[0], b[1] - a[1]];
    const taut = Math.sqrt(length ** 2 - high ** 2);
    let [low, top] = [0.01, 20];
    for (let n = 0; n < 60; n++) {
      const c = (low + top) / 2;
      if (2 * c * Math.sinh(wide / (2 * c)) > taut) low = c;
      else top = c;
    }
    const m = (a[0] + b[0]) / 2 - low * Math.atanh(high / length);
    const k = a[1] - low * Math.cosh((a[0] - m) / low);
    return Array.from({ length: 61 }, (_, n) => a[0] + (n / 60) * wide).map((x) => [x, low * Math.cosh((x - m) / low) + k]);
  };
  show(hand.at);
});
