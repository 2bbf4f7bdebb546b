/* SPDX-License-Identifier: BSD-3-Clause */
/* kepler-rotor: binaries and a triple against motions that are known to many digits, order by halving steps, reversal,
 * the symplectic form, momenta and energy over many steps, forces that depend on time, bits, and what it refuses. */
#include <polhode/domain/gravitation.h>

#include "tests/kit/binaries.h"
#include "tests/kit/form.h"

enum { Z = 64, P = 32 };

static ph_integrator *integrator_of(const ph_system *system, const char *splitting, const char *hierarchy,
                                    double h)
{
    const ph_setting set[] = {{"splitting", splitting}, {"hierarchy", hierarchy}};
    ph_integrator *it = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_msg(!ph_integrator_create(system, ph_method_find("kepler-rotor", NULL), h, set,
                                        hierarchy ? 2 : 1, &it, &err),
                  "%s", err.message);
    return it;
}

static ph_state *start_of(tk_binary which, const ph_system *system, const ph_integrator *it)
{
    double z[Z], p[P];
    ph_state *state = NULL;
    tk_binary_start(system, which, z, p);
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set(it, state, 0, z, p, PH_STRICT, NULL));
    return state;
}

static const tk_binary_end *end_of(tk_binary which, size_t order, double t)
{
    for (size_t i = 0; i < TK_BINARY_ENDS; i++)
        if (tk_binary_ends[i].binary == which && tk_binary_ends[i].order == order && tk_binary_ends[i].t == t)
            return &tk_binary_ends[i];
    ck_abort_msg("%s, order %zu, %g s: not known", tk_binary_name(which), order, t);
    return NULL;
}

/* Largest errors of the bodies' places relative to the first [m], and of an entry of the first one's R. */
static void errors_of(const tk_binary_end *end, const ph_system *system, const ph_state *state, double *x,
                      double *R)
{
    double y[TK_BINARY_NUMBERS];
    tk_binary_pack(system, state->z, state->p, y);
    *x = 0;
    for (size_t i = 1; i < tk_binary_bodies(end->binary); i++) {
        double d[3];
        for (size_t k = 0; k < 3; k++)
            d[k] = (y[18 * i + k] - y[k]) - (end->y[18 * i + k] - end->y[k]);
        *x = fmax(*x, ph_norm3(d));
    }
    *R = tk_max_difference(y + 6, end->y + 6, 9);
}

/* Errors at the end of a motion with steps of about h. */
static void follow(const tk_binary_end *end, bool relative, const char *splitting, const char *hierarchy,
                   double h, double *x, double *R)
{
    TK_OWN(ph_system) *system = tk_binary_system(end->binary, end->order, relative);
    const int64_t n = (int64_t)round(end->t / h);
    ph_integrator *it = integrator_of(system, splitting, hierarchy, end->t / (double)n);
    ph_state *state = start_of(end->binary, system, it);
    tk_steps(it, state, n);
    errors_of(end, system, state, x, R);
    tk_end(it, state);
}

/* ---- Against known motions --------------------------------------------------------------------------------------- */

/* Bounds are what another implementation measured, in Python: for Strang's splitting with steps that begin and end with
 * kicks, whose errors are twice those of these; for ABA(8,6,4) with a fifth for its 7-fold steps not being the same. The
 * last rows are of short steps, where rounding of 1e-13 m a step is left. */
static const struct {
    tk_binary which;
    size_t order;
    double t, h;
    const char *splitting;
    double x, R;
} known[] = {
    {TK_DIDYMOS, 2, 7200, 120, "strang", 3.8e-4, 4e-8},
    {TK_KW4, 2, 62400, 240, "strang", 1.8e-2, 3e-6},
    {TK_ELLIPSOIDS, 4, 46000, 200, "strang", 9.6e-2, 2e-5},
    {TK_DIDYMOS, 2, 86400, 840, "aba-8-6-4", 4.5e-9, 1e-12},
    {TK_KW4, 2, 62400, 840, "aba-8-6-4", 3.6e-8, 1e-12},
    {TK_ELLIPSOIDS, 4, 46000, 840, "aba-8-6-4", 1.5e-7, 3e-11},
    {TK_ELLIPSOIDS, 4, 100000, 105, "aba-8-6-4", 1e-9, 1e-12},
    {TK_KW4, 4, 100000, 210, "aba-10-6-4", 2e-9, 1e-12},
    {TK_DIDYMOS, 4, 86400, 240, "aba-10-6-4", 1e-10, 1e-12},
    {TK_OCTAHEDRA, 4, 88000, 100, "aba-8-6-4", 1e-11, 1e-12},
};
enum { KNOWN = sizeof known / sizeof *known };

