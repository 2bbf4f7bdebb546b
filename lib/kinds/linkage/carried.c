/* SPDX-License-Identifier: BSD-3-Clause */
/* Links that a rigid body carries: products with MM without that matrix, velocities from momenta. With c = R hitch, omega the
 * angular velocity in space, u_i the velocities of the masses, u_0 = xdot + omega x c that of the point that the links hang on,
 *     u_i = u_parent + l_i qdot_i,    P_i = m_i u_i,    F_i = P_i + sum of F over the links that hang on i,    F sum of those on the body,
 * the momenta are l_i F_i of q_i, m xdot + F of x, and Rdot J_d + F hitch^T of R, whose moment S = R J R^T omega + c x F. A pull f on the
 * hitch moves it by W f,
 *     W = I / m - S(c) (R J R^T)^{-1} S(c),
 * in the place of the inverse mass of a cart in the matrix of tensions (tension-matrix.c), whose pattern stays as it is. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/tensions.h>

#include "carried.h"
#include "lib/system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODY = 9 }; /* from z to z of the linkage without the body */

/* ---- Of a system ---------------------------------------------------------------------------------- */

void ph_carried_free(void *own)
{
    ph_carried *c = own;
    ph_system_free(c->links);
    free(c);
}

const ph_linkage_body *ph_system_carrier(const ph_system *s, const ph_system **links)
{
    const ph_carried *c = ph_system_own(s, ph_carried_free);
    *links = c ? c->links : NULL;
    return c ? &c->body : NULL;
}

ph_status ph_tension_factor_on(const ph_system *links, const double *W, const double *q1, const double *q,
                               double *F, int *sign)
{
    return links ? ph_tree_tension_factor(ph_system_tree(links), W, q1, q, F, sign) : PH_E_INVALID;
}

/* ---- Inertia ------------------------------------------------------------------------------------ */

/* u <- velocities of the masses, that of the hitch in front. */
static void spread(const ph_carried *c, const double *v, double *u)
{
    const ph_tree *t = c->tree;
    ph_apply3(v + 3, c->body.hitch, u);
    for (size_t a = 0; a < 3; a++)
        u[a] += v[a];
    for (size_t i = 1; i < t->n; i++)
        for (size_t a = 0; a < 3; a++)
            u[3 * i + a] = u[3 * t->parent[i] + a] + t->length[i] * v[BODY + 3 * i + a];
}

void ph_carried_apply(const ph_carried *c, const double *v, double *mu)
{
    const ph_tree *t = c->tree;
    double *u = mu + BODY, *F = u; /* behind what R has */
    spread(c, v, u);
    for (size_t a = 0; a < 3; a++)
        F[a] = 0;
    for (size_t i = 1; i < t->n; i++)
        for (size_t a = 0; a < 3; a++)
            F[3 * i + a] *= t->mass[i];
    for (size_t i = t->n; i-- > 1;)
        for (size_t a = 0; a < 3; a++) {
            F[3 * t->parent[i] + a] += F[3 * i + a];
            F[3 * i + a] *= t->length[i];
        }
    const double on[3] = {F[0], F[1], F[2]};
    for (size_t a = 0; a < 3; a++) {
        mu[a] = t->mass[0] * v[a] + on[a];
        for (size_t k = 0; k < 3; k++)
            mu[3 + 3 * a + k] = ph_dot3(c->second + 3 * k, v + 3 + 3 * a) + on[a] * c->body.hitch[k];
    }
}

/* MM has the same for each of the three coordinates of space: one of them from rows of numbers like these. */
static void put(double *MM, size_t nz, size_t row, size_t column, double value)
{
    MM[row * nz + column] = MM[column * nz + row] = value;
}

void ph_carried_inertia(const ph_carried *c, size_t nz, double *MM)
{
    const ph_tree *t = c->tree;
    const double *hitch = c->body.hitch, carried = t->hanging[0] - t->mass[0];
    memset(MM, 0, nz * nz * sizeof *MM);
    for (size_t a = 0; a < 3; a++) {
        const size_t R = 3 + 3 * a;
        put(MM, nz, a, a, t->hanging[0]);
        for (size_t k = 0; k < 3; k++) {
            put(MM, nz, a, R + k, carried * hitch[k]);
            for (size_t l = 0; l <= k; l++)
                put(MM, nz, R + k, R + l, c->second[3 * k + l] + carried * (hitch[k] * hitch[l]));
        }
        for (size_t i = 1; i < t->n; i++) {
            const size_t q = BODY + 3 * i + a;
            const double moment = t->hanging[i] * t->length[i];
            put(MM, nz, a, q, moment);
            for (size_t k = 0; k < 3; k++)
                put(MM, nz, R + k, q, moment * hitch[k]);
            for (size_t j = i; j > 0; j = t->parent[j])
                put(MM, nz, q, BODY + 3 * j + a, moment * t->length[j]);
        }
    }
}

