"use strict";
/* Figures that can be moved: an SVG with handles, and controls below it. No server, no library.

   A lesson has <figure data-figure="name" data-label="what it shows"> and a script that calls
   course.figure("name", [left, bottom, right, top], (stage) => ...). Points are [x, y] with y upwards. */

const course = { traces: {}, stages: {} };
window.course = course;

course.figure = (name, box, make) => {
  const root = document.querySelector(`[data-figure="${name}"]`);
  const stage = new Stage(root, box, root.dataset.label);
  course.stages[name] = stage;
  make(stage);
  root.dataset.ready = "yes";
};

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 640; // of the drawing in its own units; it is as wide as the page lets it be

class Stage {
  constructor(root, box, label) {
    this.box = box;
    this.scale = WIDTH / (box[2] - box[0]);
    this.height = (box[3] - box[1]) * this.scale;
    this.svg = create(SVG, "svg", { viewBox: `0 0 ${WIDTH} ${this.height}`, role: "group", "aria-label": label });
    this.controls = create(null, "div", { class: "controls" });
    this.said = create(null, "p", { class: "said", role: "status" });
    root.prepend(this.svg, this.controls, this.said);
    this.handles = [];
    this.facts = {}; // what a test may ask: the points that are shown
    this.svg.addEventListener("pointerdown", (event) => this.#jump(event));
    const fit = () => this.svg.style.setProperty("--unit", 1 / (this.svg.getScreenCTM()?.a || 1));
    new ResizeObserver(fit).observe(this.svg); // letters keep their size on a narrow page
    fit();
  }

  /** From a figure's point to the drawing's. */
  place([x, y]) {
    return [(x - this.box[0]) * this.scale, (this.box[3] - y) * this.scale];
  }

  /** Where a pointer is, in the figure's lengths, inside the box. */
  pointer(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return this.#inside([this.box[0] + x / this.scale, this.box[3] - y / this.scale]);
  }

  #inside([x, y]) {
    const [left, bottom, right, top] = this.box;
    return [Math.min(Math.max(x, left), right), Math.min(Math.max(y, bottom), top)];
  }

  /** A function that draws a line through points; `closed` makes it an area. */
  line(kind, closed = false) {
    const path = this.#add("path", kind);
    const end = closed ? "Z" : "";
    return (points) => path.setAttribute("d", points.length ? trail(points.map((point) => this.place(point))) + end : "");
  }

  /** A function that draws an area in a colour. */
  shape(kind) {
    const path = this.#add("path", kind);
    return (points, color) => {
      set(path, { d: `${trail(points.map((point) => this.place(point)))}Z`, style: `fill: ${color}; stroke: ${color}` });
    };
  }

  /** A function that draws one line from each [from, to]. */
  segments(kind) {
    const path = this.#add("path", kind);
    return (pairs) => path.setAttribute("d", pairs.map((pair) => trail(pair.map((p) => this.place(p)))).join(""));
  }

  /** A function that draws round marks, as large on every page: lines of no length with round ends. */
  dots(kind) {
    const path = this.#add("path", `dots ${kind}`);
    return (points) => path.setAttribute("d", points.map((p) => `M${this.place(p).map(fixed).join(" ")}h0`).join(""));
  }

  /** A function that draws a circle. */
  circle(kind) {
    const circle = this.#add("circle", kind);
    return ([x, y], radius) => {
      const [cx, cy] = this.place([x, y]);
      set(circle, { cx, cy, r: Math.max(radius, 0) * this.scale });
    };
  }

  /** A function that draws an arrow from a point along a vector. */
  arrow(kind) {
    const path = this.#add("path", `arrow ${kind}`);
    return (from, along) => {
      const [a, b] = [this.place(from), this.place([from[0] + along[0], from[1] + along[1]])];
      const back = Math.atan2(a[1] - b[1], a[0] - b[0]);
      const barb = (turn) => [b[0] + 11 * Math.cos(back + turn), b[1] + 11 * Math.sin(back + turn)];
      path.setAttribute("d", trail([a, b]) + trail([barb(0.45), b, barb(-0.45)]));
    };
  }

  /** A function that writes a word beside a point. */
  word(kind = "") {
    const text = this.#add("text", kind);
    return (point, words) => {
      const [x, y] = this.place(point);
      set(text, { x, y });
      text.textContent = words;
    };
  }

