/* SPDX-License-Identifier: BSD-3-Clause */
/* ensemble: the groups of keys that vary. Each group has axes, a key of a product one of its own; members are all
 * combinations of the points of all axes, of which the first varies slowest: member i is at (i / stride) % length of an axis,
 * whose stride is the product of the lengths behind it. */
#include "ensemble.h"

#include "number-file.h"
#include "parts.h"

#include "lib/archive/place.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCT, ZIP, LIST, SAMPLE, GROUPS };
static const ph_scenario_key group_keys[GROUPS] = {
    [PRODUCT] =
        {"product", "a map of values by key", "none",
         "All combinations of the values of these keys, as in `step: [0.01, 0.02]`: a list, or a range, see below. "
         "The first key varies slowest."},
    [ZIP] =
        {"zip", "a map of values by key", "none",
         "Values side by side: the lists (or ranges) have one length; the first of each belong together, and so on."},
    [LIST] =
        {"list", "a list of maps, or a map", "none",
         "An entry for each member: values by key, of the same keys. Or a table from a file, see below."},
    [SAMPLE] = {"sample", "a map", "none",
                "Random values: `count`, `seed`, and keys with their distributions, see below."}};
const ph_scenario_map ph_ensemble_keys = {"ensemble", group_keys, GROUPS};

enum { FROM, TO, COUNT, SCALE, RANGE_KEYS };
static const ph_scenario_key range_keys[RANGE_KEYS] = {
    [FROM] = {"from", "a number", NULL, "The first value."},
    [TO] = {"to", "a number", NULL, "The last value."},
    [COUNT] = {"count", "a whole number, at least 2", NULL, "How many."},
    [SCALE] = {"scale", "`linear` or `log`", "`linear`", "Equal differences, or equal ratios."}};
const ph_scenario_map ph_range_keys = {"ensemble.product.KEY", range_keys, RANGE_KEYS};

enum { SAMPLES, SEED, SAMPLE_KEYS };
static const ph_scenario_key sample_keys[SAMPLE_KEYS] = {
    [SAMPLES] = {"count", "a whole number, at least 1", NULL, "How many samples."},
    [SEED] = {"seed", "a whole number, at least 0", "0", "Another seed gives other samples."}};
const ph_scenario_map ph_sample_keys = {"ensemble.sample", sample_keys, SAMPLE_KEYS};

enum { TABLE_FILE, TABLE_COLUMNS, TABLE_KEYS };
static const ph_scenario_key table_keys[TABLE_KEYS] = {
    [TABLE_FILE] =
        {"file", "a path", NULL,
         "A table of numbers with a row for each member: CSV, whose first line has the keys, or NPY of NumPy. The "
         "path is relative to the scenario."},
    [TABLE_COLUMNS] = {"keys", "a list of keys", "those of the CSV file",
                       "The keys of the columns, of an NPY file."}};
const ph_scenario_map ph_table_keys = {"ensemble.list", table_keys, TABLE_KEYS};

/* ---- Axes and keys ------------------------------------------------------------------------------------ */

static ph_status fail_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

ph_node ph_varied_key(const ph_ensemble_text *e, const ph_varied *v)
{
    ph_node key = {.file = e->file, .node = ph_yaml_node(e->file, v->key)};
    memcpy(key.path, v->where, sizeof key.path);
    return key;
}

/* A further axis; lengths are multiplied when all are known. */
static ph_status add_axis(ph_ensemble_text *e, const ph_node *at, int64_t length, ph_error *err)
{
    ph_axis *more = realloc(e->axes, (e->n_axes + 1) * sizeof *more);
    if (!more)
        return fail_memory(err);
    e->axes = more;
    e->axes[e->n_axes++] = (ph_axis){.length = length};
    return length > 0 ? PH_OK : ph_node_fail(at, err, PH_E_SIZE, "is empty; at least one value is expected");
}

/* Is one of the paths a part of the other, or the same? */
static bool overlap(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b), less = n < m ? n : m;
    return !strncmp(a, b, less) && (n == m || strchr(".[", n < m ? b[n] : a[m]));
}

