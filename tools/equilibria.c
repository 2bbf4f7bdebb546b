/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode equilibria: the relative equilibria of a model or a scenario with a given momentum, their stability, and the
 * families that they belong to; each can be written as a scenario. */
#include "equilibria.h"

#include "bench/common/scenario-input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct arguments {
    const char *name, *symmetry, *write, *plot;
    option_texts set;
    double momentum, to; /* NaN: not given */
    int64_t starts;
    bool json, quiet;
} arguments;

static const arguments defaults = {.momentum = (double)NAN, .to = (double)NAN, .starts = 60};

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"MODEL|FILE", 0, "model or scenario file", AT(OPERAND, name),
     .text = "a model with its default parameters (see polhode models), or a scenario", .required = true},
    {"momentum", 'm', "MU", AT(NUMBER, momentum),
     .text = "the momentum of the symmetry; 0: at rest (default: that of the initial state)"},
    {"to", 't', "MU", AT(NUMBER, to), .text = "follow each family to this momentum"},
    {"symmetry", 'S', "NAME", AT(TEXT, symmetry),
     .text =
         "the symmetry to turn along (default: the model's rotation with the largest momentum at the start)"},
    {"starts", 'n', "N", AT(WHOLE, starts), .text = "random configurations to start from (default: 60)"},
    {"write", 'w', "DIR", AT(TEXT, write), .text = "write each as a scenario, DIR/equilibrium-1.yaml, ..."},
    {"plot", 'p', "FILE", AT(TEXT, plot),
     .text = "draw the energies of the families against the momentum, as SVG; needs --to"},
    SET_OPTION(arguments, set),
    {"json", 0, NULL, AT(FLAG, json), .text = "print what was found as JSON, families with all points"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {.name = NULL}};

/* ---- Input ----------------------------------------------------------------------------------------------------- */

/* *sc <- the scenario with this name, or, where there is no such file, one for the model with this name. */
static ph_status read_input(const arguments *a, ph_scenario **sc, ph_error *err)
{
    const bool is_file =
        !strcmp(a->name, "-") || !access(a->name, F_OK) || strchr(a->name, '/') || strstr(a->name, ".yaml");
    if (is_file)
        return scenario_read(a->name, &a->set, 0, sc, err);
    const ph_model *model = ph_model_find(a->name, err);
    char text[300];
    if (!model)
        return err->status;
    if (a->set.n)
        return ph_fail(err, PH_E_INVALID, "--set changes a scenario: polhode new %s -o FILE writes one",
                       model->name);
    ph_system *system = NULL;
    ph_status status = ph_model_build(model, NULL, 0, &system, err);
    ph_equilibria *none = NULL;
    if (!status && !ph_space_momenta(ph_system_space(system))) /* the reason why there are none */
        status = ph_equilibria_create(system, NULL, 0, &none, err);
    ph_equilibria_free(none);
    const char *method = !status && ph_system_constraints(system) ? "dla" : "variational";
    ph_system_free(system);
    if (status)
        return status;
    const int n = snprintf(text, sizeof text,
                           "polhode: 1\nmodel: %s\nmethod: {name: %s, order: 6}\n"
                           "step: 0.001\nduration: 10\noutput: {every: 10}\n",
                           model->name, method);
    return ph_scenario_parse(text, (size_t)n, model->name, sc, err);
}

static double momentum_of(const ph_scenario *sc, size_t i, double *work)
{
    double J = 0;
    const ph_status status = ph_system_momentum_map(ph_scenario_system(sc), i, ph_scenario_configuration(sc),
                                                    ph_scenario_momentum(sc), &J, work);
    return status ? 0 : J;
}

/* *which <- the symmetry's number, PH_NO_INDEX where the system has none; *J <- its momentum at the start. */
static ph_status choose_symmetry(const ph_scenario *sc, const char *name, size_t *which, double *J,
                                 ph_error *err)
{
    const ph_system *s = ph_scenario_system(sc);
    const char *names[64] = {NULL};
    const size_t n = ph_system_symmetries(s) < 64 ? ph_system_symmetries(s) : 64;
    double *work = malloc((ph_system_work(s) + ph_space_momenta(ph_system_space(s))) * sizeof *work);
    if (!work)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    bool rotation = false;
    *which = PH_NO_INDEX;
    *J = 0;
    for (size_t i = n; i-- > 0;) { /* of equal ones the first but for -> the third axis of three */
        const double at = momentum_of(sc, i, work);
        names[i] = ph_system_symmetry(s, i)->name;
        const bool turns = !ph_system_symmetry(s, i)->generator;
        /* without a name a rotation, if there is one, and of those the one with the largest momentum */
        if (name ? !strcmp(name, names[i])
                 : *which == PH_NO_INDEX || turns > rotation || (turns == rotation && fabs(at) > fabs(*J))) {
            rotation = turns;
            *which = i;
            *J = at;
        }
    }
    free(work);
    if (name && *which == PH_NO_INDEX && !n)
        return ph_fail(err, PH_E_UNKNOWN, "the system has no symmetry; --momentum 0 alone can be asked for");
    return name && *which == PH_NO_INDEX ? ph_fail_unknown(err, "symmetry", name, names, n) : PH_OK;
}

