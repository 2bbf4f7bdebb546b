/* SPDX-License-Identifier: BSD-3-Clause */
/* trajectory.csv: one row for each output, one column for each number, the unit in the column's name. */
#include <polhode/archive.h>

#include <archive/archive.h>

#include <stdlib.h>

struct ph_csv {
    ph_file *file;
    const ph_system *system;
    ph_columns *columns;
    double first_energy;
    bool started;
};

ph_status ph_csv_create(const char *path, const ph_system *system, const char *const *words, size_t n,
                        ph_csv **csv, ph_error *err)
{
    ph_csv *c = calloc(1, sizeof *c);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_columns_create_trajectory(system, words, n, &c->columns, err);
    if (!status)
        status = ph_file_open(path, &c->file, err);
    if (status) {
        ph_columns_free(c->columns);
        free(c);
        return status;
    }
    c->system = system;
    ph_file_headings(c->file, c->columns);
    ph_file_text(c->file, "\n");
    *csv = c;
    return PH_OK;
}

ph_status ph_csv_row(ph_csv *csv, const ph_state *state, const ph_measures *measures, int64_t passes,
                     ph_error *err)
{
    const ph_space *space = ph_system_space(csv->system);
    if (state->nz != ph_space_ambient(space) || state->np != ph_space_momenta(space))
        return ph_fail(err, PH_E_SIZE, "the state is not one of this system");
    if (!csv->started && measures)
        csv->first_energy = measures->energy;
    csv->started = true;
    const ph_row row = {state, measures, csv->first_energy, passes};
    ph_file_values(csv->file, csv->columns, &row);
    ph_file_text(csv->file, "\n");
    return ph_file_check(csv->file, err);
}

ph_status ph_csv_recall(ph_csv *csv, const double *values, double first_energy, ph_error *err)
{
    csv->first_energy = first_energy;
    csv->started = true;
    ph_file_numbers(csv->file, values, ph_columns_count(csv->columns), false);
    ph_file_text(csv->file, "\n");
    return ph_file_check(csv->file, err);
}

/* ---- Ending -------------------------------------------------------------------------------------- */

ph_status ph_csv_close(ph_csv *csv, ph_error *err)
{
    ph_status status = ph_file_commit(csv->file, err);
    ph_columns_free(csv->columns);
    free(csv);
    return status;
}

void ph_csv_abandon(ph_csv *csv)
{
    if (!csv)
        return;
    ph_file_abandon(csv->file);
    ph_columns_free(csv->columns);
    free(csv);
}
