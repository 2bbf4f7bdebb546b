/* SPDX-License-Identifier: BSD-3-Clause */
/* A state in physical terms (polhode/motion.h): the inverse Legendre transform, the angular velocities that belong to
 * it, attitudes as quaternions, the points of the system, and the tensions of its links. */
#include <polhode/constraints.h>
#include <polhode/kit/memory.h>
#include <polhode/kit/tensions.h>
#include <polhode/motion.h>

#include "column-kinds.h"
#include "lib/internal/missing.h"
#include "lib/system/structure.h"
#include "motion.h"
#include "reduced.h"

#include <math.h>
#include <stdlib.h>

struct ph_motion {
    const ph_system *system;
    size_t rotations, points, reactions, shapes;
    double *zdot, *omega, *quaternions, *places, *tensions, *work; /* tensions: NULL where there are none */
    double *lambda, *shape, *own; /* (reactions), (shapes), (columns of the definition's own) */
    double reduced[PH_REDUCED_NUMBERS], slip, power;
    bool powered; /* is the power known, and not 0 anyway? */
    const ph_state *seen;
};

ph_status ph_motion_create(const ph_system *system, ph_motion **motion, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    const ph_space *space = ph_system_space(system);
    ph_motion made = {.system = system,
                      .rotations = ph_column_count(system, PH_OF_QUATERNION) / 4,
                      .points = ph_column_count(system, PH_OF_POSITION) / 3,
                      .reactions = ph_column_count(system, PH_OF_REACTION),
                      .shapes = ph_column_count(system, PH_OF_SHAPE),
                      .powered = ph_column_count(system, PH_OF_POWER)};
    const bool pulls = ph_system_has_tensions(system);
    const size_t needs[] = {ph_system_work(system), pulls ? ph_link_tensions_work(system) : 0,
                            made.reactions ? ph_system_reactions_work(system) : 0,
                            ph_system_constraints(system) ? ph_system_constraint_work(system) : 0,
                            ph_reduced_work(system)};
    size_t scratch = 0;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        scratch = needs[i] > scratch ? needs[i] : scratch;
    ph_motion *m = NULL;
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        m = ph_lay_bytes(&l, sizeof *m);
        made.zdot = ph_lay_doubles(&l, ph_space_ambient(space));
        made.omega = ph_lay_doubles(&l, ph_space_algebra(space));
        made.quaternions = ph_lay_doubles(&l, 4 * made.rotations);
        made.places = ph_lay_doubles(&l, 3 * made.points);
        made.tensions = pulls ? ph_lay_doubles(&l, ph_space_factors(space)) : NULL;
        made.shape = ph_lay_doubles(&l, made.shapes);
        made.own = ph_lay_doubles(&l, ph_system_columns(system));
        made.lambda = ph_lay_doubles(&l, made.reactions);
        made.work = ph_lay_doubles(&l, scratch);
        if (m)
            *m = made;
        else if (!(l = (ph_lay){malloc(l.bytes), 0}).base)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    *motion = m;
    return PH_OK;
}

void ph_motion_free(ph_motion *motion)
{
    free(motion);
}

/* The largest of w^2, x^2, y^2, z^2, each at least 1/4 of the sum, is the one that is taken by its root. */
void ph_rotation_quaternion(const double *R, double *q)
{
    const double trace = R[0] + R[4] + R[8];
    const double squares[4] = {trace, 2 * R[0] - trace, 2 * R[4] - trace, 2 * R[8] - trace}; /* 4 c^2 - 1 */
    int k = 0;
    for (int i = 1; i < 4; i++)
        k = squares[i] > squares[k] ? i : k;
    const double root = sqrt(1 + squares[k]), scale = 0.5 / root;
    const double products[4][4] = {{root * root, R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                                   {R[7] - R[5], root * root, R[1] + R[3], R[2] + R[6]},
                                   {R[2] - R[6], R[1] + R[3], root * root, R[5] + R[7]},
                                   {R[3] - R[1], R[2] + R[6], R[5] + R[7], root * root}};
    double sign = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = products[k][i] * scale;
        if (sign == 0 && q[i] != 0)
            sign = q[i] < 0 ? -1 : 1;
    }
    for (int i = 0; i < 4; i++)
        q[i] = sign < 0 ? 0 - q[i] : q[i];
}