TEST_EACH(known_binaries, KNOWN)
{
    const tk_binary_end *end = end_of(known[_i].which, known[_i].order, known[_i].t);
    for (int relative = 0; relative < 2; relative++) {
        double x, R;
        follow(end, relative, known[_i].splitting, NULL, known[_i].h, &x, &R);
        printf("%s, N = %zu, %g s by %s, h = %g s%s: %.1e m, R of the first %.1e\n",
               tk_binary_name(known[_i].which), known[_i].order, known[_i].t, known[_i].splitting,
               known[_i].h, relative ? ", by the distance" : "", x, R);
        ck_assert_double_le(x, known[_i].x);
        ck_assert_double_le(R, known[_i].R);
    }
}

/* Three bodies in both hierarchies, which are the same pairs here. */
TEST(known_triple)
{
    const tk_binary_end *end = end_of(TK_TRIPLE, 4, 100000);
    static const char *const hierarchies[] = {"periods", "listed"};
    double x, R, at[2];
    for (int i = 0; i < 2; i++) {
        follow(end, false, "aba-8-6-4", hierarchies[i], 420, &x, &R);
        printf("triple, 100 000 s, h = 420 s, %s: %.1e m, R of the first %.1e\n", hierarchies[i], x, R);
        ck_assert_double_le(x, 1e-7);
        ck_assert_double_le(R, 2e-12);
        at[i] = x;
    }
    ck_assert_double_eq(at[0], at[1]);
    follow(end, false, "aba-8-6-4", NULL, 105, &x, &R);
    printf("h = 105 s: %.1e m, R of the first %.1e\n", x, R);
    ck_assert_double_le(x, 1e-9);
}

/* The order in h alone, where what disturbs the pair is not small: the octahedra almost touch. */
TEST(order_by_halving)
{
    static const struct {
        const char *splitting;
        double order, h;
    } ladders[] = {{"strang", 2, 100},  {"aba-4-2", 2, 200},  {"aba-6-2", 2, 200},   {"aba-8-2", 2, 200},
                   {"aba-8-4", 4, 400}, {"aba-10-4", 4, 600}, {"aba-8-6-4", 4, 600}, {"aba-10-6-4", 4, 800}};
    const tk_binary_end *end = end_of(TK_OCTAHEDRA, 4, 88000);
    for (size_t i = 0; i < sizeof ladders / sizeof *ladders; i++) {
        double x[3], R, h[3];
        for (int k = 0; k < 3; k++) {
            h[k] = ladders[i].h / (1 << k);
            follow(end, true, ladders[i].splitting, NULL, h[k], &x[k], &R);
        }
        const double slope = tk_slope(h, x, 3);
        printf("%s: %.1e m at h = %g s ... %.1e, order %.2f\n", ladders[i].splitting, x[0], h[0], x[2],
               slope);
        ck_assert_double_eq_tol(slope, ladders[i].order, 0.25);
    }
}

/* Where it is small, the error falls with its power: ABA(8,6,4) of the same order in h as ABA(8,4) is 30 times better
 * with steps of as many kicks. */
TEST(small_disturbances)
{
    const tk_binary_end *end = end_of(TK_KW4, 2, 62400);
    double eight_four, eight_six, ten_six, R;
    follow(end, true, "aba-8-4", NULL, 600, &eight_four, &R);
    follow(end, true, "aba-8-6-4", NULL, 840, &eight_six, &R);
    follow(end, true, "aba-10-6-4", NULL, 960, &ten_six, &R);
    printf("kw4, 120 s a kick: (8,4) %.1e m, (8,6,4) %.1e m, (10,6,4) %.1e m\n", eight_four, eight_six,
           ten_six);
    ck_assert_double_le(30 * eight_six, eight_four);
    ck_assert_double_le(10 * ten_six, eight_four);
}

/* ---- Structure --------------------------------------------------------------------------------------------------- */

static const struct {
    tk_binary which;
    size_t order;
    bool relative;
    double h;
} motions[] = {{TK_ELLIPSOIDS, 4, true, 400},
               {TK_ELLIPSOIDS, 4, false, 400},
               {TK_KW4, 2, true, 600},
               {TK_TRIPLE, 4, false, 400},
               {TK_OCTAHEDRA, 2, false, 600}};
