/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: a step, a measurement of a state, an event, and parts of them do not allocate. */
#include "tests/kit/embeddings.h"
#include "tests/kit/hostile.h"
#include "tests/kit/spinkit.h"
#include "tests/system/allocations.h"

/* ---- Steps and measurements --------------------------------------------------------------------- */

#define no_memory_asked(label, what)                                                                         \
    ck_assert_msg(count.asked == 0 && count.held == 0, "%s: %s asked for memory %ld times", label, what,     \
                  count.asked)

TEST_EACH(steps_ask_for_nothing, hk_cases() * HK_FLAVOURS)
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *state;
    hk_flavour flavour = (hk_flavour)(_i % HK_FLAVOURS);
    hk_case_at((size_t)_i / HK_FLAVOURS, &c);
    ph_system *system = hk_system(&user, hk_flavour_for(&c, flavour));
    hk_create(&c, system, 0.05, &it, &state);
    start_counting(1, false); /* and would not get any */
    ph_status status = ph_integrator_step(it, state, 50);
    stop_counting();
    tk_ok(status);
    no_memory_asked(c.label, "steps");
    for (int which = HK_GRADIENT; which <= HK_FORCE_DV; which++)
        for (int how = HK_FAIL; how < HK_HOWS; how++) {
            if (!hk_has(flavour, (hk_callback)which))
                continue;
            hk_arm(&user, (hk_callback)which, (hk_how)how, PH_E_CALLBACK, 1, true);
            start_counting(0, false);
            status = ph_integrator_step(it, state, 1);
            stop_counting();
            ck_assert(status || which == HK_FORCE_DV);
            no_memory_asked(c.label, "a failing step");
        }
    start_counting(0, false);
    status = ph_integrator_set_step_size(it, -0.02);
    stop_counting();
    tk_ok(status);
    if (!c.method->finish) /* what was allocated elsewhere is freed and allocated again */
        no_memory_asked(c.label, "a new step size");
    tk_end(it, state);
    ph_system_free(system);
}

static ph_status lean(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user;
    (void)z;
    (void)zdot;
    f[1] += 0.1 * cos(t);
    return PH_OK;
}

/* Bodies on ball joints, few enough for a matrix and too many: the first step, for which the branch is
 * followed, those after it, and one that is too long. */
TEST_EACH(articulations_ask_for_nothing, 2)
{
    const double number = _i ? PH_DENSE_BODIES + 50 : 4;
    const ph_parameter_value values[] = {{"bodies", &number, 1}};
    const ph_system_definition force = {.force = lean, .force_ignores_velocity = true};
    ph_system *base = tk_build("rigid-chain", values, 1), *system = NULL;
    size_t n = (size_t)number;
    double *z = calloc(21 * n + ph_system_work(base), sizeof *z), *zdot = z + 9 * n, *p = zdot + 9 * n,
           *work = p + 3 * n;
    double T, U;
    ph_integrator *it;
    ph_state *state;
    tk_ok(ph_system_create_forced(base, &force, &system, NULL));
    tk_preset("rigid-chain", values, 1, "curved", z, zdot);
    tk_start(system, "variational", NULL, 1e-3, z, zdot, &it, &state);
    start_counting(1, false);
    ph_status status = ph_integrator_step(it, state, 20);
    stop_counting();
    tk_ok(status);
    no_memory_asked("articulation", "steps");
    start_counting(1, false);
    status = ph_integrator_set_step_size(it, 10);
    ph_status none = status ? PH_OK : ph_integrator_step(it, state, 1);
    stop_counting();
    ck_assert(!status && none);
    no_memory_asked("articulation", "a step that is too long");
    start_counting(1, false);
    status = ph_system_momentum(system, 0, state->z, zdot, p, work);
    if (!status)
        status = ph_system_velocity(system, 0, state->z, state->p, zdot, work);
    if (!status)
        status = ph_system_energy(system, 0, state->z, zdot, &T, &U, work);
    stop_counting();
    tk_ok(status);
    no_memory_asked("articulation", "a measurement");
    free(z);
    tk_end(it, state);
    ph_system_free(system);
    ph_system_free(base);
}

