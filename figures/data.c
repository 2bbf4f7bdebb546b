/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON inside of a page. */
#include "data.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>

void data_begin(FILE *f)
{
    fputs("<script type=\"application/json\" class=\"data\">", f);
}

void data_end(FILE *f)
{
    fputs("</script>\n", f);
}

void data_text(FILE *f, const char *text)
{
    char one[5];
    fputc('"', f);
    while (*text) {
        text = utf8_next(text, one);
        if (one[0] == '"' || one[0] == '\\')
            fprintf(f, "\\%c", one[0]);
        else if (!one[1] && (one[0] == '<' || one[0] == '>' || one[0] == '&' || (unsigned char)one[0] < 0x20))
            fprintf(f, "\\u%04x", (unsigned)one[0]);
        else
            fputs(one, f);
    }
    fputc('"', f);
}

void data_number(FILE *f, double value)
{
    char text[40];
    if (!isfinite(value)) {
        fputs("null", f);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, f);
}

void data_numbers(FILE *f, const double *x, size_t n, size_t stride)
{
    fputc('[', f);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? "," : "", f);
        data_number(f, x[i * stride]);
    }
    fputc(']', f);
}

static void put_axis(FILE *f, const char *name, const char *label, int log)
{
    fprintf(f, ",\"%s\":{\"label\":", name);
    data_text(f, label);
    fprintf(f, ",\"log\":%s}", log ? "true" : "false");
}

void data_axes_begin(FILE *f, const data_axes *a)
{
    data_begin(f);
    fputs("{\"kind\":\"curves\"", f);
    put_axis(f, "x", a->x_label, a->x_log);
    put_axis(f, "y", a->y_label, a->y_log);
    fputs(a->equal ? ",\"equal\":true" : "", f);
    fputs(a->keyed ? ",\"keyed\":true" : "", f);
    fputs(a->y_zero ? ",\"zero\":true,\"lines\":[" : ",\"lines\":[", f);
}

static void put_list(FILE *f, const char *name, const double *x, size_t n)
{
    fprintf(f, ",\"%s\":", name);
    data_numbers(f, x, n, 1);
}

void data_curve_put(FILE *f, const char *before, const data_curve *c)
{
    fprintf(f, "%s{\"label\":", before);
    data_text(f, c->label);
    fprintf(f, ",\"colour\":\"%s\"%s%s%s", c->colour, c->dashed ? ",\"dashed\":true" : "",
            c->marks ? ",\"marks\":true" : "", c->faint ? ",\"faint\":true" : "");
    fputs(c->guide ? ",\"guide\":true" : "", f);
    if (c->bar > 0)
        fprintf(f, ",\"bar\":%.6g", c->bar);
    put_list(f, "x", c->x, c->n);
    put_list(f, "y", c->y, c->n);
    if (c->upper)
        put_list(f, "upper", c->upper, c->n);
    if (c->shade)
        put_list(f, "shade", c->shade, c->n);
    fputc('}', f);
}

void data_axes_end(FILE *f)
{
    fputs("]}", f);
    data_end(f);
}
