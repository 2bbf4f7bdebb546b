// SPDX-License-Identifier: BSD-3-Clause
// Curves between rows: cubic Hermite interpolation in the tangent space at the earlier row, so that directions and attitudes stay on their
// manifold. From a to b = exp_a(u) in the time dt it is
//
//   x(w) = exp_a(w^2 (3 - 2 w) u + w (1 - w)^2 dt v_a - w^2 (1 - w) D dt v_b),   w in [0, 1],
//
// where D takes the velocity at b to that of the tangent vector at a: the inverse of the derivative of exp_a at u. A turn about one axis at a
// constant rate and motion on a great circle are exact; else the error is of fourth order. At w = 0 and 1 it gives the rows. Velocities are
// those of columns where these fit the rows, else differences of up to five rows. Nothing is allocated after the start.
//
// A chart has: n (coordinates of a point), m (of a tangent vector), most (the largest |u| without velocities) and far (with velocities), path
// (how far rows may be along the curve to count for a difference), log(a, b, u), exp(a, u, out, o), back(a, u, v, out), nearest(u, wanted):
// among the tangent vectors with the same exp the one that is nearest to a wanted one.

const SAME = 0.3; // share of |v_a| + |v_b| by which the mean of the velocities may differ from the rows' difference

const flat = (n) => ({
  n, m: n, most: Infinity, far: Infinity, path: Infinity,
  log: (a, b, u) => { for (let k = 0; k < n; k++) u[k] = b[k] - a[k]; },
  exp: (a, u, out, o) => { for (let k = 0; k < n; k++) out[o + k] = a[k] + u[k]; },
  back: (a, u, v, out) => { for (let k = 0; k < n; k++) out[k] = v[k]; },
  nearest: () => {},
});

// Points (cos, sin), tangent vectors are angles.
const circle = {
  n: 2, m: 1, most: Math.PI / 2, far: Infinity, path: 2.6,
  log: (a, b, u) => { u[0] = Math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]); },
  exp: (a, u, out, o) => {
    const [c, s] = [Math.cos(u[0]), Math.sin(u[0])];
    out[o] = c * a[0] - s * a[1];
    out[o + 1] = s * a[0] + c * a[1];
  },
  back: (a, u, v, out) => { out[0] = v[0]; },
  nearest: (u, wanted) => { u[0] += 2 * Math.PI * Math.round((wanted[0] - u[0]) / (2 * Math.PI)); },
};

// Unit vectors; tangent vectors in the same coordinates, across.
const sphere = {
  n: 3, m: 3, most: Math.PI / 2, far: 2.6, path: 2.2,
  log: (a, b, u) => {
    const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const along = dx * a[0] + dy * a[1] + dz * a[2];
    u[0] = dx - along * a[0];
    u[1] = dy - along * a[1];
    u[2] = dz - along * a[2];
    const sine = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const by = sine > 0 ? Math.atan2(sine, 1 + along) / sine : 1;
    for (let k = 0; k < 3; k++) u[k] *= by;
  },
  exp: (a, u, out, o) => {
    const angle = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const c = Math.cos(angle);
    const by = angle > 1e-8 ? Math.sin(angle) / angle : 1;
    for (let k = 0; k < 3; k++) out[o + k] = c * a[k] + by * u[k];
  },
  back: (a, u, v, out) => {
    const angle = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (!(angle > 1e-8)) return void out.set(v);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    let along = 0; // of the great circle's direction at b, -s a + c u/|u|
    for (let k = 0; k < 3; k++) along += v[k] * ((c * u[k]) / angle - s * a[k]);
    for (let k = 0; k < 3; k++) {
      const e = u[k] / angle;
      out[k] = along * e + (angle / s) * (v[k] - along * (c * e - s * a[k]));
    }
  },
  nearest: () => {},
};