TEST_EACH(measuring_asks_for_nothing, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *state, *copy;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_measures m;
    ph_summary summary;
    hk_case_at((size_t)_i, &c);
    ph_system *system = hk_system(&user, hk_flavour_for(&c, HK_DAMPED));
    hk_create(&c, system, 0.05, &it, &state);
    tk_ok(ph_integrator_step(it, state, 3));
    copy = hk_clone(it, state);
    tk_ok(ph_diagnostics_create(system, &diagnostics, NULL));
    tk_ok(ph_monitor_create(diagnostics, 0, 1, &monitor, NULL));
    start_counting(1, false);
    ph_status status = ph_diagnostics_measure(diagnostics, state, &m);
    for (int k = 0; k < 3 && !status; k++)
        status = ph_monitor_see(monitor, state, k ? &m : NULL);
    ph_monitor_summary(monitor, &summary);
    if (!status)
        status = ph_state_copy(copy, state);
    hk_arm(&user, HK_POTENTIAL, HK_FAIL, PH_E_CALLBACK, 1, true);
    ph_status failed = ph_monitor_see(monitor, state, &m);
    stop_counting();
    tk_ok(status);
    ck_assert_int_eq(failed, PH_E_CALLBACK);
    no_memory_asked(c.label, "a measurement");
    ph_monitor_free(monitor);
    ph_diagnostics_free(diagnostics);
    ph_state_free(copy);
    tk_end(it, state);
    ph_system_free(system);
}

/* Spins: steps by each method that takes them, measurements, and states between steps. */
TEST_EACH(spins_ask_for_nothing, 4)
{
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *method = ph_method_at(i);
        ph_integrator *it;
        ph_diagnostics *diagnostics;
        ph_dense *dense;
        ph_motion *motion;
        ph_measures m;
        const ph_state *there;
        double z[12], error;
        tk_random r = {41};
        ph_system *system = sk_random(4, _i % 2, _i / 2, &r);
        sk_random_spins(&r, 4, z);
        if (!ph_integrator_create(system, method, 0.02, NULL, 0, &it, NULL)) {
            ph_state *state = sk_state(it, z);
            tk_ok(ph_diagnostics_create(system, &diagnostics, NULL));
            tk_ok(ph_dense_create(it, &dense, NULL));
            tk_ok(ph_motion_create(system, &motion, NULL));
            start_counting(1, false);
            ph_status status = ph_integrator_step(it, state, 10);
            if (!status)
                status = ph_diagnostics_measure(diagnostics, state, &m);
            if (!status)
                status = ph_dense_begin(dense, state, NULL);
            if (!status)
                status = ph_integrator_step(it, state, 1);
            if (!status)
                status = ph_dense_end(dense, state, NULL);
            if (!status)
                status = ph_dense_at(dense, state->t - 0.007, &there, NULL);
            if (!status)
                status = ph_dense_error(dense, &error, NULL);
            if (!status)
                status = ph_motion_see(motion, state);
            stop_counting();
            tk_ok(status);
            no_memory_asked(method->name, "spins");
            ph_motion_free(motion);
            ph_dense_free(dense);
            ph_diagnostics_free(diagnostics);
            tk_end(it, state);
        }
        ph_system_free(system);
    }
}

