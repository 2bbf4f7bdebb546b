/* SPDX-License-Identifier: BSD-3-Clause */
/* An ellipsoid that rolls: see rolling.h. Coordinates are x (2) and R (9, row-major); gamma is row 3 of R. */
#include "rolling.h"
#include "body.h"

enum { X = 0, R = 2, GAMMA = 8, NZ = 11 };

/* What depends on gamma: h, nu, and k = nu x gamma with hdot = k . Omega. */
typedef struct shape {
    double h, nu[3], k[3];
} shape;

static shape shape_at(const ph_rolling *body, const double *gamma)
{
    shape s;
    double Dg = 0;
    for (int i = 0; i < 3; i++)
        Dg += body->axes[i] * body->axes[i] * gamma[i] * gamma[i];
    Dg = sqrt(Dg);
    s.h = Dg - ph_dot3(body->centre, gamma);
    for (int i = 0; i < 3; i++)
        s.nu[i] = body->axes[i] * body->axes[i] * gamma[i] / Dg - body->centre[i];
    ph_cross3(s.nu, gamma, s.k);
    return s;
}

/* Its derivative along dgamma. */
static shape shape_along(const ph_rolling *body, const shape *s, const double *gamma, const double *dgamma)
{
    shape d;
    double Dg = s->h + ph_dot3(body->centre, gamma), n[3], along = 0, a[3], b[3];
    for (int i = 0; i < 3; i++) {
        n[i] = s->nu[i] + body->centre[i];
        along += n[i] * dgamma[i];
    }
    for (int i = 0; i < 3; i++)
        d.nu[i] = (body->axes[i] * body->axes[i] * dgamma[i] - n[i] * along) / Dg;
    d.h = ph_dot3(s->nu, dgamma);
    ph_cross3(d.nu, gamma, a);
    ph_cross3(s->nu, dgamma, b);
    for (int i = 0; i < 3; i++)
        d.k[i] = a[i] + b[i];
    return d;
}

/* row (9) <- (1/2) B S(w): on Rdot with B = R it is w . Omega. */
static void spin_row(const double B[9], const double w[3], double *row)
{
    ph_body_turn(B, w, row);
    for (int i = 0; i < 9; i++)
        row[i] *= 0.5;
}

/* ---- The inertia ----------------------------------------------------------------------------------- */

static void constant_inertia(const ph_rolling *body, double *MM)
{
    MM[0] = MM[NZ + 1] = body->mass;
    ph_body_add_inertia(body->J, NZ, R, MM);
}

/* The inertia of the height: m q q^T with q . Rdot = hdot. */
static ph_status inertia(void *user, const double *z, double *MM)
{
    const ph_rolling *body = user;
    const shape s = shape_at(body, z + GAMMA);
    double q[9];
    spin_row(z + R, s.k, q);
    memset(MM, 0, NZ * NZ * sizeof *MM);
    constant_inertia(body, MM);
    for (size_t i = 0; i < 9; i++)
        for (size_t j = 0; j < 9; j++)
            MM[(R + i) * NZ + R + j] += body->mass * q[i] * q[j];
    return PH_OK;
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    const ph_rolling *body = user;
    const shape s = shape_at(body, z + GAMMA);
    double q[9];
    spin_row(z + R, s.k, q);
    memset(dM, 0, (size_t)NZ * NZ * NZ * sizeof *dM);
    for (size_t l = 0; l < 9; l++) {
        double dR[9] = {0}, dq[9], more[9];
        dR[l] = 1;
        spin_row(dR, s.k, dq);
        if (l >= 6) {
            const shape d = shape_along(body, &s, z + GAMMA, dR + 6);
            spin_row(z + R, d.k, more);
            for (int i = 0; i < 9; i++)
                dq[i] += more[i];
        }
        for (size_t i = 0; i < 9; i++)
            for (size_t j = 0; j < 9; j++)
                dM[((R + i) * NZ + R + j) * NZ + R + l] = body->mass * (dq[i] * q[j] + q[i] * dq[j]);
    }
    return PH_OK;
}

static ph_status weight(void *user, const double *z, double *U)
{
    const ph_rolling *body = user;
    *U = body->mass * body->gravity * shape_at(body, z + GAMMA).h;
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    const ph_rolling *body = user;
    const shape s = shape_at(body, z + GAMMA);
    memset(dU, 0, NZ * sizeof *dU);
    for (int i = 0; i < 3; i++)
        dU[GAMMA + i] = body->mass * body->gravity * s.nu[i];
    return PH_OK;
}

