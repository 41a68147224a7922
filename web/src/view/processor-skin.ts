// Skins where the processor draws: bent here, each vertex once. A vertex shader, which the same processor would run there,
// bends most of them several times.

import * as T from "three";

const PARTS = 12; // of a matrix, row by row, without the last row
const BONES = 4; // of a vertex

/** A skinned mesh as a plain one in its present pose, blended linearly. */
export class BentSkin {
  readonly plain = new T.Mesh();
  private readonly own: Record<"position" | "normal", Float32Array>;
  private bones = new Int32Array(0); // where the rows of each begin
  private weights: Float32Array = new Float32Array(0);
  private version = -1; // of the weights
  private readonly before: Float32Array; // the bones' matrices of the last time
  private readonly rows: Float32Array;

  constructor(private readonly mesh: T.SkinnedMesh) {
    this.own = { position: numbersOf(mesh.geometry.getAttribute("position"), 3), normal: numbersOf(mesh.geometry.getAttribute("normal"), 3) };
    this.before = new Float32Array(16 * mesh.skeleton.bones.length).fill(NaN);
    this.rows = new Float32Array(PARTS * mesh.skeleton.bones.length);
    this.plain.geometry.setAttribute("position", new T.BufferAttribute(this.own.position.slice(), 3).setUsage(T.DynamicDrawUsage));
    this.plain.geometry.setAttribute("normal", new T.BufferAttribute(this.own.normal.slice(), 3).setUsage(T.DynamicDrawUsage));
    Object.assign(this.plain, { frustumCulled: false, matrixAutoUpdate: false, matrixWorldAutoUpdate: false });
  }

  /** Whether a mesh can be drawn so. */
  static takes(mesh: T.Object3D): mesh is T.SkinnedMesh {
    if (!(mesh instanceof T.SkinnedMesh)) return false;
    const { attributes, morphAttributes } = mesh.geometry as T.BufferGeometry;
    return "normal" in attributes && !("tangent" in attributes) && !Object.keys(morphAttributes).length;
  }

  /** Becomes as the skinned mesh is now. */
  follow(): void {
    const { mesh, plain } = this;
    const { geometry } = plain;
    const { visible, material, castShadow, receiveShadow, renderOrder } = mesh;
    Object.assign(plain, { visible, material, castShadow, receiveShadow, renderOrder });
    plain.matrixWorld.copy(mesh.matrixWorld);
    geometry.setIndex(mesh.geometry.getIndex());
    geometry.groups = mesh.geometry.groups;
    const others = Object.entries(mesh.geometry.attributes as Record<string, T.BufferAttribute>).filter(([name]) => !(name in this.own) && !name.startsWith("skin"));
    for (const [name, attribute] of others) if (geometry.getAttribute(name) !== attribute) geometry.setAttribute(name, attribute);
    for (const name of Object.keys(geometry.attributes)) if (!(name in mesh.geometry.attributes)) geometry.deleteAttribute(name);
    mesh.skeleton.update();
    const weighed = (mesh.geometry.getAttribute("skinWeight") as T.BufferAttribute).version;
    const now = mesh.skeleton.boneMatrices!;
    if (weighed === this.version && this.before.every((value, k) => value === now[k])) return;
    if (weighed !== this.version) {
      this.bones = Int32Array.from(numbersOf(mesh.geometry.getAttribute("skinIndex"), BONES), (bone) => PARTS * bone);
      this.weights = numbersOf(mesh.geometry.getAttribute("skinWeight"), BONES);
      this.version = weighed;
    }
    this.before.set(now.subarray(0, this.before.length)); // a texture of them has room for more
    this.bend();
  }

  dispose(): void {
    this.plain.removeFromParent();
    for (const name of Object.keys(this.plain.geometry.attributes)) if (!(name in this.own)) this.plain.geometry.deleteAttribute(name); // the skinned mesh's
    this.plain.geometry.setIndex(null).dispose();
  }

  private bend(): void {
    const places = this.plain.geometry.getAttribute("position") as T.BufferAttribute;
    const ways = this.plain.geometry.getAttribute("normal") as T.BufferAttribute;
    this.fillRows();
    blend(this.own.position, this.own.normal, this.bones, this.weights, this.rows, places.array, ways.array);
    places.needsUpdate = ways.needsUpdate = true;
  }

