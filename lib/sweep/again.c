/* SPDX-License-Identifier: BSD-3-Clause */
/* Members that failed run again, with other values if some are given. Their rows, events and failures take the place of
 * the earlier ones, block by block, each in one transaction. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Their values ----------------------------------------------------------------------------- */

/* What varies keeps its values, and there are as many members. */
ph_status ph_sweep_check_keys(const ph_sweep *s, ph_error *err)
{
    for (size_t i = 0; i < s->options.n_settings; i++) {
        char key[128];
        const char *words = s->options.settings[i];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(words, "="), words);
        if (ph_sweep_is_in(key, "ensemble"))
            return ph_fail(
                err, PH_E_INVALID,
                "\"%.200s\": %.100s is a key of the ensemble, which stays as it is: only the values of "
                "other keys can be given to members that failed",
                words, key);
        for (size_t j = 0; j < ph_members_columns(s->members); j++)
            if (ph_sweep_is_in(key, ph_members_column(s->members, j)) ||
                ph_sweep_is_in(ph_members_column(s->members, j), key))
                return ph_fail(err, PH_E_INVALID,
                               "\"%.200s\": %.100s varies from member to member, which keeps its own value",
                               words, ph_members_column(s->members, j));
    }
    return PH_OK;
}

/* Does the member fit into the rows and columns that it is to replace? */
static ph_status check_shape(const ph_sweep *s, int64_t member, const ph_scenario *sc, ph_error *err)
{
    size_t n;
    ph_error why;
    ph_columns *columns = NULL;
    const int64_t rows = ph_sweep_rows(sc);
    const char *const *words = ph_scenario_columns(sc, &n);
    if (rows > s->all.rows)
        return ph_fail(
            err, PH_E_INVALID,
            "with these values member %lld has %lld rows, and the archive has room for %lld: the times of "
            "output have to stay the same, as by output.every for another step",
            (long long)member, (long long)rows, (long long)s->all.rows);
    if (ph_columns_create_trajectory(ph_scenario_system(sc), words, n, &columns, &why))
        return PH_OK; /* its run says why */
    const ph_status status = ph_kit_check_columns(s, columns, n > 0, &why);
    ph_columns_free(columns);
    return status ? ph_fail(err, status, "with these values member %lld %s", (long long)member, why.message)
                  : PH_OK;
}

/* All members that failed, where there is their archive. */
ph_status ph_sweep_check_failed(const ph_sweep *s, ph_error *err)
{
    ph_error why;
    ph_record *record = NULL;
    ph_members *members = NULL;
    ph_scenario *sc;
    ph_member_failure f = {.member = -1};
    if (ph_record_open(s->path, &record, &why)) /* running says so */
        return PH_OK;
    ph_status status =
        ph_members_open(s->again_text, strlen(s->again_text), s->source ? s->source : s->name, &members, err);
    while (!status && ph_record_next_failure(record, f.member, &f))
        if (!ph_members_make(members, f.member, &sc, &why)) {
            status = check_shape(s, f.member, sc, err);
            ph_scenario_free(sc);
        }
    if (!status)
        status = ph_record_starved(record, err);
    ph_members_free(members);
    ph_record_close(record);
    return status;
}

/* ---- Running ---------------------------------------------------------------------------------------------------- */

/* *list (n, malloc's) <- the members that failed. */
static ph_status list_failed(const ph_sweep *s, int64_t **list, int64_t *n, ph_error *err)
{
    ph_record *record = NULL;
    ph_member_failure failure = {.member = -1};
    ph_status status = ph_record_open(s->path, &record, err);
    if (status)
        return status;
    const int64_t most = ph_record_failures(record);
    *n = 0;
    *list = malloc((size_t)(most + 1) * sizeof **list);
    if (!*list)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    while (!status && *n < most && ph_record_next_failure(record, failure.member, &failure))
        (*list)[(*n)++] = failure.member;
    if (!status)
        status = ph_record_starved(record, err);
    ph_record_close(record);
    return status;
}

/* CPU time and iterations of rows that were replaced count. */
static ph_status put_block(ph_sweep *s, ph_member_block *b, ph_error *err)
{
    const ph_archive_patch patch = {.all = &s->all,
                                    .members = b->list,
                                    .n = b->count,
                                    .rows = b->rows,
                                    .events = b->events,
                                    .n_events = b->n_events,
                                    .failures = b->failures,
                                    .n_failures = b->n_failures,
                                    .settings = s->settings};
    s->passes_done += b->passes;
    const ph_account account = {.rows = (s->next - s->all.first) * s->all.rows,
                                .newton_passes = s->before.newton_passes + s->passes_done,
                                .cpu_seconds = s->before.cpu_seconds + s->cpu_seconds};
    s->run += b->count;
    s->failed += (int64_t)b->n_failures - b->count;
    s->stopped += b->stopped;
    s->steps += b->steps;
    return ph_archive_put_patch(s->archive, &patch, &account, err);
}

ph_status ph_sweep_run_again(ph_sweep *s, ph_error *err)
{
    int64_t *list = NULL, n = 0;
    ph_status status = list_failed(s, &list, &n, err);
    const ph_sweep_job job = {.end = n, .list = list, .again = true, .commit = put_block};
    s->due = n;
    if (!status && n)
        status = ph_sweep_pool(s, &job, err);
    free(list);
    return status;
}
