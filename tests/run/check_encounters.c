/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact and escape of bodies under mutual gravity as events: two spheres that meet, and that leave each other, at times that
 * are known. */
#include "tests/kit/binaries.h"

static const double G = 6.6743e-11;

typedef struct seen {
    size_t n;
    double t;
} seen;

static ph_status note(void *self, const ph_occurrence *occurrence, ph_error *err)
{
    seen *s = self;
    (void)err;
    s->n++;
    s->t = occurrence->t;
    return PH_OK;
}

/* Runs two spheres until the event; result <- when it is. */
static double run_until(const ph_event *event, bool relative, double x0, double v0, double h, int64_t most)
{
    ph_mass mass[2];
    tk_ok(ph_mass_sphere(3e11, 300, &mass[0], NULL));
    tk_ok(ph_mass_sphere(1e11, 200, &mass[1], NULL));
    static const bool still[2] = {false, false};
    const ph_gravitation_definition d = {
        .bodies = 2, .mass = mass, .turning = still, .G = G, .relative = relative};
    ph_gravitation *g = tk_gravitation(d);
    TK_MAKE(ph_system, system, ph_gravitation_build(g, &system, NULL));
    const double one[6] = {x0, 0, 0, 0, 0, 0}, rate[6] = {v0, 0, 0, 0, 0, 0};
    const double both[6] = {7, 0, 0, 7 + x0, 0, 0}, rates[6] = {1, 0, 0, 1 + v0, 0, 0};
    seen s = {0, 0};
    const ph_event_sink sink = {note, &s};
    ph_status status = PH_OK;
    TK_BEGIN(it, state, tk_start_with, system, ph_method_find("variational", NULL), "order", "6", h, 0,
             relative ? one : both, relative ? rate : rates);
    TK_MAKE(ph_events, events, ph_events_create(it, event, 1, &sink, &events, tk_err));
    tk_ok(ph_events_begin(events, state, tk_err));
    for (int64_t k = 0; k < most && !status; k++) {
        tk_steps(it, state, 1);
        status = ph_events_look(events, state, tk_err);
    }
    ck_assert_msg(status == PH_E_STOPPED, "%d: %s", status, tk_err->message);
    ck_assert_uint_eq(s.n, 1);
    return s.t;
}

/* Two spheres fall from rest at 1000 m until they touch at 500 m: t = sqrt(r0^3/(2 mu)) (acos sqrt x + sqrt(x (1-x))), x = r/r0.
 * The rest is the error of order 6 with 1000 steps. */
TEST_EACH(contact, 2)
{
    const ph_event event = {
        .name = "contact", .column = "clearance", .direction = -1, .action = PH_EVENT_STOP};
    const double mu = G * 4e11, x = 0.5, t = sqrt(1e9 / (2 * mu)) * (acos(sqrt(x)) + sqrt(x * (1 - x)));
    const double found = run_until(&event, _i, 1000, 0, t / 999.5, 1100);
    printf("contact after %.6g s, error %.1e\n", t, found / t - 1);
    ck_assert_double_eq_tol(found / t, 1, 1e-13);
}

/* They leave each other on a line with more than the speed of escape; the event is at 5000 m. With a = -mu/(2E) and
 * r = |a| (cosh H - 1): t = sqrt(|a|^3/mu) (sinh H - H) from H(1000 m) to H(5000 m). */
TEST_EACH(escape, 2)
{
    const ph_event event = {
        .name = "escape", .column = "escape", .level = 5000, .direction = 1, .action = PH_EVENT_STOP};
    const double mu = G * 4e11, v = 0.3, a = mu / (v * v - 2 * mu / 1000);
    ck_assert_double_gt(a, 0);
    const double from = acosh(1 + 1000 / a), to = acosh(1 + 5000 / a);
    const double t = sqrt(a * a * a / mu) * (sinh(to) - to - sinh(from) + from);
    const double found = run_until(&event, _i, 1000, v, t / 999.5, 1100);
    printf("escape after %.6g s, error %.1e\n", t, found / t - 1);
    ck_assert_double_eq_tol(found / t, 1, 1e-13);
}

int main(void)
{
    return tk_run("encounters");
}
