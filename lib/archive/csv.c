/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV: trajectory.csv with a row for each output, events.csv with a row for each event that was found, and tables for other
 * programs (table.h). The first line names the columns as "name[unit]"; numbers have 17 digits. */
#include <polhode/csv.h>

#include "lib/internal/missing.h"

#include "file.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parts of lines ---------------------------------------------------------------------------------- */

/* "name[unit]", or the name alone where unit is NULL; in quotes if its text needs them. */
static void put_field(ph_file *f, const char *name, const char *unit)
{
    static const char special[] = ",\"\r\n";
    const bool quotes = strpbrk(name, special) || (unit && strpbrk(unit, special));
    const char *parts[] = {name, unit ? "[" : "", unit ? unit : "", unit ? "]" : ""};
    ph_file_text(f, quotes ? "\"" : "");
    for (size_t i = 0; i < 4; i++)
        for (const char *s = parts[i]; *s; s++) {
            if (*s == '"')
                ph_file_text(f, "\"");
            ph_file_bytes(f, s, 1);
        }
    ph_file_text(f, quotes ? "\"" : "");
}

/* The end of a line of these values (n). */
static void end_line(ph_file *f, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ph_file_number(f, values[i]);
        ph_file_text(f, i + 1 < n ? "," : "\n");
    }
}

/* ---- Tables ------------------------------------------------------------------------------------------ */

/* What the number stands for in this column: the text of the attribute "event 0", for 0 in the column event; or NULL. */
static const char *word_for(const ph_table *t, const char *column, double value)
{
    const size_t n = strlen(column);
    char number[32];
    snprintf(number, sizeof number, "%.0f", value);
    for (size_t i = 0; i < t->n_attributes; i++) {
        const char *key = t->attributes[i].key;
        if (!strncmp(key, column, n) && key[n] == ' ' && !strcmp(key + n + 1, number))
            return t->attributes[i].text;
    }
    return NULL;
}

/* t->own <- of each column, does its 0 stand for a word? */
static ph_status begin(ph_table *t, ph_error *err)
{
    bool *words = calloc(t->n, sizeof *words);
    t->own = words;
    if (!words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t c = 0; c < t->n; c++) {
        words[c] = word_for(t, t->columns[c].name, 0);
        ph_file_text(t->file, c ? "," : "");
        put_field(t->file, t->columns[c].name, t->columns[c].unit);
    }
    ph_file_text(t->file, "\n");
    return ph_file_check(t->file, err);
}

static ph_status put(ph_table *t, const double *values, size_t n, ph_error *err)
{
    const bool *words = t->own;
    for (const double *v = values; v < values + n * t->n; v += t->n)
        for (size_t c = 0; c < t->n; c++) {
            const char *word = words[c] ? word_for(t, t->columns[c].name, v[c]) : NULL;
            if (word)
                put_field(t->file, word, NULL);
            else
                ph_file_number(t->file, v[c]);
            ph_file_text(t->file, c + 1 < t->n ? "," : "\n");
        }
    return ph_file_check(t->file, err);
}

static void free_words(ph_table *t)
{
    free(t->own);
}

const ph_table_format ph_table_csv = {
    .name = "csv", .endings = "csv", .begin = begin, .put = put, .release = free_words};

/* ---- Rows of a run ----------------------------------------------------------------------------------- */

struct ph_csv {
    ph_file *file;
    ph_columns *columns;
    const ph_system *system;
    double first_energy;
    bool started;
};

struct ph_event_csv {
    ph_csv table;
};

static void release(ph_csv *csv)
{
    ph_columns_free(csv->columns);
    free(csv);
}

