/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode export: rows of results, some or all, for other programs. The formats are the library's
 * (polhode/table.h). */
#include "program.h"
#include "source.h"

#include "bench/report/builder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMED = 10 };

typedef struct arguments {
    const char *file, *output, *format;
    option_texts columns; /* none: all */
    double from, to;      /* [s] */
    int64_t every;
    bool force, quiet, json, flat, events;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"FILE", 0, "file", AT(ARCHIVE, file),
     .text = "an archive, NAME.polhode, a directory that holds one, or a trajectory.csv", .required = true},
    {"output", 'o', "FILE", AT(TEXT, output), .text = "the file to write", .required = true},
    {"format", 0, "csv|npy|npz|hdf5", AT(TEXT, format),
     .text = "the format (default: by the ending of the file's name: .csv, .npy, .npz, .h5 or .hdf5)"},
    {"columns", 0, "LIST", AT(LIST, columns),
     .text =
         "the columns, in this order, for example t,q1,energy: the file's, or for an archive others that can be computed (default: "
         "all of the file)"},
    {"from", 0, "TIME", AT(TIME, from), .text = "rows from this time on, in s"},
    {"to", 0, "TIME", AT(TIME, to), .text = "rows up to this time, in s"},
    {"every", 0, "N", AT(WHOLE, every), .text = "the first of these rows and every N-th after it",
     .least = 1},
    {"events", 0, NULL, AT(FLAG, events),
     .text =
         "export the events of an archive instead of its rows; the column event is a number, whose name is the attribute \"event NUMBER\", in CSV the name itself"},
    {"flat", 0, NULL, AT(FLAG, flat),
     .text =
         "in .npz and HDF5, one array per column instead of one for each kind, such as R of shape (rows, factors, 3, 3)"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "overwrite an existing file"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {"json", 0, NULL, AT(FLAG, json), .text = "print what was written as JSON"},
    {.name = NULL}};
static const arguments defaults = {.from = -INFINITY, .to = INFINITY, .every = 1};

typedef struct job {
    const arguments *arguments;
    const ph_table_format *format;
    source source;
    size_t *picked;     /* (n) columns of the source */
    ph_column *columns; /* (n) */
    char *arrays;       /* (n x PH_COLUMN_NAME) names */
    size_t n, time;     /* time: of the column t */
    double *values, *rows;
    int64_t at_once;
    ph_table *table;
    progress progress;
    int64_t good, seen, written, damaged; /* rows that could be read; of them in the interval; rows; places */
    size_t group;                         /* rows of a member of a sweep, where all are written; else 1 */
    int64_t between;                      /* rows that were written and lie between steps */
    char *named[NAMED];                   /* of these the first */
} job;

/* ---- Which columns ------------------------------------------------------------------------------------ */

/* Some of the names are not among the source's columns, for the reason in err: of an archive, they may be such that can be computed. Then
 * the source becomes one of all that are named, and *n of its columns are. */
static ph_status compute_columns(source *s, const arguments *a, size_t *n, ph_error *err)
{
    source computed;
    ph_error why = *err;
    if (a->events || !source_is_record(a->file))
        return PH_E_UNKNOWN;
    if (ph_record_swept(s->record, NULL))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "%.300s; a sweep has the columns that its scenario chooses: polhode sweep FILE --set "
                       "'output.columns=[...]' -o DIR runs its members again with others",
                       why.message);
    const ph_status status = source_open_rows(a->file, &a->columns, &computed, n, &why);
    if (status == PH_E_UNKNOWN)
        return PH_E_UNKNOWN;
    if (status)
        return ph_fail(err, status, "%s", why.message);
    s->close(s->self);
    *s = computed;
    return PH_OK;
}

/* j->picked (n), *n <- the columns of the command line, or all. */
static ph_status find_columns(job *j, ph_error *err)
{
    const option_texts *names = &j->arguments->columns;
    ph_status status = PH_OK;
    bool all = !names->n;
    j->picked = malloc((j->source.n + 1) * sizeof *j->picked);
    j->n = j->source.n;
    if (!j->picked)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!all)
        status = source_pick(&j->source, names, j->picked, &j->n, err);
    if (status == PH_E_UNKNOWN) {
        status = compute_columns(&j->source, j->arguments, &j->n, err);
        size_t *more = status ? NULL : realloc(j->picked, (j->n + 1) * sizeof *more);
        if (!status && !more)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        j->picked = more ? more : j->picked;
        all = true;
    }
    for (size_t i = 0; all && i < j->n && !status; i++)
        j->picked[i] = i;
    return status;
}

