/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of an ensemble (polhode/members.h): values are put into the parsed scenario, which is then read as any is. Where the
 * system does not depend on what varies, that of the first member which was read serves all. */
#include "ensemble-move.h"
#include "ensemble.h"
#include "lib/archive/file.h"
#include "parts.h"

#include "lib/archive/database.h"

#include <polhode/members.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ph_members {
    ph_yaml *file;
    ph_ensemble_text e;
    char *text; /* (length), as it was given */
    size_t length;
    char *directory; /* where relative paths begin */
    char (*names)[128];
    double *values;      /* (columns) of the member that stands in the document */
    bool share;          /* one system for all? */
    bool one_state;      /* and one initial state, but for what moves it? */
    ph_moves *moves;     /* what moves it; or NULL */
    ph_scenario *shared; /* which owns it; NULL: it is not known yet */
};

/* ---- What varies --------------------------------------------------------------------------------------------- */

static bool is_in(const char *path, const char *key)
{
    const size_t n = strlen(key);
    return !strncmp(path, key, n) && (!path[n] || path[n] == '.' || path[n] == '[');
}

/* Is the system the same, whatever the value of this key? Events of formulas are among what is made of a model. */
static bool leaves_system(const char *path)
{
    static const char *const makes[] = {"model",  "system",  "parameters",     "reduction",
                                        "events", "polhode", "initial.preset", "initial.from"};
    for (size_t i = 0; i < sizeof makes / sizeof makes[0]; i++)
        if (is_in(path, makes[i]))
            return false;
    return strcmp(path, "initial") != 0; /* a map in which there may be a preset */
}

static void see_what_is_shared(ph_members *m)
{
    m->share = m->one_state = true;
    for (size_t i = 0; i < m->e.n_varied; i++) {
        const ph_varied *v = &m->e.varied[i];
        m->share = m->share && (ph_varied_moves(v) || leaves_system(v->path));
        m->one_state = m->one_state && (ph_varied_moves(v) || !is_in(v->path, "initial"));
    }
    m->one_state = m->one_state && m->share;
}

static ph_status count_columns(ph_members *m, ph_error *err)
{
    ph_count_columns(&m->e);
    double *values = realloc(m->values, (m->e.columns + 1) * sizeof *values);
    if (!values)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    m->values = values;
    return PH_OK;
}

static ph_status name_columns(ph_members *m, ph_error *err)
{
    ph_status status = count_columns(m, err);
    if (status)
        return status;
    m->names = calloc(m->e.columns + 1, sizeof *m->names);
    if (!m->names)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < m->e.n_varied; i++) {
        const ph_varied *v = &m->e.varied[i];
        const char *moving = ph_varied_moves(v) ? ".xi" : "";
        for (size_t c = 0; c < v->columns; c++)
            if (v->list)
                snprintf(m->names[v->first + c], sizeof *m->names, "%s%s[%zu]", v->path, moving, c);
            else
                snprintf(m->names[v->first + c], sizeof *m->names, "%s", v->path);
    }
    return PH_OK;
}

/* ---- Columns --------------------------------------------------------------------------------------------------- */

int64_t ph_members_count(const ph_members *m)
{
    return m->e.count;
}

size_t ph_members_columns(const ph_members *m)
{
    return m->e.columns;
}

const char *ph_members_column(const ph_members *m, size_t j)
{
    return j < m->e.columns ? m->names[j] : NULL;
}

const char *ph_members_word(const ph_members *m, size_t j, double value)
{
    for (size_t i = 0; i < m->e.n_varied; i++) {
        const ph_varied *v = &m->e.varied[i];
        if (v->first == j && v->words && value >= 0 && value < (double)m->e.axes[v->axis].length &&
            value == (double)(int64_t)value)
            return v->words[(int64_t)value];
    }
    return NULL;
}

static ph_status check_index(const ph_members *m, int64_t i, ph_error *err)
{
    return i >= 0 && i < m->e.count
               ? PH_OK
               : ph_fail(err, PH_E_RANGE,
                         "there is no member %lld; the ensemble has %lld, which count from 0", (long long)i,
                         (long long)m->e.count);
}

