/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode check: reads a scenario and judges it, by its derivatives, its fastest rates and its first steps. */
#include "bodies.h"
#include "judge.h"
#include "program.h"

#include "bench/common/scenario-input.h"
#include "figures/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *file;
    option_texts set;
    double accuracy; /* instead of the scenario's method and step; 0: not given */
    bool settle, quiet, json, no_compile;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"FILE", 0, "scenario file", AT(OPERAND, file), .text = "a scenario; - reads the standard input",
     .required = true},
    {"accuracy", 'a', "X", AT(POSITIVE, accuracy),
     .text = "choose method and step for this error, instead of the scenario's"},
    SET_OPTION(arguments, set),
    {"settle", 0, NULL, AT(FLAG, settle),
     .text = "only say which method and step polhode run would take, and check nothing else"},
    {"no-compile", 0, NULL, AT(FLAG, no_compile), .text = NO_COMPILE},
    {"quiet", 'q', NULL, AT(FLAG, quiet),
     .text = "print nothing but mistakes in the scenario: only the exit status reports"},
    {"json", 0, NULL, AT(FLAG, json), .text = "print what was found as JSON"},
    {.name = NULL}};

/* The energy error is measured over so many steps, or so much CPU time. */
enum { ESTIMATE_STEPS = 20000 };
static const double ESTIMATE_SECONDS = 0.3;

/* "3 spheres", "1 rotation": what the configuration is, "4 factors" where they differ. */
static void describe_space(const ph_space *space, char *text, size_t size)
{
    size_t n = ph_space_factors(space);
    const char *word = ph_space_factor_words(space, 0)->noun;
    for (size_t i = 1; i < n; i++)
        if (ph_space_factor(space, i)->kind != ph_space_factor(space, 0)->kind)
            word = "factor";
    snprintf(text, size, "%zu %s%s", n, word, n == 1 ? "" : "s");
}

/* "entry (1, 2) along z_3": where the worst error is. */
static void describe_place(const ph_derivative_entry *e, char *text, size_t size)
{
    snprintf(text, size, e->column == PH_NO_INDEX ? "entry %zu" : "entry (%zu, %zu)", e->row, e->column);
    if (e->along != PH_NO_INDEX)
        text_add(text, size, " along z_%zu", e->along);
}

static bool is_wrong(const ph_derivative_entry *e)
{
    return e->error > PH_DERIVATIVE_WRONG;
}

/* Is the entry no derivative, but a condition as a whole? */
static bool is_condition(const ph_derivative_entry *e)
{
    return e->what == PH_DERIVATIVE_REGULAR || e->what == PH_DERIVATIVE_SYMMETRY ||
           e->what == PH_DERIVATIVE_RANK || e->what == PH_DERIVATIVE_PROJECTION;
}

static void print_entry(const ph_derivative_entry *e)
{
    char place[80];
    describe_place(e, place, sizeof place);
    static const char *const other[PH_DERIVATIVE_ENTRIES] = {
        [PH_DERIVATIVE_INERTIA] = "its transpose", [PH_DERIVATIVE_COMPLEX] = "the real one"};
    if (e->what == PH_DERIVATIVE_RANK)
        printf("         %s: %.0f\n", e->name, e->given);
    else if (e->what == PH_DERIVATIVE_PROJECTION)
        printf("         %s is one to %.1e\n", e->name, e->error);
    else if (e->what == PH_DERIVATIVE_REGULAR)
        printf("         %s: reciprocal condition number %.1e\n", e->name, e->given);
    else if (e->what == PH_DERIVATIVE_SYMMETRY)
        printf("         %s holds to %.1e\n", e->name, e->error);
    else
        printf("         %s agrees with %s to %.1e\n", e->name,
               other[e->what] ? other[e->what] : "differences", e->error);
    if (is_wrong(e) && is_condition(e))
        printf("  WRONG: %s\n", e->mistake);
    else if (is_wrong(e))
        printf("  WRONG: %s is %.6g, %s %.6g%s%s\n", place, e->given,
               other[e->what] ? "not" : "by differences", e->expected, e->mistake[0] ? "; " : "", e->mistake);
}

