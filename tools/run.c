/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode run: a scenario from file to archive and summary.json. */
#include "program.h"
#include "session.h"

#include "bench/common/scenario-input.h"

#define AT(kind, member) OPTION_AT(kind, session_arguments, member)
static const option_row options[] = {
    {"FILE", 0, "scenario file", AT(OPERAND, file), .text = "a scenario; - reads the standard input",
     .required = true},
    {"output", 'o', "DIR", AT(TEXT, directory),
     .text = "where to write (default: the scenario's name + .out; stdin.out for -)"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "overwrite existing results; write more than 10 GB"},
    {"columns", 0, "LIST", AT(LIST, columns),
     .text =
         "the columns to write after t and step, for example q1,energy_error (default: all, or those of the scenario)"},
    {"accuracy", 'a', "X", AT(POSITIVE, accuracy),
     .text = "choose method and step for this error, instead of the scenario's"},
    {"member", 0, "I", AT(WHOLE, member),
     .text = "run member I of an ensemble by itself, which count from 0; its results are named NAME-I"},
    SET_OPTION(session_arguments, set),
    SESSION_OPTIONS,
    {.name = NULL}};

static int run(void *arguments)
{
    return session_run(arguments);
}

const command_row command_run = {
    .name = "run",
    .summary = "run a scenario; writes an archive, NAME.polhode, and summary.json",
    .about = "Run a scenario and write DIR/NAME.polhode, an archive, and DIR/summary.json.",
    .notes = "Ctrl-C, SIGTERM and a file DIR/STOP end the run after a whole step; a second Ctrl-C ends it at "
             "once. However it ends, polhode resume DIR/NAME.polhode continues it.",
    .exits = {{0, "done, or stopped by an event"},
              {1, "the run ended early"},
              {2, "wrong usage or a mistake in the scenario"},
              {3, "the results cannot be written"},
              {130, "interrupted; results up to there were written"}},
    .options = options,
    .size = sizeof(session_arguments),
    .defaults = &session_defaults,
    .run = run};
