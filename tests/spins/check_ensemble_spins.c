/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of spins: eight systems in lanes, of one energy or of energies with other coefficients, have the bits of systems
 * that step alone; also where they are not of one form, a fixed point contracts slowly, or one of them fails. */
#include "tests/kit/members.h"
#include "tests/kit/spinkit.h"

#include <math.h>

enum { MEMBERS = 11, MOST = 21 };

/* What the energies of a crowd are made of. */
typedef struct kind {
    const char *name;
    size_t n;
    ph_bond_kind bonds[2];
    size_t n_bonds;
    bool all_pairs, uniform, easy, field, strengths, alike;
    double core;
    /* what the last member has instead */
    enum { AS_OTHERS, ANOTHER_AXIS, A_FIELD_ALONG, STRONGER, TINY, HUGE, OTHER_STRENGTH } last;
    size_t lanes, middle; /* by spin-splitting, and by spherical-midpoint */
    size_t failures;      /* by spin-splitting */
    bool damped;          /* then not by that */
} kind;

static const kind kinds[] = {
    {"ring", 4, {PH_BOND_EXCHANGE}, 1, .uniform = true, .lanes = 8, .middle = 8},
    {"odd ring", 5, {PH_BOND_EXCHANGE}, 1, .lanes = 8, .middle = 8},
    {"one spin", 1, {0}, 0, .easy = true, .field = true, .lanes = 8, .middle = 8},
    {"pair", 2, {PH_BOND_EXCHANGE}, 1, .uniform = true, .easy = true, .lanes = 8, .middle = 8},
    {"easy axis",
     6,
     {PH_BOND_EXCHANGE},
     1,
     .easy = true,
     .field = true,
     .strengths = true,
     .lanes = 8,
     .middle = 8},
    {"equal strengths", 3, {PH_BOND_EXCHANGE}, 1, .strengths = true, .alike = true, .lanes = 8, .middle = 8},
    {"twist",
     5,
     {PH_BOND_EXCHANGE, PH_BOND_TWIST},
     2,
     .uniform = true,
     .easy = true,
     .lanes = 8,
     .middle = 8},
    {"axial", 7, {PH_BOND_AXIAL, PH_BOND_EXCHANGE}, 2, .field = true, .lanes = 8, .middle = 8},
    {"all pairs", 6, {PH_BOND_EXCHANGE}, 1, .all_pairs = true, .uniform = true, .lanes = 8, .middle = 8},
    {"all pairs of seven",
     7,
     {PH_BOND_EXCHANGE},
     1,
     .all_pairs = true,
     .uniform = true,
     .easy = true,
     .lanes = 8,
     .middle = 8},
    {"vortices",
     4,
     {PH_BOND_VORTICES},
     1,
     .all_pairs = true,
     .uniform = true,
     .strengths = true,
     .lanes = 8,
     .middle = 1},
    {"vortices with cores",
     5,
     {PH_BOND_VORTICES},
     1,
     .all_pairs = true,
     .uniform = true,
     .core = 0.3,
     .lanes = 8,
     .middle = 1},
    {"two vortices", 2, {PH_BOND_VORTICES}, 1, .lanes = 8, .middle = 8},
    {"another axis", 3, {PH_BOND_EXCHANGE}, 1, .easy = true, .last = ANOTHER_AXIS, .lanes = 8, .middle = 8},
    {"a field along the axis",
     3,
     {PH_BOND_EXCHANGE},
     1,
     .easy = true,
     .field = true,
     .last = A_FIELD_ALONG,
     .lanes = 8,
     .middle = 8},
    {"a strong bond", 4, {PH_BOND_EXCHANGE}, 1, .uniform = true, .last = STRONGER, .lanes = 8, .middle = 8},
    {"a tiny bond", 4, {PH_BOND_EXCHANGE}, 1, .uniform = true, .last = TINY, .lanes = 8, .middle = 8},
    {"another strength",
     4,
     {PH_BOND_EXCHANGE},
     1,
     .strengths = true,
     .alike = true,
     .last = OTHER_STRENGTH,
     .lanes = 8,
     .middle = 8},
    {"a bond without bounds",
     4,
     {PH_BOND_EXCHANGE},
     1,
     .strengths = true,
     .last = HUGE,
     .lanes = 8,
     .middle = 8,
     .failures = 1},
    {"many", MOST, {PH_BOND_EXCHANGE}, 1, .uniform = true, .lanes = 1, .middle = 1},
    {"all pairs along an axis",
     4,
     {PH_BOND_AXIAL},
     1,
     .all_pairs = true,
     .uniform = true,
     .lanes = 1,
     .middle = 8},
    {"damped", 4, {PH_BOND_EXCHANGE}, 1, .easy = true, .strengths = true, .damped = true, .middle = 8},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The system of a member; with `same` that of the first one. */
static ph_system *build(const kind *k, size_t member, bool same)
{
    const size_t n = k->n;
    const double s = same ? 1 : 1 + 0.05 * (double)member;
    const bool last = !same && member == MEMBERS - 1;
    uint32_t first[MOST], second[MOST];
    double c[2][MOST], K[MOST], B[3 * MOST], G[MOST];
    ph_bonds bonds[2];
    size_t ring = n > 2 ? n : n - 1;
    for (size_t i = 0; i < n; i++) {
        first[i] = (uint32_t)i;
        second[i] = (uint32_t)((i + 1) % n);
        c[0][i] = s * (k->uniform ? 1 : 1 - 0.1 * (double)i);
        c[1][i] = 0.4 / s;
        K[i] = 0.3 * s + 0.01 * (double)i;
        G[i] = k->alike ? 0.8 : 1 - 0.3 * (double)(i % 3);
        for (size_t a = 0; a < 3; a++)
            B[3 * i + a] = 0.2 * s * (double)(a + 1) + 0.01 * (double)i;
    }
    if (last && k->last == TINY)
        c[0][0] = 1e-30;
    if (last && k->last == HUGE)
        c[0][1] = 1e300, G[1] = 1e-30;
    if (last && k->last == STRONGER)
        c[0][0] = 90;
    for (size_t i = 0; last && k->last == OTHER_STRENGTH && i < n; i++)
        G[i] = 1.7;
    for (size_t g = 0; g < k->n_bonds; g++)
        bonds[g] = (ph_bonds){.kind = k->bonds[g],
                              .all_pairs = k->all_pairs,
                              .n = k->all_pairs ? 0 : ring,
                              .first = k->all_pairs ? NULL : first,
                              .second = k->all_pairs ? NULL : second,
                              .c = c[g],
                              .uniform = k->uniform,
                              .axis = {0, 0.6, 0.8},
                              .core = k->core};
    const bool other = last && k->last == ANOTHER_AXIS;
    const ph_anisotropy easy = {.axis = {other ? 0.6 : 0, other ? 0 : 0.6, 0.8}, .K = K};
    if (last && k->last == A_FIELD_ALONG)
        for (size_t i = 0; i < n; i++)
            B[3 * i] = 0, B[3 * i + 1] = 0.6, B[3 * i + 2] = 0.8;
    const ph_spins spins = {.n = n,
                            .bonds = bonds,
                            .n_bonds = k->n_bonds,
                            .anisotropies = &easy,
                            .n_anisotropies = k->easy,
                            .field = k->field ? B : NULL,
                            .field_is_uniform = k->uniform,
                            .strengths = k->strengths ? G : NULL,
                            .damping = k->damped ? K : NULL};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&(ph_system_definition){.spins = &spins}, &system, tk_err));
    return system;
}

