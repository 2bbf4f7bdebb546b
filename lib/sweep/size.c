/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sweep takes: bytes, memory, and, by some of its members, time. */
#include "parts.h"

#include "lib/archive/place.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ph_sweep_estimate(const ph_sweep *s, ph_sweep_size *size)
{
    static const double number_bytes = 8.06, table_bytes = 131072; /* as an archive of a run */
    *size = (ph_sweep_size){.members = (double)(s->all.end - s->all.first),
                            .rows = (double)s->all.rows,
                            .columns = s->n_columns,
                            .memory = ph_sweep_memory(s),
                            .free = ph_disk_room(s->directory)};
    size->bytes = size->members * size->rows * (double)size->columns * number_bytes + table_bytes;
}

ph_status ph_sweep_time(ph_sweep *s, double most, double *seconds, ph_error *err)
{
    enum { MOST = 1000 };
    ph_sweep_worker *w = NULL;
    if (!s)
        return ph_not_created(err, "sweep", "ph_sweep_open");
    ph_member_block b = {.first = s->all.first, .count = 1};
    double spent = 0, each = 0;
    const int64_t all = s->all.end - s->all.first;
    const double steps = fmax(1, (double)ph_scenario_steps(s->first));
    ph_status status = ph_sweep_worker_create(s, false, &w, err);
    atomic_store(&s->halt, false);
    if (!status)
        ph_sweep_worker_bound(w, most, ph_sweep_ask);
    while (!status) {
        ph_block_clear(&b);
        status = ph_block_make_room(s, &b, err);
        if (status)
            break;
        ph_sweep_worker_run(w, &b);
        if (b.status == PH_E_INTERRUPTED && !(status = ph_sweep_ask(s, err))) {
            /* so long takes a part of it */
            each = b.cpu_seconds * steps / fmax(1, (double)atomic_load(&b.done));
            break;
        }
        if (!status)
            status = b.status ? ph_fail(err, b.status, "%s", b.error.message) : PH_OK;
        spent += b.cpu_seconds;
        each = b.cpu_seconds /
               (double)b.count; /* of the last, the largest one: the first ones create what all use */
        const double next = spent < most ? 8 * (double)b.count : 0;
        if (!next || next > (double)all || next > MOST || next * each > most)
            break;
        b.count *= 8;
    }
    *seconds = each * (double)all;
    ph_block_free(&b);
    ph_sweep_worker_free(w);
    return status;
}
