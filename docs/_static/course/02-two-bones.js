"use strict";
/* Two bones: where the target is decides everything, by the law of cosines. */
course.figure("two-bones", [-2.9, -2.05, 2.9, 2.05], (stage) => {
  const [ring, hole] = [stage.circle("area"), stage.circle("hole")];
  const [gap, other, arm] = [stage.line("gap"), stage.line("bone ghost"), stage.line("bone")];
  const [joints, word] = [stage.dots("joint"), stage.word("middle")];
  const target = stage.handle("Target", [0.9, 0.9], () => draw());
  const first = stage.slider({ name: "upper bone a", min: 0.3, max: 1, step: 0.05, value: 1 }, () => draw());
  const second = stage.slider({ name: "lower bone b", min: 0.3, max: 1, step: 0.05, value: 0.7 }, () => draw());
  const flip = stage.tick("bend the other way", false, () => draw());

  const draw = () => {
    const [a, b] = [first(), second()];
    const { ways, left } = course.twoBones(target.at, a, b);
    const points = ways.map((angles) => course.forward({ lengths: [a, b] }, angles));
    const [mine, its] = flip() ? [points[1], points[0]] : points;
    ring([0, 0], a + b);
    hole([0, 0], Math.abs(a - b));
    arm(mine);
    other(its);
    joints(mine);
    gap([mine[2], target.at]);
    const [x, y] = target.at;
    const side = x * mine[1][1] - y * mine[1][0] > 0 ? 1 : -1; // the label stands where the elbow is not
    word(add(times(target.at, 0.5), times([y / size(target.at), -x / size(target.at)], 0.4 * side)), `d = ${size(target.at).toFixed(2)}`);
    stage.facts = { points: mine, other: its, target: target.at, left, lengths: [a, b], ways };
    const bend = degrees(ways[flip() ? 1 : 0][1]);
    const inner = degrees(Math.PI - Math.abs(ways[0][1]));
    stage.say(
      left < 1e-9
        ? `Reached. The angle inside the elbow is ${inner}, so the lower bone is rotated by ${bend}.`
        : `Out of reach: the arm is ${size(target.at) > a + b ? "straight" : "folded"} towards the target, ${left.toFixed(2)} is left.`,
    );
  };
  draw();
});
