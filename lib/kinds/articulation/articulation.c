/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of rigid bodies joined by ball joints (ph_articulation): checks, a copy with what is computed from
 * it, the potential, and products with MM without that matrix. Of body i, y_i is the place of its joint, c_i
 * leads from there to its centre of mass and d_i from its parent's joint to its own, all in space:
 *     ydot_i = ydot_parent + omega_parent x d_i,      xdot_i = ydot_i + omega_i x c_i,
 *     L_i = m_i xdot_i + sum_children L,   S_i = J_i omega_i + m_i c_i x xdot_i + sum_children d x L,
 * L_i what passes through the joint, S_i = R_i Pi_i the momentum. Velocities from momenta are in rate.c. */
#include <polhode/kit/algebra.h>

#include "articulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Checks ------------------------------------------------------------------------------------- */

static const double symmetric_to = 1e-12; /* relative difference allowed across the diagonal */
static const double rounding = 1e-12;     /* relative error allowed in principal moments */

/* Are the 3 n numbers of a list of vectors finite? */
static ph_status check_numbers(const double *v, size_t n, const char *what, ph_error *err)
{
    for (size_t k = 0; k < 3 * n; k++)
        if (!isfinite(v[k]))
            return ph_fail(err, PH_E_NOT_FINITE,
                           "articulation: the %s of body %zu has an entry that is not a finite number", what,
                           k / 3 + 1);
    return PH_OK;
}

/* Is sign J + (shift + slack) I positive semidefinite? By its principal minors. */
static bool is_semidefinite(const double *J, double shift, double sign, double slack)
{
    double A[9], c[9];
    for (int k = 0; k < 9; k++)
        A[k] = sign * J[k] + (k % 4 ? 0 : shift + slack);
    for (int a = 0; a < 3; a++)
        ph_cross3(A + 3 * ((a + 1) % 3), A + 3 * ((a + 2) % 3), c + 3 * a);
    bool good = ph_dot3(A, c) >= 0;
    for (int a = 0; a < 3; a++)
        good = good && A[4 * a] >= 0 && c[4 * a] >= 0;
    return good;
}

/* Is J (9) the inertia tensor of some body: symmetric, with principal moments that are not negative and of
 * which none exceeds the sum of the other two (the integrals of x^2, y^2, z^2 over the body are not
 * negative)? */
ph_status ph_articulated_check_tensor(const double *J, const char *what, ph_error *err)
{
    double trace = J[0] + J[4] + J[8], size = fabs(J[0]) + fabs(J[4]) + fabs(J[8]);
    for (int k = 0; k < 9; k++)
        if (!isfinite(J[k]))
            return ph_fail(err, PH_E_NOT_FINITE, "%s has an entry that is not a finite number", what);
    for (int k = 0; k < 9; k++) {
        double across = J[k % 3 * 3 + k / 3];
        if (!(fabs(J[k] - across) <= symmetric_to * size))
            return ph_fail(err, PH_E_INVALID,
                           "%s is not symmetric: "
                           "[%d][%d] is %.17g, [%d][%d] is %.17g",
                           what, k / 3, k % 3, J[k], k % 3, k / 3, across);
    }
    if (!is_semidefinite(J, 0, 1, rounding * size))
        return ph_fail(err, PH_E_RANGE,
                       "%s has a negative principal moment, "
                       "which no body has: smaller products are expected",
                       what);
    /* tr(J)/2 I - J: its eigenvalues are (J_1 + J_2 - J_3)/2 and the like */
    if (!is_semidefinite(J, 0.5 * trace, -1, rounding * size))
        return ph_fail(
            err, PH_E_RANGE,
            "%s: its largest principal moment exceeds "
            "the sum of the others, which is impossible (they are equal when all mass is in one plane)",
            what);
    return PH_OK;
}