static ph_status pick_columns(job *j, ph_error *err)
{
    ph_status status = find_columns(j, err);
    if (status)
        return status;
    const source *s = &j->source;
    j->at_once = 65536 / (int64_t)s->n + 1;
    j->columns = malloc(s->n * sizeof *j->columns);
    j->values = malloc((size_t)j->at_once * s->n * sizeof *j->values);
    j->rows = malloc((size_t)j->at_once * s->n * sizeof *j->rows);
    j->arrays = malloc(s->n * PH_COLUMN_NAME);
    if (!j->columns || !j->values || !j->rows || !j->arrays)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < j->n; i++)
        j->columns[i] = s->columns[j->picked[i]];
    if (!j->arguments->flat && ph_table_format_arrays(j->format))
        status = ph_table_arrays(s->columns, s->n, j->picked, j->n, j->columns, j->arrays, err);
    if (!status && (s->record || isfinite(j->arguments->from) || isfinite(j->arguments->to)))
        status = source_find(s, "t", &j->time, err);
    return status;
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static bool is_chosen(job *j, const double *row)
{
    const arguments *a = j->arguments;
    bool bounded = isfinite(a->from) || isfinite(a->to);
    if (bounded && !(row[j->time] >= a->from && row[j->time] <= a->to))
        return false;
    return j->seen++ % a->every == 0;
}

/* In arrays by member, rows that are damaged are not left out, but not numbers. */
static ph_status put_missing(job *j, int64_t n, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t c = 0; c < j->n; c++)
        j->rows[c] = (double)NAN;
    for (; j->group > 1 && n > 0 && !status; n--)
        status = ph_table_add(j->table, j->rows, 1, err);
    return status;
}

static ph_status put_rows(job *j, int64_t n, ph_error *err)
{
    double *to = j->rows;
    for (int64_t i = 0; i < n; i++) {
        const double *row = j->values + (size_t)i * j->source.n;
        if (!is_chosen(j, row))
            continue;
        for (size_t c = 0; c < j->n; c++)
            *to++ = row[j->picked[c]];
        j->between += j->source.record && ph_record_is_between(j->source.record, row[j->time]);
    }
    size_t chosen = (size_t)(to - j->rows) / j->n;
    j->written += (int64_t)chosen;
    return ph_table_add(j->table, j->rows, chosen, err);
}

/* A damaged place is reported at once, and kept for the report at the end; then: what happens with it. */
static void note_damage(job *j, const char *message, const char *then)
{
    if (j->damaged < NAMED) {
        j->named[j->damaged] = strdup(message);
        complain(0, "%s%s", message, then);
    } else if (j->damaged == NAMED) {
        complain(0, "(there is more)");
    }
    j->damaged++;
}

/* A file whose first rows are all damaged is not one of Polhode. */
static bool is_foreign(const job *j)
{
    return !j->good && j->damaged >= NAMED;
}

/* Of all that is to be read, after so many rows. */
static double share_read(const source *s, int64_t next)
{
    const int64_t rows = s->rows ? s->rows(s->self) : 0;
    return !s->rows ? s->share(s->self) : rows ? (double)next / (double)rows : 1;
}

/* PH_E_IO and PH_E_PARSE: from the source. *writing <- was it the table that failed? */
static ph_status copy_rows(job *j, bool *writing, ph_error *err)
{
    int64_t first = 0, read, next;
    *writing = false;
    for (;;) {
        ph_error why;
        ph_status status = j->source.read(j->source.self, first, j->at_once, j->values, &read, &next, &why);
        if (*signal_flag()) /* which may be why a read has failed */
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted; nothing was written");
        if (status && next <= first)
            return ph_fail(err, status, "%s", why.message);
        if (!status && !read)
            return j->good || !j->damaged || j->source.record || j->arguments->events
                       ? PH_OK
                       : ph_fail(err, PH_E_PARSE, "%s: no row can be read", j->arguments->file);
        j->good += read;
        if (status)
            note_damage(j, why.message, "; left out");
        if (is_foreign(j))
            return ph_fail(err, PH_E_PARSE, "%s: is not a table of numbers", j->arguments->file);
        const int64_t lost = next - first - read;
        first = next;
        status = put_rows(j, read, err);
        if (!status)
            status = put_missing(j, lost, err);
        *writing = status != PH_OK;
        if (status)
            return status;
        progress_show(&j->progress, (double)NAN, (int64_t)(1000 * share_read(&j->source, first)), 1000, NULL);
    }
}

/* ---- The report ---------------------------------------------------------------------------------------- */

static int print_json(const job *j)
{
    builder b = {0};
    json_object *o = build_object(&b), *list = build_array(&b), *damaged = build_array(&b);
    build_add(&b, o, "polhode_export", build_count(&b, 1));
    build_add(&b, o, "file", build_text(&b, j->arguments->output));
    build_add(&b, o, "format", build_text(&b, ph_table_format_name(j->format)));
    build_add(&b, o, "rows", build_count(&b, j->written));
    build_add(&b, o, "rows_between_steps", j->source.record ? build_count(&b, j->between) : NULL);
    for (size_t i = 0; i < j->n; i++) {
        json_object *column = build_object(&b);
        build_add(&b, column, "name", build_text(&b, j->columns[i].name));
        build_add(&b, column, "unit", build_text(&b, j->columns[i].unit));
        build_append(&b, list, column);
    }
    build_add(&b, o, "columns", list);
    build_add(&b, o, "damaged_places", build_count(&b, j->damaged));
    for (int64_t i = 0; i < j->damaged && i < NAMED; i++)
        build_append(&b, damaged, build_text(&b, j->named[i]));
    build_add(&b, o, "damaged", damaged);
    return print_document(&b, o);
}