/* ---- The constraint -------------------------------------------------------------------------------- */

/* Row i: xdot_i - (row i of R) . (Omega x nu) = xdot_i - Omega . (nu x row i). */
static ph_status roll(void *user, double t, const double *z, double *A, double *b)
{
    const ph_rolling *body = user;
    const shape s = shape_at(body, z + GAMMA);
    (void)t, (void)b;
    for (int i = 0; i < 2; i++) {
        double w[3];
        ph_cross3(z + R + 3 * i, s.nu, w);
        A[i * NZ + X + i] = 1;
        spin_row(z + R, w, A + i * NZ + R);
    }
    return PH_OK;
}

static ph_status roll_along(void *user, double t, const double *z, const double *zdot, double dt,
                            const double *dz, double *rate)
{
    const ph_rolling *body = user;
    const shape s = shape_at(body, z + GAMMA), d = shape_along(body, &s, z + GAMMA, dz + GAMMA);
    (void)t, (void)dt;
    for (int i = 0; i < 2; i++) {
        double w[3], dw[3], more[3], row[9];
        ph_cross3(z + R + 3 * i, s.nu, w);
        ph_cross3(dz + R + 3 * i, s.nu, dw);
        ph_cross3(z + R + 3 * i, d.nu, more);
        for (int k = 0; k < 3; k++)
            dw[k] += more[k];
        spin_row(dz + R, w, row);
        rate[i] = ph_dot(row, zdot + R, 9);
        spin_row(z + R, dw, row);
        rate[i] += ph_dot(row, zdot + R, 9);
    }
    return PH_OK;
}

/* x (3 x 2) <- the centre of mass and the contact. */
static ph_status places(void *user, const double *z, double *x)
{
    const ph_rolling *body = user;
    const shape s = shape_at(body, z + GAMMA);
    double arm[3];
    ph_apply3(z + R, s.nu, arm);
    x[0] = z[X];
    x[1] = z[X + 1];
    x[2] = s.h;
    for (int k = 0; k < 3; k++)
        x[3 + k] = x[k] - arm[k];
    return PH_OK;
}

/* The ellipsoid about its middle, with the axes of the body, and the plane. A disk has a third half-axis of 0. */
static void draw(const ph_rolling *body, ph_part_list *parts)
{
    const double *a = body->axes, *c = body->centre, largest = fmax(a[0], fmax(a[1], a[2]));
    ph_part_plane(parts, "plane");
    ph_scene_part *solid = ph_part_add(parts, a[2] > 0 ? PH_SCENE_ELLIPSOID : PH_SCENE_CYLINDER, 0, 1);
    ph_part_shift(ph_part_size(solid, a[0], a[1], a[2] > 0 ? a[2] : 0.01 * largest), -c[0], -c[1], -c[2])
        ->name = "body";
    ph_part_size(ph_part_add(parts, PH_SCENE_AXES, 0, 1), 1.2 * largest, 0, 0);
    ph_part_add(parts, PH_SCENE_BALL, 1, PH_NO_INDEX)->name = "contact";
}

/* ---- Building and starts --------------------------------------------------------------------------- */

ph_status ph_rolling_build(const ph_rolling *body, ph_system **system, ph_error *err)
{
    static const ph_factor factors[] = {PH_R(2), PH_ROTATIONS};
    ph_part_list parts = {0};
    draw(body, &parts);
    ph_system_definition definition = {.ambient_inertia_at = inertia,
                                       .inertia_dz = inertia_dz,
                                       .potential = weight,
                                       .gradient = weight_gradient,
                                       .constraint = roll,
                                       .constraint_along = roll_along,
                                       .n_constraints = 2,
                                       .points = places,
                                       .n_points = 2};
    return ph_model_create(factors, 2, body, sizeof *body, &parts, &definition, system, err);
}

void ph_rolling_start(const ph_rolling *body, const double x[2], const double attitude[9],
                      const double Omega[3], double *z, double *zdot)
{
    const shape s = shape_at(body, attitude + 6);
    double across[3], v[3];
    ph_cross3(Omega, s.nu, across);
    ph_apply3(attitude, across, v);
    memcpy(z + X, x, 2 * sizeof *z);
    memcpy(z + R, attitude, 9 * sizeof *z);
    memcpy(zdot + X, v, 2 * sizeof *zdot);
    ph_body_turn(attitude, Omega, zdot + R);
}
