/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON read strictly: see json.h. */
#include "json.h"

#include <polhode/kit/text.h>
#include <polhode/system.h>

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_MOST = 127, WORDS_ROOM = 320 };

/* ---- Where a mistake is --------------------------------------------------------------------------------- */

ph_json ph_json_begin(const char *what, const char *text, ph_error *err)
{
    return (ph_json){.what = what, .text = text, .at = text, .err = err};
}

/* path <- of the value that is read: "points[3].add", as far as there is room; "" at the top. */
static void write_path(const ph_json *j, char *path, size_t size)
{
    size_t used = 0;
    *path = 0;
    for (size_t i = 0; i < j->depth && used < size; i++) {
        const ph_json_level *level = &j->levels[i];
        const int more =
            level->close == ']' ? snprintf(path + used, size - used, "[%zu]", level->n ? level->n - 1 : 0)
            : level->key        ? snprintf(path + used, size - used, "%s%s", used ? "." : "", level->key)
                                : 0;
        used += more > 0 ? (size_t)more : 0;
    }
}

ph_status ph_json_fail(ph_json *j, ph_status status, const char *format, ...)
{
    char path[160], words[WORDS_ROOM];
    va_list list;
    if (j->status)
        return j->status;
    j->status = status;
    write_path(j, path, sizeof path);
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    return ph_fail(j->err, status, "%s, byte %zu%s%s: %s", j->what, (size_t)(j->at - j->text) + 1,
                   *path ? ", " : "", path, words);
}

/* ---- What follows ------------------------------------------------------------------------------------------ */

/* The next character that is no white space; 0 at the end, and after a mistake. */
static char peek(ph_json *j)
{
    if (j->status)
        return 0;
    j->at += strspn(j->at, " \t\r\n");
    return *j->at;
}

/* A mistake: `wanted` is not what is there. */
static void fail_other(ph_json *j, const char *wanted)
{
    const char c = peek(j);
    const char *what = c == '{'                                 ? "an object"
                       : c == '['                               ? "an array"
                       : c == '"'                               ? "a string"
                       : c == '-' || (c >= '0' && c <= '9')     ? "a number"
                       : !strncmp(j->at, "null", 4)             ? "null"
                       : !strncmp(j->at, "true", 4) || c == 'f' ? "true or false"
                       : !strncmp(j->at, "NaN", 3) || c == 'I'
                           ? "a number that is not finite, which JSON has not"
                           : NULL;
    if (!c)
        ph_json_fail(j, PH_E_PARSE, "the text ends where %s should be; it is cut off", wanted);
    else if (what)
        ph_json_fail(j, PH_E_PARSE, "here is %s; it must be %s", what, wanted);
    else if (c > 0x20 && c < 0x7f)
        ph_json_fail(j, PH_E_PARSE, "here is '%c'; it must be %s", c, wanted);
    else
        ph_json_fail(j, PH_E_PARSE, "here is the byte 0x%02x; it must be %s", (unsigned char)c, wanted);
}

bool ph_json_open(ph_json *j, char bracket)
{
    if (peek(j) != bracket) {
        fail_other(j, bracket == '{' ? "an object" : "an array");
        return false;
    }
    if (j->depth == PH_JSON_DEPTH) {
        ph_json_fail(j, PH_E_PARSE, "arrays and objects are nested deeper than %d", PH_JSON_DEPTH);
        return false;
    }
    j->at++;
    j->levels[j->depth++] = (ph_json_level){.close = bracket == '{' ? '}' : ']'};
    return true;
}

bool ph_json_next(ph_json *j)
{
    const char c = peek(j);
    ph_json_level *level = j->depth ? &j->levels[j->depth - 1] : NULL;
    if (j->status || !level)
        return false;
    if (c == level->close) {
        j->at++;
        j->depth--;
        return false;
    }
    if (level->n && c != ',') {
        level->key = NULL;
        fail_other(j, level->close == '}' ? "a comma or '}'" : "a comma or ']'");
        return false;
    }
    j->at += level->n > 0;
    level->n++;
    level->key = NULL;
    return true;
}

/* ---- Strings ------------------------------------------------------------------------------------------------ */

/* The number of four hexadecimal digits; UINT_MAX where they are not. */
static unsigned read_hex(const char *s)
{
    unsigned code = 0;
    for (size_t k = 0; k < 4; k++) {
        const char c = s[k];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return UINT32_MAX;
        code = code << 4 | (unsigned)digit;
    }
    return code;
}

