/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of `spin-splitting` share: spins as structure of arrays with low-order parts, the plan of a
 * step, which is fixed with the system, and the elements that a step is composed of.
 *
 * A component s is kept as two numbers, high and low, s = (high - 3) + low. As high is in [2, 4], what it loses in
 * a sum is found by two operations, exactly, and gathered in low, some 1e-16. */
#ifndef PH_INTEGRATORS_SPIN_SPLITTING_H
#define PH_INTEGRATORS_SPIN_SPLITTING_H

#include <polhode/domain/spins.h>
#include <polhode/kit/memory.h>
#include <polhode/method.h>

#include "integrators/shared/lanes.h"

#define BIAS 3.0

/* Components of so many spins follow each other without a gap. */
enum { PH_TURNED_TIGHT = 512 };

/* Positions of the options. */
enum { PH_SPIN_SPLITTING_ORDER, PH_SPIN_SPLITTING_OPTIONS };

/* Spins by their places in the plan (ph_spin_splitting): x, y, z of all, one after the other. */
typedef struct ph_turned {
    double *high[3], *low[3]; /* (n) each, at a distance of ph_turned_stride */
} ph_turned;

/* Bonds whose spins are next to each other: first, first + 1, ... with second, second + 1, ... */
typedef struct ph_run {
    uint32_t first, second; /* places */
    uint32_t
        count; /* 3 or more; what follows in both up to a multiple of 8 are other spins, or there are no more */
    uint32_t bond; /* where their coefficients begin, unless there is one for all */
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
typedef struct ph_spin_splitting {
    const ph_spins *is;
    size_t n;
    enum { PLAIN, WIDE, EIGHT } kernel; /* which run */
    bool alike;                         /* are all strengths equal? */
    bool fallible;                      /* may a step fail? Then it is made in a copy. */
    bool field;                         /* is there an element for the field? */
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
    double *copy; /* (6 strides) of a step that may fail */
} ph_spin_splitting;

/* How much is in a plan. */
typedef struct ph_spin_sizes {
    size_t n, groups;                 /* spins; groups of bonds and of anisotropies */
    size_t sweeps, listed, differing; /* classes; bonds in lists; those with coefficients of their own */
    bool copy;                        /* is a step made in a copy? */
} ph_spin_sizes;

ph_spin_sizes ph_spin_splitting_sizes(const ph_spins *is);
/* The scratch laid out; w->... are set where there is memory. */
void ph_spin_splitting_lay(ph_spin_splitting *w, const ph_spin_sizes *sizes, ph_lay *l);
/* Fills in the plan of these spins for steps of context->h, in scratch that was laid out. place (n): where each spin is
 * kept; NULL: in halves. PH_E_RANGE (h). */
ph_status ph_spin_splitting_prepare(ph_spin_splitting *w, const ph_spins *is, const uint32_t *place,
                                    const ph_context *context);
/* The composition that options ask for; NULL: one stage. */
const struct ph_composition *ph_spin_splitting_composition(const double *values);
/* numbers (6 ph_turned_stride; ph_turned_at) <- a step from state->t, as number state->k. On failure they are undefined. */
ph_status ph_spin_splitting_advance(const ph_spin_splitting *w, const ph_context *context,
                                    const ph_state *state, double *numbers);

/* The same of eight systems at once: `lanes` of the method. */
const ph_method *ph_spin_splitting_eight(const ph_system *system, const double *options);
/* a <- the direction of an axis; result: its length. */
double ph_spin_splitting_axis(const double *axis, double *a);
/* Are these directions, of length 1, the same but for their sign? */
bool ph_spin_splitting_parallel(const double *a, const double *b);

/* What an element is applied with. */
typedef struct ph_turning {
    const ph_context *context;
    const ph_spin_splitting *w;
    ph_turned s;
    double h;     /* of the element [s] */
    double t;     /* middle of the stage [s] */
    bool correct; /* lengths, too */
    ph_status status;
} ph_turning;

/* Round `round` of a sweep; sets status where a callback fails or vortices have met. */
void ph_spin_splitting_turn_pairs(ph_turning *x, const ph_sweep *sweep, size_t round);
/* A family, exactly: every spin about its axis. */
void ph_spin_splitting_turn_family(ph_turning *x, const ph_family *family);
/* The static field, unless it is in a family, and the control at x->t, exactly. */
void ph_spin_splitting_turn_field(ph_turning *x);
/* Lengths of bare spins. */
void ph_spin_splitting_correct(ph_turning *x);

/* A number as it is kept. */
static inline void ph_turned_split(double z, double *high, double *low)
{
    *high = BIAS + z;
    *low = z - (*high - BIAS);
}

static inline double ph_turned_value(double high, double low)
{
    return (high - BIAS) + low;
}

/* From a component to the next: that of many spins is not at the same place of a page in all six, and of both halves, for which a cache
 * has too few lines: a lattice of 16^3 took 1.7 times as long. */
static inline size_t ph_turned_stride(size_t n)
{
    enum { PAGE = 512, APART = 88 };
    return n <= PH_TURNED_TIGHT ? n : (n + PAGE - APART - 1) / PAGE * PAGE + APART;
}

static inline ph_turned ph_turned_at(double *numbers, size_t n)
{
    const size_t k = ph_turned_stride(n);
    return (ph_turned){{numbers, numbers + k, numbers + 2 * k},
                       {numbers + 3 * k, numbers + 4 * k, numbers + 5 * k}};
}

#endif
