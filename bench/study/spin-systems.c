/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems on which methods for spheres as phase space are compared. */
#include "spin-systems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Directions at random ----------------------------------------------------------------------------------------- */

/* Uniform in [0, 1): Knuth's linear congruence of 64 bits, of which the upper 53 count. */
static double draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

/* z (3n) <- directions that are uniform on the sphere: heights are (Archimedes). */
static void draw_directions(uint64_t seed, size_t n, double *z)
{
    const double turn = 6.28318530717958647693;
    for (size_t i = 0; i < n; i++) {
        const double height = 2 * draw(&seed) - 1, angle = turn * draw(&seed),
                     radius = sqrt(1 - height * height);
        z[3 * i] = radius * cos(angle);
        z[3 * i + 1] = radius * sin(angle);
        z[3 * i + 2] = height;
    }
}

/* ---- Magnets ------------------------------------------------------------------------------------------------------ */

/* first, second (n) <- a chain of n bonds, closed where there are n spins. */
static ph_status lay_chain(size_t sites, size_t n, uint32_t **first, ph_error *err)
{
    *first = malloc(2 * n * sizeof **first);
    if (!*first)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < n; k++) {
        (*first)[k] = (uint32_t)k;
        (*first)[n + k] = (uint32_t)((k + 1) % sites);
    }
    return PH_OK;
}

static ph_status create_ring(size_t n, ph_system **system, double *z, ph_error *err)
{
    static const double one = 1;
    uint32_t *first;
    ph_status status = lay_chain(n, n, &first, err);
    if (status)
        return status;
    const ph_bonds ring = {
        .kind = PH_BOND_EXCHANGE, .n = n, .first = first, .second = first + n, .c = &one, .uniform = true};
    const ph_spins description = {.n = n, .bonds = &ring, .n_bonds = 1};
    status = ph_system_create(&(ph_system_definition){.spins = &description}, system, err);
    draw_directions(16, n, z);
    free(first);
    return status;
}

/* Heisenberg's magnet on a periodic cube, bonds direction by direction. */
static ph_status create_cube(size_t n, ph_system **system, double *z, ph_error *err)
{
    static const double one = 1;
    const size_t side = (size_t)(cbrt((double)n) + 0.5);
    uint32_t *first = malloc(6 * n * sizeof *first);
    size_t bonds = 0;
    if (!first)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    uint32_t *second = first + 3 * n;
    for (size_t stride = 1; stride < n; stride *= side)
        for (size_t i = 0; i < n; i++) {
            first[bonds] = (uint32_t)i;
            second[bonds++] =
                (uint32_t)(i + (i / stride % side + 1 < side ? stride : stride - side * stride));
        }
    const ph_bonds cube = {
        .kind = PH_BOND_EXCHANGE, .n = bonds, .first = first, .second = second, .c = &one, .uniform = true};
    const ph_spins description = {.n = n, .bonds = &cube, .n_bonds = 1};
    const ph_status status = ph_system_create(&(ph_system_definition){.spins = &description}, system, err);
    draw_directions(1000, n, z);
    free(first);
    return status;
}

/* J = 1, Delta = 0.6, B = 0.3 e3, K = 0.2: H = -sum (s_i.s_j + (Delta - 1) s_i3 s_j3) - B.sum s_i - K sum s_i3^2. */
static ph_status create_chain(size_t n, ph_system **system, double *z, ph_error *err)
{
    static const double J = 1, beyond = 0.6 - 1, K = 0.2, field[] = {0, 0, 0.3};
    uint32_t *first;
    ph_status status = lay_chain(n, n - 1, &first, err);
    if (status)
        return status;
    const ph_bonds bonds[] = {{.kind = PH_BOND_EXCHANGE,
                               .n = n - 1,
                               .first = first,
                               .second = first + n - 1,
                               .c = &J,
                               .uniform = true},
                              {.kind = PH_BOND_AXIAL,
                               .n = n - 1,
                               .first = first,
                               .second = first + n - 1,
                               .c = &beyond,
                               .uniform = true,
                               .axis = {0, 0, 1}}};
    const ph_anisotropy easy = {.axis = {0, 0, 1}, .K = &K, .uniform = true};
    const ph_spins description = {.n = n,
                                  .bonds = bonds,
                                  .n_bonds = 2,
                                  .field = field,
                                  .field_is_uniform = true,
                                  .anisotropies = &easy,
                                  .n_anisotropies = 1};
    status = ph_system_create(&(ph_system_definition){.spins = &description}, system, err);
    draw_directions(64, n, z);
    free(first);
    return status;
}

/* ---- Vortices ----------------------------------------------------------------------------------------------------- */

static ph_status create_vortices(size_t n, const double *strengths, double core, ph_system **system,
                                 ph_error *err)
{
    static const double one = 1;
    const ph_bonds all = {
        .kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true, .core = core};
    const ph_spins description = {.n = n, .strengths = strengths, .bonds = &all, .n_bonds = 1};
    return ph_system_create(&(ph_system_definition){.spins = &description}, system, err);
}

static ph_status create_five(size_t n, ph_system **system, double *z, ph_error *err)
{
    static const double strengths[] = {1, 0.5, 0.75, 1.25, 0.75};
    static const double places[] = {1. / 3, 2. / 3,   2. / 3,   -2. / 7,  3. / 7, 6. / 7,  4. / 9, -8. / 9,
                                    1. / 9, -6. / 11, -2. / 11, -9. / 11, 2. / 3, -2. / 3, 1. / 3};
    memcpy(z, places, sizeof places);
    return create_vortices(n, strengths, 0, system, err);
}

/* As many of strength 1 as of strength -1. */
static ph_status create_cloud(size_t n, ph_system **system, double *z, ph_error *err)
{
    double *strengths = malloc(n * sizeof *strengths);
    if (!strengths)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        strengths[i] = i % 2 ? -1 : 1;
    draw_directions(200, n, z);
    const ph_status status = create_vortices(n, strengths, 0.1, system, err);
    free(strengths);
    return status;
}

/* ---- The list ----------------------------------------------------------------------------------------------------- */

const study_case spin_systems[N_SPIN_SYSTEMS] = {
    {"ring", "Heisenberg's ring of 16 spins, random directions", .n = 16, .time = 4, .first_step = 0.4,
     .stage = 0.025, .share = 1, .create = create_ring},
    {"xxz", "XXZ chain of 64 spins with field and easy axis, random directions", .n = 64,
     .class = SPINS_AXIAL, .time = 4, .first_step = 0.4, .stage = 0.025, .share = 0.5,
     .create = create_chain},
    {"cube", "Heisenberg's magnet of 10 x 10 x 10 spins on a periodic cube, random directions", .n = 1000,
     .time = 1, .first_step = 0.2, .stage = 0.025, .share = 0.02, .create = create_cube},
};
const study_case vortex_systems[N_VORTEX_SYSTEMS] = {
    {"five", "five vortices of one sign", .n = 5, .time = 40, .first_step = 0.4, .stage = 0.05, .share = 1,
     .create = create_five},
    {"cloud", "200 vortices of strengths 1 and -1 with core 0.1, random places", .n = 200, .time = 1,
     .first_step = 0.05, .stage = 0.002, .share = 0.1, .create = create_cloud},
};
