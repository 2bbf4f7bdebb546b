/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of `spin-splitting` share: spins as structure of arrays with low-order parts, the plan of a
 * step, which is fixed with the system, and the elements that a step is composed of.
 *
 * A component s is kept as two numbers, high and low, s = (high - 3) + low. As high is in [2, 4], what it loses in
 * a sum is found by two operations, exactly, and gathered in low, some 1e-16. */
#ifndef PH_INTEGRATORS_SPIN_SPLITTING_H
#define PH_INTEGRATORS_SPIN_SPLITTING_H

#include <polhode/memory.h>
#include <polhode/method.h>
#include <polhode/spins.h>

#include "integrators/shared/lanes.h"

#define BIAS 3.0

/* Spins by their places in the plan (ph_splitting): x, y, z of all, one after the other. */
typedef struct ph_turned {
    double *high[3], *low[3]; /* (n) each */
} ph_turned;

/* Bonds whose spins are next to each other: first, first + 1, ... with second, second + 1, ... */
typedef struct ph_run {
    uint32_t first, second; /* places */
    uint32_t count;         /* a multiple of LANES */
    uint32_t bond;          /* where their coefficients begin, unless there is one for all */
} ph_run;

/* One class of bonds that turn in pairs: of exchange, twist, vortices or a function. */
typedef struct ph_sweep {
    const ph_bonds *bonds; /* the group */
    size_t group;          /* its number */
    size_t rounds;         /* of all pairs: the rounds of a tournament, which are classes; else 1 */
    const ph_run *runs;    /* (n_runs) */
    size_t n_runs;
    const uint32_t *first, *second; /* (n_singles) places of bonds that are in no run */
    size_t n_singles;
    const double *c; /* coefficients, those of runs, then those of singles; or one for all */
    bool uniform;    /* one for all */
    bool strong;     /* are lengths corrected in each of its turns? */
} ph_sweep;

/* Parts of the energy along one axis a, of u_i = a . s_i alone: they commute. */
typedef struct ph_axial_term {
    const ph_bonds *bonds;     /* -scale c u_i u_j; or NULL */
    const ph_anisotropy *easy; /* -scale K u_i^2; or NULL */
    double scale;
} ph_axial_term;

typedef struct ph_family {
    double axis[3];             /* a, of length 1 to rounding */
    const ph_axial_term *terms; /* (n_terms) */
    size_t n_terms;
    bool field; /* is the static field along a? Then -(a . B_i) u_i, too. */
} ph_family;

/* The scratch. Elements of a step: families, the field, sweeps; the last one is applied at full h, those before
 * it for half of h on both sides. */
typedef struct ph_splitting {
    const ph_spins *is;
    size_t n;
    bool wide;     /* do wide kernels run? */
    bool alike;    /* are all strengths equal? */
    bool fallible; /* may a step fail? Then it is made in a copy. */
    bool field;    /* is there an element for the field? */
    ph_sweep *sweeps;
    size_t n_sweeps;
    ph_family *families;
    ph_axial_term *terms;
    size_t n_families;
    size_t elements;
    size_t correcting; /* the element in which lengths are corrected by pairs; beyond the last: none */
    uint32_t *place;   /* (n) of each spin */
    uint32_t *site;    /* (n) the spin at each place */
    double *G;         /* (n) strengths by places */
    double *u, *rate;  /* (n) of families */
    uint32_t *bare;    /* (n_bare) places whose lengths are not corrected by pairs */
    size_t n_bare;
    ph_run *runs;
    uint32_t *first, *second;
    double *c;
    double *copy; /* (6n) of a step that may fail */
} ph_splitting;

/* May a step on this system fail, by a callback or where vortices meet? */
bool ph_splitting_is_fallible(const ph_spins *is);
/* The scratch laid out; w->... are set where there is memory. */
void ph_splitting_lay(ph_splitting *w, const ph_spins *is, ph_lay *l);
/* Fills in the plan for steps of h, in scratch that was laid out. */
void ph_splitting_plan(ph_splitting *w, const ph_spins *is, double h);
/* a <- the direction of an axis; result: its length. */
double ph_splitting_axis(const double *axis, double *a);
/* Are these directions, of length 1, the same but for their sign? */
bool ph_splitting_parallel(const double *a, const double *b);

