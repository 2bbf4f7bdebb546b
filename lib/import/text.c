/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of importers: remarks, values as YAML has them, and numbers as Python prints them, which names and values of
 * GUBAS's tables have. */
#define _POSIX_C_SOURCE 200809L
#include "import.h"

#include "lib/text/file.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Remarks ------------------------------------------------------------------------------------------- */

void ph_remark(ph_remarks *r, const char *format, ...)
{
    enum { WIDTH = 106 };
    char words[1024], text[1024];
    va_list args;
    if (!r)
        return;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    ph_text_show(text, sizeof text, words); /* names of keys are the file's */
    const char *mark = "-";
    for (const char *at = text; *at; mark = " ") {
        size_t n = strlen(at);
        if (n > WIDTH) {
            n = WIDTH;
            while (n > 0 && at[n] != ' ')
                n--;
            n = n ? n : WIDTH;
        }
        fprintf(r->out, "%s %.*s\n", mark, (int)n, at);
        at += n + (at[n] == ' ');
    }
}

void ph_put_head(ph_importing *to, const char *program, const char *file, const char *model)
{
    char shown[1024];
    to->to.program = program;
    fprintf(to->out, "# From %s: %s, by polhode gubas. SI units.\n", program,
            ph_text_show(shown, sizeof shown, file));
    fflush(to->words.out);
    for (const char *line = to->words.text; line && *line; line += strcspn(line, "\n") + 1)
        fprintf(to->out, "# %.*s\n", (int)strcspn(line, "\n"), line);
    fprintf(to->out, "polhode: 1\nmodel: %s\nparameters:\n  bodies:\n", model);
}

/* ---- Numbers ------------------------------------------------------------------------------------------- */

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

/* Plain from 1e-4 up to 1e16, with ".0" where it would look whole, and else with an exponent of at least two digits. */
void ph_python_number(double value, char text[32])
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

/* ---- Values of YAML ------------------------------------------------------------------------------------ */

void ph_put_number(FILE *out, double value)
{
    char text[32];
    ph_python_number(value, text);
    const size_t n = strlen(text);
    fprintf(out, "%.*s", (int)(n > 2 && !strcmp(text + n - 2, ".0") ? n - 2 : n), text); /* 30, not 30.0 */
}

void ph_put_numbers(FILE *out, const double *v, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        fputs(k ? ", " : "[", out);
        ph_put_number(out, v[k]);
    }
    fputs("]", out);
}

void ph_put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        fprintf(out, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', out);
}

void ph_put_key(FILE *out, const char *key, double value)
{
    fprintf(out, "%s: ", key);
    ph_put_number(out, value);
    fputs("\n", out);
}

void ph_put_attitude(FILE *out, const double R[9])
{
    /* 4 q_i^2 of w, x, y, z; the largest is taken, so that nothing cancels (Shepperd 1978) */
    const double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                              1 - R[0] - R[4] + R[8]};
    const double sum[4][4] = {{0, R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                              {R[7] - R[5], 0, R[3] + R[1], R[2] + R[6]},
                              {R[2] - R[6], R[3] + R[1], 0, R[7] + R[5]},
                              {R[3] - R[1], R[2] + R[6], R[7] + R[5], 0}}; /* 4 q_i q_k */
    double q[4];
    int i = 0;
    for (int k = 1; k < 4; k++)
        i = square[k] > square[i] ? k : i;
    for (int k = 0; k < 4; k++)
        q[k] = k == i ? square[i] : sum[i][k];
    const double length = sqrt(ph_dot(q, q, 4)) * (q[0] < 0 ? -1 : 1);
    for (int k = 0; k < 4; k++)
        q[k] = q[k] / length + 0.0; /* no -0 */
    ph_put_numbers(out, q, 4);
}
