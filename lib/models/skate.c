/* SPDX-License-Identifier: BSD-3-Clause */
/* A body on a blade: see skate.h. */
#include "skate.h"

/* ---- The constraint and the potential; z = (x, q) -------------------------------------------------- */

static ph_status blade(void *user, double t, const double *z, double *A, double *b)
{
    const double *s = user;
    (void)t, (void)b;
    A[0] = -z[3];
    A[1] = z[2];
    A[2] = s[PH_SKATE_AHEAD] * z[3];
    A[3] = -s[PH_SKATE_AHEAD] * z[2];
    return PH_OK;
}

static ph_status blade_along(void *user, double t, const double *z, const double *zdot, double dt,
                             const double *dz, double *rate)
{
    const double *s = user;
    (void)t, (void)z, (void)dt;
    rate[0] =
        -dz[3] * (zdot[0] - s[PH_SKATE_AHEAD] * zdot[2]) + dz[2] * (zdot[1] - s[PH_SKATE_AHEAD] * zdot[3]);
    return PH_OK;
}

static ph_status weight(void *user, const double *z, double *U)
{
    const double *s = user;
    *U = -s[PH_SKATE_MASS] * s[PH_SKATE_PULL] * z[0];
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    const double *s = user;
    (void)z;
    memset(dU, 0, 4 * sizeof *dU);
    dU[0] = -s[PH_SKATE_MASS] * s[PH_SKATE_PULL];
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
    const double *s = user;
    for (int k = 0; k < 2; k++) {
        x[k] = z[k];
        x[3 + k] = z[k] - s[PH_SKATE_AHEAD] * z[2 + k];
    }
    x[2] = x[5] = 0;
    return PH_OK;
}

/* The body, a square plate with its inertia, I = (2/3) m a^2 for half an edge a, and below it the blade. */
static void draw(const double *s, ph_part_list *parts)
{
    const double a = sqrt(1.5 * s[PH_SKATE_INERTIA] / s[PH_SKATE_MASS]), high = 0.24 * a;
    ph_part_plane(parts, "plane");
    ph_part_solid(parts, PH_SCENE_BOX, 0, 1, a, a, 0.04 * a, 0, 0, high)->name = "body";
    ph_part_solid(parts, PH_SCENE_BOX, 1, 1, 0.5 * a, 0.015 * a, high / 2, 0, 0, high / 2)->name = "blade";
}

/* ---- Building and starts -------------------------------------------------------------------------- */

static void read(const ph_model_table *table, double s[PH_SKATE_NUMBERS])
{
    const bool edge = table->model->variant == PH_SKATE_EDGE;
    s[PH_SKATE_MASS] = ph_number(table, PH_SKATE_MASS);
    s[PH_SKATE_INERTIA] = ph_number(table, PH_SKATE_INERTIA);
    s[PH_SKATE_AHEAD] = edge ? 0 : ph_number(table, PH_SKATE_AHEAD);
    s[PH_SKATE_PULL] = edge ? ph_number(table, PH_SKATE_AHEAD) : 0;
}

ph_status ph_skate_build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factors[] = {PH_R(2), PH_CIRCLE};
    static const ph_symmetry spin = {"L", "angular momentum about the blade", "kg m^2/s", {0, 0, 0}, turn};
    double s[PH_SKATE_NUMBERS], MM[16] = {0};
    ph_part_list parts = {0};
    read(table, s);
    ph_fill_pairs(s, 4, MM);
    draw(s, &parts);
    ph_system_definition definition = {.ambient_inertia = MM,
                                       .potential = weight,
                                       .gradient = weight_gradient,
                                       .symmetries = &spin,
                                       .n_symmetries = s[PH_SKATE_AHEAD] == 0,
                                       .constraint = blade,
                                       .constraint_along = blade_along,
                                       .n_constraints = 1,
                                       .points = places,
                                       .n_points = 2};
    return ph_model_create(factors, 2, s, sizeof s, &parts, &definition, system, err);
}

/* Centre of mass at the origin, heading theta, speed u of the blade along it, rate w of turning. */
ph_status ph_skate_preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const struct start {
        double theta, u, w;
    } starts[2][2] = {[PH_SKATE_SLEIGH] = {{0.2, -0.4, 0.9}, {0, 1, 0.001}},
                      [PH_SKATE_EDGE] = {{0, 0, 1}, {1.5707963267948966192, 1, 0}}};
    const struct start *of = &starts[table->model->variant][which];
    const double c = cos(of->theta), q = sin(of->theta);
    double s[PH_SKATE_NUMBERS];
    (void)err;
    read(table, s);
    const double side = s[PH_SKATE_AHEAD] * of->w;
    memcpy(z, (const double[4]){0, 0, c, q}, 4 * sizeof *z);
    zdot[0] = of->u * c - side * q;
    zdot[1] = of->u * q + side * c;
    zdot[2] = -of->w * q;
    zdot[3] = of->w * c;
    return PH_OK;
}
