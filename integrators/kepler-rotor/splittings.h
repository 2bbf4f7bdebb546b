/* SPDX-License-Identifier: BSD-3-Clause */
/* Splittings of H = A + eps B into drifts by A and kicks by eps B,
 *     exp(a_1 h A) exp(b_1 h B) exp(a_2 h A) ... exp(b_s h B) exp(a_(s+1) h A),
 * symmetric, that begin and end with a drift. Their error is a sum of terms eps^n h^p with a p for each n: "(8, 6, 4)"
 * has eps h^8 + eps^2 h^6 + eps^3 h^4. tests/methods/splittings.sh finds these from the digits. */
#ifndef PH_INTEGRATORS_KEPLER_ROTOR_SPLITTINGS_H
#define PH_INTEGRATORS_KEPLER_ROTOR_SPLITTINGS_H

#include <stddef.h>

typedef struct ph_splitting {
    const char *name;
    int order;       /* of h alone: the least of them */
    size_t kicks;    /* s */
    const double *a; /* the first (s + 2) / 2 */
    const double *b; /* the first (s + 1) / 2 */
} ph_splitting;

/* clang-format off */
/* X(name in C, name, kicks, p_1, p_2, p_3): the exponents for eps, eps^2, and eps^3 and more */
#define PH_SPLITTINGS(X)                                                                                     \
    X(strang,     "strang",     1,  2, 2, 2) /* Strang, SIAM J. Numer. Anal. 5 (1968) 506 */                 \
    X(aba_4_2,    "aba-4-2",    2,  4, 2, 2) /* McLachlan, BIT 35 (1995) 258; Laskar, Robutel, Celest. */    \
    X(aba_6_2,    "aba-6-2",    3,  6, 2, 2) /* Mech. Dyn. Astron. 80 (2001) 39: SABA_2, SABA_3, SABA_4 */   \
    X(aba_8_2,    "aba-8-2",    4,  8, 2, 2)                                                                 \
    X(aba_8_4,    "aba-8-4",    5,  8, 4, 4) /* McLachlan, BIT 35 (1995) 258 */                              \
    X(aba_10_4,   "aba-10-4",   7, 10, 4, 4) /* Blanes, Casas, Farres, Laskar, Makazaga, Murua, */           \
    X(aba_8_6_4,  "aba-8-6-4",  7,  8, 6, 4) /* Appl. Numer. Math. 68 (2013) 58 */                           \
    X(aba_10_6_4, "aba-10-6-4", 8, 10, 6, 4)
/* clang-format on */

#define PH_SPLITTING_NUMBER(identifier, name, kicks, p1, p2, p3) PH_SPLITTING_##identifier,
enum { PH_SPLITTINGS(PH_SPLITTING_NUMBER) PH_SPLITTING_COUNT };
#undef PH_SPLITTING_NUMBER

/* By its position. */
const ph_splitting *ph_splitting_at(size_t i);

/* a_(i+1), i = 0 ... s */
static inline double ph_splitting_drift(const ph_splitting *s, size_t i)
{
    return s->a[i <= s->kicks - i ? i : s->kicks - i];
}

/* b_(i+1), i = 0 ... s - 1 */
static inline double ph_splitting_kick(const ph_splitting *s, size_t i)
{
    return s->b[i <= s->kicks - 1 - i ? i : s->kicks - 1 - i];
}

#endif
