/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementary functions with the same bits on every machine, with every compiler and C library, which steps
 * need: made of + - * / and sqrt alone. Those of C's mathematical library differ between its versions, and
 * between processors with and without fused operations.
 *
 * All are within 1 ulp of the exact value, and do at the ends of their domains what C's functions of these
 * names do (ISO C, annex F), but neither set errno nor, by intention, flags of floating-point exceptions.
 * Rounding is to the nearest. They keep nothing: safe in all threads. */
#ifndef POLHODE_ELEMENTARY_H
#define POLHODE_ELEMENTARY_H

#include <polhode/export.h>

PH_BEGIN_DECLS

/** sin x, x in rad, however large. */
PH_API double ph_sin(double x);
/** cos x, x in rad. */
PH_API double ph_cos(double x);
/** *s <- sin x, *c <- cos x, x in rad: the bits of ph_sin and ph_cos in less time than both. */
PH_API void ph_sincos(double x, double *s, double *c);
/** tan x, x in rad. */
PH_API double ph_tan(double x);
/** The angle in [-pi/2, pi/2] with this sine; NaN where |x| > 1. */
PH_API double ph_asin(double x);
/** The angle in [0, pi] with this cosine; NaN where |x| > 1. */
PH_API double ph_acos(double x);
/** The angle in [-pi/2, pi/2] with this tangent. */
PH_API double ph_atan(double x);
/** The angle in [-pi, pi] of the point (x, y). */
PH_API double ph_atan2(double y, double x);
/** e^x */
PH_API double ph_exp(double x);
/** e^x - 1, without loss near 0. */
PH_API double ph_expm1(double x);
/** The natural logarithm; -infinity at 0, NaN below. */
PH_API double ph_log(double x);
/** log(1 + x), without loss near 0. */
PH_API double ph_log1p(double x);
/** The logarithm to base 10, exact at powers of 10. */
PH_API double ph_log10(double x);
/** x^y; NaN where x < 0 and y is no whole number. */
PH_API double ph_pow(double x, double y);
/** (e^x - e^-x)/2 */
PH_API double ph_sinh(double x);
/** (e^x + e^-x)/2 */
PH_API double ph_cosh(double x);
/** sinh x / cosh x */
PH_API double ph_tanh(double x);
/** The inverse of sinh. */
PH_API double ph_asinh(double x);
/** The inverse of tanh; NaN where |x| > 1. */
PH_API double ph_atanh(double x);
/** sqrt(x^2 + y^2), without overflow on the way. */
PH_API double ph_hypot(double x, double y);
/** The real cube root. */
PH_API double ph_cbrt(double x);

PH_END_DECLS
#endif
