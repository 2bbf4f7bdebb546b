/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a method, read against its table: defaults, bounds, choices, and messages that teach. */
#include <polhode/kit/text.h>
#include <polhode/method.h>

#include "lib/internal/missing.h"

#include <string.h>

enum { MOST_NAMES = 32 };

/* The option of that name; NULL with a message. */
static const ph_option *find_option(const ph_method *method, const char *name, ph_error *err)
{
    const char *names[MOST_NAMES];
    size_t n = 0;
    for (size_t i = 0; i < method->n_options; i++) {
        if (!strcmp(name, method->options[i].name))
            return &method->options[i];
        if (n < MOST_NAMES)
            names[n++] = method->options[i].name;
    }
    if (!n)
        ph_fail(err, PH_E_UNKNOWN, "method \"%s\" has no options, so none named \"%.60s\"", method->name,
                name);
    else
        ph_fail_unknown(err, "option", name, names, n);
    return NULL;
}

/* *value <- the position of the word among the choices. */
static ph_status read_choice(const ph_option *option, const char *text, double *value, ph_error *err)
{
    size_t length = strlen(text), position = 0;
    for (const char *word = option->choices; *word; position++) {
        size_t n = strcspn(word, " ");
        if (n == length && !strncmp(word, text, n)) {
            *value = (double)position;
            return PH_OK;
        }
        word += n + strspn(word + n, " ");
    }
    return ph_fail(err, PH_E_UNKNOWN, "option \"%s\": \"%.60s\" is not one of: %s", option->name, text,
                   option->choices);
}

/* *value <- the number or the choice that the text is, within the bounds of the option. */
static ph_status read_value(const ph_option *option, const char *text, double *value, ph_error *err)
{
    ph_status status;
    int64_t count = 0;
    if (option->type == PH_OPTION_CHOICE)
        return read_choice(option, text, value, err);
    if (option->type == PH_OPTION_COUNT) {
        status = ph_parse_count(text, &count);
        *value = (double)count;
    } else {
        status = ph_parse_number(text, value);
    }
    if (status)
        return ph_fail(err, status == PH_E_PARSE ? PH_E_INVALID : status,
                       "option \"%s\": \"%.60s\" is not a finite %snumber", option->name, text,
                       option->type == PH_OPTION_COUNT ? "whole " : "");
    if (*value < option->min || *value > option->max)
        return ph_fail(err, PH_E_RANGE, "option \"%s\": %g is outside %g ... %g %s", option->name, *value,
                       option->min, option->max, option->unit ? option->unit : "");
    return PH_OK;
}

ph_status ph_method_options(const ph_method *method, const ph_setting *settings, size_t n, double *values,
                            ph_error *err)
{
    if (!method)
        return ph_not_found(err, "method", "ph_method_find");
    for (size_t i = 0; i < method->n_options; i++)
        values[i] = method->options[i].initial;
    for (size_t i = 0; i < n; i++) {
        if (!settings[i].name || !settings[i].value)
            return ph_fail(err, PH_E_INVALID, "setting %zu has no name or no value", i);
        const ph_option *option = find_option(method, settings[i].name, err);
        if (!option)
            return PH_E_UNKNOWN;
        ph_status status = read_value(option, settings[i].value, &values[option - method->options], err);
        if (status)
            return status;
    }
    return PH_OK;
}
