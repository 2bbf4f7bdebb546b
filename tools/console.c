/* SPDX-License-Identifier: BSD-3-Clause */
/* What every command says in the same way: errors, the document of --json, and where results go. */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int complain(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("polhode: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return code;
}

int print_document(const builder *b, json_object *root)
{
    ph_error err;
    return build_print(b, root, stdout, &err) ? complain(EXIT_OUTPUT, "%s", err.message) : EXIT_OK;
}

void default_directory(const char *file, const char *suffix, char *directory, size_t size)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    snprintf(directory, size, "%.*s%s", length, base, suffix);
}
