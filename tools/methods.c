/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode methods: the catalogue of methods, printed from its own table. (Advice on methods is in advise.c.) */
#include "program.h"

#include "bench/common/scenario-input.h"

#include <stdio.h>
#include <string.h>

static const struct {
    unsigned bit;
    const char *key, *words;
} claims_of[] = {{PH_CLAIM_SYMPLECTIC, "symplectic", "symplectic"},
                 {PH_CLAIM_SYMMETRIC, "symmetric", "symmetric"},
                 {PH_CLAIM_MOMENTUM, "momentum", "keeps momentum maps"},
                 {PH_CLAIM_MANIFOLD, "manifold", "stays on the manifold"},
                 {PH_CLAIM_IMPLICIT, "implicit", "implicit"},
                 {PH_CLAIM_ADAPTIVE, "adaptive", "error by tolerance (rtol), not by step"},
                 {PH_CLAIM_MULTISTEP, "multistep", "continues from several points"}};
enum { CLAIMS = sizeof claims_of / sizeof claims_of[0] };

static void print_claims(unsigned claims)
{
    int printed = 0;
    for (size_t i = 0; i < CLAIMS; i++)
        if (claims & claims_of[i].bit)
            printf("%s%s", printed++ ? ", " : "", claims_of[i].words);
    puts(printed ? "" : "none but its order");
}

/* copy <- the next word of the choices at *at; false behind the last. */
static bool next_choice(const char **at, char copy[64])
{
    const size_t n = strcspn(*at, " ");
    snprintf(copy, 64, "%.*s", (int)n, *at);
    *at += n + strspn(*at + n, " ");
    return n > 0;
}

/* The words of a choice, the default marked. */
static void print_choices(const ph_option *o)
{
    char word[64];
    const char *at = o->choices;
    printf("one of:");
    for (int position = 0; next_choice(&at, word); position++)
        printf(" %s%s", word, position == (int)o->initial ? " (default)" : "");
    putchar('\n');
}

/* The highest of the option `order`, or the order that there is. */
static int highest_order(const ph_method *method)
{
    int highest = method->order;
    char word[64];
    for (size_t i = 0; i < method->n_options; i++) {
        const char *at = strcmp(method->options[i].name, "order") ? "" : method->options[i].choices;
        while (next_choice(&at, word)) /* 0: automatic */
            highest = atoi(word) > highest ? atoi(word) : highest;
    }
    return highest;
}

static void print_order(const ph_method *method)
{
    printf(highest_order(method) > method->order ? "%d to %d" : "%d", method->order, highest_order(method));
}

static void print_method(const ph_method *method)
{
    printf("%s: %s\n  order   ", method->name, method->summary);
    print_order(method);
    fputs(method->order_for ? ", by the options: see there\n  claims  " : "\n  claims  ", stdout);
    print_claims(method->claims);
    if (method->claims_for)
        puts("          more on some systems or with some options");
    printf("  source  %s\n", method->reference);
    for (size_t i = 0; i < method->n_options; i++) {
        const ph_option *o = &method->options[i];
        printf("%s    %-12s %s\n        ", i ? "" : "  Options (method: {name: ..., OPTION: VALUE}):\n",
               o->name, o->text);
        if (o->type == PH_OPTION_CHOICE)
            print_choices(o);
        else
            printf("%g ... %g %s; default %g\n", o->min, o->max, o->unit ? o->unit : "", o->initial);
    }
}

/* The words of a choice; *initial <- the one that is its default. */
static json_object *choices_node(builder *b, const ph_option *o, json_object **initial)
{
    json_object *list = build_array(b);
    char word[64];
    const char *at = o->choices;
    for (int position = 0; next_choice(&at, word); position++) {
        build_append(b, list, build_text(b, word));
        if (position == (int)o->initial)
            *initial = build_text(b, word);
    }
    return build_on_one_line(b, list);
}

static json_object *option_node(builder *b, const ph_option *option)
{
    json_object *o = build_object(b), *initial = NULL;
    build_add(b, o, "name", build_text(b, option->name));
    build_add(b, o, "text", build_text(b, option->text));
    if (option->type == PH_OPTION_CHOICE) {
        build_add(b, o, "choices", choices_node(b, option, &initial));
        build_add(b, o, "default", initial);
    } else {
        build_add(b, o, "min", build_bound(b, option->min));
        build_add(b, o, "max", build_bound(b, option->max));
        build_add(b, o, "unit", build_text(b, option->unit));
        build_add(b, o, "default", build_number(b, option->initial));
    }
    return o;
}

