/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode plot: figures of archives as files for a paper, with the numbers behind them, or as text. */
#include "bench/report/file.h"
#include "ensemble-figures.h"
#include "figures/draw.h"
#include "making.h"
#include "tools/view-members.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct arguments {
    option_texts files, figures, columns, formats;
    const char *output;
    const char *span, *terminal_type, *x, *y;
    int64_t member;
    bool against, terminal, list, force, quiet;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"FILE", 0, "archive", AT(OPERANDS, files),
     .text = "an archive, NAME.polhode, of a run or a sweep, or a directory that holds one"},
    {"OTHER", 0, "archive", AT(OPERANDS, files), .text = "archives that are drawn over it, up to 7"},
    {"figure", 'F', "NAME", AT(TEXTS, figures),
     .text = "draw this figure; may be repeated (default: all that the archives have data for)"},
    {"columns", 0, "LIST", AT(LIST, columns),
     .text =
         "draw these columns over time, for example energy,q1x: the archive's, or others that can be computed; of a section "
         "the two that it shows"},
    {"against", 0, NULL, AT(FLAG, against), .text = "of two columns, draw the first against the second"},
    {"span", 0, "FROM:TO", AT(TEXT, span),
     .text =
         "draw this part of the runs, times in seconds, for example 100:200; one of the two may be left out; of "
         "a sweep the last row of each member in it"},
    {"x", 0, "KEY", AT(TEXT, x),
     .text = "of a sweep: what stands at the horizontal axis, a value that varies or a column"},
    {"y", 0, "KEY", AT(TEXT, y), .text = "the same for the vertical axis of a map"},
    {"member", 0, "I", AT(WHOLE, member),
     .text = "of a sweep: run member I, which count from 0, and draw the figures of that run"},
    {"format", 0, "LIST", AT(LIST, formats), .text = "svg, pdf, png, csv (default: svg,csv)"},
    {"output", 'o', "PLACE", AT(TEXT, output),
     .text =
         "the directory (default: NAME.plots next to the first archive), or of one figure a file, such as energy.pdf, whose ending "
         "is the format"},
    {"terminal", 'T', NULL, AT(FLAG, terminal), .text = "print the figures as text, and write no files"},
    {"terminal-type", 0, "NAME", AT(TEXT, terminal_type),
     .text =
         "how --terminal prints: dumb (ASCII) or block (Unicode; takes gnuplot 6); default: block where gnuplot has it and the "
         "locale is UTF-8, else dumb"},
    {"list", 'l', NULL, AT(FLAG, list), .text = "list the figures and the columns that they take"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "overwrite existing files"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {.name = NULL}};

static const arguments defaults = {.member = -1};

static const char *const endings[] = {[PLOT_SVG] = "svg", [PLOT_PDF] = "pdf", [PLOT_PNG] = "png",
                                      [PLOT_DUMB] = "",   [PLOT_BLOCK] = "",  [PLOT_CSV] = "csv"};

/* What is made, where. */
typedef struct job {
    const arguments *a;
    plot_input input;
    bool formats[PLOT_FORMATS];
    char *directory; /* malloc */
    char *beside;    /* of the run of a member: where its figures are; malloc, or NULL */
    const char
        *file; /* in it: of the one picture that is made; NULL: pictures have the names of their figures */
    making *figures[FIGURES_MOST]; /* (n) in the order in which they are written */
    size_t n;
    bool by_name; /* they were named: what is missing is an error, else a sentence */
    bool of_sweep;
    size_t drawn;
    int failed; /* exit status of pictures that gnuplot could not draw, though it could draw others */
} job;

/* ---- Files --------------------------------------------------------------------------------------------- */

static void write_path(const job *j, const char *name, char path[4400])
{
    snprintf(path, 4400, "%s/%s", j->directory, name);
    if (j->file)
        snprintf(path, 4400, "%s", j->a->output);
}

static int refuse_existing(const job *j, const char *name)
{
    char path[4400];
    write_path(j, name, path);
    return check_place(path, j->a->force);
}

