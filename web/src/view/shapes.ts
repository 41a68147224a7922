// Shapes of the handles: each state has its own, so that colour is never the only sign.

export type Mark = "goal" | "free" | "pin" | "look" | "pole" | "joint";

const NS = "http://www.w3.org/2000/svg";
const PATHS: Record<Mark, string> = {
  goal: "M12 5a7 7 0 1 0 0 14 7 7 0 1 0 0-14z",
  free: "M12 5a7 7 0 1 0 0 14 7 7 0 1 0 0-14z", // dashed by the style sheet
  pin: "M8 11V8.5a4 4 0 0 1 8 0V11M6.5 11h11v8.5h-11z",
  look: "M3.5 12s3.2-5.5 8.5-5.5 8.5 5.5 8.5 5.5-3.2 5.5-8.5 5.5S3.5 12 3.5 12zM12 9.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 1 0 0-4.8z",
  pole: "M12 3.5 20.5 12 12 20.5 3.5 12z",
  joint: "M12 8a4 4 0 1 0 0 8 4 4 0 1 0 0-8z",
};

export function drawMark(svg: SVGSVGElement, mark: Mark): void {
  if (svg.dataset.mark === mark) return;
  svg.dataset.mark = mark;
  const paths = ["under", "over"].map((name) => {
    const path = document.createElementNS(NS, "path");
    path.setAttribute("d", PATHS[mark]);
    path.setAttribute("class", name);
    return path;
  });
  svg.replaceChildren(...paths); // a dark edge, so that it is seen on skin too
}

export function emptyMark(): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

export function side(name: string): "left" | "right" | "middle" {
  const low = name.toLowerCase();
  if (/(^|[_. -])(l|left)([_. -]|$)|left/.test(low)) return "left";
  if (/(^|[_. -])(r|right)([_. -]|$)|right/.test(low)) return "right";
  return "middle";
}
