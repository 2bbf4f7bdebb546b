/* SPDX-License-Identifier: BSD-3-Clause */
/* A body on a blade: see skate.h. */
#include "skate.h"
#include "lib/scene/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The constraint and the potential; z = (x, q) -------------------------------------------------- */

static ph_status blade(void *user, double t, const double *z, double *A, double *b)
{
    const ph_skate *s = user;
    (void)t, (void)b;
    A[0] = -z[3];
    A[1] = z[2];
    A[2] = s->ahead * z[3];
    A[3] = -s->ahead * z[2];
    return PH_OK;
}

static ph_status blade_along(void *user, double t, const double *z, const double *zdot, double dt,
                             const double *dz, double *rate)
{
    const ph_skate *s = user;
    (void)t, (void)z, (void)dt;
    rate[0] = -dz[3] * (zdot[0] - s->ahead * zdot[2]) + dz[2] * (zdot[1] - s->ahead * zdot[3]);
    return PH_OK;
}

static ph_status weight(void *user, const double *z, double *U)
{
    const ph_skate *s = user;
    *U = -s->mass * s->pull * z[0];
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    const ph_skate *s = user;
    (void)z;
    memset(dU, 0, 4 * sizeof *dU);
    dU[0] = -s->mass * s->pull;
    return PH_OK;
}

/* xi <- the turn about the blade, which is the centre of mass. */
static ph_status turn(void *user, const double *z, double *xi)
{
    (void)user, (void)z;
    xi[0] = xi[1] = 0;
    xi[2] = 1;
    return PH_OK;
}

/* x (3 x 2) <- the centre of mass and the blade. */
static ph_status places(void *user, const double *z, double *x)
{
    const ph_skate *s = user;
    for (int k = 0; k < 2; k++) {
        x[k] = z[k];
        x[3 + k] = z[k] - s->ahead * z[2 + k];
    }
    x[2] = x[5] = 0;
    return PH_OK;
}

/* The body, a square plate with its inertia, I = (2/3) m a^2 for half an edge a, and below it the blade. */
static void draw(const ph_skate *s, ph_part_list *parts)
{
    const double a = sqrt(1.5 * s->inertia / s->mass), high = 0.24 * a;
    ph_part_add(parts, PH_SCENE_PLANE, PH_NO_INDEX, PH_NO_INDEX)->name = "plane";
    ph_scene_part *body = ph_part_size(ph_part_add(parts, PH_SCENE_BOX, 0, 1), a, a, 0.04 * a);
    ph_part_shift(body, 0, 0, high)->name = "body";
    ph_scene_part *blade = ph_part_size(ph_part_add(parts, PH_SCENE_BOX, 1, 1), 0.5 * a, 0.015 * a, high / 2);
    ph_part_shift(blade, 0, 0, high / 2)->name = "blade";
}

/* ---- Building and starts -------------------------------------------------------------------------- */

ph_status ph_skate_build(const ph_skate *of, ph_system **system, ph_error *err)
{
    static const ph_symmetry spin = {"L", "angular momentum about the blade", "kg m^2/s", {0, 0, 0}, turn};
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S1}};
    const double m = of->mass, I = of->inertia, MM[16] = {m, 0, 0, 0, 0, m, 0, 0, 0, 0, I, 0, 0, 0, 0, I};
    ph_space *space = NULL;
    ph_skate *own = malloc(sizeof *own);
    ph_status status =
        own ? ph_space_create(factors, 2, &space, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        free(own);
        return status;
    }
    *own = *of;
    ph_system_definition definition = {.space = space,
                                       .ambient_inertia = MM,
                                       .potential = weight,
                                       .gradient = weight_gradient,
                                       .symmetries = &spin,
                                       .n_symmetries = of->ahead == 0,
                                       .constraint = blade,
                                       .constraint_along = blade_along,
                                       .n_constraints = 1,
                                       .points = places,
                                       .n_points = 2,
                                       .user = own,
                                       .user_free = free};
    ph_part_list parts = {0};
    draw(of, &parts);
    status = ph_part_create(&parts, &definition, system, err);
    ph_space_free(space);
    return status;
}

void ph_skate_start(const ph_skate *s, double theta, double u, double w, double *z, double *zdot)
{
    const double c = cos(theta), q = sin(theta);
    z[0] = z[1] = 0;
    z[2] = c;
    z[3] = q;
    zdot[0] = u * c - s->ahead * w * q;
    zdot[1] = u * q + s->ahead * w * c;
    zdot[2] = -w * q;
    zdot[3] = w * c;
}