enum { MOTIONS = sizeof motions / sizeof *motions };

/* Largest change of z and p in units of their largest numbers, places and momenta apart from attitudes. */
static double change(const ph_system *system, const double *z, const double *p, const double *z0,
                     const double *p0)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t nx = 3 * ph_gravitation_places(g), turns = ph_gravitation_attitudes(g);
    double worst = tk_max(tk_max_difference(z, z0, nx) / ph_max_norm(z0, nx),
                          tk_max_difference(z + nx, z0 + nx, 9 * turns));
    worst = tk_max(worst, tk_max_difference(p, p0, nx) / ph_max_norm(p0, nx));
    for (size_t i = 0; i < turns; i++)
        worst = tk_max(worst, tk_max_difference(p + nx + 3 * i, p0 + nx + 3 * i, 3) /
                                  ph_max_norm(p0 + nx + 3 * i, 3));
    return worst;
}

/* Steps forth and back, by -h and by -p. */
TEST_EACH(reversal, MOTIONS)
{
    const tk_binary b = motions[_i].which;
    TK_OWN(ph_system) *system = tk_binary_system(b, motions[_i].order, motions[_i].relative);
    ph_integrator *it = integrator_of(system, "aba-8-6-4", NULL, motions[_i].h);
    ph_state *state = start_of(b, system, it);
    double z0[Z], p0[P], p1[P];
    memcpy(z0, state->z, state->nz * sizeof *z0);
    memcpy(p0, state->p, state->np * sizeof *p0);
    tk_steps(it, state, 20);
    ck_assert_double_gt(change(system, state->z, state->p, z0, p0), 0.1);
    tk_ok(ph_integrator_set_step_size(it, -motions[_i].h));
    tk_steps(it, state, 20);
    const double by_h = change(system, state->z, state->p, z0, p0);
    tk_ok(ph_integrator_set_step_size(it, motions[_i].h));
    tk_steps(it, state, 20);
    for (size_t k = 0; k < state->np; k++)
        p1[k] = -state->p[k];
    tk_ok(ph_state_set(it, state, 0, state->z, p1, PH_STRICT, NULL));
    tk_steps(it, state, 20);
    for (size_t k = 0; k < state->np; k++)
        p1[k] = -state->p[k];
    const double by_p = change(system, state->z, p1, z0, p0);
    printf("%s: 20 steps and back: off by %.1e; by reversed momenta %.1e\n",
           tk_binary_name(motions[_i].which), by_h, by_p);
    ck_assert_double_le(by_h, 2e-14); /* rounding of 40 steps of up to 30 rad, as the motion magnifies it */
    ck_assert_double_le(by_p, 1e-13);
    tk_end(it, state);
}

/* What the tangent coordinates and momenta are measured in: distances and their momenta, a radian and J times the rate of
 * the orbit. */
static void choose_units(const ph_system *system, const ph_state *state, fm_units *units)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t nx = 3 * ph_gravitation_places(g);
    const double far = ph_max_norm(state->z, nx);
    double speed = 0;
    for (size_t k = 0; k < nx; k++)
        speed = fmax(speed, fabs(state->p[k]) / ph_gravitation_inertia(g)[k / 3]);
    for (size_t k = 0; k < nx; k++) {
        units->x[k] = far;
        units->p[k] = speed * ph_gravitation_inertia(g)[k / 3];
    }
    for (size_t i = 0; i < ph_gravitation_bodies(g); i++)
        for (size_t k = 0; k < 3 && ph_gravitation_attitude(g, i) != PH_NO_INDEX; k++) {
            const size_t at = nx + 3 * ph_gravitation_attitude(g, i) + k;
            units->x[at] = 1;
            units->p[at] = ph_max_norm(state->p + nx + 3 * ph_gravitation_attitude(g, i), 3);
        }
}

TEST_EACH(symplectic, MOTIONS)
{
    const tk_binary b = motions[_i].which;
    tk_random r = {71};
    fm_units units;
    TK_OWN(ph_system) *system = tk_binary_system(b, motions[_i].order, motions[_i].relative);
    ph_integrator *it = integrator_of(system, "aba-8-6-4", NULL, motions[_i].h);
    ph_state *state = start_of(b, system, it);
    if (ph_space_dimension(ph_system_space(system)) <= FM_NX) {
        choose_units(system, state, &units);
        const double off = fm_form_error_along(it, state, 2, &units, tk_thorough() ? 8 : 4, &r);
        printf("%s: the symplectic form is off by %.1e\n", tk_binary_name(motions[_i].which), off);
        /* what differences of order 8 leave, more of three bodies of very different inertias, also for short steps */
        ck_assert_double_le(off, motions[_i].which == TK_TRIPLE ? 2e-11 : 1e-11);
    }
    tk_end(it, state);
}

