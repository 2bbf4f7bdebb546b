/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an archive read block by block, for figures that take all of them. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 256, NUMBERS_AT_ONCE = 1 << 16 };

ph_status sweep_open(const archived *a, const char *const *words, size_t n, ph_rows **rows, ph_error *err)
{
    const char *all[WORDS_MOST] = {"t"};
    *rows = NULL;
    if (n >= WORDS_MOST)
        return ph_fail(err, PH_E_RANGE, "%zu columns or groups of them; at most %d", n, WORDS_MOST - 1);
    size_t taken = 1;
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], "t") != 0) /* it is there */
            all[taken++] = words[i];
    return ph_rows_open(a->info.record, all, taken, rows, err);
}

ph_status sweep_with_gaps(const plot_input *in, size_t run, ph_rows *rows,
                          ph_status (*enter)(void *self, const double *row, ph_error *err),
                          void (*gap)(void *self), void *self, ph_error *err)
{
    const archived *a = &in->runs[run];
    const size_t columns = ph_rows_columns(rows);
    const int64_t all = a->info.rows, at_once = NUMBERS_AT_ONCE / (int64_t)columns + 1;
    double *values = malloc((size_t)at_once * columns * sizeof *values);
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    progress show = progress_start(a->file, in->quiet);
    for (int64_t first = 0, read, next; !status && first < all; first = next) {
        const int64_t few = all - first < at_once ? all - first : at_once;
        const ph_status found = ph_rows_read(rows, first, few, values, &read, &next, err);
        if (found && found != PH_E_IO)
            status = found;
        else if (*signal_flag())
            status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
        for (int64_t i = 0; i < read && !status; i++) {
            const double *row = values + (size_t)i * columns;
            if (time_is_in(in->span, *row))
                status = enter(self, row, err);
        }
        if (found && gap)
            gap(self);
        if (next <= first)
            break;
        progress_show(&show, (double)NAN, next, all, NULL);
    }
    progress_end(&show);
    free(values);
    return status;
}

ph_status sweep(const plot_input *in, size_t run, ph_rows *rows,
                ph_status (*enter)(void *self, const double *row, ph_error *err), void *self, ph_error *err)
{
    return sweep_with_gaps(in, run, rows, enter, NULL, self, err);
}
