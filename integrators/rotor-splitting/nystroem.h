/* SPDX-License-Identifier: BSD-3-Clause */
/* Runge-Kutta-Nystroem splittings of H = T + V into kicks by V and drifts by T,
 *     exp(b_1 h V) exp(a_1 h T) exp(b_2 h V) ... exp(a_s h T) exp(b_(s+1) h V),
 * symmetric, that begin and end with a kick (whose b may be 0). Their order conditions make use of [V, [V, [V, T]]] = 0, which
 * holds where T is quadratic in the momenta and V does not depend on them. tests/methods/nystroem.sh finds the orders from the digits. */
#ifndef PH_INTEGRATORS_ROTOR_SPLITTING_NYSTROEM_H
#define PH_INTEGRATORS_ROTOR_SPLITTING_NYSTROEM_H

#include <stddef.h>

typedef struct ph_nystroem {
    int order;
    size_t drifts;   /* s */
    const double *a; /* the first (s + 1) / 2 */
    const double *b; /* the first (s + 2) / 2 */
} ph_nystroem;

enum { PH_NYSTROEM_MOST = 15 }; /* drifts */

/* clang-format off */
/* X(name in C, order, drifts), in the order of the option's words */
#define PH_NYSTROEM(X)                                                                                       \
    X(strang,  2,  1) /* Strang, SIAM J. Numer. Anal. 5 (1968) 506 */                                        \
    X(srkn_6b, 4,  6) /* Blanes, Moan, J. Comput. Appl. Math. 142 (2002) 313, table 3: SRKN_6^b, */          \
    X(srkn_14a, 6, 15) /* SRKN_14^a, whose first and last kick is 0 */
/* clang-format on */

const ph_nystroem *ph_nystroem_at(size_t i);

/* a_(i+1), i = 0 ... s - 1 */
static inline double ph_nystroem_drift(const ph_nystroem *s, size_t i)
{
    return s->a[i <= s->drifts - 1 - i ? i : s->drifts - 1 - i];
}

/* b_(i+1), i = 0 ... s */
static inline double ph_nystroem_kick(const ph_nystroem *s, size_t i)
{
    return s->b[i <= s->drifts - i ? i : s->drifts - i];
}

#endif
