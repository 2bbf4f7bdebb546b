/* SPDX-License-Identifier: BSD-3-Clause */
/* What the comparison says: a table, sentences made from its figures, files, and the figure by gnuplot. */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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
    fprintf(out, "%-24s %7g %11lld", t->label, t->h, (long long)t->report.steps);
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
    fprintf(out, "                                                   largest |energy error|                  "
                 "   momentum constrnt           Newton\n"
                 "method                     h [s]       steps       all 1st tenth last 10th  last/1st     "
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

/* The bin from which on the running maximum of b is never below that of a again; n if there is none. */
static size_t overtaken(const curve *a, const curve *b, size_t n)
{
    size_t from = n;
    for (size_t i = n; i-- > 0;) {
        if (!(curve_running_max(b, i) >= curve_running_max(a, i)))
            break;
        from = i;
    }
    return from;
}

static void say_growth(FILE *out, const trial *t)
{
    double p = exponent(&t->energy);
    if (t->status == PH_E_DIVERGED)
        fprintf(out, "  %s diverged at t = %.4g s.\n", t->label, t->t_end);
    else if (t->status)
        fprintf(out, "  %s ended at t = %.4g s: %s.\n", t->label, t->t_end, t->message);
    else if (isfinite(p))
        fprintf(out, "  %s: largest energy error %.2e; over the last decade of time it grew like t^%.2f%s.\n",
                t->label, t->summary.energy_error_max, p,
                p < 0.1              ? " (it stays put)"
                : p > 0.8 && p < 1.2 ? " (linearly)"
                                     : "");
    else
        fprintf(out, "  %s: largest energy error %.2e (run too short to speak of growth).\n", t->label,
                t->summary.energy_error_max);
}

/* a and b at the same step: who is ahead at the end, and when b's error passes a's. */
static void say_pair(FILE *out, const trial *a, const trial *b)
{
    size_t n = a->energy.n < b->energy.n ? a->energy.n : b->energy.n;
    if (!n || a->status)
        return;
    double error_a = curve_running_max(&a->energy, n - 1), error_b = curve_running_max(&b->energy, n - 1);
    size_t from = overtaken(&a->energy, &b->energy, n);
    double p = exponent(&b->energy);
    if (from == 0) {
        fprintf(out, "  %s has the smaller energy error from the start.\n", a->label);
    } else if (from < n) {
        fprintf(out,
                "  %s starts with the smaller energy error; from t = %.3g s on %s is ahead (%.1e against "
                "%.1e at the end).\n",
                b->label, curve_time(&a->energy, from), a->label, error_a, error_b);
    } else {
        fprintf(out, "  %s still has the smaller energy error at the end: %.1e against %.1e of %s", b->label,
                error_b, error_a, a->label);
        if (!b->status && p > 0.5 && exponent(&a->energy) < 0.1)
            fprintf(out, "; growing on like that it would pass it at t = %.1e s (extrapolated)",
                    fabs(b->t_end) * pow(error_a / error_b, 1 / p));
        fprintf(out, ".\n");
    }
}

void report_words(FILE *out, const trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t same = 0;
        while (same < i && trials[same].h != trials[i].h)
            same++;
        if (same < i)
            continue; /* this step size was spoken of with the first trial that has it */
        fprintf(out, "At h = %g s:\n", trials[i].h);
        for (size_t j = i; j < n; j++)
            if (trials[j].h == trials[i].h)
                say_growth(out, &trials[j]);
        for (size_t j = i + 1; j < n; j++)
            if (trials[j].h == trials[i].h)
                say_pair(out, &trials[i], &trials[j]);
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

static void plot_script(FILE *g, const char *title, const trial *trials, size_t n)
{
    static const char *const colours[] = {"#0b62a4", "#c1440e", "#3b7a3b", "#7b3fa0", "#8a6d00", "#444444"};
    fprintf(g,
            "set terminal svg size 900,560 enhanced background rgb 'white' font 'sans-serif,15'\n"
            "set title \"%s\" noenhanced\nset logscale xy\nset format xy '10^{%%L}'\n"
            "set xlabel 'time [s]'\nset ylabel 'largest |energy error| near that time, relative'\n"
            "set key outside below maxrows 3 noenhanced\nset grid\n"
            "set yrange [*:10]\n", /* a diverging curve leaves the picture */
            title);
    for (size_t i = 0; i < n; i++) {
        fprintf(g, "$d%zu << EOD\n", i);
        for (size_t j = 0; j < trials[i].energy.n; j++)
            if (trials[i].energy.bin[j] > 0)
                fprintf(g, "%.9g %.9g\n", curve_time(&trials[i].energy, j), trials[i].energy.bin[j]);
        fprintf(g, "EOD\n");
    }
    for (size_t i = 0; i < n; i++) {
        /* colour by method, dashes by step size: the figure can be read in grey print too */
        fprintf(g, "%s $d%zu with lines lw 2 dt %d lc rgb '%s' title '%s, h = %g s%s'", i ? "," : "plot", i,
                1 + kind(trials, i, same_step), colours[kind(trials, i, same_label) % 6], trials[i].label,
                trials[i].h, trials[i].status == PH_E_DIVERGED ? " (diverged)" : "");
    }
    fputc('\n', g);
}

/* 1 if gnuplot drew the figure. It writes to a temporary name; a broken one never stands under the last. */
static int draw(const char *directory, const char *title, const trial *trials, size_t n)
{
    char part[4200], path[4200];
    snprintf(part, sizeof part, "%s/energy-error.svg.part", directory);
    snprintf(path, sizeof path, "%s/energy-error.svg", directory);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* gnuplot may not be there */
    FILE *g = popen("gnuplot 2>/dev/null", "w");
    int drawn = 0;
    if (g) {
        fprintf(g, "set output \"");
        for (const char *c = part; *c; c++)
            fprintf(g, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        fprintf(g, "\"\n");
        plot_script(g, title, trials, n);
        int status = pclose(g);
        drawn = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !rename(part, path);
    }
    signal(SIGPIPE, before);
    if (!drawn) {
        remove(part);
        remove(path); /* the figure of an earlier comparison does not belong to these results */
    }
    return drawn;
}

ph_status report_files(const char *directory, const char *title, const trial *trials, size_t n, int *figure,
                       ph_error *err)
{
    ph_status status = write_table(directory, trials, n, err);
    if (!status)
        status = write_curves(directory, trials, n, err);
    *figure = !status && draw(directory, title, trials, n);
    return status;
}
