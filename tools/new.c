/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode new: a first scenario for any model of the catalogue: its parameters with their defaults and what
 * they are, an initial condition, and a method and a step for a small energy error. */
#include "program.h"

#include <polhode/constraints.h>

#include "bench/report/file.h"
#include "figures/utf8.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The motion: so many steps of which 40 make a turn, shown in so many rows. */
enum { STEPS = 10000, ROWS = 1000 };

/* The method that is written, and its step: the energy error over the first part of the run is at most this, so that it is below
 * 1e-6 over the whole run where motions do not get much more violent. The part is a fifth, or as much as so many seconds of CPU
 * do, by counted work, but not less than so many steps: people wait for it. */
static const double wanted_error = 1e-8, patience = 2e-3;
enum { PART = 5, LEAST = 120, REFINEMENTS = 8 };

typedef struct arguments {
    const char *model, *preset, *output;
    double accuracy; /* 0: not given */
    bool formula, force, quiet;
} arguments;

/* What the model does not say. */
typedef struct choice {
    const ph_model *model;
    const ph_method *method;  /* NULL: to be chosen */
    char words[200];          /* "{name: variational, order: 6}" */
    double h, duration;       /* [s]; h: 0 to be chosen */
    char reached[160];        /* what was measured with the step; "": nothing yet */
    double accuracy;          /* that they were or are to be chosen for; 0: none */
    const char *preset;       /* the initial condition */
    bool of_spins;            /* so that there are no velocities */
    char remark[CHOICE_LINE]; /* on how they were chosen */
} choice;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"MODEL", 0, "model", AT(OPERAND, model), .text = "a model (see polhode models)"},
    {"formula", 0, NULL, AT(FLAG, formula), .text = "in place of MODEL: a system of your own, by formulas"},
    {"preset", 'p', "NAME", AT(TEXT, preset),
     .text =
         "the initial condition, and the parameters that belong to it (default: one with a motion worth seeing)"},
    {"accuracy", 'a', "X", AT(POSITIVE, accuracy),
     .text =
         "choose the cheapest method and step with an error of at most X, as polhode methods --advise does"},
    {"output", 'o', "FILE", AT(TEXT, output), .text = "where to write (default: the standard output)"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "overwrite an existing file"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {.name = NULL}};

/* ---- The scenario ------------------------------------------------------------------------------------ */

/* With as many digits as are needed to read the same number again. */
static void put_number(FILE *out, double value)
{
    char text[32];
    number_text(text, 15, value);
    fputs(text, out);
}

/* "; positive", "; at least 0", "; from 1 to 10": what values a number may have. */
static void put_bounds(FILE *out, const ph_parameter *p)
{
    bool below = p->min > -DBL_MAX, above = p->max < DBL_MAX;
    if (p->min > 0 && p->min <= DBL_MIN)
        fputs("; positive", out);
    else if (below)
        fprintf(out, "; %s %g", above ? "from" : "at least", p->min);
    if (above)
        fprintf(out, "%s to %.10g", below && p->min != DBL_MIN ? "" : ";", p->max);
}

/* The bodies of the preset, each as a scenario writes it; those that are long stay with the preset. */
static void put_bodies(FILE *out, const ph_model *model, const ph_parameter *p, const char *preset)
{
    size_t n = 0;
    ph_error err;
    bool all = true;
    if (ph_model_preset_bodies(model, preset, NULL, NULL, &n, &err) || !n)
        return;
    char(*words)[PH_MODEL_BODY_WORDS] = calloc(n, sizeof *words);
    if (words && !ph_model_preset_bodies(model, preset, NULL, words, &n, &err)) {
        for (size_t i = 0; i < n; i++)
            all = all && words[i][0];
        fprintf(out,
                all ? "\n  %s:\n" : "\n  # %s: those of the preset, one of which is long; to give others:\n",
                p->name);
        for (size_t i = 0; i < n; i++)
            if (words[i][0])
                fprintf(out, all ? "    - %s\n" : "  #   - %s\n", words[i]);
    }
    free(words);
}

static void put_list(FILE *out, const ph_parameter_value *value)
{
    for (size_t i = 0; i < value->n; i++) {
        fputs(i ? ", " : value->n > 1 ? "[" : "", out);
        put_number(out, value->values[i]);
    }
    fputs(value->n > 1 ? "]\n" : "\n", out);
}