/* Are the mass, the parent and the tensor of body i possible? */
static ph_status check_body(const ph_articulation *a, size_t i, ph_error *err)
{
    if (!isfinite(a->mass[i]) || !(a->mass[i] > 0))
        return ph_fail(err, isfinite(a->mass[i]) ? PH_E_RANGE : PH_E_NOT_FINITE,
                       "articulation: the mass of body %zu is %g kg; it must be positive", i + 1, a->mass[i]);
    if (a->parent && a->parent[i] != PH_NO_INDEX && a->parent[i] >= i)
        return ph_fail(err, PH_E_INVALID,
                       "articulation: parent[%zu] is %zu; "
                       "a parent stands before its children (or is PH_NO_INDEX, a fixed point): "
                       "number the bodies from the root to the leaves",
                       i, a->parent[i]);
    char what[60];
    snprintf(what, sizeof what, "articulation: the inertia of body %zu", i + 1);
    return ph_articulated_check_tensor(a->inertia + 9 * i, what, err);
}

ph_status ph_articulated_check(const ph_articulation *a, const ph_space *space, ph_error *err)
{
    size_t n = ph_space_factors(space);
    for (size_t i = 0; i < n; i++)
        if (ph_space_factor(space, i)->kind != PH_FACTOR_SO3)
            return ph_fail(err, PH_E_INVALID,
                           "an articulation is for rigid bodies: "
                           "every factor of the space is SO(3), and factor %zu is not",
                           i + 1);
    if (!a->mass || !a->inertia || !a->joint || !a->anchor)
        return ph_fail(err, PH_E_INVALID, "an articulation needs mass, inertia, joint and anchor; %s is NULL",
                       !a->mass      ? "mass"
                       : !a->inertia ? "inertia"
                       : !a->joint   ? "joint"
                                     : "anchor");
    ph_status status = check_numbers(a->joint, n, "joint", err);
    if (!status)
        status = check_numbers(a->anchor, n, "anchor", err);
    for (size_t k = 0; k < 3 && !status; k++)
        if (!isfinite(a->gravity[k]))
            status = ph_fail(err, PH_E_NOT_FINITE, "articulation: gravity[%zu] is not a finite number", k);
    for (size_t i = 0; i < n && !status; i++)
        status = check_body(a, i, err);
    return status;
}

/* ---- The copy ----------------------------------------------------------------------------------- */

/* Copies what the user gave, and computes for each body J_d = (tr J / 2) I - J, the vector from its joint
 * to its centre of mass, and the vector from its parent's joint to its own. Tensors are made exactly
 * symmetric. */
static void copy_bodies(ph_articulated *t, const ph_articulation *a)
{
    for (size_t i = 0; i < t->n; i++) {
        size_t p = a->parent ? a->parent[i] : i ? i - 1 : PH_NO_INDEX;
        t->parent[i] = p;
        t->mass[i] = a->mass[i];
        const double *J = t->inertia + 9 * i;
        for (size_t k = 0; k < 9; k++) /* exactly symmetric */
            t->inertia[9 * i + k] = 0.5 * (a->inertia[9 * i + k] + a->inertia[9 * i + k % 3 * 3 + k / 3]);
        for (size_t k = 0; k < 9; k++)
            t->second[9 * i + k] = (k % 4 ? 0 : 0.5 * (J[0] + J[4] + J[8])) - J[k];
        for (size_t k = 0; k < 3; k++) {
            t->joint[3 * i + k] = a->joint[3 * i + k];
            t->anchor[3 * i + k] = a->anchor[3 * i + k];
            t->centre[3 * i + k] = -a->joint[3 * i + k];
            t->offset[3 * i + k] = p == PH_NO_INDEX ? 0 : a->anchor[3 * i + k] - a->joint[3 * p + k];
        }
    }
}

