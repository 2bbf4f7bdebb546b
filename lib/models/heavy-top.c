/* SPDX-License-Identifier: BSD-3-Clause */
/* Heavy top: a rigid body with a fixed point, the pivot (body.h),
 *     L = (1/2) Omega . J Omega + m G . R rho,   J = Jc + m (|rho|^2 I - rho rho^T)
 * with rho the centre of mass from the pivot and Jc the inertia about it. Where rho is an axis of symmetry of
 * J, with the moment C about it and A across, it can precess steadily about the vertical:
 *     A Om^2 cos th - C w3 Om + m g l = 0
 * for the angle th of rho from upwards, l = |rho|, the rate of precession Om and the angular velocity w3
 * about rho. */
#include "body.h"
#include "gravity.h"
#include <polhode/kit/elementary.h>
#include <polhode/kit/sphere.h>

enum { MASS, CENTRE, INERTIA, GRAVITY };

static const ph_parameter parameters[] = {
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 15, "mass of the body"),
    [CENTRE] = PH_VECTOR("centre", "m", PH_ANY, 0, 1, 0, "centre of mass from the pivot, in the body frame"),
    [INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 0.234375, 0.46875, 0.234375,
                          "principal moments about the centre of mass; body axes are principal axes"),
    [GRAVITY] = PH_GRAVITY(-9.81),
};

enum { SLOW, FAST, PRECESSION, HANGING, UPRIGHT, NUTATION };

static const ph_preset presets[] = {
    [SLOW] = {"slow", "R = I, body angular velocity (0, 1.5, -0.0461538) rad/s"},
    [FAST] = {"fast", "R = I, body angular velocity (0, 150, -4.61538) rad/s"},
    [PRECESSION] = {"precession",
                    "centre of mass 60 degrees from upwards, steady: A Om^2 cos th - C w3 Om + m g l = 0"},
    [HANGING] = {"hanging", "centre of mass below the pivot, at rest: the stable equilibrium"},
    [UPRIGHT] = {"upright", "centre of mass above the pivot, at rest: the unstable equilibrium"},
    [NUTATION] =
        {"nutation",
         "a top of 1 kg whose axis, 60 degrees from upwards, is let go from rest; it spins twice as fast as is "
         "needed to stand upright: it precesses and nods, with a cusp at each stop"},
};

static const ph_preset_value own[] = {
    PH_OWN(NUTATION, "mass", 1),
    PH_OWN(NUTATION, "centre", 0, 0, 0.1),
    PH_OWN(NUTATION, "inertia", 0.002, 0.002, 0.004),
};

/* *body <- as the table says; its upper joint is the pivot, and nothing hangs on it. */
static ph_status read(const ph_model_table *table, ph_bodies *body, ph_error *err)
{
    *body = (ph_bodies){.n = 1, .mass = &table->row[MASS]};
    memcpy(body->centre, ph_vector(table, CENTRE), sizeof body->centre);
    memcpy(body->G, ph_vector(table, GRAVITY), sizeof body->G);
    return ph_body_tensor(ph_vector(table, INERTIA), NULL, body->J, err);
}

/* Half-axes (2) of the base of the homogeneous cone with its tip in the pivot, its axis e (3) and its centre of mass at that of
 * the body, at 3/4 of its height: J_3 = (3/20) m (a^2 + b^2), J_2 - J_1 = (3/20) m (a^2 - b^2). R <- its attitude, whose first axes
 * diagonalise what is across e. */
static void find_cone(double mass, const double J[9], const double e[3], double base[2], double R[9])
{
    double u[3], v[3], Ju[3], Jv[3], Je[3];
    ph_tangent_basis3(e, u, v);
    ph_apply3(J, u, Ju);
    ph_apply3(J, v, Jv);
    ph_apply3(J, e, Je);
    const double turn = 0.5 * ph_atan2(2 * ph_dot3(u, Jv), ph_dot3(u, Ju) - ph_dot3(v, Jv)), c = ph_cos(turn),
                 s = ph_sin(turn), mean = 0.5 * (ph_dot3(u, Ju) + ph_dot3(v, Jv)),
                 off = ph_hypot(ph_dot3(u, Jv), 0.5 * (ph_dot3(u, Ju) - ph_dot3(v, Jv))),
                 scale = 10 / (3 * mass);
    const double J1 = mean + off, J2 = mean - off, J3 = ph_dot3(e, Je);
    base[0] = sqrt(fmax(0, scale * (J3 + J2 - J1)));
    base[1] = sqrt(fmax(0, scale * (J3 + J1 - J2)));
    for (int k = 0; k < 3; k++) {
        R[3 * k] = c * u[k] + s * v[k];
        R[3 * k + 1] = c * v[k] - s * u[k];
        R[3 * k + 2] = e[k];
    }
}

