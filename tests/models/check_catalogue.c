/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of every model of the catalogue: its gradient is that of its potential, its momentum maps are
 * conserved, `variational` (`dla`, `spherical-midpoint`) has order 2 on it, and every preset is valid. New models are included
 * automatically; their physics is tested in the suites of their kind. */
#include "tests/kit/testkit.h"

#include <float.h>

enum { MOST = 2048, VALUES = 32 };

/* ---- Random parameters -------------------------------------------------------------------------- */

/* A set of values for a model, without loads and dampers, which break symmetries. */
typedef struct values {
    ph_parameter_value row[VALUES];
    double numbers[VALUES][4];
    ph_model_body bodies[3];
    size_t n;
} values;

/* Diagonal and off-diagonal entries of the inertia of a few mass points, which a body can have. */
static void random_tensor(tk_random *r, double diagonal[3], double products[3])
{
    memset(diagonal, 0, 3 * sizeof *diagonal);
    memset(products, 0, 3 * sizeof *products);
    for (int point = 0; point < 5; point++) {
        double x[3] = {tk_normal(r), tk_normal(r), tk_normal(r)};
        for (int a = 0; a < 3; a++) {
            diagonal[a] += 0.1 * (ph_dot3(x, x) - x[a] * x[a]);
            products[a] -= 0.1 * x[(a + 1) % 3] * x[(a + 2) % 3];
        }
    }
}

/* Ellipsoids, of which one does not turn at times, and points. */
static ph_parameter_value random_bodies(const ph_model *m, ph_model_body *bodies, tk_random *r)
{
    const size_t n = !strcmp(m->name, "rigid-n-body") ? 2 + (tk_uniform(r, 0, 1) < 0.5) : 2;
    for (size_t i = 0; i < n; i++) {
        const double axes[3] = {tk_uniform(r, 0.1, 0.3), tk_uniform(r, 0.1, 0.3), tk_uniform(r, 0.1, 0.3)};
        const double mass = tk_log_uniform(r, 0.3, 3);
        const bool point = i == 2 && tk_uniform(r, 0, 1) < 0.5;
        tk_ok(point ? ph_mass_sphere(mass, 0, &bodies[i].mass, NULL)
                    : ph_mass_ellipsoid(mass, axes, &bodies[i].mass, NULL));
        bodies[i].turning = !point && tk_uniform(r, 0, 1) < 0.8;
        bodies[i].tide = (ph_tide){0, 0, 0, 0};
        bodies[i].surface = bodies[i].shape = NULL;
    }
    return ph_parameter_of_bodies("bodies", bodies, n);
}

static void fill(const ph_parameter *p, double *x, size_t *n, tk_random *r)
{
    *n = 1;
    switch (p->kind) {
    case PH_PARAMETER_COUNT:
        x[0] = fmin(3, p->max);
        return;
    case PH_PARAMETER_VECTOR:
    case PH_PARAMETER_GRAVITY:
        *n = 3;
        for (int a = 0; a < 3; a++)
            x[a] = p->min > 0 ? tk_log_uniform(r, 0.3, 3) : tk_normal(r);
        return;
    case PH_PARAMETER_QUATERNION:
        *n = 4;
        break;
    case PH_PARAMETER_PER_LINK:
    case PH_PARAMETER_PER_BODY:
        *n = tk_uniform(r, 0, 1) < 0.5 ? 1 : 3;
        break;
    case PH_PARAMETER_NUMBER:
    case PH_PARAMETER_BODIES:
        break;
    }
    for (size_t i = 0; i < *n; i++)
        x[i] = p->min == -1 && p->max == 1 ? tk_uniform(r, -1, 1)
               : p->min > 0                ? tk_log_uniform(r, 0.3, fmin(3, p->max))
               : p->min == 0               ? tk_uniform(r, 0, fmin(2, p->max))
                                           : tk_normal(r);
}

/* Of bodies on prescribed ellipses: they stay well outside of the others. `with`: are there any? */
static void fill_given(const char *what, bool with, double *x, size_t n, tk_random *r)
{
    for (size_t i = 0; i < n; i++)
        x[i] = !strcmp(what, "mass")           ? (with ? tk_uniform(r, 1, 3) : 0)
               : !strcmp(what, "axis")         ? tk_uniform(r, 12, 20)
               : !strcmp(what, "eccentricity") ? tk_uniform(r, 0, 0.4)
               : !strcmp(what, "far")          ? tk_uniform(r, 0, 1) < 0.5
                                               : x[i];
}

