/* SPDX-License-Identifier: BSD-3-Clause */
/* trajectory.csv: one row for each output, one column for each number, the unit in the column's name. */
#include <polhode/archive.h>

#include <archive/archive.h>

#include <stdlib.h>
#include <string.h>

struct ph_csv {
    ph_file *file;
    const ph_system *system;
    double first_energy;
    bool started;
};

/* ---- The columns ---------------------------------------------------------------------------------- */

const char *ph_csv_column(const ph_factor_place *place, size_t i, bool momentum, size_t k, char *name,
                          size_t size)
{
    static const char axes[] = "xyz";
    const bool rotation = place->kind == PH_FACTOR_SO3;
    if (place->kind == PH_FACTOR_R || place->kind == PH_FACTOR_EMBEDDED) {
        snprintf(name, size, "%s%zu_%zu", momentum ? "p" : "x", i + 1, k + 1);
        return momentum ? "kg m/s" : "m";
    }
    if (momentum && place->np == 1)
        snprintf(name, size, "pi%zu", i + 1);
    else if (momentum)
        snprintf(name, size, "%s%zu%c", rotation ? "Pi" : "pi", i + 1, axes[k % 3]);
    else if (rotation)
        snprintf(name, size, "R%zu%c%c", i + 1, axes[k / 3 % 3], axes[k % 3]);
    else
        snprintf(name, size, "q%zu%c", i + 1, axes[k % 3]);
    return momentum ? "kg m^2/s" : "1";
}

size_t ph_columns(const ph_system *system, void (*see)(void *self, const char *name, const char *unit),
                  void *self)
{
    static const char *const measured[][2] = {
        {"energy", "J"}, {"energy_error", "J"}, {"constraint_error", "1"}, {"tangency", "kg m^2/s"}};
    const ph_space *space = ph_system_space(system);
    const size_t symmetries = ph_system_symmetries(system);
    char name[64];
    see(self, "t", "s");
    see(self, "step", NULL);
    for (int momentum = 0; momentum < 2; momentum++)
        for (size_t i = 0; i < ph_space_factors(space); i++) {
            const ph_factor_place *place = ph_space_factor(space, i);
            for (size_t k = 0; k < (momentum ? place->np : place->nz); k++) {
                const char *unit = ph_csv_column(place, i, momentum, k, name, sizeof name);
                see(self, name, unit);
            }
        }
    for (size_t i = 0; i < 4; i++)
        see(self, measured[i][0], measured[i][1]);
    for (size_t i = 0; i < symmetries; i++) {
        const ph_symmetry *s = ph_system_symmetry(system, i);
        see(self, s->name, s->unit ? s->unit : "");
    }
    see(self, "newton_passes", NULL);
    return 2 + ph_space_ambient(space) + ph_space_momenta(space) + 4 + symmetries + 1;
}

/* ---- The first line ------------------------------------------------------------------------------ */

typedef struct header {
    ph_file *file;
    bool begun;
} header;

void ph_csv_put_column(ph_file *f, const char *name, const char *unit)
{
    const char *parts[] = {name, unit ? "[" : "", unit ? unit : "", unit ? "]" : ""};
    bool quotes = strpbrk(name, ",\"\r\n") || strpbrk(parts[2], ",\"\r\n");
    ph_file_text(f, quotes ? "\"" : "");
    for (size_t i = 0; i < 4; i++)
        for (const char *s = parts[i]; *s; s++) {
            if (*s == '"')
                ph_file_text(f, "\"");
            ph_file_bytes(f, s, 1);
        }
    ph_file_text(f, quotes ? "\"" : "");
}

static void put_next(void *self, const char *name, const char *unit)
{
    header *h = self;
    ph_file_text(h->file, h->begun ? "," : "");
    ph_csv_put_column(h->file, name, unit);
    h->begun = true;
}

ph_status ph_csv_create(const char *path, const ph_system *system, ph_csv **csv, ph_error *err)
{
    ph_csv *c = calloc(1, sizeof *c);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_file_open(path, &c->file, err);
    if (status) {
        free(c);
        return status;
    }
    c->system = system;
    header h = {c->file, false};
    ph_columns(system, put_next, &h);
    ph_file_text(c->file, "\n");
    *csv = c;
    return PH_OK;
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

static void put_number(ph_file *f, double value)
{
    ph_file_bytes(f, ",", 1);
    ph_file_number(f, value);
}

static void put_numbers(ph_file *f, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_number(f, values[i]);
}

ph_status ph_csv_row(ph_csv *csv, const ph_state *state, const ph_measures *measures, int64_t passes,
                     ph_error *err)
{
    const ph_space *space = ph_system_space(csv->system);
    ph_file *f = csv->file;
    if (state->nz != ph_space_ambient(space) || state->np != ph_space_momenta(space))
        return ph_fail(err, PH_E_SIZE, "the state is not one of this system");
    if (!csv->started)
        csv->first_energy = measures->energy;
    csv->started = true;
    ph_file_number(f, state->t);
    ph_file_bytes(f, ",", 1);
    ph_file_count(f, state->k);
    put_numbers(f, state->z, state->nz);
    put_numbers(f, state->p, state->np);
    put_number(f, measures->energy);
    put_number(f, measures->energy - csv->first_energy);
    put_number(f, measures->constraint_error);
    put_number(f, measures->tangency);
    put_numbers(f, measures->momenta, ph_system_symmetries(csv->system));
    ph_file_bytes(f, ",", 1);
    ph_file_count(f, passes);
    ph_file_bytes(f, "\n", 1);
    return ph_file_check(f, err);
}

/* ---- Ending -------------------------------------------------------------------------------------- */

ph_status ph_csv_close(ph_csv *csv, ph_error *err)
{
    ph_status status = ph_file_commit(csv->file, err);
    free(csv);
    return status;
}

void ph_csv_abandon(ph_csv *csv)
{
    if (!csv)
        return;
    ph_file_abandon(csv->file);
    free(csv);
}
