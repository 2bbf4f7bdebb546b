/* SPDX-License-Identifier: BSD-3-Clause */
/* Where and with what a comparison was made: measured times mean little without it. */
#include "surroundings.h"

#include <polhode/polhode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The model of the first processor, or its architecture where /proc/cpuinfo has none (not on Linux, or not
 * x86). */
static void find_processor(char *name, size_t size)
{
    char line[300];
    struct utsname system;
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "%s", uname(&system) < 0 ? "unknown processor" : system.machine);
    while (f && fgets(line, sizeof line, f)) {
        const char *value = strstr(line, ": ");
        if (strncmp(line, "model name", strlen("model name")) || !value)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, size, "%s", value + 2);
        break;
    }
    if (f)
        fclose(f);
}

/* Append NAME, behind a comma if it is not the first, unless it is there already or does not fit. */
static void append_once(char *list, size_t size, const char *name)
{
    size_t n = strlen(list);
    if (!strstr(list, name) && n + strlen(name) + 3 <= size)
        snprintf(list + n, size - n, "%s%s", n ? ", " : "", name);
}

static void find_mapped(FILE *maps, const char *prefix, char *list, size_t size)
{
    char line[4400];
    rewind(maps);
    while (fgets(line, sizeof line, maps)) {
        const char *name = strrchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (name && !strncmp(name + 1, prefix, strlen(prefix)))
            append_once(list, size, name + 1);
    }
}

/* They are mapped in any order; the list has a fixed one. */
void surroundings_algebra(char *list, size_t size)
{
    static const char *const prefixes[] = {"liblapack", "libblas",  "libopenblas",
                                           "libmkl",    "libflame", "libblis"};
    FILE *maps = fopen("/proc/self/maps", "r");
    for (size_t i = 0; maps && i < sizeof prefixes / sizeof prefixes[0]; i++)
        find_mapped(maps, prefixes[i], list, size);
    if (maps)
        fclose(maps);
}

/* The current time, or that of SOURCE_DATE_EPOCH, for reproducible results. */
static time_t what_time(void)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds;
    return given && !ph_parse_count(given, &seconds) ? (time_t)seconds : time(NULL);
}

void surroundings_describe(surroundings *s)
{
    char processor[160];
    time_t now = what_time();
    struct tm utc;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    find_processor(processor, sizeof processor);
    snprintf(s->machine, sizeof s->machine, "%s, %ld %s", processor, cores, cores == 1 ? "core" : "cores");
#ifdef __clang__
    snprintf(s->software, sizeof s->software, "Polhode %s, %s", ph_version(), __VERSION__);
#else
    snprintf(s->software, sizeof s->software, "Polhode %s, gcc %s", ph_version(), __VERSION__);
#endif
    surroundings_algebra(s->software, sizeof s->software);
    if (!gmtime_r(&now, &utc) || !strftime(s->date, sizeof s->date, "%Y-%m-%dT%H:%M:%SZ", &utc))
        s->date[0] = '\0';
}
