/* SPDX-License-Identifier: BSD-3-Clause */
/* Does `accuracy` keep its word? Random scenarios of all models, and of the violent motions of some: disks that nearly fall, close
 * encounters on the sphere and of bodies, eccentric orbits, chaotic chains, tides, rattlebacks, spins and vortices. For each a
 * random accuracy is required, method and step are chosen (advice_settle), and the run that was chosen is compared, at up to
 * 500 times from its start to its end, with the truth: two methods of different
 * kinds, of `arkode` at its smallest tolerance and others in steps that are halved until they settle, which agree to a quarter of
 * what was required. Where no two do, nobody knows the truth: such a run is not judged.
 *
 * A refusal is no failure, but it has to say why and what would be right. In the long form (make check-long) 240 scenarios, 40 of them ten times as long; the
 * last lines of the log are the table. POLHODE_PROMISES=FIRST:LAST runs these alone, POLHODE_PROMISES_SHOW=1 prints their text. */
#include "bench/advice/advice.h"
#include "bench/common/problem.h"

#include "tests/kit/testkit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

enum { TEXT = 16384, TIMES = 500, MESSAGE = 1024 };

/* ---- Scenarios ------------------------------------------------------------------------------------- */

typedef struct drawn {
    char text[TEXT]; /* without accuracy and duration */
    const char *kind;
    double turns; /* the duration in 2 pi over the fastest rate, where `duration` is 0 */
    double duration;
} drawn;

static void put(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(char *text, const char *format, ...)
{
    va_list list;
    const size_t n = strlen(text);
    va_start(list, format);
    vsnprintf(text + n, TEXT - n, format, list);
    va_end(list);
}

static void put_vectors(char *text, const ph_space *space, const double *z)
{
    put(text, "[");
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        put(text, i ? ", [" : "[");
        for (size_t k = 0; k < f->nz; k++)
            put(text, k ? ", %.17g" : "%.17g", z[f->z + k]);
        put(text, "]");
    }
    put(text, "]");
}

static bool has_bodies(const ph_model *model)
{
    for (size_t i = 0; i < model->n_parameters; i++)
        if (model->parameters[i].kind == PH_PARAMETER_BODIES)
            return true;
    return false;
}

/* The first preset of a model, pushed so that the motion is a generic one; of bodies, which belong to a preset, any preset as
 * it is. */
static void draw_model(drawn *d, const ph_model *model, tk_random *r)
{
    if (has_bodies(model)) {
        const size_t which = (size_t)tk_uniform(r, 0, (double)model->n_presets);
        d->kind = "generic";
        d->turns = tk_log_uniform(r, 1.5, 8);
        put(d->text, "polhode: 1\nmodel: %s\ninitial: {preset: %s}\n", model->name,
            model->presets[which].name);
        return;
    }
    ph_system *system = tk_build(model->name, NULL, 0);
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space);
    double *z = calloc(2 * nz, sizeof *z), *zdot = z + nz;
    tk_preset(model->name, NULL, 0, NULL, z, zdot);
    d->kind = "generic";
    d->turns = tk_log_uniform(r, 1.5, 8);
    put(d->text, "polhode: 1\nmodel: %s\n", model->name);
    if (ph_system_spins(system)) {
        for (size_t k = 0; k < nz; k++)
            z[k] += 0.05 * tk_normal(r);
        put(d->text, "initial: {project: true, q: ");
        put_vectors(d->text, space, z);
    } else {
        tk_push(system, r, z, zdot);
        put(d->text, "initial: {project: true, q: ");
        put_vectors(d->text, space, z);
        put(d->text, ", qdot: ");
        put_vectors(d->text, space, zdot);
    }
    put(d->text, "}\n");
    free(z);
    ph_system_free(system);
}

