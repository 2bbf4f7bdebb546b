/* SPDX-License-Identifier: BSD-3-Clause */
/* Torques of eight systems of spins at once, of energies that are declared by parts (polhode/kit/lanes.h). The terms of a spin
 * are those of lib/spins/energy.c in the same order: lists of pairs, neighbours, field, anisotropies. */
#include <polhode/kit/lanes.h>
#include <polhode/kit/memory.h>

#include "lib/internal/lanes.h"
#include "spins.h"

#include <string.h>

enum { EIGHT = PH_METHOD_LANES };

static const double four_pi = 12.566370614359172954;

/* A group of bonds: a list of pairs, or neighbours of spins. */
typedef struct group {
    ph_bond_kind kind;
    size_t n;                             /* pairs, or neighbours of all spins together */
    bool neighbours, differences, mapped; /* as in ph_spin_runs */
    const uint32_t *first,
        *second;        /* (n) the pairs; or (spins + 1) where neighbours of a spin begin, and these (n) */
    const double *c;    /* (8 n); of neighbours NULL where they have none */
    const double *axis; /* (8 x 3) */
    const double *weight, *map; /* (8 x 3), (8 x 9) of neighbours */
    double core[EIGHT];         /* squares */
} group;

/* Arrays of numbers have eight, one of each system, in place of each. */
struct ph_lanes_spins {
    size_t n, groups, easy;
    bool wide;
    group *group;            /* (groups) */
    const double *strengths; /* (8 n) */
    const double *field;     /* (8 x 3n), or NULL */
    const double *K, *axis;  /* (easy x 8n), (easy x 8 x 3) */
};

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static size_t pairs_of(const ph_spins *is, const ph_bonds *b)
{
    return b->all_pairs ? is->n * (is->n - 1) / 2 : b->n;
}

/* What is laid out; `lanes` is set where there is memory. */
typedef struct room {
    ph_lanes_spins *lanes;
    uint32_t *spins;
    double *numbers;
} room;

static room lay(const ph_spins *is, ph_lay *l)
{
    size_t spins = 0, numbers = EIGHT * is->n * (1 + is->n_anisotropies + (is->field ? 3 : 0)) +
                                3 * EIGHT * is->n_anisotropies;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const size_t pairs = pairs_of(is, &is->bonds[g]);
        spins += 2 * pairs + is->n + 1;
        numbers += EIGHT * (2 * pairs + 12);
    }
    room r = {.lanes = ph_lay_line(l, sizeof *r.lanes)};
    group *groups = ph_lay_bytes(l, is->n_bonds * sizeof *groups);
    r.spins = ph_lay_bytes(l, spins * sizeof *r.spins);
    r.numbers = ph_lay_line(l, numbers * sizeof *r.numbers);
    if (r.lanes)
        *r.lanes =
            (ph_lanes_spins){.n = is->n, .groups = is->n_bonds, .easy = is->n_anisotropies, .group = groups};
    return r;
}

/* Of each vortex with each, blocks of spins are summed in an order of their own. */
size_t ph_lanes_spins_size(const ph_system *system)
{
    const ph_spins *is = ph_system_spins(system);
    ph_lay l = {NULL, 0};
    if (!is || !ph_spins_are_declared(system) || is->control)
        return 0;
    for (size_t g = 0; g < is->n_bonds; g++)
        if (is->bonds[g].kind == PH_BOND_FUNCTION ||
            (is->bonds[g].all_pairs && is->bonds[g].kind == PH_BOND_VORTICES))
            return 0;
    lay(is, &l);
    return l.bytes;
}

/* ---- The parts --------------------------------------------------------------------------------------------------- */