/* The directory is made with the first file in it. */
static int write_there(const job *j, const char *name,
                       ph_status (*put)(FILE *f, const void *self, ph_error *err), const void *self)
{
    char path[4400];
    write_path(j, name, path);
    int code = check_place(path, j->a->force);
    if (!code && mkdir(j->directory, 0777) && errno != EEXIST)
        code = complain(EXIT_OUTPUT, "%s: %s", j->directory, strerror(errno));
    if (!code)
        code = write_file(path, put, self);
    if (!code && !j->a->quiet)
        printf("Written: %s\n", path);
    return code;
}

static ph_status put_csv(FILE *f, const void *self, ph_error *err)
{
    const table *t = self;
    (void)err;
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k ? "," : "", f);
        field_text(f, t->names[k]);
    }
    fputc('\n', f);
    for (size_t i = 0; i < t->rows; i++) {
        const double *row = t->values + i * t->columns;
        if (!isfinite(row[0]))
            continue;
        fprintf(f, "%.17g", row[0]);
        for (size_t k = 1; k < t->columns; k++)
            field_number(f, "%.17g", row[k]);
        fputc('\n', f);
    }
    return PH_OK;
}

static int write_table(const job *j, const char *name, const table *t)
{
    return t->columns ? write_there(j, name, put_csv, t) : EXIT_OK;
}

/* NAME.csv, of several archives NAME-1.csv, NAME-2.csv, ...; a second table is NAME-OTHER.csv. */
static int write_tables(const job *j, const char *name, const picture *p)
{
    int code = EXIT_OK;
    for (size_t i = 0; i < p->n_runs && !code; i++) {
        char file[200], number[24] = "";
        if (p->n_runs > 1)
            snprintf(number, sizeof number, "-%zu", i + 1);
        snprintf(file, sizeof file, "%s%s.csv", name, number);
        code = write_table(j, file, &p->tables[i]);
        snprintf(file, sizeof file, "%s-%s%s.csv", name, p->other ? p->other : "", number);
        if (!code)
            code = write_table(j, file, &p->others[i]);
    }
    return code;
}

static size_t terminal_width(void)
{
    struct winsize w;
    const char *text = getenv("COLUMNS");
    long n = text ? strtol(text, NULL, 10) : 0;
    if (n <= 0 && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w))
        n = w.ws_col;
    return n >= 40 && n <= 400 ? (size_t)n : 80;
}

/* Why there is no picture. *others <- may others be drawn? */
static int cannot_draw(const char *name, plot_format format, int missing, const ph_error *err, bool *others)
{
    const bool no_terminal = strstr(err->message, "terminal type");
    *others = false;
    if (*signal_flag()) /* it ended gnuplot, too */
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "interrupted");
    if (missing)
        return complain(
            EXIT_OUTPUT,
            "gnuplot was not found: install it (Debian: gnuplot-nox), or write the numbers alone by --format csv");
    if (format == PLOT_BLOCK)
        return complain(EXIT_OUTPUT, "%s; --terminal-type block takes gnuplot 6", err->message);
    if ((format == PLOT_PDF || format == PLOT_PNG) && no_terminal)
        return complain(EXIT_OUTPUT, "%s; %s takes its terminal %scairo (Debian: gnuplot-nox has it)",
                        err->message, endings[format], endings[format]);
    *others = true;
    return complain(EXIT_OUTPUT, "%s: %s", name, err->message);
}

/* A picture as its file. */
typedef struct bytes {
    char *at; /* malloc */
    size_t n;
} bytes;

static ph_status put_bytes(FILE *f, const void *self, ph_error *err)
{
    const bytes *b = self;
    (void)err;
    fwrite(b->at, 1, b->n, f);
    return PH_OK;
}

static int write_picture(job *j, const char *name, const picture *p, plot_format format)
{
    ph_error err;
    bytes b;
    char own[120];
    const char *file = j->file ? j->file : own;
    int missing, code = EXIT_OK;
    snprintf(own, sizeof own, "%s.%s", name, endings[format]);
    if (!plot_is_text(format) && (code = refuse_existing(j, file)))
        return code;
    ph_status status = picture_draw(p, format, terminal_width(), &b.at, &b.n, &missing, &err);
    if (status == PH_E_IO && !missing && format == PLOT_BLOCK && !j->a->terminal_type) /* an older gnuplot */
        status = picture_draw(p, PLOT_DUMB, terminal_width(), &b.at, &b.n, &missing, &err);
    if (status) {
        bool others;
        code = cannot_draw(file, format, missing, &err, &others);
        j->failed = others ? code : j->failed;
        return others ? EXIT_OK : code;
    }
    if (plot_is_text(format))
        put_bytes(stdout, &b, &err);
    else
        code = write_there(j, file, put_bytes, &b);
    free(b.at);
    return code;
}

