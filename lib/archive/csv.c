/* SPDX-License-Identifier: BSD-3-Clause */
/* trajectory.csv: one row for each output, one column for each number, the unit in the column's name. */
#include <polhode/csv.h>

#include "lib/internal/missing.h"

#include "file.h"

#include <stdlib.h>

struct ph_csv {
    ph_file_table to; /* first */
    const ph_system *system;
    double first_energy;
    bool started;
};

ph_status ph_csv_create(const char *path, const ph_system *system, const char *const *words, size_t n,
                        ph_csv **csv, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_csv *c = calloc(1, sizeof *c);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_columns_create_trajectory(system, words, n, &c->to.columns, err);
    if (!status)
        status = ph_file_open(path, &c->to.file, err);
    if (status) {
        ph_columns_free(c->to.columns);
        free(c);
        return status;
    }
    c->system = system;
    ph_file_headings(c->to.file, c->to.columns);
    ph_file_text(c->to.file, "\n");
    *csv = c;
    return PH_OK;
}

ph_status ph_csv_row(ph_csv *csv, const ph_state *state, const ph_measures *measures, int64_t passes,
                     ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_csv_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    const ph_space *space = ph_system_space(csv->system);
    if (state->nz != ph_space_ambient(space) || state->np != ph_space_momenta(space))
        return ph_fail(err, PH_E_SIZE, "the state is not one of this system");
    if (!csv->started && measures)
        csv->first_energy = measures->energy;
    csv->started = true;
    const ph_row row = {state, measures, csv->first_energy, passes};
    ph_file_values(csv->to.file, csv->to.columns, &row);
    ph_file_text(csv->to.file, "\n");
    return ph_file_check(csv->to.file, err);
}

ph_status ph_csv_recall(ph_csv *csv, const double *values, double first_energy, ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_csv_create");
    csv->first_energy = first_energy;
    csv->started = true;
    ph_file_numbers(csv->to.file, values, ph_columns_count(csv->to.columns), false);
    ph_file_text(csv->to.file, "\n");
    return ph_file_check(csv->to.file, err);
}

/* ---- Ending -------------------------------------------------------------------------------------- */

ph_status ph_csv_close(ph_csv *csv, ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_csv_create");
    return ph_file_table_close((ph_file_table *)csv, err);
}

void ph_csv_abandon(ph_csv *csv)
{
    ph_file_table_abandon((ph_file_table *)csv);
}
