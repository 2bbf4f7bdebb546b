/* SPDX-License-Identifier: BSD-3-Clause */
/* What the comparison says: a table, sentences made from its figures, files, and the figure by gnuplot. */
#include "compare.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Table -------------------------------------------------------------------------------------- */

static void number(char text[16], const char *format, double value)
{
    if (isfinite(value))
        snprintf(text, 16, format, value);
    else
        strcpy(text, "-");
}

static double growth(const ph_summary *s)
{
    return s->energy_error_max_last_tenth / s->energy_error_max_first_tenth;
}

static void table_row(FILE *out, const trial *t)
{
    const ph_summary *s = &t->summary;
    const double values[] = {s->energy_error_max,
                             s->energy_error_max_first_tenth,
                             s->energy_error_max_last_tenth,
                             growth(s),
                             s->momentum_error_max,
                             s->constraint_error_max,
                             t->report.steps ? 1e9 * t->report.cpu_seconds / (double)t->report.steps : NAN,
                             t->passes};
    static const char *const formats[] = {"%.2e", "%.2e", "%.2e", "%.2f", "%.1e", "%.1e", "%.0f", "%.2f"};
    fprintf(out, "%-28s %9g %11lld", t->label, t->h, (long long)t->report.steps);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[16];
        number(text, formats[i], values[i]);
        fprintf(out, " %9s", text);
    }
    if (t->status)
        fprintf(out, "  %s at t = %.6g s",
                t->status == PH_E_DIVERGED ? "diverged" : ph_status_text(t->status), t->t_end);
    fputc('\n', out);
}

void report_table(FILE *out, const trial *trials, size_t n)
{
    fprintf(
        out,
        "                                                         largest |energy error|                  "
        "   momentum constrnt           Newton\n"
        "method                           h [s]       steps       all 1st tenth last 10th  last/1st     "
        "error     error   ns/step    passes\n");
    for (size_t i = 0; i < n; i++)
        table_row(out, &trials[i]);
}

/* ---- Words -------------------------------------------------------------------------------------- */

/* Slope of log(running maximum) against log(time) over the last decade of the run; NaN if there is none. */
static double exponent(const curve *c)
{
    if (c->n <= BINS_PER_DECADE)
        return NAN;
    size_t last = c->n - 1, first = last - BINS_PER_DECADE;
    double low = curve_running_max(c, first), high = curve_running_max(c, last);
    return low > 0 ? log10(high / low) : NAN;
}

static void say_growth(FILE *out, const trial *t)
{
    double p = exponent(&t->energy);
    if (t->status == PH_E_DIVERGED)
        fprintf(out, "  %s diverged at t = %.4g s.\n", t->label, t->t_end);
    else if (t->status)
        fprintf(out, "  %s ended at t = %.4g s: %s.\n", t->label, t->t_end, t->message);
    else if (t->summary.energy_error_max == 0)
        fprintf(out, "  %s: no energy error at all.\n", t->label);
    else if (isfinite(p))
        fprintf(out, "  %s: largest energy error %.2e; over the last decade of time it grew like t^%.2f%s.\n",
                t->label, t->summary.energy_error_max, p,
                p < 0.1              ? " (it stays put)"
                : p > 0.8 && p < 1.2 ? " (linearly)"
                                     : "");
    else
        fprintf(out, "  %s: largest energy error %.2e (too short to speak of growth).\n", t->label,
                t->summary.energy_error_max);
}

/* -1, 0, 1: whose running maximum up to bin i is smaller, a's, nobody's (equal to 1 per cent), or b's. */
static int leader(const trial *a, const trial *b, size_t i)
{
    double ea = curve_running_max(&a->energy, i), eb = curve_running_max(&b->energy, i);
    return eb > 1.01 * ea ? -1 : ea > 1.01 * eb ? 1 : 0;
}

/* The first bin from which on `who` leads for good; n if it does not lead in the last. */
static size_t leads_from(const trial *a, const trial *b, size_t n, int who)
{
    size_t from = n;
    for (size_t i = n; i-- > 0 && leader(a, b, i) == who;)
        from = i;
    return from;
}

/* Does the error of `behind` that is still smaller grow towards that of `ahead`, which does not? */
static void say_extrapolation(FILE *out, const trial *smaller, const trial *larger, size_t n)
{
    double p = exponent(&smaller->energy), flat = exponent(&larger->energy);
    double es = curve_running_max(&smaller->energy, n - 1), el = curve_running_max(&larger->energy, n - 1);
    if (!smaller->status && !larger->status && p > 0.5 && flat < 0.1)
        fprintf(out, "; growing on like that its error would pass the other after %.1e s (extrapolated)",
                curve_time(&smaller->energy, n - 1) * pow(el / es, 1 / p));
}

/* Two trials at the same step: who is ahead at the end, since when, and who was before. Times are elapsed
 * ones. */