bool ph_varied_moves(const ph_varied *v)
{
    return v->from == PH_FROM_DRAWS && v->draw.kind == PH_DRAW_TANGENT;
}

/* *v <- a further key, on the axis that was added last. moves: ph_varied_moves, which acts on the state that other keys give. */
static ph_status add_varied(ph_ensemble_text *e, const ph_node *key, const char *name, bool moves,
                            ph_varied **v, ph_error *err)
{
    ph_varied *more = realloc(e->varied, (e->n_varied + 1) * sizeof *more);
    if (!more)
        return fail_memory(err);
    e->varied = more;
    if (strlen(name) >= sizeof more->path)
        return ph_node_fail(key, err, PH_E_SIZE, "is longer than %zu characters", sizeof more->path - 1);
    for (size_t i = 0; i < e->n_varied; i++)
        if (overlap(more[i].path, name) && moves == ph_varied_moves(&more[i]))
            return ph_node_fail(key, err, PH_E_PARSE,
                                "varies \"%.60s\", which line %zu varies already; a key varies in one place",
                                name, ph_varied_key(e, &more[i]).node->start_mark.line + 1);
    *v = &more[e->n_varied++];
    **v = (ph_varied){.key = ph_yaml_index(e->file, key->node), .axis = e->n_axes - 1, .now = -1};
    strcpy((*v)->path, name);
    memcpy((*v)->where, key->path, sizeof key->path);
    return PH_OK;
}

void ph_free_ensemble(ph_ensemble_text *e)
{
    for (size_t i = 0; i < e->n_varied; i++) {
        ph_varied *v = &e->varied[i];
        for (int64_t k = 0; v->words && k < e->axes[v->axis].length; k++)
            free(v->words[k]);
        free(v->words);
        free(v->nodes);
        free(v->numbers);
        free(v->draw.factor);
    }
    free(e->varied);
    free(e->texts);
    free(e->axes);
}

/* ---- Values -------------------------------------------------------------------------------------------- */

/* Is it a number, or a list of n of them? 0: neither; else how many. numbers (nullable) <- them. PH_E_NOT_FINITE is an error
 * of its own: it is no word that a scenario could have. */
static ph_status read_numbers(const ph_node *at, size_t *n, double *numbers, ph_error *err)
{
    size_t there = 1;
    const char *text;
    double number;
    *n = 0;
    if (ph_node_is_list(at) && ph_node_list(at, "", &there, NULL))
        return PH_OK;
    for (size_t i = 0; i < there; i++) {
        const ph_node item = ph_node_is_list(at) ? ph_node_item(at, i) : *at;
        if (!ph_node_is_scalar(&item) || ph_node_is_quoted(&item) || ph_node_text(&item, "", &text, NULL))
            return PH_OK;
        const ph_status status = ph_parse_number(text, numbers ? &numbers[i] : &number);
        if (status == PH_E_NOT_FINITE)
            return ph_node_number(&item, "a number", &number, err);
        if (status)
            return PH_OK;
    }
    *n = there;
    return PH_OK;
}

/* v->numbers <- of its nodes, where all are numbers, or lists of as many; else v->words. */
static ph_status sort_values(ph_ensemble_text *e, ph_varied *v, ph_error *err)
{
    const size_t length = (size_t)e->axes[v->axis].length;
    ph_status status = PH_OK;
    bool numeric = true, list = false;
    ph_node at = {.file = e->file};
    for (size_t k = 0; k < length && !status && numeric; k++) {
        size_t n = 0;
        at.node = ph_yaml_node(e->file, v->nodes[k]);
        snprintf(at.path, sizeof at.path, "%.94s", v->path);
        status = read_numbers(&at, &n, NULL, err);
        numeric = n && (!k || (n == v->columns && list == ph_node_is_list(&at)));
        list = ph_node_is_list(&at);
        v->columns = n;
    }
    if (status)
        return status;
    v->columns = numeric ? v->columns : 1;
    v->list = numeric && list;
    if (numeric)
        v->numbers = calloc(length * v->columns, sizeof *v->numbers);
    else
        v->words = calloc(length, sizeof *v->words);
    if (!v->numbers && !v->words)
        return fail_memory(err);
    for (size_t k = 0; k < length; k++) {
        size_t n;
        at.node = ph_yaml_node(e->file, v->nodes[k]);
        if (numeric)
            read_numbers(&at, &n, v->numbers + k * v->columns, NULL);
        else if (!(v->words[k] = ph_node_flow(e->file, v->nodes[k])))
            return fail_memory(err);
    }
    return PH_OK;
}

