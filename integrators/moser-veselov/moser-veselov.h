/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of moser-veselov.c in other files: the branch of solutions (branch.c), eight bodies at once. The map and its series are those of
 * integrators/shared/rotor.h. */
#ifndef PH_INTEGRATORS_MOSER_VESELOV_H
#define PH_INTEGRATORS_MOSER_VESELOV_H

#include <polhode/kit/lanes.h>
#include <polhode/kit/solve.h>
#include <polhode/method.h>

enum {
    PH_MOSER_VESELOV_ORDER,
    PH_MOSER_VESELOV_BOUND
}; /* among the options; its value is the degree of the series */

/* u <- the solution of u = w (b + b x u + (b.u) u) on the branch from b = 0, wherever that leads. */
ph_status ph_moser_veselov_follow(ph_context *context, double t, size_t body, const double w[3],
                                  const double b[3], ph_newton_work *newton, double u[3]);

/* The same of eight free bodies at once (eight.c): functions of a ph_method, which are told that for a single one. */
ph_method_size ph_moser_veselov_eight_size(ph_method_size one, const ph_system *system);
ph_status ph_moser_veselov_eight_init(ph_context *context, const ph_method *single, ph_method_size one);
ph_status ph_moser_veselov_eight_step(ph_context *context, ph_state *state);
void ph_moser_veselov_eight_synchronise(ph_context *context, ph_state *state);

#endif
