/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of models, and the one place where the values of their parameters are checked: against
 * the table of the model, with messages that say which number is wrong and what would be right. */
#include <polhode/models.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/kit/text.h>

#include "lib/internal/missing.h"

#define PH_MODEL(name) extern const ph_model ph_model_##name;
#include "catalogue.def"
#undef PH_MODEL

static const ph_model *const models[] = {
#define PH_MODEL(name) &ph_model_##name,
#include "catalogue.def"
#undef PH_MODEL
};

enum { MODELS = sizeof models / sizeof models[0] };

/* More than any model has (tests/models/check_models.c). */
enum { MOST_PARAMETERS = 32, MOST_PRESETS = 16 };

size_t ph_models(void)
{
    return MODELS;
}

const ph_model *ph_model_at(size_t i)
{
    return i < MODELS ? models[i] : NULL;
}

const ph_model *ph_model_find(const char *name, ph_error *err)
{
    const char *names[MODELS];
    for (size_t i = 0; i < MODELS; i++) {
        names[i] = models[i]->name;
        if (name && !strcmp(name, names[i]))
            return models[i];
    }
    if (name && !ph_suggest(name, names, MODELS))
        ph_fail(
            err, PH_E_UNKNOWN,
            "unknown model \"%.60s\": there are %zu, among them chain-pendulum, heavy-top, n-body, rolling-disk and "
            "spin-lattice (`polhode models` lists all)",
            name, (size_t)MODELS);
    else
        ph_fail_unknown(err, "model", name ? name : "", names, MODELS);
    return NULL;
}

/* ---- Checking values ---------------------------------------------------------------------------- */

/* The values of all parameters in the order of the model's table, with room for a gravity that was
 * given as one number, and the bodies of a preset, which are malloc's. */
typedef struct resolved {
    size_t preset;
    ph_model_table table; /* `row` of this model */
    ph_parameter_value row[MOST_PARAMETERS];
    double gravity[MOST_PARAMETERS][3];
    ph_model_body *bodies;
} resolved;

/* What numbers a parameter needs, in words for messages, and how many: one of two numbers, or, where they are 0, at least 1. */
static const struct {
    const char *wanted;
    size_t n, or_n;
} kinds[] = {[PH_PARAMETER_NUMBER] = {"one number", 1, 1},
             [PH_PARAMETER_COUNT] = {"one whole number", 1, 1},
             [PH_PARAMETER_VECTOR] = {"three numbers", 3, 3},
             [PH_PARAMETER_GRAVITY] = {"three numbers, or one number g for (0, 0, -g)", 3, 1},
             [PH_PARAMETER_PER_LINK] = {"one number for each link, or one for all", 0, 0},
             [PH_PARAMETER_PER_BODY] = {"one number for each body, or one for all", 0, 0},
             [PH_PARAMETER_BODIES] = {"a list of bodies", 0, 0},
             [PH_PARAMETER_QUATERNION] = {"four numbers, [w, x, y, z]", 4, 4}};

/* Is it a number for each link or body, or one for all? */
static bool is_list(const ph_parameter *p)
{
    return p->kind == PH_PARAMETER_PER_LINK || p->kind == PH_PARAMETER_PER_BODY;
}

static bool right_count(const ph_parameter *p, size_t n)
{
    return kinds[p->kind].n ? n == kinds[p->kind].n || n == kinds[p->kind].or_n : n >= 1;
}

/* The bounds in words: "positive", "at least 0", "from 0 to 10". */
static void bounds_text(const ph_parameter *p, char *text, size_t size)
{
    if (p->min == DBL_MIN && p->max == DBL_MAX)
        snprintf(text, size, "positive");
    else if (p->max == DBL_MAX)
        snprintf(text, size, "at least %.10g", p->min);
    else
        snprintf(text, size, "from %.10g to %.10g", p->min, p->max);
}

/* Finite, within the bounds, and whole where it is a count. */
static ph_status check_entry(const ph_parameter *p, const ph_parameter_value *v, size_t i, ph_error *err)
{
    double x = v->values[i];
    int whole = p->kind != PH_PARAMETER_COUNT || x == floor(x);
    const char *unit = strcmp(p->unit, "1") ? p->unit : "";
    char place[40] = "", bounds[60];
    if (isfinite(x) && x >= p->min && x <= p->max && whole)
        return PH_OK;
    if (v->n > 1) /* a list */
        snprintf(place, sizeof place, "entry %zu of ", i + 1);
    if (!isfinite(x))
        return ph_fail(err, PH_E_NOT_FINITE, "%s%s is %g; it must be a finite number%s%s", place, p->name, x,
                       *unit ? " in " : "", unit);
    bounds_text(p, bounds, sizeof bounds);
    return ph_fail(err, PH_E_RANGE, "%s%s is %.10g%s%s; it must be %s%s", place, p->name, x, *unit ? " " : "",
                   unit, p->kind == PH_PARAMETER_COUNT ? "a whole number " : "", bounds);
}

