/* SPDX-License-Identifier: BSD-3-Clause */
/* Tides: the law against itself written once more in space; that momenta stay, that the power is the work and never positive,
 * and that a primary which turns faster than the orbit slows; the flow of momenta with its order; end states of a binary
 * with strong tides by ordinary methods, by forces with the chord velocity and by outer half-steps, with their orders; the
 * energy against the work; that tides much smaller than the rounding of the momenta leave no trend. */
#include <polhode/domain/gravitation.h>

#include "cases.h"
#include "tests/kit/binaries.h"

enum { A, B, BODIES = 2 };
static const double G = 6.6743e-11, mass_of[BODIES] = {5.2e11, 4.5e9},
                    axes[BODIES][3] = {{425, 415, 340}, {88, 85, 58}};
/* Far stronger than real ones, so that they show. */
static const ph_tide strong[BODIES] = {{5, 400, .1, 2100}, {5, 77, .1, 2100}};

static ph_gravitation *describe(const ph_tide *tides, bool relative)
{
    ph_mass mass[BODIES];
    for (size_t i = 0; i < BODIES; i++)
        tk_ok(ph_mass_ellipsoid(mass_of[i], axes[i], &mass[i], NULL));
    const ph_gravitation_definition d = {
        .bodies = BODIES, .mass = mass, .order = 2, .G = G, .relative = relative, .tides = tides};
    return tk_gravitation(d);
}

static ph_system *build(const ph_tide *tides, bool relative)
{
    ph_system *system = NULL;
    tk_ok(ph_gravitation_build(describe(tides, relative), &system, NULL));
    return system;
}

/* z, zdot (21) <- the reference problem. */
static void begin_motion(double z[21], double zdot[21])
{
    static const double spin[BODIES] = {7.7227e-4, 1.44e-4};
    const double w = 20 / sqrt(402), x = 1 / sqrt(402); /* the quaternion (20, 1, 0, 1)/sqrt 402 */
    memset(z, 0, 21 * sizeof *z);
    memset(zdot, 0, 21 * sizeof *zdot);
    z[0] = 1190;
    zdot[1] = .1715;
    z[3] = z[7] = z[11] = 1;
    const double R[9] = {1 - 2 * x * x, -2 * w * x, 2 * x * x, 2 * w * x,    1 - 4 * x * x,
                         -2 * w * x,    2 * x * x,  2 * w * x, 1 - 2 * x * x};
    memcpy(z + 12, R, sizeof R);
    for (size_t i = 0; i < BODIES; i++) {
        const double S[9] = {0, -spin[i], 0, spin[i], 0, 0, 0, 0, 0};
        ph_multiply3(z + 3 + 9 * i, S, zdot + 3 + 9 * i);
    }
}

static double moment(size_t i, size_t k)
{
    const double *a = axes[i];
    return mass_of[i] / 5 * (a[(k + 1) % 3] * a[(k + 1) % 3] + a[(k + 2) % 3] * a[(k + 2) % 3]);
}

static double reduced(void)
{
    return mass_of[A] * mass_of[B] / (mass_of[A] + mass_of[B]);
}

/* ---- The law ---------------------------------------------------------------------------------------------------------------- */

/* The torque on body i in space, by its spin there; x to the other body. */
static void law(size_t i, const double *x, const double *v, const double *w, double *T)
{
    const ph_tide *t = &strong[i];
    const double m = mass_of[1 - i], r = ph_norm3(x), n[3] = {x[0] / r, x[1] / r, x[2] / r},
                 K = 1.5 * t->love * G * m * m * pow(t->radius, 5) * sin(2 * t->lag) / pow(r, 6);
    double orbit[3], relative[3], across[3];
    ph_cross3(x, v, orbit);
    for (size_t k = 0; k < 3; k++)
        relative[k] = w[k] - orbit[k] / (r * r);
    ph_cross3(n, relative, across); /* perpendicular to n: -n x (n x .) */
    ph_cross3(across, n, relative);
    const double slow = K / (moment(i, 2) * sqrt(acos(-1.) * G * t->density / 6));
    for (size_t k = 0; k < 3; k++)
        T[k] = -K * relative[k] / fmax(ph_norm3(relative), slow);
}

