/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that are NULL, because what was to give them has failed: every function of the library with a ph_status
 * answers by a failure, and the message of the first one is what a caller reads who has one ph_error for a
 * chain of calls. (tests/source/layout.sh looks whether every such function is here or in check_null_io.c.) */
#include "tests/kit/testkit.h"

/* Fails with a message that names the missing object; an earlier failure in err is kept. */
#define tk_missing(what, call)                                                                               \
    do {                                                                                                     \
        ph_error err = {.status = PH_OK}, *e = &err;                                                         \
        ck_assert_int_eq((call), PH_E_INVALID);                                                              \
        ck_assert_int_eq(err.status, PH_E_INVALID);                                                          \
        ck_assert_msg(strstr(err.message, "no " what " (it is NULL)") != NULL, "%s: %s", #call,              \
                      err.message);                                                                          \
        err = (ph_error){PH_E_SIZE, "because"};                                                              \
        if (first_stays)                                                                                     \
            ck_assert_int_eq((call), PH_E_SIZE);                                                             \
        else                                                                                                 \
            ck_assert_int_eq((call), PH_E_INVALID);                                                          \
        ck_assert(!first_stays == !!strcmp(err.message, "because"));                                         \
        e = NULL;                                                                                            \
        ck_assert_int_eq((call), PH_E_INVALID);                                                              \
    } while (0)

typedef struct motion {
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    double z[3], v[3];
} motion;

static motion begin(void)
{
    motion m = {.z = {1, 0, 0}, .v = {0, 1, 0}};
    m.system = tk_model("spherical-pendulum");
    tk_start(m.system, "variational", NULL, 0.01, m.z, m.v, &m.it, &m.state);
    return m;
}

static void end(motion *m)
{
    tk_end(m->it, m->state);
    ph_system_free(m->system);
}

