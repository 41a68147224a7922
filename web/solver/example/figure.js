// A figure whose hand follows the pointer. From web/solver: npm install three; npm run build; then, with a GLB as
// example/figure.glb, any static server: python -m http.server, and open /example/.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { Figure, load, reach } from "posable";

await load();
const bytes = await (await fetch("figure.glb")).arrayBuffer();
const figure = Figure.fromGLB(bytes);
const { scene: model } = await new GLTFLoader().parseAsync(bytes, "");

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.01, 100);
camera.position.set(0, 1.2, 4);
const scene = new THREE.Scene().add(model, new THREE.HemisphereLight(0xffffff, 0x444444, 3));

// three.js and the solver name joints alike, but for letters that three.js removes.
const bones = figure.names.map((name) => model.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(name)));
const hand = new URLSearchParams(location.search).get("joint") ?? "hand_r";
const feet = ["foot_l", "foot_r"].filter((name) => figure.names.includes(name));
const prepared = figure.prepare([hand, ...feet].map((name) => reach(name, [0, 0, 0])), { restarts: 0 });
const pins = feet.map((name) => figure.position(figure.rest, name));
let pose = figure.rest;

function show() {
  const frames = figure.world(pose);
  bones.forEach((bone, j) => {
    if (!bone) return;
    const local = new THREE.Matrix4().fromArray(frames, 16 * j);
    const parent = figure.parents[j];
    if (parent >= 0) local.premultiply(new THREE.Matrix4().fromArray(frames, 16 * parent).invert());
    local.decompose(bone.position, bone.quaternion, new THREE.Vector3());
  });
  renderer.render(scene, camera);
}

addEventListener("pointermove", ({ clientX, clientY }) => {
  const at = new THREE.Vector3((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight, 0.5).unproject(camera);
  const ray = at.sub(camera.position).normalize();
  const away = (figure.position(pose, hand)[2] - camera.position.z) / ray.z; // in the plane of the hand
  pose = prepared.solve(pose, [ray.multiplyScalar(away).add(camera.position).toArray(), ...pins]).q;
  show();
});
show();
