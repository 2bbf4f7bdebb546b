/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the columns of bodies under mutual gravity: letters, the number of a body from 1, and _ with which of its numbers
 * (orbit2_e), or with the number of another body (distance1_2). */
#include "companions.h"

#include "lib/internal/space.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct item {
    const char *name, *unit;
} item;

static const item orbit[PH_ORBIT_NUMBERS] = {{"a", "m"},      {"q", "m"},      {"e", "1"},
                                             {"i", "rad"},    {"node", "rad"}, {"periapsis", "rad"},
                                             {"true", "rad"}, {"mean", "rad"}, {"longitude", "rad"}},
                  euler[PH_EULER_NUMBERS] = {{"roll", "rad"}, {"pitch", "rad"}, {"yaw", "rad"}},
                  spin[PH_SPIN_NUMBERS] = {{"rate", "rad/s"},
                                           {"radial", "rad/s"},
                                           {"along", "rad/s"},
                                           {"normal", "rad/s"},
                                           {"relative", "rad/s"}},
                  libration[PH_LIBRATION_NUMBERS] = {{"in", "rad"}, {"out", "rad"}};

/* How columns of a kind are called. */
static const struct {
    const char *letters, *unit; /* unit: where there is one number of each body */
    const item *items;
    size_t each;
} table[PH_COMPANION_KINDS] = {
    [PH_COMPANION_ORBIT] = {"orbit", NULL, orbit, PH_ORBIT_NUMBERS},
    [PH_COMPANION_DISTANCE] = {"distance", "m", NULL, 1},
    [PH_COMPANION_EULER] = {"euler", NULL, euler, PH_EULER_NUMBERS},
    [PH_COMPANION_SPIN] = {"spin", NULL, spin, PH_SPIN_NUMBERS},
    [PH_COMPANION_LIBRATION] = {"libration", NULL, libration, PH_LIBRATION_NUMBERS},
    [PH_COMPANION_BINDING] = {"binding", "J/kg", NULL, 1},
    [PH_COMPANION_CLEARANCE] = {"clearance", "m", NULL, 1},
    [PH_COMPANION_ESCAPE] = {"escape", "m", NULL, 1},
    [PH_COMPANION_ENERGY] = {"rotation", "J", NULL, 1}};

/* ---- Which bodies ------------------------------------------------------------------------------------------- */

static bool is_of_turning(ph_companion_kind kind)
{
    return kind == PH_COMPANION_EULER || kind == PH_COMPANION_SPIN || kind == PH_COMPANION_LIBRATION ||
           kind == PH_COMPANION_ENERGY;
}

/* How many bodies have the kind, and which of them a body is; PH_NO_INDEX: it has not. */
static size_t count_bodies(const ph_gravitation *g, ph_companion_kind kind)
{
    if (is_of_turning(kind))
        return ph_gravitation_attitudes(g);
    return ph_gravitation_bodies(g) - (kind == PH_COMPANION_ORBIT ? ph_companion_first_orbit(g) : 0);
}

static size_t place_of_body(const ph_gravitation *g, ph_companion_kind kind, size_t body)
{
    if (body >= ph_gravitation_bodies(g))
        return PH_NO_INDEX;
    if (is_of_turning(kind))
        return ph_gravitation_attitude(g, body);
    const size_t first = kind == PH_COMPANION_ORBIT ? ph_companion_first_orbit(g) : 0;
    return body < first ? PH_NO_INDEX : body - first;
}

static size_t body_at(const ph_gravitation *g, ph_companion_kind kind, size_t place)
{
    size_t body = kind == PH_COMPANION_ORBIT ? ph_companion_first_orbit(g) + place : place;
    while (is_of_turning(kind) && ph_gravitation_attitude(g, body) != place)
        body++;
    return body;
}

/* Pairs of n members in the order 1_2, 1_3, ..., 2_3, ...: those before the first of member i. */
static size_t pairs_before(size_t n, size_t i)
{
    return i * (2 * n - i - 1) / 2;
}

/* ---- Names --------------------------------------------------------------------------------------------------- */

/* Energies: translation, rotation of each body that turns, then these; the last one only where there are given bodies. */
static const char *const potentials[] = {"potential_points", "potential_shapes", "potential_given"};

static size_t count_potentials(const ph_gravitation *g)
{
    return ph_gravitation_given(g) ? 3 : 2;
}

size_t ph_companion_count(const ph_system *system, ph_companion_kind kind)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    if (!g)
        return 0;
    if (kind == PH_COMPANION_CLEARANCE || kind == PH_COMPANION_ESCAPE)
        return 1;
    if (kind == PH_COMPANION_ENERGY)
        return 1 + ph_gravitation_attitudes(g) + count_potentials(g);
    if (kind == PH_COMPANION_DISTANCE)
        return pairs_before(ph_companion_members(g), ph_companion_members(g));
    return count_bodies(g, kind) * table[kind].each;
}

