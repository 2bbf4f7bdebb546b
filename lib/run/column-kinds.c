/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the kinds of columns. Groups are in the order of their columns and of their numbers, so that both are found by
 * bisection: there may be a million links. */
#include "column-kinds.h"

#include "lib/system/structure.h"
#include "reduced.h"

#include <polhode/constraints.h>
#include <polhode/kit/tensions.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Of factors and points --------------------------------------------------------------------------- */

static size_t factors(const ph_system *s)
{
    return ph_space_factors(ph_system_space(s));
}

static size_t has_momenta(const ph_system *s)
{
    return ph_space_momenta(ph_system_space(s)) > 0;
}

ph_column_group ph_column_group_of(const ph_space *space, size_t i, bool momentum)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    const ph_manifold *is = ph_space_manifold(space, i);
    const ph_symbol *of = momentum ? &is->momenta : &is->configurations;
    return (ph_column_group){.letters = of->letters,
                             .more = "",
                             .number = i + 1,
                             .first = momentum ? f->p : f->z,
                             .count = momentum ? f->np : f->nz,
                             .index = of->index,
                             .unit = of->unit};
}

/* The unit that the definition gives for a factor, by the label's member at this place; else `unit`. */
static const char *unit_of(const ph_system *s, size_t i, size_t member, const char *unit)
{
    const ph_factor_label *label = ph_system_label(s, i);
    const char *given = label ? *(const char *const *)(const void *)((const char *)label + member) : "";
    return *given ? given : unit;
}

static void configuration(const ph_system *s, size_t i, ph_column_group *g)
{
    *g = ph_column_group_of(ph_system_space(s), i, false);
    g->unit = unit_of(s, i, offsetof(ph_factor_label, unit), g->unit);
}

static void momentum(const ph_system *s, size_t i, ph_column_group *g)
{
    *g = ph_column_group_of(ph_system_space(s), i, true);
    g->unit = unit_of(s, i, offsetof(ph_factor_label, momentum_unit), g->unit);
}

static const char *rate_unit(const char *unit)
{
    return !strcmp(unit, "m") ? "m/s" : !strcmp(unit, "1") ? "1/s" : "";
}

static void velocity(const ph_system *s, size_t i, ph_column_group *g)
{
    configuration(s, i, g);
    g->more = "dot";
    g->unit = unit_of(s, i, offsetof(ph_factor_label, rate_unit), rate_unit(g->unit));
}

static void omega(const ph_system *s, size_t i, ph_column_group *g)
{
    const ph_factor_place *f = ph_space_factor(ph_system_space(s), i);
    const bool turns = f->kind == PH_FACTOR_S1 || f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SO3 ||
                       f->kind == PH_FACTOR_SPIN;
    configuration(s, i, g);
    g->letters = f->kind == PH_FACTOR_SO3 ? "Omega" : turns ? "omega" : "v";
    g->first = ph_factor_algebra(f);
    g->count = ph_factor_algebra_numbers(f);
    g->index = f->kind == PH_FACTOR_S1 ? PH_INDEX_NONE : turns ? PH_INDEX_AXIS : g->index;
    g->unit = turns ? "rad/s" : unit_of(s, i, offsetof(ph_factor_label, rate_unit), rate_unit(g->unit));
}

static bool is_rotation(const ph_system *s, size_t factor)
{
    return ph_space_factor(ph_system_space(s), factor)->kind == PH_FACTOR_SO3;
}

static size_t rotations(const ph_system *s)
{
    size_t n = 0;
    for (size_t i = 0; i < factors(s); i++)
        n += is_rotation(s, i);
    return n;
}

static size_t number_of_rotation(const ph_system *s, size_t i)
{
    size_t factor = 0;
    for (;; factor++)
        if (is_rotation(s, factor) && !i--)
            return factor + 1;
}

/* A cart, which comes first, is not a link. */
static size_t carts(const ph_system *s)
{
    return ph_space_factor(ph_system_space(s), 0)->kind == PH_FACTOR_R;
}

static size_t links(const ph_system *s)
{
    return ph_system_has_tensions(s) ? factors(s) - carts(s) : 0;
}

static size_t number_of_link(const ph_system *s, size_t i)
{
    return i + 1 + carts(s);
}

