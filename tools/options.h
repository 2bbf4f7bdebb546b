/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of a command, read, and its help, written: both from its row and those of its options. */
#ifndef POLHODE_TOOLS_OPTIONS_H
#define POLHODE_TOOLS_OPTIONS_H

#include <polhode/status.h>

#include "bench/common/command.h"

/* The default arguments of a command, with room for what argv can have; to be freed. NULL: out of memory. */
void *arguments_create(const command_row *c, int argc, char **argv);
/* arguments <- what stands in argv, of which argv[0] is the program's name. *help <- was --help asked for? Then what
 * follows it was not read. PH_E_INVALID: what is wrong, with an empty message where it was printed already. */
ph_status arguments_read(const command_row *c, int argc, char **argv, void *arguments, bool *help,
                         ph_error *err);

/* "polhode run FILE [OPTION]...", and what the command does, as in the list of commands. */
void print_command(const command_row *c);
void print_exits(const exit_row *exits);
/* All that is known of it: usage, what it does, options, exit status; and the usage of the commands whose names begin
 * with its own, "bench scaling". command_at: command i of all, NULL behind the last. */
void print_help(const command_row *c, const command_row *(*command_at)(size_t i));

#endif
