/* SPDX-License-Identifier: BSD-3-Clause */
/* The law by which errors grow, by the rule of bench/common/growth.h, and its words. */
#include "trend.h"

#include "figures/utf8.h"
#include "tools/momentum.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Rounding of each step adds up like a random walk; 50 leaves room for sizes of intermediate terms and for a few steps with a
 * larger one. */
static bool is_rounding(double largest, int64_t steps)
{
    return largest <= 50 * DBL_EPSILON * sqrt((double)(steps > 4 ? steps : 4));
}

/* A square root, within what its uncertainty allows. */
static bool is_root(trend t)
{
    return fabs(t.p - 0.5) < 0.1 + 2 * fmin(t.uncertainty, 0.05);
}

trend trend_in(const archived *a, quantity which)
{
    static const growth of_law[] = {
        [LAW_SHORT] = GROWTH_UNKNOWN,  [LAW_BOUNDED] = GROWTH_NONE, [LAW_WALK] = GROWTH_WALK,
        [LAW_LINEAR] = GROWTH_LINEAR,  [LAW_POWER] = GROWTH_POWER,  [LAW_GROWS] = GROWTH_OTHER,
        [LAW_UNCLEAR] = GROWTH_UNCLEAR};
    if (a->lost[which])
        return (trend){.growth = GROWTH_LOST, .p = NAN, .lost = a->lost[which], .rows = a->rows};
    if (!(archived_span(a) > 0))
        return (trend){.growth = GROWTH_NOTHING, .p = NAN};
    const double largest = a->relative[which] ? a->largest[which] : a->largest[which] / a->scale[which];
    const growth_judgement j = growth_find_law(&a->blocks[which]);
    trend t = {.growth = of_law[j.law], .p = j.power, .uncertainty = j.uncertainty};
    t.guide = t.growth == GROWTH_WALK || (t.growth == GROWTH_POWER && is_root(t)) ? 0.5
              : t.growth == GROWTH_LINEAR                                         ? 1
                                                                                  : 0;
    if (a->largest[which] == 0)
        t.growth = GROWTH_ZERO;
    else if (is_rounding(largest, archived_steps(a)))
        t.growth = GROWTH_ROUNDING;
    return t;
}

void trend_words(char text[TREND_WORDS], trend t)
{
    static const char *const words[] = {
        [GROWTH_ZERO] = "zero",
        [GROWTH_ROUNDING] = "conserved to rounding",
        [GROWTH_NOTHING] = "too short to say",
        [GROWTH_LOST] = "no number in ",
        [GROWTH_UNKNOWN] = "too short to show growth",
        [GROWTH_NONE] = "bounded: it does not grow in this run",
        [GROWTH_UNCLEAR] = "whether it grows is not clear from this run",
        [GROWTH_OTHER] = "grows, but neither in proportion to time nor like a power of it",
        [GROWTH_WALK] = "grows about as the square root of time, as a random walk does",
        [GROWTH_LINEAR] = "grows in proportion to time",
        [GROWTH_POWER] = "grows like "};
    snprintf(text, TREND_WORDS, "%s", words[t.growth]);
    if (t.growth == GROWTH_LOST)
        text_add(text, TREND_WORDS, "%" PRId64 " of %" PRId64 " row%s", t.lost, t.rows,
                 t.rows == 1 ? "" : "s");
    if (t.growth == GROWTH_POWER)
        text_add(text, TREND_WORDS, "t^%.2f \xc2\xb1 %.2f%s", t.p, fmax(t.uncertainty, 0.01),
                 is_root(t) ? ", about the square root of time" : "");
}

void trend_note(char text[TREND_NOTE], trend t)
{
    static const char *const words[] = {[GROWTH_ZERO] = "zero",
                                        [GROWTH_ROUNDING] = "rounding",
                                        [GROWTH_NOTHING] = "too short to say",
                                        [GROWTH_LOST] = "no number",
                                        [GROWTH_UNKNOWN] = "too short to say",
                                        [GROWTH_NONE] = "bounded",
                                        [GROWTH_UNCLEAR] = "growth not clear",
                                        [GROWTH_OTHER] = "grows",
                                        [GROWTH_WALK] = "like \xe2\x88\x9at",
                                        [GROWTH_LINEAR] = "like t",
                                        [GROWTH_POWER] = "like t^"};
    snprintf(text, TREND_NOTE, "%s", words[t.growth]);
    if (t.growth == GROWTH_POWER)
        text_add(text, TREND_NOTE, "%.2f", t.p);
}

void between_words(char text[BETWEEN_WORDS], const archived *a)
{
    *text = '\0';
    if (archived_lacks_steps(a))
        snprintf(
            text, BETWEEN_WORDS,
            "No row behind the first is at a step: interpolated rows do not show the errors of the method.");
    else if (a->between)
        snprintf(text, BETWEEN_WORDS,
                 "%" PRId64 " of %" PRId64
                 " rows are interpolated between steps: errors are those of the others.",
                 a->between, a->rows);
}

const char *quantity_name(const archived *a, quantity which)
{
    switch (which) {
    case ENERGY:
        return a->info.change_is == ENERGY_ERROR ? "energy error" : "energy change";
    case MOMENTUM:
        return momentum_name(archived_system(a)).label;
    case MANIFOLD:
        return "constraint error";
    case VELOCITIES:
        return "velocity constraint error";
    case QUANTITIES:
        break;
    }
    return "";
}