static size_t reactions(const ph_system *s)
{
    return ph_system_is_dense(s) ? ph_system_constraints(s) : 0;
}

static size_t is_constrained(const ph_system *s)
{
    return ph_system_constraints(s) > 0;
}

static size_t is_powered(const ph_system *s)
{
    return ph_system_has_force(s) && ph_system_has_power(s);
}

static size_t has_least_distance(const ph_system *s)
{
    return ph_structure_of(s)->least_distance && factors(s) > 1;
}

static size_t reduced_numbers(const ph_system *s)
{
    return ph_system_whole(s, NULL) ? PH_REDUCED_NUMBERS : 0;
}

static const char *reduced_number(const ph_system *s, size_t at, char *room, const char **unit)
{
    (void)s;
    (void)room;
    return ph_reduced_name(at, unit);
}

static const char *shape(const ph_system *s, size_t at, char *room, const char **unit)
{
    *unit = "";
    ph_shape_name(s, at, room);
    return room;
}

static const char *momentum_map(const ph_system *s, size_t at, char *room, const char **unit)
{
    const ph_symmetry *of = ph_system_symmetry(s, at);
    (void)room;
    *unit = of->unit ? of->unit : "";
    return of->name;
}

/* Those of its own that are listed, which come first. */
static size_t own_columns(const ph_system *s)
{
    size_t n = ph_system_columns(s);
    while (n && ph_system_column(s, n - 1)->unlisted)
        n--;
    return n;
}

static const char *own_column(const ph_system *s, size_t at, char *room, const char **unit)
{
    (void)room;
    *unit = ph_system_column(s, at)->unit;
    return ph_system_column(s, at)->name;
}

/* One by its name, or all parts of a vector by theirs without x, y, z or _1, _2, ... */
static bool find_own(const ph_system *s, const char *word, size_t *first, size_t *count)
{
    const size_t length = strlen(word), n = ph_system_columns(s);
    *count = 1;
    for (*first = 0; *first < n; ++*first)
        if (!strcmp(ph_system_column(s, *first)->name, word))
            return true;
    *count = 0;
    for (size_t i = 0; i < own_columns(s); i++) {
        const char *name = ph_system_column(s, i)->name, *part = name + length;
        if (strncmp(name, word, length) != 0)
            continue;
        part += *part == '_' && part[1] ? 1 + strspn(part + 1, "0123456789") : strspn(part, "xyz");
        *first = *part || *count ? *first : i;
        *count += !*part;
    }
    return *count > 0;
}

/* ---- Of bodies under mutual gravity -------------------------------------------------------------------- */

static const ph_column_item orbit_items[PH_ORBIT_NUMBERS] = {{"a", "m"},          {"q", "m"},
                                                             {"e", "1"},          {"i", "rad"},
                                                             {"node", "rad"},     {"periapsis", "rad"},
                                                             {"true", "rad"},     {"mean", "rad"},
                                                             {"longitude", "rad"}},
                            euler_items[PH_EULER_NUMBERS] = {{"roll", "rad"},
                                                             {"pitch", "rad"},
                                                             {"yaw", "rad"}},
                            spin_items[PH_SPIN_NUMBERS] = {{"rate", "rad/s"},
                                                           {"radial", "rad/s"},
                                                           {"along", "rad/s"},
                                                           {"normal", "rad/s"},
                                                           {"relative", "rad/s"}},
                            libration_items[PH_LIBRATION_NUMBERS] = {{"in", "rad"}, {"out", "rad"}};

static size_t is_attracted(const ph_system *s)
{
    return ph_system_gravitation(s) != NULL;
}

static size_t bodies(const ph_system *s)
{
    const ph_gravitation *g = ph_system_gravitation(s);
    return g ? ph_gravitation_bodies(g) : 0;
}

static size_t orbits(const ph_system *s)
{
    const ph_gravitation *g = ph_system_gravitation(s);
    return g ? ph_gravitation_bodies(g) - ph_companion_first_orbit(g) : 0;
}

static size_t number_of_orbit(const ph_system *s, size_t i)
{
    return ph_companion_first_orbit(ph_system_gravitation(s)) + i + 1;
}