/* Momenta to rounding of their largest terms, rotations to that of their entries, the energy to what a step leaves,
 * without a trend: means of the first and of the last tenth differ by less than its oscillation. */
static void long_motion(size_t i, const char *splitting, int steps)
{
    enum { MAPS = 6, TENTHS = 10 };
    const tk_binary b = motions[i].which;
    TK_OWN(ph_system) *system = tk_binary_system(b, motions[i].order, motions[i].relative);
    ph_integrator *it = integrator_of(system, splitting, NULL, motions[i].h / 4);
    ph_state *state = start_of(b, system, it);
    const size_t maps = ph_system_symmetries(system);
    double J0[MAPS], J[MAPS], work[Z], v[Z], E[TENTHS] = {0}, swing = 0, E0 = 0, U0 = 0, off = 0, R = 0;
    TK_MEMORY double *more = malloc(ph_system_work(system) * sizeof *more);
    const int looks = 50, every = steps / (TENTHS * looks);
    for (size_t k = 0; k < maps; k++)
        tk_ok(ph_system_momentum_map(system, k, state->z, state->p, &J0[k], work));
    for (int k = 0; k < TENTHS * looks; k++) {
        double kinetic, potential;
        tk_steps(it, state, every);
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, more));
        tk_ok(ph_system_energy(system, 0, state->z, v, &kinetic, &potential, more));
        if (k == 0) {
            E0 = kinetic + potential;
            U0 = fabs(potential);
        }
        E[k / looks] += (kinetic + potential - E0) / U0 / looks;
        swing = fmax(swing, fabs(kinetic + potential - E0) / U0);
        for (size_t c = 0; c < maps; c++) {
            tk_ok(ph_system_momentum_map(system, c, state->z, state->p, &J[c], work));
            const double size =
                c < 3 ? ph_norm3(J0)
                      : ph_max_norm(state->p, 3 * ph_gravitation_places(ph_system_gravitation(system)));
            off = tk_max(off, fabs(J[c] - J0[c]) / size);
        }
        for (size_t f = 0; f < ph_space_factors(ph_system_space(system)); f++)
            if (ph_space_factor(ph_system_space(system), f)->kind == PH_FACTOR_SO3)
                R = tk_max(R, ph_space_factor_residual(ph_system_space(system), f, state->z));
    }
    printf(
        "%s by %s, %d steps of %g s: energy swings by %.1e |U|, tenths %+.1e ... %+.1e; momenta %.1e, R^T R %.1e\n",
        tk_binary_name(motions[i].which), splitting, steps, motions[i].h / 4, swing, E[0], E[TENTHS - 1], off,
        R);
    ck_assert_double_le(off, 1e-14 + 1e-16 * sqrt((double)steps));
    ck_assert_double_le(R, 2.3e-16);
    ck_assert_double_le(fabs(E[TENTHS - 1] - E[0]), 0.2 * swing + 1e-14);
    ck_assert_double_le(swing, !strcmp(splitting, "strang") ? 1e-4 : 1e-7);
    tk_end(it, state);
}

TEST_EACH(many_steps, !tk_short() ? 3 : 0)
{
    static const struct {
        size_t motion;
        const char *splitting;
    } runs[] = {{0, "aba-8-6-4"}, {2, "strang"}, {3, "aba-8-6-4"}};
    const int steps = tk_thorough() ? 1000000 : _i == 2 ? 10000 : 50000;
    long_motion(runs[_i].motion, runs[_i].splitting, steps);
}

/* ---- Bits --------------------------------------------------------------------------------------------------------- */