TEST(what_was_not_created)
{
    const bool first_stays = true;
    motion m = begin();
    const ph_method *method = ph_method_find("variational", NULL);
    const ph_event event = {.name = "x", .column = "q1x"};
    const ph_run_plan plan = {.steps = 1};
    const ph_system_definition nothing = {0};
    ph_integrator *it = NULL;
    ph_system *system = NULL;
    ph_state *state = NULL;
    ph_columns *columns = NULL;
    ph_diagnostics *diagnostics = NULL, *measuring = NULL;
    ph_monitor *monitor = NULL;
    ph_equilibria *equilibria;
    ph_steady *steady;
    const size_t none = 0;
    double size;
    ph_dense *dense = NULL;
    const ph_state *there;
    ph_events *events = NULL;
    ph_motion *seen = NULL;
    ph_scene *scene = NULL;
    ph_run_report report;
    ph_derivative_report derivatives;
    const ph_field *field = ph_field_find("q-qdot", NULL);
    const ph_event_sink sink = {0};
    double rate;
    const bool yes = true;
    ph_ensemble *ensemble;
    char bytes[8] = "";
    ck_assert_ptr_nonnull(field);
    tk_missing("system", ph_formula_compile(NULL, e));
    tk_missing("system", ph_formula_evaluate(NULL, 0, PH_FORMULA_INTERPRETED, &rate, NULL, NULL, NULL, e));
    tk_missing("system", ph_integrator_create(NULL, method, 0.01, NULL, 0, &it, e));
    tk_missing("integrator", ph_integrator_copy(NULL, 0.01, &it, e));
    tk_missing("integrator", ph_ensemble_create(NULL, 1, &ensemble, e));
    tk_missing("integrator",
               ph_ensemble_create_each(NULL, (const ph_system *const[]){NULL}, 1, &ensemble, e));
    tk_missing("ensemble", ph_ensemble_set_systems(NULL, NULL, e));
    tk_missing("ensemble", ph_ensemble_set(NULL, 0, NULL, NULL, PH_STRICT, e));
    tk_missing("integrator", ph_state_create(NULL, &state, e));
    tk_missing("integrator", ph_state_set(NULL, m.state, 0, NULL, NULL, PH_STRICT, e));
    tk_missing("state", ph_state_set(m.it, NULL, 0, NULL, NULL, PH_STRICT, e));
    tk_missing("integrator", ph_state_set_velocity(NULL, m.state, 0, m.z, m.v, PH_STRICT, e));
    tk_missing("state", ph_state_set_velocity(m.it, NULL, 0, m.z, m.v, PH_STRICT, e));
    tk_missing("state", ph_state_unpack(NULL, bytes, sizeof bytes, e));
    tk_missing("integrator", ph_run(NULL, m.state, &plan, &report, e));
    tk_missing("state", ph_run(m.it, NULL, &plan, &report, e));
    tk_missing("system", ph_columns_create(NULL, NULL, 0, &columns, e));
    tk_missing("system", ph_columns_create_trajectory(NULL, NULL, 0, &columns, e));
    tk_missing("system", ph_diagnostics_create(NULL, &diagnostics, e));
    tk_missing("system", ph_motion_create(NULL, &seen, e));
    tk_missing("system", ph_scene_create(NULL, &scene, e));
    tk_missing("text", ph_scene_read(NULL, &scene, e));
    tk_missing("scene", ph_scene_points(NULL, m.z, m.v, e));
    tk_missing("diagnostics", ph_monitor_create(NULL, 0, 1, &monitor, e));
    tk_missing("monitor", ph_monitor_unpack(NULL, bytes, sizeof bytes, e));
    tk_missing("system", ph_field_supports(field, NULL, e));
    tk_missing("system", ph_field_projection_supports(NULL, e));
    tk_missing("system", ph_field_group_supports(NULL, e));
    tk_missing("system", ph_event_check(NULL, &event, e));
    tk_missing("integrator", ph_events_create(NULL, &event, 1, &sink, &events, e));
    tk_missing("events", ph_events_begin(NULL, m.state, e));
    tk_missing("integrator", ph_dense_create(NULL, &dense, e));
    tk_missing("dense output", ph_dense_begin(NULL, m.state, e));
    tk_missing("dense output", ph_dense_end(NULL, m.state, e));
    tk_missing("dense output", ph_dense_at(NULL, 0, &there, e));
    tk_missing("dense output", ph_dense_error(NULL, &size, e));
    tk_missing("events", ph_events_look(NULL, m.state, e));
    tk_missing("system", ph_system_create_forced(NULL, &nothing, &system, e));
    tk_missing("system", ph_system_check_derivatives(NULL, 0, m.z, m.v, &derivatives, e));
    tk_missing("system", ph_system_fastest_rate(NULL, 0, m.z, &rate, e));
    ck_assert_int_ne(ph_method_supports(NULL, m.system, NULL), PH_OK);
    tk_missing("system", ph_method_supports(method, NULL, e));
    tk_missing("system", ph_system_constraint_follow(NULL, 0, m.z, &yes, m.v, e));
    tk_missing("system", ph_system_constraint_project(NULL, 0, m.z, m.v, &size, e));
    tk_missing("system", ph_reduction_connection(NULL, 0, m.z, m.v, &rate, &size, e));
    tk_missing("system", ph_reduction_amended_potential(NULL, 0, m.z, 1, &rate, NULL, &size, e));
    tk_missing("system", ph_routh_create(NULL, 0, &system, e));
    tk_missing("system", ph_equilibria_create(NULL, &none, 1, &equilibria, e));
    tk_missing("system", ph_steady_create(NULL, &steady, e));
    tk_missing("workspace", ph_steady_find(NULL, m.z, m.z, NULL, e));
    tk_missing("workspace", ph_equilibria_find(NULL, m.z, &rate, NULL, e));
    tk_missing("workspace", ph_equilibria_follow(NULL, NULL, NULL, NULL, NULL, NULL, e));
    tk_ok(ph_events_create(m.it, &event, 1, &sink, &events, NULL));
    tk_missing("state", ph_events_begin(events, NULL, e));
    tk_missing("state", ph_events_look(events, NULL, e));
    ph_events_free(events);
    tk_ok(ph_dense_create(m.it, &dense, NULL));
    tk_missing("state", ph_dense_begin(dense, NULL, e));
    tk_missing("state", ph_dense_end(dense, NULL, e));
    ph_dense_free(dense);
    tk_ok(ph_diagnostics_create(m.system, &measuring, NULL));
    ck_assert(!it && !system && !state && !columns && !diagnostics && !monitor);
    ph_diagnostics_free(measuring);
    end(&m);
}

/* A failure of something else, before, is not taken for that of the search. */
TEST(what_was_not_found)
{
    const bool first_stays = false;
    motion m = begin();
    ph_integrator *it = NULL;
    ph_system *system = NULL;
    double values[8];
    tk_missing("method", ph_integrator_create(m.system, NULL, 0.01, NULL, 0, &it, e));
    tk_missing("method", ph_method_options(NULL, NULL, 0, values, e));
    tk_missing("model", ph_model_build(NULL, NULL, 0, &system, e));
    tk_missing("model", ph_model_build_for(NULL, NULL, NULL, 0, &system, e));
    tk_missing("model", ph_model_preset(NULL, NULL, 0, NULL, 0, m.z, m.v, e));
    ph_parameter_value value;
    size_t bodies;
    tk_missing("model", ph_model_preset_bodies(NULL, NULL, NULL, NULL, &bodies, e));
    tk_missing("model", ph_model_preset_value(NULL, NULL, "G", &value, e));
    tk_missing("form", ph_field_supports(NULL, m.system, e));
    ck_assert(!it && !system);
    end(&m);
}

