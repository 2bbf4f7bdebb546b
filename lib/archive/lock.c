/* SPDX-License-Identifier: BSD-3-Clause */
/* Lock files: what keeps two writers of one file apart, other threads like other processes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for F_OFD_SETLK, which glibc shows only then */
#endif
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A writer locks the first byte of its open file description: other threads are kept out like other
 * processes, and the lock can be queried without being taken (F_OFD_GETLK). A shared lock, which anybody who
 * may read the file can take, would block a writer; a new file is then created in its place. (flock, the
 * fallback, can be queried only by trying to take the lock.) */
#ifdef F_OFD_SETLK
static const struct flock first_byte = {.l_whence = SEEK_SET, .l_start = 0, .l_len = 1};

/* On a file system without locks it always succeeds. */
static bool take_lock(int fd)
{
    struct flock byte = first_byte;
    byte.l_type = F_WRLCK;
    return !fcntl(fd, F_OFD_SETLK, &byte) || (errno != EAGAIN && errno != EACCES);
}

static bool is_held(int fd)
{
    struct flock byte = first_byte;
    byte.l_type = F_RDLCK; /* conflicts with a writer's lock only */
    return !fcntl(fd, F_OFD_GETLK, &byte) && byte.l_type == F_WRLCK;
}
#else
static bool take_lock(int fd)
{
    return !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

static bool is_held(int fd)
{
    return flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
}
#endif

/* Is the name still that of the open file? Not if another writer renamed or removed it in the meantime. */
static bool is_still_named(int fd, const char *name)
{
    struct stat a, b;
    return !fstat(fd, &a) && !lstat(name, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Removes what exists under the name, unless a writer holds it (*blocked): the leftover of a crash, or
 * something that somebody has put there, such as a link. Links are not followed, and the file itself is not
 * changed: it may have another name, under which it belongs to somebody. False with errno where it cannot be
 * removed; true also where the outcome is unknown, so that the caller tries again. */
static bool clear_away(const char *name, bool *blocked)
{
    struct stat s;
    int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), error = errno;
    if (fd < 0 && (error == ENOENT || lstat(name, &s))) /* removed; by now there may be another file */
        return error == ENOENT || errno == ENOENT;
    if (fd < 0 && (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode))) {
        errno = error;
        return false;
    }
    const bool file = fd >= 0 && !fstat(fd, &s) && S_ISREG(s.st_mode);
    *blocked = file && !take_lock(fd) && is_held(fd);
    bool gone = true;
    if (!*blocked && (!file || is_still_named(fd, name)))
        gone = !unlink(name) || errno == ENOENT;
    error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return gone && !*blocked;
}

/* Another process can lock the new file only between its creation and our lock: either a writer that takes it
 * for a leftover, and then holds the lock, or a process that is not a writer. */
int ph_file_lock(const char *name, bool *blocked)
{
    *blocked = false;
    for (int tries = 0; tries < 100; tries++) {
        int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0) {
            if (errno != EEXIST || !clear_away(name, blocked))
                return -1;
            continue;
        }
        const bool ours = take_lock(fd);
        if (ours && is_still_named(fd, name))
            return fd;
        *blocked = !ours && is_held(fd);
        close(fd);
        if (*blocked)
            return -1;
    }
    errno = EBUSY;
    return -1;
}

void ph_file_unlock(int fd, const char *name)
{
    if (is_still_named(fd, name))
        unlink(name);
    close(fd);
}

bool ph_file_locked(const char *name, char *text, size_t size)
{
    struct stat s;
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    text[0] = '\0';
    if (fd < 0)
        return false;
    const bool locked = !fstat(fd, &s) && S_ISREG(s.st_mode) && is_held(fd);
    const ssize_t n = locked ? pread(fd, text, size - 1, 0) : 0;
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return locked;
}
