/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a system as affine functions of its configuration. A kind of system may know them. Of a
 * callback they are measured at configurations on the manifold only, from the values f at some z of one factor, the others at rest:
 *     R^d   A e_k = f(e_k) - f(0)           S^1, S^2, spins   A e_k = (f(e_k) - f(-e_k)) / 2
 *     SO(3) with D_0 = I and the half turns D_1, D_2, D_3 about the axes, and a cyclic permutation P:
 *           the sum of all P D_k is 0, P D_0 + P D_k = 2 (the entry of P in column k), so A of an entry of R is
 *           (f(P D_0) + f(P D_k)) / 2 - (f(P D_0) + ... + f(P D_3)) / 4
 * and then compared with the callback elsewhere, which finds those points that are not affine, as contacts of bodies. */
#include "lib/system/parts.h"
#include "lib/system/structure.h"
#include "scene.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double origin[3];

/* Factors R^d. */
static bool add_places(ph_scene *s, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    size_t k = 0;
    if (!ph_scene_points_begin(&s->points, ph_parts_points(space, 0)))
        return false;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (!ph_factor_is_place(f))
            continue;
        ph_scene_points_from(&s->points, k, PH_NO_INDEX, origin);
        for (unsigned a = 0; a < f->nz; a++)
            if (!ph_scene_points_add(&s->points, k, a, f->z + a, 1))
                return false;
        k++;
    }
    return true;
}

/* ---- Callbacks ---------------------------------------------------------------------------------------- */

/* A (3 n x nz) and c (3 n) of x = c + A z, and what measuring takes. */
typedef struct probe {
    const ph_system *system;
    size_t n, nz; /* n: numbers of points, 3 each */
    double t;
    double *A, *c, *z, *rest, *value; /* value: (4 n) */
    bool *known;                      /* (n / 3) are the numbers of that point affine? */
} probe;

/* p->value (n) at `which` <- the points at p->z; NaN where that is not known. */
static void look(probe *p, size_t which)
{
    double *x = p->value + which * p->n;
    if (ph_system_places(p->system, p->t, p->z, x))
        for (size_t i = 0; i < p->n; i++)
            x[i] = NAN;
}

static void rest(double *z, const ph_factor_place *f)
{
    memset(z + f->z, 0, f->nz * sizeof *z);
    for (size_t k = 0; f->kind != PH_FACTOR_R && k < f->nz; k += f->kind == PH_FACTOR_SO3 ? 4 : f->nz)
        z[f->z + k] = 1;
}

static void probe_vector(probe *p, const ph_factor_place *f)
{
    const bool sphere = f->kind != PH_FACTOR_R;
    for (size_t k = 0; k < f->nz; k++) {
        memset(p->z + f->z, 0, f->nz * sizeof *p->z);
        p->z[f->z + k] = 1;
        look(p, 0);
        p->z[f->z + k] = sphere ? -1 : 0;
        look(p, 1);
        for (size_t i = 0; i < p->n; i++)
            p->A[i * p->nz + f->z + k] = (p->value[i] - p->value[p->n + i]) * (sphere ? 0.5 : 1);
    }
}

static void probe_rotation(probe *p, const ph_factor_place *f)
{
    for (size_t shift = 0; shift < 3; shift++) {
        double *R = p->z + f->z;
        for (size_t d = 0; d < 4; d++) { /* P D_d: column k of it is +-e_(k + shift) */
            memset(R, 0, 9 * sizeof *R);
            for (size_t k = 0; k < 3; k++)
                R[3 * ((k + shift) % 3) + k] = d == 0 || d == k + 1 ? 1 : -1;
            look(p, d);
        }
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < p->n; i++) {
                const double *v = p->value + i;
                const double mean = 0.25 * ((v[0] + v[p->n]) + (v[2 * p->n] + v[3 * p->n]));
                p->A[i * p->nz + f->z + 3 * ((k + shift) % 3) + k] = 0.5 * (v[0] + v[(k + 1) * p->n]) - mean;
            }
    }
}

/* p->known <- false of points that are not c + A z there, too. */
static void compare(probe *p, unsigned seed)
{
    const ph_space *space = ph_system_space(p->system);
    for (size_t i = 0; i < p->nz; i++)
        p->z[i] = ph_sin(1.7 * (double)(i + 1) * (seed + 1) + 0.4 * seed);
    if (ph_space_project(space, p->z))
        memcpy(p->z, p->rest, p->nz * sizeof *p->z);
    p->t = 0.7 * seed; /* what depends on time is not affine */
    look(p, 0);
    for (size_t i = 0; i < p->n; i++) {
        double sum = p->c[i], scale = fabs(p->c[i]) + fabs(p->value[i]);
        for (size_t k = 0; k < p->nz; k++) {
            const double term = p->A[i * p->nz + k] * p->z[k];
            sum += term;
            scale += fabs(term);
        }
        if (!(fabs(sum - p->value[i]) <= 1e-12 * scale)) /* also of what is not a number */
            p->known[i / 3] = false;
    }
}

/* Numbers that are roundings of 0 are 0. */
static void clean(double *v, size_t n, double scale)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(v[i]) < 1e-14 * scale)
            v[i] = 0;
}

