/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of points in space, projected on the planes of two axes each; lines between points at equal times. Two sweeps are watched: for how
 * far the points move, and for what is drawn of them. Between few rows the motion is interpolated, where velocities follow from them. */
#include "between.h"
#include "curve.h"
#include "kept-scene.h"
#include "pairs.h"

#include <polhode/domain/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SNAPSHOTS = 12, /* of the words, too */
    PATHS_MOST = 4,
    ARCHIVED_MOST = 64,
    PATH_COLUMNS = 6,
    NUMBERS = 4,
    PIECES_MOST = 24 /* of the curve between two rows */
};

/* More rows than these are joined by straight lines; of systems with more than 64 coordinates, whose velocities take longer, fewer are curved. */
static const int64_t rows_most = 50000;

/* The places of an archive's rows, and what is drawn of them. */
typedef struct places {
    const plot_input *in;
    size_t run;
    ph_rows *rows;
    ph_scene *scene; /* or NULL: columns of three coordinates each */
    const ph_scene_part *parts;
    size_t n_parts, points, columns;
    double *at;                 /* (points x 3) of a row */
    size_t from[PATHS_MOST];    /* without a scene: the column of the first coordinate of each point */
    char unseen[320];           /* why a scene that the archive keeps is not drawn; or empty */
    bool joined, metres;        /* do lines join the points? */
    bool down;                  /* does e3 point downwards? Then -z is drawn, as gravity has it */
    size_t first, n_paths;      /* the points whose paths are drawn */
    extent extents[PATHS_MOST]; /* t, x, y, z of each */
    thin paths[PATHS_MOST];     /* through the rows */
    bool curved;                /* are velocities among the columns, behind the configuration? */
    between motion;             /* then */
    double *middle;             /* (points x 3) */
    thin curves[PATHS_MOST];    /* with what is between the rows */
    double fine;                /* how far a curve may be from its chords [m] */
    table snapshots;
    size_t taken; /* snapshots so far */
} places;

static void close_run(void *own)
{
    places *p = own;
    ph_scene_free(p->scene);
    ph_rows_free(p->rows);
    free(p->at);
    free(p->middle);
    between_free(&p->motion);
    free(p->snapshots.values);
    for (size_t k = 0; k < PATHS_MOST; k++) {
        thin_free(&p->paths[k]);
        thin_free(&p->curves[k]);
    }
}

/* ---- Which points ---------------------------------------------------------------------------------------- */

/* Three names that differ in their last letter alone: x, y and z, as those of position1x and q1x, or 1, 2 and 3, as of x1_1. */
static bool is_triple(const char *const names[3])
{
    const size_t n = strlen(*names);
    const char *last = n > 2 && names[0][n - 2] == '_' ? "123" : "xyz";
    if (**names == 'R' || n < 2)
        return false;
    for (size_t k = 0; k < 3; k++)
        if (strlen(names[k]) != n || strncmp(*names, names[k], n - 1) != 0 || names[k][n - 1] != last[k])
            return false;
    return true;
}

static void find_triples(places *p)
{
    for (size_t i = 0; i + 2 < p->columns; i++)
        if (is_triple((const char *const[]){ph_rows_column(p->rows, i), ph_rows_column(p->rows, i + 1),
                                            ph_rows_column(p->rows, i + 2)}) &&
            ++p->points <= PATHS_MOST)
            p->from[p->points - 1] = i;
}

/* position12x, x1_1, q1x: is it a place, or a unit vector, and no momentum? */
static bool is_place(const char *name)
{
    static const char *const words[] = {"position", "x", "q", "s"};
    return pair_is_numbered(name, words, sizeof words / sizeof *words);
}

/* words (3 x ARCHIVED_MOST) <- triples of places among the columns of the archive, in metres or not. Result: how many names. */
static size_t find_places(const ph_record *record, bool metres, const char **words)
{
    size_t n = 0;
    for (size_t i = 0; i + 2 < ph_record_columns(record) && n < 3 * ARCHIVED_MOST; i++) {
        const char *const names[3] = {ph_record_column(record, i), ph_record_column(record, i + 1),
                                      ph_record_column(record, i + 2)};
        const bool in_metres = !strcmp(ph_record_unit(record, i), "m");
        for (size_t k = 0; k < 3 && in_metres == metres && is_place(*names) && is_triple(names); k++)
            words[n++] = names[k];
    }
    return n;
}

