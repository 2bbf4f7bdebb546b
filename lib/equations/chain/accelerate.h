/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations of a chain of links under gravity alone, with or without a cart, in one piece: the equations of
 * lib/equations/tensions.c without a function call a link. */
#ifndef PH_INTERNAL_CHAIN_ACCELERATE_H
#define PH_INTERNAL_CHAIN_ACCELERATE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/kinds/linkage/tree.h"

/* The data of a system that these functions take; NULL of any other. */
const ph_link_row *ph_chain_row(const ph_system *system);
/* Doubles of scratch. */
size_t ph_chain_accelerate_work(const ph_link_row *row);
/* ydot <- (zdot, zddot) of y = (z, zdot), on the manifold and off it. False where that is not finite. */
bool ph_chain_accelerate(const ph_link_row *row, const double *y, double *ydot, double *work);
/* qdot, wdot (3n) <- of two links or more in space with the angular velocities w, on a body; pull (3) <- p of the first link,
 * three times. */
bool ph_chain_spin(const ph_link_row *row, const ph_link_body *body, const double *q, const double *w,
                   double *qdot, double *wdot, double *pull, double *work);
/* Are all links so near the spheres that the next one takes them? It projects them, and w to what is perpendicular to them. */
bool ph_chain_is_near(const ph_link_row *row, const double *q);
void ph_chain_project(const ph_link_row *row, double *q, double *w);

#endif
