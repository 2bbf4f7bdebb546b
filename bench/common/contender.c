/* SPDX-License-Identifier: BSD-3-Clause */
/* Contenders: METHOD:option=value:... read, and set at the start. */
#include "contender.h"
#include "bench/rivals/rivals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ph_status contender_parse(contender *c, const char *text, ph_error *err)
{
    double values[CONTENDER_OPTIONS];
    *c = (contender){0};
    if (strlen(text) >= sizeof c->words)
        return ph_fail(err, PH_E_SIZE, "the method \"%.40s...\" is too long", text);
    strcpy(c->label, text);
    strcpy(c->words, text);
    char *rest = strchr(c->words, ':');
    if (rest)
        *rest++ = '\0';
    c->method = rival_find(c->words);
    if (!c->method)
        c->method = ph_method_find(c->words, err);
    if (!c->method)
        return PH_E_UNKNOWN;
    while (rest) {
        char *option = rest, *value = strchr(option, '=');
        rest = strchr(option, ':');
        if (rest)
            *rest++ = '\0';
        if (!value || (rest && value >= rest) || c->n_settings == CONTENDER_SETTINGS)
            return ph_fail(err, PH_E_INVALID, "\"%s\": write METHOD:option=value:option=value", text);
        *value++ = '\0';
        c->settings[c->n_settings++] = (ph_setting){option, value};
    }
    if (c->method->n_options > sizeof values / sizeof values[0])
        return ph_fail(err, PH_E_SIZE, "method %s has too many options", c->method->name);
    return ph_method_options(c->method, c->settings, c->n_settings, values, err);
}

ph_status contender_parse_all(contender **list, const char *const *names, size_t n, ph_error *err)
{
    ph_status status = PH_OK;
    *list = calloc(n + 1, sizeof **list);
    if (!*list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++)
        status = contender_parse(&(*list)[i], names[i], err);
    return status;
}

const ph_option *contender_option(const ph_method *method, const char *name)
{
    for (size_t i = 0; i < method->n_options; i++)
        if (!strcmp(method->options[i].name, name))
            return &method->options[i];
    return NULL;
}

void contender_write(const contender *c, double tolerance, double absolute, char text[CONTENDER_TEXT])
{
    bool has_absolute = false;
    int n = snprintf(text, CONTENDER_TEXT, "%s", c->method->name);
    for (size_t i = 0; i < c->n_settings && n < CONTENDER_TEXT; i++) {
        const ph_setting *s = &c->settings[i];
        has_absolute |= !strcmp(s->name, "atol");
        if (strcmp(s->name, "rtol"))
            n += snprintf(text + n, (size_t)(CONTENDER_TEXT - n), ":%s=%s", s->name, s->value);
        else if (!(tolerance > 0))
            n += snprintf(text + n, (size_t)(CONTENDER_TEXT - n), ":rtol");
    }
    if (tolerance > 0 && n < CONTENDER_TEXT)
        n += snprintf(text + n, (size_t)(CONTENDER_TEXT - n), ":rtol=%.4g", tolerance);
    if (tolerance > 0 && n < CONTENDER_TEXT && !has_absolute && contender_option(c->method, "atol"))
        snprintf(text + n, (size_t)(CONTENDER_TEXT - n), ":atol=%.4g", tolerance * absolute);
}

double contender_tolerance(const contender *c)
{
    double values[CONTENDER_OPTIONS];
    if (!ph_method_options(c->method, c->settings, c->n_settings, values, NULL))
        for (size_t i = 0; i < c->method->n_options; i++)
            if (!strcmp(c->method->options[i].name, "rtol"))
                return values[i];
    return NAN;
}

bool contender_is_adaptive(const contender *c)
{
    return contender_tolerance(c) > 0;
}

motion motion_of(const ph_scenario *scenario)
{
    return (motion){ph_scenario_system(scenario), ph_scenario_time(scenario),
                    ph_scenario_configuration(scenario), ph_scenario_momentum(scenario)};
}

ph_status contender_restart(const ph_integrator *it, ph_state *state, const motion *m)
{
    return ph_state_set(it, state, m->time, m->z, m->p, PH_STRICT, NULL);
}

ph_status contender_start(const contender *c, const motion *m, double h, ph_integrator **it, ph_state **state,
                          ph_error *err)
{
    *it = NULL;
    *state = NULL;
    ph_status status = ph_integrator_create(m->system, c->method, h, c->settings, c->n_settings, it, err);
    if (!status)
        status = ph_state_create(*it, state, err);
    if (!status)
        status = ph_state_set(*it, *state, m->time, m->z, m->p, PH_STRICT, err);
    if (status) {
        ph_state_free(*state);
        ph_integrator_free(*it);
        *it = NULL;
        *state = NULL;
    }
    return status;
}