static void draw(tk_random *r, double z[24], double p[12], bool relative)
{
    TK_OWN(ph_system) *system = build(strong, relative);
    double zdot[24];
    tk_random_motion(system, r, z, zdot);
    const size_t places = relative ? 1 : 2;
    for (size_t k = 0; k < 3 * places; k++) {
        z[k] = tk_uniform(r, -1500, 1500);
        p[k] = tk_normal(r) * .2 * 4.5e9;
    }
    for (size_t i = 0; i < 6; i++)
        p[3 * places + i] = tk_normal(r) * 5e-4 * moment(i / 3, i % 3);
}

/* In both ways to follow two bodies; the sums of forces and of moments about the origin are 0. */
TEST_EACH(the_law, 2)
{
    tk_random r = {5};
    const bool relative = _i == 0;
    const size_t places = relative ? 1 : 2;
    TK_OWN(ph_gravitation) *g = describe(strong, relative);
    ck_assert(ph_gravitation_has_tides(g));
    for (int trial = 0; trial < 20; trial++) {
        double z[24], p[12], force[6], torque[6], power, own = 0, total[3] = {0, 0, 0}, size = 0, T[2][3],
                                                         x[3], v[3];
        draw(&r, z, p, relative);
        if (trial == 0)
            memset(p + 3 * places, 0, 6 * sizeof *p);
        ph_gravitation_tides(g, z, p, force, torque, &power);
        for (size_t k = 0; k < 3; k++) {
            x[k] = relative ? z[k] : z[3 + k] - z[k];
            v[k] = relative ? p[k] / reduced() : p[3 + k] / mass_of[B] - p[k] / mass_of[A];
        }
        for (size_t i = 0; i < 2; i++) {
            const double *R = z + 3 * places + 9 * i;
            double Omega[3], w[3], expected[3];
            for (size_t k = 0; k < 3; k++)
                Omega[k] = p[3 * places + 3 * i + k] / moment(i, k);
            ph_apply3(R, Omega, w);
            law(i, x, v, w, expected);
            ph_apply3(R, torque + 3 * i, T[i]);
            ck_assert_double_le(tk_max_difference(T[i], expected, 3), 1e-13 * ph_norm3(expected));
            own += ph_dot3(T[i], w);
            for (size_t k = 0; k < 3; k++)
                total[k] += T[i][k];
            size += ph_norm3(T[i]);
        }
        for (size_t i = 0; i < places; i++) {
            double turn[3];
            ph_cross3(z + 3 * i, force + 3 * i, turn);
            for (size_t k = 0; k < 3; k++)
                total[k] += turn[k];
            own += ph_dot3(force + 3 * i, p + 3 * i) / (relative ? reduced() : mass_of[i]);
        }
        for (size_t k = 0; k < 3 && !relative; k++)
            ck_assert(force[k] == -force[3 + k]);
        ck_assert_double_le(ph_norm3(total), 3e-15 * size * (relative ? 1 : 3));
        ck_assert_double_le(power, 0);
        ck_assert_double_eq_tol(own, power, 1e-12 * fabs(power));
    }
}

/* Without a spin relative to the orbit, or along the line of centres, there is no torque, and no division by 0. */
TEST(synchronous)
{
    TK_OWN(ph_gravitation) *g = describe(strong, true);
    double z[21] = {1000, 0, 0}, p[9] = {0, .17 * reduced(), 0}, force[3], torque[6], power;
    for (size_t k = 0; k < 9; k += 4)
        z[3 + k] = z[12 + k] = 1;
    for (size_t i = 0; i < 2; i++) {
        p[3 + 3 * i] = 1e-3 * moment(i, 0); /* along x */
        p[3 + 3 * i + 2] = .17 / 1000 * moment(i, 2);
    }
    ph_gravitation_tides(g, z, p, force, torque, &power);
    /* a rounding of the spin, with the rate of decay sqrt(pi G rho/6) of the smooth part */
    ck_assert_double_le(ph_max_norm(torque, 6), 4e-16 * 1e-3 * moment(A, 2) * sqrt(acos(-1.) * G * 2100 / 6));
    ck_assert(isfinite(power) && ph_all_finite(force, 3));
}

