/* SPDX-License-Identifier: BSD-3-Clause */
/* What all commands print in the same way: errors, and the document of --json. */
#include "program.h"

#include "figures/utf8.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int complain_as(const char *program, int code, const char *format, va_list args)
{
    char text[4096];
    va_list again;
    va_copy(again, args);
    fflush(stdout);
    const int n = vsnprintf(text, sizeof text, format, args);
    if (n >= 0 && n < (int)sizeof text) {
        fprintf(stderr, "%s: %s\n", program, text);
    } else {
        fprintf(stderr, "%s: ", program);
        vfprintf(stderr, format, again);
        fputc('\n', stderr);
    }
    va_end(again);
    return code;
}

int complain(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain_as("polhode", code, format, args);
    va_end(args);
    return code;
}

int complain_of(int code, const ph_error *err)
{
    const bool interrupted = err->status == PH_E_INTERRUPTED && *signal_flag();
    char room[32];
    if (err->status == PH_E_NO_MEMORY && isfinite(memory_free())) {
        ph_bytes_text(memory_free(), room);
        return complain(code, "%s; of this machine's memory %s are free", err->message, room);
    }
    return complain(interrupted ? EXIT_SIGNAL + (int)*signal_flag() : code, "%s", err->message);
}

void translate(ph_error *err, const translation *words)
{
    for (; words->theirs; words++) {
        char *at = strstr(err->message, words->theirs), rest[sizeof err->message];
        if (!at)
            continue;
        strcpy(rest, at + strlen(words->theirs));
        *at = '\0';
        text_add(err->message, sizeof err->message, "%s%s", words->ours, rest);
    }
}

int print_document(const builder *b, json_object *root)
{
    ph_error err;
    return build_print(b, root, stdout, &err) ? complain_of(EXIT_OUTPUT, &err) : EXIT_OK;
}

int print_list(builder *b, json_object *list, const char *key)
{
    json_object *o = build_object(b);
    build_add(b, o, key, list);
    return print_document(b, o);
}

void never_compile(void)
{
    setenv("POLHODE_COMPILE", "never", 1);
}
