/* SPDX-License-Identifier: BSD-3-Clause */
/* Hierarchical (Jacobi) coordinates of N bodies: a binary tree whose leaves are the bodies. Each of its N - 1 nodes joins
 * two groups; its coordinate r is from the barycentre of the left group to that of the right one, and with
 *     M = m_l + m_r,      reduced mass m_l m_r / M,      v = r',
 * the kinetic energy is the sum over the nodes of (1/2) (m_l m_r / M) |v|^2, and that of the barycentre. Each moves about
 * the other as in Kepler's problem with mu = G M, but for the forces that group_forces gives. */
#ifndef PH_INTEGRATORS_KEPLER_ROTOR_HIERARCHY_H
#define PH_INTEGRATORS_KEPLER_ROTOR_HIERARCHY_H

#include <stddef.h>

/* A node: the bodies of its left group are `first` to `middle` - 1 of `order`, of its right group up to `end` - 1. */
typedef struct ph_pair {
    size_t first, middle, end;
    double left, right, whole; /* masses [kg] */
} ph_pair;

/* The tree: nodes after those that they join, so that the last joins all. */
typedef struct ph_hierarchy {
    size_t n;
    ph_pair *pair;      /* (n - 1) */
    size_t *order;      /* (n) bodies, so that each group is consecutive */
    const double *mass; /* (n) by body */
} ph_hierarchy;

/* joins (2 x (n - 1)) <- for each node its left and right: a body, or n + an earlier node. Bodies as they are listed:
 * the first two, then each with all before it. */
void ph_hierarchy_list(size_t n, double *joins);
/* The same from the places x (3n): always the two groups next whose circular motion about each other would be the
 * fastest. work: (5n). */
void ph_hierarchy_find(size_t n, const double *mass, const double *x, double *work, double *joins);
/* h->pair and h->order <- from joins. work: (2n - 1). */
void ph_hierarchy_lay(ph_hierarchy *h, const double *joins, size_t *work);

/* r (3 x (n - 1)), center (3) <- of what bodies have at x (3n): places or velocities. work: (3n). */
void ph_hierarchy_read(const ph_hierarchy *h, const double *x, double *work, double *r, double *center);
/* For places (or velocities): x (3n) <- relative to the barycentre of the first node, in whose neighbourhood differences
 * are exact to their own rounding, however far others are; to_center (3) <- the barycentre of all from there; offset (3n)
 * <- in the order of the tree, relative to the barycentre of all. r: (n - 1), each `stride` doubles after the one before.
 *
 * f (3n, nullable) <- G times what the masses as points do to each other, less what the nodes' Kepler problems have of it:
 * with s from the barycentres of both groups of a node,
 *     f_k = - G m_i m_k [ (r + s)/|r + s|^3 - r/|r|^3 ],      f_i = -f_k,
 * without a difference of large terms. (The forces of the Kepler problems would pull all bodies of a group alike, in
 * proportion to their masses.) */
void ph_hierarchy_place(const ph_hierarchy *h, double G, const double *r, size_t stride, double *offset,
                        double *x, double to_center[3], double *f);
/* e <- (r + s)/|r + s|^3 - r/|r|^3, relative to itself to rounding. */
void ph_hierarchy_difference(const double r[3], const double s[3], double e[3]);
/* a (3) <- the acceleration of the coordinate of node i by the forces f (3n) on bodies. */
void ph_hierarchy_acceleration(const ph_hierarchy *h, size_t i, const double *f, double a[3]);

#endif
