/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes and times in sentences and in a table for the terminal. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

double scaling_per_part(const scaling *s, const scaling_line *l, size_t k)
{
    return l->points[k].time.median / (double)s->parts[k];
}

size_t scaling_last(const scaling *s, const scaling_line *l)
{
    size_t last = SCALING_SIZES;
    for (size_t k = 0; k < s->reached; k++)
        if (scaling_has(l, k))
            last = k;
    return last;
}

void scaling_headline(const scaling *s, char *text, size_t size)
{
    const family *f = &s->family;
    size_t last = s->reached ? s->reached - 1 : 0;
    char parts[60] = "";
    if (s->reached && s->parts[last] != s->sizes[last])
        snprintf(parts, sizeof parts, " (%zu to %zu parts)", s->parts[0], s->parts[last]);
    snprintf(text, size, "%s, %s = %zu to %zu%s, from \"%s\"%s", f->model->name, f->count->name, s->sizes[0],
             s->sizes[last], parts, f->preset->name, f->tilted ? " tilted by 0.1 rad, at rest" : "");
}

/* Does line a reach a larger size than b, or the same with less time? */
static int scaling_before(const scaling *s, const scaling_line *a, const scaling_line *b)
{
    size_t ka = scaling_last(s, a), kb = scaling_last(s, b);
    if (ka == SCALING_SIZES || kb == SCALING_SIZES)
        return ka < kb;
    if (ka != kb)
        return ka > kb;
    return a->points[ka].time.median < b->points[kb].time.median;
}

/* ---- Words --------------------------------------------------------------------------------------- */

/* The line with the least time at size k among those slower than `named` (ns); NULL if there is none. */
static const scaling_line *next_quickest(const scaling *s, size_t k, double named)
{
    const scaling_line *best = NULL;
    for (size_t i = 0; i < s->n_lines; i++) {
        const scaling_line *l = &s->lines[i];
        double t = l->points[k].time.median;
        if (scaling_has(l, k) && t > named && (!best || t < best->points[k].time.median))
            best = l;
    }
    return best;
}

static void say_quickest(FILE *out, const scaling *s, size_t k)
{
    enum { NAMED = 4 };
    double named = 0, least = NAN;
    const scaling_line *l;
    fprintf(out, "  At n = %zu a step takes", s->sizes[k]);
    for (size_t i = 0; i < NAMED && (l = next_quickest(s, k, named)); i++) {
        named = l->points[k].time.median;
        if (i == 0)
            fprintf(out, " least with %s, %.3g ns (%.3g ns a part)", l->contender->label, named,
                    scaling_per_part(s, l, k));
        else
            fprintf(out, "%s %s %.2f times that", i == 1 ? "; with" : ",", l->contender->label,
                    named / least);
        least = i ? least : named;
    }
    fputs(".\n", out);
}

/* Least and largest ratio of a line over the sizes from `least` parts on. 0: the line has none. */
static int range(const scaling *s, const scaling_line *l, size_t least, int ratios, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t k = 0; k < s->reached; k++) {
        double v = ratios ? l->points[k].time.ratio : scaling_per_part(s, l, k);
        if (s->sizes[k] < least || !isfinite(v))
            continue;
        *low = fmin(*low, v);
        *high = fmax(*high, v);
    }
    return *high > 0;
}

int scaling_is_best(const scaling *s, const scaling_line *l)
{
    for (size_t i = 0; i < s->n_lines; i++) {
        const scaling_line *other = &s->lines[i];
        if (other != l && other->contender->method == l->contender->method && scaling_before(s, other, l))
            return 0;
    }
    return 1;
}

static void say_growth(FILE *out, const scaling *s, const scaling_line *l)
{
    size_t last = scaling_last(s, l);
    double low, high;
    if (last == SCALING_SIZES)
        return;
    fprintf(out, "  %s:", l->contender->label);
    if (isfinite(l->slope))
        fprintf(out, " the time of a step grows like n^%.2f over the upper half of its sizes;", l->slope);
    fprintf(out, " %.3g ns a part at n = %zu", scaling_per_part(s, l, last), s->sizes[last]);
    if (s->sizes[last] > 100 && range(s, l, 100, 0, &low, &high))
        fprintf(out, ", %.3g to %.3g from n = 100 on (a factor %.2f)", low, high, high / low);
    if (l != &s->lines[s->reference] && range(s, l, 1, 1, &low, &high))
        fprintf(out, "; %.2g to %.2g of the time of %s", low, high, s->lines[s->reference].contender->label);
    fprintf(out, "; %.0f bytes a part.\n", (double)l->points[last].bytes / (double)s->parts[last]);
}

