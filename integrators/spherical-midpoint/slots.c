/* SPDX-License-Identifier: BSD-3-Clause */
/* The slots of spins that are relaxed (relax.c), in which order these are taken, and their neighbours. The spins of one half have slots
 * before those of the other, each half in the order of the system: on lattices the neighbours of four spins in a row are most often
 * four in a row. All of one half come first: where a half begins before the other ends, which saves memory traffic, a bond that closes
 * a lattice connects spins in another order than the rest, and a step needs two passes more. */
#include "integrators/shared/spin-halves.h"
#include "relax.h"

#include <stdlib.h>
#include <string.h>

/* Neighbours of so many are looked through for those that are in order. */
enum { MOST_BONDS = 1 << 28, MOST_SEARCHED = 64 };

bool ph_midpoint_relax_suits(const ph_system *system, bool ambient)
{
    const ph_spins *is = ph_system_spins(system);
    bool yes = is->n > PH_MIDPOINT_FEW && !ambient && ph_spins_are_declared(system);
    for (size_t g = 0; g < is->n_bonds; g++)
        yes = yes && !is->bonds[g].all_pairs && is->bonds[g].n < MOST_BONDS &&
              is->bonds[g].kind != PH_BOND_VORTICES && is->bonds[g].kind != PH_BOND_FUNCTION;
    return yes;
}

static bool is_weighted(const ph_bonds *b)
{
    return !b->uniform || b->kind == PH_BOND_TWIST;
}

/* At most: each half ends in a separate four. */
static size_t fours_of(const ph_spins *is)
{
    return is->n / LANES + 2;
}

/* Words of a group, at most: five for four neighbours and for those that lack, or four and one for each. */
static size_t words_of(const ph_spins *is, const ph_bonds *b)
{
    return (b->n + 1) / 2 * 5 + 5 * fours_of(is);
}

/* Numbers of each component: beyond a page not at the same place in all, where caches would have too few ways for them. */
static size_t stride_of(const ph_spins *is)
{
    enum { PAGE = 512, APART = 168 };
    const size_t n = LANES * (fours_of(is) + 1);
    return n < PAGE ? n : (n + PAGE - APART - 1) / PAGE * PAGE + APART;
}

void ph_midpoint_relax_place(ph_midpoint_relaxation *r, const ph_spins *is, ph_lay *l)
{
    const size_t fours = fours_of(is), stride = r->stride = stride_of(is);
    size_t words = 0, weights = 0;
    for (size_t g = 0; g < is->n_bonds; g++) {
        words += words_of(is, &is->bonds[g]);
        weights += is_weighted(&is->bonds[g]) ? 2 * is->bonds[g].n + LANES * fours : 0;
    }
    r->group = ph_lay_bytes(l, is->n_bonds * sizeof *r->group);
    r->begin = ph_lay_bytes(l, is->n_bonds * fours * sizeof *r->begin);
    r->degree = ph_lay_bytes(l, is->n_bonds * fours * sizeof *r->degree);
    r->weight_at = ph_lay_bytes(l, is->n_bonds * fours * sizeof *r->weight_at);
    r->word = ph_lay_bytes(l, words * sizeof *r->word);
    r->weight = ph_lay_doubles(l, weights);
    r->spin = ph_lay_bytes(l, LANES * fours * sizeof *r->spin);
    r->slot = ph_lay_bytes(l, is->n * sizeof *r->slot);
    r->m = ph_lay_line(l, 3 * stride * sizeof *r->m);
    r->s = ph_lay_line(l, 3 * stride * sizeof *r->s);
    r->B = is->field || is->control ? ph_lay_line(l, 3 * stride * sizeof *r->B) : NULL;
    r->inverse = is->strengths ? ph_lay_line(l, stride * sizeof *r->inverse) : NULL;
    r->K = ph_lay_line(l, is->n_anisotropies * stride * sizeof *r->K);
    r->lambda = is->damping ? ph_lay_line(l, stride * sizeof *r->lambda) : NULL;
}

/* ---- The order --------------------------------------------------------------------------------------------------- */

/* spin, slot, fours, half <- the order, with room for what halves need. The last four of a half are filled up with spin n, which does
 * not exist: it has no neighbours. */