/* ---- The flow of momenta ------------------------------------------------------------------------------------------------------ */

static double momentum_change(const double *z, const double *p, const double *p1)
{
    double L[2][3], turned[3];
    for (int s = 0; s < 2; s++) {
        const double *q = s ? p1 : p;
        ph_cross3(z, q, L[s]);
        for (size_t i = 0; i < 2; i++) {
            ph_apply3(z + 3 + 9 * i, q + 3 + 3 * i, turned);
            for (size_t k = 0; k < 3; k++)
                L[s][k] += turned[k];
        }
    }
    return tk_max_difference(L[0], L[1], 3) / ph_norm3(L[0]);
}

/* p (9) after the time tau. */
static void slow(const ph_gravitation *g, double tau, const double *z, double *p)
{
    double change[9], work[64];
    ck_assert_uint_le(ph_gravitation_dissipate_work(g), 64);
    ph_gravitation_dissipate(g, tau, z, p, change, work);
    for (size_t k = 0; k < 9; k++)
        p[k] += change[k];
}

/* Steps of 1e5 s, in which the spin of the secondary, which is not synchronous, changes by a third, against many: order 4, the
 * angular momentum to rounding. */
TEST(the_flow)
{
    ph_gravitation *g = describe(strong, true);
    double z[21], zdot[21], p0[9], end[3][9];
    static const int steps[3] = {1, 2, 64};
    static const double spin[3] = {2e-4, -3e-4, 4e-4};
    const double T = 1e5;
    begin_motion(z, zdot);
    TK_OWN(ph_system) *system = build(strong, true);
    tk_momentum(system, z, zdot, p0);
    for (size_t k = 0; k < 3; k++)
        p0[6 + k] = moment(B, k) * spin[k];
    for (int s = 0; s < 3; s++) {
        memcpy(end[s], p0, sizeof p0);
        for (int k = 0; k < steps[s]; k++)
            slow(g, T / steps[s], z, end[s]);
    }
    ck_assert_double_le(momentum_change(z, p0, end[0]), 2e-15);
    double off[2];
    for (int s = 0; s < 2; s++)
        off[s] = tk_max_difference(end[s] + 6, end[2] + 6, 3);
    printf("angular momentum off by %.1e, spin by %.1e, %.1e of it, order %.2f\n",
           momentum_change(z, p0, end[0]), off[0] / ph_norm3(p0 + 6), off[1] / ph_norm3(p0 + 6),
           log2(off[0] / off[1]));
    ck_assert_double_eq_tol(log2(off[0] / off[1]), 4, .5);
    ck_assert_double_gt(tk_max_difference(p0 + 6, end[2] + 6, 3), .2 * ph_norm3(p0 + 6));
    ph_gravitation_free(g);
    g = describe(NULL, true); /* without tides nothing happens */
    ck_assert_uint_eq(ph_gravitation_dissipate_work(g), 0);
    ph_gravitation_dissipate(g, 1e6, z, p0, end[1], NULL);
    for (size_t k = 0; k < 9; k++)
        ck_assert(end[1][k] == 0);
    ph_gravitation_free(g);
}

/* ---- Motions ---------------------------------------------------------------------------------------------------------------- */

/* After 40 000 s: an extrapolation of order 16 in double precision, of which two step sizes agree to 2e-6 m (the law has a
 * kink at synchronism, which the secondary passes). Without tides W_A,z is 7.722696891e-4. */