static int is_load(const char *name)
{
    return !strcmp(name, "damping") || strstr(name, "torque") || !strncmp(name, "tip_force", 9) ||
           !strcmp(name, "thrust") || !strcmp(name, "moment") || !strcmp(name, "tip_load") ||
           !strcmp(name, "pull");
}

/* no_gravity: of the parameter of that name. */
static void random_values(const ph_model *m, int no_gravity, tk_random *r, values *v)
{
    double diagonal[3], products[3], principal[3];
    int two = !strcmp(m->name, "double-spherical-pendulum"), sheared = 0;
    bool with_given = false;
    random_tensor(r, diagonal, products);
    for (int a = 0; a < 3; a++) /* sums of three squares, two by two */
        principal[a] = 0.1 * (1 + a) + 0.2 * tk_uniform(r, 0, 0.5);
    for (size_t i = 0; i < m->n_parameters; i++)
        sheared |= !strcmp(m->parameters[i].name, "products");
    v->n = 0;
    for (size_t i = 0; i < m->n_parameters; i++) {
        const ph_parameter *p = &m->parameters[i];
        ph_parameter_value *row = &v->row[v->n];
        double *x = v->numbers[v->n];
        if (is_load(p->name))
            continue;
        if (p->kind == PH_PARAMETER_BODIES) {
            v->row[v->n++] = random_bodies(m, v->bodies, r);
            continue;
        }
        fill(p, x, &row->n, r);
        if (two && row->n == 3 && p->kind == PH_PARAMETER_PER_LINK)
            row->n = 2;
        if (!strcmp(m->name, "kepler") && row->n == 3)
            row->n = 2;
        if (!strcmp(m->name, "spin-lattice") && p->kind == PH_PARAMETER_PER_BODY)
            row->n = 1; /* it has 27 sites */
        if (!strcmp(p->name, "inertia") && row->n == 3)
            for (int a = 0; a < 3; a++)
                x[a] = sheared ? diagonal[a] : principal[(a + 1) % 3] + principal[(a + 2) % 3];
        if (!strcmp(p->name, "epsilon")) /* or there is no lowest energy */
            x[0] = fabs(x[0]);
        if (!strcmp(p->name, "axial")) /* of a disk: behind diametral, at most twice that */
            x[0] = v->numbers[v->n - 1][0] * tk_uniform(r, 0.5, 2);
        if (!strcmp(p->name, "pulse")) /* none, or one that differences can follow */
            x[0] = tk_uniform(r, 0, 1) < 0.5 ? 0 : tk_uniform(r, 0.5, 2);
        if (!strcmp(p->name, "products"))
            memcpy(x, products, sizeof products);
        if (!strcmp(p->name, "given_mass"))
            with_given = tk_uniform(r, 0, 1) < 0.5;
        if (!strncmp(p->name, "given_", 6))
            fill_given(p->name + 6, with_given, x, row->n, r);
        if (!strcmp(p->name, "given_mass") && !with_given)
            row->n = 1;
        if (!strcmp(p->name, "gravity") &&
            (!strcmp(m->name, "cart-chain") || !strcmp(m->name, "quadrotor-cable")))
            x[0] = x[1] = 0; /* these models support vertical gravity only */
        if (!strcmp(p->name, "spacing") && !strcmp(m->name, "submerged-pendula"))
            x[0] += 12; /* there rods and balls of up to 3 m must have room */
        /* a tree of three links */
        if (!strcmp(p->name, "parents")) {
            row->n = 3;
            for (size_t k = 0; k < 3; k++)
                x[k] = floor(tk_uniform(r, 0, (double)k + 1));
        }
        if (no_gravity && !strcmp(p->name, "gravity"))
            memset(x, 0, 3 * sizeof *x);
        row->name = p->name;
        row->values = x;
        v->n++;
    }
}

/* ---- Gradients ---------------------------------------------------------------------------------- */

/* Differences of order 4 at 1e-3: good to some 1e-11 where U is linear or quadratic in z. The attraction on a
 * sphere at the angle th is off by (1e-3/th)^4, so that its close encounters are not looked at. */
