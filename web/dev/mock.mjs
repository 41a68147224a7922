// A session of make-believe, to look at the page without Python: a GLB, a straight-line "solver", echoing commands.
//   node dev/mock.mjs FIGURE.glb [port]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";

const [file, port = "8123"] = process.argv.slice(2);
const root = join(dirname(fileURLToPath(import.meta.url)), "../../src/posable/studio/static");
const glb = readFileSync(file);
const json = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString("utf8"));
const parentOf = new Map(json.nodes.flatMap((node, i) => (node.children ?? []).map((child) => [child, i])));
const nodes = json.nodes.map((_, i) => i).filter((i) => json.nodes[i].extras?.posable?.kind ?? json.skins?.[0]?.joints.includes(i));
const joints = nodes.map((i) => json.nodes[i].name);
const parents = nodes.map((i) => nodes.indexOf(parentOf.get(i) ?? -1));
const local = (i) => json.nodes[i].translation ?? [0, 0, 0];
const rotation = (i) => {
  const [x, y, z, w] = json.nodes[i].rotation ?? [0, 0, 0, 1];
  return [w, x, y, z];
};
const place = (i) => (i === undefined ? [0, 0, 0] : place(parentOf.get(i)).map((value, k) => value + local(i)[k])); // rest without turns

const limitsOf = (i) => {
  const own = json.nodes[i].extras?.posable ?? {};
  const axes = (own.axes ?? []).map((axis) => ({ name: axis.name ?? "x", direction: axis.direction, slide: axis.slide ?? false, lower: axis.lower ?? null, upper: axis.upper ?? null }));
  const cone = own.cone ? { axis: own.cone.axis ?? [0, 1, 0], center: own.cone.center ?? [1, 0, 0, 0], swing: own.cone.swing ?? null, lower: own.cone.twist?.[0] ?? null, upper: own.cone.twist?.[1] ?? null } : null;
  return { kind: own.kind ?? "ball", base: rotation(i), axes, cone };
};

const goalOf = (name, joint, frames = []) => ({
  name, joint, kind: joint === "head" ? "look" : "place", position: place(nodes[joints.indexOf(joint)]), rotation: [1, 0, 0, 0], weight: 1,
  rotation_weight: 0.3, enabled: true, pinned: joint.startsWith("foot"), pole: null, method: "LeastSquares",
  keys: frames.map((frame) => ({ frame, position: [Math.sin(frame / 20), 1 + 0.2 * Math.cos(frame / 9), 0.2], rotation: [1, 0, 0, 0], weight: 1, interpolation: frame === 60 ? "step" : "cubic", velocity: null })),
});
const wanted = [["left hand", "hand_l", [0, 30, 60, 100]], ["right hand", "hand_r", [0, 45]], ["left foot", "foot_l", [0]], ["right foot", "foot_r", [0]], ["head", "head", [0, 60]], ["pelvis", "root", [0, 100]]];
const doc = {
  name: "mannequin", fps: 30, frame: 0, range: [0, 120], auto_key: false, blend: "linear", space: "world",
  goals: wanted.filter(([, joint]) => joints.includes(joint)).map((entry) => goalOf(...entry)),
  joints: nodes.map((i) => ({ name: json.nodes[i].name, frozen: false, limits: limitsOf(i) })),
  gait: { speed: 0.5, step: 0.8, bounce: 0.95, arm_swing: 34, lean: -1, mood: 0 }, gait_name: "jaunty", gaits: ["jaunty", "limp", "march", "zombie"],
  terrain: { kind: "none" }, clip: null, clips: [], options: { comfort: true, gravity: 0, elasticity: 0.2, keep_apart: false },
  can_undo: true, can_redo: false, demo: null, text: 'name = "snake"\n',
};
const elbow = doc.goals.find((goal) => goal.name === "left hand");
if (elbow) elbow.pole = [elbow.position[0], elbow.position[1], -0.5];

