/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON read strictly (RFC 8259) and in one pass, without memory of its own: the caller asks for what it expects next, and what is
 * there instead is a mistake whose message has the byte and the path, "byte 88, points[3].add[0]: ...". The first mistake stays,
 * and all further calls find nothing. A copy of the reader looks ahead. */
#ifndef PH_INTERNAL_JSON_H
#define PH_INTERNAL_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/status.h>

enum { PH_JSON_DEPTH = 24, PH_JSON_KEYS = 16 };

/* An object or an array that is open. */
typedef struct ph_json_level {
    char close;      /* '}' or ']' */
    size_t n;        /* elements that have begun */
    const char *key; /* of the element: one of those that are known, or NULL */
    unsigned seen;   /* known keys that were there, a bit each */
} ph_json_level;

typedef struct ph_json {
    const char *what; /* is read, for messages: "the scene" */
    const char *text, *at;
    size_t depth;
    ph_json_level levels[PH_JSON_DEPTH];
    ph_status status;
    ph_error *err; /* nullable */
} ph_json;

/* A reader at the beginning of the text, which ends with 0. */
ph_json ph_json_begin(const char *what, const char *text, ph_error *err);
/* Only white space may follow the value. Returns the overall status. */
ph_status ph_json_end(ph_json *json);
/* A mistake at this place, in these words; the first one stays. Returns its status. */
ph_status ph_json_fail(ph_json *json, ph_status status, const char *format, ...) PH_PRINTF(3, 4);

/* Opens an object ('{') or an array ('['). */
bool ph_json_open(ph_json *json, char bracket);
/* In an array: is there another element? Otherwise it is closed. */
bool ph_json_next(ph_json *json);
/* In an object: the next key of keys (n <= PH_JSON_KEYS, static), whose value follows; others are skipped with their values. n: none is
 * left, and the object is closed. A known key that is there twice is a mistake. */
size_t ph_json_key(ph_json *json, const char *const *keys, size_t n);
/* How many elements the array has that is open, of those that have not begun. */
size_t ph_json_count(const ph_json *json);
/* A value of any kind. */
void ph_json_skip(ph_json *json);

/* Is the value null? Then it is read. */
bool ph_json_null(ph_json *json);
/* false and a mistake where it is not one. */
bool ph_json_number(ph_json *json, double *value);
bool ph_json_numbers(ph_json *json, double *values, size_t n);
/* A whole number, at least 0, or -1, which stands for none: PH_NO_INDEX. */
bool ph_json_index(ph_json *json, size_t *value);
/* One of the words (n). */
bool ph_json_word(ph_json *json, const char *const *words, size_t n, size_t *which);
/* A string in UTF-8 without U+0000: to (bytes of the text that are left, and 1 more, are enough room) <- its characters, and 0; NULL: it is read
 * only. Returns how many bytes with that 0; 0: a mistake. */
size_t ph_json_string(ph_json *json, char *to);

#endif