/* Rows with these: of a user-defined system, or where a part of the configuration is archived. Unit vectors are taken where nothing is in
 * metres. */
static ph_status open_archived(places *p, ph_error *err)
{
    const archived *a = &p->in->runs[p->run];
    const char *words[3 * ARCHIVED_MOST];
    size_t n = find_places(a->info.record, true, words);
    n = n ? n : find_places(a->info.record, false, words);
    ph_rows_free(p->rows);
    p->rows = NULL;
    const ph_status status = n ? sweep_open(a->info.record, words, n, &p->rows, err) : PH_E_UNSUPPORTED;
    p->columns = status ? 0 : ph_rows_columns(p->rows);
    return status;
}

static bool is_line(const ph_scene_part *part)
{
    return part->kind == PH_SCENE_LINE || part->kind == PH_SCENE_TUBE;
}

static ph_status open_rows(places *p, const char *word, ph_error *err)
{
    ph_rows_free(p->rows);
    const ph_status status = sweep_open(p->in->runs[p->run].info.record, &word, 1, &p->rows, err);
    p->columns = status ? 0 : ph_rows_columns(p->rows);
    return status;
}

/* Without such a scene, columns of three coordinates are points. */
static ph_status open_columns(places *p, ph_error *err)
{
    ph_scene_free(p->scene);
    p->scene = NULL;
    ph_status status = open_rows(p, "positions", err);
    if (status)
        status = open_rows(p, "configuration", err);
    if (status)
        status = open_archived(p, err);
    if (!status)
        find_triples(p);
    p->metres = p->points && strcmp(ph_rows_unit(p->rows, p->from[0]), "1") != 0;
    return status;
}

static bool has_places(const ph_scene *scene)
{
    return ph_scene_is_affine(scene) && ph_scene_count(scene);
}

/* Is there a scene whose points follow from the configuration, of the system, or, where that cannot be built, as the archive keeps it? Then it
 * and the rows are open. */
static bool open_scene(places *p)
{
    ph_record *record = p->in->runs[p->run].info.record;
    ph_rows *rows;
    ph_error err;
    const bool known = !open_rows(p, "configuration", &err);
    const ph_system *system = known ? ph_rows_system(p->rows) : NULL;
    if (system)
        return !ph_scene_create(system, &p->scene, &err) && has_places(p->scene);
    const ph_status status = kept_scene_open(record, &p->scene, &rows, &err);
    if (!status) {
        ph_rows_free(p->rows);
        p->rows = rows;
        p->columns = ph_rows_columns(rows);
    } else if (status != PH_E_UNSUPPORTED) {
        snprintf(p->unseen, sizeof p->unseen, "%.300s", err.message);
    }
    return !status;
}

/* Rows with velocities, too, where there are few rows and velocities follow from them; else those that there are. */
static void take_velocities(places *p)
{
    static const char *const words[] = {"configuration", "velocity"};
    ph_record *record = p->in->runs[p->run].info.record;
    const ph_system *system = ph_rows_system(p->rows);
    const size_t nz = p->columns - 1;
    ph_rows *rows;
    ph_error err;
    if (!system || ph_space_ambient(ph_system_space(system)) != nz ||
        ph_record_rows(record) > rows_most / (1 + (int64_t)nz / 64) ||
        sweep_open(record, words, 2, &rows, &err))
        return;
    p->middle = malloc((3 * p->points + 1) * sizeof *p->middle);
    p->curved = p->middle && ph_rows_columns(rows) == 1 + 2 * nz &&
                between_start(&p->motion, ph_system_space(system));
    if (p->curved) {
        ph_rows_free(p->rows);
        p->rows = rows;
        p->columns = ph_rows_columns(rows);
    } else {
        ph_rows_free(rows);
    }
}

static void take_scene(places *p)
{
    double up[3];
    p->points = ph_scene_count(p->scene);
    p->parts = ph_scene_parts(p->scene, &p->n_parts);
    p->metres = true;
    ph_scene_up(p->scene, up);
    p->down = up[2] < -0.9;
    take_velocities(p);
}

