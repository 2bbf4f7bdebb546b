/* SPDX-License-Identifier: BSD-3-Clause */
/* What spins and vortices cost: an evaluation of the gradient, and steps of methods. Prints, for each system, how many spheres and bonds it
 * has, and the times in ns of the gradient and of a step of each method of the command line at the step of the system, the least of many
 * rounds in turn; - of a method that this build does not have. The first word is `systems` or `growth`: `make evidence
 * TABLES="spin-steps spin-growth"` compiles and runs it. */
#include <math.h>
#include <polhode/polhode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 60, ROUNDS_SLOW = 5, MOST = 16 };
static const double slice = 3e6; /* [ns] of a round */

static void stop(const char *what, const ph_error *err)
{
    fprintf(stderr, "%s: %s\n", what, err->message);
    exit(1);
}

/* A periodic cube of side^3 spins, or a ring where dimensions is 1; exchange 1, and where xxz is set Delta = 0.6, a field and an axis. */
static ph_system *make_lattice(size_t side, size_t dimensions, int xxz)
{
    static const double one = 1, beyond = -0.4, K = 0.2, field[3] = {0, 0, 0.3};
    const size_t n = dimensions == 1 ? side : side * side * side, bonds = n * dimensions;
    uint32_t *first = malloc(2 * bonds * sizeof *first), *second = first + bonds;
    ph_system *system = NULL;
    ph_error err;
    if (!first)
        exit(1);
    for (size_t i = 0, stride = 1; stride < n; stride *= side)
        for (size_t k = 0; k < n; k++, i++) {
            const size_t place = k / stride % side;
            first[i] = (uint32_t)k;
            second[i] = (uint32_t)(k + (place + 1 < side ? stride : stride - side * stride));
        }
    const ph_bonds groups[2] = {
        {.kind = PH_BOND_EXCHANGE, .n = bonds, .first = first, .second = second, .c = &one, .uniform = true},
        {.kind = PH_BOND_AXIAL,
         .n = bonds,
         .first = first,
         .second = second,
         .c = &beyond,
         .uniform = true,
         .axis = {0, 0, 1}}};
    const ph_anisotropy easy = {.axis = {0, 0, 1}, .K = &K, .uniform = true};
    ph_spins spins = {.n = n, .bonds = groups, .n_bonds = 1};
    if (xxz) {
        spins.n_bonds = 2;
        spins.field = field;
        spins.field_is_uniform = true;
        spins.anisotropies = &easy;
        spins.n_anisotropies = 1;
    }
    if (ph_system_create(&(ph_system_definition){.spins = &spins}, &system, &err))
        stop("lattice", &err);
    free(first);
    return system;
}

static ph_system *make_vortices(size_t n)
{
    static const double one = 1;
    double *strengths = malloc(n * sizeof *strengths);
    ph_system *system = NULL;
    ph_error err;
    for (size_t i = 0; i < n; i++)
        strengths[i] = i % 2 ? -1 : 1;
    const ph_bonds all = {
        .kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true, .core = 0.1};
    if (ph_system_create(
            &(ph_system_definition){
                .spins = &(ph_spins){.n = n, .strengths = strengths, .bonds = &all, .n_bonds = 1}},
            &system, &err))
        stop("vortices", &err);
    free(strengths);
    return system;
}

