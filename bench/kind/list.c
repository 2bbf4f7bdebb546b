/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of systems of a kind of bench. */
#include "list.h"

#include <string.h>

void list_print(FILE *out, const bench_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *name, *words;
        list->at(i, &name, &words);
        fprintf(out, "%-*s %s\n", list->width, name, words);
    }
}

json_object *list_json(builder *b, const bench_list *list)
{
    json_object *o = build_object(b), *all = build_array(b);
    for (size_t i = 0; i < list->n; i++) {
        json_object *one = build_object(b);
        const char *name, *words;
        list->at(i, &name, &words);
        build_add(b, one, "system", build_text(b, name));
        build_add(b, one, "words", build_text(b, words));
        build_append(b, all, one);
    }
    build_add(b, o, "systems", all);
    return o;
}

ph_status list_find(const bench_list *list, const char *name, size_t *i, ph_error *err)
{
    const char *names[BENCH_LIST_MOST] = {NULL}, *words;
    for (*i = 0; *i < list->n && *i < BENCH_LIST_MOST; ++*i) {
        list->at(*i, &names[*i], &words);
        if (!strcmp(name, names[*i]))
            return PH_OK;
    }
    ph_fail_unknown(err, "system", name, names, list->n);
    return PH_E_UNKNOWN;
}
