/* SPDX-License-Identifier: BSD-3-Clause */
/* Midpoint steps on spheres as phase space, for any energy. The spherical midpoint,
 *     s+ = s + d,   d_i = h X_i(n, t + h/2),   n_i = (s_i + d_i/2) / sqrt(1 - |d_i|^2/4),
 * where n is the midpoint of s and s+, normalised (|s + s+|^2 = 4 - |d|^2), evaluates the energy on the
 * spheres only. The isospectral midpoint (extension: ambient) takes the energy off the spheres as it is
 * written:
 *     s+ = s + h b x w,   w = Rot(b, 2 atan(h|b|/4)) s / (1 + h^2 |b|^2 / 16),   b = (1/Gamma) dH/ds (w).
 * Both are symplectic for Omega, symmetric and of order 2; compositions (compositions.h) give higher orders.
 * The increments of a pair, weighted by Gamma, are opposite, so that J is kept whether the iteration has
 * converged or not. The step is in step.c.
 *
 * Sources: McLachlan, Modin, Verdier, Math. Comp. 86 (2017) 2325, eq. (1); Viviani, BIT 60 (2020) 741. */
#include <polhode/method.h>

#include "midpoint.h"

static const ph_option options[PH_MIDPOINT_OPTIONS] = {
    [PH_MIDPOINT_EXTENSION] = {.name = "extension",
                               .type = PH_OPTION_CHOICE,
                               .choices = "sphere ambient",
                               .text =
                                   "where the energy is evaluated: on the spheres (spherical midpoint), or "
                                   "within them, as it is written (isospectral midpoint: for strong "
                                   "fields and pulses; steps are not limited by h|X| < 2)"},
    [PH_MIDPOINT_ORDER] =
        {.name = "order",
         .type = PH_OPTION_CHOICE,
         .choices = PH_COMPOSITION_ORDERS,
         .text = "of convergence; beyond 2 a step is composed of several; automatic: 2, or that "
                 "of the composition"},
    [PH_MIDPOINT_COMPOSITION] = {.name = "composition",
                                 .type = PH_OPTION_CHOICE,
                                 .choices = PH_COMPOSITION_WORDS,
                                 .text = "by which one (number: its stages); automatic: the most accurate "
                                         "of its order for the same work"},
    [PH_MIDPOINT_BOUND] = PH_ITERATIONS_OPTION,
};

/* ---- The method ------------------------------------------------------------------------------------ */

static int midpoint_order(const ph_system *system, const double *values)
{
    int order;
    (void)system;
    ph_midpoint_composition_of(values, &order);
    return order;
}

/* Damping makes spheres of phase space shrink, and turns J. */
static unsigned midpoint_claims(const ph_system *system, const double *values)
{
    (void)values;
    return ph_spins_are_damped(system) ? 0 : PH_CLAIM_SYMPLECTIC | PH_CLAIM_MOMENTUM;
}

static ph_status midpoint_supports(const ph_system *system, ph_error *err)
{
    return ph_system_spins(system)
               ? PH_OK
               : ph_fail(
                     err, PH_E_UNSUPPORTED,
                     "spherical-midpoint steps spins, whose spheres are the whole phase space; this system "
                     "has momenta; use variational");
}

const ph_method ph_method_spherical_midpoint = {
    .name = "spherical-midpoint",
    .summary =
        "midpoint on spheres as phase space, for any energy; without damping symplectic, keeps momentum "
        "maps; implicit",
    .reference = "McLachlan, Modin, Verdier, Math. Comp. 86 (2017) 2325; Viviani, BIT 60 (2020) 741",
    .order = 2,
    .claims = PH_CLAIM_SYMMETRIC | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = PH_MIDPOINT_OPTIONS,
    .order_for = midpoint_order,
    .claims_for = midpoint_claims,
    .supports = midpoint_supports,
    .size = ph_midpoint_size,
    .init = ph_midpoint_init,
    .finish = ph_midpoint_finish,
    .step = ph_midpoint_step,
    .takes_spins = true,
    .lanes = ph_midpoint_eight,
};
