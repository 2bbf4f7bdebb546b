/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of a scenario of two bodies as the tables that GUBAS writes: without headings, lines ended by CR LF, numbers as Python
 * prints them, named KIND_<final time>_<interval>_<step>_<order>_<integrator>_<case>.csv. */
#include "gubas.h"

#include "lib/archive/file.h"
#include "lib/internal/missing.h"

#include <polhode/domain/gravitation.h>
#include <polhode/domain/gravity.h>
#include <polhode/kit/vector.h>
#include <polhode/rows.h>
#include <polhode/session.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAGRANGIAN, HAMILTONIAN, FAHNESTOCK, ENERGY, CONSERVATION, PLANET, SUN, FILES };
static const char *const names[FILES] = {
    "LagrangianStateOut", "HamiltonianStateOut",        "FHamiltonianStateOut",
    "Energy+AngMom",      "Conservation_Energy+AngMom", "HyperbolicState",
    "SolarState"};

/* Columns of a row: t, x, R_A, R_B, p, Pi_A, Pi_B. */
enum { T = 0, X = 1, R_A = 4, R_B = 13, P = 22, PI_A = 25, PI_B = 28, COLUMNS = 31 };

typedef struct writing {
    ph_gubas_case c;
    ph_gubas_solid solid[2];
    double m;              /* reduced mass [kg] */
    double inverse[2][9];  /* of the inertia tensors */
    ph_scenario *scenario; /* of the run */
    const ph_gravitation *g;
    ph_rows *rows;
    ph_file *file[FILES]; /* NULL: not written */
    double E, H;          /* of the first row [J, kg m^2/s] */
    bool begun;
} writing;

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static void put(ph_file *file, const double *values, size_t n, bool last)
{
    char text[33];
    for (size_t i = 0; i < n && file; i++) {
        ph_python_number(values[i], text);
        ph_file_text(file, text);
        ph_file_text(file, last && i + 1 == n ? "\r\n" : ",");
    }
}

static void put_state(ph_file *file, double t, const ph_gubas_state *x, const double *p, const double *a,
                      const double *b, const double *Cc, double U)
{
    put(file, &t, 1, false);
    put(file, x->r, 3, false);
    put(file, p, 3, false);
    put(file, a, 3, false);
    put(file, b, 3, false);
    put(file, x->C, 9, false);
    put(file, Cc, 9, false);
    put(file, &U, 1, true);
}

/* A (3), B (3): angular momenta, in A; p = m v; B_own: that of B in its own axes, in which omega_b is, too. */
static void put_energy(writing *w, const ph_gubas_state *x, const double *p, const double *A, const double *B,
                       const double *B_own, const double *omega_b, double U)
{
    double total[3], values[4], *const H = values + 1;
    ph_cross3(x->r, p, total);
    for (int k = 0; k < 3; k++)
        total[k] = total[k] + A[k] + B[k];
    ph_apply3(x->Cc, total, H);
    const double E = U + (ph_dot3(p, x->v) + ph_dot3(A, x->omega_a) + ph_dot3(B_own, omega_b)) / 2,
                 size = ph_norm3(H);
    if (!w->begun) {
        w->E = E;
        w->H = size;
        w->begun = true;
    }
    const double changes[2] = {(w->E - E) / (w->c.interval == -1 ? E : w->E), (w->H - size) / w->H};
    values[0] = E;
    for (int k = 0; k < 4; k++)
        values[k] /= 1e6;
    put(w->file[ENERGY], values, 4, true);
    put(w->file[CONSERVATION], changes, 2, true);
}

