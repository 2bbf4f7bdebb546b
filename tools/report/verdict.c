/* SPDX-License-Identifier: BSD-3-Clause */
/* Three sentences: how large the errors are and how they grow; what that means for the method; the other runs, or the work. */
#include "verdict.h"

#include "bench/report/markup.h"
#include "tools/momentum.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- What comes before all numbers --------------------------------------------------------------------------- */

/* Why the run ended before it was to, or NULL. */
static const char *early_end(const archived *a)
{
    const char *status = info_meta(&a->info, "status");
    return status && strcmp(status, "ok") != 0 ? status : NULL;
}

static void say_early_end(FILE *f, const archived *a)
{
    const char *message = info_meta(&a->info, "message");
    if (!early_end(a))
        return;
    markup_between(f, "The run ended early (", early_end(a), ")");
    markup_between(f, message ? ": " : "", message ? message : "", ". ");
}

static void say_thinned(FILE *f, const archived *a)
{
    if (*a->thinned)
        fprintf(
            f,
            "The archive is a copy with %s: the largest errors, how they grow and the figures are of these. ",
            a->thinned);
}

static void say_between(FILE *f, const archived *a)
{
    char text[BETWEEN_WORDS];
    between_words(text, a);
    fprintf(f, "%s%s", text, *text ? " " : "");
}

static void say_lost(FILE *f, const archived *a)
{
    for (size_t k = 0; k < QUANTITIES; k++)
        if (a->lost[k])
            fprintf(f,
                    "In %" PRId64 " of %" PRId64
                    " row%s the %s is no finite number, the first time at t = %.6g s. ",
                    a->lost[k], a->rows, a->rows == 1 ? "" : "s", quantity_name(a, (quantity)k),
                    a->lost_t[k]);
}

/* ---- How large, and how it grows --------------------------------------------------------------------------- */

static void say_error(FILE *f, const archived *a, quantity which)
{
    markup_error(f, a->largest[which]);
    markup_between(f, *a->unit[which] ? " " : "", a->unit[which], "");
}

static void say_one(FILE *f, const archived *a, quantity which, const char *before)
{
    char words[TREND_WORDS];
    const trend t = trend_in(a, which);
    fprintf(f, "%sthe %s%s is ", before, a->relative[which] ? "relative " : "", quantity_name(a, which));
    if (t.growth == GROWTH_ZERO) {
        fputs("zero at all rows", f);
        return;
    }
    trend_words(words, t);
    fputs("at most ", f);
    say_error(f, a, which);
    fprintf(f, "%s (%s)", a->lost[which] ? " where it is a number" : "", words);
}

/* Of a run that has no time in which anything could grow. */
static void say_nothing(FILE *f, const archived *a)
{
    if (a->rows == 1)
        fputs("There is one row, ", f);
    else
        fprintf(f, "There are %" PRId64 " rows, all ", a->rows);
    fprintf(f, "at t = %.6g s: too short to say how large errors are.</p>\n", a->span[0].first);
}

static void say_size(FILE *f, const archived *a)
{
    const char *before = "";
    fprintf(f, "Over %.6g s", archived_span(a));
    if (archived_steps(a))
        fprintf(f, ", %" PRId64 " step%s of %.6g s", archived_steps(a), archived_steps(a) == 1 ? "" : "s",
                fabs(a->info.h));
    fputs(", ", f);
    for (size_t k = 0; k < QUANTITIES; k++)
        if (a->known[k] && isfinite(a->largest[k])) {
            say_one(f, a, (quantity)k, before);
            before = "; ";
        }
    fputs(
        *before ? ".</p>\n"
        : archived_lacks_steps(a)
            ? "errors are not known.</p>\n"
            : "no errors were archived: the columns energy_error, constraint_error and the momentum maps have them.</p>\n",
        f);
}

/* ---- What that means ---------------------------------------------------------------------------------------- */

