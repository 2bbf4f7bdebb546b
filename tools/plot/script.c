/* SPDX-License-Identifier: BSD-3-Clause */
/* Quoted texts. */
#include "script.h"

#include "bench/report/utf8.h"

#include <string.h>

/* Within single quotes gnuplot replaces nothing and runs nothing. */
void script_text(FILE *g, const char *text)
{
    char one[5];
    fputc('\'', g);
    while (*text) {
        text = utf8_next(text, one);
        fputs(*one == '\'' ? "''" : (strpbrk(one, "\t\r\n") ? " " : one), g);
    }
    fputc('\'', g);
}

/* Within double quotes, which line ends take, gnuplot would run what stands between backquotes: each byte is written by its number. */
void script_lines(FILE *g, const label_text *lines)
{
    fputc('"', g);
    for (size_t i = 0; i < lines->n; i++) {
        fputs(i ? "\\n" : "", g);
        for (const char *c = lines->lines[i]; *c; c++)
            fprintf(g, "\\%03o", (unsigned)(unsigned char)*c);
    }
    fputc('"', g);
}