/* PH_E_SIZE, or the first number that is wrong. Bodies are checked by those who make them and build with them. */
static ph_status check_value(const ph_parameter *p, const ph_parameter_value *v, ph_error *err)
{
    if (p->kind == PH_PARAMETER_BODIES)
        return v->values && v->n && v->n % PH_MODEL_BODY_NUMBERS == 0
                   ? PH_OK
                   : ph_fail(err, PH_E_SIZE, "%s is not a list of bodies; give one (ph_parameter_of_bodies)",
                             p->name);
    const size_t n = v->values ? ph_parameter_length(v) : 0;
    if (!right_count(p, n))
        return ph_fail(err, PH_E_SIZE, "%s has %zu number%s; give %s [%s]", p->name, n, n == 1 ? "" : "s",
                       kinds[p->kind].wanted, p->unit);
    bool nothing = true;
    for (size_t i = 0; i < n; i++) {
        ph_status status = check_entry(p, v, i, err);
        if (status)
            return status;
        nothing = nothing && v->values[i] == 0;
    }
    if (nothing && p->kind == PH_PARAMETER_QUATERNION)
        return ph_fail(err, PH_E_RANGE, "%s is 0, which is no rotation; the identity is [1, 0, 0, 0]",
                       p->name);
    return PH_OK;
}

/* The default with this preset. */
static void take_default(const ph_model *model, const ph_parameter *p, size_t preset, ph_parameter_value *row)
{
    row->name = p->name;
    row->values = p->initial;
    row->n = ph_parameter_numbers(p->kind);
    for (size_t i = 0; i < model->n_own; i++)
        if (model->own[i].preset == preset && !strcmp(model->own[i].value.name, p->name))
            *row = model->own[i].value;
}

/* The same of a list of bodies: r->bodies. */
static ph_status take_bodies(const ph_model *model, resolved *r, ph_parameter_value *row, ph_error *err)
{
    size_t n = 0;
    const size_t preset = r->preset == PH_NO_INDEX ? 0 : r->preset;
    ph_status status = model->bodies(preset, NULL, NULL, &n);
    if (!status && !(r->bodies = calloc(n, sizeof *r->bodies)))
        status = PH_E_NO_MEMORY;
    if (!status)
        status = model->bodies(preset, r->bodies, NULL, &n);
    *row = ph_parameter_of_bodies(row->name, r->bodies, n);
    return status ? ph_fail(err, status, "the bodies of %s: %s", model->name, ph_status_text(status)) : PH_OK;
}

/* Where the parameter stands in the model's table; PH_E_UNKNOWN. */
static ph_status find_parameter(const ph_model *model, const char *name, size_t *place, ph_error *err)
{
    const char *names[MOST_PARAMETERS];
    char kind[80];
    for (size_t i = 0; i < model->n_parameters; i++) {
        names[i] = model->parameters[i].name;
        if (name && !strcmp(name, names[i])) {
            *place = i;
            return PH_OK;
        }
    }
    snprintf(kind, sizeof kind, "parameter of %.50s", model->name);
    return ph_fail_unknown(err, kind, name ? name : "", names, model->n_parameters);
}

/* Arrays of one number for each link (or body) must have the same length. */
static ph_status check_lengths(const ph_model *model, const resolved *r, ph_error *err)
{
    const ph_parameter_value *first = NULL;
    for (size_t i = 0; i < model->n_parameters; i++) {
        const ph_parameter_value *v = &r->row[i];
        if (!is_list(&model->parameters[i]) || v->n == 1)
            continue;
        if (!first)
            first = v;
        if (v->n != first->n)
            return ph_fail(err, PH_E_SIZE, "%s has %zu number%s, but %s has %zu; give %s", v->name,
                           ph_parameter_length(v), v->n == PH_LIST_OF_ONE ? "" : "s", first->name,
                           ph_parameter_length(first), kinds[model->parameters[i].kind].wanted);
    }
    return PH_OK;
}

/* The value v, once, in the row of its parameter; one number g as gravity is (0, 0, -g). */
static ph_status take(const ph_model *model, const ph_parameter_value *v, resolved *r, ph_error *err)
{
    size_t i = 0;
    ph_status status = find_parameter(model, v->name, &i, err);
    if (!status)
        status = check_value(&model->parameters[i], v, err);
    if (status)
        return status;
    if (r->row[i].name)
        return ph_fail(err, PH_E_INVALID, "%s is given twice; give it once", v->name);
    r->row[i] = (ph_parameter_value){model->parameters[i].name, v->values,
                                     is_list(&model->parameters[i]) ? v->n : ph_parameter_length(v)};
    if (model->parameters[i].kind == PH_PARAMETER_GRAVITY && r->row[i].n == 1) {
        r->gravity[i][2] = -v->values[0];
        r->row[i].values = r->gravity[i];
        r->row[i].n = 3;
    }
    return PH_OK;
}