static size_t turning(const ph_system *s)
{
    const ph_gravitation *g = ph_system_gravitation(s);
    return g ? ph_gravitation_attitudes(g) : 0;
}

static size_t number_of_turning(const ph_system *s, size_t i)
{
    size_t body = 0;
    while (ph_gravitation_attitude(ph_system_gravitation(s), body) != i)
        body++;
    return body + 1;
}

/* Pairs in the order 1_2, 1_3, ..., 2_3, ...: a group for each member but the last. */
static size_t leaders(const ph_system *s)
{
    const ph_gravitation *g = ph_system_gravitation(s);
    return g ? ph_companion_members(g) - 1 : 0;
}

static void pairs(const ph_system *s, size_t i, ph_column_group *g)
{
    const ph_gravitation *of = ph_system_gravitation(s);
    const size_t n = ph_companion_members(of), number = i + ph_companion_first_orbit(of);
    *g = (ph_column_group){.letters = "distance",
                           .more = "",
                           .number = number,
                           .first = i * (2 * n - i - 1) / 2,
                           .count = n - 1 - i,
                           .index = PH_INDEX_COUNT,
                           .from = number + 1,
                           .unit = "m"};
}

/* Energies: translation, rotation of each body that turns, then potentials; the last one only where there are given bodies. */
static size_t energies(const ph_system *s)
{
    const ph_gravitation *g = ph_system_gravitation(s);
    return g ? 1 + ph_gravitation_attitudes(g) + (ph_gravitation_given(g) ? 3 : 2) : 0;
}

static const char *energy(const ph_system *s, size_t at, char *room, const char **unit)
{
    static const char *const potentials[] = {"potential_points", "potential_shapes", "potential_given"};
    const size_t turn = turning(s);
    *unit = "J";
    if (at == 0)
        return "translation";
    if (at > turn)
        return potentials[at - 1 - turn];
    snprintf(room, PH_COLUMN_NAME, "rotation%zu", number_of_turning(s, at - 1));
    return room;
}

/* ---- The table --------------------------------------------------------------------------------------- */

#define MEASURES PH_COLUMN_MEASURES
#define UNCONSTRAINED "it has no velocity constraints"
#define WHOLE "it is not reduced by a symmetry"
#define UNATTRACTED "it is not a system of bodies under mutual gravity"
#define UNTURNED "it has no bodies under mutual gravity that turn"

