// A mesh that follows joints: linear and dual-quaternion blending.
import type { Figure } from "./figure";
import { type Block, kernels } from "./kernels";

/** A mesh in its rest pose, bound to joints by weights. */
export interface SkinOptions {
  /** `[vertex × 3]` */
  vertices: ArrayLike<number>;
  /** `[vertex × 3]`, or none. */
  normals?: ArrayLike<number>;
  /** `[vertex × influences]` indices of the figure's joints. */
  joints: ArrayLike<number>;
  /** `[vertex × influences]`, the strongest first for dual quaternions; they sum to 1. */
  weights: ArrayLike<number>;
  /** `[joint × 16]` for every joint of the figure, column by column as in glTF. */
  inverseBind: ArrayLike<number>;
}

export class Skin {
  private readonly fixed: Record<"vertices" | "normals" | "weights" | "out" | "turned" | "scratch" | "signs", Block<"f32">>;
  private readonly joints: Block<"u16">;
  private readonly used: Block<"i64">;
  private readonly binds: Block<"f64">;
  private readonly frames: Block<"f64">;

  constructor(private readonly figure: Figure, skin: SkinOptions) {
    const own = kernels();
    const used = [...new Set(Array.from(skin.joints))].sort((a, b) => a - b);
    const place = new Map(used.map((joint, at) => [joint, at]));
    const floats = (values: ArrayLike<number>) => {
      const block = own.block("f32", values.length);
      block.view.set(values);
      return block;
    };
    const count = used.length;
    this.joints = own.block("u16", skin.joints.length);
    this.joints.view.set(Array.from(skin.joints, (joint) => place.get(joint)!));
    this.used = own.wholes(used);
    this.binds = own.doubles(Array.from(skin.inverseBind, (_, i) => skin.inverseBind[16 * (i >> 4) + 4 * (i & 3) + ((i & 15) >> 2)]));
    this.frames = own.block("f64", 16 * figure.names.length);
    const normals = skin.normals ?? [];
    this.fixed = {
      vertices: floats(skin.vertices), normals: floats(normals), weights: floats(skin.weights),
      out: own.block("f32", skin.vertices.length), turned: own.block("f32", normals.length),
      scratch: own.block("f32", 16 * count), signs: own.block("f32", count * count),
    };
  }

  /** The vertices (and normals) in a pose: views into the module's memory, valid until the next call. */
  deform(q: ArrayLike<number>, blend: "linear" | "dual_quaternion" = "linear"): { vertices: Float32Array; normals: Float32Array } {
    const { vertices, normals, weights, out, turned, scratch, signs } = this.fixed;
    this.frames.view.set(this.figure.rows(q));
    const given = [this.frames, this.binds, this.used, vertices, normals, this.joints, weights] as const;
    if (blend === "linear") kernels().run("skin_linear", ...given, scratch, out, turned);
    else {
      const duals = kernels().block("f32", 8 * this.used.length);
      kernels().run("skin_dual", ...given, duals, signs, out, turned);
      duals.free();
    }
    return { vertices: out.view, normals: turned.view };
  }
}
