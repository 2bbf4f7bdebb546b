/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of a formula, and what is said where they are wrong. */
#include "reader.h"

#include <polhode/kit/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Errors ------------------------------------------------------------------------------------- */

static size_t characters(const char *text, size_t bytes)
{
    size_t n = 0, of = 0;
    for (size_t i = 0; i < bytes; i += of, n++)
        ph_utf8_next(text + i, &of);
    return n;
}

/* shown <- some of the text around a place; which column of it that is. */
static size_t show_text(const char *text, size_t at, char *shown, size_t room)
{
    enum { BEFORE = 50 };
    size_t begin = at, of = 0, n;
    for (int k = 0; k < BEFORE && begin > 0; k++)
        do
            begin--;
        while (begin > 0 && ((unsigned char)text[begin] & 0xc0) == 0x80);
    n = (size_t)snprintf(shown, room, "%s", begin > 0 ? "..." : "");
    const size_t column = n + characters(text + begin, at - begin);
    for (const char *c = text + begin; *c && n + 4 < room; c += of) {
        ph_utf8_next(c, &of);
        memcpy(shown + n, c, of);
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            shown[n] = ' ';
        n += of;
    }
    shown[n] = '\0';
    return column;
}

ph_status ph_read_failed(const reader *r)
{
    const ph_status failed = r->g->failed;
    if (failed == PH_E_NO_MEMORY)
        return ph_fail(r->err, failed, "out of memory");
    return failed ? ph_fail(r->err, PH_E_RANGE, "%s: the formulas have more than %d operations", r->what,
                            PH_MAX_NODES)
                  : PH_OK;
}

void ph_read_fail(reader *r, size_t at, const char *format, ...)
{
    char message[256], shown[100];
    va_list words;
    if (r->status || (r->status = ph_read_failed(r)))
        return;
    va_start(words, format);
    vsnprintf(message, sizeof message, format, words);
    va_end(words);
    r->status =
        ph_fail(r->err, PH_E_PARSE, "%s, column %zu: %s", r->what, characters(r->text, at) + 1, message);
    r->now = (token){.kind = END, .at = at, .end = at};
    if (!r->err)
        return;
    const size_t column = show_text(r->text, at, shown, sizeof shown), n = strlen(r->err->message);
    const int more = snprintf(message, sizeof message, "\n    %s\n    %*s^", shown, (int)column, "");
    if (n + (size_t)more < sizeof r->err->message) /* behind the line that ph_fail has tidied */
        memcpy(r->err->message + n, message, (size_t)more + 1);
}

/* ---- Tokens ------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (is_letter(text[n]) || is_digit(text[n]) || text[n] == '_')
        n++;
    return n;
}

/* Bytes of the number at text: digits [ "." { digit } ] | "." digits, and an exponent. "1..n" begins with 1. */
static size_t number_length(const char *text)
{
    size_t n = strspn(text, "0123456789");
    if (text[n] == '.' && text[n + 1] != '.')
        n += 1 + strspn(text + n + 1, "0123456789");
    if (text[n] == 'e' || text[n] == 'E') {
        const size_t sign = text[n + 1] == '+' || text[n + 1] == '-',
                     digits = strspn(text + n + 1 + sign, "0123456789");
        n += digits ? 1 + sign + digits : 0;
    }
    return n;
}

static void read_number(reader *r, const char *from, size_t at)
{
    char digits[128];
    const size_t n = number_length(from), behind = name_length(from + n);
    r->now = (token){.kind = NUMBER, .at = at, .end = at + n};
    if (behind)
        ph_read_fail(r, at, "'%.*s' is neither a number nor a name; for a product write %.*s*%.*s",
                     (int)(n + behind), from, (int)n, from, (int)behind, from + n);
    snprintf(digits, sizeof digits, "%.*s", (int)n, from);
    if (!r->status && (n >= sizeof digits || ph_parse_number(digits, &r->now.number)))
        ph_read_fail(r, at, "the number %.20s... is too long or too large", from);
}