/* ---- Velocities --------------------------------------------------------------------------------- */

static void turn_by(const ph_carried *c, const double *R, const double x[3], double y[3])
{
    double own[3], turned[3];
    ph_apply_transposed3(R, x, own);
    ph_apply3(c->inverse, own, turned);
    ph_apply3(R, turned, y);
}

void ph_carried_mobility(const ph_carried *c, const double *R, double W[9])
{
    double RW[9];
    ph_multiply3(R, c->turned, RW);
    for (size_t k = 0; k < 3; k++) { /* rows of the second term, which is symmetric */
        ph_apply3(R, RW + 3 * k, W + 3 * k);
        W[4 * k] += c->tree->inverse_mass[0];
    }
}

void ph_carried_moment(const double *R, const double *mu, double S[3])
{
    for (size_t k = 0; k < 3; k++) {
        const size_t a = (k + 1) % 3, b = (k + 2) % 3;
        S[k] = ph_dot3(R + 3 * a, mu + 3 * b) - ph_dot3(R + 3 * b, mu + 3 * a);
    }
}

/* u <- of the pulls F (3 n, from the second on) along the links, the force f and the moment S on the body. */
static void respond(const ph_carried *c, const double *R, const double arm[3], const double f[3],
                    const double S[3], const double *F, double *u, double xdot[3], double omega[3])
{
    const ph_tree *t = c->tree;
    double on[3] = {0, 0, 0}, moment[3], turn[3];
    for (size_t i = 1; i < t->n; i++) {
        const size_t parent = t->parent[i];
        double *of = parent ? u + 3 * parent : on;
        for (size_t a = 0; a < 3; a++) {
            u[3 * i + a] = t->inverse_mass[i] * F[3 * i + a];
            of[a] -= (parent ? t->inverse_mass[parent] : 1) * F[3 * i + a];
        }
    }
    ph_cross3(arm, on, moment);
    for (size_t a = 0; a < 3; a++) {
        xdot[a] = t->inverse_mass[0] * (f[a] + on[a]);
        moment[a] += S[a];
    }
    turn_by(c, R, moment, omega);
    ph_cross3(omega, arm, turn);
    for (size_t a = 0; a < 3; a++)
        u[a] = xdot[a] + turn[a];
}

size_t ph_carried_work(const ph_carried *c)
{
    return 7 * c->tree->n + ph_tree_tension_size(c->tree);
}

ph_status ph_carried_velocity(const ph_carried *c, const double *z, const double *mu, double *zdot,
                              double *work)
{
    const ph_tree *t = c->tree;
    const double *R = z + 3, *q = z + BODY;
    double *tau = work, *F = tau + t->n, *u = F + 3 * t->n, *factors = u + 3 * t->n;
    double arm[3], W[9], S[3], xdot[3], omega[3], own[3];
    ph_apply3(R, c->body.hitch, arm);
    ph_carried_mobility(c, R, W);
    if (!ph_all_finite(z, BODY + 3 * t->n) || !ph_all_finite(mu, BODY + 3 * t->n))
        return PH_E_NOT_FINITE;
    ph_status status = ph_tree_tension_factor(t, W, q, q, factors, NULL);
    if (status)
        return status;
    ph_carried_moment(R, mu + 3, S);
    for (size_t i = 1; i < t->n; i++)
        for (size_t a = 0; a < 3; a++)
            F[3 * i + a] = t->inverse_length[i] * mu[BODY + 3 * i + a];
    for (int pass = 0; pass < 2; pass++) { /* the second for what rounding leaves */
        respond(c, R, arm, mu, S, F, u, xdot, omega);
        for (size_t i = 1; i < t->n; i++) {
            const double *on = u + 3 * t->parent[i], *of = u + 3 * i;
            const double way[3] = {of[0] - on[0], of[1] - on[1], of[2] - on[2]};
            tau[i] = -t->inverse_length[i] * ph_dot3(q + 3 * i, way);
        }
        ph_tree_tension_solve(t, factors, tau);
        for (size_t i = 1; i < t->n; i++)
            for (size_t a = 0; a < 3; a++)
                F[3 * i + a] += t->inverse_length[i] * tau[i] * q[3 * i + a];
    }
    respond(c, R, arm, mu, S, F, u, xdot, omega);
    for (size_t i = 1; i < t->n; i++)
        for (size_t a = 0; a < 3; a++)
            zdot[BODY + 3 * i + a] = (u[3 * i + a] - u[3 * t->parent[i] + a]) * t->inverse_length[i];
    ph_apply_transposed3(R, omega, own);
    for (size_t a = 0; a < 3; a++) {
        zdot[a] = xdot[a];
        ph_cross3(R + 3 * a, own, zdot + 3 + 3 * a); /* rows of R S(own) */
    }
    return PH_OK;
}
