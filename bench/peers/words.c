/* SPDX-License-Identifier: BSD-3-Clause */
/* The cheapest methods in sentences, and all points in a table for the terminal. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

static const double levels[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
enum { LEVELS = sizeof levels / sizeof levels[0] };

void peers_quantity(const peers *p, peer_quantity what, char *text, size_t size)
{
    if (what == PEER_ENERGY)
        snprintf(text, size, "largest energy error within %.6g s", p->horizons[what]);
    else
        snprintf(text, size, "trajectory error at t = %.6g s", p->horizons[what]);
}

/* ---- Words --------------------------------------------------------------------------------------- */

/* The index of the cheapest peer for an error of this level; n where none reaches it. */
static size_t ahead(const peers *p, peer_quantity what, double level)
{
    size_t best = p->n;
    double least = INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        double cost = peer_cost(&p->list[i], what, level);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

/* "... least with rk4 for 1e-02 to 1e-06, with arkode for 1e-08" */
static void say_ahead(FILE *out, const peers *p, peer_quantity what)
{
    char quantity[120];
    int any = 0;
    peers_quantity(p, what, quantity, sizeof quantity);
    for (size_t i = 0; i < LEVELS;) {
        size_t who = ahead(p, what, levels[i]), j = i + 1;
        while (j < LEVELS && ahead(p, what, levels[j]) == who)
            j++;
        if (who < p->n) {
            if (!any++)
                fprintf(out, "  The %s costs least", quantity);
            fprintf(out, "%s with %s for %.0e", any > 1 ? "," : "", p->list[who].label, levels[i]);
            if (j > i + 1)
                fprintf(out, " to %.0e", levels[j - 1]);
        }
        i = j;
    }
    if (any)
        fputs(".\n", out);
    else
        fprintf(out, "  No method has a %s of 1e-02 or less in these runs.\n", quantity);
}

static void say_level(FILE *out, const peers *p, peer_quantity what, double level)
{
    size_t best = ahead(p, what, level);
    char quantity[120];
    if (best == p->n)
        return;
    double least = peer_cost(&p->list[best], what, level);
    peers_quantity(p, what, quantity, sizeof quantity);
    fprintf(out, "  For the %s to be %.0e: %s %.3g ms", quantity, level, p->list[best].label, 1e3 * least);
    for (size_t i = 0; i < p->n; i++) {
        double cost = peer_cost(&p->list[i], what, level);
        if (i == best)
            continue;
        fprintf(out, ", %s", p->list[i].label);
        if (isfinite(cost))
            fprintf(out, " %.1f times that", cost / least);
        else
            fputs(" not reached in these runs", out);
    }
    fputs(".\n", out);
}

static void write_words(FILE *out, const void *self)
{
    const peers *p = self;
    fprintf(out, "%s: right-hand side in the form %s, the fastest here\n", p->problem->name, p->form);
    for (int what = 0; what < PEER_QUANTITIES; what++)
        say_ahead(out, p, (peer_quantity)what);
    fputs("What an accuracy costs\n", out);
    for (int what = 0; what < PEER_QUANTITIES; what++)
        for (size_t i = 0; i < LEVELS; i++)
            say_level(out, p, (peer_quantity)what, levels[i]);
    if (p->truth.text[0])
        fprintf(out, "  %s\n", p->truth.text);
}

char *peers_words(const peers *p)
{
    return report_text(write_words, p);
}

/* ---- The table ----------------------------------------------------------------------------------- */

static void put_run(FILE *out, const peer_run *r)
{
    if (!r->steps)
        fprintf(out, " %10s %12s", "left out", "-");
    else if (r->status)
        fprintf(out, " %23s", r->status == PH_E_DIVERGED ? "diverged" : ph_status_text(r->status));
    else
        fprintf(out, " %10.1e %12.4g", r->error, 1e3 * r->cpu);
}

void peers_table(FILE *out, const peers *p)
{
    fprintf(out, "%-34s %10s %23s %23s\n", p->problem->name, "", "trajectory   ", "energy   ");
    fprintf(out, "%-34s %10s %10s %12s %10s %12s\n", "method", "h or rtol", "error", "CPU [ms]", "error",
            "CPU [ms]");
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < PEER_POINTS; k++) {
            const peer_point *point = &p->list[i].points[k];
            fprintf(out, "%-34s %10.3g", k ? "" : p->list[i].label, point->setting);
            for (int what = 0; what < PEER_QUANTITIES; what++)
                put_run(out, &point->runs[what]);
            fputc('\n', out);
        }
}
