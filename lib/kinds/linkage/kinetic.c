/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinetic energy of a linkage from its momenta, in O(n) and without its velocities. With the covectors mu
 * of p, and tensions s_i as unknowns, the impulse F_i at the end of link i and the momentum P_i of mass i are
 *     F_i = mu_i / l_i + s_i q_i,
 *     P_i = F_i - sum of F_c over the links c that hang on it,
 *     T = (1/2) sum w_i |P_i|^2,      w = 1/m, of a cart along its axes alone.
 * The tensions s that make the velocities tangent minimise T (Kelvin's theorem). So an error of the solution
 * enters T as its square, and no refinement is needed. They solve
 *     (w_i + w_p) q_i.q_i s_i - ... = - q_i . (w_i P_i - w_p P_p) at s = 0,      p the parent of i,
 * the matrix of tensions.c times the lengths, tridiagonal of a chain. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/tensions.h>

#include "lib/system/system.h"
#include "tree.h"

/* ---- Chains in space ------------------------------------------------------------------------------ */

/* Solves the tridiagonal equations c_(i-1) x_(i-1) + d_i x_i + c_i x_(i+1) = x_i, with the right-hand side in
 * x on entry; d is overwritten. Eliminates from both ends to the middle, so that two divisions run in
 * parallel. */
static void solve_rows(size_t n, const double *c, double *d, double *x)
{
    size_t i = 0, j = n - 1;
    double before = 0, f = 0, y = 0, behind = 0, g = 0, u = 0;
    for (; i < (n - 1) / 2; i++, j--) {
        const double over = 1 / (d[i] - before * f), under = 1 / (d[j] - behind * g);
        x[i] = y = (x[i] - before * y) * over;
        x[j] = u = (x[j] - behind * u) * under;
        before = c[i];
        behind = c[j - 1];
        d[i] = f = before * over;
        d[j] = g = behind * under;
    }
    if (i < j) {
        const double over = 1 / (d[i] - before * f);
        x[i] = y = (x[i] - before * y) * over;
        before = c[i];
        d[i] = f = before * over;
        i++;
    }
    x[i] = (x[i] - before * y - behind * u) / (d[i] - before * f - behind * g);
    for (; i > 0 || j < n - 1;) {
        if (i > 0) {
            x[i - 1] -= d[i - 1] * x[i];
            i--;
        }
        if (j < n - 1) {
            x[j + 1] -= d[j + 1] * x[j];
            j++;
        }
    }
}

/* work: 6 n */
static double chain_kinetic(const ph_tree *t, const double *z, const double *p, double *work)
{
    const size_t n = t->n - t->first;
    const double *q = z + t->cart, *pi = p + t->cart, *w = t->inverse_mass + t->first,
                 *il = t->inverse_length + t->first;
    double *F = work, *c = F + 3 * n, *d = c + n, *x = d + n, cart = 0, twice = 0;
    ph_cross3(pi, q, F);
    for (size_t a = 0; a < 3; a++)
        F[a] *= il[0];
    d[0] = w[0] * ph_dot3(q, q);
    x[0] = 0;
    for (size_t a = 0; a < t->cart; a++) {
        d[0] += t->inverse_mass[0] * q[a] * q[a];
        x[0] += t->inverse_mass[0] * q[a] * (p[a] - F[a]);
    }
    for (size_t i = 1; i < n; i++) {
        const double *last = q + 3 * i - 3, *own = last + 3, *pull = F + 3 * i - 3, wl = w[i - 1];
        ph_cross3(pi + 3 * i, own, F + 3 * i);
        for (size_t a = 0; a < 3; a++)
            F[3 * i + a] *= il[i];
        c[i - 1] = -wl * ph_dot3(last, own);
        d[i] = (wl + w[i]) * ph_dot3(own, own);
        x[i - 1] += wl * ph_dot3(last, pull + 3);
        x[i] = wl * ph_dot3(own, pull);
    }
    solve_rows(n, c, d, x);
    for (size_t a = 0; a < 3; a++)
        F[a] += x[0] * q[a];
    for (size_t a = 0; a < t->cart; a++)
        cart += (p[a] - F[a]) * (p[a] - F[a]);
    for (size_t i = 0; i < n; i++) {
        double P[3] = {F[3 * i], F[3 * i + 1], F[3 * i + 2]};
        for (size_t a = 0; a < 3 && i + 1 < n; a++) {
            F[3 * i + 3 + a] += x[i + 1] * q[3 * i + 3 + a];
            P[a] -= F[3 * i + 3 + a];
        }
        twice += w[i] * ph_dot3(P, P);
    }
    return 0.5 * (twice + (t->first ? t->inverse_mass[0] * cart : 0));
}

/* ---- Any linkage ---------------------------------------------------------------------------------- */

/* work: n, 2 nz, and the factors */
static ph_status tree_kinetic(const ph_system *s, const ph_tree *t, const double *z, const double *p,
                              double *kinetic, double *work)
{
    double *tau = work, *F = tau + t->n, *v = F + s->nz, *factors = v + s->nz, twice = 0;
    ph_status status = ph_tension_factor(s, z, z, factors, NULL);
    if (status)
        return status;
    ph_space_covector(s->space, z, p, F);
    ph_system_apply_inverse_inertia(s, F, v);
    for (size_t i = 0; i < t->n; i++) {
        tau[i] = 0;
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i) && i >= t->first; k++)
            tau[i] -= z[at + k] * v[at + k];
    }
    ph_tension_solve(s, factors, tau);
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            F[at + k] = t->inverse_length[i] * (F[at + k] + (i < t->first ? 0 : tau[i] * z[at + k]));
    for (size_t i = 0; i < t->n; i++) { /* ascending: what hangs on i is still a pull */
        const size_t at = ph_tree_at(t, i), parent = t->parent[i],
                     taken = parent == PH_NO_INDEX ? 0 : ph_tree_numbers(t, parent);
        for (size_t k = 0; k < taken; k++)
            F[ph_tree_at(t, parent) + k] -= F[at + k];
    }
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0, at = ph_tree_at(t, i); k < ph_tree_numbers(t, i); k++)
            twice += t->inverse_mass[i] * (F[at + k] * F[at + k]);
    *kinetic = 0.5 * twice;
    return PH_OK;
}

ph_status ph_linkage_kinetic(const ph_system *s, const double *z, const double *p, double *kinetic,
                             double *work)
{
    const ph_tree *t = s->own;
    if (!t->chain || t->d != 3)
        return tree_kinetic(s, t, z, p, kinetic, work);
    *kinetic = chain_kinetic(t, z, p, work);
    return PH_OK;
}
