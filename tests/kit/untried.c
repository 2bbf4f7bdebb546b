/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that a suite cannot test on this machine (see untried.h). */
#include "untried.h"

#include "testkit.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };
static char said[MOST][300];
static int count;

static void everything_is_tried(int i)
{
    ck_abort_msg("not tried: %s", said[i]);
}

static int parts(void)
{
    return count;
}

static const TTest failing = {"everything_is_tried", everything_is_tried, __FILE__, INT_MAX};
static tk_known last = {&failing, parts, NULL};

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
    count++;
    if (!getenv("POLHODE_CHECK_STRICT"))
        return;
    if (!suite && count == 1)
        tk_know(&last);
    if (suite) {
        TCase *strict = tcase_create("strict");
        tcase_add_loop_test(strict, &failing, count - 1, count);
        suite_add_tcase(suite, strict);
    }
}
