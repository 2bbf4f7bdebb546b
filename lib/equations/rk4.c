/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta method of order 4 on a formulation: one step of it, and what rk4 and
 * rk4-projected are made of. Where nothing can fail between y and (z, p), with a constant inertia or of a body that rolls, the carry
 * holds y itself, and z and p are written when a caller is going to look at them (ph_method.synchronise).
 * Chains under gravity alone have a special step (equations/chain), also of other explicit methods. */
#include "lib/equations/chain/rk4.h"
#include "arrays.h"
#include "equations.h"
#include "lib/equations/chain/accelerate.h"
#include "lib/system/structure.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/rolling.h>

#include <math.h>
#include <string.h>

/* sum <- sum + weight k, unless k is the sum, of the first stage; stage <- y + ahead k, y where the next one is evaluated. */
PH_WITH_FMA static void go_on(size_t n, double weight, double ahead, const double *y, const double *k,
                              double *sum, double *stage)
{
    size_t i = 0;
    if (k == sum) {
        ph_array_combine(n, y, ahead, k, stage);
        return;
    }
    for (; i + LANES <= n; i += LANES) {
        const vector of = load(k + i);
        store(sum + i, load(sum + i) + weight * of);
        store(stage + i, load(y + i) + ahead * of);
    }
    for (; i < n; i++) {
        sum[i] += weight * k[i];
        stage[i] = y[i] + ahead * k[i];
    }
}