static ph_status read_scale(const ph_node *at, bool *logarithmic, ph_error *err)
{
    const char *word;
    ph_status status = ph_node_text(at, "linear or log", &word, err);
    *logarithmic = !status && !strcmp(word, "log");
    if (!status && !*logarithmic && strcmp(word, "linear"))
        status = ph_node_fail(at, err, PH_E_UNKNOWN, "is \"%.40s\"; linear or log is expected", word);
    return status;
}

static ph_status read_range(ph_varied *v, const ph_node *at, int64_t *count, ph_error *err)
{
    ph_node values[RANGE_KEYS];
    ph_status status = ph_node_keys(at, "a list of values, or a range {from: 0, to: 1, count: 11},",
                                    &ph_range_keys, values, err);
    for (size_t i = FROM; i <= COUNT && !status; i++)
        if (!values[i].node)
            status =
                ph_node_fail(at, err, PH_E_PARSE, "has no \"%s\"; a range is {from: 0, to: 1, count: 11}",
                             range_keys[i].name);
    if (!status)
        status = ph_node_number(&values[FROM], "a number", &v->least, err);
    if (!status)
        status = ph_node_number(&values[TO], "a number", &v->most, err);
    if (!status)
        status = ph_node_count(&values[COUNT], "a whole number, at least 2,", count, err);
    if (!status && (*count < 2 || *count > PH_MEMBERS_MOST))
        status = ph_node_fail(&values[COUNT], err, PH_E_RANGE, "is %lld; 2 to 2^53 are expected",
                              (long long)*count);
    if (!status && values[SCALE].node)
        status = read_scale(&values[SCALE], &v->logarithmic, err);
    if (!status && v->logarithmic && !(v->least > 0 && v->most > 0))
        status =
            ph_node_fail(at, err, PH_E_RANGE,
                         "is from %g to %g; where the scale is log both must be positive", v->least, v->most);
    v->from = PH_FROM_RANGE;
    v->columns = 1;
    return status;
}

/* The k-th of n values from a to b, both included. */
static double range_value(const ph_varied *v, int64_t k, int64_t n)
{
    const double a = (double)(n - 1 - k), b = (double)k, whole = (double)(n - 1);
    if (k == 0 || k == n - 1)
        return k ? v->most : v->least;
    if (v->logarithmic)
        return ph_pow(10, (a * ph_log10(v->least) + b * ph_log10(v->most)) / whole);
    return (a * v->least + b * v->most) / whole;
}

void ph_varied_values(const ph_ensemble_text *e, const ph_varied *v, int64_t k, double *values)
{
    if (v->from == PH_FROM_DRAWS)
        ph_draw_values(&v->draw, &(ph_stream){.seed = e->seed, .member = (uint64_t)k, .name = v->stream},
                       values);
    else if (v->from == PH_FROM_RANGE)
        *values = range_value(v, k, e->axes[v->axis].length);
    else if (v->numbers)
        memcpy(values, v->numbers + (size_t)k * v->columns, v->columns * sizeof *values);
    else
        *values = (double)k;
}

/* ---- Groups -------------------------------------------------------------------------------------------- */

/* *length <- of the values of a key, a list or a range. */
static ph_status read_values(ph_varied *v, const ph_node *at, int64_t *length, ph_error *err)
{
    size_t n = 0;
    if (!ph_node_is_list(at))
        return read_range(v, at, length, err);
    ph_status status = ph_node_list(at, "a list of values", &n, err);
    if (status)
        return status;
    *length = (int64_t)n;
    v->nodes = malloc((n + 1) * sizeof *v->nodes);
    if (!v->nodes)
        return fail_memory(err);
    memcpy(v->nodes, at->node->data.sequence.items.start, n * sizeof *v->nodes);
    return PH_OK;
}

