/* SPDX-License-Identifier: BSD-3-Clause */
/* A symmetric top: one body on a fixed point in uniform gravity G, with moments A, A, C about that point and its centre of mass, c from there,
 * on the axis e of the moment C. The momentum Pi_e along the axis is constant, so that H = H_1 + H_2 of functions that commute,
 *     H_1 = |Pi|^2 / 2A - m G . R c,     H_2 = (1/C - 1/A) Pi_e^2 / 2,
 * and the flow of H is that of H_1, where nothing is fast, and a turn of the body about its axis by h (1/C - 1/A) Pi_e. Gauss' method for H_1
 * keeps Pi_e and commutes with such turns: the angle is summed in the carry, and z and momenta are turned where they are written.
 * H_1 is lifted with R c = x c conj(x), whatever |x|: a quadratic function, whose gradient is linear,
 *     x' = (1/4A) x Im(conj(x) y),     y' = (1/4A) y Im(conj(x) y) - 2 m G x c    (products of quaternions). */
#include "gauss.h"

#include "integrators/shared/twofold.h"
#include "lib/internal/lanes.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { HIGH, LOW, KEPT }; /* of the angle, in the carry */

typedef struct top_own {
    size_t axis;
    double over;    /* 1/4A */
    double excess;  /* 1/C - 1/A */
    double M[4][4]; /* -2 m G x c = M x */
    void (*field)(const struct top_own *own, size_t wide, const double *Y, double *F);
} top_own;

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "top-lanes.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "top-lanes.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "top-lanes.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

/* The axis of symmetry, *A, *C; PH_NO_INDEX: none, or the axes of the body are not principal ones. */
static size_t find_axis(const ph_articulation *a, double *A, double *C)
{
    const double *c = a->joint, square = ph_dot3(c, c), m = a->mass[0];
    const bool heavy = a->gravity[0] != 0 || a->gravity[1] != 0 || a->gravity[2] != 0;
    double J[3];
    for (int i = 0; i < 3; i++) {
        J[i] = a->inertia[4 * i] + m * (square - c[i] * c[i]);
        for (int j = 0; j < i; j++)
            if (a->inertia[3 * i + j] - m * c[i] * c[j] != 0)
                return PH_NO_INDEX;
    }
    for (size_t k = 0; k < 3; k++) {
        const size_t i = (k + 1) % 3, j = (k + 2) % 3;
        if (fabs(J[i] - J[j]) <= 4 * DBL_EPSILON * J[i] && (!heavy || (c[i] == 0 && c[j] == 0))) {
            *A = 0.5 * (J[i] + J[j]);
            *C = J[k];
            return k;
        }
    }
    return PH_NO_INDEX;
}

static bool top_takes(const ph_system *system)
{
    const ph_articulation *a = ph_system_articulation(system);
    double A, C;
    return a && ph_space_factors(ph_system_space(system)) == 1 && !ph_system_has_force(system) &&
           find_axis(a, &A, &C) != PH_NO_INDEX;
}

static void *top_lay(const ph_system *system, size_t lanes, ph_lay *l)
{
    (void)system;
    (void)lanes;
    return ph_lay_bytes(l, sizeof(top_own));
}

static ph_status top_init(void *memory, const ph_system *system, size_t lanes)
{
    top_own *own = memory;
    const ph_articulation *a = ph_system_articulation(system);
    const double *G = a->gravity;
    double A, C, c[3], turn[3];
    own->axis = find_axis(a, &A, &C);
    own->over = 0.25 / A;
    own->excess = 1 / C - 1 / A;
    own->field = GAUSS_KIND(lanes, field);
    for (int k = 0; k < 3; k++)
        c[k] = 2 * a->mass[0] * a->joint[k];
    for (int j = 0; j < 4; j++) { /* column j: 2 m G e_j joint */
        double e[4] = {0}, y[4];
        e[j] = 1;
        /* G e, then times c */
        ph_cross3(G, e + 1, turn);
        y[0] = -ph_dot3(G, e + 1);
        for (int k = 0; k < 3; k++)
            y[1 + k] = e[0] * G[k] + turn[k];
        ph_cross3(y + 1, c, turn);
        own->M[0][j] = -ph_dot3(y + 1, c);
        for (int k = 0; k < 3; k++)
            own->M[1 + k][j] = y[0] * c[k] + turn[k];
    }
    return PH_OK;
}

static ph_status top_field(gauss_scratch *w, double t, double h, const double *Y, double *F)
{
    const top_own *own = w->own;
    (void)t;
    (void)h;
    own->field(own, w->tableau.lanes, Y, F);
    return PH_OK;
}

/* The angle of a step from y. */
static void top_advance(const gauss_scratch *w, double h, const double *y, double *kept)
{
    const top_own *own = w->own;
    const size_t k = own->axis, i = (k + 1) % 3, j = (k + 2) % 3;
    const double *x = y + 1, *p = y + 5,
                 Pi = 0.5 * ((y[0] * p[k] - y[4] * x[k]) - (x[i] * p[j] - x[j] * p[i]));
    ph_twofold angle = {kept[HIGH], kept[LOW]};
    ph_twofold_add_product(&angle, h * own->excess, Pi);
    ph_two_sum(angle.high, angle.low, &kept[HIGH], &kept[LOW]);
}

/* a, b <- cos a + sin b, cos b - sin a. */
static void top_turn(double cosine, double sine, double *a, double *b)
{
    const double before = *a;
    *a = cosine * before + sine * *b;
    *b = cosine * *b - sine * before;
}

static void top_leave(const gauss_scratch *w, const double *kept, double *z, double *p)
{
    const top_own *own = w->own;
    const size_t i = (own->axis + 1) % 3, j = (own->axis + 2) % 3;
    double c, s;
    ph_sincos(kept[HIGH], &s, &c);
    const double cosine = c - kept[LOW] * s, sine = s + kept[LOW] * c;
    for (size_t row = 0; row < 3; row++)
        top_turn(cosine, sine, &z[3 * row + i], &z[3 * row + j]);
    top_turn(cosine, sine, &p[i], &p[j]);
}

const gauss_lift ph_gauss_top = {
    .takes = top_takes,
    .lay = top_lay,
    .init = top_init,
    .field = top_field,
    .kept = KEPT,
    .advance = top_advance,
    .leave = top_leave,
};
