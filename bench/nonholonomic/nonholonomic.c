/* SPDX-License-Identifier: BSD-3-Clause */
/* Long runs of systems with velocity constraints (nonholonomic.h). Equal work: a step of a composition of s stages is
 * s times as long as one of order 2, a step of RK4, which evaluates four times, 4 times. */
#include "nonholonomic.h"
#include "bench/common/contender.h"
#include "bench/common/meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4000 };

static const nonholonomic_case cases[] = {
    {"contact-oscillator", "contact oscillator", "model: contact-oscillator", 0.0314, CLASS_REVERSIBLE},
    {"contact-shifted", "contact oscillator with p = v - grad cos z",
     "model: contact-oscillator\nparameters: {shift: 1}", 0.0314, CLASS_NOT_REVERSIBLE},
    {"gearbox", "gearbox, symmetric driver", "model: gearbox", 0.02, CLASS_REVERSIBLE},
    {"gearbox-asymmetric", "gearbox, asymmetric driver", "model: gearbox\nparameters: {asymmetry: 0.25}",
     0.02, CLASS_NOT_REVERSIBLE},
    {"chaotic-quartic", "chaotic quartic oscillator", "model: chaotic-quartic", 0.01, CLASS_CHAOTIC},
    {"sleigh", "Chaplygin sleigh", "model: chaplygin-sleigh", 0.01, CLASS_EXACT},
    {"vertical-disk", "vertical rolling disk", "model: vertical-disk", 0.01, CLASS_EXACT},
    {"rolling-disk", "rolling disk near its steady circle",
     "model: rolling-disk\ninitial: {preset: wobbling}", 0.002, CLASS_REVERSIBLE},
    {"snakeboard", "snakeboard, not driven",
     "model: snakeboard\nparameters: {rotor_torque: 0, steering_torque: 0}", 0.002, CLASS_REVERSIBLE},
    {"suslov", "Suslov's problem", "model: suslov", 0.01, CLASS_REVERSIBLE},
    {"veselova", "Veselova's problem", "model: veselova", 0.01, CLASS_REVERSIBLE},
    {"chaplygin-ball", "Chaplygin's ball", "model: chaplygin-ball", 0.01, CLASS_REVERSIBLE},
    {"rubber-ball", "rubber ball", "model: rubber-ball", 0.01, CLASS_REVERSIBLE},
    {"belt", "unsymmetric ball on a belt: moving energy", "model: belt-ball", 0.01, CLASS_AFFINE},
    {"turntable", "unsymmetric ball on a turntable: moving energy", "model: turntable-ball", 0.01,
     CLASS_AFFINE},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* How many stages a step is; of adaptive methods the time between outputs. */
static const struct {
    const char *label;
    double stages;
} contenders[NONHOLONOMIC_CONTENDERS] = {
    {"dla:order=2", 1},   {"dla:order=2:discrete-lagrangian=exponential-midpoint", 1},
    {"dla:order=4", 5},   {"dla:order=6", 11},
    {"dla:order=8", 21},  {"rk4", 4},
    {"rk4-projected", 4}, {"arkode", 21},
    {"cvode", 21},
};

size_t nonholonomic_cases(void)
{
    return CASES;
}

const nonholonomic_case *nonholonomic_case_at(size_t i)
{
    return i < CASES ? &cases[i] : NULL;
}

/* ---- What is conserved --------------------------------------------------------------------------------- */

typedef struct gauge {
    const ph_system *system;
    const ph_scenario *scenario;
    bool moving;
    double belt[2], turn; /* of a moving constraint */
    double *zdot, *work;
} gauge;

/* The momentum of a ball along the motion of what it rolls on: E - u . p of a belt, E - W J_z of a turntable, with J_z
 * about its centre; z = (x, R), p = (p_x, Pi). */
static double along_support(const gauge *g, const ph_state *s)
{
    const double *x = s->z, *R = s->z + 2, *p = s->p, *Pi = s->p + 2;
    const double spin = R[6] * Pi[0] + R[7] * Pi[1] + R[8] * Pi[2];
    return g->belt[0] * p[0] + g->belt[1] * p[1] + g->turn * (x[0] * p[1] - x[1] * p[0] + spin);
}

static ph_status measure(const gauge *g, const ph_state *s, double *energy, double *constraint)
{
    double kinetic, potential, error = 0;
    ph_status status = ph_system_velocity(g->system, s->z, s->p, g->zdot, g->work);
    if (!status)
        status = ph_system_energy(g->system, s->z, g->zdot, &kinetic, &potential, g->work);
    if (!status)
        status = ph_system_constraint_error(g->system, s->t, s->z, g->zdot, &error, g->work);
    if (status)
        return status;
    *energy = kinetic + potential - (g->moving ? along_support(g, s) : 0);
    *constraint = fmax(*constraint, error);
    return isfinite(*energy) ? PH_OK : PH_E_NOT_FINITE;
}

/* ---- A run --------------------------------------------------------------------------------------------- */

typedef struct run {
    gauge gauge;
    nonholonomic *into;
    nonholonomic_line *line;
    ph_integrator *it;
    ph_state *state;
    int64_t steps;
    double E0;
} run;

static void enter(run *r, tenths *t, int64_t sample, int64_t samples, double energy)
{
    nonholonomic_line *l = r->line;
    const double error = (energy - r->E0) / fabs(r->E0);
    curve_enter(&l->energy, r->state->t, error);
    tenths_enter(t, sample, samples, error);
}

static ph_status follow(run *r, bench_watch *watch, double share, ph_error *err)
{
    nonholonomic_line *l = r->line;
    tenths t = {{0, 0}, {0, 0}, {0, 0}};
    const int64_t samples = r->steps < SAMPLES ? r->steps : SAMPLES;
    int64_t done = 0;
    double energy = 0;
    ph_status status = PH_OK;
    for (int64_t i = 1; i <= samples && !status; i++) {
        const int64_t until = (int64_t)((double)r->steps * (double)i / (double)samples);
        double took = 0;
        status = meter_steps(NULL, r->it, r->state, until - done, &took);
        l->cpu += took;
        done = until;
        if (!status)
            status = measure(&r->gauge, r->state, &energy, &l->constraint);
        if (status)
            break;
        enter(r, &t, i, samples, energy);
        l->reached = r->state->t;
        if (watch->interrupt && *watch->interrupt)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
        if (i % 100 == 0)
            watch_share(watch, share + (double)i / (double)samples / NONHOLONOMIC_CONTENDERS);
    }
    l->status = status;
    l->first = t.most[0];
    l->last = t.most[1];
    l->drift = tenths_drift(&t);
    return PH_OK;
}

static ph_status run_line(run *r, size_t i, int64_t stages, bench_watch *watch, ph_error *err)
{
    nonholonomic_line *l = &r->into->lines[i];
    contender c;
    ph_error why;
    double unused = 0;
    *l = (nonholonomic_line){.label = contenders[i].label, .h = contenders[i].stages * r->into->of->stage};
    r->line = l;
    r->into->n = i + 1;
    r->steps = (int64_t)((double)stages / contenders[i].stages);
    const motion m = motion_of(r->gauge.scenario);
    l->energy = curve_start(10 * r->into->of->stage);
    ph_status status = contender_parse(&c, l->label, &why);
    if (status) { /* a library that this build is without */
        l->status = PH_E_UNKNOWN;
        return PH_OK;
    }
    status = contender_start(&c, &m, l->h, &r->it, &r->state, err);
    if (!status)
        status = measure(&r->gauge, r->state, &r->E0, &unused);
    if (!status) {
        r->into->energy = r->E0;
        status = follow(r, watch, (double)i / NONHOLONOMIC_CONTENDERS, err);
    }
    ph_state_free(r->state);
    ph_integrator_free(r->it);
    r->state = NULL;
    r->it = NULL;
    return status;
}

/* The case as a scenario, from which the system and the initial state come. */
static ph_status load(const nonholonomic_case *of, ph_scenario **scenario, ph_error *err)
{
    char text[600];
    const int n = snprintf(text, sizeof text, "polhode: 1\n%s\nmethod: dla\nstep: %.17g\nsteps: 1\n",
                           of->scenario, of->stage);
    return ph_scenario_parse(text, (size_t)n, of->name, scenario, err);
}

ph_status nonholonomic_make(nonholonomic *r, const nonholonomic_case *of, int64_t stages, bench_watch *watch,
                            ph_error *err)
{
    ph_scenario *scenario = NULL;
    *r = (nonholonomic){.of = of, .time = (double)stages * of->stage};
    ph_status status = load(of, &scenario, err);
    if (status)
        return status;
    const ph_system *s = ph_scenario_system(scenario);
    run x = {.gauge = {.system = s, .scenario = scenario, .moving = of->class == CLASS_AFFINE}, .into = r};
    if (strstr(of->scenario, "belt")) { /* the defaults of these models */
        x.gauge.belt[0] = 0.5;
        x.gauge.belt[1] = 0.2;
    } else {
        x.gauge.turn = 0.8;
    }
    const size_t nz = ph_space_ambient(ph_system_space(s)), constraint = ph_system_constraint_work(s),
                 system = ph_system_work(s);
    x.gauge.zdot = malloc((nz + (constraint > system ? constraint : system)) * sizeof(double));
    x.gauge.work = x.gauge.zdot ? x.gauge.zdot + nz : NULL;
    if (!x.gauge.zdot)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < NONHOLONOMIC_CONTENDERS && !status; i++) {
        watch_label(watch, "%s, %s", of->name, contenders[i].label);
        status = run_line(&x, i, stages, watch, err);
    }
    free(x.gauge.zdot);
    ph_scenario_free(scenario);
    return status;
}

/* ---- What it means --------------------------------------------------------------------------------------- */

growth nonholonomic_judge(const nonholonomic_line *l)
{
    return growth_judge(l->status, l->first, l->last);
}
