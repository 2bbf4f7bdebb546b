/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive as a source of rows; its attributes are what its table meta says of the run. */
#include "source.h"

#include <polhode/record.h>

#include <stdlib.h>

static const char *const keys[] = {"scenario", "name", "version", "build",   "model",  "method", "order",
                                   "options",  "step", "steps",   "created", "status", "message"};
enum { KEYS = sizeof keys / sizeof keys[0] };

typedef struct archive {
    ph_record *record;
    int64_t next;
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
    if (first < ph_record_rows(a->record))
        status = ph_record_read(a->record, first, n, values, read, next, err);
    a->next = *next;
    return status;
}

static double share(const void *self)
{
    const archive *a = self;
    int64_t rows = ph_record_rows(a->record);
    return rows ? (double)a->next / (double)rows : 1;
}

static int64_t count_rows(const void *self)
{
    return ph_record_rows(((const archive *)self)->record);
}

static void close_record(void *self)
{
    archive *a = self;
    ph_record_close(a->record);
    free(a);
}

ph_status source_open_record(const char *path, source *s, ph_error *err)
{
    ph_record *record;
    ph_status status = ph_record_open(path, &record, err);
    if (status)
        return status;
    size_t n = ph_record_columns(record), n_attributes = 0;
    archive *a = calloc(1, sizeof *a + n * sizeof a->columns[0]);
    if (!a) {
        ph_record_close(record);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    a->record = record;
    for (size_t i = 0; i < n; i++) {
        const char *unit = ph_record_unit(record, i);
        a->columns[i] = (ph_column){.name = ph_record_column(record, i), .unit = *unit ? unit : NULL};
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
                  .self = a,
                  .read = read_rows,
                  .share = share,
                  .rows = count_rows,
                  .close = close_record};
    return PH_OK;
}
