/* SPDX-License-Identifier: BSD-3-Clause */
/* initial: where the motion begins. Positions and velocities that are off the manifold are errors, whose
 * messages give the nearest valid value, unless the scenario requests the projection. */
#include "parts.h"

#include <polhode/constraints.h>
#include <polhode/domain/gravitation.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Q, OMEGA, QDOT, MOMENTUM, PRESET, FROM, PROJECT, TIME, BARYCENTRE, KEYS };
static const ph_scenario_key keys[KEYS] = {
    [Q] =
        {"q", "a list with an entry for each factor", "`preset` or `from`",
         "The configuration: on S², and of a spin, a unit vector, on S¹ `[x, y]` or `{angle: 90 deg}`, on R^d d numbers, on SO(3) the rotation "
         "matrix, body to space, as nine numbers row by row or three lists of three, or a quaternion "
         "`[w, x, y, z]`. An entry may also be a map of angles, or of the elements of an orbit, see below."},
    [OMEGA] =
        {"omega", "a list with an entry for each factor, in rad/s", "at rest",
         "Not of spins, which have no velocities. Angular velocities: on S² a vector perpendicular to q, on S¹ `[w]`, on SO(3) a vector in the "
         "body frame; on R^d the velocity in m/s. With velocity constraints an entry may be `follows`: it is "
         "computed from the others; `orbit` where `q` has the elements of an orbit, and `spin-state` where it has one."},
    [QDOT] = {"qdot", "a list with an entry for each factor, in 1/s", "at rest",
              "The velocity in the coordinates of `q`, in place of `omega`; entries may be `follows`, too."},
    [MOMENTUM] =
        {"momentum", "a list with an entry for each factor, in kg m²/s", "at rest",
         "Momenta, in place of `omega`, as the columns `pi1`, `Pi1`, `p1` have them: on S² π = q × ∂L/∂q̇, on "
         "SO(3) Π in the body frame, on R^d p in kg m/s."},
    [PRESET] = {"preset", "a name", "the first one",
                "Initial conditions that the model names: `polhode models NAME`."},
    [FROM] =
        {"from", "a path", "none",
         "Continue from the final state in the `summary.json` of an earlier run of the same model. The path is "
         "relative to the scenario."},
    [PROJECT] =
        {"project", "`true` or `false`", "`false`",
         "Project q to the manifold and the velocity to its tangent space, and then to the nearest that velocity "
         "constraints allow, which changes all velocities. Without it, a distance beyond 1e-12 is an error."},
    [TIME] = {"time", "a time in s", "0", "The initial time t₀. Not together with `from`."},
    [BARYCENTRE] = {
        "barycentre", "`rest`", "as given",
        "For bodies under mutual gravity, with `q`: all places and velocities are shifted such that the "
        "barycentre rests in the origin."}};
const ph_scenario_map ph_initial_keys = {"initial", keys, KEYS};

/* Data this close to what it should be is accepted as rounded. */
static const double admitted = 1e-12;

/* ---- q, omega, qdot, momentum ----------------------------------------------------------------------------- */

/* What the entries are, of bodies under mutual gravity, as it depends on which of them turn. */
static const char *list_bodies(const ph_system *system, char text[120])
{
    const ph_gravitation *g = ph_system_gravitation(system);
    *text = '\0';
    if (g) {
        const size_t turn = ph_gravitation_attitudes(g),
                     places = ph_space_factors(ph_system_space(system)) - turn;
        snprintf(text, 120, ": %zu for the place%s, then %zu for the attitude%s of what turns", places,
                 places == 1 ? "" : "s", turn, turn == 1 ? "" : "s");
    }
    return text;
}

/* A list with one entry for each factor of the space. */
static ph_status check_rows(const ph_node *list, const ph_system *system, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    size_t there = 0, n = ph_space_factors(space);
    char expected[80], places[120];
    bool vectors = true;
    if (!ph_node_list(list, "", &there, NULL) && there == n)
        return PH_OK;
    for (size_t i = 0; i < n; i++)
        vectors = vectors && ph_space_factor(space, i)->nz == 3;
    snprintf(expected, sizeof expected,
             vectors ? "a list of %zu vector%s, as in [[x, y, z]%s]," : "a list of %zu list%s,", n,
             n == 1 ? "" : "s", n == 1 ? "" : ", ...");
    ph_status status = ph_node_list(list, expected, &there, err);
    if (!status && there != n)
        status = ph_node_fail(list, err, PH_E_SIZE,
                              "has %zu entr%s; %s one for each factor of the space, is expected%s", there,
                              there == 1 ? "y" : "ies", expected, list_bodies(system, places));
    return status;
}

