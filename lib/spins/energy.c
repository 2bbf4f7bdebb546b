/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy of spins by its declared parts, its gradient, and the vector field
 *     s_i' = (1/Gamma_i) g_i x s_i + lambda_i s_i x (s_i x g_i),   g = dH/ds. */
#include "lanes.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

static const double four_pi = 12.566370614359172954;

/* ---- Pairs ---------------------------------------------------------------------------------------------- */

void ph_vortex_slopes(const ph_spins *is, const ph_bonds *b, double c, size_t i, size_t j, const double *z,
                      double *f)
{
    const double square = ph_chord_square(z + 3 * i, z + 3 * j) + b->core * b->core;
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
              ph_log(ph_chord_square(s, r) + b->core * b->core);
        break;
    case PH_BOND_FUNCTION:
        status = b->function(user, ph_dot3(s, r), f);
        *H += c * f[0];
        break;
    }
    return status;
}

/* How the pair's gradient is written. On the spheres a multiple of s at s changes nothing: what pulls s
 * towards r along their difference has no cancellation in its torque where they are near, and both get the
 * same three numbers. */
typedef enum form { AMBIENT, DIFFERENCES } form;

/* g += its gradient, or the same up to multiples of each spin. */
static ph_status add_pair_gradient(const ph_spins *is, const ph_bonds *b, form as, void *user, double c,
                                   size_t i, size_t j, const double *z, double *g)
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
    case PH_BOND_VORTICES: /* of |s - r|^2, also off the spheres */
        as = DIFFERENCES;
        ph_vortex_slopes(is, b, c, i, j, z, f);
        slope = f[1];
        break;
    case PH_BOND_FUNCTION:
        status = b->function(user, ph_dot3(s, r), f);
        slope = c * f[1];
        break;
    }
    for (size_t k = 0; k < 3; k++) {
        const double pull = slope * (r[k] - s[k]);
        own[k] += as == DIFFERENCES ? pull : slope * r[k];
        other[k] += as == DIFFERENCES ? -pull : slope * s[k];
    }
    return status;
}

/* ---- Sums ----------------------------------------------------------------------------------------------- */

/* So many spins or bonds are done with one another: their numbers are near, and their sum rounds less. */
enum { BLOCK = 256 };

/* *H += the energy of a group that is a list of pairs only, or of all pairs. */
static ph_status add_pairs_energy(const ph_spins *is, const ph_bonds *b, void *user, const double *z,
                                  double *H)
{
    ph_status status = PH_OK;
    for (size_t begin = 0; begin < b->n; begin += BLOCK) {
        double some = 0;
        for (size_t k = begin; k < begin + BLOCK && k < b->n && !status; k++)
            status =
                add_pair_energy(is, b, user, ph_bond_coefficient(b, k), b->first[k], b->second[k], z, &some);
        *H += some;
    }
    for (size_t i = 0; b->all_pairs && i < is->n; i++) {
        double some = 0;
        for (size_t j = i + 1; j < is->n && !status; j++)
            status = add_pair_energy(is, b, user, b->c[0], i, j, z, &some);
        *H += some;
    }
    return status;
}

/* g (3 (end - begin), and see ph_spin_lanes_add_runs) += what neighbours give the spins from begin to end. */
static void add_neighbours(const ph_spin_system *spins, form as, const double *z, size_t begin, size_t end,
                           double *g)
{
    double sum[3 * BLOCK + 4];
    for (size_t m = 0; m < spins->is.n_bonds; m++) {
        const ph_spin_runs *runs = &spins->runs[m];
        if (!runs->run)
            continue;
        if (runs->mapped)
            memset(sum, 0, (3 * (end - begin) + 4) * sizeof *sum);
        ph_spin_lanes_add_runs(spins->wide, runs, as == DIFFERENCES && runs->differences, spins->is.n, z,
                               begin, end, runs->mapped ? sum : g);
        if (runs->mapped)
            ph_spin_lanes_map(spins->wide, runs->map, end - begin, sum, g);
    }
}