static ph_status places_open(places *p, ph_error *err)
{
    ph_status status = PH_OK;
    if (open_scene(p))
        take_scene(p);
    else
        status = open_columns(p, err);
    if (!status && !p->points)
        status = ph_fail(err, PH_E_UNSUPPORTED,
                         "%s: nothing of its configuration is a place in space; see the figure 'phase'",
                         p->in->runs[p->run].file);
    for (size_t k = 0; k < p->n_parts; k++)
        p->joined = p->joined || is_line(&p->parts[k]);
    p->first = p->joined ? p->points - 1 : 0; /* of a chain the last point */
    p->n_paths = p->points - p->first < PATHS_MOST ? p->points - p->first : PATHS_MOST;
    if (p->n_paths * p->in->n > CURVES_MOST - 2) /* a panel has room for so many curves */
        p->n_paths = (CURVES_MOST - 2) / p->in->n;
    for (size_t k = 0; k < PATHS_MOST; k++)
        p->extents[k] = extent_start(NUMBERS, 0);
    p->at = malloc((3 * p->points + 1) * sizeof *p->at);
    return !status && !p->at ? ph_fail(err, PH_E_NO_MEMORY, "out of memory") : status;
}

/* point <- t and the place of path k in the row; p->at holds its points. */
static void point_of(const places *p, const double *row, size_t k, double point[NUMBERS])
{
    point[0] = row[0];
    memcpy(point + 1, p->scene ? p->at + 3 * (p->first + k) : row + p->from[k], 3 * sizeof *point);
    if (p->down)
        point[3] = -point[3];
}

static bool locate(places *p, const double *row)
{
    ph_error err;
    return !p->scene || !ph_scene_points(p->scene, row + 1, p->at, &err);
}

/* ---- How far they move ------------------------------------------------------------------------------------ */

static ph_status measure_row(void *self, const double *row, ph_error *err)
{
    places *p = self;
    double point[NUMBERS];
    (void)err;
    for (size_t k = 0; k < p->n_paths && (k || locate(p, row)); k++) {
        point_of(p, row, k, point);
        extent_enter(&p->extents[k], point);
    }
    return PH_OK;
}

/* Of all points of all runs together. Result: is there one? */
static bool extent_of(const places *p, size_t n, double least[3], double most[3])
{
    bool any = false;
    for (size_t i = 0; i < 3; i++) {
        least[i] = INFINITY;
        most[i] = -INFINITY;
    }
    for (size_t r = 0; r < n; r++)
        for (size_t k = 0; k < p[r].n_paths; k++)
            for (size_t i = 0; i < 3; i++) {
                least[i] = fmin(least[i], p[r].extents[k].least[1 + i]);
                most[i] = fmax(most[i], p[r].extents[k].most[1 + i]);
                any = any || p[r].extents[k].entered;
            }
    return any;
}

/* Does one of the points move? Each may stand at another place. */
static bool is_moving(const places *p, size_t n)
{
    for (size_t r = 0; r < n; r++)
        for (size_t k = 0; k < p[r].n_paths; k++)
            for (size_t i = 0; i < 3; i++)
                if (p[r].extents[k].most[1 + i] > p[r].extents[k].least[1 + i])
                    return true;
    return false;
}

/* A plane for each pair of axes along which something moves; the widths are the same, so that scales are equal. */
static size_t choose_planes(const double least[3], const double most[3], thin_plane planes[3])
{
    static const size_t pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    double longest = 0;
    bool flat[3];
    size_t n = 0, n_flat = 0;
    for (size_t i = 0; i < 3; i++)
        longest = fmax(longest, most[i] - least[i]);
    for (size_t i = 0; i < 3; i++) {
        flat[i] = most[i] - least[i] <= 1e-9 * longest;
        n_flat += flat[i];
    }
    for (size_t k = 0; k < 3; k++) {
        const size_t x = pairs[k][0], y = pairs[k][1];
        if ((n_flat == 1 && (flat[x] || flat[y])) || (n_flat >= 2 && flat[x] && flat[y]) ||
            (n_flat >= 2 && n))
            continue;
        planes[n++] = (thin_plane){.x = 1 + x,
                                   .y = 1 + y,
                                   .x_least = least[x],
                                   .x_most = least[x] + longest,
                                   .y_least = least[y],
                                   .y_most = least[y] + longest};
    }
    return n;
}

/* ---- What is drawn ------------------------------------------------------------------------------------------ */

static ph_status add_point(table *t, double time, double number, const double *x, double shade, ph_error *err)
{
    return table_add(t, (double[PATH_COLUMNS]){time, number, x[0], x[1], x[2], shade}, err);
}

