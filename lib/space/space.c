/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of manifolds: the table of manifolds, creation, sizes. */
#include "embedding.h"
#include "product.h"

#include <stdlib.h>
#include <string.h>

/* The table of manifolds; an embedded one is given by constraints or by its projection. */
static const ph_manifold *const manifolds[] = {
    [PH_FACTOR_R] = &ph_manifold_euclidean,
    [PH_FACTOR_S2] = &ph_manifold_sphere,
    [PH_FACTOR_S1] = &ph_manifold_circle,
    [PH_FACTOR_SO3] = &ph_manifold_rotation,
    [PH_FACTOR_EMBEDDED] = &ph_manifold_constraints,
    [PH_FACTOR_SPIN] = &ph_manifold_spin,
};
enum { KINDS = sizeof manifolds / sizeof manifolds[0] };

/* All sizes stay below this, so that sums and products of two of them, in bytes, cannot wrap around. */
static const size_t largest = (size_t)1 << (sizeof(size_t) > 4 ? 30 : 14);

/* An embedding by its projection alone has a table of its own. */
static const ph_manifold *manifold_of(const ph_factor *factor)
{
    bool alone = factor->kind == PH_FACTOR_EMBEDDED && factor->embedding->projection;
    return alone ? &ph_manifold_projector : manifolds[factor->kind];
}

/* The message names the factor, counted from 1. */
static ph_status check_factor(const ph_factor *factor, size_t i, ph_error *err)
{
    if ((unsigned)factor->kind >= KINDS)
        return ph_fail(err, PH_E_INVALID, "factor %zu of the space has kind %d; there are kinds 0 to %d",
                       i + 1, (int)factor->kind, (int)KINDS - 1);
    if (factor->kind == PH_FACTOR_EMBEDDED)
        return ph_embedding_check(factor->embedding, i, err);
    if (manifolds[factor->kind]->nz && factor->d)
        return ph_fail(err, PH_E_INVALID,
                       "factor %zu of the space, %s, has d = %zu; its dimension is fixed, and d must be 0",
                       i + 1, manifolds[factor->kind]->name, factor->d);
    if (!manifolds[factor->kind]->nz && (factor->d < 1 || factor->d > largest))
        return ph_fail(err, PH_E_INVALID, "factor %zu of the space, %s, has d = %zu; it must be 1 to %zu",
                       i + 1, manifolds[factor->kind]->name, factor->d, largest);
    return PH_OK;
}

/* Append one factor behind those that are there. */
static void append(ph_space *space, const ph_factor *factor, const ph_embedding *embedding)
{
    const ph_manifold *m = manifold_of(factor);
    part *made = &space->parts[space->n++];
    ph_factor_place *place = &made->at;
    made->is = m;
    place->kind = factor->kind;
    place->embedding = embedding;
    place->z = space->nz;
    place->p = space->np;
    place->x = space->nx;
    made->w = space->nw;
    space->last = made;
    place->nz = m->nz ? m->nz : embedding ? embedding->n : factor->d;
    place->np = m->is_phase_space ? 0 : m->np ? m->np : place->nz;
    place->nx = m->nx ? m->nx : embedding ? embedding->dimension : factor->d;
    space->nz += place->nz;
    space->np += place->np;
    space->nw += ph_factor_algebra_numbers(place);
    space->nx += place->nx;
    space->basis += place->nz * place->nx;
    space->retraction = space->retraction && !m->no_retraction;
}

/* Room for the parts, the embeddings and the names. */
static size_t room(const ph_factor *factors, size_t n, size_t *embedded)
{
    size_t names = 0;
    *embedded = 0;
    for (size_t i = 0; i < n; i++)
        if (factors[i].kind == PH_FACTOR_EMBEDDED) {
            names += strlen(ph_embedding_name(factors[i].embedding)) + 1;
            ++*embedded;
        }
    return sizeof(ph_space) + n * sizeof(part) + *embedded * sizeof(ph_embedding) + names;
}

/* The product of factors that have been checked; NULL without memory. */
static ph_space *make(const ph_factor *factors, size_t n)
{
    size_t embedded;
    ph_space *space = calloc(1, room(factors, n, &embedded));
    if (!space)
        return NULL;
    ph_embedding *copy = (ph_embedding *)(void *)(space->parts + n);
    char *name = (char *)(copy + embedded);
    space->retraction = true;
    for (size_t i = 0; i < n && space->nz <= largest; i++) {
        if (factors[i].kind != PH_FACTOR_EMBEDDED) {
            append(space, &factors[i], NULL);
            continue;
        }
        *copy = *factors[i].embedding;
        copy->name = strcpy(name, ph_embedding_name(copy));
        name += strlen(name) + 1;
        append(space, &factors[i], copy++);
    }
    return space;
}

/* n factors that are alike and have one description. The memory of their places is not touched. */
static ph_space *make_alike(const ph_factor *factor, size_t n)
{
    ph_space *space = calloc(1, sizeof *space + sizeof(part));
    place_table *places = malloc(sizeof *places + n * sizeof places->at[0]);
    if (!space || !places) {
        free(space);
        free(places);
        return NULL;
    }
    atomic_init(&places->once, PH_ONCE_EMPTY);
    space->retraction = true;
    append(space, factor, NULL);
    space->places = places;
    space->n = n;
    space->nz *= n;
    space->np *= n;
    space->nw *= n;
    space->nx *= n;
    space->basis *= n;
    return space;
}

