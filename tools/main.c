/* SPDX-License-Identifier: BSD-3-Clause */
/* The program polhode: finds the command, reads its arguments and runs it. */
#include "bench.h"
#include "options.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const command_row *const commands[] = {
    &command_new,   &command_run,        &command_resume, &command_sweep, &command_merge,  &command_repair,
    &command_info,  &command_tail,       &command_export, &command_plot,  &command_report, &command_view,
    &command_check, &command_equilibria, &command_gubas,  &command_keys,  &command_models, &command_methods};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Command i of all, with the kinds of bench; NULL behind the last. */
static const command_row *command_at(size_t i)
{
    if (i < COMMANDS)
        return commands[i];
    return i < COMMANDS + n_bench_kinds ? &bench_kinds[i - COMMANDS]->command : NULL;
}

/* How many words the name has, if argv (argc) begins with them; otherwise 0. */
static int match_name(const char *name, int argc, char **argv)
{
    int n = 0;
    for (; *name && n < argc; n++) {
        const size_t length = strcspn(name, " ");
        if (strlen(argv[n]) != length || memcmp(argv[n], name, length))
            return 0;
        name += length + (name[length] != '\0');
    }
    return *name ? 0 : n;
}

/* The command that argv begins with, of several that with the longest name; *words <- of the name. NULL: none. */
static const command_row *find_command(int argc, char **argv, int *words)
{
    const command_row *c, *found = NULL;
    *words = 0;
    for (size_t i = 0; (c = command_at(i)); i++) {
        const int n = match_name(c->name, argc, argv);
        if (n > *words) {
            *words = n;
            found = c;
        }
    }
    return found;
}

static int refuse_command(const char *name)
{
    const char *names[64] = {NULL};
    const command_row *c;
    size_t n = 0;
    ph_error err;
    for (; n < 64 && (c = command_at(n)); n++)
        names[n] = strchr(c->name, ' ') ? NULL : c->name;
    ph_fail_unknown(&err, "command", name, names, n);
    return complain(EXIT_INPUT, "%s\nTry: polhode --help", err.message);
}

static void print_overview(void)
{
    static const exit_row exits[] = {
        {EXIT_OK, "done"},
        {EXIT_ENDED_EARLY,
         "the run ended early (diverged, no solution, ...); results up to there were written"},
        {EXIT_INPUT, "wrong usage or a mistake in the scenario; nothing was written"},
        {EXIT_OUTPUT, "the results cannot be written"},
        {EXIT_SIGNAL + SIGINT,
         "interrupted by Ctrl-C (128 + the signal's number); results up to there were written"},
        {0, NULL}};
    const command_row *c;
    printf("Usage: polhode COMMAND [ARGUMENT ...]\n"
           "Simulate mechanical systems on products of manifolds over very long times.\n\n"
           "Commands:\n");
    for (size_t i = 0; (c = command_at(i)); i++)
        print_command(c);
    printf(
        "\n  polhode COMMAND --help   describe a command; also polhode help COMMAND\n"
        "  polhode --help           this text\n"
        "  polhode --version        the version, the build and its optional libraries; with --json as JSON\n");
    print_exits(exits);
    printf("\nA scenario is a YAML file: see examples/ and doc/reference/scenario.md.\n");
    print_addresses();
}

/* An archive as operand may be given as the directory that holds it. */
static int run_on_archive(const command_row *c, const char **file, void *arguments)
{
    char *found;
    ph_error err;
    if (find_archive(*file, &found, &err))
        return complain_of(EXIT_INPUT, &err);
    *file = found;
    const int code = c->run(arguments);
    free(found);
    return code;
}

static int run_command(const command_row *c, int argc, char **argv)
{
    bool help;
    ph_error err;
    int code = EXIT_OK;
    void *arguments = arguments_create(c, argc, argv);
    if (!arguments)
        return complain(EXIT_OUTPUT, "out of memory");
    if (arguments_read(c, argc, argv, arguments, &help, &err)) {
        code = complain_of(EXIT_INPUT, &err);
        fprintf(stderr, "Try: polhode %s --help\n", c->name);
    } else if (help) {
        print_help(c, command_at);
    } else if (c->options->kind == OPTION_ARCHIVE) {
        code = run_on_archive(c, (const char **)(void *)((char *)arguments + c->options->offset), arguments);
    } else if (c->run) {
        code = c->run(arguments);
    } else {
        code = bench_run_kind((const bench_kind *)c, arguments);
    }
    free(arguments);
    return code;
}

/* What was printed must have been written: a table that is lost on a full disk is a failure. */
static int check_output(int code)
{
    int lost = fflush(stdout) != 0;
    lost |= ferror(stdout) != 0;
    return lost && code == EXIT_OK ? complain(EXIT_OUTPUT, "cannot write to the standard output") : code;
}

int main(int argc, char **argv)
{
    static char name[] = "polhode";
    const char *first = argc > 1 ? argv[1] : "--help";
    const bool help = !strcmp(first, "help") && argc > 2; /* polhode help COMMAND */
    int words;
    if (!strcmp(first, "--version") || !strcmp(first, "-V"))
        return check_output(print_version(argc - 2, argv + 2));
    if (!help && (!strcmp(first, "--help") || !strcmp(first, "-h") || !strcmp(first, "help"))) {
        print_overview();
        return check_output(argc > 1 ? EXIT_OK : EXIT_INPUT);
    }
    argc -= 1 + help;
    argv += 1 + help;
    const command_row *c = find_command(argc, argv, &words);
    if (!c)
        return refuse_command(argv[0]);
    if (help) {
        print_help(c, command_at);
        return check_output(EXIT_OK);
    }
    argv[words - 1] = name;
    return check_output(run_command(c, argc - words + 1, argv + words - 1));
}
