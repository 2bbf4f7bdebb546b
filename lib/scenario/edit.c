/* SPDX-License-Identifier: BSD-3-Clause */
/* One value of a scenario's text is replaced, added or removed; all other bytes stay. The place is found by the marks
 * that libyaml gives the nodes of the document. */
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Depth of keys and indices. */
enum { DEEPEST = 16 };

/* A text that is being edited, and what replaces its bytes from `from` to `to`. */
typedef struct edit {
    const char *text;
    size_t length, from, to;
    char *insert; /* malloc, or NULL without memory */
} edit;

/* ---- Places ---------------------------------------------------------------------------------------- */

/* The byte of a mark, which counts characters behind a byte order mark. */
static size_t byte_of(const edit *e, size_t characters)
{
    size_t i = e->length >= 3 && !memcmp(e->text, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (characters && i < e->length) {
        i++;
        while (i < e->length && ((unsigned char)e->text[i] & 0xc0) == 0x80)
            i++;
        characters--;
    }
    return i;
}

static size_t start_of(const edit *e, const yaml_node_t *node)
{
    return byte_of(e, node->start_mark.index);
}

static bool is_block(const yaml_node_t *node)
{
    return (node->type == YAML_MAPPING_NODE && node->data.mapping.style == YAML_BLOCK_MAPPING_STYLE) ||
           (node->type == YAML_SEQUENCE_NODE && node->data.sequence.style == YAML_BLOCK_SEQUENCE_STYLE);
}

/* The last node in a map or list; NULL where it is empty. */
static yaml_node_t *last_of(ph_yaml *file, const yaml_node_t *node)
{
    if (node->type == YAML_MAPPING_NODE)
        return node->data.mapping.pairs.top == node->data.mapping.pairs.start
                   ? NULL
                   : ph_yaml_node(file, node->data.mapping.pairs.top[-1].value);
    return node->data.sequence.items.top == node->data.sequence.items.start
               ? NULL
               : ph_yaml_node(file, node->data.sequence.items.top[-1]);
}

/* Behind its last character. The end mark of a block is where the next token begins, so its last leaf is taken. */
static size_t end_of(const edit *e, ph_yaml *file, const yaml_node_t *node)
{
    for (const yaml_node_t *last; is_block(node) && (last = last_of(file, node));)
        node = last;
    size_t end = byte_of(e, node->end_mark.index);
    while (node->type == YAML_SCALAR_NODE && end > start_of(e, node) && strchr(" \n\r", e->text[end - 1]))
        end--;
    return end;
}

static size_t end_of_line(const edit *e, size_t at)
{
    while (at < e->length && e->text[at] != '\n')
        at++;
    return at;
}

/* The pair with this key in a map, or NULL. */
static const yaml_node_pair_t *find_pair(ph_yaml *file, const yaml_node_t *map, const char *key)
{
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
        const yaml_node_t *name = ph_yaml_node(file, p->key);
        if (name->type == YAML_SCALAR_NODE && !strcmp((const char *)name->data.scalar.value, key))
            return p;
    }
    return NULL;
}

/* Is the step of a key an index, "[2" of "q[2]"? */
static bool is_index(const char *key)
{
    return *key == '[';
}

/* The entry of a list, or NULL. */
static const yaml_node_t *find_item(ph_yaml *file, const yaml_node_t *list, const char *key)
{
    const size_t n = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    const size_t i = strtoul(key + 1, NULL, 10);
    return i < n ? ph_yaml_node(file, list->data.sequence.items.start[i]) : NULL;
}

/* ---- What is written there --------------------------------------------------------------------------- */