/* Computes w_i, the mass below, and the constant of U, all of which are 0 on entry. */
static void sum_below(ph_articulated *t)
{
    double *below = t->below;
    for (size_t i = t->n; i-- > 0;) {
        double *w = t->pull + 3 * i;
        below[i] += t->mass[i];
        for (size_t k = 0; k < 3; k++)
            w[k] += t->mass[i] * t->centre[3 * i + k];
        if (t->parent[i] == PH_NO_INDEX) {
            t->ground -= below[i] * ph_dot3(t->is.gravity, t->anchor + 3 * i);
            continue;
        }
        below[t->parent[i]] += below[i];
        for (size_t k = 0; k < 3; k++)
            t->pull[3 * t->parent[i] + k] += below[i] * t->offset[3 * i + k];
    }
}

/* Does every turn of a body about its joint move mass? Then every motion does: seen from the root, a joint is at rest as long as
 * no mass has moved. The condition numbers of Q in the elimination (rate.c) are at most those of a moment about the joint to
 * the largest one with all that hangs on the body; they are far from 1e13 where this bound is below 1e11. */
static bool is_regular(const ph_articulated *t)
{
    double longest = 0; /* square of the largest distance between joints */
    bool regular = true;
    for (size_t i = 0; i < t->n; i++)
        longest = fmax(longest, ph_dot3(t->offset + 3 * i, t->offset + 3 * i));
    for (size_t i = 0; i < t->n && regular; i++) {
        const double *c = t->centre + 3 * i, square = ph_dot3(c, c);
        double J[9];
        for (size_t k = 0; k < 9; k++)
            J[k] = t->inertia[9 * i + k] + t->mass[i] * ((k % 4 ? 0 : square) - c[k / 3] * c[k % 3]);
        /* of three moments the least is at least their product divided by the square of half their sum */
        const double sum = J[0] + J[4] + J[8], least = 4 * ph_determinant3(J) / (sum * sum);
        regular = sum + t->below[i] * longest < 1e11 * least;
    }
    return regular;
}

ph_articulated *ph_articulated_create(const ph_articulation *a, size_t n)
{
    enum { NUMBERS = 1 + 9 + 9 + 5 * 3 + 1 };
    ph_articulated *t = calloc(1, sizeof *t + n * (NUMBERS * sizeof(double) + sizeof(size_t)));
    if (!t)
        return NULL;
    double *next = (double *)(t + 1);
    double **three[] = {&t->joint, &t->anchor, &t->centre, &t->offset, &t->pull};
    t->n = n;
    t->mass = next;
    t->inertia = next + n;
    t->second = next + 10 * n;
    next += 19 * n;
    for (size_t k = 0; k < sizeof three / sizeof three[0]; k++, next += 3 * n)
        *three[k] = next;
    t->below = next;
    t->parent = (size_t *)(void *)(next + n);
    t->is = (ph_articulation){t->mass,  t->inertia, t->parent,
                              t->joint, t->anchor,  {a->gravity[0], a->gravity[1], a->gravity[2]}};
    copy_bodies(t, a);
    sum_below(t);
    t->regular = is_regular(t);
    return t;
}

void ph_articulated_free(void *tree)
{
    free(tree);
}

const ph_articulation *ph_system_articulation(const ph_system *s)
{
    const ph_articulated *tree = ph_system_own(s, ph_articulated_free);
    return tree ? &tree->is : NULL;
}

/* ---- Potential ---------------------------------------------------------------------------------- */

bool ph_articulated_is_heavy(const ph_articulated *t)
{
    const double *G = t->is.gravity;
    bool any = false;
    for (size_t k = 0; k < 3 * t->n && !any; k++)
        any = t->pull[k] != 0;
    return any && (G[0] != 0 || G[1] != 0 || G[2] != 0);
}

/* U = ground - sum_i gravity . R_i w_i, w_i the mass times lever of all that hangs on body i. */
double ph_articulated_potential(const ph_articulated *t, const double *z)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++) {
        double lever[3];
        ph_apply3(z + 9 * i, t->pull + 3 * i, lever);
        sum += ph_dot3(t->is.gravity, lever);
    }
    return t->ground - sum;
}

