/* SPDX-License-Identifier: BSD-3-Clause */
/* The classes of bonds (lib/spins/classes.c): every bond once, no spin twice in a class, as few classes as
 * the graph's kind allows, on bipartite, regular, complete and random graphs and on lattices; what is
 * refused. */
#include "tests/kit/spinkit.h"

#include <time.h>

typedef struct list {
    size_t n;
    uint32_t *first, *second;
} list;

static list list_create(size_t room)
{
    return (list){0, malloc((room + 1) * sizeof(uint32_t)), malloc((room + 1) * sizeof(uint32_t))};
}

static void add(list *l, size_t i, size_t j)
{
    l->first[l->n] = (uint32_t)i;
    l->second[l->n++] = (uint32_t)j;
}

static void list_free(list *l)
{
    free(l->first);
    free(l->second);
}

/* In random order, and each bond either way round. */
static void shuffle(list *l, tk_random *r)
{
    for (size_t k = l->n; k-- > 0;) {
        const size_t m = (size_t)(tk_uniform(r, 0, 1) * (double)(k + 1));
        const uint32_t i = l->first[k], j = l->second[k];
        const bool turned = tk_uniform(r, 0, 1) < 0.5;
        l->first[k] = l->first[m];
        l->second[k] = l->second[m];
        l->first[m] = turned ? j : i;
        l->second[m] = turned ? i : j;
    }
}

static ph_status create(size_t spins, const list *l, const double *c, size_t colours, ph_system **system,
                        ph_error *err)
{
    static const double one = 1;
    const ph_bonds bonds = {.kind = PH_BOND_EXCHANGE,
                            .n = l->n,
                            .first = l->first,
                            .second = l->second,
                            .c = c ? c : &one,
                            .uniform = !c,
                            .colours = colours};
    const ph_spins described = {.n = spins, .bonds = &bonds, .n_bonds = 1};
    const ph_system_definition d = {.spins = &described};
    return ph_system_create(&d, system, err);
}

static size_t degree_of(size_t spins, const list *l)
{
    size_t *degree = calloc(spins, sizeof *degree), most = 0;
    for (size_t k = 0; k < l->n; k++) {
        const size_t i = ++degree[l->first[k]], j = ++degree[l->second[k]];
        most = i > most ? i : most;
        most = j > most ? j : most;
    }
    free(degree);
    return most;
}

/* Sorts the list; result: the number of classes. Each bond k has the coefficient k + 1, by which it is
 * known again; no class has a spin twice, none is empty; in a class bonds are as they were given. */
static size_t sorted(size_t spins, const list *l)
{
    TK_MEMORY double *c = malloc(l->n * sizeof *c);
    TK_MEMORY size_t *seen = calloc(spins, sizeof *seen);
    TK_MEMORY bool *had = calloc(l->n, sizeof *had);
    for (size_t k = 0; k < l->n; k++)
        c[k] = (double)(k + 1);
    TK_MAKE(ph_system, system, create(spins, l, c, 0, &system, tk_err));
    const ph_bonds *b = &ph_system_spins(system)->bonds[0];
    ck_assert_uint_eq(b->begin[0], 0);
    ck_assert_uint_eq(b->begin[b->colours], l->n);
    for (size_t class = 0; class < b->colours; class ++) {
        ck_assert_uint_lt(b->begin[class], b->begin[class + 1]);
        for (size_t k = b->begin[class]; k < b->begin[class + 1]; k++) {
            const size_t was = (size_t)b->c[k] - 1;
            ck_assert(b->first[k] == l->first[was] && b->second[k] == l->second[was] && !had[was]);
            ck_assert(k == b->begin[class] || b->c[k - 1] < b->c[k]);
            ck_assert(seen[b->first[k]] != class + 1 && seen[b->second[k]] != class + 1);
            seen[b->first[k]] = seen[b->second[k]] = class + 1;
            had[was] = true;
        }
    }
    const size_t classes = b->colours;
    return classes;
}

