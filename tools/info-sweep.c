/* SPDX-License-Identifier: BSD-3-Clause */
/* What `polhode info` finds in the archive of a sweep, in words, as JSON, and whether its rows are those of its members. */
#include "info.h"

#include "figures/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members that failed are listed up to so many. */
enum { NAMED = 10, LISTED = 1000 };
/* The columns of member and status. */
enum { MEMBER = 2, STATUS = 3 };

static int64_t done_members(const info *i)
{
    return i->committed ? i->commit.steps - i->swept.first : 0;
}

void info_print_members(const info *i)
{
    char list[400] = "", message[300] = "";
    const ph_swept *s = &i->swept;
    const char *varied = info_meta(i, "varied");
    ph_member_failure f = {.member = -1};
    printf("  sweep            %" PRId64 " member%s, %" PRId64 " row%s each", s->members,
           s->members == 1 ? "" : "s", s->rows, s->rows == 1 ? "" : "s");
    if (s->shards > 1)
        printf("; shard %" PRId64 " of %" PRId64 ": members %" PRId64 " to %" PRId64, s->shard, s->shards,
               s->first, s->end - 1);
    if (s->rank >= 0)
        printf("; those dealt to rank %" PRId64, s->rank);
    printf("\n  varied           ");
    for (const char *c = varied ? varied : ""; *c; c++)
        printf("%s", *c == '\n' ? ", " : (char[]){*c, '\0'});
    printf("%s\n", varied && *varied ? "" : "nothing");
    printf("  reached          %" PRId64 " of %" PRId64 " member%s, %.4g %%\n", done_members(i),
           s->end - s->first, s->end - s->first == 1 ? "" : "s", 100 * info_share(i));
    const int64_t failed = ph_record_failures(i->record);
    for (int k = 0; k < NAMED && ph_record_next_failure(i->record, f.member, &f); k++) {
        if (!k)
            snprintf(message, sizeof message, "%s", f.message);
        text_add(list, sizeof list, "%s%" PRId64, k ? ", " : "", f.member);
    }
    printf("  failed           %" PRId64 " member%s", failed, failed == 1 ? "" : "s");
    if (failed)
        printf(": %s%s; the first: %s", list, failed > NAMED ? ", ..." : "", message);
    printf("\n");
}

void info_add_members(builder *b, json_object *o, const info *i)
{
    const ph_swept *s = &i->swept;
    json_object *list = build_array(b), *varied = build_array(b);
    ph_member_failure f = {.member = -1};
    for (int k = 0; k < LISTED && ph_record_next_failure(i->record, f.member, &f); k++) {
        json_object *one = build_object(b);
        build_add(b, one, "member", build_count(b, f.member));
        build_add(b, one, "t", build_number(b, f.t));
        build_add(b, one, "message", build_text(b, f.message));
        build_append(b, list, one);
    }
    char *names = info_meta(i, "varied") ? strdup(info_meta(i, "varied")) : NULL;
    for (char *at = names, *name; at && *at && (name = strsep(&at, "\n"));)
        build_append(b, varied, build_text(b, name));
    free(names);
    build_add(b, o, "members", build_count(b, s->members));
    build_add(b, o, "first_member", build_count(b, s->first));
    build_add(b, o, "planned_members", build_count(b, s->end - s->first));
    build_add(b, o, "shard", build_count(b, s->shard));
    build_add(b, o, "shards", build_count(b, s->shards));
    if (s->rank >= 0)
        build_add(b, o, "rank", build_count(b, s->rank));
    build_add(b, o, "rows_per_member", build_count(b, s->rows));
    build_add(b, o, "varied", varied);
    build_add(b, o, "done", build_count(b, done_members(i)));
    build_add(b, o, "failed", build_count(b, ph_record_failures(i->record)));
    build_add(b, o, "failures", list);
}

/* Is the status of a member, its rows' own, that of the table of failures? *behind: the failure that was met last. */
static bool is_as_listed(const info *i, int64_t member, double status, int64_t *behind)
{
    ph_member_failure f;
    const bool failed = status != PH_OK && status != PH_E_STOPPED;
    if (!failed)
        return true;
    const bool is =
        ph_record_next_failure(i->record, *behind, &f) && f.member == member && status == (double)f.status;
    *behind = member;
    return is;
}

void info_check_members(info *i, void (*note)(info *i, const ph_error *why))
{
    const size_t columns = ph_record_columns(i->record);
    const int64_t at_once = 65536 / (int64_t)columns + 1;
    double *values = malloc((size_t)at_once * columns * sizeof *values);
    int64_t read = 1, next = 0, behind = -1, failed = 0, member = -1;
    ph_error err;
    if (!values)
        note(i, &(ph_error){PH_E_NO_MEMORY, "out of memory"});
    for (int64_t row = 0; values && (read || next > row);) {
        row = next;
        if (ph_record_read(i->record, row, at_once, values, &read, &next, &err)) {
            read = 0; /* which was reported before */
            continue;
        }
        for (int64_t k = 0; k < read; k++) {
            const double *at = values + (size_t)k * columns;
            const bool first = (row + k) % i->swept.rows == 0;
            if (i->swept.rank < 0)
                member = i->swept.first + (row + k) / i->swept.rows;
            else if (first && at[MEMBER] >= (double)i->swept.first && at[MEMBER] < (double)i->swept.end)
                behind = (member = (int64_t)at[MEMBER]) - 1; /* of a rank, which has members in any order */
            failed += first && at[STATUS] != PH_OK && at[STATUS] != PH_E_STOPPED;
            if (at[MEMBER] == (double)member && (!first || is_as_listed(i, member, at[STATUS], &behind)))
                continue;
            ph_fail(&err, PH_E_IO,
                    "%s: row %" PRId64
                    " is not as the list of failures says, or of another member than %" PRId64,
                    i->file, row + k, member);
            note(i, &err);
        }
    }
    if (values && !i->damaged && failed != ph_record_failures(i->record)) {
        ph_fail(&err, PH_E_IO, "%s: %" PRId64 " member%s failed, and %" PRId64 " are listed", i->file, failed,
                failed == 1 ? "" : "s", ph_record_failures(i->record));
        note(i, &err);
    }
    free(values);
}
