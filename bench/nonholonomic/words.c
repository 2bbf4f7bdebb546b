/* SPDX-License-Identifier: BSD-3-Clause */
/* Energies of systems with velocity constraints in sentences. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>
#include <string.h>

/* What is to be expected, and why. */
static const char *const expected[CLASSES] = {
    [CLASS_REVERSIBLE] =
        "Reversible, and near an integrable system: the energy error of symmetric methods stays bounded "
        "in experience; no theorem says so for ever.",
    [CLASS_EXACT] =
        "The rows of the constraint have constant length and nothing pulls: dla of order 2 with exponential "
        "conserves the energy up to rounding.",
    [CLASS_CHAOTIC] = "Chaotic: the energy error of every method walks.",
    [CLASS_NOT_REVERSIBLE] =
        "The motion is taken to itself by no reversal: the energy drifts in proportion to time by "
        "every method, symmetric or not; a higher order makes the drift small, none removes it.",
    [CLASS_AFFINE] =
        "The constraint moves, so the energy changes. The moving energy (the energy less the momentum along "
        "the motion of the support) is conserved, and is what is shown."};

/* "dla:order=2, rk4": the methods with this verdict. */
static void say_methods(FILE *f, const nonholonomic *r, growth v, const char *what)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (nonholonomic_judge(&r->lines[i]) == v)
            fprintf(f, "%s%s", n++ ? ", " : "  ", r->lines[i].label);
    if (n)
        fprintf(f, ": %s\n", what);
}

static const nonholonomic_line *find_best(const nonholonomic *r)
{
    const nonholonomic_line *best = NULL;
    for (size_t i = 0; i < r->n; i++) {
        const nonholonomic_line *l = &r->lines[i];
        if (!l->status && (!best || l->last < best->last))
            best = l;
    }
    return best;
}

static void put_words(FILE *f, const void *self)
{
    const nonholonomic *r = self;
    const nonholonomic_line *best = find_best(r);
    fprintf(f, "%s\n", expected[r->of->class]);
    if (best)
        fprintf(f, "  smallest energy error in the last tenth: %.1e of the energy, by %s\n", best->last,
                best->label);
    say_methods(f, r, GROWTH_ROUNDING, "the energy error is rounding");
    say_methods(f, r, GROWTH_FLAT, "the energy error is as large in the last tenth as in the first");
    say_methods(f, r, GROWTH_GROWS, "the energy error grows");
    say_methods(f, r, GROWTH_FAILED, "the run ended early");
}

char *nonholonomic_words(const nonholonomic *r)
{
    return report_text(put_words, r);
}
