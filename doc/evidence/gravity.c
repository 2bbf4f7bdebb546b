/* SPDX-License-Identifier: BSD-3-Clause */
/* What evaluating the mutual gravity of two bodies costs, force and torques, by order: by ph_attract, as a description of two bodies,
 * and of eight systems at once. Prints for each kind of bodies and order the time of one system in ns, the least of many rounds in
 * turn: `make evidence TABLES=gravity` compiles and runs it. */
#include <polhode/polhode.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 400, LANES = PH_GRAVITATION_LANES, WAYS = 3 };

/* An ellipsoid, or one with three more masses on its surface. */
static void make_body(const double axes[3], int lumps, ph_mass *body)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0, 0, 0};
    ph_mass part, whole = {{0}, {0}, 0};
    if (ph_mass_ellipsoid(3.5e11, axes, body, NULL))
        exit(1);
    if (!lumps)
        return;
    ph_mass_add(body, origin, identity, &whole);
    for (int k = 0; k < 3; k++) {
        double place[3] = {axes[0] / 4, -axes[1] / 3, axes[2] / 5};
        place[k] = -axes[k];
        if (ph_mass_sphere(1e10, 10, &part, NULL))
            exit(1);
        ph_mass_add(&part, place, identity, &whole);
    }
    ph_mass_center(&whole, NULL);
    *body = whole;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void measure(const ph_mass mass[2], size_t order, double best[WAYS])
{
    const ph_gravitation_definition d = {
        .bodies = 2, .mass = mass, .order = order, .G = PH_GRAVITY_CONSTANT, .relative = true};
    const int n = order > 4 ? 20 : 100;
    double z[21] = {1100, 50, 30}, many[21 * LANES], force[3 * LANES], torque[6 * LANES], C[9], r[3];
    ph_gravitation *g = NULL;
    ph_attraction pull = {.potential = 0};
    if (ph_gravitation_create(&d, &g, NULL))
        exit(1);
    ph_exp3((const double[3]){0.3, -0.2, 0.9}, z + 3);
    ph_exp3((const double[3]){-0.5, 0.4, 0.1}, z + 12);
    ph_apply_transposed3(z + 3, z, r);
    ph_transposed_multiply3(z + 3, z + 12, C);
    for (int k = 0; k < 21 * LANES; k++)
        many[k] = z[k / LANES];
    for (int way = 0; way < WAYS; way++)
        best[way] = 1e30;
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++) {
            const double begin = now();
            for (int i = 0; i < n; i++) {
                if (way == 0) {
                    ph_attract(&mass[0], &mass[1], order, d.G, r, C, &pull);
                    r[0] += 1e-30 * pull.force[0]; /* each waits for the one before */
                } else if (way == 1) {
                    ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, force, torque, NULL);
                    z[0] += 1e-30 * force[0];
                } else {
                    ph_gravitation_forces_lanes(g, 8, PH_ATTRACT_ALL, 0, many, force, torque, NULL);
                    many[0] += 1e-30 * force[0];
                }
            }
            const double time = (now() - begin) / n / (way == 2 ? LANES : 1);
            best[way] = time < best[way] ? time : best[way];
        }
    ph_gravitation_free(g);
}

int main(void)
{
    static const double a[3] = {400, 350, 280}, b[3] = {120, 90, 70};
    for (int lumps = 0; lumps < 2; lumps++)
        for (size_t order = 2; order <= 8; order += 2) {
            ph_mass mass[2];
            double best[WAYS];
            make_body(a, lumps, &mass[0]);
            make_body(b, lumps, &mass[1]);
            measure(mass, order, best);
            printf("%s %zu %.1f %.1f %.1f\n", lumps ? "any" : "ellipsoids", order, best[0], best[1], best[2]);
        }
    return 0;
}
