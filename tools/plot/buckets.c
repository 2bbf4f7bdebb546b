/* SPDX-License-Identifier: BSD-3-Clause */
/* Buckets of neighbouring rows. */
#include "buckets.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST, MOST, SUM, COUNT, PARTS };

static double *part(const buckets *b, size_t i, size_t k)
{
    return b->values + (i * b->columns + k) * PARTS;
}

ph_status buckets_start(buckets *b, size_t columns, ph_error *err)
{
    *b = (buckets){.columns = columns, .each = 1};
    b->t = malloc(BUCKETS_MOST * sizeof *b->t);
    b->values = malloc(BUCKETS_MOST * columns * PARTS * sizeof *b->values);
    return b->t && b->values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static void join(double *to, const double *from)
{
    to[LEAST] = fmin(to[LEAST], from[LEAST]);
    to[MOST] = fmax(to[MOST], from[MOST]);
    to[SUM] += from[SUM];
    to[COUNT] += from[COUNT];
}

/* Two neighbours become one. */
static void join_pairs(buckets *b)
{
    for (size_t i = 0; i < b->n / 2; i++) {
        b->t[i] = b->t[2 * i];
        for (size_t k = 0; k < b->columns; k++) {
            for (int m = 0; m < PARTS; m++)
                part(b, i, k)[m] = part(b, 2 * i, k)[m];
            join(part(b, i, k), part(b, 2 * i + 1, k));
        }
    }
    b->n /= 2;
    b->each *= 2;
}

static void open_bucket(buckets *b, double t)
{
    if (b->n == BUCKETS_MOST)
        join_pairs(b);
    b->t[b->n++] = t;
    b->in_last = 0;
    for (size_t k = 0; k < b->columns; k++) {
        double *p = part(b, b->n - 1, k);
        p[LEAST] = INFINITY;
        p[MOST] = -INFINITY;
        p[SUM] = p[COUNT] = 0;
    }
}

void buckets_enter(buckets *b, double t, const double *values)
{
    if (!b->n || b->in_last == b->each)
        open_bucket(b, t);
    for (size_t k = 0; k < b->columns; k++)
        if (isfinite(values[k]))
            join(part(b, b->n - 1, k), (double[PARTS]){values[k], values[k], values[k], 1});
    b->in_last++;
    b->entered++;
}

static double where_any(const double *p, double value)
{
    return p[COUNT] > 0 ? value : (double)NAN;
}

double buckets_least(const buckets *b, size_t i, size_t k)
{
    return where_any(part(b, i, k), part(b, i, k)[LEAST]);
}

double buckets_most(const buckets *b, size_t i, size_t k)
{
    return where_any(part(b, i, k), part(b, i, k)[MOST]);
}

double buckets_mean(const buckets *b, size_t i, size_t k)
{
    return where_any(part(b, i, k), part(b, i, k)[SUM] / part(b, i, k)[COUNT]);
}

void buckets_free(buckets *b)
{
    free(b->t);
    free(b->values);
    *b = (buckets){0};
}
