/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of this machine. Linux gives out more than it has and ends the process that uses it; a bound on what this
 * process may take makes that "out of memory" where it is asked for, before a run begins and anything is written. */
#include "program.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

/* The number behind a word in a file of the kernel, in units of `unit`; NaN: there is none. word "": the first. */
static double find_number(const char *path, const char *word, double unit)
{
    char line[256];
    double value = NAN;
    FILE *file = fopen(path, "r");
    while (file && isnan(value) && fgets(line, sizeof line, file))
        if (!strncmp(line, word, strlen(word)) && sscanf(line + strlen(word), "%lf", &value) == 1)
            value *= unit;
    if (file)
        fclose(file);
    return value;
}

/* What the process has of it, for data. */
static double data_held(void)
{
    return find_number("/proc/self/status", "VmData:", 1024);
}

double memory_free(void)
{
    struct rlimit limit;
    const double here = find_number("/proc/meminfo", "MemAvailable:", 1024) +
                        find_number("/proc/meminfo", "SwapFree:", 1024),
                 group =
                     find_number("/sys/fs/cgroup/memory.max", "", 1) -
                     find_number("/sys/fs/cgroup/memory.current", "", 1) +
                     find_number("/sys/fs/cgroup/memory.stat", "active_file ", 1) + /* what can be dropped */
                     find_number("/sys/fs/cgroup/memory.stat", "inactive_file ", 1);
    double most = fmin(isnan(here) ? INFINITY : here, isnan(group) ? INFINITY : group);
    if (!getrlimit(RLIMIT_DATA, &limit) && limit.rlim_cur != RLIM_INFINITY)
        most = fmin(most, (double)limit.rlim_cur - data_held()); /* NaN where that is not known: most */
    return fmax(most, 0);
}

double memory_used(void)
{
    const double most = find_number("/proc/self/status", "VmHWM:", 1024);
    return isnan(most) ? 0 : most;
}

void memory_bound(void)
{
#ifndef __SANITIZE_ADDRESS__ /* which needs much that it never uses */
    struct rlimit limit;
    const double most = memory_free() + data_held();
    if (isfinite(most) && !getrlimit(RLIMIT_DATA, &limit)) {
        limit.rlim_cur = (rlim_t)fmin(most, (double)limit.rlim_max);
        setrlimit(RLIMIT_DATA, &limit);
    }
#endif
}
