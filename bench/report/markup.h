/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of a page: escaped texts, numbers in one style, bytes of a picture. */
#ifndef POLHODE_BENCH_MARKUP_H
#define POLHODE_BENCH_MARKUP_H

#include <stdio.h>

#define EN_DASH "\xe2\x80\x93"

/* Write the text, escaped; and the same between markup that is not escaped. */
void markup_text(FILE *f, const char *text);
void markup_between(FILE *f, const char *before, const char *text, const char *after);

/* Write the number in the format (of a double); an error as 3.2e-04 or 0. A dash where it is not finite. */
void markup_number(FILE *f, const char *format, double value);
void markup_error(FILE *f, double value);

void markup_base64(FILE *f, const char *bytes, size_t n);

#endif
