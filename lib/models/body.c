/* SPDX-License-Identifier: BSD-3-Clause */
/* What the models of rigid bodies share: see body.h. */
#include "body.h"
#include "gravity.h"

#include <polhode/kit/rotation.h>

/* ---- Tensors ------------------------------------------------------------------------------------ */

/* In ascending order. */
static void principal_moments(const double J[9], double m[3])
{
    double axes[9], I[3];
    ph_principal_axes(J, axes, I);
    m[0] = fmin(I[0], fmin(I[1], I[2]));
    m[1] = fmax(fmin(I[0], I[1]), fmin(fmax(I[0], I[1]), I[2]));
    m[2] = fmax(I[0], fmax(I[1], I[2]));
}

/* J1 + J2 >= J3 for the moments of any mass distribution, up to rounding. */
ph_status ph_body_tensor(const double diagonal[3], const double *products, double J[9], ph_error *err)
{
    static const double rounding = 1e-12;
    double m[3];
    for (int i = 0; i < 3; i++) {
        J[4 * i] = diagonal[i];
        for (int j = 0; j < i; j++)
            J[3 * i + j] = J[3 * j + i] = products ? products[3 - i - j] : 0;
    }
    principal_moments(J, m);
    if (m[0] < -rounding * m[2])
        return ph_fail(err, PH_E_RANGE,
                       "inertia with these products has the principal moments %g, %g, %g kg m^2; "
                       "no body has a negative one: smaller products are expected",
                       m[0], m[1], m[2]);
    if (m[2] > m[0] + m[1] + rounding * m[2])
        return ph_fail(
            err, PH_E_RANGE,
            "inertia has the principal moments %g, %g, %g kg m^2, which no body has: the largest is at "
            "most the sum of the other two, J1 + J2 >= J3 (they are equal when all mass is in one plane)",
            m[0], m[1], m[2]);
    return PH_OK;
}

void ph_body_rank(const double J[3], size_t rank[3])
{
    for (size_t k = 0; k < 3; k++) {
        size_t smaller = 0;
        for (size_t j = 0; j < 3; j++)
            smaller += J[j] < J[k] || (j < k && !(J[k] < J[j]));
        rank[smaller] = k;
    }
}

/* Steiner: J + m (|c|^2 I - c c^T). */
void ph_body_about_joint(const ph_bodies *b, double mass, double J[9])
{
    double square = ph_dot3(b->centre, b->centre);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[3 * i + j] = b->J[3 * i + j] + mass * ((i == j ? square : 0) - b->centre[i] * b->centre[j]);
}

/* The inertia of a chain is singular exactly where that of its lightest body about its joint is: a turn that
 * moves no mass is about an axis through all of the body's mass and through its centre. */
static ph_status check_resistance(const ph_bodies *b, ph_error *err)
{
    double lightest = ph_parameter_entry(b->mass, 0), J[9], m[3];
    for (size_t i = 1; i < b->n; i++)
        lightest = fmin(lightest, ph_parameter_entry(b->mass, i));
    ph_body_about_joint(b, lightest, J);
    principal_moments(J, m);
    if (m[0] > 8 * DBL_EPSILON * m[2])
        return PH_OK;
    return ph_fail(err, PH_E_SINGULAR,
                   "inertia and centre leave a turn about the joint that moves no mass "
                   "(principal moments about it: %g, %g, %g kg m^2), as with a thin rod hung along itself; "
                   "give it a thickness, or take a model of points on rods (chain-pendulum)",
                   m[0], m[1], m[2]);
}

void ph_body_add_inertia(const double J[9], size_t nz, size_t at, double *MM)
{
    const double half = 0.5 * (J[0] + J[4] + J[8]);
    for (size_t row = at; row < at + 9; row += 3)
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                MM[(row + i) * nz + row + j] += (i == j ? half : 0) - J[3 * i + j];
}

/* ---- Building ----------------------------------------------------------------------------------- */

