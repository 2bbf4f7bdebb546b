/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an archive with any columns (polhode/rows.h): each is copied from the archive, or computed from the
 * configuration and momentum of the row by the columns of its system (lib/run/columns.c). */
#include <polhode/columns.h>
#include <polhode/rows.h>
#include <polhode/scenario.h>
#include <polhode/session.h>

#include "lib/archive/record.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a column comes from. */
typedef struct origin {
    size_t from; /* column of the record, or of what is computed */
    bool computed;
    char *name, *unit;
} origin;

/* A column and its name, to be sorted. */
typedef struct named {
    const char *name;
    size_t i;
} named;

/* The system of a record: of its scenario, which is read, and its system built, once for all rows of it; or the caller's. */
typedef struct recalled {
    ph_scenario *scenario;   /* NULL: none, or unknown, because of `why` */
    const ph_system *system; /* NULL likewise */
    ph_error why;
} recalled;

struct ph_rows {
    ph_record *record;
    const ph_system *system; /* NULL: unknown, because of */
    const ph_error *why;
    named *by_name; /* (columns of the record) in the order of their names */
    origin *columns;
    size_t n, room;
    /* what is computed */
    ph_columns *computed;
    ph_diagnostics *diagnostics; /* where they need measures */
    size_t n_computed;
    size_t *z, *p; /* where the configuration and momentum of a row are */
    size_t nz, np, t, step;
    double *row, *values, *space; /* a row of the record, of what is computed; z and p */
    double *unknown;              /* NaN for each momentum map, where a state cannot be measured */
    double first_energy;          /* NaN: not known */
};

static ph_status no_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->i > y->i) - (x->i < y->i);
}

