/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies on ball joints, a chain or a tree, seen in a constant inertia on SO(3)^n. With d_k from the joint of the parent
 * of body k to its own, w_k the mass times lever of all that hangs on it, mu_k that mass, and m_k c_k = w_k - sum mu d of the
 * bodies on it, MM has for each row of the matrices R the blocks
 *     N_jk = d_a w_k^T where a, on j, is on the way to k,      N_kk = J_d + m_k c_k c_k^T + sum mu d d^T of the bodies on it,
 * and U = -sum_k G . R_k w_k. The motion determines neither the masses nor the length of G: of all masses that bodies can have
 * with these N the least are taken, which exist if there are any. */
#include "forces.h"

#include <polhode/kit/rotation.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bodies {
    size_t n;
    const double *MM;
    size_t *parent;
    double *mass, *inertia, *joint, *anchor; /* of the articulation */
    double *offset, *pull, *below;           /* d, w, mu */
} bodies;

/* N (9) <- that of bodies j, k. */
static void take_block(const bodies *t, size_t j, size_t k, double *N)
{
    for (size_t a = 0; a < 3; a++)
        memcpy(N + 3 * a, t->MM + (9 * j + a) * 9 * t->n + 9 * k, 3 * sizeof *N);
}

static double size_of(const double *N)
{
    double size = 0;
    for (size_t e = 0; e < 9; e++)
        size = fmax(size, fabs(N[e]));
    return size;
}

/* Is N = d w^T up to rounding? */
static bool is_product(const double *N, const double *d, const double *w, size_t n)
{
    bool is = true;
    for (size_t e = 0; e < 9; e++)
        is = is && fabs(N[e] - d[e / 3] * w[e % 3]) <= 64 * (double)n * DBL_EPSILON * size_of(N);
    return is;
}

/* Are the rows of the matrices R alike, and not coupled with others? */
static bool is_by_rows(const bodies *t)
{
    const size_t nz = 9 * t->n;
    for (size_t i = 0; i < nz; i++)
        for (size_t j = 0; j < nz; j++) {
            const double same = t->MM[(i / 9 * 9 + i % 3) * nz + j / 9 * 9 + j % 3];
            if (fabs(t->MM[i * nz + j] - (i / 3 % 3 == j / 3 % 3 ? same : 0)) > 64 * DBL_EPSILON * fabs(same))
                return false;
        }
    return true;
}

/* parent <- of each body the last of those before it that it is coupled with. */
static void find_parents(bodies *t)
{
    double N[9];
    for (size_t k = 0; k < t->n; k++) {
        t->parent[k] = PH_NO_INDEX;
        for (size_t j = 0; j < k; j++) {
            take_block(t, j, k, N);
            t->parent[k] = size_of(N) > 0 ? j : t->parent[k];
        }
    }
}

/* to <- N^T along / |along|^2, or with N itself. */
static void divide(const double *N, const double *along, bool transposed, double *to)
{
    for (size_t a = 0; a < 3; a++) {
        to[a] = 0;
        for (size_t b = 0; b < 3; b++)
            to[a] += (transposed ? N[3 * b + a] : N[3 * a + b]) * along[b] / ph_dot3(along, along);
    }
}

/* d, w of all bodies; G (9 n): the blocks -dU/dR = G w^T, or NULL without gravity, gravity (3): G by its direction. */
static bool find_levers(bodies *t, const double *slope, const double *gravity)
{
    double N[9], last[9];
    for (size_t k = 0; k < t->n; k++) {
        double *w = t->pull + 3 * k, *d = t->offset + 3 * k;
        const size_t p = t->parent[k];
        if (p != PH_NO_INDEX)
            take_block(t, p, k, N);
        if (slope)
            divide(slope + 9 * k, gravity, true, w);
        else if (p != PH_NO_INDEX && t->parent[p] != PH_NO_INDEX) {
            take_block(t, t->parent[p], k, last);
            divide(last, t->offset + 3 * p, true, w);
        } else if (p != PH_NO_INDEX) { /* on a body that hangs on nothing else: the length of d is free */
            size_t row = 0;
            for (size_t e = 1; e < 9; e++)
                row = fabs(N[e]) > fabs(N[3 * row]) ? e / 3 : row;
            memcpy(w, N + 3 * row, sizeof(double[3]));
        }
        if (p == PH_NO_INDEX)
            continue;
        if (ph_dot3(w, w) == 0)
            return false;
        divide(N, w, false, d);
        for (size_t j = 0, at = k; j < k; j++) { /* all others, from the parent to the root */
            const size_t up = k - 1 - j;
            take_block(t, up, k, N);
            const bool on_way = up == t->parent[at];
            if (on_way ? !is_product(N, t->offset + 3 * at, w, t->n) : size_of(N) > 0)
                return false;
            at = on_way ? up : at;
        }
    }
    for (size_t k = 0; slope && k < t->n; k++)
        if (!is_product(slope + 9 * k, gravity, t->pull + 3 * k, t->n))
            return false;
    return true;
}

