// Lights, ground and the shadow on it, for a figure of any size: the studio and the pages it exports show the same.

import * as T from "three";
import { groundMaterial } from "./ground";

const LOOKS = {
  dark: { sky: [0x181b21, 0x262b34], line: 0x434a57, shade: 0.5, hemi: 1.15 },
  light: { sky: [0xc6d0dc, 0xeef0f3], line: 0xb4bcc8, shade: 0.24, hemi: 1.5 },
} as const;

/** The ground can be drawn without the rest, and the rest without it. */
export const [FIGURE_LAYER, GROUND_LAYER] = [0, 1];

export type Look = keyof typeof LOOKS;

/** A renderer as both pages want it. */
export function rendererOn(canvas: HTMLCanvasElement, antialias: boolean): T.WebGLRenderer {
  // Nothing shines through: what cannot is laid over the page without being mixed with it, a third of the work there.
  const wanted: WebGLContextAttributes = { alpha: false, antialias, powerPreference: "high-performance" };
  const renderer = new T.WebGLRenderer({ canvas, context: canvas.getContext("webgl2", wanted) ?? undefined });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = T.PCFShadowMap;
  renderer.toneMapping = T.NeutralToneMapping;
  renderer.debug.checkShaderErrors = false; // asking waits for everything drawn so far
  return renderer;
}

export class Scenery {
  readonly scene = new T.Scene();
  readonly camera = new T.PerspectiveCamera(38, 1, 0.01, 200);
  readonly sun = new T.DirectionalLight(0xfff4e6, 2.7);
  readonly floor = new T.Mesh(new T.PlaneGeometry(1, 1), new T.ShadowMaterial({ opacity: 0.3 }));
  // As in the pictures of posable: a warm key lamp, a cool one that fills, one from behind that lights the rim, and the room.
  private readonly fill = new T.DirectionalLight(0xbcd2ff, 0.45);
  private readonly rim = new T.DirectionalLight(0xffffff, 0.9);
  private readonly hemi = new T.HemisphereLight(0xf2f6ff, 0x8a7a6a, 1.4);
  readonly ground = new T.Mesh(new T.PlaneGeometry(1, 1), groundMaterial());

  constructor() {
    for (const plane of [this.ground, this.floor]) plane.rotation.x = -Math.PI / 2;
    this.ground.renderOrder = -2;
    this.ground.layers.set(GROUND_LAYER);
    this.camera.layers.enable(GROUND_LAYER);
    this.floor.position.y = 0.0005;
    this.floor.receiveShadow = true;
    this.floor.renderOrder = -1;
    this.floor.material.depthWrite = false; // the lines of the ground are beneath it, as near as nothing
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 4; // texels by which its edge is softened
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.ground, this.floor, this.hemi, this.sun, this.sun.target, this.fill, this.rim);
  }

  /** As large as a figure of this size needs it, about its middle. */
  fit(center: T.Vector3, size: number): void {
    this.camera.near = size / 200;
    this.camera.far = size * 100;
    this.camera.updateProjectionMatrix();
    this.ground.scale.setScalar(size * 34);
    this.ground.material.uniforms.cell!.value = 10 ** Math.round(Math.log10(size / 6));
    this.ground.material.uniforms.reach!.value = size * 9;
    const reach = size * 1.3;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: size / 100, far: size * 8 });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = size * 0.012;
    this.sun.position.copy(center).add(new T.Vector3(-1.1, 1.95, 1.25).multiplyScalar(size));
    this.sun.target.position.copy(center);
    this.floor.scale.setScalar(5 * size);
    this.floor.position.x = center.x;
    this.floor.position.z = center.z;
    this.fill.position.copy(center).add(new T.Vector3(1.7, 0.6, 1.0).multiplyScalar(size));
    this.rim.position.copy(center).add(new T.Vector3(0.9, 1.3, -1.8).multiplyScalar(size));
  }

  /** Where the ground is: a figure whose origin is in its middle stands lower. */
  lower(height: number): void {
    this.ground.position.y = height;
    this.floor.position.y = height + 0.0005;
  }

  /** Camera and light go along with a figure that walks, by what it moved over the ground. */
  goAlong(step: T.Vector3): void {
    for (const thing of [this.camera, this.sun, this.sun.target, this.fill, this.rim, this.floor]) thing.position.add(step);
    this.floor.position.y -= step.y; // it stays where the ground is
  }

  /** What tells whether the ground and what is behind it look as before. */
  backdrop(): (string | number)[] {
    const { color, cell, reach } = this.ground.material.uniforms;
    return [(this.scene.background as T.Texture).uuid, color!.value.getHex(), cell!.value, reach!.value, this.ground.position.y, this.ground.scale.x];
  }

  look(name: Look): void {
    const look = LOOKS[name];
    this.scene.background = gradient(look.sky[0], look.sky[1]);
    this.ground.material.uniforms.color!.value.set(look.line);
    this.floor.material.opacity = look.shade;
    this.hemi.intensity = look.hemi;
  }
}

/** A backdrop that is darker above than below. */
function gradient(above: number, below: number): T.DataTexture {
  const rows = 64;
  const data = new Uint8Array(4 * rows);
  const [top, foot, color] = [new T.Color(above), new T.Color(below), new T.Color()];
  for (let row = 0; row < rows; row++) {
    const [r, g, b] = color.lerpColors(foot, top, row / (rows - 1)).convertLinearToSRGB().toArray();
    data.set([255 * r!, 255 * g!, 255 * b!, 255], 4 * row);
  }
  const texture = new T.DataTexture(data, 1, rows);
  Object.assign(texture, { colorSpace: T.SRGBColorSpace, minFilter: T.LinearFilter, magFilter: T.LinearFilter, needsUpdate: true });
  return texture;
}
