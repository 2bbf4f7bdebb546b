/* SPDX-License-Identifier: BSD-3-Clause */
/* method: a word, or a map with the name and options. Options are kept as text and checked one by one against
 * the table of the method, so that each message has a position. */
#include "parts.h"

#include <polhode/kit/text.h>

#include <stdlib.h>
#include <string.h>

static const ph_option *find_option(const ph_method *method, const char *name)
{
    for (size_t i = 0; i < method->n_options; i++)
        if (!strcmp(name, method->options[i].name))
            return &method->options[i];
    return NULL;
}

/* The message lists what the method has. */
static ph_status unknown_option(const ph_method *method, const ph_node *key, const char *name, ph_error *err)
{
    enum { MOST = 64 };
    const char *names[MOST];
    char shown[64];
    size_t n = 0;
    for (size_t i = 0; i < method->n_options && n < MOST; i++)
        names[n++] = method->options[i].name;
    ph_text_show(shown, sizeof shown, name);
    if (!n)
        return ph_node_fail(key, err, PH_E_UNKNOWN, "method \"%s\" has no options; take \"%s\" out",
                            method->name, shown);
    ph_fail_unknown(err, "option", shown, names, n);
    return ph_node_blame(key, err, PH_E_UNKNOWN);
}

/* If the method has no option "order", that key states the order of the method, which must be right. */
static ph_status check_order(const ph_method *method, const ph_node *value, ph_error *err)
{
    int64_t order = 0;
    ph_status status = ph_node_count(value, "the order of the method", &order, err);
    if (!status && order != method->order)
        status = ph_node_fail(value, err, PH_E_RANGE, "is %lld; method \"%s\" has order %d", (long long)order,
                              method->name, method->order);
    return status;
}

/* The scenario keeps name and value as text: the integrator is made of it later, and archives record it. */
ph_status ph_keep_setting(ph_scenario *s, const char *name, const char *value, ph_error *err)
{
    ph_setting *more = realloc(s->settings, (s->n_settings + 1) * sizeof *more);
    if (!more)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->settings = more;
    char *n = strdup(name), *v = strdup(value);
    if (!n || !v) {
        free(n);
        free(v);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    s->settings[s->n_settings++] = (ph_setting){n, v};
    return PH_OK;
}

/* The method judges the value; what it says is traced back to the node. */
static ph_status read_option(ph_scenario *s, const ph_node *key, const char *name, const ph_node *value,
                             double *scratch, ph_error *err)
{
    char shown[160]; /* longer than any number that can be read */
    const char *text;
    const ph_option *option = find_option(s->method, name);
    if (!option && !strcmp(name, "order"))
        return check_order(s->method, value, err);
    if (!option)
        return unknown_option(s->method, key, name, err);
    ph_status status = ph_node_text(value, "a number or a word", &text, err);
    if (status)
        return status;
    if (option->type != PH_OPTION_CHOICE && ph_node_is_quoted(value))
        return ph_node_fail(value, err, PH_E_PARSE,
                            "is a text in quotes; a number without quotes is expected");
    status = ph_method_options(
        s->method, &(ph_setting){option->name, ph_text_show(shown, sizeof shown, text)}, 1, scratch, err);
    return status ? ph_node_blame(value, err, status) : ph_keep_setting(s, option->name, text, err);
}

/* All entries of the map but its name; scratch (n_options) takes the numbers, which nobody needs here. */
static ph_status read_options(ph_scenario *s, const ph_node *map, size_t n, ph_error *err)
{
    ph_node key, value;
    ph_status status = PH_OK;
    double *scratch = calloc(s->method->n_options + 1, sizeof *scratch);
    if (!scratch)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        const char *name = ph_node_entry(map, i, &key, &value);
        memcpy(key.path, value.path, sizeof key.path);
        if (strcmp(name, "name"))
            status = read_option(s, &key, name, &value, scratch, err);
    }
    free(scratch);
    return status;
}

/* The node with the method's name: the word itself or the entry of the map; n <- entries of the map. */
static ph_status find_name(const ph_node *at, ph_node *name, size_t *n, ph_error *err)
{
    static const char *const expected = "the name of a method, or a map like {name: variational},";
    *name = *at;
    *n = 0;
    if (ph_node_is_scalar(at))
        return PH_OK;
    ph_status status = ph_node_map(at, expected, n, err);
    if (status)
        return status;
    *name = ph_node_find(at, "name");
    if (!name->node)
        return ph_node_fail(at, err, PH_E_PARSE,
                            "has no key \"name\"; say which method: {name: variational}");
    return PH_OK;
}

/* The name, then its options, then whether the method takes this system. */
ph_status ph_read_method(ph_reading *r, const ph_node *at, ph_error *err)
{
    ph_scenario *s = r->scenario;
    ph_node name;
    size_t n = 0;
    const char *text;
    char shown[64];
    ph_status status = find_name(at, &name, &n, err);
    if (!status)
        status = ph_node_text(&name, "the name of a method", &text, err);
    if (status)
        return status;
    s->method = ph_method_find(ph_text_show(shown, sizeof shown, text), err);
    if (!s->method)
        return ph_node_blame(&name, err, PH_E_UNKNOWN);
    status = read_options(s, at, n, err);
    if (!status && (status = ph_method_supports(s->method, s->system, err)))
        status = ph_node_blame(&name, err, status);
    return status;
}