/* *preset <- its number; name NULL: the first, "": PH_NO_INDEX. PH_E_UNKNOWN. */
static ph_status find_preset(const ph_model *model, const char *name, size_t *preset, ph_error *err)
{
    const char *names[MOST_PRESETS];
    char kind[80];
    *preset = PH_NO_INDEX;
    if (name && !*name)
        return PH_OK;
    for (size_t i = 0; i < model->n_presets && i < MOST_PRESETS; i++) {
        names[i] = model->presets[i].name;
        if (!name || !strcmp(name, names[i])) {
            *preset = i;
            return PH_OK;
        }
    }
    snprintf(kind, sizeof kind, "preset of %.50s", model->name);
    return ph_fail_unknown(err, kind, name, names, model->n_presets);
}

static void release(resolved *r)
{
    free(r->bodies);
    r->bodies = NULL;
}

/* What is not given. */
static ph_status take_rest(const ph_model *model, resolved *r, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < model->n_parameters && !status; i++) {
        const ph_parameter *p = &model->parameters[i];
        if (r->row[i].name)
            continue;
        take_default(model, p, r->preset, &r->row[i]);
        if (p->kind == PH_PARAMETER_BODIES)
            status = take_bodies(model, r, &r->row[i], err);
    }
    return status;
}

/* *r <- all rows: what is given, else the defaults with this preset. To be released. */
static ph_status resolve(const ph_model *model, const char *preset, const ph_parameter_value *values,
                         size_t n, resolved *r, ph_error *err)
{
    memset(r, 0, sizeof *r);
    r->table = (ph_model_table){model, r->row};
    if (!model || (n && !values))
        return ph_fail(err, PH_E_INVALID, "no %s", model ? "values" : "model");
    if (model->n_parameters > MOST_PARAMETERS || model->n_presets > MOST_PRESETS)
        return ph_fail(err, PH_E_INVALID, "%s has more than %d parameters or %d presets", model->name,
                       (int)MOST_PARAMETERS, (int)MOST_PRESETS);
    ph_status status = find_preset(model, preset, &r->preset, err);
    for (size_t i = 0; i < n && !status; i++)
        status = take(model, &values[i], r, err);
    if (!status)
        status = take_rest(model, r, err);
    if (!status)
        status = check_lengths(model, r, err);
    if (status)
        release(r);
    return status;
}

/* ---- Building ----------------------------------------------------------------------------------- */

ph_status ph_model_build_for(const ph_model *model, const char *preset, const ph_parameter_value *values,
                             size_t n, ph_system **system, ph_error *err)
{
    if (!model)
        return ph_not_found(err, "model", "ph_model_find");
    resolved r;
    *system = NULL;
    ph_status status = resolve(model, preset, values, n, &r, err);
    if (!status)
        status = model->build(&r.table, system, err);
    release(&r);
    return status;
}

ph_status ph_model_build(const ph_model *model, const ph_parameter_value *values, size_t n,
                         ph_system **system, ph_error *err)
{
    return ph_model_build_for(model, NULL, values, n, system, err);
}

ph_status ph_model_preset_bodies(const ph_model *model, const char *preset, ph_model_body *bodies,
                                 char (*words)[PH_MODEL_BODY_WORDS], size_t *n, ph_error *err)
{
    if (!model)
        return ph_not_found(err, "model", "ph_model_find");
    size_t which = 0;
    *n = 0;
    ph_status status = find_preset(model, preset, &which, err);
    return status || !model->bodies ? status
                                    : model->bodies(which == PH_NO_INDEX ? 0 : which, bodies, words, n);
}

ph_status ph_model_preset_value(const ph_model *model, const char *preset, const char *parameter,
                                ph_parameter_value *value, ph_error *err)
{
    if (!model)
        return ph_not_found(err, "model", "ph_model_find");
    size_t which = 0, row = 0;
    *value = (ph_parameter_value){.name = NULL};
    ph_status status = find_preset(model, preset, &which, err);
    if (!status)
        status = find_parameter(model, parameter, &row, err);
    if (!status && model->parameters[row].kind != PH_PARAMETER_BODIES)
        take_default(model, &model->parameters[row], which, value);
    return status;
}

/* PH_E_SIZE where the preset's system has other than nz coordinates. */
static ph_status check_room(const ph_model *model, const resolved *r, size_t nz, ph_error *err)
{
    ph_system *system = NULL;
    ph_status status = model->build(&r->table, &system, err);
    const size_t own = status ? 0 : ph_space_ambient(ph_system_space(system));
    ph_system_free(system);
    if (status || own == nz)
        return status;
    return ph_fail(
        err, PH_E_SIZE,
        "preset %s of %s has %zu coordinates with these values, but nz is %zu; build the system by "
        "ph_model_build_for with this preset and the same values, and give the ph_space_ambient of its "
        "space",
        model->presets[r->preset].name, model->name, own, nz);
}

ph_status ph_model_preset(const ph_model *model, const ph_parameter_value *values, size_t n, const char *name,
                          size_t nz, double *z, double *zdot, ph_error *err)
{
    if (!model)
        return ph_not_found(err, "model", "ph_model_find");
    resolved r;
    ph_status status = resolve(model, name && *name ? name : NULL, values, n, &r, err);
    if (!status)
        status = check_room(model, &r, nz, err);
    if (!status)
        status = model->preset(&r.table, r.preset, z, zdot, err);
    release(&r);
    return status;
}
