/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that formulas use: parameters, factors of the configuration space with their velocities, abbreviations and
 * lists of them. */
#include "formulas.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ph_status no_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* ---- Parameters --------------------------------------------------------------------------------- */

ph_status ph_formulas_add_parameter(ph_formulas *f, const char *name, unsigned rank, size_t rows,
                                    size_t columns, const double *v, const char *unit, ph_error *err)
{
    const size_t n = rows * columns;
    double factor = 1;
    ph_unit read = {{0}};
    if (!name || !v || rank > 2 || (rank < 2 && columns != 1) || (rank < 1 && rows != 1))
        return ph_fail(err, PH_E_INVALID,
                       "parameters: a name and numbers of rank 0 (1 x 1), 1 (n x 1) or 2 are needed");
    ph_error why;
    if (unit && *unit && ph_unit_read(unit, &read, &factor, &why))
        return ph_fail(err, why.status, "parameters %s: %s", name, why.message);
    if (n == 0 || n > PH_FORMULA_ITEMS)
        return ph_fail(err, PH_E_RANGE, "parameters: %s has %zu numbers; from 1 to %d are allowed", name, n,
                       PH_FORMULA_ITEMS);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i] * factor))
            return ph_fail(err, PH_E_NOT_FINITE, "parameters: %s is %g in SI units; it must be finite", name,
                           v[i] * factor);
    ph_name *added = ph_formulas_add_name(f, name, strlen(name), PH_NAME_PARAMETER, err);
    if (!added)
        return err ? err->status : PH_E_INVALID;
    double *numbers = realloc(f->parameters, (f->n_parameters + n) * sizeof *numbers);
    f->parameters = numbers ? numbers : f->parameters;
    ph_expr *item = numbers ? ph_formulas_room(f, n * sizeof *item) : NULL;
    added->value = item ? ph_formulas_room(f, sizeof *added->value) : NULL;
    if (!added->value)
        return no_memory(err);
    for (size_t i = 0; i < n; i++) {
        numbers[f->n_parameters] = v[i] * factor;
        item[i] = v[i] == 0 ? 0 : ph_graph_leaf(&f->graph, PH_OP_PARAMETER, f->n_parameters);
        f->n_parameters++;
    }
    *added->value = (ph_value){rank, (uint32_t)rows, (uint32_t)columns, item, read};
    added->no_unit = !unit || !*unit;
    added->whole = rank == 0 && added->no_unit && v[0] == floor(v[0]) && fabs(v[0]) <= 1e9;
    added->number = added->whole ? (int64_t)v[0] : 0;
    return PH_OK;
}

/* ---- Factors ------------------------------------------------------------------------------------ */

/* n values of leaves, nz each from *first on; one of zeros where there are none. */
static ph_value *make_leaves(ph_formulas *f, enum ph_op leaf, size_t first, size_t n, size_t nz,
                             unsigned rank, ph_unit unit)
{
    const size_t side = rank == 2 ? 3 : 1;
    const size_t made = n ? n : 1;
    ph_value *value = ph_formulas_room(f, made * sizeof *value);
    ph_expr *item = value ? ph_formulas_room(f, made * nz * sizeof *item) : NULL;
    for (size_t i = 0; item && i < made * nz; i++)
        item[i] = n ? ph_graph_leaf(&f->graph, leaf, first + i) : 0;
    for (size_t i = 0; item && i < made; i++)
        value[i] = (ph_value){rank, (uint32_t)(nz / side), (uint32_t)side, item + i * nz, unit};
    return item ? value : NULL;
}

/* "R3" and the like, at most up to `length`: its kind, coordinates, numbers of its angular velocity; false: none. */
static bool read_kind(const char *text, size_t length, ph_formula_factor *factor)
{
    static const struct {
        const char *word;
        ph_factor_kind kind;
        size_t nz, n_omega;
    } kinds[] = {{"S1", PH_FACTOR_S1, 2, 1},
                 {"S2", PH_FACTOR_S2, 3, 3},
                 {"SO3", PH_FACTOR_SO3, 9, 3},
                 {"spin", PH_FACTOR_SPIN, 3, 0}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].word) == length && memcmp(kinds[i].word, text, length) == 0) {
            *factor =
                (ph_formula_factor){.kind = kinds[i].kind, .nz = kinds[i].nz, .n_omega = kinds[i].n_omega};
            return true;
        }
    char digits[8] = "";
    int64_t dimension = 0;
    if (length > 1 && length < sizeof digits && text[0] == 'R')
        memcpy(digits, text + 1, length - 1);
    *factor = (ph_formula_factor){.kind = PH_FACTOR_R};
    if (ph_parse_count(digits, &dimension) || dimension < 1 || dimension > PH_FORMULA_ITEMS)
        return false;
    factor->nz = (size_t)dimension;
    return true;
}

