/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of points x_k = x_from + at + sum c z_j e_a, put together one after another: see scene.h. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

bool ph_scene_points_begin(ph_scene_points_list *list, size_t n)
{
    *list = (ph_scene_points_list){.n = n, .room = 9 * n + 1};
    list->from = malloc((n + 1) * sizeof *list->from);
    list->at = calloc(3 * n + 1, sizeof *list->at);
    list->begin = calloc(n + 1, sizeof *list->begin);
    list->terms = malloc(list->room * sizeof *list->terms);
    list->unknown = calloc(n + 1, sizeof *list->unknown);
    return list->unknown && list->from && list->at && list->begin && list->terms;
}

void ph_scene_points_from(ph_scene_points_list *list, size_t k, size_t from, const double *at)
{
    list->from[k] = from;
    memcpy(list->at + 3 * k, at, 3 * sizeof *at);
    list->begin[k + 1] = list->begin[k];
}

bool ph_scene_points_add(ph_scene_points_list *list, size_t k, unsigned axis, size_t at, double coefficient)
{
    if (coefficient == 0)
        return true;
    if (list->begin[k + 1] == list->room) {
        ph_scene_term *more = realloc(list->terms, 2 * list->room * sizeof *more);
        if (!more)
            return false;
        list->terms = more;
        list->room *= 2;
    }
    list->terms[list->begin[k + 1]++] = (ph_scene_term){axis, at, coefficient};
    return true;
}

void ph_scene_points_free(ph_scene_points_list *list)
{
    free(list->from);
    free(list->at);
    free(list->begin);
    free(list->terms);
    free(list->unknown);
}
