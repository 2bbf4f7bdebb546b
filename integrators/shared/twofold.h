/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products in twice the digits: what is lost is of the order of eps^2 of the terms (T. Ogita, S. M.
 * Rump, S. Oishi, SIAM J. Sci. Comput. 26 (2005) 1955, Dot2). */
#ifndef PH_INTEGRATORS_SHARED_TWOFOLD_H
#define PH_INTEGRATORS_SHARED_TWOFOLD_H

#include <polhode/kit/algebra.h>

typedef struct ph_twofold {
    double high, low;
} ph_twofold;

static inline void ph_twofold_add(ph_twofold *sum, double x)
{
    double lost;
    ph_two_sum(sum->high, x, &sum->high, &lost);
    sum->low += lost;
}

/* x y, exact where it is far from the ends of the range. */
static inline ph_twofold ph_twofold_product(double x, double y)
{
    ph_twofold product;
    ph_two_product(x, y, &product.high, &product.low);
    return product;
}

/* sum += x y, the product exact. */
static inline void ph_twofold_add_product(ph_twofold *sum, double x, double y)
{
    const ph_twofold product = ph_twofold_product(x, y);
    ph_twofold_add(sum, product.high);
    sum->low += product.low;
}

/* sum += x y */
static inline void ph_twofold_add_multiple(ph_twofold *sum, double x, ph_twofold y)
{
    ph_twofold_add_product(sum, x, y.high);
    sum->low += x * y.low;
}

static inline double ph_twofold_value(ph_twofold x)
{
    return x.high + x.low;
}

#endif