/* *n <- the number in "[...]" behind the kind, 1 without. */
static ph_status read_size(ph_formulas *f, const char *name, const char *bracket, int64_t *n, ph_error *err)
{
    char what[PH_FORMULA_NAME + 16], inside[128];
    const size_t length = strlen(bracket);
    *n = 1;
    if (!length)
        return PH_OK;
    if (length < 3 || length >= sizeof inside || bracket[length - 1] != ']')
        return ph_fail(err, PH_E_PARSE, "space: %s: '%.60s' should be [n], how many there are", name,
                       bracket);
    snprintf(what, sizeof what, "space: %s", name);
    snprintf(inside, sizeof inside, "%.*s", (int)length - 2, bracket + 1);
    ph_status status = ph_formulas_read_whole(f, what, inside, n, err);
    if (!status && (*n < 0 || *n > PH_FORMULA_ITEMS))
        return ph_fail(err, PH_E_RANGE, "space: %s: there are %lld of it; from 1 to %d are allowed", name,
                       (long long)*n, PH_FORMULA_ITEMS);
    return status;
}

ph_status ph_formulas_add_factor(ph_formulas *f, const char *name, const char *kind, const char *unit,
                                 ph_error *err)
{
    static const ph_unit meter = {{PH_UNIT_ONE}}, per_second = {{0, 0, -PH_UNIT_ONE}};
    if (!name || !kind)
        return ph_fail(err, PH_E_INVALID, "space: a factor has a name and a kind");
    const size_t length = strcspn(kind, "[");
    ph_formula_factor like;
    ph_unit of = {{0}};
    double factor = 1;
    int64_t n;
    if (!read_kind(kind, length, &like))
        return ph_fail(
            err, PH_E_PARSE,
            "space: %s: '%.60s' is no factor; it is R1, R2, ..., S1, S2, SO3 or spin, each with [n] for n of them",
            name, kind);
    ph_status status = read_size(f, name, kind + length, &n, err);
    if (!status && unit && like.kind != PH_FACTOR_R)
        return ph_fail(err, PH_E_INVALID, "space: %s: only coordinates of R1, R2, ... have a unit", name);
    if (!status && unit)
        status = ph_unit_read(unit, &of, &factor, err);
    if (status)
        return status;
    if (factor != 1)
        return ph_fail(err, PH_E_INVALID, "space: %s: the unit of a coordinate is one of SI, not %s", name,
                       unit);
    if (like.kind == PH_FACTOR_R && !unit)
        of = meter;
    char rate[PH_FORMULA_NAME + 3];
    snprintf(rate, sizeof rate, "%sdot", name);
    const bool spins = like.kind == PH_FACTOR_SPIN, list = strchr(kind, '[') != NULL;
    const unsigned rank =
        like.nz == 9 && like.kind == PH_FACTOR_SO3 ? 2 : like.kind != PH_FACTOR_R || like.nz > 1;
    const ph_unit of_rate = ph_unit_product(&of, &per_second, 1);
    ph_name *q = ph_formulas_add_name(f, name, strlen(name), PH_NAME_FACTOR, err);
    if (!q || (!spins && !ph_formulas_add_name(f, rate, strlen(rate), PH_NAME_RATE, err)))
        return err ? err->status : PH_E_INVALID;
    for (size_t k = 0; k < (spins ? 1 : 2); k++) {
        q = &f->names[f->n_names - (spins ? 1 : 2) + k];
        q->list = list, q->first = 1, q->n = (size_t)n, q->factor = f->n_factors, q->n_omega = like.n_omega;
        q->value = make_leaves(f, k ? PH_OP_V : PH_OP_Z, f->nz, (size_t)n, like.nz, rank, k ? of_rate : of);
    }
    like.name = f->n_names - (spins ? 1 : 2);
    for (int64_t i = 0; i < n; i++, f->n_factors++) {
        if (!ph_formulas_grow((void **)&f->factors, f->n_factors, sizeof *f->factors))
            return no_memory(err);
        like.z = f->nz, like.omega = f->n_omega;
        f->factors[f->n_factors] = like;
        for (size_t j = 0; j < like.nz && !spins; j++)
            ph_map_put(&f->graph, &f->rates, ph_graph_leaf(&f->graph, PH_OP_Z, f->nz + j),
                       ph_graph_leaf(&f->graph, PH_OP_V, f->nz + j));
        f->nz += like.nz, f->n_omega += like.n_omega;
    }
    return f->graph.failed == PH_E_RANGE
               ? ph_fail(err, PH_E_RANGE, "space: more than %d coordinates", PH_MAX_NODES)
           : f->graph.failed ? no_memory(err)
                             : PH_OK;
}

