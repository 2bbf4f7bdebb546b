/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of numbers from files: CSV, and the format NPY of NumPy (NEP 1): a magic string, a version, the length of a header,
 * the header (a dictionary in Python's notation), the numbers. */
#include "number-file.h"

#include "lib/archive/database.h"
#include "lib/internal/bytes.h"
#include "lib/text/file.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t longest = (size_t)1 << 31;

/* ---- CSV ------------------------------------------------------------------------------------------------------ */

/* A field from *at on, without blanks and quotes around it, whose end is cut off; *at <- behind its comma, or at the end of the
 * line. */
static char *take_field(char **at)
{
    char *begin = *at + strspn(*at, " \t"), *end = begin + strcspn(begin, ",");
    *at = end + (*end == ',');
    while (end > begin && strchr(" \t\r", end[-1]))
        end--;
    if (end - begin >= 2 && *begin == '"' && end[-1] == '"') {
        begin++;
        end--;
    }
    *end = '\0';
    return begin;
}

/* *line <- the next one that has something but blanks in it, and is no comment; *number counts all. */
static char *next_line(char **rest, size_t *number)
{
    while (*rest) {
        char *line = *rest, *end = strchr(line, '\n');
        *rest = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        ++*number;
        if (line[strspn(line, " \t\r")] && *line != '#')
            return line;
    }
    return NULL;
}

static size_t count_fields(const char *line)
{
    size_t n = 1;
    for (; *line; line++)
        n += *line == ',';
    return n;
}

static ph_status read_row(const char *path, size_t number, char *line, size_t n, double *values,
                          ph_error *err)
{
    const char *begin = line;
    char shown[48];
    const size_t there = count_fields(line);
    if (there != n)
        return ph_fail(err, PH_E_SIZE, "%.300s:%zu:1: has %zu fields; the first line names %zu", path, number,
                       there, n);
    for (size_t i = 0; i < n; i++) {
        const char *field = take_field(&line);
        const ph_status status = ph_parse_number(field, &values[i]);
        if (status)
            return ph_fail(err, status, "%.300s:%zu:%zu: \"%s\" is not a %snumber", path, number,
                           (size_t)(field - begin) + 1, ph_text_show(shown, sizeof shown, field),
                           status == PH_E_NOT_FINITE ? "finite " : "");
    }
    return PH_OK;
}

/* text ends with a zero byte, the only one. */
static ph_status read_csv(const char *path, char *text, ph_number_file *t, ph_error *err)
{
    char *rest = text;
    size_t number = 0, room = 0;
    ph_status status = PH_OK;
    char *line = next_line(&rest, &number);
    if (!line)
        return ph_fail(err, PH_E_PARSE,
                       "%.300s:1:1: is empty; a line with keys is expected, then rows of numbers", path);
    t->columns = count_fields(line);
    t->names = malloc(strlen(line) + t->columns + 1);
    if (!t->names)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0, used = 0; i < t->columns; i++) {
        const char *field = take_field(&line);
        strcpy(t->names + used, field);
        used += strlen(field) + 1;
    }
    while (!status && (line = next_line(&rest, &number))) {
        if (t->rows == room) {
            room = 2 * room + 64;
            double *more = realloc(t->numbers, room * t->columns * sizeof *more);
            if (!more)
                return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
            t->numbers = more;
        }
        status = read_row(path, number, line, t->columns, t->numbers + t->rows * t->columns, err);
        t->rows++;
    }
    return status;
}

/* ---- NPY ------------------------------------------------------------------------------------------------------ */

static const char npy_magic[] = "\x93NUMPY";

