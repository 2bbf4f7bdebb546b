/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all: written as PATH.part, then flushed to the disk and renamed. */
#include "file.h"
#include "lib/internal/bytes.h"
#include "lock.h"
#include "place.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ph_file {
    FILE *stream;
    char *path, *part; /* both in the one block of path */
    int error;         /* errno of the first failure, or 0 */
};

/* ---- Opening ------------------------------------------------------------------------------------ */

/* Makes and locks PATH.part; the lock ends when the stream is closed. */
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

/* ---- Writing ------------------------------------------------------------------------------------ */

/* After the first failure nothing is written; it is reported when the file is checked or committed. */
void ph_file_bytes(ph_file *f, const char *bytes, size_t n)
{
    if (!f->error && fwrite(bytes, 1, n, f->stream) != n)
        f->error = errno ? errno : EIO;
}

void ph_file_text(ph_file *f, const char *text)
{
    ph_file_bytes(f, text, strlen(text));
}

/* %.17g gives back the same double. The decimal point is that of the locale, in which there may be several
 * bytes. */
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

void ph_file_doubles(ph_file *f, const double *values, size_t n)
{
    enum { SOME = 512 };
    unsigned char bytes[8 * SOME];
    for (size_t done = 0; done < n; done += SOME) {
        const size_t some = n - done < SOME ? n - done : SOME;
        ph_put_doubles(bytes, values + done, some);
        ph_file_bytes(f, (const char *)bytes, 8 * some);
    }
}

/* ---- Out of order ------------------------------------------------------------------------------- */

/* Flushes the stream: its buffered bytes must be written before those that bypass it. */
static bool flush_buffer(ph_file *f)
{
    if (!f->error && fflush(f->stream))
        f->error = errno ? errno : EIO;
    return !f->error;
}

void ph_file_put_at(ph_file *f, int64_t offset, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n && flush_buffer(f)) {
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
    while (n && flush_buffer(f)) {
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
    if (flush_buffer(f) && ftruncate(fileno(f->stream), (off_t)length))
        f->error = errno;
}

/* ---- Ending ------------------------------------------------------------------------------------- */

ph_status ph_file_check(const ph_file *f, ph_error *err)
{
    if (!f->error)
        return PH_OK;
    return ph_fail(err, PH_E_IO, "%s: cannot be written: %s", f->part, strerror(f->error));
}

/* Pipes and devices cannot be synchronised; they fail with EINVAL, which is ignored. */
static void flush_to_disk(ph_file *f)
{
    if (!f->error && fflush(f->stream))
        f->error = errno;
    if (!f->error && fsync(fileno(f->stream)) && errno != EINVAL && errno != ENOTSUP)
        f->error = errno;
}

static void free_file(ph_file *f)
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
    flush_to_disk(f);
    ph_status status = ph_file_check(f, err);
    if (status) {
        ph_file_abandon(f);
        return status;
    }
    status = close_and_rename(f, err);
    if (!status)
        ph_sync_directory(f->path);
    free_file(f);
    return status;
}

void ph_file_abandon(ph_file *f)
{
    if (!f)
        return;
    unlink(f->part);
    fclose(f->stream);
    free_file(f);
}

/* ---- On a stream -------------------------------------------------------------------------------- */

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
    free_file(f);
    return status;
}
