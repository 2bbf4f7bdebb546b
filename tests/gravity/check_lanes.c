/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight systems of the same bodies at once: each has the bits that it has alone, for every sort of body, order, parts and width of
 * vectors that the processor has. */
#include "lib/gravity/pair-lanes.h"

#include "tests/kit/binaries.h"

enum { EIGHT = PH_GRAVITATION_LANES, BODIES = 3, MOST = 3 * BODIES + 9 * BODIES };

static ph_mass draw_body(int sort, tk_random *r)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double axes[3] = {tk_uniform(r, .2, .5), tk_uniform(r, .2, .5), tk_uniform(r, .2, .5)};
    ph_mass body = {{0}, {0}, 0};
    if (sort == PH_FIGURE_NONE) {
        tk_ok(ph_mass_sphere(tk_uniform(r, .5, 2), axes[0], &body, NULL));
    } else if (sort == PH_FIGURE_SYMMETRIC) {
        tk_ok(ph_mass_ellipsoid(tk_uniform(r, .5, 2), axes, &body, NULL));
    } else {
        for (size_t i = 0; i < 5; i++) {
            ph_mass part;
            const double place[3] = {tk_uniform(r, -.4, .4), tk_uniform(r, -.4, .4), tk_uniform(r, -.4, .4)};
            tk_ok(ph_mass_sphere(tk_uniform(r, .1, 1), 0, &part, NULL));
            ph_mass_add(&part, place, identity, &body);
        }
        ph_mass_center(&body, NULL);
    }
    return body;
}

static ph_gravitation *describe(const ph_mass *mass, size_t bodies, size_t order, bool relative)
{
    const ph_gravitation_definition d = {
        .bodies = bodies, .mass = mass, .order = order, .G = 1.7, .relative = relative};
    return tk_gravitation(d);
}

/* z (nz x 8) <- places some units apart, attitudes at random. */
static void draw_systems(tk_random *r, size_t places, size_t attitudes, double *z)
{
    for (size_t lane = 0; lane < EIGHT; lane++) {
        for (size_t k = 0; k < 3 * places; k++)
            z[EIGHT * k + lane] = 2 * (double)(k / 3 + 1) * (k % 3 == 0) + tk_uniform(r, -.5, .5);
        for (size_t i = 0; i < attitudes; i++) {
            const double turn[3] = {tk_uniform(r, -2, 2), tk_uniform(r, -2, 2), tk_uniform(r, -2, 2)};
            double R[9];
            ph_exp3(turn, R);
            for (size_t k = 0; k < 9; k++)
                z[EIGHT * (3 * places + 9 * i + k) + lane] = R[k];
        }
    }
}

static void choose(const double *from, size_t n, size_t lane, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[EIGHT * k + lane];
}

static void compare(const ph_gravitation *g, unsigned parts, const double *z)
{
    const size_t places = ph_gravitation_places(g), attitudes = ph_gravitation_attitudes(g);
    double force[3 * BODIES * EIGHT], torque[3 * BODIES * EIGHT], U[EIGHT], own[MOST], F[3 * BODIES],
        T[3 * BODIES], energy, part[3 * BODIES], again[3 * BODIES * EIGHT];
    ck_assert(ph_gravitation_forces_lanes(g, EIGHT, parts, 0, z, force, torque, U));
    for (size_t count = 1; count <= EIGHT; count += 3) { /* 1, 4, 7 */
        ck_assert(ph_gravitation_forces_lanes(g, count, parts, 0, z, again, torque, NULL));
        for (size_t lane = 0; lane < count; lane++)
            for (size_t k = 0; k < 3 * places; k++)
                ck_assert_mem_eq(&again[EIGHT * k + lane], &force[EIGHT * k + lane], sizeof *force);
    }
    ck_assert(ph_gravitation_forces_lanes(g, EIGHT, parts, 0, z, again, torque, NULL));
    ck_assert_mem_eq(force, again, EIGHT * 3 * places * sizeof *force);
    for (size_t lane = 0; lane < EIGHT; lane++) {
        choose(z, 3 * places + 9 * attitudes, lane, own);
        ph_gravitation_forces(g, parts, 0, own, F, T, &energy);
        choose(force, 3 * places, lane, part);
        ck_assert_mem_eq(part, F, 3 * places * sizeof *F);
        choose(torque, 3 * attitudes, lane, part);
        ck_assert_mem_eq(part, T, 3 * attitudes * sizeof *T);
        ck_assert_double_eq(U[lane], energy);
    }
}

/* With wide and with plain kernels. */
TEST_EACH(same_bits, PH_FIGURE_SORTS)
{
    double z[MOST * EIGHT];
    for (int kernels = 0; kernels < TK_KERNELS; kernels++)
        for (int a = 0; a < PH_FIGURE_SORTS; a++)
            for (int b = 0; b < PH_FIGURE_SORTS; b++)
                for (size_t order = 0; order <= 8; order++) {
                    tk_random r = {1000 * (uint64_t)order + 10 * (uint64_t)a + (uint64_t)b + 1};
                    const ph_mass mass[BODIES] = {draw_body(a, &r), draw_body(b, &r), draw_body(_i, &r)};
                    if (!tk_kernels(kernels))
                        continue;
                    for (size_t bodies = 2; bodies <= BODIES; bodies++) {
                        TK_OWN(ph_gravitation) *g = describe(mass, bodies, order, bodies == 2);
                        draw_systems(&r, ph_gravitation_places(g), ph_gravitation_attitudes(g), z);
                        for (unsigned parts = 1; parts <= 3; parts++)
                            compare(g, parts, z);
                    }
                    tk_kernels(false);
                }
}

