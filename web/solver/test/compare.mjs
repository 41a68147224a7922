// Solves what Python has solved and says how far the answers are apart: node compare.mjs FOLDER, for tests/browser.
// FOLDER holds problems.json and the GLBs that it names; the result is one line of JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const built = new URL("../../../src/posable/browser/static/posable.js", import.meta.url);
const posable = runInThisContext(`${readFileSync(built, "utf8")};posable`);
await posable.load();
await posable.loadNatural(readFileSync(new URL("../../../src/posable/natural/human.npz", import.meta.url)));
const folder = process.argv[2];
const asked = JSON.parse(readFileSync(join(folder, "problems.json"), "utf8"));
const makers = {
  Reach: (g) => posable.reach(g.joint, g.target, g),
  Orient: (g) => posable.orient(g.joint, g.target, g),
  Place: (g) => posable.place(g.joint, g.target, g),
  LookAt: (g) => posable.lookAt(g.joint, g.target, g),
  Pole: (g) => posable.pole(g.joint, g.target, g),
  Natural: (g) => posable.natural(g),
  Stay: (g) => posable.stay(g.target, g),
};
const apart = (a, b) => Array.from(a).reduce((most, one, i) => Math.max(most, Math.abs(one - b[i])), 0);

function fieldsApart(record, wanted) {
  const flat = (value) => (value === null ? Infinity : value);
  return Object.keys(wanted).filter((name) => {
    if (["aliases", "forward", "body"].includes(name)) return false;
    const [a, b] = [record[name], wanted[name]].map((one) => [one].flat(3).map(flat));
    const same = (x, y) => x === y || (Math.abs(x) === Infinity && Math.abs(y) === Infinity) || Math.abs(x - y) <= 1e-9;
    return a.length !== b.length || !a.every((x, i) => same(x, b[i]));
  });
}

function check(one) {
  const figure = one.glb
    ? posable.Figure.fromGLB(readFileSync(join(folder, one.glb)))
    : posable.Figure.fromRecord(one.record);
  const fields = one.glb ? fieldsApart(figure.record, one.record) : [];
  const found = { name: one.name, fields, tables: [], off: [], status: [], left: [], worst: 0 };
  if (fields.length) return found;
  for (const problem of one.problems) {
    const prepared = figure.prepare(problem.goals.map((g) => makers[g.kind](g)), problem.options);
    const { ints, floats } = prepared.tables;
    const sameInts = ints.length === problem.ints.length && ints.every((x, i) => Number(x) === problem.ints[i]);
    const wanted = problem.floats.map((x) => (x === null ? Infinity : x));
    const sameFloats = floats.length === wanted.length && floats.every((x, i) => Math.abs(Math.abs(x) - Math.abs(wanted[i])) <= 1e-12 || Math.abs(x) === wanted[i]);
    found.tables.push(sameInts && sameFloats);
    if (problem.frames) {
      const track = prepared.track(problem.start, problem.frames, problem.steps ?? []);
      found.off.push(apart(track.q, problem.q));
      found.status.push(track.reached.every((one, n) => one === problem.reached[n]));
    } else {
      const solution = prepared.solve(problem.start, problem.goals.map((g) => g.target), problem.since, problem.origin);
      found.off.push(apart(solution.q, problem.q));
      found.status.push(solution.status === problem.status ? true : `${solution.status} for ${problem.status}`);
      found.left.push(apart(solution.left, problem.left));
    }
    prepared.free();
  }
  for (const limb of one.limbs ?? []) {
    const { q, left } = figure.twoBone(limb.start, limb);
    found.off.push(Math.max(apart(q, limb.q), Math.abs(left - limb.left)));
  }
  for (const pose of one.poses ?? []) {
    const world = figure.world(pose.q);
    found.off.push(apart(world, pose.world));
  }
  for (const skin of one.skins ?? []) {
    const own = new posable.Skin(figure, skin);
    const { vertices } = own.deform(skin.q, skin.blend);
    found.skin = Math.max(found.skin ?? 0, apart(vertices, skin.out));
  }
  return found;
}

console.log(JSON.stringify(asked.map(check)));