/* What an element is applied with. */
typedef struct ph_turning {
    const ph_context *context;
    const ph_splitting *w;
    ph_turned s;
    double h;     /* of the element [s] */
    double t;     /* middle of the stage [s] */
    bool correct; /* lengths, too */
    ph_status status;
} ph_turning;

/* Round `round` of a sweep; sets status where a callback fails or vortices have met. */
void ph_splitting_turn_pairs(ph_turning *x, const ph_sweep *sweep, size_t round);
/* A family, exactly: every spin about its axis. */
void ph_splitting_turn_family(ph_turning *x, const ph_family *family);
/* The static field, unless it is in a family, and the control at x->t, exactly. */
void ph_splitting_turn_field(ph_turning *x);
/* Lengths of bare spins. */
void ph_splitting_correct(ph_turning *x);

static inline ph_turned ph_turned_at(double *numbers, size_t n)
{
    return (ph_turned){{numbers, numbers + n, numbers + 2 * n},
                       {numbers + 3 * n, numbers + 4 * n, numbers + 5 * n}};
}

/* ---- Four spins ----------------------------------------------------------------------------------- */

typedef struct four {
    vector high[3], low[3];
} four;

INLINE four four_from(const ph_turned *s, size_t i)
{
    four f;
    for (int a = 0; a < 3; a++) {
        f.high[a] = load(s->high[a] + i);
        f.low[a] = load(s->low[a] + i);
    }
    return f;
}

INLINE void four_to(const ph_turned *s, size_t i, const four *f)
{
    for (int a = 0; a < 3; a++) {
        store(s->high[a] + i, f->high[a]);
        store(s->low[a] + i, f->low[a]);
    }
}

/* i, i - 1, i - 2, i - 3 */
INLINE vector four_reversed(vector v)
{
    return SHUFFLE(v, v, 3, 2, 1, 0);
}

INLINE four four_back_from(const ph_turned *s, size_t i)
{
    four f = four_from(s, i - 3);
    for (int a = 0; a < 3; a++) {
        f.high[a] = four_reversed(f.high[a]);
        f.low[a] = four_reversed(f.low[a]);
    }
    return f;
}

INLINE void four_back_to(const ph_turned *s, size_t i, four *f)
{
    for (int a = 0; a < 3; a++) {
        f->high[a] = four_reversed(f->high[a]);
        f->low[a] = four_reversed(f->low[a]);
    }
    four_to(s, i - 3, f);
}

/* Numbers at up to four places; where there are fewer, the first is repeated. */
INLINE vector gathered(const double *from, const uint32_t *at, size_t count)
{
    return (vector){from[at[0]], from[at[count > 1 ? 1 : 0]], from[at[count > 2 ? 2 : 0]],
                    from[at[count > 3 ? 3 : 0]]};
}

INLINE four four_gathered(const ph_turned *s, const uint32_t *at, size_t count)
{
    four f;
    for (int a = 0; a < 3; a++) {
        f.high[a] = gathered(s->high[a], at, count);
        f.low[a] = gathered(s->low[a], at, count);
    }
    return f;
}

INLINE void four_scattered(const ph_turned *s, const uint32_t *at, size_t count, const four *f)
{
    for (int a = 0; a < 3; a++)
        for (size_t k = 0; k < count; k++) {
            s->high[a][at[k]] = f->high[a][k];
            s->low[a][at[k]] = f->low[a][k];
        }
}

/* s <- the spins themselves, in double precision. */
INLINE void four_spins(const four *f, vector *s)
{
    for (int a = 0; a < 3; a++)
        s[a] = (f->high[a] - BIAS) + f->low[a];
}

/* Component a += d, exactly but for a rounding of low, which is 1e-32. */
INLINE void four_add(four *f, int a, vector d)
{
    const vector sum = f->high[a] + d;
    f->low[a] += d - (sum - f->high[a]);
    f->high[a] = sum;
}

/* What low has gathered goes to high. */
INLINE void four_settle(four *f)
{
    for (int a = 0; a < 3; a++) {
        const vector sum = f->high[a] + f->low[a];
        f->low[a] -= sum - f->high[a];
        f->high[a] = sum;
    }
}

/* |s|^2 - 1 without cancellation. */
INLINE vector four_excess(const four *f)
{
    const vector q[3] = {f->high[0] - BIAS, f->high[1] - BIAS, f->high[2] - BIAS};
    return excess_of(q, f->low);
}

INLINE vector lanes_dot(const vector *a, const vector *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void lanes_cross(const vector *a, const vector *b, vector *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
