/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode merge: the shards of a sweep become one archive with its statistics. */
#include "program.h"

#include <polhode/sweep.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct merge_arguments {
    const char *directory;
    bool force, rows, quiet;
} merge_arguments;

#define AT(kind, member) OPTION_AT(kind, merge_arguments, member)
static const option_row options[] = {
    {"DIR", 0, "directory", AT(OPERAND, directory),
     .text = "the directory with all shards, NAME.shard-K-of-N.polhode", .required = true},
    {"force", 'f', NULL, AT(FLAG, force), .text = "replace NAME.polhode if it is there"},
    {"rows", 0, NULL, AT(FLAG, rows),
     .text =
         "statistics of every row of the members, as of each time of output, besides those of their last rows"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors"},
    {.name = NULL}};

static int run(void *pointer)
{
    const merge_arguments *a = pointer;
    ph_error err;
    char *path = NULL;
    ph_status status = ph_sweep_merge(a->directory, a->force, &path, &err);
    if (!status && a->rows && (status = ph_sweep_describe(path, true, &err)))
        free(path);
    if (status)
        return complain_of(status == PH_E_IO || status == PH_E_EXISTS ? EXIT_OUTPUT : EXIT_INPUT, &err);
    if (!a->quiet)
        printf("Written: %s and %.*s.statistics.json\n", path, (int)(strlen(path) - strlen(".polhode")),
               path);
    free(path);
    return EXIT_OK;
}

const command_row command_merge = {
    .name = "merge",
    .summary = "join the shards of a sweep into one archive, and write its statistics",
    .about =
        "Join the shards of a sweep, DIR/NAME.shard-K-of-N.polhode, into one archive, DIR/NAME.polhode, whose rows have the "
        "same bits as those of a sweep without shards, and write DIR/NAME.statistics.json. With one archive of all members in "
        "DIR, only the statistics are written.",
    .notes = "The shards stay as they are.",
    .exits = {{0, "done"},
              {2, "wrong usage; a shard is missing, not complete, or of another scenario"},
              {3, "the archive cannot be read or written"}},
    .options = options,
    .size = sizeof(merge_arguments),
    .run = run};
