/* SPDX-License-Identifier: BSD-3-Clause */
/* Members whose initial state is moved: the lists {q: [...], omega: [...], time: ...} in the place of `initial`. */
#include "ensemble-move.h"

#include "lib/archive/file.h"
#include "perturb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_ROOM = 32 };

struct ph_moves {
    ph_ensemble_text *e;
    size_t nz, np, algebra;
    int *q, *omega, time; /* nodes of the numbers (nz), (np) */
    int project;          /* of the word */
    int map;              /* node of all */
    yaml_mark_t mark;     /* of the key that moves, for messages */
    size_t entry;         /* of `initial` in the scenario, which stands last where the scenario has none */
    bool missing;
    int given;  /* what stands there without */
    double *xi; /* (2 algebra): that of the configuration, then that of the velocity */
    double *z, *zdot, *tangent, *velocity, *work; /* (nz), (nz), (nz), (np), of the system */
};

/* ---- Which numbers move what ------------------------------------------------------------------------------------ */

/* *from <- the first number of xi, or, behind all of these, of eta, that the key has; *n <- how many. */
static ph_status find_numbers(const ph_ensemble_text *e, const ph_varied *v, const ph_space *space,
                              size_t *from, size_t *n, ph_error *err)
{
    const ph_node key = ph_varied_key(e, v);
    const size_t all = ph_space_algebra(space);
    const bool bare = ph_space_is_phase_space(space);
    size_t factor = 0;
    int end = 0;
    *from = 0;
    *n = bare ? all : 2 * all;
    if (!strcmp(v->path, "initial"))
        return PH_OK;
    const bool velocity = !strncmp(v->path, "initial.omega", 13);
    if (sscanf(v->path, velocity ? "initial.omega[%zu]%n" : "initial.q[%zu]%n", &factor, &end) != 1 ||
        v->path[end])
        return ph_node_fail(
            &key, err, PH_E_PARSE,
            "is not a factor of the space, as initial.q[0]; its numbers cannot move by themselves");
    if (factor >= ph_space_factors(space) || (velocity && bare))
        return ph_node_fail(&key, err, PH_E_RANGE,
                            bare && velocity ? "moves velocities, which spins do not have"
                                             : "does not exist: the space has %zu factors",
                            ph_space_factors(space));
    const ph_factor_place *f = ph_space_factor(space, factor);
    *from = ph_factor_algebra(f) + (velocity ? all : 0);
    *n = ph_factor_algebra_numbers(f);
    return PH_OK;
}

/* The columns of the key, which a single deviation leaves open. */
static ph_status settle_columns(const ph_ensemble_text *e, ph_varied *v, const ph_space *space, ph_error *err)
{
    size_t from, n;
    ph_status status = find_numbers(e, v, space, &from, &n, err);
    const ph_node at = {.file = e->file, .node = ph_yaml_node(e->file, v->draw.at)};
    if (status)
        return status;
    if (v->draw.n != n && (v->draw.n || !strcmp(v->path, "initial")))
        return ph_node_fail(
            &at, err, PH_E_SIZE, "%s: has %zu number%s; %zu are expected: %s", v->where,
            v->draw.n ? v->draw.n : 1, v->draw.n > 1 ? "s" : "", n,
            strcmp(v->path, "initial")
                ? "those of an angular velocity (of a velocity on R^d)"
                : "one for each of an angular velocity of each factor, then as many for the velocities");
    v->draw.n = v->columns = n;
    v->list = true;
    return PH_OK;
}

/* ---- Nodes -------------------------------------------------------------------------------------------------------- */

static int settle_node(ph_moves *m, int node)
{
    if (node)
        ph_yaml_node(m->e->file, node)->start_mark = m->mark;
    return node;
}

static int add_text(ph_moves *m, const char *text, size_t room)
{
    char blank[NUMBER_ROOM] = "";
    strcpy(blank, text);
    return settle_node(m, yaml_document_add_scalar(ph_yaml_document(m->e->file), NULL,
                                                   (const yaml_char_t *)blank, (int)room,
                                                   YAML_PLAIN_SCALAR_STYLE));
}

