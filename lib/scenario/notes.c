/* SPDX-License-Identifier: BSD-3-Clause */
/* Remarks on a scenario: what is no error, but likely not what was meant. */
#define _GNU_SOURCE
#include "parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void ph_note(ph_scenario *s, const ph_node *at, const char *format, ...)
{
    char text[900], *line = NULL;
    va_list args;
    va_start(args, format);
    const int written = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char **list = realloc(s->notes, (s->n_notes + 1) * sizeof *list);
    if (!list)
        return;
    s->notes = list;
    if (written < 0 || asprintf(&line, "%s%s%s", at ? at->path : "", at ? ": " : "", text) < 0)
        return;
    s->notes[s->n_notes++] = line;
}

void ph_free_notes(ph_scenario *s)
{
    for (size_t i = 0; i < s->n_notes; i++)
        free(s->notes[i]);
    free(s->notes);
}

const char *ph_scenario_found(const ph_scenario *s)
{
    return s->found.text[0] ? s->found.text : NULL;
}

const char *const *ph_scenario_notes(const ph_scenario *s, size_t *n)
{
    *n = s->n_notes;
    return (const char *const *)s->notes;
}