/* A list of nine numbers may also be given as three rows of three. */
static bool is_matrix(const ph_node *row, size_t n)
{
    size_t there;
    if (n != 9 || !ph_node_is_list(row) || ph_node_list(row, "", &there, NULL) || there != 3)
        return false;
    ph_node first = ph_node_item(row, 0);
    return ph_node_is_list(&first);
}

/* values (n) <- one factor's list. */
static ph_status read_row(const ph_node *row, size_t n, double *values, ph_error *err)
{
    char expected[80];
    ph_status status = PH_OK;
    if (is_matrix(row, n)) {
        for (size_t i = 0; i < 3 && !status; i++) {
            ph_node part = ph_node_item(row, i);
            status = ph_node_numbers(&part, "a list of 3 numbers", values + 3 * i, 3, err);
        }
        return status;
    }
    if (n == 1 && ph_node_is_scalar(row))
        return ph_node_number(row, "a number", values, err);
    if (!ph_node_numbers(row, "", values, n, NULL))
        return PH_OK; /* what is expected is needed for the message only */
    snprintf(expected, sizeof expected, "a list of %zu number%s%s", n, n == 1 ? "" : "s",
             n == 9 ? " (a rotation matrix) or 4 (a quaternion)" : "");
    return ph_node_numbers(row, expected, values, n, err);
}

/* z <- the list q, factor by factor. */
static ph_status read_q(ph_reading *r, const ph_node *list, ph_error *err)
{
    const ph_space *space = ph_system_space(r->scenario->system);
    ph_status status = check_rows(list, r->scenario->system, err);
    for (size_t i = 0; i < ph_space_factors(space) && !status; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double *q = r->scenario->z + f->z;
        ph_node row = ph_node_item(list, i);
        if (ph_is_orbit(r->scenario->system, i, &row))
            continue; /* until velocities are read */
        const ph_factor_label *label = ph_system_label(r->scenario->system, i);
        if (f->kind == PH_FACTOR_S1 && ph_node_is_scalar(&row))
            status = ph_node_fail(&row, err, PH_E_PARSE,
                                  "is one number or a word; a point of a circle is {angle: 0.5} in rad, "
                                  "{angle: 30 deg}, or a unit vector [x, y]");
        else if (label && !strcmp(label->unit, "rad") && ph_node_is_scalar(&row) && f->nz == 1)
            status = ph_read_angle(&row, q, err);
        else if (ph_node_is_map(&row) || ph_is_quaternion(&row, f->kind))
            status = ph_read_entry(&row, f->kind, r->project, q, err);
        else
            status = read_row(&row, f->nz, q, err);
        const ph_node angle = ph_node_find(&row, "angle");
        double turn;
        if (!status && angle.node && f->kind == PH_FACTOR_S1 && !ph_node_number(&angle, "", &turn, NULL) &&
            fabs(turn) > 6.3)
            ph_note(r->scenario, &row,
                    "has the angle %g, which is in rad and more than a turn; degrees are written as 90 deg",
                    turn);
        if (!status)
            status = ph_check_factor(&row, space, i, r->scenario->z, r->project, err);
    }
    if (!status) /* velocities are read against the q that will be used */
        ph_space_correct(space, r->scenario->z);
    return status;
}

/* What a list of velocities or momenta is. */
typedef enum velocity_kind { AS_QDOT, AS_OMEGA, AS_MOMENTUM } velocity_kind;

/* zdot <- with the velocities of the factors that follow from the others. */
static ph_status follow(const ph_reading *r, const ph_node *list, const bool *follows, ph_error *err)
{
    ph_scenario *s = r->scenario;
    ph_status status = ph_system_constraint_follow(s->system, s->time, s->z, follows, s->zdot, err);
    return status ? ph_node_blame(list, err, status) : PH_OK;
}

/* qdot as it stands, or omega, the angular velocities (on SO(3) in the body frame), which are the same on R^d
 * and embedded manifolds, or momenta. Until the momenta are known there is room for omega in their place.
 * positions: the list q. */