static int write_figure(job *j, const char *name, const picture *p)
{
    int code = EXIT_OK;
    j->drawn++;
    for (int k = 0; k < PLOT_CSV && !code; k++)
        if (j->formats[k])
            code = write_picture(j, name, p, (plot_format)k);
    if (!code && j->formats[PLOT_CSV])
        code = write_tables(j, name, p);
    if (!code && !j->a->quiet)
        printf("%s: %s\n", name, p->words);
    return code;
}

/* ---- Figures ------------------------------------------------------------------------------------------- */

static int say_missing(const job *j, const char *name, const char *why)
{
    if (j->by_name)
        return complain(EXIT_INPUT, "%s: %s", name, why);
    if (!j->a->quiet)
        printf("%s: left out: %s\n", name, why);
    return EXIT_OK;
}

/* Writes a figure whose rows were swept. */
static int finish_figure(job *j, making *m)
{
    int code;
    picture *p = &m->picture;
    const ph_status status = making_finish(m);
    if (status == PH_E_INTERRUPTED || status == PH_E_NO_MEMORY)
        code = complain_of(EXIT_INPUT, &m->err);
    else if (status)
        code = say_missing(j, m->which->name, m->err.message);
    else if (picture_is_empty(p))
        code = say_missing(j, m->which->name, making_why_empty(m));
    else
        code = write_figure(j, m->which->name, p);
    if (!code && *signal_flag()) /* gnuplot may have finished nevertheless */
        code = complain(EXIT_SIGNAL + (int)*signal_flag(), "interrupted");
    return code;
}

/* Was the figure named before? It is drawn once. */
static bool is_again(const option_texts *figures, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(figures->at[k], figures->at[i]))
            return true;
    return false;
}

/* A figure that was named and cannot be made is an error before rows are read, which may take long. */
static int begin_figure(job *j, const figure *which)
{
    making *m = j->figures[j->n] = making_begin(which, &j->input);
    if (!m)
        return complain(EXIT_OUTPUT, "out of memory");
    j->n++;
    if (m->status == PH_E_INTERRUPTED || m->status == PH_E_NO_MEMORY)
        return complain_of(EXIT_INPUT, &m->err);
    return m->status && j->by_name ? complain(EXIT_INPUT, "%s: %s", which->name, m->err.message) : EXIT_OK;
}

static int begin_figures(job *j)
{
    const arguments *a = j->a;
    ph_error err;
    int code = EXIT_OK;
    j->by_name = a->figures.n || a->columns.n;
    for (size_t i = 0; i < a->figures.n && !code; i++)
        if (!is_again(&a->figures, i))
            code = begin_figure(j, figure_find(a->figures.at[i], &err));
    if (!a->figures.n && a->columns.n)
        code = begin_figure(j, figure_find("columns", &err));
    for (size_t i = 0; !j->by_name && figure_at(i) && !code; i++)
        if (!figure_at(i)->on_request)
            code = begin_figure(j, figure_at(i));
    return code;
}

static int finish_figures(job *j)
{
    int code = EXIT_OK;
    for (size_t i = 0; i < j->n && !code; i++) {
        code = finish_figure(j, j->figures[i]);
        making_free(j->figures[i]);
        j->figures[i] = NULL;
    }
    if (!code && !j->drawn)
        return complain(EXIT_INPUT, "no figure can be drawn of these archives");
    return code ? code : j->failed;
}

/* ---- The command --------------------------------------------------------------------------------------- */

static int list_figures(void)
{
    const char *name, *text;
    for (size_t i = 0; figure_at(i); i++)
        printf("%-12s%s\n%-12scolumns: %s%s\n", figure_at(i)->name, figure_at(i)->text, "",
               figure_at(i)->needs, figure_at(i)->on_request ? "; only by name" : "");
    puts("of sweeps:");
    for (size_t i = 0; (name = ensemble_figure(i, &text)); i++)
        printf("%-13s%s\n", name, text);
    return EXIT_OK;
}

