/* SPDX-License-Identifier: BSD-3-Clause */
/* A table as NumPy's .npy: a record for each row, with a little-endian double for each column
 * (numpy.lib.format: magic, version, length of a dictionary in Python's syntax, the dictionary, numbers). The
 * header is written before the first row, with room for any number of them, and again when the number is known. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* ---- The header ---------------------------------------------------------------------------------- */

/* 1.0 has two bytes for its length, 2.0 four; 3.0 is 2.0 in UTF-8. */
static unsigned char version(const char *start, size_t dictionary)
{
    for (const char *s = start; *s; s++)
        if ((unsigned char)*s >= 0x80)
            return 3;
    return dictionary + 10 > 0xffff ? 2 : 1;
}

char *ph_npy_header(const char *start, int64_t rows, const char *rest, size_t *length)
{
    enum { DIGITS = 20, ALIGN = 64 }; /* the numbers begin at a multiple of ALIGN */
    size_t least = 1 + strlen(start) + DIGITS + strlen(rest) + 1;
    unsigned char v = version(start, least + ALIGN);
    size_t before = v == 1 ? 10 : 12, whole = (before + least + ALIGN - 1) / ALIGN * ALIGN,
           n = whole - before;
    char *header = malloc(whole + 1);
    if (!header)
        return NULL;
    memcpy(header, "\x93NUMPY", 6);
    header[6] = (char)v;
    header[7] = 0;
    for (size_t i = 8; i < before; i++)
        header[i] = (char)(n >> 8 * (i - 8) & 0xff);
    memset(header + before, ' ', n);
    int used = snprintf(header + before, n + 1, "{%s%lld%s", start, (long long)rows, rest);
    header[before + (size_t)used] = ' ';
    header[whole - 1] = '\n';
    *length = whole;
    return header;
}

/* ---- The table ----------------------------------------------------------------------------------- */

/* A name between quotes, as Python reads it. */
static char *put_name(char *to, const char *name)
{
    *to++ = '\'';
    for (; *name; name++) {
        if (*name == '\'' || *name == '\\')
            *to++ = '\\';
        *to++ = *name;
    }
    *to++ = '\'';
    return to;
}

/* "'descr': [('t', '<f8'), ...], 'fortran_order': False, 'shape': (", malloc. */
static char *describe(const ph_table *t)
{
    static const char end[] = "], 'fortran_order': False, 'shape': (";
    size_t size = sizeof "'descr': [" + sizeof end;
    for (size_t c = 0; c < t->n; c++)
        size += 2 * strlen(t->columns[c].name) + sizeof "('', '<f8'), ";
    char *text = malloc(size), *to = text;
    if (!text)
        return NULL;
    to = stpcpy(to, "'descr': [");
    for (size_t c = 0; c < t->n; c++) {
        to = put_name(stpcpy(to, c ? ", (" : "("), t->columns[c].name);
        to = stpcpy(to, ", '<f8')");
    }
    strcpy(to, end);
    return text;
}

/* Writes the header, over an earlier one if there is one: they have the same length. */
static ph_status put_header(ph_table *t, ph_error *err)
{
    size_t length;
    char rest[32] = ",), }";
    if (t->group > 1)
        snprintf(rest, sizeof rest, ", %zu), }", t->group);
    char *header = ph_npy_header(t->own, t->rows / (int64_t)t->group, rest, &length);
    if (!header)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (t->rows)
        ph_file_put_at(t->file, 0, header, length);
    else
        ph_file_bytes(t->file, header, length);
    free(header);
    return ph_file_check(t->file, err);
}

static ph_status begin(ph_table *t, ph_error *err)
{
    t->own = describe(t);
    return t->own ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static ph_status put(ph_table *t, const double *values, size_t n, ph_error *err)
{
    ph_status status = t->rows ? PH_OK : put_header(t, err);
    if (status)
        return status;
    ph_file_doubles(t->file, values, n * t->n);
    return ph_file_check(t->file, err);
}

static ph_status finish(ph_table *t, ph_error *err)
{
    return put_header(t, err);
}

static void release(ph_table *t)
{
    free(t->own);
}

const ph_table_format ph_table_npy = {
    .name = "npy", .endings = "npy", .begin = begin, .put = put, .finish = finish, .release = release};