static void fill(double *values, size_t n, double value)
{
    for (size_t i = 0; i < n; i++)
        values[i] = value;
}

ph_status ph_motion_see(ph_motion *m, const ph_state *state)
{
    if (!m || !state)
        return PH_E_INVALID;
    const ph_space *space = ph_system_space(m->system);
    double *quaternion = m->quaternions;
    m->seen = state;
    ph_status status = ph_system_velocity_at(m->system, state->t, state->z, state->p, m->zdot, m->work);
    if (status)
        fill(m->zdot, ph_space_ambient(space), NAN);
    ph_space_spin(space, state->z, m->zdot, m->omega);
    for (size_t i = 0; i < ph_space_factors(space); i++)
        if (ph_space_factor(space, i)->kind == PH_FACTOR_SO3) {
            ph_rotation_quaternion(state->z + ph_space_factor(space, i)->z, quaternion);
            quaternion += 4;
        }
    const ph_status placed = ph_system_places(m->system, state->t, state->z, m->places);
    if (placed)
        fill(m->places, 3 * m->points, NAN);
    if (m->tensions && status)
        fill(m->tensions, ph_space_factors(space), NAN);
    const ph_status pulled = m->tensions && !status ? ph_link_tensions(m->system, state->t, state->z, m->zdot,
                                                                       m->tensions, m->work)
                                                    : PH_OK;
    ph_status pushed = PH_OK;
    if (m->reactions)
        pushed =
            status ? status : ph_system_reactions(m->system, state->t, state->z, m->zdot, m->lambda, m->work);
    if (pushed)
        fill(m->lambda, m->reactions, NAN);
    m->slip = 0;
    if (ph_system_constraints(m->system) &&
        (status || ph_system_constraint_error(m->system, state->t, state->z, m->zdot, &m->slip, m->work)))
        m->slip = NAN;
    m->power = ph_system_has_power(m->system) ? 0 : NAN;
    if (m->powered && (status || ph_system_power(m->system, state->t, state->z, m->zdot, &m->power, m->work)))
        m->power = NAN;
    if (status || ph_system_columns_at(m->system, state->t, state->z, m->zdot, m->own))
        fill(m->own, ph_system_columns(m->system), NAN);
    if (ph_system_whole(m->system, NULL)) {
        ph_reduced_at(m->system, state->z, state->p, m->reduced, m->work);
        ph_shape_at(m->system, state->z, m->shape);
    }
    return status ? status : placed ? placed : pulled ? pulled : pushed;
}

const ph_state *ph_motion_seen(const ph_motion *m)
{
    return m->seen;
}

const double *ph_motion_velocity(const ph_motion *m)
{
    return m->zdot;
}

const double *ph_motion_omega(const ph_motion *m)
{
    return m->omega;
}

const double *ph_motion_quaternions(const ph_motion *m, size_t *n)
{
    *n = m->rotations;
    return m->quaternions;
}

const double *ph_motion_points(const ph_motion *m, size_t *n)
{
    *n = m->points;
    return m->places;
}

const double *ph_motion_tensions(const ph_motion *m)
{
    return m->tensions;
}

const double *ph_motion_reactions(const ph_motion *m, size_t *n)
{
    *n = m->reactions;
    return m->lambda;
}

const double *ph_motion_constraint_error(const ph_motion *m)
{
    return &m->slip;
}

const double *ph_motion_power(const ph_motion *m)
{
    return &m->power;
}

const double *ph_motion_reduced(const ph_motion *m, size_t *n)
{
    *n = ph_system_whole(m->system, NULL) ? PH_REDUCED_NUMBERS : 0;
    return m->reduced;
}

const double *ph_motion_shape(const ph_motion *m, size_t *n)
{
    *n = m->shapes;
    return m->shape;
}

/* For all pairs, which take a time that the other numbers of a motion do not: computed where it is needed. */
double ph_motion_least_distance(const ph_motion *m)
{
    const ph_structure *of = ph_structure_of(m->system);
    return m->seen && of->least_distance ? of->least_distance(m->system, m->seen->z) : NAN;
}

const double *ph_motion_links(const ph_motion *m)
{
    return m->tensions + (ph_space_factor(ph_system_space(m->system), 0)->kind == PH_FACTOR_R);
}

const double *ph_motion_own(const ph_motion *m)
{
    return m->own;
}