/* A map of values by key: an axis for each, or one for all. */
static ph_status read_map(ph_ensemble_text *e, const ph_node *map, bool zip, ph_error *err)
{
    ph_node key, value;
    ph_varied *v;
    size_t n = 0;
    int64_t length = 0;
    ph_status status = ph_node_map(map, "a map of values by key, as in {step: [0.01, 0.02]},", &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        const char *name = ph_node_entry(map, i, &key, &value);
        memcpy(key.path, value.path, sizeof key.path);
        if (!i || !zip)
            status = add_axis(e, &value, 1, err);
        if (!status)
            status = add_varied(e, &key, name, false, &v, err);
        if (!status)
            status = read_values(v, &value, &length, err);
        ph_axis *axis = &e->axes[e->n_axes - 1];
        if (!status && !length)
            status = ph_node_fail(&value, err, PH_E_SIZE, "is empty; at least one value is expected");
        if (!status && i && zip && length != axis->length)
            status = ph_node_fail(
                &value, err, PH_E_SIZE, "has %lld values, \"%.60s\" has %lld; in a zip all have as many",
                (long long)length, e->varied[e->n_varied - 2].path, (long long)axis->length);
        if (!status)
            axis->length = length;
        if (!status && v->from == PH_FROM_LIST)
            status = sort_values(e, v, err);
    }
    return status;
}

/* The keys of a table, and their numbers. */
static ph_status keep_table(ph_ensemble_text *e, const ph_node *map, const ph_node *named,
                            const ph_number_file *t, ph_error *err)
{
    size_t n = t->columns;
    const char *name = t->names;
    ph_status status = named->node ? ph_node_list(named, "a list of keys", &n, err) : PH_OK;
    if (!status && !named->node && !name)
        status = ph_node_fail(map, err, PH_E_PARSE, "has no \"keys\"; an NPY file does not name its columns");
    if (!status && n != t->columns)
        status = ph_node_fail(named, err, PH_E_SIZE, "has %zu keys; the file has %zu columns", n, t->columns);
    if (!status)
        status = add_axis(e, map, (int64_t)t->rows, err);
    for (size_t i = 0; i < n && !status; i++) {
        ph_varied *v = NULL;
        const ph_node item = named->node ? ph_node_item(named, i) : *map;
        if (named->node)
            status = ph_node_text(&item, "a key, as in step", &name, err);
        if (!status)
            status = add_varied(e, &item, name, false, &v, err);
        if (!status && !(v->numbers = malloc(t->rows * sizeof *v->numbers)))
            status = fail_memory(err);
        if (status)
            break;
        v->from = PH_FROM_TABLE;
        v->columns = 1;
        for (size_t k = 0; k < t->rows; k++)
            v->numbers[k] = t->numbers[k * t->columns + i];
        name += strlen(name) + 1;
    }
    return status;
}

static ph_status read_table(ph_ensemble_text *e, const ph_node *map, ph_error *err)
{
    ph_node values[TABLE_KEYS];
    ph_number_file t;
    const char *word = NULL;
    ph_status status =
        ph_node_keys(map, "a list of maps, or {file: members.csv},", &ph_table_keys, values, err);
    if (!status && !values[TABLE_FILE].node)
        status = ph_node_fail(map, err, PH_E_PARSE,
                              "has no \"file\"; a list of maps, or {file: members.csv}, is expected");
    if (!status)
        status = ph_node_text(&values[TABLE_FILE], "the path of a table", &word, err);
    if (status)
        return status;
    char *path = ph_path_join(*word == '/' ? "" : e->directory, word, "");
    status = path ? ph_read_number_file(path, &t, err) : fail_memory(err);
    free(path);
    if (status)
        return ph_node_blame(&values[TABLE_FILE], err, status);
    status = keep_table(e, map, &values[TABLE_COLUMNS], &t, err);
    e->files = 31 * e->files + t.checksum;
    ph_free_number_file(&t);
    return status;
}

