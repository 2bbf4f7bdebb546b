/* SPDX-License-Identifier: BSD-3-Clause */
/* What the targets of fuzzing share: a target is a function of any bytes, in a file of its name here, that libFuzzer calls
 * (fuzz.sh) and the everyday suite with the inputs that are kept (check_corpora.c). What must hold is asserted as in a suite. The
 * line "fuzz:" in a target's first comment is for fuzz.sh: the files of the library that are compiled with it, to be guided by what
 * they execute; how many inputs the thorough form tries, and how long they are. A target writes files to the working directory. */
#ifndef POLHODE_TESTS_FUZZ_H
#define POLHODE_TESTS_FUZZ_H

#include "tests/kit/testkit.h"

/* The targets: a row is a file here and a corpus in corpus/. */
#define FUZZ_TARGETS(X)                                                                                      \
    X(archive) X(command) X(formula) X(grit) X(gubas) X(scenario) X(scene) X(shape) X(steps)

typedef int fuzz_function(const uint8_t *data, size_t size);

#ifdef FUZZ_ALONE /* by fuzz.sh: libFuzzer's name */
fuzz_function LLVMFuzzerTestOneInput;
#define FUZZ_TARGET(name) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
#else
#define FUZZ_DECLARE(name) fuzz_function fuzz_##name;
FUZZ_TARGETS(FUZZ_DECLARE)
#undef FUZZ_DECLARE
#define FUZZ_TARGET(name) int fuzz_##name(const uint8_t *data, size_t size)
#endif

/* A target returns one of these: libFuzzer keeps nothing of what is of no use. */
enum { FUZZ_TAKEN = 0, FUZZ_USELESS = -1 };

/* Is one input looked at (check_corpora TARGET FILE)? Then a target whose inputs are no text may print what they mean. */
extern bool fuzz_tells;

/* It is a status, and a failure has a message, of printable characters in lines as of status.h; returns whether it is PH_OK. */
bool fuzz_judge(ph_status status, const ph_error *err);
/* The text has no control characters but ends of lines. */
void fuzz_printable(const char *text);
/* No NaN, nothing infinite. */
void fuzz_finite(const double *x, size_t n);

/* Files of these names (n) in the working directory <- the input's parts, between which there are lines "---"; returns how many
 * there are, at most n. Those that have no part are removed. */
size_t fuzz_split(const uint8_t *data, size_t size, const char *const *names, size_t n);
/* What ph_import_read makes of this file, and ph_scenario_parse of that. */
void fuzz_import(const char *path);

/* Bytes that are used up from the front; zeros behind their end. */
typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;
unsigned fuzz_byte(fuzz_bytes *b);
size_t fuzz_choose(fuzz_bytes *b, size_t n); /* less than n, which is at most 65 536 */
double fuzz_number(fuzz_bytes *b);           /* moderate ones mostly, and those that break things */

#endif
