/* SPDX-License-Identifier: BSD-3-Clause */
/* Taylor series of links in a row, in space or in a plane, from a fixed point and under gravity G: Lagrange's equations of the first
 * kind, with u_i = lambda_i q_i, lambda_i the tension of link i,
 *     l_i q_i'' = (1/m_{i-1}) (u_{i-1} - u_i) + (1/m_i) (u_{i+1} - u_i) + G_i,     G_0 = G, G_i = 0,     1/m_{-1} = 0,
 * and lambda from q_i.q_i'' = -|q_i'|^2:
 *     (1/m_{i-1} + 1/m_i) |q_i|^2 lambda_i + o_i lambda_{i-1} + o_{i+1} lambda_{i+1} = l_i |q_i'|^2 + G_i.q_i,     o_i = -q_{i-1}.q_i / m_{i-1}.
 * With 1 in the place of |q_i|^2 errors of lengths grow exponentially where links are pressed; so they grow linearly, and as |q_i|^2 has no
 * second derivative, its series is two numbers.
 * Products are convolutions, of four links at once, those of an order that share their numbers in one loop. The matrix is that of order 0
 * at each order, so it is factorised once a step, and an order is O(n). */
#include "series.h"

#include <string.h>

enum { W = SERIES_LANES, AXES = 3 };

typedef struct links_own {
    size_t n, d, blocks; /* links, axes, vectors of links */
    /* (links, and 0 in the rest of the last vector) l_i, 1 / l_i, 1 / m_{i-1}, 1 / m_i */
    double *l, *over, *inner, *outer;
    lanes weight[AXES];     /* G in the lane of the first link */
    double *aux;            /* (orders x blocks x AUX lanes) below */
    lanes *order;           /* (5 x blocks) what is of one order */
    double *off;            /* (links) o at order 0 */
    double *length, *drift; /* (links) the diagonal at orders 0 and 1 */
    double *pivot, *left,
        *right; /* (links) 1 / pivots; factors of the elimination from the first link on, from the last */
    double *inverse; /* (n x blocks lanes) or the columns of the inverse */
    void (*expand)(struct links_own *o, int p, double *c);
} links_own;

/* Of a vector of links, in c: q, q' (d each). In aux: lambda, o, and lambda and q of the link before. */
enum { LAMBDA, LAMBDA_BEFORE, OFF, Q_BEFORE, AUX = Q_BEFORE + AXES };

/* Vectors of links up to which the inverse is taken: its elimination has nothing to do at the same time. */
enum { SMALL = 2 };

static bool takes(const ph_system *system)
{
    const ph_linkage *linkage = ph_system_linkage(system);
    const ph_space *space = ph_system_space(system);
    bool row = linkage && !ph_system_has_force(system) && !ph_system_has_further_potential(system) &&
               ph_space_factor(space, 0)->kind != PH_FACTOR_R;
    for (size_t i = 0; row && i < ph_space_factors(space); i++)
        row = linkage->parent[i] == (i ? i - 1 : PH_NO_INDEX);
    return row;
}

static void *lay(const ph_system *system, ph_lay *l, size_t *width)
{
    const ph_space *space = ph_system_space(system);
    links_own found = {.n = ph_space_factors(space), .d = ph_space_factor(space, 0)->nz},
              *own = ph_lay_line(l, sizeof *own);
    const size_t blocks = found.blocks = (found.n + W - 1) / W, bytes = blocks * W * sizeof(double);
    double **const rows[] = {&found.l,      &found.over,  &found.inner, &found.outer, &found.off,
                             &found.length, &found.drift, &found.pivot, &found.left,  &found.right};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        *rows[i] = ph_lay_line(l, bytes);
    found.aux = ph_lay_line(l, SERIES_ORDER * AUX * bytes);
    found.order = ph_lay_line(l, 5 * bytes);
    found.inverse = ph_lay_line(l, blocks <= SMALL ? found.n * bytes : 0);
    *width = 2 * found.d * blocks * W;
    if (own)
        *own = found;
    return own;
}

/* Where number a of link i is in c. */
static size_t place(const links_own *o, size_t i, size_t a)
{
    return (i / W * 2 * o->d + a) * W + i % W;
}

