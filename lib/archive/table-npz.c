/* SPDX-License-Identifier: BSD-3-Clause */
/* A table as NumPy's .npz: a zip file of uncompressed .npy arrays, one for each array of the table, and in addition
 * `units`, with a row (name, unit) for each array, `attributes`, with a row (key, text) for each, and `numbers/NAME`, the
 * numbers of the factors of each array that has some. In a
 * zip file an array must be complete before the next one begins, so the columns are first written to a
 * temporary file, in blocks as they arrive. */
#include "config.h"

#include "libarchive-library.h"
#include "table.h"

#include <polhode/kit/text.h>

#include <stdlib.h>
#include <string.h>

typedef struct zip {
    ph_libarchive library;
    ph_file *waiting;
    struct archive *archive;
    struct archive_entry *entry;
    char *name;               /* of an entry */
    double *piece, *gathered; /* (room x columns of an array) column by column, row by row */
    bool over;                /* further bytes from libarchive are discarded */
} zip;

static const char *const kept[] = {"units", "attributes"};
static const char numbers[] = "numbers/";

static ph_status no_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* ---- The zip file --------------------------------------------------------------------------------- */

/* libarchive's writer: errors are kept in the file, where ph_file_check finds them. */
static la_ssize_t hand_on(struct archive *archive, void *self, const void *bytes, size_t n)
{
    const ph_table *t = self;
    (void)archive;
    if (!((const zip *)t->own)->over)
        ph_file_bytes(t->file, bytes, n);
    return (la_ssize_t)n;
}

static ph_status open_zip(ph_table *t, ph_error *err)
{
    zip *z = t->own;
    PH_LIBARCHIVE_OF(&z->library);
    z->archive = archive_write_new();
    z->entry = archive_entry_new();
    if (!z->archive || !z->entry)
        return no_memory(err);
    if (archive_write_set_format_zip(z->archive) ||
        archive_write_set_options(z->archive, "zip:compression=store") ||
        archive_write_set_options(z->archive, "zip:hdrcharset=UTF-8") ||
        archive_write_set_bytes_in_last_block(z->archive, 1) ||
        archive_write_open(z->archive, t, NULL, hand_on, NULL))
        return ph_fail(err, PH_E_IO, "%s: libarchive: %s", t->path, archive_error_string(z->archive));
    return PH_OK;
}

static ph_status begin_entry(ph_table *t, const char *name, size_t size, ph_error *err)
{
    zip *z = t->own;
    PH_LIBARCHIVE_OF(&z->library);
    char *slot = realloc(z->name, strlen(name) + sizeof ".npy");
    if (!slot)
        return no_memory(err);
    z->name = slot;
    stpcpy(stpcpy(slot, name), ".npy");
    archive_entry_clear(z->entry);
    archive_entry_set_pathname_utf8(z->entry, slot);
    archive_entry_set_filetype(z->entry, AE_IFREG);
    archive_entry_set_perm(z->entry, 0644);
    archive_entry_set_size(z->entry, (la_int64_t)size);
    if (archive_write_header(z->archive, z->entry) < ARCHIVE_WARN)
        return ph_fail(err, PH_E_IO, "%s: libarchive: %s", t->path, archive_error_string(z->archive));
    return PH_OK;
}

static ph_status put_bytes(ph_table *t, const void *bytes, size_t n, ph_error *err)
{
    zip *z = t->own;
    PH_LIBARCHIVE_OF(&z->library);
    if (archive_write_data(z->archive, bytes, n) != (la_ssize_t)n)
        return ph_fail(err, PH_E_IO, "%s: libarchive: %s", t->path, archive_error_string(z->archive));
    return ph_file_check(t->file, err);
}

/* ---- Arrays --------------------------------------------------------------------------------------- */

static ph_status begin_array(ph_table *t, const char *name, const char *start, int64_t rows, const char *rest,
                             size_t bytes, ph_error *err)
{
    size_t length;
    char *header = ph_npy_header(start, rows, rest, &length);
    if (!header)
        return no_memory(err);
    ph_status status = begin_entry(t, name, length + bytes, err);
    if (!status)
        status = put_bytes(t, header, length, err);
    free(header);
    return status;
}

