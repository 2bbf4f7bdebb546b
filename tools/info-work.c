/* SPDX-License-Identifier: BSD-3-Clause */
/* The balance of energy and work of an archive that has the columns t, energy and power: the integral of the power over the
 * rows, interval by interval of the cubic through the two rows before and the two behind it, so that its error is of order 4 in the
 * distance of rows; at both ends of the cubic through the first or last four. */
#include "info.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 1024, NODES = 4 };

/* The latest rows, the last of them at the end; how many there have been. */
typedef struct window {
    double t[NODES], power[NODES], integral, first, last;
    int64_t rows;
} window;

/* The integral from a to b of the polynomial through the first n points (Lagrange). */
static double integrate(const double *t, const double *f, int n, double a, double b)
{
    /* two points of Gauss: exact for cubics */
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a) / sqrt(3.);
    double sum = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double at = middle + side * half;
        for (int i = 0; i < n; i++) {
            double basis = f[i];
            for (int j = 0; j < n; j++)
                if (j != i)
                    basis *= (at - t[j]) / (t[i] - t[j]);
            sum += basis;
        }
    }
    return 0.5 * (b - a) * sum;
}

/* What the window adds for the interval from its node `at` to the next one. */
static void add_interval(window *w, int nodes, int at)
{
    const double *t = w->t + NODES - nodes, *power = w->power + NODES - nodes;
    w->integral += integrate(t, power, nodes, t[at], t[at + 1]);
}

static void add_row(window *w, double t, double energy, double power)
{
    if (w->rows && t == w->t[NODES - 1])
        return;
    memmove(w->t, w->t + 1, (NODES - 1) * sizeof *w->t);
    memmove(w->power, w->power + 1, (NODES - 1) * sizeof *w->power);
    w->t[NODES - 1] = t;
    w->power[NODES - 1] = power;
    w->first = w->rows ? w->first : energy;
    w->last = energy;
    w->rows++;
    if (w->rows == NODES)
        add_interval(w, NODES, 0);
    if (w->rows >= NODES)
        add_interval(w, NODES, 1);
}

static void end_rows(window *w)
{
    const int nodes = w->rows < NODES ? (int)w->rows : NODES;
    for (int at = w->rows < NODES ? 0 : NODES - 2; at + 1 < nodes; at++)
        add_interval(w, nodes, at);
}

bool info_balance(ph_record *record, double *work, double *change)
{
    const size_t n = ph_record_columns(record), t = ph_record_find(record, "t"),
                 energy = ph_record_find(record, "energy"), power = ph_record_find(record, "power");
    window w = {.rows = 0};
    int64_t read = 1, next = 0;
    if (t == n || energy == n || power == n)
        return false;
    double *values = malloc(AT_ONCE * n * sizeof *values);
    ph_error err;
    bool whole = values != NULL;
    while (whole && read > 0) {
        whole = !ph_record_read(record, next, AT_ONCE, values, &read, &next, &err);
        for (int64_t k = 0; whole && k < read; k++) {
            const double *row = values + (size_t)k * n;
            add_row(&w, row[t], row[energy], row[power]);
        }
    }
    free(values);
    end_rows(&w);
    *work = w.integral;
    *change = w.last - w.first;
    return whole && w.rows > 1;
}
