/* SPDX-License-Identifier: BSD-3-Clause */
/* trajectory.csv as a source of rows: a line that names the columns, then numbers. Attributes are what the
 * summary.json in the same directory says of the run. */
#include "source.h"

#include "figures/utf8.h"
#include <polhode/polhode.h>

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ATTRIBUTES = 9 };

typedef struct csv {
    FILE *stream;
    char *path, *header, *line; /* the names of columns and units lie in header */
    size_t room;                /* of line */
    int64_t number;             /* of the line that was read last */
    double size;                /* of the file, in bytes */
    ph_column *columns;
    size_t n;
    ph_attribute attributes[ATTRIBUTES];
    size_t n_attributes;
} csv;

/* ---- The first line -------------------------------------------------------------------------------- */

static bool quotes_are_open(const char *s)
{
    bool open = false;
    for (; *s; s++)
        open ^= *s == '"';
    return open;
}

/* header <- the first line, or lines where a quoted name has several. */
static ph_status read_header(csv *c, ph_error *err)
{
    size_t used = 0;
    ssize_t n;
    while ((n = getline(&c->line, &c->room, c->stream)) > 0) {
        char *longer = realloc(c->header, used + (size_t)n + 1);
        if (!longer)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        c->header = longer;
        memcpy(c->header + used, c->line, (size_t)n + 1);
        used += (size_t)n;
        c->number++;
        if (!quotes_are_open(c->header))
            break;
    }
    if (ferror(c->stream))
        return ph_fail(err, PH_E_IO, "%s: cannot be read: %s", c->path, strerror(errno));
    if (!used)
        return ph_fail(err, PH_E_PARSE, "%s: is empty", c->path);
    if (strlen(c->header) != used)
        return ph_fail(err, PH_E_PARSE, "%s:1: is not text", c->path);
    while (used && (c->header[used - 1] == '\n' || c->header[used - 1] == '\r'))
        c->header[--used] = '\0';
    return PH_OK;
}

/* The field at *at, without its quotes, ended in place; *at <- the next one, or NULL behind the last. */
static char *take_field(char **at)
{
    char *from = *at, *to = from, *field = from;
    bool quoted = *from == '"';
    for (from += quoted; *from && (quoted || *from != ','); from++) {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                quoted = false;
                continue;
            }
            from++;
        }
        *to++ = *from;
    }
    *at = *from ? from + 1 : NULL;
    *to = '\0';
    return field;
}

/* "name[unit]" */
static ph_column split(char *field)
{
    size_t n = strlen(field);
    char *bracket = n && field[n - 1] == ']' ? strrchr(field, '[') : NULL;
    if (!bracket)
        return (ph_column){.name = field};
    field[n - 1] = *bracket = '\0';
    return (ph_column){.name = field, .unit = bracket + 1};
}

static ph_status name_columns(csv *c, ph_error *err)
{
    double number;
    size_t most = 1;
    for (const char *s = c->header; *s; s++)
        most += *s == ',';
    c->columns = malloc(most * sizeof *c->columns);
    if (!c->columns)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (char *at = c->header; at; c->n++) {
        c->columns[c->n] = split(take_field(&at));
        if (!*c->columns[c->n].name || !ph_parse_number(c->columns[c->n].name, &number))
            return ph_fail(err, PH_E_PARSE,
                           "%s:1: names no columns, as the first line of a trajectory.csv does", c->path);
    }
    return PH_OK;
}

/* ---- What is known of the run ---------------------------------------------------------------------- */

static void add_attribute(csv *c, const char *key, const char *text)
{
    char *clean = utf8_clean(text);
    if (clean)
        c->attributes[c->n_attributes++] = (ph_attribute){key, clean};
}

