/* SPDX-License-Identifier: BSD-3-Clause */
/* A serial chain of point masses on massless rods that swings in a plane, on (S^1)^n: what the planar models
 * share. q_i is the direction of rod i and mass k is at x_k = sum_{j<=k} l_j q_j, as in space
 * (chain.h):
 *     M_ij = l_i l_j sum_{k>=max(i,j)} m_k,     U = g sum_i (sum_{k>=i} m_k) l_i q_iy. */
#ifndef PH_INTERNAL_PLANAR_H
#define PH_INTERNAL_PLANAR_H

#include "parameters.h"

/* The rows of these parameters in the table of a model. Further parameters of the model follow. */
enum { PH_PLANAR_MASS, PH_PLANAR_LENGTH, PH_PLANAR_GRAVITY, PH_PLANAR_PARAMETERS };

/* The rows of that table. kind: PH_PARAMETER_PER_LINK, or PH_PARAMETER_NUMBER for a single rod. */
#define PH_PLANAR_TABLE(kind, mass, m, length, l)                                                            \
    [PH_PLANAR_MASS] = {mass, kind, "kg", DBL_MIN, DBL_MAX, {m}, "point mass at the end of a rod"},          \
    [PH_PLANAR_LENGTH] = {length, kind, "m", DBL_MIN, DBL_MAX, {l}, "length of a rod"},                      \
    [PH_PLANAR_GRAVITY] = {"gravity",                                                                        \
                           PH_PARAMETER_NUMBER,                                                              \
                           "m/s^2",                                                                          \
                           -DBL_MAX,                                                                         \
                           DBL_MAX,                                                                          \
                           {9.81},                                                                           \
                           "acceleration of gravity along -y"}

/* PH_E_SIZE when a list has neither 1 nor n numbers. */
ph_status ph_planar_check(const ph_parameter_value *table, size_t n, ph_error *err);

/* *system <- the chain of n rods. PH_E_SIZE as above, and the errors of ph_system_create. */
ph_status ph_planar_build(const ph_parameter_value *table, size_t n, ph_system **system, ph_error *err);

/* q <- the direction at this angle from where gravity points (0, -1 without), counterclockwise. */
void ph_planar_direction(const ph_parameter_value *table, double angle, double q[2]);

/* Initial conditions of every planar chain: straight and at rest. */
enum { PH_PLANAR_HANGING, PH_PLANAR_HORIZONTAL, PH_PLANAR_UPRIGHT };

#define PH_PLANAR_PRESETS                                                                                    \
    {"hanging", "all rods along gravity, at rest: the stable equilibrium"},                                  \
        {"horizontal", "all rods along x, at rest"},                                                         \
    {                                                                                                        \
        "upright", "all rods against gravity, at rest: the unstable equilibrium"                             \
    }

/* z, zdot <- preset PH_PLANAR_HANGING... of the chain of n rods. */
void ph_planar_straight(const ph_parameter_value *table, size_t n, int preset, double *z, double *zdot);

#endif
