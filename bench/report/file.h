/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of results. */
#ifndef POLHODE_BENCH_FILE_H
#define POLHODE_BENCH_FILE_H

#include <stdio.h>

#include <polhode/status.h>

/* Open directory/name.part, which report_close renames when all of it is on the disk. */
FILE *report_open(const char *directory, const char *name, char part[4200], ph_error *err);
ph_status report_close(FILE *f, const char *part, ph_error *err);

/* Fields of a CSV file: a text quoted as in RFC 4180; a comma, and the number if it is finite. */
void field_text(FILE *f, const char *text);
void field_number(FILE *f, const char *format, double value);

/* The output of `write` as a text (malloc); NULL without memory. */
char *report_text(void (*write)(FILE *f, const void *self), const void *self);

#endif
