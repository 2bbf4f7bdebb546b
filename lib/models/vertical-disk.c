/* SPDX-License-Identifier: BSD-3-Clause */
/* A disk that rolls upright: centre x (R^2), heading q and rolling angle r (S^1 each),
 *     L = (1/2) m |xdot|^2 + (1/2) I |qdot|^2 + (1/2) J |rdot|^2,      xdot = R psi' q,   psi' = r_1 rdot_2 - r_2 rdot_1.
 * It goes round in a circle of radius R psi'/phi', or straight on; both rates are constant.
 * (Bloch, Krishnaprasad, Marsden, Murray, Arch. Rational Mech. Anal. 136 (1996) 21.) */
#include "model.h"

enum { MASS, RADIUS, DIAMETRAL, AXIAL };

static const ph_parameter parameters[] = {
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 1, "mass of the disk"),
    [RADIUS] = PH_NUMBER("radius", "m", PH_POSITIVE, 1, "radius of the disk"),
    [DIAMETRAL] = PH_NUMBER("diametral", "kg m^2", PH_POSITIVE, 0.25, "moment of inertia about a diameter"),
    [AXIAL] = PH_NUMBER("axial", "kg m^2", PH_POSITIVE, 0.5, "moment of inertia about the axle"),
};

enum { CIRCLE, STRAIGHT };

static const ph_preset presets[] = {
    [CIRCLE] = {"circle", "heading 0.4 rad from e1, turning at 0.7 rad/s and rolling at 1.3 rad/s"},
    [STRAIGHT] = {"straight", "along e1, rolling at 1 rad/s"}};

/* z = (x, q, r); the radius is the user block. */
enum { NZ = 6 };

static ph_status roll(void *user, double t, const double *z, double *A, double *b)
{
    const double *radius = user;
    (void)t, (void)b;
    for (int k = 0; k < 2; k++) {
        A[k * NZ + k] = 1;
        A[k * NZ + 4] = *radius * z[2 + k] * z[5];
        A[k * NZ + 5] = -*radius * z[2 + k] * z[4];
    }
    return PH_OK;
}

static ph_status roll_along(void *user, double t, const double *z, const double *zdot, double dt,
                            const double *dz, double *rate)
{
    const double *radius = user;
    (void)t, (void)dt;
    for (int k = 0; k < 2; k++)
        rate[k] = *radius * (dz[2 + k] * (z[5] * zdot[4] - z[4] * zdot[5]) +
                             z[2 + k] * (dz[5] * zdot[4] - dz[4] * zdot[5]));
    return PH_OK;
}

/* xi <- a turn of the heading. */
static ph_status turn(void *user, const double *z, double *xi)
{
    (void)user, (void)z;
    memset(xi, 0, 4 * sizeof *xi);
    xi[2] = 1;
    return PH_OK;
}

/* x (3 x 2) <- the centre and the contact. */
static ph_status places(void *user, const double *z, double *x)
{
    const double *radius = user;
    x[0] = x[3] = z[0];
    x[1] = x[4] = z[1];
    x[2] = *radius;
    x[5] = 0;
    return PH_OK;
}

/* The plane, and the disk, whose axis is to the left of its heading, turned by the rolling angle about it. */
static void draw(double radius, ph_part_list *parts)
{
    ph_part_plane(parts, "plane");
    ph_scene_part *disk = ph_part_lay(ph_part_add(parts, PH_SCENE_CYLINDER, 0, 1), 1);
    ph_part_size(disk, radius, radius, 0.03 * radius)->name = "disk";
    disk->spin = 2;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry heading = {"L", "angular momentum of the heading", "kg m^2/s", {0, 0, 0}, turn};
    static const ph_factor factors[] = {PH_R(2), PH_CIRCLE, PH_CIRCLE};
    const double radius = ph_number(table, RADIUS);
    const double inertia[] = {ph_number(table, MASS), ph_number(table, DIAMETRAL), ph_number(table, AXIAL)};
    double MM[NZ * NZ] = {0};
    ph_part_list parts = {0};
    ph_fill_pairs(inertia, NZ, MM);
    draw(radius, &parts);
    ph_system_definition definition = {.ambient_inertia = MM,
                                       .symmetries = &heading,
                                       .n_symmetries = 1,
                                       .constraint = roll,
                                       .constraint_along = roll_along,
                                       .n_constraints = 2,
                                       .points = places,
                                       .n_points = 2};
    return ph_model_create(factors, 3, &radius, sizeof radius, &parts, &definition, system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const double phi = which == CIRCLE ? 0.4 : 0, turning = which == CIRCLE ? 0.7 : 0,
                 rolling = which == CIRCLE ? 1.3 : 1, R = ph_number(table, RADIUS);
    const double at[NZ] = {0, 0, cos(phi), sin(phi), 1, 0};
    (void)err;
    memcpy(z, at, sizeof at);
    zdot[0] = R * rolling * z[2];
    zdot[1] = R * rolling * z[3];
    zdot[2] = -turning * z[3];
    zdot[3] = turning * z[2];
    zdot[4] = 0;
    zdot[5] = rolling;
    return PH_OK;
}

const ph_model ph_model_vertical_disk = {
    .name = "vertical-disk",
    .summary = "disk that rolls upright on a plane",
    .reference = "Bloch, Krishnaprasad, Marsden, Murray, Arch. Rational Mech. Anal. 136 (1996) 21",
    PH_MODEL_HERE,
};
