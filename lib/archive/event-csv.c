/* SPDX-License-Identifier: BSD-3-Clause */
/* events.csv: a row for each event that was found, with the state at the event. */
#include <polhode/csv.h>

#include "lib/internal/missing.h"

#include "file.h"

#include <stdlib.h>

struct ph_event_csv {
    ph_file_table to; /* first */
};

ph_status ph_event_csv_create(const char *path, const ph_system *system, ph_event_csv **csv, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    static const char *const words[] = {"configuration", "momentum"};
    ph_event_csv *c = calloc(1, sizeof *c);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_columns_create(system, words, ph_space_momenta(ph_system_space(system)) ? 2 : 1,
                                         &c->to.columns, err);
    if (!status)
        status = ph_file_open(path, &c->to.file, err);
    if (status) {
        ph_columns_free(c->to.columns);
        free(c);
        return status;
    }
    ph_file_text(c->to.file, "event,t[s],step,theta[1],direction,");
    ph_file_headings(c->to.file, c->to.columns);
    ph_file_text(c->to.file, "\n");
    *csv = c;
    return PH_OK;
}

ph_status ph_event_csv_row(ph_event_csv *csv, const char *name, const ph_occurrence *o, ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_event_csv_create");
    ph_file *f = csv->to.file;
    const ph_row row = {.state = o->state};
    ph_file_field(f, name, NULL);
    ph_file_text(f, ",");
    ph_file_number(f, o->t);
    ph_file_text(f, ",");
    ph_file_count(f, o->step);
    ph_file_text(f, ",");
    ph_file_number(f, o->theta);
    ph_file_text(f, o->direction > 0 ? ",1," : ",-1,");
    ph_file_values(f, csv->to.columns, &row);
    ph_file_text(f, "\n");
    return ph_file_check(f, err);
}

ph_status ph_event_csv_close(ph_event_csv *csv, ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_event_csv_create");
    return ph_file_table_close((ph_file_table *)csv, err);
}

void ph_event_csv_abandon(ph_event_csv *csv)
{
    ph_file_table_abandon((ph_file_table *)csv);
}
