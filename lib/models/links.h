/* SPDX-License-Identifier: BSD-3-Clause */
/* n massless links with a point mass at the end of each, hung from a moving support: common to the models of
 * carts and of carried cables. Mass j is at y + sum_{i<=j} l_i q_i, where y is the point that they hang from,
 * so that with m_c = sum m_j and the first moments c_i = (sum_{j>=i} m_j) l_i
 *     sum (1/2) m_j |xdot_j|^2 = (1/2) m_c |ydot|^2 + ydot . sum c_i qdot_i + (1/2) sum M_ij qdot_i . qdot_j,
 *     M_ij = (sum_{k>=max(i,j)} m_k) l_i l_j,    sum m_j x_j = m_c y + sum c_i q_i. */
#ifndef PH_INTERNAL_LINKS_H
#define PH_INTERNAL_LINKS_H

#include "parameters.h"

/* The rows that these models begin with. */
enum { PH_LINKS_MASS, PH_LINKS_LENGTH, PH_LINKS_NUMBER, PH_LINKS_PARAMETERS };

/* most: the largest number of links */
#define PH_LINKS_TABLE(most)                                                                                 \
    [PH_LINKS_MASS] =                                                                                        \
        {"masses", PH_PARAMETER_PER_LINK, "kg", DBL_MIN, DBL_MAX, {0.1}, "point mass at the end of a link"}, \
    [PH_LINKS_LENGTH] =                                                                                      \
        {"lengths", PH_PARAMETER_PER_LINK, "m", DBL_MIN, DBL_MAX, {0.1}, "length of a link"},                \
    [PH_LINKS_NUMBER] = {"links",                                                                            \
                         PH_PARAMETER_COUNT,                                                                 \
                         "1",                                                                                \
                         0,                                                                                  \
                         most,                                                                               \
                         {0},                                                                                \
                         "number of links; 0: as many as masses or lengths have numbers, or 5"}

/* *n <- how many links there are. PH_E_SIZE where masses or lengths have another number than that, or more
 * than `most`. */
ph_status ph_links_count(const ph_parameter_value *table, size_t most, size_t *n, ph_error *err);

/* moments (n) <- c_i; returns m_c. */
double ph_links_moments(const ph_parameter_value *table, size_t n, double *moments);

/* M_ij times the unit matrix of size d, written from row and column `at` of the (nz x nz) matrix. */
void ph_links_inertia(const ph_parameter_value *table, size_t n, const double *moments, size_t d, double *MM,
                      size_t nz, size_t at);

/* *space <- the n_first factors, and then n of the kind. */
ph_status ph_links_space(const ph_factor *first, size_t n_first, ph_factor_kind kind, size_t n,
                         ph_space **space, ph_error *err);

/* PH_E_INVALID, with the reason, unless gravity is along e3 (or none). */
ph_status ph_links_check_vertical(const ph_parameter_value *gravity, const char *reason, ph_error *err);

/* Initial conditions of the links (d numbers each; the last coordinate points up, the first is along). */
enum { PH_LINKS_CURVED, PH_LINKS_HANGING, PH_LINKS_HORIZONTAL };

#define PH_LINKS_CURVED_TEXT                                                                                 \
    "q_i = (cos 0.3(i-1), 0, -sin 0.3(i-1)); mass i of n moves at 0.5 i/n m/s along e2"

/* q, qdot (d n) <- that preset. `curved` in the plane (d = 2) moves at right angles to the links:
 * l_i |qdot_i| = 0.5/n m/s. */
void ph_links_preset(const ph_parameter_value *table, size_t n, size_t d, int preset, double *q,
                     double *qdot);

#endif
