/* SPDX-License-Identifier: BSD-3-Clause */
/* reduction: the system is seen from a frame that turns with it (polhode/domain/routh.h). The initial state is read as that of
 * the whole, and then reduced. */
#include "parts.h"

#include <polhode/domain/reduction.h>
#include <polhode/domain/routh.h>

#include <stdlib.h>
#include <string.h>

enum { SYMMETRY, KEYS };
static const ph_scenario_key keys[KEYS] = {
    [SYMMETRY] = {
        "symmetry", "`S1`, `SO3`, or the name of a momentum map", NULL,
        "The rotations to reduce by: `S1` is the model's only one; where it has several, give the name of its "
        "momentum, as in the column of that name, or `SO3` for all of them: space is turned such that the "
        "angular momentum is along the third axis, and reduced about it."}};
const ph_scenario_map ph_reduction_keys = {"reduction", keys, KEYS};

static const char all_rotations[] = "SO3";

/* *which <- the rotation that the word names, one of the model's. */
static ph_status find_one(const ph_system *s, const ph_node *at, const char *word, size_t *which,
                          ph_error *err)
{
    size_t rotations = 0;
    const bool any = !strcmp(word, "S1");
    *which = PH_NO_INDEX;
    for (size_t i = 0; i < ph_system_symmetries(s); i++) {
        const ph_symmetry *symmetry = ph_system_symmetry(s, i);
        rotations += !symmetry->generator;
        if (any ? !symmetry->generator : !strcmp(symmetry->name, word))
            *which = i;
    }
    if (*which == PH_NO_INDEX || (any && rotations > 1)) {
        char names[200] = "";
        for (size_t i = 0; i < ph_system_symmetries(s) && strlen(names) < sizeof names - 40; i++) {
            strcat(names, i ? ", " : "");
            strncat(names, ph_system_symmetry(s, i)->name, 30);
        }
        return any && rotations > 1
                   ? ph_node_fail(
                         at, err, PH_E_UNKNOWN,
                         "is S1, but the model has %zu rotations; give SO3, or the momentum of one of them: %s",
                         rotations, names)
               : any || !*names
                   ? ph_node_fail(at, err, PH_E_UNKNOWN,
                                  "asks for a rotation that leaves the model as it is; it has none")
                   : ph_node_fail(at, err, PH_E_UNKNOWN, "is no momentum of the model; it has %s", names);
    }
    return PH_OK;
}

static ph_status find_symmetry(const ph_system *s, const ph_node *at, const char *word, size_t *which,
                               ph_error *err)
{
    if (strcmp(word, all_rotations) != 0)
        return find_one(s, at, word, which, err);
    ph_status status = ph_routh_all_rotations(s, which, err);
    return status ? ph_node_blame(at, err, status) : PH_OK;
}

ph_status ph_read_reduction(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_node values[KEYS];
    const char *word = NULL;
    size_t which = 0;
    ph_system *reduced;
    if (!at->node)
        return PH_OK;
    ph_status status = ph_node_keys(at, "a map, as in {symmetry: S1},", &ph_reduction_keys, values, err);
    if (!status && !values[SYMMETRY].node)
        status = ph_node_fail(at, err, PH_E_PARSE,
                              "does not say by what; give \"symmetry\", as in {symmetry: S1}");
    if (!status)
        status = ph_node_text(&values[SYMMETRY], "S1, SO3, or the name of a momentum", &word, err);
    if (!status)
        status = find_symmetry(s->system, &values[SYMMETRY], word, &which, err);
    if (status)
        return status;
    status = ph_routh_create(s->system, which, &reduced, err);
    if (status)
        return ph_node_blame(at, err, status);
    s->whole = s->system;
    s->system = reduced;
    return PH_OK;
}

/* Was it SO3? The scenario was read already. */
static bool by_all_rotations(const ph_node *reduction)
{
    const char *word = NULL;
    const ph_node at = ph_node_find(reduction, keys[SYMMETRY].name);
    return at.node && !ph_node_text(&at, "SO3", &word, NULL) && !strcmp(word, all_rotations);
}

/* z, zdot, p <- of the reduced system; they were those of the whole. */
static ph_status reduce(ph_scenario *s, bool aligned, ph_error *err)
{
    const ph_space *space = ph_system_space(s->system);
    double *z = calloc(ph_space_ambient(space), sizeof *z),
           *zdot = calloc(ph_space_ambient(space), sizeof *z);
    double *p = calloc(ph_space_momenta(space), sizeof *p);
    const size_t sizes[] = {ph_routh_work(s->system), ph_reduction_work(s->whole), ph_system_work(s->system)};
    double *work = malloc((sizes[0] + sizes[1] + sizes[2] + 1) * sizeof *work);
    ph_status status = z && zdot && p && work ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status && aligned)
        status = ph_routh_align(s->whole, s->z, s->zdot, work, err);
    if (!status)
        status = ph_routh_reduce(s->system, s->z, s->zdot, 0, z, zdot, work, err);
    if (!status) {
        status = ph_system_momentum(s->system, 0, z, zdot, p, work);
        if (status)
            ph_fail(err, status, "the Legendre transform of the reduced velocity failed: %s",
                    ph_status_text(status));
    }
    free(work);
    free(status ? z : s->z);
    free(status ? zdot : s->zdot);
    free(status ? p : s->p);
    if (status)
        return status;
    s->z = z;
    s->zdot = zdot;
    s->p = p;
    return PH_OK;
}

ph_status ph_read_reduced_initial(ph_reading *r, const ph_node *root, const ph_node *at,
                                  const ph_node *reduction, ph_error *err)
{
    ph_scenario *s = r->scenario;
    /* the end of an earlier run is that of the reduced system already */
    if (!s->whole || (at->node && ph_node_is_map(at) && ph_node_find(at, "from").node))
        return ph_read_initial(r, root, at, err);
    ph_system *reduced = s->system;
    s->system = s->whole;
    ph_status status = ph_read_initial(r, root, at, err);
    s->system = reduced;
    if (status)
        return status;
    status = reduce(s, by_all_rotations(reduction), err);
    return status ? ph_node_blame(reduction, err, status) : PH_OK;
}