/* ---- Scenarios ------------------------------------------------------------------------------------------ */

static int write_all(const findings *f, const arguments *a)
{
    char about[200];
    int code = EXIT_OK;
    for (size_t i = 0; i < f->n && !code; i++) {
        const ph_equilibrium *at = f->at[i];
        snprintf(about, sizeof about, "%s; rate %.10g%s, momentum %.10g, energy %.12g J",
                 ph_stability_text(at->stability), f->symmetry ? at->rate[0] : 0.0,
                 f->symmetry && f->symmetry->generator ? "" : " rad/s", f->momentum, at->energy);
        code = equilibria_write(f->scenario, i + 1, at->z, at->zdot, about, a->write);
    }
    return code;
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static int show(const findings *f, const arguments *a)
{
    int code = EXIT_OK;
    if (a->json)
        code = equilibria_print_json(f);
    else if (!a->quiet)
        equilibria_print(f);
    if (!code && a->write)
        code = write_all(f, a);
    if (!code && a->plot && f->n)
        code = write_file(a->plot, equilibria_draw, f);
    if (!code && !f->n)
        return complain(EXIT_ENDED_EARLY,
                        "nothing was found with momentum %g; more --starts, or another --momentum, may help",
                        f->momentum);
    return code;
}

static ph_status work(findings *f, const arguments *a, ph_error *err)
{
    progress p = progress_start("search", a->quiet || a->json);
    catch_signals();
    ph_status status = equilibria_search(f, a->starts, &p, err);
    progress_end(&p);
    if (status || isnan(a->to))
        return status;
    p = progress_start("families", a->quiet || a->json);
    status = equilibria_follow(f, &p, err);
    progress_end(&p);
    return status;
}

static int look_for(findings *f, const arguments *a)
{
    size_t which;
    double J = 0;
    ph_error err;
    ph_status status = choose_symmetry(f->scenario, a->symmetry, &which, &J, &err);
    const bool turns = !status && which != PH_NO_INDEX;
    f->symmetry = turns ? ph_system_symmetry(f->system, which) : NULL;
    f->momentum = isnan(a->momentum) ? J : a->momentum;
    f->to = a->to;
    if (!status && !turns && f->momentum != 0)
        status = ph_fail(&err, PH_E_INVALID, "the system has no symmetry; only --momentum 0 is possible");
    if (!status && !turns && !isnan(a->to))
        status = ph_fail(&err, PH_E_INVALID, "the system has no symmetry, so there are no families (--to)");
    if (!status)
        status = ph_equilibria_create(f->system, &which, turns, &f->workspace, &err);
    if (!status)
        status = work(f, a, &err);
    if (status == PH_E_INTERRUPTED)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; nothing was written", err.message);
    return status ? complain_of(EXIT_INPUT, &err) : show(f, a);
}

/* With velocity constraints: one, without a momentum. */
static int look_for_steady(const ph_scenario *sc, const arguments *a)
{
    const char *option = a->symmetry           ? "symmetry"
                         : !isnan(a->momentum) ? "momentum"
                         : !isnan(a->to)       ? "to"
                                               : NULL;
    if (option)
        return complain(
            EXIT_INPUT,
            "--%s: the system has velocity constraints, and its steady motions are not given by a "
            "momentum; the one nearest to the initial state is found: choose that in the scenario",
            option);
    return equilibria_steady(sc, a->json, a->quiet, a->write);
}

static int run_equilibria(void *pointer)
{
    const arguments *a = pointer;
    ph_scenario *sc = NULL;
    ph_error err;
    if (a->plot && isnan(a->to))
        return complain(EXIT_INPUT, "--plot draws families; --to MU says how far they are followed");
    if (read_input(a, &sc, &err))
        return complain_of(EXIT_INPUT, &err);
    findings f = {.scenario = sc, .system = ph_scenario_system(sc)};
    const int code = ph_system_constraints(f.system) ? look_for_steady(sc, a) : look_for(&f, a);
    equilibria_clear(&f);
    ph_scenario_free(sc);
    return code;
}

const command_row command_equilibria = {
    .name = "equilibria",
    .summary =
        "find motions in which a system turns as if it were rigid, their stability, and their families",
    .about =
        "Find relative equilibria: motions in which the system turns at a constant rate without changing its shape, or, "
        "with momentum 0, rests. Newton's iteration on the amended potential starts from the initial configuration and "
        "from random ones. For each the table shows whether the amended potential has a minimum (stable), or else "
        "whether the linear motion grows (unstable) or not (spectrally stable), with growth rates and frequencies in the "
        "turning frame. With --to, each is followed to another momentum, through folds. For a system with velocity "
        "constraints, such as a disk that rolls, the steady motion nearest to the initial state is found, with the "
        "rates of the motion and the eigenvalues of the linear motion.",
    .exits = {{0, "done"},
              {1, "nothing was found"},
              {2, "wrong usage, a mistake in the scenario, or a system of another kind"},
              {3, "a file cannot be written"}},
    .options = options,
    .size = sizeof(arguments),
    .defaults = &defaults,
    .run = run_equilibria};
