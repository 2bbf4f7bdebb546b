/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as Python prints them, which names and values of GUBAS's CSV files have: the fewest digits that are
 * read as the same number; plain from 1e-4 up to 1e16, with ".0" where they would look whole, and else with
 * an exponent of at least two digits. */
#include <polhode/gubas.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* digits <- the fewest significant digits of a positive number, *exponent <- d.ddd times 10^this. */
static void fewest(double value, char digits[24], int *exponent)
{
    char text[40];
    for (int n = 0; n <= 16; n++) {
        snprintf(text, sizeof text, "%.*e", n, value);
        if (strtod(text, NULL) == value)
            break;
    }
    char *e = strchr(text, 'e');
    *exponent = atoi(e + 1);
    size_t n = 0;
    for (const char *c = text; c < e && n < 23; c++)
        if (*c >= '0' && *c <= '9')
            digits[n++] = *c;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    digits[n] = '\0';
}

void ph_gubas_number(double value, char text[32])
{
    char digits[24], made[96];
    int exponent;
    const char *sign = signbit(value) ? "-" : "";
    if (!isfinite(value) || value == 0) {
        snprintf(text, 32, "%s%s", isnan(value) ? "" : sign,
                 isnan(value) ? "nan"
                 : value == 0 ? "0.0"
                              : "inf");
        return;
    }
    fewest(fabs(value), digits, &exponent);
    const int n = (int)strlen(digits);
    if (exponent < -4 || exponent >= 16)
        snprintf(made, sizeof made, "%s%c%s%se%c%02d", sign, digits[0], n > 1 ? "." : "", digits + 1,
                 exponent < 0 ? '-' : '+', abs(exponent));
    else if (exponent < 0)
        snprintf(made, sizeof made, "%s0.%.*s%s", sign, -exponent - 1, "000", digits);
    else if (n > exponent + 1)
        snprintf(made, sizeof made, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
    else
        snprintf(made, sizeof made, "%s%s%.*s.0", sign, digits, exponent + 1 - n, "0000000000000000");
    memcpy(text, made, strlen(made) + 1); /* at most 25 characters */
}