/* *csv <- a table of these columns, which are its own, behind what `leading` names. */
static ph_status create(const char *path, const ph_system *system, ph_columns *columns, const char *leading,
                        ph_csv **csv, ph_error *err)
{
    char room[PH_COLUMN_NAME];
    ph_csv *c = calloc(1, sizeof *c);
    ph_status status = c ? ph_file_open(path, &c->file, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        ph_columns_free(columns);
        free(c);
        return status;
    }
    c->columns = columns;
    c->system = system;
    ph_file_text(c->file, leading);
    for (size_t i = 0; i < ph_columns_count(columns); i++) {
        ph_file_text(c->file, i ? "," : "");
        put_field(c->file, ph_columns_name(columns, i, room), ph_columns_unit(columns, i));
    }
    ph_file_text(c->file, "\n");
    *csv = c;
    return PH_OK;
}

/* The columns of a row, to the end of the line: a few at a time, so that a row of a million links needs no memory. */
static ph_status put_row(ph_csv *csv, const ph_row *row, ph_error *err)
{
    enum { FEW = 64 };
    double values[FEW];
    const size_t n = ph_columns_count(csv->columns);
    for (size_t first = 0; first < n; first++) {
        if (first % FEW == 0)
            ph_columns_values(csv->columns, row, first, n - first < FEW ? n - first : FEW, values);
        ph_file_number(csv->file, values[first % FEW]);
        ph_file_text(csv->file, first + 1 < n ? "," : "\n");
    }
    return ph_file_check(csv->file, err);
}

ph_status ph_csv_create(const char *path, const ph_system *system, const char *const *words, size_t n,
                        ph_csv **csv, ph_error *err)
{
    ph_columns *columns;
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    const ph_status status = ph_columns_create_trajectory(system, words, n, &columns, err);
    return status ? status : create(path, system, columns, "", csv, err);
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
    return put_row(csv, &row, err);
}

ph_status ph_csv_recall(ph_csv *csv, const double *values, double first_energy, ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_csv_create");
    csv->first_energy = first_energy;
    csv->started = true;
    end_line(csv->file, values, ph_columns_count(csv->columns));
    return ph_file_check(csv->file, err);
}

ph_status ph_csv_close(ph_csv *csv, ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_csv_create");
    const ph_status status = ph_file_commit(csv->file, err);
    release(csv);
    return status;
}

void ph_csv_abandon(ph_csv *csv)
{
    if (!csv)
        return;
    ph_file_abandon(csv->file);
    release(csv);
}

/* ---- Events ------------------------------------------------------------------------------------------ */

ph_status ph_event_csv_create(const char *path, const ph_system *system, ph_event_csv **csv, ph_error *err)
{
    static const char *const words[] = {"configuration", "momentum"};
    ph_columns *columns;
    ph_csv *table;
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_status status =
        ph_columns_create(system, words, ph_space_momenta(ph_system_space(system)) ? 2 : 1, &columns, err);
    if (!status)
        status = create(path, system, columns, "event,t[s],step,theta[1],direction,", &table, err);
    if (!status)
        *csv = (ph_event_csv *)table;
    return status;
}

ph_status ph_event_csv_row(ph_event_csv *csv, const char *name, const ph_occurrence *o, ph_error *err)
{
    if (!csv)
        return ph_not_created(err, "csv", "ph_event_csv_create");
    ph_file *f = csv->table.file;
    const ph_row row = {.state = o->state};
    put_field(f, name, NULL);
    ph_file_text(f, ",");
    ph_file_number(f, o->t);
    ph_file_text(f, ",");
    ph_file_count(f, o->step);
    ph_file_text(f, ",");
    ph_file_number(f, o->theta);
    ph_file_text(f, o->direction > 0 ? ",1," : ",-1,");
    return put_row(&csv->table, &row, err);
}

ph_status ph_event_csv_close(ph_event_csv *csv, ph_error *err)
{
    return csv ? ph_csv_close(&csv->table, err) : ph_not_created(err, "csv", "ph_event_csv_create");
}

void ph_event_csv_abandon(ph_event_csv *csv)
{
    ph_csv_abandon(csv ? &csv->table : NULL);
}
