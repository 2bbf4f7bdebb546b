/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts from outside, for all who read files in libpolhode-io: a whole file in memory, and what stands in it, or its name, made fit
 * for a message. */
#include "file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text for messages -------------------------------------------------------------------------- */

/* Bytes of the control character at s: C0 and DEL (1), C1 in UTF-8 (2), line separators (3); or 0. */
static size_t control(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x20 || u[0] == 0x7f)
        return 1;
    if (u[0] == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0)
        return 2;
    if (u[0] == 0xe2 && u[1] == 0x80 && (u[2] == 0xa8 || u[2] == 0xa9))
        return 3;
    return 0;
}

/* Bytes of the UTF-8 character at s, by its first byte, as far as they continue it: what stands behind half a character is looked
 * at by itself. */
static size_t width(const char *s)
{
    const unsigned char first = (unsigned char)*s;
    const size_t whole = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    size_t n = 1;
    while (n < whole && ((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    return n;
}

char *ph_text_show(char *to, size_t size, const char *text)
{
    size_t used = 0;
    while (*text) {
        size_t skip = control(text), n = skip ? 1 : width(text);
        bool last = !text[skip ? skip : n];
        if (used + n + (last ? 1 : 4) > size) {
            memcpy(to + used, "...", 3);
            used += 3;
            break;
        }
        memcpy(to + used, skip ? "?" : text, n);
        used += n;
        text += skip ? skip : n;
    }
    to[used] = '\0';
    return to;
}

/* ---- Files -------------------------------------------------------------------------------------- */

/* Reads the stream into memory that grows as needed: the size of a pipe is unknown. */
static ph_status drain(FILE *stream, size_t longest, char **text, size_t *length, ph_error *err)
{
    size_t room = 4096, used = 0;
    char *all = malloc(room);
    while (all) {
        used += fread(all + used, 1, room - used, stream);
        if (used < room || used > longest)
            break;
        char *more = realloc(all, room *= 2);
        if (!more)
            free(all);
        all = more;
    }
    if (!all)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *text = all;
    *length = used;
    return PH_OK;
}

ph_status ph_text_slurp(const char *path, size_t longest, char **text, size_t *length, ph_error *err)
{
    char shown[256];
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return ph_fail(err, PH_E_IO, "%s: cannot be opened: %s", ph_text_show(shown, sizeof shown, path),
                       strerror(errno));
    *text = NULL;
    errno = 0;
    ph_status status = drain(stream, longest, text, length, err);
    if (!status && ferror(stream)) {
        free(*text);
        *text = NULL;
        status = ph_fail(err, PH_E_IO, "%s: cannot be read: %s", ph_text_show(shown, sizeof shown, path),
                         strerror(errno));
    }
    fclose(stream);
    return status;
}
