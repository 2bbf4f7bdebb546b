/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of product.c for eight systems at once (polhode/ensemble.h) on products of R^d and S^1. What each gets are the bits
 * that it gets alone: the sums are the same, in vectors across the systems, and each leaves Newton's iteration where it
 * would alone. What is seldom, a system leaves for: a first step, a guess that does not lead fast to a root on the
 * branch from h = 0, callbacks that fail. Its step is then made by product.c. */
#include <polhode/kit/algebra.h>

#include "lanes.h"
#include "product.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How far Newton's iteration of a system has come: ph_newton. */
typedef struct progress {
    double best, before;
    ph_newton_report is;
} progress;

struct product_kind;

typedef struct product_eight {
    const struct product_kind *kind;
    const ph_variational *method;
    ph_lanes_systems of;
    const ph_space *space;
    size_t n, nz, nx;
    bool forced, velocity;
    double h, t[EIGHT], t1[EIGHT]; /* the times of the beginning and of the end, the same for all */
    unsigned apart;                /* systems that product.c steps always */
    ph_part *parts;                /* (n) */
    const double *z;               /* (8 nz) at the start of the step */
    double *MM, *length;           /* (8 nz nz), (8) */
    double *E, *dD, *pE;           /* bases, (8 nx) */
    double *f, *v, *D, *mu;        /* (8 nz) as in product.h, and below */
    double *size, *grain, *column; /* (8 nz) */
    double *z1, *z1_low, *g1;      /* (8 nz) */
    double *x, *sine, *best, *r;   /* (8 nx) */
    double *norm;                  /* (8) */
    double *J, *dfdv, *other_dfdv; /* (8 nx nx), (8 nz nz) */
    double *dS, *S1, *low1;        /* (8 nx) */
    double *LU, *dx;               /* (8 x nx nx) of each system, (nx) */
    int *pivot;                    /* (8 x nx) */
    progress newton[EIGHT];
    ph_lanes_alone alone;
} product_eight;

/* What is compiled for several kinds of vectors: product-eight.h. */
typedef struct product_kind {
    void (*begin)(const product_eight *, const ph_state *, const ph_stage *, const double *y, double count);
    void (*place)(const product_eight *);
    void (*residual)(const product_eight *, const double *g);
    void (*jacobian)(const product_eight *, double weight);
    unsigned (*on_the_branch)(const product_eight *);
    void (*move)(const product_eight *, const double *g, const double *low);
    unsigned (*end)(const product_eight *, const double *S, const double *low);
} product_kind;

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "product-eight.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "product-eight.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "product-eight.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

