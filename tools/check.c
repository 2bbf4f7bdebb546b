/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode check: a scenario read and judged, without running it. */
#include "command.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "Usage: polhode check FILE\n"
                            "Read and validate a scenario, compare the model's derivatives with differences, "
                            "and estimate which step\n"
                            "sizes are stable and which resolve the motion. Nothing is run or written.\n\n"
                            "  -h, --help  this text\n\n"
                            "Exit status: 0 all is well, 1 a derivative is wrong or the step is too large, 2 "
                            "a mistake in the scenario.\n";

/* Configurations that are looked at beside the initial one. */
enum { SAMPLES = 40 };

typedef struct verdict {
    double rate, turn;                                /* fastest rates [rad/s] */
    bool large;                                       /* the first is not sought, and one state is enough */
    bool seen[PH_DERIVATIVE_ENTRIES];                 /* has the system this derivative? Then ... */
    ph_derivative_entry worst[PH_DERIVATIVE_ENTRIES]; /* ... where it was worst */
} verdict;

/* A pseudo-random number in (-1, 1), the same everywhere. */
static double next(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*s >> 11) * 0x1p-52 - 1;
}

static ph_status judge(const ph_system *system, double t, const double *z, const double *zdot, verdict *v,
                       ph_error *err)
{
    ph_derivative_report r;
    double rate = 0;
    ph_status status = ph_system_check_derivatives(system, t, z, zdot, &r, err);
    if (!status)
        status = ph_system_fastest_rate(system, z, &rate, err);
    v->large = status == PH_E_UNSUPPORTED;
    if (status && !v->large)
        return status;
    for (size_t i = 0; i < r.n; i++) {
        ph_derivative what = r.entry[i].what;
        if (!v->seen[what] || r.entry[i].error > v->worst[what].error)
            v->worst[what] = r.entry[i];
        v->seen[what] = true;
    }
    v->rate = fmax(v->rate, rate);
    return PH_OK;
}

/* Fastest turn of a factor in the initial state [rad/s]: the speed of a unit vector, of a body its angular
 * velocity, |v| / sqrt 2 for v = R S(w). */
static double fastest_turn(const ph_space *space, const double *zdot)
{
    double most = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        bool turns = f->kind != PH_FACTOR_R && f->kind != PH_FACTOR_EMBEDDED;
        double square = 0;
        for (size_t k = f->z; k < f->z + f->nz && turns; k++)
            square += zdot[k] * zdot[k];
        most = fmax(most, sqrt(f->kind == PH_FACTOR_SO3 ? square / 2 : square));
    }
    return most;
}

/* The initial state, and configurations all over the space with its speeds projected, or where it is at rest
 * with random ones. */
static ph_status judge_all(const ph_scenario *sc, double *memory, verdict *v, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    double *z = memory, *zdot = memory + nz, *work = memory + 2 * nz;
    uint64_t seed = 2026;
    memcpy(z, ph_scenario_configuration(sc), nz * sizeof *z);
    ph_status status = ph_system_velocity(system, z, ph_scenario_momentum(sc), zdot, work);
    if (status)
        return ph_fail(err, status, "the initial velocity: %s", ph_status_text(status));
    v->turn = fastest_turn(space, zdot);
    status = judge(system, ph_scenario_time(sc), z, zdot, v, err);
    bool at_rest =
        true; /* then what depends on the velocity is looked at with some, of which the motion is likely */
    for (size_t k = 0; k < nz; k++)
        at_rest = at_rest && zdot[k] == 0;
    for (int i = 0; i < SAMPLES && !v->large && !status; i++) {
        for (size_t k = 0; k < nz; k++)
            z[k] = next(&seed);
        for (size_t k = 0; k < nz && at_rest; k++)
            zdot[k] = 0.1 * v->rate * next(&seed);
        status = ph_space_project(space, z);
        if (status ==
            PH_E_NOT_ON_MANIFOLD) { /* an embedded manifold need not have a nearest point everywhere */
            status = PH_OK;
            continue;
        }
        ph_space_project_tangent(space, z, zdot);
        if (!status)
            status = judge(system, ph_scenario_time(sc), z, zdot, v, err);
    }
    return status;
}

/* "3 spheres", "1 rotation": what the configuration is, "4 factors" where they differ. */
static void describe_space(const ph_space *space, char *text, size_t size)
{
    static const char *const words[] = {[PH_FACTOR_R] = "vector",
                                        [PH_FACTOR_S2] = "sphere",
                                        [PH_FACTOR_S1] = "circle",
                                        [PH_FACTOR_SO3] = "rotation",
                                        [PH_FACTOR_EMBEDDED] = "embedded manifold"};
    size_t n = ph_space_factors(space);
    ph_factor_kind kind = ph_space_factor(space, 0)->kind;
    const char *word = words[kind];
    for (size_t i = 1; i < n; i++)
        if (ph_space_factor(space, i)->kind != kind)
            word = "factor";
    snprintf(text, size, "%zu %s%s", n, word, n == 1 ? "" : "s");
}

