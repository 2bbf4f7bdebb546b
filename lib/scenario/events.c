/* SPDX-License-Identifier: BSD-3-Clause */
/* events: a list of maps, as in {name: upright, when: q1z, crosses: 0, direction: up, action: record}. A
 * column and a level make the function whose zeros are looked for. */
#include "parts.h"

#include <polhode/kit/text.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The number is limited as names are compared pair by pair, their length as they appear in tables and
 * messages. */
enum { MOST_EVENTS = 256, LONGEST_NAME = 63 };

/* *value <- the position of the word at the node, which is one of the words. */
static ph_status read_word(const ph_node *at, const char *expected, const char *const *words, size_t n,
                           size_t *value, ph_error *err)
{
    const char *text;
    char shown[64];
    ph_status status = ph_node_text(at, expected, &text, err);
    for (*value = 0; !status && *value < n; ++*value)
        if (!strcmp(text, words[*value]))
            return PH_OK;
    if (status)
        return status;
    ph_fail_unknown(err, "word", ph_text_show(shown, sizeof shown, text), words, n);
    return ph_node_blame(at, err, PH_E_UNKNOWN);
}

/* Names stand in tables and messages, unquoted. */
static bool is_plain(const char *name)
{
    for (const char *s = name; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("-_.", *s))
            return false;
    return strlen(name) <= LONGEST_NAME;
}

/* *name <- of the document, unique among the events before. */
static ph_status read_name(const ph_scenario *s, const ph_node *at, const char **name, ph_error *err)
{
    ph_status status = ph_node_text(at, "a name", name, err);
    if (status)
        return status;
    if (!is_plain(*name))
        return ph_node_fail(at, err, PH_E_PARSE,
                            "is not a name; at most %d letters, digits, and characters of -_. are expected",
                            LONGEST_NAME);
    for (size_t i = 0; i < s->n_events; i++)
        if (!strcmp(*name, s->events[i].name))
            return ph_node_fail(at, err, PH_E_PARSE,
                                "is the name of events[%zu] as well; a unique name is expected", i);
    return PH_OK;
}

/* NULL, and *status, without memory. */
static char *copy_text(const char *text, ph_status *status, ph_error *err)
{
    char *copy = strdup(text);
    if (!copy)
        *status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return copy;
}

enum { NAME, WHEN, CROSSES, DIRECTION, ACTION, KEYS };
static const ph_scenario_key keys[KEYS] = {
    [NAME] = {"name", "a name", NULL,
              "A name that no other event has: at most 63 letters, digits, `-`, `_`, `.`"},
    [WHEN] =
        {"when", "the name of a column", NULL,
         "A formula, of a system of formulas, or a column that belongs to a state: `t`, `q1x`, `energy`, a momentum map, ... Not `energy_error` and "
         "`newton_passes`, which belong to a run."},
    [CROSSES] = {"crosses", "a number in the unit of the column", "0", "The value that the column crosses."},
    [DIRECTION] = {"direction", "`up`, `down` or `both`", "`both`",
                   "Whether the column rises or falls there, along the run."},
    [ACTION] = {"action", "`record` or `stop`", "`record`",
                "With `stop` the run ends with the step in which the event was found."}};
const ph_scenario_map ph_event_keys = {"events", keys, KEYS};

/* Appends an event; ph_event_check judges its column. */
static ph_status read_event(ph_scenario *s, const ph_node *at, ph_error *err)
{
    static const char *const directions[] = {"down", "both", "up"}, *const actions[] = {"record", "stop"};
    ph_event event = {.direction = 0};
    ph_node values[KEYS];
    size_t word;
    ph_status status =
        ph_node_keys(at, "a map, as in {name: upright, when: q1z},", &ph_event_keys, values, err);
    for (size_t i = NAME; i <= WHEN && !status; i++)
        if (!values[i].node)
            status = ph_node_fail(
                at, err, PH_E_PARSE,
                "the key \"%s\" is missing; it is required, as in {name: upright, when: q1z}", keys[i].name);
    if (!status)
        status = read_name(s, &values[NAME], &event.name, err);
    if (!status)
        status = ph_node_text(&values[WHEN], "the name of a column", &event.column, err);
    if (!status && values[CROSSES].node)
        status = ph_node_number(&values[CROSSES], "a number", &event.level, err);
    if (!status && values[DIRECTION].node) {
        status = read_word(&values[DIRECTION], "up, down or both", directions, 3, &word, err);
        event.direction = (int)word - 1;
    }
    if (!status && values[ACTION].node) {
        status = read_word(&values[ACTION], "record or stop", actions, 2, &word, err);
        event.action = word ? PH_EVENT_STOP : PH_EVENT_RECORD;
    }
    if (status)
        return status;
    status = ph_event_check(s->system, &event, err);
    if (status == PH_E_UNKNOWN && s->whole && ph_system_columns(s->whole))
        return ph_node_fail(
            &values[WHEN], err, status,
            "is \"%.60s\", and formulas and columns of the model are those of the whole system, not of the reduced "
            "one: name a column that this has, as phase or q1z",
            event.column);
    if (status)
        return ph_node_blame(&values[WHEN], err, status);
    event.name = copy_text(event.name, &status, err);
    event.column = copy_text(event.column, &status, err);
    s->events[s->n_events++] = event;
    return status;
}

ph_status ph_read_events(ph_reading *r, const ph_node *at, ph_error *err)
{
    ph_scenario *s = r->scenario;
    size_t n = 0;
    if (!at->node)
        return PH_OK;
    ph_status status = ph_node_list(at, "a list of events, as in [{name: upright, when: q1z}],", &n, err);
    if (status)
        return status;
    if (n > MOST_EVENTS)
        return ph_node_fail(at, err, PH_E_SIZE, "has %zu events; at most %d are allowed", n, MOST_EVENTS);
    s->events = calloc(n + 1, sizeof *s->events);
    if (!s->events)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node item = ph_node_item(at, i);
        status = read_event(s, &item, err);
    }
    return status;
}
