/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the columns of a motion: numbers in groups, a group for each factor or point, counted from 1. */
#include "motion-columns.h"

#include "lib/internal/space.h"
#include "lib/system/structure.h"
#include "reduced.h"

#include <polhode/constraints.h>
#include <polhode/kit/tensions.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A group: its numbers among those of the kind, its name, and how its numbers are distinguished. */
typedef struct group {
    size_t first, count, number;
    char letters[24];
    ph_index index;
    const char *unit;
} group;

static const char *rate_unit(const char *unit)
{
    return !strcmp(unit, "m") ? "m/s" : !strcmp(unit, "1") ? "1/s" : "";
}

/* The group of factor i; false where the kind has none of that factor. */
static bool describe_factor(const ph_space *space, ph_motion_kind kind, size_t i, size_t rotations, group *g)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    const ph_symbol *q = &ph_space_manifold(space, i)->configurations;
    const bool turns = f->kind == PH_FACTOR_S1 || f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SO3 ||
                       f->kind == PH_FACTOR_SPIN;
    g->number = i + 1;
    if (kind == PH_VELOCITY) {
        g->first = f->z;
        g->count = f->nz;
        g->index = q->index;
        g->unit = rate_unit(q->unit);
        snprintf(g->letters, sizeof g->letters, "%.16sdot", q->letters);
        return true;
    }
    if (kind == PH_OMEGA) {
        g->first = ph_factor_algebra(f);
        g->count = ph_factor_algebra_numbers(f);
        g->index = f->kind == PH_FACTOR_S1 ? PH_INDEX_NONE : turns ? PH_INDEX_AXIS : q->index;
        g->unit = turns ? "rad/s" : rate_unit(q->unit);
        snprintf(g->letters, sizeof g->letters, "%s",
                 f->kind == PH_FACTOR_SO3 ? "Omega"
                 : turns                  ? "omega"
                                          : "v");
        return true;
    }
    if (kind == PH_TENSION) { /* of a linkage: links are all factors but a cart, which comes first */
        g->first = ph_space_factor(space, 0)->kind == PH_FACTOR_R ? i - 1 : i;
        g->count = 1;
        g->index = PH_INDEX_NONE;
        g->unit = "N";
        strcpy(g->letters, "tension");
        return turns;
    }
    g->first = 4 * rotations;
    g->count = 4;
    g->index = PH_INDEX_AXIS;
    g->unit = "1";
    strcpy(g->letters, "quaternion");
    return f->kind == PH_FACTOR_SO3;
}

/* The next group from *i on, which is then the place behind it; rotations: those before. */
static bool next_group(const ph_system *system, ph_motion_kind kind, size_t *i, size_t *rotations, group *g)
{
    const ph_space *space = ph_system_space(system);
    if (kind == PH_POSITION) {
        if (*i >= ph_system_points(system))
            return false;
        *g = (group){3 * *i, 3, *i + 1, "position", PH_INDEX_AXIS, "m"};
        ++*i;
        return true;
    }
    if (kind == PH_REACTION) {
        if (*i >= ph_motion_count(system, kind))
            return false;
        *g = (group){*i, 1, *i + 1, "lambda", PH_INDEX_NONE, ""};
        ++*i;
        return true;
    }
    while (*i < ph_space_factors(space)) {
        const size_t at = (*i)++;
        const bool is = describe_factor(space, kind, at, *rotations, g);
        *rotations += ph_space_factor(space, at)->kind == PH_FACTOR_SO3;
        if (is)
            return true;
    }
    return false;
}

/* name <- of number k of the group. */
static void name_number(const group *g, size_t k, char *name)
{
    static const char axes[] = "xyz", parts[] = "wxyz";
    if (g->index == PH_INDEX_NONE)
        snprintf(name, PH_COLUMN_NAME, "%s%zu", g->letters, g->number);
    else if (g->index == PH_INDEX_COUNT)
        snprintf(name, PH_COLUMN_NAME, "%s%zu_%zu", g->letters, g->number, k + 1);
    else if (g->index == PH_INDEX_AXES)
        snprintf(name, PH_COLUMN_NAME, "%s%zu%c%c", g->letters, g->number, axes[k / 3 % 3], axes[k % 3]);
    else
        snprintf(name, PH_COLUMN_NAME, "%s%zu%c", g->letters, g->number,
                 g->count == 4 ? parts[k % 4] : axes[k % 3]);
}

size_t ph_motion_count(const ph_system *system, ph_motion_kind kind)
{
    const ph_space *space = ph_system_space(system);
    size_t rotations = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++)
        rotations += ph_space_factor(space, i)->kind == PH_FACTOR_SO3;
    const size_t links = ph_space_factors(space) - (ph_space_factor(space, 0)->kind == PH_FACTOR_R);
    const size_t counts[PH_MOTION_KINDS] = {ph_space_ambient(space),
                                            ph_space_algebra(space),
                                            4 * rotations,
                                            3 * ph_system_points(system),
                                            ph_system_has_tensions(system) ? links : 0,
                                            ph_system_is_dense(system) ? ph_system_constraints(system) : 0,
                                            ph_system_whole(system, NULL) ? PH_REDUCED_NUMBERS : 0,
                                            kind == PH_SHAPE ? ph_shape_count(system) : 0,
                                            ph_system_constraints(system) > 0,
                                            ph_system_has_force(system) && ph_system_has_power(system),
                                            ph_structure_of(system)->least_distance &&
                                                ph_space_factors(space) > 1};
    return counts[kind];
}