/* The locale by the environment: the program itself stays in "C", for its numbers. */
static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
    }
    return false;
}

static bool wants_block(const arguments *a)
{
    return a->terminal_type ? !strcmp(a->terminal_type, "block") : locale_is_utf8();
}

static int choose_formats(job *j)
{
    const arguments *a = j->a;
    if (a->terminal && (a->formats.n || a->output))
        return complain(EXIT_INPUT, "--terminal writes no files: not with --format or --output");
    if (a->terminal_type && !a->terminal)
        return complain(EXIT_INPUT, "--terminal-type is of --terminal");
    if (a->terminal_type && strcmp(a->terminal_type, "dumb") != 0 && strcmp(a->terminal_type, "block") != 0)
        return complain(EXIT_INPUT, "unknown type of terminal '%s': dumb, block", a->terminal_type);
    if (a->terminal)
        j->formats[wants_block(a) ? PLOT_BLOCK : PLOT_DUMB] = true;
    else if (!a->formats.n && !j->file)
        j->formats[PLOT_SVG] = j->formats[PLOT_CSV] = true;
    for (size_t i = 0; i < a->formats.n; i++) {
        int k = 0;
        while (k < PLOT_FORMATS &&
               (plot_is_text((plot_format)k) || strcmp(endings[k], a->formats.at[i]) != 0))
            k++;
        if (k == PLOT_FORMATS)
            return complain(EXIT_INPUT, "unknown format '%s': svg, pdf, png, csv", a->formats.at[i]);
        if (j->file && !j->formats[k])
            return complain(EXIT_INPUT, "--format %s: %s is one file, whose ending is its format",
                            a->formats.at[i], a->output);
        j->formats[k] = true;
    }
    return EXIT_OK;
}

/* Is a file named, by its ending? Then one figure is made, in its format; tables are several files. */
static int choose_place(job *j)
{
    const arguments *a = j->a;
    const char *slash = a->output ? strrchr(a->output, '/') : NULL;
    const char *base = slash ? slash + 1 : a->output, *dot = base ? strrchr(base, '.') : NULL;
    struct stat there;
    int k = 0;
    while (dot && k < PLOT_FORMATS && (plot_is_text((plot_format)k) || strcasecmp(endings[k], dot + 1) != 0))
        k++;
    if (!dot || k == PLOT_FORMATS || (!stat(a->output, &there) && S_ISDIR(there.st_mode)))
        return EXIT_OK;
    if (k == PLOT_CSV)
        return complain(
            EXIT_INPUT,
            "%s: the numbers of a figure may be several tables; name a directory: -o DIR --format csv",
            a->output);
    if (!j->of_sweep && (a->figures.n ? a->figures.n > 1 : !a->columns.n))
        return complain(
            EXIT_INPUT,
            "%s is a file for one figure: name it by --figure NAME or --columns LIST (polhode plot --list), or name a "
            "directory without the ending .%s",
            a->output, endings[k]);
    j->file = base;
    j->formats[k] = true;
    return EXIT_OK;
}

/* The directory that the file is in, or that the figures are. malloc; NULL without memory. */
static char *find_directory(const job *j, const char *archive)
{
    const char *output = j->a->output;
    if (!output && j->beside)
        return strdup(j->beside);
    if (!output)
        return beside_archive(archive, ".plots");
    if (!j->file)
        return strdup(output);
    return j->file == output ? strdup(".") : strndup(output, (size_t)(j->file - output));
}

/* One of its times, or `otherwise` where it is left out. */
static bool read_time(const char *text, size_t n, double otherwise, double *time)
{
    char number[64];
    *time = otherwise;
    if (n >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)n, text);
    return !n || !ph_parse_number(number, time);
}

/* *span <- of FROM:TO; of NULL all of it. */
static bool read_span(const char *text, time_span *span)
{
    *span = (time_span){-INFINITY, INFINITY};
    const char *colon = text ? strchr(text, ':') : NULL;
    return !text || (colon && read_time(text, (size_t)(colon - text), -INFINITY, &span->from) &&
                     read_time(colon + 1, strlen(colon + 1), INFINITY, &span->to) && span->from < span->to);
}

