/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of `polhode gubas` share: files of GUBAS and of GRIT made into scenarios, GUBAS's tables. */
#ifndef POLHODE_TOOLS_GUBAS_H
#define POLHODE_TOOLS_GUBAS_H

#include <stdbool.h>
#include <stdio.h>

#include <polhode/grit.h>
#include <polhode/gubas.h>

/* ---- Text (gubas-text.c) ------------------------------------------------------------------------------- */

/* Remarks, a line each, without marks. */
typedef struct remarks {
    FILE *out;
    char *text; /* malloc, complete once out is closed */
    size_t size;
    int n;
} remarks;

ph_status remarks_open(remarks *r, ph_error *err);
void remarks_close(remarks *r); /* text is complete; a second time does nothing */
void remark(remarks *r, const char *format, ...) PH_PRINTF(2, 3);
/* The same as a ph_gubas_remark or ph_grit_remark; `to` is a remarks. */
void keep_remark(void *to, const char *text);
/* Wrapped, each beginning with `mark`, its other lines with blanks as long behind `head`. */
void print_remarks(const remarks *r, FILE *out, const char *head, const char *mark);

/* A number with the digits that it needs; a list "[1, 2, 3]"; a text in quotes for YAML. */
void put_yaml_number(FILE *out, double value);
void put_yaml_numbers(FILE *out, const double *v, size_t n);
void put_yaml_text(FILE *out, const char *text);
/* q (4) <- the unit quaternion (w, x, y, z) of the rotation that is nearest to R, w >= 0. */
void quaternion_of(const double R[9], double q[4]);

/* ---- GUBAS (gubas-scenario.c, gubas-words.c) ----------------------------------------------------------- */

/* The scenario of the case, with what words say as comments. output: where it will be, or NULL; paths in it
 * are relative to that. PH_E_IO: the file of times cannot be read. */
ph_status put_gubas_scenario(FILE *out, const ph_gubas_case *c, const ph_gubas_solid solid[2],
                             const char *output, const remarks *words, ph_error *err);
/* In words, what is taken differently from GUBAS, and why. */
void say_differences(remarks *words, const ph_gubas_case *c, const ph_gubas_solid solid[2]);
/* The radius [m] that gives the law of tides here the torque of GUBAS's, whose R^5 is (3 M/4 pi rho)^2/R of the reference radius. */
double tide_radius(const ph_gubas_body *body, const ph_mass *mass);
/* How many steps it takes, as GUBAS counts them: until the time is not below the end. */
double count_steps(const ph_gubas_case *c);
/* *values (malloc) <- the numbers of its file of times, *n. */
ph_status read_times(const ph_gubas_case *c, double **values, size_t *n, ph_error *err);

/* ---- Tables (gubas-tables.c) --------------------------------------------------------------------------- */

/* Computes the motion as GUBAS does and writes its files to the folder. Returns an exit code. */
int write_compatible(const ph_gubas_case *c, const char *folder, bool quiet);
/* Writes GUBAS's tables of a run, an archive or a directory with one, to the folder. Returns an exit code. */
int write_tables(const ph_gubas_case *c, const ph_gubas_solid solid[2], const char *run, const char *folder);

/* ---- GRIT (grit-scenario.c) ---------------------------------------------------------------------------- */

void put_grit_scenario(FILE *out, const ph_grit_case *c, const remarks *words);
void say_grit_differences(remarks *words, const ph_grit_case *c);

#endif
