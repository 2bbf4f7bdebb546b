/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain of chain.c on a rigid body (cable.c): its window is that of a chain on a cart of the body's mass. */
#ifndef PH_INTEGRATORS_MULTISTEP_CABLE_H
#define PH_INTEGRATORS_MULTISTEP_CABLE_H

#include "integrators/shared/chain.h"
#include "multistep.h"

size_t ph_multistep_chain_carry(const ph_system *links, const ph_multistep *m); /* doubles */
void *ph_multistep_chain_lay(const ph_system *links, ph_lay *l);                /* its work */
const chain *ph_multistep_chain_init(void *work, const ph_system *links, const ph_multistep *m, double h,
                                     chain_body *body);
/* As ph_multistep_kernel has it; pull <- of the first link, in a good step. */
bool ph_multistep_chain_step(void *work, double *carry, int *passes, double pull[3]);
void ph_multistep_chain_gather(void *work, double *carry, const ph_multistep_window *window);
void ph_multistep_chain_scatter(void *work, const ph_multistep_window *window, double *carry);
/* b <- sum sigma a - sum d u over the rows before the latest point, row[0] the earliest: of each row u (9), then h^2 sigma a (9). */
void ph_multistep_chain_bracket_turn(const void *work, const size_t *row, const double *changes, double b[9]);

#endif
