/* SPDX-License-Identifier: BSD-3-Clause */
/* The looks of curves of whole runs, and their words. */
#include "curve.h"
#include "figures/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool curve_is_dots(const extent *e, size_t x, double width, size_t y, double height)
{
    return e->entered > 500 && extent_stride(e, x, width, y, height) > 0.2;
}

size_t curve_rows(const plot_input *in, size_t curves)
{
    return (in->rows ? in->rows : CURVE_ROWS) / curves;
}

drawn curve_look(const thin *path, size_t run, bool alone)
{
    const bool full = thin_covered(path) > (alone ? 0.15 : 0.05);
    return (drawn){.look = path->dots ? LOOK_DOTS : (full ? LOOK_FAINT : LOOK_LINE),
                   .run = run,
                   .cells = full ? path->cells : 0};
}

static void say_times(char text[120], double first, double last)
{
    char from[40], to[40];
    for (int digits = 6; digits <= 15; digits += 3) { /* as many as distinguish the two */
        snprintf(from, sizeof from, "%.*g", digits, first);
        snprintf(to, sizeof to, "%.*g", digits, last);
        if (strcmp(from, to) != 0)
            break;
    }
    snprintf(text, 120, "from t = %s to %s s", from, to);
}

void curve_times(char text[120], const extent *e)
{
    say_times(text, e->first[0], e->before[0]);
}

void curve_words(char text[200], const thin *path)
{
    snprintf(text, 200, "all %" PRId64 " rows as %s", path->entered, path->dots ? "dots" : "a line");
    const double width = path->n_planes > 2 ? 150 : 250; /* of a panel [pixels] */
    if (width / (double)path->cells > 1.2)
        text_add(text, 200, ", to %.2g pixels", width / (double)path->cells);
}

static bool has_same_rows(const archived *a, const archived *b)
{
    return a->rows == b->rows &&
           (!a->rows || (a->span->first == b->span->first && a->span->last == b->span->last));
}

void curve_say_others(making *m)
{
    const archived *runs = m->in->runs;
    picture *p = &m->picture;
    bool any = false;
    for (size_t i = 1; i < p->n_runs; i++) {
        const archived *a = &runs[i];
        char when[120] = "";
        if (has_same_rows(a, runs))
            continue;
        if (a->rows)
            say_times(when, a->span->first, a->span->last);
        text_add(p->words, sizeof p->words, "%s%.80s%s%.80s has %" PRId64 " row%s %s",
                 any ? "" : " This is said of ", any ? "" : runs->label, "; ", a->label, a->rows,
                 a->rows == 1 ? "" : "s", when);
        any = true;
    }
    if (any)
        text_add(p->words, sizeof p->words, ".");
}