/* "(ROWS" is followed by ", 5, 3), }", of a column by ",), }"; with groups of rows their number stands before these. */
static void write_rest(char *rest, size_t size, const ph_table_array *a, size_t group)
{
    int n =
        group > 1 ? snprintf(rest, size, ", %zu%s", group, a->rank ? "," : "") : snprintf(rest, size, ",");
    for (size_t k = 0; k < a->rank; k++)
        n += snprintf(rest + n, size - (size_t)n, "%s%zu", k ? ", " : " ", a->shape[k]);
    snprintf(rest + n, size - (size_t)n, "), }");
}

static ph_status put_array(ph_table *t, const ph_table_array *a, ph_error *err)
{
    zip *z = t->own;
    char rest[100];
    write_rest(rest, sizeof rest, a, t->group);
    ph_status status =
        begin_array(t, a->name, "'descr': '<f8', 'fortran_order': False, 'shape': (",
                    t->rows / (int64_t)t->group, rest, (size_t)t->rows * a->count * sizeof(double), err);
    for (int64_t row = 0; row < t->rows && !status; row += (int64_t)t->room) {
        size_t n = t->rows - row < (int64_t)t->room ? (size_t)(t->rows - row) : t->room;
        /* all blocks before this one have `room` rows of n columns */
        ph_file_get_at(z->waiting, (row * (int64_t)t->n + (int64_t)(a->first * n)) * (int64_t)sizeof(double),
                       z->piece, n * a->count * sizeof(double));
        status = ph_file_check(z->waiting, err);
        ph_array_gather(a, z->piece, n, n, z->gathered);
        if (!status)
            status = put_bytes(t, z->gathered, n * a->count * sizeof(double), err);
    }
    return status;
}

/* The numbers of the array, if it has some. */
static ph_status put_numbers(ph_table *t, const ph_table_array *a, ph_error *err)
{
    char *name = malloc(sizeof numbers + strlen(a->name));
    int64_t *list = malloc(a->count * sizeof *list);
    unsigned char *bytes = malloc(a->count * 8);
    if (!name || !list || !bytes) {
        free(name), free(list), free(bytes);
        return no_memory(err);
    }
    const size_t n = ph_array_numbers(a, t->columns, list);
    for (size_t i = 0; i < 8 * n; i++)
        bytes[i] = (unsigned char)((uint64_t)list[i / 8] >> 8 * (i % 8) & 0xff);
    stpcpy(stpcpy(name, numbers), a->name);
    ph_status status = PH_OK;
    if (n)
        status = begin_array(t, name, "'descr': '<i8', 'fortran_order': False, 'shape': (", (int64_t)n,
                             ",), }", 8 * n, err);
    if (n && !status)
        status = put_bytes(t, bytes, 8 * n, err);
    free(name), free(list), free(bytes);
    return status;
}

static size_t code_points(const char *s)
{
    size_t count = 0;
    for (size_t n; *s; s += n, count++)
        ph_utf8_next(s, &n);
    return count;
}

/* A pair of texts, each `width` code points of four bytes, little-endian, zeros behind. */
static void encode(unsigned char *to, size_t width, const char *const pair[2])
{
    memset(to, 0, 8 * width);
    for (size_t k = 0; k < 2; k++) {
        unsigned char *at = to + 4 * width * k;
        size_t n;
        for (const char *s = pair[k]; *s; s += n, at += 4) {
            unsigned code = ph_utf8_next(s, &n);
            for (size_t i = 0; i < 4; i++)
                at[i] = (unsigned char)(code >> 8 * i & 0xff);
        }
    }
}

static void unit_pair(const ph_table *t, size_t i, const char *pair[2])
{
    pair[0] = t->arrays[i].name;
    pair[1] = t->arrays[i].unit ? t->arrays[i].unit : "";
}

static void attribute_pair(const ph_table *t, size_t i, const char *pair[2])
{
    pair[0] = t->attributes[i].key;
    pair[1] = t->attributes[i].text;
}

