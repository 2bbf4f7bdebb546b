/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns: a choice is a list of stretches, each a range of numbers that are consecutive in the state or in
 * its measures. So neither the choice nor a row of it takes more memory for a million links than for one. */
#include <polhode/columns.h>
#include <polhode/kit/text.h>

#include "column-names.h"
#include "companions.h"
#include "lib/internal/missing.h"
#include "lib/system/structure.h"
#include "measure.h"
#include "motion-columns.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind {
    TIME,
    STEP,
    CONFIGURATION,
    MOMENTUM,
    ENERGY,
    ENERGY_ERROR,
    CONSTRAINT_ERROR,
    TANGENCY,
    MOMENTUM_MAP,
    PASSES,
    VELOCITY, /* from here on what a trajectory does not have by default, in the order of ph_motion_kind */
    OMEGA,
    QUATERNIONS,
    POSITIONS,
    TENSIONS,
    REACTIONS,
    REDUCED,
    SHAPE,
    SLIP,
    POWER,
    LEAST_DISTANCE,
    ORBIT, /* from here on of bodies under mutual gravity, in the order of ph_companion_kind */
    DISTANCE,
    EULER,
    SPIN,
    LIBRATION,
    BINDING,
    CLEARANCE,
    ESCAPE,
    ENERGIES,
    KINDS
} kind;

/* Where a kind has several columns, the name is that of the whole group. */
static const struct {
    const char *name, *unit;
    unsigned needs;
} table[KINDS] = {
    [TIME] = {"t", "s", 0},
    [STEP] = {"step", NULL, 0},
    [CONFIGURATION] = {"configuration", NULL, 0},
    [MOMENTUM] = {"momentum", NULL, 0},
    [ENERGY] = {"energy", "J", PH_COLUMN_MEASURES},
    [ENERGY_ERROR] = {"energy_error", "J", PH_COLUMN_MEASURES | PH_COLUMN_RUN},
    [CONSTRAINT_ERROR] = {"constraint_error", "1", PH_COLUMN_MEASURES},
    [TANGENCY] = {"tangency", "kg m^2/s", PH_COLUMN_MEASURES},
    [MOMENTUM_MAP] = {"momentum_maps", NULL, PH_COLUMN_MEASURES},
    [PASSES] = {"newton_passes", NULL, PH_COLUMN_RUN},
    [VELOCITY] = {"velocity", NULL, 0},
    [OMEGA] = {"omega", NULL, 0},
    [QUATERNIONS] = {"quaternions", NULL, 0},
    [POSITIONS] = {"positions", NULL, 0},
    [TENSIONS] = {"tensions", NULL, 0},
    [REACTIONS] = {"reactions", NULL, 0},
    [REDUCED] = {"reduced", NULL, 0},
    [SHAPE] = {"shape", "1", 0},
    [SLIP] = {"velocity_constraint_error", "1", 0},
    [POWER] = {"power", "W", 0},
    [LEAST_DISTANCE] = {"least_distance", "1", 0},
    [ORBIT] = {"orbit", NULL, 0},
    [DISTANCE] = {"distances", NULL, 0},
    [EULER] = {"euler", NULL, 0},
    [SPIN] = {"spin", NULL, 0},
    [LIBRATION] = {"libration", NULL, 0},
    [BINDING] = {"binding", NULL, 0},
    [CLEARANCE] = {"clearance", NULL, 0},
    [ESCAPE] = {"escape", NULL, 0},
    [ENERGIES] = {"energies", NULL, 0},
};

/* The first columns of a trajectory: time and step. */
enum { LEADING = 2 };

typedef struct stretch {
    kind kind;
    size_t first, count;
} stretch;

struct ph_columns {
    const ph_system *system;
    size_t count, n_stretches;
    unsigned needs;
    ph_motion *motion;         /* NULL where no column is taken from it */
    ph_companions *companions; /* likewise */
    stretch stretches[];
};

/* ---- Choosing ------------------------------------------------------------------------------------ */

