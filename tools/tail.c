/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode tail: the last rows of an archive, and those that a run adds to it. It opens the archive for a
 * moment each time it reads: a run that ends leaves a single file only if no process has it open. */
#include "program.h"
#include "source.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { NARROWEST = 8, CELL = 32 };

typedef struct arguments {
    const char *file;
    option_texts columns; /* none: the usual ones */
    int64_t rows;
    bool follow, quiet, json;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"FILE", 0, "archive", AT(ARCHIVE, file),
     .text = "an archive, NAME.polhode, or a directory that holds one", .required = true},
    {"rows", 'n', "ROWS", AT(WHOLE, rows), .text = "number of rows (default: 10)"},
    {"follow", 'f', NULL, AT(FLAG, follow), .text = "then show new rows, once a second, until the run ends"},
    {"columns", 0, "LIST", AT(LIST, columns),
     .text = "the columns to show, for example t,q1x,energy (default: time, step, errors and iterations; of "
             "a sweep also member and status)"},
    {"json", 0, NULL, AT(FLAG, json), .text = "a JSON object for each row, on a separate line"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing: with --follow wait for the run's end"},
    {.name = NULL}};
static const arguments defaults = {.rows = 10};

/* What is kept from one reading to the next. */
typedef struct view {
    const arguments *arguments;
    size_t *picked, n; /* columns */
    int *widths;
    double *values;
    int64_t at_once, next; /* rows that are read at once; the next one to read, or -1 at first */
    int64_t damaged;
    int64_t shown, between; /* rows; of them between steps */
    bool headed, remarked;  /* was the head of the table printed, and what readers should know of errors? */
    struct stat place;      /* by which another archive of that name is distinguished from this one */
} view;

/* ---- Columns ------------------------------------------------------------------------------------------ */

/* Those of them that the archive has; where it has none, the first ones. */
static void pick_usual(view *v, const source *s)
{
    static const char *const usual[] = {"member",       "status",           "t",        "step",
                                        "energy_error", "constraint_error", "tangency", "newton_passes"};
    enum { USUAL = sizeof usual / sizeof usual[0] };
    for (size_t i = 0; i < USUAL && v->n < s->n; i++)
        if (!source_find(s, usual[i], &v->picked[v->n], NULL))
            v->n++;
    for (size_t i = 0; !v->n && i < s->n && i < USUAL; i++)
        v->picked[i] = i;
    v->n = v->n ? v->n : s->n < USUAL ? s->n : USUAL;
}

static const ph_column *column_of(const view *v, const source *s, size_t i)
{
    return &s->columns[v->picked[i]];
}

/* ---- A table ------------------------------------------------------------------------------------------ */

/* Counts without a decimal point; times with more digits than the others, for they grow. */
static int write_cell(char cell[CELL], const ph_column *c, double value)
{
    if (fabs(value) < 1e15 && value == rint(value))
        return snprintf(cell, CELL, "%.0f", value);
    return snprintf(cell, CELL, "%.*g", strcmp(c->name, "t") ? 6 : 12, value);
}

static void widen_column(view *v, size_t i, int width)
{
    if (v->widths[i] < width)
        v->widths[i] = width;
}

/* Room for names and units. */
static void measure_head(view *v, const source *s)
{
    for (size_t i = 0; i < v->n; i++) {
        const ph_column *c = column_of(v, s, i);
        v->widths[i] = NARROWEST;
        widen_column(v, i, (int)strlen(c->name));
        widen_column(v, i, c->unit ? (int)strlen(c->unit) + 2 : 0);
    }
}

/* Names, and below them units. */
static void print_head(view *v, const source *s)
{
    char unit[64];
    v->headed = true;
    for (size_t i = 0; i < v->n; i++)
        printf("%s%*s", i ? "  " : "", v->widths[i], column_of(v, s, i)->name);
    printf("\n");
    for (size_t i = 0; i < v->n; i++) {
        const char *text = column_of(v, s, i)->unit;
        snprintf(unit, sizeof unit, "%s%s%s", text ? "[" : "", text ? text : "", text ? "]" : "");
        printf("%s%*s", i ? "  " : "", v->widths[i], unit);
    }
    printf("\n");
}

