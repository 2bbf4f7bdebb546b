/* SPDX-License-Identifier: BSD-3-Clause */
/* model and parameters: the names are checked here, the values by the model itself. When the model
 * objects, its message is traced back to the parameter that it names, so that the position is right. */
#include "parts.h"

#include <polhode/text.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading the values -------------------------------------------------------------------------- */

/* Is it a parameter of the model? */
static ph_status check_name(const ph_model *model, const ph_node *key, const char *name, ph_error *err)
{
    enum { MOST = 64 };
    const char *names[MOST];
    char shown[64];
    size_t n = 0;
    for (size_t i = 0; i < model->n_parameters; i++) {
        if (!strcmp(name, model->parameters[i].name))
            return PH_OK;
        if (n < MOST)
            names[n++] = model->parameters[i].name;
    }
    ph_fail_unknown(err, "parameter", ph_yaml_show(shown, sizeof shown, name), names, n);
    return ph_node_blame(key, err, PH_E_UNKNOWN);
}

/* *n <- the number of numbers in the parameter, which must be a number or a list. */
static ph_status count_numbers(const ph_node *value, size_t *n, ph_error *err)
{
    *n = 1;
    if (!ph_node_is_list(value))
        return PH_OK;
    ph_status status = ph_node_list(value, "a list of numbers", n, err);
    if (!status && !*n)
        status = ph_node_fail(value, err, PH_E_SIZE,
                              "is an empty list; a number or a list of numbers is expected");
    return status;
}

/* numbers (n) <- one number, or a list. */
static ph_status read_value(const ph_node *value, double *numbers, size_t n, ph_error *err)
{
    if (ph_node_is_list(value))
        return ph_node_numbers(value, "a list of numbers", numbers, n, err);
    return ph_node_number(value, "a number or a list of numbers", numbers, err);
}

/* First the names and *total, the number of all numbers, so that one block can hold them. */
static ph_status check_entries(const ph_model *model, const ph_node *map, size_t n, size_t *total,
                               ph_error *err)
{
    ph_node key, value;
    ph_status status = PH_OK;
    *total = 0;
    for (size_t i = 0; i < n && !status; i++) {
        size_t count = 0;
        const char *name = ph_node_entry(map, i, &key, &value);
        memcpy(key.path, value.path, sizeof key.path);
        status = check_name(model, &key, name, err);
        if (!status)
            status = count_numbers(&value, &count, err);
        *total += count;
    }
    return status;
}

/* r->values <- the parameters as given, in the order of the document; their numbers stand in r->numbers. */
static ph_status read_values(ph_reading *r, const ph_node *map, ph_error *err)
{
    ph_node key, value;
    size_t n = 0, total = 0;
    ph_status status = ph_node_map(map, "a map of parameters", &n, err);
    if (!status)
        status = check_entries(r->scenario->model, map, n, &total, err);
    if (status || !n)
        return status;
    r->values = calloc(n, sizeof *r->values);
    r->numbers = calloc(total, sizeof *r->numbers);
    if (!r->values || !r->numbers)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    double *next = r->numbers;
    for (size_t i = 0; i < n && !status; i++) {
        size_t count = 0;
        ph_parameter_value *v = &r->values[r->n_values++];
        v->name = ph_node_entry(map, i, &key, &value);
        count_numbers(&value, &count, NULL);
        status = read_value(&value, next, count, err);
        v->values = next;
        v->n = count;
        next += count;
    }
    return status;
}

/* ---- Tracing a message ---------------------------------------------------------------------------- */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Where the text has the word as a whole word, or NULL. */
static const char *find_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *s = strstr(text, word); s; s = strstr(s + 1, word))
        if ((s == text || !in_word(s[-1])) && !in_word(s[n]))
            return s;
    return NULL;
}

/* If the message of the model mentions "entry 2 of NAME", and the value is a list with such an entry: the
 * entry. */
static ph_node find_item(const ph_node *value, const char *message, const char *name)
{
    size_t n = 0;
    const char *entry = strstr(message, "entry ");
    if (!entry || ph_node_list(value, "", &n, NULL))
        return *value;
    char *end;
    unsigned long i = strtoul(entry + strlen("entry "), &end, 10);
    bool ours = end + strlen(" of ") == name && !strncmp(end, " of ", strlen(" of "));
    return ours && i >= 1 && i <= n ? ph_node_item(value, i - 1) : *value;
}

/* Of the parameters that the message of the model names, the one named first is to blame. */
static ph_status trace(const ph_node *model, const ph_node *map, ph_error *err, ph_status status)
{
    ph_node key, value, found = map->node ? *map : *model;
    const char *earliest = NULL;
    size_t n = 0;
    if (!err)
        return status;
    if (map->node)
        ph_node_map(map, "", &n, NULL);
    for (size_t i = 0; i < n; i++) {
        const char *name = ph_node_entry(map, i, &key, &value);
        const char *here = find_word(err->message, name);
        if (here && (!earliest || here < earliest)) {
            earliest = here;
            found = find_item(&value, err->message, here);
        }
    }
    return ph_node_blame(&found, err, status);
}

/* ---- The two keys -------------------------------------------------------------------------------- */

ph_status ph_read_model(ph_reading *r, const ph_node *model, const ph_node *parameters, ph_error *err)
{
    const char *name;
    char shown[64];
    ph_status status = ph_node_text(model, "the name of a model", &name, err);
    if (status)
        return status;
    r->scenario->model = ph_model_find(ph_yaml_show(shown, sizeof shown, name), err);
    if (!r->scenario->model)
        return ph_node_blame(model, err, PH_E_UNKNOWN);
    if (parameters->node)
        status = read_values(r, parameters, err);
    if (status)
        return status;
    status = ph_model_build(r->scenario->model, r->values, r->n_values, &r->scenario->system, err);
    return status ? trace(model, parameters, err, status) : PH_OK;
}
