// The joints of a GLB: `posable.formats.gltf` in Python, whose module texts state the rules. Meshes are left to whoever
// draws them. What is not done here: feet and hands that hang beside their limb stay where the file has them.
import type { FigureRecord } from "./figure";
import { codeOf, coordinatesOf, dofOf, type Joint, recordOf, restOf } from "./joints";
import { applied, closestRotation, multiply, product, transposed, turnOf, unit, type Vector, wxyzOf } from "./rotations";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

interface Nodes {
  items: Json[];
  parents: number[];
  order: number[];
  translation: Vector[];
  wxyz: Vector[];
  fold: Vector[];
  origin: Vector[];
  frame: boolean[];
  flip: Vector[];
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const SHIFT = 1e-5, TURN = 1e-6, SAME = 5e-7;
const extrasOf = (item: Json): Json => (typeof item?.extras?.posable === "object" ? item.extras.posable : null);

export function readGLB(bytes: Uint8Array): { record: FigureRecord; notes: string[] } {
  const { json, binary } = chunks(bytes);
  const nodes = readNodes(json);
  const core = coreOf(json, nodes);
  const moves = findMoves(json, binary, nodes, core);
  const wanted = withAncestors(nodes, [...core, ...meshNodes(nodes, moves)]);
  const chosen = nodes.order.filter((n) => wanted.has(n) && !nodes.frame[n]);
  if (!chosen.length) throw new Error("posable: the file has no joints; export the model with its armature");
  const names = namesOf(nodes, chosen), aliases = humanoid(json);
  const place = new Map(chosen.map((n, j) => [n, j]));
  const kinds = kindsOf(nodes, core, chosen, moves);
  const notes: string[] = [];
  const joints = chosen.map((n, j) => {
    const parent = place.get(nodes.parents[n]) ?? -1;
    const own = extrasOf(nodes.items[n]);
    const joint = own?.kind ? described(own, names[j], parent) : plainJoint(nodes, n, names[j], parent, kinds, place);
    joint.aliases.push(...(aliases.get(n) ?? []));
    return own?.kind ? rested(joint, above(nodes, n), nodes.wxyz[n], notes) : joint;
  });
  return { record: recordOf(joints, extrasOf(json.asset)?.up === "z" ? "z" : "y"), notes };
}

function chunks(bytes: Uint8Array): { json: Json; binary: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || view.getUint32(0, true) !== 0x46546c67) throw new Error("posable: these bytes are not a GLB file");
  const size = view.getUint32(12, true);
  if (20 + size > bytes.length) throw new Error("posable: the GLB ends within its JSON");
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
  return { json, binary: bytes.subarray(Math.min(28 + size, bytes.length)) };
}

function readNodes(json: Json): Nodes {
  const items: Json[] = json.nodes ?? [];
  const parents = items.map(() => -1);
  items.forEach((item, n) => (item.children ?? []).forEach((child: number) => {
    if (!(child in parents) || parents[child] >= 0) throw new Error(`posable: node ${child} has two parents or does not exist`);
    parents[child] = n;
  }));
  const local = items.map(localOf);
  const nodes: Nodes = {
    items, parents, order: orderOf(json, items, parents),
    translation: local.map((one) => one.translation),
    flip: local.map((one) => one.flip),
    wxyz: local.map((one) => multiply(one.wxyz, one.flip)),
    fold: items.map(() => IDENTITY), origin: items.map(() => [0, 0, 0]),
    frame: items.map((item, n) => parents[n] < 0 && extrasOf(item)?.frame === true),
  };
  const world = items.map(() => IDENTITY);
  for (const n of nodes.order) {
    if (nodes.frame[n]) continue;
    const p = parents[n], turn = turnOf(nodes.wxyz[n]);
    nodes.fold[n] = product(product(product(transposed(turn), p < 0 ? IDENTITY : nodes.fold[p]), turn), local[n].stretch);
    if (p < 0) nodes.fold[n] = local[n].stretch;
    const there = applied(p < 0 ? IDENTITY : product(world[p], nodes.fold[p]), nodes.translation[n]);
    nodes.origin[n] = p < 0 ? there : there.map((one, i) => one + nodes.origin[p][i]);
    world[n] = p < 0 ? turn : product(world[p], turn);
  }
  return nodes;
}