static void say_pair(FILE *out, const trial *a, const trial *b)
{
    size_t n = a->energy.n < b->energy.n ? a->energy.n : b->energy.n;
    int who = n ? leader(a, b, n - 1) : 0;
    if (!n)
        return;
    if (!who) {
        fprintf(out, "  %s and %s have equal energy errors after %.3g s.\n", a->label, b->label,
                curve_time(&a->energy, n - 1));
        return;
    }
    const trial *ahead = who < 0 ? a : b, *behind = who < 0 ? b : a;
    size_t from = leads_from(a, b, n, who), first = 0;
    while (leader(a, b, first) == 0)
        first++;
    double small = curve_running_max(&ahead->energy, n - 1),
           large = curve_running_max(&behind->energy, n - 1);
    const char *span = ahead->status ? "until it ended" : "for good";
    if (from <= first)
        fprintf(out, "  %s has a smaller energy error than %s throughout: %.1e against %.1e after %.3g s",
                ahead->label, behind->label, small, large, curve_time(&a->energy, n - 1));
    else if (leader(a, b, first) == -who)
        fprintf(out,
                "  %s starts with the smaller energy error; after %.3g s %s is ahead %s (%.1e against "
                "%.1e in the end)",
                behind->label, curve_time(&a->energy, from), ahead->label, span, small, large);
    else
        fprintf(out, "  %s and %s take turns; after %.3g s %s is ahead %s (%.1e against %.1e in the end)",
                ahead->label, behind->label, curve_time(&a->energy, from), ahead->label, span, small, large);
    say_extrapolation(out, ahead, behind, n);
    fprintf(out, ".\n");
}

/* The trial that the others of the same step are compared with: a symplectic one that went through if there
 * is one, else the first that went through, else the first. */
static size_t reference_trial(const trial *trials, size_t n, double h)
{
    size_t best = n;
    int rank = -1;
    for (size_t i = 0; i < n; i++) {
        int r = (trials[i].status ? 0 : 1) +
                (!trials[i].status && trials[i].method->claims & PH_CLAIM_SYMPLECTIC ? 1 : 0);
        if (trials[i].h == h && r > rank)
            best = i, rank = r;
    }
    return best;
}

void report_words(FILE *out, const trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t same = 0;
        while (same < i && trials[same].h != trials[i].h)
            same++;
        if (same < i)
            continue; /* this step size was spoken of with the first trial that has it */
        size_t reference = reference_trial(trials, n, trials[i].h);
        fprintf(out, "At h = %g s:\n", trials[i].h);
        for (size_t j = i; j < n; j++)
            if (trials[j].h == trials[i].h)
                say_growth(out, &trials[j]);
        for (size_t j = i; j < n; j++)
            if (trials[j].h == trials[i].h && j != reference)
                say_pair(out, &trials[reference], &trials[j]);
    }
}

/* ---- Files -------------------------------------------------------------------------------------- */

static FILE *open_part(const char *directory, const char *name, char part[4200], ph_error *err)
{
    snprintf(part, 4200, "%s/%s.part", directory, name);
    FILE *f = fopen(part, "w");
    if (!f)
        ph_fail(err, PH_E_IO, "cannot write %s: %s", part, strerror(errno));
    return f;
}

static ph_status close_part(FILE *f, const char *part, ph_error *err)
{
    char path[4200];
    int bad = ferror(f);
    bad |= fclose(f) != 0;
    snprintf(path, sizeof path, "%.*s", (int)(strlen(part) - strlen(".part")), part);
    if (!bad && !rename(part, path))
        return PH_OK;
    ph_fail(err, PH_E_IO, "cannot write %s: %s", path, strerror(errno));
    remove(part);
    return PH_E_IO;
}

static ph_status write_table(const char *directory, const trial *trials, size_t n, ph_error *err)
{
    char part[4200];
    FILE *f = open_part(directory, "bench.csv", part, err);
    if (!f)
        return PH_E_IO;
    fprintf(f, "method,h[s],steps,t_end[s],status,energy_error_max,energy_error_max_first_tenth,"
               "energy_error_max_last_tenth,momentum_error_max,constraint_error_max,ns_per_step,newton_"
               "passes_per_step\n");
    for (size_t i = 0; i < n; i++) {
        const trial *t = &trials[i];
        const ph_summary *s = &t->summary;
        fprintf(f, "%s,%.17g,%lld,%.17g,%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.4g,%.4g\n", t->label, t->h,
                (long long)t->report.steps, t->t_end, ph_status_name(t->status), s->energy_error_max,
                s->energy_error_max_first_tenth, s->energy_error_max_last_tenth, s->momentum_error_max,
                s->constraint_error_max, 1e9 * t->report.cpu_seconds / (double)t->report.steps, t->passes);
    }
    return close_part(f, part, err);
}

