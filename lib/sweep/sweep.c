/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep runs, and says where it is. */
#include "parts.h"

#include "lib/internal/missing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Running ------------------------------------------------------------------------------------------------ */

/* The statistics, where it belongs to the archive and is not there. */
static ph_status describe(ph_sweep *s, ph_error *err)
{
    if (s->all.shards > 1 || s->all.rank >= 0 || s->next < s->all.end ||
        (!s->run && !access(s->statistics, F_OK)))
        return PH_OK;
    ph_status status = ph_sweep_write_statistics(s->path, s->statistics, false, err);
    s->written = !status;
    return status;
}

/* The members that are missing. */
static ph_status run_missing(ph_sweep *s, ph_error *err)
{
    ph_sweep_job job = {.first = s->next, .end = s->all.end, .commit = ph_sweep_commit_block};
    if (s->options.deal) {
        job.end = job.first;
        job.dealt = true;
        return ph_sweep_pool(s, &job, err);
    }
    s->due = s->all.end - s->next;
    return s->due ? ph_sweep_pool(s, &job, err) : PH_OK;
}

ph_status ph_sweep_run(ph_sweep *s, ph_error *err)
{
    ph_error why = {PH_OK, ""};
    if (!s)
        return ph_not_created(err, "sweep", "ph_sweep_open");
    if (s->ended)
        return ph_fail(err, PH_E_INVALID, "%.300s: this sweep has ended; open it again", s->path);
    ph_status status = ph_sweep_begin(s, &why);
    if (!status && s->archive) {
        status = s->options.failed ? ph_sweep_run_again(s, &why) : run_missing(s, &why);
        const ph_error ended = why;
        status = ph_sweep_finish(s, status, ended.message, &why);
    }
    if (!status)
        status = describe(s, &why);
    s->ended = true;
    s->status = status;
    snprintf(s->message, sizeof s->message, "%s", status ? why.message : "");
    return status ? ph_fail(err, status, "%s", why.message) : PH_OK;
}

ph_status ph_sweep_close(ph_sweep *s, ph_error *err)
{
    if (!s)
        return ph_not_created(err, "sweep", "ph_sweep_open");
    ph_sweep_abandon(s);
    return PH_OK;
}

/* ---- Where it is ------------------------------------------------------------------------------------------------ */

static double wall_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ph_sweep_get_result(const ph_sweep *s, ph_sweep_result *result)
{
    const size_t lanes = atomic_load_explicit(&s->lanes, memory_order_relaxed);
    *result = (ph_sweep_result){.all = s->all,
                                .done = s->next - s->all.first,
                                .run = s->run,
                                .share = s->due ? fmin(1, ((double)s->run + s->ahead) / (double)s->due) : 1,
                                .failed = s->failed,
                                .stopped = s->stopped,
                                .steps = s->steps,
                                .cpu_seconds = s->cpu_seconds,
                                .wall_seconds = s->started > 0 ? wall_clock() - s->started : 0,
                                .lanes = lanes ? lanes : 1,
                                .threads = s->threads,
                                .status = s->status,
                                .message = s->message,
                                .path = s->path,
                                .statistics = s->written ? s->statistics : NULL};
}
