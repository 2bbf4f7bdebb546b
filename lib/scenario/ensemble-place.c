/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the keys of an ensemble are in the parsed scenario, and how their values get there. A value that the ensemble lists is
 * a node of the document already: the entry of the map or list is pointed at it. Numbers that are computed get nodes of their
 * own, whose text is written again for each member. Where the scenario has a number with something behind it (0.4 kg, 30 deg),
 * or numbers in a text ("[0.1, 0.2] kg"), the numbers in that text are replaced. */
#include "ensemble.h"

#include "lib/archive/file.h"

#include <polhode/kit/text.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for the text of any double, with 17 digits. */
enum { NUMBER_ROOM = 32 };

/* ---- Nodes that are added --------------------------------------------------------------------------------- */

/* What is added has the position of the key in the ensemble, for messages. */
static int settle_node(ph_ensemble_text *e, const ph_varied *v, int node)
{
    if (node) {
        yaml_node_t *to = ph_yaml_node(e->file, node), *key = ph_yaml_node(e->file, v->key);
        to->start_mark = key->start_mark;
        to->end_mark = key->end_mark;
    }
    return node;
}

static int add_text(ph_ensemble_text *e, const ph_varied *v, const char *text, size_t length)
{
    return settle_node(e, v,
                       yaml_document_add_scalar(ph_yaml_document(e->file), NULL, (const yaml_char_t *)text,
                                                (int)length, YAML_PLAIN_SCALAR_STYLE));
}

/* Room for a number, whose text is not one yet. */
static int add_number(ph_ensemble_text *e, const ph_varied *v)
{
    static const char room[NUMBER_ROOM] = "";
    return add_text(e, v, room, sizeof room);
}

static int add_map(ph_ensemble_text *e, const ph_varied *v)
{
    return settle_node(e, v,
                       yaml_document_add_mapping(ph_yaml_document(e->file), NULL, YAML_FLOW_MAPPING_STYLE));
}

static bool add_pair(ph_ensemble_text *e, int map, int key, int value)
{
    return key && value && yaml_document_append_mapping_pair(ph_yaml_document(e->file), map, key, value);
}

/* A number, or a list of them. */
static int add_scratch(ph_ensemble_text *e, const ph_varied *v)
{
    if (v->columns == 1 && !v->list)
        return add_number(e, v);
    yaml_document_t *document = ph_yaml_document(e->file);
    const int list = settle_node(e, v, yaml_document_add_sequence(document, NULL, YAML_FLOW_SEQUENCE_STYLE));
    for (size_t i = 0; i < v->columns && list; i++) {
        const int number = add_number(e, v);
        if (!number || !yaml_document_append_sequence_item(document, list, number))
            return 0;
    }
    return list;
}

/* ---- Paths ------------------------------------------------------------------------------------------------ */

static int *slot(const ph_ensemble_text *e, int parent, size_t entry)
{
    yaml_node_t *node = ph_yaml_node(e->file, parent);
    return node->type == YAML_MAPPING_NODE ? &node->data.mapping.pairs.start[entry].value
                                           : &node->data.sequence.items.start[entry];
}

static size_t entries(const ph_ensemble_text *e, int node)
{
    const yaml_node_t *n = ph_yaml_node(e->file, node);
    return n->type == YAML_MAPPING_NODE ? (size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start)
           : n->type == YAML_SEQUENCE_NODE
               ? (size_t)(n->data.sequence.items.top - n->data.sequence.items.start)
               : 0;
}

/* The entry of a map with this key, or their number. */
static size_t find_key(const ph_ensemble_text *e, int map, const char *key, size_t length)
{
    const size_t n = entries(e, map);
    for (size_t i = 0; i < n; i++) {
        const yaml_node_t *name =
            ph_yaml_node(e->file, ph_yaml_node(e->file, map)->data.mapping.pairs.start[i].key);
        if (name->type == YAML_SCALAR_NODE && name->data.scalar.length == length &&
            !memcmp(name->data.scalar.value, key, length))
            return i;
    }
    return n;
}

/* A step of a path: a word, or an index in brackets. false: it is neither. */
static bool take_step(const char **at, const char **word, size_t *length, size_t *index)
{
    *word = NULL;
    if (**at == '[') {
        char *end;
        if (!isdigit((unsigned char)(*at)[1]))
            return false;
        *index = strtoul(*at + 1, &end, 10);
        *at = end + 1;
        return *end == ']' && (!**at || **at == '.' || **at == '[');
    }
    *at += **at == '.';
    *word = *at;
    *length = strcspn(*at, ".[");
    *at += *length;
    return *length > 0;
}

static ph_status fail_path(const ph_ensemble_text *e, const ph_varied *v, const char *end, const char *why,
                           ph_error *err)
{
    const ph_node key = ph_varied_key(e, v);
    return ph_node_fail(&key, err, PH_E_UNKNOWN, "\"%.*s\" does not exist: %s", (int)(end - v->path), v->path,
                        why);
}