/* insert <- before, the keys from i on inside each other with the value in them, after. */
static void compose(edit *e, const char *before, char *const *keys, size_t n, const char *value,
                    const char *after)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fputs(before, out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s: ", i ? "{" : "", keys[i]);
    fputs(value, out);
    for (size_t i = 1; i < n; i++)
        fputc('}', out);
    fputs(after, out);
    if (fclose(out))
        free(text);
    else
        e->insert = text;
}

/* A further pair at the end of a map. */
static void add_pair(edit *e, ph_yaml *file, const yaml_node_t *map, char *const *keys, size_t n,
                     const char *value)
{
    const yaml_node_pair_t *first = map->data.mapping.pairs.start;
    const bool empty = first == map->data.mapping.pairs.top;
    if (is_block(map)) {
        char before[80];
        const size_t column = ph_yaml_node(file, first->key)->start_mark.column;
        snprintf(before, sizeof before, "\n%*s", (int)(column < 64 ? column : 64), "");
        e->from = e->to = end_of_line(e, end_of(e, file, map));
        compose(e, before, keys, n, value, e->to < e->length ? "" : "\n");
        return;
    }
    /* behind the last value, or behind the brace of an empty map */
    e->from = e->to = empty ? start_of(e, map) + 1 : end_of(e, file, last_of(file, map));
    compose(e, empty ? "" : ", ", keys, n, value, "");
}

/* The pair without its line, or without its comma. */
static void remove_pair(edit *e, ph_yaml *file, const yaml_node_t *map, const yaml_node_pair_t *pair)
{
    const yaml_node_pair_t *first = map->data.mapping.pairs.start, *top = map->data.mapping.pairs.top;
    e->from = start_of(e, ph_yaml_node(file, pair->key));
    e->to = end_of(e, file, ph_yaml_node(file, pair->value));
    if (is_block(map)) {
        e->to = end_of_line(e, e->to);
        e->to += e->to < e->length;
        while (e->from && strchr(" ", e->text[e->from - 1]))
            e->from--;
    } else if (pair + 1 < top) {
        e->to = start_of(e, ph_yaml_node(file, pair[1].key));
    } else if (pair > first) {
        e->from = end_of(e, file, ph_yaml_node(file, pair[-1].value));
    }
    e->insert = calloc(1, 1);
}

/* ---- The edit ---------------------------------------------------------------------------------------- */

/* The key that a scalar there stands for, where a map may stand, too: `method: rk4` is `method: {name: rk4}`; or NULL. */
static const char *key_of_scalar(const char *key)
{
    return !strcmp(key, "method") ? "name" : !strcmp(key, "accuracy") ? "value" : NULL;
}

/* Finds the place of keys (n), and what is to be there. */
static ph_status plan_edit(edit *e, ph_yaml *file, char *const *keys, size_t n, const char *value,
                           ph_error *err)
{
    const yaml_node_t *map = ph_yaml_root(file).node;
    if (map->type != YAML_MAPPING_NODE)
        return ph_fail(err, PH_E_INVALID, "the scenario is no map of keys and values");
    for (size_t i = 0; i < n; i++) {
        const bool item = is_index(keys[i]);
        const yaml_node_pair_t *pair = item ? NULL : find_pair(file, map, keys[i]);
        const yaml_node_t *node = item   ? find_item(file, map, keys[i])
                                  : pair ? ph_yaml_node(file, pair->value)
                                         : NULL;
        if (item && (!node || !value))
            return ph_fail(err, PH_E_INVALID,
                           node ? "\"[%.60s]\" is an entry of a list, which cannot be taken out"
                                : "\"[%.60s]\" is not an entry of the list there; they count from 0",
                           keys[i] + 1);
        if (!value && (!pair || i + 1 == n)) {
            e->from = e->to = 0; /* nothing, where there is nothing to remove */
            if (pair)
                remove_pair(e, file, map, pair);
            else
                e->insert = calloc(1, 1);
            return PH_OK;
        }
        for (size_t k = i + 1; k < n && !node; k++)
            if (is_index(keys[k]))
                return ph_fail(err, PH_E_INVALID,
                               "\"%.60s\" has no list there, of which an entry could be set", keys[k - 1]);
        if (!node) {
            add_pair(e, file, map, keys + i, n - i, value);
            return PH_OK;
        }
        e->from = start_of(e, node);
        e->to = end_of(e, file, node);
        if (i + 1 == n) {
            /* a block begins on a line of its own: the value follows its key instead */
            if (is_block(node) && pair)
                e->from = byte_of(e, ph_yaml_node(file, pair->key)->end_mark.index);
            compose(e, is_block(node) && pair ? ": " : e->from == e->to ? " " : "", NULL, 0, value, "");
            return PH_OK;
        }
        const char *own = node->type == YAML_SCALAR_NODE && !i ? key_of_scalar(keys[0]) : NULL;
        if (own && !value) { /* a scalar has nothing to remove but itself */
            e->from = e->to = 0;
            if (!strcmp(own, keys[1]) && n == 2)
                remove_pair(e, file, map, pair);
            else
                e->insert = calloc(1, 1);
            return PH_OK;
        }
        if (own && !strcmp(own, keys[1]) && n == 2 && value) {
            compose(e, "", NULL, 0, value, "");
            return PH_OK;
        }
        if (own) {
            char before[200];
            snprintf(before, sizeof before, "{%s: %.150s, ", own, (const char *)node->data.scalar.value);
            compose(e, before, keys + 1, n - 1, value, "}");
            return PH_OK;
        }
        if (node->type != (is_index(keys[i + 1]) ? YAML_SEQUENCE_NODE : YAML_MAPPING_NODE))
            return ph_fail(err, PH_E_INVALID, "\"%.60s\" is not a %s there: it has no \"%.60s\"",
                           keys[i] + item, is_index(keys[i + 1]) ? "list" : "map",
                           keys[i + 1] + is_index(keys[i + 1]));
        map = node;
    }
    return PH_OK;
}

/* The whole text with the edit in it, or NULL. */
static char *apply(const edit *e)
{
    const size_t n = e->insert ? strlen(e->insert) : 0, rest = e->length - e->to;
    char *whole = e->insert ? malloc(e->from + n + rest + 1) : NULL;
    if (whole) {
        memcpy(whole, e->text, e->from);
        memcpy(whole + e->from, e->insert, n);
        memcpy(whole + e->from + n, e->text + e->to, rest);
        whole[e->from + n + rest] = '\0';
    }
    return whole;
}

/* A value must be one node, on one line, that also can stand in braces. */
static ph_status check_value(const char *value, ph_error *err)
{
    ph_yaml *file = NULL;
    const size_t n = strlen(value), size = n + 8;
    if (strspn(value, " ") == n || strpbrk(value, "\n\r"))
        return ph_fail(err, PH_E_PARSE, "the value is %s; a value in YAML is expected, on one line",
                       strpbrk(value, "\n\r") ? "on several lines" : "empty");
    char *text = malloc(size);
    if (!text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    snprintf(text, size, "{v: %s}", value);
    ph_status status = ph_yaml_parse(text, n + 5, ph_yaml_longest, "value", &file, err);
    const yaml_node_t *root = status ? NULL : ph_yaml_root(file).node;
    const edit all = {.text = text, .length = n + 5};
    const bool one = root && root->type == YAML_MAPPING_NODE &&
                     root->data.mapping.pairs.top - root->data.mapping.pairs.start == 1 &&
                     byte_of(&all, root->end_mark.index) == all.length;
    if (status != PH_E_NO_MEMORY && !one)
        status = ph_fail(err, PH_E_PARSE,
                         "\"%.100s\" is not one value in YAML, as 0.01, [1, 2] or {every: 10}", value);
    ph_yaml_free(file);
    free(text);
    return status;
}

/* keys <- the words of the key, and its indices as "[2", in words (2 strlen(key) + 1); how many, or 0 where it is not one. */
static size_t split(const char *key, char *words, char *keys[DEEPEST])
{
    size_t n = 0;
    while (*key || !n) {
        const bool item = n && is_index(key);
        key += n && *key == '.';
        const size_t length = item ? 1 + strspn(key + 1, "0123456789") : strcspn(key, ".[");
        if (n == DEEPEST || length < 1 + (size_t)item || (item && key[length] != ']'))
            return 0;
        keys[n++] = memcpy(words, key, length);
        words[length] = '\0';
        if (!item && strpbrk(words, " \t\n\r:{}],#&*!|>'\"%@`"))
            return 0;
        words += length + 1;
        key += length + item;
        if (*key && *key != '.' && !is_index(key))
            return 0;
    }
    return n;
}

ph_status ph_scenario_edit(const char *text, size_t length, const char *key, const char *value, char **edited,
                           ph_error *err)
{
    char *keys[DEEPEST], *words = malloc(2 * strlen(key) + 1);
    ph_yaml *file = NULL, *again = NULL;
    edit e = {.text = text, .length = length};
    const size_t n = words ? split(key, words, keys) : 0;
    ph_status status = PH_OK;
    if (!words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!n)
        status = ph_fail(err, PH_E_INVALID, "\"%.100s\" is not a key, as step or method.order", key);
    if (!status && value)
        status = check_value(value, err);
    if (!status)
        status = ph_yaml_parse(text, length, ph_yaml_longest, "scenario", &file, err);
    if (!status)
        status = plan_edit(&e, file, keys, n, value, err);
    char *whole = status ? NULL : apply(&e);
    if (!status && !whole)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status && (status = ph_yaml_parse(whole, strlen(whole), ph_yaml_longest, "scenario", &again, err)))
        free(whole);
    if (!status)
        *edited = whole;
    ph_yaml_free(again);
    ph_yaml_free(file);
    free(e.insert);
    free(words);
    return status;
}
