/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of a page: escaped texts, numbers in one style, bytes of a picture. */
#ifndef POLHODE_BENCH_MARKUP_H
#define POLHODE_BENCH_MARKUP_H

#include <stdbool.h>
#include <stdio.h>

#include "figures/utf8.h"

#define EN_DASH "\xe2\x80\x93"

/* Write the number in the format (of a double); an error as 3.2e-04 or 0. A dash where it is not finite. */
void markup_number(FILE *f, const char *format, double value);
void markup_error(FILE *f, double value);

/* Begin a table with its caption and the heads of its columns (n), the first of which names the rows; end it. */
void markup_table(FILE *f, const char *caption, const char *const *heads, size_t n);
void markup_table_end(FILE *f);
/* A cell in the column of that head: the number in the format, or as an error where it is NULL; a text. */
void markup_cell(FILE *f, const char *head, const char *format, double value);
/* The number in bold where it is the best of its column. */
void markup_cell_best(FILE *f, const char *head, bool best, const char *format, double value);
void markup_cell_text(FILE *f, const char *head, const char *text);

void markup_base64(FILE *f, const char *bytes, size_t n);

#endif
