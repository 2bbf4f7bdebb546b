/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with data of a factor, in words: each manifold writes its own sentences (ph_manifold.explain),
 * for numbers that a program sets and for numbers that were read from a file. Here are those of unit vectors,
 * S^1 and S^2. */
#include "lib/internal/space.h"

#include <math.h>
#include <stdio.h>

#include <polhode/algebra.h>

const ph_factor_words *ph_space_factor_words(const ph_space *space, size_t i)
{
    return &ph_space_manifold(space, i)->words;
}

void ph_space_explain(const ph_space *space, const ph_flaw *flaw, char *text, size_t size)
{
    const ph_manifold *is = ph_space_manifold(space, flaw->i);
    if (size)
        *text = 0;
    if (is->explain)
        is->explain(ph_space_factor(space, flaw->i), flaw, text, size);
}

void ph_space_factor_fault(const ph_space *space, size_t i, ph_fault fault, const double *z, const double *v,
                           char *text, size_t size)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    ph_flaw flaw = {.fault = fault, .i = i, .read = true, .z = z + f->z};
    if (fault == PH_FAULT_REMOTE)
        flaw.status = ph_space_manifold(space, i)->has_nearest(f, flaw.z);
    if (fault == PH_FAULT_VELOCITY)
        flaw.v = v + f->z;
    if (fault == PH_FAULT_SPIN || fault == PH_FAULT_MOMENTUM)
        flaw.v = v + f->p;
    ph_space_explain(space, &flaw, text, size);
}

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
        snprintf(subject, sizeof subject, "q%zu ", flaw->i + 1);
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
