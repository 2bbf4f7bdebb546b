/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and rows of results by their description. */
#include "results.h"

#include <float.h>
#include <math.h>

const result_value value_absent = {.type = VALUE_ABSENT};

result_value value_number(double number)
{
    return isfinite(number) ? (result_value){.type = VALUE_NUMBER, .number = number} : value_absent;
}

result_value value_whole(int64_t whole)
{
    return (result_value){.type = VALUE_WHOLE, .whole = whole};
}

result_value value_flag(bool flag)
{
    return (result_value){.type = VALUE_FLAG, .whole = flag};
}

result_value value_word(const char *word)
{
    return word ? (result_value){.type = VALUE_WORD, .word = word} : value_absent;
}

const void *result_member(const result_field *field, const void *row)
{
    const char *in = row;
    if (field->via)
        in = *(const char *const *)(in + field->via - 1);
    return in + field->offset;
}

result_value result_value_of(const result_field *field, const void *row)
{
    if (!row || (field->when && !field->when(row)))
        return value_absent;
    const void *at = result_member(field, row);
    switch (field->type) {
    case RESULT_NUMBER:
        return value_number(*(const double *)at);
    case RESULT_BOUND:
        return fabs(*(const double *)at) < DBL_MAX ? value_number(*(const double *)at) : value_absent;
    case RESULT_WHOLE:
        return value_whole(*(const int64_t *)at);
    case RESULT_SIZE:
        return value_whole((int64_t) * (const size_t *)at);
    case RESULT_INT:
        return value_whole(*(const int *)at);
    case RESULT_FLAG:
        return value_flag(*(const bool *)at);
    case RESULT_WORD:
        return value_word(*(const char *const *)at);
    case RESULT_TEXT:
        return *(const char *)at ? value_word(at) : value_absent;
    case RESULT_STATUS:
        return value_word(ph_status_name(*(const ph_status *)at));
    case RESULT_MADE:
        return field->value(row);
    default:
        return value_absent;
    }
}

const void *result_next(const result_rows *rows, const void *of, size_t *i, void *room)
{
    if (rows->next)
        return rows->next(of, i, room);
    const char *at = (const char *)of + rows->at;
    const size_t n = rows->most ? rows->most : *(const size_t *)((const char *)of + rows->n);
    if (rows->is_pointer)
        at = *(const char *const *)at;
    while (*i < n) {
        const void *row = at + (*i)++ * rows->size;
        if (!rows->has || rows->has(row))
            return row;
    }
    return NULL;
}
