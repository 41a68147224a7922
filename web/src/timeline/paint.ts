// Drawing shared by dope sheet and curves: colours of the theme, the ruler, the playhead, keys.

import * as s from "../store";
import { ticks, xOf } from "./timeline-model";
import type { Span } from "./timeline-model";

export const RULER = 22;

export interface Colors {
  back: string;
  row: string;
  line: string;
  text: string;
  dim: string;
  accent: string;
  fill: string;
  key: string;
}

export function colorsOf(canvas: HTMLCanvasElement): Colors {
  const style = getComputedStyle(canvas);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return { back: read("sunken"), row: read("panel"), line: read("edge"), text: read("text"), dim: read("dim"), accent: read("accent"), fill: read("fill"), key: read("key") };
}

/** The canvas at the screen's own pixels, cleared; sizes in CSS pixels. */
export function fresh(canvas: HTMLCanvasElement, colors: Colors): { ink: CanvasRenderingContext2D; width: number; height: number } {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const ink = canvas.getContext("2d", { willReadFrequently: true })! // drawn by the processor: small and seldom;
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  ink.fillStyle = colors.back;
  ink.fillRect(0, 0, width, height);
  ink.font = "11px system-ui, sans-serif";
  ink.textBaseline = "middle";
  return { ink, width, height };
}

export function drawRuler(ink: CanvasRenderingContext2D, span: Span, width: number, height: number, colors: Colors): void {
  const [from, to] = s.document_.value?.range ?? [0, 0];
  ink.fillStyle = colors.row;
  ink.globalAlpha = 0.55;
  ink.fillRect(xOf(span, from), RULER, (to - from) * span.scale, height - RULER);
  ink.globalAlpha = 1;
  ink.fillStyle = colors.row;
  ink.fillRect(0, 0, width, RULER);
  ink.strokeStyle = colors.line;
  ink.lineWidth = 1;
  ink.textAlign = "center";
  ink.beginPath();
  for (const at of ticks(span, width).frames) {
    const x = Math.round(xOf(span, at)) + 0.5;
    ink.moveTo(x, RULER - 5);
    ink.lineTo(x, height);
    ink.fillStyle = at >= from && at <= to ? colors.text : colors.dim;
    ink.fillText(String(at), x, RULER / 2 - 1);
  }
  ink.moveTo(0, RULER + 0.5);
  ink.lineTo(width, RULER + 0.5);
  ink.stroke();
}

export function drawPlayhead(ink: CanvasRenderingContext2D, span: Span, height: number, colors: Colors): void {
  const x = Math.round(xOf(span, s.frame.value)) + 0.5;
  const label = String(Math.round(s.frame.value));
  const wide = Math.max(24, ink.measureText(label).width + 12);
  ink.fillStyle = ink.strokeStyle = colors.fill;
  ink.lineWidth = 1.5;
  ink.beginPath();
  ink.moveTo(x, RULER - 4);
  ink.lineTo(x, height);
  ink.stroke();
  ink.beginPath();
  ink.roundRect(x - wide / 2, 2, wide, RULER - 6, 4);
  ink.fill();
  ink.fillStyle = "#fff";
  ink.textAlign = "center";
  ink.fillText(label, x, RULER / 2 - 0.5);
}

/** A diamond for a key, a square where the value steps, hollow in FK, half filled of a free goal, with a dot where it holds a pole; a chosen one is
 * larger and ringed. */
export function drawKey(ink: CanvasRenderingContext2D, x: number, y: number, look: { size: number; square: boolean; chosen: boolean; pole?: boolean; hollow?: boolean; half?: boolean; fill: string; ring: string }): void {
  const r = look.size + (look.chosen ? 1.2 : 0);
  ink.beginPath();
  if (look.square) ink.rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6);
  else {
    ink.moveTo(x, y - r);
    ink.lineTo(x + r, y);
    ink.lineTo(x, y + r);
    ink.lineTo(x - r, y);
    ink.closePath();
  }
  ink.fillStyle = look.fill;
  ink.fill();
  ink.lineWidth = look.chosen ? 2 : 1;
  ink.strokeStyle = look.ring;
  ink.stroke();
  if (look.half) {
    ink.beginPath();
    ink.moveTo(x - r + 2.5, y);
    ink.lineTo(x, y - r + 2.5);
    ink.lineTo(x + r - 2.5, y);
    ink.closePath();
    ink.fillStyle = look.ring;
    ink.fill();
  }
  if (look.hollow) {
    ink.beginPath();
    ink.rect(x - 2.5, y - 2.5, 5, 5);
    ink.fillStyle = look.ring;
    ink.fill();
  }
  if (!look.pole) return;
  ink.beginPath();
  ink.arc(x, y, 1.8, 0, 2 * Math.PI);
  ink.fillStyle = look.ring;
  ink.fill();
}
