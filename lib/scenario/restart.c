/* SPDX-License-Identifier: BSD-3-Clause */
/* initial.from: continue from the final state of an earlier run, as recorded in its summary.json, or, where that names
 * one, in the archive next to it. The file is read as strictly as a scenario, except that irrelevant keys are ignored. */
#include "parts.h"

#include "lib/archive/place.h"
#include "lib/archive/record.h"
#include "lib/internal/bytes.h"

#include <polhode/kit/algebra.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest |q.pi| accepted, relative to the largest momentum. */
static const double admitted = 1e-9;

/* ---- The final state ----------------------------------------------------------------------------- */

/* values (n) <- z or p. */
static ph_status read_array(const ph_node *state, const char *name, double *values, size_t n, ph_error *err)
{
    char expected[80];
    ph_node list = ph_node_find(state, name);
    snprintf(expected, sizeof expected, "a list of %zu numbers, as the model has them,", n);
    if (!list.node)
        return ph_node_fail(state, err, PH_E_PARSE, "has no key \"%s\"; %s is expected", name, expected);
    return ph_node_numbers(&list, expected, values, n, err);
}

/* A momentum of an earlier run has no normal part but for rounding, which grows over a long run. */
static ph_status check_momentum(const ph_node *at, const ph_space *space, const ph_scenario *s, size_t i,
                                double scale, ph_error *err)
{
    const double off = ph_space_factor_momentum_tangency(space, i, s->z, s->p);
    if (off <= admitted * scale)
        return PH_OK;
    char fault[300];
    ph_space_factor_fault(space, i, PH_FAULT_MOMENTUM, s->z, s->p, fault, sizeof fault);
    return ph_node_fail(at, err, PH_E_NOT_TANGENT,
                        "%s; write \"project: true\" under \"initial\" to have it projected", fault);
}

/* The checksum, extended by numbers, in the same bytes on every machine. */
static uint32_t add_numbers(uint32_t sum, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char bytes[8];
        ph_put_double(bytes, values[i]);
        sum = ph_checksum(sum, bytes, sizeof bytes);
    }
    return sum;
}