static int print_report(const job *j)
{
    int code = EXIT_OK;
    if (j->arguments->json)
        code = print_json(j);
    else if (!j->arguments->quiet)
        printf("Written: %s, %" PRId64 " rows of %zu columns as %s\n", j->arguments->output, j->written, j->n,
               ph_table_format_name(j->format));
    if (!j->arguments->quiet)
        source_remark(&j->source, j->columns, j->n, j->between, j->written);
    if (j->source.damage.status && j->damaged == 1 && code == EXIT_OK)
        return complain(EXIT_ENDED_EARLY, "all that could be read is in %s, but the archive is damaged",
                        j->arguments->output);
    if (j->damaged && code == EXIT_OK)
        return complain(EXIT_ENDED_EARLY,
                        "damaged rows were left out, in %" PRId64 " place%s; the others are in %s",
                        j->damaged, j->damaged == 1 ? "" : "s", j->arguments->output);
    return code;
}

/* ---- The command --------------------------------------------------------------------------------------- */

/* The table with the attributes that can be written; the others are left out with a warning. */
static ph_status create_table(job *j, ph_error *err)
{
    const arguments *a = j->arguments;
    ph_attribute *kept = malloc((j->source.n_attributes + 1) * sizeof *kept);
    size_t n = 0;
    if (!kept)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < j->source.n_attributes; i++) {
        if (ph_table_takes(&j->source.attributes[i]))
            kept[n++] = j->source.attributes[i];
        else
            complain(
                0, "%s: the attribute \"%.40s\" is left out: its text is damaged, or has control characters",
                a->file, j->source.attributes[i].key);
    }
    const ph_status status =
        ph_table_create(a->output, j->format, j->columns, j->n, kept, n, a->force, &j->table, err);
    free(kept);
    return status;
}

/* How many rows belong together. */
static size_t group_of(const job *j)
{
    ph_swept swept;
    const arguments *a = j->arguments;
    const bool all = a->every == 1 && isinf(a->from) && isinf(a->to);
    return all && j->source.record && ph_record_swept(j->source.record, &swept) ? (size_t)swept.rows : 1;
}

static int export_rows(job *j)
{
    const arguments *a = j->arguments;
    bool writing = false;
    j->group = group_of(j);
    ph_error err;
    const int code = check_place(a->output, a->force);
    if (code)
        return code;
    catch_signals(); /* before a file shows that it has begun */
    ph_status status = create_table(j, &err);
    if (status)
        return complain(status == PH_E_INVALID ? EXIT_INPUT : EXIT_OUTPUT, "%s", err.message);
    if (j->source.damage.status)
        note_damage(j, j->source.damage.message, "");
    j->progress = progress_start(a->output, a->quiet || a->json);
    if (j->group > 1)
        status = ph_table_group(j->table, j->group, &err);
    if (!status)
        status = copy_rows(j, &writing, &err);
    progress_end(&j->progress);
    if (status) {
        ph_table_abandon(j->table);
        return complain_of(writing ? EXIT_OUTPUT : EXIT_INPUT, &err);
    }
    if (ph_table_close(j->table, &err))
        return complain_of(EXIT_OUTPUT, &err);
    return print_report(j);
}

static int run_export(void *pointer)
{
    const arguments *a = pointer;
    job j = {.arguments = a};
    ph_error err;
    if (a->from > a->to)
        return complain(EXIT_INPUT, "--from %.10g is later than --to %.10g", a->from, a->to);
    j.format = a->format ? ph_table_format_find(a->format, &err) : ph_table_format_of(a->output, &err);
    if (!j.format || ph_table_format_available(j.format, &err) ||
        (a->events ? source_open_events : source_open)(a->file, &j.source, &err))
        return complain_of(EXIT_INPUT, &err);
    const int code = pick_columns(&j, &err) ? complain_of(EXIT_INPUT, &err) : export_rows(&j);
    j.source.close(j.source.self);
    for (size_t i = 0; i < NAMED; i++)
        free(j.named[i]);
    free(j.picked);
    free(j.columns);
    free(j.arrays);
    free(j.values);
    free(j.rows);
    return code;
}

const command_row command_export = {
    .name = "export",
    .summary =
        "write rows of an archive, or of a trajectory.csv, for another program: CSV, NumPy's .npy and .npz, HDF5",
    .about =
        "Write the rows of an archive, NAME.polhode, or of a trajectory.csv for another program: as CSV, NumPy's "
        ".npy or .npz, or HDF5, with units and data of the run if the format has a place for them.",
    .notes = "Damaged lines and blocks are reported and left out.",
    .exits = {{0, "done"},
              {1, "done, but something is damaged; damaged rows were left out"},
              {2, "wrong usage, or a file that cannot be read"},
              {3, "the file cannot be written"},
              {130, "interrupted; nothing was written"}},
    .options = options,
    .size = sizeof(arguments),
    .defaults = &defaults,
    .run = run_export};
