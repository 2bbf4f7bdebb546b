/* SPDX-License-Identifier: BSD-3-Clause */
/* The pulls of a chain at a stage: elimination of the tridiagonal equations of kernel.h. A division takes as
 * long as several multiplications and has to wait for the one before it, so the chain is eliminated from both
 * ends at once, and a long one from its middle, too. */
#ifndef PH_EQUATIONS_CHAIN_ELIMINATION_H
#define PH_EQUATIONS_CHAIN_ELIMINATION_H

#include "lib/internal/lanes.h"

#include <stddef.h>

enum {
    PH_CHAIN_FOUR_ENDS = 16 /* from so many links on an elimination from four ends is faster than from two */
};

/* One term of a sum over the stages of a method (explicit.c): where A_j is in a block, a'_ij and a_ij. */
typedef struct chain_term {
    double q, v;
    size_t at;
} chain_term;

/* What can be computed while an elimination waits for its divisions: in each block, sums over all stages but the latest. */
typedef struct chain_ahead {
    const chain_term *term;
    size_t terms, at, stride; /* at: of the sums in a block */
    double *next, *end;       /* blocks */
} chain_ahead;

/* The sums of the next block; nothing behind the last. */
INLINE void chain_sum_next(const size_t d, chain_ahead *w)
{
    if (!w || w->next == w->end)
        return;
    double *block = w->next;
    vector q[3], v[3];
    for (size_t k = 0; k < d; k++)
        q[k] = v[k] = all_lanes(0);
    for (size_t j = 0; j < w->terms; j++)
        for (size_t k = 0; k < d; k++) {
            const vector A = load(block + w->term[j].at + 4 * k);
            q[k] += w->term[j].q * A;
            v[k] += w->term[j].v * A;
        }
    for (size_t k = 0; k < d; k++) {
        store(block + w->at + 4 * k, q[k]);
        store(block + w->at + 4 * (d + k), v[k]);
    }
    w->next = block + w->stride;
}

/* The equations of n pulls, and where these go: as many numbers as there are links, up to a whole group of four, p and e with
 * a group more. */
typedef struct ph_chain_pulls {
    size_t n;
    double *p, *e, *s, *r; /* pulls p, couplings e, diagonal s and right-hand side r */
} ph_chain_pulls;

/* Solves  s_i p_i - e_i p_{i+1} - e_{i-1} p_{i-1} = -r_i  from both ends to the middle; p, the pulls, are
 * negative under tension. s, e and r are overwritten; e_i is at c->e[4 + i]. */
INLINE void rk4_eliminate_two(const size_t d, const ph_chain_pulls *c, chain_ahead *w)
{
    size_t n = c->n, i = 0, j = n - 1;
    double *s = c->s, *e = c->e + 4, *r = c->r, *p = c->p;
    double si = s[i], ri = -r[i], sj = s[j], rj = -r[j];
    while (j > i + 2) {
        double xi = 1 / si, xj = 1 / sj, ei = e[i], ej = e[j - 1], mi = ei * xi, mj = ej * xj;
        r[i] = ri * xi;
        e[i] = mi;
        r[j] = rj * xj;
        e[j - 1] = mj;
        i++;
        j--;
        si = -mi * ei + s[i];
        ri = mi * ri - r[i];
        sj = -mj * ej + s[j];
        rj = mj * rj - r[j];
        chain_sum_next(d, w);
    }
    if (j == i + 2) { /* two or three are left */
        double xi = 1 / si, xj = 1 / sj, ei = e[i], ej = e[i + 1], mi = ei * xi, mj = ej * xj;
        double sm = -mj * ej + (-mi * ei + s[i + 1]);
        double pm = (mj * rj + (mi * ri - r[i + 1])) / sm;
        p[i + 1] = pm;
        p[i] = mi * pm + ri * xi;
        p[j] = mj * pm + rj * xj;
    } else {
        double xi = 1 / si, mi = e[i] * xi;
        p[j] = (mi * ri + rj) / (-mi * e[i] + sj);
        p[i] = mi * p[j] + ri * xi;
    }
    double pi = p[i], pj = p[j];
    while (i-- > 0) {
        j++;
        pi = e[i] * pi + r[i];
        pj = e[j - 1] * pj + r[j];
        p[i] = pi;
        p[j] = pj;
    }
}

