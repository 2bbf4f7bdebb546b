/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists with a number for each link or body, and how many of these there are: see model.h. */
#include "model.h"

/* One number stands for all; in a list, for the only one. */
static ph_status check_list(const ph_parameter_value *v, const ph_numbering *rule, size_t n, ph_error *err)
{
    const size_t length = ph_parameter_length(v);
    if (length > rule->most)
        return ph_fail(err, PH_E_SIZE, "%s has %zu numbers; this model has at most %zu %s", v->name, length,
                       rule->most, rule->what);
    if (v->n == 1 || length == n)
        return PH_OK;
    if (length == 1)
        return ph_fail(
            err, PH_E_SIZE,
            "%s is a list of 1 number, but there are %zu %s; give %zu numbers, or the number without brackets for all",
            v->name, n, rule->what, n);
    return ph_fail(err, PH_E_SIZE,
                   "%s has %zu numbers, but there are %zu %s; give %zu numbers, or one for all", v->name,
                   length, n, rule->what, n);
}

ph_status ph_parameter_check_lists(const ph_model_table *table, const ph_numbering *rule, size_t n,
                                   ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < rule->n_lists && !status; i++)
        status = check_list(&table->row[rule->lists[i]], rule, n, err);
    return status;
}

ph_status ph_parameter_number(const ph_model_table *table, const ph_numbering *rule, size_t *n, ph_error *err)
{
    const bool fixed = rule->count == PH_NO_INDEX;
    *n = fixed ? rule->otherwise : ph_count(table, rule->count);
    for (size_t i = 0; !*n && i < rule->n_lists; i++)
        if (table->row[rule->lists[i]].n > 1)
            *n = ph_parameter_length(&table->row[rule->lists[i]]);
    if (!*n)
        *n = rule->otherwise;
    return ph_parameter_check_lists(table, rule, *n, err);
}

ph_status ph_model_create(const ph_factor *factors, size_t n, const void *own, size_t size,
                          ph_part_list *parts, ph_system_definition *definition, ph_system **system,
                          ph_error *err)
{
    ph_space *space = NULL;
    void *copy = malloc(size);
    ph_status status = !copy ? ph_fail(err, PH_E_NO_MEMORY, "out of memory")
                       : n   ? ph_space_create(factors, n, &space, err)
                             : PH_OK;
    if (status) {
        free(copy);
        free(parts ? parts->at : NULL);
        return status;
    }
    memcpy(copy, own, size);
    definition->space = space;
    definition->user = copy;
    definition->user_free = free;
    status =
        parts ? ph_part_create(parts, definition, system, err) : ph_system_create(definition, system, err);
    ph_space_free(space);
    return status;
}