static const product_kind *kind_here(void)
{
    return ph_lanes(PH_KERNEL_AVX512) ? &eight_wide8_kind
           : ph_lanes(PH_KERNEL_AVX2) ? &eight_wide4_kind
                                      : &eight_plain_kind;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static size_t eight_lay(const ph_system *system, const double *options, ph_lay *l)
{
    product_eight counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_space *space = ph_system_space(system);
    const size_t n = ph_space_factors(space), nz = ph_space_ambient(space), nx = ph_space_dimension(space),
                 basis = ph_space_basis_size(space);
    double **ambient[] = {&w->f,     &w->v,      &w->D,  &w->mu,     &w->size,
                          &w->grain, &w->column, &w->z1, &w->z1_low, &w->g1};
    double **tangent[] = {&w->pE, &w->x, &w->sine, &w->best, &w->r, &w->dS, &w->S1, &w->low1};
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_line(l, EIGHT * nz * sizeof **ambient[i]);
    for (size_t i = 0; i < sizeof tangent / sizeof tangent[0]; i++)
        *tangent[i] = ph_lay_line(l, EIGHT * nx * sizeof **tangent[i]);
    w->MM = ph_lay_line(l, EIGHT * nz * nz * sizeof *w->MM);
    w->J = ph_lay_line(l, EIGHT * nx * nx * sizeof *w->J);
    w->dfdv = w->other_dfdv = NULL;
    if (!ph_system_force_ignores_velocity(system)) {
        w->dfdv = ph_lay_line(l, EIGHT * nz * nz * sizeof *w->dfdv);
        w->other_dfdv = ph_lay_line(l, EIGHT * nz * nz * sizeof *w->dfdv);
    }
    w->E = ph_lay_line(l, EIGHT * basis * sizeof *w->E);
    w->dD = ph_lay_line(l, EIGHT * basis * sizeof *w->dD);
    w->length = ph_lay_line(l, EIGHT * sizeof *w->length);
    w->norm = ph_lay_line(l, EIGHT * sizeof *w->norm);
    w->LU = ph_lay_doubles(l, EIGHT * nx * nx);
    w->dx = ph_lay_doubles(l, nx);
    w->of.work = ph_lay_doubles(l, ph_lanes_work(system));
    w->pivot = ph_lay_bytes(l, EIGHT * nx * sizeof *w->pivot);
    w->parts = ph_lay_bytes(l, n * sizeof *w->parts);
    ph_variational_alone_lay(&w->alone, &ph_variational_product, system, options, l);
    return EIGHT * w->alone.ones->ncarry;
}

static ph_status eight_init(ph_variational *method, ph_context *context)
{
    product_eight *w = method->work;
    const ph_space *space = ph_system_space(context->system);
    ph_status status = PH_OK;
    w->method = method;
    w->kind = kind_here();
    w->space = space;
    w->n = ph_space_factors(space);
    w->nz = ph_space_ambient(space);
    w->nx = ph_space_dimension(space);
    w->forced = ph_system_has_force(context->system);
    w->velocity = !ph_system_force_ignores_velocity(context->system);
    w->apart = 0;
    ph_variational_alone_begin(&w->alone, &ph_variational_product, context);
    memset(w->f, 0, EIGHT * w->nz * sizeof *w->f);
    ph_lay_parts(space, w->parts);
    ph_lanes_place(&w->of, context, w->of.work);
    for (size_t l = 0; l < EIGHT && !status; l++) {
        status = ph_lanes_alone_ready(&w->alone, l);
        const product_scratch *one = ph_variational_alone(&w->alone)->work;
        for (size_t k = 0; k < w->nz * w->nz && !status; k++)
            w->MM[EIGHT * k + l] = one->MM[k];
        w->length[l] = one->length;
        if (one->directed || one->forced != w->forced || one->velocity != w->velocity)
            w->apart |= 1u << l;
    }
    return status;
}

/* ---- Newton's iteration ------------------------------------------------------------------------------------------ */

static double size_of(const product_eight *w, const double *x, size_t l)
{
    double largest = 0;
    for (size_t k = 0; k < w->nx; k++)
        largest = fabs(x[EIGHT * k + l]) > largest ? fabs(x[EIGHT * k + l]) : largest;
    return largest;
}

/* What system l does with a residual: as ph_newton. *fresh: its Jacobian is factored before. */
static enum { CORRECTS, HAS_ENDED, HAS_FAILED } judge(product_eight *w, size_t l, bool *fresh)
{
    progress *p = &w->newton[l];
    const double norm = w->norm[l];
    if (!(norm < INFINITY))
        return HAS_FAILED;
    p->is.latest = norm < p->best;
    if (p->is.latest) {
        p->best = norm;
        for (size_t k = l; k < EIGHT * w->nx; k += EIGHT)
            w->best[k] = w->x[k];
    }
    if (norm == 0)
        return HAS_ENDED;
    if (norm <= PH_NEWTON_FLOOR &&
        (p->is.passes > 1 ||
         (p->is.passes == 1 && p->is.first * p->is.first <= PH_NEWTON_NEGLIGIBLE * size_of(w, w->x, l))))
        return HAS_ENDED;
    if (norm >= p->before && p->best <= PH_NEWTON_LEVEL)
        return HAS_ENDED;
    if (p->is.passes >= PH_IMPLICIT_PASSES)
        return p->best <= PH_NEWTON_LEVEL ? HAS_ENDED : HAS_FAILED;
    *fresh = p->is.passes == 0 || (norm > PH_NEWTON_GAIN * p->before && norm > PH_NEWTON_LEVEL);
    return CORRECTS;
}

/* LU of the Jacobians of these systems; returns for which there is none. */
static unsigned factor(product_eight *w, unsigned these, bool first)
{
    const size_t nn = w->nx * w->nx, zz = w->nz * w->nz;
    unsigned failed = 0;
    double *dfdv = w->dfdv;
    if (w->velocity) {
        w->dfdv = first ? dfdv : w->other_dfdv;
        failed = these & ph_lanes_force_dv(&w->of, w->t, w->z, w->v, w->dfdv);
    }
    w->kind->jacobian(w, w->velocity ? 0.5 * w->h : 0);
    for (size_t l = 0; l < EIGHT; l++) {
        double *own = w->LU + l * nn;
        if (!(these & ~failed & 1u << l))
            continue;
        for (size_t k = 0; k < zz && w->dfdv != dfdv; k++)
            dfdv[EIGHT * k + l] = w->dfdv[EIGHT * k + l];
        for (size_t k = 0; k < nn; k++)
            own[k] = w->J[EIGHT * k + l];
        if (ph_lu_factor(w->nx, own, w->pivot + l * w->nx, NULL))
            failed |= 1u << l;
    }
    w->dfdv = dfdv;
    return failed;
}

static void correct(product_eight *w, size_t l)
{
    progress *p = &w->newton[l];
    for (size_t k = 0; k < w->nx; k++)
        w->dx[k] = w->r[EIGHT * k + l];
    ph_lu_solve(w->nx, w->LU + l * w->nx * w->nx, w->pivot + l * w->nx, w->dx);
    for (size_t k = 0; k < w->nx; k++)
        w->x[EIGHT * k + l] -= w->dx[k];
    const double change = ph_max_norm(w->dx, w->nx);
    p->is.passes++;
    if (p->is.passes == 1)
        p->is.first = change;
    else if (p->is.passes == 2 && p->is.first > 0)
        p->is.contraction = w->norm[l] <= PH_NEWTON_LEVEL ? 0 : change / p->is.first;
    p->before = w->norm[l];
}

/* D, mu, forces and residuals at x. */
static unsigned evaluate(product_eight *w, const double *g)
{
    unsigned failed = 0;
    w->kind->place(w);
    if (w->velocity)
        failed = ph_lanes_force(&w->of, w->t, w->z, w->v, w->f);
    w->kind->residual(w, g);
    return failed;
}

/* x <- the roots by Newton's iteration from the guesses, at which all has been evaluated last. Returns which systems leave. */
static unsigned solve(product_eight *w, const double *g, unsigned left, ph_statistics *statistics)
{
    unsigned active = EVERY_LANE & ~left, again = 0, unmoved = 0;
    for (size_t l = 0; l < EIGHT; l++)
        w->newton[l] = (progress){.best = INFINITY, .before = INFINITY};
    for (bool first = true; active; first = false) {
        unsigned failed = evaluate(w, g), fresh = 0;
        for (size_t l = 0; l < EIGHT; l++) {
            const unsigned own = 1u << l;
            bool refresh = false;
            if (!(active & own) || failed & own)
                continue;
            switch (judge(w, l, &refresh)) {
            case CORRECTS:
                fresh |= refresh ? own : 0;
                break;
            case HAS_ENDED:
                active &= ~own;
                again |= w->newton[l].is.latest ? 0 : own;
                unmoved |= w->newton[l].is.passes ? 0 : own;
                break;
            case HAS_FAILED:
                failed |= own;
            }
        }
        if (fresh & ~failed)
            failed |= factor(w, fresh & ~failed, first);
        left |= failed & active;
        active &= ~failed;
        for (size_t l = 0; l < EIGHT; l++)
            if (active & 1u << l)
                correct(w, l);
    }
    for (size_t l = 0; l < EIGHT; l++)
        for (size_t k = l; k < EIGHT * w->nx && again & 1u << l; k += EIGHT)
            w->x[k] = w->best[k];
    if (again & ~left)
        left |= evaluate(w, g) & EVERY_LANE;
    left |= ~(w->kind->on_the_branch(w) | unmoved) & EVERY_LANE;
    for (size_t l = 0; l < EIGHT; l++)
        if (w->newton[l].is.contraction > PH_IMPLICIT_CONTRACTION ||
            w->newton[l].is.first > PH_IMPLICIT_CORRECTION)
            left |= 1u << l;
        else if (!(left & 1u << l))
            statistics->newton_passes += w->newton[l].is.passes;
    return left;
}

/* ---- The step ---------------------------------------------------------------------------------------------------- */

/* What is carried, eight numbers each: ph_carry_at. */
static ph_carry carry_of(const product_eight *w, double *carry)
{
    double *S = carry + 2 * EIGHT, *z_low = S + 2 * EIGHT * w->nx, *y = z_low + EIGHT * w->nz;
    return (ph_carry){.h = carry,
                      .count = carry + EIGHT,
                      .S = S,
                      .low = S + EIGHT * w->nx,
                      .z_low = z_low,
                      .y = y,
                      .more = y + EIGHT * PH_CARRY_HISTORY * w->nx};
}

/* The state <- what has been found. */
static void keep(const product_eight *w, ph_state *state, const ph_carry *c)
{
    const size_t nz = EIGHT * w->nz, nx = EIGHT * w->nx;
    memcpy(c->more, w->g1, nz * sizeof *w->g1);
    memcpy(c->z_low, w->z1_low, nz * sizeof *w->z1_low);
    memcpy(c->S, w->S1, nx * sizeof *w->S1);
    memcpy(c->low, w->low1, nx * sizeof *w->low1);
    memmove(c->y + nx, c->y, (PH_CARRY_HISTORY - 1) * nx * sizeof *c->y);
    memcpy(c->y, w->x, nx * sizeof *w->x);
    for (size_t l = 0; l < EIGHT; l++)
        c->count[l] = c->count[l] < PH_CARRY_HISTORY ? c->count[l] + 1 : PH_CARRY_HISTORY;
    memcpy(state->z, w->z1, nz * sizeof *w->z1);
    memcpy(state->p, w->S1, nx * sizeof *w->S1);
}

/* Which systems do not make their step together? */
static unsigned step_together(product_eight *w, ph_context *context, const ph_state *state, const ph_carry *c)
{
    unsigned left = w->apart;
    w->kind->begin(w, state, w->method->stage, c->y, *c->count);
    if (w->forced && !w->velocity) {
        memset(w->v, 0, EIGHT * w->nz * sizeof *w->v);
        left |= ph_lanes_force(&w->of, w->t, w->z, w->v, w->f);
    }
    left |= solve(w, c->more, left, context->statistics);
    if (left == EVERY_LANE)
        return left;
    w->kind->move(w, c->more, c->z_low);
    left |= ph_lanes_gradient(&w->of, w->z1, w->g1);
    if (w->forced)
        left |= ph_lanes_force(&w->of, w->t1, w->z1, w->v, w->f);
    return left | w->kind->end(w, c->S, c->low);
}

static ph_status eight_step(ph_variational *method, ph_context *context, ph_state *state)
{
    product_eight *w = method->work;
    const ph_carry c = carry_of(w, state->carry);
    w->h = context->h;
    for (size_t l = 0; l < EIGHT; l++) {
        w->t[l] = state->t;
        w->t1[l] = state->t_base + (double)(state->k + 1 - state->k_base) * w->h;
    }
    w->z = state->z;
    const unsigned left = ph_carry_is_warm(&c, ph_stage_stamp(method->stage, w->h))
                              ? step_together(w, context, state, &c)
                              : EVERY_LANE;
    if (left) {
        ph_variational_alone(&w->alone)->stage = method->stage;
        const ph_status status = ph_lanes_alone_step(&w->alone, context, state, left);
        if (status)
            return status;
    }
    if (left != EVERY_LANE)
        keep(w, state, &c);
    ph_lanes_alone_scatter(&w->alone, state, left);
    return PH_OK;
}

bool ph_variational_product_has_lanes(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    bool yes = ph_space_dimension(space) <= PH_SMALL_LU;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_kind kind = ph_space_factor(space, i)->kind;
        yes = yes && (kind == PH_FACTOR_R || kind == PH_FACTOR_S1);
    }
    return yes;
}

const ph_variational_kernel ph_variational_product_lanes = {
    .lay = eight_lay, .init = eight_init, .step = eight_step, .lanes = EIGHT, .dense = true};
