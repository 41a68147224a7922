"use strict";
/* Many goals at once, on a body in a plane: rows with weights in one damped step, comfort in the freedom they leave. */
course.figure("goals", [-1.35, -0.1, 1.35, 2.15], (stage) => {
  const { names, parents, rest } = course.traces["10-natural-poses"].body;
  const index = (name) => names.indexOf(name);
  const [still, both] = [names.map(() => 0), ["l", "r"]];
  let [turns, root] = [still.slice(), rest[0]];
  const [ground, base, bones, joints] = [stage.line("ground"), stage.line("base"), stage.segments("bone"), stage.dots("joint")];
  const [plumb, centre] = [stage.line("gap"), stage.dots("active")];
  const head = course.head(stage, names);
  const hands = both.map((side) => stage.handle(`Hand ${side === "l" ? "on the right" : "on the left"}`, rest[index(`hand_${side}`)], () => solve()));
  const feet = stage.tick("feet stay", true, () => solve());
  const balance = stage.tick("balance", true, () => solve());
  const comfort = stage.slider({ name: "comfort", min: 0, max: 1, step: 0.05, value: 0.5 }, () => solve());
  const only = both.map((side) => stage.tick(`goal for the hand on the ${side === "l" ? "right" : "left"}`, true, () => solve()));

  const FIRM = 4; // the weight of feet and balance against that of a hand
  // M⁻¹: how readily each freedom moves, the root's two slides first. A trunk moves later than an arm.
  const ready = (name) => (/arm|hand/.test(name) ? 1 : /thigh|shin|foot|toe/.test(name) ? 0.3 : 0.1);
  const ease = [0.1, 0.1, ...names.map(ready)];

  const points = (pose = { root, turns }) => {
    const [at, sum] = [[pose.root], [pose.turns[0]]];
    for (let joint = 1; joint < names.length; joint++) {
      at[joint] = add(at[parents[joint]], rotated(minus(rest[joint], rest[parents[joint]]), sum[parents[joint]]));
      sum[joint] = sum[parents[joint]] + pose.turns[joint];
    }
    return at;
  };

  /** How fast a point below `joint` moves: by the root's two slides, then by the turn of every joint above it. */
  const rowsOf = (joint, at, point) => {
    const rows = [[1, 0, ...still], [0, 1, ...still]];
    for (let above = parents[joint]; above >= 0; above = parents[above]) {
      const [dx, dy] = across(minus(point, at[above]));
      [rows[0][2 + above], rows[1][2 + above]] = [dx, dy];
    }
    return rows;
  };
  const centreOf = (at) => times(at.reduce(add), 1 / at.length);

  /** Every goal's rows and what is left to do: the Jacobian of all of them together. */
  const stacked = (at) => {
    const [rows, left] = [[], []];
    const ask = (joint, target, weight = 1) => {
      rows.push(...rowsOf(joint, at, at[joint]).map((row) => row.map((value) => weight * value)));
      left.push(...times(minus(target, at[joint]), weight));
    };
    both.forEach((side, k) => {
      if (only[k]()) ask(index(`hand_${side}`), hands[k].at);
      if (feet()) for (const part of ["foot", "toe"]) ask(index(`${part}_${side}`), rest[index(`${part}_${side}`)], FIRM);
    });
    if (balance()) {
      const parts = names.map((_, joint) => rowsOf(joint, at, at[joint])[0]);
      rows.push(still.concat(0, 0).map((_, c) => (FIRM * parts.reduce((sum, row) => sum + row[c], 0)) / names.length));
      left.push(-FIRM * centreOf(at)[0]);
    }
    return { rows, left };
  };

  const solve = () => {
    let damping = 1e-4;
    for (let n = 0; n < 60; n++) {
      const { rows, left } = stacked(points());
      const error = Math.hypot(...left);
      const met = 1 / (1 + (error / 0.005) ** 2); // comfort waits until the goals are met
      const away = [0, 0, ...turns.map((turn) => -0.3 * comfort() * met * turn)];
      const scale = Math.min(1, 0.4 / (error || 1)); // no leaps: the rows are true only near by
      // δ = p + M⁻¹Jᵀ(J M⁻¹ Jᵀ + λ²)⁻¹(e − J p): the goals first, comfort p only where they leave freedom.
      const light = rows.map((row) => row.map((value, c) => value * ease[c]));
      const wanted = left.map((value, r) => scale * value - sum(rows[r], away));
      const pull = linear(rows.map((a, i) => light.map((b, j) => sum(a, b) + (i === j ? damping : 0))), wanted);
      const step = away.map((value, c) => value + light.reduce((total, row, r) => total + row[c] * pull[r], 0));
      const next = {
        root: add(root, step.slice(0, 2)),
        turns: turns.map((turn, joint) => clamp(turn + step[2 + joint], -2.4, 2.4)),
      };
      // As in lesson 4: a step that does not help is taken back, and the next one is calmer.
      const helps = Math.hypot(...stacked(points(next)).left) < Math.max(error, 0.02);
      damping = helps ? Math.max(1e-4, damping / 10) : damping * 10;
      if (helps) [root, turns] = [next.root, next.turns];
    }
    draw();
  };
  const sum = (a, b) => a.reduce((total, value, k) => total + value * b[k], 0);

  const draw = () => {
    const at = points();
    const middle = centreOf(at);
    ground([[-1.35, 0], [1.35, 0]]);
    base([[rest[index("toe_r")][0], 0], [rest[index("toe_l")][0], 0]]);
    bones(names.map((_, joint) => joint).slice(1).map((joint) => [at[parents[joint]], at[joint]]));
    joints(at);
    head(at);
    plumb([middle, [middle[0], 0]]);
    centre([middle]);
    const missed = both.map((side, k) => size(minus(hands[k].at, at[index(`hand_${side}`)])));
    stage.facts = { points: at, missed, middle: middle[0], feet: both.map((side) => at[index(`foot_${side}`)]), root, rest, parents, names };
    const left = Math.max(...missed.filter((_, k) => only[k]()), 0);
    stage.say(left < 0.005 ? "Every goal is met." : `The goals cannot all be met: a hand is ${left.toFixed(2)} m from its target.`);
  };
  solve();
});