/* Have both the same parts, but for coefficients? */
static bool are_alike(const ph_spin_system *a, const ph_spin_system *b)
{
    bool yes = a->is.n_bonds == b->is.n_bonds && a->is.n_anisotropies == b->is.n_anisotropies &&
               !a->is.field == !b->is.field && a->whole == b->whole && !a->is.control == !b->is.control;
    for (size_t g = 0; yes && g < a->is.n_bonds; g++) {
        const ph_bonds *x = &a->is.bonds[g], *y = &b->is.bonds[g];
        yes = x->kind == y->kind && x->all_pairs == y->all_pairs && x->n == y->n &&
              !a->runs[g].run == !b->runs[g].run && !a->runs[g].c == !b->runs[g].c &&
              a->runs[g].mapped == b->runs[g].mapped &&
              (x->all_pairs || (!memcmp(x->first, y->first, x->n * sizeof *x->first) &&
                                !memcmp(x->second, y->second, x->n * sizeof *x->second)));
    }
    return yes;
}

/* begin (spins + 1), spin <- the neighbours of each spin, by the runs of the first system; c (nullable): their coefficients in each.
 * Returns how many. */
static size_t list_neighbours(const ph_spin_system *const *s, size_t g, uint32_t *begin, uint32_t *spin,
                              double *c)
{
    const ph_spin_runs *runs = &s[0]->runs[g];
    size_t used = 0, at = 0;
    for (size_t i = 0; i < s[0]->is.n; i++) {
        while (at < runs->n && runs->run[at].end <= i)
            at++;
        begin[i] = (uint32_t)used;
        if (at == runs->n || runs->run[at].begin > i)
            continue;
        const ph_spin_run *r = &runs->run[at];
        for (size_t k = 0; k < r->n; k++, used++) {
            spin[used] = (uint32_t)((int64_t)i + runs->distance[r->at + k]);
            for (size_t l = 0; l < EIGHT && c; l++)
                c[EIGHT * used + l] = s[l]->runs[g].c[r->c + k * (r->end - r->begin) + (i - r->begin)];
        }
    }
    begin[s[0]->is.n] = (uint32_t)used;
    return used;
}

static size_t list_pairs(const ph_bonds *b, size_t spins, uint32_t *first, uint32_t *second)
{
    size_t used = 0;
    if (!b->all_pairs) {
        memcpy(first, b->first, b->n * sizeof *first);
        memcpy(second, b->second, b->n * sizeof *second);
        return b->n;
    }
    for (size_t i = 0; i < spins; i++)
        for (size_t j = i + 1; j < spins; j++) {
            first[used] = (uint32_t)i;
            second[used++] = (uint32_t)j;
        }
    return used;
}

static group group_of(const ph_spin_system *const *s, size_t g, uint32_t **spins, double **numbers)
{
    const size_t n = s[0]->is.n;
    const ph_bonds *b = &s[0]->is.bonds[g];
    const ph_spin_runs *runs = &s[0]->runs[g];
    uint32_t *first = *spins, *second = first + (runs->run ? n + 1 : pairs_of(&s[0]->is, b));
    double *axis = *numbers, *weight = axis, *map = weight + 3 * EIGHT, *c = axis + 3 * EIGHT;
    group of = {.kind = b->kind,
                .neighbours = runs->run != NULL,
                .differences = runs->differences,
                .mapped = runs->mapped,
                .first = first,
                .second = second,
                .axis = axis,
                .weight = weight,
                .map = map,
                .c = c};
    if (runs->run) {
        c = runs->c ? map + 9 * EIGHT : NULL;
        of.c = c;
        of.n = list_neighbours(s, g, first, second, c);
    } else {
        of.n = list_pairs(b, n, first, second);
    }
    for (size_t l = 0; l < EIGHT; l++) {
        const ph_bonds *own = &s[l]->is.bonds[g];
        of.core[l] = own->core * own->core;
        for (size_t k = 0; k < 3; k++)
            axis[EIGHT * k + l] = runs->run ? s[l]->runs[g].weight[k] : own->axis[k];
        for (size_t k = 0; k < 9 && runs->run; k++)
            map[EIGHT * k + l] = s[l]->runs[g].map[k];
        for (size_t k = 0; k < of.n && !runs->run; k++)
            c[EIGHT * k + l] = own->c[own->uniform || own->all_pairs ? 0 : k];
    }
    *spins = second + of.n;
    *numbers = axis + 12 * EIGHT + (of.c ? EIGHT * of.n : 0);
    return of;
}

