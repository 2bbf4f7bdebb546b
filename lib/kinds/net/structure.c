/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems that are given by their sparse inverse inertia (ph_sparse) as a kind of system. M is kept as well where it is small. */
#include "net.h"

#include "lib/equations/equations.h"

#include <stdlib.h>

static bool fits(const ph_system_definition *d)
{
    return d->inverse_inertia;
}

ph_status ph_net_take(ph_system *s, const ph_system_definition *d, ph_error *err)
{
    ph_net *net = NULL;
    ph_status status = ph_net_create(d, &net, err);
    s->own = net;
    if (status || s->n > PH_DENSE_PAIRS)
        return status;
    if (!(s->M = malloc(s->n * s->n * sizeof *s->M)))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_net_pair_inertia(net, s->M);
    return PH_OK;
}

void ph_net_apply(const ph_system *s, const double *v, double *mu)
{
    ph_net_apply_inertia(s->own, v, mu);
}

/* With f - g where the gradient g stands. */
static void accelerate(const void *self, const double *f, bool pulled, double *a)
{
    const ph_net *net = self;
    for (size_t k = 0; k < net->n * net->d; k++)
        a[k] = (f ? f[k] : 0) - (pulled ? a[k] : 0);
    if (f || pulled)
        ph_net_apply_inverse(net, a, a);
}

const ph_sparse_inertia ph_net_sparse = {.apply_inverse = ph_net_apply_inverse,
                                         .accelerate = accelerate,
                                         .pull = ph_net_pull,
                                         .terms = ph_net_terms,
                                         .own = ph_net_own,
                                         .size = ph_net_tension_size,
                                         .factor = ph_net_tension_factor,
                                         .solve = ph_net_tension_solve};

const ph_structure ph_structure_net = {
    .name = "net", .fits = fits, .check = ph_definition_check, PH_NET_FUNCTIONS};
