/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario's text is read, edited as the command line says, and parsed. */
#include "scenario-input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [bytes] more than any scenario; what is longer is refused when it is parsed. */
enum { LONGEST = (64 << 20) + 1 };

const char *scenario_name(const char *file)
{
    return strcmp(file, "-") ? file : STANDARD_INPUT;
}

/* The whole stream; *text is malloc's. */
static ph_status drain(FILE *in, const char *name, char **text, size_t *length, ph_error *err)
{
    size_t room = 0, got = 1;
    *text = NULL;
    *length = 0;
    while (got && *length < LONGEST) {
        if (*length == room) {
            room = 2 * room + 65536;
            char *larger = realloc(*text, room);
            if (!larger)
                return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
            *text = larger;
        }
        got = fread(*text + *length, 1, room - *length, in);
        *length += got;
    }
    return ferror(in) ? ph_fail(err, PH_E_IO, "%.300s: cannot be read: %s", name, strerror(errno)) : PH_OK;
}

static ph_status read_text(const char *file, char **text, size_t *length, ph_error *err)
{
    if (!strcmp(file, "-"))
        return drain(stdin, STANDARD_INPUT, text, length, err);
    FILE *in = fopen(file, "rbe");
    *text = NULL;
    if (!in)
        return ph_fail(err, PH_E_IO, "%.300s: cannot be opened: %s", file, strerror(errno));
    ph_status status = drain(in, file, text, length, err);
    fclose(in);
    return status;
}

/* The text with this value instead of its own; NULL: without the key. */
static ph_status edit_text(char **text, size_t *length, const char *key, const char *value, ph_error *err)
{
    char *edited = NULL;
    ph_status status = ph_scenario_edit(*text, *length, key, value, &edited, err);
    if (status)
        return status;
    free(*text);
    *text = edited;
    *length = strlen(edited);
    return PH_OK;
}

/* The message, which begins with `words`. */
static ph_status prefix(ph_error *err, ph_status status, const char *option, const char *words)
{
    const ph_error why = *err;
    return ph_fail(err, status, "%s %.200s: %.800s", option, words, why.message);
}

/* Of the keys of a group a scenario has one: the one that is set takes the place of the others. */
static ph_status drop_others(char **text, size_t *length, const char *key, ph_error *err)
{
    enum { GROUPS = 2, MOST = 4 };
    static const char *const groups[GROUPS][MOST] = {
        {"steps", "duration"}, {"output.every", "output.interval", "output.per-decade", "output.at"}};
    ph_status status = PH_OK;
    for (size_t g = 0; g < GROUPS; g++) {
        bool inside = false;
        for (size_t i = 0; i < MOST && groups[g][i]; i++)
            inside = inside || !strcmp(key, groups[g][i]);
        for (size_t i = 0; i < MOST && groups[g][i] && inside && !status; i++)
            if (strcmp(key, groups[g][i]))
                status = edit_text(text, length, groups[g][i], NULL, err);
    }
    return status;
}

/* KEY=VALUE; the value null removes the key. */
static ph_status set_value(char **text, size_t *length, const char *words, ph_error *err)
{
    const char *equals = strchr(words, '=');
    if (!equals || equals == words)
        return ph_fail(err, PH_E_INVALID,
                       "--set %.200s: KEY=VALUE is expected, as step=0.01 or method.order=6", words);
    char *key = strndup(words, (size_t)(equals - words));
    if (!key)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const char *value = strcmp(equals + 1, "null") ? equals + 1 : NULL;
    ph_status status = edit_text(text, length, key, value, err);
    if (!status && value) /* behind it, so that a map is never empty */
        status = drop_others(text, length, key, err);
    free(key);
    return status ? prefix(err, status, "--set", words) : PH_OK;
}

