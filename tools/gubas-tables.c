/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's files, from its own equations or from a run. */
#include "gubas.h"
#include "program.h"
#include "source.h"

#include <polhode/session.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Its own equations --------------------------------------------------------------------------------- */

/* Which steps have a row: all that are multiples of `every`, or those of a list. */
typedef struct choice {
    int64_t every;
    double *list; /* numbers of rows, as GUBAS takes its times; NULL: none */
    size_t n;
} choice;

static bool is_chosen(const choice *of, int64_t step)
{
    if (!of->list)
        return step % of->every == 0;
    for (size_t i = 0; i < of->n; i++)
        if (of->list[i] == (double)step)
            return true;
    return false;
}

static ph_status choose(const ph_gubas_case *c, choice *of, ph_error *err)
{
    *of = (choice){.every = 1};
    if (c->interval == -1)
        return read_times(c, &of->list, &of->n, err);
    if (!(c->interval > 0))
        return PH_OK;
    const double ratio = c->interval / c->step;
    of->every = ratio < 0x1p53 ? (int64_t)nearbyint(ratio) : 0;
    if (of->every < 1 || fabs(ratio - (double)of->every) > 1e-9 * ratio)
        return ph_fail(err, PH_E_RANGE,
                       "the output frequency, %g s, is no multiple of the step, %g s; GUBAS refuses it, too",
                       c->interval, c->step);
    return PH_OK;
}

static void look(const ph_gubas_motion *moving, const choice *rows, int64_t step, ph_gubas_tables *tables)
{
    ph_gubas_state x;
    double t, U, planet[6], sun[6];
    const bool chosen = is_chosen(rows, step);
    ph_gubas_motion_look(moving, &t, &x, chosen ? &U : NULL);
    ph_gubas_motion_perturbers(moving, planet, sun);
    ph_gubas_tables_step(tables, t, &x, planet, sun);
    if (chosen)
        ph_gubas_tables_row(tables, t, &x, U, planet, sun);
}

/* All steps. */
static ph_status follow(const ph_gubas_case *c, ph_gubas_motion *moving, const choice *rows,
                        ph_gubas_tables *tables, bool quiet, ph_error *err)
{
    const volatile sig_atomic_t *signal = signal_flag();
    progress shown = progress_start("GUBAS's equations", quiet);
    double t;
    ph_status status = PH_OK;
    const int64_t total = (int64_t)count_steps(c);
    look(moving, rows, 0, tables);
    ph_gubas_motion_look(moving, &t, NULL, NULL);
    for (int64_t step = 1; t < c->end && !status; step++) {
        status = *signal ? ph_fail(err, PH_E_INTERRUPTED, "interrupted at t = %g s; nothing was written", t)
                         : ph_gubas_motion_step(moving, err);
        if (status)
            break;
        look(moving, rows, step, tables);
        ph_gubas_motion_look(moving, &t, NULL, NULL);
        if (progress_is_due(&shown))
            progress_show(&shown, t, step, total, NULL);
    }
    progress_end(&shown);
    return status;
}

static int exit_code(ph_status status)
{
    return status == PH_OK              ? EXIT_OK
           : status == PH_E_INTERRUPTED ? EXIT_SIGNAL + *signal_flag()
           : status == PH_E_IO || status == PH_E_EXISTS || status == PH_E_NO_MEMORY ? EXIT_OUTPUT
           : status == PH_E_DIVERGED || status == PH_E_NO_SOLUTION                  ? EXIT_ENDED_EARLY
                                                                                    : EXIT_INPUT;
}

int write_compatible(const ph_gubas_case *c, const char *folder, bool quiet)
{
    ph_gubas_motion *moving = NULL;
    ph_gubas_tables *tables = NULL;
    ph_gubas_pair pair;
    choice rows;
    ph_error err;
    catch_signals();
    ph_status status = choose(c, &rows, &err);
    if (status || (status = ph_gubas_motion_create(c, &moving, &err))) {
        free(rows.list);
        return complain(EXIT_INPUT, "%s", err.message);
    }
    ph_gubas_motion_pair(moving, &pair);
    status = ph_gubas_tables_open(folder, c, &pair, true, &tables, &err);
    if (!status)
        status = follow(c, moving, &rows, tables, quiet, &err);
    if (status)
        ph_gubas_tables_abandon(tables);
    else
        status = ph_gubas_tables_close(tables, &err);
    ph_gubas_motion_free(moving);
    free(rows.list);
    return status ? complain(exit_code(status), "%s", err.message) : EXIT_OK;
}

/* ---- A run --------------------------------------------------------------------------------------------- */

/* Numbers of a row of `binary`: x, R_A, R_B, then p, Pi_A, Pi_B. */
enum { X = 0, R_A = 3, R_B = 12, P = 21, PI_A = 24, PI_B = 27, NUMBERS = 30 };

