/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode models, polhode methods: the catalogues, printed from their own tables. */
#include "command.h"

#include <stdio.h>
#include <string.h>

static int wants_help(int argc, char **argv, const char *usage)
{
    if (argc < 2 || (strcmp(argv[1], "--help") && strcmp(argv[1], "-h")))
        return 0;
    fputs(usage, stdout);
    return 1;
}

/* ---- Models ------------------------------------------------------------------------------------- */

static void print_parameter(const ph_parameter *p)
{
    static const char *const kinds[] = {"number", "count", "[x, y, z]", "[x, y, z] or g", "one a link", "one a body"};
    int three = p->kind == PH_PARAMETER_VECTOR || p->kind == PH_PARAMETER_GRAVITY;
    printf("    %-22s %-15s %-10s ", p->name, kinds[p->kind], p->unit ? p->unit : "");
    if (three)
        printf("default [%g, %g, %g]", p->initial[0], p->initial[1], p->initial[2]);
    else
        printf("default %g", p->initial[0]);
    printf("\n        %s\n", p->text);
}

static void print_model(const ph_model *model)
{
    printf("%s: %s\n  %s\n  Parameters:\n", model->name, model->summary, model->reference);
    for (size_t i = 0; i < model->n_parameters; i++)
        print_parameter(&model->parameters[i]);
    printf("  Initial conditions (initial: {preset: NAME}):\n");
    for (size_t i = 0; i < model->n_presets; i++)
        printf("    %-22s %s%s\n", model->presets[i].name, model->presets[i].text, i ? "" : " (default)");
}

int command_models(int argc, char **argv)
{
    if (wants_help(argc, argv,
                   "Usage: polhode models [NAME]\n"
                   "List the models, or show one with its parameters and initial conditions.\n"))
        return EXIT_OK;
    if (argc > 2)
        return complain(EXIT_INPUT, "models takes one name at most");
    if (argc == 2) {
        ph_error err;
        const ph_model *model = ph_model_find(argv[1], &err);
        if (!model)
            return complain(EXIT_INPUT, "%s", err.message);
        print_model(model);
        return EXIT_OK;
    }
    for (size_t i = 0; i < ph_models(); i++)
        printf("%-28s %s\n", ph_model_at(i)->name, ph_model_at(i)->summary);
    return EXIT_OK;
}

/* ---- Methods ------------------------------------------------------------------------------------ */

static void print_claims(unsigned claims)
{
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = {{PH_CLAIM_SYMPLECTIC, "symplectic"},
                 {PH_CLAIM_SYMMETRIC, "symmetric"},
                 {PH_CLAIM_MOMENTUM, "keeps momentum maps"},
                 {PH_CLAIM_MANIFOLD, "stays on the manifold"},
                 {PH_CLAIM_IMPLICIT, "implicit"},
                 {PH_CLAIM_ADAPTIVE, "error by tolerance (rtol), not by step"}};
    int printed = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (claims & words[i].bit)
            printf("%s%s", printed++ ? ", " : "", words[i].word);
    puts(printed ? "" : "none but its order");
}

/* The words of a choice, the default marked. */
static void print_choices(const ph_option *o)
{
    int position = 0;
    printf("one of:");
    for (const char *word = o->choices; *word; position++) {
        size_t n = strcspn(word, " ");
        printf(" %.*s%s", (int)n, word, position == (int)o->initial ? " (default)" : "");
        word += n + strspn(word + n, " ");
    }
    putchar('\n');
}

static void print_method(const ph_method *method)
{
    printf("%s: %s\n  order   %d\n  claims  ", method->name, method->summary, method->order);
    print_claims(method->claims);
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

int command_methods(int argc, char **argv)
{
    if (wants_help(argc, argv,
                   "Usage: polhode methods [NAME]\n"
                   "List the methods, or show one with its claims and options.\n"))
        return EXIT_OK;
    if (argc > 2)
        return complain(EXIT_INPUT, "methods takes one name at most");
    if (argc == 2) {
        ph_error err;
        const ph_method *method = ph_method_find(argv[1], &err);
        if (!method)
            return complain(EXIT_INPUT, "%s", err.message);
        print_method(method);
        return EXIT_OK;
    }
    for (size_t i = 0; i < ph_methods(); i++)
        printf("%-16s order %d  %s\n", ph_method_at(i)->name, ph_method_at(i)->order,
               ph_method_at(i)->summary);
    return EXIT_OK;
}
