/* SPDX-License-Identifier: BSD-3-Clause */
/* Independent rigid bodies, recognised in a constant inertia on SO(3)^n. With (1/2) tr(Rdot J_d Rdot^T) as
 * the kinetic energy of each body, MM consists of the blocks diag(J_d, J_d, J_d), and the tensor of a body
 * is J = tr(J_d) I - J_d. */
#include <polhode/kit/algebra.h>

#include "system.h"

#include <stdlib.h>

/* Is the block of factors i and j of MM, of rigid bodies, spheres and circles, I (x) N for some N, and 0 for i != j? */
static bool is_body_block(const ph_system *s, size_t i, size_t j)
{
    const ph_factor_place *fi = ph_space_factor(s->space, i), *fj = ph_space_factor(s->space, j);
    const size_t d = fi->kind == PH_FACTOR_SO3 ? 3 : 1;
    for (size_t a = 0; a < fi->nz; a++)
        for (size_t b = 0; b < fj->nz; b++) {
            const double entry = s->MM[(fi->z + a) * s->nz + fj->z + b];
            const bool zero = i != j || a / d != b / d;
            if (entry != (zero ? 0 : s->MM[(fi->z + a % d) * s->nz + fi->z + b % d]))
                return false;
        }
    return true;
}

/* E^T MM E is the same everywhere for the bases E of ph_space_basis: what is on R^d is as it is, the rest has
 * only inertias of their own. */
bool ph_system_inertia_is_uniform(const ph_system *s)
{
    if (!s || s->kind != PH_INERTIA_CONSTANT || !ph_system_is_dense(s))
        return false;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++) {
            const ph_factor_kind kind = ph_space_factor(s->space, i)->kind,
                                 other = ph_space_factor(s->space, j)->kind;
            if (kind == PH_FACTOR_R && other == PH_FACTOR_R)
                continue;
            if (kind == PH_FACTOR_EMBEDDED || other == PH_FACTOR_EMBEDDED)
                return false;
            if (s->MM ? !is_body_block(s, i, j) : i != j && s->M[i * s->n + j] != 0)
                return false;
        }
    return true;
}

/* J = tr(J_d) I - J_d from the block J_d whose rows begin at `at`. */
static void read_tensor(const double *MM, size_t nz, size_t at, double J[9])
{
    double trace = 0;
    for (size_t a = 0; a < 3; a++)
        trace += MM[(at + a) * nz + at + a];
    for (size_t a = 0; a < 9; a++)
        J[a] = (a % 4 ? 0 : trace) - MM[(at + a / 3) * nz + at + a % 3];
}

bool ph_system_body_tensor(const ph_system *s, size_t i, double J[9])
{
    const ph_factor_place *f = ph_space_factor(s->space, i);
    if (!s->MM || f->kind != PH_FACTOR_SO3 || !is_body_block(s, i, i))
        return false;
    read_tensor(s->MM, s->nz, f->z, J);
    return true;
}

/* Its tensor J and the inverse, the cofactors divided by the determinant. */
static void fill_body(ph_body *body, const double *MM, size_t nz, size_t i)
{
    double c[9];
    read_tensor(MM, nz, 9 * i, body->J);
    for (size_t a = 0; a < 3; a++) /* rows of the cofactors */
        ph_cross3(body->J + 3 * ((a + 1) % 3), body->J + 3 * ((a + 2) % 3), c + 3 * a);
    double determinant = ph_dot3(body->J, c);
    for (size_t a = 0; a < 9; a++)
        body->inverse[a] = c[3 * (a % 3) + a / 3] / determinant;
}

/* s->bodies <- the bodies, where the inertia is that of independent rigid bodies; false without memory. */
bool ph_system_find_bodies(ph_system *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->MM || ph_space_factor(s->space, i)->kind != PH_FACTOR_SO3)
            return true;
    for (size_t i = 0; i < s->n * s->n; i++)
        if (!is_body_block(s, i / s->n, i % s->n))
            return true;
    s->bodies = malloc(s->n * sizeof *s->bodies);
    for (size_t i = 0; s->bodies && i < s->n; i++)
        fill_body(&s->bodies[i], s->MM, s->nz, i);
    return s->bodies != NULL;
}
