/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies near a central one that is held in the origin and turns steadily: spacecraft near an asteroid
 * (polhode/domain/gravitation.h). The field of the central body acts on their places and, by its gradient, on their attitudes:
 *     L = sum (1/2) m_i |xdot_i|^2 + (1/2) Omega_i . J_i Omega_i - U_i(t, x_i, R_i) - sum_{i<j} U_ij. */
#include "asteroids.h"
#include <polhode/kit/elementary.h>

#include <stdio.h>

enum { SPIN = PH_GRAVITATING_PARAMETERS, ATTITUDE };

static const ph_parameter parameters[] = {
    PH_GRAVITATING_ROWS(
        "the central body, held in the origin, by its moments or with `field: exact` by its surface, and then those that "
        "move, at least one"),
    [SPIN] = PH_VECTOR("spin", "rad/s", PH_ANY, 0, 0, 0,
                       "angular velocity of the central body in its own frame, steady"),
    [ATTITUDE] = {"attitude",
                  PH_PARAMETER_QUATERNION,
                  "1",
                  PH_ANY,
                  {1, 0, 0, 0},
                  "of the central body at t = 0, a quaternion of any length, from its frame to space"}};

enum { CIRCULAR, SPINNING, POLAR };

static const ph_preset presets[] = {
    [CIRCULAR] =
        {"circular",
         "on circles in the plane of e1 and e2 at three times the radius of the central body and more, as about a "
         "point, each with its first axis towards it; by default a craft of 500 kg near an ellipsoid at rest"},
    [SPINNING] = {"spinning", "the same, and the central body turns about e3 by 6e-4 rad/s"},
    [POLAR] = {"polar", "on circles over the poles, e3, of the central body that turns like that"},
};

static const ph_preset_value own[] = {
    PH_OWN(SPINNING, "spin", 0, 0, 6e-4),
    PH_OWN(POLAR, "spin", 0, 0, 6e-4),
};

static const ph_asteroid near[] = {
    {.mass = 3.5e11, .size = {400, 350, 280}, .words = "{mass: 3.5e11, half-axes: [400, 350, 280]}"},
    {.mass = 500, .size = {1.2, 1, 0.8}, .words = "{mass: 500, half-axes: [1.2, 1, 0.8]}"}};

static ph_status bodies(size_t which, ph_model_body *list, char (*words)[PH_MODEL_BODY_WORDS], size_t *n)
{
    (void)which;
    return ph_asteroid_bodies(&(ph_asteroids){2, near}, list, words, n);
}

/* *exact <- the field of the surface of a body, of the density that its mass says. */
static ph_status make_exact(const ph_model_body *body, ph_polyhedron **exact, ph_error *err)
{
    ph_mass one;
    int turned = 0;
    ph_status status = ph_mass_polyhedron(body->surface, 1, &one, &turned, err);
    if (!status)
        status = ph_polyhedron_create(body->surface, body->mass.moment[0] / one.moment[0], exact, err);
    if (status && err) {
        char text[sizeof err->message];
        memcpy(text, err->message, sizeof text);
        return ph_fail(err, status, "body 1 has no exact field: %.900s", text);
    }
    return status;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    size_t n;
    const ph_model_body *list = ph_bodies_of(table, &n);
    if (n < 2)
        return ph_fail(err, PH_E_SIZE,
                       "bodies has %zu entry; the central body and at least one that moves are needed", n);
    ph_central_body central = {.mass = &list[0].mass, .shape = list[0].shape};
    memcpy(central.spin, ph_vector(table, SPIN), sizeof central.spin);
    ph_quaternion_turn(ph_vector(table, ATTITUDE), central.attitude);
    ph_status status = list[0].surface ? make_exact(&list[0], &central.exact, err) : PH_OK;
    return status ? status : ph_gravitating_build_near(list + 1, n - 1, &central, table, system, err);
}

/* Body i at (3 + i) radii, a quarter of a turn from the one before. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double quarter = 1.5707963267948966192;
    size_t n;
    const ph_model_body *list = ph_bodies_of(table, &n);
    const ph_mass *center = &list[0].mass;
    ph_body_motion *motion = n > 1 ? calloc(n - 1, sizeof *motion) : NULL;
    if (!motion)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bodies", n);
    for (size_t i = 0; i + 1 < n; i++) {
        const double d = (3 + (double)i) * (center->radius > 0 ? center->radius : 1) +
                         list[i + 1].mass.radius,
                     angle = quarter * (double)i, c = ph_cos(angle), s = ph_sin(angle),
                     rate = sqrt(ph_number(table, PH_G) * center->moment[0] / d) / d;
        const double half_c = ph_cos(angle / 2), half_s = ph_sin(angle / 2), root = sqrt(0.5);
        const bool polar = which == POLAR; /* e2 -> e3: a quarter of a turn about e1 before */
        motion[i] = (ph_body_motion){.x = {d * c, polar ? 0 : d * s, polar ? d * s : 0},
                                     .v = {-d * rate * s, polar ? 0 : d * rate * c, polar ? d * rate * c : 0},
                                     .q = {half_c, 0, 0, half_s},
                                     .W = {0, 0, rate}};
        if (polar) { /* (root, root, 0, 0) times that */
            const double q[4] = {root * half_c, root * half_c, -root * half_s, root * half_s};
            memcpy(motion[i].q, q, sizeof q);
        }
    }
    ph_bodies_start(list + 1, motion, n - 1, z, zdot);
    free(motion);
    return PH_OK;
}

const ph_model ph_model_spacecraft = {
    .name = "spacecraft",
    .summary = "rigid bodies in the field of a central one that turns steadily: spacecraft near an asteroid",
    .reference = "Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127 (2017) 369; "
                 "Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
    .bodies = bodies,
};
