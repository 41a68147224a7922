// Corners and edges of things in the scene and of the ground, to which what is dragged snaps.

import * as T from "three";
import type { Stage } from "./stage";

const CREASE = 20; // degrees between two faces, from which on their common line is an edge
const MOST = 60_000; // corners that are looked at
const SAME = 3; // pixels: of what is as near, the one in front is meant

interface Shape {
  corners: T.Vector3[];
  /** Two ends after each other. */
  edges: T.Vector3[];
}

const shapes = new WeakMap<T.BufferGeometry, Shape>();

function pointsOf(geometry: T.BufferGeometry): T.Vector3[] {
  const at = geometry.getAttribute("position");
  return Array.from({ length: Math.min(at.count, MOST) }, (_, k) => new T.Vector3().fromBufferAttribute(at, k));
}

function shapeOf(geometry: T.BufferGeometry): Shape {
  const known = shapes.get(geometry);
  if (known) return known;
  const shape = { corners: pointsOf(geometry), edges: pointsOf(new T.EdgesGeometry(geometry, CREASE)) };
  shapes.set(geometry, shape);
  return shape;
}

/** What one may stand on or lean against. */
export function solids(stage: Stage): T.Mesh[] {
  const found: T.Mesh[] = [];
  stage.world.traverse((part) => void (part instanceof T.Mesh && !part.userData.isMark && found.push(part)));
  return found;
}

/** The corner, or the place on an edge, within some pixels of a place of the canvas; null where there is none. */
export function nearOn(stage: Stage, what: "corners" | "edges", x: number, y: number, most: number): T.Vector3 | null {
  let [best, front, found]: [number, number, T.Vector3 | null] = [most, Infinity, null];
  const look = (place: T.Vector3) => {
    const seen = stage.project(place);
    const off = Math.hypot(x - seen.x, y - seen.y);
    if (!seen.visible || off > most || off > best + SAME) return;
    const depth = place.distanceTo(stage.camera.position);
    if (off < best - SAME || depth < front) [best, front, found] = [Math.min(off, best), depth, place];
  };
  for (const mesh of solids(stage)) {
    const { corners, edges } = shapeOf(mesh.geometry as T.BufferGeometry);
    const inScene = (point: T.Vector3) => point.clone().applyMatrix4(mesh.matrixWorld);
    if (what === "corners") for (const corner of corners) look(inScene(corner));
    else for (let k = 0; k + 1 < edges.length; k += 2) look(onEdge(stage, inScene(edges[k]!), inScene(edges[k + 1]!), x, y));
  }
  return found;
}

/** The place on an edge that is next to the ray through a place of the canvas. */
function onEdge(stage: Stage, from: T.Vector3, to: T.Vector3, x: number, y: number): T.Vector3 {
  const box = stage.canvas.getBoundingClientRect();
  const place = new T.Vector3();
  stage.ray(x + box.left, y + box.top).ray.distanceSqToSegment(from, to, undefined, place);
  return place;
}