static int is_close(const ph_model *m, const ph_system *system, const double *z)
{
    size_t n = ph_space_factors(ph_system_space(system));
    for (size_t i = 0; i < n && (!strcmp(m->name, "sphere-n-body") || !strcmp(m->name, "point-vortices"));
         i++)
        for (size_t j = 0; j < i; j++)
            if (fabs(ph_dot3(z + 3 * i, z + 3 * j)) > 0.95)
                return 1;
    /* places of bodies under gravity, which have 1/r^5 and the like */
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t places = g ? ph_gravitation_places(g) : 0;
    for (size_t i = 0; i < places; i++)
        for (size_t j = 0; j <= i; j++) {
            double d[3];
            for (int a = 0; a < 3; a++)
                d[a] = z[3 * i + a] - (j < i ? z[3 * j + a] : 0);
            if ((j < i || ph_gravitation_is_relative(g)) && ph_dot3(d, d) < 1)
                return 1;
        }
    /* springs of steered axles, which jump half a turn from straight: axles behind the board, wheels behind the car */
    const int first = !strcmp(m->name, "snakeboard") ? 6 : 4, last = !strcmp(m->name, "snakeboard") ? 8 : 4;
    const int steered = !strcmp(m->name, "snakeboard") || !strcmp(m->name, "car-trailers");
    for (int k = first; k <= last && steered; k += 2)
        if (z[2] * z[k] + z[3] * z[k + 1] < -0.9)
            return 1;
    return 0;
}

TEST_EACH(gradients_are_those_of_the_potential, ph_models())
{
    const ph_model *m = ph_model_at((size_t)_i);
    tk_random r = {100 + (uint64_t)_i};
    double worst = 0, z[MOST], zdot[MOST];
    for (int trial = 0; trial < 40; trial++) {
        values v;
        random_values(m, 0, &r, &v);
        TK_OWN(ph_system) *system = tk_build(m->name, v.row, v.n);
        ck_assert_uint_le(ph_space_ambient(ph_system_space(system)), MOST);
        for (int at = 0; at < 5; at++) {
            ph_derivative_report report;
            tk_random_motion(system, &r, z, zdot);
            if (is_close(m, system, z))
                continue;
            tk_ok(ph_system_check_derivatives(system, 0, z, zdot, &report, NULL));
            for (size_t i = 0; i < report.n; i++) {
                const ph_derivative_entry *e = &report.entry[i];
                ck_assert_msg(e->error <= PH_DERIVATIVE_WRONG, "%s: %s: %s", m->name, e->name, e->mistake);
                worst = tk_max(worst, e->error);
            }
        }
    }
    printf("%s: derivatives and symmetries off by %.1e\n", m->name, worst);
    ck_assert_double_le(worst, 1e-8);
}

/* ---- Runs --------------------------------------------------------------------------------------- */

/* The model's first initial condition, with a random push. */
static ph_system *start(const ph_model *m, const values *v, tk_random *r, double *z, double *zdot,
                        double *rate)
{
    ph_system *system = tk_build_at(m->name, v->row, v->n, NULL, z, zdot);
    *rate = tk_push(system, r, z, zdot);
    return system;
}

/* Relative to the sum of the sizes of all momenta (S^2's and SO(3)'s are turns, all of one unit) or strengths of spins. */
static double worst_map(const ph_system *system, const ph_state *state, const double *first, double *J)
{
    double work[MOST], size = 0, worst = 0;
    const ph_spins *spins = ph_system_spins(system);
    for (size_t i = 0; i < state->np; i++)
        size += fabs(state->p[i]);
    for (size_t i = 0; spins && i < spins->n; i++)
        size += fabs(spins->strengths ? spins->strengths[i] : 1);
    for (size_t i = 0; i < ph_system_symmetries(system); i++) {
        tk_ok(ph_system_momentum_map(system, i, state->z, state->p, &J[i], work));
        if (first)
            worst = tk_max(worst, fabs(J[i] - first[i]) / size);
    }
    return worst;
}

/* 1000 steps, with gravity and without. */
TEST_EACH(momentum_maps_are_kept, ph_models())
{
    const ph_model *m = ph_model_at((size_t)_i);
    tk_random r = {200 + (uint64_t)_i};
    double worst = 0;
    size_t maps = 0, constrained = 0;
    for (int trial = 0; trial < 6; trial++) {
        double z[MOST], zdot[MOST], first[6], J[6], rate;
        values v = {.n = 0}; /* the defaults */
        TK_OWN(ph_integrator) *it = NULL;
        TK_OWN(ph_state) *state = NULL;
        if (trial >= 2 && strcmp(m->name, "sphere-n-body") != 0) /* it takes equal masses that attract */
            random_values(m, trial % 2, &r, &v);
        TK_OWN(ph_system) *system = start(m, &v, &r, z, zdot, &rate);
        ck_assert_uint_le(ph_system_symmetries(system), 6);
        maps += ph_system_symmetries(system);
        constrained += ph_system_constraints(system);
        tk_start(system, tk_variational(system), NULL, 0.03 / rate, z, zdot, &it, &state);
        worst_map(system, state, NULL, first);
        for (int k = 0; k < 100; k++) {
            ck_assert_msg(!ph_integrator_step(it, state, 10), "%s: %s", m->name, ph_integrator_message(it));
            worst = tk_max(worst, worst_map(system, state, first, J));
        }
    }
    printf("%s: %zu momentum maps, off by %.1e in 1000 steps\n", m->name, maps, worst);
    /* velocity constraints, a central body, a drive, three different moments of inertia may leave no symmetry */
    ck_assert(maps >= 1 || constrained || !strcmp(m->name, "spacecraft") ||
              !strcmp(m->name, "bloch-sphere") || !strcmp(m->name, "reduced-rigid-body"));
    ck_assert_double_le(worst, 1e-13);
}

