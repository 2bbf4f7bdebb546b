/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON inside of a page. */
#include "data.h"
#include "axes.h"
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

static void data_number(FILE *f, double value)
{
    char text[32] = "null";
    if (isfinite(value))
        number_text(text, 6, value);
    fputs(text, f);
}

void data_numbers(FILE *f, bool comma, const double *x, size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i++) {
        fputs(i || comma ? "," : "", f);
        data_number(f, x[i * stride]);
    }
}

static void put_axis(FILE *f, const char *name, const char *label, bool log)
{
    static const numbers plain = {0, 1, 0};
    char better[AXIS_LABEL];
    axes_label(better, label, &plain, false);
    fprintf(f, ",\"%s\":{\"label\":", name);
    data_text(f, better);
    fprintf(f, ",\"log\":%s}", log ? "true" : "false");
}

/* A bar is a line from its foot to its top, and a gap. */
static void put_bars(FILE *f, const drawn *c, size_t from, size_t to)
{
    for (int k = 0; k < 2; k++) {
        fputs(k ? "],\"y\":[" : ",\"x\":[", f);
        for (size_t i = from; i < to; i++) {
            const double *row = c->of->values + i * c->of->columns;
            data_numbers(f, i > from,
                         (double[]){k ? 0 : row[c->x] + c->shift, k ? row[c->y] : row[c->x] + c->shift, NAN},
                         3, 1);
        }
    }
    fputs("]", f);
}

static void put_column(FILE *f, const char *name, const drawn *c, size_t column, size_t from, size_t to)
{
    fprintf(f, ",\"%s\":[", name);
    data_numbers(f, false, c->of->values + from * c->of->columns + column, to - from, c->of->columns);
    fputs("]", f);
}

static void put_points(FILE *f, const panel *at, const drawn *c)
{
    double x, y;
    size_t from, to;
    drawn_rows(c, &from, &to);
    while (from < to && !drawn_at(at, c, from, &x, &y, NULL))
        from++;
    if (c->look == LOOK_BARS) {
        put_bars(f, c, from, to);
        return;
    }
    put_column(f, "x", c, c->x, from, to);
    put_column(f, "y", c, c->y, from, to);
    if (c->look == LOOK_BAND || c->look == LOOK_SHADES)
        put_column(f, c->look == LOOK_BAND ? "upper" : "shade", c, c->y2, from, to);
}

static void put_curve(FILE *f, const picture *p, const panel *at, size_t k, bool keyed)
{
    static const char *const looks[] = {
        [LOOK_MARKED] = ",\"dots\":true", [LOOK_FAINT] = ",\"faint\":true", [LOOK_HAZE] = ",\"faint\":true",
        [LOOK_DOTS] = ",\"marks\":true",  [LOOK_CROSS] = ",\"cross\":true", [LOOK_GUIDE] = ",\"guide\":true"};
    const drawn *c = &at->curves[k];
    const bool is_guide = c->look == LOOK_GUIDE;
    const char *dashes = dashes_of(c);
    char name[CURVE_NAME];
    picture_name(name, p, at, k, keyed);
    fputs(k ? ",{\"label\":" : "{\"label\":", f);
    data_text(f, name);
    fprintf(f, ",\"colour\":\"%s\"%s", is_guide ? "#777777" : picture_colour(p, c->run),
            looks[c->look] ? looks[c->look] : "");
    if (dashes)
        fprintf(f, ",\"dashes\":[%s]", dashes);
    if (c->look == LOOK_BARS)
        fprintf(f, ",\"bar\":%.6g", c->width);
    put_points(f, at, c);
    fputc('}', f);
}

void data_panel(FILE *f, const picture *p, size_t i, bool keyed)
{
    const panel *at = &p->panels[i];
    data_begin(f);
    fputs("{\"kind\":\"curves\"", f);
    put_axis(f, "x", picture_x_label(p, at), at->log_x);
    put_axis(f, "y", at->y_label, at->log_y);
    fprintf(f, "%s%s%s",
            at->equal  ? ",\"equal\":true"
            : at->ends ? ",\"ends\":true"
                       : "",
            keyed ? ",\"keyed\":true" : "", at->from_zero ? ",\"zero\":true" : "");
    if (at->top > 0)
        fprintf(f, ",\"top\":%.6g", at->top);
    fputs(",\"lines\":[", f);
    for (size_t k = 0; k < at->n; k++)
        put_curve(f, p, at, k, keyed);
    fputs("]}", f);
    data_end(f);
}
