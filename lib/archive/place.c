/* SPDX-License-Identifier: BSD-3-Clause */
/* Where files lie: links resolved, directories made, what is there already, names that survive a power
 * cut, and file systems of a network. */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

char *ph_file_place(const char *path, bool follow)
{
    char *place = follow ? realpath(path, NULL) : NULL;
    if (place || (follow && errno == ENOMEM))
        return place;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *directory = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
    place = directory ? realpath(directory, NULL) : NULL;
    const bool none = !place && (!directory || errno == ENOMEM);
    free(directory);
    if (none)
        return NULL;
    if (!place)
        return strdup(path); /* opening it will fail and report the reason */
    char *whole = malloc(strlen(place) + 1 + strlen(name) + 1);
    if (whole)
        stpcpy(stpcpy(stpcpy(whole, place), place[1] ? "/" : ""), name);
    free(place);
    return whole;
}

char *ph_path_join(const char *a, const char *b, const char *c)
{
    char *text = malloc(strlen(a) + strlen(b) + strlen(c) + 1);
    return text ? strcat(strcat(strcpy(text, a), b), c) : NULL;
}

/* Makes one directory, unless there is one already. */
static ph_status make_directory(const char *path, ph_error *err)
{
    struct stat s;
    if (!mkdir(path, 0777))
        return PH_OK;
    int error = errno;
    if (!stat(path, &s) && S_ISDIR(s.st_mode))
        return PH_OK;
    return ph_fail(err, PH_E_IO, "%s: cannot be made a directory: %s", path, strerror(error));
}

/* The directory and its parents; path is cut at each slash in turn and restored. */
ph_status ph_make_directories(char *path, ph_error *err)
{
    ph_status status = PH_OK;
    for (char *s = path + 1; *s && !status; s++)
        if (*s == '/' && s[-1] != '/') {
            *s = '\0';
            status = make_directory(path, err);
            *s = '/';
        }
    return status ? status : make_directory(path, err);
}

ph_status ph_file_target(const char *path, bool force, ph_error *err)
{
    struct stat s;
    if (lstat(path, &s))
        return PH_OK;
    if (S_ISDIR(s.st_mode))
        return ph_fail(err, PH_E_IO, "%s: is a directory; a file is to be written there", path);
    if (!force)
        return ph_fail(err, PH_E_EXISTS, "%s: exists already; choose another place or allow to replace it",
                       path);
    return PH_OK;
}

void ph_sync_directory(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = '\0';
    int fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* ---- File systems of a network ------------------------------------------------------------------- */

/* By the numbers that Linux gives them (statfs(2)). FUSE stands for all that a process serves: sshfs, GlusterFS and others. */
const char *ph_file_network(const char *path)
{
#ifdef __linux__
    static const struct {
        uint32_t type;
        const char *name;
    } known[] = {{0x00006969, "NFS"},    {0x0000517b, "SMB"},    {0xff534d42, "SMB"},  {0xfe534d42, "SMB"},
                 {0x00c36400, "CephFS"}, {0x0bd00bd0, "Lustre"}, {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"},
                 {0x01021997, "9p"},     {0x5346414f, "AFS"},    {0x65735546, "FUSE"}};
    struct statfs s;
    if (statfs(path, &s))
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((uint32_t)s.f_type == known[i].type)
            return known[i].name;
#else
    (void)path;
#endif
    return NULL;
}

void ph_file_note_network(const char *path, void (*message)(void *self, const char *text), void *self)
{
    char text[600];
    const char *name = message ? ph_file_network(path) : NULL;
    if (!name)
        return;
    snprintf(
        text, sizeof text,
        "%.400s is on a network file system (%s): it is written with a rollback journal, so that writing it and "
        "reading it wait for each other",
        path, name);
    message(self, text);
}