/* An array (rows, 2) of texts. */
static ph_status put_pairs(ph_table *t, const char *name, size_t rows,
                           void (*take)(const ph_table *, size_t, const char *[2]), ph_error *err)
{
    const char *pair[2];
    char start[80];
    size_t width = 1;
    for (size_t i = 0; i < rows; i++) {
        take(t, i, pair);
        for (size_t k = 0; k < 2; k++)
            width = code_points(pair[k]) > width ? code_points(pair[k]) : width;
    }
    unsigned char *row = malloc(8 * width);
    if (!row)
        return no_memory(err);
    snprintf(start, sizeof start, "'descr': '<U%zu', 'fortran_order': False, 'shape': (", width);
    ph_status status = begin_array(t, name, start, (int64_t)rows, ", 2), }", 8 * width * rows, err);
    for (size_t i = 0; i < rows && !status; i++) {
        take(t, i, pair);
        encode(row, width, pair);
        status = put_bytes(t, row, 8 * width, err);
    }
    free(row);
    return status;
}

/* ---- The table ----------------------------------------------------------------------------------- */

static ph_status begin(ph_table *t, ph_error *err)
{
    for (size_t i = 0; i < t->n_arrays; i++) {
        const char *name = t->arrays[i].name;
        if (!strcmp(name, kept[0]) || !strcmp(name, kept[1]) || !strncmp(name, numbers, sizeof numbers - 1))
            return ph_fail(
                err, PH_E_INVALID,
                "a column may not be called \"%.60s\" in an .npz, which keeps that name for itself", name);
    }
    ph_libarchive library;
    ph_status status = ph_libarchive_load(&library, err);
    if (status)
        return status;
    zip *z = t->own = calloc(1, sizeof *z);
    char *path = malloc(strlen(t->path) + sizeof ".columns");
    const size_t most = t->room * ph_arrays_widest(t->arrays, t->n_arrays);
    if (z)
        z->library = library;
    if (!z || !path || !(z->piece = malloc(most * sizeof *z->piece)) ||
        !(z->gathered = malloc(most * sizeof *z->gathered))) {
        status = no_memory(err);
    } else {
        stpcpy(stpcpy(path, t->path), ".columns");
        status = ph_file_open(path, &z->waiting, err);
    }
    free(path);
    return status ? status : open_zip(t, err);
}

static ph_status put(ph_table *t, const double *values, size_t n, ph_error *err)
{
    zip *z = t->own;
    for (size_t c = 0; c < t->n; c++)
        ph_file_doubles(z->waiting, values + c * t->room, n);
    return ph_file_check(z->waiting, err);
}

static ph_status finish(ph_table *t, ph_error *err)
{
    zip *z = t->own;
    PH_LIBARCHIVE_OF(&z->library);
    ph_status status = PH_OK;
    for (size_t i = 0; i < t->n_arrays && !status; i++)
        status = put_array(t, &t->arrays[i], err);
    for (size_t i = 0; i < t->n_arrays && !status; i++)
        status = put_numbers(t, &t->arrays[i], err);
    if (!status)
        status = put_pairs(t, kept[0], t->n_arrays, unit_pair, err);
    if (!status)
        status = put_pairs(t, kept[1], t->n_attributes, attribute_pair, err);
    if (!status && archive_write_close(z->archive))
        status = ph_fail(err, PH_E_IO, "%s: libarchive: %s", t->path, archive_error_string(z->archive));
    return status ? status : ph_file_check(t->file, err);
}

static void release(ph_table *t)
{
    zip *z = t->own;
    PH_LIBARCHIVE_OF(&z->library);
    z->over = true; /* libarchive frees its memory only when closing, which writes buffered bytes */
    archive_write_free(z->archive);
    archive_entry_free(z->entry);
    ph_file_abandon(z->waiting);
    free(z->name);
    free(z->piece);
    free(z->gathered);
    free(z);
}

static ph_status is_available(ph_error *err)
{
    return ph_libarchive_load(&(ph_libarchive){0}, err);
}

const ph_table_format ph_table_npz = {.name = "npz",
                                      .available = is_available,
                                      .endings = "npz",
                                      .columns = true,
                                      .begin = begin,
                                      .put = put,
                                      .finish = finish,
                                      .release = release};
