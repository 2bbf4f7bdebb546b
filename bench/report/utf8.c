/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading UTF-8 strictly: no overlong forms, no surrogates, nothing cut short. */
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

static const unsigned replacement = 0xfffd;

/* The code point at s and its length in bytes; U+FFFD and 1 for a byte that is not UTF-8. */
static unsigned decode(const char *s, size_t *n)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)s[0];
    size_t length = first < 0x80   ? 1
                    : first < 0xc0 ? 0
                    : first < 0xe0 ? 2
                    : first < 0xf0 ? 3
                    : first < 0xf8 ? 4
                                   : 0;
    unsigned code = length < 2 ? first : first & (0x7fu >> length);
    *n = 1;
    if (!length)
        return replacement;
    for (size_t i = 1; i < length; i++) { /* the terminating zero is not a continuation */
        unsigned char u = (unsigned char)s[i];
        if ((u & 0xc0) != 0x80)
            return replacement;
        code = code << 6 | (u & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return replacement;
    *n = length;
    return code;
}

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
    unsigned code = decode(s, &n);
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