/* n steps at once, one by one (which writes z and p between them), and from packed bytes. */
TEST_EACH(same_bits, MOTIONS)
{
    const tk_binary b = motions[_i].which;
    TK_OWN(ph_system) *system = tk_binary_system(b, motions[_i].order, motions[_i].relative);
    ph_integrator *it = integrator_of(system, "aba-8-6-4", NULL, motions[_i].h);
    TK_OWN(ph_state) *one = start_of(b, system, it);
    ph_state *all = start_of(b, system, it);
    tk_steps(it, all, 12);
    for (int k = 0; k < 5; k++)
        tk_steps(it, one, 1);
    void *bytes = malloc(ph_state_packed_size(one));
    ph_state_pack(one, bytes);
    TK_OWN(ph_integrator) *other = integrator_of(system, "aba-8-6-4", NULL, motions[_i].h);
    TK_MAKE(ph_state, packed, ph_state_create(other, &packed, NULL));
    tk_ok(ph_state_unpack(packed, bytes, ph_state_packed_size(one), NULL));
    tk_steps(it, one, 7);
    tk_steps(other, packed, 7);
    ck_assert_mem_eq(one->z, all->z, all->nz * sizeof *all->z);
    ck_assert_mem_eq(one->p, all->p, all->np * sizeof *all->p);
    ck_assert_mem_eq(one->carry, all->carry, all->ncarry * sizeof *all->carry);
    ck_assert_mem_eq(packed->z, all->z, all->nz * sizeof *all->z);
    ck_assert_mem_eq(packed->p, all->p, all->np * sizeof *all->p);
    free(bytes);
    tk_end(it, all);
}

/* ---- Forces ------------------------------------------------------------------------------------------------------- */

/* A push on places and a moment on bodies that depend on time and place. At the n-th call it fails. */
typedef struct pushing {
    size_t places, attitudes, nz;
    int calls, fails;
} pushing;

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    pushing *p = user;
    (void)zdot;
    for (size_t i = 0; i < 3 * p->places; i++)
        f[i] += 1e5 * sin(1e-3 * t + (double)i + 1e-4 * z[i]);
    for (size_t i = 0; i < p->attitudes; i++)
        f[3 * p->places + 9 * i + 5] += 2e7 * cos(2e-4 * t) * z[0] / 1000;
    return ++p->calls == p->fails ? PH_E_CALLBACK : PH_OK;
}

/* With it the motion is that of `variational`, and the order remains; a failure leaves the state as it was. */
TEST_EACH(forces_in_time, 2)
{
    const tk_binary b = motions[0].which;
    TK_OWN(ph_system) *base = tk_binary_system(b, 2, _i);
    const ph_gravitation *g = ph_system_gravitation(base);
    pushing p = {ph_gravitation_places(g), ph_gravitation_attitudes(g), 0, 0, 0};
    const ph_system_definition added = {.force = push, .force_ignores_velocity = true, .user = &p};
    double z[Z], momenta[P], truth[Z], moved[Z], error[3], h[3] = {400, 200, 100};
    const double T = 12000;
    TK_MAKE(ph_system, system, ph_system_create_forced(base, &added, &system, NULL));
    ck_assert_ptr_eq(ph_system_gravitation(system), g);
    tk_binary_start(base, b, z, momenta);
    const size_t nz = ph_space_ambient(ph_system_space(system)), nx = 3 * p.places;
    for (int without = 0; without < 2; without++) {
        const ph_setting eight = {"order", "8"};
        TK_MOTION(it, state);
        tk_ok(ph_integrator_create(without ? base : system, ph_method_find("variational", NULL), 60, &eight,
                                   1, &it, NULL));
        tk_ok(ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set(it, state, 0, z, momenta, PH_STRICT, NULL));
        tk_steps(it, state, (int64_t)(T / 60));
        memcpy(without ? moved : truth, state->z, nz * sizeof *truth);
    }
    ck_assert_double_gt(tk_max_difference(moved, truth, nx), 1); /* metres */
    ck_assert_double_gt(tk_max_difference(moved + nx, truth + nx, nz - nx), 1e-5);
    for (int k = 0; k < 3; k++) {
        ph_integrator *it = integrator_of(system, "aba-8-6-4", NULL, h[k]);
        ph_state *state = start_of(b, system, it);
        tk_steps(it, state, (int64_t)(T / h[k]));
        error[k] = tk_max_difference(state->z, truth, nx);
        tk_end(it, state);
    }
    printf("a force in time%s: %.1e, %.1e, %.1e m from variational of order 8\n",
           _i ? ", on the distance" : "", error[0], error[1], error[2]);
    ck_assert_double_le(error[2], 1e-7);
    ck_assert_double_le(error[1], 0.1 * error[0]);
    ph_integrator *it = integrator_of(system, "aba-8-6-4", NULL, 400);
    ph_state *state = start_of(b, system, it);
    TK_MAKE(ph_state, before, ph_state_create(it, &before, NULL));
    tk_ok(ph_state_copy(before, state));
    p.calls = 0;
    p.fails = 3;
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_CALLBACK);
    ck_assert_msg(strstr(ph_integrator_message(it), "the force") != NULL, "%s", ph_integrator_message(it));
    ck_assert_mem_eq(state->carry, before->carry, state->ncarry * sizeof *state->carry);
    ck_assert_mem_eq(state->z, before->z, state->nz * sizeof *state->z);
    tk_end(it, state);
}

