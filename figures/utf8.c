/* SPDX-License-Identifier: BSD-3-Clause */
/* Text as UTF-8, character by character: what is not a character, or not one of a text, is replaced. */
#include "utf8.h"

#include <polhode/kit/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned replacement = 0xfffd;

/* Control characters and noncharacters: HTML forbids them, and nothing shows them. */
static int is_text(unsigned code)
{
    if (code < 0x20)
        return code == '\t' || code == '\n' || code == '\r';
    return !(code >= 0x7f && code < 0xa0) && !(code >= 0xfdd0 && code < 0xfdf0) && (code & 0xfffe) != 0xfffe;
}

const char *utf8_next(const char *s, char to[5])
{
    size_t n;
    unsigned code = ph_utf8_next(s, &n);
    if (code == replacement || !is_text(code)) {
        memcpy(to, "\xef\xbf\xbd", 4);
    } else {
        memcpy(to, s, n);
        to[n] = '\0';
    }
    return s + n;
}

char *utf8_clean(const char *text)
{
    char *copy = malloc(3 * strlen(text) + 5), *end = copy; /* a byte becomes at most three */
    if (!copy)
        return NULL;
    for (*end = '\0'; *text; end += strlen(end))
        text = utf8_next(text, end);
    return copy;
}

size_t utf8_length(const char *text)
{
    size_t n = 0;
    char one[5];
    for (; *text; n++)
        text = utf8_next(text, one);
    return n;
}

void text_add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + used, size - used, format, values);
    va_end(values);
}

void number_text(char text[32], int digits, double value)
{
    for (; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

void utf8_raised(char to[UTF8_RAISED], int number)
{
    static const char *const digits[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
                                         "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
                                         "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", number);
    *to = '\0';
    for (const char *c = plain; *c; c++)
        to = stpcpy(to, *c == '-' ? "\xe2\x81\xbb" : digits[*c - '0']);
}

void markup_text(FILE *f, const char *text)
{
    markup_part(f, text, strlen(text));
}

void markup_part(FILE *f, const char *text, size_t n)
{
    char one[5];
    const char *const end = text + n;
    while (text < end) {
        text = utf8_next(text, one);
        fputs(one[0] == '&'    ? "&amp;"
              : one[0] == '<'  ? "&lt;"
              : one[0] == '>'  ? "&gt;"
              : one[0] == '"'  ? "&quot;"
              : one[0] == '\'' ? "&#39;"
                               : one,
              f);
    }
}

void markup_between(FILE *f, const char *before, const char *text, const char *after)
{
    fputs(before, f);
    markup_text(f, text);
    fputs(after, f);
}
