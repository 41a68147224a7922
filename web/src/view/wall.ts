// The grid of an orthographic view along an axis: in the plane of the view, behind everything, as fine as can be told apart.

import * as T from "three";
import { LINE, TINTS, vertexShader } from "./ground";
import { GROUND_LAYER } from "./scenery";
import type { Stage } from "./stage";

const BEHIND = "gl_Position.z = 0.99999 * gl_Position.w;";

const FRAGMENT = `
uniform vec3 color;
uniform vec3 across;
uniform vec3 above;
uniform vec3 tintAcross;
uniform vec3 tintAbove;
uniform float cell;
uniform vec2 strengths;
varying vec3 place;
${LINE}
void main() {
  vec2 at = vec2(dot(place, across), dot(place, above));
  float strength = max(line(at, cell, 0.5) * strengths.x, line(at, cell * 10.0, 0.5) * strengths.y);
  vec2 axis = abs(at) / max(fwidth(at), vec2(1e-6));
  bool isAxis = min(axis.x, axis.y) < 1.0;
  gl_FragColor = vec4(axis.y < 1.0 ? tintAcross : axis.x < 1.0 ? tintAbove : color, isAxis ? 1.0 : strength);
  #include <colorspace_fragment>
}`;

const ALONG = 0.99999; // cosine between view and axis
const FINEST = 10; // pixels from line to line
const AXES = [new T.Vector3(1, 0, 0), new T.Vector3(0, 1, 0), new T.Vector3(0, 0, 1)] as const;

/** How strong lines are that are so many pixels apart: the stronger, the wider. */
const strength = (pixels: number) => 0.3 + 0.6 * Math.min(1, Math.max(0, Math.log10(pixels / FINEST)));

/** From line to line of the finest grid whose lines can be told apart: a power of ten. pixel: of the screen, in metres. */
export function cellFor(pixel: number): number {
  return 10 ** Math.ceil(Math.log10(FINEST * pixel) - 1e-9);
}

/** A length that is a power of ten, as people say it. */
export function lengthText(metres: number): string {
  const [size, unit] = metres < 0.0099 ? [1000, "mm"] : metres < 0.99 ? [100, "cm"] : metres < 999 ? [1, "m"] : [0.001, "km"];
  return `${Number((metres * size).toPrecision(3))} ${unit}`;
}

export class Wall {
  /** From one fine line to the next, in metres; 0 where no such grid is drawn. */
  cell = 0;
  readonly mesh: T.Mesh<T.PlaneGeometry, T.ShaderMaterial>;

  /** color: of its lines, which is the ground's. */
  constructor(color: T.IUniform<T.Color>) {
    const uniforms = { color, across: { value: AXES[0] }, above: { value: AXES[1] }, tintAcross: { value: TINTS[0] }, tintAbove: { value: TINTS[1] }, cell: { value: 1 }, strengths: { value: new T.Vector2() } };
    const material = new T.ShaderMaterial({ vertexShader: vertexShader(BEHIND), fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false });
    this.mesh = new T.Mesh(new T.PlaneGeometry(1, 1), material);
    this.mesh.layers.set(GROUND_LAYER);
    this.mesh.renderOrder = -3;
    this.mesh.visible = false;
  }

  /** For a view of so many metres' height and pixels, from `eye` beyond `target`; isUpright: whether the figure's y points up. */
  put(eye: T.Vector3, target: T.Vector3, height: number, aspect: number, pixels: number, isUpright: boolean): void {
    const way = eye.clone().sub(target).normalize();
    const axis = way.toArray().findIndex((share) => Math.abs(share) > ALONG);
    this.mesh.visible = axis >= 0;
    this.cell = axis >= 0 ? cellFor(height / pixels) : 0;
    if (axis < 0) return;
    const [across, above] = [[2, 1], [0, 2], [0, 1]][axis] as [number, number];
    const tint = (of: number) => TINTS[isUpright || !of ? of : 3 - of];
    const seen = { across: AXES[across], above: AXES[above], tintAcross: tint(across), tintAbove: tint(above), cell: this.cell };
    const { uniforms } = this.mesh.material;
    for (const [name, value] of Object.entries(seen)) uniforms[name]!.value = value;
    const wide = (this.cell * pixels) / height;
    uniforms.strengths!.value.set(strength(wide), strength(10 * wide));
    this.mesh.position.copy(target);
    this.mesh.quaternion.setFromUnitVectors(AXES[2], AXES[axis]!.clone().multiplyScalar(Math.sign(way.getComponent(axis))));
    this.mesh.scale.setScalar(1.1 * height * Math.max(1, aspect));
  }

  hide(): void {
    this.mesh.visible = false;
    this.cell = 0;
  }
}

/** Says how wide the cells of the grid are. */
export function wallScale(stage: Stage, layer: HTMLElement): () => boolean {
  const label = document.createElement("span");
  label.className = "grid-scale";
  layer.append(label);
  let said = 0;
  return () => {
    if (stage.wall.cell !== said) label.textContent = (said = stage.wall.cell) ? `grid: ${lengthText(said)}` : "";
    return false;
  };
}
