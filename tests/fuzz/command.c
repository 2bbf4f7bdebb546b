/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines from any text, an argument a line: of every command the arguments are read, by the program's own tables, and are of
 * their kinds; help is printed, and what the program knows of models and keys.
 * fuzz: tools/options.c lib/status; 50000 inputs of at most 1024 bytes */
#define main polhode_main
int main(int argc, char **argv);
#include "tools/main.c"
#undef main

#include "fuzz.h"

#include <fcntl.h>
#include <getopt.h>
#include <unistd.h>

enum { MOST = 64 };

static void see_texts(const option_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        (void)strlen(texts->at[i]);
}

/* The member is what its row promises; initial: the member of the defaults, or NULL. */
static void see_option(const option_row *o, const void *member, const void *initial)
{
    const option_numbers *numbers = member;
    switch (o->kind) {
    case OPTION_TEXT:
    case OPTION_OPERAND:
    case OPTION_ARCHIVE:
        if (*(const char *const *)member)
            (void)strlen(*(const char *const *)member);
        break;
    case OPTION_TEXTS:
    case OPTION_LIST:
    case OPTION_OPERANDS:
        see_texts(member);
        break;
    case OPTION_POSITIVE_TIMES:
        for (size_t i = 0; i < numbers->n; i++)
            ck_assert(numbers->at[i] > 0 && isfinite(numbers->at[i]));
        break;
    case OPTION_FLAG:
    case OPTION_WHOLE:
        break;
    default:
        ck_assert(isfinite(*(const double *)member) || !memcmp(member, initial, sizeof(double)));
    }
}

static void read_arguments(const command_row *c, int argc, char **argv)
{
    bool help;
    ph_error err = {PH_OK, ""};
    TK_MEMORY char *arguments = arguments_create(c, argc, argv);
    optind = 0; /* of the line before */
    if (fuzz_judge(arguments_read(c, argc, argv, arguments, &help, &err), &err) && !help)
        for (const option_row *o = c->options; o->name; o++)
            see_option(o, arguments + o->offset, c->defaults ? (const char *)c->defaults + o->offset : NULL);
}

/* Does it only print, and soon? */
static bool is_harmless(int argc, char **argv)
{
    static const char *const words[] = {"help", "--help", "-h", "--version", "-V", "models", "keys"};
    for (size_t i = 0; argc > 1 && i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(argv[1], words[i]))
            return true;
    return false;
}

/* What it prints goes nowhere. */
static void run_unseen(int argc, char **argv)
{
    int kept[2];
    for (int i = 0; i < 2; i++) {
        fflush(i ? stderr : stdout);
        kept[i] = dup(i + 1);
        const int nowhere = open("/dev/null", O_WRONLY);
        ck_assert(dup2(nowhere, i + 1) == i + 1 && !close(nowhere));
    }
    const int code = polhode_main(argc, argv);
    fflush(stdout);
    for (int i = 0; i < 2; i++)
        ck_assert(dup2(kept[i], i + 1) == i + 1 && !close(kept[i]));
    ck_assert(code == EXIT_OK || code == EXIT_INPUT);
}

FUZZ_TARGET(command)
{
    static char name[] = "polhode";
    char *argv[MOST + 2] = {name};
    int argc = 1, words;
    TK_MEMORY char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text; at && argc < MOST; argc++) {
        argv[argc] = at;
        at = strchr(at, '\n');
        if (at)
            *at++ = '\0';
    }
    const command_row *c = find_command(argc - 1, argv + 1, &words);
    optind = 0;
    if (is_harmless(argc, argv))
        run_unseen(argc, argv);
    else if (c)
        read_arguments(c, argc - words, argv + words);
    return FUZZ_TAKEN;
}