/* ---- Given bodies, a central one, tides ---------------------------------------------------------------------------- */

/* Ellipsoids and a sphere near each other; what is added to them is `kind`. */
typedef enum companions {
    GIVEN_TO_PAIR,
    GIVEN_TO_THREE,
    CENTRAL_ALONE,
    CENTRAL_OF_THREE,
    TIDES,
    COMPANIONS
} companions;
static const char *const companion_names[] = {"a given body and a distance", "a given body and three others",
                                              "one body near a central one",
                                              "three near a central one that spins", "tides"};

static ph_system *companions_of(companions kind)
{
    static const double axes[3][3] = {{400, 350, 280}, {120, 90, 70}, {900, 800, 600}};
    static const ph_tide tides[2] = {{.love = 5, .radius = 400, .lag = 0.1, .density = 2100},
                                     {.love = 5, .radius = 80, .lag = 0.1, .density = 2100}};
    const ph_given_body planet = {
        .mass = 6e18, .orbit = {.axis = -3e6, .eccentricity = 1.5, .inclination = 0.4, .passage = 15000}};
    ph_mass mass[3], center;
    ph_gravitation *g = NULL;
    ph_system *system = NULL;
    tk_ok(ph_mass_ellipsoid(3.5e11, axes[0], &mass[0], NULL));
    tk_ok(ph_mass_ellipsoid(2e10, axes[1], &mass[1], NULL));
    tk_ok(ph_mass_sphere(5e9, 70, &mass[2], NULL));
    tk_ok(ph_mass_ellipsoid(2e12, axes[2], &center, NULL));
    ph_gravitation_definition d = {.bodies = 2, .mass = mass, .order = 4, .G = 6.6743e-11};
    d.relative = kind == GIVEN_TO_PAIR;
    if (kind == GIVEN_TO_THREE || kind == CENTRAL_OF_THREE)
        d.bodies = 3;
    if (kind == CENTRAL_ALONE) {
        d.mass = mass + 1;
        d.bodies = 1;
    }
    if (kind == GIVEN_TO_PAIR || kind == GIVEN_TO_THREE) {
        d.given = &planet;
        d.n_given = 1;
    }
    if (kind == CENTRAL_ALONE || kind == CENTRAL_OF_THREE)
        d.central = (ph_central_body){.mass = &center, .spin = {1e-5, 2e-5, 3e-4}};
    if (kind == TIDES)
        d.tides = tides;
    tk_ok(ph_gravitation_create(&d, &g, NULL));
    tk_ok(ph_gravitation_build(g, &system, NULL));
    return system;
}

static void start_companions(companions kind, const ph_system *system, double *z, double *v)
{
    static const double places[3][3] = {{0, 0, 0}, {1100, 50, 30}, {-300, 2600, 200}},
                        speeds[3][3] = {{0, 0, 0}, {.01, .15, .02}, {-.098, -.012, .015}},
                        W[3][3] = {{1e-5, 2e-5, 6e-4}, {2e-5, -3e-5, 1.5e-4}, {0, 0, 1e-4}};
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t n = ph_gravitation_places(g), of = kind == CENTRAL_ALONE || kind == GIVEN_TO_PAIR;
    const bool held = kind == CENTRAL_ALONE || kind == CENTRAL_OF_THREE;
    for (size_t i = 0; i < 3 * n; i++) {
        z[i] = places[i / 3 + of][i % 3] + (held && i % 3 == 0 ? 6000 : 0);
        v[i] = speeds[i / 3 + of][i % 3] + (held && i % 3 == 1 ? 0.15 : 0);
    }
    for (size_t i = 0; i < ph_gravitation_attitudes(g); i++) {
        const double tilt[3] = {0.3 * (double)i, 0.2, -0.1};
        double S[9];
        ph_exp3(tilt, z + 3 * n + 9 * i);
        ph_hat3(W[i + (kind == CENTRAL_ALONE)], S);
        ph_multiply3(z + 3 * n + 9 * i, S, v + 3 * n + 9 * i);
    }
}

/* Towards the motion by a Runge-Kutta method of order 8 in short steps, with the order of the splitting; that of the tides
 * is 2, and they keep the angular momentum. */
