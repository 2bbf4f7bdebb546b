/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode repair: what is whole in a damaged archive becomes a new one. */
#include "program.h"

#include <polhode/record.h>

#include <inttypes.h>
#include <stdio.h>

typedef struct arguments {
    const char *file, *output;
    bool quiet;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"FILE", 0, "archive", AT(ARCHIVE, file), .text = "the damaged archive, which stays as it is",
     .required = true},
    {"output", 'o', "FILE", AT(TEXT, output), .text = "the new archive; no file may be there",
     .required = true},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but what is damaged"},
    {.name = NULL}};

static void say(void *self, const char *message)
{
    (void)self;
    complain(0, "%s; not saved", message);
}

static int report(const arguments *a, const ph_repair *r)
{
    if (!a->quiet)
        printf("Written: %s, %" PRId64 " rows and %" PRId64 " events; %s\n", a->output, r->rows, r->events,
               r->resumable ? "polhode resume continues it"
                            : "it has no state, so that it can be shown, but not resumed");
    return r->damages ? complain(EXIT_ENDED_EARLY,
                                 "%s is damaged in %" PRId64 " place%s: %s%" PRId64 " rows and %" PRId64
                                 " events are not in %s",
                                 a->file, r->damages, r->damages == 1 ? "" : "s", r->ends ? "" : "at least ",
                                 r->rows_lost, r->events_lost, a->output)
                      : EXIT_OK;
}

static int run_repair(void *pointer)
{
    const arguments *a = pointer;
    ph_record *record;
    ph_error err;
    ph_repair r = {.say = say};
    int code = check_place(a->output, false);
    if (code)
        return code;
    if (ph_record_open(a->file, &record, &err))
        return complain_of(EXIT_INPUT, &err);
    const ph_status status = ph_record_repair(record, a->output, &r, &err);
    code = status ? complain_of(status == PH_E_UNSUPPORTED ? EXIT_INPUT : EXIT_OUTPUT, &err) : report(a, &r);
    ph_record_close(record);
    return code;
}

const command_row command_repair = {
    .name = "repair",
    .summary = "save what is whole in a damaged archive into a new one",
    .about =
        "Save what is whole in a damaged archive into a new one: rows and events whose checksums are right, the names of columns and "
        "what is said of the run; and the state, if it and the table meta are whole, from which the run can be resumed.",
    .notes = "What is not saved is named. Rows and events get new numbers; rows keep their times and steps.",
    .exits = {{0, "done: nothing was damaged"},
              {1, "done, but something is damaged"},
              {2, "wrong usage, or an archive that cannot be opened"},
              {3, "the new archive cannot be written, or is there"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_repair};
