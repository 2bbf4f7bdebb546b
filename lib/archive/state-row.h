/* SPDX-License-Identifier: BSD-3-Clause */
/* The row of the state in an archive, as its table has it. */
#ifndef PH_ARCHIVE_STATE_ROW_H
#define PH_ARCHIVE_STATE_ROW_H

#include "database.h"

/* The columns in the order of the queries, then state and monitor if they are requested. */
enum {
    PH_STATE_K,
    PH_STATE_T,
    PH_STATE_ROWS,
    PH_STATE_ENERGY0,
    PH_STATE_NEWTON_PASSES,
    PH_STATE_ROW_PASSES,
    PH_STATE_CPU_SECONDS,
    PH_STATE_WRITTEN,
    PH_STATE_CRC32,
    PH_STATE_ROW_CRC32,
    PH_STATE_STATE,
    PH_STATE_MONITOR,
    PH_STATE_EVENTS, /* when it is written; event-counts.c reads it alone */
};

/* The checksum of its values. */
uint32_t ph_state_row_checksum(const ph_state_row *r);
/* *s <- a statement that is on the row; whole: with state and monitor. To be finalized also on failure. */
ph_status ph_state_row_select(const ph_database *d, bool whole, sqlite3_stmt **s, ph_error *err);
/* r <- the values at the statement, if they are possible and undamaged; PH_E_IO. */
ph_status ph_state_row_take(const ph_database *d, sqlite3_stmt *s, ph_state_row *r, ph_error *err);

#endif