static ph_status read_velocities(ph_reading *r, const ph_node *positions, const ph_node *list,
                                 velocity_kind kind, ph_error *err)
{
    static const ph_fault faults[] = {PH_FAULT_VELOCITY, PH_FAULT_SPIN, PH_FAULT_MOMENTUM};
    ph_scenario *s = r->scenario;
    const ph_space *space = ph_system_space(s->system);
    const bool ambient = kind == AS_QDOT;
    double *v = ambient ? s->zdot : s->p;
    bool *follows = calloc(ph_space_factors(space), sizeof *follows), any = false, all = true;
    ph_status status =
        follows ? check_rows(list, s->system, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < ph_space_factors(space) && !status; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double *entry = v + (ambient ? f->z : f->p);
        ph_node row = ph_node_item(list, i), position = ph_node_item(positions, i);
        if (ph_is_orbit(s->system, i, &position) && kind == AS_MOMENTUM) {
            status = ph_node_fail(
                &row, err, PH_E_PARSE,
                "is a momentum, but \"q\" has an orbit there; give \"omega\" with orbit in its place");
            continue;
        }
        if (ph_is_orbit(s->system, i, &position) && ph_is_of_orbit(&row))
            continue;
        if (kind != AS_MOMENTUM && ph_is_word(&row, "follows")) {
            any = follows[i] = true; /* at rest for now */
            continue;
        }
        all = false;
        if (ph_is_orbit(s->system, i, &position) && !ph_node_is_list(&row))
            status =
                ph_node_fail(&row, err, PH_E_PARSE,
                             "is not a list; orbit, where \"q\" has one, or a list of 3 numbers is expected");
        else if (kind == AS_OMEGA && (ph_node_is_map(&row) || ph_is_word(&row, "spin-state")))
            status = ph_read_rates(&row, &position, f->kind, entry, err);
        else
            status = read_row(&row, ambient ? f->nz : f->np, entry, err);
        if (!status && !r->project)
            status = ph_check_velocity(&row, space, i, faults[kind], s->z, v, s->p, err);
    }
    if (!status && kind == AS_OMEGA)
        ph_space_turn(space, s->z, s->p, s->zdot);
    if (!status && any)
        status = follow(r, list, follows, err);
    if (!status && any && all)
        ph_note(
            s, list,
            "has `follows` for every factor: without a velocity that is given, nothing moves but what the velocity constraints "
            "prescribe");
    free(follows);
    return status;
}

/* ---- Momentum ----------------------------------------------------------------------------------- */

/* The Legendre transform, from the rounded to the exact manifold: p <- of zdot, or, with momenta given, zdot <- of
 * p. */
static ph_status transform(ph_scenario *s, bool momenta, ph_error *err)
{
    const ph_space *space = ph_system_space(s->system);
    double *p = s->p;
    ph_space_correct(space, s->z);
    if (momenta)
        ph_space_project_momentum(space, s->z, p);
    else
        ph_space_project_tangent(space, s->z, s->zdot);
    double T = 0, U = 0, in_time = 0, *work = malloc(ph_system_work(s->system) * sizeof *work);
    if (!work)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status moved = momenta ? ph_system_velocity(s->system, s->time, s->z, s->p, s->zdot, work)
                              : ph_system_momentum(s->system, s->time, s->z, s->zdot, s->p, work);
    ph_status status = ph_system_energy(s->system, s->time, s->z, s->zdot, &T, &U, work);
    if (!status && ph_system_depends_on_time(s->system))
        status = ph_system_potential_in_time(s->system, s->time, s->z, &in_time);
    U += in_time;
    free(work);
    if (moved)
        return ph_fail(err, moved, "the Legendre transform of the initial %s failed: %s",
                       momenta ? "momentum" : "velocity", ph_status_text(moved));
    /* where velocities cancel in pi, its rounding errors are large compared with pi itself */
    ph_space_project_momentum(space, s->z, s->p);
    for (size_t i = 0; i < ph_space_momenta(space); i++)
        if (!isfinite(s->p[i]))
            return ph_fail(err, PH_E_NOT_FINITE,
                           "the initial momentum is not finite; a smaller velocity is expected");
    if (status || !isfinite(U))
        return ph_fail(err, status ? status : PH_E_NOT_FINITE,
                       "the model has no %senergy at the initial configuration (%s); another one is expected",
                       ph_space_momenta(space) ? "potential " : "",
                       ph_status_text(status ? status : PH_E_NOT_FINITE));
    if (!isfinite(T))
        return ph_fail(err, PH_E_NOT_FINITE,
                       "the initial kinetic energy is not finite; a smaller velocity is expected");
    return PH_OK;
}