/* A word that may be a map with that name becomes one: method: rk4 is method: {name: rk4}. */
static ph_status widen_scalar(ph_ensemble_text *e, const ph_varied *v, const char *key, size_t length,
                              int *at, ph_error *err)
{
    static const char *const maps[][2] = {{"method", "name"}, {"accuracy", "value"}};
    for (size_t i = 0; i < 2; i++)
        if (length == strlen(maps[i][0]) && !strncmp(key, maps[i][0], length)) {
            const int map = add_map(e, v), name = add_text(e, v, maps[i][1], strlen(maps[i][1]));
            if (!map || !add_pair(e, map, name, *slot(e, v->parent, v->entry)))
                return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
            *slot(e, v->parent, v->entry) = *at = map;
        }
    return PH_OK;
}

/* What is missing is added to a map: all steps that are left, inside each other. */
static ph_status add_missing(ph_ensemble_text *e, ph_varied *v, int map, const char *word, size_t length,
                             const char *rest, ph_error *err)
{
    while (word) {
        const char *next = rest, *after = NULL;
        size_t n = 0, index;
        if (*rest && (!take_step(&next, &after, &n, &index) || !after))
            return fail_path(
                e, v, rest,
                "the scenario has no such list; give it there, with values for the members to replace", err);
        const int key = add_text(e, v, word, length), value = after ? add_map(e, v) : add_number(e, v);
        if (!add_pair(e, map, key, value))
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        v->parent = map;
        v->entry = entries(e, map) - 1;
        map = value;
        word = after;
        length = n;
        rest = next;
    }
    return PH_OK;
}

/* ---- Numbers in texts --------------------------------------------------------------------------------------- */

/* The end of a number, or of a list in brackets, which begins at text. */
static size_t skip_value(const char *text)
{
    size_t i = 0, depth = 0;
    do {
        depth += text[i] == '[';
        depth -= text[i] == ']' && depth > 0;
        i += text[i] != '\0';
    } while (text[i] && (depth || !strchr(" ,]", text[i])));
    return i;
}

/* The bytes of the number that the indices lead to in a text like "[[2, 0], [0, 3]] kg"; false: it has no such number. */
static bool find_in_text(const char *text, const char *indices, size_t *from, size_t *to)
{
    const char *word;
    size_t length, index = 0, i = 0;
    while (*indices) {
        if (!take_step(&indices, &word, &length, &index) || word || text[i] != '[')
            return false;
        for (i++; index > 0; index--) {
            i += strspn(text + i, " ");
            i += skip_value(text + i);
            i += strspn(text + i, " ");
            if (text[i++] != ',')
                return false;
        }
        i += strspn(text + i, " ");
    }
    *from = i;
    *to = i + skip_value(text + i);
    return true;
}

/* The number of the text among those that vary; 0: no memory. */
static size_t add_varied_text(ph_ensemble_text *e, const ph_varied *v, int original)
{
    for (size_t i = 0; i < e->n_texts; i++)
        if (e->texts[i].original == original)
            return i + 1;
    ph_varied_text *more = realloc(e->texts, (e->n_texts + 1) * sizeof *more);
    const size_t room = ph_yaml_node(e->file, original)->data.scalar.length + NUMBER_ROOM * (e->columns + 1);
    char *blank = calloc(1, room);
    e->texts = more ? more : e->texts;
    const int scratch = more && blank ? add_text(e, v, blank, room) : 0;
    free(blank);
    if (!scratch)
        return 0;
    e->texts[e->n_texts++] = (ph_varied_text){original, scratch};
    return e->n_texts;
}