typedef struct run {
    const ph_gubas_case *c;
    const ph_gubas_solid *solid;
    ph_gubas_pair pair;
    double inverse[2][9];    /* of the inertia tensors */
    ph_gravitation *motions; /* knows where planet and Sun are; NULL without them */
    source rows;
    size_t t, at[NUMBERS]; /* columns */
} run;

static void multiply(const double A[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

static void transpose(const double A[9], double At[9])
{
    for (int i = 0; i < 9; i++)
        At[i] = A[i % 3 * 3 + i / 3];
}

/* Of a positive definite tensor. */
static void invert(const double J[9], double inverse[9])
{
    const double c[6] = {J[4] * J[8] - J[5] * J[7], J[2] * J[7] - J[1] * J[8], J[1] * J[5] - J[2] * J[4],
                         J[0] * J[8] - J[2] * J[6], J[2] * J[3] - J[0] * J[5], J[0] * J[4] - J[1] * J[3]};
    const double det = J[0] * c[0] + J[3] * c[1] + J[6] * c[2];
    static const int which[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int i = 0; i < 9; i++)
        inverse[i] = c[which[i]] / det;
}

static ph_given_body given_of(const ph_gubas_orbit *orbit)
{
    return (ph_given_body){.mass = orbit->mass,
                           .orbit = {.axis = orbit->semimajor_axis,
                                     .eccentricity = orbit->eccentricity,
                                     .inclination = orbit->inclination,
                                     .node = orbit->node,
                                     .periapsis = orbit->argument,
                                     .passage = orbit->periapsis}};
}

/* The place of planet and Sun for the tables; first the planet, where there are both. */
static ph_status find_motions(run *r, ph_error *err)
{
    ph_given_body given[2];
    size_t n = 0;
    if (r->c->planet.on)
        given[n++] = given_of(&r->c->planet);
    if (r->c->sun.on)
        given[n++] = given_of(&r->c->sun);
    const ph_mass mass[2] = {r->solid[0].mass, r->solid[1].mass};
    const ph_gravitation_definition d = {.bodies = 2,
                                         .mass = mass,
                                         .order = r->c->order,
                                         .G = r->c->G,
                                         .relative = true,
                                         .given = given,
                                         .n_given = n};
    return n ? ph_gravitation_create(&d, &r->motions, err) : PH_OK;
}

/* Are these the numbers of one body, but for the rounding of sums in another order? */
static bool is_same(const double *a, const double *b, size_t n)
{
    double size = 0, off = 0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(a[i]));
        off = fmax(off, fabs(a[i] - b[i]));
    }
    return off <= 1e-9 * size;
}

/* PH_E_INVALID where the system of the run has other bodies than the case. */
static ph_status compare_bodies(const run *r, const ph_scenario *s, ph_error *err)
{
    const ph_gravitation *g = ph_system_gravitation(ph_scenario_system(s));
    if (strcmp(ph_scenario_model(s)->name, "binary") || !g || ph_gravitation_attitudes(g) != 2)
        return ph_fail(
            err, PH_E_INVALID,
            "the run is one of the model %s; GUBAS's tables are those of two bodies that turn, of the model "
            "binary: make its scenario by polhode gubas %s",
            ph_scenario_model(s)->name, r->c->file);
    const double G = ph_gravitation_constant(g);
    for (size_t i = 0; i < 2; i++) {
        const ph_mass *solid = &r->solid[i].mass, *body = ph_gravitation_mass(g, i);
        if (!is_same(solid->moment, body->moment, 1) || !is_same(solid->J, body->J, 9))
            return ph_fail(
                err, PH_E_INVALID,
                "%s of the run, of %.10g kg, is not that of %s, of %.10g kg and its moments of inertia: make the "
                "scenario of the run by polhode gubas",
                i ? "the secondary" : "the primary", body->moment[0], r->c->file, solid->moment[0]);
    }
    return is_same(&r->c->G, &G, 1)
               ? PH_OK
               : ph_fail(err, PH_E_INVALID, "the run has the constant of gravity %.10g, %s has %.10g", G,
                         r->c->file, r->c->G);
}

static ph_status check_bodies(const run *r, ph_error *err)
{
    ph_scenario *scenario;
    if (!r->rows.record)
        return ph_fail(err, PH_E_INVALID,
                       "a table does not say of which bodies it is; the archive of the run is needed");
    ph_status status = ph_session_recall(r->rows.record, "", &scenario, err);
    if (status)
        return status;
    status = compare_bodies(r, scenario, err);
    ph_scenario_free(scenario);
    return status;
}