static void put_row(writing *w, const double *row)
{
    const double *Cc = row + R_A,
                 transposed[9] = {Cc[0], Cc[3], Cc[6], Cc[1], Cc[4], Cc[7], Cc[2], Cc[5], Cc[8]};
    double omega[3], omega_b[3], p[3], A[3], B[3], B_own[3];
    ph_gubas_state x;
    ph_attraction f;
    memcpy(x.Cc, Cc, sizeof x.Cc);
    ph_transposed_multiply3(Cc, row + R_B, x.C);
    ph_apply_transposed3(Cc, row + X, x.r);
    ph_apply_transposed3(Cc, row + P, x.v);
    for (size_t k = 0; k < 3; k++)
        x.v[k] /= w->m;
    ph_apply3(w->inverse[0], row + PI_A, x.omega_a);
    ph_apply3(w->inverse[1], row + PI_B, omega);
    ph_apply3(x.C, omega, x.omega_b);
    ph_apply_transposed3(x.C, x.omega_b, omega_b);
    ph_attract(&w->solid[0].mass, &w->solid[1].mass, w->c.order, w->c.G, x.r, x.C, &f);
    ph_apply3(w->solid[0].mass.J, x.omega_a, A);
    ph_apply3(w->solid[1].mass.J, omega_b, B_own);
    ph_apply3(x.C, B_own, B);
    for (size_t k = 0; k < 3; k++)
        p[k] = w->m * x.v[k];
    put_state(w->file[LAGRANGIAN], row[T], &x, x.v, x.omega_a, omega_b, Cc, f.potential);
    put_state(w->file[HAMILTONIAN], row[T], &x, p, A, B, Cc, f.potential);
    put_state(w->file[FAHNESTOCK], row[T], &x, p, A, B, transposed, f.potential);
    put_energy(w, &x, p, A, B, B_own, omega_b, f.potential);
    for (size_t i = 0; i < 2; i++)
        if (w->file[PLANET +
                    i]) { /* the planet is the first given body of the scenario, the Sun the next one */
            double state[6];
            ph_gravitation_given_place(w->g, i && w->c.planet.on, row[T], state, state + 3);
            for (size_t k = 0; k < 6; k++)
                state[k] /= 1000; /* km, km/s */
            put(w->file[PLANET + i], state, 6, true);
        }
}

/* Of a positive definite tensor. */
static void invert(const double J[9], double inverse[9])
{
    for (int i = 0; i < 3; i++)
        ph_cross3(J + (3 * i + 3) % 9, J + (3 * i + 6) % 9, inverse + 3 * i);
    const double det = ph_dot3(J, inverse);
    for (int i = 0; i < 9; i++)
        inverse[i] /= det;
}

static ph_status put_rows(writing *w, ph_error *err)
{
    enum { MANY = 256 };
    int64_t first = 0, read = 1;
    double *values = calloc(MANY * COLUMNS, sizeof *values);
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    while (!status && read > 0) {
        status = ph_rows_read(w->rows, first, MANY, values, &read, &first, err);
        for (int64_t i = 0; i < read && !status; i++)
            put_row(w, values + i * COLUMNS);
    }
    free(values);
    return status;
}

/* ---- Is it a run of the case? -------------------------------------------------------------------------- */

/* Are these the numbers of one body, but for the rounding of sums in another order? */
static bool is_same(const double *a, const double *b, size_t n)
{
    double off = 0;
    for (size_t i = 0; i < n; i++)
        off = fmax(off, fabs(a[i] - b[i]));
    return off <= 1e-9 * ph_max_norm(a, n);
}

