/* SPDX-License-Identifier: BSD-3-Clause */
/* Two beads on rods in water, a system whose inertia depends on where it is: each carries half of the water
 * that it displaces along, and moves the other by the flow of a dipole (Lamb, Hydrodynamics, 6th ed.,
 * articles 92, 138, 139; what is smaller by (radius/distance)^3 is left out). At rest they hang side by
 * side; one is pushed, and the water hands its swing on.
 *     cc beads.c $(pkg-config --cflags --libs polhode) -lm -o beads && ./beads
 * The model submerged-pendula of the catalogue is this for any number of beads. */
#include <polhode/polhode.h>
#include <stdio.h>
#include <string.h>

/* Beads of one size; their pivots are at -d/2 e1 and d/2 e1. */
typedef struct beads {
    double mass, radius, rod, d, water, g;
} beads;

static const double pi = 3.14159265358979323846;

static double displaced(const beads *b)
{
    return 4 * pi / 3 * b->water * pow(b->radius, 3);
}

/* From bead 0 to bead 1. */
static void look(const beads *b, const double *z, double r[3])
{
    for (int k = 0; k < 3; k++)
        r[k] = b->rod * (z[3 + k] - z[k]) + (k == 0 ? b->d : 0);
}

/* (m + half the displaced water) l^2 for each, and between them -pi rho a^6 l^2 (3 r r^T - r^2 I)/r^5. */
static ph_status inertia(void *user, const double *z, double *M)
{
    const beads *b = user;
    double own = (b->mass + displaced(b) / 2) * b->rod * b->rod, r[3];
    double pair = -pi * b->water * pow(b->radius, 6) * b->rod * b->rod;
    look(b, z, r);
    double r2 = ph_dot3(r, r);
    memset(M, 0, 36 * sizeof *M);
    for (int i = 0; i < 6; i++)
        M[7 * i] = own;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            M[6 * k + 3 + l] = M[6 * (3 + l) + k] = pair * (3 * r[k] * r[l] - (k == l) * r2) / pow(r2, 2.5);
    return PH_OK;
}

/* The derivative of (3 r_k r_l - r^2 delta_kl)/r^5 along r_m is
 *     3 (r_k delta_lm + r_l delta_km + r_m delta_kl)/r^5 - 15 r_k r_l r_m/r^7. */
static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    const beads *b = user;
    double pair = -pi * b->water * pow(b->radius, 6) * b->rod * b->rod, r[3];
    look(b, z, r);
    double r2 = ph_dot3(r, r);
    memset(dM, 0, 216 * sizeof *dM);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            for (int m = 0; m < 3; m++) {
                double slope = 3 * (r[k] * (l == m) + r[l] * (k == m) + r[m] * (k == l)) / pow(r2, 2.5) -
                               15 * r[k] * r[l] * r[m] / pow(r2, 3.5);
                double *entry = dM + 6 * (6 * k + 3 + l), *mirror = dM + 6 * (6 * (3 + l) + k);
                entry[3 + m] = mirror[3 + m] = pair * b->rod * slope;
                entry[m] = mirror[m] = -pair * b->rod * slope;
            }
    return PH_OK;
}

static ph_status potential(void *user, const double *z, double *U)
{
    const beads *b = user;
    *U = (b->mass - displaced(b)) * b->g * b->rod * (z[2] + z[5]);
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const beads *b = user;
    (void)z;
    for (int i = 0; i < 6; i++)
        dU[i] = i % 3 == 2 ? (b->mass - displaced(b)) * b->g * b->rod : 0;
    return PH_OK;
}

/* Every derivative above, against differences: a slip in an index would be named. */
static int check(const ph_system *system)
{
    const double z[6] = {0.6, 0, -0.8, 0, 0.28, -0.96}, zdot[6] = {0.8, 0.5, 0.6, 1, 0, 0};
    ph_derivative_report report;
    ph_error err;
    int wrong = 0;
    if (ph_system_check_derivatives(system, 0, z, zdot, &report, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    for (size_t i = 0; i < report.n; i++) {
        printf("%-26s off by %.0e %s\n", report.entry[i].name, report.entry[i].error,
               report.entry[i].mistake);
        wrong |= report.entry[i].error > PH_DERIVATIVE_WRONG;
    }
    return wrong;
}

int main(void)
{
    /* 5 kg, which displaces 4.2 kg; 0.46 m apart, so that beads on rods that point at each other just do not
     * touch */
    beads b = {5, 0.1, 0.12, 0.46, 1000, 9.81};
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    const double z[6] = {0, 0, -1, 0, 0, -1}, zdot[6] = {0.3, 0, 0, 0, 0, 0}, h = 0.01;
    ph_system_definition own = {.ambient_inertia_at = inertia,
                                .inertia_dz = inertia_dz,
                                .potential = potential,
                                .gradient = gradient,
                                .user = &b};
    ph_space *space;
    ph_system *system;
    ph_integrator *integrator;
    ph_state *state;
    ph_error err;
    if (ph_space_create_power(&sphere, 2, &space, &err) || !(own.space = space) ||
        ph_system_create(&own, &system, &err) ||
        ph_integrator_create(system, ph_method_find("variational", &err), h, NULL, 0, &integrator, &err) ||
        ph_state_create(integrator, &state, &err) ||
        ph_state_set_velocity(integrator, state, 0, z, zdot, PH_STRICT, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    int wrong = check(system);

    /* Small swings along the row are two: in phase w0^2 = K/(A - B), against each other w1^2 = K/(A + B),
     * with B = 2 pi rho a^6/d^3. Of a swing of bead 0 that is half of each, bead 1 takes all after the time
     * pi/(w0 - w1). */
    double A = b.mass + displaced(&b) / 2, B = 2 * pi * b.water * pow(b.radius, 6) / pow(b.d, 3);
    double K = (b.mass - displaced(&b)) * b.g / b.rod;
    double exchange = pi / (sqrt(K / (A - B)) - sqrt(K / (A + B)));
    double largest[2] = {0, 0}, T0 = 0, E0 = 0, worst = 0;
    double work[400];
    if (ph_system_work(system) > sizeof work / sizeof work[0])
        return fprintf(stderr, "more scratch is needed\n"), 1;
    for (long step = 0; (double)step * h < exchange; step++) {
        double T, U, v[6];
        if (ph_system_velocity(system, state->t, state->z, state->p, v, work) ||
            ph_system_energy(system, state->t, state->z, v, &T, &U, work))
            return fprintf(stderr, "no energy\n"), 1;
        T0 = step ? T0 : T;
        E0 = step ? E0 : T + U;
        worst = fmax(worst, fabs(T + U - E0) / T0);
        for (int i = 0; i < 2; i++) /* in the last tenth */
            if ((double)step * h > 0.9 * exchange)
                largest[i] = fmax(largest[i], fabs(state->z[3 * i]));
        if (ph_integrator_step(integrator, state, 1))
            return fprintf(stderr, "%s\n", ph_integrator_message(integrator)), 1;
    }
    double all = zdot[0] / sqrt(K / A); /* what bead 0 began with */
    printf("after %.0f s bead 0 swings by %.3f of what it had, "
           "bead 1 by %.3f; energy error at most %.0e of it\n",
           exchange, largest[0] / all, largest[1] / all, worst);
    wrong |= largest[0] > 0.2 * all || largest[1] < 0.95 * all || worst > 1e-3;
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_system_free(system);
    ph_space_free(space);
    return wrong;
}
