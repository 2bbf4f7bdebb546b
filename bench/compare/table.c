/* SPDX-License-Identifier: BSD-3-Clause */
/* The table for the terminal: a row for each trial, in the blocks in which they are compared. */
#include "report.h"

#include <math.h>
#include <string.h>

static void number(char text[16], const char *format, double value)
{
    if (isfinite(value))
        snprintf(text, 16, format, value);
    else
        strcpy(text, "-");
}

static void row(FILE *out, const trial *t)
{
    const ph_summary *s = &t->summary;
    const double values[] = {fabs(t->h),
                             s->energy_error_max,
                             s->energy_error_max_first_tenth,
                             s->energy_error_max_last_tenth,
                             trial_growth(t),
                             s->momentum_error_max,
                             s->constraint_error_max,
                             t->time.median,
                             t->time.ratio,
                             t->passes};
    static const char *const formats[] = {"%.4g", "%.1e", "%.1e", "%.1e", "%.2f",
                                          "%.1e", "%.1e", "%.0f", "%.2f", "%.1f"};
    fprintf(out, "%-28s", t->contender->label);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[16];
        number(text, formats[i], t->steps_done || i == 0 || i == 7 || i == 8 ? values[i] : NAN);
        fprintf(out, " %8s", text);
    }
    if (t->status && t->steps_done)
        fprintf(out, "  %s at t = %.6g s",
                t->status == PH_E_DIVERGED || t->status == PH_E_NOT_FINITE ? "diverged"
                                                                           : ph_status_text(t->status),
                t->t_end);
    fputc('\n', out);
}

static void block(FILE *out, const comparison *c, trial_basis basis)
{
    int rows = 0;
    for (size_t i = 0; i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t->basis != basis)
            continue;
        if (!rows++)
            fprintf(out,
                    "%-37s      largest |energy error|           momentum constrnt          CPU to   Newton\n"
                    "%-28s    h [s]      all 1st 10th last 10t last/1st    "
                    "error    error  ns/step     ref.    iter.\n",
                    basis == SAME_STEP  ? "At the same step"
                    : basis == SAME_CPU ? "At the same CPU time"
                                        : "With their own steps (h: time between outputs)",
                    "method");
        row(out, t);
    }
}

void report_table(FILE *out, const comparison *c)
{
    block(out, c, SAME_STEP);
    block(out, c, SAME_CPU);
    block(out, c, OWN_STEPS);
}
