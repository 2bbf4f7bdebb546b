/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode resume: a run continues from its archive. */
#include "program.h"
#include "session.h"

#define AT(kind, member) OPTION_AT(kind, session_arguments, member)
static const option_row options[] = {
    {"FILE", 0, "archive", AT(ARCHIVE, file),
     .text = "an archive, NAME.polhode, or a directory that holds one", .required = true},
    {"until", 'u', "T", AT(TIME, until),
     .text = "continue to this time of the motion, in s, instead of the planned end"},
    {"force", 'f', NULL, AT(FLAG, force), .text = "with --until: write more than 10 GB"},
    {"scenario", 0, "FILE", AT(TEXT, scenario),
     .text = "continue only if the archived scenario is this one, line by line"},
    SESSION_OPTIONS,
    {.name = NULL}};

static int run(void *arguments)
{
    session_arguments *a = arguments;
    a->resumes = true;
    return session_resume(a);
}

const command_row command_resume = {
    .name = "resume",
    .summary = "continue a run from its archive, with the same bits",
    .about =
        "Continue a run that was ended, killed or completed, from its archive: rows are added to it, and "
        "summary.json in its directory is written again. The result has the bits of an uninterrupted run.",
    .notes = "Ctrl-C, SIGTERM and a file STOP in the archive's directory end the run after a whole step.",
    .exits = {{0, "done, or stopped by an event"},
              {1, "the run ended early"},
              {2, "wrong usage or no archive"},
              {3, "the archive is damaged, or the results cannot be written"},
              {130, "interrupted; results up to there were written"}},
    .options = options,
    .size = sizeof(session_arguments),
    .defaults = &session_defaults,
    .run = run};
