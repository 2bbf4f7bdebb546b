/* SPDX-License-Identifier: BSD-3-Clause */
/* The program polhode-mpi: one command, run by all ranks of an MPI job. */
#include "tools/mpi/sweep.h"
#include "tools/options.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const command_row *command_at(size_t i)
{
    return i ? NULL : &command_mpi_sweep;
}

static void print_overview(void)
{
    printf("Usage: mpirun [-n RANKS] polhode-mpi COMMAND [ARGUMENT ...]\n"
           "Run the members of an ensemble on many machines.\n\n"
           "Commands:\n");
    print_command(&command_mpi_sweep);
    printf("\n  polhode-mpi sweep --help  describe the command\n"
           "  polhode-mpi --help        this text\n"
           "  polhode-mpi --version     the version, the build and its optional libraries\n"
           "\nAll else is done by polhode: see polhode --help.\n");
    print_addresses();
}

/* Only the threads that run members are more than one; they do not call MPI. What the arguments lack is said once. */
static int run_command(int argc, char **argv)
{
    bool help;
    ph_error err = {PH_OK, ""};
    int rank = 0, provided, code;
    void *arguments = arguments_create(&command_mpi_sweep, argc, argv);
    if (!arguments)
        return mpi_complain(EXIT_OUTPUT, "out of memory");
    const ph_status status = arguments_read(&command_mpi_sweep, argc, argv, arguments, &help, &err);
    if (!status && help) {
        print_help(&command_mpi_sweep, command_at);
        free(arguments);
        return EXIT_OK;
    }
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (status)
        code = rank ? EXIT_INPUT : mpi_complain(EXIT_INPUT, "%s\nTry: polhode-mpi sweep --help", err.message);
    else
        code = command_mpi_sweep.run(arguments);
    free(arguments);
    MPI_Finalize();
    return code;
}

int main(int argc, char **argv)
{
    static char name[] = "polhode-mpi";
    const char *first = argc > 1 ? argv[1] : "--help";
    int code = EXIT_OK;
    if (!strcmp(first, "--version") || !strcmp(first, "-V")) {
        code = print_version(argc - 2, argv + 2);
    } else if (!strcmp(first, "--help") || !strcmp(first, "-h")) {
        print_overview();
        code = argc > 1 ? EXIT_OK : EXIT_INPUT;
    } else if (strcmp(first, "sweep") != 0) {
        return mpi_complain(
            EXIT_INPUT, "unknown command \"%.100s\"; the only one is sweep\nTry: polhode-mpi --help", first);
    } else {
        argv[1] = name;
        code = run_command(argc - 1, argv + 1);
    }
    if ((fflush(stdout) || ferror(stdout)) && code == EXIT_OK)
        return mpi_complain(EXIT_OUTPUT, "cannot write to the standard output");
    return code;
}
