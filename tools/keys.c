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

static json_object *map_node(builder *b, const ph_scenario_map *map)
{
    json_object *o = build_object(b), *keys = build_array(b);
    build_add(b, o, "name", build_text(b, map->name));
    for (size_t i = 0; i < map->n_keys; i++) {
        json_object *key = build_object(b);
        build_add(b, key, "name", build_text(b, map->keys[i].name));
        build_add(b, key, "value", build_text(b, map->keys[i].value));
        build_add(b, key, "default", build_text(b, map->keys[i].initial));
        build_add(b, key, "text", build_text(b, map->keys[i].text));
        build_append(b, keys, key);
    }
    build_add(b, o, "keys", keys);
    return o;
}

static int print_json(void)
{
    builder b = {0};
    json_object *list = build_array(&b);
    for (size_t i = 0; i < ph_scenario_maps(); i++)
        build_append(&b, list, map_node(&b, ph_scenario_map_at(i)));
    return print_list(&b, list, "maps");
}

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
    return complain(EXIT_INPUT, "%s", err.message);
}

static int run_keys(void *pointer)
{
    const arguments *a = pointer;
    size_t printed = 0;
    if (a->json && a->key)
        return complain(EXIT_INPUT, "--json prints all keys, and takes none");
    if (a->json)
        return print_json();
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
