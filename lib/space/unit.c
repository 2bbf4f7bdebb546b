/* SPDX-License-Identifier: BSD-3-Clause */
/* What S^1 and S^2 share: what is wrong with data that should be a unit vector q, or perpendicular to one. */
#include "lib/internal/space.h"

#include <math.h>
#include <stdio.h>

#include <polhode/kit/algebra.h>

/* |v| without overflow. */
static double length(const double *v, size_t n)
{
    double m = ph_max_norm(v, n), square = 0;
    for (size_t k = 0; k < n && m > 0; k++)
        square += v[k] / m * (v[k] / m);
    return m * sqrt(square);
}

static void unit_point(const ph_factor_place *f, const ph_flaw *flaw, char *text, size_t size)
{
    char subject[32] = "";
    if (!flaw->read)
        snprintf(subject, sizeof subject, "%s%zu ", f->kind == PH_FACTOR_SPIN ? "s" : "q", flaw->i + 1);
    if (flaw->fault == PH_FAULT_POINT)
        snprintf(text, size, "%shas length %.15g, not 1", subject, length(flaw->z, f->nz));
    else if (flaw->read)
        snprintf(text, size, "is the zero vector, which has no direction; a unit vector is expected");
    else
        snprintf(text, size, "%sis the zero vector; it must be a unit vector", subject);
}

void ph_unit_explain(const ph_factor_place *f, const ph_flaw *flaw, char *text, size_t size)
{
    const bool momentum = flaw->fault == PH_FAULT_MOMENTUM;
    double product = 0;
    if (flaw->fault == PH_FAULT_REMOTE || flaw->fault == PH_FAULT_POINT) {
        unit_point(f, flaw, text, size);
        return;
    }
    for (size_t k = 0; k < f->nz; k++)
        product += flaw->z[k] * flaw->v[k];
    if (!flaw->read)
        snprintf(text, size, "%s%zu is not perpendicular to q%zu: their product is %.3g",
                 momentum ? "pi" : "velocity", flaw->i + 1, flaw->i + 1, product);
    else if (momentum)
        snprintf(text, size, "sphere %zu: the momentum is not perpendicular to q, their product is %.3g",
                 flaw->i + 1, product);
    else
        snprintf(text, size, "is not perpendicular to q: their product is %.3g", product);
}
