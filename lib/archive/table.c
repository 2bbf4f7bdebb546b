/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables for other programs: formats by name, the checks of columns that every format needs, and rows
 * gathered into blocks of columns for formats that store columns. */
#include "config.h"

#include "place.h"
#include "table.h"

#include <polhode/kit/text.h>

#include "lib/internal/missing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Formats ------------------------------------------------------------------------------------- */

#ifndef HAVE_LIBARCHIVE
static const ph_table_format ph_table_npz = {
    .name = "npz",
    .endings = "npz",
    .missing = "libarchive (Debian: libarchive-dev, configure --with-libarchive)"};
#endif
#ifndef HAVE_HDF5
static const ph_table_format ph_table_hdf5 = {
    .name = "hdf5", .endings = "h5 hdf5", .missing = "HDF5 (Debian: libhdf5-dev, configure --with-hdf5)"};
#endif

static const ph_table_format *const formats[] = {&ph_table_csv, &ph_table_npy, &ph_table_npz, &ph_table_hdf5};
enum { FORMATS = sizeof formats / sizeof formats[0] };

size_t ph_table_formats(void)
{
    return FORMATS;
}

const ph_table_format *ph_table_format_at(size_t i)
{
    return i < FORMATS ? formats[i] : NULL;
}

const char *ph_table_format_name(const ph_table_format *format)
{
    return format->name;
}

const ph_table_format *ph_table_format_find(const char *name, ph_error *err)
{
    const char *names[FORMATS];
    for (size_t i = 0; i < FORMATS; i++) {
        names[i] = formats[i]->name;
        if (!strcmp(name, names[i]))
            return formats[i];
    }
    ph_fail_unknown(err, "format", name, names, FORMATS);
    return NULL;
}

/* Is the word one of those in "h5 hdf5"? */
static bool is_among(const char *word, const char *words)
{
    size_t n = strlen(word);
    for (; *words; words += *words == ' ') {
        size_t length = strcspn(words, " ");
        if (length == n && !strncasecmp(word, words, n))
            return true;
        words += length;
    }
    return false;
}

const ph_table_format *ph_table_format_of(const char *path, ph_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    for (size_t i = 0; dot && i < FORMATS; i++)
        if (is_among(dot + 1, formats[i]->endings))
            return formats[i];
    ph_fail(err, PH_E_UNKNOWN,
            "%s: its ending names no format; available: .csv, .npy, .npz, .h5, .hdf5 (or name the format)",
            path);
    return NULL;
}

bool ph_table_format_arrays(const ph_table_format *format)
{
    return format->columns;
}

ph_status ph_table_format_available(const ph_table_format *format, ph_error *err)
{
    if (!format)
        return ph_not_found(err, "format", "ph_table_format_find");
    ph_error why = {PH_OK, ""};
    if (format->missing)
        return ph_fail(err, PH_E_UNSUPPORTED, "this build cannot write %s: it is without %s", format->name,
                       format->missing);
    const ph_status status = format->available ? format->available(&why) : PH_OK;
    return status ? ph_fail(err, status, "cannot write %s: %s", format->name, why.message) : PH_OK;
}

/* ---- Columns and attributes ---------------------------------------------------------------------- */

/* Is it UTF-8 without control characters? lines: but for ends of lines and tabs. */
static bool is_text(const char *s, bool lines)
{
    for (size_t n; *s; s += n) {
        unsigned code = ph_utf8_next(s, &n);
        if ((code == 0xfffd && n == 1) || code == 0x7f ||
            (code < 0x20 && !(lines && (code == '\n' || code == '\t'))))
            return false;
    }
    return true;
}

/* [bytes] The limit for names, units and keys. Libraries have their own limits, or should have: libarchive's
 * zip writer writes beyond its memory from 65 536 bytes on. */
enum { MOST = 255 };

/* The number of bytes to show of a text: at most 40, and only whole characters. */
static int shown_bytes(const char *text)
{
    int n = (int)strnlen(text, 40);
    while (n == 40 && n > 36 && ((unsigned char)text[n] & 0xc0) == 0x80)
        n--;
    return n;
}

/* Is a name, unit or key short enough? what, i: for the message. */
static ph_status check_length(const char *what, size_t i, const char *text, ph_error *err)
{
    const size_t n = text ? strlen(text) : 0;
    if (n <= MOST)
        return PH_OK;
    return ph_fail(err, PH_E_INVALID, "the %s %zu, \"%.*s...\", has %zu bytes; at most %d are allowed", what,
                   i + 1, shown_bytes(text), text, n, MOST);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A name that occurs twice in names (n), or NULL. Sorts the names. */
static const char *find_repeated(const char **names, size_t n)
{
    qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 1; i < n; i++)
        if (!strcmp(names[i - 1], names[i]))
            return names[i];
    return NULL;
}

