/* SPDX-License-Identifier: BSD-3-Clause */
/* Locales with other decimal points, which no machine need have installed: tests/kit/locales.sh makes them. */
#ifndef POLHODE_TESTS_POINTS_H
#define POLHODE_TESTS_POINTS_H

/* Sets all of the locale to "comma", or to "separator", whose decimal point is of two bytes. NULL; or, where it cannot
 * be made, why (valid until the next call), and the locale is "C". */
const char *point_set(const char *name);
void point_reset(void); /* back to "C" */

#endif