/* ---- Graphs --------------------------------------------------------------------------------------------- */

static list ring(size_t n)
{
    list l = list_create(n);
    for (size_t i = 0; i < n; i++)
        add(&l, i, (i + 1) % n);
    return l;
}

static list complete(size_t n)
{
    list l = list_create(n * (n - 1) / 2);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            add(&l, i, j);
    return l;
}

/* A periodic lattice with sides a, b, c > 2, or 1: then it has no bonds in this direction. */
static list lattice(size_t a, size_t b, size_t c)
{
    const size_t side[3] = {a, b, c};
    list l = list_create(3 * a * b * c);
    for (size_t x = 0; x < a; x++)
        for (size_t y = 0; y < b; y++)
            for (size_t w = 0; w < c; w++)
                for (size_t d = 0; d < 3; d++) {
                    size_t at[3] = {x, y, w};
                    at[d] = (at[d] + 1) % side[d];
                    if (side[d] > 1)
                        add(&l, (x * b + y) * c + w, (at[0] * b + at[1]) * c + at[2]);
                }
    return l;
}

/* Each pair of the two sides (bipartite), or of all (not), with a probability. */
static list random_graph(size_t n, bool bipartite, double probability, tk_random *r)
{
    list l = list_create(n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if ((!bipartite || i % 2 != j % 2) && tk_uniform(r, 0, 1) < probability)
                add(&l, i, j);
    return l;
}

TEST(rings)
{
    for (size_t n = 3; n < 40; n++) {
        tk_random r = {n};
        TK_ENDS(list_free) list l = ring(n);
        for (int m = 0; m < 4; m++) {
            ck_assert_uint_eq(sorted(n, &l), 2 + n % 2);
            shuffle(&l, &r);
        }
    }
}

/* Konig: as many as the largest degree. */
TEST_EACH(bipartite, 4)
{
    tk_random r = {500 + (uint64_t)_i};
    for (int m = 0; m < 60; m++) {
        const size_t n = 2 + (size_t)tk_uniform(&r, 0, 60);
        TK_ENDS(list_free) list l = random_graph(n, true, tk_uniform(&r, 0.02, 1), &r);
        shuffle(&l, &r);
        if (l.n)
            ck_assert_uint_eq(sorted(n, &l), degree_of(n, &l));
    }
}

/* Vizing: one more at the most. */
TEST_EACH(any_graph, 4)
{
    tk_random r = {900 + (uint64_t)_i};
    size_t more = 0, graphs = 0;
    for (int m = 0; m < 60; m++) {
        const size_t n = 3 + (size_t)tk_uniform(&r, 0, 50);
        TK_ENDS(list_free) list l = random_graph(n, false, tk_uniform(&r, 0.02, 1), &r);
        shuffle(&l, &r);
        if (l.n) {
            const size_t classes = sorted(n, &l), degree = degree_of(n, &l);
            ck_assert_msg(classes == degree || classes == degree + 1, "%zu spins, %zu bonds: %zu of %zu", n,
                          l.n, classes, degree);
            graphs++;
            more += classes > degree;
        }
    }
    printf("one class more: %zu of %zu\n", more, graphs);
    ck_assert(more < graphs / 2);
}

/* Complete graphs of an odd number need one more, and get it. */
TEST(complete_graphs)
{
    for (size_t n = 2; n < 24; n++) {
        tk_random r = {n};
        TK_ENDS(list_free) list l = complete(n);
        for (int m = 0; m < 6; m++) {
            const size_t classes = sorted(n, &l);
            ck_assert_msg(classes == n || (n % 2 == 0 && classes == n - 1), "%zu of %zu", classes, n);
            shuffle(&l, &r);
        }
    }
}

/* More bonds at a spin than there are bits in a word. */
TEST(many_at_one)
{
    TK_ENDS(list_free) list star = list_create(300), l = complete(90);
    for (size_t i = 1; i < 300; i++)
        add(&star, i, 0);
    ck_assert_uint_eq(sorted(300, &star), 299);
    ck_assert_uint_le(sorted(90, &l), 90);
}

TEST_EACH(lattices, 11)
{
    static const size_t sides[][3] = {{4, 4, 1}, {6, 4, 1}, {3, 3, 1}, {5, 4, 1},  {7, 5, 1},   {4, 4, 4},
                                      {6, 4, 8}, {3, 3, 3}, {4, 4, 5}, {10, 6, 4}, {12, 12, 12}};
    const size_t *s = sides[_i];
    tk_random r = {7 + (uint64_t)_i};
    TK_ENDS(list_free) list l = lattice(s[0], s[1], s[2]);
    const bool even = s[0] % 2 == 0 && s[1] % 2 == 0 && (s[2] % 2 == 0 || s[2] == 1);
    const size_t n = s[0] * s[1] * s[2], degree = s[2] > 1 ? 6 : 4;
    for (int m = 0; m < 3; m++) {
        const size_t classes = sorted(n, &l);
        ck_assert_msg(classes == degree || (!even && classes == degree + 1), "%zu", classes);
        /* an odd number of spins has no class that covers them all */
        ck_assert(n % 2 == 0 || classes == degree + 1);
        shuffle(&l, &r);
    }
}

/* Time is bonds times degree: of eight times the bonds it is not much more than eight times, and not the square. */
TEST(time_is_linear)
{
    double seconds[2] = {0, 1};
    for (int m = 0; m < 6 && (m % 2 || !(seconds[1] < 3 * 8 * (seconds[0] + 0.002)));
         m++) { /* the machine may be busy: three times */
        const size_t side = tk_thorough() ? m % 2 ? 80 : 40 : m % 2 ? 32 : 16;
        tk_random r = {3};
        TK_ENDS(list_free) list l = lattice(side, side, side);
        shuffle(&l, &r);
        const clock_t begin = clock();
        TK_OWN(ph_system) *system = NULL;
        ck_assert(!create(side * side * side, &l, NULL, 6, &system, NULL));
        seconds[m % 2] = (double)(clock() - begin) / CLOCKS_PER_SEC;
        printf("%zu bonds in random order: %.3f s, %.0f ns each\n", l.n, seconds[m],
               seconds[m % 2] * 1e9 / (double)l.n);
    }
    ck_assert_msg(seconds[1] < 3 * 8 * (seconds[0] + 0.002), "%g %g", seconds[0], seconds[1]);
}

/* ---- Refused -------------------------------------------------------------------------------------------- */

static void refuses(size_t spins, const list *l, size_t colours, const char *said)
{
    ph_system *system = NULL;
    tk_refused(create(spins, l, NULL, colours, &system, tk_err), PH_E_INVALID, said);
    ck_assert(!system);
}

TEST(refused)
{
    TK_ENDS(list_free) list l = lattice(4, 4, 4), odd = ring(9), even = ring(8);
    refuses(64, &l, 5, "5 classes without a common spin: a spin has 6 bonds");
    refuses(9, &odd, 2, "circle of odd length; 3 do");
    char words[128];
    const size_t i = l.first[70] < l.second[70] ? l.first[70] : l.second[70],
                 j = l.first[70] + (size_t)l.second[70] - i;
    snprintf(words, sizeof words, "bonds 71 and 193 of group 1 join the same spins %zu and %zu", i + 1,
             j + 1);
    TK_ENDS(list_free) list twice = list_create(200);
    for (size_t k = 0; k < 192; k++)
        add(&twice, l.first[k], l.second[k]);
    add(&twice, l.second[70], l.first[70]);
    refuses(64, &twice, 0, words);
    TK_OWN(ph_system) *system = NULL;
    ck_assert(!create(8, &even, NULL, 2, &system, NULL));
    ck_assert_uint_eq(ph_system_spins(system)->bonds[0].colours, 2);
}

int main(void)
{
    return tk_run("classes of bonds");
}
