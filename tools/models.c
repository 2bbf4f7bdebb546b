/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode models: the catalogue of models, printed from its own table. */
#include "program.h"

#include <stdio.h>

static void print_parameter(const ph_parameter *p)
{
    static const char *const kinds[] = {"number",     "count",      "[x, y, z]",      "[x, y, z] or g",
                                        "one a link", "one a body", "list of bodies", "[w, x, y, z]"};
    const size_t n = ph_parameter_numbers(p->kind);
    printf("    %-22s %-15s %-10s ", p->name, kinds[p->kind], p->unit ? p->unit : "");
    if (p->kind == PH_PARAMETER_BODIES)
        printf("default as in the preset");
    else
        fputs("default ", stdout);
    for (size_t k = 0; k < n && p->kind != PH_PARAMETER_BODIES; k++)
        printf("%s%g%s", k ? ", " : n > 1 ? "[" : "", p->initial[k], n > 1 && k + 1 == n ? "]" : "");
    printf("\n        %s\n", p->text);
}

static void print_model(const ph_model *model)
{
    printf("%s: %s\n  %s\n  Parameters:\n", model->name, model->summary, model->reference);
    for (size_t i = 0; i < model->n_parameters; i++)
        print_parameter(&model->parameters[i]);
    printf("  Initial conditions (initial: {preset: NAME}):\n");
    for (size_t i = 0; i < model->n_presets; i++)
        printf("    %-22s %s%s%s\n", model->presets[i].name, model->presets[i].text, i ? "" : " (default)",
               i && i == model->start ? " (polhode new)" : "");
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static result_value kind_of(const void *row)
{
    static const char *const kinds[] = {
        [PH_PARAMETER_NUMBER] = "number",     [PH_PARAMETER_COUNT] = "count",
        [PH_PARAMETER_VECTOR] = "vector",     [PH_PARAMETER_GRAVITY] = "gravity",
        [PH_PARAMETER_PER_LINK] = "per-link", [PH_PARAMETER_PER_BODY] = "per-body",
        [PH_PARAMETER_BODIES] = "bodies",     [PH_PARAMETER_QUATERNION] = "quaternion"};
    return value_word(kinds[((const ph_parameter *)row)->kind]);
}

static json_object *initial_of(builder *b, const void *row)
{
    const ph_parameter *p = row;
    const size_t n = ph_parameter_numbers(p->kind);
    if (p->kind == PH_PARAMETER_BODIES)
        return build_text(b, "those of the preset");
    return n > 1 ? build_numbers(b, p->initial, n) : build_number(b, p->initial[0]);
}

static json_object *presets_of(builder *b, const void *row)
{
    const ph_model *model = row;
    json_object *presets = build_array(b);
    for (size_t i = 0; i < model->n_presets; i++) {
        json_object *preset = build_object(b);
        build_add(b, preset, "name", build_text(b, model->presets[i].name));
        build_add(b, preset, "text", build_text(b, model->presets[i].text));
        build_add(b, preset, "start", build_flag(b, i == model->start));
        build_append(b, presets, preset);
    }
    return presets;
}

/* The one model, or where it is NULL all of them. */
static const void *next_model(const void *one, size_t *i, void *room)
{
    (void)room;
    return !one ? ph_model_at((*i)++) : (*i)++ ? NULL : one;
}

#define PARAMETER(type, member) RESULT_AT(type, ph_parameter, member)
static const result_field parameter_fields[] = {
    {"name", PARAMETER(WORD, name)}, {"kind", RESULT_MADE, .value = kind_of},
    {"unit", PARAMETER(WORD, unit)}, {"default", RESULT_NODE, .node = initial_of},
    {"min", PARAMETER(BOUND, min)},  {"max", PARAMETER(BOUND, max)},
    {"text", PARAMETER(WORD, text)}, {.name = NULL}};
static const result_rows parameters = {parameter_fields, RESULT_LIST(ph_model, parameters, n_parameters)};
static const result_field model_fields[] = {
    {"name", RESULT_AT(WORD, ph_model, name)},           {"summary", RESULT_AT(WORD, ph_model, summary)},
    {"reference", RESULT_AT(WORD, ph_model, reference)}, {"parameters", RESULT_ROWS, .rows = &parameters},
    {"presets", RESULT_NODE, .node = presets_of},        {.name = NULL}};
static const result_rows models = {model_fields, .next = next_model};

typedef struct arguments {
    const char *name; /* or NULL */
    bool quiet, json;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"MODEL", 0, "model", AT(OPERAND, name), .text = "show this one (default: list all)"},
    {"quiet", 'q', NULL, AT(FLAG, quiet),
     .text = "print nothing: the exit status reports whether the model exists"},
    {"json", 0, NULL, AT(FLAG, json), .text = "print everything as JSON"},
    {.name = NULL}};

static int run_models(void *pointer)
{
    const arguments *a = pointer;
    builder b = {0};
    ph_error err;
    const ph_model *model = a->name ? ph_model_find(a->name, &err) : NULL;
    if (a->name && !model)
        return complain_of(EXIT_INPUT, &err);
    if (a->json)
        return print_list(&b, result_array(&b, &models, model), "models");
    if (a->quiet)
        return EXIT_OK;
    if (model)
        print_model(model);
    for (size_t i = 0; i < ph_models() && !model; i++)
        printf("%-28s %s\n", ph_model_at(i)->name, ph_model_at(i)->summary);
    return EXIT_OK;
}

const command_row command_models = {
    .name = "models",
    .summary = "list the models, or show one with its parameters and presets",
    .about = "List the models, or show one with its parameters and initial conditions.",
    .exits = {{0, "done"}, {2, "wrong usage or an unknown model"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_models};
