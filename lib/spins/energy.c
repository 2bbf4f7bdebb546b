/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy of spins by its declared parts, its gradient, and the vector field
 *     s_i' = (1/Gamma_i) g_i x s_i + lambda_i s_i x (s_i x g_i),   g = dH/ds. */
#include "spins.h"

#include <polhode/vector.h>

#include <math.h>

static const double four_pi = 12.566370614359172954;

/* ---- Pairs ---------------------------------------------------------------------------------------------- */

/* 2 - 2 s.r + core^2 without cancellation, on the spheres. */
static double chord_square(const double *s, const double *r, double core)
{
    const double d[3] = {s[0] - r[0], s[1] - r[1], s[2] - r[2]};
    return ph_dot3(d, d) + core * core;
}

void ph_vortex_slopes(const ph_spins *is, const ph_bonds *b, double c, size_t i, size_t j, const double *z,
                      double *f)
{
    const double square = chord_square(z + 3 * i, z + 3 * j, b->core);
    f[1] = 2 * c * ph_spin_strength(is, i) * ph_spin_strength(is, j) / four_pi / square;
    f[2] = 2 * f[1] / square;
}

/* *H += the energy of one bond. */
static ph_status add_pair_energy(const ph_spins *is, const ph_bonds *b, void *user, double c, size_t i,
                                 size_t j, const double *z, double *H)
{
    const double *s = z + 3 * i, *r = z + 3 * j;
    double f[3], turn[3];
    ph_status status = PH_OK;
    switch (b->kind) {
    case PH_BOND_EXCHANGE:
        *H -= c * ph_dot3(s, r);
        break;
    case PH_BOND_AXIAL:
        *H -= c * ph_dot3(b->axis, s) * ph_dot3(b->axis, r);
        break;
    case PH_BOND_TWIST:
        ph_cross3(s, r, turn);
        *H += c * ph_dot3(b->axis, turn);
        break;
    case PH_BOND_VORTICES:
        *H -= c * ph_spin_strength(is, i) * ph_spin_strength(is, j) / four_pi *
              log(chord_square(s, r, b->core));
        break;
    case PH_BOND_FUNCTION:
        status = b->function(user, ph_dot3(s, r), f);
        *H += c * f[0];
        break;
    }
    return status;
}

/* g += its gradient. */
static ph_status add_pair_gradient(const ph_spins *is, const ph_bonds *b, void *user, double c, size_t i,
                                   size_t j, const double *z, double *g)
{
    const double *s = z + 3 * i, *r = z + 3 * j;
    double *own = g + 3 * i, *other = g + 3 * j, f[3] = {0, 0, 0}, turn[3];
    ph_status status = PH_OK;
    double slope = 0; /* by s . r */
    switch (b->kind) {
    case PH_BOND_EXCHANGE:
        slope = -c;
        break;
    case PH_BOND_AXIAL:
        for (size_t k = 0; k < 3; k++) {
            own[k] -= c * ph_dot3(b->axis, r) * b->axis[k];
            other[k] -= c * ph_dot3(b->axis, s) * b->axis[k];
        }
        return PH_OK;
    case PH_BOND_TWIST: /* a . (s x r) = s . (r x a) = r . (a x s) */
        ph_cross3(r, b->axis, turn);
        for (size_t k = 0; k < 3; k++)
            own[k] += c * turn[k];
        ph_cross3(b->axis, s, turn);
        for (size_t k = 0; k < 3; k++)
            other[k] += c * turn[k];
        return PH_OK;
    case PH_BOND_VORTICES:
        ph_vortex_slopes(is, b, c, i, j, z, f);
        slope = f[1];
        break;
    case PH_BOND_FUNCTION:
        status = b->function(user, ph_dot3(s, r), f);
        slope = c * f[1];
        break;
    }
    for (size_t k = 0; k < 3; k++) {
        own[k] += slope * r[k];
        other[k] += slope * s[k];
    }
    return status;
}

/* ---- Sums ----------------------------------------------------------------------------------------------- */

ph_status ph_spins_add_energy(const ph_spin_system *spins, void *user, const double *z, double *H)
{
    const ph_spins *is = &spins->is;
    ph_status status = PH_OK;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        for (size_t k = 0; k < b->n && !status; k++)
            status = add_pair_energy(is, b, user, ph_bond_coefficient(b, k), b->first[k], b->second[k], z, H);
        for (size_t i = 0; b->all_pairs && i < is->n; i++)
            for (size_t j = i + 1; j < is->n && !status; j++)
                status = add_pair_energy(is, b, user, b->c[0], i, j, z, H);
    }
    for (size_t i = 0; i < is->n && is->field; i++)
        *H -= ph_dot3(is->field + (is->field_is_uniform ? 0 : 3 * i), z + 3 * i);
    for (size_t g = 0; g < is->n_anisotropies; g++) {
        const ph_anisotropy *a = &is->anisotropies[g];
        for (size_t i = 0; i < is->n; i++) {
            const double along = ph_dot3(a->axis, z + 3 * i);
            *H -= a->K[a->uniform ? 0 : i] * along * along;
        }
    }
    return status;
}

