/* SPDX-License-Identifier: BSD-3-Clause */
/* Dipoles on the sites of a row or a rectangle, free to turn: with r_ij and e_ij the distance and direction
 * of two sites, L = (1/2) J sum |qdot_i|^2 - k sum_{i<j} [q_i.q_j - 3 (q_i.e_ij)(q_j.e_ij)] / r_ij^3. */
#include "apart.h"
#include "gravity.h"
#include "lib/internal/lanes.h"

enum { DIPOLES, COLUMNS, SPACING, INERTIA, COUPLING };

static const ph_parameter parameters[] = {
    [DIPOLES] = PH_COUNT("dipoles", PH_FROM(1, PH_MOST_IN_PAIRS), 8, "number of dipoles"),
    [COLUMNS] = PH_COUNT("columns", PH_FROM(0, PH_MOST_IN_PAIRS), 0,
                         "dipoles in a row along e1, rows following along e2; 0: all in one row"),
    [SPACING] = PH_NUMBER("spacing", "m", PH_POSITIVE, 1, "distance of neighbouring sites"),
    [INERTIA] = PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 1, "moment of inertia of a dipole"),
    [COUPLING] = PH_NUMBER("coupling", "J m^3", PH_NOT_NEGATIVE, 1, "strength k of the interaction"),
};

enum { TWISTED, ALIGNED, TURNED };

static const ph_preset presets[] = {
    [TWISTED] = {"twisted",
                 "each turned by 0.5 rad against the one before, turning about e1 at sqrt(k/(J a^3))"},
    [ALIGNED] = {"aligned", "all along e1, at rest: for one row the stable equilibrium"},
    [TURNED] = {"turned", "all along e1 at rest, but the first, which points 0.5 rad towards e3"},
};

/* ---- Pairs -------------------------------------------------------------------------------------- */

/* The sites as lines of places, along the longer side: site (l, k) has the number l * per_line + k *
 * per_place. The interaction matrix of two dipoles, (I - 3 e e^T) k/r^3, depends only on their distance in
 * lines and places. The same numbers are used for both directions, so that the moments of a pair cancel to
 * the last bit. */
typedef struct array {
    bool by_rows; /* the lines are the rows; else the columns */
    size_t n, lines, places, per_line, per_place;
    size_t width; /* of a row of the tables */
    double spacing;
    double *xx, *xy; /* (lines x width) at row |l - l'| and column places - 1 + k - k'; of xy for l > l' */
    double *yy, *zz;
    /* the field at a stretch of places: add_up_plain or add_up_wide */
    void (*add_up)(const struct array *d, const double *z, size_t line, size_t first, double *dU);
    double storage[];
} array;

enum { STRETCH = 8 };

static size_t places_of(const array *d, size_t line)
{
    const size_t left = d->n - line * d->per_line;
    return !d->by_rows ? (left - 1) / d->per_place + 1 : left < d->places ? left : d->places;
}

#define number loose_pair
#define TARGET
#define OF(name) name##_plain
#include "dipole-field.h"

#define number loose
#define TARGET PH_LANES_AVX2
#define OF(name) name##_wide
#include "dipole-field.h"

#include <polhode/kit/elementary.h>

/* ---- Callbacks ---------------------------------------------------------------------------------- */

/* Half the work of each dipole in the field of all others. */
static ph_status potential(void *user, const double *z, double *U)
{
    const array *d = user;
    double dU[3 * STRETCH], sum = 0;
    for (size_t line = 0; line < d->lines; line++)
        for (size_t first = 0, n = places_of(d, line); first < n; first += STRETCH) {
            d->add_up(d, z, line, first, dU);
            for (size_t k = 0; k < STRETCH && first + k < n; k++) {
                const double *q = z + 3 * (line * d->per_line + (first + k) * d->per_place);
                sum += q[0] * dU[k] + q[1] * dU[STRETCH + k] + q[2] * dU[2 * STRETCH + k];
            }
        }
    *U = 0.5 * sum;
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const array *d = user;
    double stretch[3 * STRETCH];
    for (size_t line = 0; line < d->lines; line++)
        for (size_t first = 0, n = places_of(d, line); first < n; first += STRETCH) {
            d->add_up(d, z, line, first, stretch);
            for (size_t k = 0; k < STRETCH && first + k < n; k++)
                for (size_t a = 0; a < 3; a++)
                    dU[3 * (line * d->per_line + (first + k) * d->per_place) + a] = stretch[a * STRETCH + k];
        }
    return PH_OK;
}

/* The sites, along e1 and e2. */
static ph_status points(void *user, double t, const double *z, double *x)
{
    (void)t;
    const array *d = user;
    const size_t columns = d->by_rows ? d->per_line : d->per_place;
    (void)z;
    for (size_t i = 0; i < d->n; i++) {
        x[3 * i] = (double)(i % columns) * d->spacing;
        x[3 * i + 1] = (double)(i / columns) * d->spacing;
        x[3 * i + 2] = 0;
    }
    return PH_OK;
}