/* A list of maps with the same keys. */
static ph_status read_rows(ph_ensemble_text *e, const ph_node *list, ph_error *err)
{
    ph_node key, value;
    size_t rows = 0, n = 0, there = 0;
    ph_status status = ph_node_list(list, "a list of maps, as in [{step: 0.1, method: rk4}],", &rows, err);
    if (!status)
        status = add_axis(e, list, (int64_t)rows, err);
    const ph_node first = ph_node_item(list, 0);
    if (!status)
        status = ph_node_map(&first, "a map of values by key, as in {step: 0.1, method: rk4},", &n, err);
    const size_t begin = e->n_varied;
    for (size_t i = 0; i < n && !status; i++) {
        ph_varied *v = NULL;
        const char *name = ph_node_entry(&first, i, &key, &value);
        memcpy(key.path, value.path, sizeof key.path);
        status = add_varied(e, &key, name, false, &v, err);
        if (!status && !(v->nodes = malloc(rows * sizeof *v->nodes)))
            status = fail_memory(err);
    }
    for (size_t k = 0; k < rows && !status; k++) {
        const ph_node row = ph_node_item(list, k);
        status = ph_node_map(&row, "a map of values by key", &there, err);
        for (size_t i = 0; i < n && !status; i++) {
            ph_varied *v = &e->varied[begin + i];
            value = ph_node_find(&row, v->path);
            if (!value.node)
                status = ph_node_fail(
                    &row, err, PH_E_PARSE,
                    "has no \"%.60s\", which the first row has; all rows have the same keys", v->path);
            else
                v->nodes[k] = ph_yaml_index(e->file, value.node);
        }
        if (!status && there != n)
            status =
                ph_node_fail(&row, err, PH_E_SIZE,
                             "has %zu keys, the first row has %zu; all rows have the same keys", there, n);
    }
    for (size_t i = 0; i < n && !status; i++)
        status = sort_values(e, &e->varied[begin + i], err);
    return status;
}

/* The name of a stream follows from its key (FNV-1a), so that keys that are added or taken out leave the others their numbers;
 * of two with the same the later has the next. */
static uint32_t name_stream(const ph_ensemble_text *e, const ph_varied *v)
{
    uint32_t name = 2166136261u;
    for (const char *c = v->path; *c; c++)
        name = (name ^ (unsigned char)*c) * 16777619u;
    for (size_t i = 0; i < e->n_varied; i++)
        if (&e->varied[i] != v && e->varied[i].from == PH_FROM_DRAWS && e->varied[i].stream == name) {
            name++;
            i = (size_t)-1;
        }
    return name;
}

/* A key with its distribution. */
static ph_status read_drawn(ph_ensemble_text *e, const ph_node *key, const char *name, const ph_node *value,
                            ph_error *err)
{
    ph_draw draw = {.factor = NULL};
    ph_varied *v = NULL;
    ph_status status = ph_read_draw(value, &draw, err);
    if (!status && draw.kind == PH_DRAW_TANGENT && strcmp(name, "initial") &&
        strncmp(name, "initial.q[", 10) && strncmp(name, "initial.omega[", 14))
        status = ph_node_fail(
            key, err, PH_E_PARSE,
            "is not a part of the state; a tangent vector moves initial.q[i], initial.omega[i] or initial");
    if (!status)
        status = add_varied(e, key, name, draw.kind == PH_DRAW_TANGENT, &v, err);
    if (status) {
        free(draw.factor);
        return status;
    }
    v->from = PH_FROM_DRAWS;
    v->draw = draw;
    v->columns = ph_draw_numbers(&draw, &v->list);
    v->stream = name_stream(e, v);
    return PH_OK;
}