/* As README.md has it: the suggestion is what is read. */
TEST(suggestions_stay)
{
    motion m = begin();
    ph_integrator *it = NULL;
    ph_system *system = NULL;
    ph_state *state = NULL;
    ph_error err;
    double values[8];
    memset(&err, 0xa5, sizeof err); /* as it is on the stack: no failure, and no end of the message */
    ck_assert_int_eq(
        ph_integrator_create(m.system, ph_method_find("varational", &err), 0.01, NULL, 0, &it, &err),
        PH_E_UNKNOWN);
    ck_assert_str_eq(err.message, "unknown method \"varational\"; did you mean \"variational\"?");
    ck_assert_int_eq(ph_method_options(ph_method_find("rk5", &err), NULL, 0, values, &err), PH_E_UNKNOWN);
    ck_assert_msg(strstr(err.message, "\"rk4\"") != NULL, "%s", err.message);
    ck_assert_int_eq(ph_model_build(ph_model_find("spherical-pendulums", &err), NULL, 0, &system, &err),
                     PH_E_UNKNOWN);
    ck_assert_msg(strstr(err.message, "\"spherical-pendulum\"") != NULL, "%s", err.message);
    /* and down the chain of who looks at the end only */
    ck_assert_int_eq(
        ph_integrator_create(system, ph_method_find("variational", &err), 0.01, NULL, 0, &it, &err),
        PH_E_UNKNOWN);
    ck_assert_int_eq(ph_state_create(it, &state, &err), PH_E_UNKNOWN);
    ck_assert_msg(strstr(err.message, "\"spherical-pendulum\"") != NULL, "%s", err.message);
    /* never filled, and no search: none of its bytes may be reported */
    memset(&err, 0xa5, sizeof err);
    ck_assert_int_eq(
        ph_integrator_create(m.system, ph_method_find("varational", NULL), 0.01, NULL, 0, &it, &err),
        PH_E_INVALID);
    ck_assert_msg(strstr(err.message, "ph_method_find") != NULL, "%s", err.message);
    memset(&err, 0xa5, sizeof err);
    ck_assert_int_eq(ph_state_create(NULL, &state, &err), PH_E_INVALID);
    ck_assert_msg(strstr(err.message, "ph_integrator_create") != NULL, "%s", err.message);
    /* another unknown word, before */
    ph_fail(&err, PH_E_UNKNOWN, "unknown model \"pendulum\"");
    ck_assert_int_eq(ph_integrator_create(m.system, NULL, 0.01, NULL, 0, &it, &err), PH_E_INVALID);
    end(&m);
}