/* |y|^2 */
PH_WITH_FMA static double square_of(size_t n, const double *y)
{
    vector sum = all_lanes(0);
    double rest = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        sum += load(y + i) * load(y + i);
    for (; i < n; i++)
        rest += y[i] * y[i];
    return rest + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

PH_WITH_FMA static void finish(size_t n, double weight, const double *k, double *sum, double *y)
{
    ph_array_add(n, k, sum);
    ph_array_combine(n, y, weight, sum, y);
}

/* k1 = F(t, y), k2 = F(t + h/2, y + h/2 k1), k3 likewise from k2, k4 = F(t + h, y + h k3);
 * y <- y + h/6 (k1 + 2 k2 + 2 k3 + k4).  The sum is gathered before y is added: one rounding at its size. */
ph_status ph_field_rk4(const ph_field *field, const ph_system *system, double t, double h, double *y,
                       double *work)
{
    if (!field || !system)
        return PH_E_INVALID;
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    size_t n = field->size(system);
    double *stage = work + n, *sum = work + 2 * n, *rest = work + 3 * n, *k = sum;
    const double *at = y;
    for (size_t j = 0; j < 4; j++) {
        ph_status status = field->evaluate(system, t + node[j] * h, at, k, rest);
        if (status)
            return status;
        if (j < 3)
            go_on(n, weight[j], node[j + 1] * h, y, k, sum, stage);
        at = stage;
        k = work;
    }
    finish(n, h / 6, k, sum, y);
    return PH_OK;
}

/* ---- The methods -------------------------------------------------------------------------------- */

/* The scratch. */
typedef struct scratch {
    const ph_field *field;
    size_t numbers; /* in y */
    bool holds;     /* does the carry hold y? */
    bool in_one;    /* is the step that of `chain`? Then the carry holds y in the layout of that */
    bool project;
    double reach;     /* while the sum of squares of y is at most this, p cannot overflow */
    double *y, *work; /* (z, w); scratch of a step or of store, then of the field's functions */
    ph_chain_rk4 chain;
} scratch;

/* Places of arrays begin at a multiple of 64 bytes like the scratch itself. */
enum { HEAD = (sizeof(scratch) + 63) / 64 * 64 };

typedef struct sizes {
    size_t y, kept, work;
    bool holds, in_one;
} sizes;

/* How much scratch and carry: where the carry holds y, all of it, otherwise only what z does not have. */
static sizes measure(const ph_field *field, const ph_system *system, const ph_explicit *of)
{
    const ph_space *space = ph_system_space(system);
    size_t store = ph_space_ambient(space) + ph_space_momenta(space), m = field->size(system);
    sizes n = {.y = m,
               .kept = m,
               .holds = ph_system_kind(system) == PH_INERTIA_CONSTANT ||
                        (ph_system_rolling(system) && field == &ph_field_q_omega)};
    n.in_one = n.holds && field == &ph_field_tensions && ph_chain_row(system);
    size_t vectors = n.in_one ? 0 : PH_FIELD_RK4_VECTORS * m;
    n.work = (vectors > store ? vectors : store) + field->work(system);
    if (n.in_one) {
        n.kept = ph_chain_rk4_carry(system);
        n.work += ph_chain_rk4_work(system, of);
    }
    return n;
}

static ph_method_size total(const ph_system *system, const double *options, const ph_explicit *of)
{
    const ph_field *field = ph_field_chosen(system, options[0]);
    if (ph_field_supports(field, system, NULL))
        return (ph_method_size){.work = sizeof(scratch), .carry = 1};
    sizes n = measure(field, system, of);
    if (!n.holds)
        n.kept = n.y - ph_space_ambient(ph_system_space(system));
    return (ph_method_size){.work = HEAD + (n.y + n.work) * sizeof(double), .carry = n.kept + 1};
}

ph_method_size ph_field_rk4_size(const ph_system *system, const double *options)
{
    return total(system, options, NULL);
}

bool ph_field_explicit_takes(const ph_field *field, const ph_system *system)
{
    const ph_link_row *row = field == &ph_field_tensions ? ph_chain_row(system) : NULL;
    return row && row->n > PH_LINKS_FEW; /* of fewer, what does not take them four at a time is faster */
}

ph_method_size ph_field_explicit_size(const ph_system *system, const double *options, const ph_explicit *of)
{
    return total(system, options, of);
}

/* An upper bound of what |MM v| may be for |v| <= 1. */
static double largest_inertia(const ph_system *system)
{
    const double *M = ph_system_inertia(system), *MM = ph_system_ambient_inertia(system);
    const ph_space *space = ph_system_space(system);
    size_t n = M ? ph_space_factors(space) : ph_space_ambient(space);
    const ph_structure *of = ph_structure_of(system);
    double sum = 0;
    for (size_t i = 0; i < n * n && (M || MM); i++)
        sum += fabs(M ? M[i] : MM[i]);
    if (!M && !MM && of->inertia_bound)
        return of->inertia_bound(system);
    return sum;
}

/* |p| is at most |q|^2 times the largest inertia times the velocity, cubic in y, or p is part of y itself. */
double ph_field_rk4_reach(const ph_system *system)
{
    double inertia = largest_inertia(system);
    return ph_cbrt(1e300 / (inertia > 1 ? inertia : 1)) / 16;
}

static ph_status begin_method(ph_context *context, bool project, const ph_explicit *of)
{
    scratch *w = context->work;
    const ph_system *system = context->system;
    const ph_field *field = ph_field_chosen(system, context->options[0]);
    ph_status status = ph_field_supports(field, system, context->error);
    if (status)
        return status;
    sizes n = measure(field, system, of);
    double *begin = (double *)(void *)((char *)context->work + HEAD);
    memset(begin, 0, (n.y + n.work) * sizeof *begin);
    *w = (scratch){.field = field, .numbers = n.y, .holds = n.holds, .in_one = n.in_one, .project = project};
    if (n.holds)
        w->reach = ph_field_rk4_reach(system);
    if (n.in_one) {
        ph_chain_rk4_lay(system, of, begin, &w->chain);
        w->chain.project = project;
        w->chain.reach = w->reach;
        begin += ph_chain_rk4_work(system, of);
    }
    w->y = begin;
    w->work = begin + n.y;
    return PH_OK;
}

ph_status ph_field_rk4_init(ph_context *context, bool project)
{
    return begin_method(context, project, NULL);
}

ph_status ph_field_explicit_init(ph_context *context, const ph_explicit *of)
{
    return begin_method(context, false, of);
}

/* y <- a step from it. */
static ph_status advance(const scratch *w, const ph_system *system, double t, double h)
{
    ph_status status = ph_field_rk4(w->field, system, t, h, w->y, w->work);
    return status || !w->project ? status : ph_field_project(w->field, system, t + h, w->y, w->work);
}

/* Are y and its momentum finite? The momentum is computed only where y is so large that it might not be. */
static bool in_range(const scratch *w, const ph_system *system, double t)
{
    size_t np = ph_space_momenta(ph_system_space(system));
    double *z = w->work, *p = z + ph_space_ambient(ph_system_space(system));
    return square_of(w->numbers, w->y) <= w->reach ||
           (ph_all_finite(w->y, w->numbers) && !w->field->to_momentum(system, t, w->y, z, p, p + np) &&
            ph_all_finite(p, np));
}

/* A step from y in the carry. The last number of the carry is 0 as long as y has not been stored there. */
static ph_status step_held(ph_context *context, ph_state *state)
{
    const scratch *w = context->work;
    const ph_system *system = context->system;
    double *held = &state->carry[state->ncarry - 1];
    ph_status status = PH_OK;
    if (*held == 0)
        status = w->field->from_momentum(system, state->t, state->z, state->p, w->y, w->work);
    else
        memcpy(w->y, state->carry, w->numbers * sizeof *w->y);
    if (!status)
        status = advance(w, system, state->t, context->h);
    if (!status && !in_range(w, system, state->t + context->h))
        status = PH_E_DIVERGED;
    if (status)
        return status;
    memcpy(state->carry, w->y, w->numbers * sizeof *w->y);
    *held = 1;
    return PH_OK;
}

/* A step of a chain in one piece: y is in the carry in the layout of equations/chain. */
static ph_status step_in_one(ph_context *context, ph_state *state)
{
    const scratch *w = context->work;
    double *held = &state->carry[state->ncarry - 1];
    bool begins = *held == 0;
    if (begins) {
        ph_status status =
            w->field->from_momentum(context->system, state->t, state->z, state->p, w->y, w->work);
        if (status)
            return status;
        ph_chain_rk4_pack(&w->chain, w->y, state->carry);
        *held = 1;
    }
    if (w->chain.advance(&w->chain, context->h, state->carry))
        return PH_OK;
    if (begins)
        memset(state->carry, 0, state->ncarry * sizeof *state->carry);
    return PH_E_DIVERGED;
}

/* A step from z and p, with the rest of y in the carry. */
static ph_status step_loaded(ph_context *context, ph_state *state)
{
    const scratch *w = context->work;
    ph_status status = ph_field_load(w->field, context->system, state, w->y, w->work);
    if (!status)
        status = advance(w, context->system, state->t, context->h);
    return status ? status
                  : ph_field_store(w->field, context->system, state->t + context->h, w->y, state, w->work);
}

ph_status ph_field_rk4_step(ph_context *context, ph_state *state)
{
    const scratch *w = context->work;
    ph_status status = w->in_one  ? step_in_one(context, state)
                       : w->holds ? step_held(context, state)
                                  : step_loaded(context, state);
    if (status)
        return ph_fail(context->error, status, "step from t = %.10g s, h = %.6g s: %s", state->t, context->h,
                       ph_status_text(status));
    return PH_OK;
}

void ph_field_rk4_synchronise(ph_context *context, ph_state *state)
{
    const scratch *w = context->work;
    if (w->in_one)
        ph_chain_rk4_unpack(&w->chain, state->carry, w->y);
    else if (w->holds)
        memcpy(w->y, state->carry, w->numbers * sizeof *w->y);
    if (w->holds)
        w->field->to_momentum(context->system, state->t, w->y, state->z, state->p, w->work);
}