/* A name becomes that of a file in an archive, of a set in HDF5, or the head of a column in a spreadsheet. */
static ph_status check_harmless(const char *what, size_t i, const char *name, ph_error *err)
{
    bool leaves = *name == '/';
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        leaves = leaves || (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'));
    if (leaves)
        return ph_fail(err, PH_E_INVALID, "the name of %s %zu, \"%.*s\", leads out of a folder", what, i + 1,
                       shown_bytes(name), name);
    if (*name == '=')
        return ph_fail(
            err, PH_E_INVALID,
            "the name of %s %zu, \"%.*s\", begins with \"=\", which spreadsheets take for a formula", what,
            i + 1, shown_bytes(name), name);
    return PH_OK;
}

/* Has each column a name that is a text and that no other has, and a unit that is one? */
static ph_status check_columns(const ph_column *columns, size_t n, ph_error *err)
{
    if (!n)
        return ph_fail(err, PH_E_INVALID, "a table needs at least one column");
    const char **names = malloc(n * sizeof *names);
    if (!names)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++) {
        names[i] = columns[i].name;
        if (!columns[i].name || !*columns[i].name || !is_text(columns[i].name, false) ||
            (columns[i].unit && !is_text(columns[i].unit, false)))
            status = ph_fail(err, PH_E_INVALID, "the name or unit of column %zu is empty or no text", i + 1);
        if (!status)
            status = check_length("name of column", i, columns[i].name, err);
        if (!status)
            status = check_harmless("column", i, columns[i].name, err);
        if (!status)
            status = check_length("unit of column", i, columns[i].unit, err);
    }
    const char *twice = status ? NULL : find_repeated(names, n);
    if (twice)
        status = ph_fail(err, PH_E_INVALID, "two columns are called \"%s\"", twice);
    free(names);
    return status;
}

bool ph_table_takes(const ph_attribute *a)
{
    return a->key && *a->key && strlen(a->key) <= MOST && is_text(a->key, false) && a->text &&
           is_text(a->text, true);
}

/* Has each attribute a key and a text? */
static ph_status check_attributes(const ph_attribute *attributes, size_t n, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++)
        if (!ph_table_takes(&attributes[i])) {
            if (attributes[i].key)
                status = check_length("key of attribute", i, attributes[i].key, err);
            if (!status)
                status =
                    ph_fail(err, PH_E_INVALID, "the key or text of attribute %zu is empty or no text", i + 1);
        }
    return status;
}

/* *copy <- text, NULL for NULL; false without memory. */
static bool copy_text(const char **copy, const char *text)
{
    *copy = text ? strdup(text) : NULL;
    return *copy || !text;
}

/* Copies the path and all texts; false without memory. */
static bool copy_all(ph_table *t, const char *path, const ph_column *columns, const ph_attribute *attributes)
{
    bool there = (t->path = strdup(path)) && (t->columns = calloc(t->n, sizeof *t->columns)) &&
                 (t->attributes = calloc(t->n_attributes + 1, sizeof *t->attributes));
    for (size_t i = 0; i < t->n && there; i++) {
        memcpy(t->columns[i].shape, columns[i].shape, sizeof columns[i].shape);
        t->columns[i].number = columns[i].number;
        there = copy_text(&t->columns[i].name, columns[i].name) &&
                copy_text(&t->columns[i].unit, columns[i].unit) &&
                copy_text(&t->columns[i].array, columns[i].array);
    }
    for (size_t i = 0; i < t->n_attributes && there; i++)
        there = copy_text(&t->attributes[i].key, attributes[i].key) &&
                copy_text(&t->attributes[i].text, attributes[i].text);
    return there;
}

static void free_text(const char *text)
{
    free((void *)(uintptr_t)text);
}

static void free_table(ph_table *t)
{
    if (t->own)
        t->format->release(t);
    ph_file_abandon(t->file);
    for (size_t i = 0; t->columns && i < t->n; i++) {
        free_text(t->columns[i].name);
        free_text(t->columns[i].unit);
        free_text(t->columns[i].array);
    }
    for (size_t i = 0; t->attributes && i < t->n_attributes; i++) {
        free_text(t->attributes[i].key);
        free_text(t->attributes[i].text);
    }
    free(t->columns);
    free(t->arrays);
    free(t->attributes);
    free(t->block);
    free(t->path);
    free(t);
}

/* ---- The table ----------------------------------------------------------------------------------- */

/* Rows of a block of about 8 MB, so that each column is written in pieces of a reasonable size even where
 * there are thousands of columns. */
