/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of the values of keys: see ensemble-split.h. */
#include "ensemble-split.h"

#include "figures/utf8.h"

#include <math.h>
#include <string.h>

const ensemble_column *ensemble_widest(const ensemble *e, const ensemble_column *but)
{
    const ensemble_column *best = NULL;
    for (int words = 0; words < 2 && !best; words++)
        for (size_t k = 0; k < e->n_keys; k++)
            if (&e->keys[k] != but && e->keys[k].words == words && (!best || e->keys[k].n > best->n))
                best = &e->keys[k];
    return best;
}

bool ensemble_is_product(const ensemble *e)
{
    double n = 1;
    for (size_t k = 0; k < e->n_keys; k++)
        n *= e->keys[k].n > ENSEMBLE_VALUES && e->n_keys > 1 ? INFINITY : (double)e->keys[k].n;
    return !e->more_keys && n <= 1.01 * (double)e->info.swept.members;
}

bool ensemble_is_path(const ensemble *e)
{
    const ensemble_column *x = ensemble_widest(e, NULL);
    return x && x->rises;
}

static double count_values(const ensemble *e, const ensemble_column *x)
{
    return x >= e->keys && x < e->keys + e->n_keys ? (double)x->n : 1;
}

void split_find(split *s, const ensemble *e, const ensemble_column *x, const ensemble_column *y, size_t most)
{
    const double places = count_values(e, x) * count_values(e, y);
    const bool path = ensemble_is_path(e);
    *s = (split){.count = 1};
    for (int words = 1; words >= 0; words--)
        for (size_t k = 0; k < e->n_keys; k++) {
            const ensemble_column *key = &e->keys[k];
            if (key->words != words || key == x || key == y || s->count * key->n > most)
                continue;
            if (path && !words && places * (double)(s->count * key->n) > 1.01 * (double)e->info.swept.members)
                continue; /* it follows another, and each member would be alone */
            s->count *= key->n;
            s->keys[s->n++] = key;
        }
}

size_t split_of(const split *s, const ensemble *e, size_t i)
{
    size_t at = 0;
    for (size_t k = 0; k < s->n; k++) {
        const double x = ensemble_value(e, s->keys[k], i);
        size_t v = 0;
        while (v < s->keys[k]->n && s->keys[k]->values[v] != x)
            v++;
        if (v == s->keys[k]->n)
            return s->count;
        at = at * s->keys[k]->n + v;
    }
    return at;
}

double split_value(const split *s, size_t k, size_t combination)
{
    for (size_t j = s->n; --j > k;)
        combination /= s->keys[j]->n;
    return s->keys[k]->values[combination % s->keys[k]->n];
}

void split_words(const split *s, const ensemble *e, size_t combination, char *text, size_t size)
{
    *text = '\0';
    for (size_t k = 0; k < s->n; k++) {
        char one[160];
        const char *name = s->keys[k]->name, *last = strrchr(name, '.');
        ensemble_words(e, s->keys[k], split_value(s, k, combination), one, sizeof one);
        text_add(text, size, "%s%s", k ? ", " : "", one + (last && last - name < 40 ? last + 1 - name : 0));
    }
}

void split_say(const split *s, const ensemble *e, const ensemble_column *x, const ensemble_column *y,
               picture *p)
{
    char list[300] = "";
    for (size_t k = 0; k < e->n_keys; k++) {
        bool shown = &e->keys[k] == x || &e->keys[k] == y;
        for (size_t j = 0; j < s->n; j++)
            shown = shown || &e->keys[k] == s->keys[j];
        if (!shown)
            text_add(list, sizeof list, "%s%.60s", *list ? ", " : "", e->keys[k].name);
    }
    if (e->more_keys)
        text_add(list, sizeof list, "%s%zu more", *list ? ", " : "", e->more_keys);
    if (*list)
        picture_say(p, "Members with all values of %s together.", list);
}

void ensemble_axis(const ensemble *e, const ensemble_column *c, char *label, size_t size)
{
    char all[100] = "", sized[TABLE_NAME];
    snprintf(sized, sizeof sized, "|%.80s|", c->name);
    picture_axis(label, size, c->error ? sized : c->name, c->unit);
    for (size_t i = 0; c->words && i < c->n && i < ENSEMBLE_CELLS; i++) {
        const char *word = ensemble_word(e, c, c->values[i]);
        text_add(all, sizeof all, "%s%g %.20s", i ? ", " : " (", c->values[i], word ? word : "");
    }
    if (*all)
        text_add(label, size, "%s)", all);
}
