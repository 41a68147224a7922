"use strict";
/* A walk made of a few numbers: the rhythm says when a foot is down, the handles how far and how high it goes. */
course.figure("walker", [-1.05, -0.32, 1.05, 1.25], (stage) => {
  const [thigh, shin] = [0.45, 0.44];
  const [ground, ticks, path] = [stage.line("ground"), stage.segments("tick"), stage.line("trail", true)];
  const [far, near] = [stage.line("bone ghost"), stage.line("bone")];
  const [trunk, joints] = [stage.line("bone thick"), stage.dots("joint")];
  const [down, now] = [[0, 1].map((k) => stage.segments(k ? "rhythm far" : "rhythm")), stage.line("now")];
  const words = [stage.word("small"), stage.word("small")];
  const land = stage.handle("Where the foot lands", [0.3, 0.06], ([x]) => change(() => land.set([clamp(x, 0.05, 0.45), 0.06])), "start");
  const lift = stage.handle("How high the foot is lifted", [0, 0.2], ([, y]) => change(() => lift.set([0, clamp(y, 0.08, 0.5)])), "start");
  const hips = stage.handle("How high the hips are", [0, 0.88], ([, y]) => change(() => hips.set([0, clamp(y, 0.6, 0.93)])));
  const duty = stage.slider({ name: "share of the stride with the foot down", min: 0.3, max: 0.8, step: 0.02, value: 0.62 }, () => change());

  /** Where a foot is at a phase of the stride, seen from the hips; while it is down it goes back as they go on. */
  const foot = (phase) => {
    const share = ((phase % 1) + 1) % 1;
    const half = land.at[0];
    if (share < duty()) return [half - (2 * half * share) / duty(), 0.06];
    const air = (share - duty()) / (1 - duty());
    return [-half + 2 * half * air * air * (3 - 2 * air), 0.06 + (lift.at[1] - 0.06) * Math.sin(Math.PI * air) ** 2];
  };

  const leg = (phase, hip) => {
    const ankle = foot(phase);
    const { ways } = course.twoBones(minus(ankle, hip), thigh, shin);
    return course.forward({ lengths: [thigh, shin], base: hip }, ways[1]);
  };

  const change = (mend = () => {}) => (mend(), scrub.at(frame));
  let frame = 0;
  const scrub = stage.scrubber("phase", (at) => {
    frame = at;
    const phase = at / 60;
    const hip = [0, hips.at[1] + 0.015 * Math.cos(4 * Math.PI * (phase - duty() / 2))];
    const travelled = (2 * land.at[0] * phase) / duty();
    ground([[-1.05, 0], [1.05, 0]]);
    ticks(Array.from({ length: 12 }, (_, k) => ((k * 0.2 - travelled + 24) % 2.4) - 1.2).map((x) => [[x, 0], [x - 0.04, -0.03]]));
    path(Array.from({ length: 60 }, (_, k) => foot(k / 60)));
    const legs = [leg(phase, hip), leg(phase + 0.5, hip)];
    near([...legs[0], add(last(legs[0]), [0.13, -0.04])]);
    far([...legs[1], add(last(legs[1]), [0.13, -0.04])]);
    trunk([hip, add(hip, [0.02, 0.27])]);
    joints([...legs[1], ...legs[0]]);
    rhythm(phase);
    const worlds = legs.map((points) => add(last(points), [travelled, 0]));
    stage.facts = { legs, worlds, phase, duty: duty(), half: land.at[0], lengths: [thigh, shin], wanted: [foot(phase), foot(phase + 0.5)] };
    const both = Math.max(0, 2 * duty() - 1);
    stage.say(both > 0
      ? `A walk: both feet are down for ${Math.round(100 * both)} % of a stride; a stride is ${((2 * land.at[0]) / duty()).toFixed(2)} long.`
      : `A run: no foot is down for ${Math.round(100 * (1 - 2 * duty()))} % of a stride; a stride is ${((2 * land.at[0]) / duty()).toFixed(2)} long.`);
  }, { seconds: 1.6, loop: true });

  /** The bars below: when each foot is down, and the present. */
  const rhythm = (phase) => {
    const x = (share) => -0.72 + 1.7 * share;
    const bar = (start, y) => [0, 1].map((turn) => [clamp(start + turn, 0, 1), clamp(start + turn + duty(), 0, 1)])
      .concat([[clamp(start - 1, 0, 1), clamp(start - 1 + duty(), 0, 1)]]).filter(([a, b]) => b > a).map(([a, b]) => [[x(a), y], [x(b), y]]);
    down[0](bar(0, -0.13));
    down[1](bar(0.5, -0.22));
    words[0]([-1.02, -0.145], "near foot");
    words[1]([-1.02, -0.235], "far foot");
    now([[x(phase % 1), -0.08], [x(phase % 1), -0.28]]);
  };
  scrub.use(60, 8);
});

course.figure("characters", [-0.75, -0.1, 2.35, 1.95], (stage) => {
  const { names, parents, walks } = course.traces["08-walking"];
  const [ground, ghosts, trails] = [stage.line("ground"), stage.segments("bone ghost"), [stage.line("trail"), stage.line("trail other")]];
  const [far, near, joints] = [stage.segments("bone ghost strong"), stage.segments("bone"), stage.dots("joint small")];
  const head = course.head(stage, names);
  const isFar = (joint) => names[joint].endsWith("_l");
  const toes = ["toe_r", "toe_l"].map((name) => names.indexOf(name));
  const chosen = stage.choice("character", Object.keys(walks), () => scrub.use(walks[chosen()].points.length, 0));
  const time = stage.handle("Drag along the walk", [0, 0.95], ([x]) => {
    const { points } = walks[chosen()];
    const gaps = points.map((frame) => Math.abs(frame[0][0] - x));
    scrub.at(gaps.indexOf(Math.min(...gaps)));
  });
  const scrub = stage.scrubber("frame", (at) => {
    const { points, fps } = walks[chosen()];
    const now = points[at];
    const bones = (which) => names.map((_, joint) => joint).filter((joint) => parents[joint] >= 0 && which(joint)).map((joint) => [now[parents[joint]], now[joint]]);
    ground([[-0.75, 0], [2.35, 0]]);
    ghosts(points.filter((_, k) => k % 8 === 0).flatMap((frame) => names.map((_, joint) => joint).filter((joint) => parents[joint] >= 0).map((joint) => [frame[parents[joint]], frame[joint]])));
    trails.forEach((trail, k) => trail(points.map((frame) => frame[toes[k]])));
    far(bones(isFar));
    near(bones((joint) => !isFar(joint)));
    joints(now);
    head(now);
    time.set(now[0]);
    stage.facts = { points: now, target: time.at, left: size(minus(now[0], time.at)), frame: at };
    stage.say(`${chosen()}, frame ${at} of one stride at ${fps} frames a second, by posable.walk. The lines are the paths of the toes.`);
  }, { seconds: 2.2, loop: true });
  scrub.use(walks.human.points.length, 10);
});
