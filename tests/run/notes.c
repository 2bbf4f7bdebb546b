/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes of events: see notes.h. */
#include "notes.h"

#include <string.h>

ph_status take_down(void *self, const ph_occurrence *o, ph_error *err)
{
    notes *all = self;
    ck_assert_uint_lt(all->n, NOTES_MOST);
    note *fresh = &all->list[all->n++];
    *fresh = (note){o->event, o->t, o->theta, o->step, o->direction, {0, 0, 0}};
    memcpy(fresh->z, o->state->z, (o->state->nz < 3 ? o->state->nz : 3) * sizeof *fresh->z);
    ck_assert_double_eq(o->t, o->state->t);
    return all->n == all->fail_at ? ph_fail(err, PH_E_IO, "the notebook is full") : PH_OK;
}

ph_events *look_for(const ph_integrator *it, const ph_event *events, size_t n, notes *found)
{
    const ph_event_sink sink = {take_down, found};
    ph_events *looking = NULL;
    tk_ok(ph_events_create(it, events, n, &sink, &looking, tk_err));
    found->n = found->fail_at = 0;
    return looking;
}

ph_status run_looking(ph_integrator *it, ph_state *state, ph_events *events, int64_t steps, int64_t every,
                      ph_error *err)
{
    ph_run_report report;
    const ph_run_plan plan = {.steps = steps, .output = {.steps = every}, .events = events};
    return ph_run(it, state, &plan, &report, err);
}

ph_status height_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = fall * z[0];
    return PH_OK;
}

ph_status height_gradient(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    dU[0] = fall;
    return PH_OK;
}

ph_system *create_thrown(void)
{
    static const double one = 1;
    const ph_factor line = {.kind = PH_FACTOR_R, .d = 1};
    ph_system_definition d = {
        .ambient_inertia = &one, .potential = height_potential, .gradient = height_gradient};
    return tk_system(d, &line, 1);
}

ph_status measure_swing(void *user, const ph_state *state, double *g)
{
    const double *down = user;
    *g = down[0] * state->z[1] - down[1] * state->z[0];
    return PH_OK;
}

void open_section(const char *method, ph_system **system, ph_integrator **it, ph_state **state)
{
    static const double z[6] = {0, 0.6, 0.8, 1, 0, 0}, v[6] = {0, 0.8, -0.6, 0, 0, 1};
    *system = tk_model("double-spherical-pendulum");
    tk_start(*system, method, NULL, 0.02, z, v, it, state);
}