function localOf(item: Json): { translation: Vector; wxyz: Vector; stretch: Vector; flip: Vector } {
  if (item.matrix) {
    const m: Vector = [0, 1, 2].flatMap((r) => [0, 1, 2].map((c) => item.matrix[4 * c + r]));
    const turn = closestRotation(m);
    return { translation: item.matrix.slice(12, 15), wxyz: wxyzOf(turn), stretch: product(transposed(turn), m), flip: [1, 0, 0, 0] };
  }
  const [x, y, z, w] = item.rotation ?? [0, 0, 0, 1];
  const scale: Vector = item.scale ?? [1, 1, 1];
  let signs = scale.map((one): number => (one < 0 ? -1 : 1));
  const all = signs.reduce((a, b) => a * b, 1);
  signs = signs.map((one) => one * all);
  const diagonal = (v: Vector) => [v[0], 0, 0, 0, v[1], 0, 0, 0, v[2]];
  return {
    translation: item.translation ?? [0, 0, 0], wxyz: unit([w, x, y, z]), flip: wxyzOf(diagonal(signs)),
    stretch: diagonal(scale.map((one, i) => one * signs[i])),
  };
}

/** Depth first from the roots, those of the scenes first; as they stand where posable says that they are in order. */
function orderOf(json: Json, items: Json[], parents: number[]): number[] {
  const frames = new Set(items.flatMap((item) => (extrasOf(item)?.frame === true ? (item.children ?? []) : [])));
  const ordered = extrasOf(json.asset)?.ordered === true && parents.every((p, n) => p < n || frames.has(n));
  if (ordered) return items.map((_, n) => n);
  const named: number[] = (json.scenes ?? []).flatMap((scene: Json) => scene.nodes ?? []);
  const waiting = [...new Set([...named, ...items.keys()])].filter((n) => parents[n] < 0).reverse();
  const order: number[] = [];
  while (waiting.length) {
    const n = waiting.pop()!;
    order.push(n);
    waiting.push(...[...(items[n].children ?? [])].reverse());
  }
  if (order.length < items.length) throw new Error("posable: the nodes of the file form a cycle");
  return order;
}

function coreOf(json: Json, nodes: Nodes): Set<number> {
  const named = new Set<number>((json.skins ?? []).flatMap((skin: Json) => skin.joints));
  nodes.items.forEach((item, n) => extrasOf(item)?.kind && named.add(n));
  const found = named.size ? named : humanoid(json).size ? new Set(humanoid(json).keys()) : new Set(nodes.items.keys());
  return new Set([...found].filter((n) => !nodes.frame[n]));
}

const above = (nodes: Nodes, n: number): Vector =>
  applied(nodes.parents[n] < 0 ? IDENTITY : nodes.fold[nodes.parents[n]], nodes.translation[n]);

/** The nodes that animations rotate, and those that they move, from rest. */
function findMoves(json: Json, binary: Uint8Array, nodes: Nodes, core: Set<number>): { turning: Set<number>; shifting: Set<number> } {
  const places = [...core].map((n) => nodes.origin[n]);
  const extent = [0, 1, 2].map((i) => Math.max(...places.map((p) => p[i])) - Math.min(...places.map((p) => p[i])));
  const size = (places.length ? Math.hypot(...extent) : 0) || 1;
  const turning = new Set<number>(), shifting = new Set<number>();
  for (const animation of json.animations ?? []) {
    for (const { sampler, target } of animation.channels ?? []) {
      const n = target?.node;
      if (n === undefined || !["rotation", "translation"].includes(target.path)) continue;
      const values = samples(json, binary, animation.samplers[sampler], target.path === "rotation" ? 4 : 3);
      if (target.path === "rotation") {
        const own = multiply(nodes.wxyz[n], nodes.flip[n]), back = [own[0], -own[1], -own[2], -own[3]];
        const moves = values.some(([x, y, z, w]) => Math.max(...multiply(back, unit([w, x, y, z])).slice(1).map(Math.abs)) > TURN);
        if (moves) turning.add(n);
      } else {
        const fold = nodes.parents[n] < 0 ? IDENTITY : nodes.fold[nodes.parents[n]];
        const far = (value: Vector) => Math.hypot(...applied(fold, value.map((one, i) => one - nodes.translation[n][i])));
        if (values.some((value) => far(value) > SHIFT * size)) shifting.add(n);
      }
    }
  }
  return { turning, shifting };
}