function poseBytes(seq) {
  const bytes = Buffer.alloc(20 + 16 * joints.length + 36 * doc.goals.length);
  bytes.writeUInt8(2, 0);
  bytes.writeUInt16LE(joints.length, 2);
  bytes.writeUInt32LE(seq, 4);
  const hand = doc.goals[0]?.position ?? [0, 0, 0];
  const values = [...local(nodes[0]), ...nodes.flatMap((i, j) => (joints[j] === "forearm_l" ? [Math.cos(hand[1]), Math.sin(hand[1]), 0, 0] : rotation(i))), ...doc.goals.flatMap((goal) => [...goal.position, ...goal.rotation])];
  values.forEach((value, i) => bytes.writeFloatLE(value, 8 + 4 * i));
  return bytes;
}
function clipBytes() {
  const frames = doc.range[1] - doc.range[0] + 1;
  const bytes = Buffer.alloc(16 + 4 * frames * (3 + 4 * joints.length));
  bytes.writeUInt8(3, 0);
  bytes.writeFloatLE(doc.fps, 4);
  bytes.writeUInt32LE(frames, 8);
  bytes.writeUInt32LE(joints.length, 12);
  let at = 16;
  for (let frame = 0; frame < frames; frame++) {
    const swing = Math.sin(frame / 10) * 0.4;
    const turned = nodes.flatMap((i, j) => (/upper_arm|thigh/.test(joints[j]) ? [Math.cos(swing), Math.sin(swing), 0, 0] : rotation(i)));
    for (const value of [...local(nodes[0]), ...turned]) at = bytes.writeFloatLE(value, at);
  }
  return bytes;
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".map": "application/json", ".txt": "text/plain" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://x").pathname;
  response.setHeader("Content-Security-Policy", "default-src 'self'");
  if (path === "/api/key") return response.end(JSON.stringify({ key: "mock" }));
  if (path === "/api/figure.glb") return response.end(glb);
  if (path === "/api/file") return response.writeHead(400).end(JSON.stringify({ message: "the mock opens no files" }));
  try {
    const body = readFileSync(join(root, normalize(path === "/" ? "/index.html" : path)));
    response.setHeader("Content-Type", TYPES[extname(path) || ".html"] ?? "application/octet-stream");
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
const status = () => ({
  event: "status", text: "left hand 7 cm short: elbow at its limit (150°)", status: "AT_LIMIT", ms: 0.31,
  goals: doc.goals.map((goal, i) => ({ name: goal.name, distance: i ? 0 : 0.07, angle: 0 })), limits: ["forearm_l"],
});

new WebSocketServer({ server, path: "/ws" }).on("connection", (socket) => {
  const say = (event) => socket.send(JSON.stringify(event));
  let rev = 1;
  say({ event: "hello", figures: ["mannequin", "doorbell_arm", "snake"], demos: ["snake", "tentacle"], methods: ["LeastSquares", "CyclicDescent", "Fabrik"], exports: ["glb", "bvh", "mp4", "gif", "png", "html", "session"], gait: ["speed", "step", "bounce", "arm_swing", "lean", "mood"].map((name) => ({ name, low: -1, high: 40, default: 0, help: name })) });
  say({ event: "figure", rev: 1, url: "api/figure.glb?rev=1", joints, nodes, parents, height: 1.8, up: "y" });
  say({ event: "document", rev, document: doc });
  say(status());
  socket.send(poseBytes(0));
  socket.send(clipBytes());
  let hasKey = false;
  socket.on("message", (data, binary) => {
    if (!hasKey) return void (hasKey = true);
    if (binary) {
      const goal = doc.goals[data.readUInt8(1)];
      goal.position = [0, 1, 2].map((i) => data.readFloatLE(8 + 4 * i));
      socket.send(poseBytes(data.readUInt32LE(4)));
      if (data.readUInt16LE(2) & 4) say({ event: "document", rev: ++rev, set: { goals: doc.goals } });
      return;
    }
    const command = JSON.parse(data.toString());
    console.log(JSON.stringify(command));
    const goal = doc.goals.find((entry) => entry.name === command.goal);
    const { op, id, ...fields } = command;
    if (op === "goal.set") Object.assign(goal, fields, { name: goal.name });
    if (op === "goal.pole") goal.pole = command.pole;
    if (op === "ikfk.switch") goal.enabled = command.to === "ik";
    if (op === "autokey") doc.auto_key = command.on;
    if (op === "skin.blend") doc.blend = command.blend;
    if (op === "options.set") (doc.space = command.space ?? doc.space), Object.assign(doc.options, fields);
    if (op === "joint.limit" && command.limits) doc.joints.find((joint) => joint.name === command.joint).limits = command.limits;
    if (op === "timeline.frame") doc.frame = command.frame;
    if (op === "key.move") {
      for (const [name, frame] of command.keys) {
        const key = doc.goals.find((entry) => entry.name === name).keys.find((entry) => entry.frame === frame);
        if (command.copy) doc.goals.find((entry) => entry.name === name).keys.push({ ...key, frame: frame + command.by });
        else key.frame += command.by;
      }
    }
    if (op === "key.value") Object.assign(goal.keys.find((key) => key.frame === command.frame), { position: command.position ?? undefined, velocity: command.velocity ?? null });
    say({ event: "document", rev: ++rev, set: structuredClone(doc) });
    socket.send(poseBytes(id));
  });
});
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/#mock`));
