/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a system of formulas: numbers, vectors and matrices by name, of the time, the configuration and the velocity; and
 * the formulas of events, which are columns that rows do not have. They need no derivatives, so that they may have
 * corners. */
#include "forces.h"
#include "lib/expression/lagrangian.h"
#include "lib/run/column-kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* name <- of part k of a value. */
static ph_status name_part(const ph_formula_builder *b, const char *of, const ph_value *value, size_t k,
                           char *name)
{
    static const char axes[] = "xyz";
    const size_t rows = value->rows, columns = value->columns, at = k % columns;
    int n;
    if (value->rank == 0)
        n = snprintf(name, PH_COLUMN_NAME, "%s", of);
    else if (value->rank == 1 && rows <= 3)
        n = snprintf(name, PH_COLUMN_NAME, "%s%c", of, axes[k]);
    else if (rows <= 3 && columns <= 3 && value->rank == 2)
        n = snprintf(name, PH_COLUMN_NAME, "%s%c%c", of, axes[k / columns], axes[at]);
    else
        n = snprintf(name, PH_COLUMN_NAME, "%s_%zu", of, k + 1);
    return n < PH_COLUMN_NAME ? PH_OK
                              : ph_fail(b->err, PH_E_RANGE, "columns: the name %.40s... is too long", of);
}

/* Is the name of columns, or of a momentum map, not a word for the columns of a factor? */
static ph_status check_word(const ph_system *system, const char *of, const char *name, ph_error *err)
{
    ph_column_kind kind;
    size_t first, count;
    if (!ph_column_find_title(system, name, &kind, &first, &count))
        return PH_OK;
    return ph_fail(err, PH_E_INVALID,
                   "%s: %s: this is the name of a factor, or of its velocity; take another one", of, name);
}

/* A name that columns of every system, momentum maps of this one, or its factors have already? */
ph_status ph_formula_check_columns(const ph_formula_definition *d, const ph_system *system, ph_error *err)
{
    size_t first, count;
    ph_status status = PH_OK;
    for (size_t i = 0; i < d->n_columns && !status; i++) /* of a vector, which has columns by part */
        status = check_word(system, "columns", d->columns[i].name, err);
    for (size_t i = 0; i < ph_system_columns(system) && !status; i++)
        if (!ph_system_column(system, i)->unlisted)
            status = check_word(system, "columns", ph_system_column(system, i)->name, err);
    for (size_t i = 0; i < ph_system_symmetries(system) && !status; i++)
        status = check_word(system, "symmetries", ph_system_symmetry(system, i)->name, err);
    if (status)
        return status;
    for (size_t i = 0; i < ph_system_columns(system); i++) {
        const ph_own_column *own = ph_system_column(system, i);
        for (ph_column_kind kind = 0; kind < PH_OF_KINDS && !own->unlisted; kind++)
            if (!strcmp(ph_column_rows[kind].name, own->name) ||
                (kind != PH_OF_OWN && ph_column_find(system, kind, own->name, &first, &count)))
                return ph_fail(err, PH_E_INVALID,
                               "columns: %s: the system has a column of this name already; take another one",
                               own->name);
    }
    return PH_OK;
}

/* text <- as columns have it: of a pure number 1, of a rate 1/s, as it may be an angular velocity. */
static const char *write_unit(const ph_unit *unit, char text[96])
{
    ph_unit_text(unit, text);
    if (!strcmp(text, "a pure number") || !strcmp(text, "Hz"))
        strcpy(text, *text == 'H' ? "1/s" : "1");
    return text;
}

