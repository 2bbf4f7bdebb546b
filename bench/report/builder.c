/* SPDX-License-Identifier: BSD-3-Clause */
/* Building JSON, with json-c. */
#include "builder.h"
#include "figures/utf8.h"
#include "file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_object *made(builder *b, json_object *node)
{
    b->failed |= !node;
    return node;
}

/* An intended null is a NULL that did not pass through made(). */
void build_add(builder *b, json_object *to, const char *key, json_object *value)
{
    if (!to || json_object_object_add(to, key, value)) {
        b->failed = 1;
        json_object_put(value);
    }
}

void build_append(builder *b, json_object *to, json_object *value)
{
    if (!to || json_object_array_add(to, value)) {
        b->failed = 1;
        json_object_put(value);
    }
}

json_object *build_object(builder *b)
{
    return made(b, json_object_new_object());
}

json_object *build_array(builder *b)
{
    return made(b, json_object_new_array());
}

json_object *build_number(builder *b, double value)
{
    return isfinite(value) ? made(b, json_object_new_double(value)) : NULL;
}

json_object *build_bound(builder *b, double value)
{
    return fabs(value) >= DBL_MAX ? NULL : build_number(b, value);
}

json_object *build_count(builder *b, int64_t value)
{
    return made(b, json_object_new_int64(value));
}

json_object *build_flag(builder *b, int value)
{
    return made(b, json_object_new_boolean(value));
}

json_object *build_text(builder *b, const char *value)
{
    if (!value)
        return NULL;
    char *clean = utf8_clean(value);
    json_object *node = made(b, clean ? json_object_new_string(clean) : NULL);
    free(clean);
    return node;
}

/* Print the array on one line: a number a line would make the file unreadable. */
json_object *build_on_one_line(builder *b, json_object *list)
{
    const char *line = list ? json_object_to_json_string_ext(list, JSON_C_TO_STRING_SPACED) : NULL;
    char *copy = line ? strdup(line) : NULL;
    if (copy)
        json_object_set_serializer(list, json_object_userdata_to_json_string, copy,
                                   json_object_free_userdata);
    b->failed |= !copy;
    return list;
}

json_object *build_numbers(builder *b, const double *x, size_t n)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < n; i++)
        build_append(b, list, build_number(b, x[i]));
    return build_on_one_line(b, list);
}

json_object *build_lines(builder *b, char *words)
{
    json_object *list = build_array(b);
    b->failed |= !words;
    for (const char *at = words; at && *at;) {
        size_t n = strcspn(at, "\n");
        char *line = strndup(at, n);
        build_append(b, list, line ? build_text(b, line) : made(b, NULL));
        free(line);
        at += n + (at[n] == '\n');
    }
    free(words);
    return list;
}

json_object *build_timing(builder *b, const timing *t)
{
    json_object *o = build_object(b);
    build_add(b, o, "ns_per_step", build_number(b, t->median));
    build_add(b, o, "ns_per_step_lower_quartile", build_number(b, t->low));
    build_add(b, o, "ns_per_step_upper_quartile", build_number(b, t->high));
    build_add(b, o, "ns_per_step_all_turns", build_number(b, t->all));
    build_add(b, o, "ns_per_step_least", build_number(b, t->least));
    build_add(b, o, "ratio", build_number(b, t->ratio));
    build_add(b, o, "ratio_low", build_number(b, t->ratio_low));
    build_add(b, o, "ratio_high", build_number(b, t->ratio_high));
    build_add(b, o, "rounds", build_count(b, (int64_t)t->rounds));
    build_add(b, o, "quiet_rounds", build_count(b, (int64_t)t->quiet));
    return o;
}

json_object *build_curve(builder *b, const curve *c)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < c->n; i++)
        build_append(b, list, build_number(b, curve_bin(c, i)));
    return build_on_one_line(b, list);
}

json_object *build_curve_times(builder *b, const curve *c)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < c->n; i++)
        build_append(b, list, build_number(b, curve_time(c, i)));
    return build_on_one_line(b, list);
}

void build_surroundings(builder *b, json_object *o, const surroundings *s)
{
    build_add(b, o, "version", build_text(b, ph_version()));
    build_add(b, o, "date", build_text(b, s->date));
    build_add(b, o, "machine", build_text(b, s->machine));
    build_add(b, o, "software", build_text(b, s->software));
    build_add(b, o, "seconds", build_number(b, s->seconds));
}

static ph_status write_json(const char *directory, const char *name, const char *json, ph_error *err)
{
    char part[4200];
    FILE *f = report_open(directory, name, part, err);
    if (!f)
        return PH_E_IO;
    fputs(json, f);
    fputc('\n', f);
    return report_close(f, part, err);
}

/* The JSON text, which root owns; NULL without memory. */
static const char *to_text(const builder *b, json_object *root)
{
    const int style = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE;
    return b->failed ? NULL : json_object_to_json_string_ext(root, style);
}

ph_status build_print(const builder *b, json_object *root, FILE *out, ph_error *err)
{
    const char *json = to_text(b, root);
    if (json)
        fprintf(out, "%s\n", json);
    json_object_put(root);
    return json ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

ph_status build_file(const builder *b, json_object *root, const char *directory, const char *name,
                     ph_error *err)
{
    const char *json = to_text(b, root);
    ph_status status =
        json ? write_json(directory, name, json, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    json_object_put(root);
    return status;
}
