/* SPDX-License-Identifier: BSD-3-Clause */
/* What importers share: a format of files is a row of `formats` (read.c), which reads a file and writes a scenario. */
#ifndef PH_IMPORT_IMPORT_H
#define PH_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <polhode/domain/import.h>

/* Remarks: paragraphs, wrapped. */
typedef struct ph_remarks {
    FILE *out;
    char *text; /* malloc, complete once `out` is closed */
    size_t size;
} ph_remarks;

/* One paragraph; nothing where r is NULL. */
void ph_remark(ph_remarks *r, const char *format, ...) PH_PRINTF(2, 3);

/* What an importer writes to. */
typedef struct ph_importing {
    ph_import to;
    FILE *out;
    const char *output; /* nullable: the file that the scenario is for */
    ph_remarks words;
} ph_importing;

/* The first lines of the scenario: which file of which program it is from, the remarks, which are complete then, and the
 * model. */
void ph_put_head(ph_importing *to, const char *program, const char *file, const char *model);
/* A number with the digits that it needs; a list "[1, 2, 3]"; a text in quotes; "key: number" and the end of the line. */
void ph_put_number(FILE *out, double value);
void ph_put_numbers(FILE *out, const double *v, size_t n);
void ph_put_quoted(FILE *out, const char *text);
void ph_put_key(FILE *out, const char *key, double value);
/* The unit quaternion (w, x, y, z) of the rotation that is nearest to R, w >= 0. */
void ph_put_attitude(FILE *out, const double R[9]);

/* text <- the number as Python prints it: the fewest digits that are read as the same number, "7200.0", "1e-05". */
void ph_python_number(double value, char text[32]);

/* The importers: the file is one of the row's format. */
typedef ph_status ph_importer(const char *file, ph_importing *to, ph_error *err);
ph_importer ph_import_gubas_config, ph_import_gubas_input, ph_import_grit;

/* file (size) <- the one that is meant by a path, a directory or a file; *importer <- of its row. */
ph_status ph_import_find(const char *path, char *file, size_t size, ph_importer **importer, ph_error *err);

#endif