/* An arrow at each place, half of it on each side. */
static void draw(size_t n, double length, ph_part_list *parts)
{
    for (size_t i = 0; i < n; i++) {
        ph_scene_part *arrow = ph_part_shift(ph_part_add(parts, PH_SCENE_ARROW, i, i), -0.5 * length, 0, 0);
        ph_part_end(arrow, i, i, 0.5 * length, 0, 0)->name = "dipole";
    }
}

/* ---- Building ----------------------------------------------------------------------------------- */

typedef struct sites {
    size_t n, columns, rows;
} sites;

static sites read(const ph_model_table *table)
{
    sites s = {.n = ph_count(table, DIPOLES), .columns = ph_count(table, COLUMNS)};
    if (!s.columns || s.columns > s.n)
        s.columns = s.n;
    s.rows = (s.n - 1) / s.columns + 1;
    return s;
}

/* The symmetries: for a single row or column the rotations about it, for a single dipole all rotations. */
static size_t find_symmetries(const sites *s, ph_symmetry symmetries[3])
{
    static const double no_gravity[3] = {0, 0, 0};
    size_t all = ph_gravity_symmetries(no_gravity, symmetries);
    if (s->n == 1)
        return all;
    if (s->columns == 1)
        symmetries[0] = symmetries[1];
    return s->rows == 1 || s->columns == 1;
}

/* The entry of the tables for sites that are l lines and k - (places - 1) places apart. */
static void fill(array *d, size_t l, size_t k, double spacing, double coupling)
{
    const double across = (double)l, along = (double)k - (double)(d->places - 1);
    const double distance = ph_hypot(across, along), r = distance * spacing,
                 strength = coupling / (r * r * r);
    const double e[2] = {(d->by_rows ? along : across) / distance, (d->by_rows ? across : along) / distance};
    const size_t at = l * d->width + k;
    d->xx[at] = strength * (1 - 3 * e[0] * e[0]);
    d->xy[at] = strength * (-3 * e[0] * e[1]);
    d->yy[at] = strength * (1 - 3 * e[1] * e[1]);
    d->zz[at] = strength;
}

static array *create_array(const sites *s, double spacing, double coupling)
{
    const bool by_rows = s->columns >= s->rows;
    const size_t lines = by_rows ? s->rows : s->columns, places = by_rows ? s->columns : s->rows;
    const size_t width = 2 * places - 1 + STRETCH, size = lines * width;
    array *d = calloc(1, sizeof *d + 4 * size * sizeof(double));
    if (!d)
        return NULL;
    *d = (array){.by_rows = by_rows,
                 .add_up = ph_lanes(PH_KERNEL_AVX2) ? add_up_wide : add_up_plain,
                 .n = s->n,
                 .lines = lines,
                 .places = places,
                 .per_line = by_rows ? s->columns : 1,
                 .per_place = by_rows ? 1 : s->columns,
                 .width = width,
                 .spacing = spacing,
                 .xx = d->storage,
                 .xy = d->storage + size,
                 .yy = d->storage + 2 * size,
                 .zz = d->storage + 3 * size};
    for (size_t l = 0; l < lines; l++)
        for (size_t k = 0; k < 2 * places - 1; k++)
            if (l || k != places - 1)
                fill(d, l, k, spacing, coupling);
    return d;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    const sites s = read(table);
    ph_symmetry symmetries[3];
    ph_system_definition definition = {
        .potential = potential,
        .gradient = gradient,
        .points = points,
        .n_points = s.n,
        .symmetries = symmetries,
        .n_symmetries = find_symmetries(&s, symmetries),
        .user = create_array(&s, ph_number(table, SPACING), ph_number(table, COUPLING)),
        .user_free = free,
    };
    ph_part_list parts = {0};
    draw(s.n, 0.7 * ph_number(table, SPACING), &parts);
    return ph_apart_build(s.n, &table->row[INERTIA], &parts, &definition, "dipoles", system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const size_t n = read(table).n;
    const double a = ph_number(table, SPACING), k = ph_number(table, COUPLING),
                 rate = which == TWISTED ? sqrt(k / (ph_number(table, INERTIA) * a * a * a)) : 0;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        double angle = which == TWISTED ? 0.5 * (double)i : which == TURNED && i == 0 ? 0.5 : 0;
        double *q = z + 3 * i, *qdot = zdot + 3 * i;
        q[0] = ph_cos(angle);
        q[1] = which == TWISTED ? ph_sin(angle) : 0;
        q[2] = which == TWISTED ? 0 : ph_sin(angle);
        ph_unit_correct3(q);
        qdot[0] = 0; /* rate e1 x q */
        qdot[1] = -rate * q[2];
        qdot[2] = rate * q[1];
    }
    return PH_OK;
}

const ph_model ph_model_dipole_array = {
    .name = "dipole-array",
    .summary = "dipoles on fixed sites in a row or rectangle, turning in each other's field",
    .reference = "Jackson, Classical Electrodynamics, 3rd ed., eq. (4.26)",
    PH_MODEL_HERE,
};
