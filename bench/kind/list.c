/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of systems of a kind of bench. */
#include "list.h"

#include <string.h>

/* The name of system i, and behind it its words. */
static const char *const *texts_of(const bench_list *list, size_t i)
{
    return (const void *)((const char *)list->first + i * list->stride);
}

void list_print(FILE *out, const bench_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        fprintf(out, "%-*s %s\n", list->width, texts_of(list, i)[0], texts_of(list, i)[1]);
}

json_object *list_json(builder *b, const bench_list *list)
{
    json_object *o = build_object(b), *all = build_array(b);
    for (size_t i = 0; i < list->n; i++) {
        json_object *one = build_object(b);
        build_add(b, one, "system", build_text(b, texts_of(list, i)[0]));
        build_add(b, one, "words", build_text(b, texts_of(list, i)[1]));
        build_append(b, all, one);
    }
    build_add(b, o, "systems", all);
    return o;
}

ph_status list_find(const bench_list *list, const char *name, size_t *i, ph_error *err)
{
    const char *names[BENCH_LIST_MOST] = {NULL};
    for (*i = 0; *i < list->n && *i < BENCH_LIST_MOST; ++*i) {
        names[*i] = texts_of(list, *i)[0];
        if (!strcmp(name, names[*i]))
            return PH_OK;
    }
    ph_fail_unknown(err, "system", name, names, list->n);
    return PH_E_UNKNOWN;
}
