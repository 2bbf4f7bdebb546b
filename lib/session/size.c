/* SPDX-License-Identifier: BSD-3-Clause */
/* How much a session is going to write: rows by its schedule, bytes by the formats of its files. */
#include "parts.h"

#include "lib/archive/place.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/text.h>

#include <math.h>

/* What a file takes, as measured: an archive 8 bytes a number and a hundredth of them for pages and blocks, and some
 * pages of tables at first; trajectory.csv up to 24 bytes a number, of which zeros and short numbers take fewer. */
static const double number_bytes = 8.1, text_bytes = 20, table_bytes = 65536;

/* Steps 1 to k that PH_PER_DECADE wants, n a decade: the whole numbers next to 10^(j / n). At first each step is one
 * of them, until two of them are more than 1 apart. */
static double rows_by_decades(double n, double k)
{
    const double dense = n / ph_log(10);
    return k <= dense ? k : fmax(1, dense) + n * ph_log10(k / fmax(1, dense));
}

/* How many of the times lie in the steps 1 to k. */
static double times_until(const ph_session *s, double k)
{
    const double h = ph_integrator_step_size(s->integrator), end = s->t0 + (k + 1e-6) * h;
    double n = 0;
    for (size_t i = 0; i < s->output.n_times; i++)
        n += h > 0 ? s->output.times[i] > s->t0 && s->output.times[i] <= end
                   : s->output.times[i] < s->t0 && s->output.times[i] >= end;
    return n;
}

/* How many rows the steps 1 to k make, about. */
static double rows_until(const ph_session *s, double k)
{
    const double h = fabs(ph_integrator_step_size(s->integrator));
    switch (s->output.kind) {
    case PH_EVERY_STEPS:
        return floor(k / (double)s->output.steps);
    case PH_EVERY_INTERVAL:
        return s->dense ? floor(k * h / s->output.interval) : fmin(k, floor(k * h / s->output.interval));
    case PH_PER_DECADE:
        return k ? fmin(k, rows_by_decades((double)s->output.steps, k)) : 0;
    case PH_AT_TIMES:
        return times_until(s, k);
    }
    return k;
}

void ph_session_estimate(const ph_session *s, ph_session_size *size)
{
    const double columns = (double)s->n_columns;
    const double state = (double)(ph_state_packed_size(s->state) + ph_monitor_packed_size(s->monitor));
    const double rows = rows_until(s, (double)s->steps) - rows_until(s, (double)s->state->k) + !s->state->k;
    *size = (ph_session_size){
        .rows = rows, .columns = s->n_columns, .free = s->directory ? ph_disk_room(s->directory) : INFINITY};
    size->bytes = rows * columns * number_bytes + (s->state->k ? 0 : table_bytes + state);
    if (s->csv_wanted) /* written from its first row on, also where the run is resumed */
        size->bytes += (rows + (double)s->rows) * columns * text_bytes;
}

ph_status ph_session_check_size(const ph_session *s, ph_error *err)
{
    ph_session_size size;
    char bytes[32], largest[32];
    ph_session_estimate(s, &size);
    const double most = fmin(size.free, s->largest);
    if (!(size.bytes > most) || isinf(s->largest))
        return PH_OK;
    ph_bytes_text(size.bytes, bytes);
    ph_bytes_text(most, largest);
    return ph_fail(
        err, PH_E_SIZE,
        "the results would take about %s on disk (%.3g rows of %zu numbers), more than the %s that %s", bytes,
        size.rows, size.columns, largest,
        size.free < s->largest ? "the disk has room for" : "options.largest allows");
}
