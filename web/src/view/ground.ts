// An endless ground: fine and coarse lines that fade with the distance, the two axes tinted.

import * as T from "three";

/** GLSL: a vertex shader that tells places in the world. last: what it does after that. */
export const vertexShader = (last = "") => `
varying vec3 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
  ${last}
}`;

/** GLSL: how much of a pixel is a line of a grid of this size. */
export const LINE = `
float line(vec2 at, float size, float width) {
  vec2 cells = at / size;
  vec2 wide = fwidth(cells);
  vec2 near = abs(fract(cells - 0.5) - 0.5) / max(wide, vec2(1e-6));
  float thin = 1.0 - clamp(min(near.x, near.y) - width + 0.5, 0.0, 1.0);
  return thin * (1.0 - smoothstep(0.2, 0.6, max(wide.x, wide.y)));
}`;

/** Of the lines along x, y and z through the origin. */
export const TINTS = [new T.Color(0.36, 0.08, 0.09), new T.Color(0.06, 0.25, 0.08), new T.Color(0.06, 0.14, 0.42)] as const;
const glsl = (color: T.Color) => `vec3(${color.toArray().join()})`;

const FRAGMENT = `
uniform vec3 color;
uniform float cell;
uniform float reach;
varying vec3 place;
${LINE}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(place.xz) / reach);
  float strength = max(line(place.xz, cell, 0.5) * 0.35, line(place.xz, cell * 5.0, 0.7));
  vec2 axis = abs(place.xz) / max(fwidth(place.xz), vec2(1e-6));
  vec3 tint = axis.y < 1.0 ? ${glsl(TINTS[0])} : axis.x < 1.0 ? ${glsl(TINTS[2])} : color;
  gl_FragColor = vec4(tint, strength * fade);
  #include <colorspace_fragment>
}`;

export function groundMaterial(): T.ShaderMaterial {
  return new T.ShaderMaterial({
    vertexShader: vertexShader(),
    fragmentShader: FRAGMENT,
    uniforms: { color: { value: new T.Color() }, cell: { value: 0.25 }, reach: { value: 16 } },
    transparent: true,
    depthWrite: false,
  });
}

export interface Triangles {
  vertices: number[];
  faces: number[];
}

const STEEP = 25; // degrees: the edges of steps are drawn

/** Ground to walk on. */
export function terrainOf(given: Triangles): T.Mesh {
  const material = new T.MeshStandardMaterial({
    color: 0x8d949f,
    roughness: 0.95,
    side: T.DoubleSide,
    flatShading: true,
    polygonOffset: true, // behind the lines of level ground, where it is as level
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 4,
  });
  const mesh = new T.Mesh(new T.BufferGeometry(), material);
  mesh.receiveShadow = true;
  mesh.geometry.setAttribute("position", new T.Float32BufferAttribute(given.vertices, 3));
  mesh.geometry.setIndex(given.faces);
  mesh.add(new T.LineSegments(new T.EdgesGeometry(mesh.geometry, STEEP), new T.LineBasicMaterial({ color: 0x3a404b })));
  return mesh;
}

const FAINT = 0.3; // of what would hide the figure

/** Let the figure be seen through the ground, or not. Returns whether that is new. */
export function makeFaint(ground: T.Mesh, isFaint: boolean): boolean {
  const material = ground.material as T.MeshStandardMaterial;
  if (material.transparent === isFaint) return false;
  Object.assign(material, { transparent: isFaint, opacity: isFaint ? FAINT : 1, depthWrite: !isFaint, needsUpdate: true });
  return true;
}
