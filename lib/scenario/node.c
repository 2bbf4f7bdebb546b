/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed reading of YAML nodes: maps with known keys, lists of known length, numbers that are numbers.
 * Every failure names file, line, column and path, and states what was found and what is expected. */
#include "yaml.h"

#include <polhode/kit/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In maps with arbitrary keys duplicates are searched pair by pair, hence a limit. */
enum { MOST_KEYS = 256 };

/* ---- Messages ----------------------------------------------------------------------------------- */

/* err <- "FILE:LINE:COLUMN: PATH: TEXT"; lines and columns count from 1. */
static ph_status fail_at(const ph_node *at, ph_error *err, ph_status status, const char *text)
{
    const yaml_mark_t *mark = &at->node->start_mark;
    return ph_fail(err, status, "%s:%zu:%zu: %s%s%s", ph_yaml_name(at->file), mark->line + 1,
                   mark->column + 1, at->path, at->path[0] ? ": " : "", text);
}

ph_status ph_node_fail(const ph_node *at, ph_error *err, ph_status status, const char *format, ...)
{
    char text[sizeof err->message];
    va_list args;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 0)
        text[0] = '\0';
    va_end(args);
    return fail_at(at, err, status, text);
}

/* The message is copied first, as err is both read and written. */
ph_status ph_node_blame(const ph_node *at, ph_error *err, ph_status status)
{
    if (!err)
        return status;
    char text[sizeof err->message];
    memcpy(text, err->message, sizeof text);
    text[sizeof text - 1] = '\0';
    char *more = strchr(text, '\n'); /* the lines of a formula, which are as they should be */
    if (more)
        *more = '\0';
    fail_at(at, err, status, text);
    const size_t n = strlen(err->message);
    if (more)
        snprintf(err->message + n, sizeof err->message - n, "\n%s", more + 1);
    return status;
}

/* A description of the node for "is ...; ... is expected". */
static const char *describe_node(const ph_node *at, char *to, size_t size)
{
    char shown[48];
    if (ph_node_is_map(at))
        return "a map";
    if (ph_node_is_list(at))
        return "a list";
    if (!at->node->data.scalar.length && !ph_node_is_quoted(at))
        return "empty";
    snprintf(to, size, "\"%s\"",
             ph_text_show(shown, sizeof shown, (const char *)at->node->data.scalar.value));
    return to;
}

/* "is "5 m"; a number is expected" */
static ph_status fail_kind(const ph_node *at, const char *expected, ph_error *err)
{
    char text[64];
    return ph_node_fail(at, err, PH_E_PARSE, "is %s; %s is expected", describe_node(at, text, sizeof text),
                        expected);
}

/* ---- Kinds -------------------------------------------------------------------------------------- */

bool ph_node_is_map(const ph_node *at)
{
    return at->node && at->node->type == YAML_MAPPING_NODE;
}

bool ph_node_is_list(const ph_node *at)
{
    return at->node && at->node->type == YAML_SEQUENCE_NODE;
}

bool ph_node_is_scalar(const ph_node *at)
{
    return at->node && at->node->type == YAML_SCALAR_NODE;
}

bool ph_node_is_quoted(const ph_node *at)
{
    return ph_node_is_scalar(at) && at->node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
}

/* A node of this type without a tag: a tag like !!str would change what a value means. */
static ph_status check_kind(const ph_node *at, yaml_node_type_t type, const char *expected, ph_error *err)
{
    static const char *const tags[] = {[YAML_SCALAR_NODE] = YAML_DEFAULT_SCALAR_TAG,
                                       [YAML_SEQUENCE_NODE] = YAML_DEFAULT_SEQUENCE_TAG,
                                       [YAML_MAPPING_NODE] = YAML_DEFAULT_MAPPING_TAG};
    char shown[48];
    if (at->node->type != type)
        return fail_kind(at, expected, err);
    if (strcmp((const char *)at->node->tag, tags[type]))
        return ph_node_fail(at, err, PH_E_PARSE, "has the tag \"%s\"; tags are not used here, take it out",
                            ph_text_show(shown, sizeof shown, (const char *)at->node->tag));
    return PH_OK;
}

