/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that others wrote (a file's name, a scenario), made fit for a page, for JSON and for a figure. */
#ifndef POLHODE_BENCH_UTF8_H
#define POLHODE_BENCH_UTF8_H

/* to <- the character at s, which must not be the end, as valid UTF-8: U+FFFD for a byte that is not UTF-8
 * and for what no text holds (control characters but tab and the ends of lines, noncharacters). Returns where the
 * next begins. */
const char *utf8_next(const char *s, char to[5]);

/* A copy (malloc; NULL without memory) of which every character went through utf8_next. */
char *utf8_clean(const char *text);

#endif
