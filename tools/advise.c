/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode methods --advise: the measurements, as a table, and the method and step that follow from them. */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/advice/advice.h"
#include "bench/common/scenario-input.h"
#include "bench/report/file.h"
#include "figures/utf8.h"

/* ---- As lines of a scenario ---------------------------------------------------------------------- */

void write_method(char *text, size_t size, const char *name, const ph_setting *settings, size_t n)
{
    snprintf(text, size, "{name: %s", name);
    for (size_t i = 0; i < n; i++)
        text_add(text, size, ", %s: %s", settings[i].name, settings[i].value);
    text_add(text, size, "}");
}

/* "method: {name: rk4}" */
static void write_line(char *text, size_t size, const contender *c)
{
    const size_t n = (size_t)snprintf(text, size, "method: ");
    write_method(text + n, size - n, c->method->name, c->settings, c->n_settings);
}

static void print_lines(const advice_row *r)
{
    char method[200], step[32];
    write_line(method, sizeof method, &r->contender);
    number_text(step, 1, advice_round_step(r->h));
    printf("%s\nstep: %s\n", method, step);
}

/* ---- In words ------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *words; /* in JSON; behind a row of the table */
} verdicts[] = {[ADVICE_MEETS] = {"meets", ""},
                [ADVICE_BY_ORDER] = {"by-order", "  by its order; not tried"},
                [ADVICE_FLOOR] = {"floor", "  smaller steps are no better"},
                [ADVICE_DRIFTS] = {"drifts", "  its energy error grows"},
                [ADVICE_FAILS] = {"fails", "  no step that was tried reaches the end"},
                [ADVICE_NEEDS_SMALLER] = {"needs-smaller", "  needs a smaller step"},
                [ADVICE_UNDECIDED] = {"undecided", "  too expensive to be tried further"},
                [ADVICE_NO_TIME] = {"no-time", "  no time to find a step that reaches the end"}};

static void print_number(const char *format, double value)
{
    char text[32] = "-";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    printf(" %9s", text);
}

static void print_table(const advice *a)
{
    printf("%-46s  step [s]     error    energy  momentum  constrnt   ns/step   CPU [s]\n", "");
    for (size_t i = 0; i < a->n_listed; i++) {
        const advice_row *r = &a->rows[a->order[i]];
        printf("%-46s", r->contender.label);
        print_number("%.4g", fabs(r->h));
        print_number("%.1e", r->error);
        print_number("%.1e", r->energy_error);
        print_number("%.1e", r->momentum_error);
        print_number("%.1e", r->constraint_error);
        print_number("%.0f", r->nanoseconds);
        print_number("%.3g", r->cpu_seconds);
        puts(verdicts[r->verdict].words);
    }
}

/* What is best for each of both questions. */
static void print_both(const advice *a)
{
    const advice *const asked[] = {a, a->energy};
    printf("\n%-25s  %-30s  step [s]     error    energy   CPU [s]\n", "best for", "");
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const advice_row *r = asked[i]->best;
        printf("%-25s  %-30s", i ? "energy over the whole run" : "error of the trajectory",
               r ? r->contender.label : "none that was tried");
        print_number("%.4g", r ? fabs(r->h) : (double)NAN);
        print_number("%.1e", r ? r->error : (double)NAN);
        print_number("%.1e", r ? r->energy_error : (double)NAN);
        print_number("%.3g", r ? r->cpu_seconds : (double)NAN);
        putchar('\n');
    }
    putchar('\n');
}

/* Why the first row is recommended: one or two sentences. */
static void put_reason(FILE *f, const void *self)
{
    const advice *a = self;
    const advice_row *r = a->best, *next = a->n_listed > 1 ? &a->rows[a->order[1]] : NULL;
    const bool beyond = a->span < a->horizon;
    char step[32];
    if (!a->reachable && beyond)
        fprintf(
            f,
            "This trajectory cannot be computed to %.1e until %.6g s in double precision, as far as it was seen: "
            "nearby ones diverge as exp(%.2g t), and rounding alone makes that much by %.3g s. ",
            a->accuracy, a->horizon, a->exponent, a->predictable);
    else if (!a->reachable)
        fprintf(
            f,
            "It could not be shown that any method computes this trajectory to %.1e until %.6g s: the two most accurate "
            "computations, by %s and %s, differ by %.1e. ",
            a->accuracy, a->horizon, a->reference, *a->second ? a->second : "the same with twice the step",
            a->attainable);
    if (!a->reachable)
        fprintf(f, "Ask for less, for a shorter time%s.",
                a->forced ? "" : ", or for the energy: accuracy: {value: 1e-6, of: energy}");
    else if (!r)
        fputs("No method that was tried is good enough.", f);
    if (!a->reachable || !r)
        return;
    number_text(step, 1, advice_round_step(fabs(r->h)));
    fprintf(f, "%s with %s s %s an error of %.1e in the %s until %.6g s, and takes %.2g s of CPU time for it",
            r->contender.label, step, r->verdict == ADVICE_MEETS ? "has" : "should, by its order, have",
            a->by_energy ? r->energy_error : r->error, a->by_energy ? "energy" : "trajectory", a->horizon,
            r->cpu_seconds);
    if (r->confirmed && beyond)
        fputs(" (it was run that far)", f);
    else if (r->run_to > 0)
        fprintf(f, " (it was run to %.3g s, and that is extrapolated from there)", r->run_to);
    else if (beyond)
        fprintf(f, " (extrapolated from %.3g s of it)", a->span);
    if (next && next->verdict == ADVICE_MEETS)
        fprintf(f, "; the next, %s, takes %.2f times as long", next->contender.label,
                next->cpu_seconds / r->cpu_seconds);
    fputc('.', f);
}