static void name_pair(const ph_gravitation *g, size_t at, char *name)
{
    const size_t n = ph_companion_members(g), one = ph_companion_first_orbit(g);
    size_t i = 0;
    while (pairs_before(n, i + 1) <= at)
        i++;
    snprintf(name, PH_COLUMN_NAME, "distance%zu_%zu", i + one, i + one + 1 + at - pairs_before(n, i));
}

static void name_energy(const ph_gravitation *g, size_t at, char *name)
{
    const size_t turning = ph_gravitation_attitudes(g);
    if (at == 0)
        snprintf(name, PH_COLUMN_NAME, "translation");
    else if (at <= turning)
        snprintf(name, PH_COLUMN_NAME, "rotation%zu", body_at(g, PH_COMPANION_ENERGY, at - 1) + 1);
    else
        snprintf(name, PH_COLUMN_NAME, "%s", potentials[at - 1 - turning]);
}

const char *ph_companion_name(const ph_system *system, ph_companion_kind kind, size_t at, char *name)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const char *letters = table[kind].letters;
    const size_t each = table[kind].each, body = at / each;
    if (kind == PH_COMPANION_DISTANCE)
        name_pair(g, at, name);
    else if (kind == PH_COMPANION_ENERGY)
        name_energy(g, at, name);
    else if (kind == PH_COMPANION_CLEARANCE || kind == PH_COMPANION_ESCAPE)
        snprintf(name, PH_COLUMN_NAME, "%s", letters);
    else if (each > 1)
        snprintf(name, PH_COLUMN_NAME, "%s%zu_%s", letters, body_at(g, kind, body) + 1,
                 table[kind].items[at % each].name);
    else
        snprintf(name, PH_COLUMN_NAME, "%s%zu", letters, body_at(g, kind, body) + 1);
    return each > 1 ? table[kind].items[at % each].unit : table[kind].unit;
}

/* ---- Search --------------------------------------------------------------------------------------------------- */

/* "12_e" -> 12 (*number), *rest "_e". It has no zeros in front, and is at most n. */
static bool read_number(const char *text, size_t n, size_t *number, const char **rest)
{
    if (!isdigit((unsigned char)*text) || (*text == '0' && isdigit((unsigned char)text[1])))
        return false;
    for (*number = 0; isdigit((unsigned char)*text) && *number <= n; text++)
        *number = 10 * *number + (size_t)(*text - '0');
    *rest = text;
    return *number <= n;
}

/* "1_2" -> which of the pairs. */
static bool find_pair(const ph_gravitation *g, const char *text, size_t *first)
{
    const size_t one = ph_companion_first_orbit(g), n = ph_gravitation_bodies(g);
    size_t i, j;
    if (!read_number(text, n, &i, &text) || *text != '_' || !read_number(text + 1, n, &j, &text) || *text)
        return false;
    *first = i < one ? 0 : pairs_before(ph_companion_members(g), i - one) + j - i - 1;
    return i >= one && i < j;
}

static bool find_total(const ph_gravitation *g, const char *word, size_t *first)
{
    if (!strcmp(word, "translation")) {
        *first = 0;
        return true;
    }
    for (size_t k = 0; k < count_potentials(g); k++)
        if (!strcmp(word, potentials[k])) {
            *first = 1 + ph_gravitation_attitudes(g) + k;
            return true;
        }
    return false;
}

bool ph_companion_find(const ph_system *system, ph_companion_kind kind, const char *word, size_t *first,
                       size_t *count)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const char *letters = table[kind].letters, *rest;
    const size_t length = strlen(letters), each = table[kind].each;
    size_t number;
    if (!g || kind == PH_COMPANION_CLEARANCE || kind == PH_COMPANION_ESCAPE)
        return false; /* these are found as groups */
    *count = 1;
    if (kind == PH_COMPANION_ENERGY && find_total(g, word, first))
        return true;
    if (strncmp(word, letters, length) != 0)
        return false;
    if (kind == PH_COMPANION_DISTANCE)
        return find_pair(g, word + length, first);
    if (!read_number(word + length, ph_gravitation_bodies(g), &number, &rest) || !number)
        return false;
    const size_t place = place_of_body(g, kind, number - 1);
    if (place == PH_NO_INDEX)
        return false;
    *first = place * each + (kind == PH_COMPANION_ENERGY);
    *count = each;
    if (!*rest)
        return true;
    *count = 1;
    for (size_t k = 0; k < each && each > 1; k++, ++*first)
        if (*rest == '_' && !strcmp(rest + 1, table[kind].items[k].name))
            return true;
    return false;
}