static ph_status write_curves(const char *directory, const trial *trials, size_t n, ph_error *err)
{
    char part[4200];
    FILE *f = open_part(directory, "energy-error.csv", part, err);
    if (!f)
        return PH_E_IO;
    fprintf(f, "method,h[s],t[s],energy_error\n");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < trials[i].energy.n; j++)
            if (trials[i].energy.bin[j] > 0)
                fprintf(f, "%s,%.17g,%.9g,%.9g\n", trials[i].label, trials[i].h,
                        curve_time(&trials[i].energy, j), trials[i].energy.bin[j]);
    return close_part(f, part, err);
}

static int same_label(const trial *a, const trial *b)
{
    return !strcmp(a->label, b->label);
}

static int same_step(const trial *a, const trial *b)
{
    return a->h == b->h;
}

/* 0, 1, 2, ... by the order in which the kinds of trial first appear. */
static int kind(const trial *trials, size_t i, int (*same)(const trial *, const trial *))
{
    int kinds = 0;
    for (size_t j = 0; j < i; j++) {
        size_t first = 0;
        while (!same(&trials[first], &trials[j]))
            first++;
        if (same(&trials[j], &trials[i]) && first == j)
            return kinds;
        kinds += first == j;
    }
    return kinds;
}

/* Points that a logarithmic axis can show. */
static size_t points(const trial *t)
{
    size_t count = 0;
    for (size_t j = 0; j < t->energy.n; j++)
        count += t->energy.bin[j] > 0;
    return count;
}

/* A diverging curve leaves the picture at 10, if another stays in it. */
static const char *range(const trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < trials[i].energy.n; j++)
            if (trials[i].energy.bin[j] > 0 && trials[i].energy.bin[j] < 1)
                return "[*:10]";
    return "[*:*]";
}

static void plot_script(FILE *g, const char *title, const trial *trials, size_t n)
{
    static const char *const colours[] = {"#0b62a4", "#c1440e", "#3b7a3b", "#7b3fa0", "#8a6d00", "#444444"};
    const char *before = "plot";
    fprintf(g,
            "set terminal svg size 900,560 enhanced background rgb 'white' font 'sans-serif,15'\n"
            "set title \"%s\" noenhanced\nset logscale xy\nset format xy '10^{%%L}'\n"
            "set xlabel 'time [s]'\nset ylabel 'largest |energy error| near that time, relative'\n"
            "set key outside below maxrows 3 noenhanced\nset grid\nset yrange %s\n",
            title, range(trials, n));
    for (size_t i = 0; i < n; i++) {
        fprintf(g, "$d%zu << EOD\n", i);
        for (size_t j = 0; j < trials[i].energy.n; j++)
            if (trials[i].energy.bin[j] > 0)
                fprintf(g, "%.9g %.9g\n", curve_time(&trials[i].energy, j), trials[i].energy.bin[j]);
        fprintf(g, "EOD\n");
    }
    for (size_t i = 0; i < n; i++) {
        if (!points(&trials[i]))
            continue;
        /* colour by method, dashes by step size: the figure can be read in grey print too */
        fprintf(g, "%s $d%zu with lines lw 2 dt %d lc rgb '%s' title '%s, h = %g s%s'", before, i,
                1 + kind(trials, i, same_step), colours[kind(trials, i, same_label) % 6], trials[i].label,
                trials[i].h, trials[i].status == PH_E_DIVERGED ? " (diverged)" : "");
        before = ",";
    }
    fputc('\n', g);
}

/* Run gnuplot with `script` as input and `picture` as output; no shell and no path has a part in it.
 * Its exit status; 127 if it is not there. */
static int run_gnuplot(FILE *script, FILE *picture)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        if (dup2(fileno(script), STDIN_FILENO) >= 0 && dup2(fileno(picture), STDOUT_FILENO) >= 0 &&
            nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
            execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        _exit(127);
    }
    if (child < 0)
        return 127;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static report_figure draw(const char *directory, const char *title, const trial *trials, size_t n)
{
    char part[4200], path[4200];
    size_t count = 0;
    int status = 1;
    snprintf(part, sizeof part, "%s/energy-error.svg.part", directory);
    snprintf(path, sizeof path, "%s/energy-error.svg", directory);
    remove(path); /* the figure of an earlier comparison does not belong to these results */
    for (size_t i = 0; i < n; i++)
        count += points(&trials[i]);
    if (!count)
        return FIGURE_EMPTY;
    FILE *script = tmpfile(), *picture = fopen(part, "w");
    if (script && picture) {
        plot_script(script, title, trials, n);
        rewind(script); /* flushes; the child shares the offset */
        status = run_gnuplot(script, picture);
    }
    if (script)
        fclose(script);
    if (picture)
        fclose(picture);
    if (status == 0 && !rename(part, path))
        return FIGURE_DRAWN;
    remove(part);
    return status == 127 ? FIGURE_NO_GNUPLOT : FIGURE_FAILED;
}

ph_status report_files(const char *directory, const char *title, const trial *trials, size_t n,
                       report_figure *figure, ph_error *err)
{
    ph_status status = write_table(directory, trials, n, err);
    if (!status)
        status = write_curves(directory, trials, n, err);
    if (!status)
        *figure = draw(directory, title, trials, n);
    return status;
}