/* A cone on its point, which stands in the pivot, and its axis. */
static void draw(double mass, const ph_bodies *body, ph_part_list *parts)
{
    const double *rho = body->centre, l = ph_norm3(rho), height = l * 4 / 3;
    double e[3], base[2], R[9];
    if (!(l > 0 && isfinite(l)))
        return;
    for (int k = 0; k < 3; k++)
        e[k] = rho[k] / l;
    ph_unit_correct3(e);
    find_cone(mass, body->J, e, base, R);
    const double thin = 0.02 * fmax(height, fmax(base[0], base[1]));
    ph_scene_part *cone = ph_part_add(parts, PH_SCENE_CONE, PH_NO_INDEX, 0);
    ph_part_shift(cone, 0.5 * height * e[0], 0.5 * height * e[1], 0.5 * height * e[2]);
    ph_part_size(cone, fmax(base[0], thin), fmax(base[1], thin), 0.5 * height)->name = "top";
    memcpy(cone->R, R, sizeof R);
    ph_scene_part *axis = ph_part_rod(parts, PH_NO_INDEX, PH_NO_INDEX, 0.012 * height);
    ph_part_end(axis, PH_NO_INDEX, 0, 1.3 * height * e[0], 1.3 * height * e[1], 1.3 * height * e[2])->name =
        "axis";
    ph_part_mark(parts, PH_NO_INDEX, NULL, "pivot");
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_bodies body;
    ph_part_list parts = {0};
    ph_status status = read(table, &body, err);
    if (status)
        return status;
    draw(ph_number(table, MASS), &body, &parts);
    body.parts = &parts;
    return ph_bodies_build(&body, system, err);
}

/* Is J = A I + (C - A) e e^T? */
static bool is_symmetric(const double J[9], const double e[3], double *A, double *C)
{
    double Je[3], off = 0;
    ph_apply3(J, e, Je);
    *C = ph_dot3(e, Je);
    *A = 0.5 * (J[0] + J[4] + J[8] - *C);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            off = fmax(off, fabs(J[3 * i + j] - ((i == j) * *A + (*C - *A) * (e[i] * e[j]))));
    return off <= 1e-12 * fmax(*A, *C);
}

/* At th = 60 degrees from upwards and half the rate at which the spin that is needed is least,
 * sqrt(m g l/(A cos th)); 1 rad/s where there is no gravity. Omega = Om R^T up + (w3 - Om cos th) rho/l. */
static ph_status precess(const ph_model_table *table, const ph_bodies *body, double *z, double *zdot,
                         ph_error *err)
{
    static const double cosine = 0.5, from_hanging = 2.0943951023931954923; /* 120 degrees */
    const double *rho = body->centre, *G = body->G, l = ph_hypot(ph_hypot(rho[0], rho[1]), rho[2]),
                 mgl = ph_number(table, MASS) * ph_hypot(ph_hypot(G[0], G[1]), G[2]) * l;
    double J[9], e[3], along[3], across[3], down[3], omega[3], A, C;
    ph_body_about_joint(body, ph_number(table, MASS), J);
    for (int k = 0; k < 3; k++)
        e[k] = rho[k] / (l > 0 ? l : 1);
    if (!(l > 0) || !is_symmetric(J, e, &A, &C) || !(C > 0))
        return ph_fail(err, PH_E_RANGE,
                       "inertia and centre: the preset \"precession\" needs a body "
                       "that is symmetric about the axis from the pivot to its centre of mass");
    double rate = mgl > 0 ? 0.5 * sqrt(mgl / (A * cosine)) : 1, spin = (A * rate * cosine + mgl / rate) / C;
    ph_bodies_incline(body, &from_hanging, z);
    ph_gravity_frame(G, along, across, down);
    ph_apply_transposed3(z, down, omega);
    for (int k = 0; k < 3; k++)
        omega[k] = -rate * omega[k] + (spin - rate * cosine) * e[k];
    ph_body_turn(z, omega, zdot);
    return PH_OK;
}

/* The axis at rest 60 degrees from upwards; it spins at twice the rate from which on it would stand upright, 2 sqrt(A m g l)/C, with A
 * the mean of the moments across the axis; at 1 rad/s where there is no gravity or no moment. */
static void nod(const ph_model_table *table, const ph_bodies *body, double *z, double *zdot)
{
    static const double from_hanging = 2.0943951023931954923; /* 120 degrees */
    const double *rho = body->centre, l = ph_norm3(rho), mgl = ph_number(table, MASS) * ph_norm3(body->G) * l;
    double J[9], e[3] = {0, 0, 1}, Je[3], omega[3];
    ph_body_about_joint(body, ph_number(table, MASS), J);
    for (int k = 0; k < 3 && l > 0; k++)
        e[k] = rho[k] / l;
    ph_apply3(J, e, Je);
    const double C = ph_dot3(e, Je), A = 0.5 * (J[0] + J[4] + J[8] - C),
                 spin = mgl > 0 && C > 0 ? 4 * sqrt(A * mgl) / C : 1;
    ph_bodies_incline(body, &from_hanging, z);
    for (int k = 0; k < 3; k++)
        omega[k] = spin * e[k];
    ph_body_turn(z, omega, zdot);
}

/* `fast` is that of the reference, `slow` a hundredth of it, with R = I. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        from_hanging[] = {0, 3.1415926535897932385};
    static const double omega[][3] = {[SLOW] = {0, 1.5, -0.0461538}, [FAST] = {0, 150, -4.61538}};
    ph_bodies body;
    ph_status status = read(table, &body, err);
    if (status)
        return status;
    if (which == PRECESSION)
        return precess(table, &body, z, zdot, err);
    if (which == NUTATION) {
        nod(table, &body, z, zdot);
        return PH_OK;
    }
    if (which == SLOW || which == FAST) {
        memcpy(z, identity, sizeof identity);
        ph_body_turn(z, omega[which], zdot);
        return PH_OK;
    }
    ph_bodies_incline(&body, &from_hanging[which == UPRIGHT], z);
    memset(zdot, 0, 9 * sizeof *zdot);
    return PH_OK;
}

const ph_model ph_model_heavy_top = {
    .name = "heavy-top",
    .summary = "rigid body with a fixed point under gravity",
    .reference = "Bruels, Cardona, Arnold, Mech. Mach. Theory 48 (2012) 121, section 5.1",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
    .start = NUTATION,
};
