// Quaternions wxyz and 3 × 3 matrices, row by row.

export type Vector = number[];

export function multiply(a: Vector, b: Vector): Vector {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

export function unit(v: Vector): Vector {
  const length = Math.hypot(...v);
  if (!(length > 0)) throw new Error("posable: a rotation or direction in the file has length 0");
  return Math.abs(length - 1) <= 1e-15 ? v : v.map((one) => one / length);
}

/** The matrix of a quaternion. */
export function turnOf(wxyz: Vector): Vector {
  const [w, x, y, z] = unit(wxyz);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

export function product(a: Vector, b: Vector): Vector {
  return Array.from({ length: 9 }, (_, i) => [0, 1, 2].reduce((sum, k) => sum + a[3 * Math.floor(i / 3) + k] * b[3 * k + (i % 3)], 0));
}

export function transposed(a: Vector): Vector {
  return a.map((_, i) => a[3 * (i % 3) + Math.floor(i / 3)]);
}

export function applied(a: Vector, v: Vector): Vector {
  return [0, 3, 6].map((r) => a[r] * v[0] + a[r + 1] * v[1] + a[r + 2] * v[2]);
}

export function determinant(a: Vector): number {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/** The quaternion of a rotation matrix, w ≥ 0. */
export function wxyzOf(m: Vector): Vector {
  const squares = [1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8]];
  const [a, b, c] = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
  const [d, e, f] = [m[1] + m[3], m[2] + m[6], m[5] + m[7]];
  const rows = [[squares[0], a, b, c], [a, squares[1], d, e], [b, d, squares[2], f], [c, e, f, squares[3]]];
  const found = unit(rows[squares.indexOf(Math.max(...squares))]);
  return found[0] < 0 ? found.map((one) => -one) : found;
}

/** The rotation closest to a matrix, by Newton's iteration for the polar decomposition (Higham 1986). */
export function closestRotation(m: Vector): Vector {
  let r = determinant(m) < 0 ? m.map((one) => -one) : m;
  for (let i = 0; i < 60; i++) {
    const d = determinant(r);
    const cofactors = [
      r[4] * r[8] - r[5] * r[7], r[5] * r[6] - r[3] * r[8], r[3] * r[7] - r[4] * r[6],
      r[2] * r[7] - r[1] * r[8], r[0] * r[8] - r[2] * r[6], r[1] * r[6] - r[0] * r[7],
      r[1] * r[5] - r[2] * r[4], r[2] * r[3] - r[0] * r[5], r[0] * r[4] - r[1] * r[3],
    ];
    const scale = Math.cbrt(1 / Math.abs(d));
    const first = i < 8 ? scale : 1;
    r = r.map((one, k) => 0.5 * (first * one + cofactors[k] / (first * d)));
  }
  return r;
}