/* Does one of `set` give this top-level key, or something below it? */
static bool gives(const option_texts *set, const char *key)
{
    const size_t n = strlen(key);
    for (size_t i = 0; i < set->n; i++)
        if (!strncmp(set->at[i], key, n) && (set->at[i][n] == '=' || set->at[i][n] == '.'))
            return true;
    return false;
}

/* The accuracy, without what is to be chosen for it. */
static ph_status set_accuracy(char **text, size_t *length, const option_texts *set, double accuracy,
                              ph_error *err)
{
    static const char *const chosen[] = {"method", "step"};
    char number[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, accuracy);
        if (strtod(number, NULL) == accuracy)
            break;
    }
    ph_status status = edit_text(text, length, "accuracy.value", number, err);
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0] && !status; i++)
        if (!gives(set, chosen[i]))
            status = edit_text(text, length, chosen[i], NULL, err);
    return status ? prefix(err, status, "--accuracy", number) : PH_OK;
}

/* Which of `set` the message is about, by the key that it names; or all. */
static ph_status blame(const option_texts *set, double accuracy, ph_status status, ph_error *err)
{
    char words[200] = "", key[100];
    for (size_t i = 0; i < set->n; i++) {
        snprintf(key, sizeof key, ": %.*s", (int)strcspn(set->at[i], "="), set->at[i]);
        if (strstr(err->message, key))
            return prefix(err, status, "--set", set->at[i]);
    }
    if (accuracy > 0 && strstr(err->message, ": accuracy"))
        return prefix(err, status, "--accuracy", "in the scenario");
    for (size_t i = 0, used = 0; i < set->n && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "", set->at[i]);
    return set->n ? prefix(err, status, "with --set", words) : status;
}

ph_status scenario_text(const char *file, const option_texts *set, double accuracy, char **text,
                        size_t *length, ph_error *err)
{
    ph_status status = read_text(file, text, length, err);
    for (size_t i = 0; i < set->n && !status; i++)
        status = set_value(text, length, set->at[i], err);
    if (!status && accuracy > 0)
        status = set_accuracy(text, length, set, accuracy, err);
    return status;
}

ph_status scenario_read(const char *file, const option_texts *set, double accuracy, ph_scenario **scenario,
                        ph_error *err)
{
    char *text = NULL;
    size_t length = 0;
    if (strcmp(file, "-") != 0 && !set->n && !(accuracy > 0))
        return ph_scenario_load(file, scenario, err);
    ph_status status = scenario_text(file, set, accuracy, &text, &length, err);
    if (!status && (status = ph_scenario_parse_at(text, length, scenario_name(file), scenario, err)))
        status = blame(set, accuracy, status, err);
    free(text);
    return status;
}

/* *text <- that of the member, which is made before, as its messages have the positions in the file. */
static ph_status take_member(ph_members *all, int64_t member, char **text, size_t *length, ph_error *err)
{
    ph_scenario *made = NULL;
    char *alone = NULL;
    ph_status status = ph_members_make(all, member, &made, err);
    ph_scenario_free(made);
    if (!status)
        status = ph_members_text(all, member, &alone, err);
    if (status)
        return status;
    free(*text);
    *text = alone;
    *length = strlen(alone);
    return PH_OK;
}

ph_status scenario_read_member(const char *file, const option_texts *set, double accuracy, int64_t member,
                               int64_t *members, ph_scenario **scenario, ph_error *err)
{
    char *text = NULL;
    size_t length = 0;
    ph_members *all = NULL;
    ph_status status = scenario_text(file, set, accuracy, &text, &length, err);
    if (!status && !(status = ph_members_open(text, length, scenario_name(file), &all, err))) {
        const bool any = ph_members_columns(all) > 0;
        if (members)
            *members = any ? ph_members_count(all) : 0;
        if (any || member)
            status = take_member(all, member, &text, &length, err);
        ph_members_free(all);
    }
    if (!status)
        status = ph_scenario_parse_at(text, length, scenario_name(file), scenario, err);
    if (status)
        status = blame(set, accuracy, status, err);
    free(text);
    return status;
}
