/* SPDX-License-Identifier: BSD-3-Clause */
/* Embedded manifolds: what makes a valid ph_embedding, and what both ways of giving one share: words for
 * messages, and differences of a matrix along a direction, where its derivative is not given. */
#include "embedding.h"
#include "lib/internal/space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <polhode/kit/algebra.h>

const char *ph_embedding_name(const ph_embedding *e)
{
    return e->name ? e->name : "embedded manifold";
}

static ph_status check_callbacks(const ph_embedding *e, size_t i, ph_error *err)
{
    bool constrained = e->constraint || e->jacobian || e->bend,
         projected = e->projection || e->projection_along;
    if (constrained == projected)
        return ph_fail(err, PH_E_INVALID,
                       "factor %zu of the space (%s) is given %s; "
                       "give its constraints (constraint, jacobian) or its projection, one of the two",
                       i + 1, ph_embedding_name(e), projected ? "in both ways" : "by nothing");
    if (constrained && (!e->constraint || !e->jacobian))
        return ph_fail(err, PH_E_INVALID,
                       "factor %zu of the space (%s) has no %s; constraint and jacobian are needed", i + 1,
                       ph_embedding_name(e), e->constraint ? "jacobian" : "constraint");
    if (projected && !e->projection)
        return ph_fail(
            err, PH_E_INVALID,
            "factor %zu of the space (%s) has projection_along, but no projection, which is needed", i + 1,
            ph_embedding_name(e));
    return PH_OK;
}

ph_status ph_embedding_check(const ph_embedding *e, size_t i, ph_error *err)
{
    if (!e)
        return ph_fail(err, PH_E_INVALID,
                       "factor %zu of the space is an embedded manifold, but its embedding is NULL", i + 1);
    if (e->n < 2 || e->n > PH_EMBEDDING_MOST)
        return ph_fail(err, PH_E_INVALID,
                       "factor %zu of the space (%s) is embedded in R^n with n = %zu; "
                       "it must be 2 to %d (what needs more may be a product of several factors)",
                       i + 1, ph_embedding_name(e), e->n, PH_EMBEDDING_MOST);
    if (e->dimension < 1 || e->dimension >= e->n)
        return ph_fail(err, PH_E_INVALID,
                       "factor %zu of the space (%s) has dimension %zu in R^%zu; it must be 1 to %zu", i + 1,
                       ph_embedding_name(e), e->dimension, e->n, e->n - 1);
    return check_callbacks(e, i, err);
}

/* ---- What is wrong with its data ------------------------------------------------------------------ */

static void explain_point(const ph_factor_place *f, const ph_flaw *flaw, double off, char *text, size_t size)
{
    const char *name = f->embedding->name;
    if (flaw->read && flaw->fault == PH_FAULT_POINT)
        snprintf(text, size, "is %.3g off the manifold (%s)", off, name);
    else if (flaw->read)
        snprintf(text, size,
                 "is %.3g off the manifold (%s), "
                 "and no nearest point of it was found (%s); a point of it is expected",
                 off, name, ph_status_text(flaw->status));
    else if (flaw->fault == PH_FAULT_POINT)
        snprintf(text, size,
                 "factor %zu is off the manifold (%s): its largest |g_i|/|row i of dg/dx| is %.3g",
                 flaw->i + 1, name, off);
    else if (flaw->status == PH_E_NOT_ON_MANIFOLD)
        snprintf(text, size,
                 "factor %zu (%s): no nearest point of the manifold was found; give one nearer to it",
                 flaw->i + 1, name);
    else
        snprintf(text, size, "the nearest point of factor %zu (%s): a callback failed: %s", flaw->i + 1, name,
                 ph_status_text(flaw->status));
}

void ph_embedding_explain(const ph_factor_place *f, const ph_flaw *flaw, double off, char *text, size_t size)
{
    if (!ph_embedding_is_vector(flaw)) {
        explain_point(f, flaw, off, text, size);
        return;
    }
    const bool momentum = flaw->fault == PH_FAULT_MOMENTUM;
    if (flaw->read && momentum)
        snprintf(text, size,
                 "factor %zu: the momentum is not tangent to the manifold, its normal part is %.3g",
                 flaw->i + 1, off);
    else if (flaw->read)
        snprintf(text, size, "is not tangent to the manifold (%s): its normal part is of size %.3g",
                 f->embedding->name, off);
    else
        snprintf(text, size, "%s%zu is not tangent to the manifold (%s): its normal part is of size %.3g",
                 momentum ? "p" : "velocity", flaw->i + 1, f->embedding->name, off);
}

/* ---- Differences ---------------------------------------------------------------------------------- */

/* The step of the differences, relative to the largest coordinate. At this width rounding errors are 2e-12 of
 * the matrix; the error by the fifth derivative is as large for a matrix that varies on a tenth of that
 * scale. */
static const double width = 2e-4;

ph_status ph_embedding_difference(const ph_embedding *e, ph_projection_fn matrix, const double *x,
                                  const double *v, size_t count, double *out)
{
    static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12}, at[4] = {-2, -1, 1, 2};
    double value[PH_EMBEDDING_MOST * PH_EMBEDDING_MOST], moved[PH_EMBEDDING_MOST];
    double size = ph_max_norm(x, e->n), speed = ph_max_norm(v, e->n);
    memset(out, 0, count * sizeof *out);
    if (!ph_all_finite(x, e->n) || !ph_all_finite(v, e->n))
        return PH_E_NOT_FINITE;
    if (speed == 0)
        return PH_OK;
    double step = width * (size > 0 ? size : 1) / speed;
    for (size_t k = 0; k < 4; k++) {
        for (size_t j = 0; j < e->n; j++)
            moved[j] = x[j] + at[k] * step * v[j];
        ph_status status = matrix(e->user, moved, value);
        if (status)
            return status;
        for (size_t j = 0; j < count; j++)
            out[j] += weight[k] / step * value[j];
    }
    return ph_all_finite(out, count) ? PH_OK : PH_E_NOT_FINITE;
}

void ph_embedding_fill_nan(double *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = NAN;
}

void ph_embedding_same(const ph_factor_place *f, const double *z, const double *from, double *to)
{
    (void)z;
    memcpy(to, from, f->nz * sizeof *to);
}