const ph_column_row ph_column_rows[PH_OF_KINDS] = {
    [PH_OF_TIME] = {"t", "s"},
    [PH_OF_STEP] = {"step", NULL},
    [PH_OF_CONFIGURATION] = {"configuration", .many = factors, .group = configuration},
    [PH_OF_MOMENTUM] = {"momentum", .many = factors, .group = momentum},
    [PH_OF_ENERGY] = {"energy", "J", MEASURES},
    [PH_OF_ENERGY_ERROR] = {"energy_error", "J", MEASURES | PH_COLUMN_RUN},
    [PH_OF_CONSTRAINT_ERROR] = {"constraint_error", "1", MEASURES},
    [PH_OF_TANGENCY] = {"tangency", "kg m^2/s", MEASURES, .many = has_momenta},
    [PH_OF_MOMENTUM_MAP] = {"momentum_maps", NULL, MEASURES, .many = ph_system_symmetries,
                            .listed = momentum_map},
    [PH_OF_PASSES] = {"newton_passes", NULL, PH_COLUMN_RUN},
    [PH_OF_VELOCITY] = {"velocity", .many = factors, .group = velocity},
    [PH_OF_OMEGA] = {"omega", .many = factors, .group = omega},
    [PH_OF_QUATERNION] = {"quaternions", "1", .many = rotations, .letters = "quaternion", .each = 4,
                          .index = PH_INDEX_AXIS, .number = number_of_rotation,
                          .absent = "no factor of its space is SO(3)"},
    [PH_OF_POSITION] = {"positions", "m", .many = ph_system_points, .letters = "position", .each = 3,
                        .index = PH_INDEX_AXIS, .absent = "its definition has no points"},
    [PH_OF_TENSION] = {"tensions", "N", .many = links, .letters = "tension", .each = 1,
                       .number = number_of_link,
                       .absent = "only a linkage has tensions, and only where gravity is its only potential"},
    [PH_OF_REACTION] = {"reactions", "", .many = reactions, .letters = "lambda", .each = 1,
                        .absent = UNCONSTRAINED},
    [PH_OF_REDUCED] = {"reduced", .many = reduced_numbers, .listed = reduced_number, .absent = WHOLE},
    [PH_OF_SHAPE] = {"shape", .many = ph_shape_count, .listed = shape, .absent = WHOLE},
    [PH_OF_SLIP] = {"velocity_constraint_error", "1", .many = is_constrained, .absent = UNCONSTRAINED},
    [PH_OF_POWER] = {"power", "W", .many = is_powered,
                     .absent = "no force acts on it, or its potential in time has no rate"},
    [PH_OF_LEAST_DISTANCE] = {"least_distance", "1", .many = has_least_distance,
                              .absent = "it has no two spins or vortices"},
    [PH_OF_OWN] = {"own", .many = own_columns, .listed = own_column,
                   .absent = "its definition has no columns of its own"},
    [PH_OF_ORBIT] = {"orbit", .many = orbits, .letters = "orbit", .each = PH_ORBIT_NUMBERS,
                     .items = orbit_items, .number = number_of_orbit, .absent = UNATTRACTED},
    [PH_OF_DISTANCE] = {"distances", .many = leaders, .group = pairs, .absent = UNATTRACTED},
    [PH_OF_EULER] = {"euler", .many = turning, .letters = "euler", .each = PH_EULER_NUMBERS,
                     .items = euler_items, .number = number_of_turning, .absent = UNTURNED},
    [PH_OF_SPIN] = {"spin", .many = turning, .letters = "spin", .each = PH_SPIN_NUMBERS, .items = spin_items,
                    .number = number_of_turning, .absent = UNTURNED},
    [PH_OF_LIBRATION] = {"libration", .many = turning, .letters = "libration", .each = PH_LIBRATION_NUMBERS,
                         .items = libration_items, .number = number_of_turning, .absent = UNTURNED},
    [PH_OF_BINDING] = {"binding", "J/kg", .many = bodies, .letters = "binding", .each = 1,
                       .absent = UNATTRACTED},
    [PH_OF_CLEARANCE] = {"clearance", "m", .many = is_attracted, .absent = UNATTRACTED},
    [PH_OF_ESCAPE] = {"escape", "m", .many = is_attracted, .absent = UNATTRACTED},
    [PH_OF_ENERGIES] = {"energies", .many = energies, .listed = energy, .absent = UNATTRACTED},
};

/* ---- Groups ------------------------------------------------------------------------------------------ */

static size_t many_of(const ph_system *s, ph_column_kind kind)
{
    return ph_column_rows[kind].many ? ph_column_rows[kind].many(s) : 1;
}

static ph_column_group group_at(const ph_system *s, ph_column_kind kind, size_t i)
{
    const ph_column_row *of = &ph_column_rows[kind];
    ph_column_group g = {.letters = of->letters,
                         .more = "",
                         .first = i * of->each,
                         .count = of->each,
                         .index = of->index,
                         .items = of->items,
                         .unit = of->unit};
    if (of->group)
        of->group(s, i, &g);
    else
        g.number = of->number ? of->number(s, i) : i + 1;
    return g;
}

/* The last group whose first column is not behind `at`, or whose number is not behind it. Where all have as many columns as
 * the first it is found at once. */
static ph_column_group find_group(const ph_system *s, ph_column_kind kind, size_t at, bool by_number)
{
    size_t low = 0, high = many_of(s, kind);
    const size_t each = by_number || !high ? 0 : group_at(s, kind, 0).count;
    if (each && at / each < high) {
        const ph_column_group g = group_at(s, kind, at / each);
        if (g.count == each && g.first == at / each * each)
            return g;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const ph_column_group g = group_at(s, kind, middle);
        if ((by_number ? g.number : g.first) <= at)
            low = middle;
        else
            high = middle;
    }
    return group_at(s, kind, low);
}

size_t ph_column_count(const ph_system *s, ph_column_kind kind)
{
    const ph_column_row *of = &ph_column_rows[kind];
    const size_t n = many_of(s, kind);
    if (!n || !of->group)
        return of->each ? n * of->each : n;
    const ph_column_group last = group_at(s, kind, n - 1);
    return last.first + last.count;
}

