/* SPDX-License-Identifier: BSD-3-Clause */
/* Thinned curves (figures/thin.h) against all points: whatever the whole curve covers is less than a cell and a half from what is kept, and
 * what is kept is on the curve. Distances are computed from the pieces, without a raster. */
#include "tests/kit/testkit.h"

#include "figures/thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64 };
static const double pi = 3.141592653589793;
static const thin_plane square = {1, 2, false, -1, 1, -1, 1},
                        turning = {1, 2, true, -3.141592653589793, 3.141592653589793, -1, 1};

/* ---- Curves ------------------------------------------------------------------------------------------------ */

/* clang-format off */
static void circle(tk_random *r, double i, double *p) { (void)r; p[1] = cos(0.01 * i); p[2] = sin(0.01 * i); }
static void knot(tk_random *r, double i, double *p) { (void)r; p[1] = cos(0.031 * i); p[2] = sin(0.047001 * i); }
static void spiral(tk_random *r, double i, double *p) { (void)r; p[1] = exp(-1e-3 * i) * cos(0.1 * i); p[2] = exp(-1e-3 * i) * sin(0.1 * i); }
static void straight(tk_random *r, double i, double *p) { (void)r; p[1] = -1 + i / 3000; p[2] = 0.3 * p[1]; }
static void resting(tk_random *r, double i, double *p) { (void)r; (void)i; p[1] = 0.25; p[2] = -0.5; }
static void jumping(tk_random *r, double i, double *p) { (void)i; p[1] = tk_uniform(r, -1, 1); p[2] = tk_uniform(r, -1, 1); }
static void wandering(tk_random *r, double i, double *p)
{
    if (i == 0)
        p[1] = p[2] = 0;
    for (int k = 1; k < 3; k++)
        p[k] = fmax(-1, fmin(1, p[k] + 0.02 * tk_normal(r)));
}
/* clang-format on */

static const struct curve {
    const char *name;
    void (*next)(tk_random *r, double i, double *p);
    size_t least, most; /* rows that are kept */
} curves[] = {{"circle", circle, 100, 500},       {"knot", knot, 200, 3000},  {"spiral", spiral, 500, 3000},
              {"straight", straight, 30, 200},    {"resting", resting, 1, 1}, {"jumping", jumping, 20, 1500},
              {"wandering", wandering, 300, 3500}};
enum { CURVES = sizeof curves / sizeof curves[0], POINTS = 4000 };

/* points (POINTS x 3) <- t, x and y */
static double *make(const struct curve *c)
{
    double *points = calloc(3 * POINTS, sizeof *points), p[3] = {0, 0, 0};
    tk_random r = {0x51ed270b};
    for (size_t i = 0; i < POINTS; i++) {
        c->next(&r, (double)i, p);
        p[0] = (double)i;
        memcpy(points + 3 * i, p, sizeof p);
    }
    return points;
}

/* The distance of x from the piece between a and b, in cells: the larger of both directions, sampled. */
static double distance(const double *x, const double *a, const double *b)
{
    double least = INFINITY;
    for (int k = 0; k <= 64; k++) {
        const double s = k / 64.0, dx = a[1] + s * (b[1] - a[1]) - x[1], dy = a[2] + s * (b[2] - a[2]) - x[2];
        least = fmin(least, fmax(fabs(dx), fabs(dy)));
    }
    return least * CELLS / 2;
}

/* From the nearest of the pieces that n rows draw. */
static double from_rows(const double *x, const double *rows, size_t n)
{
    double least = INFINITY;
    for (size_t i = 0; i < n && least > 0.5; i++) {
        const double *a = rows + 3 * i, *b = i + 1 < n && !isnan(a[3]) ? a + 3 : a;
        if (isnan(a[0]))
            continue;
        if (fmax(fabs(a[1] - x[1]), fabs(a[2] - x[2])) > 0.2 + fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])))
            continue; /* far away */
        least = fmin(least, distance(x, a, b));
    }
    return least;
}