ph_lanes_spins *ph_lanes_spins_place(const ph_lanes_systems *of, void *memory)
{
    const ph_spin_system *s[EIGHT];
    ph_lay l = {memory, 0};
    for (size_t m = 0; m < EIGHT; m++) {
        s[m] = ph_own_spins(of->systems[m]);
        if (!are_alike(s[0], s[m]))
            return NULL;
    }
    const ph_spins *is = &s[0]->is;
    const size_t n = is->n;
    room r = lay(is, &l);
    ph_lanes_spins *w = r.lanes;
    double *strengths = r.numbers, *field = strengths + EIGHT * n,
           *K = field + (is->field ? 3 * EIGHT * n : 0), *axis = K + EIGHT * n * w->easy,
           *rest = axis + 3 * EIGHT * w->easy;
    w->wide = ph_lanes(PH_KERNEL_AVX2);
    w->strengths = strengths;
    w->field = is->field ? field : NULL;
    w->K = K;
    w->axis = axis;
    for (size_t g = 0; g < w->groups; g++)
        w->group[g] = group_of(s, g, &r.spins, &rest);
    for (size_t k = 0; k < EIGHT * n; k++) {
        const size_t i = k / EIGHT;
        const ph_spins *own = &s[k % EIGHT]->is;
        strengths[k] = ph_spin_strength(own, i);
        for (size_t a = 0; a < 3 && is->field; a++)
            field[EIGHT * (3 * i + a) + k % EIGHT] = own->field[(own->field_is_uniform ? 0 : 3 * i) + a];
        for (size_t m = 0; m < w->easy; m++)
            K[EIGHT * n * m + k] = own->anisotropies[m].K[own->anisotropies[m].uniform ? 0 : i];
    }
    for (size_t k = 0; k < 3 * EIGHT * w->easy; k++)
        axis[k] = s[k % EIGHT]->is.anisotropies[k / EIGHT / 3].axis[k / EIGHT % 3];
    return w;
}

/* ---- In vectors -------------------------------------------------------------------------------------------------- */

INLINE void read_three(const double *from, vector *v)
{
    for (size_t k = 0; k < 3; k++)
        v[k] = load(from + EIGHT * k);
}

INLINE void write_three(double *to, const vector *v)
{
    for (size_t k = 0; k < 3; k++)
        store(to + EIGHT * k, v[k]);
}

