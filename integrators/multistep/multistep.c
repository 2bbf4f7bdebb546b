/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric multistep methods for q'' = M^{-1} (f - dU + A^T lambda) on a manifold: see multistep.h. The
 * state is in the middle of a window of K + 1 points, which the carry holds; a step finds the next point at
 * its end.
 *
 * A state that was just set, and a step by another size than those before it, begin with a window of their
 * own: by collocation (start.c), or where steps are too long for that by the composition of order 8
 * of `variational`, forwards and backwards from the middle. Where h has changed its sign the window is
 * reversed, and what was done is undone.
 *
 * Velocities and points are sums, with their low-order parts. What is summed, u, is small, and formed of what
 * is small.
 *
 * Sources: Quinlan, Tremaine, Astron. J. 100 (1990) 1694; Console, Hairer, Lubich, Numer. Math. 124 (2013)
 * 517; Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), XV. */
#include "integrators/shared/joints.h"
#include "window.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/kernels.h>
#include <polhode/kit/tensions.h>

#include <string.h>

enum { ORDER, BOUND };

static const ph_option options[] = {
    [ORDER] = {.name = "order",
               .type = PH_OPTION_CHOICE,
               .initial = 2,
               .choices = PH_MULTISTEP_ORDERS,
               .text = "of convergence, and how many steps each new one is made from: "
                       "the state is half as many behind the newest point; "
                       "chaotic motions want short steps, as parasitic modes grow: look at the energy"},
    [BOUND] = PH_ITERATIONS_OPTION,
};

static int multistep_order_for(const ph_system *system, const double *values)
{
    (void)system;
    return ph_multistep_of(values[ORDER])->order;
}

/* The head of the carry; the window follows, in the layout of the kernel or in rows. */
typedef struct multistep_carry {
    double h;       /* size of the steps between the points of the window; 0: there is none */
    double first;   /* 1: the state is the first after the start, and its z and p are not the window's */
    double even[2]; /* so that no vector that follows lies across two lines of the cache */
    double rest[];
} multistep_carry;

/* ---- Memory ------------------------------------------------------------------------------------- */

static const ph_multistep_form *multistep_form_for(const ph_system *system)
{
    return ph_system_is_sparse(system) ? &ph_multistep_tensions
           : ph_joints_take(system)    ? &ph_multistep_bodies
                                       : &ph_multistep_tangent;
}

/* w <- a window in rows at memory, as in the carry. Returns how many numbers it has. */
static size_t multistep_lay_window(ph_multistep_window *w, const ph_multistep *m, size_t nz, double *memory)
{
    double **vectors[] = {&w->q, &w->low, &w->v, &w->v_low, &w->u, &w->a};
    const size_t rows[] = {m->K + 1, m->K + 1, 1, 1, m->K - 1, m->K - 1};
    size_t n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; n += rows[i++] * nz)
        *vectors[i] = memory ? memory + n : NULL;
    return n;
}

static multistep_carry *multistep_carry_of(const ph_state *state)
{
    return (multistep_carry *)(void *)state->carry;
}

static const ph_multistep_kernel *multistep_kernel_for(const ph_system *system)
{
    const unsigned paths = ph_fast_paths();
    if (paths & PH_PATH_SHORT_CHAINS && ph_multistep_short_chain.takes(system))
        return &ph_multistep_short_chain;
    return !(paths & PH_PATH_CHAINS)          ? NULL
           : ph_multistep_chain.takes(system) ? &ph_multistep_chain
           : ph_multistep_cable.takes(system) ? &ph_multistep_cable
                                              : NULL;
}

/* The options of `variational` that the start is made with. */
static ph_status multistep_choose_start(double values[PH_VARIATIONAL_OPTIONS], ph_error *err)
{
    const ph_setting order = {"order", "8"};
    return ph_method_options(&ph_method_variational, &order, 1, values, err);
}

/* The scratch of a form or a kernel. */
static void *multistep_lay_part(void (*lay)(const ph_system *system, ph_lay *l), const ph_system *system,
                                ph_lay *l)
{
    ph_lay part = {NULL, 0};
    lay(system, &part);
    void *memory = part.base = ph_lay_line(l, part.bytes);
    part.bytes = 0;
    lay(system, &part);
    return memory;
}

