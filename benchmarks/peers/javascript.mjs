// posable's solver as WebAssembly: node javascript.mjs SCRIPT asked.json answers.json
import { readFileSync, writeFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

const [script, asked, answers] = process.argv.slice(2);
const posable = runInThisContext(`${readFileSync(script, 'utf8')};posable`);
await posable.load();
const problem = JSON.parse(readFileSync(asked, 'utf8'));
const figure = posable.Figure.fromRecord(problem.record);
const goals = problem.aims.map(({ body, position, rotation }) => {
  if (position && rotation) return posable.place(body, new Array(16).fill(0));
  if (!position) throw new Error('rotations alone are not asked of it here');
  return posable.reach(body, [0, 0, 0]);
});
const prepared = figure.prepare(goals, problem.options);
const targets = problem.targets.map((one) => one.map((frame, k) => (goals[k].size === 16 ? frame : frame.slice(12, 15))));

let q = problem.start;
function solve(i) {
  const before = process.hrtime.bigint();
  const found = prepared.solve(problem.warm ? q : problem.start, targets[i]).q;
  const took = Number(process.hrtime.bigint() - before);
  q = found;
  return took;
}

for (let i = 0; i < Math.min(100, targets.length); i++) solve(i); // the compiler of the engine warms up
q = problem.start;
const [poses, nanoseconds, end] = [[], [], Date.now() + 1000 * problem.seconds];
for (let i = 0; i < targets.length && Date.now() < end; i++) {
  nanoseconds.push(solve(i));
  poses.push(Array.from(q));
}
writeFileSync(answers, JSON.stringify({ q: poses, nanoseconds, node: `node ${process.versions.node}` }));
