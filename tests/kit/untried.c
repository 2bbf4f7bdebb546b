/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that a suite cannot test on this machine (see untried.h). */
#include "untried.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };
static char said[MOST][300];
static int count;

START_TEST(everything_is_tried)
{
    ck_abort_msg("not tried: %s", said[_i]);
}
END_TEST

void untried(Suite *suite, const char *format, ...)
{
    if (count == MOST)
        abort();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said[count], sizeof said[count], format, arguments);
    va_end(arguments);
    printf("skipped: %s\n", said[count]);
    fflush(stdout); /* tests fork */
    if (getenv("POLHODE_CHECK_STRICT")) {
        TCase *strict = tcase_create("strict");
        tcase_add_loop_test(strict, everything_is_tried, count, count + 1);
        suite_add_tcase(suite, strict);
    }
    count++;
}
