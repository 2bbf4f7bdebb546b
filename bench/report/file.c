/* SPDX-License-Identifier: BSD-3-Clause */
/* Result files that appear complete or not at all: written as NAME.part and renamed, so that a full disk or a
 * crash leaves the files of an earlier comparison unchanged. */
#include "file.h"
#include "figures/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PART_SIZE = 4200 };

/* A file or link that is there already (left by a crash, or placed there) is removed, never written to.
 * Closed on exec, as of gnuplot. */
static FILE *open_new(const char *part)
{
    int fd = -1;
    for (int tries = 0; tries < 10 && fd < 0; tries++) {
        if (unlink(part) && errno != ENOENT)
            return NULL;
        fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return NULL;
    }
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !f) {
        const int why = errno;
        close(fd);
        unlink(part);
        errno = why;
    }
    return f;
}

FILE *report_open(const char *directory, const char *name, char part[PART_SIZE], ph_error *err)
{
    int length = snprintf(part, PART_SIZE, "%s/%s.part", directory, name);
    FILE *f = NULL;
    if (length < 0 || length >= PART_SIZE)
        errno = ENAMETOOLONG;
    else
        f = open_new(part);
    if (!f)
        ph_fail(err, PH_E_IO, "%s/%s: cannot be created: %s", directory, name, strerror(errno));
    return f;
}

/* errno of a failure, or 0 if everything written is on the disk. */
static int complete(FILE *f)
{
    if (ferror(f)) {
        /* the reason was lost with the call that failed; writing one more byte, to a file that will be
         * removed, finds it again */
        clearerr(f);
        errno = 0;
        return fputc('\n', f) == EOF || fflush(f) ? errno : EIO;
    }
    if (fflush(f))
        return errno;
    /* some file systems (quotas, network) report errors only here; what cannot be synchronised, such as a
     * pipe, gives EINVAL */
    return fsync(fileno(f)) && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

ph_status report_close(FILE *f, const char *part, ph_error *err)
{
    char path[PART_SIZE];
    int error = complete(f);
    if (fclose(f) && !error)
        error = errno;
    snprintf(path, sizeof path, "%.*s", (int)(strlen(part) - strlen(".part")), part);
    if (!error && rename(part, path))
        error = errno;
    if (!error)
        return PH_OK;
    remove(part);
    return ph_fail(err, PH_E_IO, "%s: cannot be written: %s", path, strerror(error));
}

/* ---- Fields -------------------------------------------------------------------------------------- */

void field_text(FILE *f, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    char one[5];
    fputs(quote, f);
    while (*text) {
        text = utf8_next(text, one);
        fputs(one[0] == '"' ? "\"\"" : one, f);
    }
    fputs(quote, f);
}

void field_number(FILE *f, const char *format, double value)
{
    fputc(',', f);
    if (isfinite(value))
        fprintf(f, format, value);
}

/* ---- Texts --------------------------------------------------------------------------------------- */

char *report_text(void (*write)(FILE *f, const void *self), const void *self)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return NULL;
    write(f, self);
    if (!fclose(f))
        return text;
    free(text);
    return NULL;
}