/* What follows of a step from the rates that were seen. */
typedef struct advice {
    double stable, resolved; /* steps below which the motion is [s]; 0: not known */
    double product;          /* rate times step */
    bool too_large, coarse, wrong;
    energy_estimate energy;
    double halved; /* difference from half the step, where energy is no measure; NaN: not measured */
    bool conservative, failed; /* failed: a step, with this message */
    bool inaccurate,
        misses; /* the energy error is above 1 per cent, or above the accuracy that is required */
    ph_error why;
    body_report bodies; /* under mutual gravity */
} advice;

static advice advise_step(const ph_scenario *sc, const verdict *v)
{
    double h = fabs(ph_scenario_step_size(sc)), rate = fmax(v->rate, v->turn);
    advice a = {.halved = NAN};
    for (size_t i = 0; i < PH_DERIVATIVE_ENTRIES; i++)
        a.wrong |= v->seen[i] && is_wrong(&v->worst[i]);
    if (rate > 0) {
        a.stable = 2 / rate;
        a.resolved = 2 * acos(-1) / 20 / rate;
        a.product = h * rate;
        a.too_large = h * rate >= 2 && !chooses_steps(sc);
        a.coarse = !a.too_large && !chooses_steps(sc) && h * rate > 2 * acos(-1) / 20;
    }
    a.conservative = ph_system_is_conservative(ph_scenario_system(sc));
    a.failed = estimate_energy(sc, ESTIMATE_STEPS, ESTIMATE_SECONDS / (a.conservative ? 1 : 3), INFINITY,
                               &a.energy, &a.why) != PH_OK;
    if (!a.conservative && !a.failed)
        a.failed = estimate_by_half(sc, a.energy.steps, &a.halved, &a.why) != PH_OK;
    a.inaccurate = a.conservative && a.energy.expected > ENERGY_ERROR_LARGE;
    if (report_bodies(sc, &a.bodies, &a.why))
        a.failed = true;
    const double accuracy = ph_scenario_accuracy(sc);
    a.misses = a.conservative && accuracy > 0 && a.energy.expected > accuracy;
    a.wrong |= a.too_large | a.failed | a.inaccurate | a.misses;
    return a;
}

static bool is_off(const advice *a)
{
    return a->halved > ENERGY_ERROR_LARGE;
}

static void print_energy(const ph_scenario *sc, const advice *a)
{
    const energy_estimate *e = &a->energy;
    if (a->failed)
        printf("  FAILS: %s\n", a->why.message);
    if (!a->conservative && a->halved >= 0)
        printf("error    about %.1e of the trajectory in the first %" PRId64 " of %" PRId64
               " steps, by the difference from half the step: the energy is no measure\n",
               a->halved, e->steps, ph_scenario_steps(sc));
    else if (!a->conservative && !a->failed)
        puts("error    not measured: the energy is no measure, and the method chooses its steps");
    if (is_off(a))
        printf("  LARGE: more than %g; a smaller step reduces it, unless the motion is chaotic\n",
               ENERGY_ERROR_LARGE);
    if (!a->conservative || !e->steps || isnan(e->expected))
        return;
    printf("energy   relative error about %.1e: %.1e in the first %" PRId64 " of %" PRId64 " steps%s\n",
           e->expected, e->seen, e->steps, ph_scenario_steps(sc),
           e->bounded ? "" : ", and growing with time by this method");
    if (a->misses)
        printf("  MISSES the accuracy that the scenario requires, %g\n", ph_scenario_accuracy(sc));
    if (a->inaccurate)
        printf("  LARGE: more than %g; a smaller step or a higher order reduces it\n", ENERGY_ERROR_LARGE);
}

static void print_bodies(const body_report *r)
{
    const ph_convergence *c = &r->convergence;
    char text[160], pair[PAIR_NAME];
    if (r->truncated) {
        write_truncation(r, text, sizeof text);
        printf("gravity  %s are %.4g m apart, %.3g times the sum of their radii; truncation loses\n"
               "         %s\n",
               write_pair(r->first, r->second, pair), c->distance, c->distance / c->radii, text);
    }
    for (size_t i = 0; i < r->warnings; i++)
        printf("  WARNING: %s\n", r->warning[i]);
}

