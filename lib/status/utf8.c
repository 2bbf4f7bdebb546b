/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading UTF-8 strictly, a code point at a time (RFC 3629). */
#include <polhode/kit/text.h>

unsigned ph_utf8_next(const char *s, size_t *n)
{
    const unsigned char *u = (const unsigned char *)s;
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = u[0] < 0x80             ? 1
                    : (u[0] & 0xe0) == 0xc0 ? 2
                    : (u[0] & 0xf0) == 0xe0 ? 3
                    : (u[0] & 0xf8) == 0xf0 ? 4
                                            : 0;
    unsigned code = length == 1   ? u[0]
                    : length == 2 ? u[0] & 0x1fu
                    : length == 3 ? u[0] & 0x0fu
                                  : u[0] & 0x07u;
    *n = 1;
    for (size_t i = 1; i < length; i++) { /* the terminating zero is no continuation */
        if ((u[i] & 0xc0) != 0x80)
            return 0xfffd;
        code = code << 6 | (u[i] & 0x3fu);
    }
    if (!length || code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0xfffd;
    *n = length;
    return code;
}