static void put_in_order(ph_midpoint_relaxation *r, const ph_spins *is, uint32_t *parent, unsigned char *room)
{
    const size_t n = is->n;
    const unsigned char *half = room + 2 * n;
    size_t slot = 0;
    ph_spin_halves(is, true, parent, room, room + 2 * n);
    for (size_t m = 0; m < 2; m++) {
        r->half[m] = slot / LANES;
        for (size_t i = 0; i < n; i++)
            if (half[i] == m) {
                r->spin[slot] = 3 * (uint32_t)i;
                r->slot[i] = (uint32_t)slot++;
            }
        while (slot % LANES)
            r->spin[slot++] = 3 * (uint32_t)n;
    }
    r->fours = r->half[2] = slot / LANES;
}

/* ---- Neighbours -------------------------------------------------------------------------------------------------- */

typedef struct neighbour {
    uint32_t slot;
    double c;
} neighbour;

/* begin (slots + 1), list <- those of each slot. Of a twist the spins differ: c a . (s x r) = c s . (r x a) = -c r . (s x a). */
static void list_neighbours(const ph_midpoint_relaxation *r, const ph_bonds *b, uint32_t *begin,
                            neighbour *list)
{
    const size_t slots = LANES * r->fours;
    memset(begin, 0, (slots + 1) * sizeof *begin);
    for (size_t k = 0; k < b->n; k++) {
        begin[r->slot[b->first[k]]]++;
        begin[r->slot[b->second[k]]]++;
    }
    for (size_t k = 0, sum = 0; k <= slots; k++) { /* where each ends */
        sum += begin[k];
        begin[k] = (uint32_t)sum;
    }
    for (size_t k = b->n; k-- > 0;) {
        const uint32_t own = r->slot[b->first[k]], back = r->slot[b->second[k]];
        const double c = b->c[b->uniform ? 0 : k];
        list[--begin[own]] = (neighbour){back, c};
        list[--begin[back]] = (neighbour){own, b->kind == PH_BOND_TWIST ? -c : c};
    }
}

/* Brings neighbours of the last three that are in order with number k of the first to the same place. false: one has none. */
static bool align(neighbour *const *of, const size_t *n, size_t k)
{
    size_t found[LANES] = {k};
    for (size_t l = 1; l < LANES; l++) {
        for (found[l] = k; found[l] < n[l] && of[l][found[l]].slot != of[0][k].slot + l;)
            found[l]++;
        if (found[l] == n[l])
            return false;
    }
    for (size_t l = 1; l < LANES; l++) {
        const neighbour kept = of[l][k];
        of[l][k] = of[l][found[l]];
        of[l][found[l]] = kept;
    }
    return true;
}

/* Those that are in order first. Returns how many. */
static size_t align_all(neighbour *const *of, const size_t *n)
{
    size_t aligned = 0;
    for (size_t k = 0; k < n[0] && n[0] <= MOST_SEARCHED; k++) {
        const neighbour kept = of[0][aligned];
        of[0][aligned] = of[0][k];
        of[0][k] = kept;
        if (align(of, n, aligned))
            aligned++;
    }
    return aligned;
}

/* word, weight <- the neighbours of four spins, n of each; returns `degree` of these; the pointers are moved on. */
static uint32_t put_neighbours(neighbour *const *of, const size_t *n, uint32_t none, uint32_t **word,
                               double **weight)
{
    uint32_t *w = *word;
    double *c = *weight;
    size_t most = 0, sum = 0;
    for (size_t l = 0; l < LANES; l++) {
        most = n[l] > most ? n[l] : most;
        sum += n[l];
    }
    const bool alike = LANES * most <= sum + LANES;
    const size_t aligned = alike ? align_all(of, n) : 0;
    for (size_t k = 0; alike && k < most; k++) {
        *w++ = k < aligned ? of[0][k].slot : BROKEN;
        for (size_t l = 0; l < LANES; l++) {
            const neighbour one = k < n[l] ? of[l][k] : (neighbour){none, 0};
            *c++ = one.c;
            if (k >= aligned)
                *w++ = one.slot;
        }
    }
    for (size_t l = 0; l < LANES && !alike; l++)
        *w++ = (uint32_t)n[l];
    for (size_t l = 0; l < LANES && !alike; l++)
        for (size_t k = 0; k < n[l]; k++) {
            *w++ = of[l][k].slot;
            *c++ = of[l][k].c;
        }
    *word = w;
    *weight = c;
    return alike ? (uint32_t)most : DIFFERENT;
}

