/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanical systems: creation from a definition, which is copied, and the end of them. */
#include <polhode/kit/memory.h>
#include <polhode/system.h>

#include "lib/internal/missing.h"
#include "lib/internal/space.h"
#include "parts.h"
#include "system.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Copies of what the definition points to ---------------------------------------------------- */

/* A copy (malloc) of the text; of NULL an empty one. NULL without memory. */
static char *copy_text(const char *text)
{
    size_t n = strlen(text ? text : "") + 1;
    char *copy = malloc(n);
    if (copy)
        memcpy(copy, text ? text : "", n);
    return copy;
}

/* s->symmetries <- copies with their strings; 0 without memory. */
static int copy_symmetries(ph_system *s, const ph_system_definition *d)
{
    if (!d->n_symmetries)
        return 1;
    s->symmetries = calloc(d->n_symmetries, sizeof *s->symmetries);
    if (!s->symmetries)
        return 0;
    for (size_t i = 0; i < d->n_symmetries; i++) {
        ph_symmetry *to = &s->symmetries[i];
        *to = d->symmetries[i];
        to->name = copy_text(d->symmetries[i].name);
        to->text = copy_text(d->symmetries[i].text);
        to->unit = copy_text(d->symmetries[i].unit);
        s->is.n_symmetries = i + 1; /* so that a failure frees those copied so far */
        if (!to->name || !to->text || !to->unit)
            return 0;
    }
    return 1;
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/* Are the columns of its own words, and different? */
static ph_status check_columns(const ph_system_definition *d, ph_error *err)
{
    if (!d->n_columns != !d->columns || !d->n_columns != !d->own_columns)
        return ph_fail(err, PH_E_INVALID, "give columns, own_columns and n_columns together, or none");
    for (size_t i = 0; i < d->n_columns; i++) {
        const char *name = d->own_columns[i].name ? d->own_columns[i].name : "";
        const bool unlisted = d->own_columns[i].unlisted, word = isalpha((unsigned char)*name) != 0;
        if (!*name || (!unlisted && (!word || name[strspn(name, letters)])))
            return ph_fail(err, PH_E_INVALID, "own_columns[%zu]: '%.60s' is no name: letters, digits and _",
                           i, name);
        if (i && !unlisted && d->own_columns[i - 1].unlisted)
            return ph_fail(err, PH_E_INVALID, "own_columns[%zu] comes behind unlisted ones", i);
        for (size_t k = 0; k < i && !unlisted; k++)
            if (!strcmp(name, d->own_columns[k].name))
                return ph_fail(err, PH_E_INVALID, "own_columns: there are two with the name %.60s", name);
    }
    return PH_OK;
}

/* s->columns <- copies with their strings; 0 without memory. */
static int copy_columns(ph_system *s, const ph_system_definition *d)
{
    s->columns = d->n_columns ? calloc(d->n_columns, sizeof *s->columns) : NULL;
    for (size_t i = 0; s->columns && i < d->n_columns; i++) {
        ph_own_column *to = &s->columns[i];
        *to = (ph_own_column){copy_text(d->own_columns[i].name), copy_text(d->own_columns[i].unit),
                              d->own_columns[i].unlisted};
        s->is.n_columns = i + 1;
        if (!to->name || !to->unit)
            return 0;
    }
    return s->columns || !d->n_columns;
}

/* s->labels <- copies with their strings; an empty unit is none. 0 without memory. */
static int copy_labels(ph_system *s, const ph_system_definition *d)
{
    s->labels = d->labels ? calloc(s->n, sizeof *s->labels) : NULL;
    for (size_t i = 0; s->labels && i < s->n; i++) {
        const ph_factor_label *from = &d->labels[i];
        s->labels[i] = (ph_factor_label){copy_text(from->name), copy_text(from->unit),
                                         copy_text(from->rate_unit), copy_text(from->momentum_unit)};
        if (!s->labels[i].name || !s->labels[i].unit || !s->labels[i].rate_unit ||
            !s->labels[i].momentum_unit)
            return 0;
    }
    return s->labels || !d->labels;
}

/* A copy (malloc) of a matrix (n x n), exactly symmetric: the mean of both triangles. */
static double *copy_matrix(const double *from, size_t n)
{
    double *to = malloc(n * n * sizeof *to);
    for (size_t i = 0; to && i < n * n; i++)
        to[i] = 0.5 * (from[i] + from[i % n * n + i / n]);
    return to;
}

/* ---- Creation ----------------------------------------------------------------------------------- */

/* The strength of the Lagrangian that the definition gives. */
static ph_lagrangian_kind kind_of(const ph_system_definition *d)
{
    bool constant = d->inertia || d->ambient_inertia || d->linkage || d->inverse_inertia || d->articulation;
    return d->spins                                 ? PH_PHASE_SPACE
           : constant                               ? PH_INERTIA_CONSTANT
           : d->inertia_at || d->ambient_inertia_at ? PH_INERTIA_VARYING
                                                    : PH_LAGRANGIAN_GENERAL;
}

/* s->M or s->MM where the definition gives it, exactly symmetric, as the conservation of momentum maps depends on that. False without
 * memory. */
static bool copy_inertia(ph_system *s, const ph_system_definition *d)
{
    if (d->inertia)
        s->M = copy_matrix(d->inertia, s->n);
    else if (d->ambient_inertia)
        s->MM = copy_matrix(d->ambient_inertia, s->nz);
    return s->M || s->MM || (!d->inertia && !d->ambient_inertia);
}

/* s->span <- where the rows of s->MM are not 0; false without memory. */
static bool find_spans(ph_system *s)
{
    if (!s->MM)
        return true;
    s->span = malloc(s->nz * sizeof *s->span);
    for (size_t i = 0; s->span && i < s->nz; i++) {
        const double *row = s->MM + i * s->nz;
        ph_row_span *span = &s->span[i];
        *span = (ph_row_span){0, s->nz};
        while (span->end > 0 && row[span->end - 1] == 0)
            span->end--;
        while (span->begin < span->end && row[span->begin] == 0)
            span->begin++;
    }
    return s->span != NULL;
}

/* Creates a system from a definition that has been checked in part. Takes ownership of `user`, also on
 * failure. */
static ph_status build_system(const ph_structure *of, const ph_system_definition *d, const ph_system *base,
                              ph_system **system, ph_error *err)
{
    ph_system *s = calloc(1, sizeof *s);
    if (!s) {
        if (d->user_free)
            d->user_free(d->user);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    s->of = of;
    s->is = *d;
    s->is.n_symmetries = s->is.n_columns = 0;
    s->base = base;
    s->n = ph_space_factors(d->space);
    s->nz = ph_space_ambient(d->space);
    s->kind = base ? base->kind : kind_of(d);
    s->rest = calloc(of->no_velocities ? 1 : s->nz, sizeof *s->rest);
    ph_status status = check_columns(d, err);
    status = status ? status : !base && of->create ? of->create(s, d, err) : PH_OK;
    if (status) {
        ph_system_free(s);
        return status;
    }
    if (!s->rest || !copy_inertia(s, d) || !find_spans(s) || ph_space_copy(d->space, &s->space) ||
        !copy_symmetries(s, d) || !copy_columns(s, d) || !copy_labels(s, d) || !ph_parts_copy(d, &s->parts) ||
        !ph_system_find_bodies(s)) {
        ph_system_free(s);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    bool tried = !base && !ph_system_is_regular(s) && s->kind != PH_LAGRANGIAN_GENERAL;
    status = tried ? ph_system_try_inertia(s, err) : PH_OK;
    if (!status && s->is.constraint)
        status = ph_system_try_constraint(s, err);
    if (!status && (!ph_system_find_rolling(s) || !ph_system_find_train(s)))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = ph_parts_check(d, s->space, ph_system_points(s), err);
    if (status)
        ph_system_free(s);
    else
        *system = s;
    return status;
}

/* A definition owns its `user`, also where nothing is created from it. */
static ph_status refuse_definition(const ph_system_definition *d, ph_status status)
{
    if (d->user_free)
        d->user_free(d->user);
    return status;
}

ph_status ph_system_create_of(const ph_structure *of, const ph_system_definition *definition,
                              ph_system **system, ph_error *err)
{
    ph_system_definition d = *definition;
    ph_space *made = NULL;
    ph_status status = of->check(definition, err);
    if (!status && !d.space)
        status = of->make_space(definition, &made, err);
    if (status)
        return refuse_definition(definition, status);
    d.space = made ? made : d.space;
    status = build_system(of, &d, NULL, system, err);
    ph_space_free(made);
    return status;
}

ph_status ph_system_create_forced(const ph_system *base, const ph_system_definition *added,
                                  ph_system **system, ph_error *err)
{
    if (!base)
        return refuse_definition(added, ph_not_created(err, "system", "ph_system_create or ph_model_build"));
    ph_system_definition d = *added;
    ph_status status = ph_definition_check_time(added, err);
    if (status)
        return refuse_definition(added, status);
    if (base->of->no_forces)
        return refuse_definition(added, ph_fail(err, PH_E_UNSUPPORTED, "%s", base->of->no_forces));
    if (d.spins || d.spin_hessian || d.n_hessian || (!d.force && !d.potential_in_time) || d.space ||
        d.inertia || d.ambient_inertia || d.linkage || d.inverse_inertia || d.articulation || d.inertia_at ||
        d.ambient_inertia_at || d.inertia_dz || d.lagrangian || d.lagrangian_complex ||
        d.lagrangian_gradient || d.lagrangian_hessian || d.lagrangian_rate || d.potential || d.gradient ||
        d.constraint || d.constraint_along || d.n_constraints || (d.n_symmetries && !d.symmetries))
        return refuse_definition(
            added,
            ph_fail(
                err, PH_E_INVALID,
                "a forced system needs a force or a potential_in_time; "
                "space, inertia, lagrangian, potential and constraint are the base's and must be NULL here"));
    const ph_system_definition *root = &ph_system_root(base)->is;
    d.space = base->space;
    d.inertia = base->M;
    d.ambient_inertia = base->MM;
    d.inertia_at = root->inertia_at; /* these set the kind; calls go through the base */
    d.ambient_inertia_at = root->ambient_inertia_at;
    return build_system(base->of, &d, base, system, err);
}

void *ph_system_user(const ph_system *s, void (*user_free)(void *user))
{
    while (s && s->is.user_free != user_free)
        s = s->base;
    return s ? s->is.user : NULL;
}

void ph_system_free(ph_system *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->is.n_symmetries; i++) {
        /* the strings are our copies: see copy_symmetries */
        free((void *)(uintptr_t)s->symmetries[i].name);
        free((void *)(uintptr_t)s->symmetries[i].text);
        free((void *)(uintptr_t)s->symmetries[i].unit);
    }
    free(s->symmetries);
    for (size_t i = 0; i < s->is.n_columns; i++) {
        free((void *)(uintptr_t)s->columns[i].name);
        free((void *)(uintptr_t)s->columns[i].unit);
    }
    free(s->columns);
    for (size_t i = 0; s->labels && i < s->n; i++) {
        free((void *)(uintptr_t)s->labels[i].name);
        free((void *)(uintptr_t)s->labels[i].unit);
        free((void *)(uintptr_t)s->labels[i].rate_unit);
        free((void *)(uintptr_t)s->labels[i].momentum_unit);
    }
    free(s->labels);
    free(s->parts);
    free(s->M);
    free(s->MM);
    free(s->span);
    free(s->rest);
    free(s->bodies);
    free(s->rolling);
    free(s->train);
    if (s->own)
        s->of->release(s->own);
    ph_space_free(s->space);
    if (s->is.user_free)
        s->is.user_free(s->is.user);
    free(s);
}
