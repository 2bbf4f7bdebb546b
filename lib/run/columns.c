/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns: a choice is a list of stretches, each a range of numbers that are consecutive in the state or in
 * its measures. So neither the choice nor a row of it takes more memory for a million links than for one. */
#include <polhode/columns.h>
#include <polhode/kit/text.h>

#include "column-kinds.h"
#include "companions.h"
#include "lib/internal/missing.h"
#include "lib/system/structure.h"
#include "measure.h"
#include "motion.h"

#include <stdlib.h>
#include <string.h>

/* The first columns of a trajectory: time and step. */
enum { LEADING = 2 };

typedef struct stretch {
    ph_column_kind kind;
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

static bool is_of_motion(ph_column_kind of)
{
    return of >= PH_OF_VELOCITY && of < PH_OF_ORBIT;
}

static bool is_of_companions(ph_column_kind of)
{
    return of >= PH_OF_ORBIT;
}

/* All columns of a kind. */
static stretch all_of_kind(const ph_system *system, ph_column_kind of)
{
    return (stretch){of, 0, ph_column_count(system, of)};
}

/* What the word names: a momentum map, a group of columns, or some of a kind. A system without momentum maps has none of
 * them. */
static bool find_stretch(const ph_system *system, const char *word, stretch *found)
{
    *found = (stretch){.kind = PH_OF_MOMENTUM_MAP};
    if (ph_column_find(system, PH_OF_MOMENTUM_MAP, word, &found->first, &found->count))
        return true;
    for (ph_column_kind k = 0; k < PH_OF_KINDS; k++)
        if (!strcmp(ph_column_rows[k].name, word)) {
            *found = all_of_kind(system, k);
            return found->count > 0 || k == PH_OF_MOMENTUM_MAP;
        }
    for (found->kind = 0; found->kind < PH_OF_KINDS; found->kind++)
        if (ph_column_find(system, found->kind, word, &found->first, &found->count))
            break;
    char room[PH_COLUMN_NAME];
    const char *unit;
    if (found->kind < PH_OF_KINDS &&
        !strcmp(ph_column_name(system, found->kind, found->first, room, &unit), word))
        return true;
    stretch named; /* which counts more than that of a group by its number, even if it is a single column */
    if (ph_column_find_title(system, word, &named.kind, &named.first, &named.count))
        *found = named;
    return found->kind < PH_OF_KINDS;
}

/* A group that systems of this kind do not have; false for any other word. */
static bool fail_absent(const ph_system *system, const char *word, ph_error *err)
{
    for (ph_column_kind k = 0; k < PH_OF_KINDS; k++)
        if (!strcmp(ph_column_rows[k].name, word)) {
            const char *why = k == PH_OF_MOMENTUM || k == PH_OF_TANGENCY ? ph_structure_of(system)->no_momenta
                                                                         : ph_column_rows[k].absent;
            (void)ph_fail(err, PH_E_UNKNOWN, "this system has no %s: %s", word,
                          why ? why : "it has no factor");
            return true;
        }
    return false;
}

/* The factor whose number is in the word, or the first. */
static size_t factor_in(const ph_space *space, const char *word)
{
    const unsigned long i = strtoul(word + strcspn(word, "0123456789"), NULL, 10);
    return i >= 1 && i <= ph_space_factors(space) ? i - 1 : 0;
}

/* The message for an unknown word. Suggestions are taken from the columns of the factor that the word seems
 * to name, from the groups, from the momentum maps, and from
 * those of the definition's own. */
static ph_status fail_unknown(const ph_system *system, const char *word, ph_error *err)
{
    enum { MOST = 16, MAPS = 16 };
    char text[2 * MOST][PH_COLUMN_NAME];
    const char *names[2 * MOST + PH_OF_KINDS + 3 * MAPS];
    const ph_space *space = ph_system_space(system);
    size_t n = 0;
    for (int momentum = 0; momentum < 2; momentum++) {
        const ph_column_group g = ph_column_group_of(space, factor_in(space, word), momentum);
        for (size_t k = 0; k < MOST && k < g.count; k++, n++) {
            ph_column_group_name(&g, k, text[n]);
            names[n] = text[n];
        }
    }
    for (ph_column_kind k = 0; k < PH_OF_KINDS; k++)
        if (k == PH_OF_MOMENTUM_MAP || ph_column_count(system, k))
            names[n++] = ph_column_rows[k].name;
    for (size_t k = 0; k < MAPS && k < ph_system_symmetries(system); k++)
        names[n++] = ph_system_symmetry(system, k)->name;
    for (size_t k = 0; k < MAPS && k < ph_column_count(system, PH_OF_OWN); k++)
        names[n++] = ph_system_column(system, k)->name;
    for (size_t k = 0; k < MAPS && ph_system_label(system, k); k++)
        names[n++] = ph_system_label(system, k)->name;
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
    c->needs |= ph_column_rows[fresh->kind].needs;
    return PH_OK;
}

/* What columns are taken from that are not in the state or its measures. */
static ph_status create_sources(ph_columns *c, ph_error *err)
{
    bool moves = false;
    unsigned companions = 0;
    for (size_t i = 0; i < c->n_stretches; i++) {
        const ph_column_kind of = c->stretches[i].kind;
        moves |= is_of_motion(of);
        companions |= is_of_companions(of) ? 1u << of : 0;
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
    const size_t most = n ? n + LEADING : PH_OF_KINDS;
    ph_columns *c = calloc(1, sizeof *c + most * sizeof c->stretches[0]);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    c->system = system;
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = add_stretch(c, words[i], err);
    for (ph_column_kind k = 0; k < PH_OF_VELOCITY && !n; k++) {
        c->stretches[c->n_stretches++] = all_of_kind(system, k);
        c->count += all_of_kind(system, k).count;
        c->needs |= ph_column_rows[k].needs;
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
        if (c->stretches[i].kind != PH_OF_TIME && c->stretches[i].kind != PH_OF_STEP)
            c->stretches[others++] = c->stretches[i];
    c->count += LEADING - (c->n_stretches - others);
    c->n_stretches = LEADING + others;
    memmove(c->stretches + LEADING, c->stretches, others * sizeof c->stretches[0]);
    c->stretches[0] = all_of_kind(system, PH_OF_TIME);
    c->stretches[1] = all_of_kind(system, PH_OF_STEP);
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
        const ph_column_kind of = c->stretches[i].kind;
        if (ph_column_rows[of].needs & PH_COLUMN_MEASURES)
            parts |= of == PH_OF_ENERGY || of == PH_OF_ENERGY_ERROR ? PH_MEASURE_ENERGY : PH_MEASURE_FACTORS;
    }
    return parts;
}

/* The kind of the i-th column, and which of its kind it is. */
static ph_column_kind find_column(const ph_columns *c, size_t i, size_t *at)
{
    const stretch *s = c->stretches;
    for (; i >= s->count; s++)
        i -= s->count;
    *at = s->first + i;
    return s->kind;
}

const char *ph_columns_name(const ph_columns *c, size_t i, char *room)
{
    size_t at;
    const char *unit;
    const ph_column_kind of = find_column(c, i, &at);
    return ph_column_name(c->system, of, at, room, &unit);
}

const char *ph_columns_unit(const ph_columns *c, size_t i)
{
    size_t at;
    const char *unit;
    char room[PH_COLUMN_NAME];
    const ph_column_kind of = find_column(c, i, &at);
    (void)ph_column_name(c->system, of, at, ph_column_rows[of].listed ? room : NULL, &unit);
    return unit;
}

void ph_columns_names(const ph_columns *c, size_t first, size_t n, char *room, const char **names,
                      const char **units)
{
    for (const stretch *s = c->stretches; n; first -= first < s->count ? first : s->count, s++) {
        const size_t left = first < s->count ? s->count - first : 0, here = left < n ? left : n;
        ph_column_names(c->system, s->kind, s->first + first, here, room, names, units);
        room += here * PH_COLUMN_NAME, names += here, units += here, n -= here;
    }
}

/* ---- Values -------------------------------------------------------------------------------------- */

/* A kind that is a single number, of the row or its measures. */
static double single_number(const ph_columns *c, ph_column_kind of, const ph_row *row)
{
    const ph_measures *m = row->measures;
    return of == PH_OF_TIME               ? row->state->t
           : of == PH_OF_STEP             ? (double)row->state->k
           : of == PH_OF_PASSES           ? (double)row->passes
           : of == PH_OF_ENERGY           ? m->energy
           : of == PH_OF_ENERGY_ERROR     ? m->energy - row->first_energy
           : of == PH_OF_CONSTRAINT_ERROR ? m->constraint_error
           : of == PH_OF_TANGENCY         ? m->tangency
           : of == PH_OF_LEAST_DISTANCE   ? ph_motion_least_distance(c->motion)
                                          : NAN;
}

/* All numbers of a kind; one: room for a single one. */
static const double *numbers_of(const ph_columns *c, ph_column_kind of, const ph_row *row, double *one)
{
    size_t many;
    if (is_of_companions(of))
        return ph_companions_values(c->companions, of);
    switch (of) {
    case PH_OF_CONFIGURATION:
        return row->state->z;
    case PH_OF_MOMENTUM:
        return row->state->p;
    case PH_OF_MOMENTUM_MAP:
        return row->measures->momenta;
    case PH_OF_VELOCITY:
        return ph_motion_velocity(c->motion);
    case PH_OF_OMEGA:
        return ph_motion_omega(c->motion);
    case PH_OF_QUATERNION:
        return ph_motion_quaternions(c->motion, &many);
    case PH_OF_POSITION:
        return ph_motion_points(c->motion, &many);
    case PH_OF_TENSION:
        return ph_motion_links(c->motion);
    case PH_OF_REACTION:
        return ph_motion_reactions(c->motion, &many);
    case PH_OF_REDUCED:
        return ph_motion_reduced(c->motion, &many);
    case PH_OF_SHAPE:
        return ph_motion_shape(c->motion, &many);
    case PH_OF_SLIP:
        return ph_motion_constraint_error(c->motion);
    case PH_OF_POWER:
        return ph_motion_power(c->motion);
    case PH_OF_OWN:
        return ph_motion_own(c->motion);
    default:
        *one = single_number(c, of, row);
        return one;
    }
}

void ph_columns_values(const ph_columns *c, const ph_row *row, size_t first, size_t n, double *values)
{
    double one;
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
        memcpy(values, numbers_of(c, s->kind, row, &one) + s->first + first, here * sizeof *values);
        values += here;
        n -= here;
        first = 0;
    }
}