// Matrices (row-major, body to space); tangent vectors are rotation vectors in the body frame, velocities those of Omega.
const rotation = {
  n: 9, m: 3, most: 0.999 * Math.PI, far: 4.5, path: 2.6,
  log: (a, b, u) => {
    // the quaternion of Q = a^T b, by its largest component
    const q = (i, j) => a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    const [xx, yy, zz] = [q(0, 0), q(1, 1), q(2, 2)];
    const [x, y, z] = [q(2, 1) - q(1, 2), q(0, 2) - q(2, 0), q(1, 0) - q(0, 1)];
    const trace = xx + yy + zz;
    let w = 1 + trace;
    const put = (cosine, p, r, s) => {
      w = cosine;
      u[0] = p;
      u[1] = r;
      u[2] = s;
    };
    if (trace > 0) put(w, x, y, z);
    else if (xx >= yy && xx >= zz) put(x, 1 + xx - yy - zz, q(0, 1) + q(1, 0), q(0, 2) + q(2, 0));
    else if (yy >= zz) put(y, q(0, 1) + q(1, 0), 1 + yy - zz - xx, q(1, 2) + q(2, 1));
    else put(z, q(0, 2) + q(2, 0), q(1, 2) + q(2, 1), 1 + zz - xx - yy);
    const size = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const by = size > 0 ? (2 * Math.atan2(size, Math.abs(w)) * (w < 0 ? -1 : 1)) / size : 0;
    for (let k = 0; k < 3; k++) u[k] *= by;
  },
  exp: (a, u, out, o) => {
    const [x, y, z] = u;
    const square = x * x + y * y + z * z;
    const angle = Math.sqrt(square);
    const s = angle > 1e-6 ? Math.sin(angle) / angle : 1 - square / 6;
    const c = angle > 1e-6 ? (2 * Math.sin(angle / 2) ** 2) / square : 0.5;
    const [exx, eyy, ezz] = [1 - c * (y * y + z * z), 1 - c * (x * x + z * z), 1 - c * (x * x + y * y)];
    const [cxy, cxz, cyz] = [c * x * y, c * x * z, c * y * z];
    const [sx, sy, sz] = [s * x, s * y, s * z];
    for (let i = 0; i < 9; i += 3) {
      const [p, q, r] = [a[i], a[i + 1], a[i + 2]];
      out[o + i] = p * exx + q * (cxy + sz) + r * (cxz - sy);
      out[o + i + 1] = p * (cxy - sz) + q * eyy + r * (cyz + sx);
      out[o + i + 2] = p * (cxz + sy) + q * (cyz - sx) + r * ezz;
    }
  },
  // The inverse of the right Jacobian: v + u x v / 2 + (1/t^2 - (1 + cos t)/(2 t sin t)) u x (u x v), t = |u|.
  back: (a, u, v, out) => {
    const [x, y, z] = u;
    const square = x * x + y * y + z * z;
    const t = Math.sqrt(square);
    const by = t < 1e-3 ? 1 / 12 + square / 720 : 1 / square - 1 / (2 * t * Math.tan(t / 2));
    const [cx, cy, cz] = [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]];
    out[0] = v[0] + cx / 2 + by * (y * cz - z * cy);
    out[1] = v[1] + cy / 2 + by * (z * cx - x * cz);
    out[2] = v[2] + cz / 2 + by * (x * cy - y * cx);
  },
  nearest: (u, wanted) => {
    const t = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (!(t > 1e-6)) return;
    const along = (u[0] * wanted[0] + u[1] * wanted[1] + u[2] * wanted[2]) / t;
    const by = 1 + (2 * Math.PI * Math.round((along - t) / (2 * Math.PI))) / t;
    for (let k = 0; k < 3; k++) u[k] *= by;
  },
};

export const chartOf = (kind, n) => ({ S1: circle, S2: sphere, spin: sphere, SO3: rotation })[kind] ?? flat(n);

const norm = (v) => {
  let sum = 0;
  for (let k = 0; k < v.length; k++) sum += v[k] * v[k];
  return Math.sqrt(sum);
};

export class Between {
  // chart: above; rows: how many; time: of rows; read(row, x): the point at a row; velocity(row, x, v): the tangent vector of the velocity at a row
  // with point x, or null
  constructor(chart, rows, time, read, velocity = null) {
    Object.assign(this, { chart, rows, time, read, velocity, i: -1, known: false });
    const point = () => new Float64Array(chart.n);
    const tangent = () => new Float64Array(chart.m);
    [this.a, this.b, this.x, this.y] = [point(), point(), point(), point()];
    [this.u, this.va, this.vb, this.v, this.w, this.mean] = [tangent(), tangent(), tangent(), tangent(), tangent(), tangent()];
    this.nodes = new Int32Array(4);
  }