static void put_parameter(FILE *out, const ph_model *model, const ph_parameter *p, const char *preset)
{
    static const char *const kinds[] = {
        [PH_PARAMETER_COUNT] = "; a whole number",
        [PH_PARAMETER_GRAVITY] = "; [x, y, z] or one number",
        [PH_PARAMETER_PER_LINK] = "; one number for all links, or a list ([1]: one link)",
        [PH_PARAMETER_PER_BODY] = "; one number for all bodies, or a list ([1]: one body)",
        [PH_PARAMETER_BODIES] = "; polhode keys 'parameters.bodies[i]' has what they may be"};
    ph_parameter_value value = {p->name, p->initial, ph_parameter_numbers(p->kind)};
    ph_error err;
    fprintf(out, "  # %s", p->text);
    if (p->unit && strcmp(p->unit, "1"))
        fprintf(out, " [%s]", p->unit);
    fputs(p->kind < sizeof kinds / sizeof kinds[0] && kinds[p->kind] ? kinds[p->kind] : "", out);
    if (p->kind == PH_PARAMETER_BODIES) {
        put_bodies(out, model, p, preset);
        return;
    }
    if (value.n == 1)
        put_bounds(out, p);
    if (ph_model_preset_value(model, preset, p->name, &value, &err))
        return;
    fprintf(out, "\n  %s: ", p->name);
    put_list(out, &value);
}

static void put_initial(FILE *out, const ph_model *model, const choice *c)
{
    const char *preset = c->preset;
    fputs("\n# The initial condition. Presets:\n", out);
    for (size_t i = 0; i < model->n_presets; i++)
        fprintf(out, "#   %s: %s\n", model->presets[i].name, model->presets[i].text);
    fprintf(out, "# Or values, {q: [...]%s}, or the end of another run, {from: DIR/summary.json}.\n",
            c->of_spins ? "" : ", omega: [...]");
    fprintf(out, "initial: {preset: %s}\n", preset);
}

static void put_method(FILE *out, const choice *c)
{
    if (c->accuracy > 0) {
        fputs("\n# The error that the run may have", out);
        fprintf(out, "%s%s\naccuracy: ", *c->remark ? "; chosen for it by polhode new:\n# " : "", c->remark);
        put_number(out, c->accuracy);
        fputc('\n', out);
    }
    if (!c->method)
        return;
    fprintf(out, "\n# %s. Others: polhode methods\n", c->method->summary);
    for (size_t i = 0; i < c->method->n_options; i++) {
        const ph_option *o = &c->method->options[i];
        if (o->type == PH_OPTION_CHOICE)
            fprintf(out, "# Option %s, one of: %s\n", o->name, o->choices);
    }
    fprintf(out, "method: %s\n", c->words);
}

static void put_step(FILE *out, const choice *c)
{
    if (!(c->h > 0))
        return;
    fprintf(out, "\n# s; %s; after a change: polhode check FILE\nstep: ",
            c->accuracy > 0 ? "suits the accuracy with the values above"
            : *c->reached   ? c->reached
                            : "resolves the fastest motion");
    put_number(out, c->h);
}

/* Of bodies that attract each other: events for what ends their motion, as comments, since a close pair may start within the
 * spheres that hold its bodies. */
static void put_encounters(FILE *out, const ph_model *model)
{
    for (size_t i = 0; i < model->n_parameters; i++)
        if (model->parameters[i].kind == PH_PARAMETER_BODIES)
            fputs(
                "\n# where the spheres that hold two bodies meet, and where one that leaves is so far away [m], the run ends:\n"
                "# events:\n"
                "#   - {name: contact, when: clearance, direction: down, action: stop}\n"
                "#   - {name: escape, when: escape, crosses: 1e6, direction: up, action: stop}\n",
                out);
}

static void put_scenario(FILE *out, const void *self)
{
    const choice *c = self;
    const ph_model *model = c->model;
    fprintf(out, "# %s\n# %s\n", model->summary, model->reference);
    fputs("# Units are SI. Lines with a default can be left out. "
          "doc/reference/scenario.md describes the format.\n",
          out);
    fprintf(out, "polhode: 1\nmodel: %s\n%s", model->name, model->n_parameters ? "parameters:\n" : "");
    for (size_t i = 0; i < model->n_parameters; i++)
        put_parameter(out, model, &model->parameters[i], c->preset);
    put_initial(out, model, c);
    put_method(out, c);
    put_step(out, c);
    fputs("\n# s; or `steps`, a number of them\nduration: ", out);
    put_number(out, c->duration);
    fprintf(out,
            "\n"
            "# a row each so many steps; {interval: T} each T seconds; "
            "{columns: [configuration, energy_error]} for these alone\n"
            "output: {every: %.0f}\n",
            c->h > 0 ? fmax(1, floor(c->duration / c->h / ROWS + 0.5)) : 1.0);
    put_encounters(out, model);
}

/* ---- Its step ----------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, not above x. */
static double round_down(double x)
{
    char text[32];
    double power = floor(log10(x) + 1e-9), lead = x / pow(10, power);
    snprintf(text, sizeof text, "%de%.0f", lead >= 5 ? 5 : lead >= 2 ? 2 : 1, power);
    return strtod(text, NULL);
}