/* Are the values to be put into the text of this node, at the indices? Else they take its place. */
static ph_status find_text(ph_ensemble_text *e, ph_varied *v, int node, const char *indices, ph_error *err)
{
    const char *text = (const char *)ph_yaml_node(e->file, node)->data.scalar.value;
    char number[64];
    double value;
    v->path_length = (size_t)(indices - v->path);
    const bool there = find_in_text(text, indices, &v->from_byte, &v->to_byte);
    if (*indices && (!there || v->words))
        return fail_path(e, v, v->path + strlen(v->path),
                         there ? "only numbers can be put into a text" : "the text there has no such number",
                         err);
    snprintf(number, sizeof number, "%.*s", (int)v->to_byte, text);
    if (!*indices && (v->words || !text[v->to_byte] ||
                      (v->list ? *text != '[' : ph_parse_number(number, &value) != PH_OK)))
        return PH_OK;
    v->text = add_varied_text(e, v, node);
    return v->text ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* v->parent, v->entry <- where its path leads. */
static ph_status find_place(ph_ensemble_text *e, ph_varied *v, ph_error *err)
{
    const ph_node root = ph_yaml_root(e->file), key = ph_varied_key(e, v);
    int at = ph_yaml_index(e->file, root.node);
    const char *rest = v->path, *word = NULL;
    size_t length = 0, index = 0;
    while (*rest) {
        const char *begin = rest, *last = word;
        const size_t last_length = length;
        if (!take_step(&rest, &word, &length, &index))
            return ph_node_fail(&key, err, PH_E_PARSE,
                                "is not a key, as step, parameters.m2 or initial.q[0][1]");
        yaml_node_type_t type = ph_yaml_node(e->file, at)->type;
        if (!word && type == YAML_SCALAR_NODE)
            return find_text(e, v, at, begin, err);
        if (word && last && type == YAML_SCALAR_NODE) {
            ph_status status = widen_scalar(e, v, last, last_length, &at, err);
            if (status)
                return status;
            type = ph_yaml_node(e->file, at)->type;
        }
        if (type != (word ? YAML_MAPPING_NODE : YAML_SEQUENCE_NODE))
            return fail_path(e, v, rest, word ? "what it is in is not a map" : "what it is in is not a list",
                             err);
        const size_t n = entries(e, at), entry = word ? find_key(e, at, word, length) : index;
        if (entry >= n && !word) {
            char why[80];
            snprintf(why, sizeof why, "the list has %zu entr%s; they count from 0", n, n == 1 ? "y" : "ies");
            return fail_path(e, v, rest, why, err);
        }
        if (entry >= n)
            return add_missing(e, v, at, word, length, rest, err);
        v->parent = at;
        v->entry = entry;
        at = *slot(e, at, entry);
    }
    return ph_yaml_node(e->file, at)->type == YAML_SCALAR_NODE ? find_text(e, v, at, rest, err) : PH_OK;
}

ph_status ph_place_varied(ph_ensemble_text *e, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < e->n_varied && !status; i++) {
        ph_varied *v = &e->varied[i];
        if (ph_varied_moves(v))
            continue;
        status = find_place(e, v, err);
        if (!status && !v->text && v->from != PH_FROM_LIST && !(v->scratch = add_scratch(e, v)))
            status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    return status;
}

/* ---- Values ------------------------------------------------------------------------------------------------ */

static size_t print_number(char *to, double value)
{
    char text[64];
    ph_number_text(value, text);
    return (size_t)(stpcpy(to, text) - to);
}

static void write_number(ph_ensemble_text *e, int node, double value)
{
    yaml_node_t *to = ph_yaml_node(e->file, node);
    to->data.scalar.length = print_number((char *)to->data.scalar.value, value);
}

void ph_put_varied(ph_ensemble_text *e, ph_varied *v, int64_t k, const double *values)
{
    if (k == v->now || v->text)
        return;
    v->now = k;
    *slot(e, v->parent, v->entry) = v->scratch ? v->scratch : v->nodes[k];
    if (!v->scratch)
        return;
    if (ph_yaml_node(e->file, v->scratch)->type == YAML_SCALAR_NODE)
        write_number(e, v->scratch, *values);
    else
        for (size_t i = 0; i < v->columns; i++)
            write_number(e, *slot(e, v->scratch, i), values[i]);
}

/* to <- a number, or a list; how many bytes. */
static size_t print_values(char *to, const ph_varied *v, const double *values)
{
    char *at = to;
    for (size_t i = 0; i < v->columns; i++) {
        at = stpcpy(at, i ? ", " : v->list ? "[" : "");
        at += print_number(at, values[i]);
    }
    return (size_t)(stpcpy(at, v->list ? "]" : "") - to);
}

/* The key with the first number behind this byte of the text, or NULL. */
static const ph_varied *next_in_text(const ph_ensemble_text *e, size_t text, size_t byte)
{
    const ph_varied *next = NULL;
    for (size_t i = 0; i < e->n_varied; i++) {
        const ph_varied *v = &e->varied[i];
        if (v->text == text && v->from_byte >= byte && (!next || v->from_byte < next->from_byte))
            next = v;
    }
    return next;
}

void ph_put_texts(ph_ensemble_text *e, const double *values)
{
    for (size_t t = 1; t <= e->n_texts; t++) {
        const ph_varied_text *text = &e->texts[t - 1];
        const char *from = (const char *)ph_yaml_node(e->file, text->original)->data.scalar.value;
        yaml_node_t *node = ph_yaml_node(e->file, text->scratch);
        char *to = (char *)node->data.scalar.value;
        size_t byte = 0, parent = 0;
        for (const ph_varied *v; (v = next_in_text(e, t, byte)); byte = v->to_byte) {
            memcpy(to, from + byte, v->from_byte - byte);
            to += v->from_byte - byte;
            to += print_values(to, v, values + v->first);
            parent = (size_t)(v - e->varied);
        }
        to = stpcpy(to, from + byte);
        node->data.scalar.length = (size_t)(to - (char *)node->data.scalar.value);
        *slot(e, e->varied[parent].parent, e->varied[parent].entry) = text->scratch;
    }
}

char *ph_show_varied(const ph_ensemble_text *e, const ph_varied *v)
{
    return ph_node_flow(e->file, *slot(e, v->parent, v->entry));
}
