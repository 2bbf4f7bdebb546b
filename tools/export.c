/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode export: rows of results, some or all, for other programs. The formats are the library's
 * (polhode/table.h). */
#include "command.h"
#include "source.h"

#include "bench/report/builder.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: polhode export FILE -o FILE [--format csv|npy|npz|hdf5] "
    "[--columns LIST] [--from TIME] [--to TIME]\n"
    "                      [--every N] [--force] [--quiet | --json]\n"
    "Write the rows of an archive, NAME.polhode, "
    "or of a trajectory.csv for another program: as CSV, NumPy's\n"
    ".npy or .npz, or HDF5, "
    "with units and what is known of the run where the format has a place for them.\n\n"
    "  -o, --output FILE    what to write\n"
    "      --format csv|npy|npz|hdf5\n"
    "                       the format "
    "(default: by the ending of the file's name: .csv, .npy, .npz, .h5 or .hdf5)\n"
    "      --columns LIST   these columns in this order, as t,q1x,energy (default: all)\n"
    "      --from TIME      rows from this time on, in s\n"
    "      --to TIME        rows up to this time, in s\n"
    "      --every N        of these rows the first and each N-th after it\n"
    "  -f, --force          overwrite a file that is there\n"
    "  -q, --quiet          print nothing but errors\n"
    "      --json           print what was written as JSON\n"
    "  -h, --help           this text\n\n"
    "Lines and blocks of an archive that cannot be read are named and left out.\n\n"
    "Exit status: 0 done, 1 done, but damaged rows were left out, "
    "2 wrong usage or a file that cannot be read, 3\n"
    "cannot write, 130 interrupted (nothing is written).\n";

enum { LONG_FORMAT = 256, LONG_COLUMNS, LONG_FROM, LONG_TO, LONG_EVERY, LONG_JSON, NAMED = 10 };

typedef struct arguments {
    const char *file, *output, *format, *columns;
    double from, to;
    int64_t every;
    int force, quiet, json;
} arguments;

typedef struct job {
    const arguments *arguments;
    const ph_table_format *format;
    source source;
    size_t *picked;     /* (n) columns of the source */
    ph_column *columns; /* (n) */
    size_t n, time;     /* time: of the column t */
    double *values, *rows;
    int64_t at_once;
    ph_table *table;
    progress progress;
    int64_t good, seen, written, damaged; /* rows that could be read; of them in the interval; rows; places */
    char *named[NAMED];                   /* of these the first */
} job;

/* ---- Arguments --------------------------------------------------------------------------------------- */

static int read_time(const char *text, const char *what, double *value)
{
    if (ph_parse_number(text, value))
        return complain(EXIT_INPUT, "%s must be a number of seconds, not \"%s\"", what, text) + 1;
    return 0;
}

/* 0: go on; otherwise exit code + 1. */
static int take_option(int c, arguments *a)
{
    switch (c) {
    case 'o':
        return a->output = optarg, 0;
    case LONG_FORMAT:
        return a->format = optarg, 0;
    case LONG_COLUMNS:
        return a->columns = optarg, 0;
    case LONG_FROM:
        return read_time(optarg, "--from", &a->from);
    case LONG_TO:
        return read_time(optarg, "--to", &a->to);
    case LONG_EVERY:
        if (ph_parse_count(optarg, &a->every) || a->every < 1)
            return complain(EXIT_INPUT, "--every must be a whole number from 1 on, not \"%s\"", optarg) + 1;
        return 0;
    case 'f':
        return a->force = 1, 0;
    case 'q':
        return a->quiet = 1, 0;
    case LONG_JSON:
        return a->json = 1, 0;
    case 'h':
        return fputs(usage, stdout), EXIT_OK + 1;
    default:
        return complain(EXIT_INPUT, "try: polhode export --help") + 1;
    }
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"format", required_argument, NULL, LONG_FORMAT},
                                            {"columns", required_argument, NULL, LONG_COLUMNS},
                                            {"from", required_argument, NULL, LONG_FROM},
                                            {"to", required_argument, NULL, LONG_TO},
                                            {"every", required_argument, NULL, LONG_EVERY},
                                            {"force", no_argument, NULL, 'f'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"json", no_argument, NULL, LONG_JSON},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int c, code;
    *a = (arguments){.from = -INFINITY, .to = INFINITY, .every = 1};
    while ((c = getopt_long(argc, argv, "o:fqh", options, NULL)) != -1)
        if ((code = take_option(c, a)))
            return code;
    if (argc - optind != 1)
        return complain(EXIT_INPUT, "export takes one file, not %d\nTry: polhode export --help",
                        argc - optind) +
               1;
    a->file = argv[optind];
    if (!a->output || !*a->output)
        return complain(EXIT_INPUT, "where to? Say -o FILE, with an ending .csv, .npy, .npz, .h5 or .hdf5") +
               1;
    if (a->from > a->to)
        return complain(EXIT_INPUT, "--from %.10g is behind --to %.10g", a->from, a->to) + 1;
    return 0;
}

/* ---- Which columns ------------------------------------------------------------------------------------ */

