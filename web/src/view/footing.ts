// The balance in an exported page: a hand that would tip the figure over stops short, where it still stands.

import * as T from "three";
import { FIRST_STRIDE, LEANING_HEIGHT, MAX_IMBALANCE, MIN_STRIDE, RETREATS, SUPPORT_SHARE } from "../drag-rules";
import type { BodyShape } from "../schema";
import type { Figure, FigureRecord } from "../solver";
import { cornersOf, hull, inPose, inside, massCenter, movesAll } from "./support";
import type { InWorld } from "./support";

const PARENT = 0; // of a joint's row: the joint that carries it
const LEVEL = 0.02; // of the figure's size: a foot that is no higher than the lowest one carries

/** A solve that was tried. */
export interface Try<Aim> {
  pose: Float64Array;
  aim: Aim;
  /** Where what is dragged is to be in it. */
  at: T.Vector3;
}

interface Told {
  record: FigureRecord;
  handles: string[];
  standing: string[];
  shape: BodyShape;
}

export class Footing {
  private soles: T.Vector3[] = []; // what carries the figure in this drag; none where its balance is not kept
  private center = new T.Vector3(); // of mass, when the drag began
  private root = new T.Vector3(); // where the limb begins that is dragged
  private led = new T.Vector3(); // to where
  private stride = 0;
  /** Whether the handle is nearer than it is led, as the figure would fall over. */
  stopsShort = false;

  /** upright: from the figure's axes to those of the page, y up. size: the figure's. */
  constructor(private readonly figure: Figure, private readonly told: Told, private readonly upright: T.Matrix4, private readonly size: number) {}

  /** A drag of a handle begins. */
  begin(pose: ArrayLike<number>, handle: string): void {
    const { shape, standing } = this.told, inPage = this.inPage(pose);
    [this.soles, this.stopsShort] = [[], false];
    this.stride = FIRST_STRIDE * this.size;
    if (!shape.masses.length || standing.includes(handle) || movesAll(this.figure, handle)) return;
    const soles = shape.soles.filter((sole) => standing.includes(sole.joint)).map((sole) => cornersOf(sole, inPage));
    const low = (corners: T.Vector3[]) => Math.min(...corners.map((corner) => corner.y));
    const ground = Math.min(...soles.map(low));
    this.soles = soles.filter((corners) => low(corners) < ground + LEVEL * this.size).flat();
    this.center = massCenter(shape, inPage);
    const place = (joint: number) => inPage(joint, new T.Vector3());
    [this.root, this.led] = [place(this.rootOf(handle)), place(this.figure.names.indexOf(handle))];
    if (this.outside(this.center, this.soles) > MAX_IMBALANCE * this.size) this.soles = [];
  }

  /** Whether the figure would fall over in a pose. hand: where what is dragged is to be. */
  private tips(pose: ArrayLike<number>, hand: T.Vector3): boolean {
    return this.soles.length > 0 && this.outside(massCenter(this.told.shape, this.inPage(pose)), [...this.kept(hand), this.center]) > 0;
  }

  /** The solve for a handle that is led to a point, or for as far out as the figure stands; null where it stays as it is.
   * at: where the handle is. */
  solved<Aim>(at: T.Vector3, to: T.Vector3, solve: (point: T.Vector3) => Try<Aim>): Try<Aim> | null {
    const stands = (point: T.Vector3): Try<Aim> | null => {
      const found = solve(point);
      return this.tips(found.pose, point) ? null : found;
    };
    const quickest = FIRST_STRIDE * this.size + to.distanceTo(this.led); // a hand that had stopped does not leap after its handle
    this.led.copy(to);
    const whole = this.stopsShort ? null : stands(to);
    if (whole) return whole;
    this.stride = Math.min(this.stride, quickest);
    const [now, all] = [at.distanceTo(this.root), to.distanceTo(this.root)];
    const out = (far: number) => stands(this.root.clone().lerp(to, Math.min(1, far / all)));
    const further = out(now + this.stride);
    this.stopsShort = !further || now + this.stride < all;
    this.stride = further ? 2 * this.stride : Math.max(this.stride / 2, MIN_STRIDE * this.size);
    return RETREATS.reduce((found, share) => found ?? out(share * now), further);
  }

  /** The support, drawn in towards its middle: soles, and a hand as far as it leans on the ground. */
  private kept(hand: T.Vector3): T.Vector3[] {
    const middle = new T.Vector3();
    for (const sole of this.soles) middle.addScaledVector(sole, 1 / this.soles.length);
    const above = (hand.y - Math.min(...this.soles.map((sole) => sole.y))) / (LEANING_HEIGHT * this.size);
    const leans = Math.min(1, Math.max(0, 1 - above));
    return [...this.soles.map((sole) => middle.clone().lerp(sole, SUPPORT_SHARE)), middle.clone().lerp(hand, leans)];
  }

  private outside({ x, z }: T.Vector3, corners: T.Vector3[]): number {
    return corners.length ? Math.max(0, -inside(hull(corners), [x, z]).depth) : 0;
  }

  private inPage(pose: ArrayLike<number>): InWorld {
    const inFigure = inPose(this.figure, pose);
    return (joint, at) => inFigure(joint, at).applyMatrix4(this.upright);
  }

  /** The first joint on the way to a handle that carries no other one. */
  private rootOf(handle: string): number {
    const { names } = this.figure, { handles } = this.told;
    const shared = new Set(handles.filter((other) => other !== handle).flatMap((other) => this.above(names.indexOf(other))));
    const own = this.above(names.indexOf(handle)).filter((joint) => !shared.has(joint));
    return own.at(-1) ?? names.indexOf(handle);
  }

  /** A joint and those that carry it. */
  private above(joint: number): number[] {
    return joint < 0 ? [] : [joint, ...this.above(this.told.record.joint[joint]![PARENT]!)];
  }
}
