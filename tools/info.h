/* SPDX-License-Identifier: BSD-3-Clause */
/* What `polhode info` finds in an archive (info.c) and prints in words or as JSON (info-words.c). */
#ifndef POLHODE_TOOLS_INFO_H
#define POLHODE_TOOLS_INFO_H

#include <math.h>

#include "program.h"

enum { INFO_NAMED = 10 }; /* damages that are named */

typedef struct info {
    const char *file;
    ph_record *record;
    ph_scenario *scenario; /* NULL where it is missing, or of another version */
    bool sweeps;           /* is it the archive of a sweep? Then what is counted as steps are members of: */
    ph_swept swept;
    bool committed; /* is the next known? */
    ph_commit commit;
    int64_t planned;    /* steps, or -1 */
    double h, t0, age;  /* [s]; age: since the latest commit; NaN where they are not known */
    int64_t rows, size; /* size in bytes, with the log */
    double rate, left;  /* steps a second, and [s] until the end at that rate; or NaN */
    bool writing;       /* at this moment, by this process */
    long process;
    bool monitored; /* are the errors known? */
    ph_summary errors;
    size_t maps;             /* momentum maps that they are of */
    energy_change change_is; /* what a change of the energy is */
    char why[512];           /* they are not */
    char unread[512];        /* why the scenario cannot be read; empty: it is, or there is none */
    bool balanced;           /* are work and change known? */
    double work;             /* integral of the column power over the rows [J], and ... */
    double change;           /* ... by how much the energy changes between the first and the last */
    bool starved;            /* was there no memory for the words of what is damaged, or to read what is? */
    bool checked;            /* were all rows and events read? */
    bool unsound;            /* what the archive says of its run is damaged, which is the first of ... */
    int64_t damaged;         /* ... these places, by name */
    char *named[INFO_NAMED];
} info;

/* *i <- all but what is checked; info_close gives it back. */
ph_status info_open(info *i, const char *file, ph_error *err);
void info_close(info *i);
/* Was there no memory for something that was looked for? Then what was found may be less than there is. */
ph_status info_starved(const info *i, ph_error *err);

/* What meta has under a key, or NULL. */
static inline const char *info_meta(const info *i, const char *key)
{
    return ph_record_meta(i->record, key);
}
static inline const char *info_unsound(const info *i)
{
    return i->named[0] ? i->named[0] : "the archive is damaged";
}
/* Share of the planned steps that were taken, or of the members; or NaN. */
static inline double info_share(const info *i)
{
    const double first = i->sweeps ? (double)i->swept.first : 0;
    return i->committed && (double)i->planned > first
               ? ((double)i->commit.steps - first) / ((double)i->planned - first)
               : (double)NAN;
}

/* *work, *change <- of the rows; false where there are no columns for it, or rows are missing (info-work.c). */
bool info_balance(ph_record *record, double *work, double *change);
/* Of a sweep (info-sweep.c): lines of the report, members of the document, and what is wrong with the rows. */
void info_print_members(const info *i);
void info_add_members(builder *b, json_object *o, const info *i);
void info_check_members(info *i, void (*note)(info *i, const ph_error *why));
void info_print(const info *i);
/* Returns an exit code. */
int info_print_json(const info *i);

#endif