  /** What each bone does to a vertex of the mesh. */
  private fillRows(): void {
    const { bindMatrix, bindMatrixInverse, skeleton } = this.mesh;
    const matrix = new T.Matrix4();
    skeleton.bones.forEach((_, bone) => {
      const m = matrix.fromArray(this.before, 16 * bone).premultiply(bindMatrixInverse).multiply(bindMatrix).elements;
      for (let row = 0; row < 3; row++) for (let column = 0; column < 4; column++) this.rows[PARTS * bone + 4 * row + column] = m[4 * column + row]!;
    });
  }
}

/**
 * Linear blend skinning, as it is done for each picture of a drag. Written out: with the matrix as an array, or the rows
 * given as numbers with a fraction, it takes three times as long.
 */
function blend(rest: Float32Array, upright: Float32Array, bones: Int32Array, weights: Float32Array, rows: Float32Array, places: T.TypedArray, ways: T.TypedArray): void {
  for (let at = 0, slot = 0; at < rest.length; at += 3, slot += BONES) {
    let weight = weights[slot]!, m = bones[slot]!;
    let a = weight * rows[m]!, b = weight * rows[m + 1]!, c = weight * rows[m + 2]!, d = weight * rows[m + 3]!;
    let e = weight * rows[m + 4]!, f = weight * rows[m + 5]!, g = weight * rows[m + 6]!, h = weight * rows[m + 7]!;
    let i = weight * rows[m + 8]!, j = weight * rows[m + 9]!, k = weight * rows[m + 10]!, l = weight * rows[m + 11]!;
    for (let one = slot + 1; one < slot + BONES; one++) {
      weight = weights[one]!;
      if (weight === 0) continue;
      m = bones[one]!;
      a += weight * rows[m]!;
      b += weight * rows[m + 1]!;
      c += weight * rows[m + 2]!;
      d += weight * rows[m + 3]!;
      e += weight * rows[m + 4]!;
      f += weight * rows[m + 5]!;
      g += weight * rows[m + 6]!;
      h += weight * rows[m + 7]!;
      i += weight * rows[m + 8]!;
      j += weight * rows[m + 9]!;
      k += weight * rows[m + 10]!;
      l += weight * rows[m + 11]!;
    }
    const x = rest[at]!, y = rest[at + 1]!, z = rest[at + 2]!;
    const u = upright[at]!, v = upright[at + 1]!, w = upright[at + 2]!;
    places[at] = a * x + b * y + c * z + d;
    places[at + 1] = e * x + f * y + g * z + h;
    places[at + 2] = i * x + j * y + k * z + l;
    ways[at] = a * u + b * v + c * w;
    ways[at + 1] = e * u + f * v + g * w;
    ways[at + 2] = i * u + j * v + k * w;
  }
}

/** Draws what bends as plain meshes, in the pictures of a scene alone: for all else the skinned ones stay what they are. */
export class BentSkins {
  private skins = new Map<T.SkinnedMesh, BentSkin>();

  constructor(private readonly scene: T.Scene) {
    scene.onBeforeRender = () => this.exchange();
    scene.onAfterRender = () => this.restore();
  }

  set meshes(meshes: readonly T.Mesh[]) {
    for (const skin of this.skins.values()) skin.dispose();
    this.skins = new Map(meshes.filter(BentSkin.takes).map((mesh) => [mesh, new BentSkin(mesh)]));
    for (const { plain } of this.skins.values()) this.scene.add(plain);
  }

  private exchange(): void {
    for (const [mesh, skin] of this.skins) {
      const material = [mesh.material].flat()[0];
      skin.plain.visible = false;
      if (!mesh.visible || "DUAL_QUATERNION" in (material?.defines ?? {})) continue;
      skin.follow();
      mesh.layers.disableAll();
    }
  }

  private restore(): void {
    for (const mesh of this.skins.keys()) mesh.layers.enable(0);
  }
}

function numbersOf(attribute: T.BufferAttribute | T.InterleavedBufferAttribute, size: number): Float32Array {
  const numbers = new Float32Array(size * attribute.count);
  for (let item = 0; item < attribute.count; item++) for (let k = 0; k < size; k++) numbers[size * item + k] = attribute.getComponent(item, k);
  return numbers;
}
