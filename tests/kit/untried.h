/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that a suite cannot test on this machine: reported in its output, where scripts count them, and
 * failures where everything must be tested. A test that cannot run is left out of its case and reported by
 * this, so that it does not count as passed. */
#ifndef POLHODE_TESTS_UNTRIED_H
#define POLHODE_TESTS_UNTRIED_H

#include <check.h>

/* Prints "skipped: " and the text, which says what and why. With POLHODE_CHECK_STRICT set, a test that fails with
 * this text joins the suite (NULL: that of tk_run). To be called before the suite runs; the number of a TEST_EACH may do that. */
void untried(Suite *suite, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
