/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Lie-group methods on a formulation share: the field's value as an element (u, wdot) of the algebra
 * of the group of motions times the translations of w, brackets and exponentials there (Iserles, Munthe-Kaas,
 * Norsett, Zanna, Lie-group methods, Acta Numerica 9 (2000), section 2: the generic presentation of a
 * differential equation). */
#include <polhode/kit/equations.h>

#include "lib/internal/missing.h"

#include <string.h>

typedef struct places {
    size_t nz, np, nw;
} places;

static places sizes(const ph_field *field, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    return (places){nz, ph_space_algebra(space), field->size(system) - nz};
}

/* Numbers of an element (u, wdot): those of u, and those of y behind z. */
size_t ph_field_algebra(const ph_field *field, const ph_system *system)
{
    places n = sizes(field, system);
    return n.np + n.nw;
}

/* k <- (u, wdot) of F(t, y), u the angular velocities of its zdot. */
ph_status ph_field_element(const ph_field *field, const ph_system *system, double t, const double *y,
                           double *k, double *work)
{
    if (!field || !system)
        return PH_E_INVALID;
    places n = sizes(field, system);
    ph_status status = field->evaluate(system, t, y, work, work + n.nz + n.nw);
    if (status)
        return status;
    ph_space_spin(ph_system_space(system), y, work, k);
    memcpy(k + n.np, work + n.nz, n.nw * sizeof *k);
    return PH_OK;
}

/* b <- [k, l] = ([u_k, u_l], 0). */
void ph_field_bracket(const ph_field *field, const ph_system *system, const double *k, const double *l,
                      double *b)
{
    places n = sizes(field, system);
    ph_space_bracket(ph_system_space(system), k, l, b);
    memset(b + n.np, 0, n.nw * sizeof *b); /* translations commute */
}

/* y1 <- exp(sum_j c_j k_j) . y, j < n; the sum is kept behind the elements k. */
void ph_field_move(const ph_field *field, const ph_system *system, size_t n, const double *c, double *k,
                   const double *y, double *y1)
{
    places at = sizes(field, system);
    size_t m = at.np + at.nw;
    double *sum = k + n * m;
    for (size_t i = 0; i < m; i++) {
        sum[i] = 0;
        for (size_t j = 0; j < n; j++)
            sum[i] += c[j] * k[j * m + i];
    }
    ph_space_act(ph_system_space(system), y, sum, y1);
    for (size_t i = 0; i < at.nw; i++)
        y1[at.nz + i] = y[at.nz + i] + sum[at.np + i];
}

/* Corrects y to the manifold, and then projects it. The projection does not change a point that is on the
 * manifold to rounding, so that the rounding errors are those of the correction, which are unbiased; those
 * of the projection are not. */
ph_status ph_field_settle(const ph_field *field, const ph_system *system, double t, double *y, double *work)
{
    if (!field || !system)
        return PH_E_INVALID;
    ph_space_correct(ph_system_space(system), y);
    return ph_field_project(field, system, t, y, work);
}

ph_status ph_field_group_supports(const ph_system *system, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    if (!ph_space_is_homogeneous(ph_system_space(system)))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "the method moves configurations by a group, and one of the space's factors has none; "
                       "rk4 does without, and where there is a nearest point rk4-projected");
    return PH_OK;
}