static ph_status pick(job *j, ph_error *err)
{
    const source *s = &j->source;
    j->at_once = 65536 / (int64_t)s->n + 1;
    j->picked = malloc(s->n * sizeof *j->picked);
    j->columns = malloc(s->n * sizeof *j->columns);
    j->values = malloc((size_t)j->at_once * s->n * sizeof *j->values);
    j->rows = malloc((size_t)j->at_once * s->n * sizeof *j->rows);
    if (!j->picked || !j->columns || !j->values || !j->rows)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = PH_OK;
    if (j->arguments->columns)
        status = source_pick(s, j->arguments->columns, j->picked, &j->n, err);
    else
        while (j->n < s->n) {
            j->picked[j->n] = j->n;
            j->n++;
        }
    for (size_t i = 0; i < j->n; i++)
        j->columns[i] = s->columns[j->picked[i]];
    if (!status && (isfinite(j->arguments->from) || isfinite(j->arguments->to)))
        status = source_find(s, "t", &j->time, err);
    return status;
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static bool is_wanted(job *j, const double *row)
{
    const arguments *a = j->arguments;
    bool bounded = isfinite(a->from) || isfinite(a->to);
    if (bounded && !(row[j->time] >= a->from && row[j->time] <= a->to))
        return false;
    return j->seen++ % a->every == 0;
}

static ph_status put_rows(job *j, int64_t n, ph_error *err)
{
    double *to = j->rows;
    for (int64_t i = 0; i < n; i++) {
        const double *row = j->values + (size_t)i * j->source.n;
        if (!is_wanted(j, row))
            continue;
        for (size_t c = 0; c < j->n; c++)
            *to++ = row[j->picked[c]];
    }
    size_t wanted = (size_t)(to - j->rows) / j->n;
    j->written += (int64_t)wanted;
    return ph_table_add(j->table, j->rows, wanted, err);
}

/* A damaged place: told at once, and kept for the report. */
static void note_damage(job *j, const char *message)
{
    if (j->damaged < NAMED) {
        j->named[j->damaged] = strdup(message);
        complain(0, "%s; left out", message);
    } else if (j->damaged == NAMED) {
        complain(0, "(there is more)");
    }
    j->damaged++;
}

/* A file whose first rows all are damaged is none of ours. */
static bool is_foreign(const job *j)
{
    return !j->good && j->damaged >= NAMED;
}

/* PH_E_IO and PH_E_PARSE: from the source. *writing tells whether it was the table that failed. */
static ph_status copy(job *j, bool *writing, ph_error *err)
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
            return j->good || !j->damaged
                       ? PH_OK
                       : ph_fail(err, PH_E_PARSE, "%s: no row can be read", j->arguments->file);
        j->good += read;
        if (status)
            note_damage(j, why.message);
        if (is_foreign(j))
            return ph_fail(err, PH_E_PARSE, "%s: is no table of numbers", j->arguments->file);
        first = next;
        status = put_rows(j, read, err);
        *writing = status != PH_OK;
        if (status)
            return status;
        progress_show(&j->progress, (double)NAN, (int64_t)(1000 * j->source.share(j->source.self)), 1000,
                      NULL);
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

static int report(const job *j)
{
    int code = EXIT_OK;
    if (j->arguments->json)
        code = print_json(j);
    else if (!j->arguments->quiet)
        printf("Written: %s, %" PRId64 " rows of %zu columns as %s\n", j->arguments->output, j->written, j->n,
               ph_table_format_name(j->format));
    if (j->damaged && code == EXIT_OK)
        return complain(EXIT_ENDED_EARLY, "%" PRId64 " damaged rows were left out; the others are in %s",
                        j->damaged, j->arguments->output);
    return code;
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

static int export(job *j)
{
    const arguments *a = j->arguments;
    bool writing;
    ph_error err;
    catch_signals(); /* from when there is a file that says that it has begun */
    ph_status status = ph_table_create(a->output, j->format, j->columns, j->n, j->source.attributes,
                                       j->source.n_attributes, a->force, &j->table, &err);
    if (status)
        return complain(status == PH_E_INVALID ? EXIT_INPUT : EXIT_OUTPUT, "%s%s", err.message,
                        status == PH_E_EXISTS ? " (--force)" : "");
    j->progress = progress_start(a->output, a->quiet || a->json);
    status = copy(j, &writing, &err);
    progress_end(&j->progress);
    if (status) {
        ph_table_abandon(j->table);
        return complain(status == PH_E_INTERRUPTED ? EXIT_SIGNAL + (int)*signal_flag()
                        : writing                  ? EXIT_OUTPUT
                                                   : EXIT_INPUT,
                        "%s", err.message);
    }
    if (ph_table_close(j->table, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    return report(j);
}

int command_export(int argc, char **argv)
{
    arguments a;
    job j = {.arguments = &a};
    ph_error err;
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    j.format = a.format ? ph_table_format_find(a.format, &err) : ph_table_format_of(a.output, &err);
    if (!j.format || ph_table_format_available(j.format, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    if (source_is_record(a.file) ? source_open_record(a.file, &j.source, &err)
                                 : source_open_csv(a.file, &j.source, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    code = pick(&j, &err) ? complain(EXIT_INPUT, "%s", err.message) : export(&j);
    j.source.close(j.source.self);
    for (size_t i = 0; i < NAMED; i++)
        free(j.named[i]);
    free(j.picked);
    free(j.columns);
    free(j.values);
    free(j.rows);
    return code;
}