/* Where a search from the front would take a time in proportion to the number of factors for each column: the factor
 * or point that has the number, and the rotations before it. */
static void find_start(const ph_system *system, ph_motion_kind kind, size_t at, size_t *i, size_t *rotations)
{
    const ph_space *space = ph_system_space(system);
    size_t low = 0, high = kind == PH_POSITION ? 0 : ph_space_factors(space);
    *rotations = 0;
    *i = kind == PH_POSITION ? at / 3 : 0;
    if (kind == PH_TENSION || kind == PH_REACTION)
        *i = at;
    if (kind == PH_POSITION || kind == PH_QUATERNION || kind == PH_TENSION || kind == PH_REACTION)
        return;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const ph_factor_place *f = ph_space_factor(space, middle);
        if ((kind == PH_VELOCITY ? f->z : ph_factor_algebra(f)) <= at)
            low = middle;
        else
            high = middle;
    }
    *i = low;
}

/* Are the columns of the kind no groups? */
static bool is_single(ph_motion_kind kind)
{
    return kind == PH_SHAPE || kind == PH_REDUCED || kind == PH_SLIP || kind == PH_POWER ||
           kind == PH_LEAST_DISTANCE;
}

const char *ph_motion_name(const ph_system *system, ph_motion_kind kind, size_t at, char *name)
{
    group g = {0};
    size_t i, rotations;
    const char *unit = "";
    if (kind == PH_SHAPE)
        ph_shape_name(system, at, name);
    if (kind == PH_REDUCED)
        snprintf(name, PH_COLUMN_NAME, "%s", ph_reduced_name(at, &unit));
    if (kind == PH_SLIP)
        snprintf(name, PH_COLUMN_NAME, "velocity_constraint_error");
    if (kind == PH_POWER)
        snprintf(name, PH_COLUMN_NAME, "power");
    if (kind == PH_LEAST_DISTANCE)
        snprintf(name, PH_COLUMN_NAME, "least_distance");
    if (is_single(kind))
        return kind == PH_SLIP || kind == PH_LEAST_DISTANCE ? "1" : kind == PH_POWER ? "W" : unit;
    find_start(system, kind, at, &i, &rotations);
    while (next_group(system, kind, &i, &rotations, &g) && at >= g.first + g.count)
        ;
    name_number(&g, at - g.first, name);
    return g.unit;
}

/* For kinds whose columns are not groups. */
static bool find_single(const ph_system *system, ph_motion_kind kind, const char *word, size_t *first,
                        size_t *count)
{
    char name[PH_COLUMN_NAME];
    for (*first = 0, *count = 1; *first < ph_motion_count(system, kind); ++*first) {
        ph_motion_name(system, kind, *first, name);
        if (!strcmp(name, word))
            return true;
    }
    return false;
}

bool ph_motion_find(const ph_system *system, ph_motion_kind kind, const char *word, size_t *first,
                    size_t *count)
{
    char name[PH_COLUMN_NAME];
    group g = {0};
    const size_t digits = strcspn(word, "0123456789");
    const unsigned long number = strtoul(word + digits, NULL, 10);
    size_t rotations = 0, i = number ? number - 1 : 0;
    if (kind == PH_TENSION && !ph_system_has_tensions(system))
        return false;
    if (is_single(kind))
        return find_single(system, kind, word, first, count);
    if (kind == PH_QUATERNION) /* their places depend on the rotations before */
        i = 0;
    while (number && next_group(system, kind, &i, &rotations, &g) && g.number <= number) {
        if (g.number != number)
            continue;
        *first = g.first;
        *count = g.count;
        snprintf(name, sizeof name, "%s%zu", g.letters, g.number);
        if (!strcmp(name, word))
            return true;
        for (size_t k = 0; k < g.count; k++) {
            name_number(&g, k, name);
            *first = g.first + k;
            *count = 1;
            if (!strcmp(name, word))
                return true;
        }
    }
    return false;
}

void ph_motion_copy(const ph_motion *motion, ph_motion_kind kind, size_t at, size_t n, double *values)
{
    size_t many;
    const double apart = kind == PH_LEAST_DISTANCE ? ph_motion_least_distance(motion) : 0;
    const double *from = kind == PH_VELOCITY         ? ph_motion_velocity(motion)
                         : kind == PH_OMEGA          ? ph_motion_omega(motion)
                         : kind == PH_QUATERNION     ? ph_motion_quaternions(motion, &many)
                         : kind == PH_TENSION        ? ph_motion_links(motion)
                         : kind == PH_REACTION       ? ph_motion_reactions(motion, &many)
                         : kind == PH_REDUCED        ? ph_motion_reduced(motion, &many)
                         : kind == PH_SHAPE          ? ph_motion_shape(motion, &many)
                         : kind == PH_SLIP           ? ph_motion_constraint_error(motion)
                         : kind == PH_POWER          ? ph_motion_power(motion)
                         : kind == PH_LEAST_DISTANCE ? &apart
                                                     : ph_motion_points(motion, &many);
    memcpy(values, from + at, n * sizeof *values);
}