/* A disk that is almost upright and hardly spins falls nearly flat, and gets up again. */
static void draw_disk(drawn *d, tk_random *r)
{
    const double axial = tk_uniform(r, 0.5, 1), spin = tk_log_uniform(r, 0.03, 1);
    d->kind = "disk nearly falls";
    d->duration = tk_uniform(r, 1.2, 4);
    put(d->text,
        "polhode: 1\nmodel: rolling-disk\n"
        "parameters: {mass: 1, radius: 1, diametral: %.17g, axial: %.17g, gravity: %.17g}\n"
        "initial: {q: [[0, 0], {axis: [1, 0, 0], angle: %.17g}], omega: [follows, [%.17g, 0, %.17g]]}\n",
        0.5 * axial, axial, tk_uniform(r, 5, 100), 1.5707963267948966 + tk_uniform(r, -0.3, 0.3),
        tk_uniform(r, 0.005, 0.2), spin);
}

static void draw_sphere(drawn *d, tk_random *r)
{
    const size_t n = tk_uniform(r, 0, 1) < 0.7 ? 2 : 3;
    d->kind = "encounters on the sphere";
    d->duration = tk_uniform(r, 1, 5);
    put(d->text, "polhode: 1\nmodel: sphere-n-body\nparameters: {masses: [");
    for (size_t i = 0; i < n; i++)
        put(d->text, i ? ", %.17g" : "%.17g", tk_uniform(r, 0.3, 1));
    put(d->text, "]}\ninitial: {project: true, q: [");
    for (int of = 0; of < 2; of++) {
        for (size_t i = 0; i < n; i++) {
            double q[3];
            tk_unit(r, q);
            const double size = of ? tk_uniform(r, 0.2, 1) : 1;
            put(d->text, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", size * q[0], size * q[1], size * q[2]);
        }
        put(d->text, of ? "]}\n" : "], omega: [");
    }
}

static void draw_kepler(drawn *d, tk_random *r)
{
    const double e = 1 - tk_log_uniform(r, 1e-3, 0.3);
    d->kind = "eccentric orbit";
    d->duration = tk_uniform(r, 7, 20);
    put(d->text,
        "polhode: 1\nmodel: kepler\nparameters: {masses: [0.5, 0.5], G: 1}\n"
        "initial: {q: [[%.17g, 0, 0]], qdot: [[0, %.17g, 0]]}\n",
        1 + e, sqrt((1 - e) / (1 + e)));
}

static void draw_three(drawn *d, tk_random *r)
{
    d->kind = "three bodies";
    d->duration = tk_uniform(r, 2, 10);
    put(d->text,
        "polhode: 1\nmodel: n-body\nparameters: {masses: [%.17g, %.17g, %.17g], G: 1}\ninitial: {q: [",
        tk_uniform(r, 0.5, 1.5), tk_uniform(r, 0.5, 1.5), tk_uniform(r, 0.1, 1.5));
    for (int of = 0; of < 2; of++) {
        for (int i = 0; i < 3; i++)
            put(d->text, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", (of ? 0.4 : 1) * tk_normal(r),
                (of ? 0.4 : 1) * tk_normal(r), (of ? 0.4 : 1) * tk_normal(r));
        put(d->text, of ? "]}\n" : "], qdot: [");
    }
}

/* With tides and a Sun, which the spins and the orbit feel. */
static void draw_binary(drawn *d, tk_random *r)
{
    const double a = tk_uniform(r, 300, 500);
    d->kind = "binary with tides";
    d->duration = tk_log_uniform(r, 1e4, 8e4);
    put(d->text,
        "polhode: 1\nmodel: binary\ninitial: {preset: circular}\nparameters:\n  bodies:\n"
        "    - {mass: %.17g, half-axes: [%.17g, %.17g, %.17g], tide: {love: %.17g, lag: %.17g}}\n"
        "    - {mass: %.17g, half-axes: [90, %.17g, 60]}\n  order: 2\n",
        tk_uniform(r, 3e11, 7e11), a, 0.95 * a, 0.8 * a, tk_log_uniform(r, 1e-6, 1e-2),
        tk_uniform(r, 0.01, 0.1), tk_uniform(r, 1e9, 1e10), tk_uniform(r, 65, 85));
    if (tk_uniform(r, 0, 1) < 0.5)
        put(d->text, "  given_mass: 2e30\n  given_eccentricity: 0.2\n");
}

/* Two spinning ellipsoids on a hyperbola or an eccentric ellipse about each other. */
static void draw_flyby(drawn *d, tk_random *r)
{
    const double e = tk_uniform(r, 0.5, 1.6), near = tk_uniform(r, 900, 1500);
    d->kind = "flyby of spinning bodies";
    d->duration = tk_log_uniform(r, 1e4, 6e4);
    put(d->text,
        "polhode: 1\nmodel: binary\nparameters:\n  bodies:\n"
        "    - {mass: 5e11, half-axes: [420, 380, 330]}\n    - {mass: 5e10, half-axes: [200, 160, 150]}\n  order: %d\n"
        "initial:\n  project: true\n  q:\n    - {q: %.17g, e: %.17g, true-anomaly: %.17g}\n"
        "    - {axis: [1, 2, 0.5], angle: 1}\n    - {axis: [0, 1, 0.5], angle: 2}\n"
        "  omega: [orbit, [%.17g, 1e-4, 3e-4], [2e-4, %.17g, 1e-4]]\n",
        tk_uniform(r, 0, 1) < 0.5 ? 2 : 4, near, e, -tk_uniform(r, 0.5, 1.6), 1e-4 * tk_normal(r),
        3e-4 * tk_normal(r));
}

/* A chain of points, from far above its rest. */
static void draw_chain(drawn *d, tk_random *r)
{
    const size_t n = 2 + (size_t)tk_uniform(r, 0, 3);
    d->kind = "chaotic chain";
    d->duration = tk_uniform(r, 1, 6);
    put(d->text,
        "polhode: 1\nmodel: chain-pendulum\nparameters: {links: %zu, masses: 1, lengths: 1}\ninitial: {project: true, q: [",
        n);
    for (int of = 0; of < 2; of++) {
        for (size_t i = 0; i < n; i++) {
            double q[3];
            tk_unit(r, q);
            put(d->text, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", q[0], q[1], of ? q[2] : fabs(q[2]));
        }
        put(d->text, of ? "]}\n" : "], omega: [");
    }
}

static void draw_rattleback(drawn *d, tk_random *r)
{
    d->kind = "rattleback";
    d->duration = tk_uniform(r, 0.7, 3);
    put(d->text, "polhode: 1\nmodel: rattleback\ninitial: {preset: %s}\n",
        tk_uniform(r, 0, 1) < 0.5 ? "tapped" : "spun");
}

static void draw_vortices(drawn *d, tk_random *r)
{
    const size_t n = 3 + (size_t)tk_uniform(r, 0, 4);
    d->kind = "vortices";
    d->duration = tk_log_uniform(r, 2, 20);
    put(d->text, "polhode: 1\nmodel: point-vortices\nparameters: {circulations: [");
    for (size_t i = 0; i < n; i++)
        put(d->text, i ? ", %.17g" : "%.17g", (tk_uniform(r, 0, 1) < 0.5 ? -1 : 1) * tk_uniform(r, 0.2, 1.5));
    put(d->text, "]}\ninitial: {project: true, q: [");
    for (size_t i = 0; i < n; i++) {
        double q[3];
        tk_unit(r, q);
        put(d->text, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", q[0], q[1], q[2]);
    }
    put(d->text, "]}\n");
}

static void draw_spins(drawn *d, tk_random *r)
{
    enum { SPINS = 6 };
    d->kind = "spins";
    d->duration = tk_log_uniform(r, 3, 30);
    put(d->text, "polhode: 1\nmodel: spin-chain\nparameters: {spins: %d}\ninitial: {project: true, q: [",
        SPINS);
    for (size_t i = 0; i < SPINS; i++) {
        double q[3];
        tk_unit(r, q);
        put(d->text, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", q[0], q[1], q[2]);
    }
    put(d->text, "]}\n");
}

static void (*const violent[])(drawn *, tk_random *) = {
    draw_disk,  draw_sphere, draw_kepler,     draw_three,    draw_binary,
    draw_flyby, draw_chain,  draw_rattleback, draw_vortices, draw_spins};
enum { VIOLENT = sizeof violent / sizeof violent[0] };

/* From here on motions are ten times as long, too long for some to be computed to their end in the search. */
enum { LONGER_FROM = 200, LONGER = 10 };

/* Every other scenario is violent; the others go through the catalogue. */
static void draw(drawn *d, size_t i, tk_random *r)
{
    *d = (drawn){.text = ""};
    if (i % 2)
        violent[i / 2 % VIOLENT](d, r);
    else
        draw_model(d, ph_model_at(i / 2 % ph_models()), r);
    if (i >= LONGER_FROM) {
        d->turns *= LONGER;
        d->duration *= LONGER;
    }
}

/* ---- The truth --------------------------------------------------------------------------------------- */

/* rows (n x nz) <- the motion at equal intervals, of `steps` steps each, in at most `seconds` of CPU time. Is it there? *took
 * <- the time. */
static bool record(const char *label, const ph_scenario *sc, double interval, int64_t steps, size_t n,
                   double seconds, double *took, double *rows)
{
    contender c;
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    const motion start = motion_of(sc);
    const clock_t begin = clock();
    if (contender_parse(&c, label, &err) ||
        contender_start(&c, &start, interval / (double)steps, &it, &state, &err))
        return false;
    bool all = true;
    for (size_t k = 0; k < n && all; k++) {
        all = !ph_integrator_step(it, state, steps);
        *took = (double)(clock() - begin) / CLOCKS_PER_SEC;
        all = all && *took < seconds;
        memcpy(rows + k * state->nz, state->z, state->nz * sizeof *rows);
    }
    tk_end(it, state);
    return all;
}

/* The largest difference, of lengths relative to the largest of `truth`. */
static double distance(const ph_space *space, const double *start, const double *truth, const double *rows,
                       size_t n)
{
    const size_t nz = ph_space_ambient(space);
    double length = 0, most = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t k = f->z; k < f->z + f->nz && f->kind == PH_FACTOR_R; k++) {
            length = fmax(length, fabs(start[k]));
            for (size_t t = 0; t < n; t++)
                length = fmax(length, fabs(truth[t * nz + k]));
        }
    }
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double unit = f->kind == PH_FACTOR_R && length > 0 ? length : 1;
        for (size_t t = 0; t < n; t++)
            for (size_t k = f->z; k < f->z + f->nz; k++)
                most = tk_max(most, fabs(truth[t * nz + k] - rows[t * nz + k]) / unit);
    }
    return most;
}

/* rows <- the motion by one method: of fixed steps by those with which halving them changes least. Is it there? */
static bool settle(const char *label, const ph_scenario *sc, double interval, size_t n, double wanted,
                   double *spare, double *rows)
{
    enum { HALVINGS = 12, STUCK = 3 };
    static const double patience = 10; /* [s] */
    const ph_space *space = ph_system_space(ph_scenario_system(sc));
    const size_t size = n * ph_space_ambient(space) * sizeof *rows;
    double change = INFINITY, rate = 0, took = 0;
    bool earlier = false;
    ph_error err;
    if (strstr(label, "rtol"))
        return record(label, sc, interval, 1, n, patience, &took, rows);
    problem_rate(sc, &rate, &err);
    int64_t steps = (int64_t)ceil(fmax(1, fabs(interval) * rate / 0.2));
    for (int k = 0, stuck = 0; k < HALVINGS && stuck < STUCK && took < 0.6 * patience; k++, steps *= 2) {
        if (!record(label, sc, interval, steps, n, patience, &took, spare)) {
            if (took == 0 || earlier) /* not a method for this system; no time for smaller steps */
                break;
            continue;
        }
        const double moved =
            earlier ? distance(space, ph_scenario_configuration(sc), spare, rows, n) : INFINITY;
        stuck = moved < 0.5 * change ? 0 : stuck + earlier;
        if (moved < change || !earlier)
            memcpy(rows, spare, size);
        change = fmin(change, moved);
        earlier = true;
        if (change < 0.1 * wanted)
            break;
    }
    return isfinite(change);
}

/* *truth <- the motion, as two methods of different kinds agree on; result <- by how much, INFINITY if it is not known. */
static double find_truth(const ph_scenario *sc, double interval, size_t n, double wanted, double *truth)
{
    static const char *const kinds[] = {"arkode:rtol=1e-15:atol=1e-16", "rk8",   "kepler-rotor",
                                        "variational:order=8",          "gauss", "dla:order=8",
                                        "spherical-midpoint:order=8"};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    const ph_space *space = ph_system_space(ph_scenario_system(sc));
    const size_t size = n * ph_space_ambient(space);
    double *rows = calloc((KINDS + 1) * size, sizeof *rows), doubt = INFINITY;
    size_t known = 0;
    for (size_t i = 0; i < KINDS && doubt > wanted; i++) {
        double *own = rows + known * size;
        if (!settle(kinds[i], sc, interval, n, wanted, rows + KINDS * size, own))
            continue;
        for (size_t k = 0; k < known; k++) {
            const double apart = distance(space, ph_scenario_configuration(sc), rows + k * size, own, n);
            if (apart < doubt)
                memcpy(truth, own, size * sizeof *truth);
            doubt = fmin(doubt, apart);
        }
        known++;
    }
    free(rows);
    return doubt;
}

/* ---- One scenario ------------------------------------------------------------------------------------ */

typedef enum outcome { KEPT, BROKEN, REFUSED, UNJUDGED, OUTCOMES } outcome;

static int64_t times_of(int64_t steps)
{
    for (int64_t n = TIMES; n > 1; n--)
        if (steps % n == 0)
            return n;
    return 1;
}

static outcome judge(const ph_scenario *sc, const advice_choice *choice, double *error, double *doubt)
{
    const size_t n = (size_t)times_of(ph_scenario_steps(sc)),
                 nz = ph_space_ambient(ph_system_space(ph_scenario_system(sc)));
    const int64_t each = ph_scenario_steps(sc) / (int64_t)n;
    const double interval = ph_scenario_step_size(sc) * (double)each;
    double *truth = calloc(2 * n * nz, sizeof *truth), *rows = truth + n * nz;
    *doubt = find_truth(sc, interval, n, 0.1 * choice->accuracy, truth);
    double took;
    *error = INFINITY;
    if (record(choice->label, sc, interval, each, n, INFINITY, &took, rows))
        *error =
            distance(ph_system_space(ph_scenario_system(sc)), ph_scenario_configuration(sc), truth, rows, n);
    free(truth);
    if (*doubt > 0.25 * choice->accuracy)
        return UNJUDGED;
    return *error - *doubt <= choice->accuracy ? KEPT : BROKEN;
}

typedef struct table {
    const char *kind[VIOLENT + 1];
    int count[VIOLENT + 1][OUTCOMES];
    size_t kinds;
} table;

static void count(table *t, const char *kind, outcome o)
{
    size_t i = 0;
    while (i < t->kinds && strcmp(t->kind[i], kind) != 0)
        i++;
    if (i == t->kinds)
        t->kind[t->kinds++] = kind;
    t->count[i][o]++;
}

/* A refusal says why, and what would be right. */
static bool is_explained(const char *message)
{
    return (strstr(message, "cannot be reached") || strstr(message, "could not be shown") ||
            strstr(message, "no method gets")) &&
           (strstr(message, "give an accuracy") || strstr(message, "shorter duration") ||
            strstr(message, "budget"));
}

static outcome try_scenario(size_t i, double budget, table *t)
{
    static const char *const words[] = {"kept", "BROKEN", "refused", "not judged"};
    tk_random r = {.s = 0x9e3779b97f4a7c15u * (i + 1)};
    drawn *d = calloc(1, sizeof *d);
    ph_scenario *sc = NULL;
    ph_error err = {PH_OK, ""};
    advice_choice choice;
    double rate = 0, error = NAN, doubt = NAN;
    draw(d, i, &r);
    const double accuracy = pow(10, -tk_uniform(&r, 3.5, 12.5));
    for (int k = 0; k < 2; k++) { /* a duration in turns needs the rate, and so the system */
        char *text = calloc(1, TEXT + 200);
        sprintf(text, "%saccuracy: {value: %.6g, budget: %g}\nduration: %.6g\n", d->text, accuracy, budget,
                d->duration > 0 ? d->duration : 1);
        ck_assert_msg(!ph_scenario_parse(text, strlen(text), "drawn", &sc, &err), "%zu: %s\n%s", i,
                      err.message, text);
        free(text);
        if (d->duration > 0)
            break;
        if (problem_rate(sc, &rate, &err) || !(rate > 0))
            rate = 1;
        d->duration = d->turns * 2 * acos(-1) / rate;
        ph_scenario_free(sc);
    }
    outcome o = REFUSED;
    const clock_t begin = clock();
    const ph_status status = advice_settle(sc, &(advice_plan){0}, &choice, &err);
    const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (!status)
        o = judge(sc, &choice, &error, &doubt);
    count(t, d->kind, o);
    printf("%3zu %-18s %-24s %.1e for %.4g s: %s", i, ph_scenario_model(sc)->name, d->kind, accuracy,
           d->duration, words[o]);
    if (status)
        printf(": %s", err.message);
    else
        printf(", %.1e (%.1e said%s; truth to %.0e) by %s, h = %.4g s", error, choice.error,
               choice.confirmed ? ", run" : "", doubt, choice.label, choice.h);
    printf(" [%.1f s]\n", took);
    fflush(stdout);
    if (status)
        ck_assert_msg(is_explained(err.message), "%zu: %s", i, err.message);
    if (o == BROKEN || getenv("POLHODE_PROMISES_SHOW"))
        printf("%saccuracy: %.6g\nduration: %.6g\n", d->text, accuracy, d->duration);
    ph_scenario_free(sc);
    free(d);
    return o;
}

START_TEST(promises_are_kept)
{
    enum { STUDY = 240, THOROUGH = 24, DAILY = 4 };
    static const size_t daily[DAILY] = {2, 5, 11, 17}; /* that take a tenth of a second each */
    table t = {.kinds = 0};
    size_t first = 0, last = tk_long() ? STUDY : tk_thorough() ? THOROUGH : DAILY;
    const char *asked = getenv("POLHODE_PROMISES");
    int all[OUTCOMES] = {0};
    if (asked)
        ck_assert_int_eq(sscanf(asked, "%zu:%zu", &first, &last), 2);
    for (size_t i = first; i < last; i++)
        all[try_scenario(asked || tk_thorough() ? i : daily[i], tk_long() || asked ? ADVICE_BUDGET : 1,
                         &t)]++;
    printf("%-26s %8s %8s %8s %10s\n", "", "kept", "broken", "refused", "not judged");
    for (size_t i = 0; i < t.kinds; i++)
        printf("%-26s %8d %8d %8d %10d\n", t.kind[i], t.count[i][KEPT], t.count[i][BROKEN],
               t.count[i][REFUSED], t.count[i][UNJUDGED]);
    printf("%-26s %8d %8d %8d %10d\n", "all", all[KEPT], all[BROKEN], all[REFUSED], all[UNJUDGED]);
    fflush(stdout);
    ck_assert_int_eq(all[BROKEN], 0);
    ck_assert_int_ge(2 * all[KEPT], (int)(last - first));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("promises");
    TCase *tc = tcase_create("promises");
    tcase_set_timeout(tc, tk_long() ? 0 : 600);
    tcase_add_test(tc, promises_are_kept);
    suite_add_tcase(suite, tc);
    return tk_main(suite);
}
