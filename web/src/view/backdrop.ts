// What stands still behind a figure that moves: where the processor draws, each of its pixels costs as much as one of the
// figure, so it is drawn once and copied into each picture.

import type * as T from "three";
import { FIGURE_LAYER, GROUND_LAYER } from "./scenery";
import type { Scenery } from "./scenery";
import type { Wall } from "./wall";

/** Background and ground of a scene, kept for as long as view and look stay as they are. */
export class Backdrop {
  private seen = ""; // by the last picture
  private kept = ""; // by the copy
  private copy: WebGLFramebuffer | null = null;
  private colors: WebGLRenderbuffer | null = null;

  constructor(
    private readonly renderer: T.WebGLRenderer,
    private readonly scenery: Scenery,
    private readonly wall: Wall,
  ) {
    renderer.domElement.addEventListener("webglcontextlost", () => ([this.kept, this.copy, this.colors] = ["", null, null]));
  }

  /** Draws the scene as the renderer does, but for lines of the ground over what is below it. */
  draw(): void {
    const { renderer, scenery } = this;
    const now = this.view();
    const isSteady = now === this.seen;
    this.seen = now;
    if (!isSteady) {
      renderer.render(scenery.scene, scenery.camera); // a view that changes would be copied for one picture
      return;
    }
    if (this.kept !== now) this.keep();
    this.kept = now;
    const { background } = scenery.scene;
    renderer.autoClear = false;
    scenery.scene.background = null;
    scenery.camera.layers.disable(GROUND_LAYER);
    renderer.clear(false, true, false); // before the copy: browsers empty a canvas at the first clear of a picture, not at a copy
    this.move(this.copy, null);
    renderer.render(scenery.scene, scenery.camera);
    scenery.camera.layers.enable(GROUND_LAYER);
    scenery.scene.background = background;
    renderer.autoClear = true;
  }

  /** What the backdrop depends on. */
  private view(): string {
    const { camera } = this.scenery;
    camera.updateMatrixWorld();
    const { width, height } = this.renderer.domElement;
    return [width, height, ...camera.matrixWorld.elements, ...camera.projectionMatrix.elements, ...this.scenery.backdrop(), this.wall.cell].join();
  }

  private keep(): void {
    const { renderer, scenery } = this;
    const gl = renderer.getContext() as WebGL2RenderingContext;
    scenery.camera.layers.set(GROUND_LAYER);
    renderer.render(scenery.scene, scenery.camera);
    scenery.camera.layers.enable(FIGURE_LAYER);
    this.copy ??= gl.createFramebuffer();
    this.colors ??= gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, this.colors);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.copy);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, this.colors);
    this.move(null, this.copy);
  }

  private move(from: WebGLFramebuffer | null, to: WebGLFramebuffer | null): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null); // as the renderer takes it to be
  }
}