/* The n names in their order, as there may be a million columns; malloc, NULL without memory. */
static named *sort_names(const ph_rows *r, size_t n, const char *(*name)(const ph_rows *r, size_t i))
{
    named *list = malloc((n + 1) * sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        list[i] = (named){name(r, i), i};
    if (list)
        qsort(list, n, sizeof *list, by_name);
    return list;
}

static const char *archived_name(const ph_rows *r, size_t i)
{
    return ph_record_column(r->record, i);
}

/* *at <- the column of the record of this name, the first of them. */
static bool find_column(const ph_rows *r, const char *name, size_t *at)
{
    const size_t n = ph_record_columns(r->record);
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(r->by_name[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *at = low < n ? r->by_name[low].i : n;
    return low < n && !strcmp(r->by_name[low].name, name);
}

/* ---- The system ---------------------------------------------------------------------------------------- */

static void free_recalled(void *kept)
{
    recalled *k = kept;
    ph_scenario_free(k->scenario);
    free(k);
}

static ph_status find_system(ph_rows *r, ph_error *err)
{
    const char *name = ph_record_meta(r->record, "name");
    recalled *k = r->record->kept;
    if (!k) {
        k = calloc(1, sizeof *k);
        if (!k)
            return no_memory(err);
        if (ph_session_recall(r->record, name ? name : "the archive", &k->scenario, &k->why))
            k->scenario = NULL;
        k->system = k->scenario ? ph_scenario_system(k->scenario) : NULL;
        r->record->kept = k;
        r->record->free_kept = free_recalled;
    }
    r->system = k->system;
    r->why = &k->why;
    return PH_OK;
}

ph_status ph_rows_use_system(ph_record *record, const ph_system *system, ph_error *err)
{
    if (!record)
        return ph_not_created(err, "record", "ph_record_open");
    if (!system)
        return ph_not_created(err, "system", "ph_system_create");
    if (ph_record_meta(record, "scenario"))
        return ph_fail(err, PH_E_INVALID, "%s: has a scenario, whose system it is", record->path);
    if (record->kept)
        return ph_fail(err, PH_E_INVALID, "%s: its rows have been opened; the system is given before that",
                       record->path);
    recalled *k = calloc(1, sizeof *k);
    if (!k)
        return no_memory(err);
    k->system = system;
    record->kept = k;
    record->free_kept = free_recalled;
    return PH_OK;
}

/* at (n) <- where the columns of the group are in the record; PH_E_UNSUPPORTED names one that is not there. */
static ph_status find_group(ph_rows *r, const char *group, size_t **at, size_t *n, ph_error *err)
{
    char room[PH_COLUMN_NAME];
    ph_columns *columns;
    ph_status status = ph_columns_create(r->system, &group, 1, &columns, err);
    if (status)
        return status;
    *n = ph_columns_count(columns);
    *at = malloc((*n + 1) * sizeof **at);
    status = *at ? PH_OK : no_memory(err);
    for (size_t i = 0; i < *n && !status; i++) {
        const char *name = ph_columns_name(columns, i, room);
        if (!find_column(r, name, &(*at)[i]))
            status =
                ph_fail(err, PH_E_UNSUPPORTED,
                        "the archive has no column %s, so nothing can be computed from its %s; give the run "
                        "`columns: [configuration, momentum]`, or all columns",
                        name, group);
    }
    ph_columns_free(columns);
    return status;
}

/* ---- What is computed ---------------------------------------------------------------------------------- */

/* Words of columns that are to be computed, for ph_columns_create, and how many columns they have. */
typedef struct names {
    char **at;
    size_t n, room, columns;
} names;

static void free_names(names *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    free(list->at);
}

static ph_status prepare_computed(ph_rows *r, const names *missing, ph_error *err)
{
    for (size_t i = 0; i < missing->n; i++)
        if (!strcmp(missing->at[i], "newton_passes"))
            return ph_fail(err, PH_E_UNSUPPORTED,
                           "newton_passes cannot be computed from a state; name it among the run's columns");
    if (!find_column(r, "t", &r->t) || !find_column(r, "step", &r->step))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "the archive has no columns t and step, so nothing can be computed");
    ph_status status = find_group(r, "configuration", &r->z, &r->nz, err);
    if (!status && ph_space_momenta(ph_system_space(r->system)))
        status = find_group(r, "momentum", &r->p, &r->np, err);
    if (!status)
        status =
            ph_columns_create(r->system, (const char *const *)missing->at, missing->n, &r->computed, err);
    if (!status && ph_columns_needs(r->computed))
        status = ph_diagnostics_create(r->system, &r->diagnostics, err);
    if (status)
        return status;
    const size_t maps = ph_system_symmetries(r->system);
    r->n_computed = ph_columns_count(r->computed);
    r->values = malloc((r->n_computed + r->nz + r->np + maps) * sizeof *r->values);
    if (!r->values)
        return no_memory(err);
    r->space = r->values + r->n_computed;
    r->unknown = r->space + r->nz + r->np;
    for (size_t i = 0; i < maps; i++)
        r->unknown[i] = NAN;
    return PH_OK;
}

/* A count of an archive that anybody may have written. */
static int64_t whole(double x)
{
    return x >= 0 && x < 0x1p62 ? (int64_t)x : 0;
}

/* The state of a row of the record, in r->space. */
static ph_state place_state(ph_rows *r, const double *row)
{
    double *z = r->space, *p = r->space + r->nz;
    for (size_t i = 0; i < r->nz; i++)
        z[i] = row[r->z[i]];
    for (size_t i = 0; i < r->np; i++)
        p[i] = row[r->p[i]];
    return (ph_state){.t = row[r->t],
                      .k = whole(row[r->step]),
                      .z = z,
                      .p = p,
                      .nz = r->nz,
                      .np = r->np,
                      .t_base = row[r->t]};
}

/* Those of a state that cannot be measured. */
static ph_measures unmeasured(const ph_rows *r)
{
    return (ph_measures){.energy = NAN,
                         .kinetic = NAN,
                         .potential = NAN,
                         .constraint_error = NAN,
                         .tangency = NAN,
                         .momentum_size = NAN,
                         .momenta = r->unknown,
                         .velocity_constraint_error = NAN};
}

/* values <- what is computed of a row of the record; NaN where a callback fails. Each column has the same bits whichever
 * others are computed: a state that cannot be measured may have places. */
static void compute(ph_rows *r, const double *record_row, double *values)
{
    const ph_state state = place_state(r, record_row);
    ph_measures measures = {0};
    if (r->diagnostics && ph_diagnostics_measure(r->diagnostics, &state, &measures))
        measures = unmeasured(r);
    const ph_row row = {&state, &measures, r->first_energy, 0};
    ph_columns_values(r->computed, &row, 0, r->n_computed, values);
}

/* The energy of the row that was read last. */
static double energy_of(ph_rows *r)
{
    size_t energy;
    ph_measures measures = {0};
    if (find_column(r, "energy", &energy))
        return r->row[energy];
    const ph_state state = place_state(r, r->row);
    return ph_diagnostics_measure(r->diagnostics, &state, &measures) ? NAN : measures.energy;
}

/* r->first_energy <- of row 0, against which energy_error is. Where it is damaged, what the state keeps of it. */
static void find_first_energy(ph_rows *r)
{
    int64_t read, next;
    ph_state_row state;
    r->first_energy = NAN;
    if (!r->diagnostics)
        return;
    if (!ph_record_read(r->record, 0, 1, r->row, &read, &next, NULL) && read)
        r->first_energy = energy_of(r);
    else if (!ph_state_table_row(&r->record->database, &state, NULL))
        r->first_energy = state.energy0;
}

/* ---- Choosing ------------------------------------------------------------------------------------------ */

static ph_status add_column(ph_rows *r, const char *name, const char *unit, size_t from, bool computed,
                            ph_error *err)
{
    if (r->n == r->room) {
        origin *more = realloc(r->columns, (2 * r->room + 16) * sizeof *more);
        if (!more)
            return no_memory(err);
        r->columns = more;
        r->room = 2 * r->room + 16;
    }
    r->columns[r->n] = (origin){from, computed, strdup(name), strdup(unit ? unit : "")};
    r->n++;
    return r->columns[r->n - 1].name && r->columns[r->n - 1].unit ? PH_OK : no_memory(err);
}

static ph_status take_all(ph_rows *r, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < ph_record_columns(r->record) && !status; i++)
        status = add_column(r, ph_record_column(r->record, i), ph_record_unit(r->record, i), i, false, err);
    return status;
}

/* columns: of the word. */
static ph_status note_missing(names *missing, const char *word, size_t columns, ph_error *err)
{
    if (missing->n == missing->room) {
        char **more = realloc(missing->at, (2 * missing->room + 16) * sizeof *more);
        if (!more)
            return no_memory(err);
        missing->at = more;
        missing->room = 2 * missing->room + 16;
    }
    missing->at[missing->n] = strdup(word);
    missing->columns += columns;
    return missing->at[missing->n++] ? PH_OK : no_memory(err);
}

static ph_status take_column(ph_rows *r, const char *name, const char *unit, names *missing, ph_error *err)
{
    size_t at;
    if (find_column(r, name, &at))
        return add_column(r, name, ph_record_unit(r->record, at), at, false, err);
    const ph_status status = note_missing(missing, name, 1, err);
    return status ? status : add_column(r, name, unit, missing->columns - 1, true, err);
}

/* The columns of a word; where the record has none of them, the word is computed as one: of a large system it has thousands. */
static ph_status take_columns(ph_rows *r, const char *word, const ph_columns *columns, names *missing,
                              ph_error *err)
{
    char room[PH_COLUMN_NAME];
    const size_t n = ph_columns_count(columns), before = missing->columns;
    size_t at, absent = 0;
    while (absent < n && !find_column(r, ph_columns_name(columns, absent, room), &at))
        absent++;
    ph_status status = n > 1 && absent == n ? note_missing(missing, word, n, err) : PH_OK;
    for (size_t i = 0; i < n && !status; i++) {
        const char *name = ph_columns_name(columns, i, room), *unit = ph_columns_unit(columns, i);
        status = n > 1 && absent == n ? add_column(r, name, unit, before + i, true, err)
                                      : take_column(r, name, unit, missing, err);
    }
    return status;
}

/* Without a system only names of the archive's columns are known. */
static ph_status take_without_system(ph_rows *r, const char *word, names *missing, ph_error *err)
{
    size_t at;
    if (find_column(r, word, &at))
        return take_column(r, word, NULL, missing, err);
    if (!ph_record_meta(r->record, "scenario"))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "the archive has no column %s, and it cannot be computed: it has no scenario", word);
    return ph_fail(err, PH_E_UNSUPPORTED, "the archive has no column %s, and it cannot be computed: %s", word,
                   r->why->message);
}

