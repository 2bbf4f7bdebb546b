/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of methods and accuracies (costs.h). */
#include "costs.h"
#include "markup.h"

#include <math.h>
#include <stdbool.h>

enum { LEVELS_MOST = 8, HEAD = 32 };

/* The method with the least cost; t->n: none is that good. */
static size_t find_cheapest(const cost_table *t, double level)
{
    size_t best = t->n;
    double least = INFINITY;
    for (size_t i = 0; i < t->n; i++) {
        const double cost = t->cost(t->self, i, level);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

void costs_print(FILE *out, const cost_table *t)
{
    fprintf(out, "  CPU time [ms] for the %s\n  %-36s", t->quantity, "");
    for (size_t k = 0; k < t->n_levels; k++) {
        char head[40];
        snprintf(head, sizeof head, "%.0e%s", t->levels[k], t->unit);
        fprintf(out, "%9s ", head);
    }
    fputc('\n', out);
    for (size_t i = 0; i < t->n; i++) {
        fprintf(out, "  %-36s", t->label(t->self, i));
        for (size_t k = 0; k < t->n_levels; k++) {
            const double cost = t->cost(t->self, i, t->levels[k]);
            char number[24] = "-";
            if (isfinite(cost))
                snprintf(number, sizeof number, "%.3g", 1e3 * cost);
            fprintf(out, "%9s%c", number, find_cheapest(t, t->levels[k]) == i ? '*' : ' ');
        }
        fputc('\n', out);
    }
}

void costs_say(FILE *out, const cost_table *t)
{
    bool said = false;
    for (size_t k = 0, next; k < t->n_levels; k = next) {
        const size_t best = find_cheapest(t, t->levels[k]);
        for (next = k + 1; next < t->n_levels && find_cheapest(t, t->levels[next]) == best; next++)
            ;
        if (best == t->n && !said)
            fprintf(out, "  No method has a %s of %.0e", t->quantity, t->levels[k]);
        else if (best == t->n)
            fprintf(out, "; no method reaches %.0e", t->levels[k]);
        else if (said)
            fprintf(out, ", with %s for %.0e", t->label(t->self, best), t->levels[k]);
        else
            fprintf(out, "  The %s costs least with %s for %.0e", t->quantity, t->label(t->self, best),
                    t->levels[k]);
        if (next > k + 1)
            fprintf(out, " to %.0e", t->levels[next - 1]);
        fputs(t->unit, out);
        said = true;
    }
    fputs(".\n", out);
}

void costs_page(FILE *f, const cost_table *t)
{
    char texts[LEVELS_MOST][HEAD], caption[160];
    const char *heads[LEVELS_MOST + 1] = {"method"};
    const size_t n = t->n_levels < LEVELS_MOST ? t->n_levels : LEVELS_MOST;
    for (size_t k = 0; k < n; k++) {
        snprintf(texts[k], HEAD, "%.0e%s", t->levels[k], t->unit);
        heads[k + 1] = texts[k];
    }
    snprintf(caption, sizeof caption, "CPU time [ms] for the %s", t->quantity);
    markup_table(f, caption, heads, n + 1);
    for (size_t i = 0; i < t->n; i++) {
        markup_between(f, "<tr><th scope=\"row\">", t->label(t->self, i), "</th>");
        for (size_t k = 0; k < n; k++)
            markup_cell_best(f, heads[k + 1], find_cheapest(t, t->levels[k]) == i, "%.3g",
                             1e3 * t->cost(t->self, i, t->levels[k]));
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}