  // out[o ...] <- the point at the share w of the way from row i to the next. Where rows are too far apart it is the nearer of the two.
  at(i, w, out, o) {
    if (i !== this.i) this.#prepare(i);
    const { a, b, u, va, vb, v, chart } = this;
    if (!this.known || !(w > 0 && w < 1)) {
      const nearer = w < 0.5 ? a : b;
      for (let k = 0; k < chart.n; k++) out[o + k] = nearer[k];
      return;
    }
    const [h, ha, hb] = [w * w * (3 - 2 * w), w * (1 - w) * (1 - w), -w * w * (1 - w)];
    for (let k = 0; k < chart.m; k++) v[k] = h * u[k] + ha * va[k] + hb * vb[k];
    chart.exp(a, v, out, o);
  }

  // What at() needs between rows i and i + 1: a, b, u, va = dt v_a, vb = D dt v_b.
  #prepare(i) {
    const { chart, a, b, u, va, vb, time } = this;
    this.i = i;
    this.read(i, a);
    this.read(Math.min(i + 1, this.rows - 1), b);
    chart.log(a, b, u);
    const dt = i + 1 < this.rows ? time[i + 1] - time[i] : 0;
    if (dt !== 0 && this.velocity && this.#given(i, dt)) return void (this.known = true);
    chart.log(a, b, u);
    this.known = dt !== 0 && norm(u) <= chart.most;
    if (!this.known) return;
    this.#slope(i, a, dt, va);
    this.#slope(i + 1, b, dt, this.w);
    chart.back(a, u, this.w, vb);
  }

  // The velocities of columns, where they fit the rows.
  #given(i, dt) {
    const { chart, a, b, u, va, vb, w, mean } = this;
    this.velocity(i, a, va);
    this.velocity(i + 1, b, w);
    for (let k = 0; k < chart.m; k++) {
      va[k] *= dt;
      w[k] *= dt;
    }
    chart.back(a, u, w, vb);
    for (let k = 0; k < chart.m; k++) mean[k] = 0.5 * (va[k] + vb[k]);
    chart.nearest(u, mean);
    chart.back(a, u, w, vb);
    let off = 0;
    for (let k = 0; k < chart.m; k++) off += (u[k] - 0.5 * (va[k] + vb[k])) ** 2;
    return norm(u) <= chart.far && Math.sqrt(off) <= SAME * (norm(va) + norm(vb));
  }

  // v <- dt times the velocity at row j with point x: the derivative there of the polynomial through up to two rows on either side, in the
  // chart of x, as far as the curve to them is short.
  #slope(j, x, dt, v) {
    const { chart, time, nodes, y, mean } = this;
    const next = [Infinity, Infinity]; // |u| of the rows next to it
    let n = 0;
    for (let tries = 0; tries < 4; tries++) {
      const side = tries % 2;
      const row = j + (side ? 1 : -1) * (tries < 2 ? 1 : 2);
      if (row < 0 || row >= this.rows || time[row] === time[j] || (tries > 1 && !(2 * next[side] <= chart.path))) continue;
      this.read(row, y);
      chart.log(x, y, mean);
      const far = norm(mean);
      if (!(far <= (tries > 1 ? chart.path : chart.most)) || (tries > 1 && time[row] === time[j + (side ? 1 : -1)])) continue;
      if (tries < 2) next[side] = far;
      nodes[n++] = row;
    }
    v.fill(0);
    for (let k = 0; k < n; k++) {
      const own = (time[nodes[k]] - time[j]) / dt;
      let weight = 1 / own;
      for (let l = 0; l < n; l++) {
        const other = (time[nodes[l]] - time[j]) / dt;
        if (l !== k) weight *= other / (other - own);
      }
      this.read(nodes[k], y);
      chart.log(x, y, mean);
      for (let c = 0; c < chart.m; c++) v[c] += weight * mean[c];
    }
  }
}