/* One value more; name: NULL for an event. */
static ph_status add(ph_formula_builder *b, const char *what, const char *name, const char *text,
                     ph_expr *outs)
{
    enum { PART = PH_COLUMN_NAME };
    ph_value value;
    char unit[96] = "";
    ph_status status =
        ph_formula_read(b, what, text, NULL, PH_FORMULA_ROUGH | (name ? 0 : PH_FORMULA_NUMBER), &value);
    if (status)
        return status;
    const size_t n = b->to.n_columns, many = (size_t)value.rows * value.columns;
    if (n + many > PH_FORMULA_COLUMNS)
        return ph_fail(b->err, PH_E_RANGE, "%s: there are more than %d columns", what, PH_FORMULA_COLUMNS);
    if (ph_formulas_have_units(b->f))
        write_unit(&value.unit, unit);
    char *names = ph_formulas_room(b->f, many * PART + sizeof unit);
    if (!names || ph_omega_written_out(b->f, value.item, many, outs + n))
        return names ? ph_formula_failed(b) : ph_formula_no_memory(b->err);
    memcpy(names + many * PART, unit, sizeof unit);
    for (size_t k = 0; k < many && !status; k++) {
        if (name)
            status = name_part(b, name, &value, k, names + k * PART);
        b->columns[n + k] = (ph_own_column){name ? names + k * PART : text, names + many * PART, !name};
    }
    b->to.n_columns += status ? 0 : many;
    return status;
}

/* Is the text a formula, not the name of a column that is no name of the formulas? */
static bool is_formula(const ph_formula_builder *b, const char *text)
{
    const size_t length = strlen(text);
    return !ph_formula_is_name(text, length) || ph_formulas_find(b->f, text, length);
}

ph_status ph_formula_read_columns(ph_formula_builder *b)
{
    const ph_formula_definition *d = b->text;
    ph_expr *outs = ph_formula_nodes(b, PH_FORMULA_COLUMNS);
    b->columns = ph_formulas_room(b->f, PH_FORMULA_COLUMNS * sizeof *b->columns);
    ph_status status = outs && b->columns ? PH_OK : ph_formula_no_memory(b->err);
    for (size_t i = 0; i < d->n_columns && !status; i++) {
        const ph_formula_line *column = &d->columns[i];
        char what[80];
        if (!column->name || !ph_formula_is_name(column->name, strlen(column->name)))
            return ph_fail(b->err, PH_E_INVALID,
                           "columns: number %zu: its name should be a letter, then letters, digits and _",
                           i + 1);
        snprintf(what, sizeof what, "columns: %.60s", column->name);
        status = add(b, what, column->name, column->text, outs);
    }
    for (size_t i = 0; i < d->n_events && !status; i++) {
        char what[48];
        snprintf(what, sizeof what, "events: number %zu", i + 1);
        if (d->events[i] && is_formula(b, d->events[i]))
            status = add(b, what, NULL, d->events[i], outs);
    }
    if (status || !b->to.n_columns)
        return status;
    b->to.own_columns = b->columns;
    return ph_formula_tape(b, PH_PART_COLUMNS, outs, b->to.n_columns);
}

/* Names of the factors, and the units of coordinates that are no lengths. */
ph_status ph_formula_label_factors(ph_formula_builder *b)
{
    enum { NAME = PH_FORMULA_NAME + 24, UNIT = 96 };
    static const ph_unit second = {{0, 0, PH_UNIT_ONE}};
    const ph_formulas *f = b->f;
    const ph_unit action = ph_unit_product(&ph_formula_joule, &second, 1);
    ph_factor_label *labels = ph_formulas_room(b->f, f->n_factors * sizeof *labels);
    char *text = ph_formulas_room(b->f, f->n_factors * NAME + b->text->n_space * 2 * UNIT);
    if (!labels || !text)
        return ph_formula_no_memory(b->err);
    b->to.labels = labels;
    for (size_t k = 0; k < b->text->n_space; k++) {
        const ph_formula_line *line = &b->text->space[k];
        const ph_name *name = ph_formulas_find(f, line->name, strlen(line->name));
        ph_factor_label of = {.unit = line->unit};
        if (line->unit) {
            const ph_unit *unit = &name->value->unit, rate = ph_unit_product(unit, &second, -1),
                          momentum = ph_unit_product(&action, unit, -1);
            of.rate_unit = strchr(line->unit, '/') ? write_unit(&rate, text) : text;
            if (!strchr(line->unit, '/'))
                snprintf(text, UNIT, "%.80s/s", line->unit);
            of.momentum_unit = write_unit(&momentum, text + UNIT);
            text += 2 * UNIT;
        }
        for (size_t i = 0; i < name->n; i++, text += NAME) {
            labels[name->factor + i] = of;
            labels[name->factor + i].name = text;
            snprintf(text, NAME, name->list ? "%s[%zu]" : "%s", line->name, i + 1);
        }
    }
    return PH_OK;
}
