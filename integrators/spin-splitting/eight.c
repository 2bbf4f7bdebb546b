/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of eight systems at once (polhode/ensemble.h), as of one system with eight times as many spins: spin i of system m
 * is number 8 i + m, and so are their places. Bonds are those of each system, so that a class is in runs of eight places,
 * which the kernels turn in vectors. Nothing is between systems, and what a lane computes does not depend on the others:
 * each gets the bits that it gets alone. Pairs of `all_pairs` are listed, the rounds of the tournament as classes.
 *
 * Where a step fails, or the plans of these systems are not of one form, they are stepped one by one. */
#include "splitting.h"

#include <math.h>
#include <string.h>

enum { EIGHT_AT_ONCE = PH_METHOD_LANES };
/* Of more spins, a system has vectors of its own. */
enum { MOST_SPINS = 20 };
_Static_assert(EIGHT_AT_ONCE *MOST_SPINS <= PH_TURNED_TIGHT, "components follow each other");

typedef struct eight {
    ph_spins is; /* of all */
    ph_bonds *bonds;
    ph_anisotropy *anisotropies;
    uint32_t *first, *second; /* (listed) of the bonds, with ... */
    double *c;                /* (listed) */
    size_t *begin;            /* (classes + groups) */
    double *K, *field, *strengths;
    uint32_t *place; /* (8n) */
    bool together;   /* else they are stepped one by one */
    ph_spin_splitting *whole, *one[EIGHT_AT_ONCE];
    double *numbers; /* (48n) in a step */
    double *own;     /* (6n) of one system */
} eight;

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Of one system: the bonds of a group and its classes, once it is a list. */
static size_t bonds_of(const ph_spins *is, const ph_bonds *b)
{
    return b->all_pairs ? is->n * (is->n - 1) / 2 : b->n;
}

static ph_spin_splitting *lay_plan(const ph_spin_sizes *sizes, ph_lay *l)
{
    ph_spin_splitting counted, *plan = l->base ? (void *)(l->base + l->bytes) : &counted;
    ph_spin_splitting_lay(plan, sizes, l);
    return l->base ? plan : NULL;
}

/* What is needed does not depend on numbers, only on what there is. */
static void lay(eight *w, const ph_spins *is, ph_lay *l)
{
    const size_t all = EIGHT_AT_ONCE * is->n;
    ph_spin_sizes one = ph_spin_splitting_sizes(is), whole = one;
    size_t listed = 0, begins = 0;
    ph_lay_bytes(l, sizeof *w);
    whole.n = all;
    whole.copy = one.copy = false;
    whole.listed = whole.sweeps = 0;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        listed += EIGHT_AT_ONCE * bonds_of(is, b);
        begins += b->colours + 1;
        if (b->kind == PH_BOND_AXIAL)
            continue;
        whole.listed += EIGHT_AT_ONCE * bonds_of(is, b);
        whole.sweeps += b->colours;
    }
    whole.differing = whole.listed;
    w->bonds = ph_lay_bytes(l, is->n_bonds * sizeof *w->bonds);
    w->anisotropies = ph_lay_bytes(l, is->n_anisotropies * sizeof *w->anisotropies);
    w->first = ph_lay_bytes(l, listed * sizeof *w->first);
    w->second = ph_lay_bytes(l, listed * sizeof *w->second);
    w->c = ph_lay_doubles(l, listed);
    w->begin = ph_lay_bytes(l, begins * sizeof *w->begin);
    w->K = ph_lay_doubles(l, all * is->n_anisotropies);
    w->field = is->field ? ph_lay_doubles(l, 3 * all) : NULL;
    w->strengths = is->strengths ? ph_lay_doubles(l, all) : NULL;
    w->place = ph_lay_bytes(l, all * sizeof *w->place);
    w->numbers = ph_lay_line(l, 6 * all * sizeof *w->numbers);
    w->own = ph_lay_doubles(l, 6 * is->n);
    one.differing = one.listed;
    for (size_t m = 0; m < EIGHT_AT_ONCE; m++)
        w->one[m] = lay_plan(&one, l);
    w->whole = lay_plan(&whole, l);
}