/* The energy of all else, of the spins from begin to end. Each bond is met at both of its spins: half counts. */
static double energy_of_sites(const ph_spin_system *spins, const double *z, size_t begin, size_t end)
{
    const ph_spins *is = &spins->is;
    double g[3 * BLOCK + 4], twice = 0, once = 0;
    memset(g, 0, (3 * (end - begin) + 1) * sizeof *g);
    add_neighbours(spins, AMBIENT, z, begin, end, g);
    for (size_t i = begin; i < end; i++)
        twice += ph_dot3(g + 3 * (i - begin), z + 3 * i);
    for (size_t i = begin; i < end && is->field; i++)
        once -= ph_dot3(is->field + (is->field_is_uniform ? 0 : 3 * i), z + 3 * i);
    for (size_t m = 0; m < is->n_anisotropies; m++) {
        const ph_anisotropy *a = &is->anisotropies[m];
        for (size_t i = begin; i < end; i++) {
            const double along = ph_dot3(a->axis, z + 3 * i);
            once -= a->K[a->uniform ? 0 : i] * along * along;
        }
    }
    return twice / 2 + once;
}

ph_status ph_spins_add_energy(const ph_spin_system *spins, void *user, const double *z, double *H)
{
    const ph_spins *is = &spins->is;
    ph_status status = PH_OK;
    for (size_t m = 0; m < is->n_bonds && !status; m++)
        if (!spins->runs[m].run)
            status = add_pairs_energy(is, &is->bonds[m], user, z, H);
    for (size_t begin = 0; begin < is->n; begin += BLOCK)
        *H += energy_of_sites(spins, z, begin, begin + BLOCK < is->n ? begin + BLOCK : is->n);
    if (is->constant != 0) /* not even the sign of a zero changes without one */
        *H += is->constant;
    return status;
}

/* g (3n) += the gradient of the groups that are lists of pairs only. */
static ph_status add_pairs(const ph_spin_system *spins, form as, void *user, const double *z, double *g)
{
    const ph_spins *is = &spins->is;
    ph_status status = PH_OK;
    for (size_t m = 0; m < is->n_bonds; m++) {
        const ph_bonds *b = &is->bonds[m];
        if (spins->runs[m].run)
            continue;
        if (b->all_pairs && b->kind == PH_BOND_VORTICES) {
            ph_spin_lanes_add_vortices(spins->wide, is, b->c[0], b->core, z, g);
            continue;
        }
        for (size_t k = 0; k < b->n && !status; k++)
            status = add_pair_gradient(is, b, as, user, ph_bond_coefficient(b, k), b->first[k], b->second[k],
                                       z, g);
        for (size_t i = 0; b->all_pairs && i < is->n; i++)
            for (size_t j = i + 1; j < is->n && !status; j++)
                status = add_pair_gradient(is, b, as, user, b->c[0], i, j, z, g);
    }
    return status;
}

static bool has_pairs(const ph_spin_system *spins)
{
    for (size_t m = 0; m < spins->is.n_bonds; m++)
        if (!spins->runs[m].run)
            return true;
    return false;
}

/* g (3 (end - begin), and see ph_spin_lanes_add_runs) += the gradient of all else, at the spins from begin
 * to end. */
static void add_sites(const ph_spin_system *spins, form as, const double *z, size_t begin, size_t end,
                      double *g)
{
    const ph_spins *is = &spins->is;
    add_neighbours(spins, as, z, begin, end, g);
    for (size_t i = begin; i < end && is->field; i++)
        for (size_t k = 0; k < 3; k++)
            g[3 * (i - begin) + k] -= is->field[(is->field_is_uniform ? 0 : 3 * i) + k];
    for (size_t m = 0; m < is->n_anisotropies; m++) {
        const ph_anisotropy *a = &is->anisotropies[m];
        for (size_t i = begin; i < end; i++) {
            const double twice = -2 * a->K[a->uniform ? 0 : i] * ph_dot3(a->axis, z + 3 * i);
            for (size_t k = 0; k < 3; k++)
                g[3 * (i - begin) + k] += twice * a->axis[k];
        }
    }
}

