/* SPDX-License-Identifier: BSD-3-Clause */
/* Quoted texts. */
#include "gnuplot.h"
#include "utf8.h"

#include <string.h>

/* Within double quotes, which line ends take, gnuplot would run what stands between backquotes, and within single ones its versions read
 * a doubled quote differently: each byte is written by its number. */
static void put_bytes(FILE *g, const char *text)
{
    for (const char *c = text; *c; c++)
        fprintf(g, "\\%03o", (unsigned)(unsigned char)*c);
}

void script_text(FILE *g, const char *text)
{
    char one[5];
    fputc('"', g);
    while (*text) {
        text = utf8_next(text, one);
        put_bytes(g, strpbrk(one, "\t\r\n") ? " " : one);
    }
    fputc('"', g);
}

void script_lines(FILE *g, const label_text *lines)
{
    fputc('"', g);
    for (size_t i = 0; i < lines->n; i++) {
        fputs(i ? "\\n" : "", g);
        put_bytes(g, lines->lines[i]);
    }
    fputc('"', g);
}