static ph_status take_word(ph_rows *r, const char *word, names *missing, ph_error *err)
{
    ph_columns *columns;
    if (!r->system)
        return take_without_system(r, word, missing, err);
    ph_status status = ph_columns_create(r->system, &word, 1, &columns, err);
    if (status) { /* a column of the archive may be another program's */
        size_t at;
        return find_column(r, word, &at) ? take_column(r, word, NULL, missing, err) : status;
    }
    status = take_columns(r, word, columns, missing, err);
    ph_columns_free(columns);
    return status;
}

/* No two columns have one name. */
static ph_status check_twice(const ph_rows *r, ph_error *err)
{
    named *list = sort_names(r, r->n, ph_rows_column);
    ph_status status = list ? PH_OK : no_memory(err);
    for (size_t i = 1; i < r->n && !status; i++)
        if (!strcmp(list[i - 1].name, list[i].name))
            status = ph_fail(err, PH_E_INVALID, "the column %s is named twice", list[i].name);
    free(list);
    return status;
}

static ph_status fill_rows(ph_rows *r, const char *const *words, size_t n, ph_error *err)
{
    names missing = {0};
    const size_t archived = ph_record_columns(r->record);
    r->row = malloc((archived + 1) * sizeof *r->row);
    r->by_name = sort_names(r, archived, archived_name);
    ph_status status = r->row && r->by_name ? PH_OK : no_memory(err);
    if (!status)
        status = find_system(r, err);
    if (!status && !n)
        status = take_all(r, err);
    for (size_t i = 0; i < n && !status; i++)
        status = take_word(r, words[i], &missing, err);
    if (!status && n)
        status = check_twice(r, err);
    if (!status && missing.n && !(status = prepare_computed(r, &missing, err)))
        find_first_energy(r);
    free_names(&missing);
    return status;
}