static const double T_END = 40000, x_end[3] = {1118.92893, -402.30240, -.047982}, spin_end = 7.722610314e-4;

static double spin_of_primary(const double *z, const double *zdot)
{
    double S[9], Omega[3];
    ph_transposed_multiply3(z + 3, zdot + 3, S);
    ph_vee3(S, Omega);
    return Omega[2];
}

/* A method on the system with its tides. */
static void follow(const char *method, const char *option, const char *value, int64_t n, double *z,
                   double *zdot)
{
    TK_OWN(ph_system) *system = build(strong, true);
    double work[256];
    begin_motion(z, zdot);
    ck_assert(!ph_system_is_conservative(system) && !ph_system_depends_on_time(system));
    ck_assert_uint_eq(ph_system_symmetries(system), 3);
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find(method, NULL), option, value, T_END / (double)n,
             0, z, zdot);
    tk_steps(it, state, n);
    ck_assert_uint_le(ph_system_work(system), 256);
    memcpy(z, state->z, 21 * sizeof *z);
    tk_ok(ph_system_velocity(system, 0, z, state->p, zdot, work));
}

TEST(end_state)
{
    double z[21], zdot[21];
    follow("rkmk4", NULL, NULL, 4000, z, zdot);
    printf("off by %.1e m, spin by %.1e rad/s\n", tk_max_difference(z, x_end, 3),
           fabs(spin_of_primary(z, zdot) - spin_end));
    ck_assert_double_le(tk_max_difference(z, x_end, 3), 8e-6); /* half of the last digits, and the kink */
    ck_assert_double_le(fabs(spin_of_primary(z, zdot) - spin_end), 6e-14);
    ck_assert_double_lt(spin_of_primary(z, zdot), 7.7226969e-4); /* it slows */
}

/* Forces with the chord velocity, as `variational` has them where it is not the rule `ends`. */
TEST(by_chord_velocities)
{
    double z[21], zdot[21], reference[21], error[2];
    follow("rkmk4", NULL, NULL, 4000, reference, zdot);
    for (int half = 0; half < 2; half++) {
        follow("variational", "discrete-lagrangian", "exponential", 400 << half, z, zdot);
        error[half] = tk_max_difference(z, reference, 3);
    }
    printf("%.2e, %.2e m, order %.2f\n", error[0], error[1], log2(error[0] / error[1]));
    ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, .05);
}

/* A conservative step of `variational` (order 2) between two half-steps of the tides. */
static double by_half_steps(int64_t n, const double *reference, double *change, double *z_end)
{
    TK_OWN(ph_system) *plain = build(NULL, true);
    TK_OWN(ph_gravitation) *g = describe(strong, true);
    const double h = T_END / (double)n;
    double z[21], zdot[21], p[9], first[9], z0[21];
    begin_motion(z, zdot);
    memcpy(z0, z, sizeof z);
    tk_momentum(plain, z, zdot, p);
    memcpy(first, p, sizeof p);
    TK_BEGIN(it, state, tk_start_with, plain, ph_method_find("variational", NULL), NULL, NULL, h, 0, z, zdot);
    for (int64_t k = 0; k < n; k++) {
        slow(g, .5 * h, z, p);
        tk_ok(ph_state_set(it, state, (double)k * h, z, p, PH_STRICT, NULL));
        tk_steps(it, state, 1);
        memcpy(z, state->z, sizeof z);
        memcpy(p, state->p, sizeof p);
        slow(g, .5 * h, z, p);
    }
    double L0[3], L1[3], turned[3];
    ph_cross3(z0, first, L0);
    ph_cross3(z, p, L1);
    for (size_t i = 0; i < 2; i++) {
        ph_apply3(z0 + 3 + 9 * i, first + 3 + 3 * i, turned);
        for (size_t k = 0; k < 3; k++)
            L0[k] += turned[k];
        ph_apply3(z + 3 + 9 * i, p + 3 + 3 * i, turned);
        for (size_t k = 0; k < 3; k++)
            L1[k] += turned[k];
    }
    *change = tk_max_difference(L0, L1, 3) / ph_norm3(L0);
    memcpy(z_end, z, sizeof z);
    return tk_max_difference(z, reference, 3);
}

