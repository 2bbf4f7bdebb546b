/* SPDX-License-Identifier: BSD-3-Clause */
/* The program polhode: finds the command and hands over. */
#include "command.h"

#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name, *usage, *text; /* usage NULL: that of its kinds */
    int (*run)(int argc, char **argv);
} commands[] = {
    {"new", "MODEL [-o FILE] [--force] [--quiet]",
     "write a scenario for a model, with its parameters, what they are, and a step that suits it",
     command_new},
    {"run", "FILE [-o DIR] [--force] [--wall-clock S] [--csv] [--json] [--quiet]",
     "run a scenario; writes an archive, NAME.polhode, and summary.json", command_run},
    {"resume", "FILE.polhode [--until T] [--scenario FILE] [--wall-clock S] [--csv] [--json] [--quiet]",
     "go on with a run from its archive, with the same bits", command_resume},
    {"info", "FILE.polhode [--check] [--scenario | --columns] [--quiet | --json]",
     "what is in an archive, how far its run is, and how well it keeps what it should", command_info},
    {"tail", "FILE.polhode [-n ROWS] [--follow] [--columns LIST] [--quiet | --json]",
     "the last rows of an archive, also of one that is being written", command_tail},
    {"export",
     "FILE -o FILE [--format csv|npy|npz|hdf5] [--columns LIST] "
     "[--from TIME] [--to TIME] [--every N] [--force] [--quiet | --json]",
     "rows of an archive, or a trajectory.csv, for another program: CSV, NumPy's .npy and .npz, HDF5",
     command_export},
    {"bench", NULL, NULL, command_bench},
    {"check", "FILE [--quiet | --json]",
     "validate a scenario, its model's derivatives and its step size; runs nothing", command_check},
    {"models", "[MODEL] [--quiet | --json]", "list the models, or show one with its parameters and presets",
     command_models},
    {"methods", "[METHOD] [--advise FILE [--accuracy X] [--horizon TIME] [--budget TIME]] [--quiet | --json]",
     "list the methods, or show one with its options; "
     "or measure which one, and which step, a scenario asks for",
     command_methods},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_help(void)
{
    printf("Usage: polhode COMMAND [ARGUMENT ...]\n"
           "Follow mechanical systems on products of manifolds for a very long time.\n\n"
           "Commands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].usage)
            printf("  polhode %s %s\n      %s\n", commands[i].name, commands[i].usage, commands[i].text);
        else
            bench_summaries();
    printf("\n  polhode COMMAND --help   say more about a command; `polhode help COMMAND` does so, too\n"
           "  polhode --help           this text\n"
           "  polhode --version        the version\n\n"
           "Exit status:\n"
           "  0    done\n"
           "  1    the run ended early (diverged, no solution, ...); what there is was written\n"
           "  2    wrong usage or a mistake in the scenario; nothing was written\n"
           "  3    the results cannot be written\n"
           "  130  interrupted by Ctrl-C (128 + the signal's number); what there is was written\n\n"
           "A scenario is a YAML file; examples/ has some, and doc/scenario.md describes them.\n");
    return EXIT_OK;
}

/* What was printed must have arrived: a table that is lost on a full disk is no success. */
static int end(int code)
{
    int lost = fflush(stdout) != 0;
    lost |= ferror(stdout) != 0;
    return lost && code == EXIT_OK ? complain(EXIT_OUTPUT, "cannot write to the standard output") : code;
}

static int run_command(const char *name, int argc, char **argv)
{
    const char *names[COMMANDS];
    ph_error err;
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (!strcmp(name, commands[i].name))
            return end(commands[i].run(argc, argv));
    }
    ph_fail_unknown(&err, "command", name, names, COMMANDS);
    return complain(EXIT_INPUT, "%s\nTry: polhode --help", err.message);
}

/* polhode help COMMAND [KIND] is polhode COMMAND [KIND] --help */
static int help_on(int argc, char **argv)
{
    static char help[] = "--help";
    char *again[4] = {argv[0], argc > 1 ? argv[1] : help, help, NULL};
    return run_command(argv[0], argc > 1 ? 3 : 2, again);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return EXIT_INPUT;
    }
    if (!strcmp(argv[1], "help") && argc > 2)
        return help_on(argc - 2, argv + 2);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return end(print_help());
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("polhode %s\nLicence: BSD-3-Clause. There is no warranty.\n", ph_version());
        return EXIT_OK;
    }
    return run_command(argv[1], argc - 1, argv + 1);
}