TEST_EACH(pictures_are_the_same, CURVES)
{
    const struct curve *c = &curves[_i];
    double *points = make(c), worst = 0, astray = 0;
    thin t;
    tk_ok(thin_start(&t, 3, &square, 1, false, CELLS, 100000, NULL));
    for (size_t i = 0; i < POINTS; i++)
        tk_ok(thin_enter(&t, points + 3 * i, NULL));
    const size_t apart = tk_short() ? 97 : 7;
    for (size_t i = 1; i < POINTS; i += apart) { /* a place between two points */
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = points[3 * i + k] - 0.37 * (points[3 * i + k] - points[3 * i - 3 + k]);
        worst = fmax(worst, from_rows(x, t.kept.values, t.kept.rows));
    }
    for (size_t i = 0; i + 1 < t.kept.rows; i += apart) { /* a place between two that are kept */
        const double *a = t.kept.values + 3 * i, *b = a + 3;
        if (isnan(a[0]) || isnan(b[0]))
            continue;
        const double x[3] = {0, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
        astray = fmax(astray, from_rows(x, points, POINTS));
    }
    printf("%s: %zu of %d rows; %.2f cells from what is kept, %.2f from the curve\n", c->name, t.kept.rows,
           POINTS, worst, astray);
    ck_assert_msg(worst < 1.5, "%s: %g", c->name, worst);
    ck_assert_msg(astray < 1.5, "%s: %g", c->name, astray);
    ck_assert_msg(t.kept.rows >= c->least && t.kept.rows <= c->most, "%s: %zu rows", c->name, t.kept.rows);
    thin_free(&t);
    free(points);
}

/* Any number of points in bounded memory; rows are those of the curve, in its order. */
TEST(bounded)
{
    tk_random r = {7};
    thin t;
    double p[3] = {0, 0, 0}, before = -1;
    tk_ok(thin_start(&t, 3, &square, 1, false, 512, 2000, NULL));
    for (double i = 0; i < 50000; i++) {
        jumping(&r, i, p);
        p[0] = i;
        tk_ok(thin_enter(&t, p, NULL));
        ck_assert_uint_le(t.kept.rows, 2000);
    }
    ck_assert_uint_lt(t.cells, 512);
    ck_assert(thin_covered(&t) > 0.99);
    ck_assert_int_eq(t.entered, 50000);
    for (size_t i = 0; i < t.kept.rows; i++)
        if (!isnan(t.kept.values[3 * i])) {
            ck_assert(t.kept.values[3 * i] > before);
            before = t.kept.values[3 * i];
        }
    thin_free(&t);
}

/* An angle that leaves on one side and comes back on the other draws no line across. */
TEST(angles)
{
    thin t;
    size_t gaps = 0;
    tk_ok(thin_start(&t, 3, &turning, 1, false, CELLS, 100000, NULL));
    for (double i = 0; i < 1000; i++) {
        const double angle = remainder(0.05 * i, 2 * pi), p[3] = {i, angle, sin(0.013 * i)};
        tk_ok(thin_enter(&t, p, NULL));
    }
    for (size_t i = 0; i + 1 < t.kept.rows; i++) {
        const double *a = t.kept.values + 3 * i, *b = a + 3;
        ck_assert_msg(isnan(a[0]) || isnan(b[0]) || isnan(a[1]) || isnan(b[1]) || fabs(a[1] - b[1]) < 1,
                      "%g to %g", a[1], b[1]);
        gaps += !isnan(b[0]) && isnan(b[1]);
    }
    ck_assert_uint_eq(
        gaps, 8); /* 49.95 rad are almost 8 turns, and the first crossing is half a turn from the start */
    thin_free(&t);
}

/* Points alone: one in each cell that has any. */
TEST(dots)
{
    static unsigned char seen[CELLS][CELLS];
    tk_random r = {3};
    thin t;
    double p[3];
    size_t cells = 0;
    tk_ok(thin_start(&t, 3, &square, 1, true, CELLS, 100000, NULL));
    for (double i = 0; i < 3000; i++) {
        p[0] = i;
        jumping(&r, i, p);
        tk_ok(thin_enter(&t, p, NULL));
        unsigned char *cell = &seen[(size_t)((p[1] + 1) / 2 * CELLS)][(size_t)((p[2] + 1) / 2 * CELLS)];
        cells += !*cell;
        *cell = 1;
    }
    ck_assert_uint_eq(t.kept.rows, cells);
    ck_assert(fabs(thin_covered(&t) - (double)cells / (CELLS * CELLS)) < 1e-12);
    thin_free(&t);
}

/* What is not finite interrupts a line; a plane without extent has a picture, too. */
TEST(odd_points)
{
    const thin_plane flat = {1, 2, false, 2, 2, 5, 5};
    thin t;
    tk_ok(thin_start(&t, 3, &square, 1, false, CELLS, 100, NULL));
    for (double i = 0; i < 30; i++)
        tk_ok(thin_enter(&t, (double[]){i, -0.9 + 0.06 * i, i > 9 && i < 15 ? (double)NAN : 0.5}, NULL));
    for (size_t i = 0; i + 1 < t.kept.rows; i++)
        ck_assert(isnan(t.kept.values[3 * i]) || isnan(t.kept.values[3 * i + 3]) ||
                  t.kept.values[3 * i + 3] - t.kept.values[3 * i] == 1);
    ck_assert_uint_ge(t.kept.rows, 25);
    thin_free(&t);
    tk_ok(thin_start(&t, 3, &flat, 1, false, CELLS, 100, NULL));
    for (double i = 0; i < 30; i++)
        tk_ok(thin_enter(&t, (double[]){i, i < 10 ? 2 : 1e300, i < 20 ? 5 : -1e300}, NULL));
    ck_assert_uint_ge(t.kept.rows, 1);
    thin_free(&t);
}

/* Extents: of a circle with 40 points in a turn each is about a tenth of its width from the next. */
TEST(extents)
{
    extent e = extent_start(3, 0);
    for (double i = 0; i <= 400; i++)
        extent_enter(&e, (double[]){i, cos(2 * pi * i / 40), sin(2 * pi * i / 40)});
    extent_enter(&e, (double[]){401, NAN, 7});
    ck_assert(e.least[1] == -1 && e.most[1] == 1 && e.first[0] == 0 && e.before[0] == 400);
    ck_assert_int_eq(e.entered, 401);
    ck_assert(fabs(extent_stride(&e, 1, 2, 2, 2) - 0.05) <
              1e-3); /* 4 widths in 40 points, and two of them in x */
    extent a = extent_start(2, 2);
    for (double i = 0; i < 100; i++)
        extent_enter(&a, (double[]){i, remainder(0.5 * i, 2 * pi)});
    ck_assert(fabs(a.way[1] - 0.5 * 99) < 1e-9);
}

int main(void)
{
    return tk_run("thin");
}