/* `variational` does the same by its kernel, which makes two half-steps of the tides one: to the error of these. */
TEST(by_outer_half_steps)
{
    double zdot[21], reference[21], error[2], change[2], apart[21], z[21];
    follow("rkmk4", NULL, NULL, 4000, reference, zdot);
    for (int half = 0; half < 2; half++)
        error[half] = by_half_steps(400 << half, reference, &change[half], apart);
    printf("%.2e, %.2e m, order %.2f, angular momentum %.1e\n", error[0], error[1], log2(error[0] / error[1]),
           change[1]);
    ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, .05);
    ck_assert_double_le(change[1], 2e-14); /* rounding of 800 steps, each from its p and z alone */
    follow("variational", NULL, NULL, 800, z, zdot);
    printf("the kernel differs by %.1e m, %.1e in the attitudes\n", tk_max_difference(z, apart, 3),
           tk_max_difference(z + 3, apart + 3, 18));
    ck_assert_double_le(tk_max_difference(z, apart, 3), 1e-9);
    ck_assert_double_le(tk_max_difference(z + 3, apart + 3, 18), 1e-11);
}

/* Compositions: order 4 by halving; the tides act in every stage, backwards in some. */
TEST(compositions)
{
    double z[21], zdot[21], reference[21], error[2];
    follow("rkmk4", NULL, NULL, 8000, reference, zdot);
    for (int half = 0; half < 2; half++) {
        follow("variational", "order", "4", 200 << half, z, zdot);
        error[half] = tk_max_difference(z, reference, 3);
    }
    printf("%.2e, %.2e m, order %.2f\n", error[0], error[1], log2(error[0] / error[1]));
    ck_assert_double_eq_tol(log2(error[0] / error[1]), 4, .2);
}

/* Momenta that are written between steps change nothing: n steps at once and one by one, and forth and back with -h to the
 * error of the flow of the tides, which the Runge-Kutta method reverses to its order. */
TEST(step_by_step)
{
    TK_OWN(ph_system) *system = build(strong, true);
    double z[21], zdot[21], p0[9];
    begin_motion(z, zdot);
    tk_momentum(system, z, zdot, p0);
    TK_BEGIN(it, once, tk_start_with, system, ph_method_find("variational", NULL), NULL, NULL, 50, 0, z,
             zdot);
    TK_MAKE(ph_state, single, ph_state_create(it, &single, NULL));
    tk_ok(ph_state_set_velocity(it, single, 0, z, zdot, PH_STRICT, NULL));
    tk_steps(it, once, 40);
    for (int k = 0; k < 40; k++)
        tk_steps(it, single, 1);
    ck_assert_mem_eq(once->z, single->z, 21 * sizeof(double));
    ck_assert_mem_eq(once->p, single->p, 9 * sizeof(double));
    tk_ok(ph_integrator_set_step_size(it, -50));
    tk_steps(it, once, 40);
    printf("back: %.1e m, momenta %.1e\n", tk_max_difference(once->z, z, 3),
           tk_max_difference(once->p, p0, 9) / ph_max_norm(p0, 9));
    ck_assert_double_le(tk_max_difference(once->z, z, 3), 1e-9);
    ck_assert_double_le(tk_max_difference(once->p, p0, 9), 1e-12 * ph_max_norm(p0, 9));
}

/* The energy falls by the work: the power by Simpson's rule over the steps of rkmk4. (The law has a kink, where the rule has
 * order 2.) */