/* The code point of the escape at s, behind its backslash, and *n <- its bytes there; 0: it is none. */
static unsigned read_escape(const char *s, size_t *n)
{
    static const char letters[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
    const char *found = *s ? strchr(letters, *s) : NULL;
    *n = 1;
    if (found)
        return (unsigned char)codes[found - letters];
    if (*s != 'u')
        return 0;
    const unsigned first = read_hex(s + 1);
    *n = 5;
    if (first == UINT32_MAX || (first & 0xfc00) == 0xdc00)
        return 0;
    if ((first & 0xfc00) != 0xd800)
        return first;
    const unsigned second = s[5] == '\\' && s[6] == 'u' ? read_hex(s + 7) : 0;
    *n = 11;
    return second != UINT32_MAX && (second & 0xfc00) == 0xdc00
               ? 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff))
               : 0;
}

/* to <- the code point in UTF-8. Returns its bytes, no more than its escape has. */
static size_t write_utf8(unsigned code, char *to)
{
    static const unsigned char head[] = {0, 0, 0xc0, 0xe0, 0xf0};
    const size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = n; k-- > 1; code >>= 6)
        to[k] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)(head[n] | code);
    return n;
}

/* to <- the character at j->at of a string. Returns its bytes; 0: a mistake. */
static size_t read_character(ph_json *j, char to[4])
{
    size_t n = 1;
    const unsigned char c = (unsigned char)*j->at;
    const bool escaped = c == '\\';
    const unsigned code = escaped ? read_escape(j->at + 1, &n) : ph_utf8_next(j->at, &n);
    if (!c)
        ph_json_fail(j, PH_E_PARSE, "the text ends in a string; it is cut off");
    else if (c < 0x20)
        ph_json_fail(j, PH_E_PARSE, "a string has the control character 0x%02x; it must be \\u%04x", c, c);
    else if (escaped && !code)
        ph_json_fail(j, PH_E_PARSE, "a string has a backslash that begins no character");
    else if (!escaped && code == 0xfffd && n == 1)
        ph_json_fail(j, PH_E_PARSE, "a string has the byte 0x%02x, which is not UTF-8", c);
    if (j->status)
        return 0;
    j->at += escaped + n;
    return write_utf8(code, to);
}

size_t ph_json_string(ph_json *j, char *to)
{
    size_t used = 0;
    if (peek(j) != '"') {
        fail_other(j, "a string");
        return 0;
    }
    for (j->at++; *j->at != '"';) {
        char character[4];
        const size_t n = read_character(j, character);
        if (!n)
            return 0;
        if (to)
            memcpy(to + used, character, n);
        used += n;
    }
    j->at++;
    if (to)
        to[used] = 0;
    return used + 1;
}

/* Which of the words (n) the string is; n: none. */
static size_t find_word(ph_json *j, const char *const *words, size_t n)
{
    enum { MOST = 32 };
    char word[MOST] = "";
    ph_json ahead = *j;
    ahead.err = NULL;
    if (ph_json_string(&ahead, NULL) > MOST || ahead.status) {
        (void)ph_json_string(j, NULL);
        return n;
    }
    (void)ph_json_string(j, word);
    size_t i = 0;
    while (i < n && strcmp(words[i], word) != 0)
        i++;
    return i;
}