/* Behind "'key':" of the header, or NULL. */
static const char *find_entry(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* t <- the shape; *fortran <- is the first index the fastest? */
static ph_status read_header(const char *path, const char *header, ph_number_file *t, bool *fortran,
                             ph_error *err)
{
    const char *type = find_entry(header, "'descr'"), *order = find_entry(header, "'fortran_order'"),
               *shape = find_entry(header, "'shape'");
    if (!type || !order || !shape)
        return ph_fail(err, PH_E_PARSE,
                       "%.300s: is not an NPY file: its header has no descr, fortran_order or shape", path);
    if (strncmp(type, "'<f8'", 5))
        return ph_fail(err, PH_E_PARSE,
                       "%.300s: has numbers of type %.8s; doubles are expected: write array.astype(\"<f8\")",
                       path, type);
    *fortran = !strncmp(order, "True", 4);
    char end = '\0';
    if (sscanf(shape, "(%zu, %zu%c", &t->rows, &t->columns, &end) != 3 || end != ')' || !t->columns)
        return ph_fail(err, PH_E_SIZE, "%.300s: has the shape %.*s; (rows, keys) is expected", path,
                       (int)strcspn(shape, ")") + 1, shape);
    return PH_OK;
}

static ph_status read_npy(const char *path, const char *text, size_t length, ph_number_file *t, ph_error *err)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const bool wide = length > 6 && bytes[6] > 1;
    const size_t begin = wide ? 12 : 10;
    size_t header = 0;
    bool fortran = false;
    for (size_t i = 8; i < begin && begin <= length; i++)
        header |= (size_t)bytes[i] << (8 * (i - 8));
    if (begin > length || header > length - begin)
        return ph_fail(err, PH_E_PARSE, "%.300s: ends within its header", path);
    char *words = strndup(text + begin, header);
    if (!words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = read_header(path, words, t, &fortran, err);
    free(words);
    const size_t there = (length - begin - header) / sizeof(double);
    if (!status &&
        (t->rows > there / t->columns || t->rows * t->columns != there || (length - begin - header) % 8))
        status = ph_fail(err, PH_E_SIZE, "%.300s: has %zu numbers; its header says (%zu, %zu)", path, there,
                         t->rows, t->columns);
    if (!status && !(t->numbers = malloc((there + 1) * sizeof *t->numbers)))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const unsigned char *from = bytes + begin + header;
    for (size_t k = 0; k < there && !status; k++) {
        const size_t row = fortran ? k % t->rows : k / t->columns,
                     column = fortran ? k / t->rows : k % t->columns;
        double *to = &t->numbers[row * t->columns + column];
        from = ph_get_double(from, to);
        if (!isfinite(*to))
            status = ph_fail(err, PH_E_NOT_FINITE, "%.300s: [%zu, %zu] is %g; finite numbers are expected",
                             path, row, column, *to);
    }
    return status;
}

/* ---- Either --------------------------------------------------------------------------------------------------- */

void ph_free_number_file(ph_number_file *t)
{
    free(t->names);
    free(t->numbers);
}

ph_status ph_read_number_file(const char *path, ph_number_file *t, ph_error *err)
{
    char *text, *ended;
    size_t length;
    *t = (ph_number_file){.names = NULL};
    ph_status status = ph_text_slurp(path, longest, &text, &length, err);
    if (status)
        return status;
    const uint32_t checksum = ph_checksum(0, (const unsigned char *)text, length);
    if (length > longest)
        status = ph_fail(err, PH_E_SIZE, "%.300s: is larger than 2 GiB", path);
    else if (length >= 6 && !memcmp(text, npy_magic, 6))
        status = read_npy(path, text, length, t, err);
    else if (memchr(text, '\0', length))
        status = ph_fail(err, PH_E_PARSE, "%.300s: has zero bytes; CSV, or NPY of NumPy, is expected", path);
    else if (!(ended = realloc(text, length + 1)))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else {
        text = ended;
        text[length] = '\0';
        status = read_csv(path, text, t, err);
    }
    if (!status && !t->rows)
        status = ph_fail(err, PH_E_SIZE, "%.300s: has no rows", path);
    free(text);
    t->checksum = checksum;
    if (status)
        ph_free_number_file(t);
    return status;
}