/* The struct and what is behind it. */
static void multistep_lay(multistep_scratch *w, const ph_system *system, const double *values, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    const ph_multistep *m = ph_multistep_of(values[ORDER]);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    double starting[PH_VARIATIONAL_OPTIONS],
        **vectors[] = {&w->v, &w->v_low, &w->v1, &w->v1_low, &w->q1, &w->low1, &w->u, &w->a, &w->between};
    const ph_multistep_kernel *kernel = multistep_kernel_for(system);
    multistep_choose_start(starting, NULL);
    const ph_method_size own = ph_method_variational.size(system, starting);
    ph_lay_bytes(l, sizeof *w);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, nz);
    multistep_lay_window(&w->start, m, nz, ph_lay_doubles(l, multistep_lay_window(&w->start, m, nz, NULL)));
    ph_multistep_start_lay(&w->around, m, nz, l);
    w->fresh = ph_lay_doubles(l, kernel ? kernel->carry(system, m) : 0);
    w->p1 = ph_lay_doubles(l, np);
    w->work = ph_lay_doubles(l, ph_system_work(system));
    w->at = (ph_state){.nz = nz, .np = np, .ncarry = own.carry};
    w->at.z = ph_lay_doubles(l, nz);
    w->at.p = ph_lay_doubles(l, np);
    w->at.carry = ph_lay_doubles(l, own.carry);
    w->start_by.work = ph_lay_line(l, own.work);
    w->by = multistep_lay_part(multistep_form_for(system)->lay, system, l);
    w->fast = kernel ? multistep_lay_part(kernel->lay, system, l) : NULL;
}

static ph_method_size multistep_size(const ph_system *system, const double *values)
{
    multistep_scratch w;
    ph_lay l = {NULL, 0};
    ph_multistep_window window;
    const ph_multistep *m = ph_multistep_of(values[ORDER]);
    const ph_multistep_kernel *kernel = multistep_kernel_for(system);
    const size_t rows = multistep_lay_window(&window, m, ph_space_ambient(ph_system_space(system)), NULL);
    multistep_lay(&w, system, values, &l);
    return (ph_method_size){.work = l.bytes,
                            .carry = sizeof(multistep_carry) / sizeof(double) +
                                     (kernel ? kernel->carry(system, m) : rows)};
}

static ph_status multistep_supports(const ph_system *system, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    bool embedded = false;
    for (size_t i = 0; i < ph_space_factors(space); i++)
        embedded = embedded || ph_space_factor(space, i)->kind == PH_FACTOR_EMBEDDED;
    if (embedded || ph_system_kind(system) != PH_INERTIA_CONSTANT)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "multistep takes systems with a constant inertia on products of R^d, S^1, S^2 and SO(3); "
            "for others use variational with the option order=8");
    if (!ph_system_force_ignores_velocity(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "multistep takes forces that depend on time and configuration, "
                       "and this one depends on the velocity, too: "
                       "use variational with the option order=8, or say that it does not");
    const ph_system *links;
    if (multistep_form_for(system) == &ph_multistep_tangent && !ph_system_is_dense(system) &&
        !ph_system_carrier(system, &links))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "multistep works with dense matrices of the inertia, and this system has "
                       "too many factors for them: give its inverse inertia, or use variational");
    return PH_OK;
}

static ph_status multistep_init(ph_context *context)
{
    multistep_scratch *w = context->work;
    ph_lay l = {context->work, 0};
    w->form = multistep_form_for(context->system);
    w->kernel = multistep_kernel_for(context->system);
    w->of = ph_multistep_of(context->options[ORDER]);
    multistep_lay(w, context->system, context->options, &l);
    ph_status status = multistep_choose_start(w->starting, context->error);
    if (status)
        return status;
    if (w->kernel)
        w->kernel->init(w->fast, context->system, w->of, context->h);
    ph_multistep_start_init(&w->around);
    return w->form->init(w->by, context);
}

/* ---- Steps backwards ------------------------------------------------------------------------------- */