/* A place of a snapshot, which is changed. */
static ph_status add_upright(places *p, double time, double number, double x[3], double shade, ph_error *err)
{
    if (p->down)
        x[2] = -x[2];
    return add_point(&p->snapshots, time, number, x, shade, err);
}

static ph_status add_line(places *p, const double *row, const ph_scene_part *part, double shade,
                          ph_error *err)
{
    double x[3];
    ph_status status = PH_OK;
    if (part->kind == PH_SCENE_TUBE && part->a.point < part->b.point && part->b.point < p->points) {
        for (size_t m = part->a.point; m <= part->b.point && !status; m++) {
            memcpy(x, p->at + 3 * m, sizeof x);
            status = add_upright(p, row[0], (double)m + 1, x, shade, err);
        }
    } else {
        ph_scene_locate(p->scene, &part->a, row + 1, p->at, x);
        status = add_upright(p, row[0], 0, x, shade, err);
        ph_scene_locate(p->scene, &part->b, row + 1, p->at, x);
        status = status ? status : add_upright(p, row[0], 0, x, shade, err);
    }
    return status ? status : table_break(&p->snapshots, err);
}

/* The lines at the first row at or behind each of SNAPSHOTS equal times. */
static ph_status take_snapshot(places *p, const double *row, ph_error *err)
{
    const extent *e = &p->extents[0];
    const bool backwards = e->first[0] > e->before[0];
    const double length = e->most[0] - e->least[0];
    const double elapsed = backwards ? e->most[0] - row[0] : row[0] - e->least[0];
    const double due = length * (double)p->taken / (SNAPSHOTS - 1);
    ph_status status = PH_OK;
    if (p->taken == SNAPSHOTS || elapsed < due - 1e-9 * length)
        return PH_OK;
    const double shade = (double)p->taken / (SNAPSHOTS - 1);
    while (p->taken < SNAPSHOTS && elapsed >= length * (double)p->taken / (SNAPSHOTS - 1) - 1e-9 * length)
        p->taken++; /* of few rows one stands for several times */
    for (size_t k = 0; k < p->n_parts && !status; k++)
        if (is_line(&p->parts[k]))
            status = add_line(p, row, &p->parts[k], shade, err);
    return status;
}

/* p->middle <- the points at the part theta of the way from the row before to the one that was entered last. Result: are they known? */
static bool place_between(places *p, double theta)
{
    ph_error err;
    return between_at(&p->motion, theta) && !ph_scene_points(p->scene, p->motion.z, p->middle, &err);
}

/* Into how many pieces the curve is divided, so that its chords are near enough: they miss it by the height of the arc over the square of their
 * number. */
static size_t count_pieces(places *p)
{
    double off = 0, height;
    if (!place_between(p, 0))
        return 1;
    memcpy(p->at, p->middle, 3 * p->points * sizeof *p->at);
    if (!place_between(p, 1))
        return 1;
    for (size_t i = 0; i < 3 * p->points; i++)
        p->at[i] = 0.5 * (p->at[i] + p->middle[i]);
    if (!place_between(p, 0.5))
        return 1;
    for (size_t k = 0; k < p->n_paths; k++) {
        const double *x = p->middle + 3 * (p->first + k), *y = p->at + 3 * (p->first + k);
        height = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        off = fmax(off, height);
    }
    const double pieces = ceil(sqrt(off / p->fine));
    return pieces >= PIECES_MOST ? PIECES_MOST : pieces > 1 ? (size_t)pieces : 1;
}

/* What is between the row before and this one. */
static ph_status trace_between(places *p, const double *row, ph_error *err)
{
    ph_status status = PH_OK;
    if (!between_enter(&p->motion, row))
        return PH_OK;
    const size_t pieces = count_pieces(p);
    const double from = p->motion.ends[0][0], length = row[0] - from;
    for (size_t i = 1; i < pieces && !status; i++) {
        const double theta = (double)i / (double)pieces;
        if (!place_between(p, theta))
            continue;
        for (size_t k = 0; k < p->n_paths && !status; k++) {
            double point[NUMBERS] = {from + theta * length};
            memcpy(point + 1, p->middle + 3 * (p->first + k), 3 * sizeof *point);
            point[3] = p->down ? -point[3] : point[3];
            status = thin_enter(&p->curves[k], point, err);
        }
    }
    return status;
}

