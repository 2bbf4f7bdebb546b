/* SPDX-License-Identifier: BSD-3-Clause */
/* Damaged rows of archives that are drawn or reported: how many there are, in words, and the exit status. */
#include "archived.h"

#include "tools/program.h"

#include <inttypes.h>
#include <stdio.h>

void archived_damage(const archived *a, char *text, size_t size)
{
    const int64_t n = a->damaged_rows;
    *text = '\0';
    if (a->damaged == 1)
        snprintf(text, size, "%" PRId64 " damaged row%s left out: %s", n, n == 1 ? " is" : "s are",
                 a->damage);
    else if (a->damaged)
        snprintf(text, size, "%" PRId64 " damaged rows in %" PRId64 " places are left out; the first: %s", n,
                 a->damaged, a->damage);
}

int archived_complain(const archived *runs, size_t n)
{
    int code = EXIT_OK;
    for (size_t i = 0; i < n; i++) {
        char text[400];
        archived_damage(&runs[i], text, sizeof text);
        if (*text)
            code = complain(EXIT_ENDED_EARLY, "%s: %s", runs[i].file, text);
    }
    return code;
}