static void say_method(FILE *f, const archived *a, const char *is)
{
    const char *method = info_meta(&a->info, "method");
    markup_between(f, "", method ? method : "the method", is);
}

/* Of an energy error above rounding. */
static void say_energy_meaning(FILE *f, const archived *a, unsigned claims, growth g)
{
    const char *order = info_meta(&a->info, "order");
    if (claims & PH_CLAIM_SYMPLECTIC) {
        if (g == GROWTH_NONE || g == GROWTH_UNKNOWN || g == GROWTH_UNCLEAR) {
            say_method(
                f, a,
                " is symplectic: the energy error swings in a band that does not follow the length of the run");
            markup_between(f, " and narrows like h^", order ? order : "order", ".");
        } else {
            say_method(
                f, a,
                " is symplectic, and keeps the energy error in a band where h is small against the fastest motion; that it "
                "grows here calls for a smaller h, or a look at the events.");
        }
    } else if (g == GROWTH_NONE) {
        say_method(
            f, a,
            " is not symplectic; that the energy error does not grow in this time is no promise for a longer one.");
    } else if (g == GROWTH_UNKNOWN || g == GROWTH_UNCLEAR) {
        say_method(f, a, " is not symplectic: expect the energy error to add up over longer times");
        markup_between(f, "; halving h divides it by about 2^", order ? order : "order", ".");
    } else {
        say_method(f, a, " is not symplectic, and its energy error adds up");
        fputs(g == GROWTH_LINEAR ? ": ten times the duration will have about ten times the error" : "", f);
        markup_between(f, "; halving h divides it by about 2^", order ? order : "order", ".");
    }
}

static void say_momentum_meaning(FILE *f, const archived *a, unsigned claims)
{
    const bool kept = trend_in(a, MOMENTUM).growth <= GROWTH_ROUNDING, claimed = claims & PH_CLAIM_MOMENTUM;
    if (kept && !claimed)
        return;
    fputs(" ", f);
    say_method(
        f, a,
        kept ? " keeps the momentum maps to rounding, as it should."
        : claimed
            ? " should keep the momentum maps to rounding, and here they are off by more: see the solution of its steps."
            : " does not keep the momentum maps to rounding, and does not claim to.");
}

static void say_unknown(FILE *f, const archived *a)
{
    const char *method = info_meta(&a->info, "method");
    const ph_method *found = method ? ph_method_find(method, NULL) : NULL;
    if (found)
        say_method(f, a, ": what it promises depends on the system, which this archive does not have.");
    else if (method)
        say_method(f, a, " is a method that this build does not have: what it promises is not known.");
    else
        fputs("The archive does not say by which method it was made: what that promises is not known.", f);
}

static void say_meaning(FILE *f, const archived *a)
{
    bool known;
    const unsigned claims = archived_claims(a, &known);
    const growth g = trend_in(a, ENERGY).growth;
    fputs("<p>", f);
    if (a->info.change_is == ENERGY_DRIVEN)
        fputs(
            "Forces change the energy of this system, so its change is no error; what should stay is what the other numbers show.",
            f);
    else if (a->info.change_is == ENERGY_UNKNOWN && a->known[ENERGY])
        fputs(
            "In this archive it is not known whether forces change the energy: its change may be the work of forces, or an error.",
            f);
    else if (!a->known[ENERGY])
        fputs("Nothing can be said about the energy, because the archive has no column energy_error.", f);
    else if (archived_lacks_steps(a))
        fputs(
            "Write rows at steps, by an interval that is a multiple of the step or by <code>output: {every: N}</code>.",
            f);
    else if (g == GROWTH_LOST)
        fputs(
            "The run is worth nothing from where its energy is not a number: see what happens there, and try a smaller h.",
            f);
    else if (g == GROWTH_ZERO || g == GROWTH_ROUNDING)
        fputs(
            "The energy is conserved as well as numbers of 53 bits allow: what is left is the rounding of each step.",
            f);
    else if (!known)
        say_unknown(f, a);
    else
        say_energy_meaning(f, a, claims, g);
    if (known && a->known[MOMENTUM] && !a->lost[MOMENTUM] && isfinite(a->scale[MOMENTUM]))
        say_momentum_meaning(f, a, claims);
    fputs("</p>\n", f);
}

