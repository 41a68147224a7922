// Lights, ground and the shadow on it, for a figure of any size: the studio and the pages it exports show the same.

import * as T from "three";
import { groundMaterial } from "./ground";

const LOOKS = {
  dark: { sky: 0x1b1e24, line: 0x3a404b, shade: 0.42, hemi: 1.25, sun: 2.3 },
  light: { sky: 0xe8ebef, line: 0xb4bcc8, shade: 0.22, hemi: 1.7, sun: 2.2 },
} as const;

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
  readonly sun = new T.DirectionalLight(0xffffff, 2.2);
  readonly floor = new T.Mesh(new T.PlaneGeometry(1, 1), new T.ShadowMaterial({ opacity: 0.3 }));
  private readonly fill = new T.DirectionalLight(0xbfd4ff, 0.55);
  private readonly hemi = new T.HemisphereLight(0xffffff, 0x6a7280, 1.4);
  private readonly ground = new T.Mesh(new T.PlaneGeometry(1, 1), groundMaterial());

  constructor() {
    for (const plane of [this.ground, this.floor]) plane.rotation.x = -Math.PI / 2;
    this.ground.renderOrder = -2;
    this.floor.position.y = 0.0005;
    this.floor.receiveShadow = true;
    this.floor.renderOrder = -1;
    this.floor.material.depthWrite = false; // the lines of the ground are beneath it, as near as nothing
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.ground, this.floor, this.hemi, this.sun, this.sun.target, this.fill);
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
    this.sun.position.copy(center).add(new T.Vector3(0.9, 2.2, 1.3).multiplyScalar(size));
    this.sun.target.position.copy(center);
    this.floor.scale.setScalar(5 * size);
    this.floor.position.x = center.x;
    this.floor.position.z = center.z;
    this.fill.position.copy(center).add(new T.Vector3(-1.5, 0.8, -1.2).multiplyScalar(size));
  }

  /** Where the ground is: a figure whose origin is in its middle stands lower. */
  lower(height: number): void {
    this.ground.position.y = height;
    this.floor.position.y = height + 0.0005;
  }

  /** Camera and light go along with a figure that walks, by what it moved over the ground. */
  goAlong(step: T.Vector3): void {
    for (const thing of [this.camera, this.sun, this.sun.target, this.fill, this.floor]) thing.position.add(step);
    this.floor.position.y -= step.y; // it stays where the ground is
  }

  look(name: Look): void {
    const look = LOOKS[name];
    this.scene.background = new T.Color(look.sky);
    this.ground.material.uniforms.color!.value.set(look.line);
    this.floor.material.opacity = look.shade;
    this.hemi.intensity = look.hemi;
    this.sun.intensity = look.sun;
  }
}
