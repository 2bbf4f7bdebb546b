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

static json_object *parameter_node(builder *b, const ph_parameter *p)
{
    static const char *const kinds[] = {
        [PH_PARAMETER_NUMBER] = "number",     [PH_PARAMETER_COUNT] = "count",
        [PH_PARAMETER_VECTOR] = "vector",     [PH_PARAMETER_GRAVITY] = "gravity",
        [PH_PARAMETER_PER_LINK] = "per-link", [PH_PARAMETER_PER_BODY] = "per-body",
        [PH_PARAMETER_BODIES] = "bodies",     [PH_PARAMETER_QUATERNION] = "quaternion"};
    const size_t n = ph_parameter_numbers(p->kind);
    json_object *o = build_object(b), *vector = n > 1 ? build_array(b) : NULL;
    for (size_t k = 0; k < n && n > 1; k++)
        build_append(b, vector, build_number(b, p->initial[k]));
    build_add(b, o, "name", build_text(b, p->name));
    build_add(b, o, "kind", build_text(b, kinds[p->kind]));
    build_add(b, o, "unit", build_text(b, p->unit));
    if (p->kind == PH_PARAMETER_BODIES)
        build_add(b, o, "default", build_text(b, "those of the preset"));
    else
        build_add(b, o, "default", n > 1 ? build_on_one_line(b, vector) : build_number(b, p->initial[0]));
    build_add(b, o, "min", build_bound(b, p->min));
    build_add(b, o, "max", build_bound(b, p->max));
    build_add(b, o, "text", build_text(b, p->text));
    return o;
}

static json_object *model_node(builder *b, const ph_model *model)
{
    json_object *o = build_object(b), *parameters = build_array(b), *presets = build_array(b);
    build_add(b, o, "name", build_text(b, model->name));
    build_add(b, o, "summary", build_text(b, model->summary));
    build_add(b, o, "reference", build_text(b, model->reference));
    for (size_t i = 0; i < model->n_parameters; i++)
        build_append(b, parameters, parameter_node(b, &model->parameters[i]));
    for (size_t i = 0; i < model->n_presets; i++) {
        json_object *preset = build_object(b);
        build_add(b, preset, "name", build_text(b, model->presets[i].name));
        build_add(b, preset, "text", build_text(b, model->presets[i].text));
        build_add(b, preset, "start", build_flag(b, i == model->start));
        build_append(b, presets, preset);
    }
    build_add(b, o, "parameters", parameters);
    build_add(b, o, "presets", presets);
    return o;
}

static int print_json(const ph_model *one)
{
    builder b = {0};
    json_object *list = build_array(&b);
    for (size_t i = 0; i < ph_models(); i++)
        if (!one || ph_model_at(i) == one)
            build_append(&b, list, model_node(&b, ph_model_at(i)));
    return print_list(&b, list, "models");
}

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
    ph_error err;
    const ph_model *model = a->name ? ph_model_find(a->name, &err) : NULL;
    if (a->name && !model)
        return complain(EXIT_INPUT, "%s", err.message);
    if (a->json)
        return print_json(model);
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
