// A hand that is dragged over the body goes in front of it, as one sees it, rather than through it.

import * as T from "three";
import type { StudioGoal } from "../schema";
import type { FigureView } from "./figure";
import type { Stage } from "./stage";

/** A ball of the body, already as much wider as the hand is thick. */
export interface Ball {
  center: T.Vector3;
  radius: number;
}

/** Where a dragged place goes; the place itself where nothing is in its way. */
export type Keeper = (at: T.Vector3) => T.Vector3;

const SPACED = 0.5; // of its radius: how far the balls of a capsule are apart
const MOST = 24; // balls of a capsule
const BEHIND = 2; // of the radius of the widest ball: what is further behind its middle passes behind the body
const SIDEWAYS = 0.7; // of the line between the shoulders, that lies along the view: then the far arm stays on its side
const STEEP = 2; // the most that a hand comes nearer, of what it goes aside

/** How far in front of the middle of a ball of radius 1 a hand is that is so far aside; outside less than nothing. */
export function bulge(aside: number): number {
  const turn = STEEP / Math.hypot(1, STEEP); // there a ball is as steep, and a cone goes on
  return aside <= turn ? Math.sqrt(1 - aside * aside) : Math.sqrt(1 - turn * turn) - STEEP * (aside - turn);
}

/** The least distance from the eye at which a hand on this ray goes through no ball. */
export function frontOf(ray: T.Ray, balls: readonly Ball[]): number {
  let least = Infinity;
  for (const { center, radius } of balls) {
    const to = center.clone().sub(ray.origin);
    const along = to.dot(ray.direction);
    const aside = Math.sqrt(Math.max(0, to.lengthSq() - along * along));
    least = Math.min(least, along - radius * bulge(aside / radius));
  }
  return least;
}

/** What keeps a hand in front of balls that stay where they are, from where its drag begins. */
export function keeperOf(eye: T.Vector3, from: T.Vector3, balls: readonly Ball[]): Keeper | null {
  const rayTo = (at: T.Vector3) => new T.Ray(eye, at.clone().sub(eye).normalize());
  const [widest] = balls.toSorted((a, b) => b.radius - a.radius);
  if (!widest) return null;
  const first = rayTo(from), depth = from.distanceTo(eye);
  if (depth - widest.center.clone().sub(eye).dot(first.direction) > BEHIND * widest.radius) return null;
  const within = Math.max(0, depth - frontOf(first, balls)); // of one that begins in the body
  return (at) => {
    const far = at.distanceTo(eye), ray = rayTo(at);
    const most = frontOf(ray, balls) + within;
    return far <= most ? at : ray.at(Math.max(most, 0), new T.Vector3());
  };
}

/** The same for a goal that is dragged from there; null where it is no hand, and where the body has no capsules. */
export function keptInFront(stage: Stage, figure: FigureView | null, goal: StudioGoal, from: T.Vector3): Keeper | null {
  const body = figure?.event.body, thick = body?.hands[goal.joint];
  if (!figure || !body || thick === undefined || goal.kind === "look") return null;
  const across = acrossOf(figure, body.hands, goal.joint);
  if (across && across.dot(stage.camera.getWorldDirection(new T.Vector3())) > SIDEWAYS) return null;
  return keeperOf(stage.camera.position.clone(), from.clone(), ballsOf(figure, body, thick));
}

/** From the other shoulder to that of this hand, of length 1; null where there is no other. */
function acrossOf({ event, joints }: FigureView, hands: Record<string, number>, hand: string): T.Vector3 | null {
  let shoulder = event.joints.indexOf(hand);
  while (shoulder >= 0 && event.joints[shoulder]! in hands) shoulder = event.parents[shoulder]!;
  const other = event.mirror?.partners[shoulder] ?? -1;
  if (shoulder < 0 || other < 0 || other === shoulder) return null;
  const [one, two] = [shoulder, other].map((joint) => joints[joint]!.getWorldPosition(new T.Vector3()));
  return one!.sub(two!).normalize();
}

function ballsOf(figure: FigureView, { joints, shapes }: NonNullable<FigureView["event"]["body"]>, thick: number): Ball[] {
  figure.root.updateMatrixWorld();
  return joints.flatMap((joint, k) => {
    const node = figure.joints[joint];
    if (!node) return [];
    const [place, turn] = [node.getWorldPosition(new T.Vector3()), node.getWorldQuaternion(new T.Quaternion())];
    const [one, other] = [0, 3].map((at) => new T.Vector3().fromArray(shapes, 7 * k + at).applyQuaternion(turn).add(place));
    const radius = shapes[7 * k + 6]! + thick;
    const count = Math.min(MOST, 1 + Math.ceil(one!.distanceTo(other!) / (SPACED * radius)));
    return Array.from({ length: count }, (_, i) => ({ center: one!.clone().lerp(other!, count > 1 ? i / (count - 1) : 0), radius }));
  });
}