static void print_run(const ph_scenario *sc)
{
    const ph_system *system = ph_scenario_system(sc);
    char space[60];
    describe_space(ph_system_space(system), space, sizeof space);
    printf("model    %s, %s, %s\n", ph_scenario_model(sc)->name, space,
           ph_system_is_conservative(system) ? "conservative"
           : ph_system_depends_on_time(system)
               ? (ph_system_kind(system) == PH_LAGRANGIAN_GENERAL ? "that depends on time"
                                                                  : "with a potential that depends on time")
           : ph_system_has_force(system) ? "with forces"
                                         : "with constraints that move");
    char factors[FACTORS_TEXT];
    write_factors(system, factors, sizeof factors);
    if (*factors)
        printf("factors  %s\n", factors);
    if (ph_scenario_found(sc))
        printf("found    %s\n", ph_scenario_found(sc));
    double kinetic[2];
    if (ph_scenario_projected(sc, kinetic))
        printf(
            "start    projected on the velocity constraints, kinetic energy %.6g -> %.6g J: all velocities have "
            "changed\n",
            kinetic[0], kinetic[1]);
    size_t notes = 0;
    const char *const *note = ph_scenario_notes(sc, &notes);
    for (size_t i = 0; i < notes; i++)
        printf("note     %s\n", note[i]);
    const ph_schedule *output = ph_scenario_output(sc);
    printf("run      %s, %" PRId64 " steps of %g s, output ", ph_scenario_method(sc)->name,
           ph_scenario_steps(sc), ph_scenario_step_size(sc));
    if (output->kind == PH_EVERY_INTERVAL)
        printf("every %g s\n", output->interval);
    else if (output->kind == PH_AT_TIMES)
        printf("at %zu times from %g s to %g s\n", output->n_times, output->times[0],
               output->times[output->n_times - 1]);
    else
        printf(output->kind == PH_EVERY_STEPS ? "every %" PRId64 "\n"
                                              : "%" PRId64 " times a decade of steps\n",
               output->steps);
}

static void print_verdict(const ph_scenario *sc, const verdict *v, const advice *a)
{
    print_run(sc);
    if (v->samples)
        printf("checked  %sat the initial and %d other configurations\n",
               v->rates_alone ? "rates alone, for this size, " : "", v->samples);
    else
        puts("checked  at the initial configuration");
    for (size_t i = 0; i < PH_DERIVATIVE_ENTRIES; i++)
        if (v->seen[i])
            print_entry(&v->worst[i]);
    printf("rates    fastest of the linearised system %.4g rad/s, fastest turn at the start %.4g rad/s\n",
           v->rate, v->turn);
    if (a->stable > 0)
        printf("step     stable below about %.2g s (2/rate), "
               "resolved below about %.2g s (20 steps in 2 pi/rate); given: %g s\n",
               a->stable, a->resolved, fabs(ph_scenario_step_size(sc)));
    if (a->too_large)
        printf("  TOO LARGE: rate times step is %.2g\n", a->product);
    else if (a->coarse)
        printf("  coarse: the fastest motion gets %.1f steps a turn\n", 2 * acos(-1) / a->product);
    print_energy(sc, a);
    print_bodies(&a->bodies);
    const int64_t steps = ph_scenario_steps(sc);
    if (a->wrong)
        puts("Problems found.");
    else if (a->bodies.warnings || is_off(a))
        puts("Nothing is wrong, but see the warnings.");
    else if (a->energy.steps >= steps)
        puts("All is well.");
    else
        printf("Nothing is wrong in the first %" PRId64 " of %" PRId64
               " steps, %.2g per cent of the run; the rest was not run.\n",
               a->energy.steps, steps, 100 * (double)a->energy.steps / (double)steps);
    if (a->too_large || a->failed || a->inaccurate || a->misses || is_off(a))
        puts(
            "To find a method and a step for an accuracy: polhode methods --advise FILE, or polhode run --accuracy "
            "1e-6 FILE");
}

/* ---- As JSON ------------------------------------------------------------------------------------ */

static json_object *index_node(builder *b, size_t i)
{
    return i == PH_NO_INDEX ? NULL : build_count(b, (int64_t)i);
}

static json_object *entry_node(builder *b, const ph_derivative_entry *e)
{
    json_object *o = build_object(b);
    build_add(b, o, "name", build_text(b, e->name));
    build_add(b, o, "wrong", build_flag(b, is_wrong(e)));
    build_add(b, o, "error", build_number(b, e->error));
    build_add(b, o, "given", build_number(b, e->given));
    build_add(b, o, "expected", is_condition(e) ? NULL : build_number(b, e->expected));
    build_add(b, o, "row", index_node(b, e->row));
    build_add(b, o, "column", index_node(b, e->column));
    build_add(b, o, "along", index_node(b, e->along));
    build_add(b, o, "mistake", e->mistake[0] ? build_text(b, e->mistake) : NULL);
    return o;
}

