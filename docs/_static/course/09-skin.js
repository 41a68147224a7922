"use strict";
/* A tube with weights from posable: bend it and twist it, and see what each blend does to its inside. */
course.figure("tube", [-1.5, -1.35, 1.5, 1.35], (stage) => {
  const { rings, elbow } = course.traces["09-skin"];
  const shapes = rings.slice(1).flatMap((ring) => ring.map(() => stage.shape("scale")));
  const [bones, joints] = [stage.line("bone inside"), stage.dots("joint small")];
  const hand = stage.handle("Hand", along(0.9), (to) => (hand.set(times(to, 1 / (size(to) || 1))), draw()));
  const twist = stage.slider({ name: "twist of the forearm", min: -180, max: 180, step: 5, value: 120, unit: "°" }, () => draw());
  const blend = stage.choice("blend", ["linear", "dual quaternion"], () => draw());

  /** Rotation of the forearm about the elbow at the origin: first the twist about x, then the bend about z. */
  const quaternion = (bend, turn) => {
    const [cb, sb, ct, st] = [Math.cos(bend / 2), Math.sin(bend / 2), Math.cos(turn / 2), Math.sin(turn / 2)];
    return [cb * ct, cb * st, sb * st, sb * ct];
  };
  const rotate = ([w, x, y, z], [a, b, c]) => [
    (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
    2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
    2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
  ];

  /** The two blends for two bones that meet in the elbow: mix the moved points, or mix the rotations. */
  course.deformed = (name, turned) => rings.map((ring, r) => ring.map((point, k) => {
    const weight = elbow[r][k];
    if (name === "linear") return rotate(turned, point).map((value, axis) => (1 - weight) * point[axis] + weight * value);
    const mixed = turned.map((value, part) => weight * value * (turned[0] < 0 ? -1 : 1) + (part ? 0 : 1 - weight));
    const length = Math.hypot(...mixed);
    return rotate(mixed.map((value) => value / length), point);
  }));

  /** The area of a ring in space, half the length of the sum of its cross products. */
  const area = (ring) => {
    const middle = [0, 1, 2].map((axis) => ring.reduce((sum, point) => sum + point[axis], 0) / ring.length);
    const sum = [0, 0, 0];
    ring.forEach((point, k) => {
      const [a, b] = [point, ring[(k + 1) % ring.length]].map((one) => one.map((value, axis) => value - middle[axis]));
      sum[0] += a[1] * b[2] - a[2] * b[1];
      sum[1] += a[2] * b[0] - a[0] * b[2];
      sum[2] += a[0] * b[1] - a[1] * b[0];
    });
    return Math.hypot(...sum) / 2;
  };

  const flat = ([x, y, z]) => [x + 0.22 * z, y + 0.12 * z]; // seen a little from aside and above
  const draw = () => {
    const bend = Math.atan2(hand.at[1], hand.at[0]);
    const turned = quaternion(bend, (twist() * Math.PI) / 180);
    const moved = course.deformed(blend(), turned);
    const shares = moved.map((ring, k) => area(ring) / area(rings[k]));
    const scales = moved.slice(1).flatMap((ring, r) => ring.map((point, k) => {
      const next = (k + 1) % ring.length;
      return [point, ring[next], moved[r][next], moved[r][k]];
    }));
    scales.sort((a, b) => depth(a) - depth(b)).forEach((scale, n) => shapes[n](scale.map(flat), light(scale)));
    bones([[-1, 0], [0, 0], hand.at]);
    joints([[-1, 0], [0, 0], hand.at]);
    const least = Math.min(...shares);
    stage.facts = { points: [[-1, 0], [0, 0], hand.at], target: hand.at, left: 0, lengths: [1, 1], turned, moved, least };
    stage.say(`Bent by ${degrees(bend)}, twisted by ${twist()}°: the thinnest ring has ${Math.round(100 * least)} % of its area.`);
  };
  const depth = (scale) => scale.reduce((sum, [x, y, z]) => sum + z - 0.22 * x - 0.12 * y, 0);
  const light = ([a, b, c, d]) => {
    const [u, v] = [[0, 1, 2].map((k) => c[k] - a[k]), [0, 1, 2].map((k) => d[k] - b[k])];
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const share = Math.abs(0.3 * normal[0] + 0.75 * normal[1] + 0.6 * normal[2]) / (Math.hypot(...normal) || 1);
    return `hsl(212 45% ${Math.round(38 + 42 * share)}%)`;
  };
  draw();
});
