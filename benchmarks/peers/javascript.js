// Solves a problem with posable's module: run by node (javascript.mjs) and by a page (javascript.py) alike.
// now: milliseconds. each: solves that are timed together, as browsers round their clocks.
async function answered(posable, problem, now, each) {
  await posable.load();
  const figure = posable.Figure.fromRecord(problem.record);
  const goals = problem.aims.map(({ body, position, rotation }) => {
    if (position && rotation) return posable.place(body, new Array(16).fill(0));
    if (!position) throw new Error('rotations alone are not asked of it here');
    return posable.reach(body, [0, 0, 0]);
  });
  const prepared = figure.prepare(goals, problem.options);
  const targets = problem.targets.map((one) => one.map((frame, k) => (goals[k].size === 16 ? frame : frame.slice(12, 15))));
  let q = problem.start;
  const solve = (i) => {
    q = prepared.solve(problem.warm ? q : problem.start, targets[i]).q;
    return q;
  };
  for (let i = 0; i < Math.min(100, targets.length); i++) solve(i); // the compiler of the engine warms up
  q = problem.start;
  const [poses, nanoseconds, end] = [[], [], now() + 1000 * problem.seconds];
  for (let i = 0; i < targets.length && now() < end; i += each) {
    const some = targets.slice(i, i + each).map((_, k) => i + k);
    const before = now();
    const found = some.map(solve);
    const took = (1e6 * (now() - before)) / some.length;
    for (const one of found) {
      nanoseconds.push(took);
      poses.push(Array.from(one));
    }
  }
  return { q: poses, nanoseconds };
}