static bool is_of_motion(kind of)
{
    return of >= VELOCITY && of < ORBIT;
}

static bool is_of_companions(kind of)
{
    return of >= ORBIT;
}

/* Has a system without momenta none of these? */
static bool is_of_momenta(kind of)
{
    return of == MOMENTUM || of == TANGENCY;
}

/* All columns of a kind. */
static stretch all_of_kind(const ph_system *system, kind of)
{
    const ph_space *space = ph_system_space(system);
    size_t n = of == CONFIGURATION    ? ph_space_ambient(space)
               : of == MOMENTUM       ? ph_space_momenta(space)
               : of == TANGENCY       ? ph_space_momenta(space) > 0
               : of == MOMENTUM_MAP   ? ph_system_symmetries(system)
               : is_of_motion(of)     ? ph_motion_count(system, (ph_motion_kind)(of - VELOCITY))
               : is_of_companions(of) ? ph_companion_count(system, (ph_companion_kind)(of - ORBIT))
                                      : 1;
    return (stretch){of, 0, n};
}

/* The index of the factor whose number is in the word; where there is none, the number of factors. */
static size_t factor_in(const ph_space *space, const char *word)
{
    const size_t n = ph_space_factors(space);
    const char *digits = word;
    size_t i = 0;
    while (*digits && !isdigit((unsigned char)*digits))
        digits++;
    for (; isdigit((unsigned char)*digits) && i <= n; digits++)
        i = 10 * i + (size_t)(*digits - '0');
    return i >= 1 && i <= n ? i - 1 : n;
}

/* A number of a factor, or all of its configuration or momentum. */
static bool find_in_factor(const ph_space *space, const char *word, stretch *found)
{
    char name[PH_COLUMN_NAME];
    const size_t i = factor_in(space, word);
    for (int momentum = 0; momentum < 2 && i < ph_space_factors(space); momentum++) {
        const kind of = momentum ? MOMENTUM : CONFIGURATION;
        const size_t first = ph_first_number(space, i, momentum), n = ph_count_numbers(space, i, momentum);
        snprintf(name, sizeof name, "%s%zu", ph_number_symbol(space, i, momentum)->letters, i + 1);
        *found = (stretch){of, first, n};
        if (!strcmp(name, word))
            return true;
        for (size_t k = 0; k < n; k++) {
            ph_number_name(space, i, momentum, k, name);
            *found = (stretch){of, first + k, 1};
            if (!strcmp(name, word))
                return true;
        }
    }
    return false;
}

/* What the word names: a momentum map, a group of columns, or numbers of a factor. Is there such a thing? */
static bool find_stretch(const ph_system *system, const char *word, stretch *found)
{
    for (size_t i = 0; i < ph_system_symmetries(system); i++)
        if (!strcmp(ph_system_symmetry(system, i)->name, word)) {
            *found = (stretch){MOMENTUM_MAP, i, 1};
            return true;
        }
    for (kind k = 0; k < KINDS; k++)
        if (!strcmp(table[k].name, word)) {
            *found = all_of_kind(system, k);
            return found->count > 0 || (k < VELOCITY && !is_of_momenta(k));
        }
    if (find_in_factor(ph_system_space(system), word, found))
        return true;
    for (kind k = VELOCITY; k < KINDS; k++) {
        found->kind = k;
        if (is_of_motion(k)
                ? ph_motion_find(system, (ph_motion_kind)(k - VELOCITY), word, &found->first, &found->count)
                : ph_companion_find(system, (ph_companion_kind)(k - ORBIT), word, &found->first,
                                    &found->count))
            return true;
    }
    return false;
}