/* Does one of the figures show the columns that are chosen? */
static bool takes_columns(const option_texts *figures)
{
    for (size_t i = 0; i < figures->n; i++)
        if (!strcmp(figures->at[i], "columns") || !strcmp(figures->at[i], "section"))
            return true;
    return false;
}

/* *sweep <- is the archive that of a sweep? An exit code. */
static int look_into(const char *path, bool *sweep)
{
    char *file = NULL;
    ph_record *record = NULL;
    ph_error err;
    if (!find_archive(path, &file, &err) && !ph_record_open(file, &record, &err)) {
        *sweep = ph_record_swept(record, NULL);
        ph_record_close(record);
        free(file);
        return EXIT_OK;
    }
    free(file);
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")) && !access(path, F_OK)
               ? complain(
                     EXIT_INPUT,
                     "%.400s; a scenario is run first: polhode run FILE, one with an ensemble polhode sweep FILE or "
                     "polhode run --member I FILE",
                     err.message)
               : complain_of(EXIT_INPUT, &err);
}

/* Figures of sweeps are of all members, the others of a run. */
static int check_figure(const job *j, const char *name)
{
    ph_error err, not_of_sweeps;
    if (j->of_sweep ? ensemble_knows(name, &err) : figure_find(name, &err) != NULL)
        return EXIT_OK;
    if (j->of_sweep || !ensemble_knows(name, &not_of_sweeps) || !j->a->files.n)
        return complain_of(EXIT_INPUT, &err);
    return j->a->member >= 0
               ? complain(EXIT_INPUT, "%s is a figure of sweeps, and --member draws those of one run", name)
               : complain(EXIT_INPUT, "%s is a figure of sweeps, and %s is the archive of one run", name,
                          j->a->files.at[0]);
}

static int check_usage(job *j)
{
    const arguments *a = j->a;
    bool sweep_given = false;
    int code = EXIT_OK;
    for (size_t i = 0; i < a->files.n && !sweep_given && !code; i++)
        code = look_into(a->files.at[i], &sweep_given);
    j->of_sweep = sweep_given && a->member < 0;
    for (size_t i = 0; i < a->figures.n && !code; i++)
        code = check_figure(j, a->figures.at[i]);
    if (code)
        return code;
    if (!a->files.n)
        return complain(EXIT_INPUT, "an archive is missing: polhode plot FILE.polhode");
    if (a->member >= 0 && !sweep_given)
        return complain(EXIT_INPUT, "%s: --member is of sweeps, and this is the archive of one run",
                        a->files.at[0]);
    if (sweep_given && a->files.n > 1)
        return complain(EXIT_INPUT, "a sweep is drawn alone; polhode merge joins shards");
    if (j->of_sweep && a->against)
        return complain(EXIT_INPUT,
                        "--against is of runs; of a sweep --x and --y say what stands at the axes");
    if (!j->of_sweep && (a->x || a->y))
        return complain(EXIT_INPUT, "--%s is of sweeps; of runs --columns a,b --against draws a against b",
                        a->x ? "x" : "y");
    if (a->files.n > RUNS_MOST)
        return complain(EXIT_INPUT, "%zu archives; a figure shows up to %d", a->files.n, RUNS_MOST);
    if (!j->of_sweep && a->columns.n && a->figures.n && !takes_columns(&a->figures))
        return complain(EXIT_INPUT, "--columns is for the figures columns and section, and %s takes none",
                        a->figures.at[0]);
    if (a->against && a->columns.n != 2)
        return complain(EXIT_INPUT, "--against takes two columns: --columns a,b");
    if (!read_span(a->span, &j->input.span))
        return complain(EXIT_INPUT,
                        "--span %s: it takes FROM:TO in seconds, FROM before TO, as 100:200, 100: or :200",
                        a->span);
    code = choose_place(j);
    return code ? code : choose_formats(j);
}