/* A scenario with this choice; *scenario <- read. */
static ph_status read_scenario(const choice *c, ph_scenario **scenario, ph_error *err)
{
    char *text = report_text(put_scenario, c);
    if (!text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_scenario_parse(text, strlen(text), c->model->name, scenario, err);
    free(text);
    return status;
}

/* 40 steps and more in a turn of the fastest motion that `polhode check` will find. */
static ph_status resolve_motion(choice *c, ph_error *err)
{
    ph_scenario *scenario = NULL;
    double rate = 0;
    c->h = 1;
    c->duration = STEPS;
    ph_status status = read_scenario(c, &scenario, err);
    if (!status)
        status = check_rate(scenario, &rate, err);
    c->h = rate > 0 ? round_down(2 * acos(-1) / 40 / rate) : 1e-3;
    c->duration = STEPS * c->h;
    ph_scenario_free(scenario);
    return status;
}

/* Is the energy error small enough with this step? (With forces it is a change, and any step will do.) The step's comment says what
 * was found. */
static ph_status is_accurate(choice *c, bool *is, ph_error *err)
{
    ph_scenario *scenario = NULL;
    energy_estimate e = {.seen = 0};
    ph_status status = read_scenario(c, &scenario, err);
    const bool measured = !status && ph_system_is_conservative(ph_scenario_system(scenario));
    const double worst = 10 * wanted_error;
    if (measured)
        status = estimate_energy(scenario, (int64_t)(c->duration / c->h / PART), patience, worst, &e, err);
    if (measured && !status && e.steps < LEAST && e.seen <= wanted_error)
        status = estimate_energy(scenario, LEAST, INFINITY, worst, &e, err);
    *is = !status && e.seen <= wanted_error;
    if (!*is)
        snprintf(
            c->reached, sizeof c->reached,
            "the smallest that was tried, with a relative energy error above 1e-8 already in the beginning");
    else if (measured)
        snprintf(c->reached, sizeof c->reached,
                 "the relative energy error is below 1e-8 in the first %.3g s, with the values above",
                 (double)e.steps * c->h);
    else
        snprintf(c->reached, sizeof c->reached,
                 "resolves the fastest motion (the energy is not constant and was not measured)");
    ph_scenario_free(scenario);
    return status == PH_E_NO_SOLUTION || status == PH_E_NO_CONVERGENCE || status == PH_E_DIVERGED ? PH_OK
                                                                                                  : status;
}

/* The largest step, of 1, 2 and 5 times powers of ten, that resolves the motion and is accurate. */
static ph_status find_step(choice *c, ph_error *err)
{
    bool accurate = false;
    ph_status status = resolve_motion(c, err);
    for (int i = 0; i < REFINEMENTS && !accurate && !status; i++) {
        if (i)
            c->h = round_down(c->h * 0.51);
        status = is_accurate(c, &accurate, err);
    }
    return status;
}

/* c <- the method and step of advice for its accuracy. Returns an exit code. */
static int find_for_accuracy(choice *c, bool quiet)
{
    ph_scenario *scenario = NULL;
    ph_error err;
    size_t n;
    choice open = {.model = c->model,
                   .duration = c->duration,
                   .accuracy = c->accuracy,
                   .preset = c->preset,
                   .of_spins = c->of_spins};
    if (read_scenario(&open, &scenario, &err))
        return complain(EXIT_INPUT, "--accuracy: %s", err.message);
    const int code = settle_scenario(scenario, c->model->name, quiet, c->remark);
    if (!code) {
        const ph_setting *settings = ph_scenario_settings(scenario, &n);
        c->method = ph_scenario_method(scenario);
        c->h = ph_scenario_step_size(scenario);
        write_method(c->words, sizeof c->words, c->method->name, settings, n);
    }
    ph_scenario_free(scenario);
    return code;
}

/* ---- The command --------------------------------------------------------------------------------------- */

/* The method that keeps the structure of spins: by their parts where these are known, else by the gradient. */
static const char *method_of_spins(const ph_system *system)
{
    const ph_method *splitting = ph_method_find("spin-splitting", NULL);
    return splitting && !ph_method_supports(splitting, system, NULL) ? splitting->name : "spherical-midpoint";
}

/* c <- method and step for the model. Returns an exit code. */
static int choose(const ph_model *model, const arguments *a, choice *c)
{
    ph_error err;
    ph_system *system = NULL;
    const char *preset = a->preset ? a->preset : model->presets[model->start].name;
    if (ph_model_build_for(model, preset, NULL, 0, &system, &err))
        return complain_of(EXIT_INPUT, &err);
    const char *name = ph_system_spins(system)         ? method_of_spins(system)
                       : ph_system_constraints(system) ? "dla"
                                                       : "variational";
    *c = (choice){.model = model,
                  .method = ph_method_find(name, &err),
                  .preset = preset,
                  .of_spins = ph_system_spins(system) != NULL};
    ph_system_free(system);
    snprintf(c->words, sizeof c->words, "{name: %s, order: 6}", name);
    if (!c->method || (a->accuracy > 0 ? resolve_motion(c, &err) : find_step(c, &err)))
        return complain_of(EXIT_INPUT, &err);
    c->accuracy = a->accuracy;
    return a->accuracy > 0 ? find_for_accuracy(c, a->quiet) : EXIT_OK;
}

/* A mass on a spring: what a system of formulas can have, for others to be written over it. */
static void put_formulas(FILE *out, const void *nothing)
{
    static const char text[] =
        "polhode: 1\n"
        "# A system of your own: doc/reference/formulas.md has the language on one page. Here, a mass on a spring.\n"
        "model:\n"
        "  # The factors of the configuration space: R1, R2, ..., S1 (a circle), S2 (a sphere), SO3 (rotations),\n"
        "  # each with [n] for n of them. A coordinate that is no length: {in: R1, unit: rad}.\n"
        "  space: {r: R1, q: S2}\n"
        "  # Numbers, lists, matrices. Where all have units, those of the formulas are checked.\n"
        "  parameters: {m: 1 kg, k: 40 N/m, l: 1 m, g: 9.81 m/s^2, c: 0.1 N s/m, w: 3 rad/s}\n"
        "  # Abbreviations, each by those before it; lists as \"p[i=1..n]\": p[i-1] + l*q[i].\n"
        "  where: {p: r*q}\n"
        "  # The energies: d(p) is the velocity of p, omega(B) the angular velocity of a body in its frame.\n"
        "  kinetic: m/2*dot(d(p), d(p))\n"
        "  potential: k/2*(r - l)^2 + m*g*p.z\n"
        "  # What is conserved: rotation about e3, translation along e1.\n"
        "  symmetries: [rotation about e3]\n"
        "  # dissipation: c/2*rdot^2                            # f = -dD/dzdot\n"
        "  # forces: [{at: p, force: \"[0, 0, 0.1*m*g*sin(w*t)]\"}]  # also {on: B, moment: ...}, {on: q, torque: ...}\n"
        "  # constraints: [\"a.x*xdot.y - a.y*xdot.x = 0\"]      # linear in the velocities; method: dla\n"
        "  # What is drawn: places, and lines between them.\n"
        "  scene: {points: {bob: p}, lines: [[origin, bob]]}\n"
        "# In the order of space: numbers, angles of points on circles and spheres, angular velocities.\n"
        "initial: {q: [1.2, {theta: 2, phi: 0.3}], omega: [0.1, [0.24, -0.1, 0.3]], project: true}\n"
        "method: {name: variational, order: 6}\n"
        "step: 0.01       # s\n"
        "duration: 60     # s\n";
    (void)nothing;
    fputs(text, out);
}

static int run_new(void *pointer)
{
    const arguments *a = pointer;
    choice c;
    ph_error err;
    if (!a->model == !a->formula)
        return complain(EXIT_INPUT,
                        "new takes a MODEL (see polhode models), or --formula\nTry: polhode new --help");
    if (a->formula && (a->preset || a->accuracy > 0))
        return complain(
            EXIT_INPUT,
            "--formula has no --preset and no --accuracy, which are those of models\nTry: polhode new --help");
    const ph_model *model = a->formula ? NULL : ph_model_find(a->model, &err);
    if (!model && !a->formula)
        return complain_of(EXIT_INPUT, &err);
    int code = a->formula ? EXIT_OK : choose(model, a, &c);
    if (code)
        return code;
    char *text = report_text(a->formula ? put_formulas : put_scenario, &c);
    if (!text)
        return complain(EXIT_OUTPUT, "out of memory");
    if (!a->output)
        fputs(text, stdout);
    else if (!(code = write_result(a->output, text, a->force)) && !a->quiet)
        printf("Written: %s. Next: polhode check, then polhode run.\n", a->output);
    free(text);
    return code;
}

const command_row command_new = {
    .name = "new",
    .summary =
        "write a scenario for a model, with all parameters and a suitable method and step; or by formulas",
    .about =
        "Write a scenario for a model, as a start for your own: every parameter with its default and its meaning. The "
        "initial condition is one with a motion worth seeing, or that of --preset. The step is one with which the relative energy error is below "
        "1e-8 in the beginning of the run, a fifth or what takes some milliseconds; where none was found, its comment says so. With --accuracy they are chosen by measurements, which takes some seconds. With --formula, a scenario with a system of your own, "
        "whose lines are explained.",
    .exits = {{0, "done"}, {2, "wrong usage or an unknown model"}, {3, "the file cannot be written"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_new};