/* A group that systems of this kind do not have; false for any other word. */
static bool fail_absent(const ph_system *system, const char *word, ph_error *err)
{
    const char *no_momenta = ph_structure_of(system)->no_momenta;
    static const char unattracted[] = "it is not a system of bodies under mutual gravity",
                      unturned[] = "it has no bodies under mutual gravity that turn";
    const char *const why[KINDS] = {
        [MOMENTUM] = no_momenta,
        [TANGENCY] = no_momenta,
        [QUATERNIONS] = "no factor of its space is SO(3)",
        [POSITIONS] = "its definition has no points",
        [TENSIONS] = "only a linkage has tensions, and only where gravity is its only potential",
        [REACTIONS] = "it has no velocity constraints",
        [REDUCED] = "it is not reduced by a symmetry",
        [SHAPE] = "it is not reduced by a symmetry",
        [SLIP] = "it has no velocity constraints",
        [POWER] = "no force acts on it, or its potential in time has no rate",
        [LEAST_DISTANCE] = "it has no two spins or vortices",
        [ORBIT] = unattracted,
        [DISTANCE] = unattracted,
        [EULER] = unturned,
        [SPIN] = unturned,
        [LIBRATION] = unturned,
        [BINDING] = unattracted,
        [CLEARANCE] = unattracted,
        [ESCAPE] = unattracted,
        [ENERGIES] = unattracted,
    };
    for (kind k = 0; k < KINDS; k++)
        if ((k >= VELOCITY || is_of_momenta(k)) && !strcmp(table[k].name, word)) {
            (void)ph_fail(err, PH_E_UNKNOWN, "this system has no %s: %s", word,
                          why[k] ? why[k] : "it has no factor");
            return true;
        }
    return false;
}

/* The message for an unknown word. Suggestions are taken from the columns of the factor that the word seems
 * to name, from the groups, and from the momentum maps. */
static ph_status fail_unknown(const ph_system *system, const char *word, ph_error *err)
{
    enum { MOST = 16, MAPS = 16 };
    char text[2 * MOST][PH_COLUMN_NAME];
    const char *names[2 * MOST + KINDS + MAPS];
    const ph_space *space = ph_system_space(system);
    size_t n = 0, i = factor_in(space, word);
    i = i < ph_space_factors(space) ? i : 0;
    for (int momentum = 0; momentum < 2; momentum++)
        for (size_t k = 0; k < MOST && k < ph_count_numbers(space, i, momentum); k++, n++) {
            ph_number_name(space, i, momentum, k, text[n]);
            names[n] = text[n];
        }
    for (kind k = 0; k < KINDS; k++)
        if ((k < VELOCITY && !is_of_momenta(k)) || all_of_kind(system, k).count)
            names[n++] = table[k].name;
    for (size_t k = 0; k < MAPS && k < ph_system_symmetries(system); k++)
        names[n++] = ph_system_symmetry(system, k)->name;
    return ph_fail_unknown(err, "column", word, names, n);
}

/* Do two stretches have a column in common? */
static bool do_overlap(const stretch *a, const stretch *b)
{
    return a->kind == b->kind && a->first < b->first + b->count && b->first < a->first + a->count;
}

/* Appends what the word names; PH_E_UNKNOWN, PH_E_INVALID for a column that is there already. */
static ph_status add_stretch(ph_columns *c, const char *word, ph_error *err)
{
    char name[PH_COLUMN_NAME];
    stretch *fresh = &c->stretches[c->n_stretches];
    if (!find_stretch(c->system, word, fresh))
        return fail_absent(c->system, word, err) ? PH_E_UNKNOWN : fail_unknown(c->system, word, err);
    for (size_t i = 0, before = 0; i < c->n_stretches; before += c->stretches[i++].count)
        if (do_overlap(&c->stretches[i], fresh)) {
            size_t inside = fresh->first > c->stretches[i].first ? fresh->first - c->stretches[i].first : 0;
            return ph_fail(err, PH_E_INVALID,
                           "the column \"%s\" is named twice, the second time by \"%.60s\"",
                           ph_columns_name(c, before + inside, name), word);
        }
    c->n_stretches++;
    c->count += fresh->count;
    c->needs |= table[fresh->kind].needs;
    return PH_OK;
}