/* begin (slots + 1), list, spare (weights that are not kept): room */
static void put_group(ph_midpoint_relaxation *r, size_t g, const ph_bonds *b, uint32_t *begin,
                      neighbour *list, double *spare, uint32_t **word, double **weight)
{
    const size_t fours = r->fours;
    uint32_t *at = r->begin + g * fours, *degree = r->degree + g * fours,
             *weight_at = r->weight_at + g * fours;
    const bool weighted = is_weighted(b);
    r->group[g] = (ph_midpoint_group){.kind = b->kind,
                                      .axis = {b->axis[0], b->axis[1], b->axis[2]},
                                      .c = b->c[0],
                                      .begin = at,
                                      .degree = degree,
                                      .word = *word,
                                      .weight_at = weight_at,
                                      .weight = weighted ? *weight : NULL};
    list_neighbours(r, b, begin, list);
    for (size_t f = 0; f < fours; f++) {
        neighbour *of[LANES];
        size_t n[LANES];
        double *unused = spare, **to = weighted ? weight : &unused;
        for (size_t l = 0; l < LANES; l++) {
            of[l] = list + begin[LANES * f + l];
            n[l] = begin[LANES * f + l + 1] - begin[LANES * f + l];
        }
        at[f] = (uint32_t)(*word - r->group[g].word);
        weight_at[f] = weighted ? (uint32_t)(*to - r->group[g].weight) : 0;
        degree[f] = put_neighbours(of, n, LANES * (uint32_t)fours, word, to);
    }
}

/* numbers (stride) <- by slots; those of no spin are `none`. */
static void put_numbers(const ph_midpoint_relaxation *r, size_t n, const double *of, bool uniform,
                        double none, double *numbers)
{
    for (size_t k = 0; k < LANES * r->fours; k++) {
        const size_t i = r->spin[k] / 3;
        numbers[k] = i < n ? of[uniform ? 0 : i] : none;
    }
}

void ph_midpoint_relax_field(const ph_midpoint_relaxation *r, const ph_spins *is, const double *control)
{
    for (size_t k = 0; k < LANES * r->fours && r->B; k++)
        for (size_t a = 0; a < 3; a++) {
            const size_t i = r->spin[k] / 3;
            r->B[a * r->stride + k] =
                i == is->n ? 0
                           : (is->field ? is->field[(is->field_is_uniform ? 0 : 3 * i) + a] : 0) +
                                 (is->moments ? is->moments[i] : 1) * control[a];
        }
}

ph_status ph_midpoint_relax_prepare(ph_midpoint_relaxation *r, const ph_spins *is, const double *inverse,
                                    ph_error *err)
{
    size_t bonds = 0;
    for (size_t g = 0; g < is->n_bonds; g++)
        bonds = is->bonds[g].n > bonds ? is->bonds[g].n : bonds;
    const size_t slots = LANES * fours_of(is);
    neighbour *list = malloc((2 * bonds + 1) * sizeof *list);
    double *spare = malloc((2 * bonds + LANES) * sizeof *spare);
    uint32_t *begin = malloc((slots + 1) * sizeof *begin), *word = r->word;
    unsigned char *room = malloc(3 * is->n);
    double *weight = r->weight;
    const bool enough = list && spare && begin && room;
    if (enough) {
        put_in_order(r, is, begin, room);
        for (size_t g = 0; g < is->n_bonds; g++)
            put_group(r, g, &is->bonds[g], begin, list, spare, &word, &weight);
        memset(r->m, 0, 3 * r->stride * sizeof *r->m);
        ph_midpoint_relax_field(r, is, (const double[3]){0, 0, 0});
        if (r->inverse)
            put_numbers(r, is->n, inverse, false, 1, r->inverse);
        for (size_t m = 0; m < is->n_anisotropies; m++)
            put_numbers(r, is->n, is->anisotropies[m].K, is->anisotropies[m].uniform, 0,
                        r->K + m * r->stride);
        if (r->lambda)
            put_numbers(r, is->n, is->damping, false, 0, r->lambda);
    }
    r->is_simple = is->n_bonds == 1 && !is_weighted(&is->bonds[0]) && is->bonds[0].kind == PH_BOND_EXCHANGE &&
                   !r->B && !r->inverse && !r->lambda && !is->n_anisotropies;
    free(list);
    free(spare);
    free(begin);
    free(room);
    return enough ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "no memory for the neighbours of %zu spins", is->n);
}