static void measure(probe *p)
{
    const ph_space *space = ph_system_space(p->system);
    double scale = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++)
        rest(p->rest, ph_space_factor(space, i));
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        memcpy(p->z, p->rest, p->nz * sizeof *p->z);
        f->kind == PH_FACTOR_SO3 ? probe_rotation(p, f) : probe_vector(p, f);
    }
    memcpy(p->z, p->rest, p->nz * sizeof *p->z);
    look(p, 0);
    for (size_t i = 0; i < p->n; i++) {
        p->c[i] = p->value[i];
        for (size_t k = 0; k < p->nz; k++) {
            p->c[i] -= p->A[i * p->nz + k] * p->rest[k];
            scale = fmax(scale, fabs(p->A[i * p->nz + k]));
        }
        scale = fmax(scale, fabs(p->value[i]));
        p->known[i / 3] = true;
    }
    clean(p->A, p->n * p->nz, scale);
    clean(p->c, p->n, scale);
    for (unsigned seed = 1; seed <= 3; seed++)
        compare(p, seed);
}

/* How many terms rows 3k ... 3k + 2 take, from rows 3j ... of an earlier point (PH_NO_INDEX: from 0). */
static size_t count_terms(const probe *p, size_t k, size_t j, double scale)
{
    size_t n = 0;
    for (size_t a = 0; a < 3; a++)
        for (size_t i = 0; i < p->nz; i++)
            n += fabs(p->A[(3 * k + a) * p->nz + i] -
                      (j == PH_NO_INDEX ? 0 : p->A[(3 * j + a) * p->nz + i])) > scale;
    return n;
}

/* Each point from the one before it where that takes fewer terms. */
static bool list_measured(ph_scene_points_list *list, const probe *p)
{
    double scale = 0;
    bool fits = true;
    for (size_t i = 0; i < p->n * p->nz; i++)
        scale = fmax(scale, 1e-14 * fabs(p->A[i]));
    for (size_t k = 0; k < list->n; k++) {
        const size_t before = k && p->known[k - 1] ? k - 1 : PH_NO_INDEX;
        const size_t from =
            before != PH_NO_INDEX && count_terms(p, k, before, scale) < count_terms(p, k, PH_NO_INDEX, 0)
                ? before
                : PH_NO_INDEX;
        double at[3];
        for (size_t a = 0; a < 3; a++)
            at[a] = p->c[3 * k + a] - (from == PH_NO_INDEX ? 0 : p->c[3 * from + a]);
        ph_scene_points_from(list, k, from, at);
        list->unknown[k] = !p->known[k];
        for (unsigned a = 0; a < 3 && p->known[k]; a++)
            for (size_t i = 0; i < p->nz; i++) {
                const double less = from == PH_NO_INDEX ? 0 : p->A[(3 * from + a) * p->nz + i],
                             term = p->A[(3 * k + a) * p->nz + i] - less;
                fits = fits && ph_scene_points_add(list, k, a, i, fabs(term) > scale ? term : 0);
            }
    }
    return fits;
}

/* s->points <- those of the callback, as far as they are affine; on embedded manifolds none. False without memory. */
static bool add_measured(ph_scene *s, const ph_system *system)
{
    enum { MOST = 1 << 22 };
    const ph_space *space = ph_system_space(system);
    probe p = {.system = system, .n = 3 * s->points.n, .nz = ph_space_ambient(space)};
    bool measured = p.n <= MOST / (p.nz + 8), fits;
    for (size_t i = 0; i < ph_space_factors(space); i++)
        measured = measured && ph_space_factor(space, i)->kind != PH_FACTOR_EMBEDDED;
    if (!measured) {
        for (size_t k = 0; k < s->points.n; k++) {
            ph_scene_points_from(&s->points, k, PH_NO_INDEX, origin);
            s->points.unknown[k] = true;
        }
        return true;
    }
    p.A = calloc(p.n * p.nz + 5 * p.n + 2 * p.nz, sizeof *p.A);
    p.known = calloc(s->points.n, sizeof *p.known);
    fits = p.A && p.known;
    if (fits) {
        p.c = p.A + p.n * p.nz;
        p.value = p.c + p.n;
        p.z = p.value + 4 * p.n;
        p.rest = p.z + p.nz;
        measure(&p);
        fits = list_measured(&s->points, &p);
    }
    free(p.A);
    free(p.known);
    return fits;
}

/* ---- Of a system ---------------------------------------------------------------------------------------- */

ph_status ph_scene_find_points(ph_scene *s, const ph_system *system, ph_error *err)
{
    const ph_structure *of = ph_structure_of(system);
    const ph_space *space = ph_system_space(system);
    const size_t n = ph_system_points(system);
    bool fits;
    s->own = n > 0;
    if (n > PH_SCENE_MOST || ph_parts_points(space, n) > PH_SCENE_MOST)
        return ph_fail(err, PH_E_SIZE, "a scene has at most %d points; this system has %zu", PH_SCENE_MOST,
                       ph_parts_points(space, n));
    if (!n)
        fits = add_places(s, system);
    else if (!ph_scene_points_begin(&s->points, n))
        fits = false;
    else if (!of->add_points || ph_system_has_own_points(system))
        fits = add_measured(s, system);
    else
        fits = of->add_points(system, &s->points);
    return fits ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}