/* ---- Maps --------------------------------------------------------------------------------------- */

/* The entries of a map, whatever its keys; 0 of what is not one. */
static size_t count_entries(const ph_node *map)
{
    return ph_node_is_map(map)
               ? (size_t)(map->node->data.mapping.pairs.top - map->node->data.mapping.pairs.start)
               : 0;
}

/* path <- with these bytes at its end; a path that is too long is cut: line and column still identify the place. */
static void append(char path[sizeof((ph_node *)0)->path], const char *text, size_t length)
{
    const size_t used = strlen(path), room = sizeof((ph_node *)0)->path - 1 - used;
    const size_t n = length < room ? length : room;
    memcpy(path + used, text, n);
    path[used + n] = '\0';
}

/* "initial" and "q" make "initial.q". Scenarios are read by the million where they are members of an ensemble: no printf. */
static void extend_path(const ph_node *parent, const char *key, ph_node *child)
{
    char shown[48];
    memcpy(child->path, parent->path, sizeof child->path);
    append(child->path, ".", parent->path[0] != '\0');
    ph_text_show(shown, sizeof shown, key);
    append(child->path, shown, strlen(shown));
}

/* The text of the i-th key; "" of what is not a scalar. */
static const char *key_text(const ph_node *map, size_t i)
{
    const yaml_node_t *key = ph_yaml_node(map->file, map->node->data.mapping.pairs.start[i].key);
    return key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : "";
}

const char *ph_node_entry(const ph_node *map, size_t i, ph_node *key, ph_node *value)
{
    if (i >= count_entries(map)) {
        *key = *value = (ph_node){.file = map->file};
        return "";
    }
    const yaml_node_pair_t *pair = map->node->data.mapping.pairs.start + i;
    key->file = value->file = map->file;
    key->node = ph_yaml_node(map->file, pair->key);
    value->node = ph_yaml_node(map->file, pair->value);
    memcpy(key->path, map->path, sizeof key->path);
    const char *text = key_text(map, i);
    extend_path(map, text, value);
    return text;
}

/* *text <- the i-th key, which must be a word; key, value <- the nodes. */
static ph_status check_key(const ph_node *map, size_t i, const char **text, ph_node *key, ph_node *value,
                           ph_error *err)
{
    *text = ph_node_entry(map, i, key, value);
    ph_status status = ph_node_text(key, "a word as a key", text, err);
    if (!status) /* from here on messages have the path of the key */
        memcpy(key->path, value->path, sizeof key->path);
    return status;
}

static ph_status fail_duplicate(const ph_node *key, const ph_node *first, ph_error *err)
{
    return ph_node_fail(key, err, PH_E_PARSE, "is given twice, first in line %zu; give it once",
                        first->node->start_mark.line + 1);
}

/* YAML allows a key twice, and libyaml keeps both: the second would be ignored without a word. */
ph_status ph_node_map(const ph_node *at, const char *expected, size_t *n, ph_error *err)
{
    const char *a, *b;
    ph_node key, value, other, unused;
    ph_status status = check_kind(at, YAML_MAPPING_NODE, expected, err);
    if (status)
        return status;
    *n = count_entries(at);
    if (*n > MOST_KEYS)
        return ph_node_fail(at, err, PH_E_SIZE, "has %zu keys; at most %d are allowed", *n, MOST_KEYS);
    for (size_t i = 0; i < *n && !status; i++) {
        status = check_key(at, i, &a, &key, &value, err);
        for (size_t j = 0; j < i && !status; j++) {
            b = ph_node_entry(at, j, &other, &unused);
            if (!strcmp(a, b))
                status = fail_duplicate(&key, &other, err);
        }
    }
    return status;
}

