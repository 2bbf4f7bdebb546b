/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows, events and the state of an archive: rows and events wait in memory, a block of rows in the order of
 * bytes that the file has, until they are written in the open transaction, together with the state that
 * belongs to them. */
#include <polhode/archive.h>

#include "insert.h"
#include "lib/internal/bytes.h"
#include "lib/internal/clock.h"
#include "lib/internal/missing.h"
#include "seal.h"
#include "writer.h"

#include <stdlib.h>

/* [bytes] Waiting rows are committed when they take most_waiting. A block of less than least_block is
 * extended by the next rows instead of starting a new one, so that frequent commits do not leave many tiny
 * blocks. */
static const size_t most_waiting = (size_t)4 << 20, least_block = (size_t)64 << 10;

/* ---- Waiting ------------------------------------------------------------------------------------ */

/* The block is doubled, but by half only where it is large already: it is committed when it has most_waiting bytes. */
ph_status ph_writer_make_room(ph_archive *a, size_t n, ph_error *err)
{
    const size_t wanted = ((size_t)a->block.n + n) * a->row_bytes;
    if (wanted <= a->block.room)
        return PH_OK;
    const size_t room = a->row_bytes > most_waiting     ? wanted /* which is committed before the next one */
                        : wanted > most_waiting         ? wanted + wanted / 2
                        : wanted + wanted < least_block ? least_block
                                                        : 2 * wanted;
    unsigned char *larger = realloc(a->block.bytes, room);
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    a->block.bytes = larger;
    a->block.room = room;
    return PH_OK;
}

/* The values are written straight into the block, in the order of bytes that the file has. energy_error
 * refers to the energy in the first row. */
ph_status ph_archive_row(ph_archive *a, const ph_state *state, const ph_measures *m, int64_t passes,
                         ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    if (state->nz != a->nz || state->np != a->np)
        return ph_fail(err, PH_E_SIZE, "the state is not one of this system");
    ph_status status = ph_writer_make_room(a, 1, err);
    if (status)
        return status;
    if (a->block.first + a->block.n == 0 && m)
        a->energy0 = m->energy;
    const ph_row row = {state, m, a->energy0, passes};
    double *to = (double *)(void *)a->block.bytes + (size_t)a->block.n * a->columns;
    ph_columns_values(a->choice, &row, 0, a->columns, to);
    ph_make_little_endian(to, a->columns);
    a->block.n++;
    return PH_OK;
}

ph_status ph_archive_event(ph_archive *a, const char *name, const ph_occurrence *o, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    if (o->state->nz != a->nz || o->state->np != a->np)
        return ph_fail(err, PH_E_SIZE, "the state is not one of this system");
    return ph_event_table_add(&a->events, name, o, err);
}

bool ph_archive_due_after(const ph_archive *a, double passed)
{
    return (size_t)(a->block.n - a->block_saved) * a->row_bytes + a->events.bytes >= most_waiting ||
           passed >= a->interval;
}

bool ph_archive_due(const ph_archive *a)
{
    return ph_archive_due_after(a, ph_coarse_clock() - a->committed_at);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

ph_status ph_writer_put_block(ph_archive *a, int64_t n, ph_error *err)
{
    return ph_blocks_put(&a->database, a->put_block, &a->block, n, a->row_bytes, err);
}

ph_status ph_writer_put_waiting(ph_archive *a, ph_error *err)
{
    ph_status status = a->block.n > a->block_saved ? ph_writer_put_block(a, a->block.n, err) : PH_OK;
    if (!status)
        status = ph_event_table_write(&a->events, err);
    if (!status)
        status = ph_failure_table_write(&a->failures, err);
    if (!status)
        status = ph_dealt_table_write(&a->dealt, err);
    return !status && (a->failures.n || a->dealt.n) ? ph_seal_put(&a->database, PH_SEAL_MEMBERS, err)
                                                    : status;
}

/* A short block stays open: the next commit writes it again with more rows, in place of its earlier copy. */
void ph_writer_settle(ph_archive *a)
{
    ph_event_table_settle(&a->events);
    ph_failure_table_forget(&a->failures);
    ph_dealt_table_settle(&a->dealt);
    a->block_saved = a->block.n;
    if ((size_t)a->block.n * a->row_bytes < least_block)
        return;
    a->block.first += a->block.n;
    a->block.n = a->block_saved = 0;
}

/* Writes the changed number of planned steps, if it was changed. */
static ph_status put_planned_steps(ph_archive *a, ph_error *err)
{
    char sql[100];
    snprintf(sql, sizeof sql, "UPDATE meta SET value = '%lld' WHERE key = 'steps'", (long long)a->steps);
    if (!a->steps)
        return PH_OK;
    const ph_status status = ph_database_run(&a->database, sql, err);
    return status ? status : ph_seal_put(&a->database, PH_SEAL_META, err);
}

ph_status ph_writer_put_state(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                              const ph_account *account, ph_error *err)
{
    /* members of a rank have no order: all are before its state */
    ph_status status = ph_event_table_count_now(&a->events, a->dealt.there ? INT64_MAX : state->k, err);
    if (!status)
        status = ph_state_table_write(&a->states, state, monitor, account, a->energy0, &a->events.now, err);
    return status ? status : put_planned_steps(a, err);
}
