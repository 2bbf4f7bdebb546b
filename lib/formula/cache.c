/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache of compiled formulas. What is loaded from it runs with our rights: each directory on the way is opened
 * without following links, belongs to us and is not writable by others; so is each file, and it ends with the SHA-256 of
 * what stands before. Others see a file whole or not at all, as it is renamed when it is complete. */
#define _GNU_SOURCE
#include "cache.h"
#include "sha256.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 64 << 20 };

static bool is_ours(int fd, mode_t kind, struct stat *is)
{
    return !fstat(fd, is) && (is->st_mode & S_IFMT) == kind && is->st_uid == geteuid() &&
           !(is->st_mode & (S_IWGRP | S_IWOTH));
}

/* A directory in another, -1 if it is not ours; the other one is closed. */
static int step_into(int in, const char *name)
{
    struct stat is;
    mkdirat(in, name, 0700);
    int fd = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (in >= 0)
        close(in);
    if (fd >= 0 && !is_ours(fd, S_IFDIR, &is)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

int ph_cache_open(void)
{
    struct stat is;
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool given = cache && *cache == '/';
    if (!given && !(home && *home == '/'))
        return -1;
    int fd = given ? step_into(AT_FDCWD, cache)
                   : step_into(open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ".cache");
    fd = fd < 0 ? fd : step_into(fd, "polhode");
    fd = fd < 0 ? fd : step_into(fd, "formulas");
    if (fd >= 0 && (fstat(fd, &is) || is.st_mode & 077)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Reads to the end of a file: SHA-256 of all but the last 32 bytes, which are these. */
static bool is_intact(int fd, off_t size)
{
    ph_sha256 s;
    unsigned char digest[PH_SHA256_BYTES], part[4096];
    off_t rest = size - PH_SHA256_BYTES;
    ph_sha256_begin(&s);
    while (rest > 0) {
        const ssize_t n = read(fd, part, rest < (off_t)sizeof part ? (size_t)rest : sizeof part);
        if (n <= 0)
            return false;
        ph_sha256_add(&s, part, (size_t)n);
        rest -= n;
    }
    ph_sha256_end(&s, digest);
    return rest == 0 && read(fd, part, PH_SHA256_BYTES) == PH_SHA256_BYTES &&
           !memcmp(part, digest, PH_SHA256_BYTES);
}

bool ph_cache_has(int directory, const char *name)
{
    struct stat is;
    const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    const bool good = is_ours(fd, S_IFREG, &is) && is.st_nlink == 1 && is_intact(fd, is.st_size);
    if (good)
        futimens(fd, NULL);
    close(fd);
    return good;
}

/* Without the files that were used longest ago, until no more than MOST bytes are left. */
static void prune(int directory)
{
    for (;;) {
        char oldest[NAME_MAX + 1] = "";
        int64_t bytes = 0, when = INT64_MAX;
        struct stat is;
        const int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *list = again >= 0 ? fdopendir(again) : NULL;
        const struct dirent *entry;
        while (list && (entry = readdir(list)))
            if (!fstatat(directory, entry->d_name, &is, AT_SYMLINK_NOFOLLOW) && S_ISREG(is.st_mode)) {
                bytes += is.st_size;
                if (is.st_mtime < when) {
                    when = is.st_mtime;
                    snprintf(oldest, sizeof oldest, "%s", entry->d_name);
                }
            }
        if (list)
            closedir(list);
        if (bytes <= MOST || unlinkat(directory, oldest, 0))
            return;
    }
}

/* to <- all of from, and its SHA-256. */
static bool copy(FILE *from, FILE *to)
{
    ph_sha256 s;
    unsigned char digest[PH_SHA256_BYTES], part[4096];
    size_t n;
    ph_sha256_begin(&s);
    while ((n = fread(part, 1, sizeof part, from))) {
        ph_sha256_add(&s, part, n);
        fwrite(part, 1, n, to);
    }
    ph_sha256_end(&s, digest);
    fwrite(digest, 1, sizeof digest, to);
    return !ferror(from) && !ferror(to);
}

bool ph_cache_put(int directory, const char *name, const char *from)
{
    char beside[NAME_MAX + 1];
    snprintf(beside, sizeof beside, "%s.%ld.%p", name, (long)getpid(), (void *)beside); /* of this thread */
    FILE *in = fopen(from, "rbe");
    const int fd = openat(directory, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *to = fd >= 0 ? fdopen(fd, "wb") : NULL;
    bool good = in && to && copy(in, to);
    if (in)
        fclose(in);
    if (to)
        good = !fclose(to) && good;
    good = good && !renameat(directory, beside, directory, name);
    if (!good && fd >= 0)
        unlinkat(directory, beside, 0);
    prune(directory);
    return good;
}