ph_status ph_spins_add_gradient(const ph_spin_system *spins, void *user, const double *z, double *g)
{
    ph_status status = add_pairs(spins, AMBIENT, user, z, g);
    for (size_t begin = 0; begin < spins->is.n && !status; begin += BLOCK)
        add_sites(spins, AMBIENT, z, begin, begin + BLOCK < spins->is.n ? begin + BLOCK : spins->is.n,
                  g + 3 * begin);
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

/* g (3 (end - begin)) -= moment_i B */
static void add_field(const ph_spins *is, const double *B, size_t begin, size_t end, double *g)
{
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < 3; k++)
            g[3 * (i - begin) + k] -= moment_of(is, i) * B[k];
}

ph_status ph_spins_add_control_gradient(const ph_spin_system *spins, void *user, double t, double *g)
{
    double B[3] = {0, 0, 0};
    ph_status status = spins->is.control(user, t, B, NULL);
    add_field(&spins->is, B, 0, spins->is.n, g);
    return status;
}

ph_status ph_spins_add_control_gradient_rate(const ph_spin_system *spins, void *user, double t, double *g)
{
    double B[3] = {0, 0, 0}, dB[3] = {0, 0, 0};
    ph_status status = spins->is.control(user, t, B, dB);
    add_field(&spins->is, dB, 0, spins->is.n, g);
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

/* ---- Torques -------------------------------------------------------------------------------------------- */

/* What pairs and callbacks give is gathered in T first; the rest block by block. */
ph_status ph_spins_turn(const ph_spin_system *spins, void *user, double t, const double *z, bool given,
                        double *T)
{
    const ph_spins *is = &spins->is;
    double g[3 * BLOCK + 4], B[3] = {0, 0, 0};
    ph_status status = is->control ? is->control(user, t, B, NULL) : PH_OK;
    if (!status && has_pairs(spins)) {
        if (!given)
            memset(T, 0, 3 * is->n * sizeof *T);
        given = true;
        status = add_pairs(spins, DIFFERENCES, user, z, T);
    }
    for (size_t begin = 0; begin < is->n && !status; begin += BLOCK) {
        const size_t end = begin + BLOCK < is->n ? begin + BLOCK : is->n, n = end - begin;
        if (given)
            memcpy(g, T + 3 * begin, 3 * n * sizeof *g);
        else
            memset(g, 0, 3 * n * sizeof *g);
        g[3 * n] = 0;
        add_sites(spins, DIFFERENCES, z, begin, end, g);
        if (is->control)
            add_field(is, B, begin, end, g);
        ph_spin_lanes_cross(spins->wide, n, g, z + 3 * begin, T + 3 * begin);
    }
    return status;
}

/* ---- The vector field ----------------------------------------------------------------------------------- */

void ph_spins_field(const ph_spin_system *spins, const double *z, const double *T, double *v)
{
    const ph_spins *is = &spins->is;
    if (!spins->damped && !is->strengths) {
        if (v != T)
            memcpy(v, T, 3 * is->n * sizeof *v);
        return;
    }
    for (size_t i = 0; i < is->n; i++) {
        const double of = ph_spin_strength(is, i), lambda = spins->damped ? is->damping[i] : 0;
        double fall[3] = {0, 0, 0}; /* s x (s x g) = (g x s) x s */
        if (lambda > 0)
            ph_cross3(T + 3 * i, z + 3 * i, fall);
        for (size_t k = 0; k < 3; k++)
            v[3 * i + k] = T[3 * i + k] / of + (lambda > 0 ? lambda * fall[k] : 0);
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
