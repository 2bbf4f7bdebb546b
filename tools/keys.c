/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode keys: the keys of a scenario, printed from the tables by which they are read. */
#include "program.h"

#include <stdio.h>
#include <string.h>

static void print_map(const ph_scenario_map *map)
{
    printf(*map->name ? "%s:\n" : "%sA scenario:\n", map->name);
    for (size_t i = 0; i < map->n_keys; i++) {
        const ph_scenario_key *k = &map->keys[i];
        printf("  %-14s %s; %s%s\n        %s\n", k->name, k->value, k->initial ? "default: " : "required",
               k->initial ? k->initial : "", k->text);
    }
}

static const void *next_map(const void *none, size_t *i, void *room)
{
    (void)none, (void)room;
    return ph_scenario_map_at((*i)++);
}

static const result_field key_fields[] = {{"name", RESULT_AT(WORD, ph_scenario_key, name)},
                                          {"value", RESULT_AT(WORD, ph_scenario_key, value)},
                                          {"default", RESULT_AT(WORD, ph_scenario_key, initial)},
                                          {"text", RESULT_AT(WORD, ph_scenario_key, text)},
                                          {.name = NULL}};
static const result_rows keys = {key_fields, RESULT_LIST(ph_scenario_map, keys, n_keys)};
static const result_field map_fields[] = {
    {"name", RESULT_AT(WORD, ph_scenario_map, name)}, {"keys", RESULT_ROWS, .rows = &keys}, {.name = NULL}};
static const result_rows maps = {map_fields, .next = next_map};

typedef struct arguments {
    const char *key; /* the key whose map it is, or NULL */
    bool json;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"KEY", 0, "key", AT(OPERAND, key), .text = "show the keys below this one, as output (default: all)"},
    {"json", 0, NULL, AT(FLAG, json), .text = "print all keys as JSON"},
    {.name = NULL}};

/* The maps by name, "" being the scenario itself. */
static int refuse_key(const char *name)
{
    const char *names[16];
    size_t n = 0;
    ph_error err;
    for (size_t i = 1; i < ph_scenario_maps() && n < 16; i++)
        names[n++] = ph_scenario_map_at(i)->name;
    ph_fail_unknown(&err, "key with keys of its own", name, names, n);
    return complain_of(EXIT_INPUT, &err);
}

static int run_keys(void *pointer)
{
    const arguments *a = pointer;
    builder b = {0};
    size_t printed = 0;
    if (a->json && a->key)
        return complain(EXIT_INPUT, "--json prints all keys, and takes none");
    if (a->json)
        return print_list(&b, result_array(&b, &maps, NULL), "maps");
    for (size_t i = 0; i < ph_scenario_maps(); i++) {
        const ph_scenario_map *map = ph_scenario_map_at(i);
        if (a->key && (!*a->key || strcmp(a->key, map->name)))
            continue;
        if (printed++)
            putchar('\n');
        print_map(map);
    }
    return printed ? EXIT_OK : refuse_key(a->key);
}

const command_row command_keys = {.name = "keys",
                                  .summary = "list the keys of a scenario, with their values and defaults",
                                  .about =
                                      "List the keys of a scenario, with their values, defaults and meaning.",
                                  .exits = {{0, "done"}, {2, "wrong usage or an unknown key"}},
                                  .options = options,
                                  .size = sizeof(arguments),
                                  .run = run_keys};
