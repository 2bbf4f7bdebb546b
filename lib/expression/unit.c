/* SPDX-License-Identifier: BSD-3-Clause */
/* Physical units: "kg m^2/s^2", "N s/m", "km", as exponents of the seven of SI and a factor. */
#include "formulas.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Names by m, kg, s, A, K, mol, cd. Those before the first derived one serve messages, too. */
static const struct {
    const char *name;
    int of[PH_UNITS];
    double factor;
} units[] = {
    {"m", {1}, 1},
    {"kg", {0, 1}, 1},
    {"s", {0, 0, 1}, 1},
    {"A", {0, 0, 0, 1}, 1},
    {"K", {0, 0, 0, 0, 1}, 1},
    {"mol", {0, 0, 0, 0, 0, 1}, 1},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1},
    {"J", {2, 1, -2}, 1},
    {"N", {1, 1, -2}, 1},
    {"W", {2, 1, -3}, 1},
    {"Pa", {-1, 1, -2}, 1},
    {"C", {0, 0, 1, 1}, 1},
    {"V", {2, 1, -3, -1}, 1},
    {"T", {0, 1, -2, -1}, 1},
    {"Wb", {2, 1, -2, -1}, 1},
    {"F", {-2, -1, 4, 2}, 1},
    {"H", {2, 1, -2, -2}, 1},
    {"ohm", {2, 1, -3, -2}, 1},
    {"Hz", {0, 0, -1}, 1},
    {"g", {0, 1}, 1e-3},
    {"rad", {0}, 1},
    {"deg", {0}, 3.14159265358979323846 / 180},
    {"min", {0, 0, 1}, 60},
    {"h", {0, 0, 1}, 3600},
    {"day", {0, 0, 1}, 86400},
};
enum { N_UNITS = sizeof units / sizeof units[0] };

static const struct {
    char letter;
    double factor;
} prefixes[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2}, {'k', 1e3}, {'M', 1e6}, {'G', 1e9}};

static size_t find_unit(const char *word, size_t length)
{
    size_t i = 0;
    while (i < N_UNITS && (strlen(units[i].name) != length || memcmp(units[i].name, word, length) != 0))
        i++;
    return i;
}

/* *unit, *factor <- times the word to the power. */
static bool multiply(const char *word, size_t length, int power, ph_unit *unit, double *factor)
{
    double by = 1;
    size_t i = find_unit(word, length);
    for (size_t k = 0; i == N_UNITS && length > 1 && k < sizeof prefixes / sizeof prefixes[0]; k++)
        if (word[0] == prefixes[k].letter) {
            i = find_unit(word + 1, length - 1);
            by = prefixes[k].factor;
        }
    for (size_t k = 0; i < N_UNITS && k < PH_UNITS; k++) {
        const int of = unit->of[k] + PH_UNIT_ONE * power * units[i].of[k];
        if (of > INT16_MAX || of < -INT16_MAX)
            return false;
        unit->of[k] = (int16_t)of;
    }
    for (int k = 0; i < N_UNITS && k < (power < 0 ? -power : power); k++)
        *factor = power < 0 ? *factor / (by * units[i].factor) : *factor * (by * units[i].factor);
    return i < N_UNITS;
}

ph_status ph_unit_read(const char *text, ph_unit *unit, double *factor, ph_error *err)
{
    enum { HIGHEST = 20 };
    int over = 1;
    *unit = (ph_unit){{0}};
    *factor = 1;
    for (const char *c = text + strspn(text, " "); *c; c += strspn(c, " *")) {
        const size_t length = strcspn(c, " */^0123456789");
        char exponent[8] = "1";
        int64_t power = 1;
        const char *word = c;
        c += length ? length : *c == '1';
        if (*c == '^') {
            const size_t digits = strspn(c + 1, "-0123456789");
            snprintf(exponent, sizeof exponent, "%.*s", (int)digits, c + 1);
            c += 1 + digits;
        }
        if (c == word || ph_parse_count(exponent, &power) || power > HIGHEST || power < -HIGHEST)
            return ph_fail(
                err, PH_E_PARSE,
                "'%.60s' is no unit; powers have a ^, as in m/s^2, and products a space, as in N m", text);
        if (length && !multiply(word, length, over * (int)power, unit, factor))
            return ph_fail(err, PH_E_UNKNOWN,
                           "unknown unit '%.*s' in '%.60s'; known are those of SI, g, rad, deg, min, h, day",
                           (int)length, word, text);
        c += strspn(c, " ");
        over = *c == '/' ? -1 : 1;
        c += *c == '/';
    }
    return PH_OK;
}

const char *ph_unit_text(const ph_unit *unit, char to[96])
{
    size_t n = 0;
    to[0] = '\0';
    for (size_t i = 0; i < N_UNITS && !n; i++) { /* by name */
        bool same = units[i].factor == 1;
        for (size_t k = 0; k < PH_UNITS; k++)
            same = same && unit->of[k] == PH_UNIT_ONE * units[i].of[k];
        if (same)
            n = (size_t)snprintf(to, 96, "%s",
                                 strcmp(units[i].name, "rad") == 0 ? "a pure number" : units[i].name);
    }
    static const size_t order[PH_UNITS] = {1, 0, 2, 3, 4, 5, 6}; /* kg first */
    for (size_t k = 0; k < 2 * PH_UNITS && (k || !n); k++) {     /* what is positive, then the rest */
        const size_t i = order[k % PH_UNITS];
        const double power = (double)unit->of[i] / PH_UNIT_ONE;
        if (power == 0 || (power > 0) != (k < PH_UNITS) || n >= 80)
            continue;
        n += (size_t)snprintf(to + n, 96 - n, "%s%s",
                              n           ? (power < 0 ? "/" : " ")
                              : power < 0 ? "1/"
                                          : "",
                              units[i].name);
        if (fabs(power) != 1)
            n += (size_t)snprintf(to + n, 96 - n, "^%g", fabs(power));
    }
    return to;
}