TEST(energy_by_work)
{
    enum { N = 2000 };
    TK_OWN(ph_system) *system = build(strong, true);
    const ph_gravitation *g = ph_system_gravitation(system);
    ph_measures m;
    const double h = T_END / N;
    double z[21], zdot[21], work[256], sum = 0, power, tidal, first = 0, force[3], torque[6];
    begin_motion(z, zdot);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("rkmk4", NULL), NULL, NULL, h, 0, z, zdot);
    for (int k = 0; k <= N; k++) {
        tk_ok(ph_diagnostics_measure(d, state, &m));
        first = k ? first : m.energy;
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, zdot, work));
        tk_ok(ph_system_power(system, state->t, state->z, zdot, &power, work));
        ph_gravitation_tides(g, state->z, state->p, force, torque, &tidal);
        ck_assert_double_eq_tol(power, tidal, 1e-11 * fabs(tidal));
        ck_assert_double_le(power, 0);
        sum += h / 3 * (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) * power;
        if (k < N)
            tk_steps(it, state, 1);
    }
    printf("energy falls by %.6e J, the work is off by %.1e of it\n", first - m.energy,
           fabs(sum / (m.energy - first) - 1));
    ck_assert_double_le(fabs(sum / (m.energy - first) - 1), 3e-6);
}

/* ---- Many steps ------------------------------------------------------------------------------------------------------- */

/* Tides as of asteroids, which change the momenta in a step by less than their rounding. */
static const ph_tide weak[3] = {{1e-6, 400, .05, 2100}, {1e-6, 77, .05, 2100}, {0, 0, 0, 0}};

/* Two ellipsoids on an orbit that is not quite a circle, with any spins and attitudes; a third body far away. */
static gc_case random_case(tk_random *r, bool third)
{
    const double a = tk_uniform(r, 1100, 1400), speed = sqrt(6.6743e-11 * 4.9e11 / a);
    gc_case c = third ? gc_triple(2) : gc_ellipsoids(2);
    c.tides = weak;
    for (size_t i = 0; i < 2; i++) {
        const double size = i ? 90 : 425,
                     half_axes[3] = {size, tk_uniform(r, .85, .98) * size, tk_uniform(r, .65, .8) * size};
        gc_body *b = &c.body[i];
        tk_ok(ph_mass_ellipsoid(i ? tk_uniform(r, 3e9, 6e9) : tk_uniform(r, 4.5e11, 5.3e11), half_axes,
                                &b->mass, NULL));
        for (size_t k = 0; k < 4; k++)
            b->q[k] = tk_normal(r) + (k == 0 ? 5 : 0);
        for (size_t k = 0; k < 3; k++)
            b->W[k] = 1e-5 * tk_normal(r);
        b->W[2] += i ? tk_uniform(r, 1e-4, 3e-4) : tk_uniform(r, 5e-4, 8e-4);
        for (size_t k = 0; k < 3; k++) {
            b->x[k] = i && k == 0 ? a : 0;
            b->v[k] = i && k > 0 ? (k == 1 ? 1 : .1 * tk_normal(r)) * speed * tk_uniform(r, .97, 1.03) : 0;
        }
    }
    return c;
}

/* After n steps of 12 s: the change of L along itself and of E, relative. */
static void changes(const gc_motion *m, const char *method, const char *order, int64_t n, double *along,
                    double *energy)
{
    const ph_setting setting = {"order", order};
    ph_measures first, last;
    double p[3], L0[3], L[3];
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(m->system, &d, NULL));
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(m->system, ph_method_find(method, NULL), 12, &setting, order ? 1 : 0, &it,
                                 NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set(it, state, 0, m->z, m->p, PH_STRICT, NULL));
    tk_ok(ph_diagnostics_measure(d, state, &first));
    gc_totals(m, state, p, L0);
    tk_steps(it, state, n);
    tk_ok(ph_diagnostics_measure(d, state, &last));
    gc_totals(m, state, p, L);
    *along = ph_dot3(L, L0) / ph_dot3(L0, L0) - 1;
    *energy = last.energy / first.energy - 1;
}