ph_node ph_node_find(const ph_node *map, const char *name)
{
    ph_node key, value;
    for (size_t i = 0; i < count_entries(map); i++)
        if (!strcmp(key_text(map, i), name)) {
            ph_node_entry(map, i, &key, &value);
            return value;
        }
    return (ph_node){.file = map->file};
}

/* The position of the word among the keys, or n_keys. */
static size_t find_position(const char *word, const ph_scenario_map *map)
{
    size_t i = 0;
    while (i < map->n_keys && strcmp(word, map->keys[i].name))
        i++;
    return i;
}

/* PH_E_UNKNOWN, with a suggestion. */
static ph_status fail_unknown_key(const ph_node *key, const char *text, const ph_scenario_map *map,
                                  ph_error *err)
{
    enum { MOST = 64 };
    const char *names[MOST];
    char shown[64];
    size_t n = 0;
    for (; n < map->n_keys && n < MOST; n++)
        names[n] = map->keys[n].name;
    ph_fail_unknown(err, "key", ph_text_show(shown, sizeof shown, text), names, n);
    return ph_node_blame(key, err, PH_E_UNKNOWN);
}

ph_status ph_node_keys(const ph_node *at, const char *expected, const ph_scenario_map *map, ph_node *values,
                       ph_error *err)
{
    const char *text;
    ph_node key, value, first, unused;
    ph_status status = check_kind(at, YAML_MAPPING_NODE, expected, err);
    for (size_t k = 0; k < map->n_keys; k++)
        values[k] = (ph_node){.file = at->file};
    for (size_t i = 0; !status && i < count_entries(at); i++) {
        if ((status = check_key(at, i, &text, &key, &value, err)))
            break;
        const size_t k = find_position(text, map);
        if (k == map->n_keys)
            return fail_unknown_key(&key, text, map, err);
        if (values[k].node) { /* find the first one again, for its line */
            size_t j = 0;
            while (strcmp(ph_node_entry(at, j, &first, &unused), text))
                j++;
            return fail_duplicate(&key, &first, err);
        }
        values[k] = value;
    }
    return status;
}

/* ---- Lists -------------------------------------------------------------------------------------- */

/* The entries of a list; 0 of what is not one. */
static size_t count_items(const ph_node *list)
{
    return ph_node_is_list(list)
               ? (size_t)(list->node->data.sequence.items.top - list->node->data.sequence.items.start)
               : 0;
}

ph_status ph_node_list(const ph_node *at, const char *expected, size_t *n, ph_error *err)
{
    ph_status status = check_kind(at, YAML_SEQUENCE_NODE, expected, err);
    if (!status)
        *n = count_items(at);
    return status;
}

ph_node ph_node_item(const ph_node *list, size_t i)
{
    ph_node item = {.file = list->file};
    if (i >= count_items(list))
        return item;
    item.node = ph_yaml_node(list->file, list->node->data.sequence.items.start[i]);
    char digits[24], *first = digits + sizeof digits;
    size_t rest = i;
    *--first = ']';
    do
        *--first = (char)('0' + rest % 10);
    while ((rest /= 10));
    *--first = '[';
    memcpy(item.path, list->path, sizeof item.path);
    append(item.path, first, (size_t)(digits + sizeof digits - first));
    return item;
}

ph_status ph_node_numbers(const ph_node *at, const char *expected, double *values, size_t n, ph_error *err)
{
    size_t there = 0;
    ph_status status = ph_node_list(at, expected, &there, err);
    if (status)
        return status;
    if (there != n)
        return ph_node_fail(at, err, PH_E_SIZE, "has %zu number%s; %s is expected", there,
                            there == 1 ? "" : "s", expected);
    ph_node item = {.file = at->file};
    for (size_t i = 0; i < n && !status; i++) {
        item.node = ph_yaml_node(at->file, at->node->data.sequence.items.start[i]);
        status = ph_node_number(&item, "a number", &values[i], NULL);
        if (status) { /* the path of the item is needed for the message only */
            item = ph_node_item(at, i);
            status = ph_node_number(&item, "a number", &values[i], err);
        }
    }
    return status;
}

