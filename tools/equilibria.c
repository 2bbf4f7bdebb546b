/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode equilibria: the relative equilibria of a model or a scenario with a given momentum, their stability, and the
 * families that they belong to; each can be written as a scenario. */
#include "equilibria.h"

#include "bench/common/scenario-input.h"
#include "bench/report/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
         "the symmetry to turn along (default: of the model's rotations the one with the largest momentum at the start)"},
    {"starts", 'n', "N", AT(WHOLE, starts), .text = "random configurations to start from (default: 60)"},
    {"write", 'w', "DIR", AT(TEXT, write), .text = "write each as a scenario, DIR/equilibrium-1.yaml, ..."},
    {"plot", 'p', "FILE", AT(TEXT, plot),
     .text = "draw the energies of the families against the momentum, as SVG; needs --to and gnuplot"},
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

/* ---- Scenarios ---------------------------------------------------------------------------------------------------- */

static void put_list(FILE *out, const double *x, size_t n, bool alone)
{
    if (n == 1 && alone) {
        fprintf(out, "%.17g", x[0]);
        return;
    }
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.17g", i ? ", " : "[", x[i]);
    fputs("]", out);
}

/* "{q: [...], omega: [...]}" of the equilibrium, malloc; NULL without memory. On embedded manifolds qdot. */
static char *write_initial(const findings *f, const ph_equilibrium *at)
{
    const ph_space *space = ph_system_space(f->system);
    bool by_rates = true;
    char *text = NULL;
    size_t size;
    double *omega = calloc(ph_space_momenta(space) + 1, sizeof *omega);
    FILE *out = omega ? open_memstream(&text, &size) : NULL;
    if (!out) {
        free(omega);
        return NULL;
    }
    for (size_t i = 0; i < ph_space_factors(space); i++)
        by_rates &= ph_space_factor(space, i)->kind != PH_FACTOR_EMBEDDED;
    if (by_rates)
        ph_space_spin(space, at->z, at->zdot, omega);
    fputs("{q: [", out);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *p = ph_space_factor(space, i);
        fputs(i ? ", " : "", out);
        put_list(out, at->z + p->z, p->nz, false);
    }
    fputs(by_rates ? "], omega: [" : "], qdot: [", out);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *p = ph_space_factor(space, i);
        fputs(i ? ", " : "", out);
        put_list(out, by_rates ? omega + p->p : at->zdot + p->z, by_rates ? p->np : p->nz,
                 p->kind == PH_FACTOR_S1);
    }
    fputs("]}", out);
    free(omega);
    if (!fclose(out))
        return text;
    free(text);
    return NULL;
}

/* DIR/equilibrium-N.yaml: the scenario with another initial state. */
static ph_status write_one(const findings *f, size_t i, const char *directory, ph_error *err)
{
    size_t length;
    const char *text = ph_scenario_text(f->scenario, &length);
    char name[48], part[4200], *edited = NULL, *initial = write_initial(f, f->at[i]);
    snprintf(name, sizeof name, "equilibrium-%zu.yaml", i + 1);
    if (!initial)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_scenario_edit(text, length, "initial", initial, &edited, err);
    free(initial);
    FILE *out = status ? NULL : report_open(directory, name, part, err);
    if (!status && !out)
        status = err->status;
    if (out) {
        fprintf(out, "# relative equilibrium %zu: %s; rate %.10g rad/s, momentum %.10g, energy %.12g J\n",
                i + 1, ph_stability_text(f->at[i]->stability), f->symmetry ? f->at[i]->rate[0] : 0.0,
                f->momentum, f->at[i]->energy);
        fputs(edited, out);
        status = report_close(out, part, err);
    }
    free(edited);
    return status;
}

static int write_all(const findings *f, const arguments *a)
{
    ph_error err;
    if (mkdir(a->write, 0777) && errno != EEXIST)
        return complain(EXIT_OUTPUT, "%s: %s", a->write, strerror(errno));
    for (size_t i = 0; i < f->n; i++)
        if (write_one(f, i, a->write, &err))
            return complain(err.status == PH_E_IO ? EXIT_OUTPUT : EXIT_INPUT, "%s", err.message);
    return EXIT_OK;
}

static int plot(const findings *f, const char *path)
{
    char *svg, directory[4096], part[4200];
    size_t length;
    ph_error err;
    const char *slash = strrchr(path, '/');
    if (strlen(path) >= sizeof directory)
        return complain(EXIT_OUTPUT, "the name of the file is too long");
    if (equilibria_draw(f, &svg, &length, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
    FILE *out = report_open(directory, slash ? slash + 1 : path, part, &err);
    if (out)
        fwrite(svg, 1, length, out);
    free(svg);
    return !out || report_close(out, part, &err) ? complain(EXIT_OUTPUT, "%s", err.message) : EXIT_OK;
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
        code = plot(f, a->plot);
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
    return status ? complain(EXIT_INPUT, "%s", err.message) : show(f, a);
}

static int run_equilibria(void *pointer)
{
    const arguments *a = pointer;
    ph_scenario *sc = NULL;
    ph_error err;
    if (a->plot && isnan(a->to))
        return complain(EXIT_INPUT, "--plot draws families; --to MU says how far they are followed");
    if (read_input(a, &sc, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    findings f = {.scenario = sc, .system = ph_scenario_system(sc)};
    const int code = look_for(&f, a);
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
        "turning frame. With --to, each is followed to another momentum, through folds.",
    .exits = {{0, "done"},
              {1, "nothing was found"},
              {2, "wrong usage, a mistake in the scenario, or a system of another kind"},
              {3, "a file cannot be written"}},
    .options = options,
    .size = sizeof(arguments),
    .defaults = &defaults,
    .run = run_equilibria};