/* Rounding goes to no side: |L| stays, and E falls as by `rk8`, apart from the error of methods of order 4 and less. |L| scatters
 * by 2e-16, as it is rounded when it is looked at. Its standard error for 24 starts is a fifth of that; twice as much is allowed, or a
 * trend could hide. Four of them are exceeded by chance in one of 16 000 libraries of mathematics. Where the changes by tides
 * were rounded with the momenta, 200 steps of order 8 had |L| off by (5.5 +- 1.0)e-14, 160 000 of one start by 3.6e-11. */
TEST_EACH(no_trend, 6)
{
    enum { STARTS = 24 };
    static const struct {
        const char *method, *order;
        bool third, exact; /* has it no error besides rounding? */
    } at[] = {{"variational", "2", false, false}, {"variational", "4", false, false},
              {"variational", "6", false, true},  {"variational", "8", false, true},
              {"variational", "8", true, true},   {"kepler-rotor", NULL, false, true}};
    /* later the third body meets the others in some of the motions */
    const int64_t n = tk_long() && !at[_i].third ? 160000 : tk_thorough() ? 5000 : tk_short() ? 20 : 200;
    double along[STARTS], energy[STARTS], mean, error;
    tk_random r = {36};
    for (size_t s = 0; s < STARTS; s++) {
        const gc_case c = random_case(&r, at[_i].third);
        TK_ENDS(gc_end) gc_motion m = gc_begin(&c);
        double other = 0, reference = 0;
        changes(&m, at[_i].method, at[_i].order, n, &along[s], &energy[s]);
        if (at[_i].exact)
            changes(&m, "rk8", NULL, n, &other, &reference);
        energy[s] -= reference;
    }
    tk_mean(along, STARTS, &mean, &error);
    printf("%s %s%s, %d starts of %lld steps: |L| (%.1e +- %.1e)\n", at[_i].method,
           at[_i].order ? at[_i].order : "", at[_i].third ? ", three bodies" : "", STARTS, (long long)n, mean,
           error);
    ck_assert_double_le(error, 8e-17 + 1e-19 * sqrt((double)n));
    ck_assert_double_le(fabs(mean), 4 * error);
    tk_mean(energy, STARTS, &mean, &error);
    printf("  E%s (%.1e +- %.1e)\n", at[_i].exact ? " less that of rk8" : "", mean, error);
    if (at[_i].exact)
        ck_assert_double_le(fabs(mean), 4 * error);
}

TEST(refused)
{
    const struct {
        ph_tide tide;
        bool turns;
        ph_status status;
        const char *said;
    } at[] = {{{5, 400, .1, 2100}, false, PH_E_INVALID, "body 1, which does not turn"},
              {{-5, 400, .1, 2100}, true, PH_E_RANGE, "must be positive"},
              {{5, 0, .1, 2100}, true, PH_E_RANGE, "must be positive"},
              {{5, 400, .1, 0}, true, PH_E_RANGE, "must be positive"},
              {{5, 400, -.1, 2100}, true, PH_E_RANGE, "lag angle"},
              {{5, 400, 10, 2100}, true, PH_E_RANGE, "lag angle"},
              {{5, NAN, .1, 2100}, true, PH_E_NOT_FINITE, "body 1 is not finite"}};
    ph_mass mass[BODIES];
    for (size_t i = 0; i < BODIES; i++)
        tk_ok(ph_mass_ellipsoid(mass_of[i], axes[i], &mass[i], NULL));
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const bool turning[BODIES] = {at[i].turns, true};
        const ph_tide tides[BODIES] = {at[i].tide, {0, 0, 0, 0}};
        ph_gravitation *g;
        const ph_gravitation_definition d = {
            .bodies = BODIES, .mass = mass, .turning = turning, .order = 2, .G = 1, .tides = tides};
        tk_refused(ph_gravitation_create(&d, &g, tk_err), at[i].status, at[i].said);
    }
}

int main(void)
{
    return tk_run("tides");
}
