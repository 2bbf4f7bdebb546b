/* SPDX-License-Identifier: BSD-3-Clause */
/* Locales with other decimal points (see points.h). */
#include "points.h"

#include "untried.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"comma", "separator"};

/* NULL; or, where the locale cannot be made, why (valid until the next call), and it is "C". */
static const char *set_to(const char *name)
{
    static char why[300];
    char folder[] = "/tmp/polhode-locales-XXXXXX", command[5000];
    const char *source = getenv("top_srcdir");
    if (!mkdtemp(folder))
        return "no folder can be made in /tmp";
    /* without make the build directory is one below the source */
    snprintf(command, sizeof command, "sh '%s/tests/kit/locales.sh' %s 2>&1", source ? source : "..", folder);
    FILE *made = popen(command, "r");
    why[0] = '\0';
    if (made && !fgets(why, sizeof why, made))
        why[0] = '\0';
    why[strcspn(why, "\n")] = '\0';
    int status = made ? pclose(made) : -1;
    const char *set = NULL;
    if (status == 0) {
        setenv("LOCPATH", folder, 1);
        set = setlocale(LC_ALL, name);
        unsetenv("LOCPATH");
    }
    /* what is set is in memory */
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s cannot be removed\n", folder);
    if (set && strcmp(localeconv()->decimal_point, "."))
        return NULL;
    point_reset();
    return why[0] ? why : "the locale cannot be set";
}

int points(void)
{
    const char *why = set_to(names[0]);
    point_reset();
    if (why)
        untried(NULL, "other decimal points: %s", why);
    return why ? 0 : 2;
}

void point_set(int i)
{
    const char *why = set_to(names[i]);
    ck_assert_msg(!why, "%s", why);
}

void point_reset(void)
{
    setlocale(LC_ALL, "C");
}
