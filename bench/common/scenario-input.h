/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario as the command line gives it: a file, or "-" for the standard input, with values that are set there. */
#ifndef POLHODE_BENCH_SCENARIO_INPUT_H
#define POLHODE_BENCH_SCENARIO_INPUT_H

#include <polhode/polhode.h>

#include "bench/common/command.h"

/* What a scenario from the standard input is called in messages, and its results after it: stdin.out. */
#define STANDARD_INPUT "stdin"

/* clang-format off */
/* The option of commands that read a scenario, for their rows. */
#define SET_OPTION(structure, member) \
    {"set", 0, "KEY=VALUE", OPTION_AT(TEXTS, structure, member), \
     .text = "use this value instead of the scenario's, for example step=0.01, method.order=6 or parameters.masses=[1,2] (may be repeated)"}
/* clang-format on */

/* "-" -> STANDARD_INPUT; any other name as it is. */
const char *scenario_name(const char *file);

/* Reads it. set: KEY=VALUE, each; accuracy > 0: this accuracy, and what `set` does not give of method and step is left
 * to be chosen for it. The errors of ph_scenario_load; those of what was set begin with --set. */
ph_status scenario_read(const char *file, const option_texts *set, double accuracy, ph_scenario **scenario,
                        ph_error *err);
/* The same of one member of an ensemble, by itself; a scenario without `ensemble` is its only one. members (nullable) <- how
 * many there are; 0: it is not an ensemble. */
ph_status scenario_read_member(const char *file, const option_texts *set, double accuracy, int64_t member,
                               int64_t *members, ph_scenario **scenario, ph_error *err);

/* *text (length bytes, malloc's, to be freed also on failure) <- the text with these values. */
ph_status scenario_text(const char *file, const option_texts *set, double accuracy, char **text,
                        size_t *length, ph_error *err);

#endif