const READERS: Record<number, [bytes: number, most: number, read: (v: DataView, at: number) => number]> = {
  5120: [1, 127, (v, at) => v.getInt8(at)], 5121: [1, 255, (v, at) => v.getUint8(at)],
  5122: [2, 32767, (v, at) => v.getInt16(at, true)], 5123: [2, 65535, (v, at) => v.getUint16(at, true)],
  5126: [4, 1, (v, at) => v.getFloat32(at, true)],
};

/** The values of a sampler, without the tangents of cubic splines. */
function samples(json: Json, binary: Uint8Array, sampler: Json, width: number): Vector[] {
  const accessor = json.accessors?.[sampler.output];
  const part = json.bufferViews?.[accessor?.bufferView];
  const reader = READERS[accessor?.componentType];
  if (!part || !reader || part.buffer) return [];
  const [bytes, most, read] = reader;
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const start = (part.byteOffset ?? 0) + (accessor.byteOffset ?? 0), stride = part.byteStride ?? bytes * width;
  const found = Array.from({ length: accessor.count }, (_, i) =>
    Array.from({ length: width }, (_, k) => Math.max(read(view, start + i * stride + k * bytes) / most, most === 1 ? -Infinity : -1)),
  );
  return sampler.interpolation === "CUBICSPLINE" ? found.filter((_, i) => i % 3 === 1) : found;
}

function withAncestors(nodes: Nodes, wanted: Iterable<number>): Set<number> {
  const found = new Set<number>();
  for (const one of wanted) for (let n = one; n >= 0 && !found.has(n); n = nodes.parents[n]) found.add(n);
  return found;
}

/** Nodes that animations move and that carry a mesh without a skin. */
function meshNodes(nodes: Nodes, moves: { turning: Set<number>; shifting: Set<number> }): number[] {
  const carrying = [...nodes.items.keys()].filter((n) => nodes.items[n].mesh !== undefined && nodes.items[n].skin === undefined);
  return [...withAncestors(nodes, carrying)].filter((n) => moves.turning.has(n) || moves.shifting.has(n));
}

/** In each tree of the chosen nodes the lowest common ancestor of those that are named as joints. */
function freeRoots(nodes: Nodes, chosen: number[], core: Set<number>): Set<number> {
  const below = new Map<number, number>(), inside = new Set(chosen), free = new Set<number>();
  const count = (n: number) => below.get(n) ?? 0;
  for (const n of [...chosen].reverse()) {
    below.set(n, count(n) + Number(core.has(n)));
    below.set(nodes.parents[n], count(nodes.parents[n]) + count(n));
  }
  for (const root of chosen) {
    if (inside.has(nodes.parents[root]) || !count(root)) continue;
    let n = root;
    while (!core.has(n)) {
      const heavy = chosen.filter((c) => nodes.parents[c] === n && count(c));
      if (heavy.length !== 1) break;
      [n] = heavy;
    }
    free.add(n);
  }
  return free;
}

interface Kind { kind: string; active: boolean[] | null }

function kindsOf(
  nodes: Nodes, core: Set<number>, chosen: number[], moves: { turning: Set<number>; shifting: Set<number> },
): Map<number, Kind> {
  const free = freeRoots(nodes, chosen, core);
  const over = withAncestors(nodes, free);
  for (const n of free) over.delete(n);
  return new Map(chosen.map((n): [number, Kind] => {
    const turns = !over.has(n);
    if (free.has(n)) return [n, { kind: "free", active: null }];
    if (moves.shifting.has(n)) return [n, { kind: "free", active: [false, false, false, turns, turns, turns] }];
    const kind = core.has(n) || moves.turning.has(n) ? "ball" : "fixed";
    return [n, { kind, active: over.has(n) && kind === "ball" ? [false, false, false] : null }];
  }));
}

function namesOf(nodes: Nodes, chosen: number[]): string[] {
  const taken = new Set<string>(), counts = new Map<string, number>();
  return chosen.map((n) => {
    const wanted = nodes.items[n].name || `node_${n}`;
    let name = wanted;
    while (taken.has(name)) {
      counts.set(wanted, (counts.get(wanted) ?? 0) + 1);
      name = `${wanted}_${counts.get(wanted)! + 1}`;
    }
    taken.add(name);
    return name;
  });
}

const BLANK = {
  position: [0, 0, 0], wxyz: [1, 0, 0, 0], anchor: [0, 0, 0], cone: null, rest: null, active: null, absolute: false, ease: 0, stiffness: 0,
};