static void set(const void *own, const double *y, double *c)
{
    const links_own *o = own;
    memset(c, 0, 2 * o->d * o->blocks * W * sizeof *c);
    for (size_t i = 0; i < o->n; i++)
        for (size_t a = 0; a < o->d; a++) {
            c[place(o, i, a)] = y[i * o->d + a];
            c[place(o, i, o->d + a)] = y[(o->n + i) * o->d + a];
        }
}

static void get(const void *own, const double *c, double *y)
{
    const links_own *o = own;
    for (size_t i = 0; i < o->n; i++)
        for (size_t a = 0; a < o->d; a++) {
            y[i * o->d + a] = c[place(o, i, a)];
            y[(o->n + i) * o->d + a] = c[place(o, i, o->d + a)];
        }
}

/* ---- The tensions ----------------------------------------------------------------------------------- */

/* The elimination at order 0, from both ends to the middle. */
INLINE void factorise(links_own *o, const size_t n)
{
    const size_t middle = n / 2;
    const double *off = o->off;
    for (size_t i = 0; i < n; i++) {
        o->left[i] = o->right[i] = 0;
        o->pivot[i] = o->length[i];
    }
    for (size_t i = 0; i < middle; i++) {
        o->pivot[i] = 1 / o->pivot[i];
        o->left[i + 1] = off[i + 1] * o->pivot[i];
        o->pivot[i + 1] -= o->left[i + 1] * off[i + 1];
    }
    for (size_t i = n - 1; i > middle; i--) {
        o->pivot[i] = 1 / o->pivot[i];
        o->right[i - 1] = off[i] * o->pivot[i];
        o->pivot[i - 1] -= o->right[i - 1] * off[i];
    }
    o->pivot[middle] = 1 / o->pivot[middle];
}

/* x <- the solution with the right sides in x: two chains that do not wait for each other. */
INLINE void eliminate(const links_own *o, const size_t n, double *x)
{
    const size_t middle = n / 2, behind = n - 1 - middle; /* as many as before the middle, or one less */
    const double *left = o->left, *right = o->right, *pivot = o->pivot;
    double up = x[0], down = x[n - 1];
    for (size_t i = 1; i < behind; i++) {
        x[i] = up = x[i] - left[i] * up;
        x[n - 1 - i] = down = x[n - 1 - i] - right[n - 1 - i] * down;
    }
    if (behind < middle && middle > 1)
        x[middle - 1] = up = x[middle - 1] - left[middle - 1] * up;
    double centre = x[middle];
    if (middle)
        centre -= left[middle] * up;
    if (behind)
        centre -= right[middle] * down;
    x[middle] = up = down = centre * pivot[middle];
    if (behind < middle)
        x[middle - 1] = up = x[middle - 1] * pivot[middle - 1] - left[middle] * up;
    for (size_t i = behind; i-- > 0;) {
        x[i] = up = x[i] * pivot[i] - left[i + 1] * up;
        x[n - 1 - i] = down = x[n - 1 - i] * pivot[n - 1 - i] - right[n - 2 - i] * down;
    }
}

INLINE void invert(links_own *o, const size_t n, const size_t blocks)
{
    for (size_t j = 0; j < n; j++) {
        double *column = o->inverse + j * blocks * W;
        memset(column, 0, blocks * W * sizeof *column);
        column[j] = 1;
        eliminate(o, n, column);
    }
}

/* ---- Series ----------------------------------------------------------------------------------------- */

/* Lanes of a vector of links moved by one: from the link before, from the one behind. */
#define FROM_BEFORE(before, here) SERIES_SHUFFLE(before, here, 3, 4, 5, 6)
#define FROM_BEHIND(here, behind) SERIES_SHUFFLE(here, behind, 1, 2, 3, 4)

/* Of the links of vector b, what is known at order k before lambda_k is:
 *     right <- l |q'|^2 - o lambda_before,     across <- o lambda,     tension <- lambda q;
 * q and x are their numbers in c and aux; edge is q of the vector before, then of this one. Products of what is new stand last: the others
 * do not wait for it. */