/* Differences of the results at h, h/2, h/4, h/8, over a turn of about one radian. */
TEST_EACH(order_is_two, ph_models())
{
    const ph_model *m = ph_model_at((size_t)_i);
    tk_random r = {300 + (uint64_t)_i};
    double z[MOST], zdot[MOST], end[4][MOST], h[3], difference[3], rate;
    values v = {.n = 0};
    TK_OWN(ph_system) *system = start(m, &v, &r, z, zdot, &rate);
    size_t nz = ph_space_ambient(ph_system_space(system));
    for (int k = 0; k < 4; k++) {
        ph_integrator *it;
        ph_state *state;
        int64_t steps = (int64_t)32 << k;
        tk_start(system, tk_variational(system), NULL, 1.5 / rate / (double)steps, z, zdot, &it, &state);
        ck_assert_msg(!ph_integrator_step(it, state, steps), "%s: %s", m->name, ph_integrator_message(it));
        memcpy(end[k], state->z, nz * sizeof(double));
        tk_end(it, state);
        if (k) {
            h[k - 1] = 1.5 / rate / (double)steps;
            difference[k - 1] = tk_max_difference(end[k], end[k - 1], nz);
        }
    }
    double slope = tk_slope(h, difference, 3);
    printf("%s: slope %.3f, last difference %.1e\n", m->name, slope, difference[2]);
    ck_assert_double_eq_tol(slope, 2, 0.03);
}

/* Arrays of another size stay as they are. */
static void check_refused_room(const ph_model *m, size_t preset, size_t nz)
{
    for (size_t room = nz - 1; room <= nz + 1; room += 2) {
        double z[2] = {7, 7}, zdot[2] = {7, 7};
        tk_refused(ph_model_preset(m, NULL, 0, m->presets[preset].name, room, z, zdot, tk_err), PH_E_SIZE,
                   "coordinates with these values, but nz is");
        ck_assert(z[0] == 7 && z[1] == 7 && zdot[0] == 7 && zdot[1] == 7);
    }
}

/* Every initial condition is a point and a tangent vector to rounding, has an energy, and can be stepped
 * from. */
TEST_EACH(initial_conditions_can_be_started_from, ph_models())
{
    const ph_model *m = ph_model_at((size_t)_i);
    double rate = 0; /* a chain let go from the horizontal has none at first */
    for (size_t pass = 0; pass < 2 * m->n_presets; pass++) {
        size_t k = pass % m->n_presets;
        double z[MOST], zdot[MOST], U;
        TK_MAKE(ph_system, system, ph_model_build_for(m, m->presets[k].name, NULL, 0, &system, tk_err));
        const size_t nz = ph_space_ambient(ph_system_space(system));
        tk_ok(ph_model_preset(m, NULL, 0, m->presets[k].name, nz, z, zdot, tk_err));
        check_refused_room(m, k, nz);
        tk_ok(ph_system_potential(system, z, &U));
        ck_assert(isfinite(U) && isfinite(tk_kinetic(system, z, zdot)));
        rate = fmax(rate, tk_fastest(system, z, zdot));
        if (pass < m->n_presets)
            continue;
        TK_MAKE(ph_integrator, it,
                ph_integrator_create(system, ph_method_find(tk_variational(system), NULL), 0.01 / rate, NULL,
                                     0, &it, NULL));
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        ck_assert_msg(!ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, tk_err), "%s, %s: %s", m->name,
                      m->presets[k].name, tk_err->message);
        ck_assert_msg(!ph_integrator_step(it, state, 10), "%s, %s: %s", m->name, m->presets[k].name,
                      ph_integrator_message(it));
    }
}

int main(void)
{
    return tk_run("catalogue");
}
