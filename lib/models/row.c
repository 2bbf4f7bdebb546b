/* SPDX-License-Identifier: BSD-3-Clause */
/* Pendula in a row: see row.h. */
#include "row.h"
#include "gravity.h"

double *ph_row_lay(ph_row *row, size_t n, double *storage)
{
    row->n = n;
    row->length = storage;
    row->inertia = storage + n;
    row->weight = storage + 2 * n;
    return storage + 5 * n;
}

ph_status ph_row_potential(void *user, const double *z, double *U)
{
    const ph_row *row = user;
    *U = 0;
    for (size_t i = 0; i < 3 * row->n; i++)
        *U += row->weight[i] * z[i];
    return PH_OK;
}

ph_status ph_row_gradient(void *user, const double *z, double *dU)
{
    const ph_row *row = user;
    (void)z;
    memcpy(dU, row->weight, 3 * row->n * sizeof *dU);
    return PH_OK;
}

ph_status ph_row_points(void *user, double t, const double *z, double *x)
{
    (void)t;
    const ph_row *row = user;
    for (size_t i = 0; i < row->n; i++) {
        for (size_t a = 0; a < 3; a++)
            x[3 * i + a] = row->length[i] * z[3 * i + a];
        x[3 * i] += (double)i * row->spacing;
    }
    return PH_OK;
}

void ph_row_draw(const ph_row *row, size_t i, double thickness, double radius, const char *name,
                 const double G[3], ph_part_list *parts)
{
    const double pivot = (double)i * row->spacing;
    ph_part_shift(ph_part_rod(parts, PH_NO_INDEX, i, thickness), pivot, 0, 0);
    ph_part_size(ph_part_add(parts, PH_SCENE_BALL, i, PH_NO_INDEX), radius, 0, 0)->name = name;
    ph_part_mark(parts, PH_NO_INDEX, G, "pivot")->a.at[0] = pivot;
}

void ph_row_draw_beam(const ph_row *row, ph_part_list *parts)
{
    const double a = row->spacing;
    ph_scene_part *beam =
        ph_part_shift(ph_part_rod(parts, PH_NO_INDEX, PH_NO_INDEX, 0.02 * a), -0.2 * a, 0, 0);
    ph_part_end(beam, PH_NO_INDEX, PH_NO_INDEX, ((double)row->n - 0.8) * a, 0, 0)->name = "beam";
}

size_t ph_row_symmetries(const double G[3], bool coupled, ph_symmetry symmetries[3])
{
    size_t found = 0, candidates = ph_gravity_symmetries(G, symmetries);
    for (size_t i = 0; i < candidates; i++)
        if (!coupled || ph_all_zero(2, symmetries[i].axis + 1))
            symmetries[found++] = symmetries[i];
    return found;
}

/* back <- (I - down down^T)(-e1), normalised, or any horizontal direction where that is too short. */
static void row_frame(const double G[3], double back[3], double side[3], double down[3])
{
    double along[3], across[3], size;
    ph_gravity_frame(G, along, across, down);
    for (int a = 0; a < 3; a++)
        back[a] = down[0] * down[a] - (a == 0);
    size = ph_norm3(back);
    for (int a = 0; a < 3; a++)
        back[a] = size > 1e-3 ? back[a] / size : along[a];
    ph_unit_correct3(back);
    ph_cross3(down, back, side);
}

/* q <- along down (sense 1) or against it (-1), or 30 degrees from there towards the unit vector `aside` (nullable), which is
 * perpendicular to down. */
static void lean(const double down[3], const double *aside, double sense, double q[3])
{
    static const double cosine = 0.86602540378443864676, sine = 0.5;
    for (size_t a = 0; a < 3; a++)
        q[a] = aside ? sense * cosine * down[a] + sine * aside[a] : sense * down[a];
    ph_unit_correct3(q);
}

void ph_row_preset(size_t n, const double G[3], const bool *up, size_t which, double *z, double *zdot)
{
    double back[3], side[3], down[3];
    row_frame(G, back, side, down);
    for (size_t i = 0; i < n; i++) {
        const double *aside = which == PH_ROW_ACROSS ? side : which == PH_ROW_BEATING && i == 0 ? back : NULL;
        lean(down, aside, up && up[i] ? -1 : 1, z + 3 * i);
    }
    memset(zdot, 0, 3 * n * sizeof *zdot);
}
