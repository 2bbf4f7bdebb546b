/* SPDX-License-Identifier: BSD-3-Clause */
/* Locales with other decimal points, which no machine need have installed: tests/kit/locales.sh makes them. */
#ifndef POLHODE_TESTS_POINTS_H
#define POLHODE_TESTS_POINTS_H

/* Number of such locales: "comma", and "separator", whose decimal point is of two bytes; 0 where they cannot be made, which
 * is reported as untried. */
int points(void);
void point_set(int i);  /* sets all of the locale to that one, or a failed assertion */
void point_reset(void); /* back to "C" */

#endif