/* ---- Scalars ------------------------------------------------------------------------------------ */

ph_status ph_node_text(const ph_node *at, const char *expected, const char **text, ph_error *err)
{
    ph_status status = check_kind(at, YAML_SCALAR_NODE, expected, err);
    if (status)
        return status;
    const char *s = (const char *)at->node->data.scalar.value;
    if (strlen(s) != at->node->data.scalar.length)
        return ph_node_fail(at, err, PH_E_PARSE, "contains a zero character; %s is expected", expected);
    if (!*s)
        return ph_node_fail(at, err, PH_E_PARSE, "is empty; %s is expected", expected);
    *text = s;
    return PH_OK;
}

/* The text of a scalar that is to be a number or a truth value, which quotes would make a text. */
static ph_status read_plain(const ph_node *at, const char *expected, const char **text, ph_error *err)
{
    char shown[64];
    ph_status status = ph_node_text(at, expected, text, err);
    if (!status && ph_node_is_quoted(at))
        status = ph_node_fail(at, err, PH_E_PARSE, "is a text, %s in quotes; %s without quotes is expected",
                              describe_node(at, shown, sizeof shown), expected);
    return status;
}

/* Why a text is not a number, where that is not seen at once: "" or "; ...", static. */
static const char *explain_number(const char *text)
{
    double value;
    char number[32];
    const size_t n = strspn(text, "+-0123456789.eE");
    snprintf(number, sizeof number, "%.*s", (int)(n < sizeof number ? n : 0), text);
    if (strstr(text, "\xe2\x88\x92"))
        return ": it has the character U+2212 for a minus sign; write -";
    if (strchr(text, ',') || strstr(text, "\xd9\xab"))
        return ": a decimal point is expected, not a comma";
    if (strpbrk(text, "*/^()") || !strncmp(text, "pi", 2) || strstr(text, "\xcf\x80"))
        return ": formulas are not understood; write their value, as 6.283185307179586 for 2*pi";
    if (n && n < strlen(text) && !ph_parse_number(number, &value))
        return ": something stands behind the number; units are not written";
    return "";
}

/* By ph_parse_number, not by libyaml: "1e3" is a number, and "0x10" or "1_000" is none. */
ph_status ph_node_number(const ph_node *at, const char *expected, double *value, ph_error *err)
{
    const char *text = "";
    char shown[64];
    ph_status status = read_plain(at, expected, &text, err);
    if (status)
        return status;
    status = ph_parse_number(text, value);
    if (status == PH_E_NOT_FINITE)
        return ph_node_fail(at, err, status, "is %s, which is not a finite double; %s is expected",
                            describe_node(at, shown, sizeof shown), expected);
    if (status)
        return ph_node_fail(at, err, PH_E_PARSE, "is %s, which is not a number%s; %s is expected",
                            describe_node(at, shown, sizeof shown), explain_number(text), expected);
    return PH_OK;
}

ph_status ph_node_count(const ph_node *at, const char *expected, int64_t *value, ph_error *err)
{
    const char *text = "";
    char shown[64];
    ph_status status = read_plain(at, expected, &text, err);
    if (status)
        return status;
    status = ph_parse_count(text, value);
    if (status == PH_E_RANGE)
        return ph_node_fail(at, err, status, "is %s, which is too large; %s is expected",
                            describe_node(at, shown, sizeof shown), expected);
    if (status)
        return ph_node_fail(at, err, PH_E_PARSE, "is %s, which is not a whole number; %s is expected",
                            describe_node(at, shown, sizeof shown), expected);
    return PH_OK;
}

/* The two words alone: "yes" and "on", which older YAML takes for true, are errors. */
ph_status ph_node_bool(const ph_node *at, bool *value, ph_error *err)
{
    const char *text = "";
    ph_status status = read_plain(at, "true or false", &text, err);
    if (status)
        return status;
    if (strcmp(text, "true") && strcmp(text, "false"))
        return fail_kind(at, "true or false", err);
    *value = !strcmp(text, "true");
    return PH_OK;
}