static void swap_rows(double *a, double *b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

static void mirror_rows(double *rows, size_t n, size_t nz)
{
    for (size_t i = 0; i < n / 2; i++)
        swap_rows(rows + i * nz, rows + (n - 1 - i) * nz, nz);
}

/* Reverses the window: the earliest point becomes the latest one. */
static void multistep_reverse(const ph_multistep *m, const ph_multistep_window *w, size_t nz)
{
    for (size_t i = m->K - 1; i-- > 0;)
        for (size_t k = 0; k < nz; k++) {
            double *u = &w->u[i * nz + k];
            ph_two_sum(w->v[k], w->v_low[k] - *u, &w->v[k], &w->v_low[k]);
            *u = -*u;
        }
    mirror_rows(w->q, m->K + 1, nz);
    mirror_rows(w->low, m->K + 1, nz);
    mirror_rows(w->u, m->K - 1, nz);
    mirror_rows(w->a, m->K - 1, nz);
}

/* ---- The step ------------------------------------------------------------------------------------ */

/* between <- h sum sigma a - sum d u over the points before the latest one, with terms of equal weight added
 * first: its u but for what the latest a adds. */
static void multistep_bracket(const multistep_scratch *w, double h, size_t nz,
                              const ph_multistep_window *window)
{
    const ph_multistep of = *w->of; /* a copy: nothing that is written can be part of it */
    const size_t K = of.K, half = K / 2;
    double *between = w->between;
    for (size_t k = 0; k < nz; k++) {
        const double *u = window->u + k, *a = window->a + k;
        double pushed = of.sigma[half - 1] * a[half * nz], turned = of.d[half - 1] * u[half * nz];
        for (size_t j = half - 1; j > 1; j--) {
            pushed += of.sigma[j - 1] * (a[j * nz] + a[(K - j) * nz]);
            turned += of.d[j - 1] * (u[j * nz] + u[(K - j) * nz]);
        }
        pushed += of.sigma[0] * a[nz];
        between[k] = h * pushed - (turned + u[nz]);
    }
}

static void shift_rows(double *rows, size_t n, size_t nz, const double *latest)
{
    memmove(rows, rows + nz, (n - 1) * nz * sizeof *rows);
    memcpy(rows + (n - 1) * nz, latest, nz * sizeof *rows);
}

/* Enters the next point into the window. */
static void multistep_keep(const multistep_scratch *w, const ph_multistep_window *window, size_t nz)
{
    const size_t K = w->of->K;
    shift_rows(window->q, K + 1, nz, w->q1);
    shift_rows(window->low, K + 1, nz, w->low1);
    shift_rows(window->u, K - 1, nz, w->u);
    shift_rows(window->a, K - 1, nz, w->a);
    memcpy(window->v, w->v1, nz * sizeof *w->v1);
    memcpy(window->v_low, w->v1_low, nz * sizeof *w->v1_low);
}

/* The next point and its velocity, u and a, in the scratch. */
static ph_status multistep_advance(multistep_scratch *w, ph_context *context, const ph_state *state,
                                   const ph_multistep_window *from)
{
    const size_t nz = state->nz, K = w->of->K;
    const double h = context->h;
    multistep_bracket(w, h, nz, from);
    for (size_t k = 0; k < nz; k++)
        ph_two_sum(from->v[k], w->between[k] + from->v_low[k], &w->v[k], &w->v_low[k]);
    const ph_multistep_step s = {.h = h,
                                 .t = state->t_base +
                                      ((double)(state->k - state->k_base) + (double)(K / 2)) * h,
                                 .sigma = ph_multistep_sigma(w->of, 1),
                                 .q = from->q + K * nz,
                                 .low = from->low + K * nz,
                                 .v = w->v,
                                 .v_low = w->v_low,
                                 .earlier = from->a + (K - 2) * nz,
                                 .q1 = w->q1,
                                 .low1 = w->low1,
                                 .v1 = w->v1,
                                 .v1_low = w->v1_low,
                                 .u = w->u,
                                 .a = w->a};
    ph_status status = w->form->advance(w->by, context, state, &s);
    if (status)
        return status;
    if (!ph_all_finite(w->q1, nz) || !ph_all_finite(w->v1, nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the configuration is not finite after t = %.10g s",
                       s.t);
    for (size_t k = 0; k < nz; k++)
        w->u[k] += w->between[k];
    return PH_OK;
}

/* The window of the carry in rows: in the carry itself, or, with a kernel or for `copied`, a copy in the
 * scratch. */
static ph_multistep_window multistep_window_of(const multistep_scratch *w, const ph_state *state, bool copied)
{
    ph_multistep_window rows;
    multistep_carry *c = multistep_carry_of(state);
    if (w->kernel) {
        w->kernel->gather(w->fast, c->rest, &w->start);
        return w->start;
    }
    const size_t n = multistep_lay_window(&rows, w->of, state->nz, c->rest);
    if (!copied)
        return rows;
    memcpy(w->start.q, c->rest, n * sizeof *c->rest);
    return w->start;
}

/* A step at the end of this window, with the new window in the carry. */
static ph_status multistep_finish(multistep_scratch *w, ph_context *context, ph_state *state,
                                  ph_multistep_window *window)
{
    multistep_carry *c = multistep_carry_of(state);
    ph_status status = multistep_advance(w, context, state, window);
    if (status)
        return status;
    multistep_keep(w, window, state->nz);
    if (w->kernel)
        w->kernel->scatter(w->fast, window, c->rest);
    else if (window->q == w->start.q)
        memcpy(c->rest, window->q, (state->ncarry - sizeof *c / sizeof(double)) * sizeof(double));
    c->h = context->h;
    c->first = 0;
    return PH_OK;
}

/* The first step: a window around the state, z and p from the point behind its middle, and a step at its
 * end. */
static ph_status multistep_first_step(multistep_scratch *w, ph_context *context, ph_state *state)
{
    const size_t half = w->of->K / 2, nz = state->nz;
    multistep_carry *c = multistep_carry_of(state);
    int passes = 0;
    ph_status status = ph_multistep_fill(w, context, state);
    if (status)
        return status;
    double *z1 = w->at.z;
    memcpy(z1, w->start.q + (half + 1) * nz, nz * sizeof *z1);
    if (w->kernel)
        w->kernel->scatter(w->fast, &w->start, w->fresh);
    if (w->kernel && w->kernel->step(w->fast, w->fresh, &passes))
        memcpy(c->rest, w->fresh, (state->ncarry - sizeof *c / sizeof(double)) * sizeof(double));
    else
        status = multistep_finish(w, context, state, &w->start);
    if (status)
        return status;
    context->statistics->newton_passes += passes;
    memcpy(state->z, z1, nz * sizeof *z1);
    memcpy(state->p, w->p1, state->np * sizeof *w->p1);
    c->h = context->h;
    c->first = 1;
    return PH_OK;
}

/* A step by the form, or without a window for this h. Not inlined, so that the usual step needs no stack
 * frame. */
static __attribute__((noinline)) ph_status multistep_step_by_form(multistep_scratch *w, ph_context *context,
                                                                  ph_state *state)
{
    const multistep_carry *c = multistep_carry_of(state);
    const double h = context->h;
    if (c->h != h && c->h != -h)
        return multistep_first_step(w, context, state);
    ph_multistep_window window = multistep_window_of(w, state, c->h == -h);
    if (c->h == -h)
        multistep_reverse(w->of, &window, state->nz);
    return multistep_finish(w, context, state, &window);
}

static ph_status multistep_step(ph_context *context, ph_state *state)
{
    multistep_scratch *w = context->work;
    multistep_carry *c = multistep_carry_of(state);
    int passes = 0;
    if (w->kernel && c->h == context->h && w->kernel->step(w->fast, c->rest, &passes)) {
        context->statistics->newton_passes += passes;
        c->first = 0;
        return PH_OK;
    }
    return multistep_step_by_form(w, context, state);
}

/* z and p in the middle of the window. */
static void multistep_synchronise(ph_context *context, ph_state *state)
{
    const multistep_scratch *w = context->work;
    const size_t nz = state->nz, K = w->of->K, half = K / 2;
    if (multistep_carry_of(state)->h == 0 || multistep_carry_of(state)->first != 0)
        return;
    const ph_multistep_window window = multistep_window_of(w, state, false);
    memcpy(state->z, window.q + half * nz, nz * sizeof *state->z);
    for (size_t k = 0; k < nz; k++) {
        const double *u = window.u + k, *a = window.a + k;
        double behind = 0.5 * u[(half - 1) * nz], bent = 0;
        for (size_t i = 0; i < half - 1; i++) {
            const double share = w->of->share[i];
            behind += share * u[i * nz] + (1 - share) * u[(K - 2 - i) * nz];
            bent += w->of->bent[i] * (a[(K - 2 - i) * nz] - a[i * nz]);
        }
        w->between[k] = window.v[k] + ((context->h * bent - behind) + window.v_low[k]);
    }
    w->form->momentum(w->by, state->z, w->between, state->p);
}

const ph_method ph_method_multistep = {
    .name = "multistep",
    .summary = "symmetric multistep method with one constrained solve a step; implicit, near-conserving",
    .reference = "Console, Hairer, Lubich, Numer. Math. 124 (2013) 517; "
                 "Quinlan, Tremaine, Astron. J. 100 (1990) 1694",
    .order = 4,
    .order_for = multistep_order_for,
    .claims = PH_CLAIM_SYMMETRIC | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT | PH_CLAIM_MULTISTEP,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = multistep_supports,
    .size = multistep_size,
    .init = multistep_init,
    .step = multistep_step,
    .synchronise = multistep_synchronise,
};