static ph_status find_columns(run *r, ph_error *err)
{
    static const char *const words[] = {"configuration", "momentum"};
    const option_texts both = {words, 2};
    size_t n = 0, *picked = calloc(r->rows.n + 1, sizeof *picked);
    if (!picked)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = source_find(&r->rows, "t", &r->t, err);
    if (!status)
        status = source_pick(&r->rows, &both, picked, &n, err);
    if (!status && n != NUMBERS)
        status = ph_fail(
            err, PH_E_INVALID,
            "the run has %zu numbers of configuration and momentum in a row; two bodies that turn, relative to each "
            "other, have %d: is it one of the model binary?",
            n, NUMBERS);
    for (size_t i = 0; i < NUMBERS && !status; i++)
        r->at[i] = picked[i];
    free(picked);
    return status;
}

static void put_row(const run *r, const double *values, ph_gubas_tables *tables)
{
    double z[NUMBERS], Ct[9], Bt[9], omega[3], perturber[2][6] = {{0}};
    ph_gubas_state x;
    ph_attraction f;
    const double t = values[r->t],
                 m = r->pair.mass[0] * r->pair.mass[1] / (r->pair.mass[0] + r->pair.mass[1]);
    for (size_t i = 0; i < NUMBERS; i++)
        z[i] = values[r->at[i]];
    memcpy(x.Cc, z + R_A, sizeof x.Cc);
    transpose(z + R_A, Ct);
    transpose(z + R_B, Bt);
    for (int k = 0; k < 3; k++) { /* row k of C^T = R_B^T R_A */
        double column[3];
        multiply(Ct, (const double[3]){Bt[3 * k], Bt[3 * k + 1], Bt[3 * k + 2]}, column);
        for (int i = 0; i < 3; i++)
            x.C[3 * i + k] = column[i];
    }
    multiply(Ct, z + X, x.r);
    multiply(Ct, z + P, x.v);
    for (int k = 0; k < 3; k++)
        x.v[k] /= m;
    multiply(r->inverse[0], z + PI_A, x.omega_a);
    multiply(r->inverse[1], z + PI_B, omega);
    multiply(x.C, omega, x.omega_b);
    ph_attract(&r->solid[0].mass, &r->solid[1].mass, r->c->order, r->c->G, x.r, x.C, &f);
    for (size_t i = 0; i < 2 && r->motions; i++)
        if (i ? r->c->sun.on : r->c->planet.on)
            ph_gravitation_given_place(r->motions, i && r->c->planet.on, t, perturber[i], perturber[i] + 3);
    ph_gubas_tables_row(tables, t, &x, f.potential, perturber[0], perturber[1]);
}

static ph_status put_rows(run *r, ph_gubas_tables *tables, ph_error *err)
{
    enum { MANY = 256 };
    int64_t first = 0, read = 1;
    double *values = calloc(MANY * r->rows.n, sizeof *values);
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    while (!status && read > 0) {
        status = r->rows.read(r->rows.self, first, MANY, values, &read, &first, err);
        for (int64_t i = 0; i < read && !status; i++)
            put_row(r, values + (size_t)i * r->rows.n, tables);
    }
    free(values);
    return status;
}

static ph_status write_run(run *r, const char *folder, ph_error *err)
{
    ph_gubas_tables *tables = NULL;
    ph_gubas_case named = *r->c;
    named.tables = true;
    for (size_t i = 0; i < 2; i++) {
        r->pair.mass[i] = r->solid[i].mass.moment[0];
        memcpy(r->pair.J[i], r->solid[i].mass.J, sizeof r->pair.J[i]);
        invert(r->pair.J[i], r->inverse[i]);
    }
    ph_status status = check_bodies(r, err);
    if (!status)
        status = find_columns(r, err);
    if (!status)
        status = find_motions(r, err);
    if (!status)
        status = ph_gubas_tables_open(folder, &named, &r->pair, false, &tables, err);
    if (!status)
        status = put_rows(r, tables, err);
    if (status)
        ph_gubas_tables_abandon(tables);
    else
        status = ph_gubas_tables_close(tables, err);
    ph_gravitation_free(r->motions);
    return status;
}

int write_tables(const ph_gubas_case *c, const ph_gubas_solid solid[2], const char *path, const char *folder)
{
    run r = {.c = c, .solid = solid};
    char *file;
    ph_error err;
    if (find_archive(path, &file, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    ph_status status = source_open(file, &r.rows, &err);
    free(file);
    if (status)
        return complain(EXIT_INPUT, "%s", err.message);
    status = write_run(&r, folder, &err);
    r.rows.close(r.rows.self);
    const bool input = status == PH_E_INVALID || status == PH_E_PARSE || status == PH_E_UNKNOWN;
    return status ? complain(input ? EXIT_INPUT : EXIT_OUTPUT, "%s", err.message) : EXIT_OK;
}