/* z, p <- of the archive that the summary names, which is in its directory, if it is still at this time. */
static ph_status read_archive(ph_scenario *s, const ph_node *at, const char *summary, ph_error *err)
{
    const ph_space *space = ph_system_space(s->system);
    const char *name, *slash = strrchr(summary, '/');
    ph_record *record = NULL;
    double t = NAN;
    ph_status status = ph_node_text(at, "the name of an archive", &name, err);
    if (status)
        return status;
    char *directory = strndup(summary, slash ? (size_t)(slash + 1 - summary) : 0);
    char *path = directory ? ph_path_join(directory, name, "") : NULL;
    status = path ? ph_record_open(path, &record, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status =
            ph_record_motion(record, &t, s->z, ph_space_ambient(space), s->p, ph_space_momenta(space), err);
    if (status)
        ph_node_blame(at, err, status);
    else if (t != s->time)
        status = ph_node_fail(
            at, err, PH_E_INVALID,
            "has a state at t = %.17g s, the summary one at t = %.17g s: its run has continued since then", t,
            s->time);
    /* the summary does not show that its archive was exchanged */
    s->restart = add_numbers(s->restart, s->z, ph_space_ambient(space));
    s->restart = add_numbers(s->restart, s->p, ph_space_momenta(space));
    ph_record_close(record);
    free(path);
    free(directory);
    return status;
}

/* Check what was read against the manifold, then bring it there exactly. */
static ph_status settle(ph_reading *r, const ph_node *state, const ph_node *archive, ph_error *err)
{
    ph_scenario *s = r->scenario;
    const ph_space *space = ph_system_space(s->system);
    const ph_node at_z = ph_node_find(state, "z"), at_p = archive->node ? *archive : ph_node_find(state, "p");
    double scale = ph_max_norm(s->p, ph_space_momenta(space));
    ph_status status = PH_OK;
    for (size_t i = 0; i < ph_space_factors(space) && !status; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        ph_node q = archive->node ? *archive : ph_node_item(&at_z, f->z);
        status = ph_check_factor(&q, space, i, s->z, r->project, err);
        if (status == PH_E_NOT_ON_MANIFOLD && !r->project) /* nobody edits a summary: say what helps here */
            status = ph_node_fail(&q, err, status,
                                  "the state lies off the %s (its method does not keep it there); write "
                                  "\"project: true\" under \"initial\" to continue from the nearest point",
                                  ph_space_factor_words(space, i)->whole);
        if (!status && !r->project)
            status = check_momentum(&at_p, space, s, i, scale, err);
    }
    if (status)
        return status;
    ph_space_correct(space, s->z);
    ph_space_project_momentum(space, s->z, s->p);
    return PH_OK;
}

/* time, z, p <- of final_state. */
static ph_status read_state(ph_reading *r, const ph_node *state, const char *path, ph_error *err)
{
    ph_scenario *s = r->scenario;
    const ph_space *space = ph_system_space(s->system);
    size_t n;
    ph_status status = ph_node_map(state, "a map with t, z and p", &n, err);
    if (status)
        return status;
    ph_node t = ph_node_find(state, "t");
    if (!t.node)
        return ph_node_fail(state, err, PH_E_PARSE, "has no key \"t\"; the time in s is expected");
    const ph_node archive = ph_node_find(state, "archive");
    status = ph_node_number(&t, "a time in s", &s->time, err);
    if (!status && archive.node)
        status = read_archive(s, &archive, path, err);
    if (!status && !archive.node)
        status = read_array(state, "z", s->z, ph_space_ambient(space), err);
    if (!status && !archive.node)
        status = read_array(state, "p", s->p, ph_space_momenta(space), err);
    return status ? status : settle(r, state, &archive, err);
}

/* ---- The file ------------------------------------------------------------------------------------ */

/* A value that must be there. */
static ph_status need(const ph_node *root, const char *name, ph_node *value, ph_error *err)
{
    *value = ph_node_find(root, name);
    if (value->node)
        return PH_OK;
    return ph_node_fail(root, err, PH_E_PARSE, "has no key \"%s\"; the summary.json of a run is expected",
                        name);
}

/* The state belongs to the model that the scenario names. */
static ph_status check_model(const ph_model *model, const ph_node *root, ph_error *err)
{
    ph_node at;
    const char *name;
    char shown[64];
    ph_status status = need(root, "model", &at, err);
    if (!status)
        status = ph_node_text(&at, "the name of a model", &name, err);
    if (!status && strcmp(name, model->name))
        status = ph_node_fail(&at, err, PH_E_INVALID,
                              "is \"%s\", but the scenario's model is \"%s\"; both must agree",
                              ph_text_show(shown, sizeof shown, name), model->name);
    return status;
}

static ph_status read_summary(ph_reading *r, const ph_node *root, const char *path, ph_error *err)
{
    ph_node at;
    size_t n;
    int64_t version = 0;
    ph_status status = ph_node_map(root, "the summary.json of a run", &n, err);
    if (!status)
        status = need(root, "polhode", &at, err);
    if (!status)
        status = ph_node_count(&at, "schema version 1", &version, err);
    if (!status && version != 1)
        status =
            ph_node_fail(&at, err, PH_E_RANGE, "is %lld; schema version 1 is expected", (long long)version);
    if (!status)
        status = check_model(r->scenario->model, root, err);
    if (!status)
        status = need(root, "final_state", &at, err);
    return status ? status : read_state(r, &at, path, err);
}

ph_status ph_read_restart(ph_reading *r, const ph_node *at, ph_error *err)
{
    const char *path;
    char *text = NULL;
    /* [bytes] the largest size of the file: a number takes at most 26, and there may be very many */
    const ph_space *space = ph_system_space(r->scenario->system);
    const size_t longest = ph_yaml_longest + 32 * (ph_space_ambient(space) + ph_space_momenta(space));
    size_t length = 0;
    ph_yaml *file = NULL;
    ph_status status = ph_node_text(at, "the path of a summary.json", &path, err);
    if (status)
        return status;
    char *whole = ph_path_join(*path == '/' ? "" : r->directory, path, "");
    if (!whole)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    status = ph_text_slurp(whole, longest, &text, &length, err);
    if (status)
        ph_node_blame(at, err, status);
    else
        status = ph_yaml_parse(text, length, longest, whole, &file, err);
    if (!status) {
        ph_node root = ph_yaml_root(file);
        r->scenario->restart = ph_checksum(0, (const unsigned char *)text, length);
        status = read_summary(r, &root, whole, err);
    }
    ph_yaml_free(file);
    free(text);
    free(whole);
    return status;
}
