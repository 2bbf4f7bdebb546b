/* SPDX-License-Identifier: BSD-3-Clause */
/* Text from people and for them: numbers and UTF-8 read strictly, lists of numbers written, names suggested.
 * Thread-safe, no allocation. */
#ifndef POLHODE_TEXT_H
#define POLHODE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

PH_BEGIN_DECLS

/** *value <- the decimal number that the whole text is ("0.1", "-1e-3", "7"). Independent of the locale.
 * PH_E_PARSE for anything else ("1e-3x", "0x10", "", " 1") and beyond 127 characters, PH_E_NOT_FINITE for
 * nan, inf and numbers too large for a double. */
PH_API ph_status ph_parse_number(const char *text, double *value);

/** *value <- the whole number that the whole text is; 1e6 is read as 1000000. PH_E_PARSE, PH_E_RANGE. */
PH_API ph_status ph_parse_count(const char *text, int64_t *value);

/** Room for a list of numbers in a message. */
typedef struct ph_numbers {
    char text[256]; /**< ends with 0 */
} ph_numbers;
/** to->text <- the n numbers with all digits in a pair of brackets, "()" or "[]": "(1, 0.5)". Numbers that do
 * not fit are replaced by dots. Returns to->text. */
PH_API const char *ph_show_numbers(ph_numbers *to, const char *brackets, const double *v, size_t n);

/** text <- so many bytes for people, with three digits: "65.5 kB", "12 GB" (of 1000^3 bytes). */
PH_API void ph_bytes_text(double bytes, char text[32]);

/** The entry of names (n; entries may be NULL) that the word was probably meant to be: the one at the
 * smallest edit distance, if that is at most a third of its length (but at least 1); or else the first of
 * which the word is a part, as "top" of "heavy-top". NULL if none. */
PH_API const char *ph_suggest(const char *word, const char *const *names, size_t n);

/** Fill err for an unknown name:  unknown KIND "WORD"; did you mean "X"?  or the list of known names.
 * Returns PH_E_UNKNOWN. */
PH_API ph_status ph_fail_unknown(ph_error *err, const char *kind, const char *word, const char *const *names,
                                 size_t n);

/** The code point at s, which ends with a zero byte, and *n <- its length in bytes. U+FFFD and 1 for a byte
 * that does not begin a character of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing cut
 * short. */
PH_API unsigned ph_utf8_next(const char *s, size_t *n);

PH_END_DECLS
#endif