/* Is the initial velocity what the velocity constraints demand? If not it is refused, or projected where that was asked
 * for. */
static ph_status check_constraint(const ph_reading *r, ph_error *err)
{
    ph_scenario *s = r->scenario;
    double error = 0, *work;
    if (!ph_system_constraints(s->system))
        return PH_OK;
    work = malloc(ph_system_constraint_work(s->system) * sizeof *work);
    if (!work)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    double U;
    ph_status status = ph_system_constraint_error(s->system, s->time, s->z, s->zdot, &error, work);
    if (status)
        ph_fail(err, status, "the velocity constraint failed at the initial configuration: %s",
                ph_status_text(status));
    else if (error > admitted && !r->project)
        status = ph_fail(err, PH_E_NOT_TANGENT,
                         "the velocities are off the model's velocity constraint by %.3g (relative); write "
                         "\"follows\" for a factor whose velocity is to be computed from the others, as in "
                         "omega: [follows, ...], or \"project: true\" under \"initial\", which changes all "
                         "velocities",
                         error);
    else
        status = ph_system_energy(s->system, s->time, s->z, s->zdot, &s->kinetic[0], &U, work);
    if (!status)
        status = ph_system_constraint_project(s->system, s->time, s->z, s->zdot, work, err);
    if (!status && error > admitted) {
        s->projected = true;
        status = ph_system_momentum(s->system, s->time, s->z, s->zdot, s->p, work);
        if (!status)
            status = ph_system_energy(s->system, s->time, s->z, s->zdot, &s->kinetic[1], &U, work);
    }
    free(work);
    return status;
}

/* at->node may be NULL: the first preset. `where` is the position for messages about its state. */
static ph_status read_preset(ph_reading *r, const ph_node *where, const ph_node *at, ph_error *err)
{
    ph_scenario *s = r->scenario;
    const char *name = NULL;
    char shown[64];
    ph_status status = PH_OK;
    if (!s->model->n_presets)
        return ph_node_fail(
            where, err, PH_E_PARSE,
            "has no initial configuration; a system of formulas has no presets: give initial.q");
    if (at->node)
        status = ph_node_text(at, "the name of a preset", &name, err);
    if (status)
        return status;
    if (name)
        name = ph_text_show(shown, sizeof shown, name);
    status = ph_model_preset(s->model, r->values, r->n_values, name,
                             ph_space_ambient(ph_system_space(s->system)), s->z, s->zdot, err);
    if (status)
        return ph_node_blame(where, err, status);
    status = ph_check_apart(s, where, err);
    if (!status && (status = transform(s, false, err)))
        ph_node_blame(where, err, status);
    return status;
}

/* For places and velocities, which are not momenta yet. */
static ph_status rest_barycentre(ph_reading *r, const ph_node *values, bool momenta, ph_error *err)
{
    const ph_node *at = &values[BARYCENTRE];
    const char *word;
    ph_status status = ph_node_text(at, "rest", &word, err);
    if (!status && strcmp(word, "rest"))
        status = ph_node_fail(at, err, PH_E_PARSE, "is \"%.40s\"; rest is expected", word);
    if (!status && momenta)
        status = ph_node_fail(at, err, PH_E_PARSE,
                              "cannot be given together with \"momentum\"; give one of the two");
    return status ? status : ph_rest_barycentre(r->scenario, at, err);
}

/* q, and a velocity by omega, qdot or momentum; at rest without. */
static ph_status read_coordinates(ph_reading *r, const ph_node *at, const ph_node *values, ph_error *err)
{
    ph_status status = read_q(r, &values[Q], err);
    const int key = values[OMEGA].node ? OMEGA : values[MOMENTUM].node ? MOMENTUM : QDOT;
    const ph_node *velocity = &values[key];
    if (!status && velocity->node)
        status = read_velocities(r, &values[Q], velocity,
                                 key == OMEGA  ? AS_OMEGA
                                 : key == QDOT ? AS_QDOT
                                               : AS_MOMENTUM,
                                 err);
    if (!status)
        status = ph_read_orbits(r, &values[Q], velocity, err);
    if (!status && values[BARYCENTRE].node)
        status = rest_barycentre(r, values, key == MOMENTUM, err);
    if (!status)
        status = ph_check_apart(r->scenario, &values[Q], err);
    if (status)
        return status;
    status = transform(r->scenario, key == MOMENTUM, err);
    if (!status)
        status = check_constraint(r, err);
    return status ? ph_node_blame(velocity->node ? velocity : at, err, status) : PH_OK;
}