static ph_status read_sample(ph_ensemble_text *e, const ph_node *map, ph_error *err)
{
    ph_node key, value;
    size_t n = 0;
    int64_t count = 0, seed = 0;
    ph_status status = ph_node_map(map, "a map, as in {count: 100, step: {uniform: [0.01, 0.02]}},", &n, err);
    const ph_node counted = ph_node_find(map, sample_keys[SAMPLES].name),
                  seeded = ph_node_find(map, sample_keys[SEED].name);
    if (!status && !counted.node)
        status =
            ph_node_fail(map, err, PH_E_PARSE, "has no \"count\"; say how many samples, as in count: 100");
    if (!status)
        status = ph_node_count(&counted, "a whole number, at least 1,", &count, err);
    if (!status && (count < 1 || count > PH_MEMBERS_MOST))
        status = ph_node_fail(&counted, err, PH_E_RANGE, "is %lld; 1 to 2^53 are expected", (long long)count);
    if (!status && seeded.node)
        status = ph_node_count(&seeded, "a whole number", &seed, err);
    if (!status && seed < 0)
        status = ph_node_fail(&seeded, err, PH_E_RANGE, "is %lld; a whole number, at least 0, is expected",
                              (long long)seed);
    e->seed = (uint64_t)seed;
    if (!status)
        status = add_axis(e, map, count, err);
    for (size_t i = 0; i < n && !status; i++) {
        const char *name = ph_node_entry(map, i, &key, &value);
        memcpy(key.path, value.path, sizeof key.path);
        if (strcmp(name, sample_keys[SAMPLES].name) && strcmp(name, sample_keys[SEED].name))
            status = read_drawn(e, &key, name, &value, err);
    }
    return status;
}

/* Strides and the number of members. */
static ph_status count_members(ph_ensemble_text *e, const ph_node *at, ph_error *err)
{
    double all = 1;
    for (size_t a = e->n_axes; a-- > 0;) {
        e->axes[a].stride = e->count;
        all *= (double)e->axes[a].length;
        if (all > (double)PH_MEMBERS_MOST)
            continue;
        e->count *= e->axes[a].length;
    }
    return all <= (double)PH_MEMBERS_MOST
               ? PH_OK
               : ph_node_fail(at, err, PH_E_RANGE, "has %.3g members; at most 2^53, 9.01e15, can be counted",
                              all);
}

void ph_count_columns(ph_ensemble_text *e)
{
    e->columns = 0;
    for (size_t i = 0; i < e->n_varied; i++) {
        e->varied[i].first = e->columns;
        e->columns += e->varied[i].columns;
    }
}

/* The key and its map are taken out of the scenario, which is then that of a member. */
static void take_out(ph_ensemble_text *e, const ph_node *root, const ph_node *at)
{
    yaml_node_pair_t *pair = root->node->data.mapping.pairs.start;
    while (ph_yaml_node(e->file, pair->value) != at->node)
        pair++;
    memmove(pair, pair + 1, (size_t)(root->node->data.mapping.pairs.top - pair - 1) * sizeof *pair);
    root->node->data.mapping.pairs.top--;
}

ph_status ph_read_ensemble(ph_ensemble_text *e, ph_yaml *file, const char *directory, ph_error *err)
{
    *e = (ph_ensemble_text){.file = file, .directory = directory, .count = 1};
    const ph_node root = ph_yaml_root(file), at = ph_node_find(&root, "ensemble");
    ph_node values[GROUPS], key, value;
    if (!at.node)
        return PH_OK;
    ph_status status =
        ph_node_keys(&at, "a map, as in {product: {step: [0.01, 0.02]}},", &ph_ensemble_keys, values, err);
    const size_t n =
        status ? 0 : (size_t)(at.node->data.mapping.pairs.top - at.node->data.mapping.pairs.start);
    if (!status && !n)
        status = ph_node_fail(&at, err, PH_E_SIZE,
                              "is empty; say what varies, as in {product: {step: [0.01, 0.02]}}");
    for (size_t i = 0; i < n && !status; i++) {
        const char *group = ph_node_entry(&at, i, &key, &value);
        if (!strcmp(group, group_keys[SAMPLE].name))
            status = read_sample(e, &value, err);
        else if (!strcmp(group, group_keys[LIST].name))
            status = ph_node_is_map(&value) ? read_table(e, &value, err) : read_rows(e, &value, err);
        else
            status = read_map(e, &value, !strcmp(group, group_keys[ZIP].name), err);
    }
    if (!status)
        status = count_members(e, &at, err);
    if (!status)
        take_out(e, &root, &at);
    return status;
}
