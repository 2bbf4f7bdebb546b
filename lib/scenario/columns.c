/* SPDX-License-Identifier: BSD-3-Clause */
/* output.columns: a list of words as ph_columns has them, as in [q1, energy_error]. */
#include "parts.h"

#include <polhode/columns.h>

#include <stdlib.h>
#include <string.h>

/* The words are compared pair by pair, hence a limit; more columns can be named by groups. */
enum { MOST_WORDS = 4096 };

/* The words (n) are not a valid choice: puts the position of the first invalid word before the message. */
static ph_status blame_word(const ph_scenario *s, const ph_node *at, size_t n, ph_error *err,
                            ph_status status)
{
    size_t right = 0, wrong = n; /* bisection: the first `right` words are valid, the first `wrong` are not */
    while (wrong - right > 1) {
        const size_t some = right + (wrong - right) / 2;
        ph_columns *columns;
        if (ph_columns_create(s->system, (const char *const *)s->columns, some, &columns, NULL)) {
            wrong = some;
        } else {
            ph_columns_free(columns);
            right = some;
        }
    }
    const ph_node item = ph_node_item(at, wrong - 1);
    return ph_node_blame(&item, err, status);
}

/* Appends a copy of the word. */
static ph_status read_word(ph_scenario *s, const ph_node *at, ph_error *err)
{
    const char *text;
    ph_status status = ph_node_text(at, "the name of a column", &text, err);
    if (status)
        return status;
    s->columns[s->n_columns] = strdup(text);
    if (!s->columns[s->n_columns])
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->n_columns++;
    return PH_OK;
}

/* ph_columns_create judges the words; the choice itself is made again by the session. */
ph_status ph_read_columns(ph_scenario *s, const ph_node *at, ph_error *err)
{
    size_t n = 0;
    ph_columns *columns = NULL;
    if (!at->node)
        return PH_OK;
    ph_status status = ph_node_list(at, "a list of columns, as in [q1, energy_error],", &n, err);
    if (status)
        return status;
    if (!n)
        return ph_node_fail(at, err, PH_E_SIZE, "names no column; without this key there are all");
    if (n > MOST_WORDS)
        return ph_node_fail(
            at, err, PH_E_SIZE,
            "has %zu words; at most %d are allowed, of which one may name many, as configuration", n,
            MOST_WORDS);
    s->columns = calloc(n, sizeof *s->columns);
    if (!s->columns)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node item = ph_node_item(at, i);
        status = read_word(s, &item, err);
    }
    if (status)
        return status;
    status = ph_columns_create(s->system, (const char *const *)s->columns, n, &columns, err);
    ph_columns_free(columns);
    return status && status != PH_E_NO_MEMORY ? blame_word(s, at, n, err, status) : status;
}
