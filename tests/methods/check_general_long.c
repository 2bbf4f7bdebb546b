/* SPDX-License-Identifier: BSD-3-Clause */
/* `variational` for Lagrangians that the user writes down: momentum and energy for long; the same maps as other
 * kernels where both apply; known solutions of chain, top and cart. */
#include "tests/kit/embeddings.h"
#include "tests/kit/known.h"
#include "tests/methods/general.h"

#include <complex.h>
#include <stdbool.h>

/* ---- Embedded manifolds: the multiplier form ------------------------------------------------------- */

static const char *const chords[] = {"ends", "midpoint"};

/* ---- Long runs ----------------------------------------------------------------------------------------- */

/* Energy stays within its range in the first tenth, momentum and constraint (level) at rounding level. */
static void run_long(const char *label, const ph_system *system, const char *rule, double h, const double *z,
                     const double *v, double bound, double level)
{
    int64_t steps = tk_long() ? 1000000 : tk_thorough() ? 100000 : 20000;
    ph_measures m;
    double E0, J0, tenth[2] = {0, 0}, momentum = 0, constraint = 0;
    if (tk_short())
        steps = 5000;
    TK_BEGIN(it, state, start_rule, system, rule, h, z, v);
    TK_MAKE(ph_diagnostics, diagnostics, ph_diagnostics_create(system, &diagnostics, NULL));
    tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
    E0 = m.energy;
    J0 = m.momenta[0];
    for (int64_t k = 0; k < steps; k += 20) {
        tk_steps(it, state, 20);
        tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
        double *worst = k < steps / 10 ? &tenth[0] : &tenth[1];
        *worst = k < steps / 10 || k >= steps - steps / 10 ? tk_max(*worst, fabs(m.energy - E0)) : *worst;
        momentum = tk_max(momentum, fabs(m.momenta[0] - J0) / fmax(fabs(J0), m.momentum_size));
        constraint = tk_max(constraint, m.constraint_error);
    }
    printf("%s, %s: energy %.2e first tenth, %.2e last, momentum %.1e, constraint %.1e, %.2f passes a step\n",
           label, rule, tenth[0], tenth[1], momentum, constraint,
           (double)ph_integrator_statistics(it)->newton_passes / (double)steps);
    ck_assert_msg(tenth[1] <= 1.5 * tenth[0] && tenth[0] <= bound * fabs(E0), "%s, %s: %g, %g", label, rule,
                  tenth[0], tenth[1]);
    ck_assert_msg(momentum <= 1e-12, "%s, %s: momentum %g", label, rule, momentum);
    ck_assert_msg(constraint <= level, "%s, %s: constraint %g", label, rule, constraint);
}

/* The motion is chaotic: with other last bits it is another one, whose largest error in a tenth of it is .4 to 1.1 per cent. */
TEST_EACH(varying_inertia_for_long, RULES)
{
    TK_OWN(ph_space) *space = NULL;
    TK_OWN(ph_system) *system = turning_system(&space);
    run_long("m(q) on (S^2)^2", system, rules[_i], 0.05, two_q, two_v, 0.015, 4e-16);
}

/* A charged heavy particle on a sphere above the pole of a magnetic field, whose kinetic energy is that of a
 * relativistic one: L = -c^2 sqrt(1 - |v|^2/c^2) + a(q).v - g e3.q, a = B (1 + q3) e3 x q / 2; c = 3.
 * Momentum about e3. */
static ph_status charge_lagrangian(void *user, double t, const double *z, const double *v, double *out)
{
    double complex q[3], u[3], square = 0, L;
    (void)user, (void)t;
    memcpy(q, z, sizeof q);
    memcpy(u, v, sizeof u);
    for (int k = 0; k < 3; k++)
        square += u[k] * u[k];
    L = -9 * csqrt(1 - square / 9) + 0.5 * 1.7 * (1 + q[2]) * (q[0] * u[1] - q[1] * u[0]) - 2 * q[2];
    memcpy(out, &L, sizeof L);
    return PH_OK;
}

static ph_system *charge_system(ph_space **space)
{
    tk_ok(ph_space_create(two_spheres, 1, space, NULL));
    ph_system_definition d = {
        .space = *space, .lagrangian_complex = charge_lagrangian, .symmetries = &about_e3, .n_symmetries = 1};
    return tk_defined(&d);
}

TEST_EACH(general_for_long, RULES)
{
    const double q[3] = {0.6, 0, 0.8}, v[3] = {0.8, 1, -0.6};
    TK_OWN(ph_space) *space = NULL;
    TK_OWN(ph_system) *system = charge_system(&space);
    run_long("relativistic charge", system, rules[_i], 0.05, q, v, 0.01, 4e-16);
}

static ph_status height(void *user, const double *x, double *U)
{
    (void)user;
    *U = x[2];
    return PH_OK;
}

static ph_status height_gradient(void *user, const double *x, double *dU)
{
    (void)user, (void)x;
    dU[0] = dU[1] = 0;
    dU[2] = 1;
    return PH_OK;
}