static ph_method_size eight_size(const ph_system *system, const double *values)
{
    const ph_spins *is = ph_system_spins(system);
    eight counted;
    ph_lay l = {NULL, 0};
    (void)values;
    lay(&counted, is, &l);
    return (ph_method_size){.work = l.bytes, .carry = 6 * EIGHT_AT_ONCE * is->n};
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static const ph_system *system_of(const ph_context *context, size_t m)
{
    return context->systems ? context->systems[m] : context->system;
}

/* Have both the same parts, but for coefficients? */
static bool are_alike(const ph_spins *a, const ph_spins *b)
{
    bool yes = a->n == b->n && a->n_bonds == b->n_bonds && a->n_anisotropies == b->n_anisotropies &&
               !a->field == !b->field && !a->strengths == !b->strengths;
    for (size_t g = 0; yes && g < a->n_bonds; g++) {
        const ph_bonds *x = &a->bonds[g], *y = &b->bonds[g];
        yes = x->kind == y->kind && x->all_pairs == y->all_pairs && x->n == y->n &&
              x->colours == y->colours && x->core == y->core && !memcmp(x->axis, y->axis, sizeof x->axis) &&
              (x->all_pairs || (!memcmp(x->first, y->first, x->n * sizeof *x->first) &&
                                !memcmp(x->second, y->second, x->n * sizeof *x->second) &&
                                !memcmp(x->begin, y->begin, (x->colours + 1) * sizeof *x->begin)));
    }
    for (size_t g = 0; yes && g < a->n_anisotropies; g++)
        yes = !memcmp(a->anisotropies[g].axis, b->anisotropies[g].axis, sizeof a->anisotropies[g].axis);
    return yes;
}

/* first, second <- the pairs of a round of the tournament of n spins, as turns.h has them; returns how many. */
static size_t pairs_of_round(size_t n, size_t round, uint32_t *first, uint32_t *second)
{
    const size_t M = n + n % 2 - 1;
    size_t used = 0;
    for (size_t m = 1; 2 * m < M; m++) {
        const size_t i = (round + m) % M, j = (round + M - m) % M;
        first[used] = (uint32_t)(i < j ? i : j);
        second[used++] = (uint32_t)(i < j ? j : i);
    }
    if (n % 2 == 0) {
        first[used] = (uint32_t)round;
        second[used++] = (uint32_t)(n - 1);
    }
    return used;
}

/* The bonds of group g of all systems. first, second, c, begin: where they go. */
static ph_bonds join_bonds(const ph_spins *const *is, size_t g, uint32_t *first, uint32_t *second, double *c,
                           size_t *begin)
{
    const ph_bonds *b = &is[0]->bonds[g];
    uint32_t i[MOST_SPINS], j[MOST_SPINS];
    ph_bonds to = *b;
    to.all_pairs = to.uniform = false;
    to.n = 0;
    to.first = first, to.second = second, to.c = c, to.begin = begin;
    for (size_t k = 0; k < b->colours; k++) {
        size_t n = b->all_pairs ? pairs_of_round(is[0]->n, k, i, j) : b->begin[k + 1] - b->begin[k];
        begin[k] = to.n;
        for (size_t at = 0; at < n; at++)
            for (size_t m = 0; m < EIGHT_AT_ONCE; m++, to.n++) {
                const ph_bonds *own = &is[m]->bonds[g];
                const size_t bond = b->all_pairs ? 0 : b->begin[k] + at;
                first[to.n] = (uint32_t)(EIGHT_AT_ONCE * (b->all_pairs ? i[at] : b->first[bond]) + m);
                second[to.n] = (uint32_t)(EIGHT_AT_ONCE * (b->all_pairs ? j[at] : b->second[bond]) + m);
                c[to.n] = own->c[own->uniform ? 0 : bond];
            }
    }
    begin[b->colours] = to.n;
    return to;
}

/* One coefficient for all is faster than equal ones. */
static bool all_equal(const double *c, size_t n)
{
    size_t k = 1;
    while (k < n && c[k] == c[0])
        k++;
    return k >= n;
}

/* w->is <- all systems in one. */
static void join(eight *w, const ph_spins *const *is)
{
    const size_t n = is[0]->n, all = EIGHT_AT_ONCE * n;
    uint32_t *first = w->first, *second = w->second;
    size_t *begin = w->begin;
    double *c = w->c;
    w->is = (ph_spins){.n = all,
                       .bonds = w->bonds,
                       .n_bonds = is[0]->n_bonds,
                       .anisotropies = w->anisotropies,
                       .n_anisotropies = is[0]->n_anisotropies,
                       .field = w->field,
                       .strengths = w->strengths};
    for (size_t g = 0; g < w->is.n_bonds; g++) {
        w->bonds[g] = join_bonds(is, g, first, second, c, begin);
        w->bonds[g].uniform = all_equal(c, w->bonds[g].n);
        first += w->bonds[g].n, second += w->bonds[g].n, c += w->bonds[g].n;
        begin += w->bonds[g].colours + 1;
    }
    for (size_t k = 0; k < all; k++) {
        const size_t i = k / EIGHT_AT_ONCE;
        const ph_spins *own = is[k % EIGHT_AT_ONCE];
        for (size_t g = 0; g < own->n_anisotropies; g++)
            w->K[all * g + k] = own->anisotropies[g].K[own->anisotropies[g].uniform ? 0 : i];
        if (own->strengths)
            w->strengths[k] = own->strengths[i];
        for (size_t a = 0; own->field && a < 3; a++)
            w->field[3 * k + a] = own->field[(own->field_is_uniform ? 0 : 3 * i) + a];
        w->place[k] = (uint32_t)(EIGHT_AT_ONCE * w->one[0]->place[i] + k % EIGHT_AT_ONCE);
    }
    for (size_t g = 0; g < w->is.n_anisotropies; g++) {
        w->anisotropies[g] = is[0]->anisotropies[g];
        w->anisotropies[g].K = w->K + all * g;
        w->anisotropies[g].uniform = false;
    }
    w->is.field_is_uniform = false;
}

/* Is a plan of the form of the whole one? And do the turns of its classes correct lengths where those of the whole do? The
 * whole takes that from the first one. */
static bool fits(const eight *w, const ph_spin_splitting *one, bool is_first)
{
    const ph_spin_splitting *whole = w->whole;
    bool yes = whole->n_families == one->n_families && whole->field == one->field &&
               whole->elements == one->elements && whole->alike == one->alike &&
               whole->correcting == one->correcting;
    for (size_t f = 0; yes && f < one->n_families; f++)
        yes = whole->families[f].field == one->families[f].field &&
              !memcmp(whole->families[f].axis, one->families[f].axis, sizeof one->families[f].axis);
    ph_sweep *own = whole->sweeps;
    for (size_t k = 0; yes && k < one->n_sweeps; k++)
        for (size_t r = 0; r < one->sweeps[k].rounds; r++, own++) {
            if (is_first)
                own->strong = one->sweeps[k].strong;
            yes = yes && own->strong == one->sweeps[k].strong;
        }
    return yes;
}

static ph_status eight_init(ph_context *context)
{
    eight *w = context->work;
    const ph_spins *is[EIGHT_AT_ONCE];
    ph_lay l = {context->work, 0};
    ph_status status = PH_OK;
    lay(w, ph_system_spins(context->system), &l);
    w->together = true;
    for (size_t m = 0; m < EIGHT_AT_ONCE && !status; m++) {
        is[m] = ph_system_spins(system_of(context, m));
        w->together = w->together && are_alike(is[0], is[m]);
        if (m > 0 && is[m] == is[m - 1])
            w->one[m] = w->one[m - 1];
        else
            status = ph_spin_splitting_prepare(w->one[m], is[m], NULL, context);
    }
    if (status || !w->together)
        return status;
    join(w, is);
    status = ph_spin_splitting_prepare(w->whole, &w->is, w->place, context);
    for (size_t m = 0; m < EIGHT_AT_ONCE; m++)
        w->together = w->together && fits(w, w->one[m], m == 0);
    return status;
}

/* ---- A step ------------------------------------------------------------------------------------------------------ */

/* numbers <- the spins as they are kept, from z where the carry is empty. */
static void begin(const eight *w, const ph_state *state, double *numbers)
{
    const ph_spin_splitting *one = w->one[0];
    const size_t n = one->n, all = EIGHT_AT_ONCE * n;
    if (state->carry[0] != 0) {
        if (numbers != state->carry)
            memcpy(numbers, state->carry, 6 * all * sizeof *numbers);
        return;
    }
    for (size_t k = 0; k < 3 * all; k++) {
        const size_t m = k % EIGHT_AT_ONCE, i = k / EIGHT_AT_ONCE / 3, a = k / EIGHT_AT_ONCE % 3,
                     at = a * all + EIGHT_AT_ONCE * w->one[m]->place[i] + m;
        ph_turned_split(state->z[k], &numbers[at], &numbers[3 * all + at]);
    }
}

/* Each system by itself. */
static ph_status step_each(const eight *w, const ph_context *context, const ph_state *state)
{
    const size_t n = 6 * w->one[0]->n;
    ph_status status = PH_OK;
    ph_error later;
    for (size_t m = 0; m < EIGHT_AT_ONCE; m++) {
        ph_context own = *context;
        own.system = system_of(context, m);
        own.error = status ? &later : context->error; /* the first one's is reported */
        for (size_t k = 0; k < n; k++)
            w->own[k] = w->numbers[EIGHT_AT_ONCE * k + m];
        const ph_status failed = ph_spin_splitting_advance(w->one[m], &own, state, w->own);
        for (size_t k = 0; k < n; k++)
            w->numbers[EIGHT_AT_ONCE * k + m] = w->own[k];
        status = status ? status : failed;
        if (failed && failed == status && context->failed) /* others at the next call, without these */
            *context->failed |= 1u << m;
    }
    return status;
}

static ph_status eight_step(ph_context *context, ph_state *state)
{
    const eight *w = context->work;
    const bool in_place = w->together && !w->whole->fallible;
    double *numbers = in_place ? state->carry : w->numbers;
    begin(w, state, numbers);
    ph_status status =
        w->together ? ph_spin_splitting_advance(w->whole, context, state, numbers) : PH_E_UNSUPPORTED;
    if (in_place)
        return PH_OK; /* nothing can fail */
    if (status) {
        begin(w, state, numbers);
        status = step_each(w, context, state);
    }
    if (!status)
        memcpy(state->carry, numbers, state->ncarry * sizeof *numbers);
    return status;
}

static void eight_synchronise(ph_context *context, ph_state *state)
{
    const eight *w = context->work;
    const size_t all = EIGHT_AT_ONCE * w->one[0]->n;
    for (size_t k = 0; k < 3 * all; k++) {
        const size_t m = k % EIGHT_AT_ONCE, i = k / EIGHT_AT_ONCE / 3, a = k / EIGHT_AT_ONCE % 3,
                     at = a * all + EIGHT_AT_ONCE * w->one[m]->place[i] + m;
        state->z[k] = ph_turned_value(state->carry[at], state->carry[3 * all + at]);
    }
}

/* Few spins whose energy is without callbacks; pairs of `all_pairs` along an axis are no bonds of one by one. */
const ph_method *ph_spin_splitting_eight(const ph_system *system, const double *options)
{
    static const ph_method method = {.name = "spin-splitting",
                                     .size = eight_size,
                                     .init = eight_init,
                                     .step = eight_step,
                                     .synchronise = eight_synchronise,
                                     .takes_systems = true};
    const ph_spins *is = ph_system_spins(system);
    bool yes = is->n <= MOST_SPINS && !is->control;
    (void)options;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        yes = yes && b->kind != PH_BOND_FUNCTION &&
              !(b->all_pairs && (b->kind == PH_BOND_AXIAL || b->kind == PH_BOND_TWIST));
    }
    return yes ? &method : NULL;
}
