/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory that receives the files of a run (ph_archive_prepare). */
#include <polhode/archive.h>

#include "file.h"
#include "place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* Only an attempt shows whether a file can be created: for root, every test of the permissions succeeds. */
static ph_status check_writable(const char *path, ph_error *err)
{
    ph_file *probe;
    ph_status status = ph_file_open(path, &probe, err);
    if (!status)
        ph_file_abandon(probe);
    return status;
}

ph_status ph_archive_prepare(const char *directory, const char *archive, bool force, ph_error *err)
{
    const char *const files[] = {"trajectory.csv", "events.csv", "summary.json", archive};
    size_t n = strlen(directory), longest = archive ? strlen(archive) : 0;
    if (!n)
        return ph_fail(err, PH_E_INVALID, "the name of the output directory is empty");
    char *path = malloc(n + longest + 32);
    if (!path)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(path, directory, n + 1);
    ph_status status = ph_make_directories(path, err);
    path[n++] = '/';
    for (size_t i = 0; i < (archive ? 4 : 3) && !status; i++) {
        strcpy(path + n, files[i]);
        status = ph_file_target(path, force, err);
        if (!status && i < 3) /* not the archive: another process may be writing it */
            status = check_writable(path, err);
    }
    free(path);
    return status;
}

double ph_disk_room(const char *directory)
{
    struct statvfs disk;
    char *path = strdup(directory);
    bool known = false;
    while (path && !(known = !statvfs(*path ? path : ".", &disk) && disk.f_blocks > 0) && *path) {
        char *slash = strrchr(path, '/');
        *(slash ? slash + (slash == path && slash[1]) : path) = '\0';
    }
    free(path);
    return known ? (double)disk.f_bavail * (double)disk.f_frsize : INFINITY;
}
