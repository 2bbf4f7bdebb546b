/* SPDX-License-Identifier: BSD-3-Clause */
/* Members are dealt in blocks, cut from ranges that no archive has. A block takes about the same time whatever a member takes, as long as
 * many are left; then fewer, so that all ranks end at about the same time (guided self-scheduling: Polychronopoulos and
 * Kuck 1987). */
#include "deal.h"

#include <math.h>
#include <stdlib.h>

/* [s] The shortest block; and for each rank, so that rank 0, which takes a tenth of that for an answer at the most (doc/howto/clusters.md),
 * is busy for a tenth of its time. */
static const double shortest = 1, for_each = 2e-4;

double dealer_seconds(int ranks)
{
    return fmax(shortest, for_each * ranks);
}

static int compare_ranges(const void *a, const void *b)
{
    const ph_member_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

ph_status dealer_create(dealer *d, int64_t first, int64_t end, ph_member_range *had, size_t n, int ranks,
                        ph_error *err)
{
    *d = (dealer){.ranks = ranks, .seconds = dealer_seconds(ranks)};
    d->missing = malloc((n + 1) * sizeof *d->missing);
    if (!d->missing)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (n)
        qsort(had, n, sizeof *had, compare_ranges);
    for (size_t i = 0; i <= n; i++) {
        const int64_t until = i < n ? had[i].first : end, behind = i < n ? until + had[i].count : end;
        if (until > first) {
            d->missing[d->n++] = (ph_member_range){first, until - first};
            d->left += until - first;
        }
        first = behind > first ? behind : first;
    }
    return PH_OK;
}

void dealer_free(dealer *d)
{
    free(d->missing);
    d->missing = NULL;
}

ph_member_range dealer_next(dealer *d, const asking *who)
{
    if (d->at == d->n)
        return (ph_member_range){d->left, 0};
    ph_member_range *m = &d->missing[d->at];
    const double least = (double)who->least;
    double n = who->pace > 0 ? d->seconds / who->pace : least;
    n = fmin(n, (double)d->left / (2.0 * d->ranks));
    n = fmin(least * fmax(1, floor(n / least)), (double)m->count);
    const ph_member_range block = {m->first, (int64_t)n};
    m->first += block.count;
    m->count -= block.count;
    d->left -= block.count;
    d->at += !m->count;
    return block;
}
