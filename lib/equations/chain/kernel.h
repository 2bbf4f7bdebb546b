/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of rk4.h, in functions KERNEL(name): included by lib/equations/chain/rk4.c once for
 * every processor, and once for those that multiply and add in one instruction, where MADD and the like do
 * so.
 *
 * With the pulls p_i = tau_i / l_i as unknowns and w_i = 1/m_i, what hangs on nothing having w = 0 (on a cart
 * along its axes: the cart's), the equations of the tensions are
 *     (w_i + w_{i-1}) |q_i|^2 p_i - w_i q_i.q_{i+1} p_{i+1} - w_{i-1} q_i.q_{i-1} p_{i-1} = -l_i |v_i|^2,
 * in that of the first link less q_1.G on the right, G the gravity that its support does not follow; then
 *     A_i = w_i (p_i q_i - p_{i+1} q_{i+1}),      vdot_i = (A_i - A_{i-1}) / l_i,
 * -G for A_0. The step is in Nystrom's form, with the stages of q written out:
 *     q2 = q + h/2 v,               v2 = v + h/2 a1,
 *     q3 = q + h/2 (v + h/2 a1),    v3 = v + h/2 a2,      q+ = q + (h v + h^2/6 (a1 + a2 + a3)),
 *     q4 = q + h (v + h/2 a2),      v4 = v + h a3,        v+ = v + h/6 (a1 + 2 (a2 + a3) + a4).
 * The accelerations of a stage and the equations of the next one are computed in one loop over the links,
 * four at a time. The elimination is another loop. It starts from both ends at once, and for long chains from
 * the middle, too: within one elimination each division has to wait for the one before. */

/* ---- Four links at a time ---------------------------------------------------------------------------- */

static inline INLINED four KERNEL(get)(const double *at)
{
    return *(const four *)(const void *)at;
}

static inline INLINED void KERNEL(put)(double *at, four x)
{
    *(four *)(void *)at = x;
}

static inline INLINED four KERNEL(all)(double x)
{
    return (four){x, x, x, x};
}

/* a b + c */
static inline INLINED four KERNEL(madd)(four a, four b, four c)
{
#ifdef KERNEL_FUSES
    four r;
    for (int k = 0; k < 4; k++)
        r[k] = MADD(a[k], b[k], c[k]);
    return r;
#else
    return a * b + c;
#endif
}

static inline INLINED four KERNEL(dot)(const size_t d, const four *a, const four *b)
{
    four sum = a[0] * b[0];
    for (size_t k = 1; k < d; k++)
        sum = KERNEL(madd)(a[k], b[k], sum);
    return sum;
}

/* Where a loop over the links reads and writes. */
typedef struct KERNEL(places) {
    double *y, *block, *p, *e, *s, *r;
} KERNEL(places);

/* What the loop hands from four links to the next four: u = p q, and A, the accelerations of the masses. */
typedef struct KERNEL(past) {
    four u[3], A[3];
} KERNEL(past);

/* u of the four links in this block. */
static inline INLINED void KERNEL(pulled)(const size_t d, const double *block, const double *p, four *u)
{
    four pull = KERNEL(get)(p);
    for (size_t k = 0; k < d; k++)
        u[k] = pull * KERNEL(get)(block + 4 * (PH_BLOCK_Q + k));
}

/* a <- accelerations of these four links, whose u is in past. Reads the next four links as well (a block of
 * zeros at the end), and leaves past ready for them. */
static inline INLINED void KERNEL(accelerations)(const size_t d, const double *block, const double *p,
                                                 KERNEL(past) * past, four *a)
{
    four u[3], w = KERNEL(get)(block + 4 * PH_BLOCK_W), il = KERNEL(get)(block + 4 * PH_BLOCK_IL);
    KERNEL(pulled)(d, block + PH_BLOCK(d), p + 4, u);
    for (size_t k = 0; k < d; k++) {
        four A = w * (past->u[k] - SHUFFLE(past->u[k], u[k], 1, 2, 3, 4));
        a[k] = (A - SHUFFLE(past->A[k], A, 3, 4, 5, 6)) * il;
        past->A[k] = A;
        past->u[k] = u[k];
    }
}

/* The equations at the stage (q, v) for these four links: their diagonal s and right-hand side r; and the
 * couplings e of the four links before, each with the next link, whose directions are in memory. */
static inline INLINED void KERNEL(equations)(const size_t d, double *block, const KERNEL(places) * at,
                                             size_t i, const four *q, const four *v)
{
    four before[3], next[3];
    const double *last = block - PH_BLOCK(d);
    for (size_t k = 0; k < d; k++) {
        before[k] = KERNEL(get)(last + 4 * (PH_BLOCK_Q + k));
        next[k] = SHUFFLE(before[k], q[k], 1, 2, 3, 4);
    }
    KERNEL(put)(at->s + i, KERNEL(get)(block + 4 * PH_BLOCK_BOTH) * KERNEL(dot)(d, q, q));
    KERNEL(put)(at->r + i, KERNEL(get)(block + 4 * PH_BLOCK_L) * KERNEL(dot)(d, v, v));
    KERNEL(put)(at->e + i, KERNEL(get)(last + 4 * PH_BLOCK_W) * KERNEL(dot)(d, before, next));
}

/* The couplings of the last four links, and the first equation, in which the support takes part. */
static inline INLINED void KERNEL(close)(const size_t d, const ph_chain_rk4 *c)
{
    four q[3], next[3], none = KERNEL(all)(0);
    const double *last = c->block + (c->m / 4 - 1) * PH_BLOCK(d);
    double pivot = 0, drive = c->r[0];
    for (size_t k = 0; k < d; k++) {
        q[k] = KERNEL(get)(last + 4 * (PH_BLOCK_Q + k));
        next[k] = SHUFFLE(q[k], none, 1, 2, 3, 4);
        double first = c->block[4 * (PH_BLOCK_Q + k)];
        pivot = MADD(c->head[k] * first, first, pivot);
        drive = MADD(c->fall[k], first, drive);
    }
    KERNEL(put)(c->e + c->m, KERNEL(get)(last + 4 * PH_BLOCK_W) * KERNEL(dot)(d, q, next));
    c->s[0] = pivot;
    c->r[0] = drive;
}

/* Solves  s_i p_i - e_i p_{i+1} - e_{i-1} p_{i-1} = -r_i  from both ends to the middle; p, the pulls, are
 * negative under tension. s, e and r are overwritten; e_i is at c->e[4 + i]. */
static inline INLINED void KERNEL(eliminate_two)(const ph_chain_rk4 *c)
{
    size_t n = c->n, i = 0, j = n - 1;
    double *s = c->s, *e = c->e + 4, *r = c->r, *p = c->p;
    double si = s[i], ri = -r[i], sj = s[j], rj = -r[j];
    while (j > i + 2) {
        double xi = 1 / si, xj = 1 / sj, ei = e[i], ej = e[j - 1], mi = ei * xi, mj = ej * xj;
        r[i] = ri * xi;
        e[i] = mi;
        r[j] = rj * xj;
        e[j - 1] = mj;
        i++;
        j--;
        si = MADD(-mi, ei, s[i]);
        ri = MADD(mi, ri, -r[i]);
        sj = MADD(-mj, ej, s[j]);
        rj = MADD(mj, rj, -r[j]);
    }
    if (j == i + 2) { /* two or three are left */
        double xi = 1 / si, xj = 1 / sj, ei = e[i], ej = e[i + 1], mi = ei * xi, mj = ej * xj;
        double sm = MADD(-mj, ej, MADD(-mi, ei, s[i + 1]));
        double pm = MADD(mj, rj, MADD(mi, ri, -r[i + 1])) / sm;
        p[i + 1] = pm;
        p[i] = MADD(mi, pm, ri * xi);
        p[j] = MADD(mj, pm, rj * xj);
    } else {
        double xi = 1 / si, mi = e[i] * xi;
        p[j] = MADD(mi, ri, rj) / MADD(-mi, e[i], sj);
        p[i] = MADD(mi, p[j], ri * xi);
    }
    double pi = p[i], pj = p[j];
    while (i-- > 0) {
        j++;
        pi = MADD(e[i], pi, r[i]);
        pj = MADD(e[j - 1], pj, r[j]);
        p[i] = pi;
        p[j] = pj;
    }
}

/* The same from four ends: a and h start at the ends of the chain, b and g next to a link z in the middle.
 * While b and g move away from z, elimination leaves couplings fb and fg between them and z. */
static inline INLINED void KERNEL(eliminate_four)(const ph_chain_rk4 *c)
{
    size_t n = c->n, steps = (n - 3) / 4, first = (n - 3) % 4, z = first + 2 * steps + 1;
    double *s = c->s, *e = c->e + 4, *r = c->r, *p = c->p;
    double sa = s[0], ra = -r[0];
    for (size_t i = 0; i < first; i++) { /* so that the four have the same number of steps */
        double x = 1 / sa, m = e[i] * x;
        r[i] = ra * x;
        sa = MADD(-m, e[i], s[i + 1]);
        ra = MADD(m, ra, -r[i + 1]);
        e[i] = m;
    }
    size_t a = first, b = z - 1, g = z + 1, h = n - 1;
    double sb = s[b], rb = -r[b], fb = e[b], sg = s[g], rg = -r[g], fg = e[z], sh = s[h], rh = -r[h],
           sz = s[z], rz = -r[z], tz = 0, qz = 0;
    for (size_t k = 0; k < steps; k++) {
        double xa = 1 / sa, xb = 1 / sb, xg = 1 / sg, xh = 1 / sh;
        double ea = e[a], eb = e[b - 1], eg = e[g], eh = e[h - 1];
        double ma = ea * xa, mb = eb * xb, mg = eg * xg, mh = eh * xh, kb = fb * xb, kg = fg * xg;
        r[a] = ra * xa;
        r[b] = rb * xb;
        r[g] = rg * xg;
        r[h] = rh * xh;
        e[a] = ma;
        e[b - 1] = mb;
        e[g] = mg;
        e[h - 1] = mh;
        s[b] = kb;
        s[g] = kg;
        sz = MADD(-kb, fb, sz);
        rz = MADD(kb, rb, rz);
        tz = MADD(kg, fg, tz);
        qz = MADD(kg, rg, qz);
        fb = mb * fb;
        fg = mg * fg;
        a++;
        b--;
        g++;
        h--;
        sa = MADD(-ma, ea, s[a]);
        ra = MADD(ma, ra, -r[a]);
        sb = MADD(-mb, eb, s[b]);
        rb = MADD(mb, rb, -r[b]);
        sg = MADD(-mg, eg, s[g]);
        rg = MADD(mg, rg, -r[g]);
        sh = MADD(-mh, eh, s[h]);
        rh = MADD(mh, rh, -r[h]);
    }
    /* a = b and g = h: the eliminations meet. The terms from both sides are added, and the entry that both
     * started from is counted once. */
    sa -= s[a] - sb;
    ra += r[a] + rb;
    sh -= s[h] - sg;
    rh += r[h] + rg;
    double xa = 1 / sa, xh = 1 / sh, ka = fb * xa, kh = fg * xh;
    double pz = (MADD(kh, rh, MADD(ka, ra, rz)) + qz) / (MADD(-kh, fg, MADD(-ka, fb, sz)) - tz);
    double pa = MADD(ka, pz, ra * xa), ph = MADD(kh, pz, rh * xh), pb = pa, pg = ph;
    p[z] = pz;
    p[a] = pa;
    p[h] = ph;
    for (size_t k = 0; k < steps; k++) {
        a--;
        b++;
        g--;
        h++;
        pa = MADD(e[a], pa, r[a]);
        pb = MADD(e[b - 1], pb, MADD(s[b], pz, r[b]));
        pg = MADD(e[g], pg, MADD(s[g], pz, r[g]));
        ph = MADD(e[h - 1], ph, r[h]);
        p[a] = pa;
        p[b] = pb;
        p[g] = pg;
        p[h] = ph;
    }
    while (a-- > 0)
        p[a] = pa = MADD(e[a], pa, r[a]);
}

static inline INLINED void KERNEL(eliminate)(const ph_chain_rk4 *c)
{
    if (c->n < PH_CHAIN_FOUR_ENDS)
        KERNEL(eliminate_two)(c);
    else
        KERNEL(eliminate_four)(c);
}

/* Start of the loop over the links: ride <- share times the cart's acceleration; past <- what the first four
 * links need: their u, and the acceleration of the support less gravity. */
static inline INLINED void KERNEL(begin)(const size_t d, const ph_chain_rk4 *c, double share,
                                         KERNEL(past) * past, double *ride)
{
    KERNEL(pulled)(d, c->block, c->p, past->u);
    for (size_t k = 0; k < d; k++) {
        double A = -(c->root[k] * past->u[k][0]);
        ride[k] = share * (A + c->ride[k]);
        past->A[k] = KERNEL(all)(A - c->fall[k]);
    }
}

/* The cart after a step: b, its accelerations at the stages times h/2, h/2, h, h/6. Returns the squares of x
 * and xdot. */
static inline INLINED double KERNEL(drive)(const size_t d, const ph_chain_rk4 *c, double h, double b[4][3],
                                           double *x, double *v)
{
    double sum = 0;
    for (size_t k = 0; k < d && k < c->cart; k++) {
        x[k] = MADD(h, MADD(1. / 3, b[0][k] + b[1][k] + 0.5 * b[2][k], v[k]), x[k]);
        v[k] += MADD(1. / 3, b[0][k] + 2 * b[1][k] + b[2][k], b[3][k]);
        sum += x[k] * x[k] + v[k] * v[k];
    }
    return sum;
}

/* A stage before the last: a1, a2 or a3 from its pulls, and the equations of the next. */
static inline INLINED void KERNEL(stage)(const size_t d, const ph_chain_rk4 *c, const size_t stage, double h,
                                         const double *y, double *ride)
{
    const four step = KERNEL(all)(stage < 2 ? h / 2 : h), half = KERNEL(all)(h / 2);
    const KERNEL(places) at = {.s = c->s, .e = c->e, .r = c->r};
    const double *p = c->p;
    double *block = c->block;
    KERNEL(past) past;
    KERNEL(begin)(d, c, stage < 2 ? h / 2 : h, &past, ride);
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, p += 4, block += PH_BLOCK(d)) {
        four q[3], v[3], a[3];
        KERNEL(accelerations)(d, block, p, &past, a);
        for (size_t k = 0; k < d; k++) {
            four q0 = KERNEL(get)(y + 4 * k), v0 = KERNEL(get)(y + 4 * (d + k)), then = v0;
            if (stage)
                then = KERNEL(madd)(half, KERNEL(get)(block + 4 * (PH_BLOCK_A(d, stage - 1) + k)), v0);
            KERNEL(put)(block + 4 * (PH_BLOCK_A(d, stage) + k), a[k]);
            q[k] = KERNEL(madd)(step, then, q0);
            v[k] = KERNEL(madd)(step, a[k], v0);
            KERNEL(put)(block + 4 * (PH_BLOCK_Q + k), q[k]);
        }
        KERNEL(equations)(d, block, &at, i, q, v);
    }
    KERNEL(close)(d, c);
}