INLINE vector dot_three(const vector *a, const vector *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void cross_three(const vector *a, const vector *b, vector *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* own, other += what a pair gives, as add_pair_gradient by differences. */
INLINE void add_pair(const ph_lanes_spins *w, const group *of, size_t k, const vector *s, const vector *r,
                     size_t at, vector *own, vector *other)
{
    const vector c = load(of->c + EIGHT * k + at);
    vector axis[3], turn[3], slope = -c;
    read_three(of->axis + at, axis);
    if (of->kind == PH_BOND_AXIAL) {
        const vector by = c * dot_three(axis, r), back = c * dot_three(axis, s);
        for (size_t a = 0; a < 3; a++) {
            own[a] -= by * axis[a];
            other[a] -= back * axis[a];
        }
        return;
    }
    if (of->kind == PH_BOND_TWIST) {
        cross_three(r, axis, turn);
        for (size_t a = 0; a < 3; a++)
            own[a] += c * turn[a];
        cross_three(axis, s, turn);
        for (size_t a = 0; a < 3; a++)
            other[a] += c * turn[a];
        return;
    }
    if (of->kind == PH_BOND_VORTICES) {
        const vector e[3] = {s[0] - r[0], s[1] - r[1], s[2] - r[2]},
                     square = dot_three(e, e) + load(of->core + at);
        slope = 2 * c * load(w->strengths + EIGHT * of->first[k] + at) *
                load(w->strengths + EIGHT * of->second[k] + at) / four_pi / square;
    }
    for (size_t a = 0; a < 3; a++) {
        const vector pull = slope * (r[a] - s[a]);
        own[a] += pull;
        other[a] += -pull;
    }
}

INLINE void add_pairs(const ph_lanes_spins *w, const group *of, const double *z, double *g, size_t at)
{
    for (size_t k = 0; k < of->n; k++) {
        const size_t i = 3 * EIGHT * of->first[k] + at, j = 3 * EIGHT * of->second[k] + at;
        vector s[3], r[3], own[3], other[3];
        read_three(z + i, s);
        read_three(z + j, r);
        read_three(g + i, own);
        read_three(g + j, other);
        add_pair(w, of, k, s, r, at, own, other);
        write_three(g + i, own);
        write_three(g + j, other);
    }
}

INLINE void add_neighbours(const group *of, size_t i, const double *z, const vector *s, vector *g, size_t at)
{
    vector sum[3] = {{0}, {0}, {0}}, weight[3];
    if (of->first[i] == of->first[i + 1])
        return;
    for (size_t k = of->first[i]; k < of->first[i + 1]; k++) {
        const vector c = of->c ? load(of->c + EIGHT * k + at) : all_lanes(1);
        vector r[3];
        read_three(z + 3 * EIGHT * of->second[k] + at, r);
        for (size_t a = 0; a < 3; a++)
            sum[a] += c * (of->differences ? r[a] - s[a] : r[a]);
    }
    read_three(of->weight + at, weight);
    if (!of->mapped) {
        for (size_t a = 0; a < 3; a++)
            g[a] -= weight[a] * sum[a];
        return;
    }
    for (size_t a = 0; a < 3; a++) {
        const size_t b = (a + 1) % 3, c = (a + 2) % 3;
        const double *row = of->map + 3 * EIGHT * a + at;
        g[a] += (load(row + EIGHT * a) * sum[a] + load(row + EIGHT * b) * sum[b]) +
                load(row + EIGHT * c) * sum[c];
    }
}

INLINE void torque(const ph_lanes_spins *w, const double *z, double *T, size_t at)
{
    for (size_t k = at; k < 3 * EIGHT * w->n; k += EIGHT)
        store(T + k, (vector){0});
    for (size_t m = 0; m < w->groups; m++)
        if (!w->group[m].neighbours)
            add_pairs(w, &w->group[m], z, T, at);
    for (size_t i = 0; i < w->n; i++) {
        vector s[3], g[3], turn[3];
        read_three(z + 3 * EIGHT * i + at, s);
        read_three(T + 3 * EIGHT * i + at, g);
        for (size_t m = 0; m < w->groups; m++)
            if (w->group[m].neighbours)
                add_neighbours(&w->group[m], i, z, s, g, at);
        for (size_t a = 0; a < 3 && w->field; a++)
            g[a] -= load(w->field + EIGHT * (3 * i + a) + at);
        for (size_t m = 0; m < w->easy; m++) {
            vector axis[3];
            read_three(w->axis + 3 * EIGHT * m + at, axis);
            const vector twice = -2 * load(w->K + EIGHT * (w->n * m + i) + at) * dot_three(axis, s);
            for (size_t a = 0; a < 3; a++)
                g[a] += twice * axis[a];
        }
        cross_three(g, s, turn);
        write_three(T + 3 * EIGHT * i + at, turn);
    }
}

PH_LANES_TWICE(PH_LANES_AVX2, void, torques, (const ph_lanes_spins *w, const double *z, double *T),
               for (size_t at = 0; at < EIGHT; at += LANES) torque(w, z, T, at);)

void ph_lanes_torque(const ph_lanes_spins *w, const double *z, double *T)
{
    (w->wide ? torques_wide : torques_plain)(w, z, T);
}