/* Body i hangs by its upper joint, at -c from its centre of mass, from the lower joint of the body before, at
 * s - c from the centre of mass of that one. */
static void fill(const ph_bodies *b, double *mass, double *inertia, double *joint, double *anchor)
{
    for (size_t i = 0; i < b->n; i++) {
        mass[i] = ph_parameter_entry(b->mass, i);
        memcpy(inertia + 9 * i, b->J, sizeof b->J);
        for (size_t k = 0; k < 3; k++) {
            joint[3 * i + k] = -b->centre[k];
            anchor[3 * i + k] = i ? b->joint[k] - b->centre[k] : 0;
        }
    }
}

ph_status ph_bodies_build(const ph_bodies *b, ph_system **system, ph_error *err)
{
    const size_t n = b->n;
    ph_space *space = NULL;
    double *numbers = NULL; /* 1, 9, 3 and 3 of each body */
    ph_status status = check_resistance(b, err);
    if (!status)
        status = ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_SO3}, n, &space, err);
    if (!status && !(numbers = calloc(n, 16 * sizeof *numbers)))
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bodies", n);
    if (!status) {
        fill(b, numbers, numbers + n, numbers + 10 * n, numbers + 13 * n);
        ph_symmetry symmetries[3];
        ph_articulation bodies = {.mass = numbers,
                                  .inertia = numbers + n,
                                  .joint = numbers + 10 * n,
                                  .anchor = numbers + 13 * n,
                                  .gravity = {b->G[0], b->G[1], b->G[2]}};
        ph_system_definition definition = {.space = space,
                                           .articulation = &bodies,
                                           .symmetries = symmetries,
                                           .n_symmetries = ph_gravity_symmetries(b->G, symmetries)};
        if (b->parts)
            ph_part_give(b->parts, &definition);
        status = ph_system_create(&definition, system, err);
    }
    free(numbers);
    free(b->parts ? b->parts->at : NULL);
    ph_space_free(space);
    return status;
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

/* R <- a rotation that takes the unit vector from to the unit vector to, and the plane perpendicular to one
 * to that of the other. The same vectors give I. */
static void align(const double from[3], const double to[3], double R[9])
{
    double a[9], b[9];
    memcpy(a, from, 3 * sizeof *a);
    memcpy(b, to, 3 * sizeof *b);
    ph_tangent_basis3(from, a + 3, a + 6);
    ph_tangent_basis3(to, b + 3, b + 6);
    ph_transposed_multiply3(b, a, R);
    ph_rotation_correct3(R);
}

/* Body i hangs where w_i, the first moment of all that it carries about its upper joint, points down. */
void ph_bodies_incline(const ph_bodies *b, const double *angle, double *z)
{
    double along[3], across[3], down[3], below = 0;
    ph_gravity_frame(b->G, along, across, down);
    for (size_t i = b->n; i-- > 0;) {
        double w[3], size, turn[3], hanging[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, tilt[9];
        double own = ph_parameter_entry(b->mass, i);
        for (int a = 0; a < 3; a++)
            w[a] = own * b->centre[a] + below * b->joint[a];
        below += own;
        size = ph_hypot(ph_hypot(w[0], w[1]), w[2]);
        for (int a = 0; a < 3; a++) {
            w[a] /= size > 0 ? size : 1;
            turn[a] = angle[i] * across[a];
        }
        if (size > 0) {
            ph_unit_correct3(w);
            align(w, down, hanging);
        }
        ph_exp3(turn, tilt);
        ph_multiply3(tilt, hanging, z + 9 * i);
        ph_rotation_correct3(z + 9 * i);
    }
}

/* Row k of R S(omega) is (row k of R) x omega. */
void ph_body_turn(const double R[9], const double omega[3], double Rdot[9])
{
    for (int row = 0; row < 3; row++)
        ph_cross3(R + 3 * row, omega, Rdot + 3 * row);
}