/* The same from four ends: a and h start at the ends of the chain, b and g next to a link z in the middle.
 * While b and g move away from z, elimination leaves couplings fb and fg between them and z. */
INLINE void rk4_eliminate_four(const size_t d, const ph_chain_pulls *c, chain_ahead *w)
{
    size_t n = c->n, steps = (n - 3) / 4, first = (n - 3) % 4, z = first + 2 * steps + 1;
    double *s = c->s, *e = c->e + 4, *r = c->r, *p = c->p;
    double sa = s[0], ra = -r[0];
    for (size_t i = 0; i < first; i++) { /* so that the four have the same number of steps */
        double x = 1 / sa, m = e[i] * x;
        r[i] = ra * x;
        sa = -m * e[i] + s[i + 1];
        ra = m * ra - r[i + 1];
        e[i] = m;
    }
    size_t a = first, b = z - 1, g = z + 1, h = n - 1;
    double sb = s[b], rb = -r[b], fb = e[b], sg = s[g], rg = -r[g], fg = e[z], sh = s[h], rh = -r[h],
           sz = s[z], rz = -r[z], tz = 0, qz = 0;
    for (size_t k = 0; k < steps; k++) {
        double xa = 1 / sa, xb = 1 / sb, xg = 1 / sg, xh = 1 / sh;
        double ea = e[a], eb = e[b - 1], eg = e[g], eh = e[h - 1];
        double ma = ea * xa, mb = eb * xb, mg = eg * xg, mh = eh * xh, kb = fb * xb, kg = fg * xg;
        r[a] = ra * xa;
        r[b] = rb * xb;
        r[g] = rg * xg;
        r[h] = rh * xh;
        e[a] = ma;
        e[b - 1] = mb;
        e[g] = mg;
        e[h - 1] = mh;
        s[b] = kb;
        s[g] = kg;
        sz = -kb * fb + sz;
        rz = kb * rb + rz;
        tz = kg * fg + tz;
        qz = kg * rg + qz;
        fb = mb * fb;
        fg = mg * fg;
        a++;
        b--;
        g++;
        h--;
        sa = -ma * ea + s[a];
        ra = ma * ra - r[a];
        sb = -mb * eb + s[b];
        rb = mb * rb - r[b];
        sg = -mg * eg + s[g];
        rg = mg * rg - r[g];
        sh = -mh * eh + s[h];
        rh = mh * rh - r[h];
        chain_sum_next(d, w);
    }
    /* a = b and g = h: the eliminations meet. The terms from both sides are added, and the entry that both
     * started from is counted once. */
    sa -= s[a] - sb;
    ra += r[a] + rb;
    sh -= s[h] - sg;
    rh += r[h] + rg;
    double xa = 1 / sa, xh = 1 / sh, ka = fb * xa, kh = fg * xh;
    double pz = ((kh * rh + (ka * ra + rz)) + qz) / ((-kh * fg + (-ka * fb + sz)) - tz);
    double pa = ka * pz + ra * xa, ph = kh * pz + rh * xh, pb = pa, pg = ph;
    p[z] = pz;
    p[a] = pa;
    p[h] = ph;
    for (size_t k = 0; k < steps; k++) {
        a--;
        b++;
        g--;
        h++;
        pa = e[a] * pa + r[a];
        pb = e[b - 1] * pb + (s[b] * pz + r[b]);
        pg = e[g] * pg + (s[g] * pz + r[g]);
        ph = e[h - 1] * ph + r[h];
        p[a] = pa;
        p[b] = pb;
        p[g] = pg;
        p[h] = ph;
    }
    while (a-- > 0)
        p[a] = pa = e[a] * pa + r[a];
}

/* w: NULL, or what is computed meanwhile. */
INLINE void rk4_eliminate(const size_t d, const ph_chain_pulls *c, chain_ahead *w)
{
    if (c->n < PH_CHAIN_FOUR_ENDS)
        rk4_eliminate_two(d, c, w);
    else
        rk4_eliminate_four(d, c, w);
}

#endif
