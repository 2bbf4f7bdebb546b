/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse inverse inertias (polhode/kit/tensions.h): of each kind its own functions, ph_structure.sparse. */
#include <polhode/kit/tensions.h>

#include "system.h"

bool ph_system_is_sparse(const ph_system *s)
{
    return s->of->sparse;
}

static const void *own_of(const ph_system *s)
{
    return ph_system_root(s)->own;
}

void ph_system_apply_inverse_inertia(const ph_system *s, const double *mu, double *v)
{
    s->of->sparse->apply_inverse(own_of(s), mu, v);
}

ph_status ph_system_free_acceleration(const ph_system *s, const double *z, const double *f, double *a)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    const bool pulled = r->is.gradient;
    const ph_status status = pulled ? r->is.gradient(r->is.user, z, a) : PH_OK;
    if (!status)
        r->of->sparse->accelerate(r->own, f, pulled, a);
    return status;
}

void ph_tension_pull(const ph_system *s, const double *q, const double *tau, double *v)
{
    s->of->sparse->pull(own_of(s), q, tau, v);
}

void ph_tension_terms(const ph_system *s, const double *tau, double *size)
{
    s->of->sparse->terms(own_of(s), tau, size);
}

void ph_tension_own(const ph_system *s, double *own)
{
    s->of->sparse->own(own_of(s), own);
}

size_t ph_tension_size(const ph_system *s)
{
    return s->of->sparse->size(own_of(s));
}

ph_status ph_tension_factor(const ph_system *s, const double *q1, const double *q, double *F, int *sign)
{
    return s ? s->of->sparse->factor(own_of(s), q1, q, F, sign) : PH_E_INVALID;
}

void ph_tension_solve(const ph_system *s, const double *F, double *tau)
{
    s->of->sparse->solve(own_of(s), F, tau);
}