static int add_list(ph_moves *m)
{
    return settle_node(
        m, yaml_document_add_sequence(ph_yaml_document(m->e->file), NULL, YAML_FLOW_SEQUENCE_STYLE));
}

static bool add_pair(ph_moves *m, int map, const char *key, int value)
{
    const int name = add_text(m, key, strlen(key));
    return name && value && yaml_document_append_mapping_pair(ph_yaml_document(m->e->file), map, name, value);
}

/* A list of a list for each factor; numbers <- their nodes. 0: no memory. */
static int add_lists(ph_moves *m, const ph_space *space, bool velocities, int *numbers)
{
    yaml_document_t *d = ph_yaml_document(m->e->file);
    const int lists = add_list(m);
    for (size_t i = 0; i < ph_space_factors(space) && lists; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const size_t first = velocities ? f->p : f->z, n = velocities ? f->np : f->nz;
        const int list = add_list(m);
        if (!list || !yaml_document_append_sequence_item(d, lists, list))
            return 0;
        for (size_t k = 0; k < n; k++) {
            numbers[first + k] = add_text(m, "", NUMBER_ROOM);
            if (!numbers[first + k] || !yaml_document_append_sequence_item(d, list, numbers[first + k]))
                return 0;
        }
    }
    return lists;
}

/* The places are shifted where the scenario says so. */
static bool keep_barycentre(ph_moves *m, const ph_node *given)
{
    const ph_node value = ph_node_find(given, "barycentre");
    return !value.node || add_pair(m, m->map, "barycentre", ph_yaml_index(m->e->file, value.node));
}

static bool add_nodes(ph_moves *m, const ph_space *space)
{
    const ph_node before = ph_yaml_root(m->e->file), given = ph_node_find(&before, "initial");
    m->missing = !given.node;
    m->given = m->missing ? 0 : ph_yaml_index(m->e->file, given.node);
    m->map = settle_node(
        m, yaml_document_add_mapping(ph_yaml_document(m->e->file), NULL, YAML_FLOW_MAPPING_STYLE));
    m->time = add_text(m, "", NUMBER_ROOM);
    m->project = add_text(m, "", NUMBER_ROOM);
    if (!m->map || !add_pair(m, m->map, "time", m->time) || !add_pair(m, m->map, "project", m->project) ||
        !add_pair(m, m->map, "q", add_lists(m, space, false, m->q)) ||
        (m->np && !add_pair(m, m->map, "omega", add_lists(m, space, true, m->omega))))
        return false;
    const ph_node old = {.file = m->e->file, .node = m->given ? ph_yaml_node(m->e->file, m->given) : NULL};
    if (!keep_barycentre(m, &old))
        return false;
    const int root = ph_yaml_index(m->e->file, ph_yaml_root(m->e->file).node);
    if (m->missing && !add_pair(m, root, "initial", m->map))
        return false;
    yaml_node_t *top = ph_yaml_node(m->e->file, root);
    const yaml_node_pair_t *first = top->data.mapping.pairs.start;
    for (m->entry = 0; first[m->entry].value != (m->missing ? m->map : m->given);)
        m->entry++;
    top->data.mapping.pairs.top -= m->missing;
    return true;
}

/* ---- Moves --------------------------------------------------------------------------------------------------------- */

void ph_moves_free(ph_moves *m)
{
    if (!m)
        return;
    free(m->q);
    free(m->omega);
    free(m->xi);
    free(m);
}

static ph_status allocate(ph_moves *m, const ph_system *system, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    m->nz = ph_space_ambient(space);
    m->np = ph_space_momenta(space);
    m->algebra = ph_space_algebra(space);
    m->q = calloc(m->nz, sizeof *m->q);
    m->omega = calloc(m->np + 1, sizeof *m->omega);
    m->xi = calloc(2 * m->algebra + 3 * m->nz + m->np + ph_system_work(system) + 1, sizeof *m->xi);
    if (!m->q || !m->omega || !m->xi)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    m->z = m->xi + 2 * m->algebra;
    m->zdot = m->z + m->nz;
    m->tangent = m->zdot + m->nz;
    m->velocity = m->tangent + m->nz;
    m->work = m->velocity + m->np;
    return PH_OK;
}

