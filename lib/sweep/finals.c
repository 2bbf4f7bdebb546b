/* SPDX-License-Identifier: BSD-3-Clause */
/* Final states are read from an archive, some members at a time. */
#include "finals.h"

#include "lib/archive/swept.h"

#include <math.h>
#include <stdlib.h>

/* [numbers] that are read at a time. */
enum { NUMBERS = 1 << 18 };

ph_status ph_finals_open(ph_finals *f, ph_record *record, ph_error *err)
{
    *f = (ph_finals){.record = record, .columns = ph_record_columns(record)};
    if (!ph_record_swept(record, &f->all) || f->columns < PH_MEMBER_LEADING)
        return ph_fail(err, PH_E_PARSE, "this is not the archive of a sweep");
    const double each = (double)f->all.rows * (double)f->columns;
    f->at_once = each < NUMBERS ? (int64_t)(NUMBERS / each) : 1;
    f->rows = each < 0x1p50 ? malloc((size_t)f->at_once * (size_t)each * sizeof *f->rows) : NULL;
    ph_finals_rewind(f);
    return f->rows ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

void ph_finals_rewind(ph_finals *f)
{
    f->first = f->all.first;
    f->read = f->at = 0;
}

void ph_finals_close(ph_finals *f)
{
    free(f->rows);
}

/* The next members. */
static ph_status refill(ph_finals *f, ph_error *err)
{
    int64_t n = f->all.end - f->first - f->read, read = 0, next;
    f->first += f->read;
    f->read = f->at = 0;
    n = n < f->at_once ? n : f->at_once;
    if (!n)
        return PH_OK;
    const int64_t row = (f->first - f->all.first) * f->all.rows, rows = n * f->all.rows;
    ph_status status = PH_OK;
    for (int64_t got = 0; got < rows && !status; got += read) {
        status = ph_record_read(f->record, row + got, rows - got, f->rows + (size_t)got * f->columns, &read,
                                &next, err);
        if (!status && !read)
            status = ph_fail(err, PH_E_IO, "the rows of member %lld are missing",
                             (long long)(f->first + got / f->all.rows));
    }
    f->read = status ? 0 : n;
    return status;
}

ph_status ph_finals_next(ph_finals *f, const double **row, ph_error *err)
{
    *row = NULL;
    for (;;) {
        if (f->at == f->read) {
            ph_status status = refill(f, err);
            if (status || !f->read)
                return status;
        }
        const double *rows = f->rows + (size_t)(f->at++ * f->all.rows) * f->columns;
        if (rows[PH_MEMBER_STATUS] != PH_OK && rows[PH_MEMBER_STATUS] != PH_E_STOPPED)
            continue;
        int64_t last = f->all.rows - 1;
        while (last > 0 && isnan(rows[(size_t)last * f->columns + PH_MEMBER_TIME]))
            last--;
        f->member = rows;
        *row = rows + (size_t)last * f->columns;
        return PH_OK;
    }
}
