/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of characters by gnuplot's terminals dumb and block. */
#include "gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Characters around the axes. */
enum { LEFT = 9, RIGHT = 4, TOP = 1, BOTTOM = 3 };
enum { NARROW = 60, ROWS = 24, FEW_ROWS = 18 }; /* fewer columns than NARROW have fewer rows */
enum { KEY_LETTERS = 72 };                      /* in a line of the key, behind the digit */

static size_t rows_of(size_t columns)
{
    return columns < NARROW ? FEW_ROWS : ROWS;
}

void text_begin(FILE *g, plot_format format, size_t columns)
{
    fprintf(g, "set terminal %s size %zu,%zu mono\n", format == PLOT_BLOCK ? "block braille" : "dumb",
            columns, rows_of(columns));
    fprintf(g, "set lmargin %d\nset rmargin %d\nset tmargin %d\nset bmargin %d\n", LEFT, RIGHT, TOP, BOTTOM);
}

void text_put_above(FILE *g, size_t columns)
{
    fprintf(g, "character 1,%zu left", rows_of(columns) - 1);
}

/* ---- Curves ------------------------------------------------------------------------------------------------ */

static const char densities[] = ".:-=+*#%@";

char text_of_cell(double shade)
{
    const int levels = (int)sizeof densities - 1;
    return isfinite(shade) ? densities[(int)fmin(fmax(shade, 0) * levels, levels - 1)] : '?';
}

/* Lines of a run are of one kind: gnuplot's terminals draw each kind with another character, or with other dashes. */
void text_put_curve(FILE *g, const picture *p, const drawn *c, size_t data, double scale, plot_format format)
{
    const size_t kind = c->run + 1;
    fprintf(g, " $d%zu using 1:2", data);
    switch (c->look) {
    case LOOK_DOTS:
        if (p->n_labels)
            fprintf(g, " with points pt '%zu'", kind);
        else
            fputs(format == PLOT_DUMB ? " with points pt 'o'" : " with points pt 7 ps 0.3", g);
        break;
    case LOOK_BAND:
        fprintf(g, " with lines lt %zu notitle, $d%zu using 1:3 with lines lt %zu", kind, data, kind);
        break;
    case LOOK_BARS:
        fprintf(g, ":(%.4g) with boxes fs empty lt %zu", c->width / scale, kind);
        break;
    case LOOK_CELLS:
        fputs(":8 with labels", g);
        break;
    case LOOK_CROSS:
        fputs(" with points pt 'x'", g);
        break;
    case LOOK_GUIDE:
    case LOOK_HAZE:
        fputs(" with lines lt 0", g);
        break;
    default:
        fprintf(g, " with lines lt %zu", kind);
    }
    fputs(" notitle", g);
}

/* ---- Digits at the ends of curves -------------------------------------------------------------------------- */

/* A place in the picture [characters from its lower left corner]. */
typedef struct spot {
    double x, y;
} spot;

/* Moves it to the right while another stands there. */
static void step_aside(spot *own, const spot *others, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(others[i].x - own->x) < 0.5 && fabs(others[i].y - own->y) < 0.5) {
            own->x++;
            i = (size_t)-1; /* from the first one again */
        }
}

void text_put_ends(FILE *g, const picture *p, const panel *at, size_t columns, const range *x, const range *y)
{
    const double right = (double)columns - 1 - RIGHT, top = (double)rows_of(columns) - 1 - TOP;
    spot spots[LABELS_MOST];
    size_t runs[LABELS_MOST], n = 0;
    double wanted[LABELS_MOST] = {0}, heights[LABELS_MOST] = {0}, tops[LABELS_MOST];
    for (size_t run = 0; run < p->n_labels; run++) {
        double end_x, end_y;
        if (!panel_end(at, run, &end_x, &end_y))
            continue;
        spots[n].x = at->ends ? right + 1 : round(LEFT + (right - LEFT) * axes_share(end_x, x, at->log_x));
        spots[n].y = round(BOTTOM + (top - BOTTOM) * axes_share(end_y, y, at->log_y));
        wanted[n] = -spots[n].y;
        heights[n] = 1;
        runs[n++] = run;
    }
    labels_place(n, wanted, heights, 1 - top, -BOTTOM, tops); /* between the lines of the frame */
    for (size_t i = 0; i < n; i++) {
        if (at->ends)
            spots[i].y = floor(0.5 - tops[i]);
        else
            step_aside(&spots[i], spots, i);
        fprintf(g, "set label '%zu' at character %.0f,%.0f left front\n", runs[i] + 1, spots[i].x,
                spots[i].y);
    }
}

/* ---- The key ------------------------------------------------------------------------------------------------ */

/* The character with which the terminal dumb draws the lines of a run. */
static char character_of(size_t run)
{
    static const char characters[] = "*#$%@&=";
    return characters[run % (sizeof characters - 1)];
}

static void put_entry(FILE *f, const picture *p, plot_format format, size_t columns, size_t run)
{
    char head[16], whole[RUN_LABEL + 60];
    label_text lines;
    const char c = character_of(run);
    const int indent = format == PLOT_DUMB && picture_has(p, run, DASHES, ~(LOOK(DOTS) | LOOK(GUIDE)))
                           ? snprintf(head, sizeof head, " %zu %c%c%c ", run + 1, c, c, c)
                           : snprintf(head, sizeof head, " %zu ", run + 1);
    const size_t room = columns > (size_t)indent + 8 ? columns - (size_t)indent : 8;
    snprintf(whole, sizeof whole, "%s%s%s", p->labels[run], *p->notes[run] ? ", " : "", p->notes[run]);
    label_wrap(&lines, whole, room < KEY_LETTERS ? room : KEY_LETTERS, LABEL_LINES);
    for (size_t i = 0; i < lines.n; i++)
        fprintf(f, "%*s%s\n", i ? indent : 0, i ? "" : head, lines.lines[i]);
}

/* Which values the characters of cells stand for. */
static void put_scale(FILE *f, const colour_scale *scale, bool ascii)
{
    static const numbers plain = {0, 1, 0};
    char label[AXIS_LABEL];
    axes_label(label, scale->label, &plain, ascii);
    fprintf(f, " %s: %c is %.4g, %c is %.4g%s\n", label, densities[0], scale->least,
            densities[sizeof densities - 2], scale->most,
            scale->log ? ", each character times the same factor" : "");
}

ph_status text_add_key(const picture *p, plot_format format, size_t columns, char **bytes, size_t *size,
                       ph_error *err)
{
    char *all = NULL;
    size_t length = 0;
    FILE *f = p->n_labels || *p->scale.label ? open_memstream(&all, &length) : NULL;
    if (!p->n_labels && !*p->scale.label)
        return PH_OK;
    if (!f)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    fwrite(*bytes, 1, *size, f);
    for (size_t run = 0; run < p->n_labels; run++) {
        double x, y;
        bool seen = false;
        for (size_t i = 0; i < p->n && !seen; i++)
            seen = panel_end(&p->panels[i], run, &x, &y);
        if (seen)
            put_entry(f, p, format, columns, run);
    }
    if (*p->scale.label)
        put_scale(f, &p->scale, format == PLOT_DUMB);
    const bool failed = ferror(f);
    if (fclose(f) || failed) {
        free(all);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    free(*bytes);
    *bytes = all;
    *size = length;
    return PH_OK;
}
