/* SPDX-License-Identifier: BSD-3-Clause */
/* What accuracies cost: a table of methods and accuracies, in which the cheapest of each is marked, and a sentence. */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>

enum { LEVELS_MOST = 8, HEAD = 32 };

static double cost_of(const study *s, const study_accuracy *a, size_t i, size_t level)
{
    return study_cost(&s->lines[i], a->series, a->error, a->levels[level]);
}

/* The method with the least cost; s->n: none is that good. */
static size_t find_cheapest(const study *s, const study_accuracy *a, size_t level)
{
    size_t best = s->n;
    double least = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        const double cost = cost_of(s, a, i, level);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

void costs_quantity(const study *s, const study_accuracy *a, char text[120])
{
    const int n = snprintf(text, 80, "%s", a->quantity);
    if (a->when)
        snprintf(text + n, 40, "%s%.6g s", a->when, s->times[a->series]);
}

void costs_print(FILE *out, const study *s, const study_accuracy *a, int width)
{
    char quantity[120];
    costs_quantity(s, a, quantity);
    fprintf(out, "  CPU time [ms] for the %s\n  %-*s", quantity, width, "");
    for (size_t k = 0; k < a->n; k++) {
        char head[40];
        snprintf(head, sizeof head, "%.0e%s", a->levels[k], a->unit);
        fprintf(out, "%9s ", head);
    }
    fputc('\n', out);
    for (size_t i = 0; i < s->n; i++) {
        fprintf(out, "  %-*s", width, s->lines[i].label);
        for (size_t k = 0; k < a->n; k++) {
            const double cost = cost_of(s, a, i, k);
            char number[24] = "-";
            if (isfinite(cost))
                snprintf(number, sizeof number, "%.3g", 1e3 * cost);
            fprintf(out, "%9s%c", number, find_cheapest(s, a, k) == i ? '*' : ' ');
        }
        fputc('\n', out);
    }
}

void costs_say(FILE *out, const study *s, const study_accuracy *a)
{
    bool said = false;
    char quantity[120];
    costs_quantity(s, a, quantity);
    for (size_t k = 0, next; k < a->n; k = next) {
        const size_t best = find_cheapest(s, a, k);
        for (next = k + 1; next < a->n && find_cheapest(s, a, next) == best; next++)
            ;
        if (best == s->n && !said)
            fprintf(out, "  No method has a %s of %.0e", quantity, a->levels[k]);
        else if (best == s->n)
            fprintf(out, "; no method reaches %.0e", a->levels[k]);
        else if (said)
            fprintf(out, ", with %s for %.0e", s->lines[best].label, a->levels[k]);
        else
            fprintf(out, "  The %s costs least with %s for %.0e", quantity, s->lines[best].label,
                    a->levels[k]);
        if (next > k + 1)
            fprintf(out, " to %.0e", a->levels[next - 1]);
        fputs(a->unit, out);
        said = true;
    }
    fputs(".\n", out);
}

void costs_page(FILE *f, const study *s, const study_accuracy *a)
{
    char texts[LEVELS_MOST][HEAD], quantity[120], caption[160];
    const char *heads[LEVELS_MOST + 1] = {"method"};
    for (size_t k = 0; k < a->n; k++) {
        snprintf(texts[k], HEAD, "%.0e%s", a->levels[k], a->unit);
        heads[k + 1] = texts[k];
    }
    costs_quantity(s, a, quantity);
    snprintf(caption, sizeof caption, "CPU time [ms] for the %s", quantity);
    markup_table(f, caption, heads, a->n + 1);
    for (size_t i = 0; i < s->n; i++) {
        markup_between(f, "<tr><th scope=\"row\">", s->lines[i].label, "</th>");
        for (size_t k = 0; k < a->n; k++)
            markup_cell_best(f, heads[k + 1], find_cheapest(s, a, k) == i, "%.3g", 1e3 * cost_of(s, a, i, k));
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}
