/* SPDX-License-Identifier: BSD-3-Clause */
/* What a suite cannot try here: said in its output, where scripts count it, and a failure where everything must be
 * tried. A test that cannot run is left out of its case and named by this instead, so that it does not pass. */
#ifndef POLHODE_TESTS_UNTRIED_H
#define POLHODE_TESTS_UNTRIED_H

#include <check.h>

/* Prints "skipped: " and the text, which says what and why. With POLHODE_CHECK_STRICT set, a test that fails with
 * this text joins the suite. To be called before the suite runs. */
void untried(Suite *suite, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