/* The least mass of body k, and its tensor; false: no body is like this. Q = N_kk, u = w_k less what hangs on it. */
static bool find_mass(bodies *t, size_t k, double *Q, const double *u)
{
    double axes[9], moment[3], c[3], least = 0, J[9], size = size_of(Q), here = 0;
    double along[3];
    ph_principal_axes(Q, axes, moment);
    if (!(fmin(moment[0], fmin(moment[1], moment[2])) > 1e-12 * size))
        return false;
    ph_apply_transposed3(axes, u, along);
    for (size_t a = 0; a < 3; a++)
        least += along[a] * along[a] / moment[a];
    const double mass = fmax(least, 1e-6 * size); /* where it hangs at its centre any will do */
    for (size_t a = 0; a < 3; a++)
        c[a] = u[a] / mass;
    for (size_t e = 0; e < 9; e++) {
        Q[e] -= mass * c[e / 3] * c[e % 3];
        here += e % 4 ? 0 : Q[e];
    }
    for (size_t e = 0; e < 9; e++)
        J[e] = (e % 4 ? 0 : here) - 0.5 * (Q[e] + Q[e % 3 * 3 + e / 3]);
    t->mass[k] = mass;
    t->below[k] += mass;
    memcpy(t->inertia + 9 * k, J, sizeof J);
    for (size_t a = 0; a < 3; a++)
        t->joint[3 * k + a] = -c[a];
    return true;
}

static bool find_masses(bodies *t, bool heavy)
{
    for (size_t k = t->n; k-- > 0;) {
        double Q[9], u[3] = {0, 0, 0};
        const bool free_lever = !heavy && t->parent[k] == PH_NO_INDEX;
        take_block(t, k, k, Q);
        memcpy(u, t->pull + 3 * k, sizeof u);
        for (size_t i = k + 1; i < t->n; i++) {
            const double *d = t->offset + 3 * i;
            if (t->parent[i] != k)
                continue;
            t->below[k] += t->below[i];
            for (size_t e = 0; e < 9; e++)
                Q[e] -= t->below[i] * d[e / 3] * d[e % 3];
            for (size_t a = 0; a < 3; a++)
                u[a] -= t->below[i] * d[a];
        }
        if (free_lever)
            memset(u, 0, sizeof u);
        if (!find_mass(t, k, Q, u))
            return false;
    }
    for (size_t k = 0; k < t->n; k++) /* from the centre of mass of the parent */
        for (size_t a = 0; a < 3 && t->parent[k] != PH_NO_INDEX; a++)
            t->anchor[3 * k + a] = t->offset[3 * k + a] + t->joint[3 * t->parent[k] + a];
    return true;
}

/* slope (9 n) <- -dU/dR, gravity <- the direction of G, with the length of that of the earth; is U linear, and without a constant? */
static bool find_gravity(ph_formula_builder *b, ph_expr U, double *slope, double gravity[3])
{
    const double earth = 9.81;
    const size_t nz = b->f->nz;
    size_t most = 0;
    if (!ph_formula_linear(b, U, slope))
        return false;
    for (size_t k = 0; k < nz; k++) {
        slope[k] = -slope[k];
        most = fabs(slope[k]) > fabs(slope[most]) ? k : most;
    }
    for (size_t a = 0; a < 3; a++)
        gravity[a] = slope[most / 9 * 9 + 3 * a + most % 3];
    const double size = ph_norm3(gravity);
    for (size_t a = 0; a < 3; a++)
        gravity[a] *= earth / size;
    return size > 0;
}

ph_status ph_formula_find_bodies(ph_formula_builder *b, const double *MM, ph_expr *U)
{
    const size_t n = b->f->n_factors;
    bool bodies_only = n > 1;
    for (size_t i = 0; i < n; i++)
        bodies_only = bodies_only && b->f->factors[i].kind == PH_FACTOR_SO3;
    if (!bodies_only)
        return PH_OK;
    if (!b->to.n_points) {
        ph_formula_found_out(
            b, "; name places of the bodies under scene.points, and ball joints are looked for");
        return PH_OK;
    }
    double *room = ph_formulas_room(b->f, n * 32 * sizeof *room);
    size_t *parent = room ? ph_formulas_room(b->f, n * sizeof *parent) : NULL;
    if (!parent)
        return ph_formula_no_memory(b->err);
    bodies t = {.n = n,
                .MM = MM,
                .parent = parent,
                .mass = room,
                .inertia = room + n,
                .joint = room + 10 * n,
                .anchor = room + 13 * n,
                .offset = room + 16 * n,
                .pull = room + 19 * n,
                .below = room + 22 * n};
    double *slope = room + 23 * n, gravity[3] = {0, 0, 0};
    const bool heavy = *U != 0;
    const char *why = NULL;
    find_parents(&t);
    if (heavy && !find_gravity(b, *U, slope, gravity))
        why = "the potential is not that of gravity alone";
    else if (!is_by_rows(&t) || !find_levers(&t, heavy ? slope : NULL, gravity))
        why = "they do not hang on one another by ball joints, each on one that is before it in space";
    else if (!find_masses(&t, heavy))
        why = "a body has no thickness";
    if (why) {
        ph_formula_found_out(b, " of bodies, not a tree: %s", why);
        return ph_formula_failed(b);
    }
    b->articulation = (ph_articulation){t.mass,  t.inertia, t.parent,
                                        t.joint, t.anchor,  {gravity[0], gravity[1], gravity[2]}};
    b->to.articulation = &b->articulation;
    b->to.ambient_inertia = NULL;
    *U = 0;
    ph_formula_found_out(b, ": it moves like %zu bodies on ball joints%s", n, heavy ? " under gravity" : "");
    return ph_formula_failed(b);
}
