/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of bodies under mutual gravity: members in the lanes of vectors get the bits of a state that steps alone, with every
 * width of vectors; those that fail stop where they would alone, and disturb no other. */
#include "cases.h"
#include "tests/kit/members.h"

enum { MEMBERS = 11 };

/* Numbers of member i among those of all. */
static void put(const double *one, size_t n, size_t i, double *all)
{
    for (size_t k = 0; k < n; k++)
        all[k * MEMBERS + i] = one[k];
}

typedef struct members {
    gc_motion m;
    ph_system *systems[MEMBERS]; /* NULL: that of m for all */
    double z[GC_Z * MEMBERS], p[GC_P * MEMBERS];
} members;

/* The motion, begun with other momenta by each member; `fast` of them with a body that spins too fast for steps of 1 s. */
static members gather(const gc_case *c, const bool *fast)
{
    members all = {.m = gc_begin(c), .systems = {NULL}};
    const gc_motion *m = &all.m;
    for (size_t i = 0; i < MEMBERS; i++) {
        double p[GC_P] = {0};
        for (size_t k = 0; k < m->np; k++)
            p[k] = m->p[k] * (1 + 0.01 * (double)(i * (k % 3 + 1)));
        for (size_t k = 0; fast && fast[i] && k < 3; k++)
            p[3 * m->places + k] *= 20;
        put(m->z, m->nz, i, all.z);
        put(p, m->np, i, all.p);
    }
    return all;
}

/* Members whose bodies have masses and shapes of their own; member 2 has a sphere instead of the second one where `uneven`. */
static members gather_own(const gc_case *c, bool uneven, const bool *fast)
{
    members all;
    for (size_t i = 0; i < MEMBERS; i++) {
        gc_case own = *c;
        const double s = 1 + 0.03 * (double)i, axes[2][3] = {{.5 * s, .4, .3}, {.3, .2 / s, .15 * s}};
        own.G *= s;
        for (size_t k = 0; k < 2; k++)
            tk_ok(ph_mass_ellipsoid(k ? .3 / s : s, axes[k], &own.body[k].mass, NULL));
        if (uneven && i == 2)
            tk_ok(ph_mass_sphere(.3, .2, &own.body[1].mass, NULL));
        const gc_motion m = gc_begin(&own);
        double p[GC_P];
        for (size_t k = 0; k < m.np; k++)
            p[k] = m.p[k] * (fast && fast[i] && k >= 3 * m.places && k < 3 * m.places + 3 ? 20 : 1);
        put(m.z, m.nz, i, all.z);
        put(p, m.np, i, all.p);
        all.systems[i] = m.system;
        all.m = m;
    }
    return all;
}

static void end(const members *all)
{
    for (size_t i = 0; i < MEMBERS && all->systems[0]; i++)
        ph_system_free(all->systems[i]);
    if (!all->systems[0])
        ph_system_free(all->m.system);
}

/* Steps of the ensemble, and of each member alone. */
static void compare(const members *all, const char *method, const char *order, double h, size_t lanes)
{
    const tk_members m = {.name = method,
                          .method = ph_method_find(method, NULL),
                          .setting = {"order", order},
                          .h = h,
                          .members = MEMBERS,
                          .system = all->systems[0] ? all->systems[0] : all->m.system,
                          .systems = all->systems[0] ? (const ph_system *const *)all->systems : NULL,
                          .z = all->z,
                          .p = all->p,
                          .lanes = lanes};
    tk_compare_members(&m, 40);
}

/* Kernels of this processor, or plain ones. */
TEST_EACH(bits, TK_KERNELS)
{
    const gc_case cases[] = {gc_worked(2), gc_four(3), gc_triple(4)};
    if (!tk_kernels(_i))
        return;
    for (size_t i = 0; i < 3; i++) {
        const members all = gather(&cases[i], NULL);
        const double h = i == 2 ? 60 : 0.03;
        compare(&all, "variational", "2", h, 8);
        compare(&all, "variational", "4", h, 8);
        compare(&all, "variational", "2", 10 * h, 8); /* large turns */
        compare(&all, "variational", "2", -h, 8);
        compare(&all, "rk4", NULL, h, 1);
        end(&all);
    }
    tk_kernels(false);
}

/* A body that turns too far in a step: members 0, 3 and 10, which is in a group that is not full; then all. */
TEST_EACH(failures, TK_KERNELS)
{
    static const bool some[MEMBERS] = {true, false, false, true, [10] = true};
    bool every[MEMBERS];
    const gc_case pair = gc_worked(2);
    for (size_t i = 0; i < MEMBERS; i++)
        every[i] = true;
    if (!tk_kernels(_i))
        return;
    const members few = gather(&pair, some), none = gather(&pair, every);
    compare(&few, "variational", "2", 0.1, 8);
    compare(&few, "variational", "4", 0.1, 8);
    compare(&few, "rk4", NULL, 0.1, 1);
    compare(&none, "variational", "2", 0.1, 8);
    end(&few);
    end(&none);
    tk_kernels(false);
}

/* Systems that differ: pairs that are evaluated at once, those that are not, as one is of another sort, and four bodies; members
 * that fail in their groups. */
TEST_EACH(own_bodies, TK_KERNELS)
{
    static const bool some[MEMBERS] = {true, false, false, true, [10] = true};
    if (!tk_kernels(_i))
        return;
    for (size_t order = 0; order <= 6; order += 2)
        for (int uneven = 0; uneven < 2; uneven++) {
            const gc_case pair = gc_worked(order), four = gc_four(order);
            const members two = gather_own(&pair, uneven, NULL), few = gather_own(&pair, uneven, some),
                          more = gather_own(&four, uneven, NULL);
            compare(&two, "variational", "2", 0.03, 8);
            compare(&two, "variational", "4", -0.03, 8);
            compare(&few, "variational", "2", 0.1, 8);
            compare(&more, "variational", "2", 0.03, 8);
            end(&two);
            end(&few);
            end(&more);
        }
    tk_kernels(false);
}

int main(void)
{
    return tk_run("gravitation ensembles");
}
