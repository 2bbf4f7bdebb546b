/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that GUBAS writes (polhode/gubas.h): tables without headings, lines ended by CR LF, numbers as
 * Python prints them, named KIND_<final time>_<interval>_<step>_<order>_<integrator>_<case>.csv; and doubles,
 * little-endian. */
#include "case.h"

#include "lib/archive/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The tables, and then the binary files. */
enum {
    LAGRANGIAN,
    HAMILTONIAN,
    FAHNESTOCK,
    ENERGY,
    CONSERVATION,
    PLANET,
    SUN,
    T_OUT,
    X_OUT,
    H_OUT,
    SUN_OUT,
    FILES
};
static const char *const names[FILES] = {
    "LagrangianStateOut", "HamiltonianStateOut",        "FHamiltonianStateOut",
    "Energy+AngMom",      "Conservation_Energy+AngMom", "HyperbolicState",
    "SolarState",         "output_t/t_out.bin",         "output_x/x_out.bin",
    "output_h/h_out.bin", "output_sun/sun_out.bin"};

struct ph_gubas_tables {
    ph_file *file[FILES];      /* NULL: not written */
    char *made[FILES - T_OUT]; /* directories that were not there before, of the binary files */
    ph_gubas_pair pair;
    double m;    /* reduced mass [kg] */
    double E, H; /* of the first row [J, kg m^2/s] */
    bool begun, listed;
};

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static void put(ph_file *file, const double *values, size_t n, bool last)
{
    char text[33];
    for (size_t i = 0; i < n && file; i++) {
        ph_gubas_number(values[i], text);
        ph_file_text(file, text);
        ph_file_text(file, last && i + 1 == n ? "\r\n" : ",");
    }
}

/* Of both bodies and the orbit, in A [kg m^2/s]. */
typedef struct momenta {
    double p[3], A[3], B[3], B_own[3]; /* p = m v; of B in A and in its own axes */
    double omega_b[3];                 /* in B's own axes */
} momenta;

