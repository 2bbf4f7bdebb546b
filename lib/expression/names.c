/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that lasts as long as the formulas, and the names in it. */
#include "formulas.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------- */

typedef struct ph_formula_block {
    struct ph_formula_block *before;
    size_t used, room;
    unsigned char bytes[];
} ph_formula_block;

void *ph_formulas_room(ph_formulas *f, size_t bytes)
{
    enum { BLOCK = 1 << 16 };
    const size_t rounded = (bytes + 15) & ~(size_t)15;
    if (!f->memory || f->memory->room - f->memory->used < rounded) {
        const size_t room = rounded > BLOCK ? rounded : BLOCK;
        ph_formula_block *block = calloc(1, sizeof *block + room);
        if (!block) {
            f->graph.failed = PH_E_NO_MEMORY;
            return NULL;
        }
        block->before = f->memory;
        block->room = room;
        f->memory = block;
    }
    void *place = f->memory->bytes + f->memory->used;
    f->memory->used += rounded;
    return place;
}

void ph_formulas_free(ph_formulas *f)
{
    if (!f)
        return;
    for (ph_formula_block *block = f->memory; block; block = f->memory) {
        f->memory = block->before;
        free(block);
    }
    ph_graph_release(&f->graph);
    ph_map_release(&f->rates);
    free(f->names);
    free(f->factors);
    free(f->parameters);
    free(f);
}

ph_status ph_formulas_create(ph_formulas **formulas, ph_error *err)
{
    ph_formulas *f = calloc(1, sizeof *f);
    if (!f || ph_graph_create(&f->graph)) {
        ph_formulas_free(f);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    f->work = PH_FORMULA_WORK;
    ph_map_put(&f->graph, &f->rates, ph_graph_leaf(&f->graph, PH_OP_TIME, 0), ph_graph_number(&f->graph, 1));
    *formulas = f;
    return PH_OK;
}

/* *list, of n entries of so many bytes, has room for one more? */
bool ph_formulas_grow(void **list, size_t n, size_t bytes)
{
    void *more = n % 8 ? *list : realloc(*list, (n + 8) * bytes);
    *list = more ? more : *list;
    return more != NULL;
}

/* ---- Names -------------------------------------------------------------------------------------- */

static unsigned char bucket_of(const char *name, size_t length)
{
    unsigned hash = 0;
    for (size_t i = 0; i < length; i++)
        hash = 31 * hash + (unsigned char)name[i];
    return (unsigned char)(hash ^ hash >> 8);
}

ph_name *ph_formulas_find(const ph_formulas *f, const char *name, size_t length)
{
    size_t i = length < PH_FORMULA_NAME ? f->bucket[bucket_of(name, length)] : 0;
    while (i && (memcmp(f->names[i - 1].name, name, length) != 0 || f->names[i - 1].name[length]))
        i = f->names[i - 1].next;
    return i ? &f->names[i - 1] : NULL;
}

bool ph_formula_is_name(const char *name, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (size_t i = 0; i < length; i++)
        if (!memchr(letters, name[i], sizeof letters - 1) && (i == 0 || !memchr("0123456789_", name[i], 11)))
            return false;
    return length > 0;
}

ph_name *ph_formulas_add_name(ph_formulas *f, const char *name, size_t length, ph_name_kind kind,
                              ph_error *err)
{
    static const char *const where[] = {"space", "space", "parameters", "where"};
    const int shown = (int)(length < 60 ? length : 60);
    const char *in = where[kind];
    if (!ph_formula_is_name(name, length))
        ph_fail(err, PH_E_INVALID, "%s: '%.*s' is not a name, which is a letter, then letters, digits and _",
                in, shown, name);
    else if (length >= PH_FORMULA_NAME)
        ph_fail(err, PH_E_INVALID, "%s: the name '%.*s' is longer than %d characters", in, shown, name,
                PH_FORMULA_NAME - 1);
    else if (ph_formula_reserved(name, length))
        ph_fail(err, PH_E_INVALID, "%s: '%.*s' is a word of the language and cannot be a name", in, shown,
                name);
    else if (ph_formulas_find(f, name, length))
        ph_fail(err, PH_E_INVALID, "%s: '%.*s' has a meaning already", in, shown, name);
    else if (!ph_formulas_grow((void **)&f->names, f->n_names, sizeof *f->names))
        ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else {
        ph_name *added = &f->names[f->n_names++];
        size_t *last = &f->bucket[bucket_of(name, length)];
        *added = (ph_name){.kind = kind, .n = 1, .next = *last};
        *last = f->n_names;
        memcpy(added->name, name, length);
        return added;
    }
    return NULL;
}

/* The first parameter without a unit, or NULL; *some: has another one a unit? */
static const char *find_without(const ph_formulas *f, bool *some)
{
    const char *without = NULL;
    *some = false;
    for (size_t i = 0; i < f->n_names; i++) {
        const ph_name *name = &f->names[i];
        *some = *some || (name->kind == PH_NAME_PARAMETER && !name->no_unit && !name->whole);
        without = name->no_unit && !without ? name->name : without;
    }
    return without;
}

const char *ph_formulas_unused(const ph_formulas *f)
{
    for (size_t i = 0; i < f->n_names; i++)
        if (f->names[i].kind == PH_NAME_PARAMETER && !f->names[i].used)
            return f->names[i].name;
    return NULL;
}

const char *ph_formulas_without_unit(const ph_formulas *f)
{
    bool some;
    const char *without = find_without(f, &some);
    return some ? without : NULL;
}

bool ph_formulas_have_units(const ph_formulas *f)
{
    bool some;
    return !find_without(f, &some) && some;
}