  /** A picture of a function: colours [row][column] of "rgb()" from the top left, over the box given. */
  field(box, rows) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [rows[0].length, rows.length];
    const pen = canvas.getContext("2d");
    rows.forEach((row, y) => row.forEach((color, x) => ((pen.fillStyle = color), pen.fillRect(x, y, 1, 1))));
    const [x, y] = this.place([box[0], box[3]]);
    const size = { width: (box[2] - box[0]) * this.scale, height: (box[3] - box[1]) * this.scale };
    this.image ??= this.#add("image", "field");
    set(this.image, { x, y, ...size, href: canvas.toDataURL(), preserveAspectRatio: "none" });
  }

  #add(tag, kind) {
    return this.svg.appendChild(create(SVG, tag, { class: kind }));
  }

  /** A point that can be dragged, or moved by the arrow keys; `moved` is called with where it is wanted. */
  handle(name, at, moved, kind = "target") {
    const mark = create(SVG, "g", { class: `handle ${kind}`, tabindex: 0, role: "slider", "aria-label": name });
    const [hit, dot] = ["hit", "mark"].map((each) => mark.appendChild(create(SVG, "path", { class: each })));
    this.svg.appendChild(mark);
    const handle = { at, mark, name };
    handle.set = (point) => {
      handle.at = point;
      for (const path of [hit, dot]) path.setAttribute("d", `M${this.place(point).map(fixed).join(" ")}h0`);
      set(mark, { "aria-valuenow": point[0].toFixed(2), "aria-valuetext": point.map((v) => v.toFixed(2)).join(", ") });
    };
    handle.move = (point) => {
      handle.set(this.#inside(point));
      moved(handle.at);
    };
    mark.addEventListener("pointerdown", (event) => this.#grab(handle, event));
    mark.addEventListener("keydown", (event) => this.#nudge(handle, event));
    handle.set(at);
    this.handles.push(handle);
    return handle;
  }

  #grab(handle, event) {
    event.preventDefault();
    event.stopPropagation();
    handle.mark.focus({ preventScroll: true });
    handle.mark.setPointerCapture(event.pointerId);
    const follow = (moved) => handle.move(this.pointer(moved));
    const release = () => handle.mark.removeEventListener("pointermove", follow);
    handle.mark.addEventListener("pointermove", follow);
    for (const end of ["pointerup", "pointercancel"]) handle.mark.addEventListener(end, release, { once: true });
  }

  #nudge(handle, event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation(); // the page has uses of its own for these keys
    const step = (this.box[2] - this.box[0]) / (event.shiftKey ? 20 : 100);
    handle.move([handle.at[0] + step * way[0], handle.at[1] + step * way[1]]);
  }

  /** A press beside the handles of a figure that has one alone brings it there. */
  #jump(event) {
    if (this.handles.length !== 1 || event.pointerType === "touch") return;
    this.handles[0].move(this.pointer(event));
    this.#grab(this.handles[0], event);
  }

  /** A slider; returns a function that gives its value. */
  slider({ name, min, max, step, value, unit = "" }, changed) {
    const input = create(null, "input", { type: "range", min, max, step, value });
    const shown = create(null, "output", {});
    const show = () => (shown.textContent = `${input.value}${unit}`);
    input.addEventListener("input", () => (show(), changed(Number(input.value))));
    show();
    this.#control(name, input, shown);
    return () => Number(input.value);
  }

  /** Several names of which one is chosen; returns a function that gives it. */
  choice(name, options, changed) {
    const list = create(null, "select", {});
    for (const option of options) list.appendChild(create(null, "option", {})).textContent = option;
    list.addEventListener("change", () => changed(list.value));
    this.#control(name, list);
    return () => list.value;
  }

  /** Something that is on or off; returns a function that says which. */
  tick(name, on, changed) {
    const box = create(null, "input", { type: "checkbox" });
    box.checked = on;
    box.addEventListener("change", () => changed(box.checked));
    this.#control(name, box);
    return () => box.checked;
  }

  #control(name, ...parts) {
    const label = this.controls.appendChild(create(null, "label", {}));
    label.append(name, ...parts);
  }

  /** The frames of a motion: a slider and a button that plays; `show` is called with the frame. Returns {count, at}. */
  scrubber(name, show, { seconds = 2, loop = false } = {}) {
    const line = this.controls.appendChild(create(null, "label", { class: "scrubber" }));
    const button = create(null, "button", { type: "button", "aria-label": `Play: ${name}` });
    const range = create(null, "input", { type: "range", min: 0, step: 1, value: 0 });
    const shown = create(null, "output", {});
    line.append(button, name, range, shown);
    const scrub = { count: 1, playing: false };
    scrub.at = (frame) => {
      range.value = frame;
      shown.textContent = `${range.value} / ${scrub.count - 1}`;
      show(Number(range.value));
    };
    scrub.use = (count, frame = count - 1) => {
      scrub.count = count;
      range.max = count - 1;
      scrub.at(frame);
    };
    const play = (playing) => {
      scrub.playing = playing;
      button.textContent = playing ? "❚❚" : "▶";
      if (playing) requestAnimationFrame((start) => this.#play(scrub, start, { seconds, loop, stop: () => play(false) }));
    };
    range.addEventListener("input", () => (play(false), scrub.at(Number(range.value))));
    button.addEventListener("click", () => play(!scrub.playing));
    play(false);
    return scrub;
  }

  #play(scrub, start, { seconds, loop, stop }) {
    const tick = (now) => {
      if (!scrub.playing) return;
      const share = (now - start) / 1000 / seconds;
      if (!loop && share >= 1) return scrub.at(scrub.count - 1), stop();
      scrub.at(Math.floor((share % 1) * scrub.count));
      requestAnimationFrame(tick);
    };
    tick(start);
  }

  /** What the figure says below itself. */
  say(words) {
    this.said.textContent = words;
  }
}

const fixed = (value) => value.toFixed(2);
const trail = (points) => points.map((point, k) => (k ? "L" : "M") + point.map(fixed).join(" ")).join("");
const set = (element, values) => Object.entries(values).forEach(([key, value]) => element.setAttribute(key, value));
const create = (space, tag, values) => {
  const element = space ? document.createElementNS(space, tag) : document.createElement(tag);
  set(element, values);
  return element;
};