/* Whose factors are all one kind that is a phase space, or any. */
static ph_space *make_any(const ph_factor *factors, size_t n)
{
    return manifolds[factors[0].kind]->is_phase_space ? make_alike(&factors[0], n) : make(factors, n);
}

ph_status ph_space_create(const ph_factor *factors, size_t n, ph_space **space, ph_error *err)
{
    *space = NULL;
    if (!factors || n < 1 || n > largest)
        return ph_fail(err, PH_E_INVALID, "a space needs at least one factor, and at most %zu", largest);
    for (size_t i = 0; i < n; i++) {
        ph_status status = check_factor(&factors[i], i, err);
        if (!status && (factors[i].kind == PH_FACTOR_SPIN) != (factors[0].kind == PH_FACTOR_SPIN))
            status = ph_fail(err, PH_E_INVALID,
                             "factors 1 and %zu of the space are a %s and a %s; a sphere that is a phase "
                             "space is in products with its like only",
                             i + 1, manifolds[factors[0].kind]->words.noun,
                             manifolds[factors[i].kind]->words.noun);
        if (status)
            return status;
    }
    ph_space *made = make_any(factors, n);
    if (!made)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a space of %zu factors", n);
    if (made->nz > largest) {
        ph_space_free(made);
        return ph_fail(err, PH_E_INVALID, "the space has more than %zu coordinates", largest);
    }
    *space = made;
    return PH_OK;
}

ph_status ph_space_copy(const ph_space *from, ph_space **to)
{
    if (from->places) {
        *to = make_alike(&(ph_factor){.kind = from->parts[0].at.kind}, from->n);
        return *to ? PH_OK : PH_E_NO_MEMORY;
    }
    ph_factor *factors = calloc(from->n, sizeof *factors);
    *to = NULL;
    for (size_t i = 0; factors && i < from->n; i++) {
        const ph_factor_place *f = &from->parts[i].at;
        factors[i] =
            (ph_factor){.kind = f->kind, .d = f->kind == PH_FACTOR_R ? f->nz : 0, .embedding = f->embedding};
    }
    if (factors)
        *to = make(factors, from->n);
    free(factors);
    return *to ? PH_OK : PH_E_NO_MEMORY;
}

ph_status ph_space_create_power(const ph_factor *factor, size_t n, ph_space **space, ph_error *err)
{
    if (!factor || n < 1 || n > largest)
        return ph_space_create(factor, n, space, err); /* which says what is wrong */
    *space = NULL;
    if (factor->kind == PH_FACTOR_SPIN) {
        ph_status status = check_factor(factor, 0, err);
        if (!status && n > largest / 3)
            return ph_fail(err, PH_E_INVALID, "the space has more than %zu coordinates", largest);
        if (!status && !(*space = make_alike(factor, n)))
            return ph_fail(err, PH_E_NO_MEMORY, "no memory for a space of %zu factors", n);
        return status;
    }
    ph_factor *factors = calloc(n, sizeof *factors);
    if (!factors)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a space of %zu factors", n);
    for (size_t i = 0; i < n; i++)
        factors[i] = *factor;
    ph_status status = ph_space_create(factors, n, space, err);
    free(factors);
    return status;
}

void ph_space_free(ph_space *space)
{
    if (!space)
        return;
    free(space->places);
    free(space);
}

size_t ph_space_factors(const ph_space *space)
{
    return space->n;
}

const ph_factor_place *ph_space_factor(const ph_space *space, size_t i)
{
    place_table *t = space->places;
    if (!t)
        return &space->parts[i].at;
    if (ph_once_begins(&t->once)) {
        part room;
        for (size_t k = 0; k < space->n; k++)
            t->at[k] = space_part(space, k, &room)->at;
        ph_once_ends(&t->once);
    }
    return &t->at[i];
}

const ph_factor_place *ph_space_place(const ph_space *space, size_t i, ph_factor_place *room)
{
    if (!space->places)
        return &space->parts[i].at;
    part whole;
    *room = space_part(space, i, &whole)->at;
    return room;
}

const ph_manifold *ph_space_manifold(const ph_space *space, size_t i)
{
    return space->parts[space->places ? 0 : i].is;
}

size_t ph_space_ambient(const ph_space *space)
{
    return space->nz;
}

size_t ph_space_momenta(const ph_space *space)
{
    return space->np;
}

size_t ph_space_algebra(const ph_space *space)
{
    return space->nw;
}

bool ph_space_is_phase_space(const ph_space *space)
{
    return space->parts[0].is->is_phase_space;
}

size_t ph_space_dimension(const ph_space *space)
{
    return space->nx;
}

size_t ph_space_basis_size(const ph_space *space)
{
    return space->basis;
}

bool ph_space_has_retraction(const ph_space *space)
{
    return space->retraction;
}
