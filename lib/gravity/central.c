/* SPDX-License-Identifier: BSD-3-Clause */
/* A central body, held in the origin with the attitude R(t) = R_0 exp(t S(spin)) (polhode/domain/gravitation.h), and what it does to
 * the others: the mutual potential of gravity.h to the order N; with an exact field, that of the polyhedron for their masses,
 * and of the series the rest. The rate of its potential is -T . spin, T the torque on it. */
#include "gravitation.h"

#include <polhode/kit/rotation.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
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

/* What one body gets of a central one whose moments of degree 1 are not 0: by ph_attract. */
static void attract_off_center(const ph_gravitation *g, unsigned parts, size_t i, const double R[9],
                               const double *z, const ph_pair_result *out)
{
    double r[3], C[9];
    ph_attraction pull;
    ph_apply_transposed3(R, z + 3 * i, r);
    ph_transposed_multiply3(R, ph_gravitating_attitude(g, i, z), C);
    attract(g, parts, &g->body[i].mass, r, C, &pull);
    ph_apply3(R, pull.force, out->force);
    memcpy(out->torque_a, pull.torque_a, sizeof pull.torque_a);
    memcpy(out->torque_b, pull.torque_b, sizeof pull.torque_b);
    *out->U = pull.potential;
}

/* The exact field in place of the series, for the mass of a body. */
static void correct(const ph_gravitation *g, size_t i, const double R[9], const double *z,
                    const ph_pair_result *out)
{
    const ph_held *held = g->central;
    const double mass = g->body[i].mass.moment[0];
    double r[3], force[3], series[3], on_a[3], on_b[3], in_space[3], torque[3], U, exact;
    const ph_pair_result by_series = {series, on_a, on_b, &U};
    ph_pair pair;
    ph_pair_prepare(g->G, g->order, held->mass.moment[0], held->sort, held->figure, mass, PH_FIGURE_NONE,
                    NULL, &pair);
    pair.evaluate(&pair, PH_ATTRACT_POINTS | PH_ATTRACT_SHAPES, z + 3 * i, R, NULL, &by_series);
    ph_apply_transposed3(R, z + 3 * i, r);
    ph_polyhedron_attract(held->exact, g->G, mass, r, &exact, force, NULL);
    ph_apply3(R, force, in_space);
    ph_cross3(force, r, torque);
    for (size_t k = 0; k < 3; k++) {
        out->force[k] += in_space[k] - series[k];
        out->torque_a[k] += torque[k] - on_a[k];
    }
    *out->U += exact - U;
}

/* What a body without a shape gets of the exact field: no series, whose terms would cancel, or be infinite in the origin. */
static void attract_point(const ph_gravitation *g, unsigned parts, size_t i, const double R[9],
                          const double *z, const ph_pair_result *out)
{
    const double mass = g->body[i].mass.moment[0];
    double r[3], force[3], U, points[3], none[3];
    ph_apply_transposed3(R, z + 3 * i, r);
    ph_polyhedron_attract(g->central->exact, g->G, mass, r, out->U, force, NULL);
    ph_apply3(R, force, out->force);
    ph_cross3(force, r, out->torque_a);
    memset(out->torque_b, 0, sizeof none);
    if (parts & PH_ATTRACT_POINTS)
        return;
    const ph_pair_result two = {points, none, none, &U};
    ph_pair pair;
    ph_pair_prepare(g->G, 0, g->central->mass.moment[0], PH_FIGURE_NONE, NULL, mass, PH_FIGURE_NONE, NULL,
                    &pair);
    ph_pair_points(&pair, PH_ATTRACT_POINTS, z + 3 * i, R, NULL, &two);
    for (size_t k = 0; k < 3; k++)
        out->force[k] -= points[k];
    *out->U -= U;
}

/* What one body gets. */
static void attract_one(const ph_gravitation *g, unsigned parts, size_t i, const double R[9], const double *z,
                        const ph_pair_result *out)
{
    const ph_held *held = g->central;
    const ph_gravitating *body = &g->body[i];
    ph_pair pair;
    if (held->exact && parts & PH_ATTRACT_SHAPES && body->sort == PH_FIGURE_NONE) {
        attract_point(g, parts, i, R, z, out);
        return;
    }
    if (held->off_center) {
        attract_off_center(g, parts, i, R, z, out);
        return;
    }
    ph_pair_prepare(g->G, g->order, held->mass.moment[0], held->sort, held->figure, body->mass.moment[0],
                    body->sort, body->figure, &pair);
    (parts & PH_ATTRACT_SHAPES ? pair.evaluate : ph_pair_points)(&pair, parts, z + 3 * i, R,
                                                                 ph_gravitating_attitude(g, i, z), out);
    if (held->exact && parts & PH_ATTRACT_SHAPES)
        correct(g, i, R, z, out);
}

void ph_central_attract(const ph_gravitation *g, unsigned parts, double t, const double *z, ph_attracted *out)
{
    double R[9];
    ph_gravitation_central_attitude(g, t, R);
    for (size_t i = 0; i < g->n; i++) {
        const size_t at = g->body[i].attitude;
        double F[3], on_center[3], on_body[3], U;
        const ph_pair_result pull = {F, on_center, on_body, &U};
        attract_one(g, parts, i, R, z, &pull);
        for (size_t k = 0; k < 3; k++) {
            out->force[3 * i + k] += F[k];
            if (at != PH_NO_INDEX)
                out->torque[3 * at + k] += on_body[k];
        }
        out->U += U;
        out->rate -= ph_dot3(on_center, g->central->spin);
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

bool ph_central_fill(const ph_central_body *central, size_t order, ph_held *held)
{
    *held = (ph_held){.mass = *central->mass, .exact = central->exact, .sphere = !central->exact};
    memcpy(held->R0, is_nothing(central->attitude) ? identity : central->attitude, sizeof held->R0);
    memcpy(held->spin, central->spin, sizeof held->spin);
    for (size_t k = 1; k < PH_MASS_MOMENTS; k++)
        held->sphere = held->sphere && held->mass.moment[k] == 0;
    held->off_center = ph_max_norm(held->mass.moment + 1, 3) > 0;
    held->sort = ph_figure_sort_of(&held->mass, order);
    if (held->sort == PH_FIGURE_NONE)
        return true;
    held->figure = malloc(sizeof *held->figure);
    if (held->figure)
        ph_figure_prepare(&held->mass, order, held->figure);
    return held->figure != NULL;
}
