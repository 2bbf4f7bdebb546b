/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers read strictly: a decimal number and nothing else, whatever the locale says; lists of numbers for
 * messages. */
#include <polhode/kit/text.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does the text have the form  [+-] digits [. digits] [e [+-] digits]  with at least one digit? */
static int is_decimal(const char *s)
{
    size_t digits = 0;
    if (*s == '+' || *s == '-')
        s++;
    while (*s >= '0' && *s <= '9')
        s++, digits++;
    if (*s == '.') {
        s++;
        while (*s >= '0' && *s <= '9')
            s++, digits++;
    }
    if (!digits)
        return 0;
    if (*s == 'e' || *s == 'E') {
        s++;
        if (*s == '+' || *s == '-')
            s++;
        if (!(*s >= '0' && *s <= '9'))
            return 0;
        while (*s >= '0' && *s <= '9')
            s++;
    }
    return *s == '\0';
}

/* Is it a word for a number that is not finite, in any case, with a sign or without? */
static int is_special(const char *s)
{
    static const char *const words[] = {"nan", "inf", "infinity", ".nan", ".inf"};
    char lower[10];
    size_t n;
    if (*s == '+' || *s == '-')
        s++;
    n = strlen(s);
    if (n >= sizeof lower)
        return 0;
    for (size_t i = 0; i <= n; i++)
        lower[i] = (char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] + ('a' - 'A') : s[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(lower, words[i]))
            return 1;
    return 0;
}

ph_status ph_parse_number(const char *text, double *value)
{
    enum { MOST = 127 }; /* characters of a number */
    char copy[MOST + 16];
    size_t n = strlen(text);
    if (is_special(text))
        return PH_E_NOT_FINITE;
    if (n > MOST || !is_decimal(text))
        return PH_E_PARSE;
    /* strtod expects the locale's decimal point, which may have more than one byte */
    memcpy(copy, text, n + 1);
    char *point = strchr(copy, '.');
    const char *local = localeconv()->decimal_point;
    size_t width = strlen(local);
    if (width > sizeof copy - MOST)
        return PH_E_PARSE;
    if (point && width > 0) {
        memmove(point + width, point + 1, strlen(point)); /* with the end of the text */
        memcpy(point, local, width);
    }
    double v = strtod(copy, NULL);
    if (!isfinite(v))
        return PH_E_NOT_FINITE;
    *value = v;
    return PH_OK;
}

ph_status ph_parse_count(const char *text, int64_t *value)
{
    double v = 0;
    ph_status status = ph_parse_number(text, &v);
    if (status)
        return status == PH_E_NOT_FINITE ? PH_E_RANGE : status;
    if (v != floor(v))
        return PH_E_PARSE;
    if (fabs(v) >= 9007199254740992.0) /* 2^53: from there a double skips whole numbers */
        return PH_E_RANGE;
    *value = (int64_t)v;
    return PH_OK;
}

const char *ph_show_numbers(ph_numbers *to, const char *brackets, const double *v, size_t n)
{
    const char rest[] = {',', ' ', '.', '.', '.', brackets[1], 0};
    char *end = to->text;
    *end++ = brackets[0];
    for (size_t i = 0; i < n; i++) {
        char number[32];
        size_t more = (size_t)snprintf(number, sizeof number, "%s%.17g", i ? ", " : "", v[i]);
        if ((size_t)(end - to->text) + more + sizeof rest > sizeof to->text) {
            memcpy(end, rest, sizeof rest);
            return to->text;
        }
        memcpy(end, number, more);
        end += more;
    }
    *end++ = brackets[1];
    *end = 0;
    return to->text;
}

void ph_bytes_text(double bytes, char text[32])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    size_t i = 0;
    double value = bytes / 1e3;
    for (; value >= 999.5 && i + 1 < sizeof units / sizeof units[0]; i++)
        value /= 1e3;
    snprintf(text, 32, "%.3g %s", value, units[i]);
}