static momenta find_momenta(const ph_gubas_tables *s, const ph_gubas_state *x)
{
    momenta to;
    ph_apply_transposed3(x->C, x->omega_b, to.omega_b);
    ph_apply3(s->pair.J[0], x->omega_a, to.A);
    ph_apply3(s->pair.J[1], to.omega_b, to.B_own);
    ph_apply3(x->C, to.B_own, to.B);
    for (size_t k = 0; k < 3; k++)
        to.p[k] = s->m * x->v[k];
    return to;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* H (3) <- the total angular momentum, axes N [kg m^2/s]; returns the energy [J]. */
static double find_totals(const ph_gubas_state *x, const momenta *of, double U, double *H)
{
    const double *r = x->r, *p = of->p;
    const double total[3] = {r[1] * p[2] - r[2] * p[1] + of->A[0] + of->B[0],
                             r[2] * p[0] - r[0] * p[2] + of->A[1] + of->B[1],
                             r[0] * p[1] - r[1] * p[0] + of->A[2] + of->B[2]};
    ph_apply3(x->Cc, total, H);
    return U + (dot(p, x->v) + dot(of->A, x->omega_a) + dot(of->B_own, of->omega_b)) / 2;
}

static void put_energy(ph_gubas_tables *s, double E, const double *H)
{
    const double size = sqrt(dot(H, H));
    if (!s->begun) {
        s->E = E;
        s->H = size;
        s->begun = true;
    }
    const double values[4] = {E / 1e6, H[0] / 1e6, H[1] / 1e6, H[2] / 1e6};
    const double changes[2] = {(s->E - E) / (s->listed ? E : s->E), (s->H - size) / s->H};
    put(s->file[ENERGY], values, 4, true);
    put(s->file[CONSERVATION], changes, 2, true);
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

/* In km and km/s. */
static void in_km(const double *state, double to[6])
{
    for (size_t k = 0; k < 6; k++)
        to[k] = state ? state[k] / 1000 : 0;
}

void ph_gubas_tables_row(ph_gubas_tables *s, double t, const ph_gubas_state *x, double U,
                         const double *planet, const double *sun)
{
    const momenta of = find_momenta(s, x);
    const double *c = x->Cc, transposed[9] = {c[0], c[3], c[6], c[1], c[4], c[7], c[2], c[5], c[8]};
    double H[3], km[6];
    const double E = find_totals(x, &of, U, H);
    put_state(s->file[LAGRANGIAN], t, x, x->v, x->omega_a, of.omega_b, c, U);
    put_state(s->file[HAMILTONIAN], t, x, of.p, of.A, of.B, c, U);
    put_state(s->file[FAHNESTOCK], t, x, of.p, of.A, of.B, transposed, U);
    put_energy(s, E, H);
    for (size_t i = 0; i < 2; i++)
        if (s->file[PLANET + i]) {
            in_km(i ? sun : planet, km);
            put(s->file[PLANET + i], km, 6, true);
        }
}

void ph_gubas_tables_step(ph_gubas_tables *s, double t, const ph_gubas_state *x, const double *planet,
                          const double *sun)
{
    double row[30], km[6];
    if (!s->file[T_OUT])
        return;
    memcpy(row, x, sizeof row);
    for (size_t k = 0; k < 6; k++)
        row[k] /= 1000;
    ph_file_doubles(s->file[T_OUT], &t, 1);
    ph_file_doubles(s->file[X_OUT], row, 30);
    for (size_t i = 0; i < 2; i++)
        if (s->file[H_OUT + i]) {
            in_km(i ? sun : planet, km);
            ph_file_doubles(s->file[H_OUT + i], km, 6);
        }
}

/* ---- The object ---------------------------------------------------------------------------------------- */

/* to (size) <- the path of file i. */
static ph_status name_file(const char *folder, const ph_gubas_case *of, int i, char *to, size_t size,
                           ph_error *err)
{
    char number[3][32];
    int n;
    ph_gubas_number(of->end, number[0]);
    ph_gubas_number(of->interval, number[1]);
    ph_gubas_number(of->step, number[2]);
    if (i >= T_OUT)
        n = snprintf(to, size, "%s/%s", folder, names[i]);
    else
        n = snprintf(to, size, "%s/%s_%s_%s_%s_%zu_%d_%s.csv", folder, names[i], number[0], number[1],
                     number[2], of->order, (int)of->integrator, of->name);
    return n > 0 && (size_t)n < size
               ? PH_OK
               : ph_fail(err, PH_E_RANGE, "the path of a file in %.100s is too long", folder);
}

static bool is_written(const ph_gubas_case *of, int i, bool steps)
{
    const bool planet = of->planet.on, sun = of->sun.on;
    const bool tables = of->tables;
    return (tables && (i < PLANET || (i == PLANET && planet) || (i == SUN && sun))) ||
           (steps && (i == T_OUT || i == X_OUT || (i == H_OUT && planet) || (i == SUN_OUT && sun)));
}

/* The directory of a file, *made <- its path (malloc) if it was not there. Where it cannot be made, opening the file fails. */
static ph_status make_folder(const char *file, char **made, ph_error *err)
{
    const size_t n = (size_t)(strrchr(file, '/') - file);
    char *path = malloc(n + 1);
    if (!path)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(path, file, n);
    path[n] = '\0';
    if (!mkdir(path, 0777))
        *made = path;
    else
        free(path);
    return PH_OK;
}

static void release(ph_gubas_tables *s)
{
    for (int i = 0; i < FILES - T_OUT; i++)
        free(s->made[i]);
    free(s);
}

ph_status ph_gubas_tables_open(const char *folder, const ph_gubas_case *of, const ph_gubas_pair *pair,
                               bool steps, ph_gubas_tables **tables, ph_error *err)
{
    char path[4096];
    *tables = NULL;
    ph_status status = ph_gubas_check_name(of, err);
    if (status)
        return status;
    ph_gubas_tables *s = *tables = calloc(1, sizeof *s);
    if (!s)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->pair = *pair;
    s->m = pair->mass[0] * pair->mass[1] / (pair->mass[0] + pair->mass[1]);
    s->listed = of->interval == -1;
    for (int i = 0; i < FILES && !status; i++) {
        if (!is_written(of, i, steps))
            continue;
        status = name_file(folder, of, i, path, sizeof path, err);
        if (!status && i >= T_OUT)
            status = make_folder(path, &s->made[i - T_OUT], err);
        if (!status)
            status = ph_file_open(path, &s->file[i], err);
    }
    if (status) {
        ph_gubas_tables_abandon(s);
        *tables = NULL;
    }
    return status;
}

ph_status ph_gubas_tables_close(ph_gubas_tables *s, ph_error *err)
{
    ph_status status = PH_OK;
    for (int i = 0; i < FILES && !status; i++)
        if (s->file[i])
            status = ph_file_check(s->file[i], err);
    for (int i = 0; i < FILES && !status; i++)
        if (s->file[i]) {
            status = ph_file_commit(s->file[i], err);
            s->file[i] = NULL;
        }
    if (status)
        ph_gubas_tables_abandon(s);
    else
        release(s);
    return status;
}

void ph_gubas_tables_abandon(ph_gubas_tables *s)
{
    if (!s)
        return;
    for (int i = 0; i < FILES; i++)
        ph_file_abandon(s->file[i]);
    for (int i = 0; i < FILES - T_OUT; i++)
        if (s->made[i])
            rmdir(s->made[i]); /* where files were committed it is not empty, and stays */
    release(s);
}