/* Appends to a name whose room ends at `end`; what does not fit is left out. Without printf, which takes most of the time
 * in which an archive of very many columns is made. */
static char *add_text(char *to, const char *end, const char *text)
{
    while (*text && to < end - 1)
        *to++ = *text++;
    *to = '\0';
    return to;
}

static char *add_count(char *to, const char *end, size_t n)
{
    char digits[24], *first = digits + sizeof digits - 1;
    *first = '\0';
    do
        *--first = (char)('0' + n % 10);
    while (n /= 10);
    return add_text(to, end, first);
}

/* name <- letters and number of the group; returns their end, where the ending of a column starts. */
static char *write_group(const ph_column_group *g, char *name)
{
    const char *end = name + PH_COLUMN_NAME;
    return add_count(add_text(add_text(name, end, g->letters), end, g->more), end, g->number);
}

static void write_ending(const ph_column_group *g, size_t k, char *at, const char *end)
{
    static const char axes[] = "xyz", parts[] = "wxyz";
    if (g->items)
        add_text(add_text(at, end, "_"), end, g->items[k].name);
    else if (g->index == PH_INDEX_COUNT)
        add_count(add_text(at, end, "_"), end, k + (g->from ? g->from : 1));
    else if (g->index == PH_INDEX_AXES)
        add_text(at, end, (const char[]){axes[k / 3 % 3], axes[k % 3], '\0'});
    else if (g->index == PH_INDEX_AXIS)
        add_text(at, end, (const char[]){g->count == 4 ? parts[k % 4] : axes[k % 3], '\0'});
}

void ph_column_group_name(const ph_column_group *g, size_t k, char *name)
{
    char *at = write_group(g, name);
    if (k != PH_NO_INDEX)
        write_ending(g, k, at, name + PH_COLUMN_NAME);
}

/* ---- Names --------------------------------------------------------------------------------------------- */

const char *ph_column_name(const ph_system *s, ph_column_kind kind, size_t at, char *room, const char **unit)
{
    const ph_column_row *of = &ph_column_rows[kind];
    *unit = of->unit;
    if (of->listed)
        return of->listed(s, at, room, unit);
    if (!of->group && !of->each)
        return of->name;
    const ph_column_group g = of->group ? find_group(s, kind, at, false) : group_at(s, kind, at / of->each);
    if (room)
        ph_column_group_name(&g, at - g.first, room);
    *unit = g.items ? g.items[at - g.first].unit : g.unit;
    return room;
}

void ph_column_names(const ph_system *s, ph_column_kind kind, size_t at, size_t n, char *room,
                     const char **names, const char **units)
{
    const ph_column_row *of = &ph_column_rows[kind];
    for (size_t i = 0; i < n;) {
        char *const first = room + i * PH_COLUMN_NAME;
        if (of->listed || (!of->group && !of->each)) {
            names[i] = ph_column_name(s, kind, at + i, first, &units[i]);
            i++;
            continue;
        }
        const ph_column_group g =
            of->group ? find_group(s, kind, at + i, false) : group_at(s, kind, (at + i) / of->each);
        const size_t letters = (size_t)(write_group(&g, first) - first);
        for (size_t k = at + i - g.first; k < g.count && i < n; k++, i++) {
            char *to = room + i * PH_COLUMN_NAME;
            if (to != first)
                memcpy(to, first, letters);
            to[letters] = '\0';
            write_ending(&g, k, to + letters, to + PH_COLUMN_NAME);
            names[i] = to;
            units[i] = g.items ? g.items[k].unit : g.unit;
        }
    }
}

static bool find_listed(const ph_system *s, ph_column_kind kind, const char *word, size_t *first)
{
    char room[PH_COLUMN_NAME];
    const char *unit;
    const size_t n = many_of(s, kind);
    for (*first = 0; *first < n; ++*first)
        if (!strcmp(ph_column_rows[kind].listed(s, *first, room, &unit), word))
            return true;
    return false;
}

