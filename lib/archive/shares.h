/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of many are kept: every k-th, of each name by itself, since events of two names may alternate. */
#ifndef PH_ARCHIVE_SHARES_H
#define PH_ARCHIVE_SHARES_H

#include "record.h"

/* How many events of a name there are, how many have been passed, and every how many-th is kept. */
typedef struct ph_share {
    char *name;
    int64_t n, passed, every;
} ph_share;

typedef struct ph_shares {
    ph_share *at; /* (n) */
    size_t n;
} ph_shares;

/* For at most `most` events of an archive, or about as many as it has names where these are more; most <= 0: all. To be freed also after an
 * error. */
ph_status ph_shares_count(ph_shares *shares, ph_record *record, int64_t most, ph_error *err);
/* Is the next event, of this name, kept? */
bool ph_shares_take(ph_shares *shares, const char *name);
void ph_shares_free(ph_shares *shares);

#endif