static ph_status trace_row(void *self, const double *row, ph_error *err)
{
    places *p = self;
    double point[NUMBERS];
    ph_status status = p->curved ? trace_between(p, row, err) : PH_OK;
    if (status || !locate(p, row))
        return status;
    for (size_t k = 0; k < p->n_paths && !status; k++) {
        point_of(p, row, k, point);
        status = thin_enter(&p->paths[k], point, err);
        if (!status && p->curved)
            status = thin_enter(&p->curves[k], point, err);
    }
    if (!status && p->joined && p->in->n == 1)
        status = take_snapshot(p, row, err);
    return status;
}

/* t <- behind its rows a path. */
static ph_status add_path(table *t, const thin *path, size_t number, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < path->kept.rows && !status; i++) {
        const double *row = path->kept.values + i * NUMBERS;
        status =
            isnan(row[0]) ? table_break(t, err) : add_point(t, row[0], (double)number, row + 1, NAN, err);
    }
    return status;
}

/* The table of a run: its paths one after the other, then its snapshots; curves of both in every panel. Those that are drawn with what is between
 * the rows have a table of their own. */
static ph_status fill_run(making *m, size_t run, ph_error *err)
{
    static const char *const names[PATH_COLUMNS] = {"t", "point", "x", "y", "z", "shade"};
    picture *p = &m->picture;
    places *at = (places *)m->own + run;
    table *t = &p->tables[at->run];
    const bool alone = p->n_runs == 1;
    ph_status status = PH_OK;
    for (size_t k = 0; k < PATH_COLUMNS; k++)
        table_column(t, k == 4 && at->down ? "-z" : names[k],
                     k == 0 ? "s" : (k > 1 && k < 5 && at->metres ? "m" : ""));
    for (size_t k = 0; k < at->n_paths && !status; k++) {
        const thin *path = at->curved ? &at->curves[k] : &at->paths[k];
        table *shown = at->curved ? &p->curved[at->run] : t;
        shown->columns = t->columns;
        const size_t from = shown->rows;
        status = add_path(t, &at->paths[k], at->first + k + 1, err);
        if (!status && at->curved)
            status = add_path(shown, path, at->first + k + 1, err);
        for (size_t i = 0; i < p->n; i++) {
            drawn one = curve_look(path, alone && !at->joined ? k : at->run, alone && at->n_paths == 1);
            one.look = at->joined && alone && !path->dots ? LOOK_HAZE : one.look;
            one.of = shown;
            one.x = path->planes[i].x + 1;
            one.y = path->planes[i].y + 1;
            one.from = from;
            one.to = shown->rows;
            panel_add(&p->panels[i], one);
        }
    }
    const size_t from = t->rows;
    for (size_t i = 0; i < at->snapshots.rows && !status; i++)
        status = table_add(t, at->snapshots.values + i * PATH_COLUMNS, err);
    for (size_t i = 0; i < p->n && t->rows > from; i++)
        panel_add(&p->panels[i], (drawn){.of = t,
                                         .x = at->paths->planes[i].x + 1,
                                         .y = at->paths->planes[i].y + 1,
                                         .y2 = 5,
                                         .look = LOOK_SHADES,
                                         .run = at->run,
                                         .from = from,
                                         .to = t->rows});
    return status;
}

static ph_status start_paths(places *at, const thin_plane *planes, size_t n, ph_error *err)
{
    const plot_input *in = at->in;
    const double width = planes->x_most - planes->x_least;
    ph_status status = PH_OK;
    at->snapshots.columns = PATH_COLUMNS;
    at->fine = 5e-4 * (width > 0 ? width : 1);
    for (size_t k = 0; k < at->n_paths && !status; k++) {
        bool dots = false;
        for (size_t i = 0; i < n; i++)
            dots = dots || curve_is_dots(&at->extents[k], planes[i].x, width, planes[i].y, width);
        status = thin_start(&at->paths[k], NUMBERS, planes, n, dots, CURVE_CELLS,
                            curve_rows(in, in->n * at->n_paths), err);
        at->curved = at->curved && !dots;
        if (!status && at->curved)
            status = thin_start(&at->curves[k], NUMBERS, planes, n, false, CURVE_CELLS,
                                curve_rows(in, in->n * at->n_paths), err);
    }
    return status;
}

