"use strict";
/* One arm, twice: as we see it on the left, and as a point on its error surface on the right. */
course.figure("surface", [-2, -2.1, 6.3, 2.1], (stage) => {
  const trace = course.traces["07-gradient-descent"];
  const arm = { lengths: [1, 0.8] };
  const [middle, unit] = [[4.2, 0], 2.0 / Math.PI]; // the square of angles from -π to π on the right
  const onMap = (angles) => add(middle, times(angles.map(wrap), unit));
  const square = [[2.2, -2], [6.2, -2], [6.2, 2], [2.2, 2]];
  stage.field([2.2, -2, 6.2, 2], [[""]]);
  const [reach, frame, ghosts, bones, joints] = [
    stage.circle("area"), stage.line("frame", true), stage.segments("bone ghost"), stage.line("bone"), stage.dots("joint"),
  ];
  const [walk, stations] = [stage.dots("walk"), stage.dots("stations")];
  const axes = stage.word("light");
  const target = stage.handle("Target", trace.target, () => (paint(), solve()));
  const begin = stage.handle("Start, by its two angles", onMap(trace.runs[0][0]), () => solve(), "start");
  const rate = stage.slider({ name: "learning rate", min: 0.05, max: 1, step: 0.05, value: 0.1 }, () => solve());
  const sampling = stage.slider({ name: "sampling distance", min: 0.001, max: 0.6, step: 0.001, value: 0.001, unit: " rad" }, () => solve());
  let [angles, from] = [trace.runs[0], "recorded from posable"];

  const error = (q) => size(minus(target.at, last(course.forward(arm, q))));
  const paint = () => {
    const side = Array.from({ length: 80 }, (_, k) => ((k + 0.5) / 80) * 2 * Math.PI - Math.PI);
    const shade = (value) => {
      const share = Math.round((Math.floor((value / 3.6) * 18) / 18) * 100); // bands, like the lines of a map
      return `hsl(215 60% ${22 + 0.7 * share}%)`;
    };
    stage.field([2.2, -2, 6.2, 2], side.toReversed().map((elbow) => side.map((shoulder) => shade(error([shoulder, elbow])))));
  };

  const solve = () => {
    begin.set([clamp(begin.at[0], 2.2, 6.2), begin.at[1]]);
    const start = times(minus(begin.at, middle), 1 / unit);
    angles = course.solve("gradientDescent", arm, start, target.at, { rate: rate(), sampling: sampling() });
    from = "solved in this page";
    scrub.use(angles.length);
  };

  const scrub = stage.scrubber("sweep", (at) => {
    const points = course.forward(arm, angles[at]);
    reach([0, 0], 1.8);
    frame(square);
    axes([2.3, -1.9], "→ shoulder, ↑ elbow");
    ghosts(angles.slice(0, at).filter((_, k) => k % 3 === 0).flatMap((q) => pairs(course.forward(arm, q))));
    bones(points);
    joints(points);
    walk(angles.slice(0, at + 1).flatMap((q, k) => (k ? between(angles[k - 1], q) : [q])).map(onMap));
    stations([onMap(angles[at])]);
    const left = error(angles[at]);
    stage.facts = { points, target: target.at, left, lengths: arm.lengths, errors: angles.map(error), angles, from };
    stage.say(`Sweep ${at} of ${angles.length - 1}, ${from}: the error is ${left.toFixed(3)}.`);
  });
  const between = (a, b) => Array.from({ length: 6 }, (_, k) => add(a, times(minus(b, a), (k + 1) / 6)));
  paint();
  scrub.use(angles.length);
});