/* What columns are taken from that are not in the state or its measures. */
static ph_status create_sources(ph_columns *c, ph_error *err)
{
    bool moves = false;
    unsigned companions = 0;
    for (size_t i = 0; i < c->n_stretches; i++) {
        const kind of = c->stretches[i].kind;
        moves |= is_of_motion(of);
        companions |= is_of_companions(of) ? 1u << (of - ORBIT) : 0;
    }
    ph_status status = moves ? ph_motion_create(c->system, &c->motion, err) : PH_OK;
    if (!status && companions)
        status = ph_companions_create(c->system, companions, &c->companions, err);
    return status;
}

ph_status ph_columns_create(const ph_system *system, const char *const *words, size_t n, ph_columns **columns,
                            ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    const size_t most = n ? n + LEADING : KINDS;
    ph_columns *c = calloc(1, sizeof *c + most * sizeof c->stretches[0]);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    c->system = system;
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = add_stretch(c, words[i], err);
    for (kind k = 0; k < VELOCITY && !n; k++) {
        c->stretches[c->n_stretches++] = all_of_kind(system, k);
        c->count += all_of_kind(system, k).count;
        c->needs |= table[k].needs;
    }
    if (!status)
        status = create_sources(c, err);
    if (status)
        ph_columns_free(c);
    else
        *columns = c;
    return status;
}

/* Time and step come first, wherever the words have them. */
ph_status ph_columns_create_trajectory(const ph_system *system, const char *const *words, size_t n,
                                       ph_columns **columns, ph_error *err)
{
    ph_status status = ph_columns_create(system, words, n, columns, err);
    if (status)
        return status;
    ph_columns *c = *columns;
    size_t others = 0;
    for (size_t i = 0; i < c->n_stretches; i++)
        if (c->stretches[i].kind != TIME && c->stretches[i].kind != STEP)
            c->stretches[others++] = c->stretches[i];
    c->count += LEADING - (c->n_stretches - others);
    c->n_stretches = LEADING + others;
    memmove(c->stretches + LEADING, c->stretches, others * sizeof c->stretches[0]);
    c->stretches[0] = all_of_kind(system, TIME);
    c->stretches[1] = all_of_kind(system, STEP);
    return PH_OK;
}

void ph_columns_free(ph_columns *columns)
{
    if (columns) {
        ph_motion_free(columns->motion);
        ph_companions_free(columns->companions);
    }
    free(columns);
}

/* ---- What they are ------------------------------------------------------------------------------- */

size_t ph_columns_count(const ph_columns *c)
{
    return c->count;
}

unsigned ph_columns_needs(const ph_columns *c)
{
    return c->needs;
}

unsigned ph_columns_measures(const ph_columns *c)
{
    unsigned parts = 0;
    for (size_t i = 0; i < c->n_stretches; i++) {
        const kind of = c->stretches[i].kind;
        if (table[of].needs & PH_COLUMN_MEASURES)
            parts |= of == ENERGY || of == ENERGY_ERROR ? PH_MEASURE_ENERGY : PH_MEASURE_FACTORS;
    }
    return parts;
}

/* The kind of the i-th column, and which of its kind it is. */
static kind find_column(const ph_columns *c, size_t i, size_t *at)
{
    const stretch *s = c->stretches;
    for (; i >= s->count; s++)
        i -= s->count;
    *at = s->first + i;
    return s->kind;
}

/* room <- the name of a column that a trajectory does not have by default; result <- its unit. */
static const char *name_further(const ph_system *system, kind of, size_t at, char *room)
{
    return is_of_motion(of) ? ph_motion_name(system, (ph_motion_kind)(of - VELOCITY), at, room)
                            : ph_companion_name(system, (ph_companion_kind)(of - ORBIT), at, room);
}

