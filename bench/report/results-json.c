/* SPDX-License-Identifier: BSD-3-Clause */
/* Results as JSON. */
#include "results.h"

#include <stdalign.h>

static json_object *build_value(builder *b, result_value v)
{
    switch (v.type) {
    case VALUE_NUMBER:
        return build_number(b, v.number);
    case VALUE_WHOLE:
        return build_count(b, v.whole);
    case VALUE_FLAG:
        return build_flag(b, v.whole != 0);
    case VALUE_WORD:
        return build_text(b, v.word);
    default:
        return NULL;
    }
}

static json_object *build_part(builder *b, const result_rows *rows, const void *of)
{
    alignas(max_align_t) char room[RESULT_ROOM];
    size_t i = 0;
    const void *row = result_next(rows, of, &i, room);
    return row ? result_object(b, rows->fields, row) : NULL;
}

static json_object *build_field(builder *b, const result_field *field, const void *row)
{
    if (field->when && !field->when(row))
        return NULL;
    const void *at = result_member(field, row);
    switch (field->type) {
    case RESULT_TIMING:
        return build_timing(b, at);
    case RESULT_CURVE:
        return build_curve(b, at);
    case RESULT_TIMES:
        return build_curve_times(b, at);
    case RESULT_NODE:
        return field->node(b, row);
    case RESULT_PART:
        return build_part(b, field->rows, row);
    case RESULT_ROWS:
        return result_array(b, field->rows, row);
    default:
        return build_value(b, result_value_of(field, row));
    }
}

void result_add(builder *b, json_object *o, const result_field *fields, const void *row)
{
    for (; fields->type; fields++)
        if (!fields->not_in_json)
            build_add(b, o, fields->name, build_field(b, fields, row));
}

json_object *result_object(builder *b, const result_field *fields, const void *row)
{
    json_object *o = build_object(b);
    result_add(b, o, fields, row);
    return o;
}

json_object *result_array(builder *b, const result_rows *rows, const void *of)
{
    alignas(max_align_t) char room[RESULT_ROOM];
    json_object *list = build_array(b);
    size_t i = 0;
    for (const void *row; (row = result_next(rows, of, &i, room));)
        build_append(b, list, result_object(b, rows->fields, row));
    return list;
}