/* On surfaces of revolution. */
TEST_EACH(embedded_for_long, 6)
{
    static const int surfaces[] = {EM_SPHERE, EM_SPHEROID, EM_TORUS};
    const em_manifold *m = em_at(surfaces[_i / 2]);
    tk_random r = {31};
    double x[3], v[3], one = 1, level = 0;
    TK_OWN(ph_space) *space = em_space(surfaces[_i / 2], EM_BEND);
    for (int k = 0; k < 20000; k++) { /* what g leaves at points of the surface, as they are rounded */
        m->point(m->user, &r, x);
        level = fmax(level, ph_space_residual(space, x));
    }
    ph_system_definition d = {.space = space,
                              .inertia = &one,
                              .potential = height,
                              .gradient = height_gradient,
                              .symmetries = &about_e3,
                              .n_symmetries = 1};
    TK_OWN(ph_system) *system = tk_defined(&d);
    m->point(m->user, &r, x);
    tk_ok(ph_space_project(space, x));
    for (int k = 0; k < 3; k++)
        v[k] = tk_normal(&r);
    ph_space_project_tangent(space, x, v);
    run_long(m->name, system, chords[_i % 2], 0.05, x, v, 0.02, fmax(4e-16, 1.5 * level));
}

/* ---- The same maps by other kernels, and known solutions ------------------------------------------- */

/* A model's Lagrangian handed in as if it were a user's. */
static ph_status wrapped_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                  double *Lv)
{
    (void)t;
    double work[1]; /* a constant inertia needs none */
    return ph_system_lagrangian_gradient(user, 0, z, v, Lz, Lv, work);
}

static ph_status wrapped_lagrangian(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t;
    TK_MEMORY double *work = malloc(ph_system_work(user) * sizeof *work);
    return ph_system_lagrangian(user, 0, z, v, L, work);
}

static ph_system *wrap(ph_system *model)
{
    ph_system_definition d = {.space = ph_system_space(model),
                              .lagrangian = wrapped_lagrangian,
                              .lagrangian_gradient = wrapped_gradient,
                              .user = model};
    return tk_defined(&d);
}

static const char *const models[] = {"double-spherical-pendulum", "heavy-top", "cart-chain",
                                     "quadrotor-cable"};

/* `ends` of the general path and of the kernels for a constant inertia are one map. */
TEST_EACH(general_path_agrees, sizeof models / sizeof models[0])
{
    double z[64], v[64], worst = 0;
    TK_OWN(ph_system) *model = tk_model(models[_i]);
    TK_OWN(ph_system) *system = wrap(model);
    tk_random r = {8};
    tk_preset(models[_i], NULL, 0, NULL, z, v);
    double h = 0.05 / tk_push(model, &r, z, v);
    TK_BEGIN(a, one, start_rule, model, NULL, h, z, v);
    TK_BEGIN(b, other, start_rule, system, "ends", h, z, v);
    double size = 1 + ph_max_norm(one->p, one->np);
    for (int k = 0; k < 50; k++) {
        tk_steps(a, one, 1);
        tk_steps(b, other, 1);
        worst = tk_max(worst, tk_max_difference(one->z, other->z, one->nz));
        worst = tk_max(worst, tk_max_difference(one->p, other->p, one->np) / size);
    }
    printf("%s, general path against its own kernel: %.1e\n", models[_i], worst);
    ck_assert_msg(worst <= 2e-13, "%g", worst);
}

/* The double pendulum's 20 digits at 10 s (problem of check_reference), the slow heavy top's centre of mass
 * at 10 s. */
TEST_EACH(known_solutions, 2 * RULES)
{
    static const int64_t n[3] = {1000, 2000, 4000};
    bool top = _i % 2;
    double z[9], v[9], h[3], off[3];
    TK_OWN(ph_system) *model = tk_model(models[top]);
    TK_OWN(ph_system) *system = wrap(model);
    tk_preset(models[top], NULL, 0, top ? "slow" : NULL, z, v);
    for (int i = 0; i < 3; i++) {
        h[i] = 10. / (double)n[i];
        TK_BEGIN(it, state, start_rule, system, rules[_i / 2], h[i], z, v);
        tk_steps(it, state, n[i]);
        off[i] = 0;
        for (int k = 0; k < (top ? 3 : 6); k++)
            off[i] = tk_max(off[i], fabs(top ? state->z[3 * k + 1] - known_slow_top.centre[k]
                                             : state->z[k] - known_problem1.q[k]));
    }
    double slope = tk_slope(h, off, 3);
    printf("%s, %s: error %.1e at h = %g s, order %.3f\n", models[top], rules[_i / 2], off[2], h[2], slope);
    ck_assert_msg(fabs(slope - 2) <= 0.05 && off[2] < 1e-3, "order %.3f, %g", slope, off[2]);
}

int main(void)
{
    return tk_run("lagrangians for long");
}