static size_t block_rows(size_t columns)
{
    size_t rows = ((size_t)1 << 20) / columns;
    return rows > 8192 ? 8192 : rows < 64 ? 64 : rows;
}

/* t->arrays, whose names differ: "q" may not be a column, too. */
static ph_status find_arrays(ph_table *t, ph_error *err)
{
    const char **names = malloc(t->n * sizeof *names), *twice = NULL;
    t->arrays = malloc(t->n * sizeof *t->arrays);
    ph_status status = names && t->arrays ? ph_arrays_find(t->columns, t->n, t->arrays, &t->n_arrays, err)
                                          : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < t->n_arrays && !status; i++) {
        names[i] = t->arrays[i].name;
        status = *names[i] && is_text(names[i], false)
                     ? check_length("name of array", i, names[i], err)
                     : ph_fail(err, PH_E_INVALID, "the name of array %zu is empty or no text", i + 1);
        if (!status)
            status = check_harmless("array", i, names[i], err);
    }
    if (!status && (twice = find_repeated(names, t->n_arrays)))
        status = ph_fail(err, PH_E_INVALID, "two arrays are called \"%s\"", twice);
    free(names);
    return status;
}

/* Makes room for a block of columns, opens the file, and lets the format begin. */
static ph_status begin_table(ph_table *t, const char *path, const ph_column *columns,
                             const ph_attribute *attributes, ph_error *err)
{
    t->room = block_rows(t->n);
    if (!copy_all(t, path, columns, attributes) ||
        (t->format->columns && !(t->block = malloc(t->room * t->n * sizeof *t->block))))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = find_arrays(t, err);
    if (!status)
        status = ph_file_open(path, &t->file, err);
    return status ? status : t->format->begin(t, err);
}

ph_status ph_table_create(const char *path, const ph_table_format *format, const ph_column *columns, size_t n,
                          const ph_attribute *attributes, size_t n_attributes, bool force, ph_table **table,
                          ph_error *err)
{
    ph_status status = ph_table_format_available(format, err);
    if (!status)
        status = check_columns(columns, n, err);
    if (!status)
        status = check_attributes(attributes, n_attributes, err);
    if (!status)
        status = ph_file_target(path, force, err);
    if (status)
        return status;
    ph_table *t = calloc(1, sizeof *t);
    if (!t)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    t->format = format;
    t->n = n;
    t->n_attributes = n_attributes;
    t->group = 1;
    status = begin_table(t, path, columns, attributes, err);
    if (status)
        free_table(t);
    else
        *table = t;
    return status;
}

/* Hands n rows to the format. */
static ph_status put_rows(ph_table *t, const double *values, size_t n, ph_error *err)
{
    ph_status status = t->format->put(t, values, n, err);
    t->rows += (int64_t)n;
    return status ? status : ph_file_check(t->file, err);
}

/* Hands over the rows that have been gathered. */
static ph_status put_block(ph_table *t, ph_error *err)
{
    size_t n = t->filled;
    t->filled = 0;
    return n ? put_rows(t, t->block, n, err) : PH_OK;
}

ph_status ph_table_group(ph_table *t, size_t n, ph_error *err)
{
    if (!t)
        return ph_not_created(err, "table", "ph_table_create");
    if (!n || t->rows || t->filled)
        return ph_fail(err, PH_E_RANGE, "groups of %zu rows: at least 1 is expected, before the first row",
                       n);
    t->group = n;
    return PH_OK;
}

ph_status ph_table_add(ph_table *t, const double *rows, size_t n_rows, ph_error *err)
{
    if (!t)
        return ph_not_created(err, "table", "ph_table_create");
    ph_status status = PH_OK;
    if (!t->format->columns)
        return n_rows ? put_rows(t, rows, n_rows, err) : PH_OK;
    for (size_t i = 0; i < n_rows && !status; i++) {
        for (size_t c = 0; c < t->n; c++)
            t->block[c * t->room + t->filled] = rows[i * t->n + c];
        if (++t->filled == t->room)
            status = put_block(t, err);
    }
    return status;
}

ph_status ph_table_close(ph_table *t, ph_error *err)
{
    if (!t)
        return ph_not_created(err, "table", "ph_table_create");
    ph_status status = put_block(t, err);
    if (!status && t->rows % (int64_t)t->group)
        status = ph_fail(err, PH_E_INVALID, "%s: %lld rows are not whole groups of %zu", t->path,
                         (long long)t->rows, t->group);
    if (!status && t->format->finish)
        status = t->format->finish(t, err);
    if (!status) {
        status = ph_file_commit(t->file, err);
        t->file = NULL;
    }
    free_table(t);
    return status;
}

void ph_table_abandon(ph_table *table)
{
    if (table)
        free_table(table);
}