/* The method and step of the scenario, given or chosen, with the errors that are expected of them. */
static void add_choice(builder *b, json_object *o, const ph_scenario *sc)
{
    size_t n;
    const ph_setting *settings = ph_scenario_settings(sc, &n);
    json_object *chosen = build_object(b);
    build_add(b, o, "method", build_text(b, ph_scenario_method(sc)->name));
    for (size_t i = 0; i < n; i++)
        build_add(b, chosen, settings[i].name, build_text(b, settings[i].value));
    build_add(b, o, "options", chosen);
    build_add(b, o, "step", build_number(b, ph_scenario_step_size(sc)));
    build_add(b, o, "steps", build_count(b, ph_scenario_steps(sc)));
    const double accuracy = ph_scenario_accuracy(sc), estimate = ph_scenario_estimate(sc),
                 energy = ph_scenario_energy_estimate(sc);
    const char *of = ph_scenario_accuracy_of(sc) == PH_ACCURACY_ENERGY ? "energy" : "trajectory";
    build_add(b, o, "accuracy", accuracy > 0 ? build_number(b, accuracy) : NULL);
    build_add(b, o, "accuracy_of", accuracy > 0 ? build_text(b, of) : NULL);
    build_add(b, o, "error_estimated", estimate > 0 ? build_number(b, estimate) : NULL);
    build_add(b, o, "energy_error_estimated", energy > 0 ? build_number(b, energy) : NULL);
}

/* Nothing but the choice; line: its sentence, empty where method and step are given. */
static int print_choice(const ph_scenario *sc, const arguments *a, const char *line)
{
    builder b = {0};
    if (!a->json) {
        if (!*line && !a->quiet)
            printf("method and step are given: %s, step %.10g s\n", ph_scenario_method(sc)->name,
                   ph_scenario_step_size(sc));
        return EXIT_OK;
    }
    json_object *o = build_object(&b);
    build_add(&b, o, "polhode_settle", build_count(&b, 1));
    build_add(&b, o, "model", build_text(&b, ph_scenario_model(sc)->name));
    add_choice(&b, o, sc);
    build_add(&b, o, "words", *line ? build_text(&b, line) : NULL);
    return print_document(&b, o);
}

static json_object *bodies_node(builder *b, const body_report *r)
{
    json_object *o = build_object(b), *errors = build_array(b);
    build_add(b, o, "first", build_count(b, (int64_t)r->first));
    build_add(b, o, "second", build_count(b, (int64_t)r->second));
    build_add(b, o, "distance", build_number(b, r->convergence.distance));
    build_add(b, o, "radii", build_number(b, r->convergence.radii));
    build_add(b, o, "order", build_count(b, (int64_t)r->order));
    for (size_t n = 0; n <= PH_MASS_DEGREE; n++)
        build_append(b, errors, build_number(b, r->convergence.force[n]));
    build_add(b, o, "force_errors", errors);
    return o;
}

static json_object *warnings_node(builder *b, const body_report *r)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < r->warnings; i++)
        build_append(b, list, build_text(b, r->warning[i]));
    return list;
}