const char *ph_columns_name(const ph_columns *c, size_t i, char *room)
{
    const ph_space *space = ph_system_space(c->system);
    size_t at;
    const kind of = find_column(c, i, &at);
    if (of == MOMENTUM_MAP)
        return ph_system_symmetry(c->system, at)->name;
    if (is_of_motion(of) || is_of_companions(of)) {
        name_further(c->system, of, at, room);
        return room;
    }
    if (of != CONFIGURATION && of != MOMENTUM)
        return table[of].name;
    const size_t factor = ph_factor_of_number(space, of == MOMENTUM, at);
    ph_number_name(space, factor, of == MOMENTUM, at - ph_first_number(space, factor, of == MOMENTUM), room);
    return room;
}

const char *ph_columns_unit(const ph_columns *c, size_t i)
{
    const ph_space *space = ph_system_space(c->system);
    size_t at;
    const kind of = find_column(c, i, &at);
    if (of == MOMENTUM_MAP) {
        const char *unit = ph_system_symmetry(c->system, at)->unit;
        return unit ? unit : "";
    }
    char room[PH_COLUMN_NAME];
    if (is_of_motion(of) || is_of_companions(of))
        return name_further(c->system, of, at, room);
    if (of != CONFIGURATION && of != MOMENTUM)
        return table[of].unit;
    return ph_number_symbol(space, ph_factor_of_number(space, of == MOMENTUM, at), of == MOMENTUM)->unit;
}

/* ---- Values -------------------------------------------------------------------------------------- */

/* values (n) <- the columns of a kind, from the one with the number `at` among them. */
static void copy_values(kind of, const ph_row *row, size_t at, size_t n, double *values)
{
    const ph_measures *m = row->measures;
    switch (of) {
    case CONFIGURATION:
        memcpy(values, row->state->z + at, n * sizeof *values);
        break;
    case MOMENTUM:
        memcpy(values, row->state->p + at, n * sizeof *values);
        break;
    case MOMENTUM_MAP:
        memcpy(values, m->momenta + at, n * sizeof *values);
        break;
    case TIME:
        values[0] = row->state->t;
        break;
    case STEP:
        values[0] = (double)row->state->k;
        break;
    case ENERGY:
        values[0] = m->energy;
        break;
    case ENERGY_ERROR:
        values[0] = m->energy - row->first_energy;
        break;
    case CONSTRAINT_ERROR:
        values[0] = m->constraint_error;
        break;
    case TANGENCY:
        values[0] = m->tangency;
        break;
    case PASSES:
        values[0] = (double)row->passes;
        break;
    case VELOCITY: /* the caller's */
    case OMEGA:
    case QUATERNIONS:
    case POSITIONS:
    case TENSIONS:
    case REACTIONS:
    case REDUCED:
    case SHAPE:
    case SLIP:
    case POWER:
    case LEAST_DISTANCE:
    case ORBIT:
    case DISTANCE:
    case EULER:
    case SPIN:
    case LIBRATION:
    case BINDING:
    case CLEARANCE:
    case ESCAPE:
    case ENERGIES:
    case KINDS:
        break;
    }
}

void ph_columns_values(const ph_columns *c, const ph_row *row, size_t first, size_t n, double *values)
{
    if (c->motion && (first == 0 || ph_motion_seen(c->motion) != row->state))
        (void)ph_motion_see(c->motion, row->state); /* what has no value is NaN */
    if (c->companions && (first == 0 || ph_companions_seen(c->companions) != row->state))
        ph_companions_see(c->companions, row->state);
    for (const stretch *s = c->stretches; n; s++) {
        if (first >= s->count) {
            first -= s->count;
            continue;
        }
        const size_t here = s->count - first < n ? s->count - first : n;
        if (is_of_motion(s->kind))
            ph_motion_copy(c->motion, (ph_motion_kind)(s->kind - VELOCITY), s->first + first, here, values);
        else if (is_of_companions(s->kind))
            ph_companions_copy(c->companions, (ph_companion_kind)(s->kind - ORBIT), s->first + first, here,
                               values);
        else
            copy_values(s->kind, row, s->first + first, here, values);
        values += here;
        n -= here;
        first = 0;
    }
}