/* ---- Which keys are given ------------------------------------------------------------------------ */

/* Keys that exclude each other, and velocities without positions. bare: a state has no momenta. */
static ph_status check_choice(const ph_node *at, const ph_node *values, bool bare, ph_error *err)
{
    static const struct {
        int key, other;
    } exclusive[] = {{OMEGA, QDOT},    {PRESET, Q},          {FROM, Q},         {PRESET, OMEGA},
                     {PRESET, QDOT},   {FROM, OMEGA},        {FROM, QDOT},      {FROM, PRESET},
                     {TIME, FROM},     {MOMENTUM, OMEGA},    {MOMENTUM, QDOT},  {PRESET, MOMENTUM},
                     {FROM, MOMENTUM}, {BARYCENTRE, PRESET}, {BARYCENTRE, FROM}};
    for (int k = OMEGA; k <= MOMENTUM && bare; k++)
        if (values[k].node)
            return ph_node_fail(
                &values[k], err, PH_E_PARSE,
                "is given, but spins have neither velocities nor momenta: \"q\" is their whole "
                "state; take it out");
    for (size_t i = 0; i < sizeof exclusive / sizeof exclusive[0]; i++)
        if (values[exclusive[i].key].node && values[exclusive[i].other].node)
            return ph_node_fail(&values[exclusive[i].key], err, PH_E_PARSE,
                                "cannot be given together with \"%s\"; give one of the two",
                                keys[exclusive[i].other].name);
    for (int k = OMEGA; k <= MOMENTUM; k++)
        if (values[k].node && !values[Q].node)
            return ph_node_fail(&values[k], err, PH_E_PARSE,
                                "is given without \"q\"; give the positions, too");
    if (bare && !values[Q].node && !values[PRESET].node && !values[FROM].node)
        return ph_node_fail(at, err, PH_E_PARSE,
                            "does not say where to begin; give \"q\", or \"preset\", or \"from\"");
    if (!values[Q].node && !values[PRESET].node && !values[FROM].node)
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "does not say where to begin; "
            "give \"q\" (with \"omega\", \"qdot\" or \"momentum\"), or \"preset\", or \"from\"");
    return PH_OK;
}

/* Zeros: without a velocity the motion begins at rest. */
static ph_status allocate(ph_scenario *s, ph_error *err)
{
    const ph_space *space = ph_system_space(s->system);
    s->z = calloc(ph_space_ambient(space), sizeof *s->z);
    s->zdot = calloc(ph_space_ambient(space), sizeof *s->zdot);
    s->p = calloc(ph_space_momenta(space) + 1, sizeof *s->p); /* spins have none */
    return s->z && s->zdot && s->p ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* In the order in which one needs the other: project before q, q before velocities, and these before the
 * momentum. */
ph_status ph_read_initial(ph_reading *r, const ph_node *root, const ph_node *at, ph_error *err)
{
    ph_node values[KEYS];
    ph_status status = allocate(r->scenario, err);
    if (status || !at->node)
        return status ? status : read_preset(r, root, at, err);
    status =
        ph_node_keys(at, "a map, as in {q: [[x, y, z]]} or {preset: NAME},", &ph_initial_keys, values, err);
    if (!status)
        status = check_choice(at, values, !ph_space_momenta(ph_system_space(r->scenario->system)), err);
    if (!status && values[PROJECT].node)
        status = ph_node_bool(&values[PROJECT], &r->project, err);
    if (!status && values[TIME].node)
        status = ph_node_number(&values[TIME], "a time in s", &r->scenario->time, err);
    if (status)
        return status;
    if (values[FROM].node) {
        status = ph_read_restart(r, &values[FROM], err);
        return status ? status : ph_check_apart(r->scenario, &values[FROM], err);
    }
    if (values[PRESET].node)
        return read_preset(r, &values[PRESET], &values[PRESET], err);
    return read_coordinates(r, at, values, err);
}