/* Embedded manifolds, by constraints and by their projection alone: steps, measurements, projections. */
TEST(embedded_manifolds_ask_for_nothing)
{
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int way = 0; way < EM_WAYS; way++) {
        const ph_embedding e = em_embedding(em_at(EM_ELLIPSOID), (em_way)way);
        const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &e};
        ph_system_definition d = {.ambient_inertia = unit};
        double z[3], z1[3], v[3] = {0, 0, 1}, P[9];
        tk_random r = {1};
        ph_system *system;
        ph_diagnostics *diagnostics;
        ph_measures m;
        ph_integrator *it;
        ph_state *state;
        ph_space *space;
        tk_ok(ph_space_create(&factor, 1, &space, NULL));
        d.space = space;
        tk_ok(ph_system_create(&d, &system, NULL));
        tk_ok(ph_diagnostics_create(system, &diagnostics, NULL));
        em_at(EM_ELLIPSOID)->point(em_ellipsoid, &r, z);
        tk_start(system, way == EM_PROJECTION ? "rk4" : "rk4-projected", NULL, 0.01, z, v, &it, &state);
        start_counting(1, false);
        ph_status status = ph_integrator_step(it, state, 10);
        if (!status)
            status = ph_diagnostics_measure(diagnostics, state, &m);
        ph_space_projection(space, z, P);
        ph_space_dexp(space, z, z, z, z1);
        for (size_t i = 0; i < 3; i++)
            z1[i] = 1.1 * z[i];
        ph_status projected = ph_space_project(space, z1);
        if (!projected)
            projected = ph_space_log(space, z, z1, v);
        stop_counting();
        tk_ok(status);
        ck_assert_int_eq(projected, way == EM_PROJECTION ? PH_E_UNSUPPORTED : PH_OK);
        no_memory_asked(e.name, "an embedded manifold");
        tk_end(it, state);
        ph_diagnostics_free(diagnostics);
        ph_system_free(system);
        ph_space_free(space);
    }
}

/* A sparse inverse inertia: its algebra, with interchanges and without, and steps. */
TEST(sparse_algebra_asks_for_nothing)
{
    ph_system *system = NULL;
    ph_integrator *it;
    ph_state *state;
    tk_random seed = {4};
    int sign;
    double across[93] = {0}, a[90], tau[30] = {1};
    tk_ok(make_ring(&system, NULL));
    size_t n = ph_space_factors(ph_system_space(system));
    double z[90], v[90], *F = malloc(ph_tension_size(system) * sizeof *F);
    ck_assert_uint_eq(n, 30);
    ck_assert_ptr_nonnull(F);
    for (size_t i = 0; i <= n; i++)
        across[3 * i + i % 2] = 1; /* at right angles to each neighbour */
    tk_random_motion(system, &seed, z, v);
    tk_start(system, "variational", NULL, 0.01, z, v, &it, &state);
    start_counting(1, false);
    ph_status status = ph_integrator_step(it, state, 10);
    if (!status)
        status = ph_system_free_acceleration(system, z, NULL, a);
    if (!status)
        status = ph_tension_factor(system, z, z, F, NULL);
    if (!status)
        ph_tension_solve(system, F, tau);
    if (!status) /* T has no diagonal */
        status = ph_tension_factor(system, across, across + 3, F, &sign);
    if (!status)
        ph_tension_solve(system, F, tau);
    ph_tension_pull(system, z, tau, a);
    ph_system_apply_inverse_inertia(system, a, a);
    ph_system_apply_inertia(system, a, v);
    stop_counting();
    tk_ok(status);
    no_memory_asked("ring", "a sparse inverse inertia");
    free(F);
    tk_end(it, state);
    ph_system_free(system);
}

/* Every form of the equations, with every kind of Lagrangian. */
TEST_EACH(forms_ask_for_nothing, (HK_EVERY - HK_FLAVOURS) * (int)ph_fields())
{
    const char *form = ph_field_at((size_t)_i % ph_fields())->name;
    hk_flavour flavour = (hk_flavour)(HK_FLAVOURS + _i / (int)ph_fields());
    hk_user user = {0};
    double z[HK_NZ], zdot[HK_NZ];
    ph_integrator *it;
    ph_state *state;
    ph_system *system = hk_system(&user, flavour);
    if (ph_field_supports(ph_field_find(form, NULL), system, NULL)) { /* tensions: of links alone */
        ph_system_free(system);
        return;
    }
    hk_start(0.7, z, zdot);
    tk_start(system, "rk4", form, 0.01, z, zdot, &it, &state);
    start_counting(1, false);
    ph_status status = ph_integrator_step(it, state, 5);
    stop_counting();
    tk_ok(status);
    no_memory_asked(form, hk_flavour_name(flavour));
    tk_end(it, state);
    ph_system_free(system);
}