/* ---- Against the others, or the work --------------------------------------------------------------------------- */

static double cpu_of(const archived *a)
{
    return a->info.committed ? a->info.commit.account.cpu_seconds : (double)NAN;
}

static void say_work(FILE *f, const archived *a)
{
    const int64_t steps = archived_steps(a);
    if (!a->info.committed || !steps) {
        fputs("How much work it was is not known", f);
        return;
    }
    fprintf(f, "It took %.3g s of CPU time, %.3g ns a step", cpu_of(a), 1e9 * cpu_of(a) / (double)steps);
    if (a->info.commit.account.newton_passes) {
        char each[40];
        snprintf(each, sizeof each, "%.3g", (double)a->info.commit.account.newton_passes / (double)steps);
        fprintf(f, ", and %s iteration%s a step", each, strcmp(each, "1") != 0 ? "s" : "");
    }
}

/* "140 million times smaller", "12 times larger", "the same": of a ratio that may be anything. */
static void say_ratio(FILE *f, double ratio, const char *less, const char *more)
{
    const double times = fmax(ratio, 1 / ratio);
    if (times < 1.05)
        fputs("the same", f);
    else if (times < 1000)
        fprintf(f, "%.3g times %s", times, ratio < 1 ? less : more);
    else if (times < 1e6)
        fprintf(f, "%.2g thousand times %s", times / 1000, ratio < 1 ? less : more);
    else if (times < 1e9)
        fprintf(f, "%.3g million times %s", times / 1e6, ratio < 1 ? less : more);
    else
        fprintf(f, "%.1e times %s", times, ratio < 1 ? less : more);
}

static bool has_same_length(const archived *a, const archived *b)
{
    const double ours = archived_span(a), theirs = archived_span(b);
    return fabs(ours - theirs) <= 1e-6 * fmax(ours, theirs);
}

static bool has_same_model(const archived *a, const archived *b)
{
    const char *ours = info_meta(&a->info, "model"), *theirs = info_meta(&b->info, "model");
    return !ours || !theirs || !strcmp(ours, theirs);
}

/* Of two runs: why not. */
static void say_incomparable(FILE *f, const archived *a, const archived *b)
{
    fputs("the energy errors cannot be compared", f);
    if (b->lost[ENERGY])
        fprintf(f, ", since that of the other is no finite number in %" PRId64 " of its %" PRId64 " rows",
                b->lost[ENERGY], b->rows);
    else if (a->lost[ENERGY])
        fputs(", since that of this run is no number everywhere", f);
}

/* "energy error 140 million times smaller (4.8e-09 against 6.8e-01; the other grows in proportion to time)" */
static void say_energies(FILE *f, const archived *a, const archived *b)
{
    char words[TREND_WORDS];
    trend_words(words, trend_in(b, ENERGY));
    fprintf(f, "%s ", quantity_name(a, ENERGY));
    say_ratio(f, a->largest[ENERGY] / b->largest[ENERGY], "smaller", "larger");
    fputs(" (", f);
    say_error(f, a, ENERGY);
    fputs(" against ", f);
    say_error(f, b, ENERGY);
    fprintf(f, "; the other: %s)", words);
}