static void say_left_out(FILE *out, const scaling *s)
{
    int any = 0;
    for (size_t i = 0; i < s->n_lines; i++) {
        const scaling_line *l = &s->lines[i];
        if (l->gone >= s->n_sizes || !l->reason[0])
            continue;
        if (!any++)
            fputs("Left out\n", out);
        fprintf(out, "  %s from n = %zu on: %s\n", l->contender->label, s->sizes[l->gone], l->reason);
    }
}

static void write_words(FILE *out, const void *self)
{
    const scaling *s = self;
    char headline[300];
    scaling_headline(s, headline, sizeof headline);
    fprintf(out, "%s\n", headline);
    if (!s->reached)
        fputs("  Nothing was timed.\n", out);
    for (size_t k = 0; k < s->reached; k++)
        if (k == 0 || k == s->reached / 2 || k == s->reached - 1)
            say_quickest(out, s, k);
    if (s->ended[0])
        fprintf(out, "  It ended there: %s\n", s->ended);
    if (s->reached)
        fputs("How the cost grows, of each method the best form\n", out);
    for (size_t i = 0; i < s->n_lines; i++)
        if (scaling_is_best(s, &s->lines[i]))
            say_growth(out, s, &s->lines[i]);
    say_left_out(out, s);
}

char *scaling_words(const scaling *s)
{
    return report_text(write_words, s);
}

/* ---- The table ----------------------------------------------------------------------------------- */

static void put_number(FILE *out, double value, int ratio)
{
    if (!isfinite(value))
        fprintf(out, " %8s", "-");
    else if (value >= 1e7)
        fprintf(out, " %8.1e", value);
    else
        fprintf(out, " %8.*f", ratio ? (value < 0.1 ? 4 : 2) : value < 100 ? 1 : 0, value);
}

static int has_number(const scaling_line *l, size_t first, size_t last, int ratios)
{
    for (size_t k = first; k < last; k++)
        if (scaling_has(l, k) && (!ratios || isfinite(l->points[k].time.ratio)))
            return 1;
    return 0;
}

static void put_block(FILE *out, const scaling *s, size_t first, size_t last, int ratios)
{
    char title[80];
    int any = 0;
    snprintf(title, sizeof title, "time of a step to that of %.30s", s->lines[s->reference].contender->label);
    for (size_t i = 0; i < s->n_lines; i++) {
        const scaling_line *l = &s->lines[i];
        if (!has_number(l, first, last, ratios))
            continue;
        if (!any++) {
            fprintf(out, "%-36s", ratios ? title : "ns a part and step, n =");
            for (size_t k = first; k < last; k++)
                fprintf(out, " %8zu", s->sizes[k]);
            fputc('\n', out);
        }
        fprintf(out, "%-36s", l->contender->label);
        for (size_t k = first; k < last; k++)
            put_number(out, ratios ? l->points[k].time.ratio : scaling_per_part(s, l, k), ratios);
        fputc('\n', out);
    }
    fputs(any ? "\n" : "", out);
}

void scaling_table(FILE *out, const scaling *s)
{
    enum { COLUMNS = 10 };
    for (int ratios = 0; ratios < 2; ratios++)
        for (size_t first = 0; first < s->reached; first += COLUMNS)
            put_block(out, s, first, first + COLUMNS < s->reached ? first + COLUMNS : s->reached, ratios);
    fprintf(out, "%-36s %8s %12s %10s\n", "", "slope", "bytes a part", "largest n");
    for (size_t i = 0; i < s->n_lines; i++) {
        const scaling_line *l = &s->lines[i];
        size_t last = scaling_last(s, l);
        if (last == SCALING_SIZES)
            continue;
        fprintf(out, "%-36s", l->contender->label);
        put_number(out, l->slope, 1);
        fprintf(out, " %12.0f %10zu\n", (double)l->points[last].bytes / (double)s->parts[last],
                s->sizes[last]);
    }
}