static ph_status compare_bodies(const writing *w, ph_error *err)
{
    const char *model = ph_scenario_model(w->scenario)->name;
    if (strcmp(model, "binary") || !w->g || ph_gravitation_attitudes(w->g) != 2)
        return ph_fail(
            err, PH_E_INVALID,
            "the run is one of the model %s; GUBAS's tables are those of two bodies that turn, of the model "
            "binary: make its scenario by polhode gubas %s",
            model, w->c.file);
    const double G = ph_gravitation_constant(w->g);
    for (size_t i = 0; i < 2; i++) {
        const ph_mass *solid = &w->solid[i].mass, *body = ph_gravitation_mass(w->g, i);
        if (!is_same(solid->moment, body->moment, 1) || !is_same(solid->J, body->J, 9))
            return ph_fail(
                err, PH_E_INVALID,
                "%s of the run, of %.10g kg, is not that of %s, of %.10g kg and its moments of inertia: make the "
                "scenario of the run by polhode gubas",
                i ? "the secondary" : "the primary", body->moment[0], w->c.file, solid->moment[0]);
    }
    if (!is_same(&w->c.G, &G, 1))
        return ph_fail(err, PH_E_INVALID, "the run has the constant of gravity %.10g, %s has %.10g", G,
                       w->c.file, w->c.G);
    return ph_gravitation_given(w->g) >= (size_t)w->c.planet.on + w->c.sun.on
               ? PH_OK
               : ph_fail(err, PH_E_INVALID, "the run has not the given bodies of %s, the planet or the Sun",
                         w->c.file);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static ph_status open_files(writing *w, const char *folder, ph_error *err)
{
    const ph_gubas_case *c = &w->c;
    char path[4096], number[3][32];
    ph_python_number(c->end, number[0]);
    ph_python_number(c->interval, number[1]);
    ph_python_number(c->step, number[2]);
    ph_status status = PH_OK;
    for (int i = 0; i < FILES && !status; i++) {
        if ((i == PLANET && !c->planet.on) || (i == SUN && !c->sun.on))
            continue;
        const int n = snprintf(path, sizeof path, "%s/%s_%s_%s_%s_%zu_%d_%s.csv", folder, names[i], number[0],
                               number[1], number[2], c->order, (int)c->integrator, c->name);
        status = n > 0 && (size_t)n < sizeof path
                     ? ph_file_open(path, &w->file[i], err)
                     : ph_fail(err, PH_E_RANGE, "the path of a file in %.100s is too long", folder);
    }
    return status;
}

/* All of them, or none. */
static ph_status close_files(writing *w, ph_status status, ph_error *err)
{
    for (int i = 0; i < FILES && !status; i++)
        if (w->file[i])
            status = ph_file_check(w->file[i], err);
    for (int i = 0; i < FILES; i++) {
        if (w->file[i] && !status)
            status = ph_file_commit(w->file[i], err);
        else
            ph_file_abandon(w->file[i]);
    }
    return status;
}

ph_status ph_gubas_read(const char *path, ph_gubas_case *of, ph_remarks *words, ph_error *err)
{
    char file[1024];
    ph_importer *importer;
    ph_status status = ph_import_find(path, file, sizeof file, &importer, err);
    if (status)
        return status;
    if (importer == ph_import_grit)
        return ph_fail(err, PH_E_INVALID, "%s is a system of GRIT, not a case of GUBAS", path);
    return importer == ph_import_gubas_config ? ph_gubas_read_config(file, of, words, err)
                                              : ph_gubas_read_input(file, of, words, err);
}

ph_status ph_import_gubas_tables(const char *path, ph_record *run, const char *folder, ph_error *err)
{
    static const char *const words[] = {"t", "configuration", "momentum"};
    writing w = {.begun = false};
    if (!run)
        return ph_not_created(err, "record", "ph_record_open");
    ph_status status = ph_gubas_read(path, &w.c, NULL, err);
    for (size_t i = 0; i < 2 && !status; i++)
        status = ph_gubas_solid_of(&w.c, i, &w.solid[i], err);
    if (!status)
        status = ph_session_recall(run, "", &w.scenario, err);
    if (status)
        return status;
    const double mass[2] = {w.solid[0].mass.moment[0], w.solid[1].mass.moment[0]};
    w.m = mass[0] * mass[1] / (mass[0] + mass[1]);
    for (size_t i = 0; i < 2; i++)
        invert(w.solid[i].mass.J, w.inverse[i]);
    w.g = ph_system_gravitation(ph_scenario_system(w.scenario));
    status = compare_bodies(&w, err);
    if (!status)
        status = ph_rows_open(run, words, 3, &w.rows, err);
    if (!status && ph_rows_columns(w.rows) != COLUMNS)
        status = ph_fail(err, PH_E_INVALID, "the run has %zu numbers in a row where %d are expected",
                         ph_rows_columns(w.rows), COLUMNS);
    if (!status)
        status = open_files(&w, folder, err);
    if (!status)
        status = put_rows(&w, err);
    status = close_files(&w, status, err);
    ph_rows_free(w.rows);
    ph_scenario_free(w.scenario);
    return status;
}
