/* SPDX-License-Identifier: BSD-3-Clause */
/* A serial chain of n massless links with a point mass at the end of each, hung from a fixed point by
 * ball joints: what the pendulum models share. Mass k is at x_k = sum_{j<=k} l_j q_j, so that
 *     M_ij = l_i l_j sum_{k>=max(i,j)} m_k,     U = - sum_i (sum_{k>=i} m_k) l_i G.q_i
 * with G the acceleration of gravity (Lee, Leok, McClamroch, two-spheres, section V). */
#ifndef PH_INTERNAL_CHAIN_H
#define PH_INTERNAL_CHAIN_H

#include <float.h>

#include <polhode/models.h>

#include "parameters.h"

/* The rows of a chain's parameters in the table of its model. Further parameters of the model follow. */
enum {
    PH_CHAIN_MASS,
    PH_CHAIN_LENGTH,
    PH_CHAIN_GRAVITY,
    PH_CHAIN_DAMPING,
    PH_CHAIN_TORQUE,
    PH_CHAIN_TORQUE_AMPLITUDE,
    PH_CHAIN_TORQUE_FREQUENCY,
    PH_CHAIN_TORQUE_PHASE,
    PH_CHAIN_TIP_FORCE,
    PH_CHAIN_TIP_AMPLITUDE,
    PH_CHAIN_TIP_FREQUENCY,
    PH_CHAIN_TIP_PHASE,
    PH_CHAIN_PARAMETERS
};

#define PH_CHAIN_VECTOR(name, unit, text)                                                                    \
    {                                                                                                        \
        name, PH_PARAMETER_VECTOR, unit, -DBL_MAX, DBL_MAX, {0}, text                                        \
    }
#define PH_CHAIN_NUMBER(name, unit, text)                                                                    \
    {                                                                                                        \
        name, PH_PARAMETER_NUMBER, unit, -DBL_MAX, DBL_MAX, {0}, text                                        \
    }

/* The rows of that table. kind: PH_PARAMETER_PER_LINK, or PH_PARAMETER_NUMBER for a single link, with
 * the names and defaults of mass and length; gravity along e3 by default. */
#define PH_CHAIN_TABLE(kind, mass, m, length, l, gravity)                                                    \
    [PH_CHAIN_MASS] = {mass, kind, "kg", DBL_MIN, DBL_MAX, {m}, "point mass at the end of a link"},          \
    [PH_CHAIN_LENGTH] = {length, kind, "m", DBL_MIN, DBL_MAX, {l}, "length of a link"},                      \
    [PH_CHAIN_GRAVITY] = PH_GRAVITY_PARAMETER(gravity),                                                      \
    [PH_CHAIN_DAMPING] = {"damping",                                                                         \
                          kind,                                                                              \
                          "N m s",                                                                           \
                          0,                                                                                 \
                          DBL_MAX,                                                                           \
                          {0},                                                                               \
                          "viscous damping c_i of a joint: R = sum c_i/2 |qdot_i - qdot_(i-1)|^2"},          \
    [PH_CHAIN_TORQUE] = PH_CHAIN_VECTOR("torque", "N m", "constant torque on the first joint"),              \
    [PH_CHAIN_TORQUE_AMPLITUDE] = PH_CHAIN_VECTOR(                                                           \
        "torque_amplitude", "N m", "amplitude of a torque sin(frequency t + phase) on the first joint"),     \
    [PH_CHAIN_TORQUE_FREQUENCY] = PH_CHAIN_NUMBER("torque_frequency", "rad/s", "its frequency"),             \
    [PH_CHAIN_TORQUE_PHASE] = PH_CHAIN_NUMBER("torque_phase", "rad", "its phase at t = 0"),                  \
    [PH_CHAIN_TIP_FORCE] = PH_CHAIN_VECTOR("tip_force", "N", "constant force on the last mass"),             \
    [PH_CHAIN_TIP_AMPLITUDE] = PH_CHAIN_VECTOR(                                                              \
        "tip_force_amplitude", "N", "amplitude of a force sin(frequency t + phase) on the last mass"),       \
    [PH_CHAIN_TIP_FREQUENCY] = PH_CHAIN_NUMBER("tip_force_frequency", "rad/s", "its frequency"),             \
    [PH_CHAIN_TIP_PHASE] = PH_CHAIN_NUMBER("tip_force_phase", "rad", "its phase at t = 0")

/* Initial conditions that make sense for every chain: straight and at rest. */
enum { PH_CHAIN_HANGING, PH_CHAIN_HORIZONTAL, PH_CHAIN_UPRIGHT };

#define PH_CHAIN_PRESETS                                                                                     \
    {"hanging", "all links along gravity, at rest: the stable equilibrium"},                                 \
        {"horizontal", "all links in one direction perpendicular to gravity, at rest"},                      \
    {                                                                                                        \
        "upright", "all links against gravity, at rest: the unstable equilibrium"                            \
    }

/* PH_E_SIZE when a per-link parameter has neither 1 nor n numbers. */
ph_status ph_chain_check(const ph_parameter_value *table, size_t n, ph_error *err);

/* *system <- the chain of n links with these values (PH_CHAIN_PARAMETERS rows). PH_E_SIZE as above, and
 * the errors of ph_system_create. */
ph_status ph_chain_build(const ph_parameter_value *table, size_t n, ph_system **system, ph_error *err);

/* z, zdot <- preset PH_CHAIN_HANGING... of the chain of n links. */
void ph_chain_straight(const ph_parameter_value *table, size_t n, int preset, double *z, double *zdot);

#endif
