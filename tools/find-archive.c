/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory given in place of an archive: the one archive that is in it. */
#include "program.h"

#include <polhode/kit/text.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_archive(const char *name)
{
    static const char suffix[] = ".polhode";
    const size_t n = strlen(name);
    return n > strlen(suffix) && !strcmp(name + n - strlen(suffix), suffix);
}

/* NAME.shard-K-of-N.polhode, NAME.rank-R.polhode: of a part of a sweep */
static bool is_part(const char *name)
{
    return strstr(name, ".shard-") || strstr(name, ".rank-");
}

/* *found <- DIR/NAME (malloc) of the first archive; result <- how many there are. parts: of sweeps, or all others. */
static size_t count_archives(DIR *directory, const char *path, bool parts, char **found)
{
    const struct dirent *entry;
    size_t n = 0;
    rewinddir(directory);
    while ((entry = readdir(directory)))
        if (is_archive(entry->d_name) && is_part(entry->d_name) == parts && n++ == 0 &&
            (*found = malloc(strlen(path) + strlen(entry->d_name) + 2)))
            stpcpy(stpcpy(stpcpy(*found, path), path[strlen(path) - 1] == '/' ? "" : "/"), entry->d_name);
    return n;
}

ph_status find_archive(const char *path, char **file, ph_error *err)
{
    struct stat about;
    if (stat(path, &about) || !S_ISDIR(about.st_mode)) {
        *file = strdup(path);
        return *file ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    *file = NULL;
    DIR *directory = opendir(path);
    if (!directory)
        return ph_fail(err, PH_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    size_t n = count_archives(directory, path, false, file);
    const bool parts = !n;
    if (parts) /* what was merged stands for its shards */
        n = count_archives(directory, path, true, file);
    closedir(directory);
    if (n == 1 && *file)
        return PH_OK;
    free(*file);
    *file = NULL;
    if (n == 1)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (n && parts)
        return ph_fail(
            err, PH_E_INVALID,
            "%s: is a directory with %zu parts of a sweep; polhode merge %s joins them, or name one of "
            "them",
            path, n, path);
    return n ? ph_fail(err, PH_E_INVALID, "%s: is a directory with %zu archives; name one of them", path, n)
             : ph_fail(err, PH_E_INVALID, "%s: is a directory without an archive (NAME.polhode)", path);
}

ph_status refuse_sweep(const char *file, ph_error *err)
{
    return ph_fail(
        err, PH_E_UNSUPPORTED,
        "%s: is the archive of a sweep, where one run is expected; info, tail, export, plot, view and report take it, and polhode "
        "run --member I FILE runs one of its members",
        file);
}