/* Pairs with bodies of their own: in closed form at once, where there are wide vectors; a pair of another sort among them: not. */
TEST_EACH(own_bodies, PH_FIGURE_SORTS)
{
    _Alignas(64) static unsigned char memory[16384];
    double z[21 * EIGHT], out[9 * EIGHT];
    ck_assert_uint_le(ph_gravitation_each_size(), sizeof memory);
    for (int kernels = 0; kernels < TK_KERNELS; kernels++)
        for (int b = 0; b < PH_FIGURE_SORTS; b++)
            for (size_t order = 0; order <= 4 && tk_kernels(kernels); order++) {
                tk_random r = {900 + 10 * order + (uint64_t)b};
                ph_gravitation *g[EIGHT], *odd[EIGHT];
                for (size_t lane = 0; lane < EIGHT; lane++) {
                    const ph_mass mass[2] = {draw_body(_i, &r), draw_body(b, &r)};
                    const ph_gravitation_definition d = {.bodies = 2,
                                                         .mass = mass,
                                                         .order = order,
                                                         .G = 1 + 0.1 * (double)lane,
                                                         .relative = true};
                    odd[lane] = g[lane] = tk_gravitation(d);
                }
                draw_systems(&r, 1, 2, z);
                const ph_gravitation_each *each =
                    ph_gravitation_each_place((const ph_gravitation *const *)g, memory);
                ck_assert_int_eq(each != NULL, (ph_kernels() & PH_KERNEL_AVX2) != 0);
                if (each)
                    ph_gravitation_each_forces(each, z, out, out + 3 * EIGHT);
                for (size_t lane = 0; lane < EIGHT && each; lane++) {
                    double own[21], F[9], part[9];
                    choose(z, 21, lane, own);
                    ph_gravitation_forces(g[lane], PH_ATTRACT_ALL, 0, own, F, F + 3, NULL);
                    choose(out, 9, lane, part);
                    ck_assert_mem_eq(part, F, sizeof F);
                }
                const ph_mass mass[2] = {draw_body((_i + 1) % PH_FIGURE_SORTS, &r), draw_body(b, &r)};
                odd[5] = describe(mass, 2, order, true);
                ck_assert(order < 2 ||
                          !ph_gravitation_each_place((const ph_gravitation *const *)odd, memory));
                ph_gravitation_free(odd[5]);
                for (size_t lane = 0; lane < EIGHT; lane++)
                    ph_gravitation_free(g[lane]);
            }
    tk_kernels(false);
}

/* Each width that this processor has, against one system after another. */
TEST(widths)
{
    tk_random r = {77};
    double z[21 * EIGHT], out[2][9 * EIGHT], U[2][EIGHT];
    for (int a = 0; a < PH_FIGURE_SORTS; a++)
        for (int b = 0; b < PH_FIGURE_SORTS; b++)
            for (size_t order = 0; order <= 8; order++) {
                const ph_mass A = draw_body(a, &r), B = draw_body(b, &r);
                ph_figure figure_a, figure_b;
                ph_pair pair;
                ph_figure_prepare(&A, order, &figure_a);
                ph_figure_prepare(&B, order, &figure_b);
                ph_pair_prepare(1.3, order, A.moment[0], ph_figure_sort_of(&A, order), &figure_a, B.moment[0],
                                ph_figure_sort_of(&B, order), &figure_b, &pair);
                draw_systems(&r, 1, 2, z);
                for (int width = PH_PAIR_ONE; width <= (int)ph_pair_widest(); width++) {
                    double *to = out[width != PH_PAIR_ONE];
                    const ph_pair_result result = {to, to + 3 * EIGHT, to + 6 * EIGHT,
                                                   U[width != PH_PAIR_ONE]};
                    ph_pair_evaluate_lanes(&pair, (ph_pair_width)width, EIGHT, PH_ATTRACT_ALL, z,
                                           z + 3 * EIGHT, z + 12 * EIGHT, &result);
                    if (width == PH_PAIR_ONE)
                        continue;
                    ck_assert_mem_eq(out[0], out[1], sizeof out[0]);
                    ck_assert_mem_eq(U[0], U[1], sizeof U[0]);
                }
            }
    printf("widths: up to %d of 0 one, 1 four, 2 eight\n", (int)ph_pair_widest());
}

/* A central body, given bodies, many points: these are not evaluated so. */
TEST(refused)
{
    tk_random r = {5};
    ph_mass mass[9];
    double z[3 * 9 * EIGHT] = {0}, force[3 * 9 * EIGHT], torque[1] = {7};
    for (size_t i = 0; i < 9; i++)
        tk_ok(ph_mass_sphere(1, 0, &mass[i], NULL));
    const ph_mass center = draw_body(PH_FIGURE_SYMMETRIC, &r);
    const ph_given_body given = {.mass = 3, .orbit = {.axis = 100}};
    const ph_gravitation_definition of[] = {
        {.bodies = 9, .mass = mass, .order = 2, .G = 1},
        {.bodies = 1, .mass = mass, .order = 2, .G = 1, .central = {.mass = &center}},
        {.bodies = 2, .mass = mass, .order = 2, .G = 1, .given = &given, .n_given = 1}};
    for (size_t i = 0; i < 3; i++) {
        force[0] = 7;
        TK_OWN(ph_gravitation) *g = NULL;
        ck_assert_msg(ph_gravitation_create(&of[i], &g, tk_err) == PH_OK, "%s", tk_err->message);
        ck_assert(!ph_gravitation_forces_lanes(g, EIGHT, PH_ATTRACT_ALL, 0, z, force, torque, NULL));
        ck_assert(force[0] == 7 && torque[0] == 7);
    }
}

int main(void)
{
    return tk_run("lanes");
}
