/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of points in space, projected on the planes of two axes each; lines between points at equal times. */
#include "rows.h"

#include <polhode/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SNAPSHOTS = 12, PATHS_MOST = 4, PATH_COLUMNS = 6 };

/* The places of an archive's rows. */
typedef struct places {
    chosen c;
    ph_scene *scene; /* or NULL: columns of three coordinates each */
    const ph_scene_part *parts;
    size_t n_parts, points;
    double *at;                 /* (points x 3) of a row */
    long first[PATHS_MOST * 8]; /* without a scene: the column of the first coordinate of each point */
} places;

static void places_free(places *p)
{
    ph_scene_free(p->scene);
    free(p->at);
    chosen_free(&p->c);
}

/* Three columns that differ in their last letter, x, y and z, as position1x and q1x do. */
static bool is_triple(const ph_rows *rows, size_t i)
{
    const char *name = ph_rows_column(rows, i);
    const size_t n = strlen(name);
    if (i + 2 >= ph_rows_columns(rows) || *name == 'R' || n < 2)
        return false;
    for (size_t k = 0; k < 3; k++) {
        const char *other = ph_rows_column(rows, i + k);
        if (strlen(other) != n || strncmp(name, other, n - 1) != 0 || other[n - 1] != "xyz"[k])
            return false;
    }
    return true;
}

static void find_triples(places *p, size_t most)
{
    for (size_t i = 0; i < p->c.columns && p->points < most; i++)
        if (is_triple(p->c.rows, i))
            p->first[p->points++] = (long)i;
}

static ph_status places_open(places *p, const archived *a, ph_error *err)
{
    static const char *const positions[] = {"positions"}, *const configuration[] = {"configuration"};
    *p = (places){.scene = NULL};
    ph_status status = chosen_read(&p->c, a, configuration, 1, true, err);
    if (status)
        return status;
    const ph_system *system = ph_rows_system(p->c.rows);
    if (system && !ph_scene_create(system, &p->scene, err) && ph_scene_is_affine(p->scene) &&
        ph_scene_count(p->scene)) {
        p->points = ph_scene_count(p->scene);
        p->parts = ph_scene_parts(p->scene, &p->n_parts);
    } else {
        ph_scene_free(p->scene);
        p->scene = NULL;
        chosen_free(&p->c);
        status = chosen_read(&p->c, a, positions, 1, true, err);
        if (status) {
            chosen_free(&p->c);
            status = chosen_read(&p->c, a, configuration, 1, true, err);
        }
        if (!status)
            find_triples(p, PATHS_MOST * 8);
    }
    if (!status && !p->c.n)
        status = ph_fail(err, PH_E_UNSUPPORTED, "%s: none of its first rows can be read", a->file);
    if (!status && !p->points)
        status =
            ph_fail(err, PH_E_UNSUPPORTED,
                    "%s: nothing of its configuration is a place in space; see the figure 'phase'", a->file);
    p->at = malloc((3 * p->points + 1) * sizeof *p->at);
    return !status && !p->at ? ph_fail(err, PH_E_NO_MEMORY, "out of memory") : status;
}

/* p->at <- in that row. */
static bool locate(places *p, int64_t i)
{
    ph_error err;
    const double *row = p->c.values + (size_t)i * p->c.columns;
    if (p->scene)
        return !ph_scene_points(p->scene, row + 1, p->at, &err);
    for (size_t k = 0; k < p->points; k++)
        memcpy(p->at + 3 * k, row + p->first[k], 3 * sizeof *row);
    return true;
}

static ph_status add_point(table *t, double time, double number, const double *x, double shade, ph_error *err)
{
    return table_add(t, (double[PATH_COLUMNS]){time, number, x[0], x[1], x[2], shade}, err);
}

/* The paths of points: of the last one where lines join them, else of the first PATHS_MOST (and of all bodies that are few). */
static ph_status add_paths(places *p, table *t, bool joined, ph_error *err)
{
    ph_status status = PH_OK;
    const size_t most = p->points < PATHS_MOST ? p->points : PATHS_MOST;
    for (size_t k = joined ? p->points - 1 : 0; !status && k < (joined ? p->points : most); k++) {
        for (int64_t i = 0; i < p->c.n && !status; i++)
            if (locate(p, i))
                status = add_point(t, p->c.values[(size_t)i * p->c.columns], (double)k + 1, p->at + 3 * k,
                                   NAN, err);
        if (!status)
            status = table_break(t, err);
    }
    return status;
}

static bool is_line(const ph_scene_part *part)
{
    return part->kind == PH_SCENE_LINE || part->kind == PH_SCENE_TUBE;
}

