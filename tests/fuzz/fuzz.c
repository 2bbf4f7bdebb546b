/* SPDX-License-Identifier: BSD-3-Clause */
/* What the targets of fuzzing share: see fuzz.h. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <polhode/domain/import.h>
#include <polhode/scenario.h>

#include <float.h>
#include <stdarg.h>

bool fuzz_tells;

#ifdef FUZZ_ALONE
__attribute__((constructor)) static void ask_whether_to_tell(void)
{
    fuzz_tells = getenv("FUZZ_TELLS") != NULL;
}

/* Check's own reports to a suite, which there is not. */
void _ck_assert_failed(const char *file, int line, const char *expr, const char *msg, ...)
{
    va_list args;
    va_start(args, msg);
    fprintf(stderr, "%s:%d: %s: ", file, line, expr);
    if (msg)
        vfprintf(stderr, msg, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
#endif

void fuzz_printable(const char *text)
{
    for (const char *c = text; *c; c++)
        ck_assert_msg(((unsigned char)*c >= ' ' && *c != 0x7f) || *c == '\n', "character %d in \"%s\"", *c,
                      text);
}

bool fuzz_judge(ph_status status, const ph_error *err)
{
    ck_assert_int_ge(status, PH_OK);
    ck_assert_int_lt(status, PH_STATUS_COUNT);
    if (!status)
        return true;
    ck_assert_msg(err->message[0], "%s without a message", ph_status_name(status));
    ck_assert_msg(err->status == status, "%s, but %s is in the record", ph_status_name(status),
                  ph_status_name(err->status));
    ck_assert_ptr_nonnull(memchr(err->message, '\0', sizeof err->message));
    fuzz_printable(err->message);
    for (const char *line = err->message; (line = strchr(line, '\n')); line++)
        ck_assert_msg(!strncmp(line + 1, "    ", 4), "\"%s\"", err->message);
    return false;
}

void fuzz_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(isfinite(x[i]), "number %zu of %zu is %g", i, n, x[i]);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");
    ck_assert_msg(f != NULL, "%s cannot be written", name);
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

size_t fuzz_split(const uint8_t *data, size_t size, const char *const *names, size_t n)
{
    static const char line[] = "\n---\n";
    const uint8_t *end = data + size, *at = data;
    size_t parts = 0;
    while (at && parts < n) {
        const uint8_t *next = parts + 1 < n ? memmem(at, (size_t)(end - at), line, 5) : NULL;
        write_file(names[parts++], at, (size_t)((next ? next + 1 : end) - at));
        at = next ? next + 5 : NULL;
    }
    for (size_t i = parts; i < n; i++)
        remove(names[i]);
    return parts;
}

void fuzz_import(const char *path)
{
    ph_import import;
    ph_error err = {PH_OK, ""};
    TK_OWN(ph_scenario) *scenario = NULL;
    if (fuzz_judge(ph_import_read(path, NULL, &import, &err), &err)) {
        fuzz_printable(import.remarks);
        (void)fuzz_judge(ph_scenario_parse(import.scenario, strlen(import.scenario), "s", &scenario, &err),
                         &err);
    }
    ph_import_release(&import);
}

unsigned fuzz_byte(fuzz_bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

size_t fuzz_choose(fuzz_bytes *b, size_t n)
{
    const size_t low = fuzz_byte(b);
    return (n > 256 ? low + 256 * (size_t)fuzz_byte(b) : low) % n;
}

double fuzz_number(fuzz_bytes *b)
{
    static const double odd[] = {0,       -0.0,     1,       -1,           NAN,         INFINITY, -INFINITY,
                                 DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, DBL_EPSILON, 1e300,    -1e300,
                                 1e-300,  1e154,    1e-154,  1e16,         -1e16,       M_PI};
    const unsigned kind = fuzz_byte(b), more = fuzz_byte(b);
    if (kind < 16) {
        uint64_t bits = 0;
        double x;
        for (int i = 0; i < 8; i++)
            bits = bits << 8 | fuzz_byte(b);
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    if (kind < 64)
        return odd[more % (sizeof odd / sizeof odd[0])];
    return ldexp(((double)more - 127.5) / 128, kind % 8 - 4); /* 0.0002 to 8 */
}
