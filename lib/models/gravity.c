/* SPDX-License-Identifier: BSD-3-Clause */
/* Uniform gravity: see gravity.h. */
#include "gravity.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/algebra.h>

bool ph_all_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* up = -G/|G|; `along` is e1 where gravity is along e3. */
void ph_gravity_frame(const double G[3], double along[3], double across[3], double down[3])
{
    double up[3] = {0, 0, 1}, other[3];
    if (!ph_all_zero(3, G)) {
        double size = hypot(hypot(G[0], G[1]), G[2]);
        for (int a = 0; a < 3; a++)
            up[a] = -G[a] / size;
        ph_unit_correct3(up);
    }
    for (int a = 0; a < 3; a++)
        down[a] = -up[a];
    ph_tangent_basis3(up, along, other);
    ph_cross3(down, along, across);
}

/* back <- (I - down down^T)(-e1), normalised, or any horizontal direction where that is too short. */
void ph_gravity_row_frame(const double G[3], double back[3], double side[3], double down[3])
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

void ph_gravity_row_lean(const double down[3], const double *aside, double sense, double q[3])
{
    static const double cosine = 0.86602540378443864676, sine = 0.5;
    for (size_t a = 0; a < 3; a++)
        q[a] = aside ? sense * cosine * down[a] + sine * aside[a] : sense * down[a];
    ph_unit_correct3(q);
}

/* Without gravity three rotations, otherwise one. */
size_t ph_gravity_symmetries(const double G[3], ph_symmetry symmetries[3])
{
    static const ph_symmetry about_axes[3] = {
        {"Jx", "angular momentum about e1", "kg m^2/s", {1, 0, 0}, NULL},
        {"Jy", "angular momentum about e2", "kg m^2/s", {0, 1, 0}, NULL},
        {"Jz", "angular momentum about e3", "kg m^2/s", {0, 0, 1}, NULL},
    };
    static const ph_symmetry about_gravity = {
        "Jg", "angular momentum about the axis of gravity", "kg m^2/s", {0, 0, 1}, NULL};
    if (ph_all_zero(3, G)) {
        memcpy(symmetries, about_axes, sizeof about_axes);
        return 3;
    }
    symmetries[0] = about_gravity;
    if (G[0] != 0 || G[1] != 0) { /* along e3 the axis is +e3, whether gravity points up or down */
        double size = hypot(hypot(G[0], G[1]), G[2]);
        for (int a = 0; a < 3; a++)
            symmetries[0].axis[a] = -G[a] / size;
    }
    return 1;
}

size_t ph_gravity_row_symmetries(const double G[3], bool coupled, ph_symmetry symmetries[3])
{
    size_t found = 0, candidates = ph_gravity_symmetries(G, symmetries);
    for (size_t i = 0; i < candidates; i++)
        if (!coupled || ph_all_zero(2, symmetries[i].axis + 1))
            symmetries[found++] = symmetries[i];
    return found;
}

ph_status ph_gravity_check_vertical(const ph_parameter_value *gravity, const char *reason, ph_error *err)
{
    const double *G = gravity->values;
    if (G[0] == 0 && G[1] == 0)
        return PH_OK;
    return ph_fail(err, PH_E_INVALID,
                   "%s is (%g, %g, %g) m/s^2; it must be along e3, as a number g or (0, 0, -g): %s",
                   gravity->name, G[0], G[1], G[2], reason);
}

/* ---- Potential ---------------------------------------------------------------------------------- */

ph_weight *ph_weight_create(size_t nz)
{
    ph_weight *w =
        nz <= (SIZE_MAX - sizeof *w) / sizeof(double) ? calloc(1, sizeof *w + nz * sizeof(double)) : NULL;
    if (w)
        w->nz = nz;
    return w;
}

/* U = dU . z */
ph_status ph_weight_potential(void *user, const double *z, double *U)
{
    const ph_weight *w = user;
    double sum = 0;
    for (size_t i = 0; i < w->nz; i++)
        sum += w->dU[i] * z[i];
    *U = sum;
    return PH_OK;
}

ph_status ph_weight_gradient(void *user, const double *z, double *dU)
{
    const ph_weight *w = user;
    (void)z;
    memcpy(dU, w->dU, w->nz * sizeof *dU);
    return PH_OK;
}