ph_status ph_spins_add_gradient(const ph_spin_system *spins, void *user, const double *z, double *g)
{
    const ph_spins *is = &spins->is;
    ph_status status = PH_OK;
    for (size_t m = 0; m < is->n_bonds; m++) {
        const ph_bonds *b = &is->bonds[m];
        for (size_t k = 0; k < b->n && !status; k++)
            status =
                add_pair_gradient(is, b, user, ph_bond_coefficient(b, k), b->first[k], b->second[k], z, g);
        for (size_t i = 0; b->all_pairs && i < is->n; i++)
            for (size_t j = i + 1; j < is->n && !status; j++)
                status = add_pair_gradient(is, b, user, b->c[0], i, j, z, g);
    }
    for (size_t i = 0; i < is->n && is->field; i++)
        for (size_t k = 0; k < 3; k++)
            g[3 * i + k] -= is->field[(is->field_is_uniform ? 0 : 3 * i) + k];
    for (size_t m = 0; m < is->n_anisotropies; m++) {
        const ph_anisotropy *a = &is->anisotropies[m];
        for (size_t i = 0; i < is->n; i++) {
            const double twice = -2 * a->K[a->uniform ? 0 : i] * ph_dot3(a->axis, z + 3 * i);
            for (size_t k = 0; k < 3; k++)
                g[3 * i + k] += twice * a->axis[k];
        }
    }
    return status;
}

/* ---- The control ---------------------------------------------------------------------------------------- */

static double moment_of(const ph_spins *is, size_t i)
{
    return is->moments ? is->moments[i] : 1;
}

/* -B . sum_i moment_i s_i */
static double in_field(const ph_spins *is, const double *B, const double *z)
{
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < is->n; i++)
        for (size_t k = 0; k < 3; k++)
            sum[k] += moment_of(is, i) * z[3 * i + k];
    return -ph_dot3(B, sum);
}

ph_status ph_spins_add_control(const ph_spin_system *spins, void *user, double t, const double *z, double *H)
{
    double B[3] = {0, 0, 0};
    ph_status status = spins->is.control(user, t, B, NULL);
    *H += in_field(&spins->is, B, z);
    return status;
}

ph_status ph_spins_add_control_gradient(const ph_spin_system *spins, void *user, double t, double *g)
{
    const ph_spins *is = &spins->is;
    double B[3] = {0, 0, 0};
    ph_status status = is->control(user, t, B, NULL);
    for (size_t i = 0; i < is->n; i++)
        for (size_t k = 0; k < 3; k++)
            g[3 * i + k] -= moment_of(is, i) * B[k];
    return status;
}

ph_status ph_spins_add_control_gradient_rate(const ph_spin_system *spins, void *user, double t, double *g)
{
    const ph_spins *is = &spins->is;
    double B[3] = {0, 0, 0}, dB[3] = {0, 0, 0};
    ph_status status = is->control(user, t, B, dB);
    for (size_t i = 0; i < is->n; i++)
        for (size_t k = 0; k < 3; k++)
            g[3 * i + k] -= moment_of(is, i) * dB[k];
    return status;
}

ph_status ph_spins_add_control_rate(const ph_spin_system *spins, void *user, double t, const double *z,
                                    double *rate)
{
    double B[3] = {0, 0, 0}, dB[3] = {0, 0, 0};
    ph_status status = spins->is.control(user, t, B, dB);
    *rate += in_field(&spins->is, dB, z);
    return status;
}

/* ---- The vector field ----------------------------------------------------------------------------------- */

void ph_spins_field(const ph_spin_system *spins, const double *z, const double *g, double *v)
{
    const ph_spins *is = &spins->is;
    for (size_t i = 0; i < is->n; i++) {
        const double *s = z + 3 * i, of = ph_spin_strength(is, i), lambda = is->damping ? is->damping[i] : 0;
        double turn[3], fall[3];
        ph_cross3(g + 3 * i, s, turn); /* g x s; s x (s x g) = (g x s) x s */
        ph_cross3(turn, s, fall);
        for (size_t k = 0; k < 3; k++)
            v[3 * i + k] = turn[k] / of + (lambda > 0 ? lambda * fall[k] : 0);
    }
}

void ph_spins_add_loss(const ph_spin_system *spins, const double *z, const double *g, double *power)
{
    for (size_t i = 0; i < spins->is.n && spins->is.damping; i++) {
        double turn[3];
        ph_cross3(z + 3 * i, g + 3 * i, turn);
        *power -= spins->is.damping[i] * ph_dot3(turn, turn);
    }
}