static int print_json(const ph_scenario *sc, const verdict *v, const advice *a)
{
    builder b = {0};
    json_object *o = build_object(&b), *list = build_array(&b);
    char space[60];
    describe_space(ph_system_space(ph_scenario_system(sc)), space, sizeof space);
    build_add(&b, o, "polhode_check", build_count(&b, 1));
    build_add(&b, o, "model", build_text(&b, ph_scenario_model(sc)->name));
    build_add(&b, o, "space", build_text(&b, space));
    build_add(&b, o, "conservative", build_flag(&b, ph_system_is_conservative(ph_scenario_system(sc))));
    add_choice(&b, o, sc);
    build_add(&b, o, "configurations", build_count(&b, v->samples + 1));
    for (size_t i = 0; i < PH_DERIVATIVE_ENTRIES; i++)
        if (v->seen[i])
            build_append(&b, list, entry_node(&b, &v->worst[i]));
    build_add(&b, o, "derivatives", list);
    build_add(&b, o, "rate", build_number(&b, v->rate));
    build_add(&b, o, "turn", build_number(&b, v->turn));
    build_add(&b, o, "step_stable", a->stable > 0 ? build_number(&b, a->stable) : NULL);
    build_add(&b, o, "step_resolved", a->stable > 0 ? build_number(&b, a->resolved) : NULL);
    build_add(&b, o, "too_large", build_flag(&b, a->too_large));
    build_add(&b, o, "coarse", build_flag(&b, a->coarse));
    build_add(&b, o, "energy_error", build_number(&b, a->conservative ? a->energy.expected : (double)NAN));
    build_add(&b, o, "energy_error_seen", build_number(&b, a->conservative ? a->energy.seen : (double)NAN));
    build_add(&b, o, "half_step_difference", build_number(&b, a->halved));
    build_add(&b, o, "steps_measured", build_count(&b, a->energy.steps));
    build_add(&b, o, "failed", a->failed ? build_text(&b, a->why.message) : NULL);
    if (a->bodies.seen) {
        build_add(&b, o, "truncation", a->bodies.truncated ? bodies_node(&b, &a->bodies) : NULL);
        build_add(&b, o, "warnings", warnings_node(&b, &a->bodies));
    }
    build_add(&b, o, "in_order", build_flag(&b, !a->wrong));
    return print_document(&b, o);
}

/* ---- The command -------------------------------------------------------------------------------- */

static int print_report(const ph_scenario *sc, const verdict *v, const arguments *chosen)
{
    advice a = advise_step(sc, v);
    int code = EXIT_OK;
    if (a.failed && a.why.status == PH_E_NO_MEMORY) /* which says nothing about the step */
        return complain_of(EXIT_INPUT, &a.why);
    if (chosen->json)
        code = print_json(sc, v, &a);
    else if (!chosen->quiet)
        print_verdict(sc, v, &a);
    return code ? code : a.wrong ? EXIT_ENDED_EARLY : EXIT_OK;
}

/* Does the method accept the system, its options and the step? */
static ph_status try_method(const ph_scenario *sc, ph_error *err)
{
    ph_integrator *integrator;
    ph_status status = ph_scenario_integrator(sc, NULL, &integrator, err);
    if (!status)
        ph_integrator_free(integrator);
    return status;
}

static int run_check(void *pointer)
{
    const arguments *a = pointer;
    ph_scenario *sc = NULL;
    ph_error err;
    int64_t members = 0;
    memory_bound();
    if (a->no_compile)
        never_compile();
    if (scenario_read_member(a->file, &a->set, a->accuracy, 0, &members, &sc, &err))
        return complain_of(EXIT_INPUT, &err);
    if (members && !a->quiet && !a->json)
        printf("ensemble of %" PRId64 " member%s; this is member 0\n", members, members == 1 ? "" : "s");
    verdict v;
    char line[CHOICE_LINE];
    int code = settle_scenario(sc, scenario_name(a->file), a->quiet || a->json, line);
    if (*line && !a->quiet && !a->json)
        puts(line);
    if (code || a->settle) {
        code = code ? code : print_choice(sc, a, line);
        ph_scenario_free(sc);
        return code;
    }
    code = ph_scenario_compile(sc, &err) || try_method(sc, &err) || judge_scenario(sc, true, &v, &err)
               ? complain_of(EXIT_INPUT, &err)
               : print_report(sc, &v, a);
    ph_scenario_free(sc);
    return code;
}

const command_row command_check = {
    .name = "check",
    .summary =
        "validate a scenario, its model's derivatives and its step size, and estimate the energy error",
    .about =
        "Read and validate a scenario, compare the model's derivatives with differences, and estimate which step "
        "sizes are stable and which resolve the motion. The energy error is measured over the first steps (at most "
        "20000, or 0.3 s); where energy is not conserved, the difference from half the step is. For bodies under mutual gravity it also shows how much of the force truncation of its series "
        "loses. For an ensemble the first member is checked. With --settle nothing is checked: it shows the method and step that polhode run would choose for an "
        "accuracy, which takes some seconds. Nothing is written.",
    .exits =
        {{0, "all is well"},
         {1,
          "a derivative is wrong, the step is too large, or the energy error is above 1 per cent or the scenario's "
          "accuracy"},
         {2, "wrong usage, a mistake in the scenario, or an accuracy that cannot be reached"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_check};