TEST_EACH(companions_act, COMPANIONS)
{
    const companions kind = (companions)_i;
    const double T = 24000, h[3] = {600, 300, 150};
    TK_OWN(ph_system) *system = companions_of(kind);
    const size_t nx = 3 * ph_gravitation_places(ph_system_gravitation(system)),
                 nz = ph_space_ambient(ph_system_space(system));
    double z[Z], v[Z], truth[Z], x[3], R[3], J0[6], J[6], work[P];
    ph_integrator *it;
    ph_state *state;
    start_companions(kind, system, z, v);
    tk_start(system, "rk8", NULL, 30, z, v, &it, &state);
    tk_steps(it, state, (int64_t)(T / 30));
    memcpy(truth, state->z, nz * sizeof *truth);
    tk_end(it, state);
    for (int k = 0; k < 3; k++) {
        tk_start(system, "kepler-rotor", NULL, h[k], z, v, &it, &state);
        for (size_t i = 0; i < 3 && kind == TIDES; i++)
            tk_ok(ph_system_momentum_map(system, i, state->z, state->p, &J0[i], work));
        tk_steps(it, state, (int64_t)(T / h[k]));
        for (size_t i = 0; i < 3 && kind == TIDES; i++) {
            tk_ok(ph_system_momentum_map(system, i, state->z, state->p, &J[i], work));
            ck_assert_double_le(fabs(J[i] - J0[i]), 2e-14 * ph_norm3(J0));
        }
        x[k] = tk_max_difference(state->z, truth, nx);
        R[k] = tk_max_difference(state->z + nx, truth + nx, nz - nx);
        /* and back: the Runge-Kutta step of tides as strong as these is reversed to rounding */
        tk_ok(ph_integrator_set_step_size(it, -h[k]));
        tk_steps(it, state, (int64_t)(T / h[k]));
        ck_assert_double_le(tk_max_difference(state->z, z, nx), 1e-12 * ph_max_norm(z, nx));
        ck_assert_double_le(tk_max_difference(state->z + nx, z + nx, nz - nx), 1e-12);
        tk_end(it, state);
    }
    printf("%s: %.1e, %.1e, %.1e m, R %.1e, %.1e, %.1e from rk8\n", companion_names[kind], x[0], x[1], x[2],
           R[0], R[1], R[2]);
    if (kind == TIDES) {
        ck_assert_double_eq_tol(x[0] / x[1], 4, 0.2);
        ck_assert_double_eq_tol(x[1] / x[2], 4, 0.2);
    } else { /* orders 4 to 8; rounding of rk8's 800 steps is about 1e-11 m */
        ck_assert_double_le(x[2], 1e-8);
        ck_assert_double_le(x[1], fmax(0.2 * x[0], 1e-10));
        ck_assert_double_le(R[2], 1e-10);
    }
}

/* A Sun as a member of the hierarchy against a prescribed one: places of 1.5e11 m must not round the distance of 1100 m, of
 * which they are 1e8 times as large, nor the tide of 1e-13 m/s^2. */
