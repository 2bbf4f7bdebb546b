/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all, and the directory that receives them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for F_OFD_SETLK, which glibc shows only then */
#endif
#include "archive.h"

#include <polhode/archive.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct ph_file {
    FILE *stream;
    char *path, *part; /* both in the one block of path */
    int error;         /* errno of the first failure, or 0 */
};

/* ---- Locks --------------------------------------------------------------------------------------- */

/* A writer locks the first byte of its open file description: other threads are kept out like other
 * processes, and the lock can be queried without being taken (F_OFD_GETLK). A shared lock, which anybody who
 * may read the file can take, would block a writer; a new file is then created in its place. (flock, the
 * fallback, can be queried only by trying to take the lock.) */
#ifdef F_OFD_SETLK
static const struct flock first_byte = {.l_whence = SEEK_SET, .l_start = 0, .l_len = 1};

/* On a file system without locks it always succeeds. */
static bool take(int fd)
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
static bool take(int fd)
{
    return !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

static bool is_held(int fd)
{
    return flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
}
#endif

/* Is the name still that of the open file? Not if another writer renamed or removed it in the meantime. */
static bool still_there(int fd, const char *name)
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
    *blocked = file && !take(fd) && is_held(fd);
    bool gone = true;
    if (!*blocked && (!file || still_there(fd, name)))
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
        const bool ours = take(fd);
        if (ours && still_there(fd, name))
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
    if (still_there(fd, name))
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

/* ---- Places -------------------------------------------------------------------------------------- */

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

/* ---- Opening ------------------------------------------------------------------------------------- */

static ph_status open_part(ph_file *f, ph_error *err)
{
    bool blocked;
    int fd = ph_file_lock(f->part, &blocked);
    if (fd < 0 && blocked)
        return ph_fail(err, PH_E_EXISTS, "%s: another program is writing this file; choose another place",
                       f->path);
    if (fd < 0)
        return ph_fail(err, PH_E_IO, "%s: cannot be created: %s", f->part, strerror(errno));
    f->stream = fdopen(fd, "w");
    if (!f->stream) {
        ph_fail(err, PH_E_IO, "%s: cannot be written: %s", f->part, strerror(errno));
        ph_file_unlock(fd, f->part);
        return PH_E_IO;
    }
    return PH_OK;
}

ph_status ph_file_open(const char *path, ph_file **file, ph_error *err)
{
    size_t n = strlen(path);
    ph_file *f = calloc(1, sizeof *f);
    char *names = malloc(2 * n + sizeof ".part" + 1);
    ph_status status = PH_E_NO_MEMORY;
    if (f && names) {
        f->path = memcpy(names, path, n + 1);
        f->part = memcpy(names + n + 1, path, n + 1);
        memcpy(f->part + n, ".part", sizeof ".part");
        status = open_part(f, err);
    } else {
        ph_fail(err, status, "out of memory");
    }
    if (status) {
        free(names);
        free(f);
    } else {
        *file = f;
    }
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------- */

void ph_file_bytes(ph_file *f, const char *bytes, size_t n)
{
    if (!f->error && fwrite(bytes, 1, n, f->stream) != n)
        f->error = errno ? errno : EIO;
}

void ph_file_text(ph_file *f, const char *text)
{
    ph_file_bytes(f, text, strlen(text));
}

void ph_number_text(double value, char to[64])
{
    char text[64];
    if (!isfinite(value)) {
        strcpy(to, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    snprintf(text, sizeof text, "%.17g", value);
    /* whatever is no digit, sign or e is the locale's decimal point, of one byte or more */
    size_t n = 0;
    for (const char *s = text; *s; s++) {
        bool ours = (*s >= '0' && *s <= '9') || *s == '-' || *s == '+' || *s == 'e';
        if (ours)
            to[n++] = *s;
        else if (n && to[n - 1] != '.')
            to[n++] = '.';
    }
    to[n] = '\0';
}

void ph_file_number(ph_file *f, double value)
{
    char text[64];
    ph_number_text(value, text);
    ph_file_text(f, text);
}

void ph_file_count(ph_file *f, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    ph_file_text(f, text);
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

void ph_file_doubles(ph_file *f, const double *values, size_t n)
{
    if (is_little_endian()) {
        ph_file_bytes(f, (const char *)values, n * sizeof *values);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        char bytes[8];
        memcpy(&bits, &values[i], 8);
        for (size_t k = 0; k < 8; k++)
            bytes[k] = (char)(bits >> 8 * k & 0xff);
        ph_file_bytes(f, bytes, 8);
    }
}

/* ---- Out of order --------------------------------------------------------------------------------- */

/* Flushes the stream: its buffered bytes must be written before those that bypass it. */
static bool settled(ph_file *f)
{
    if (!f->error && fflush(f->stream))
        f->error = errno ? errno : EIO;
    return !f->error;
}

void ph_file_put_at(ph_file *f, int64_t offset, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n && settled(f)) {
        ssize_t done = pwrite(fileno(f->stream), from, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            f->error = done < 0 ? errno : EIO;
            return;
        }
        from += done;
        offset += done;
        n -= (size_t)done;
    }
}

void ph_file_get_at(ph_file *f, int64_t offset, void *bytes, size_t n)
{
    char *to = bytes;
    memset(to, 0, n);
    while (n && settled(f)) {
        ssize_t done = pread(fileno(f->stream), to, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            f->error = errno;
        if (done <= 0)
            return;
        to += done;
        offset += done;
        n -= (size_t)done;
    }
}

void ph_file_resize(ph_file *f, int64_t length)
{
    if (settled(f) && ftruncate(fileno(f->stream), (off_t)length))
        f->error = errno;
}

/* ---- Ending -------------------------------------------------------------------------------------- */

ph_status ph_file_check(const ph_file *f, ph_error *err)
{
    if (!f->error)
        return PH_OK;
    return ph_fail(err, PH_E_IO, "%s: cannot be written: %s", f->part, strerror(f->error));
}

/* Pipes and devices cannot be synchronised; they fail with EINVAL, which is ignored. */
static void flush(ph_file *f)
{
    if (!f->error && fflush(f->stream))
        f->error = errno;
    if (!f->error && fsync(fileno(f->stream)) && errno != EINVAL && errno != ENOTSUP)
        f->error = errno;
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

static void release(ph_file *f)
{
    free(f->path);
    free(f);
}

/* Close, so that its result is known, and only then rename. The second descriptor holds the lock
 * until the name is free for the next writer. */
static ph_status close_and_rename(ph_file *f, ph_error *err)
{
    int lock = dup(fileno(f->stream));
    ph_status status = PH_OK;
    if (fclose(f->stream))
        status = ph_fail(err, PH_E_IO, "%s: cannot be closed: %s", f->part, strerror(errno));
    else if (rename(f->part, f->path))
        status =
            ph_fail(err, PH_E_IO, "%s: cannot be renamed to its final name: %s", f->part, strerror(errno));
    if (status)
        unlink(f->part);
    if (lock >= 0)
        close(lock);
    return status;
}

ph_status ph_file_commit(ph_file *f, ph_error *err)
{
    flush(f);
    ph_status status = ph_file_check(f, err);
    if (status) {
        ph_file_abandon(f);
        return status;
    }
    status = close_and_rename(f, err);
    if (!status)
        ph_sync_directory(f->path);
    release(f);
    return status;
}

void ph_file_abandon(ph_file *f)
{
    if (!f)
        return;
    unlink(f->part);
    fclose(f->stream);
    release(f);
}

/* ---- On a stream ---------------------------------------------------------------------------------- */

ph_status ph_file_borrow(FILE *stream, const char *name, ph_file **file, ph_error *err)
{
    ph_file *f = calloc(1, sizeof *f);
    char *path = strdup(name);
    if (!f || !path) {
        free(f);
        free(path);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    *f = (ph_file){.stream = stream, .path = path, .part = path};
    *file = f;
    return PH_OK;
}

ph_status ph_file_give_back(ph_file *f, ph_error *err)
{
    if (!f->error && fflush(f->stream))
        f->error = errno;
    ph_status status = ph_file_check(f, err);
    release(f);
    return status;
}

/* ---- The directory ------------------------------------------------------------------------------- */

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
static ph_status make_directories(char *path, ph_error *err)
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
    ph_status status = make_directories(path, err);
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
