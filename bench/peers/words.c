/* SPDX-License-Identifier: BSD-3-Clause */
/* The cheapest methods in sentences, and all points in a table for the terminal. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

void peers_quantity(const peers *p, peer_quantity what, char *text, size_t size)
{
    if (what == PEER_ENERGY)
        snprintf(text, size, "largest energy error within %.6g s", p->horizons[what]);
    else
        snprintf(text, size, "trajectory error at t = %.6g s", p->horizons[what]);
}

/* ---- Words --------------------------------------------------------------------------------------- */

static const char *label_of(const void *self, size_t i)
{
    return ((const peers *)self)->list[i].label;
}

static double cost_of_trajectory(const void *self, size_t i, double level)
{
    return peer_cost(&((const peers *)self)->list[i], PEER_TRAJECTORY, level);
}

static double cost_of_energy(const void *self, size_t i, double level)
{
    return peer_cost(&((const peers *)self)->list[i], PEER_ENERGY, level);
}

cost_table peers_costs(const peers *p, peer_quantity what)
{
    static const double levels[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    cost_table t = {.unit = "",
                    .levels = levels,
                    .n_levels = sizeof levels / sizeof levels[0],
                    .n = p->n,
                    .label = label_of,
                    .cost = what == PEER_ENERGY ? cost_of_energy : cost_of_trajectory,
                    .self = p};
    peers_quantity(p, what, t.quantity, sizeof t.quantity);
    return t;
}

static void write_words(FILE *out, const void *self)
{
    const peers *p = self;
    fprintf(out, "%s: right-hand side in the form %s, the fastest here\n", p->problem->name, p->form);
    for (int what = 0; what < PEER_QUANTITIES; what++) {
        const cost_table t = peers_costs(p, (peer_quantity)what);
        costs_say(out, &t);
    }
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
    for (int what = 0; what < PEER_QUANTITIES; what++) {
        const cost_table t = peers_costs(p, (peer_quantity)what);
        costs_print(out, &t);
    }
}