/* The lines at equal times over the first rows. */
static ph_status add_snapshots(places *p, table *t, ph_error *err)
{
    ph_status status = PH_OK;
    const int64_t span = p->c.n < 400 ? p->c.n : 400;
    for (int64_t s = 0; s < SNAPSHOTS && !status; s++) {
        const int64_t i = s * (span - 1) / (SNAPSHOTS - 1);
        const double *row = p->c.values + (size_t)i * p->c.columns;
        if (!locate(p, i))
            continue;
        for (size_t k = 0; k < p->n_parts && !status; k++) {
            double x[3];
            if (!is_line(&p->parts[k]))
                continue;
            const double shade = (double)s / (SNAPSHOTS - 1);
            if (p->parts[k].kind == PH_SCENE_TUBE && p->parts[k].a.point < p->parts[k].b.point &&
                p->parts[k].b.point < p->points) {
                for (size_t m = p->parts[k].a.point; m <= p->parts[k].b.point && !status; m++)
                    status = add_point(t, row[0], (double)m + 1, p->at + 3 * m, shade, err);
            } else {
                ph_scene_locate(p->scene, &p->parts[k].a, row + 1, p->at, x);
                status = add_point(t, row[0], 0, x, shade, err);
                ph_scene_locate(p->scene, &p->parts[k].b, row + 1, p->at, x);
                status = status ? status : add_point(t, row[0], 0, x, shade, err);
            }
            status = status ? status : table_break(t, err);
        }
    }
    return status;
}

/* How far the points move along each axis. */
static void extent(const picture *p, double size[3])
{
    for (size_t k = 0; k < 3; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < p->n_runs; i++)
            for (size_t r = 0; r < p->tables[i].rows; r++) {
                const double x = p->tables[i].values[r * PATH_COLUMNS + 2 + k];
                least = isfinite(x) ? fmin(least, x) : least;
                most = isfinite(x) ? fmax(most, x) : most;
            }
        size[k] = most > least ? most - least : 0;
    }
}

/* A panel for each plane in which something moves. */
static void lay_panels(picture *p, bool joined, const char *unit)
{
    static const size_t planes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    double size[3];
    extent(p, size);
    const double least = 1e-9 * fmax(size[0], fmax(size[1], size[2]));
    const size_t flat = (size_t)(size[0] <= least) + (size[1] <= least) + (size[2] <= least);
    for (size_t k = 0; k < 3; k++) {
        const size_t x = planes[k][0], y = planes[k][1];
        if (flat == 1 && (size[x] <= least || size[y] <= least))
            continue;
        if (flat >= 2 && k > 0)
            continue;
        panel *at = &p->panels[p->n++];
        at->equal = true;
        snprintf(at->x_label, sizeof at->x_label, "%c%s", "xyz"[x], unit);
        snprintf(at->y_label, sizeof at->y_label, "%c%s", "xyz"[y], unit);
        for (size_t i = 0; i < p->n_runs; i++) {
            const bool shades = joined && p->n_runs == 1;
            panel_add(at, (drawn){&p->tables[i], 2 + x, 2 + y, 5,
                                  shades ? LOOK_SHADES : (joined ? LOOK_FAINT : LOOK_LINE), i});
        }
        for (size_t i = 0; joined && p->n_runs > 1 && i < p->n_runs; i++)
            panel_add(at, (drawn){&p->tables[i], 2 + x, 2 + y, 5, LOOK_LINE, i});
    }
}

static ph_status trace(picture *p, const plot_input *in, size_t run, bool *joined, bool *metres,
                       ph_error *err)
{
    places at;
    ph_status status = places_open(&at, &in->runs[run], err);
    if (!status) {
        static const char *const names[PATH_COLUMNS] = {"t", "point", "x", "y", "z", "shade"};
        bool lines = false;
        for (size_t k = 0; at.scene && k < at.n_parts; k++)
            lines = lines || is_line(&at.parts[k]);
        *joined = *joined || lines;
        *metres = at.scene || strcmp(ph_rows_unit(at.c.rows, (size_t)at.first[0]), "1") != 0;
        for (size_t k = 0; k < PATH_COLUMNS; k++)
            table_column(&p->tables[run], names[k], k == 0 ? "s" : (k > 1 && k < 5 && *metres ? "m" : ""));
        if (lines && in->n == 1)
            status = add_snapshots(&at, &p->tables[run], err);
        else
            status = add_paths(&at, &p->tables[run], lines, err);
    }
    places_free(&at);
    return status;
}

ph_status make_trajectory(picture *p, const plot_input *in, ph_error *err)
{
    *p = (picture){.runs = in->runs, .n_runs = in->n};
    ph_status status = PH_OK;
    bool joined = false, metres = true;
    for (size_t i = 0; i < in->n && !status; i++)
        status = trace(p, in, i, &joined, &metres, err);
    if (status)
        return status;
    double size[3];
    extent(p, size);
    if (!(size[0] + size[1] + size[2] > 0))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "%s: none of its points moves; the figure 'phase' shows how it turns", in->runs->file);
    lay_panels(p, joined && in->n == 1, metres ? " [m]" : "");
    if (joined && in->n == 1)
        snprintf(p->words, sizeof p->words,
                 "The system at %d equal times in its first rows (at most 400), light to dark.", SNAPSHOTS);
    else
        snprintf(p->words, sizeof p->words, "%s in the first rows (at most %d).",
                 joined ? "The path of the last point" : "Paths of the first points", ROWS_MOST);
    return PH_OK;
}