static inline INLINED void KERNEL(first)(const size_t d, const ph_chain_rk4 *c, const double *y)
{
    const KERNEL(places) at = {.s = c->s, .e = c->e, .r = c->r};
    double *block = c->block;
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, block += PH_BLOCK(d)) {
        four q[3], v[3];
        for (size_t k = 0; k < d; k++) {
            q[k] = KERNEL(get)(y + 4 * k);
            v[k] = KERNEL(get)(y + 4 * (d + k));
            KERNEL(put)(block + 4 * (PH_BLOCK_Q + k), q[k]);
        }
        KERNEL(equations)(d, block, &at, i, q, v);
    }
    KERNEL(close)(d, c);
}

/* y <- the end of the step; its start is kept in the blocks. Returns the sum of all squares; *far <- the sum
 * of (|q|^2 - 1)^2 over the links before the projection. */
static inline INLINED double KERNEL(last)(const size_t d, const ph_chain_rk4 *c, const bool project, double h,
                                          double *y, double *ride, double *far)
{
    const four whole = KERNEL(all)(h), sixth = KERNEL(all)(h / 6), square = KERNEL(all)(h * h / 6);
    four sum = KERNEL(all)(0), away = sum;
    const double *p = c->p;
    double *block = c->block;
    KERNEL(past) past;
    KERNEL(begin)(d, c, h / 6, &past, ride);
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, p += 4, block += PH_BLOCK(d)) {
        four q[3], v[3], a[3];
        KERNEL(accelerations)(d, block, p, &past, a);
        for (size_t k = 0; k < d; k++) {
            four q0 = KERNEL(get)(y + 4 * k), v0 = KERNEL(get)(y + 4 * (d + k));
            four a1 = KERNEL(get)(block + 4 * (PH_BLOCK_A(d, 0) + k)),
                 middle = KERNEL(get)(block + 4 * (PH_BLOCK_A(d, 1) + k)) +
                          KERNEL(get)(block + 4 * (PH_BLOCK_A(d, 2) + k));
            q[k] = q0 + KERNEL(madd)(square, a1 + middle, whole * v0);
            v[k] = KERNEL(madd)(sixth, (a1 + a[k]) + (middle + middle), v0);
            KERNEL(put)(block + 4 * (PH_BLOCK_Q + k), q0);
            KERNEL(put)(block + 4 * (PH_BLOCK_A(d, 0) + k), v0);
        }
        if (project) {
            four excess = KERNEL(all)(-1);
            for (size_t k = d; k-- > 0;)
                excess = KERNEL(madd)(q[k], q[k], excess);
            four shrink = KERNEL(all)(35. / 128);
            shrink = KERNEL(madd)(shrink, excess, KERNEL(all)(-5. / 16));
            shrink = KERNEL(madd)(shrink, excess, KERNEL(all)(3. / 8));
            shrink = KERNEL(madd)(shrink, excess, KERNEL(all)(-1. / 2)) * excess;
            for (size_t k = 0; k < d; k++)
                q[k] = KERNEL(madd)(shrink, q[k], q[k]);
            four along = -KERNEL(dot)(d, q, v);
            for (size_t k = 0; k < d; k++)
                v[k] = KERNEL(madd)(along, q[k], v[k]);
            away = KERNEL(madd)(excess, excess, away);
        }
        for (size_t k = 0; k < d; k++) {
            KERNEL(put)(y + 4 * k, q[k]);
            KERNEL(put)(y + 4 * (d + k), v[k]);
        }
        sum += KERNEL(dot)(d, q, q) + KERNEL(dot)(d, v, v);
    }
    *far =
        (away[0] + away[1]) + (away[2] + away[3]) - (double)(c->m - c->n); /* lanes without a link have 1 */
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline INLINED bool KERNEL(many)(const size_t d, const ph_chain_rk4 *c, double h, double *y)
{
    double ride[4][3] = {{0}}, *x = y + 2 * d * c->m, before[6], far;
    KERNEL(first)(d, c, y);
    KERNEL(eliminate)(c);
    KERNEL(stage)(d, c, 0, h, y, ride[0]);
    KERNEL(eliminate)(c);
    KERNEL(stage)(d, c, 1, h, y, ride[1]);
    KERNEL(eliminate)(c);
    KERNEL(stage)(d, c, 2, h, y, ride[2]);
    KERNEL(eliminate)(c);
    memcpy(before, x, sizeof before);
    double sum = c->project ? KERNEL(last)(d, c, true, h, y, ride[3], &far)
                            : KERNEL(last)(d, c, false, h, y, ride[3], &far);
    sum += KERNEL(drive)(d, c, h, ride, x, x + 3);
    if (sum <= c->reach && (!c->project || far <= PH_CHAIN_FAR || settle_all(c, y)))
        return true;
    memcpy(x, before, sizeof before);
    for (size_t i = 0; i < c->m; i += 4, y += 8 * d) {
        const double *block = c->block + i / 4 * PH_BLOCK(d);
        memcpy(y, block + 4 * PH_BLOCK_Q, 4 * d * sizeof *y);
        memcpy(y + 4 * d, block + 4 * PH_BLOCK_A(d, 0), 4 * d * sizeof *y);
    }
    return false;
}

static bool KERNEL(many_3)(const ph_chain_rk4 *c, double h, double *y)
{
    return KERNEL(many)(3, c, h, y);
}

static bool KERNEL(many_2)(const ph_chain_rk4 *c, double h, double *y)
{
    return KERNEL(many)(2, c, h, y);
}
