/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors in bins of time that are equal on a logarithmic axis. */
#include "curve.h"

#include <math.h>

curve curve_start(double t_first)
{
    return (curve){.t_first = t_first};
}

void curve_enter(curve *c, double t, double error)
{
    if (!(t > 0.5 * c->t_first))
        return;
    c->t_last = t;
    double place = ceil(BINS_PER_DECADE * log10(t / c->t_first) -
                        1e-9); /* a time on a border belongs to the bin below it */
    size_t i = place > 0 ? (size_t)place : 0;
    if (i >= BINS_MOST)
        i = BINS_MOST - 1;
    for (; c->n <= i; c->n++)
        c->bin[c->n] = NAN;
    c->bin[i] = fmax(c->bin[i], fabs(error));
}

void curve_scale(curve *c, double factor)
{
    for (size_t i = 0; i < c->n; i++)
        c->bin[i] *= factor;
}

double curve_bin(const curve *c, size_t i)
{
    return i < c->n ? c->bin[i] : (double)NAN;
}

double curve_time(const curve *c, size_t i)
{
    return fmin(c->t_first * pow(10, (double)i / BINS_PER_DECADE), c->t_last);
}

double curve_running_max(const curve *c, size_t i)
{
    double most = NAN;
    for (size_t j = 0; j <= i && j < c->n; j++)
        most = fmax(most, c->bin[j]);
    return most;
}

double curve_until(const curve *c, double t)
{
    double most = NAN;
    for (size_t i = 0; i < c->n && curve_time(c, i) <= t * (1 + 1e-9); i++)
        most = fmax(most, c->bin[i]);
    return most;
}

double curve_exponent(const curve *c)
{
    if (c->n <= BINS_PER_DECADE)
        return NAN;
    size_t last = c->n - 1, first = last - BINS_PER_DECADE;
    double low = curve_running_max(c, first), high = curve_running_max(c, last);
    return low > 0 ? log10(high / low) : NAN;
}