static void print_measured(const advice *a)
{
    printf("required  %.1e of the %s until %.6g s\n", a->accuracy, a->by_energy ? "energy" : "trajectory",
           a->horizon);
    if (a->length > 0 && !a->by_energy)
        printf(
            "units     errors of lengths are relative to %.3g m, others are of unit vectors and rotation matrices (rad)\n",
            a->length);
    printf("measured  %.6g s of it", a->span);
    if (a->span < a->horizon)
        printf(", and extrapolated from there: as t where structure is kept, otherwise as t^2%s",
               a->exponent > 0 ? ", or as nearby trajectories diverge" : "");
    printf("\nreference %s with %.3g s", a->reference, a->reference_step);
    if (isfinite(a->uncertainty) && !a->by_energy)
        printf(", good to %.0e%s%s", a->uncertainty, *a->second ? " as compared with " : "", a->second);
    printf("\nwork      %.2g s of CPU time were counted for the search, at most %g", a->spent, a->budget);
    if (a->energy)
        printf("; and %.2g s for that of the energy, at most %g", a->energy->spent, a->energy->budget);
    putchar('\n');
    printf("motion    fastest rate %.3g rad/s", a->rate);
    if (a->exponent > 0)
        printf("; nearby trajectories diverge as exp(%.2g t)", a->exponent);
    else if (a->watched > 0)
        printf("; nearby trajectories do not diverge exponentially within %.6g s", a->watched);
    putchar('\n');
    if (a->constrained)
        puts(
            "          with velocity constraints no method is symplectic: an energy error that is bounded here may grow\n"
            "          over longer times, with every method where no reversal of time maps the orbit to itself\n"
            "          (polhode bench nonholonomic measures it); a higher order makes it smaller");
    if (a->forced)
        puts("          energy is not conserved: its error is the difference from the reference");
}

static int print_words(const advice *a)
{
    char *why = report_text(put_reason, a);
    print_measured(a);
    if (a->n_listed)
        print_table(a);
    if (a->energy)
        print_both(a);
    if (why)
        puts(why);
    free(why);
    why = a->energy ? report_text(put_reason, a->energy) : NULL;
    if (why)
        puts(why);
    free(why);
    if (!a->best)
        return EXIT_ENDED_EARLY;
    puts("Recommended:\n");
    print_lines(a->best);
    return EXIT_OK;
}

/* ---- As JSON ------------------------------------------------------------------------------------- */

static json_object *row_node(builder *b, const advice_row *r)
{
    json_object *o = build_object(b), *options = build_object(b);
    build_add(b, o, "label", build_text(b, r->contender.label));
    build_add(b, o, "method", build_text(b, r->contender.method->name));
    for (size_t i = 0; i < r->contender.n_settings; i++)
        build_add(b, options, r->contender.settings[i].name, build_text(b, r->contender.settings[i].value));
    build_add(b, o, "options", options);
    build_add(b, o, "verdict", build_text(b, verdicts[r->verdict].name));
    const bool known = isfinite(r->h);
    build_add(b, o, "step", known ? build_number(b, r->h) : NULL);
    build_add(b, o, "steps", known ? build_count(b, r->steps) : NULL);
    build_add(b, o, "confirmed", build_flag(b, r->confirmed));
    build_add(b, o, "run_to", r->run_to > 0 ? build_number(b, r->run_to) : NULL);
    build_add(b, o, "error_measured", build_number(b, r->measured));
    build_add(b, o, "error_second_half_over_first", build_number(b, r->ratio));
    build_add(b, o, "error", build_number(b, r->error));
    build_add(b, o, "energy_error", build_number(b, r->energy_error));
    build_add(b, o, "momentum_error", build_number(b, r->momentum_error));
    build_add(b, o, "constraint_error", build_number(b, r->constraint_error));
    build_add(b, o, "ns_per_step", build_number(b, r->nanoseconds));
    build_add(b, o, "cpu_seconds", build_number(b, r->cpu_seconds));
    return o;
}

