/* SPDX-License-Identifier: BSD-3-Clause */
/* asin, acos, atan, atan2: all are the angle of a point (x, y) whose coordinates are pairs. In the first octant, with c = i/32 near y/x,
 *     atan(y/x) = atan c + atan u,   u = (y - c x)/(x + c y),   |u| <= 1/64,   atan u = u + u^3 A(u^2),
 * A a minimax polynomial to 2^-71 of u. */
#include <polhode/kit/elementary.h>

#include "tables.h"

static const pair half_turn = {0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};    /* pi */
static const pair quarter_turn = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54}; /* pi/2 */

/* 0 <= y <= x, x > 0, both far from the ends of the range. */
static inline pair first_octant(pair x, pair y)
{
    const int i = (int)(32 * (y.high / x.high) + 0.5);
    const double c = i / 32.0;
    const pair cx = pair_product(c, x.high), d = pair_sum(x.high, c * y.high);
    const pair u = pair_over((pair){y.high - cx.high, (y.low - cx.low) - c * x.low},
                             (pair){d.high, d.low + (x.low + c * y.low)});
    const double v = u.high * u.high;
    const double A = -0x1.5555555555555p-2 +
                     v * (0x1.9999999991de4p-3 + v * (-0x1.2492479dcbed3p-3 + v * 0x1.c6e2650c4833dp-4));
    const pair sum = pair_sum(arcs[i].high, u.high);
    return pair_of(sum.high, sum.low + (arcs[i].low + (u.low + u.high * v * A)));
}

/* 0 <= y, not both 0. */
static inline pair upper_half(pair x, pair y)
{
    const bool left = x.high < 0;
    if (left)
        x = pair_minus(x);
    pair angle =
        y.high <= x.high ? first_octant(x, y) : pair_add(quarter_turn, pair_minus(first_octant(y, x)));
    return left ? pair_add(half_turn, pair_minus(angle)) : angle;
}

double ph_atan2(double y, double x)
{
    double size = fabs(x), height = fabs(y), angle;
    if (x != x || y != y)
        return x + y;
    if (!(fmax(size, height) <= 0x1.fffffffffffffp1023)) { /* infinite */
        size = size > 0x1.fffffffffffffp1023 ? 1 : 0;
        height = height > 0x1.fffffffffffffp1023 ? 1 : 0;
        x = copysign(size, x);
    }
    if (height == 0)
        angle = signbit(x) ? half_turn.high : 0;
    else if (height < size * 0x1p-60 && !signbit(x))
        angle = height / size;
    else if (height < size * 0x1p-60)
        angle = half_turn.high;
    else if (size < height * 0x1p-60)
        angle = quarter_turn.high;
    else {
        const double largest = fmax(size, height);
        const double scale = largest > 0x1p400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1;
        const double more = largest < 0x1p-900 ? 0x1p400 : 1;
        angle = pair_value(upper_half((pair){x * scale * more, 0}, (pair){height * scale * more, 0}));
    }
    return copysign(angle, y);
}

double ph_atan(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27 || x != x)
        return x;
    return copysign(size > 0x1p60 ? quarter_turn.high : pair_value(upper_half((pair){1, 0}, (pair){size, 0})),
                    x);
}

/* The other side of a triangle whose hypotenuse is 1. */
static inline pair other_side(double x)
{
    const pair square = pair_product(x, x), rest = pair_sum(1, -square.high);
    const pair sum = pair_of(rest.high, rest.low - square.low);
    return sum.high > 0 ? pair_sqrt(sum) : (pair){0, 0};
}

double ph_asin(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27)
        return x;
    if (!(size <= 1))
        return NAN;
    return copysign(pair_value(upper_half(other_side(size), (pair){size, 0})), x);
}

double ph_acos(double x)
{
    if (!(fabs(x) <= 1))
        return NAN;
    if (fabs(x) < 0x1p-60)
        return quarter_turn.high;
    return pair_value(upper_half((pair){x, 0}, other_side(x)));
}
