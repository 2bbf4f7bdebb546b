/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a kind of bench, read, and its --help, written: both from the rows of its table. */
#include "bench.h"
#include "command.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Help ------------------------------------------------------------------------------------------ */

enum { LINE = 112, TEXT_COLUMN = 23 };

/* The words of the text as lines; the first goes on at `column`, others begin at `indent`. Returns the
 * column. */
static size_t put_wrapped(const char *text, size_t column, size_t indent)
{
    bool broken = false; /* by a line's end in the text */
    while (*text) {
        const size_t n = strcspn(text, " \n");
        const bool space = column > indent;
        if (space && (broken || column + 1 + n > LINE)) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (space) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)n, text);
        column += n;
        broken = text[n] == '\n';
        text += n + (text[n] != '\0');
    }
    return column;
}

static void put_usage(const bench_kind *kind)
{
    const char *synopsis = kind->synopsis2 ? kind->synopsis2 : kind->synopsis;
    printf("Usage: polhode bench%s%s %s\n", *kind->name ? " " : "", kind->name, synopsis);
    for (size_t i = 0; !*kind->name && i < n_bench_kinds; i++) {
        const bench_kind *other = bench_kinds[i];
        if (!*other->name)
            continue;
        printf("  or:  polhode bench %s [OPTION", other->name);
        for (const bench_option *o = other->options; o->name; o++)
            if (o->value == BENCH_OPERAND)
                printf(" | %s", o->name);
        printf("]...\n");
    }
}

/* "how cost grows with size, what archiving costs and how rounding adds up" */
static void write_phrases(char *text, size_t size)
{
    const char *last = "";
    size_t left = 0, used = 0;
    for (size_t i = 0; i < n_bench_kinds; i++)
        left += bench_kinds[i]->phrase != NULL;
    for (size_t i = 0; i < n_bench_kinds && used < size; i++)
        if (bench_kinds[i]->phrase) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", last, bench_kinds[i]->phrase);
            last = --left == 1 ? " and " : ", ";
        }
}

static void put_about(const bench_kind *kind)
{
    char phrases[1000] = "", about[3000];
    const char *place = strstr(kind->about, "%s");
    const int n = place ? (int)(place - kind->about) : (int)strlen(kind->about);
    write_phrases(phrases, sizeof phrases);
    snprintf(about, sizeof about, "%.*s%s%s", n, kind->about, place ? phrases : "", place ? place + 2 : "");
    put_wrapped(about, 0, 0);
}

static void put_option(const bench_option *o)
{
    char head[80] = "";
    size_t n;
    if (o->value == BENCH_OPERAND)
        n = (size_t)snprintf(head, sizeof head, "  %s", o->name);
    else if (o->letter)
        n = (size_t)snprintf(head, sizeof head, "  -%c, --%s", o->letter, o->name);
    else
        n = (size_t)snprintf(head, sizeof head, "      --%s", o->name);
    if (o->argument)
        snprintf(head + n, sizeof head - n, " %s", o->argument);
    printf("%-*s", TEXT_COLUMN, head);
    put_wrapped(o->text, TEXT_COLUMN, TEXT_COLUMN);
    putchar('\n');
}

static void print_help(const bench_kind *kind)
{
    put_usage(kind);
    put_about(kind);
    printf("\n\n");
    for (const bench_option *o = kind->options; o->name; o++)
        put_option(o);
    printf("\nExit status:");
    put_wrapped(kind->exits, strlen("Exit status:"), 0);
    putchar('\n');
}

/* ---- Arguments ------------------------------------------------------------------------------------- */

static int read_seconds(const bench_option *o, const char *text, double *value)
{
    if (ph_parse_number(text, value) || !(*value > 0))
        return complain(EXIT_INPUT, "%s must be a positive number of seconds, not \"%s\"", o->what, text);
    return BENCH_GO_ON;
}

static int read_whole(const bench_option *o, const char *text, int64_t *value)
{
    if (ph_parse_count(text, value) || *value < 1 || (double)*value > o->most)
        return complain(EXIT_INPUT, "%s, not \"%s\"", o->what, text);
    return BENCH_GO_ON;
}

static int add_text(const bench_option *o, const char *text, bench_texts *all)
{
    if ((double)all->n >= o->most)
        return complain(EXIT_INPUT, "at most %g %s", o->most, o->what);
    all->at[all->n++] = text;
    return BENCH_GO_ON;
}

static int add_seconds(const bench_option *o, const char *text, bench_numbers *all)
{
    if ((double)all->n >= o->most)
        return complain(EXIT_INPUT, "at most %g step sizes", o->most);
    return read_seconds(o, text, &all->at[all->n++]);
}

static int take_option(const bench_kind *kind, const bench_option *o, char *text, bench_run *run)
{
    void *member = (char *)run + o->offset;
    switch (o->value) {
    case BENCH_FLAG:
        *(int *)member = 1;
        return BENCH_GO_ON;
    case BENCH_TEXT:
        *(const char **)member = text;
        return BENCH_GO_ON;
    case BENCH_TEXTS:
        return add_text(o, text, member);
    case BENCH_SECONDS:
        return read_seconds(o, text, member);
    case BENCH_SECONDS_ALL:
        return add_seconds(o, text, member);
    case BENCH_WHOLE:
        return read_whole(o, text, member);
    case BENCH_HELP:
    case BENCH_OPERAND:
        break;
    }
    print_help(kind);
    return EXIT_OK;
}

int bench_read_arguments(const bench_kind *kind, int argc, char **argv, bench_run *run)
{
    enum { MOST = 32, FIRST = 256 }; /* getopt returns FIRST + the row */
    struct option list[MOST + 1] = {{0}};
    char letters[2 * MOST + 1] = "", *end = letters;
    size_t n = 0;
    int c, code;
    for (size_t i = 0; kind->options[i].name && n < MOST; i++) {
        const bench_option *o = &kind->options[i];
        if (o->value == BENCH_OPERAND)
            continue;
        list[n++] =
            (struct option){o->name, o->argument ? required_argument : no_argument, NULL, FIRST + (int)i};
        if (o->letter)
            end += sprintf(end, "%c%s", o->letter, o->argument ? ":" : "");
    }
    while ((c = getopt_long(argc, argv, letters, list, NULL)) != -1) {
        const bench_option *o = kind->options;
        while (o->name && (c < FIRST ? o->letter != c : o != &kind->options[c - FIRST]))
            o++;
        if (c == '?' || !o->name)
            return complain(EXIT_INPUT, "try: polhode bench%s%s --help", *kind->name ? " " : "", kind->name);
        if ((code = take_option(kind, o, optarg, run)) != BENCH_GO_ON)
            return code;
    }
    run->names = (const char *const *)argv + optind;
    run->n_names = (size_t)(argc - optind);
    return BENCH_GO_ON;
}
