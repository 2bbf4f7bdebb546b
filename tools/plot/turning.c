/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns about one axis. Of a body that turns about its axis z, which is that of space, R has the angle in Rxx = cos and Ryx = sin. */
#include "turning.h"

#include <math.h>
#include <string.h>

/* Momenta about other axes are at most this part of that about the axis, and the axis then leaves that of space by about as much. */
static const double aside = 1e-3;

void turning_find(turning *t, const ph_rows *rows, const char *momentum)
{
    static const char letters[] = "xyz";
    size_t body;
    memset(t, 0, sizeof *t);
    if (sscanf(momentum, "Pi%zu", &body) != 1)
        return;
    t->known = true;
    for (size_t j = 0; j < TURN_AXES; j++) {
        const char k = letters[(j + 1) % 3], l = letters[(j + 2) % 3];
        t->along[j] = pair_column(rows, "R%zu%c%c", body, letters[j], letters[j]);
        pair *p = &t->at[j];
        *p = (pair){.x = pair_column(rows, "R%zu%c%c", body, k, k),
                    .x2 = pair_column(rows, "R%zu%c%c", body, l, k),
                    .y = pair_column(rows, "Pi%zu%c", body, letters[j]),
                    .x_unit = "rad"};
        t->known = t->known && t->along[j] >= 0 && p->x >= 0 && p->x2 >= 0 && p->y >= 0;
        p->y_unit = p->y >= 0 ? ph_rows_unit(rows, (size_t)p->y) : "";
        snprintf(p->x_name, sizeof p->x_name, "angle of R%zu about %c", body, letters[j]);
        snprintf(p->y_name, sizeof p->y_name, "Pi%zu%c", body, letters[j]);
    }
    t->seen = extent_start(1 + 2 * TURN_AXES, 7U << 1);
}

void turning_enter(turning *t, const double *row)
{
    double numbers[THIN_NUMBERS] = {row[0]};
    if (!t->known)
        return;
    for (size_t j = 0; j < TURN_AXES; j++) {
        numbers[1 + j] = pair_coordinate(&t->at[j], row);
        numbers[1 + TURN_AXES + j] = row[t->along[j]];
        t->largest[j] = fmax(t->largest[j], fabs(row[t->at[j].y]));
    }
    extent_enter(&t->seen, numbers);
}

/* Does the body of this run turn about the axis alone? */
static bool turning_about(const turning *t, size_t j)
{
    const double others = fmax(t->largest[(j + 1) % 3], t->largest[(j + 2) % 3]);
    return t->known && t->seen.entered && t->largest[j] > 0 && others <= aside * t->largest[j] &&
           t->seen.least[1 + TURN_AXES + j] >= 1 - 10 * aside * aside;
}

size_t turning_choose(const turning *const *all, size_t n)
{
    for (size_t j = 0; j < TURN_AXES; j++) {
        size_t i = 0;
        while (i < n && turning_about(all[i], j))
            i++;
        if (i == n)
            return j;
    }
    return TURN_AXES;
}