/* Nor do the special steps of chains. */
TEST(chains_ask_for_nothing)
{
    enum { LINKS = 20 };
    static const char *const methods[] = {"rk4", "rk4-projected"};
    const double ones[LINKS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const size_t links[] = {1, 2, LINKS};
    for (size_t i = 0; i < sizeof links / sizeof links[0] * 2; i++) {
        tk_random seed = {1789 + i};
        ph_parameter_value masses = {"masses", ones, links[i / 2]};
        ph_system *system = tk_build("chain-pendulum", &masses, 1);
        double z[3 * LINKS], zdot[3 * LINKS];
        ph_integrator *it;
        ph_state *state;
        tk_random_motion(system, &seed, z, zdot);
        tk_start(system, methods[i % 2], NULL, 0.001, z, zdot, &it, &state);
        start_counting(1, false);
        ph_status status = ph_integrator_step(it, state, 5);
        stop_counting();
        tk_ok(status);
        no_memory_asked(methods[i % 2], "a chain");
        tk_end(it, state);
        ph_system_free(system);
    }
}

/* A run itself does not allocate either: in stretches that grow to 128 steps; with outputs between steps. */
TEST_EACH(runs_ask_for_nothing, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *state;
    ph_run_report report;
    ph_run_plan plan = {.steps = 600, .output = {.steps = 300}};
    ph_dense *dense;
    hk_case_at((size_t)_i, &c);
    ph_system *system = hk_system(&user, HK_PUSHED);
    hk_create(&c, system, 0.05, &it, &state);
    start_counting(1, false);
    ph_status status = ph_run(it, state, &plan, &report, NULL);
    stop_counting();
    tk_ok(status);
    no_memory_asked(c.label, "a run");
    tk_ok(ph_dense_create(it, &dense, NULL));
    plan.done = plan.steps;
    plan.steps += 20;
    plan.output = (ph_schedule){.kind = PH_EVERY_INTERVAL, .interval = 0.03};
    plan.dense = dense;
    start_counting(1, false);
    status = ph_run(it, state, &plan, &report, NULL);
    stop_counting();
    tk_ok(status);
    no_memory_asked(c.label, "a run with outputs between steps");
    ph_dense_free(dense);
    tk_end(it, state);
    ph_system_free(system);
}

/* Nor does looking for events, some of which are found; except for methods that allocate when a step size is
 * set. */
TEST_EACH(events_ask_for_nothing, hk_cases())
{
    const ph_event events[] = {{.name = "section", .column = "q1x", .level = 0.1},
                               {.name = "energy", .column = "energy", .level = -1e9},
                               {.name = "time", .column = "t", .level = 0.633}};
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *state;
    ph_events *looking;
    ph_run_report report;
    hk_case_at((size_t)_i, &c);
    ph_system *system = hk_system(&user, HK_PUSHED);
    hk_create(&c, system, 0.05, &it, &state);
    tk_ok(ph_events_create(it, events, c.method->finish ? 0 : 3, NULL, &looking, NULL));
    ph_run_plan plan = {.steps = 200, .output = {.steps = 10}, .events = looking};
    start_counting(1, false);
    ph_status status = ph_run(it, state, &plan, &report, NULL);
    stop_counting();
    tk_ok(status);
    no_memory_asked(c.label, "looking for events");
    if (!c.method->finish)
        ck_assert_int_eq(ph_events_found(looking, 2), 1);
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}

int main(void)
{
    if (!can_count())
        return puts("skipped: calls of malloc cannot be counted here (no glibc, or a tool that has its own)"),
               77;
    return tk_run("memory");
}
