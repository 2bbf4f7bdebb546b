/* SPDX-License-Identifier: BSD-3-Clause */
/* A central body, held in the origin with the attitude R(t) = R_0 exp(t S(spin)) (polhode/gravitation.h), and what it does to
 * the others: the mutual potential of gravity.h to the order N; with an exact field, that of the polyhedron for their masses,
 * and of the series the rest. The rate of its potential is -T . spin, T the torque on it. */
#include "gravitation.h"

#include <polhode/rotation.h>
#include <polhode/vector.h>

#include <math.h>
#include <string.h>

/* ---- Its motion -------------------------------------------------------------------------------------------------------- */

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

void ph_gravitation_central_attitude(const ph_gravitation *g, double t, double R[9])
{
    const ph_held *held = g->central;
    memcpy(R, held ? held->R0 : identity, sizeof identity);
    if (!held || ph_norm3(held->spin) == 0)
        return;
    const double turn[3] = {t * held->spin[0], t * held->spin[1], t * held->spin[2]};
    double F[9];
    ph_exp3(turn, F);
    ph_multiply3(held->R0, F, R);
}

/* ---- What it does -------------------------------------------------------------------------------------------------------- */

/* sum += sign * part, but for the term of two points */
static void add(const ph_attraction *part, double sign, ph_attraction *sum)
{
    sum->potential += sign * part->potential;
    for (size_t k = 0; k < 3; k++) {
        sum->force[k] += sign * part->force[k];
        sum->torque_a[k] += sign * part->torque_a[k];
        sum->torque_b[k] += sign * part->torque_b[k];
    }
}

/* out <- all that counts of a body at r (frame of the central one), and the term of two points. */
static void attract(const ph_gravitation *g, unsigned parts, const ph_mass *body, const double r[3],
                    const double C[9], ph_attraction *out)
{
    const ph_held *held = g->central;
    ph_attraction series, points;
    const size_t order = parts & PH_ATTRACT_SHAPES ? g->order : 0;
    *out = (ph_attraction){.potential = 0};
    ph_attract(&held->mass, body, order, g->G, r, C, &series);
    const double square = ph_dot3(r, r), two = series.by_order[0];
    points = (ph_attraction){.potential = two,
                             .force = {two * r[0] / square, two * r[1] / square, two * r[2] / square}};
    if (!(parts & PH_ATTRACT_SHAPES)) {
        add(&points, 1, out);
        return;
    }
    add(&series, 1, out);
    if (held->exact) {
        const ph_mass point = {.moment = {body->moment[0]}};
        ph_attraction exact = {.potential = 0};
        ph_attract(&held->mass, &point, order, g->G, r, C, &series);
        ph_polyhedron_attract(held->exact, g->G, body->moment[0], r, &exact.potential, exact.force, NULL);
        ph_cross3(exact.force, r, exact.torque_a);
        add(&series, -1, out);
        add(&exact, 1, out);
    }
    if (!(parts & PH_ATTRACT_POINTS))
        add(&points, -1, out);
}

void ph_central_attract(const ph_gravitation *g, unsigned parts, double t, const double *z, ph_attracted *out)
{
    double R[9], r[3], C[9], F[3];
    ph_gravitation_central_attitude(g, t, R);
    for (size_t i = 0; i < g->n; i++) {
        const size_t at = g->body[i].attitude;
        ph_attraction pull;
        ph_apply_transposed3(R, z + 3 * i, r);
        ph_transposed_multiply3(R, ph_gravitating_attitude(g, i, z), C);
        attract(g, parts, &g->body[i].mass, r, C, &pull);
        ph_apply3(R, pull.force, F);
        for (size_t k = 0; k < 3; k++) {
            out->force[3 * i + k] += F[k];
            if (at != PH_NO_INDEX)
                out->torque[3 * at + k] += pull.torque_b[k];
        }
        out->U += pull.potential;
        out->rate -= ph_dot3(pull.torque_a, g->central->spin);
    }
}

/* ---- Definition -------------------------------------------------------------------------------------------------------- */

/* Were no numbers given? Then it is the identity. */
static bool is_nothing(const double R[9])
{
    for (size_t k = 0; k < 9; k++)
        if (R[k] != 0)
            return false;
    return true;
}

ph_status ph_central_check(const ph_central_body *central, ph_error *err)
{
    double square[9];
    if (!ph_all_finite(central->mass->moment, PH_MASS_MOMENTS) || !ph_all_finite(central->attitude, 9) ||
        !ph_all_finite(central->spin, 3))
        return ph_fail(err, PH_E_NOT_FINITE,
                       "a moment, the attitude or the spin of the central body is not finite");
    if (!(central->mass->moment[0] > 0))
        return ph_fail(err, PH_E_RANGE, "the mass of the central body is %g kg; it must be positive",
                       central->mass->moment[0]);
    ph_transposed_multiply3(central->attitude, central->attitude, square);
    double off = 0;
    for (size_t k = 0; k < 9; k++)
        off = fmax(off, fabs(square[k] - identity[k]));
    if (!is_nothing(central->attitude) && (off > 1e-8 || ph_determinant3(central->attitude) < 0))
        return ph_fail(
            err, PH_E_INVALID,
            "the attitude of the central body is no rotation: R^T R differs from the identity by %.3g, and its "
            "determinant is %.3g",
            off, ph_determinant3(central->attitude));
    return PH_OK;
}

void ph_central_fill(const ph_central_body *central, ph_held *held)
{
    *held = (ph_held){.mass = *central->mass, .exact = central->exact, .sphere = !central->exact};
    memcpy(held->R0, is_nothing(central->attitude) ? identity : central->attitude, sizeof held->R0);
    memcpy(held->spin, central->spin, sizeof held->spin);
    for (size_t k = 1; k < PH_MASS_MOMENTS; k++)
        held->sphere = held->sphere && held->mass.moment[k] == 0;
}