bool ph_column_find(const ph_system *s, ph_column_kind kind, const char *word, size_t *first, size_t *count)
{
    const ph_column_row *of = &ph_column_rows[kind];
    const size_t digits = strcspn(word, "0123456789");
    char name[PH_COLUMN_NAME];
    if (kind == PH_OF_OWN)
        return find_own(s, word, first, count);
    *count = 1;
    if (of->listed)
        return find_listed(s, kind, word, first);
    if (!word[digits] || (!of->group && !of->each) || !many_of(s, kind))
        return false;
    const ph_column_group g = find_group(s, kind, strtoul(word + digits, NULL, 10), true);
    if (!g.count || strlen(g.letters) + strlen(g.more) != digits)
        return false;
    ph_column_group_name(&g, PH_NO_INDEX, name);
    *first = g.first;
    *count = g.count;
    if (!strcmp(name, word) && kind != PH_OF_DISTANCE) /* one body has no distance */
        return true;
    *count = 1;
    for (size_t k = 0; k < g.count; k++, ++*first) {
        ph_column_group_name(&g, k, name);
        if (!strcmp(name, word))
            return true;
    }
    return false;
}

/* ---- Names of factors ------------------------------------------------------------------------------------ */

static const ph_column_kind of_factors[] = {PH_OF_CONFIGURATION, PH_OF_MOMENTUM, PH_OF_VELOCITY, PH_OF_OMEGA};
enum { OF_FACTORS = sizeof of_factors / sizeof *of_factors, TITLE = 3 * PH_COLUMN_NAME };

/* title <- of column k of factor i as formulas have it: q.x, cdot[2].x, omega(q).x, momentum(q).x; PH_NO_INDEX: of all.
 * Whole names, as words are compared with them: 47 letters, and the number in a list. */
static void write_title(const ph_system *s, ph_column_kind kind, size_t i, size_t k, char title[TITLE])
{
    const ph_column_group g = group_at(s, kind, i);
    const char *name = ph_system_label(s, i)->name;
    const int word = (int)strcspn(name, "[");
    const bool around = kind == PH_OF_MOMENTUM || (kind == PH_OF_OMEGA && strcmp(g.letters, "v") != 0);
    int n = around ? snprintf(title, TITLE, "%s(%.71s)", kind == PH_OF_OMEGA ? "omega" : "momentum", name)
                   : snprintf(title, TITLE, "%.*s%s%.24s", word < 47 ? word : 47, name,
                              kind == PH_OF_CONFIGURATION ? "" : "dot", name + word);
    if (k == PH_NO_INDEX || g.count == 1)
        return;
    if (g.index == PH_INDEX_COUNT)
        snprintf(title + n, TITLE - (size_t)n, "[%zu]", k + 1);
    else if (g.index == PH_INDEX_AXES)
        snprintf(title + n, TITLE - (size_t)n, "[%zu,%zu]", k / 3 + 1, k % 3 + 1);
    else
        snprintf(title + n, TITLE - (size_t)n, ".%c", "xyz"[k % 3]);
}

bool ph_column_find_title(const ph_system *s, const char *word, ph_column_kind *kind, size_t *first,
                          size_t *count)
{
    char title[TITLE];
    for (size_t m = 0; ph_system_label(s, 0) && m < OF_FACTORS; m++)
        for (size_t i = 0; i < many_of(s, *kind = of_factors[m]); i++) {
            const ph_column_group g = group_at(s, *kind, i);
            for (size_t k = 0; k <= g.count; k++) {
                write_title(s, *kind, i, k - 1, title); /* first PH_NO_INDEX */
                *first = g.first + (k ? k - 1 : 0);
                *count = k ? 1 : g.count;
                if (*count && !strcmp(title, word))
                    return true;
            }
        }
    return false;
}

const char *ph_column_title(const ph_system *s, const char *name, char *room)
{
    size_t first, count;
    char title[TITLE];
    for (size_t m = 0; s && ph_system_label(s, 0) && m < OF_FACTORS; m++)
        if (ph_column_find(s, of_factors[m], name, &first, &count)) {
            const ph_column_group g = find_group(s, of_factors[m], first, false);
            write_title(s, of_factors[m], g.number - 1, count > 1 ? PH_NO_INDEX : first - g.first, title);
            snprintf(room, PH_COLUMN_NAME, "%.*s", PH_COLUMN_NAME - 1, title);
            return room;
        }
    return name;
}
