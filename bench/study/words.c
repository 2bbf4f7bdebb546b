/* SPDX-License-Identifier: BSD-3-Clause */
/* A study in sentences (report.h). */
#include "bench/report/file.h"
#include "report.h"

void study_say_costs(FILE *out, const study *s)
{
    for (size_t i = 0; i < s->kind->n_accuracies; i++)
        costs_say(out, s, &s->kind->accuracies[i]);
}

/* "  rk4, rk8: the energy error grows.": the methods with this verdict. */
static void say_verdict(FILE *out, const study *s, growth g, const char *what)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (study_judge(&s->lines[i].run) == g)
            fprintf(out, "%s%s", n++ ? ", " : "  ", s->lines[i].label);
    if (n)
        fprintf(out, ": %s.\n", what);
}

void study_say_long(FILE *out, const study *s)
{
    const study_line *best = NULL;
    for (size_t i = 0; i < s->n; i++) {
        const study_line *l = &s->lines[i];
        if (!l->run.status && (!best || l->run.energy.most[1] < best->run.energy.most[1]))
            best = l;
    }
    say_verdict(out, s, GROWTH_ROUNDING, "the energy error is rounding");
    say_verdict(out, s, GROWTH_FLAT, "the energy error is as large in the last tenth as in the first");
    say_verdict(out, s, GROWTH_GROWS, "the energy error grows");
    say_verdict(out, s, GROWTH_FAILED, "the run ended early");
    if (!best)
        return;
    fprintf(out, "  The smallest energy error in the last tenth is that of %s: %.1e%s (%s)", best->label,
            best->run.energy.most[1], s->energy_unit, growth_text(study_judge(&best->run)));
    if (s->kind->long_part > 0)
        fprintf(out, "; its %s is %.1e%s", s->kind->accuracies[0].quantity, best->run.errors[0],
                s->kind->accuracies[0].unit);
    fputs(".\n", out);
}

static void write_words(FILE *out, const void *self)
{
    const study *s = self;
    s->kind->say(out, s);
}

char *study_words(const study *s)
{
    return report_text(write_words, s);
}
