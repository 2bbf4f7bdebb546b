/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with data of a factor, in words: each manifold writes its own sentences
 * (ph_manifold.explain), for numbers that a program sets and for numbers that were read from a file. */
#include "lib/internal/space.h"

const ph_factor_words *ph_space_factor_words(const ph_space *space, size_t i)
{
    return &ph_space_manifold(space, i)->words;
}

void ph_space_explain(const ph_space *space, const ph_flaw *flaw, char *text, size_t size)
{
    const ph_manifold *is = ph_space_manifold(space, flaw->i);
    ph_factor_place room;
    if (size)
        *text = 0;
    if (is->explain)
        is->explain(ph_space_place(space, flaw->i, &room), flaw, text, size);
}

void ph_space_factor_fault(const ph_space *space, size_t i, ph_fault fault, const double *z, const double *v,
                           char *text, size_t size)
{
    ph_factor_place room;
    const ph_factor_place *f = ph_space_place(space, i, &room);
    ph_flaw flaw = {.fault = fault, .i = i, .read = true, .z = z + f->z};
    if (fault == PH_FAULT_REMOTE)
        flaw.status = ph_space_manifold(space, i)->has_nearest(f, flaw.z);
    if (fault == PH_FAULT_VELOCITY)
        flaw.v = v + f->z;
    if (fault == PH_FAULT_SPIN || fault == PH_FAULT_MOMENTUM)
        flaw.v = v + f->p;
    ph_space_explain(space, &flaw, text, size);
}