INLINE void products(const links_own *o, const int d, const size_t stride, const size_t far, const size_t b,
                     const int k, const double *q, double *x, lanes *edge, lanes *right, lanes *across,
                     lanes *tension)
{
    const double *qk = q + (size_t)k * stride, *qj = qk, *xj = x;
    double *xk = x + (size_t)k * far;
    const double *oj = xk, *up = q + (size_t)(k / 2) * stride + d * W,
                 *down = q + (size_t)((k + 1) / 2) * stride + d * W;
    lanes u[AXES], dot[AXES], square[AXES], e = {0}, f = {0};
    for (int a = 0; a < d; a++)
        u[a] = dot[a] = square[a] = (lanes){0};
    for (int j = 1; j < k; j++) {
        qj -= stride;
        oj -= far;
        xj += far;
        const lanes lambda = series_load(xj + LAMBDA * W), off = series_load(oj + OFF * W);
        for (int a = 0; a < d; a++) {
            const lanes other = series_load(qj + a * W);
            dot[a] += series_load(xj + (Q_BEFORE + a) * W) * other;
            u[a] += lambda * other;
        }
        e += off * series_load(xj + LAMBDA_BEFORE * W);
        f += off * lambda;
    }
    for (int j = (k + 1) / 2; j > 0; j--) {
        up += stride;
        down -= stride;
        for (int a = 0; a < d; a++)
            square[a] += series_load(up + a * W) * series_load(down + a * W);
    }
    lanes cosine = {0}, speed = {0};
    for (int a = 0; a < d; a++) {
        const lanes here = series_load(qk + a * W), before = FROM_BEFORE(edge[a], here),
                    middle = series_load(q + (size_t)(k / 2) * stride + (d + a) * W);
        series_store(xk + (Q_BEFORE + a) * W, before);
        edge[a] = here;
        square[a] += square[a];
        if (k % 2 == 0)
            square[a] += middle * middle;
        dot[a] += before * series_load(q + a * W);
        if (k > 0) {
            dot[a] += series_load(x + (Q_BEFORE + a) * W) * here;
            u[a] += series_load(x + LAMBDA * W) * here;
        }
        cosine += dot[a];
        speed += square[a];
        tension[a] = u[a];
    }
    const lanes off = -series_load(o->inner + b * W) * cosine;
    series_store(xk + OFF * W, off);
    if (k > 0) {
        e += series_load(o->drift + b * W) * series_load(xk - far + LAMBDA * W);
        e += off * series_load(x + LAMBDA_BEFORE * W);
        f += off * series_load(x + LAMBDA * W);
    }
    *right = series_load(o->l + b * W) * speed - e;
    *across = f;
}

