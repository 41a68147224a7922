// Drawing quality: without a graphics card, low while things move, and high when they rest.

const REST = 600; // ms without a change until the good picture is drawn

/** Whether the browser draws with the processor (llvmpipe, SwiftShader, WARP): smooth edges alone would cost it threefold. */
export function drawnByProcessor(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const name = gl ? String(gl.getParameter(gl.RENDERER)) : "";
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const real = info ? String(gl!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : name;
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(real);
}

const SLOW = 34; // ms from one picture to the next above which they are too fine,
const QUICK = 19; // and below which they may be finer
const COARSEST = 0.5;
const PATIENCE = { coarser: 3, finer: 60 }; // pictures in a row

/** Drawing resolution in motion: coarser while frames are slow, finer when they are fast. */
export class Fineness {
  /** Pixels of the picture for one of the page. */
  ratio = 1;
  private row = 0;

  /** A picture was drawn, and the browser was ready for the next one so many ms later. */
  took(ms: number): void {
    const way = ms > SLOW ? -1 : ms < QUICK ? 1 : 0;
    this.row = way * this.row > 0 ? this.row + way : way;
    if (this.row <= -PATIENCE.coarser) this.become(0.75 * this.ratio);
    else if (this.row >= PATIENCE.finer) this.become(this.ratio / 0.75);
  }

  private become(ratio: number): void {
    this.ratio = Math.min(1, Math.max(COARSEST, ratio));
    this.row = 0;
  }
}

/** Schedules the high-quality frame: once after each change, when nothing is dragged. */
export class Rest {
  private changed = 0;
  private due = false;
  private held = false;

  constructor() {
    addEventListener("pointerdown", () => (this.held = true), true);
    for (const name of ["pointerup", "pointercancel", "blur"] as const) addEventListener(name, () => (this.held = false), true);
  }

  touch(now: number): void {
    this.changed = now;
    this.due = true;
  }

  /** True once, when it is time. */
  come(now: number): boolean {
    if (!this.due || this.held || now - this.changed < REST) return false;
    this.due = false;
    return true;
  }
}