ph_status ph_rows_open(ph_record *record, const char *const *words, size_t n, ph_rows **rows, ph_error *err)
{
    *rows = NULL;
    if (!record)
        return ph_not_created(err, "record", "ph_record_open");
    ph_rows *r = calloc(1, sizeof *r);
    if (!r)
        return ph_record_note(record, no_memory(err));
    r->record = record;
    ph_status status = ph_record_note(record, fill_rows(r, words, n, err));
    if (status)
        ph_rows_free(r);
    else
        *rows = r;
    return status;
}

void ph_rows_free(ph_rows *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++) {
        free(r->columns[i].name);
        free(r->columns[i].unit);
    }
    free(r->columns);
    free(r->by_name);
    free(r->z);
    free(r->p);
    free(r->row);
    free(r->values);
    ph_columns_free(r->computed);
    ph_diagnostics_free(r->diagnostics);
    free(r);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

const ph_system *ph_rows_system(const ph_rows *r)
{
    return r->system;
}

size_t ph_rows_columns(const ph_rows *r)
{
    return r->n;
}

const char *ph_rows_column(const ph_rows *r, size_t i)
{
    return r->columns[i].name;
}

size_t ph_rows_find(const ph_rows *r, const char *name)
{
    size_t i = 0;
    while (i < r->n && strcmp(r->columns[i].name, name) != 0)
        i++;
    return i;
}

const char *ph_rows_unit(const ph_rows *r, size_t i)
{
    return r->columns[i].unit;
}

bool ph_rows_is_computed(const ph_rows *r, size_t i)
{
    return r->columns[i].computed;
}

size_t ph_rows_origin(const ph_rows *r, size_t i)
{
    return r->columns[i].computed ? ph_record_columns(r->record) : r->columns[i].from;
}

/* values (r->n) <- of a row of the record. */
static void take_row(ph_rows *r, const double *row, double *values)
{
    if (r->n_computed)
        compute(r, row, r->values);
    for (size_t i = 0; i < r->n; i++)
        values[i] = (r->columns[i].computed ? r->values : row)[r->columns[i].from];
}

ph_status ph_rows_values(ph_rows *r, const double *archived, int64_t n, double *values, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "rows", "ph_rows_open");
    const size_t width = ph_record_columns(r->record);
    for (int64_t i = 0; i < n; i++)
        take_row(r, archived + (size_t)i * width, values + (size_t)i * r->n);
    return PH_OK;
}

ph_status ph_rows_read(ph_rows *r, int64_t first, int64_t n, double *values, int64_t *read, int64_t *next,
                       ph_error *err)
{
    if (!r)
        return ph_not_created(err, "rows", "ph_rows_open");
    ph_status status = PH_OK;
    *read = 0;
    *next = first;
    while (*read < n) {
        int64_t one, behind;
        status = ph_record_read(r->record, *next, 1, r->row, &one, &behind, err);
        if (status && *read) /* the next call meets it */
            return PH_OK;
        if (status || !one) {
            *next = status ? behind : *next;
            return status;
        }
        take_row(r, r->row, values + (size_t)*read * r->n);
        *next = behind;
        ++*read;
    }
    return status;
}