ph_status ph_moves_create(ph_ensemble_text *e, const ph_scenario *base, ph_moves **moves, ph_error *err)
{
    const ph_node root = ph_yaml_root(e->file), reduction = ph_node_find(&root, "reduction");
    const ph_space *space = ph_system_space(ph_scenario_system(base));
    ph_status status = PH_OK;
    if (reduction.node)
        return ph_node_fail(
            &reduction, err, PH_E_UNSUPPORTED,
            "cannot be given where tangent vectors move the initial state; vary numbers of it instead");
    for (size_t i = 0; i < e->n_varied && !status; i++)
        if (ph_varied_moves(&e->varied[i]))
            status = settle_columns(e, &e->varied[i], space, err);
    if (status)
        return status;
    ph_moves *m = calloc(1, sizeof *m);
    if (!m)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    m->e = e;
    for (size_t i = 0; i < e->n_varied; i++)
        if (ph_varied_moves(&e->varied[i]))
            m->mark = ph_yaml_node(e->file, e->varied[i].key)->start_mark;
    status = allocate(m, ph_scenario_system(base), err);
    if (!status && !add_nodes(m, space))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status)
        ph_moves_free(m);
    else
        *moves = m;
    return status;
}

static void write_numbers(ph_moves *m, const int *nodes, size_t n, const double *values)
{
    for (size_t i = 0; i < n; i++) {
        yaml_node_t *to = ph_yaml_node(m->e->file, nodes[i]);
        char text[64], *at = (char *)to->data.scalar.value;
        ph_number_text(values[i], text);
        to->data.scalar.length = (size_t)(stpcpy(at, text) - at);
    }
}

/* As the member has it, which has been read already. */
static void write_project(ph_moves *m)
{
    const ph_node root = ph_yaml_root(m->e->file), initial = ph_node_find(&root, "initial"),
                  given = ph_node_find(&initial, "project");
    bool project = false;
    if (given.node)
        ph_node_bool(&given, &project, NULL);
    yaml_node_t *to = ph_yaml_node(m->e->file, m->project);
    to->data.scalar.length =
        (size_t)snprintf((char *)to->data.scalar.value, NUMBER_ROOM, "%s", project ? "true" : "false");
}

ph_status ph_moves_write(ph_moves *m, const ph_scenario *base, const double *values, ph_error *err)
{
    const ph_system *system = ph_scenario_system(base);
    const ph_space *space = ph_system_space(system);
    const double *z = ph_scenario_configuration(base), time = ph_scenario_time(base);
    size_t from = 0, n = 0;
    ph_status status = PH_OK;
    memset(m->xi, 0, 2 * m->algebra * sizeof *m->xi);
    for (size_t i = 0; i < m->e->n_varied && !status; i++) {
        const ph_varied *v = &m->e->varied[i];
        if (!ph_varied_moves(v))
            continue;
        status = find_numbers(m->e, v, space, &from, &n, err);
        for (size_t k = 0; k < n && !status; k++)
            m->xi[from + k] += values[v->first + k];
    }
    if (!status && m->np &&
        (status = ph_system_velocity(system, time, z, ph_scenario_momentum(base), m->zdot, m->work)))
        ph_fail(err, status, "the Legendre transform of the initial momentum failed: %s",
                ph_status_text(status));
    if (status)
        return status;
    ph_perturb(space, z, m->zdot, m->xi, m->xi + m->algebra, m->z, m->velocity, m->tangent);
    write_project(m);
    write_numbers(m, &m->time, 1, &time);
    write_numbers(m, m->q, m->nz, m->z);
    write_numbers(m, m->omega, m->np, m->velocity);
    return PH_OK;
}

/* The map stands last, where the scenario has no `initial`. */
void ph_moves_show(ph_moves *m, bool shown)
{
    yaml_node_t *root = ph_yaml_root(m->e->file).node;
    int *value = &root->data.mapping.pairs.start[m->entry].value;
    if (m->missing)
        root->data.mapping.pairs.top = root->data.mapping.pairs.start + m->entry + shown;
    else if (shown)
        m->given = *value;
    if (!m->missing)
        *value = shown ? m->map : m->given;
}

char *ph_moves_text(const ph_moves *m)
{
    return ph_node_flow(m->e->file, m->map);
}
