/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels of runs: those of several models begin with the model; those that are the same are distinguished by what is different in the
 * paths of their archives, in few characters. */
#include "archived.h"

#include <stdio.h>
#include <string.h>

/* Bytes of a part of a path, and how many of these may be before the first difference. */
enum { PART = 60, BEFORE = 16, END = PART + 40 };

#define ELLIPSIS "\xe2\x80\xa6"

static bool same_label(const archived *runs, size_t i, size_t k)
{
    return !strcmp(runs[i].label, runs[k].label);
}

/* The end of a path, with that many slashes in it; all of it where it has fewer. */
static const char *path_end(const char *path, size_t slashes)
{
    const char *end = path + strlen(path);
    for (; end > path; end--)
        if (end[-1] == '/' && !slashes--)
            break;
    return end;
}

/* How many slashes a path's end needs to be that of no other run with this label. */
static size_t slashes_apart(const archived *runs, size_t n, size_t own)
{
    size_t most = 0;
    for (const char *c = runs[own].file; *c; c++)
        most += *c == '/';
    for (size_t slashes = 0; slashes < most; slashes++) {
        bool apart = true;
        for (size_t k = 0; k < n; k++)
            apart =
                apart && (k == own || !same_label(runs, k, own) ||
                          strcmp(path_end(runs[k].file, slashes), path_end(runs[own].file, slashes)) != 0);
        if (apart)
            return slashes;
    }
    return most;
}

/* The place in a path's end from which on it is that of no other run with this label. */
static size_t first_difference(const archived *runs, size_t n, size_t own, size_t slashes)
{
    const char *end = path_end(runs[own].file, slashes);
    size_t most = 0;
    for (size_t k = 0; k < n; k++) {
        if (!same_label(runs, k, own) || !strcmp(runs[k].file, runs[own].file))
            continue;
        const char *other = path_end(runs[k].file, slashes);
        size_t same = 0;
        while (end[same] && end[same] == other[same])
            same++;
        most = same > most ? same : most;
    }
    return most;
}

/* Is it a byte inside a character? */
static bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* part <- the text, or PART bytes of it around a place, whole characters. */
static void shorten(char part[END], const char *text, size_t place)
{
    const size_t length = strlen(text), last = length > PART ? length - PART : 0;
    size_t from = place > BEFORE ? place - BEFORE : 0;
    from = from < last ? from : last;
    size_t to = length > from + PART ? from + PART : length;
    while (from < to && is_inside(text[from]))
        from++;
    while (to > from && is_inside(text[to]))
        to--;
    snprintf(part, END, "%s%.*s%s", from ? ELLIPSIS : "", (int)(to - from), text + from,
             to < length ? ELLIPSIS : "");
}

/* Is there another run whose label will be the same? */
static bool is_again(const archived *runs, char (*parts)[END], size_t n, size_t i)
{
    for (size_t k = 0; k < n; k++)
        if (k != i && same_label(runs, i, k) && !strcmp(parts[i], parts[k]))
            return true;
    return false;
}

/* Of several models each label begins with its own. */
static void name_models(archived *runs, size_t n)
{
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        const char *first = info_meta(&runs->info, "model"), *own = info_meta(&runs[i].info, "model");
        same = same && (!first || !own || !strcmp(first, own));
    }
    for (size_t i = 0; i < n && !same; i++) {
        char own[RUN_LABEL];
        const char *model = info_meta(&runs[i].info, "model");
        if (model && snprintf(own, sizeof own, "%.60s, %s", model, runs[i].label) < RUN_LABEL)
            strcpy(runs[i].label, own);
    }
}

void archived_name_apart(archived *runs, size_t n)
{
    char parts[RUNS_MOST][END];
    name_models(runs, n);
    for (size_t i = 0; i < n; i++) {
        bool twice = false;
        for (size_t k = 0; k < n; k++)
            twice = twice || (k != i && same_label(runs, i, k));
        const size_t slashes = slashes_apart(runs, n, i);
        *parts[i] = '\0';
        if (twice)
            shorten(parts[i], path_end(runs[i].file, slashes), first_difference(runs, n, i, slashes));
    }
    char ends[RUNS_MOST][END + 40];
    for (size_t i = 0; i < n; i++) {
        const int used = snprintf(ends[i], sizeof ends[i], *parts[i] ? " (%s)" : "%s", parts[i]);
        if (is_again(runs, parts, n, i))
            snprintf(ends[i] + used, sizeof ends[i] - (size_t)used, ", archive %zu", i + 1);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(runs[i].label);
        snprintf(runs[i].label + length, sizeof runs[i].label - length, "%s", ends[i]);
    }
}