function plainJoint(nodes: Nodes, n: number, name: string, parent: number, kinds: Map<number, Kind>, place: Map<number, number>): Joint {
  const isEnd = (item: Json) => !["children", "mesh", "camera", "extensions"].some((key) => item[key] !== undefined);
  const ends = (nodes.items[n].children ?? []).filter((child: number) => !place.has(child) && isEnd(nodes.items[child]));
  return {
    ...BLANK, ...kinds.get(n)!, name, parent, axes: [], aliases: [], position: above(nodes, n), wxyz: nodes.wxyz[n],
    tips: ends.map((child: number) => applied(nodes.fold[n], nodes.translation[child])),
  };
}

const PLANAR: Json[] = [
  { direction: [1, 0, 0], slide: true, name: "x" }, { direction: [0, 1, 0], slide: true, name: "y" },
  { direction: [0, 0, 1], name: "angle" },
];

/** The joint that posable has described in a node. */
function described(own: Json, name: string, parent: number): Joint {
  const axes: Json[] = own.kind === "planar" && !own.axes?.length ? PLANAR : (own.axes ?? []);
  const cone = own.cone && {
    axis: unit(own.cone.axis), swing: own.cone.swing ?? Math.PI, twist: own.cone.twist ?? [-Math.PI, Math.PI],
    center: unit(own.cone.center ?? [1, 0, 0, 0]),
  };
  return {
    ...BLANK, name, parent, kind: own.kind,
    position: own.position ?? [0, 0, 0], wxyz: unit(own.wxyz ?? [1, 0, 0, 0]), anchor: own.anchor ?? [0, 0, 0],
    cone: cone ?? null, rest: own.rest ?? null, active: own.active ?? null, absolute: own.absolute === true, ease: own.ease ?? 0, stiffness: own.stiffness ?? 0,
    tips: own.tips ?? [], aliases: [...(own.aliases ?? [])],
    axes: axes.map((axis) => {
      const direction = unit(axis.direction);
      const longest = direction.map(Math.abs).reduce((best, one, i, all) => (one > all[best] ? i : best), 0);
      const follow = axis.follow && { gain: 1, offset: 0, axis: 0, ...axis.follow };
      return {
        direction, slide: axis.slide === true, anchor: axis.anchor ?? [0, 0, 0], lower: axis.lower ?? -Infinity,
        upper: axis.upper ?? Infinity, reference: axis.reference ?? 0, name: axis.name || "xyz"[longest], follow,
      };
    }),
  };
}

/** A described joint rests where the file has it, which may differ from its neutral pose. */
function rested(joint: Joint, position: Vector, wxyz: Vector, notes: string[]): Joint {
  if (joint.kind === "fixed") {
    const back = [joint.wxyz[0], -joint.wxyz[1], -joint.wxyz[2], -joint.wxyz[3]];
    const turned = Math.max(...multiply(back, wxyz).slice(1).map(Math.abs)) >= SAME;
    const far = Math.max(...position.map((one, i) => Math.abs(one - joint.position[i])));
    return turned || far > SAME * (1 + Math.max(...position.map(Math.abs))) ? { ...joint, position, wxyz } : joint;
  }
  const q = coordinatesOf(joint, position, wxyz);
  if (q === null) {
    notes.push(`${joint.name} rests as its joint says, whatever its node's transform is`);
    return joint;
  }
  const neutral = restOf(joint), rotation = codeOf(joint) ? neutral.length - 4 : neutral.length;
  const turn = codeOf(joint) ? multiply([neutral[rotation], ...neutral.slice(rotation + 1).map((one) => -one)], q.slice(rotation)) : [1];
  const angle = turn.slice(1).map((one) => 2 * Math.abs(one));
  const away = [...q.slice(0, rotation).map((one, i) => Math.abs(one - neutral[i])), ...angle];
  return dofOf(joint) && Math.max(...away) > SAME ? { ...joint, rest: q } : joint;
}

/** Node → the names that a VRM file gives it. */
function humanoid(json: Json): Map<number, string[]> {
  const extension = json.extensions?.VRM ?? json.extensions?.VRMC_vrm ?? json.extensions?.VRMC_vrm_animation;
  const bones = extension?.humanoid?.humanBones;
  const pairs: [string, number][] = Array.isArray(bones)
    ? bones.map((one: Json) => [one.bone, one.node])
    : Object.entries(bones ?? {}).map(([name, one]) => [name, (one as Json).node]);
  const found = new Map<number, string[]>();
  for (const [name, node] of pairs) if (node >= 0) found.set(node, [...(found.get(node) ?? []), name]);
  return found;
}
