"use strict";
/* The methods of the course, for arms in a plane, as short as they can be stated. A test compares them with posable's.

   Every figure asks course.solve(method, arm, start, target, options) and draws the steps it gets back. This is the seam
   at which another solver can stand in, for one posable compiled to WebAssembly: give course.solve another function.
     arm: {lengths: [bone], lower: [bone], upper: [bone], base: [x, y]}, limits and base may be left out
     start: [angle] of each bone from the one before, radians, anticlockwise
     returns [[angle] of every step], the start first */

course.solve = (method, arm, start, target, options = {}) => course.methods[method](arm, start, target, options);

const add = (a, b) => [a[0] + b[0], a[1] + b[1]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
const times = (a, k) => [a[0] * k, a[1] * k];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const cross = (a, b) => a[0] * b[1] - a[1] * b[0];
const size = (a) => Math.hypot(a[0], a[1]);
const across = (a) => [-a[1], a[0]]; // turned by 90 degrees
const along = (angle) => [Math.cos(angle), Math.sin(angle)];
const last = (list) => list[list.length - 1];
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Forward kinematics: the base, every joint and the tip. */
course.forward = ({ lengths, base = [0, 0] }, angles) => {
  const points = [base];
  angles.reduce((sum, angle, k) => {
    points.push(add(points[k], times(along(sum + angle), lengths[k])));
    return sum + angle;
  }, 0);
  return points;
};

/** The angles of bones through points. */
course.angles = (points) => {
  const turns = points.slice(1).map((point, k) => Math.atan2(...minus(point, points[k]).reverse()));
  return turns.map((turn, k) => wrap(turn - (k ? turns[k - 1] : 0)));
};
const wrap = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** The law of cosines: both pairs of angles, and the distance left where the target is out of reach. */
course.twoBones = (target, first, second) => {
  const far = size(target);
  const reached = clamp(far, Math.abs(first - second), first + second);
  const elbow = Math.acos(clamp((reached ** 2 - first ** 2 - second ** 2) / (2 * first * second), -1, 1));
  const ways = [elbow, -elbow].map((bend) => {
    const lean = Math.atan2(second * Math.sin(bend), first + second * Math.cos(bend));
    return [Math.atan2(target[1], target[0]) - lean, bend];
  });
  return { ways, left: Math.abs(far - reached) };
};

/** The Jacobian: a column for each joint, how fast the tip moves when it turns. */
course.jacobian = (points) => points.slice(0, -1).map((joint) => across(minus(last(points), joint)));

/** δ = Jᵀ (J Jᵀ + λ² 1)⁻¹ e; no damping gives the pseudo-inverse, the smallest δ with J δ = e. */
course.step = (columns, error, damping = 0) => {
  let [a, b, d] = [damping ** 2, 0, damping ** 2];
  for (const [x, y] of columns) [a, b, d] = [a + x * x, b + x * y, d + y * y];
  const det = a * d - b * b;
  if (Math.abs(det) < 1e-14) return columns.map(() => 0);
  const pull = [(d * error[0] - b * error[1]) / det, (a * error[1] - b * error[0]) / det];
  return columns.map((column) => dot(column, pull));
};

/** A step within limits: a joint that would pass its limit goes exactly to it, and the others are solved again. */
course.limitedStep = ({ lower, upper }, angles, columns, error, damping) => {
  const held = angles.map(() => null);
  for (;;) {
    const open = columns.map((column, k) => (held[k] === null ? column : [0, 0]));
    const rest = columns.reduce((sum, column, k) => minus(sum, times(column, held[k] ?? 0)), error);
    const step = course.step(open, rest, damping).map((turn, k) => held[k] ?? turn);
    const over = step.findIndex((turn, k) => held[k] === null && clamp(angles[k] + turn, lower[k], upper[k]) !== angles[k] + turn);
    if (over < 0) return step;
    held[over] = clamp(angles[over] + step[over], lower[over], upper[over]) - angles[over];
  }
};

course.methods = {
  /** Steps of gain · distance by the smallest change of the bones' own directions, as the doorbell arm has them. */
  pseudoInverse(arm, start, target, { gain = 0.1, tolerance = 2, steps = 300 } = {}) {
    let turns = start.map((_, k) => start.slice(0, k + 1).reduce((sum, angle) => sum + angle, 0));
    const relative = () => turns.map((turn, k) => turn - (k ? turns[k - 1] : 0));
    const trace = [relative()];
    for (let near = false; !near && trace.length <= steps; ) {
      const error = minus(target, last(course.forward(arm, relative())));
      near = size(error) <= tolerance; // looked at before the step: that step is still taken
      const columns = turns.map((turn, k) => times(across(along(turn)), arm.lengths[k]));
      const step = course.step(columns, times(error, gain));
      turns = turns.map((turn, k) => turn + step[k]);
      trace.push(relative());
    }
    return trace;
  },

  /** Damped steps, within the arm's limits if it has any. */
  damped(arm, start, target, { damping = 0.3, tolerance = 1e-3, steps = 40 } = {}) {
    const trace = [start];
    while (trace.length <= steps) {
      const [angles, points] = [last(trace), course.forward(arm, last(trace))];
      const [error, columns] = [minus(target, last(points)), course.jacobian(points)];
      if (size(error) <= tolerance) break;
      const step = arm.lower
        ? course.limitedStep(arm, angles, columns, error, damping)
        : course.step(columns, error, damping);
      trace.push(angles.map((angle, k) => angle + step[k]));
    }
    return trace;
  },

  /** Cyclic descent: joint after joint, from the tip, points the tip at the target. One step is one joint. */
  cyclicDescent(arm, start, target, { tolerance = 1e-3, passes = 30 } = {}) {
    const trace = [start];
    for (let n = 0; n < passes * start.length; n++) {
      const [angles, points] = [last(trace).slice(), course.forward(arm, last(trace))];
      if (n % start.length === 0 && size(minus(last(points), target)) <= tolerance) break;
      const k = start.length - 1 - (n % start.length);
      const [tip, goal] = [minus(last(points), points[k]), minus(target, points[k])];
      angles[k] = wrap(angles[k] + Math.atan2(cross(tip, goal), dot(tip, goal)));
      trace.push(angles);
    }
    return trace;
  },

  /** FABRIK: points are laid from the target to the base, then from the base again. `halves` keeps the first as well. */
  fabrikPoints(arm, start, target, { tolerance = 1e-3, passes = 30 } = {}) {
    const trace = [course.forward(arm, start)];
    const lay = (points, first, lengths) =>
      points.slice(1).reduce((laid, point, k) => {
        const way = minus(point, last(laid));
        return [...laid, add(last(laid), times(way, lengths[k] / (size(way) || 1)))];
      }, [first]);
    while (trace.length <= 2 * passes && size(minus(last(last(trace)), target)) > tolerance) {
      const out = lay(last(trace).toReversed(), target, arm.lengths.toReversed()).toReversed();
      trace.push(out, lay(out, trace[0][0], arm.lengths));
    }
    return trace;
  },

  /** A force from the tip to the target turns joint after joint, from the tip: angle += k (f · r). */
  virtualForce(arm, start, target, { sensitivity = 0.4, tolerance = 0.01, steps = 200 } = {}) {
    const trace = [start];
    while (trace.length <= steps && size(minus(last(course.forward(arm, last(trace))), target)) > tolerance) {
      const angles = last(trace).slice();
      for (let k = angles.length - 1; k >= 0; k--) {
        const points = course.forward(arm, angles);
        const bone = times(minus(points[k + 1], points[k]), 1 / arm.lengths[k]);
        angles[k] += sensitivity * dot(minus(target, last(points)), across(bone));
        if (arm.lower) angles[k] = clamp(angles[k], arm.lower[k], arm.upper[k]);
      }
      trace.push(angles);
    }
    return trace;
  },

  /** Every angle in turn is tried a little further on, and moved against what that adds to the error. */
  gradientDescent(arm, start, target, { rate = 0.1, sampling = 1e-6, tolerance = 1e-3, steps = 300 } = {}) {
    const reach = arm.lengths.reduce((sum, length) => sum + length, 0);
    const error = (angles) => size(minus(target, last(course.forward(arm, angles)))) / reach;
    const trace = [start];
    for (let speed = rate; trace.length <= steps && error(last(trace)) * reach > tolerance; ) {
      const angles = last(trace).slice();
      for (let k = angles.length - 1; k >= 0; k--) {
        const before = error(angles);
        angles[k] += sampling;
        const slope = (error(angles) - before) / sampling;
        angles[k] -= sampling + speed * slope;
      }
      speed *= error(angles) > error(last(trace)) ? 0.5 : 1.1; // too far: half as far; well done: a tenth further
      trace.push(angles);
    }
    return trace;
  },
};

/* What the figures share besides. */
const rotated = ([x, y], angle) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
const pairs = (points) => points.slice(1).map((point, k) => [points[k], point]);
const degrees = (angle) => `${Math.round((angle * 180) / Math.PI)}°`;

/** A function that draws the head of a body: a circle beyond the head's joint, along the neck. */
course.head = (stage, names) => {
  const circle = stage.circle("head");
  const [neck, head] = [names.indexOf("neck"), names.indexOf("head")];
  return (at) => {
    const up = minus(at[head], at[neck]);
    circle(add(at[head], times(up, 0.09 / size(up))), 0.1);
  };
};

/** The solution of a small linear system, by elimination with the largest pivot. */
const linear = (matrix, right) => {
  const rows = matrix.map((row, k) => [...row, right[k]]);
  rows.forEach((_, k) => {
    const best = rows.slice(k).reduce((top, row, n) => (Math.abs(row[k]) > Math.abs(rows[top][k]) ? k + n : top), k);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    rows.forEach((row, n) => {
      if (n === k) return;
      const share = row[k] / rows[k][k];
      for (let c = k; c < row.length; c++) row[c] -= share * rows[k][c];
    });
  });
  return rows.map((row, k) => last(row) / row[k]);
};