/* The first rows also decide how wide the head is. */
static void print_table(view *v, const source *s, int64_t n)
{
    char cell[CELL];
    for (int64_t k = 0; k < n; k++)
        for (size_t i = 0; i < v->n; i++)
            widen_column(v, i,
                         write_cell(cell, column_of(v, s, i), v->values[(size_t)k * s->n + v->picked[i]]));
    if (!v->headed)
        print_head(v, s);
    for (int64_t k = 0; k < n; k++) {
        for (size_t i = 0; i < v->n; i++) {
            write_cell(cell, column_of(v, s, i), v->values[(size_t)k * s->n + v->picked[i]]);
            printf("%s%*s", i ? "  " : "", v->widths[i], cell);
        }
        printf("\n");
    }
}

/* ---- Lines of JSON ------------------------------------------------------------------------------------ */

static ph_status print_lines(const view *v, const source *s, int64_t n, ph_error *err)
{
    for (int64_t k = 0; k < n; k++) {
        builder b = {0};
        json_object *o = build_object(&b);
        for (size_t i = 0; i < v->n; i++) {
            const ph_column *c = column_of(v, s, i);
            const double x = v->values[(size_t)k * s->n + v->picked[i]];
            const bool count = !c->unit && fabs(x) < 1e15 && x == rint(x);
            build_add(&b, o, c->name, count ? build_count(&b, (int64_t)x) : build_number(&b, x));
        }
        const char *line = o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_SPACED) : NULL;
        const bool whole = line && !b.failed;
        if (whole)
            printf("%s\n", line);
        json_object_put(o);
        if (!whole)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    return PH_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static ph_status prepare_view(view *v, const source *s, ph_error *err)
{
    v->at_once = 65536 / (int64_t)s->n + 1;
    v->picked = malloc(s->n * sizeof *v->picked);
    v->widths = malloc(s->n * sizeof *v->widths);
    v->values = malloc((size_t)v->at_once * s->n * sizeof *v->values);
    if (!v->picked || !v->widths || !v->values)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = PH_OK;
    if (v->arguments->columns.n)
        status = source_pick(s, &v->arguments->columns, v->picked, &v->n, err);
    else
        pick_usual(v, s);
    if (!status)
        measure_head(v, s);
    return status;
}

/* The first reading prepares the later ones, which may find another archive. */
static ph_status find_next_row(view *v, const source *s, ph_error *err)
{
    const int64_t rows = s->rows(s->self);
    struct stat now;
    if (stat(v->arguments->file, &now))
        return ph_fail(err, PH_E_IO, "%s: %s", v->arguments->file, strerror(errno));
    if (v->next >= 0 && (now.st_ino != v->place.st_ino || now.st_dev != v->place.st_dev))
        return ph_fail(err, PH_E_EXISTS, "%s: this is now the archive of another run", v->arguments->file);
    if (v->next >= 0) { /* a process that resumes a run drops a row outside the schedule */
        v->next = v->next < rows ? v->next : rows;
        return PH_OK;
    }
    v->place = now;
    v->next = rows > v->arguments->rows ? rows - v->arguments->rows : 0;
    return prepare_view(v, s, err);
}

static ph_status print_rows(view *v, const source *s, int64_t n, ph_error *err)
{
    if (v->arguments->quiet)
        return PH_OK;
    if (v->arguments->json)
        return print_lines(v, s, n, err);
    print_table(v, s, n);
    return PH_OK;
}

/* Once: what they should know who read these rows, and the ones behind them. */
static ph_status remark(view *v, const source *s, int64_t n, ph_error *err)
{
    const size_t t = ph_record_find(s->record, "t");
    for (int64_t k = 0; k < n && t < s->n; k++)
        v->between += ph_record_is_between(s->record, v->values[(size_t)k * s->n + t]);
    v->shown += n;
    if (!n || v->remarked || v->arguments->quiet)
        return PH_OK;
    ph_column *columns = malloc(v->n * sizeof *columns);
    if (!columns)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < v->n; i++)
        columns[i] = *column_of(v, s, i);
    source_remark(s, columns, v->n, v->between, v->shown);
    free(columns);
    v->remarked = true;
    return PH_OK;
}

