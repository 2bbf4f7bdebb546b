/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of a factor in portraits. pi = q x mu is the angular momentum of a direction q, and its component along an axis the momentum of the
 * angle about that axis. */
#include "views.h"

#include <polhode/domain/scene.h>

#include <math.h>
#include <string.h>

/* What moves less than this part of the others stands still. */
static const double still = 1e-3;

/* Does the third axis of the system's space point downwards? */
static bool is_upside_down(const ph_rows *rows)
{
    ph_scene *scene;
    ph_error err;
    double up[3];
    if (!ph_rows_system(rows) || ph_scene_create(ph_rows_system(rows), &scene, &err))
        return false;
    ph_scene_up(scene, up);
    ph_scene_free(scene);
    return up[2] < -0.9;
}

/* at (3) <- the columns of a direction's or an angular momentum's components. Result: are all there? */
static bool find_columns(const ph_rows *rows, const char *name, size_t factor, long *at)
{
    bool all = true;
    for (size_t i = 0; i < 3; i++) {
        at[i] = pair_column(rows, "%s%zu%c", name, factor, "xyz"[i]);
        all = all && at[i] >= 0;
    }
    return all;
}

/* The angle about an axis: that of (sign x, sign2 x2), counted so that it grows where the momentum is positive. */
static void add_angle(views *v, const ph_rows *rows, size_t factor, char axis, pair p)
{
    p.x_unit = "rad";
    p.y_unit = ph_rows_unit(rows, (size_t)p.y);
    snprintf(p.x_name, sizeof p.x_name, "angle of q%zu about %c", factor, axis);
    snprintf(p.y_name, sizeof p.y_name, "pi%zu%c", factor, axis);
    v->at[v->n++] = p;
}

/* About horizontal axes angles are counted from where a pendulum hangs. */
static void find_angles(views *v, const ph_rows *rows, size_t factor)
{
    enum { X, Y, Z };
    long q[3], pi[3];
    if (!find_columns(rows, "q", factor, q) || !find_columns(rows, "pi", factor, pi))
        return;
    const bool down = is_upside_down(rows);
    add_angle(v, rows, factor, 'y',
              (pair){.x = q[Z], .minus = !down, .x2 = q[X], .minus2 = !down, .y = pi[Y]});
    add_angle(v, rows, factor, 'x',
              (pair){.x = q[Z], .minus = !down, .x2 = q[Y], .minus2 = down, .y = pi[X]});
    add_angle(v, rows, factor, 'z', (pair){.x = q[X], .x2 = q[Y], .y = pi[Z]});
}

/* Of a vector those in the units of the first. */
static void find_coordinates(views *v, const ph_rows *rows, size_t factor)
{
    for (int k = 2; k <= 3; k++) {
        const long x = pair_column(rows, "x%zu_%d", factor, k), p = pair_column(rows, "p%zu_%d", factor, k);
        if (x < 0 || p < 0)
            return;
        const pair other = pair_of(rows, (size_t)x, (size_t)p);
        if (!strcmp(other.x_unit, v->at[0].x_unit) && !strcmp(other.y_unit, v->at[0].y_unit))
            v->at[v->n++] = other;
    }
}

void views_find(views *v, const ph_rows *rows, const pair *usual)
{
    size_t factor;
    char last;
    unsigned angles = 0;
    memset(v, 0, sizeof *v);
    v->at[v->n++] = *usual;
    if (rows && usual->x2 < 0 && sscanf(usual->y_name, "pi%zu%c", &factor, &last) == 2 && last == 'z')
        find_angles(v, rows, factor);
    else if (rows && usual->x2 < 0 && sscanf(usual->y_name, "p%zu_%c", &factor, &last) == 2 && last == '1')
        find_coordinates(v, rows, factor);
    for (size_t i = 0; i < v->n; i++)
        angles |= (unsigned)(v->at[i].x2 >= 0) << (1 + 2 * i);
    v->seen = extent_start(1 + 2 * v->n, angles);
}

void views_enter(views *v, const double *row)
{
    double numbers[THIN_NUMBERS] = {row[0]};
    for (size_t i = 0; i < v->n; i++) {
        numbers[1 + 2 * i] = pair_coordinate(&v->at[i], row);
        numbers[2 + 2 * i] = row[v->at[i].y];
    }
    extent_enter(&v->seen, numbers);
}

/* How far the number goes in all runs together. */
static double range_of(const views *const *all, size_t n, size_t number)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, all[i]->seen.least[number]);
        most = fmax(most, all[i]->seen.most[number]);
    }
    return most - least;
}

static bool are_alike(const views *const *all, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < all[0]->n; k++)
            if (all[i]->n != all[0]->n || !pair_find(&all[i]->at[k], 1, &all[0]->at[k]))
                return false;
    return true;
}

size_t views_choose(const views *const *all, size_t n)
{
    double x[VIEWS_MOST], y[VIEWS_MOST], widest = 0, highest = 0;
    size_t best = 0;
    if (all[0]->n < 2 || !are_alike(all, n))
        return 0;
    for (size_t k = 0; k < all[0]->n; k++) {
        x[k] = range_of(all, n, 1 + 2 * k);
        y[k] = range_of(all, n, 2 + 2 * k);
        widest = fmax(widest, x[k]);
        best = k && y[k] > highest ? k : best;
        highest = fmax(highest, y[k]);
    }
    return highest > 0 && (x[0] <= still * widest || y[0] <= still * highest) ? best : 0;
}
