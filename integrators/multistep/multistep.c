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
#include "multistep.h"
#include "integrators/shared/methods.h"

#include <polhode/algebra.h>
#include <polhode/tensions.h>

#include <math.h>
#include <string.h>

enum { ORDER };

static const ph_option options[] = {
    [ORDER] = {.name = "order",
               .type = PH_OPTION_CHOICE,
               .initial = 2,
               .choices = PH_MULTISTEP_ORDERS,
               .text = "of convergence, and how many steps each new one is made from: "
                       "the state is half as many behind the newest point; "
                       "chaotic motions want short steps, as parasitic modes grow: look at the energy"},
};

static int multistep_order_for(const ph_system *system, const double *values)
{
    (void)system; /* of all the same */
    return ph_multistep_of(values[ORDER])->order;
}

/* What the carry begins with; behind it is the window, as the kernel has it or in rows. */
typedef struct multistep_carry {
    double h;       /* size of the steps between the points of the window; 0: there is none */
    double first;   /* is the state the first behind the start, which knows z and p better than the window? */
    double even[2]; /* so that vectors behind it do not lie across lines of the cache */
    double rest[];
} multistep_carry;

typedef struct multistep_scratch {
    const ph_multistep *of;
    const ph_multistep_form *form;
    void *by;                                            /* its scratch */
    const ph_multistep_kernel *kernel;                   /* NULL: the form makes all steps */
    void *fast;                                          /* its scratch */
    double *v, *v_low, *v1, *v1_low, *q1, *low1, *u, *a; /* (nz): of ph_multistep_step */
    double *between;                                     /* (nz) */
    ph_multistep_window start;                           /* a window beside that of the carry */
    ph_multistep_start around;                           /* how it begins */
    double *fresh;                                       /* window of the kernel, that begins */
    double *p1;                                          /* (np) momentum at the point behind the middle */
    double *work;                                        /* ph_system_work */
    ph_state at;                                         /* of the composition */
    double starting[PH_VARIATIONAL_OPTIONS];             /* of `variational` */
    ph_context start_by;                                 /* it */
} multistep_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static const ph_multistep_form *multistep_form_for(const ph_system *system)
{
    return ph_system_is_sparse(system) ? &ph_multistep_tensions : &ph_multistep_tangent;
}

/* A window in rows, and how many numbers it has: behind each other, as in the carry. */
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
    return ph_multistep_few.takes(system) ? &ph_multistep_few : NULL;
}