static json_object *best_node(builder *b, const advice *a)
{
    char method[200], step[32];
    if (!a->best)
        return NULL;
    json_object *o = build_object(b);
    write_line(method, sizeof method, &a->best->contender);
    number_text(step, 1, advice_round_step(a->best->h));
    build_add(b, o, "label", build_text(b, a->best->contender.label));
    build_add(b, o, "step", build_number(b, strtod(step, NULL)));
    build_add(b, o, "method_line", build_text(b, method));
    return o;
}

/* What was found; in its member `energy` the same of the other question. */
static json_object *advice_node(builder *b, const advice *a, const char *file)
{
    json_object *o = build_object(b), *rows = build_array(b);
    char *why = report_text(put_reason, a);
    build_add(b, o, "polhode_advice", build_count(b, 1));
    build_add(b, o, "scenario", build_text(b, file));
    build_add(b, o, "accuracy", build_number(b, a->accuracy));
    build_add(b, o, "horizon", build_number(b, a->horizon));
    build_add(b, o, "budget", build_number(b, a->budget));
    build_add(b, o, "span", build_number(b, a->span));
    build_add(b, o, "rate", build_number(b, a->rate));
    build_add(b, o, "reference", build_text(b, a->reference));
    build_add(b, o, "reference_step", build_number(b, a->reference_step));
    build_add(b, o, "second", *a->second ? build_text(b, a->second) : NULL);
    build_add(b, o, "work", build_number(b, a->spent));
    build_add(b, o, "length", a->length > 0 ? build_number(b, a->length) : NULL);
    build_add(b, o, "reachable", build_flag(b, a->reachable));
    build_add(b, o, "uncertainty", build_number(b, a->uncertainty));
    build_add(b, o, "watched", build_number(b, a->watched));
    build_add(b, o, "exponent", build_number(b, a->exponent));
    build_add(b, o, "attainable", build_number(b, a->attainable));
    build_add(b, o, "predictable", build_number(b, a->predictable));
    build_add(b, o, "by_energy", build_flag(b, a->by_energy));
    build_add(b, o, "velocity_constraints", build_flag(b, a->constrained));
    build_add(b, o, "conservative", build_flag(b, !a->forced));
    for (size_t i = 0; i < a->n_listed; i++)
        build_append(b, rows, row_node(b, &a->rows[a->order[i]]));
    build_add(b, o, "candidates", rows);
    build_add(b, o, "recommended", best_node(b, a));
    build_add(b, o, "reason", build_text(b, why));
    build_add(b, o, "energy", a->energy ? advice_node(b, a->energy, file) : NULL);
    free(why);
    return o;
}

static int print_as_json(const advice *a, const char *file)
{
    builder b = {0};
    const int code = print_document(&b, advice_node(&b, a, file));
    return code ? code : a->best ? EXIT_OK : EXIT_ENDED_EARLY;
}

/* ---- The command --------------------------------------------------------------------------------- */

static int advise_on(const ph_scenario *sc, const methods_arguments *asked)
{
    advice a;
    ph_error err;
    const double own = ph_scenario_accuracy(sc) > 0 ? ph_scenario_accuracy(sc) : 1e-6;
    const double horizon = asked->horizon > 0 ? asked->horizon : ph_scenario_duration(sc);
    progress p = progress_start("", asked->quiet || asked->json);
    const advice_plan plan = {.accuracy = asked->accuracy > 0 ? asked->accuracy : own,
                              .horizon = horizon,
                              .by_energy = ph_scenario_accuracy_of(sc) == PH_ACCURACY_ENERGY,
                              .budget = asked->budget > 0 ? asked->budget : ph_scenario_budget(sc),
                              .both = !asked->quiet,
                              .timed = asked->timed,
                              .interrupt = signal_flag(),
                              .progress = show_advice_progress,
                              .self = &p};
    catch_signals();
    const ph_status status = advice_make(&a, sc, &plan, &err);
    progress_end(&p);
    if (status == PH_E_INTERRUPTED && *signal_flag())
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s", err.message);
    if (status)
        return complain(EXIT_INPUT, "%s: %s", scenario_name(asked->file), err.message);
    int code = a.best ? EXIT_OK : EXIT_ENDED_EARLY;
    if (asked->json)
        code = print_as_json(&a, asked->file);
    else if (!asked->quiet)
        code = print_words(&a);
    else if (a.best)
        print_lines(a.best);
    advice_free(&a);
    return code;
}

int give_advice(const methods_arguments *asked)
{
    ph_scenario *sc = NULL;
    ph_error err;
    if (scenario_read(asked->file, &asked->set, 0, &sc, &err))
        return complain_of(EXIT_INPUT, &err);
    if (ph_scenario_compile(sc, &err)) {
        ph_scenario_free(sc);
        return complain_of(EXIT_INPUT, &err);
    }
    const int code = advise_on(sc, asked);
    ph_scenario_free(sc);
    return code;
}