/* dU/dR_i = - gravity w_i^T, a constant. */
void ph_articulated_gradient(const ph_articulated *t, double *dU)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < 9; k++)
            dU[9 * i + k] = -t->is.gravity[k / 3] * t->pull[3 * i + k % 3];
}

/* ---- Inertia ------------------------------------------------------------------------------------ */

/* With x_i = sum_j R_j v_ij, MM has for each of the three rows of the R's the blocks
 *     N_jk = sum_i m_i v_ij v_ik^T (+ J_d on the diagonal).
 * Everything that hangs on k has the same lever d in an ancestor j: N_jk = d w_k^T. */
void ph_articulated_inertia(const ph_articulated *t, double *MM)
{
    size_t nz = 9 * t->n;
    memset(MM, 0, nz * nz * sizeof *MM);
    for (size_t k = 0; k < t->n; k++) {
        const double *Jd = t->second + 9 * k, *c = t->centre + 3 * k, *w = t->pull + 3 * k;
        for (size_t row = 0; row < 3; row++)
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    MM[(9 * k + 3 * row + a) * nz + 9 * k + 3 * row + b] +=
                        Jd[3 * a + b] + t->mass[k] * (c[a] * c[b]);
        for (size_t at = k; t->parent[at] != PH_NO_INDEX; at = t->parent[at]) {
            const double *d = t->offset + 3 * at;
            size_t j = t->parent[at];
            for (size_t row = 0; row < 3; row++)
                for (size_t a = 0; a < 3; a++)
                    for (size_t b = 0; b < 3; b++) {
                        size_t to = 9 * j + 3 * row + a, from = 9 * k + 3 * row + b;
                        MM[to * nz + from] = MM[from * nz + to] = d[a] * w[b];
                    }
        }
    }
    for (size_t k = t->n; k-- > 1;) { /* the mass below k moves with d: it goes to the parent's own block */
        if (t->parent[k] == PH_NO_INDEX)
            continue;
        const double *d = t->offset + 3 * k;
        for (size_t row = 0; row < 3; row++)
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++) {
                    size_t at = 9 * t->parent[k] + 3 * row;
                    MM[(at + a) * nz + at + b] += t->below[k] * (d[a] * d[b]);
                }
    }
}

/* mu_i = v_i J_d + m xdot_i c^T + sum_children L d^T. Until mu_i is computed, its nine places hold ydot
 * (0..2), L (3..5) and m xdot (6..8) of body i. */
void ph_articulated_apply(const ph_articulated *t, const double *v, double *mu)
{
    for (size_t i = 0; i < t->n; i++) {
        double *y = mu + 9 * i, turn[3];
        size_t p = t->parent[i];
        for (size_t k = 0; k < 3; k++)
            y[k] = p == PH_NO_INDEX ? 0 : mu[9 * p + k] + ph_dot3(v + 9 * p + 3 * k, t->offset + 3 * i);
        ph_apply3(v + 9 * i, t->centre + 3 * i, turn);
        for (size_t k = 0; k < 3; k++)
            y[3 + k] = y[6 + k] = t->mass[i] * (y[k] + turn[k]);
    }
    for (size_t i = t->n; i-- > 0;)
        for (size_t k = 3; k < 6 && t->parent[i] != PH_NO_INDEX; k++)
            mu[9 * t->parent[i] + k] += mu[9 * i + k];
    for (size_t i = 0; i < t->n; i++) {
        const double *Jd = t->second + 9 * i, *c = t->centre + 3 * i, *d = t->offset + 3 * i,
                     *own = v + 9 * i;
        double kept[9], *parent = t->parent[i] == PH_NO_INDEX ? NULL : mu + 9 * t->parent[i];
        memcpy(kept, mu + 9 * i, sizeof kept);
        for (size_t k = 0; k < 9; k++) {
            if (parent)
                parent[k] += kept[3 + k / 3] * d[k % 3];
            mu[9 * i + k] = ph_dot3(own + k / 3 * 3, Jd + k % 3 * 3) + kept[6 + k / 3] * c[k % 3];
        }
    }
}
