/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves thinned by the cells that they cover. */
#include "thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

/* ---- Rasters --------------------------------------------------------------------------------------------- */

static size_t raster_bytes(const thin *t)
{
    return t->cells * t->cells / 8;
}

/* A coordinate in cells; what lies outside is at the border. */
static double in_cells(const thin *t, double x, double least, double most)
{
    const double at = most > least ? (x - least) / (most - least) * (double)t->cells : 0;
    const double last = (double)t->cells - 0.5,
                 inside = at > 0 ? at : 0; /* fmin and fmax are calls, for each point */
    return inside < last ? inside : last;
}

static void place(const thin *t, size_t plane, const double *point, double at[2])
{
    const thin_plane *p = &t->planes[plane];
    at[0] = in_cells(t, point[p->x], p->x_least, p->x_most);
    at[1] = in_cells(t, point[p->y], p->y_least, p->y_most);
}

/* Marks a cell; was it covered by no piece before? */
static bool cover(thin *t, size_t plane, double x, double y)
{
    const size_t i = (size_t)y * t->cells + (size_t)x;
    unsigned char *byte = &t->seen[plane][i / 8], bit = (unsigned char)(1u << (i % 8));
    const bool fresh = !(*byte & bit);
    *byte |= bit;
    return fresh;
}

/* Marks the cells that a piece covers, at distances of at most a cell; is one of them new? */
static bool cover_piece(thin *t, size_t plane, const double *from, const double *to)
{
    double a[2], b[2];
    bool fresh = false;
    place(t, plane, from, a);
    place(t, plane, to, b);
    const double right = fabs(b[0] - a[0]), up = fabs(b[1] - a[1]), steps = ceil(right > up ? right : up);
    for (double k = steps > 0 ? 1 : 0; k <= steps; k++) {
        const double share = steps > 0 ? k / steps : 1;
        fresh = cover(t, plane, a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) || fresh;
    }
    return fresh;
}

/* Does the piece leave the plane on one side and come back on the other? */
static bool turns_over(const thin *t, size_t plane, const double *from, const double *to)
{
    const thin_plane *p = &t->planes[plane];
    return p->turns && fabs(to[p->x] - from[p->x]) > turn / 2;
}

/* ---- Kept points ------------------------------------------------------------------------------------------- */

/* A row without a time, which separates lines. */
static ph_status keep_break(thin *t, ph_error *err)
{
    const table *kept = &t->kept;
    return kept->rows && !isnan(kept->values[(kept->rows - 1) * t->n]) ? table_break(&t->kept, err) : PH_OK;
}

/* The point with a gap in the planes that the piece before it leaves. */
static ph_status keep_gap(thin *t, const double *from, const double *to, ph_error *err)
{
    double point[THIN_NUMBERS];
    bool any = false;
    memcpy(point, to, t->n * sizeof *to);
    for (size_t k = 0; k < t->n_planes; k++)
        if (turns_over(t, k, from, to)) {
            point[t->planes[k].x] = NAN;
            any = true;
        }
    return any ? table_add(&t->kept, point, err) : PH_OK;
}

/* ---- Entering ---------------------------------------------------------------------------------------------- */

static bool is_finite(const thin *t, const double *point)
{
    for (size_t i = 0; i < t->n; i++)
        if (!isfinite(point[i]))
            return false;
    return true;
}

/* Is it within a cell of the last kept point, in every plane? */
static bool is_near(const thin *t, const double *point)
{
    for (size_t k = 0; k < t->n_planes; k++) {
        double a[2], b[2];
        place(t, k, t->last, a);
        place(t, k, point, b);
        if (fabs(a[0] - b[0]) > 1 || fabs(a[1] - b[1]) > 1)
            return false;
    }
    return true;
}

static ph_status enter_dot(thin *t, const double *point, ph_error *err)
{
    bool fresh = false;
    for (size_t k = 0; k < t->n_planes; k++)
        fresh = cover_piece(t, k, point, point) || fresh;
    return fresh ? table_add(&t->kept, point, err) : PH_OK;
}

/* Its first point is kept with the first piece that covers something new; but that of a curve that stays where it is. */
static ph_status begin_line(thin *t, const double *point, ph_error *err)
{
    t->joined = !t->kept.rows;
    memcpy(t->last, point, t->n * sizeof *point);
    for (size_t k = 0; t->joined && k < t->n_planes; k++)
        cover_piece(t, k, point, point);
    return t->joined ? table_add(&t->kept, point, err) : PH_OK;
}