TEST(a_sun_as_a_member)
{
    enum { PRESCRIBED, MEMBER };
    static const double axes[2][3] = {{400, 350, 280}, {120, 90, 70}}, sun = 1.989e30, far = 1.496e11,
                        T = 172800;
    double x[2][3], R[2][9], alone[3] = {0};
    for (int kind = PRESCRIBED; kind <= MEMBER; kind++) {
        ph_mass mass[3];
        ph_gravitation *g = NULL;
        ph_system *system = NULL;
        ph_integrator *it;
        ph_state *state;
        const ph_given_body given = {.mass = sun, .orbit = {.axis = far}};
        double z[Z] = {0}, v[Z] = {0};
        tk_ok(ph_mass_ellipsoid(3.5e11, axes[0], &mass[0], NULL));
        tk_ok(ph_mass_ellipsoid(2e10, axes[1], &mass[1], NULL));
        tk_ok(ph_mass_sphere(sun, 0, &mass[2], NULL));
        ph_gravitation_definition d = {
            .bodies = 2, .mass = mass, .order = 2, .G = 6.6743e-11, .relative = true};
        if (kind == PRESCRIBED) {
            d.given = &given;
            d.n_given = 1;
        } else {
            d.bodies = 3;
            d.relative = false;
        }
        tk_ok(ph_gravitation_create(&d, &g, NULL));
        tk_ok(ph_gravitation_build(g, &system, NULL));
        static const double at[3] = {1100, 50, 30}, moves[3] = {.01, .15, .02};
        const double share = 2e10 / 3.7e11;
        const size_t nx = kind == MEMBER ? 9 : 3;
        for (size_t k = 0; k < 3; k++) {
            z[k] = (kind == MEMBER ? -share : 1) * at[k];
            v[k] = (kind == MEMBER ? -share : 1) * moves[k];
            z[3 + k] = (1 - share) * at[k];
            v[3 + k] = (1 - share) * moves[k];
        }
        if (kind == MEMBER) {
            z[6] = far;
            v[7] = sqrt(6.6743e-11 * sun / far);
        }
        for (size_t i = 0; i < 2; i++)
            for (size_t k = 0; k < 9; k++) {
                z[nx + 9 * i + k] = k % 4 ? 0 : 1;
                v[nx + 9 * i + k] = 0;
            }
        v[nx + 1] = -6e-4;
        v[nx + 3] = 6e-4;
        tk_start(system, "kepler-rotor", NULL, 150, z, v, &it, &state);
        tk_steps(it, state, (int64_t)(T / 150));
        for (size_t k = 0; k < 3; k++)
            x[kind][k] = kind == MEMBER ? state->z[3 + k] - state->z[k] : state->z[k];
        memcpy(R[kind], state->z + nx, sizeof R[kind]);
        tk_end(it, state);
        ph_system_free(system);
        if (kind == PRESCRIBED) { /* and without it */
            d.n_given = 0;
            tk_ok(ph_gravitation_create(&d, &g, NULL));
            tk_ok(ph_gravitation_build(g, &system, NULL));
            tk_start(system, "kepler-rotor", NULL, 150, z, v, &it, &state);
            tk_steps(it, state, (int64_t)(T / 150));
            memcpy(alone, state->z, sizeof alone);
            tk_end(it, state);
            ph_system_free(system);
        }
    }
    printf("a Sun shifts by %.1e m; as a member and prescribed: %.1e m, R %.1e\n",
           tk_max_difference(x[0], alone, 3), tk_max_difference(x[0], x[1], 3),
           tk_max_difference(R[0], R[1], 9));
    ck_assert_double_gt(tk_max_difference(x[0], alone, 3), 1e-3);
    /* bodies that fall by 9e7 m have places with roundings of 1.5e-8 m */
    ck_assert_double_le(tk_max_difference(x[0], x[1], 3), 2e-8);
    ck_assert_double_le(tk_max_difference(R[0], R[1], 9), 1e-13);
}

/* ---- What it refuses ---------------------------------------------------------------------------------------------- */

TEST(refuses)
{
    const ph_method *m = ph_method_find("kepler-rotor", NULL);
    ph_error err = {PH_OK, ""};
    TK_OWN(ph_system) *top = tk_model("heavy-top");
    TK_OWN(ph_system) *base = tk_binary_system(motions[0].which, 2, true);
    pushing p = {1, 2, 0, 0, 0};
    const ph_system_definition added = {.force = push, .user = &p};
    ck_assert_int_eq(ph_method_supports(m, top, &err), PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, "mutual gravity") != NULL, "%s", err.message);
    TK_MAKE(ph_system, damped, ph_system_create_forced(base, &added, &damped, NULL));
    ck_assert_int_eq(ph_method_supports(m, damped, &err), PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, "velocity") != NULL, "%s", err.message);
}

/* Bodies at the same place, and one that turns beyond all measure: the step fails, the state remains. */
TEST(lost)
{
    const tk_binary b = motions[0].which;
    TK_OWN(ph_system) *system = tk_binary_system(b, 2, true);
    TK_OWN(ph_integrator) *it = integrator_of(system, "strang", NULL, 100);
    double z[Z], momenta[P];
    for (int i = 0; i < 2; i++) {
        tk_binary_start(system, b, z, momenta);
        if (i == 0)
            memset(z, 0, 3 * sizeof *z);
        else
            for (size_t k = 3; k < 6; k++)
                momenta[k] *= 1e12;
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_ok(ph_state_set(it, state, 0, z, momenta, PH_STRICT, NULL));
        ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_DIVERGED);
        ck_assert_msg(strstr(ph_integrator_message(it), "t = 0 s") != NULL, "%s", ph_integrator_message(it));
        ck_assert_double_eq(ph_max_norm(state->carry, state->ncarry), 0);
        ck_assert_mem_eq(state->z, z, 3 * sizeof *z);
    }
}

int main(void)
{
    return tk_run("kepler-rotor");
}
