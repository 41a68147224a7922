// three.js CCDIKSolver on a figure of balls: node ccd.mjs FOLDER asked.json answers.json (FOLDER holds node_modules)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, asked, answers] = process.argv.slice(2);
const three = join(folder, 'node_modules', 'three');
const load = (path) => import(pathToFileURL(join(three, path)).href);
const { Bone, BufferGeometry, Skeleton, SkinnedMesh } = await load('build/three.module.js');
const { CCDIKSolver } = await load('examples/jsm/animation/CCDIKSolver.js');
const problem = JSON.parse(readFileSync(asked, 'utf8'));

const bones = problem.names.map((name) => Object.assign(new Bone(), { name }));
problem.parents.forEach((parent, i) => {
  bones[i].position.fromArray(problem.positions[i]);
  if (parent >= 0) bones[parent].add(bones[i]);
});
const goals = problem.chains.map(() => new Bone());
const mesh = new SkinnedMesh(new BufferGeometry());
mesh.add(bones[0], ...goals);
mesh.bind(new Skeleton([...bones, ...goals]));
const iks = problem.chains.map(([effector, ...links], k) => ({
  target: bones.length + k,
  effector,
  links: links.map((index) => ({ index })),
  iteration: problem.iterations,
}));
const solver = new CCDIKSolver(mesh, iks);

function setRoot([x, y, z, w, i, j, k]) {
  bones[0].position.set(x, y, z);
  bones[0].quaternion.set(i, j, k, w);
}

function setPose(q) {
  setRoot(q);
  bones.slice(1).forEach((bone, i) => bone.quaternion.set(q[8 + 4 * i], q[9 + 4 * i], q[10 + 4 * i], q[7 + 4 * i]));
}

function getPose() {
  const { position: p, quaternion: r } = bones[0];
  return [p.x, p.y, p.z, r.w, r.x, r.y, r.z, ...bones.slice(1).flatMap(({ quaternion: b }) => [b.w, b.x, b.y, b.z])];
}

function solve(i) {
  if (!problem.warm) setPose(problem.start);
  setRoot(problem.roots[i]);
  mesh.updateMatrixWorld(true);
  const before = process.hrtime.bigint();
  goals.forEach((goal, k) => {
    goal.position.fromArray(problem.targets[i][k]);
    goal.updateMatrixWorld();
  });
  solver.update();
  return Number(process.hrtime.bigint() - before);
}

setPose(problem.start);
for (let i = 0; i < Math.min(100, problem.targets.length); i++) solve(i); // the compiler of the engine warms up
setPose(problem.start);
const [q, nanoseconds, end] = [[], [], Date.now() + 1000 * problem.seconds];
for (let i = 0; i < problem.targets.length && Date.now() < end; i++) {
  nanoseconds.push(solve(i));
  q.push(getPose());
}
const { version } = JSON.parse(readFileSync(join(three, 'package.json'), 'utf8'));
writeFileSync(answers, JSON.stringify({ q, nanoseconds, version, node: `node ${process.versions.node}` }));
