/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading roundoff.json again. An error names what is missing or of another type; the first one is reported.
 * */
#include "report.h"

#include <json-c/json.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *path;
    ph_status status;
    ph_error *err;
} reader;

static void refuse(reader *r, const char *key, const char *expected)
{
    if (!r->status)
        r->status = ph_fail(r->err, PH_E_PARSE, "%s: %s: %s is expected", r->path, key, expected);
}

static json_object *member(reader *r, json_object *o, const char *key, json_type type, const char *expected)
{
    json_object *value = NULL;
    if (!json_object_is_type(o, json_type_object) || !json_object_object_get_ex(o, key, &value) ||
        !json_object_is_type(value, type)) {
        refuse(r, key, expected);
        return NULL;
    }
    return value;
}

static void read_text(reader *r, json_object *o, const char *key, char *text, size_t size)
{
    json_object *value = member(r, o, key, json_type_string, "a text");
    snprintf(text, size, "%s", value ? json_object_get_string(value) : "");
}

static int64_t read_count(reader *r, json_object *o, const char *key, int64_t least, int64_t most)
{
    json_object *value = member(r, o, key, json_type_int, "a whole number");
    const int64_t n = value ? json_object_get_int64(value) : least;
    if (n < least || n > most)
        refuse(r, key, "a number in its range");
    return n;
}

static double read_number(reader *r, json_object *value, const char *key)
{
    if (!value) /* null: no number */
        return NAN;
    if (!json_object_is_type(value, json_type_double) && !json_object_is_type(value, json_type_int))
        refuse(r, key, "a number");
    return json_object_get_double(value);
}

/* values (n) <- the list. */
static void read_list(reader *r, json_object *list, const char *key, double *values, size_t n)
{
    if (!json_object_is_type(list, json_type_array) || json_object_array_length(list) != n) {
        refuse(r, key, "a list with a number for each member or point");
        return;
    }
    for (size_t i = 0; i < n; i++)
        values[i] = read_number(r, json_object_array_get_idx(list, i), key);
}

static void read_series(reader *r, json_object *o, roundoff *e, roundoff_series *s)
{
    read_text(r, o, "name", s->name, sizeof s->name);
    json_object *points = member(r, o, "errors", json_type_array, "a list");
    if (points && json_object_array_length(points) != e->points)
        refuse(r, "errors", "a list for each point");
    for (size_t j = 0; j < e->points && !r->status; j++)
        read_list(r, json_object_array_get_idx(points, j), "errors", s->errors + j * e->members, e->members);
}

static void read_ensemble(reader *r, json_object *o, roundoff *e)
{
    *e = (roundoff){.members = 0};
    read_text(r, o, "name", e->name, sizeof e->name);
    read_text(r, o, "title", e->title, sizeof e->title);
    read_text(r, o, "method", e->method, sizeof e->method);
    json_object *h = NULL;
    json_object_object_get_ex(o, "h", &h);
    e->h = read_number(r, h, "h");
    json_object *seconds = NULL;
    json_object_object_get_ex(o, "cpu_seconds", &seconds);
    e->cpu_seconds = read_number(r, seconds, "cpu_seconds");
    e->stages = read_count(r, o, "stages", 1, 1000);
    e->members = (size_t)read_count(r, o, "members", 1, ROUNDOFF_MEMBERS);
    json_object *steps = member(r, o, "steps", json_type_array, "a list");
    json_object *list = member(r, o, "quantities", json_type_array, "a list");
    json_object *largest = member(r, o, "largest_constraint_error", json_type_array, "a list");
    if (r->status)
        return;
    e->points = json_object_array_length(steps);
    e->quantities = json_object_array_length(list);
    if (e->points > ROUNDOFF_POINTS)
        refuse(r, "steps", "a shorter list");
    if (e->quantities < 2 || e->quantities > ROUNDOFF_QUANTITIES)
        refuse(r, "quantities", "energy, momenta and constraint");
    if (!r->status)
        r->status = roundoff_make_room(e, r->err);
    if (r->status) {
        e->points = e->quantities = 0;
        return;
    }
    read_list(r, steps, "steps", e->steps, e->points);
    read_list(r, largest, "largest_constraint_error", e->largest_constraint, e->members);
    for (size_t i = 0; i < e->quantities && !r->status; i++)
        read_series(r, json_object_array_get_idx(list, i), e, &e->series[i]);
}

ph_status roundoff_read(roundoff_report *report, const char *path, ph_error *err)
{
    reader r = {.path = path, .status = PH_OK, .err = err};
    report->ensembles = NULL;
    report->n = 0;
    errno = 0;
    json_object *root = json_object_from_file(path);
    if (!root)
        return errno ? ph_fail(err, PH_E_IO, "%s: cannot be read: %s", path, strerror(errno))
                     : ph_fail(err, PH_E_PARSE, "%s: is not JSON", path);
    read_count(&r, root, "polhode_bench_roundoff", 1, 1);
    read_text(&r, root, "command", report->command, sizeof report->command);
    read_text(&r, root, "date", report->run.where.date, sizeof report->run.where.date);
    read_text(&r, root, "machine", report->run.where.machine, sizeof report->run.where.machine);
    read_text(&r, root, "software", report->run.where.software, sizeof report->run.where.software);
    json_object *seconds = NULL, *list = member(&r, root, "ensembles", json_type_array, "a list");
    json_object_object_get_ex(root, "seconds", &seconds);
    report->run.where.seconds = read_number(&r, seconds, "seconds");
    const size_t n = list ? json_object_array_length(list) : 0;
    report->ensembles = calloc(n + 1, sizeof *report->ensembles);
    if (!report->ensembles && !r.status)
        r.status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    while (!r.status && report->n < n) {
        read_ensemble(&r, json_object_array_get_idx(list, report->n), &report->ensembles[report->n]);
        report->n++;
    }
    json_object_put(root);
    if (r.status)
        roundoff_report_free(report);
    return r.status;
}