/* Rows that have been added. */
static ph_status print_new_rows(view *v, const source *s, ph_error *err)
{
    for (;;) {
        ph_error why;
        int64_t read, next;
        ph_status status = s->read(s->self, v->next, v->at_once, v->values, &read, &next, &why);
        if (status && next <= v->next)
            return ph_fail(err, status, "%s", why.message);
        if (status) {
            complain(0, "%s; left out", why.message);
            v->damaged++;
        }
        v->next = next;
        if (print_rows(v, s, read, err) || remark(v, s, read, err))
            return PH_E_NO_MEMORY;
        if ((!status && !read) || ferror(stdout) || *signal_flag())
            return PH_OK;
    }
}

/* One reading; *ended <- does the archive say how its run ended? */
static ph_status read_archive(view *v, bool *ended, ph_error *err)
{
    source s;
    ph_status status = source_open_record(v->arguments->file, &s, err);
    if (status)
        return status;
    if (v->next < 0 && s.damage.status) {
        complain(0, "%s", s.damage.message);
        v->damaged++;
    }
    status = find_next_row(v, &s, err);
    if (!status)
        status = print_new_rows(v, &s, err);
    *ended = ph_record_meta(s.record, "status");
    s.close(s.self);
    return status;
}

static int follow_archive(view *v)
{
    const struct timespec second = {1, 0};
    const char *file = v->arguments->file;
    ph_error err;
    for (bool writing = true, ended = false;;) {
        const bool first = v->next < 0;
        writing =
            ph_archive_writer(file, NULL); /* before reading: a process that has ended has written all */
        if (read_archive(v, &ended, &err))
            return complain(first ? EXIT_INPUT : EXIT_ENDED_EARLY, "%s", err.message);
        if (fflush(stdout) || ferror(stdout))
            return complain(EXIT_OUTPUT, "cannot write to the standard output");
        if (*signal_flag())
            return EXIT_SIGNAL + (int)*signal_flag();
        if (!v->arguments->follow || (!writing && ended))
            break;
        if (!writing && !ph_archive_writer(file, NULL)) /* nor has it been resumed since */
            return complain(EXIT_ENDED_EARLY,
                            "%s: no process writes it, and it does not say how its run ended: it was killed; "
                            "to continue: polhode resume %s",
                            file, file);
        nanosleep(&second, NULL);
    }
    return v->damaged ? EXIT_ENDED_EARLY : EXIT_OK;
}

static int run_tail(void *pointer)
{
    const arguments *a = pointer;
    view v = {.arguments = a, .next = -1};
    if (a->follow)
        setvbuf(stdout, NULL, _IOLBF, 0); /* each line at once, also into a pipe */
    signal(SIGPIPE, SIG_IGN);             /* a reader that has gone is reported like a full disk */
    catch_signals();
    const int code = follow_archive(&v);
    free(v.picked);
    free(v.widths);
    free(v.values);
    return code;
}

const command_row command_tail = {
    .name = "tail",
    .summary = "show the last rows of an archive, also while it is being written",
    .about = "Show the last rows of an archive, also while it is being written.",
    .notes =
        "A run writes its rows with the state that belongs to them, once a minute or as --snapshot-interval says.",
    .exits = {{0, "done"},
              {1, "something is damaged, or the run was killed"},
              {2, "wrong usage or no archive"},
              {3, "the rows cannot be written"},
              {130, "interrupted by Ctrl-C"}},
    .options = options,
    .size = sizeof(arguments),
    .defaults = &defaults,
    .run = run_tail};