static ph_status enter_line(thin *t, const double *point, ph_error *err)
{
    ph_status status = PH_OK;
    bool fresh = false;
    for (size_t k = 0; k < t->n_planes; k++)
        fresh = (turns_over(t, k, t->before, point) ? cover_piece(t, k, point, point)
                                                    : cover_piece(t, k, t->before, point)) ||
                fresh;
    if (!fresh) {
        t->joined = t->joined && is_near(t, point);
        return PH_OK;
    }
    if (!t->joined) { /* the curve went elsewhere, where others are already, and comes back */
        status = keep_break(t, err);
        if (!status)
            status = table_add(&t->kept, t->before, err);
    }
    if (!status)
        status = keep_gap(t, t->before, point, err);
    if (!status)
        status = table_add(&t->kept, point, err);
    memcpy(t->last, point, t->n * sizeof *point);
    t->joined = true;
    return status;
}

static ph_status enter(thin *t, const double *point, ph_error *err)
{
    ph_status status = PH_OK;
    if (!is_finite(t, point)) {
        t->begun = false;
        return PH_OK;
    }
    if (t->dots)
        status = enter_dot(t, point, err);
    else
        status = t->begun ? enter_line(t, point, err) : begin_line(t, point, err);
    memcpy(t->before, point, t->n * sizeof *point);
    t->begun = true;
    return status;
}

/* Cells twice as wide: what is kept is entered again. The curve is where it was, so it can be joined to what follows. */
static ph_status coarsen(thin *t, ph_error *err)
{
    table old = t->kept;
    double before[THIN_NUMBERS];
    const bool begun = t->begun;
    ph_status status = PH_OK;
    memcpy(before, t->before, sizeof before);
    t->kept = (table){.columns = t->n};
    t->cells /= 2;
    t->begun = false;
    for (size_t k = 0; k < t->n_planes; k++)
        memset(t->seen[k], 0, raster_bytes(t));
    for (size_t i = 0; i < old.rows && !status; i++) {
        const double *row = old.values + i * t->n;
        if (isnan(row[0]) || is_finite(t, row)) /* gaps within a plane are found again */
            status = enter(t, row, err);
    }
    free(old.values);
    memcpy(t->before, before, sizeof before);
    t->joined = t->joined && begun && is_near(t, before);
    t->begun = begun;
    return status;
}

/* ---- For the caller ---------------------------------------------------------------------------------------- */

ph_status thin_start(thin *t, size_t n, const thin_plane *planes, size_t n_planes, bool dots, size_t cells,
                     size_t most, ph_error *err)
{
    *t = (thin){.n = n, .n_planes = n_planes, .dots = dots, .cells = cells, .most = most};
    t->kept.columns = n;
    memcpy(t->planes, planes, n_planes * sizeof *planes);
    for (size_t k = 0; k < n_planes; k++) {
        t->seen[k] = calloc(raster_bytes(t), 1);
        if (!t->seen[k])
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    return PH_OK;
}

ph_status thin_enter(thin *t, const double *point, ph_error *err)
{
    ph_status status = enter(t, point, err);
    t->entered++;
    while (!status && t->kept.rows > t->most && t->cells > 8)
        status = coarsen(t, err);
    return status;
}

double thin_covered(const thin *t)
{
    double largest = 0;
    for (size_t k = 0; k < t->n_planes; k++) {
        size_t covered = 0;
        for (size_t i = 0; i < raster_bytes(t); i++)
            for (unsigned byte = t->seen[k][i]; byte; byte &= byte - 1)
                covered++;
        largest = fmax(largest, (double)covered / (double)(t->cells * t->cells));
    }
    return largest;
}

void thin_free(thin *t)
{
    for (size_t k = 0; k < THIN_PLANES; k++)
        free(t->seen[k]);
    free(t->kept.values);
    *t = (thin){0};
}

/* ---- Extents ------------------------------------------------------------------------------------------------- */

extent extent_start(size_t n, unsigned angles)
{
    extent e = {.n = n, .angles = angles};
    for (size_t i = 0; i < n; i++) {
        e.least[i] = INFINITY;
        e.most[i] = -INFINITY;
    }
    return e;
}

void extent_enter(extent *e, const double *point)
{
    for (size_t i = 0; i < e->n; i++)
        if (!isfinite(point[i]))
            return;
    if (!e->entered)
        memcpy(e->first, point, e->n * sizeof *point);
    for (size_t i = 0; i < e->n; i++) {
        double way = e->entered ? fabs(point[i] - e->before[i]) : 0;
        if (e->angles >> i & 1)
            way = fmin(way, fabs(turn - way));
        e->way[i] += way;
        e->least[i] = point[i] <= e->least[i] ? point[i] : e->least[i];
        e->most[i] = point[i] >= e->most[i] ? point[i] : e->most[i];
        e->before[i] = point[i];
    }
    e->entered++;
}

double extent_stride(const extent *e, size_t x, double width, size_t y, double height)
{
    const double pieces = e->entered > 1 ? (double)(e->entered - 1) : 1;
    return fmax(width > 0 ? e->way[x] / width : 0, height > 0 ? e->way[y] / height : 0) / pieces;
}
