/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing markup. */
#include "markup.h"
#include "figures/utf8.h"

#include <math.h>

void markup_base64(FILE *f, const char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned long word = 0;
        for (size_t j = 0; j < 3; j++)
            word = word << 8 | (i + j < n ? (unsigned char)bytes[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            fputc(i + j <= n ? digits[word >> (18 - 6 * j) & 63] : '=', f);
    }
}

void markup_number(FILE *f, const char *format, double value)
{
    if (isfinite(value))
        fprintf(f, format, value);
    else
        fputs(EN_DASH, f);
}

void markup_error(FILE *f, double value)
{
    markup_number(f, value == 0 ? "%.0f" : "%.1e", value);
}

void markup_table(FILE *f, const char *caption, const char *const *heads, size_t n)
{
    markup_between(f, "<div class=\"table\"><table>\n<caption>", caption, "</caption>\n<thead><tr>");
    for (size_t i = 0; i < n; i++)
        markup_between(f, "<th scope=\"col\">", heads[i], "</th>");
    fputs("</tr></thead>\n<tbody>\n", f);
}

void markup_table_end(FILE *f)
{
    fputs("</tbody></table></div>\n", f);
}

void markup_cell(FILE *f, const char *head, const char *format, double value)
{
    markup_between(f, "<td data-label=\"", head, "\">");
    if (format)
        markup_number(f, format, value);
    else
        markup_error(f, value);
    fputs("</td>", f);
}

void markup_cell_best(FILE *f, const char *head, bool best, const char *format, double value)
{
    markup_between(f, "<td data-label=\"", head, best ? "\"><strong>" : "\">");
    markup_number(f, format, value);
    fputs(best ? "</strong></td>" : "</td>", f);
}

void markup_cell_text(FILE *f, const char *head, const char *text)
{
    markup_between(f, "<td data-label=\"", head, "\">");
    markup_between(f, "", text, "</td>");
}
