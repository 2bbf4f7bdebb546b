/* SPDX-License-Identifier: BSD-3-Clause */
/* The rival `by-hand`: the symmetric step that one writes for a body that rolls on a plane (polhode/kit/rolling.h), in the angular
 * velocity alone, with the reaction eliminated: the implicit midpoint rule, the attitude by the Cayley map of the mean angular
 * velocity, of order 2, by fixed-point iteration to rounding,
 *     R+ = R cay(h w/2),   w = (Omega + Omega+)/2,   Omega+ = Omega + h Omegadot((R + R+)/2, w),   x+ = x + h xdot((R + R+)/2, w). */
#include "rivals.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/equations.h>
#include <polhode/kit/rolling.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* y = (x, R, xdot, Omega), of the form q-omega. The carry: is y in it, and y. */
enum { X, R = 2, SPEED = 11, OMEGA = 13, NUMBERS = 16, MOST = 100 };

typedef struct by_hand {
    const ph_rolling *body;
    const ph_field *field;
    double *work;
} by_hand;

static ph_status supports(const ph_system *system, ph_error *err)
{
    return ph_system_rolling(system)
               ? PH_OK
               : ph_fail(err, PH_E_UNSUPPORTED, "by-hand is for bodies that roll on a plane");
}

static ph_method_size size(const ph_system *system, const double *values)
{
    (void)values;
    const ph_field *field = ph_field_find("q-omega", NULL);
    return (ph_method_size){.work = sizeof(by_hand) + (NUMBERS + field->work(system)) * sizeof(double),
                            .carry = 1 + NUMBERS};
}

static ph_status init(ph_context *context)
{
    by_hand *w = context->work;
    *w = (by_hand){.body = ph_system_rolling(context->system),
                   .field = ph_field_find("q-omega", NULL),
                   .work = (double *)(void *)(w + 1)};
    return PH_OK;
}

/* y (xdot) <- that of rolling. */
static void roll(const ph_rolling *r, double *y)
{
    double nu[3], a[3], move[3];
    ph_rolling_shape(r, y + R + 6, nu, a, NULL);
    ph_cross3(y + OMEGA, nu, move);
    for (int i = 0; i < 2; i++)
        y[SPEED + i] = ph_dot3(y + R + 3 * i, move) + r->plane[i] + r->carried[2 * i] * y[X] +
                       r->carried[2 * i + 1] * y[X + 1];
}

static ph_status step(ph_context *context, ph_state *state)
{
    by_hand *w = context->work;
    const double h = context->h;
    double *carry = state->carry, y[NUMBERS], middle[NUMBERS], rate[NUMBERS], before = INFINITY;
    if (carry[0] == 0) {
        ph_status status =
            w->field->from_momentum(context->system, state->t, state->z, state->p, carry + 1, w->work);
        if (status)
            return status;
        carry[0] = 1;
    }
    const double *from = carry + 1;
    memcpy(middle, from, sizeof middle);
    memcpy(y, from, sizeof y);
    for (int pass = 0; pass < MOST; pass++) {
        double half[3], C[9], move[5], change = 0;
        for (int k = 0; k < 3; k++)
            half[k] = 0.5 * h * middle[OMEGA + k];
        ph_cayley3(half, C);
        ph_multiply3(from + R, C, y + R);
        for (int k = 0; k < 9; k++)
            middle[R + k] = 0.5 * (from[R + k] + y[R + k]);
        roll(w->body, middle);
        if (w->field->evaluate(context->system, 0, middle, rate, w->work))
            return ph_fail(context->error, PH_E_DIVERGED, "by-hand: the iteration leaves the motion");
        for (int k = 0; k < 2; k++) {
            move[k] = 0.5 * h * middle[SPEED + k];
            change = fmax(change, fabs(from[X + k] + move[k] - middle[X + k]));
            middle[X + k] = from[X + k] + move[k];
            y[X + k] = from[X + k] + 2 * move[k];
        }
        for (int k = 0; k < 3; k++) {
            move[k] = 0.5 * h * rate[OMEGA + k];
            change = fmax(change, fabs(from[OMEGA + k] + move[k] - middle[OMEGA + k]));
            middle[OMEGA + k] = from[OMEGA + k] + move[k];
            y[OMEGA + k] = from[OMEGA + k] + 2 * move[k];
        }
        context->statistics->newton_passes++;
        if (change == 0 || (change >= before && change < 1e-13))
            break;
        before = change;
    }
    ph_rotation_correct3(y + R);
    roll(w->body, y);
    memcpy(carry + 1, y, sizeof y);
    return PH_OK;
}

static void synchronise(ph_context *context, ph_state *state)
{
    by_hand *w = context->work;
    w->field->to_momentum(context->system, state->t, state->carry + 1, state->z, state->p, w->work);
}

const ph_method rolling_rival = {
    .name = "by-hand",
    .summary = "the implicit midpoint rule in the angular velocity of a body that rolls, as one writes it",
    .reference = "Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1",
    .order = 2,
    .takes_constraints = true,
    .supports = supports,
    .size = size,
    .init = init,
    .step = step,
    .synchronise = synchronise,
};
