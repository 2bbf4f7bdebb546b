/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in summaries and archives. */
#ifndef PH_ARCHIVE_WORDS_H
#define PH_ARCHIVE_WORDS_H

#include <polhode/archive.h>
#include <polhode/method.h>

/* The word for how a run ended, and the word for why. */
const char *ph_status_word(ph_status status);
ph_status ph_status_of_word(const char *word); /* PH_OK also for an unknown one */
const char *ph_ending_reason(const ph_ending *ending);
/* to <- the word that is the value of an option with choices. Returns to. */
const char *ph_option_word(const ph_option *option, double value, char *to, size_t size);
/* text <- all options of a method: "form=q-omega tolerance=1e-8". */
void ph_options_text(const ph_method *method, const double *values, char *text, size_t size);

#endif