/* A sentence without its point. */
static void say_other(FILE *f, const archived *a, const archived *b)
{
    markup_between(f, ". Compared with ", b->label, "");
    if (early_end(b))
        markup_between(f, ", which ended early (", early_end(b), ")");
    fputs(": ", f);
    if (!a->lost[ENERGY] && !b->lost[ENERGY] && a->known[ENERGY] && b->known[ENERGY] &&
        a->largest[ENERGY] > 0 && b->largest[ENERGY] > 0)
        say_energies(f, a, b);
    else
        say_incomparable(f, a, b);
    if (cpu_of(a) > 0 && cpu_of(b) > 0) {
        fputs(", CPU time ", f);
        say_ratio(f, cpu_of(a) / cpu_of(b), "shorter", "longer");
    }
    if (!has_same_length(a, b))
        fprintf(f, "; the two are not of the same length: the other lasts %.6g s", archived_span(b));
    if (!has_same_model(a, b))
        fputs("; the other is of another model", f);
}

/* ---- Many others ------------------------------------------------------------------------------------------------- */

/* A quantity by which runs are compared; it may not be known of all. */
typedef double measure(const archived *a);

static double energy_of(const archived *a)
{
    return a->known[ENERGY] && !a->lost[ENERGY] && !early_end(a) ? a->largest[ENERGY] : (double)NAN;
}

/* "; of 8 runs its largest energy error is the third smallest (the smallest is that of B)": its place among those whose number is known. */
static void say_place(FILE *f, const archived *runs, size_t n, measure *of, const char *what, bool first)
{
    static const char *const places[] = {"smallest", "second smallest", "third smallest"};
    size_t better = 0, known = 0;
    const archived *best = runs;
    for (size_t i = 0; i < n; i++) {
        known += isfinite(of(&runs[i]));
        better += of(&runs[i]) < of(runs);
        best = of(&runs[i]) < of(best) ? &runs[i] : best;
    }
    if (!isfinite(of(runs)) || known < 2) {
        fprintf(f, "%s its %s cannot be compared", first ? ";" : ", and", what);
        return;
    }
    fprintf(f, first ? "; of %zu runs its %s is the " : ", and of %zu its %s the ", known, what);
    if (better + 1 == known)
        fputs("largest", f);
    else if (better < sizeof places / sizeof *places)
        fputs(places[better], f);
    else
        fprintf(f, "%zuth smallest", better + 1);
    if (better)
        markup_between(f, " (the smallest is that of ", best->label, ")");
}

/* The numbers of each are in the table. */
static void say_others(FILE *f, const archived *runs, size_t n)
{
    char what[80];
    bool lengths = true, models = true;
    for (size_t i = 1; i < n; i++) {
        lengths = lengths && has_same_length(runs, &runs[i]);
        models = models && has_same_model(runs, &runs[i]);
    }
    snprintf(what, sizeof what, "largest %.60s", quantity_name(runs, ENERGY));
    say_place(f, runs, n, energy_of, what, true);
    say_place(f, runs, n, cpu_of, "CPU time", false);
    if (!lengths || !models)
        fprintf(f, "; they are not all of %s%s%s", lengths ? "" : "the same length",
                lengths || models ? "" : " and ", models ? "" : "the same model");
}

/* Of so many others each has its own words. */
enum { OTHERS_MOST = 2 };

void verdict_write(FILE *f, const archived *runs, size_t n)
{
    const bool lasts = archived_span(runs) > 0;
    fputs("<p>", f);
    say_early_end(f, runs);
    if (!runs->rows) {
        fprintf(f, "There are no rows%s: nothing can be said.</p>\n", early_end(runs) ? "" : " yet");
        return;
    }
    say_thinned(f, runs);
    say_between(f, runs);
    say_lost(f, runs);
    if (lasts) {
        say_size(f, runs);
        say_meaning(f, runs);
    } else {
        say_nothing(f, runs);
    }
    fputs("<p>", f);
    say_work(f, runs);
    for (size_t i = 1; i < n && n <= OTHERS_MOST + 1; i++)
        say_other(f, runs, &runs[i]);
    if (n > OTHERS_MOST + 1)
        say_others(f, runs, n);
    fputs(".</p>\n", f);
}
