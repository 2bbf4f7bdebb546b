/* SPDX-License-Identifier: BSD-3-Clause */
/* Runge-Kutta steps of chains in one piece (rk4.h): what they need of a linkage, and which copy of a step is
 * used: plain, or for processors with AVX2 (lib/internal/lanes.h). */
#include "kernel.h"
#include "lib/kinds/linkage/tree.h"
#include <polhode/kit/kernels.h>

#include <string.h>

#define STEP(d)                                                                                              \
    PH_LANES_TWICE(PH_LANES_AVX2, bool, rk4_many_##d, (const ph_chain_rk4 *c, double h, double *y),          \
                   return rk4_many(d, c, h, y);)
STEP(2)
STEP(3)

ph_chain_advance ph_chain_step(const ph_link_row *row, bool wide)
{
    static const ph_chain_advance many[2][2] = {{rk4_many_2_plain, rk4_many_3_plain},
                                                {rk4_many_2_wide, rk4_many_3_wide}};
    return row->few ? ph_chain_short(row->n, row->d, row->cart > 0, wide) : many[wide][row->d - 2];
}

/* ---- What they need ----------------------------------------------------------------------------- */

/* As many as there are of a few links; else a multiple of 4. */
static size_t rounded(const ph_link_row *row)
{
    return row->few ? row->n : (row->n + 3) & ~(size_t)3;
}

/* Numbers of a block. */
static size_t stride(const ph_link_row *row, const ph_explicit *of)
{
    return of ? 4 * PH_BLOCK_A(row->d, of->stages + 2) : PH_BLOCK(row->d);
}

size_t ph_chain_rk4_carry(const ph_system *system)
{
    const ph_link_row *row = &ph_system_tree(system)->row;
    return 2 * row->d * rounded(row) + 6;
}

/* The blocks, with a block of zeros behind them; p and e with four more numbers each; s, r; the sums. */
size_t ph_chain_rk4_work(const ph_system *system, const ph_explicit *of)
{
    const ph_link_row *row = &ph_system_tree(system)->row;
    size_t m = rounded(row);
    return row->few ? 0 : stride(row, of) * (m / 4 + 1) + 4 * m + 8 + (of ? ph_chain_explicit_work(of) : 0);
}

/* Where coordinate k of q_i is in the packed state. */
static size_t place(const ph_chain_rk4 *c, size_t i, size_t k)
{
    return c->few ? c->row->d * i + k : i / 4 * 8 * c->row->d + 4 * k + i % 4;
}

/* The distance from q_i to its velocity in the packed state. */
static size_t behind(const ph_chain_rk4 *c)
{
    return c->few ? c->row->d * c->row->n : 4 * c->row->d;
}

void ph_chain_rk4_lay(const ph_system *system, const ph_explicit *of, double *work, ph_chain_rk4 *c)
{
    const ph_link_row *row = &ph_system_tree(system)->row;
    const size_t m = rounded(row);
    *c = (ph_chain_rk4){.row = row, .m = m, .few = row->few, .stride = stride(row, of)};
    c->advance = of ? ph_chain_explicit(row->d, ph_lanes(PH_KERNEL_AVX2))
                    : ph_chain_step(row, ph_lanes(PH_KERNEL_AVX2));
    memset(work, 0, ph_chain_rk4_work(system, of) * sizeof *work);
    if (c->few)
        return;
    double *p = work + c->stride * (m / 4 + 1), *e = p + m + 4;
    c->block = work;
    c->pulls = (ph_chain_pulls){.n = row->n, .p = p, .e = e, .s = e + m + 4, .r = e + 2 * m + 4};
    c->stages = of ? of->stages : 4;
    if (of)
        ph_chain_explicit_lay(of, e + 3 * m + 4, c);
}

void ph_chain_rk4_pack(const ph_chain_rk4 *c, const double *y, double *carry)
{
    size_t nz = c->row->cart + c->row->d * c->row->n;
    double *x = carry + 2 * c->row->d * c->m;
    memset(carry, 0, (2 * c->row->d * c->m + 6) * sizeof *carry);
    for (size_t k = 0; k < c->row->cart; k++) {
        x[k] = y[k];
        x[3 + k] = y[nz + k];
    }
    for (size_t i = 0; i < c->row->n; i++)
        for (size_t k = 0; k < c->row->d; k++) {
            size_t from = c->row->cart + c->row->d * i + k, to = place(c, i, k);
            carry[to] = y[from];
            carry[to + behind(c)] = y[nz + from];
        }
}

void ph_chain_rk4_unpack(const ph_chain_rk4 *c, const double *carry, double *y)
{
    size_t nz = c->row->cart + c->row->d * c->row->n;
    const double *x = carry + 2 * c->row->d * c->m;
    for (size_t k = 0; k < c->row->cart; k++) {
        y[k] = x[k];
        y[nz + k] = x[3 + k];
    }
    for (size_t i = 0; i < c->row->n; i++)
        for (size_t k = 0; k < c->row->d; k++) {
            size_t to = c->row->cart + c->row->d * i + k, from = place(c, i, k);
            y[to] = carry[from];
            y[nz + to] = carry[from + behind(c)];
        }
}
