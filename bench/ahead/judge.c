/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is ahead (ahead.h): the price of an accuracy, log t = (1 - w) log t_a + w log t_b with w = log(e_a / e) / log(e_a / e_b) on the
 * chord from a to b, at least over all chords: the lower hull. A contender that is nowhere better than another one, by its points, is
 * then nowhere cheaper. */
#include "ahead.h"

#include <math.h>

/* The error of a run that got through, at least that of the truth. */
static double error_of(const ahead_point *p)
{
    return p->turns && !p->status && isfinite(p->error) ? fmax(p->error, 1e-17) : (double)NAN;
}

ahead_price ahead_cost(const ahead_line *l, double accuracy)
{
    ahead_price best = {.setting = NAN, .seconds = INFINITY};
    for (size_t i = 0; i < l->n; i++) {
        const ahead_point *b = &l->points[i];
        if (!(error_of(b) <= accuracy))
            continue;
        if (b->seconds < best.seconds)
            best = (ahead_price){l->label, b->setting, b->seconds};
        for (size_t k = 0; k < l->n; k++) {
            const ahead_point *a = &l->points[k];
            if (!(error_of(a) > accuracy))
                continue;
            const double w = log(error_of(a) / accuracy) / log(error_of(a) / error_of(b)),
                         t = a->seconds * pow(b->seconds / a->seconds, w);
            if (t < best.seconds)
                best = (ahead_price){l->label, a->setting * pow(b->setting / a->setting, w), t};
        }
    }
    return best;
}

void ahead_judge(ahead *a)
{
    for (size_t k = 0; k < AHEAD_LEVELS; k++) {
        ahead_level *level = &a->levels[k];
        const ahead_price none = {.setting = NAN, .seconds = INFINITY};
        *level = (ahead_level){pow(10, -3 - (double)k), none, none, NAN, AHEAD_NOBODY};
        for (size_t i = 0; i < a->n; i++) {
            const ahead_price price = ahead_cost(&a->lines[i], level->accuracy);
            ahead_price *best = a->lines[i].ours ? &level->ours : &level->general;
            if (price.seconds < best->seconds)
                *best = price;
        }
        if (level->ours.label && level->general.label) {
            level->ratio = level->general.seconds / level->ours.seconds;
            level->standing = level->ratio < 1 ? AHEAD_BEHIND : AHEAD_LEADS;
        } else if (level->ours.label || level->general.label) {
            level->standing = level->ours.label ? AHEAD_ALONE : AHEAD_MISSING;
        }
    }
}

size_t ahead_alike(const ahead *a, size_t k)
{
    size_t n = 1;
    while (k + n < AHEAD_LEVELS && a->levels[k + n].standing == a->levels[k].standing)
        n++;
    return n;
}