/* The options of `variational` that the start is made with. */
static ph_status multistep_choose_start(double values[PH_VARIATIONAL_OPTIONS], ph_error *err)
{
    const ph_setting order = {"order", "8"};
    return ph_method_options(&ph_method_variational, &order, 1, values, err);
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
    w->by = ph_lay_line(l, multistep_form_for(system)->size(system));
    w->fast = ph_lay_line(l, kernel ? kernel->size : 0);
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
    if (!ph_system_is_sparse(system) && !ph_system_is_dense(system))
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

/* ---- The start ----------------------------------------------------------------------------------- */

/* `variational` from the state, by steps of h. */
static ph_status multistep_begin(multistep_scratch *w, const ph_context *context, double h,
                                 const ph_state *state)
{
    w->start_by = (ph_context){.system = context->system,
                               .h = h,
                               .options = w->starting,
                               .work = w->start_by.work,
                               .statistics = context->statistics,
                               .error = context->error};
    memcpy(w->at.z, state->z, state->nz * sizeof *state->z);
    memcpy(w->at.p, state->p, state->np * sizeof *state->p);
    memset(w->at.carry, 0, w->at.ncarry * sizeof *w->at.carry);
    w->at.t = w->at.t_base = state->t;
    w->at.k = w->at.k_base = 0;
    w->at.h = h;
    return ph_method_variational.init(&w->start_by);
}

static ph_status multistep_continue(multistep_scratch *w)
{
    ph_context *by = &w->start_by;
    ph_status status = ph_method_variational.step(by, &w->at);
    if (status)
        return status;
    ph_method_variational.synchronise(by, &w->at);
    w->at.k++;
    w->at.t = w->at.t_base + (double)w->at.k * by->h;
    return PH_OK;
}

/* By the kernel; or by the form at the nearest point, as it asks callbacks, with the tangent part of v. */
static ph_status multistep_accelerate(ph_context *context, double t, const double *z, const double *v,
                                      double *a)
{
    multistep_scratch *w = context->work;
    if (w->kernel) {
        w->kernel->acceleration(w->fast, z, v, a);
        return PH_OK;
    }
    const ph_space *space = ph_system_space(context->system);
    memcpy(w->q1, z, w->at.nz * sizeof *z);
    memcpy(w->v1, v, w->at.nz * sizeof *v);
    if (ph_space_project(space, w->q1)) { /* the iteration went astray */
        a[0] = NAN;
        return PH_OK;
    }
    ph_space_project_tangent(space, w->q1, w->v1);
    return w->form->acceleration(w->by, context, t, w->q1, w->v1, a);
}

/* Why the window around t0 was not to be had. */
static ph_status multistep_explain(const ph_context *context, double t0, double t, ph_status status)
{
    const ph_error why = *context->error;
    return ph_fail(
        context->error, status,
        "multistep begins at t = %.10g s with points around it; on the way from t = %.10g s: %.350s", t0, t,
        why.message[0] ? why.message : ph_status_text(status));
}

/* Points behind the middle of the window, where h > 0, or before it; what accelerates at all but its ends. */
static ph_status multistep_reach(multistep_scratch *w, ph_context *context, const ph_state *state, double h,
                                 const ph_multistep_window *window)
{
    const size_t half = w->of->K / 2, nz = state->nz;
    ph_status status = multistep_begin(w, context, h, state);
    for (size_t j = 1; j <= half && !status; j++) {
        const size_t i = h == context->h ? half + j : half - j;
        status = multistep_continue(w);
        if (status)
            break;
        memcpy(window->q + i * nz, w->at.z, nz * sizeof *w->at.z);
        memset(window->low + i * nz, 0, nz * sizeof *window->low);
        if (i == half + 1)
            memcpy(w->p1, w->at.p, state->np * sizeof *w->p1);
        if (j < half)
            status = ph_system_velocity(context->system, w->at.z, w->at.p, w->between, w->work);
        if (j < half && !status)
            status =
                multistep_accelerate(context, w->at.t, w->at.z, w->between, w->around.a + i * w->around.row);
    }
    return status ? multistep_explain(context, state->t, w->at.t, status) : PH_OK;
}

static void multistep_represent(const multistep_scratch *w, double *v)
{
    if (w->form->represent)
        w->form->represent(w->by, v);
}

/* v and u from the points. */
static void multistep_difference(multistep_scratch *w, const ph_context *context, size_t nz,
                                 const ph_multistep_window *window)
{
    for (size_t i = 0; i < w->of->K; i++) {
        const double *q = window->q + i * nz, *low = window->low + i * nz;
        for (size_t k = 0; k < nz; k++)
            w->between[k] = ((q[nz + k] - q[k]) + (low[nz + k] - low[k])) / context->h;
        multistep_represent(w, w->between);
        for (size_t k = 0; k < nz && i > 0; k++)
            window->u[(i - 1) * nz + k] = w->between[k] - window->v[k];
        memcpy(window->v, w->between, nz * sizeof *w->between);
    }
}

/* The window around the state, and the momentum at the point behind its middle, in the scratch. */
static ph_status multistep_fill(multistep_scratch *w, ph_context *context, const ph_state *state)
{
    const size_t half = w->of->K / 2, nz = state->nz;
    const ph_multistep_window *window = &w->start;
    double *v = w->around.v + half * w->around.row;
    bool found;
    ph_status status = ph_system_velocity(context->system, state->z, state->p, v, w->work);
    if (status)
        return ph_fail(context->error, status, "the velocity at t = %.10g s: %s", state->t,
                       ph_status_text(status));
    status = ph_multistep_collocate(&w->around, multistep_accelerate, context, state, window, &found);
    if (!status && found) {
        v += w->around.row;
        multistep_represent(w, v);
        w->form->momentum(w->by, window->q + (half + 1) * nz, v, w->p1);
    } else if (!status) {
        status = multistep_reach(w, context, state, -context->h, window);
        if (!status)
            status = multistep_reach(w, context, state, context->h, window);
    }
    if (status)
        return status;
    for (size_t i = 0; i < w->of->K - 1; i++) {
        memcpy(window->a + i * nz, w->around.a + (i + 1) * w->around.row, nz * sizeof *window->a);
        multistep_represent(w, window->a + i * nz);
    }
    memset(window->v_low, 0, nz * sizeof *window->v_low);
    multistep_difference(w, context, nz, window);
    return PH_OK;
}

/* ---- The other way round -------------------------------------------------------------------------- */

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

/* The earliest point becomes the latest one. */
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

/* What is known of the latest u: h sum sigma a - sum d u over the points before it, what belongs together
 * first. */
static void multistep_bracket(const multistep_scratch *w, double h, size_t nz,
                              const ph_multistep_window *window)
{
    const size_t K = w->of->K, half = K / 2;
    for (size_t k = 0; k < nz; k++) {
        const double *u = window->u + k, *a = window->a + k;
        double pushed = ph_multistep_sigma(w->of, half) * a[half * nz],
               turned = ph_multistep_d(w->of, half - 1) * u[half * nz];
        for (size_t j = half - 1; j > 1; j--) {
            pushed += ph_multistep_sigma(w->of, j) * (a[j * nz] + a[(K - j) * nz]);
            turned += ph_multistep_d(w->of, j - 1) * (u[j * nz] + u[(K - j) * nz]);
        }
        pushed += ph_multistep_sigma(w->of, 1) * a[nz];
        w->between[k] = h * pushed - (turned + u[nz]);
    }
}

static void shift_rows(double *rows, size_t n, size_t nz, const double *latest)
{
    memmove(rows, rows + nz, (n - 1) * nz * sizeof *rows);
    memcpy(rows + (n - 1) * nz, latest, nz * sizeof *rows);
}

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

/* The next point and what belongs to it, in the scratch. */
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

/* The window of the carry in rows: where it is, or, always so with a kernel, beside it. */
static ph_multistep_window multistep_window_of(const multistep_scratch *w, const ph_state *state, bool beside)
{
    ph_multistep_window rows;
    multistep_carry *c = multistep_carry_of(state);
    if (w->kernel) {
        w->kernel->gather(w->fast, c->rest, &w->start);
        return w->start;
    }
    const size_t n = multistep_lay_window(&rows, w->of, state->nz, c->rest);
    if (!beside)
        return rows;
    memcpy(w->start.q, c->rest, n * sizeof *c->rest);
    return w->start;
}

/* The step at the end of this window, into the carry. */
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

/* By a window around the state: z and p at the point behind its middle, and the step at its end. */
static ph_status multistep_first_step(multistep_scratch *w, ph_context *context, ph_state *state)
{
    const size_t half = w->of->K / 2, nz = state->nz;
    multistep_carry *c = multistep_carry_of(state);
    int passes = 0;
    ph_status status = multistep_fill(w, context, state);
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

/* By the form, or by no window that there is: apart, so that the step that is usual has no stack to make. */
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
