/* SPDX-License-Identifier: BSD-3-Clause */
/* model and parameters: the names are checked here, the values by the model itself. When the model
 * objects, its message is traced back to the parameter that it names, so that the position is right. */
#include "parts.h"

#include <polhode/kit/text.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading the values -------------------------------------------------------------------------- */

/* The parameter of the model with this name, or NULL. */
static const ph_parameter *find_parameter(const ph_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_parameters; i++)
        if (!strcmp(name, model->parameters[i].name))
            return &model->parameters[i];
    return NULL;
}

static bool is_list_of_bodies(const ph_model *model, const char *name)
{
    const ph_parameter *p = find_parameter(model, name);
    return p && p->kind == PH_PARAMETER_BODIES;
}

/* Is it a parameter of the model? */
static ph_status check_name(const ph_model *model, const ph_node *key, const char *name, ph_error *err)
{
    enum { MOST = 64 };
    const char *names[MOST];
    char shown[64];
    size_t n = 0;
    if (find_parameter(model, name))
        return PH_OK;
    for (size_t i = 0; i < model->n_parameters && n < MOST; i++)
        names[n++] = model->parameters[i].name;
    ph_fail_unknown(err, "parameter", ph_text_show(shown, sizeof shown, name), names, n);
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
        if (!status && !is_list_of_bodies(model, name))
            status = count_numbers(&value, &count, err);
        *total += count;
    }
    return status;
}

/* Is a constant of gravity given that is not the one in SI units? */
static bool has_own_units(const ph_node *map)
{
    const ph_node at = ph_node_find(map, "G");
    double G;
    return at.node && !ph_node_number(&at, "", &G, NULL) && !(G > 6.6e-11 && G < 6.7e-11);
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
    r->numbers = calloc(total + 1, sizeof *r->numbers);
    if (!r->values || !r->numbers)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    double *next = r->numbers;
    r->own_units = has_own_units(map);
    for (size_t i = 0; i < n && !status; i++) {
        size_t count = 0;
        ph_parameter_value *v = &r->values[r->n_values++];
        v->name = ph_node_entry(map, i, &key, &value);
        if (is_list_of_bodies(r->scenario->model, v->name)) {
            status = ph_read_bodies(r, &value, &r->bodies, &count, err);
            *v = ph_parameter_of_bodies(v->name, r->bodies, count);
            continue;
        }
        count_numbers(&value, &count, NULL);
        status = read_value(&value, next, count, err);
        v->values = next;
        v->n = count == 1 && ph_node_is_list(&value) ? PH_LIST_OF_ONE : count;
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

/* If the message of the model mentions "body 2", and there is a list of bodies with such an entry: the entry. A "given body" is
 * in no list. */
static bool find_body(const ph_model *model, const ph_node *map, const char *message, ph_node *found)
{
    ph_node key, value;
    size_t n = 0, entries = 0;
    const char *word = strstr(message, "given body") ? NULL : strstr(message, "body ");
    const unsigned long i = word ? strtoul(word + strlen("body "), NULL, 10) : 0;
    if (!i || !map->node || ph_node_map(map, "", &entries, NULL))
        return false;
    for (size_t k = 0; k < entries; k++)
        if (is_list_of_bodies(model, ph_node_entry(map, k, &key, &value)) &&
            !ph_node_list(&value, "", &n, NULL) && i <= n) {
            *found = ph_node_item(&value, i - 1);
            /* of its field, where that is given */
            const ph_node field = strstr(message, "field") && ph_node_is_map(found)
                                      ? ph_node_find(found, "field")
                                      : (ph_node){.node = NULL};
            if (field.node)
                *found = field;
            return true;
        }
    return false;
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

/* The parameter that the message of the model names first is to blame. */
static ph_status trace(const ph_model *of, const ph_node *model, const ph_node *map, ph_error *err,
                       ph_status status)
{
    ph_node key, value, found = map->node ? *map : *model;
    const char *earliest = NULL;
    size_t n = 0;
    if (!err)
        return status;
    if (find_body(of, map, err->message, &found))
        return ph_node_blame(&found, err, status);
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

const char *ph_find_preset(const ph_model *model, const ph_node *initial)
{
    const char *name = NULL;
    size_t n;
    if (!ph_node_is_map(initial) || ph_node_map(initial, "", &n, NULL))
        return NULL;
    if (ph_node_find(initial, "q").node)
        return "";
    const ph_node at = ph_node_find(initial, "preset");
    if (!at.node || ph_node_text(&at, "", &name, NULL))
        return NULL;
    for (size_t i = 0; i < model->n_presets; i++)
        if (!strcmp(name, model->presets[i].name))
            return model->presets[i].name;
    return NULL; /* read_preset has a message for that */
}

ph_status ph_build_model(ph_reading *r, const ph_node *at, const ph_node *parameters, const ph_node *initial,
                         ph_error *err)
{
    ph_scenario *s = r->scenario;
    ph_status status = parameters->node ? read_values(r, parameters, err) : PH_OK;
    if (status)
        return status;
    status = ph_model_build_for(s->model, ph_find_preset(s->model, initial), r->values, r->n_values,
                                &s->system, err);
    return status ? trace(s->model, at, parameters, err, status) : PH_OK;
}

ph_status ph_share_model(ph_reading *r, const ph_node *parameters, const ph_node *initial, ph_error *err)
{
    ph_scenario *s = r->scenario;
    const ph_scenario *from = r->shared;
    s->borrowed = true;
    s->model = from->model;
    s->system = from->system;
    s->whole = from->whole;
    s->compile = from->compile;
    s->found = from->found;
    s->kept = from->kept;
    s->kept_length = from->kept_length;
    for (size_t i = 0; i < from->n_model_notes; i++)
        ph_note(s, NULL, "%s", from->notes[i]);
    const bool preset = !initial->node || ph_node_find(initial, "preset").node;
    return preset && parameters->node ? read_values(r, parameters, err) : PH_OK;
}

ph_status ph_read_model(ph_reading *r, const ph_node *model, const ph_node *parameters,
                        const ph_node *initial, ph_error *err)
{
    const char *name;
    char shown[64];
    ph_scenario *s = r->scenario;
    if (ph_node_is_map(model))
        return ph_read_formulas(r, model, parameters, err);
    ph_status status = ph_node_text(model, "the name of a model, or a map of formulas,", &name, err);
    if (status)
        return status;
    s->model = ph_model_find(ph_text_show(shown, sizeof shown, name), err);
    return s->model ? ph_build_model(r, model, parameters, initial, err)
                    : ph_node_blame(model, err, PH_E_UNKNOWN);
}