course.figure("natural", [-1.6, -0.15, 2.4, 2.1], (stage) => {
  const { names, parents, target, plain, natural } = course.traces["10-natural-poses"];
  const kinds = [["without", plain, [0, 0], "bone ghost strong"], ["with Natural()", natural, [1.35, 0], "bone"]];
  const [ground, path] = [stage.line("ground"), kinds.map(() => stage.line("trail"))];
  const drawn = kinds.map(([, , , kind]) => [stage.segments(kind), stage.dots("joint small"), stage.dots("active"), stage.word("middle"), course.head(stage, names)]);
  const hand = stage.handle("Target of the hand", target[20], (to) => {
    const gaps = target.map((point) => size(minus(point, to)));
    scrub.at(gaps.indexOf(Math.min(...gaps)));
  });
  const scrub = stage.scrubber("target", (at) => {
    ground([[-1.6, 0], [2.4, 0]]);
    kinds.forEach(([name, frames, aside], k) => {
      const now = frames[at].map((point) => add(point, aside));
      path[k](target.map((point) => add(point, aside)));
      drawn[k][0](now.map((point, joint) => [now[parents[joint]], point]).slice(1));
      drawn[k][1](now);
      drawn[k][2]([add(target[at], aside)]);
      drawn[k][3](add([0, -0.12], aside), name);
      drawn[k][4](now);
    });
    hand.set(target[at]);
    stage.facts = { points: natural[at], target: hand.at, left: size(minus(hand.at, target[at])), frame: at };
    stage.say("The same goals twice, solved by posable: the fingertip on the target, both feet where they are.");
  }, { seconds: 4 });
  scrub.use(target.length, 20);
});