/* What is meant by a character that is not part of the language. */
static const char *meant(const char *c)
{
    static const struct {
        const char *sign, *meant;
    } table[] = {{"×", "cross(a, b)"},
                 {"·", "dot(a, b) or *"},
                 {"−", "-"},
                 {"²", "^2"},
                 {"³", "^3"},
                 {"√", "sqrt()"},
                 {"**", "^"},
                 {"|", "norm()"},
                 {"'", ".T for a transpose, or d() for a rate"},
                 {";", ","},
                 {"{", "("},
                 {"}", ")"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strncmp(c, table[i].sign, strlen(table[i].sign)) == 0)
            return table[i].meant;
    return NULL;
}

static void refuse_sign(reader *r, const char *from, size_t at)
{
    size_t length;
    ph_utf8_next(from, &length);
    if (strncmp(from, "**", 2) == 0)
        length = 2;
    const char *instead = meant(from);
    ph_read_fail(r, at, "'%.*s' is not part of the language%s%s", (int)length, from,
                 instead ? ": write " : "", instead ? instead : "");
}

bool ph_read_charge(reader *r, size_t work)
{
    if (!r->status && work > r->f->work)
        ph_read_fail(r, r->now.at, "the formulas are too long with their sums written out");
    r->f->work -= work > r->f->work ? r->f->work : work;
    return !r->status;
}

void ph_read_next(reader *r)
{
    enum { A_TOKEN = 8 };
    size_t at = r->now.end;
    if (r->status)
        return;
    if (r->g->failed) /* what fails is said at the end */
        return (void)(r->now = (token){.kind = END, .at = at, .end = at});
    at += strspn(r->text + at, " \t\n\r");
    if (!ph_read_charge(r, A_TOKEN + (at - r->now.end)))
        return;
    const char *c = r->text + at;
    if (!*c)
        r->now = (token){.kind = END, .at = at, .end = at};
    else if (is_digit(*c) || (*c == '.' && is_digit(c[1])))
        read_number(r, c, at);
    else if (is_letter(*c))
        r->now = (token){.kind = NAME, .at = at, .end = at + name_length(c)};
    else if (c[0] == '.' && c[1] == '.')
        r->now = (token){.kind = SIGN, .sign = RANGE, .at = at, .end = at + 2};
    else if (strchr("+-*/^()[],.=", *c) && !(c[0] == '*' && c[1] == '*'))
        r->now = (token){.kind = SIGN, .sign = *c, .at = at, .end = at + 1};
    else
        refuse_sign(r, c, at);
}

token ph_read_take(reader *r)
{
    const token taken = r->now;
    ph_read_next(r);
    return taken;
}

bool ph_read_is_sign(const reader *r, char sign)
{
    return r->now.kind == SIGN && r->now.sign == sign;
}

bool ph_read_accept(reader *r, char sign)
{
    const bool is = ph_read_is_sign(r, sign);
    if (is)
        ph_read_next(r);
    return is;
}

void ph_read_need(reader *r, char sign, const char *why, size_t of)
{
    char column[32] = "", found[64] = "the end";
    if (ph_read_accept(r, sign))
        return;
    if (of)
        snprintf(column, sizeof column, " at column %zu", characters(r->text, of - 1) + 1);
    if (r->now.kind != END)
        snprintf(found, sizeof found, "'%.*s'",
                 (int)(r->now.end - r->now.at < 40 ? r->now.end - r->now.at : 40), r->text + r->now.at);
    ph_read_fail(r, r->now.at, "expected '%s' %s%s, found %s", sign == RANGE ? ".." : (char[]){sign, 0}, why,
                 column, found);
}

bool ph_read_is_name(const reader *r, const token *t, const char *name)
{
    return t->kind == NAME && t->end - t->at == strlen(name) &&
           memcmp(r->text + t->at, name, t->end - t->at) == 0;
}

bool ph_read_enter(reader *r)
{
    if (r->depth >= PH_FORMULA_DEPTH)
        ph_read_fail(r, r->now.at, "nested more than %d deep", PH_FORMULA_DEPTH);
    r->depth++;
    return !r->status;
}