/* Directions that are spread evenly, in an order that makes neighbours differ. */
static double *scatter(size_t n)
{
    double *z = malloc(3 * n * sizeof *z);
    for (size_t i = 0; i < n; i++) {
        const double height = fmod(0.5 + (double)i * 0.7548776662466927, 1) * 2 - 1,
                     angle = 6.283185307179586 * fmod((double)i * 0.5698402909980532, 1),
                     radius = sqrt(1 - height * height);
        z[3 * i] = radius * cos(angle);
        z[3 * i + 1] = radius * sin(angle);
        z[3 * i + 2] = height;
    }
    return z;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* One of the things that are timed: a method at work, or the gradient. */
typedef struct work {
    ph_integrator *it;
    ph_state *state;
    long n; /* in a round */
    double best;
} work;

static double run_round(const work *w, const ph_system *system, const double *z, double *g)
{
    ph_error err = {PH_OK, ""};
    const double begin = now();
    if (w->it) {
        if (ph_integrator_step(w->it, w->state, w->n)) {
            snprintf(err.message, sizeof err.message, "%s", ph_integrator_message(w->it));
            stop("a step", &err);
        }
    } else {
        for (long k = 0; k < w->n; k++)
            if (ph_spins_gradient(system, 0, z, g))
                stop("the gradient", &err);
    }
    return (now() - begin) / (double)w->n;
}

/* METHOD:order=N */
static void start(work *w, const char *text, const ph_system *system, const double *z, double h)
{
    char name[64], *order;
    double none = 0;
    snprintf(name, sizeof name, "%s", text);
    if ((order = strstr(name, ":order=")))
        *order = '\0';
    const ph_method *method = ph_method_find(name, NULL);
    const ph_setting setting = {"order", order ? order + 7 : NULL};
    ph_error err;
    *w = (work){.n = 1, .best = INFINITY};
    if (!method)
        return;
    if (ph_integrator_create(system, method, h, &setting, order ? 1 : 0, &w->it, &err) ||
        ph_state_create(w->it, &w->state, &err) ||
        ph_state_set(w->it, w->state, 0, z, &none, PH_STRICT, &err))
        stop(text, &err);
}

static void measure(const char *name, ph_system *system, size_t bonds, double h, char **methods, size_t n)
{
    const size_t spheres = ph_space_factors(ph_system_space(system));
    double *z = scatter(spheres), *g = malloc(3 * spheres * sizeof *g);
    work all[MOST] = {{NULL, NULL, 1, INFINITY}};
    for (size_t i = 1; i <= n; i++)
        start(&all[i], methods[i - 1], system, z, h);
    for (size_t i = 0; i <= n; i++) { /* so many that a round takes a slice; the first steps may cost more */
        if (i && !all[i].it)
            continue;
        const double first = run_round(&all[i], system, z, g);
        all[i].n = first > slice / 20 ? 1 : 20;
        all[i].n = (long)fmax(1, slice / fmax(1, run_round(&all[i], system, z, g)));
    }
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i <= n; i++)
            if ((!i || all[i].it) && (all[i].n > 1 || round < ROUNDS_SLOW))
                all[i].best = fmin(all[i].best, run_round(&all[i], system, z, g));
    printf("%s %zu %zu", name, spheres, bonds);
    for (size_t i = 0; i <= n; i++)
        isfinite(all[i].best) ? printf(" %.4g", all[i].best) : printf(" -");
    printf("\n");
    fflush(stdout);
    for (size_t i = 1; i <= n; i++) {
        ph_state_free(all[i].state);
        ph_integrator_free(all[i].it);
    }
    free(z);
    free(g);
    ph_system_free(system);
}

/* Cubes of up to a million spins. */
static void measure_growth(char **methods, size_t n)
{
    static const size_t sides[] = {4, 10, 22, 46, 100};
    for (size_t k = 0; k < sizeof sides / sizeof sides[0]; k++)
        measure("cube", make_lattice(sides[k], 3, 0), 3 * sides[k] * sides[k] * sides[k], 0.05, methods, n);
}

static void measure_systems(char **methods, size_t n)
{
    measure("ring", make_lattice(16, 1, 0), 16, 0.05, methods, n);
    measure("long-ring", make_lattice(1000, 1, 0), 1000, 0.05, methods, n);
    measure("xxz-ring", make_lattice(1000, 1, 1), 1000, 0.05, methods, n);
    measure("cube", make_lattice(4, 3, 0), 192, 0.05, methods, n);
    measure("large-cube", make_lattice(16, 3, 0), 12288, 0.05, methods, n);
    measure("five-vortices", make_vortices(5), 10, 0.05, methods, n);
    measure("vortices", make_vortices(200), 19900, 0.002, methods, n);
}

int main(int count, char **words)
{
    if (count < 3 || count - 2 >= MOST)
        return 2;
    (strcmp(words[1], "growth") ? measure_systems : measure_growth)(words + 2, (size_t)count - 2);
    return 0;
}