/* ---- Abbreviations ------------------------------------------------------------------------------ */

/* name[i] <- value, which must be the next of the list. */
static ph_status append(ph_formulas *f, const char *what, const char *name, size_t length, int64_t i,
                        const ph_value *value, ph_error *err)
{
    ph_name *list = ph_formulas_find(f, name, length);
    if (!list && !(list = ph_formulas_add_name(f, name, length, PH_NAME_ABBREVIATION, err)))
        return err ? err->status : PH_E_INVALID;
    if (!list->value)
        list->list = true, list->first = i, list->n = 0;
    if (list->kind != PH_NAME_ABBREVIATION || !list->list)
        return ph_fail(err, PH_E_INVALID, "%s: '%s' has a meaning already, which is no list", what,
                       list->name);
    if (i != list->first + (int64_t)list->n)
        return ph_fail(err, PH_E_INVALID, "%s: [%lld] should come next, not [%lld]", what,
                       (long long)list->first + (long long)list->n, (long long)i);
    if (list->n == PH_FORMULA_ITEMS)
        return ph_fail(err, PH_E_RANGE, "%s: a list of more than %d entries", what, PH_FORMULA_ITEMS);
    if ((list->n & (list->n - 1)) == 0 || list->n == 0) { /* full: powers of two */
        ph_value *more = ph_formulas_room(f, (list->n ? 2 * list->n : 1) * sizeof *more);
        if (!more)
            return no_memory(err);
        if (list->n)
            memcpy(more, list->value, list->n * sizeof *more);
        list->value = more;
    }
    list->value[list->n++] = *value;
    return PH_OK;
}

ph_status ph_formulas_read_list(ph_formulas *f, const char *what, const char *head, ph_list_head *list,
                                ph_error *err)
{
    const size_t length = strcspn(head, "["), all = strlen(head);
    char inside[128];
    *list = (ph_list_head){.length = length};
    if (all < length + 3 || all - length >= sizeof inside || head[all - 1] != ']')
        return ph_fail(err, PH_E_PARSE, "%s: the head of a list is p[0] or p[i=1..n]", what);
    snprintf(inside, sizeof inside, "%.*s", (int)(all - length) - 2, head + length + 1);
    char *equals = strchr(inside, '='), *bounds = equals ? equals + 1 : inside,
         *range = equals ? strstr(bounds, "..") : NULL;
    if (equals) {
        size_t n = (size_t)(equals - inside);
        while (n > 0 && inside[n - 1] == ' ')
            n--;
        if (!range || !ph_formula_is_name(inside, n) || n >= sizeof list->index ||
            ph_formula_reserved(inside, n) || ph_formulas_find(f, inside, n))
            return ph_fail(err, PH_E_PARSE, "%s: the head of a list is p[0] or p[i=1..n], i a new name",
                           what);
        memcpy(list->index, inside, n);
        *range = '\0';
    }
    ph_status status = ph_formulas_read_whole(f, what, bounds, &list->first, err);
    list->last = list->first;
    return status || !equals ? status : ph_formulas_read_whole(f, what, range + 2, &list->last, err);
}

/* The entries one after the other, so that later ones may use those before. */
static ph_status abbreviate_list(ph_formulas *f, const char *what, const char *head, const char *text,
                                 ph_error *err)
{
    ph_list_head list;
    ph_value value;
    ph_status status = ph_formulas_read_list(f, what, head, &list, err);
    for (int64_t i = list.first; i <= list.last && !status; i++) {
        status = ph_formulas_read_at(f, what, text, list.index, i, &value, err);
        status = status ? status : append(f, what, head, list.length, i, &value, err);
    }
    return status;
}

ph_status ph_formulas_abbreviate(ph_formulas *f, const char *head, const char *text, ph_error *err)
{
    char what[80];
    ph_value value;
    if (!head || !text)
        return ph_fail(err, PH_E_INVALID, "where: an abbreviation has a name and a text");
    snprintf(what, sizeof what, "where %.60s", head);
    if (strchr(head, '['))
        return abbreviate_list(f, what, head, text, err);
    ph_status status = ph_formulas_read(f, what, text, 0, &value, err);
    if (status)
        return status;
    ph_name *name = ph_formulas_add_name(f, head, strlen(head), PH_NAME_ABBREVIATION, err);
    if (!name)
        return err ? err->status : PH_E_INVALID;
    if (!(name->value = ph_formulas_room(f, sizeof *name->value)))
        return no_memory(err);
    *name->value = value;
    return PH_OK;
}