/* By default NAME.plots of NAME.polhode. What is there is refused before anything is written: all or nothing. */
static int prepare_directory(job *j, const char *file)
{
    int code = EXIT_OK;
    j->directory = find_directory(j, file);
    if (!j->directory)
        return complain(EXIT_OUTPUT, "out of memory");
    for (size_t i = 0; i < j->n && !j->a->terminal; i++)
        for (int k = 0; k <= PLOT_CSV && !code && !j->figures[i]->status; k++) {
            char name[100];
            const bool several = k == PLOT_CSV && j->input.n > 1;
            snprintf(name, sizeof name, "%s%s.%s", j->figures[i]->which->name, several ? "-1" : "",
                     endings[k]);
            code = j->formats[k] ? refuse_existing(j, name) : EXIT_OK;
        }
    return code;
}

/* *damaged <- the exit status where rows are left out. */
static int sweep_figures(job *j, archived *runs, int *damaged)
{
    ph_error err;
    ph_status status = makings_sweep(j->figures, j->n, runs, &j->input, j->a->quiet, &err);
    if (!status)
        status = archived_starved(runs, j->input.n, &err);
    if (status)
        return complain_of(EXIT_INPUT, &err);
    bool any = false;
    for (size_t i = 0; i < j->input.n; i++)
        any = any || runs[i].rows;
    if (!any && !span_is_all(j->input.span))
        return complain(EXIT_INPUT, "--span %s: no row of %s is in it; polhode tail %s shows the last ones",
                        j->a->span, j->input.n > 1 ? "the archives" : "the archive", runs->file);
    archived_compare(runs, j->input.n);
    for (size_t i = 0; i < j->input.n; i++)
        if (*runs[i].thinned)
            complain(0, "%s: a copy with %s; figures, largest errors and how they grow are of these",
                     runs[i].file, runs[i].thinned);
    *damaged = archived_complain(runs, j->input.n);
    return EXIT_OK;
}

static int plot_runs(void *self, archived *runs)
{
    job *j = self;
    int damaged = EXIT_OK;
    j->input = (plot_input){.runs = runs,
                            .n = j->a->files.n,
                            .columns = j->a->columns.at,
                            .n_columns = j->a->columns.n,
                            .against = j->a->against,
                            .span = j->input.span};
    int code = begin_figures(j);
    if (!code)
        code = prepare_directory(j, runs->file);
    if (!code)
        code = sweep_figures(j, runs, &damaged);
    if (!code)
        code = finish_figures(j);
    for (size_t i = 0; i < j->n; i++)
        making_free(j->figures[i]);
    free(j->directory);
    return code ? code : damaged;
}

/* ---- Sweeps ---------------------------------------------------------------------------------------------- */

/* What is there is refused before anything is written. */
static int prepare_pictures(job *j, const ensemble *e, const ensemble_pictures *all)
{
    int code = EXIT_OK;
    if (j->file && all->n > 1)
        return complain(
            EXIT_INPUT,
            "%s is a file for one picture, and these are %zu: %s, %s, ...; --figure and --columns name one",
            j->a->output, all->n, all->at[0]->name, all->at[1]->name);
    j->directory = find_directory(j, e->file);
    if (!j->directory)
        return complain(EXIT_OUTPUT, "out of memory");
    for (size_t i = 0; i < all->n && !j->a->terminal; i++)
        for (int k = 0; k <= PLOT_CSV && !code; k++) {
            char name[120];
            snprintf(name, sizeof name, "%s.%s", all->at[i]->name, endings[k]);
            code = j->formats[k] ? refuse_existing(j, name) : EXIT_OK;
        }
    return code;
}

static int write_pictures(job *j, const ensemble *e, const ensemble_pictures *all)
{
    int code = prepare_pictures(j, e, all);
    for (size_t i = 0; i < all->n && !code; i++) {
        const picture *p = &all->at[i]->picture;
        if (!picture_is_empty(p))
            code = write_figure(j, all->at[i]->name, p);
        else if (!j->a->quiet)
            printf("%s: left out: no member has a number there. %s\n", all->at[i]->name, p->words);
        if (!code && *signal_flag())
            code = complain(EXIT_SIGNAL + (int)*signal_flag(), "interrupted");
    }
    if (!code && !j->drawn && (e->read || !e->damaged))
        code = complain(EXIT_INPUT, "%s: nothing to draw: no member that did not fail has numbers there",
                        e->file);
    return code ? code : j->failed;
}