static json_object *method_node(builder *b, const ph_method *method)
{
    json_object *o = build_object(b), *claims = build_object(b), *options = build_array(b);
    build_add(b, o, "name", build_text(b, method->name));
    build_add(b, o, "summary", build_text(b, method->summary));
    build_add(b, o, "reference", build_text(b, method->reference));
    build_add(b, o, "order", build_count(b, method->order));
    build_add(b, o, "order_varies", build_flag(b, method->order_for != NULL));
    for (size_t i = 0; i < CLAIMS; i++)
        build_add(b, claims, claims_of[i].key, build_flag(b, (method->claims & claims_of[i].bit) != 0));
    build_add(b, o, "claims", claims);
    for (size_t i = 0; i < method->n_options; i++)
        build_append(b, options, option_node(b, &method->options[i]));
    build_add(b, o, "options", options);
    return o;
}

static int print_json(const ph_method *one)
{
    builder b = {0};
    json_object *list = build_array(&b);
    for (size_t i = 0; i < ph_methods(); i++)
        if (!one || ph_method_at(i) == one)
            build_append(&b, list, method_node(&b, ph_method_at(i)));
    return print_list(&b, list, "methods");
}

#define AT(kind, member) OPTION_AT(kind, methods_arguments, member)
static const option_row options[] = {
    {"METHOD", 0, "method", AT(OPERAND, name), .text = "show this one (default: list all)"},
    {"advise", 0, "FILE", AT(TEXT, file), .text = "the scenario; its own method is ignored"},
    {"accuracy", 0, "X", AT(POSITIVE, accuracy),
     .text =
         "required until the horizon, of the trajectory (largest error of a coordinate, of a length relative to the largest) and of the energy (default: 1e-6, or the scenario's)"},
    {"horizon", 0, "TIME", AT(POSITIVE_TIME, horizon),
     .text = "in s from the start (default: the scenario's duration)"},
    {"budget", 0, "TIME", AT(POSITIVE_TIME, budget),
     .text =
         "CPU time in s that the search may take, by counted work (default: 10); with less, less of the motion is seen and expensive methods are tried less"},
    {"timed", 0, NULL, AT(FLAG, timed),
     .text =
         "measure the time of a step of those that meet the accuracy, and rank by it; without, by counted work, which is the same each time"},
    SET_OPTION(methods_arguments, set),
    {"quiet", 'q', NULL, AT(FLAG, quiet),
     .text =
         "print nothing: the exit status reports whether the method exists; with --advise print only the recommendation, as lines of a scenario"},
    {"json", 0, NULL, AT(FLAG, json), .text = "print everything as JSON"},
    {.name = NULL}};

static int run_methods(void *pointer)
{
    const methods_arguments *a = pointer;
    ph_error err;
    if (a->file && a->name)
        return complain(EXIT_INPUT, "--advise takes one scenario file and no method");
    if (!a->file && (a->accuracy > 0 || a->horizon > 0 || a->budget > 0 || a->timed || a->set.n))
        return complain(EXIT_INPUT,
                        "--accuracy, --horizon, --budget, --timed and --set belong to --advise FILE");
    if (a->file)
        return give_advice(a);
    const ph_method *method = a->name ? ph_method_find(a->name, &err) : NULL;
    if (a->name && !method)
        return complain_of(EXIT_INPUT, &err);
    if (a->json)
        return print_json(method);
    if (a->quiet)
        return EXIT_OK;
    if (method)
        print_method(method);
    for (size_t i = 0; i < ph_methods() && !method; i++) {
        const ph_method *m = ph_method_at(i);
        printf("%-16s order ", m->name);
        print_order(m);
        printf("%s  %s\n", highest_order(m) > m->order ? "" : "     ", m->summary);
    }
    return EXIT_OK;
}

const command_row command_methods = {
    .name = "methods",
    .summary =
        "list the methods, or show one with its options; or measure which method and step suit a scenario",
    .about =
        "List the methods, or show one with its claims and options. Or, with --advise, follow the motion of a "
        "scenario with each of them, and recommend one, its options and its step: the one that costs least for the "
        "error of the trajectory, and the one for the energy over the whole run.",
    .exits = {{0, "done; with --advise, something is recommended"},
              {1, "with --advise: nothing that was tried is good enough"},
              {2, "wrong usage, an unknown method, or a mistake in the scenario"},
              {130, "interrupted"}},
    .form = "--advise FILE",
    .options = options,
    .size = sizeof(methods_arguments),
    .run = run_methods};
