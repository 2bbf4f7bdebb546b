/* SPDX-License-Identifier: BSD-3-Clause */
/* Text from outside (a file's name, a scenario), made valid for a page, for JSON and for a figure; texts put together of parts. */
#ifndef POLHODE_FIGURES_UTF8_H
#define POLHODE_FIGURES_UTF8_H

#include <stddef.h>
#include <stdio.h>

#include <polhode/status.h>

/* to <- the character at s, which must not be the end, as valid UTF-8: U+FFFD for an invalid byte and for a
 * character that no text contains (control characters except tab and line ends, noncharacters). Returns the
 * beginning of the next character. */
const char *utf8_next(const char *s, char to[5]);

/* A copy (malloc; NULL without memory) with every character converted by utf8_next. */
char *utf8_clean(const char *text);

/* How many characters it has. */
size_t utf8_length(const char *text);

/* Appends to a text, as much as has room. */
void text_add(char *text, size_t size, const char *format, ...) PH_PRINTF(3, 4);
/* text <- the number in the fewest digits, from so many on, that are read as the same number. */
void number_text(char text[32], int digits, double value);

enum { UTF8_RAISED = 64 };
/* to <- a whole number in raised digits, as of 10 to a power. */
void utf8_raised(char to[UTF8_RAISED], int number);

/* Write the text, escaped for a page or for SVG; and the same between markup that is not escaped. */
void markup_text(FILE *f, const char *text);
void markup_part(FILE *f, const char *text, size_t n); /* n bytes of it */
void markup_between(FILE *f, const char *before, const char *text, const char *after);

#endif