/* n, d and blocks are constants where they are few; what is of one order stays in registers then. */
INLINE void series(links_own *o, const size_t n, const int d, const size_t blocks, const int p, double *c)
{
    const bool small = blocks <= SMALL;
    const size_t block = 2 * (size_t)d * W, stride = blocks * block, far = blocks * AUX * W;
    const lanes none = {0};
    lanes own[5 * SMALL], *right = small ? own : o->order, *across = right + blocks, *u = across + blocks;
    for (int k = 0; k < p; k++) {
        const double *ck = c + (size_t)k * stride, over = 1.0 / (k + 1);
        double *ak = o->aux + (size_t)k * far, *next = c + (size_t)(k + 1) * stride;
        lanes edge[AXES] = {{0}}, before = none;
        for (size_t b = 0; b < blocks; b++)
            products(o, d, stride, far, b, k, c + b * block, o->aux + b * AUX * W, edge, right + b,
                     across + b, u + b * AXES);
        for (int a = 0; a < d; a++)
            right[0] += o->weight[a] * series_load(ck + a * W);
        if (k == 0) {
            for (size_t b = 0; b < blocks; b++) {
                const lanes both = series_load(o->inner + b * W) + series_load(o->outer + b * W);
                lanes length = none, drift = none;
                for (int a = 0; a < d; a++) {
                    const lanes q = series_load(ck + b * block + a * W);
                    length += q * q;
                    drift += q * series_load(ck + b * block + (d + a) * W);
                }
                series_store(o->length + b * W, both * length);
                series_store(o->drift + b * W, both * (drift + drift));
                series_store(o->off + b * W, series_load(ak + (b * AUX + OFF) * W));
            }
            factorise(o, n);
            if (small)
                invert(o, n, blocks);
        } else {
            for (size_t b = 0; b < blocks; b++)
                right[b] -= FROM_BEHIND(across[b], b + 1 < blocks ? across[b + 1] : none);
        }
        if (small) {
            for (size_t b = 0; b < blocks; b++)
                across[b] = none;
            for (size_t j = 0; j < n; j++)
                for (size_t b = 0; b < blocks; b++)
                    across[b] += series_load(o->inverse + (j * blocks + b) * W) * right[j / W][j % W];
        } else {
            eliminate(o, n, (double *)right);
        }
        for (size_t b = 0; b < blocks; b++) {
            const lanes lambda = small ? across[b] : right[b];
            series_store(ak + (b * AUX + LAMBDA) * W, lambda);
            series_store(ak + (b * AUX + LAMBDA_BEFORE) * W, FROM_BEFORE(before, lambda));
            before = lambda;
            for (int a = 0; a < d; a++)
                u[b * AXES + a] += lambda * series_load(c + b * block + a * W);
        }
        for (int a = 0; a < d; a++)
            edge[a] = none;
        for (size_t b = 0; b < blocks; b++)
            for (int a = 0; a < d; a++) {
                const lanes here = u[b * AXES + a], behind = b + 1 < blocks ? u[(b + 1) * AXES + a] : none,
                            inner = series_load(o->inner + b * W), outer = series_load(o->outer + b * W);
                lanes force =
                    inner * (FROM_BEFORE(edge[a], here) - here) + outer * (FROM_BEHIND(here, behind) - here);
                if (k == 0 && b == 0)
                    force += o->weight[a];
                series_store(next + b * block + a * W, series_load(ck + b * block + (d + a) * W) * over);
                series_store(next + b * block + (d + a) * W, force * series_load(o->over + b * W) * over);
                edge[a] = here;
            }
    }
}

#define LINKS(name, n, d, blocks)                                                                            \
    static void name##_plain(links_own *o, int p, double *c)                                                 \
    {                                                                                                        \
        series(o, n, d, blocks, p, c);                                                                       \
    }                                                                                                        \
    WIDE static void name##_wide(links_own *o, int p, double *c)                                             \
    {                                                                                                        \
        series(o, n, d, blocks, p, c);                                                                       \
    }
LINKS(one, 1, 3, 1)
LINKS(two, 2, 3, 1)
LINKS(few, o->n, 3, 1)
LINKS(more, o->n, 3, 2)
LINKS(many, o->n, 3, o->blocks)
LINKS(plane_few, o->n, 2, 1)
LINKS(plane_many, o->n, 2, o->blocks)

static void init(void *own, const ph_system *system)
{
#define COPIES(name)                                                                                         \
    {                                                                                                        \
        name##_plain, name##_wide                                                                            \
    }
    static void (*const copies[][2])(links_own *, int, double *) = {
        COPIES(one),  COPIES(two),       COPIES(few),       COPIES(more),
        COPIES(many), COPIES(plane_few), COPIES(plane_many)};
    links_own *o = own;
    const ph_linkage *linkage = ph_system_linkage(system);
    for (size_t i = 0; i < o->blocks * W; i++) {
        const bool link = i < o->n;
        o->l[i] = link ? linkage->length[i] : 0;
        o->over[i] = link ? 1 / linkage->length[i] : 0;
        o->inner[i] = link && i ? 1 / linkage->mass[i - 1] : 0;
        o->outer[i] = link ? 1 / linkage->mass[i] : 0;
    }
    for (int a = 0; a < AXES; a++)
        o->weight[a] = (lanes){linkage->gravity[a], 0, 0, 0};
    const size_t kind = o->d == 2       ? 5 + (o->blocks > 1)
                        : o->n < 3      ? o->n - 1
                        : o->blocks < 3 ? 1 + o->blocks
                                        : 4;
    o->expand = copies[kind][wide_runs()];
}

static void expand(void *own, int p, double *c)
{
    links_own *o = own;
    o->expand(o, p, c);
}

const series_kind series_links = {
    .field = "tensions",
    .takes = takes,
    .lay = lay,
    .init = init,
    .set = set,
    .get = get,
    .expand = expand,
};