/* Who has no ph_error has the status alone; an integrator says it in its message. */
TEST(steps_and_evaluations)
{
    motion m = begin();
    const ph_field *f = ph_field_find("q-qdot", NULL);
    double x[64] = {1}, y[64], work[256];
    int sign;
    size_t n;
    ph_measures measures;
    ph_diagnostics *d = NULL;
    ph_monitor *monitor = NULL;
    const ph_status all[] = {
        ph_integrator_step(NULL, m.state, 1),
        ph_integrator_set_step_size(NULL, 0.01),
        ph_state_copy(NULL, m.state),
        ph_state_copy(m.state, NULL),
        ph_diagnostics_measure(NULL, m.state, &measures),
        ph_motion_see(NULL, m.state),
        ph_system_places(NULL, 0, x, y),
        ph_monitor_see(NULL, m.state, &measures),
        ph_space_log(NULL, x, x, y),
        ph_space_project(NULL, x),
        ph_space_factor_project(NULL, 0, x),
        ph_system_potential(NULL, x, y),
        ph_system_gradient(NULL, x, y),
        ph_system_force(NULL, 0, x, x, y),
        ph_system_potential_in_time(NULL, 0, x, y),
        ph_system_gradient_in_time(NULL, 0, x, y),
        ph_system_power(NULL, 0, x, x, y, work),
        ph_system_columns_at(NULL, 0, x, x, y),
        ph_system_force_dv(NULL, 0, x, x, y, work),
        ph_system_momentum_map(NULL, 0, x, x, y, work),
        ph_system_pair_inertia(NULL, x, y, NULL),
        ph_system_lagrangian(NULL, 0, x, x, y, work),
        ph_system_lagrangian_gradient(NULL, 0, x, x, y, y, work),
        ph_system_lagrangian_hessian(NULL, 0, x, x, NULL, NULL, y, work),
        ph_system_euler_lagrange(NULL, 0, x, x, y, y, work),
        ph_system_tangent_inertia(NULL, 0, x, x, x, y, work),
        ph_system_momentum(NULL, 0, x, x, y, work),
        ph_reduction_generator(NULL, 0, x, y),
        ph_reduction_locked_inertia(NULL, 0, x, y, work),
        ph_reduction_locked_inertia_gradient(NULL, 0, x, y, work),
        ph_equilibria_distance(NULL, x, x, y),
        ph_routh_all_rotations(NULL, &n, NULL),
        ph_routh_align(NULL, y, y, work, NULL),
        ph_routh_reconstruct(NULL, x, x, y, y, work),
        ph_routh_reduce(NULL, x, x, 0, y, y, work, NULL),
        ph_system_constraint_rows(NULL, 0, x, y, work),
        ph_system_constraint_along(NULL, 0, x, x, 1, x, y, work),
        ph_system_constraint_error(NULL, 0, x, x, y, work),
        ph_system_reactions(NULL, 0, x, x, y, work),
        ph_system_velocity(NULL, 0, x, x, y, work),
        ph_system_velocity_at(NULL, 0, x, x, y, work),
        ph_spins_energy(NULL, 0, x, y),
        ph_spins_gradient(NULL, 0, x, y),
        ph_spins_torque(NULL, 0, x, y),
        ph_spins_flow(NULL, 0, x, y),
        ph_spins_momentum(NULL, x, y),
        ph_spins_check_apart(NULL, x, NULL),
        ph_spins_control(NULL, 0, x),
        ph_spins_bond_function(NULL, 0, 0, x),
        ph_spins_hessian_places(NULL, NULL, NULL),
        ph_spins_hessian(NULL, 0, x, y),
        ph_elimination_decompose(NULL, y, NULL),
        ph_system_covector(NULL, 0, x, x, y, work),
        ph_system_covector_velocity(NULL, 0, x, x, y, work),
        ph_system_energy(NULL, 0, x, x, y, y, work),
        ph_system_free_acceleration(NULL, x, NULL, y),
        ph_tension_factor(NULL, x, x, y, &sign),
        ph_tension_factor_on(NULL, x, x, x, y, &sign),
        ph_link_tensions(NULL, 0, x, x, y, y),
        ph_field_project(f, NULL, 0, y, work),
        ph_field_project(NULL, m.system, 0, y, work),
        ph_field_convert(NULL, f, m.system, 0, x, y, work),
        ph_field_convert(f, NULL, m.system, 0, x, y, work),
        ph_field_convert(f, f, NULL, 0, x, y, work),
        ph_field_rk4(NULL, m.system, 0, 0.1, y, work),
        ph_field_rk4(f, NULL, 0, 0.1, y, work),
        ph_field_load(NULL, m.system, m.state, y, work),
        ph_field_load(f, NULL, m.state, y, work),
        ph_field_load(f, m.system, NULL, y, work),
        ph_field_store(NULL, m.system, 0, x, m.state, work),
        ph_field_store(f, NULL, 0, x, m.state, work),
        ph_field_store(f, m.system, 0, x, NULL, work),
        ph_field_element(NULL, m.system, 0, x, y, work),
        ph_field_element(f, NULL, 0, x, y, work),
        ph_field_settle(NULL, m.system, 0, y, work),
        ph_field_settle(f, NULL, 0, y, work),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ck_assert_msg(all[i] == PH_E_INVALID, "number %zu: %s", i, ph_status_name(all[i]));
    tk_ok(ph_diagnostics_create(m.system, &d, NULL));
    tk_ok(ph_monitor_create(d, 0, 1, &monitor, NULL));
    ck_assert_int_eq(ph_diagnostics_measure(d, NULL, &measures), PH_E_INVALID);
    ck_assert_int_eq(ph_monitor_see(monitor, NULL, &measures), PH_E_INVALID);
    ck_assert_msg(strstr(ph_integrator_message(NULL), "ph_integrator_create") != NULL, "%s",
                  ph_integrator_message(NULL));
    ck_assert_int_eq(ph_integrator_step(m.it, NULL, 1), PH_E_INVALID);
    ck_assert_msg(strstr(ph_integrator_message(m.it), "ph_state_create") != NULL, "%s",
                  ph_integrator_message(m.it));
    tk_ok(ph_integrator_step(m.it, m.state, 1));
    ph_monitor_free(monitor);
    ph_diagnostics_free(d);
    end(&m);
}

int main(void)
{
    return tk_run("null");
}
