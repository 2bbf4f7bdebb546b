/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems on products of R^d, S^1, S^2 and SO(3), for the tests of what runs on any product:
 *     L = (1/2) zdot . MM zdot - U(z),
 * either with a full random MM, U a sum of plane waves and forces of t, z and zdot; or invariant under the
 * rotations of space, MM = I_3 (x) N over 3-vectors and U a function of their products. The former also with
 * velocity constraints and an inertia that depends on the configuration. */
#ifndef POLHODE_TESTS_PRODUCTS_H
#define POLHODE_TESTS_PRODUCTS_H

#include "testkit.h"

#include <complex.h>
#include <stdbool.h>

enum {
    PD_FACTORS = 5,
    PD_NZ = 9 * PD_FACTORS,
    PD_NX = 4 * PD_FACTORS,
    PD_WAVES = 5,
    PD_ROWS = 3,
    PD_ARROWS = 3 * PD_FACTORS
};

typedef enum pd_flavour {
    PD_CONSERVATIVE,
    PD_PUSHED,      /* a force of t and z */
    PD_DAMPED,      /* a force of t, z and zdot, and its derivative */
    PD_DIFFERENCED, /* the same, its derivative by differences */
    PD_FLAVOURS,
    PD_INVARIANT = PD_FLAVOURS, /* conservative, and invariant under rotations of space */
    PD_PLANAR                   /* likewise of the plane: S^1 and R^2 */
} pd_flavour;

/* A vector among the coordinates: R^3, S^2, or a column of R (in the plane R^2, S^1); component k at z + k
 * stride. */
typedef struct pd_arrow {
    size_t z, stride;
} pd_arrow;

typedef struct pd_system {
    pd_flavour flavour;
    size_t n, nz, np, nx;
    ph_space *space;
    ph_system *system;
    double MM[PD_NZ * PD_NZ];
    double spring[PD_NZ]; /* U has (1/2) spring z^2: only R^d is not bounded */
    double size[PD_WAVES], phase[PD_WAVES], wave[PD_WAVES][PD_NZ]; /* size cos(wave . z + phase) */
    double C[PD_NZ * PD_NZ], push[PD_NZ], drag[PD_NZ];
    size_t n_arrows, d; /* vectors, and their length: 3, in the plane 2 */
    pd_arrow arrow[PD_ARROWS];
    double c[PD_ARROWS][PD_ARROWS]; /* invariant: U has c_ab sin(a . b) */
    size_t m; /* constraints A zdot = b, see pd_roll: A_ik = row_ik cos(turn_i . z + t/2 + k), */
    double row[PD_ROWS][PD_NZ], turn[PD_ROWS][PD_NZ], push_along[PD_ROWS]; /* b_i = push_along_i sin(...) */
    bool varying, without_along;
    double bend[PD_NZ];     /* MM (1 + sin(bend . z)/4) */
    int64_t calls, fail_at; /* the fail_at-th call of a callback fails; 0: none */
} pd_system;

/* Factors n of these kinds (R^d: d), or up to PD_FACTORS random ones. Free with pd_free. */
pd_system *pd_create(const ph_factor *factors, size_t n, pd_flavour flavour, tk_random *r);
pd_system *pd_random(pd_flavour flavour, tk_random *r);
void pd_free(pd_system *s);
TK_DROP(pd_system, pd_free)

/* s->system <- the same with m velocity constraints, affine or b = 0, that depend on t and z; `varying`: with
 * an inertia that depends on z. For flavours that are not invariant. */
void pd_roll(pd_system *s, size_t m, bool affine, bool varying, tk_random *r);
/* The same once more, with the derivative of the constraints by differences. */
void pd_without_along(pd_system *s);

/* Text of the space: "S^1 x SO(3)". */
const char *pd_name(const pd_system *s, char text[80]);

/* A random configuration, and a velocity with speeds of about `speed` in every factor. */
void pd_motion(const pd_system *s, tk_random *r, double speed, double *z, double *v);

/* U at a complex configuration: its imaginary part gives derivatives. */
double complex pd_potential(const pd_system *s, const double complex *z);
void pd_gradient(const pd_system *s, const double *z, double *g);
void pd_force(const pd_system *s, double t, const double *z, const double *v, double *f); /* f <- */
void pd_force_dv(const pd_system *s, double t, const double *z, const double *v, double *dfdv);

#endif