typedef struct crowd {
    ph_system *system[MEMBERS];
    double z[3 * MOST * MEMBERS];
} crowd;

static void crowd_end(crowd *c)
{
    for (size_t i = 0; i < MEMBERS; i++)
        ph_system_free(c->system[i]);
}

static void compare(const kind *k, bool middle, bool each, const char *order, double h)
{
    TK_ENDS(crowd_end) crowd c = {{NULL}, {0}};
    tk_random r = {5 + k->n};
    for (size_t i = 0; i < MEMBERS; i++) {
        double z[3 * MOST];
        sk_random_spins(&r, k->n, z);
        c.system[i] = build(k, i, !each);
        for (size_t a = 0; a < 3 * k->n; a++)
            c.z[a * MEMBERS + i] = z[a];
    }
    const tk_members m = {.name = k->name,
                          .method = ph_method_find(middle ? "spherical-midpoint" : "spin-splitting", NULL),
                          .setting = {"order", order},
                          .h = h,
                          .members = MEMBERS,
                          .system = c.system[0],
                          .systems = each ? (const ph_system *const *)c.system : NULL,
                          .z = c.z,
                          .p = c.z,
                          .lanes = middle ? k->middle : k->lanes};
    const size_t failures = tk_compare_members(&m, 25);
    if (!middle)
        ck_assert_uint_eq(failures, each ? k->failures : 0);
}

TEST_EACH(spins_in_lanes, KINDS)
{
    for (int kernels = 0; kernels < TK_KERNELS; kernels++) {
        if (!tk_kernels(kernels))
            continue;
        for (int each = 0; each < 2; each++)
            for (int order = 0; order < 2; order++)
                for (int middle = kinds[_i].damped; middle < 2; middle++)
                    compare(&kinds[_i], middle, each, order ? "4" : "2", 0.03);
    }
    tk_kernels(false);
}

int main(void)
{
    return tk_run("ensemble_spins");
}
