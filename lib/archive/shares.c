/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of a long list are kept: every k-th of each name, k such that all names together have at most `most`. */
#include "shares.h"

#include "lib/internal/missing.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 1000 }; /* a scenario has a few; events of other names are all kept */

/* Each name gets an equal share of `most`; what a name does not need is shared among the others. */
static void share_out(ph_shares *shares, int64_t most)
{
    size_t left = shares->n;
    for (bool changed = true; changed && left;) {
        changed = false;
        for (size_t i = 0; i < shares->n && !changed; i++) {
            ph_share *s = &shares->at[i];
            if (s->every || s->n > most / (int64_t)left)
                continue;
            s->every = 1;
            most -= s->n;
            left--;
            changed = true;
        }
    }
    const int64_t each = left && most >= (int64_t)left ? most / (int64_t)left : 1;
    for (size_t i = 0; i < shares->n; i++)
        if (!shares->at[i].every)
            shares->at[i].every = (shares->at[i].n + each - 1) / each;
}

static ph_status take_names(ph_shares *shares, const ph_event_counts *counts, ph_error *err)
{
    shares->at = malloc(NAMES_MOST * sizeof *shares->at);
    if (!shares->at)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < counts->n && i < NAMES_MOST; i++) {
        char *name = strdup(counts->at[i].name);
        if (!name)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        shares->at[shares->n++] = (ph_share){.name = name, .n = counts->at[i].n};
    }
    return PH_OK;
}

ph_status ph_shares_count(ph_shares *shares, ph_record *record, int64_t most, ph_error *err)
{
    ph_event_counts counts = {NULL, 0};
    *shares = (ph_shares){NULL, 0};
    if (most <= 0 || ph_record_events(record) <= most)
        return PH_OK;
    ph_status status = ph_event_counts_read(&counts, &record->database, INT64_MAX, err);
    if (!status)
        status = take_names(shares, &counts, err);
    ph_event_counts_free(&counts);
    if (!status)
        share_out(shares, most);
    return status;
}

bool ph_shares_take(ph_shares *shares, const char *name)
{
    for (size_t i = 0; i < shares->n; i++)
        if (!strcmp(shares->at[i].name, name))
            return shares->at[i].passed++ % shares->at[i].every == 0;
    return true;
}

void ph_shares_free(ph_shares *shares)
{
    for (size_t i = 0; i < shares->n; i++)
        free(shares->at[i].name);
    free(shares->at);
    *shares = (ph_shares){NULL, 0};
}