static void lay_panels(picture *p, const thin_plane *planes, size_t n, const char *unit, bool down)
{
    const char *const axes[] = {"x", "y", down ? "-z" : "z"};
    for (size_t k = 0; k < n; k++) {
        panel *at = &p->panels[p->n++];
        at->equal = true;
        snprintf(at->x_label, sizeof at->x_label, "%s%s", axes[planes[k].x - 1], unit);
        snprintf(at->y_label, sizeof at->y_label, "%s%s", axes[planes[k].y - 1], unit);
    }
}

/* ---- In words ------------------------------------------------------------------------------------------------ */

static void say_paths(making *m, const places *at)
{
    picture *p = &m->picture;
    char when[120], how[200];
    const size_t n = p->n_runs;
    curve_times(when, &at->extents[0]);
    curve_words(how, &at->paths[0]);
    if (at->joined && n == 1)
        picture_say(p, "The system at %s %s, light to dark, and the path of its last point: %s.",
                    at->extents->entered < SNAPSHOTS ? "each of its rows" : "12 equal times", when, how);
    else if (at->joined || at->n_paths == 1)
        picture_say(p, "The path of %s %s: %s.", at->joined ? "the last point" : "the point", when, how);
    else if (at->n_paths < at->points)
        picture_say(p, "The paths of the first %zu of %zu points %s: %s.", at->n_paths, at->points, when,
                    how);
    else
        picture_say(p, "The paths of %zu points %s: %s.", at->n_paths, when, how);
    if (at->curved)
        picture_say(
            p, "Between rows the line follows their velocities (cubic Hermite); the table has the rows.");
    curve_say_others(m);
    for (size_t k = 0; n == 1 && !at->joined && at->n_paths > 1 && k < at->n_paths; k++)
        picture_label(p, k, "point %zu", at->first + k + 1);
}

/* Why a run is drawn without its scene. */
static void say_unseen(picture *p, const places *at)
{
    if (!*at->unseen)
        return;
    if (p->n_runs > 1)
        picture_say(p, "The scene of %.200s is not drawn: %s.", at->in->runs[at->run].label, at->unseen);
    else
        picture_say(p, "The scene of the archive is not drawn: %s.", at->unseen);
}

/* ---- The steps ------------------------------------------------------------------------------------------------- */

static ph_status open_run(making *m, size_t run, ph_error *err)
{
    places *all = m->own, *p = &all[run];
    m->twice = true;
    p->in = m->in;
    p->run = run;
    const ph_status status = places_open(p, err);
    p->down = all->down; /* one way up for all */
    m->watchers[run] = (watcher){.rows = p->rows, .enter = measure_row, .self = p};
    return status;
}

/* planes (3), *n <- what all runs share. */
static ph_status share_planes(const places *all, thin_plane *planes, size_t *n, ph_error *err)
{
    const plot_input *in = all->in;
    double least[3], most[3];
    for (size_t i = 1; i < in->n; i++)
        if (all[i].metres != all->metres)
            return ph_fail(err, PH_E_UNSUPPORTED, "%.200s has places in metres, and %.200s directions alone",
                           in->runs[all->metres ? 0 : i].file, in->runs[all->metres ? i : 0].file);
    if (!extent_of(all, in->n, least, most))
        return ph_fail(err, PH_E_UNSUPPORTED, "%s: no row there can be read", in->runs->file);
    if (!is_moving(all, in->n))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "%s: none of its points moves; the figure 'phase' shows whether it turns",
                       in->runs->file);
    *n = choose_planes(least, most, planes);
    return PH_OK;
}

static ph_status trace_trajectory(making *m, ph_error *err)
{
    places *all = m->own;
    thin_plane planes[3];
    size_t n = 0;
    ph_status status = share_planes(all, planes, &n, err);
    if (!status)
        lay_panels(&m->picture, planes, n, all->metres ? " [m]" : "", all->down);
    for (size_t i = 0; i < m->in->n && !status; i++) {
        status = start_paths(&all[i], planes, n, err);
        m->watchers[i] = (watcher){.rows = all[i].rows, .enter = trace_row, .self = &all[i]};
    }
    return status;
}

static ph_status finish_trajectory(making *m, ph_error *err)
{
    const places *all = m->own;
    (void)err;
    say_paths(m, all);
    for (size_t i = 0; i < m->in->n; i++)
        say_unseen(&m->picture, &all[i]);
    return PH_OK;
}

const figure_steps steps_trajectory = {.size = sizeof(places),
                                       .open = open_run,
                                       .between = trace_trajectory,
                                       .fill = fill_run,
                                       .finish = finish_trajectory,
                                       .close = close_run};
