/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading UTF-8 strictly: no overlong forms, no surrogates, nothing cut short. */
#ifndef PH_ARCHIVE_UTF8_H
#define PH_ARCHIVE_UTF8_H

#include <stddef.h>

/* The code point at s and its length in bytes; U+FFFD and 1 for a byte that is not UTF-8. */
unsigned ph_utf8_next(const char *s, size_t *n);

#endif
