/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary asteroids by all methods (binary.h): systems, contenders, what an accuracy costs. */
#include "binary.h"
#include "bench/common/turns.h"

#include <math.h>
#include <stdlib.h>

static const binary_case cases[] = {
    {"didymos", "(65803) Didymos: polyhedron and ellipsoid", "binary", "didymos"},
    {"kw4", "like (66391) Moshup, 1999 KW4: two ellipsoids", "binary", "kw4"},
    {"ellipsoids", "two ellipsoids, tilted, not synchronous", "binary", "ellipsoids"},
    {"octahedra", "two octahedra that almost touch", "binary", "octahedra"},
    {"triple", "two ellipsoids and a sphere", "rigid-n-body", "triple"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

const char *const binary_standard[] = {
    "variational:order=2",
    "variational:order=4",
    "variational:order=6",
    "variational:order=8",
    "kepler-rotor",
    "kepler-rotor:splitting=strang",
    "kepler-rotor:splitting=aba-10-6-4",
    "rk4",
    "rkmk4",
    "rk8",
    "galerkin:order=8",
    "arkode",
    "cvode",
};
const size_t n_binary_standard = sizeof binary_standard / sizeof binary_standard[0];

size_t binary_cases(void)
{
    return CASES;
}

const binary_case *binary_case_at(size_t i)
{
    return i < CASES ? &cases[i] : NULL;
}

void binary_free(binary *b)
{
    free(b->lines);
    *b = (binary){0};
}

double binary_cost(const binary_line *l, double level)
{
    double errors[BINARY_POINTS], seconds[BINARY_POINTS];
    for (size_t k = 0; k < BINARY_POINTS; k++) {
        errors[k] = l->points[k].turns ? l->points[k].place : (double)NAN;
        seconds[k] = l->points[k].cpu;
    }
    return turns_cost(errors, seconds, BINARY_POINTS, level);
}