static int plot_sweep(job *j)
{
    const arguments *a = j->a;
    const ensemble_wish wish = {.figures = a->figures,
                                .columns = a->columns,
                                .x = a->x,
                                .y = a->y,
                                .span = j->input.span,
                                .quiet = a->quiet};
    ensemble e;
    ensemble_pictures all;
    ph_error err;
    catch_signals();
    const ph_status status = ensemble_draw(&e, a->files.at[0], &wish, &all, &err);
    int code = status ? complain_of(EXIT_INPUT, &err) : write_pictures(j, &e, &all);
    if (!status) {
        const int damage = ensemble_complain(&e);
        code = code ? code : damage;
    }
    ensemble_pictures_free(&all);
    ensemble_close(&e);
    free(j->directory);
    return code;
}

/* Messages name the member: its archive is a temporary one. */
static int plot_run_of_member(void *self, archived *run)
{
    const job *j = self;
    char name[32];
    snprintf(name, sizeof name, "member %" PRId64, j->a->member);
    char *own = strdup(name);
    if (!own)
        return complain(EXIT_OUTPUT, "out of memory");
    free(run->file);
    run->file = own;
    run->info.file = own;
    return plot_runs(self, run);
}

/* The figures of the run of one member, next to the sweep as NAME-I.plots. */
static int plot_member(job *j)
{
    const arguments *a = j->a;
    member_choice choice = {.member = a->member, .of_archive = true, .quiet = a->quiet};
    member_runs runs = {.n = 0};
    char *file = NULL, ending[48];
    ph_error err;
    if (find_archive(a->files.at[0], &file, &err))
        return complain_of(EXIT_INPUT, &err);
    choice.file = file;
    snprintf(ending, sizeof ending, "-%" PRId64 ".plots", a->member);
    j->beside = a->output ? NULL : beside_archive(file, ending);
    int code = run_members(&choice, &runs);
    if (!code) {
        const char *const archive = runs.list[0].file;
        code = archived_use(&(option_texts){&archive, 1}, j->input.span, plot_run_of_member, j);
    }
    end_member_runs(&runs);
    free(j->beside);
    free(file);
    return code;
}

static int run_plot(void *pointer)
{
    job j = {.a = pointer};
    if (j.a->list)
        return list_figures();
    const int code = check_usage(&j);
    if (!code && j.a->member >= 0)
        return plot_member(&j);
    return code ? code : j.of_sweep ? plot_sweep(&j) : archived_use(&j.a->files, j.input.span, plot_runs, &j);
}

const command_row command_plot = {
    .name = "plot",
    .summary =
        "draw figures of runs and sweeps for a paper: errors, trajectories, phase portraits, sections, maps",
    .about =
        "Draw figures of a run, or of several over each other, by gnuplot, as SVG, PDF or PNG, with the numbers behind each as CSV: "
        "errors of energy, momentum maps and constraints over time with how they grow in words, the energy error with its sign, the "
        "trajectory in projections, phase portraits, Poincare sections from events, iterations, any columns. A figure is as wide "
        "as a column of a journal (8.6 cm), or as a page. The same archives give the same bytes.\n"
        "For a sweep, draw columns of its members over a number that varies (over), in colours over two (map), their distributions, and members "
        "over time, over each other; by what varies, or as named by --figure. Members that failed are marked and named.",
    .notes =
        "A figure that the archives have no data for is left out with a sentence; asked for by name it is an error. Columns that the "
        "archives lack are computed from configuration and momentum where they can be. Runs of any length are shown whole: errors over "
        "time are the largest of all rows in bins of time, curves over time the least and largest value of neighbouring rows, and of "
        "trajectories, portraits and sections all rows, less those that change no pixel.",
    .exits = {{0, "done"},
              {1, "done, but something is damaged; damaged rows were left out"},
              {2, "wrong usage, no archive, or no data for a figure that was named"},
              {3, "files cannot be written or exist already, or gnuplot is missing or fails"},
              {130, "interrupted"}},
    .options = options,
    .size = sizeof(arguments),
    .defaults = &defaults,
    .run = run_plot};