bool ph_json_word(ph_json *j, const char *const *words, size_t n, size_t *which)
{
    char list[200] = "";
    size_t used = 0;
    const char *begin = (peek(j), j->at);
    *which = find_word(j, words, n);
    if (*which < n || j->status)
        return !j->status;
    for (size_t i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    j->at = begin;
    ph_json_fail(j, PH_E_RANGE, "there is no such word; it must be one of %s", list);
    return false;
}

/* ---- Objects ---------------------------------------------------------------------------------------------- */

/* Is the value this word? Then it is read. */
static bool take_word(ph_json *j, const char *word)
{
    const size_t n = strlen(word);
    (void)peek(j);
    if (j->status || strncmp(j->at, word, n) != 0)
        return false;
    j->at += n;
    return true;
}

/* Calls itself by way of ph_json_key, as deep as levels are open: PH_JSON_DEPTH at most. */
void ph_json_skip(ph_json *j)
{
    double number;
    const char c = peek(j);
    if (c == '"') {
        (void)ph_json_string(j, NULL);
    } else if (c == '{') {
        if (ph_json_open(j, c))
            (void)ph_json_key(j, NULL, 0);
    } else if (c == '[') {
        for (bool more = ph_json_open(j, c); more && ph_json_next(j);)
            ph_json_skip(j);
    } else if (!take_word(j, "null") && !take_word(j, "true") && !take_word(j, "false")) {
        (void)ph_json_number(j, &number);
    }
}

size_t ph_json_key(ph_json *j, const char *const *keys, size_t n)
{
    while (ph_json_next(j)) {
        ph_json_level *level = &j->levels[j->depth - 1];
        const char *begin = (peek(j), j->at);
        const size_t i = find_word(j, keys, n);
        if (i < n && (level->seen >> i & 1)) {
            j->at = begin;
            ph_json_fail(j, PH_E_PARSE, "the key %s occurs twice", keys[i]);
        }
        if (peek(j) != ':') {
            fail_other(j, "a colon");
            return n;
        }
        j->at++;
        if (i < n) {
            level->seen |= 1u << i;
            level->key = keys[i];
            return i;
        }
        ph_json_skip(j);
    }
    return n;
}

size_t ph_json_count(const ph_json *j)
{
    ph_json ahead = *j;
    size_t n = 0;
    for (ahead.err = NULL; ph_json_next(&ahead) && !ahead.status; n++)
        ph_json_skip(&ahead);
    return n;
}

ph_status ph_json_end(ph_json *j)
{
    if (peek(j))
        fail_other(j, "the end of the text");
    return j->status;
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

bool ph_json_null(ph_json *j)
{
    return take_word(j, "null");
}

static size_t count_digits(const char *s)
{
    return strspn(s, "0123456789");
}

/* Bytes of the number at s as JSON has it; 0: it is none. */
static size_t number_length(const char *s)
{
    size_t n = *s == '-', digits = count_digits(s + n);
    if (!digits || (digits > 1 && s[n] == '0'))
        return 0;
    n += digits;
    if (s[n] == '.') {
        digits = count_digits(s + n + 1);
        n = digits ? n + 1 + digits : 0;
    }
    if (n && (s[n] == 'e' || s[n] == 'E')) {
        const size_t sign = s[n + 1] == '+' || s[n + 1] == '-';
        digits = count_digits(s + n + 1 + sign);
        n = digits ? n + 1 + sign + digits : 0;
    }
    return n;
}

bool ph_json_number(ph_json *j, double *value)
{
    char text[NUMBER_MOST + 1];
    const char c = peek(j);
    if (j->status)
        return false;
    const size_t n = number_length(j->at);
    if (!n && (c == '-' || (c >= '0' && c <= '9'))) {
        ph_json_fail(j, PH_E_PARSE, "here is no number as JSON has them, such as -0.5 or 1e-3");
    } else if (!n) {
        fail_other(j, "a number");
    } else if (n > NUMBER_MOST) {
        ph_json_fail(j, PH_E_PARSE, "a number has %zu characters; at most %d", n, NUMBER_MOST);
    } else {
        memcpy(text, j->at, n);
        text[n] = 0;
        const ph_status status = ph_parse_number(text, value);
        if (status)
            ph_json_fail(j, status, "the number is too large for a double");
        else
            j->at += n;
    }
    return !j->status;
}

bool ph_json_numbers(ph_json *j, double *values, size_t n)
{
    size_t i = 0;
    bool more = ph_json_open(j, '[');
    for (; more && (more = ph_json_next(j)) && i < n; i++)
        (void)ph_json_number(j, &values[i]);
    if (!j->status && (more || i < n))
        ph_json_fail(j, PH_E_PARSE, "here are %s numbers; there must be %zu", more ? "more" : "fewer", n);
    return !j->status;
}

bool ph_json_index(ph_json *j, size_t *value)
{
    double number;
    const char *begin = (peek(j), j->at);
    if (!ph_json_number(j, &number))
        return false;
    if (number == floor(number) && number >= -1 && number < 9007199254740992.0) { /* 2^53 */
        *value = number < 0 ? PH_NO_INDEX : (size_t)number;
        return true;
    }
    j->at = begin;
    ph_json_fail(j, PH_E_RANGE, "here is %g; it must be a whole number, at least 0, or -1 for none", number);
    return false;
}