static int64_t place_on_axis(const ph_members *m, const ph_varied *v, int64_t i)
{
    const ph_axis *axis = &m->e.axes[v->axis];
    return i / axis->stride % axis->length;
}

ph_status ph_members_values(ph_members *m, int64_t i, double *values, ph_error *err)
{
    ph_status status = check_index(m, i, err);
    for (size_t k = 0; k < m->e.n_varied && !status; k++) {
        const ph_varied *v = &m->e.varied[k];
        ph_varied_values(&m->e, v, place_on_axis(m, v, i), values + v->first);
    }
    return status;
}

int64_t ph_members_differing(const ph_members *m, bool (*matters)(const char *key, bool words), int64_t from,
                             int64_t k)
{
    int64_t member = from;
    for (size_t a = m->e.n_axes; a-- > 0;) {
        const ph_axis *axis = &m->e.axes[a];
        bool counts = false;
        for (size_t i = 0; i < m->e.n_varied; i++)
            counts =
                counts || (m->e.varied[i].axis == a && matters(m->e.varied[i].path, m->e.varied[i].words));
        if (!counts)
            continue;
        member += (k % axis->length - from / axis->stride % axis->length) * axis->stride;
        k /= axis->length;
    }
    return k ? -1 : member;
}

/* ---- Members --------------------------------------------------------------------------------------------------- */

/* The document is that of member i. */
static ph_status put_member(ph_members *m, int64_t i, ph_error *err)
{
    ph_status status = ph_members_values(m, i, m->values, err);
    for (size_t k = 0; k < m->e.n_varied && !status; k++) {
        ph_varied *v = &m->e.varied[k];
        if (!ph_varied_moves(v))
            ph_put_varied(&m->e, v, place_on_axis(m, v, i), m->values + v->first);
    }
    if (!status)
        ph_put_texts(&m->e, m->values);
    return status;
}

/* m->shared <- the system of all; *base <- the member that stands in the document, before its state is moved: m->shared
 * itself where all begin in one state. */
static ph_status read_base(ph_members *m, ph_scenario **base, ph_error *err)
{
    if (m->share && !m->shared) {
        ph_reading first = {.directory = m->directory};
        ph_status status = ph_read_document(&first, m->file, &m->shared, err);
        if (status)
            return status;
    }
    ph_reading r = {.directory = m->directory, .shared = m->shared};
    const bool one = m->moves && m->one_state;
    *base = one ? m->shared : NULL; /* where reading fails, nothing is the caller's */
    return one ? PH_OK : ph_read_document(&r, m->file, base, err);
}

/* What a scenario owns that was read with the system: now it is the other's. */
static void hand_over(ph_scenario *from, ph_scenario *to)
{
    to->plugin = from->plugin;
    from->plugin = NULL;
    to->borrowed = false;
    from->borrowed = true;
}

/* The moved state is put into the document, and read with the system of its base. */
static ph_status make_moved(ph_members *m, ph_scenario **member, ph_error *err)
{
    ph_scenario *base = NULL;
    ph_status status = read_base(m, &base, err);
    if (!status)
        status = ph_moves_write(m->moves, base, m->values, err);
    if (!status) {
        ph_reading r = {.directory = m->directory, .shared = base};
        ph_moves_show(m->moves, true);
        status = ph_read_document(&r, m->file, member, err);
        ph_moves_show(m->moves, false);
    }
    if (!status && !m->share)
        hand_over(base, *member);
    if (base != m->shared)
        ph_scenario_free(base);
    return status;
}

