/* SPDX-License-Identifier: BSD-3-Clause */
/* hypot and cbrt: sqrt, and three steps of Halley's iteration, each with one correction by what is left in twice the digits. */
#include <polhode/kit/elementary.h>

#include "lib/internal/pair.h"

double ph_hypot(double x, double y)
{
    double large = fabs(x), little = fabs(y), unit = 1;
    if (large < little) {
        const double other = large;
        large = little;
        little = other;
    }
    if (isinf(x) || isinf(y))
        return INFINITY;
    if (!(little > large * 0x1p-54)) /* also NaN, and 0 */
        return large + little;
    if (large > 0x1p400)
        unit = 0x1p600;
    else if (little < 0x1p-400)
        unit = large < 0x1p-400 ? 0x1p-600 : 1;
    large /= unit;
    little /= unit;
    const pair a = pair_product(large, large), b = pair_product(little, little);
    return unit * pair_value(pair_sqrt(pair_add(a, b)));
}

double ph_cbrt(double x)
{
    double size = fabs(x), unit = 1;
    if (x == 0 || !(size <= 0x1.fffffffffffffp1023))
        return x;
    if (size < 0x1p-900) {
        size *= 0x1p300;
        unit = 0x1p-100;
    } else if (size > 0x1p900) {
        size *= 0x1p-300;
        unit = 0x1p100;
    }
    /* A third of the exponent, and of the mantissa, as far as that goes: within 4 per cent. */
    const uint64_t guess = bits_of(size) / 3 + 0x2A9F8B7C00000000u;
    double root;
    memcpy(&root, &guess, sizeof root);
    for (int i = 0; i < 3; i++) {
        const double cube = root * root * root;
        root *= (cube + 2 * size) / (2 * cube + size);
    }
    const pair square = pair_product(root, root), cube = pair_times(square, root);
    return copysign(unit * (root - ((cube.high - size) + cube.low) / (3 * square.high)), x);
}
