/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of `polhode gubas`: remarks, and values as YAML has them. */
#include "gubas.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Remarks ------------------------------------------------------------------------------------------- */

ph_status remarks_open(remarks *r, ph_error *err)
{
    *r = (remarks){.n = 0};
    r->out = open_memstream(&r->text, &r->size);
    return r->out ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

void remarks_close(remarks *r)
{
    if (r->out)
        fclose(r->out);
    r->out = NULL;
}

void remark(remarks *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(r->out, format, args);
    va_end(args);
    fputc('\n', r->out);
    r->n++;
}

void keep_remark(void *to, const char *text)
{
    remark(to, "%s", text);
}

/* The line from `from` to its end, wrapped. */
static void print_wrapped(const char *from, const char *end, FILE *out, const char *head, const char *mark)
{
    const size_t most = 110 - strlen(head) - strlen(mark);
    for (bool first = true; from < end; first = false) {
        size_t n = (size_t)(end - from);
        if (n > most) {
            n = most;
            while (n > 0 && from[n] != ' ')
                n--;
            n = n ? n : most;
        }
        fprintf(out, "%s%*s%.*s\n", head, (int)strlen(mark), first ? mark : "", (int)n, from);
        from += n + (from + n < end && from[n] == ' ');
    }
}

void print_remarks(const remarks *r, FILE *out, const char *head, const char *mark)
{
    for (const char *line = r->text; line && *line;) {
        const char *end = strchr(line, '\n');
        if (!end)
            end = line + strlen(line);
        print_wrapped(line, end, out, head, mark);
        line = *end ? end + 1 : end;
    }
}

/* ---- Values -------------------------------------------------------------------------------------------- */

void put_yaml_number(FILE *out, double value)
{
    char text[32];
    ph_gubas_number(value, text);
    const size_t n = strlen(text);
    if (n > 2 && !strcmp(text + n - 2, ".0")) /* 30, not 30.0 */
        text[n - 2] = '\0';
    fputs(text, out);
}

void put_yaml_numbers(FILE *out, const double *v, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        fputs(k ? ", " : "[", out);
        put_yaml_number(out, v[k]);
    }
    fputs("]", out);
}

void put_yaml_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

void quaternion_of(const double R[9], double q[4])
{
    /* 4 q_i^2 of w, x, y, z; the largest is taken, so that nothing cancels (Shepperd 1978) */
    const double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                              1 - R[0] - R[4] + R[8]};
    const double sum[4][4] = {{0, R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                              {R[7] - R[5], 0, R[3] + R[1], R[2] + R[6]},
                              {R[2] - R[6], R[3] + R[1], 0, R[7] + R[5]},
                              {R[3] - R[1], R[2] + R[6], R[7] + R[5], 0}}; /* 4 q_i q_k */
    int i = 0;
    for (int k = 1; k < 4; k++)
        if (square[k] > square[i])
            i = k;
    double length = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = k == i ? square[i] : sum[i][k];
        length += q[k] * q[k];
    }
    length = sqrt(length) * (q[0] < 0 ? -1 : 1);
    for (int k = 0; k < 4; k++)
        q[k] = q[k] / length + 0.0;
}
