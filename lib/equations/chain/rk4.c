/* SPDX-License-Identifier: BSD-3-Clause */
/* Runge-Kutta steps of chains in one piece (rk4.h): what they need of a linkage, and which copy of a step is
 * used: plain, or for processors with AVX2 and FMA (lib/internal/lanes.h). */
#include "kernel.h"
#include "lib/kinds/linkage/tree.h"
#include <polhode/kit/kernels.h>

#include <string.h>

#define STEP(d)                                                                                              \
    PH_LANES_TWICE(PH_LANES_FMA, bool, rk4_many_##d, (const ph_chain_rk4 *c, double h, double *y),           \
                   return rk4_many(wide, d, c, h, y);)
STEP(2)
STEP(3)

bool ph_chain_fuses(void)
{
    return ph_lanes(PH_KERNEL_AVX2 | PH_KERNEL_FMA);
}

ph_chain_advance ph_chain_step(size_t n, size_t d, bool cart, bool fused)
{
    static const ph_chain_advance many[2][2] = {{rk4_many_2_plain, rk4_many_3_plain},
                                                {rk4_many_2_wide, rk4_many_3_wide}};
    return n <= PH_CHAIN_SHORT ? ph_chain_short(n, d, cart, fused) : many[fused][d - 2];
}

/* ---- What they need ----------------------------------------------------------------------------- */

static size_t links(const ph_tree *t)
{
    return t->n - t->first;
}

/* As many as a short chain has links; else a multiple of 4. */
static size_t rounded(size_t n)
{
    return n <= PH_CHAIN_SHORT ? n : (n + 3) & ~(size_t)3;
}

/* Is nothing lost to overflow or underflow in products of a few lengths and masses? */
static bool ordinary(const ph_tree *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (!(t->length[i] > 1e-30 && t->length[i] < 1e30 && t->mass[i] > 1e-30 && t->mass[i] < 1e30))
            return false;
    return true;
}

bool ph_chain_rk4_applies(const ph_system *system)
{
    const ph_tree *t = ph_system_tree(system);
    return t && t->chain && !ph_system_has_further_potential(system) && !ph_system_has_force(system) &&
           ordinary(t);
}

size_t ph_chain_rk4_carry(const ph_system *system)
{
    const ph_tree *t = ph_system_tree(system);
    return 2 * t->d * rounded(links(t)) + 6;
}

/* The blocks, with a block of zeros before and behind them; p and e with four more numbers each; s, r. */
size_t ph_chain_rk4_work(const ph_system *system)
{
    const ph_tree *t = ph_system_tree(system);
    size_t m = rounded(links(t));
    return links(t) <= PH_CHAIN_SHORT ? 4 * PH_CHAIN_SHORT : PH_BLOCK(t->d) * (m / 4 + 2) + 4 * m + 8;
}

/* Where coordinate k of q_i is in the packed state. */
static size_t place(const ph_chain_rk4 *c, size_t i, size_t k)
{
    return c->n <= PH_CHAIN_SHORT ? c->d * i + k : i / 4 * 8 * c->d + 4 * k + i % 4;
}

/* The distance from q_i to its velocity in the packed state. */
static size_t behind(const ph_chain_rk4 *c)
{
    return c->n <= PH_CHAIN_SHORT ? c->d * c->n : 4 * c->d;
}

/* Length, inverse length, inverse mass and both inverse masses of link i. */
static void lay_link(const ph_tree *t, size_t i, double *l, size_t stride)
{
    size_t at = t->first + i;
    l[0] = t->length[at];
    l[stride] = t->inverse_length[at];
    l[2 * stride] = t->inverse_mass[at];
    l[3 * stride] = t->inverse_mass[at] + (i ? t->inverse_mass[at - 1] : 0);
}

void ph_chain_rk4_lay(const ph_system *system, double *work, ph_chain_rk4 *c)
{
    const ph_tree *t = ph_system_tree(system);
    size_t n = links(t), m = rounded(n), d = t->d;
    *c = (ph_chain_rk4){.n = n, .m = m, .d = d, .cart = t->cart};
    c->advance = ph_chain_step(n, d, t->cart > 0, ph_chain_fuses());
    memset(work, 0, ph_chain_rk4_work(system) * sizeof *work);
    if (n <= PH_CHAIN_SHORT) {
        c->l = work;
        c->il = work + PH_CHAIN_SHORT;
        c->w = work + 2 * PH_CHAIN_SHORT;
        c->both = work + 3 * PH_CHAIN_SHORT;
        for (size_t i = 0; i < n; i++)
            lay_link(t, i, c->l + i, PH_CHAIN_SHORT);
    } else {
        c->block = work + PH_BLOCK(d);
        c->p = c->block + PH_BLOCK(d) * (m / 4 + 1);
        c->e = c->p + m + 4;
        c->s = c->e + m + 4;
        c->r = c->s + m;
        for (size_t i = 0; i < n; i++)
            lay_link(t, i, c->block + i / 4 * PH_BLOCK(d) + 4 * PH_BLOCK_L + i % 4, 4);
    }
    for (size_t k = 0; k < d; k++) {
        double G = t->heavy ? t->is.gravity[k] : 0;
        bool rides = k < t->cart;
        c->root[k] = rides ? t->inverse_mass[0] : 0;
        c->head[k] = t->inverse_mass[t->first] + c->root[k];
        c->ride[k] = rides ? G : 0;
        c->fall[k] = rides ? 0 : G;
        c->drop[k] = c->fall[k] * t->inverse_length[t->first];
    }
}

void ph_chain_rk4_pack(const ph_chain_rk4 *c, const double *y, double *carry)
{
    size_t nz = c->cart + c->d * c->n;
    double *x = carry + 2 * c->d * c->m;
    memset(carry, 0, (2 * c->d * c->m + 6) * sizeof *carry);
    for (size_t k = 0; k < c->cart; k++) {
        x[k] = y[k];
        x[3 + k] = y[nz + k];
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->d; k++) {
            size_t from = c->cart + c->d * i + k, to = place(c, i, k);
            carry[to] = y[from];
            carry[to + behind(c)] = y[nz + from];
        }
}

void ph_chain_rk4_unpack(const ph_chain_rk4 *c, const double *carry, double *y)
{
    size_t nz = c->cart + c->d * c->n;
    const double *x = carry + 2 * c->d * c->m;
    for (size_t k = 0; k < c->cart; k++) {
        y[k] = x[k];
        y[nz + k] = x[3 + k];
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->d; k++) {
            size_t to = c->cart + c->d * i + k, from = place(c, i, k);
            y[to] = carry[from];
            y[nz + to] = carry[from + behind(c)];
        }
}