static void add_summary(csv *c)
{
    static const char *const keys[] = {"version", "model", "method", "options",
                                       "step",    "steps", "time",   "status"};
    const char *slash = strrchr(c->path, '/');
    int n = slash ? (int)(slash + 1 - c->path) : 0;
    char path[4200];
    add_attribute(c, "source", c->path);
    if (snprintf(path, sizeof path, "%.*ssummary.json", n, c->path) >= (int)sizeof path)
        return;
    json_object *root = json_object_from_file(path), *value;
    for (size_t i = 0; root && i < sizeof keys / sizeof keys[0]; i++)
        if (json_object_object_get_ex(root, keys[i], &value) && value)
            add_attribute(c, keys[i], json_object_get_string(value));
    json_object_put(root);
}

/* ---- Rows ------------------------------------------------------------------------------------------- */

/* ph_file_number's words for what is not finite. */
static bool read_number(const char *field, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    for (size_t i = 0; i < 3; i++)
        if (!strcmp(field, words[i].word))
            return *value = words[i].value, true;
    return !ph_parse_number(field, value);
}

/* The line that was read, of n bytes, into row. */
static ph_status read_row(const csv *c, size_t n, double *row, ph_error *err)
{
    char *at = c->line;
    size_t k = 0;
    if (c->line[n - 1] != '\n')
        return ph_fail(err, PH_E_PARSE, "%s:%lld: the line is cut", c->path, (long long)c->number);
    c->line[n - 1 - (n > 1 && c->line[n - 2] == '\r')] = '\0';
    for (; at && k < c->n; k++) {
        const char *field = take_field(&at);
        if (!read_number(field, &row[k]))
            return ph_fail(err, PH_E_PARSE, "%s:%lld: \"%.40s\" is not a number", c->path,
                           (long long)c->number, field);
    }
    if (k < c->n || at)
        return ph_fail(err, PH_E_PARSE,
                       "%s:%lld: there are %s than the %zu numbers that the first line names", c->path,
                       (long long)c->number, at ? "more" : "fewer", c->n);
    return PH_OK;
}

static ph_status read_rows(void *self, int64_t first, int64_t n, double *values, int64_t *read, int64_t *next,
                           ph_error *err)
{
    csv *c = self;
    *next = first;
    for (*read = 0; *read < n; ++*read) {
        ssize_t length = getline(&c->line, &c->room, c->stream);
        if (length <= 0 && !ferror(c->stream))
            return PH_OK;
        if (length <= 0) {
            *next = first; /* nothing can be read behind this */
            return ph_fail(err, PH_E_IO, "%s: cannot be read: %s", c->path, strerror(errno));
        }
        c->number++;
        ++*next;
        ph_status status = read_row(c, (size_t)length, values + (size_t)*read * c->n, err);
        if (status)
            return status;
    }
    return PH_OK;
}

static double share(const void *self)
{
    const csv *c = self;
    return c->size > 0 ? (double)ftello(c->stream) / c->size : 0;
}

/* ---- The source -------------------------------------------------------------------------------------- */

static void close_csv(void *self)
{
    csv *c = self;
    if (c->stream)
        fclose(c->stream);
    for (size_t i = 0; i < c->n_attributes; i++)
        free((void *)(uintptr_t)c->attributes[i].text);
    free(c->columns);
    free(c->header);
    free(c->line);
    free(c->path);
    free(c);
}

static ph_status open_csv(csv *c, ph_error *err)
{
    struct stat s;
    c->stream = fopen(c->path, "r");
    if (!c->stream || fstat(fileno(c->stream), &s))
        return ph_fail(err, PH_E_IO, "%s: cannot be read: %s", c->path, strerror(errno));
    c->size = (double)s.st_size;
    ph_status status = read_header(c, err);
    if (!status)
        status = name_columns(c, err);
    if (!status)
        add_summary(c);
    return status;
}

ph_status source_open_csv(const char *path, source *s, ph_error *err)
{
    csv *c = calloc(1, sizeof *c);
    if (!c || !(c->path = strdup(path))) {
        free(c);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    ph_status status = open_csv(c, err);
    if (status)
        close_csv(c);
    else
        *s = (source){.columns = c->columns,
                      .n = c->n,
                      .attributes = c->attributes,
                      .n_attributes = c->n_attributes,
                      .self = c,
                      .read = read_rows,
                      .share = share,
                      .close = close_csv};
    return status;
}