ph_status ph_members_make(ph_members *m, int64_t i, ph_scenario **member, ph_error *err)
{
    ph_status status = put_member(m, i, err);
    if (status)
        return status;
    status = m->moves ? make_moved(m, member, err) : read_base(m, member, err);
    if (!status && m->share)
        (*member)->runs = (double)m->e.count;
    return status;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

/* `before`, extended by what this member read from files. */
static uint32_t add_files(const ph_members *m, uint32_t before, const ph_scenario *member)
{
    const uint32_t sum = 31 * before + ph_plugin_checksum(m->shared ? m->shared : member) + member->restart;
    return ph_checksum(sum, (const unsigned char *)member->kept, member->kept ? member->kept_length : 0);
}

/* May values of this key be names of files? */
static bool names_files(const char *key, bool words)
{
    return words && (is_in(key, "initial") || is_in(key, "system") || is_in(key, "parameters"));
}

uint32_t ph_members_files(ph_members *m, const ph_scenario *member, int64_t i)
{
    enum { MOST = 10000 };
    ph_error err;
    uint32_t sum = add_files(m, m->e.files, member);
    for (int64_t k = 0, other; k < MOST && (other = ph_members_differing(m, names_files, i, k)) >= 0; k++) {
        ph_scenario *sc = NULL;
        if (other == i || ph_members_make(m, other, &sc, &err))
            continue;
        sum = add_files(m, sum, sc);
        ph_scenario_free(sc);
    }
    return sum;
}

/* ---- As text --------------------------------------------------------------------------------------------------- */

/* *text <- with this value instead; value is freed. */
static ph_status edit(char **text, const char *key, char *value, ph_error *err)
{
    char *edited = NULL;
    ph_status status = value ? ph_scenario_edit(*text, strlen(*text), key, value, &edited, err)
                             : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(value);
    if (status)
        return status;
    free(*text);
    *text = edited;
    return PH_OK;
}

/* A list of bodies as a scenario writes it (malloc); PH_E_UNSUPPORTED where one of them is too long for that. */
static ph_status show_bodies(const ph_model *model, const char *preset, char **shown, ph_error *err)
{
    size_t n = 0;
    *shown = NULL;
    ph_status status = ph_model_preset_bodies(model, preset, NULL, NULL, &n, err);
    char(*words)[PH_MODEL_BODY_WORDS] = status ? NULL : calloc(n + 1, sizeof *words);
    char *list = status ? NULL : malloc(n * (PH_MODEL_BODY_WORDS + 2) + 3), *at = list;
    if (!status && (!words || !list))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = ph_model_preset_bodies(model, preset, NULL, words, &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        at = stpcpy(stpcpy(at, i ? ", " : "["), words[i]);
        if (!words[i][0])
            status = ph_fail(err, PH_E_UNSUPPORTED,
                             "body %zu of the preset %s is too long for the text of a member, which has its "
                             "initial state in numbers; give parameters.bodies in the scenario",
                             i + 1, preset);
    }
    free(words);
    if (status) {
        free(list);
        return status;
    }
    strcpy(at, n ? "]" : "[]");
    *shown = list;
    return PH_OK;
}

/* A number, or a list (malloc); NULL without memory. */
static char *show_value(const ph_parameter_value *value)
{
    const size_t n = ph_parameter_length(value);
    char *text = malloc(n * 66 + 3), *at = text;
    for (size_t i = 0; i < n && text; i++) {
        char number[64];
        ph_number_text(value->values[i], number);
        at = stpcpy(stpcpy(at, i ? ", " : value->n == 1 ? "" : "["), number);
    }
    if (text)
        strcpy(at, value->n == 1 ? "" : "]");
    return text;
}

static bool same_values(const ph_parameter_value *a, const ph_parameter_value *b)
{
    return a->n == b->n && !memcmp(a->values, b->values, ph_parameter_length(a) * sizeof *a->values);
}

/* *text <- with the parameter as it is by default with the preset, if that differs from how it is without one. */
static ph_status write_default(char **text, const ph_model *model, const ph_parameter *p, const char *preset,
                               ph_error *err)
{
    char key[96], *shown = NULL;
    ph_parameter_value own, other;
    ph_status status = PH_OK;
    if (p->kind == PH_PARAMETER_BODIES) {
        if (!strcmp(preset, model->presets[0].name))
            return PH_OK;
        status = show_bodies(model, preset, &shown, err);
    } else {
        status = ph_model_preset_value(model, preset, p->name, &own, err);
        if (!status)
            status = ph_model_preset_value(model, "", p->name, &other, err);
        if (status || same_values(&own, &other))
            return status;
        shown = show_value(&own);
    }
    snprintf(key, sizeof key, "parameters.%s", p->name);
    return status ? status : edit(text, key, shown, err);
}

/* An initial state in numbers names no preset: the parameters that the preset in the document has of its own are written down. */
static ph_status write_defaults(ph_members *m, const ph_model *model, char **text, ph_error *err)
{
    const ph_node root = ph_yaml_root(m->file), initial = ph_node_find(&root, "initial"),
                  given = ph_node_find(&root, "parameters");
    const char *preset = ph_find_preset(model, &initial);
    ph_status status = PH_OK;
    if (!model->n_presets || (preset && !*preset))
        return PH_OK;
    for (size_t i = 0; i < model->n_parameters && !status; i++)
        if (!given.node || !ph_node_find(&given, model->parameters[i].name).node)
            status = write_default(text, model, &model->parameters[i],
                                   preset ? preset : model->presets[0].name, err);
    return status;
}

ph_status ph_members_text(ph_members *m, int64_t i, char **text, ph_error *err)
{
    char *now = NULL;
    ph_scenario *member = NULL;
    ph_status status = put_member(m, i, err);
    if (!status)
        status = ph_scenario_edit(m->text, m->length, "ensemble", NULL, &now, err);
    for (size_t k = 0; k < m->e.n_varied && !status; k++) {
        const ph_varied *v = &m->e.varied[k];
        char key[sizeof v->path];
        snprintf(key, sizeof key, "%.*s", v->text ? (int)v->path_length : (int)sizeof key, v->path);
        if (!ph_varied_moves(v))
            status = edit(&now, key, ph_show_varied(&m->e, v), err);
    }
    if (!status && m->moves && !(status = make_moved(m, &member, err)) &&
        !(status = edit(&now, "initial", ph_moves_text(m->moves), err)))
        status = write_defaults(m, member->model, &now, err);
    ph_scenario_free(member);
    if (status)
        free(now);
    else
        *text = now;
    return status;
}

/* ---- Opening -------------------------------------------------------------------------------------------------- */

static ph_status keep_text(ph_members *m, const char *text, size_t length, const char *path, ph_error *err)
{
    const char *slash = strrchr(path, '/');
    m->text = malloc(length + 1);
    m->directory = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
    if (!m->text || !m->directory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(m->text, text, length);
    m->text[length] = '\0';
    m->length = length;
    return PH_OK;
}

/* What moves the state needs one to know its numbers: that of member 0. */
static ph_status prepare_moves(ph_members *m, ph_error *err)
{
    ph_scenario *base = NULL;
    ph_status status = PH_OK;
    bool moves = false;
    for (size_t i = 0; i < m->e.n_varied; i++)
        moves = moves || ph_varied_moves(&m->e.varied[i]);
    if (!moves)
        return PH_OK;
    status = put_member(m, 0, err);
    if (!status)
        status = read_base(m, &base, err);
    if (!status)
        status = ph_moves_create(&m->e, base, &m->moves, err);
    if (base != m->shared)
        ph_scenario_free(base);
    return status;
}

ph_status ph_members_open(const char *text, size_t length, const char *path, ph_members **members,
                          ph_error *err)
{
    ph_members *m = calloc(1, sizeof *m);
    if (!m)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = keep_text(m, text, length, path, err);
    if (!status)
        status = ph_yaml_parse(text, length, ph_yaml_longest, path, &m->file, err);
    if (!status)
        status = ph_read_ensemble(&m->e, m->file, m->directory, err);
    if (!status) {
        see_what_is_shared(m);
        status = count_columns(m, err);
    }
    if (!status)
        status = ph_place_varied(&m->e, err);
    if (!status)
        status = prepare_moves(m, err);
    if (!status)
        status = name_columns(m, err);
    if (status)
        ph_members_free(m);
    else
        *members = m;
    return status;
}

void ph_members_free(ph_members *m)
{
    if (!m)
        return;
    ph_scenario_free(m->shared);
    ph_moves_free(m->moves);
    ph_free_ensemble(&m->e);
    ph_yaml_free(m->file);
    free(m->text);
    free(m->directory);
    free(m->names);
    free(m->values);
    free(m);
}
