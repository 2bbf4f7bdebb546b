/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive as a source of rows, with its own columns or with chosen ones, some of them computed; its attributes are what its table meta
 * says of the run. */
#include "program.h"
#include "source.h"

#include <polhode/rows.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"scenario", "name",  "version", "build",        "model",
                                   "method",   "order", "options", "conservative", "t0",
                                   "step",     "steps", "created", "status",       "message"};
enum { KEYS = sizeof keys / sizeof keys[0] };

typedef struct archive {
    ph_record *record;
    ph_rows *rows; /* of chosen columns, or NULL */
    ph_attribute attributes[KEYS];
    ph_column columns[];
} archive;

static ph_status read_rows(void *self, int64_t first, int64_t n, double *values, int64_t *read, int64_t *next,
                           ph_error *err)
{
    archive *a = self;
    ph_status status = PH_OK;
    *read = 0;
    *next = first;
    const int64_t rows = ph_record_rows(a->record);
    if (first < rows || !(rows || first)) /* none: reading says whether they cannot be counted */
        status = a->rows ? ph_rows_read(a->rows, first, n, values, read, next, err)
                         : ph_record_read(a->record, first, n, values, read, next, err);
    return status || *read ? status : ph_record_starved(a->record, err);
}

static int64_t count_rows(const void *self)
{
    return ph_record_rows(((const archive *)self)->record);
}

static void close_record(void *self)
{
    archive *a = self;
    ph_rows_free(a->rows);
    ph_record_close(a->record);
    free(a);
}

/* *s <- of the record, and of the rows of chosen columns unless they are NULL; both are the source's, or freed. */
static ph_status make_source(ph_record *record, ph_rows *rows, source *s, ph_error *err)
{
    const size_t n = rows ? ph_rows_columns(rows) : ph_record_columns(record);
    size_t n_attributes = 0;
    archive *a = calloc(1, sizeof *a + n * sizeof a->columns[0]);
    if (!a) {
        ph_rows_free(rows);
        ph_record_close(record);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    a->record = record;
    a->rows = rows;
    for (size_t i = 0; i < n; i++) {
        const char *unit = rows ? ph_rows_unit(rows, i) : ph_record_unit(record, i);
        a->columns[i] = (ph_column){.name = rows ? ph_rows_column(rows, i) : ph_record_column(record, i),
                                    .unit = *unit ? unit : NULL};
    }
    for (size_t i = 0; i < KEYS; i++) {
        const char *text = ph_record_meta(record, keys[i]);
        if (text)
            a->attributes[n_attributes++] = (ph_attribute){keys[i], text};
    }
    *s = (source){.columns = a->columns,
                  .n = n,
                  .attributes = a->attributes,
                  .n_attributes = n_attributes,
                  .record = record,
                  .self = a,
                  .read = read_rows,
                  .rows = count_rows,
                  .close = close_record};
    if (ph_record_verify(record, &s->damage) != PH_E_NO_MEMORY)
        return PH_OK;
    close_record(a);
    return ph_fail(err, PH_E_NO_MEMORY, "%s", s->damage.message);
}

ph_status source_open_record(const char *path, source *s, ph_error *err)
{
    ph_record *record;
    const ph_status status = ph_record_open(path, &record, err);
    return status ? status : make_source(record, NULL, s, err);
}

/* *rows <- those of the words; with t behind them where they do not have it. */
static ph_status open_rows(ph_record *record, const option_texts *names, ph_rows **rows, size_t *chosen,
                           ph_error *err)
{
    const char **words = malloc((names->n + 1) * sizeof *words);
    if (!words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < names->n; i++)
        words[i] = names->at[i];
    words[names->n] = "t";
    ph_status status = ph_rows_open(record, words, names->n, rows, err);
    *chosen = status ? 0 : ph_rows_columns(*rows);
    if (!status && ph_rows_find(*rows, "t") == *chosen) {
        ph_rows_free(*rows);
        status = ph_rows_open(record, words, names->n + 1, rows, err);
    }
    free(words);
    return status;
}

ph_status source_open_rows(const char *path, const option_texts *names, source *s, size_t *chosen,
                           ph_error *err)
{
    ph_record *record;
    ph_rows *rows;
    ph_status status = ph_record_open(path, &record, err);
    if (status)
        return status;
    status = open_rows(record, names, &rows, chosen, err);
    if (!status)
        return make_source(record, rows, s, err);
    ph_record_close(record);
    return status;
}

/* ---- What its errors are ---------------------------------------------------------------------------------- */

static energy_change find_change(const ph_record *record)
{
    ph_scenario *scenario;
    ph_error err;
    energy_change is = energy_change_of(record, NULL);
    if (is != ENERGY_UNKNOWN || ph_session_recall(record, "", &scenario, &err))
        return is;
    is = energy_change_of(record, scenario);
    ph_scenario_free(scenario);
    return is;
}

void source_remark(const source *s, const ph_column *columns, size_t n, int64_t between, int64_t rows)
{
    bool has_error = false;
    for (size_t i = 0; i < n; i++)
        has_error = has_error || !strcmp(columns[i].name, "energy_error");
    const energy_change is = s->record && has_error ? find_change(s->record) : ENERGY_ERROR;
    if (is == ENERGY_DRIVEN)
        complain(0, "energy_error is a change: forces change the energy of this system");
    if (is == ENERGY_UNKNOWN)
        complain(0,
                 "energy_error is a change: it is not known whether forces change the energy of this system");
    if (between)
        complain(
            0,
            "%" PRId64 " of %" PRId64
            " rows are interpolated between steps: errors there are those of the interpolation, not of the method",
            between, rows);
}