/* "entry (1, 2) along z_3": where the worst error is. */
static void describe_place(const ph_derivative_entry *e, char *text, size_t size)
{
    int n =
        snprintf(text, size, e->column == PH_NO_INDEX ? "entry %zu" : "entry (%zu, %zu)", e->row, e->column);
    if (e->along != PH_NO_INDEX && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, " along z_%zu", e->along);
}

/* One derivative or condition; is it wrong? */
static bool print_entry(const ph_derivative_entry *e)
{
    bool wrong = e->error > PH_DERIVATIVE_WRONG;
    char place[80];
    describe_place(e, place, sizeof place);
    static const char *const beside[PH_DERIVATIVE_ENTRIES] = {
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
               beside[e->what] ? beside[e->what] : "differences", e->error);
    if (wrong && (e->what == PH_DERIVATIVE_REGULAR || e->what == PH_DERIVATIVE_SYMMETRY ||
                  e->what == PH_DERIVATIVE_RANK || e->what == PH_DERIVATIVE_PROJECTION))
        printf("  WRONG: %s\n", e->mistake);
    else if (wrong)
        printf("  WRONG: %s is %.6g, %s %.6g%s%s\n", place, e->given,
               beside[e->what] ? "not" : "by differences", e->expected, e->mistake[0] ? "; " : "",
               e->mistake);
    return wrong;
}

static int print_verdict(const ph_scenario *sc, const verdict *v)
{
    const ph_system *system = ph_scenario_system(sc);
    double h = fabs(ph_scenario_step_size(sc)), rate = fmax(v->rate, v->turn);
    int bad = 0;
    char space[60];
    describe_space(ph_system_space(system), space, sizeof space);
    printf("model    %s, %s, %s\n", ph_scenario_model(sc)->name, space,
           ph_system_has_force(system) ? "with forces" : "conservative");
    const ph_schedule *output = ph_scenario_output(sc);
    printf("run      %s, %" PRId64 " steps of %g s, output ", ph_scenario_method(sc)->name,
           ph_scenario_steps(sc), ph_scenario_step_size(sc));
    if (output->kind == PH_EVERY_INTERVAL)
        printf("every %g s\n", output->interval);
    else
        printf(output->kind == PH_EVERY_STEPS ? "every %" PRId64 "\n"
                                              : "%" PRId64 " times a decade of steps\n",
               output->steps);
    if (v->large)
        printf("checked  at the initial configuration\n");
    else
        printf("checked  at the initial and %d other configurations\n", SAMPLES);
    for (size_t i = 0; i < PH_DERIVATIVE_ENTRIES; i++)
        if (v->seen[i])
            bad |= print_entry(&v->worst[i]);
    if (v->large)
        printf("rates    of so many links are not sought; fastest turn at the start %.4g rad/s\n", v->turn);
    else
        printf("rates    fastest of the linearised system %.4g rad/s, fastest turn at the start %.4g rad/s\n",
               v->rate, v->turn);
    if (rate > 0 && !v->large) {
        printf("step     stable below about %.2g s (2/rate), resolved below about %.2g s (20 steps in 2 "
               "pi/rate); given: %g s\n",
               2 / rate, 2 * acos(-1) / 20 / rate, h);
        if (h * rate >= 2)
            bad |= 0 < printf("  TOO LARGE: rate times step is %.2g\n", h * rate);
        else if (h * rate > 2 * acos(-1) / 20)
            printf("  coarse: the fastest motion gets %.1f steps a turn\n", 2 * acos(-1) / (h * rate));
    }
    puts(bad ? "There is something to mend." : "All is well.");
    return bad ? EXIT_ENDED_EARLY : EXIT_OK;
}

/* judge_all with its memory. */
static ph_status judge_scenario(const ph_scenario *sc, verdict *v, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    size_t nz = ph_space_ambient(ph_system_space(system));
    double *memory = malloc((2 * nz + ph_system_work(system)) * sizeof *memory);
    *v = (verdict){0};
    ph_status status = memory ? judge_all(sc, memory, v, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(memory);
    return status;
}

ph_status check_rate(const ph_scenario *scenario, double *rate, ph_error *err)
{
    verdict v;
    ph_status status = judge_scenario(scenario, &v, err);
    *rate = fmax(v.rate, v.turn);
    return status;
}

int command_check(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    ph_scenario *sc = NULL;
    ph_error err;
    int c;
    while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
        return c == 'h' ? (fputs(usage, stdout), EXIT_OK) : complain(EXIT_INPUT, "try: polhode check --help");
    if (argc - optind != 1)
        return complain(EXIT_INPUT, "check takes one scenario file, not %d\nTry: polhode check --help",
                        argc - optind);
    if (ph_scenario_load(argv[optind], &sc, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    verdict v;
    int code = judge_scenario(sc, &v, &err) ? complain(EXIT_INPUT, "%s", err.message) : print_verdict(sc, &v);
    ph_scenario_free(sc);
    return code;
}
