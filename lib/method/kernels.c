/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels and fast paths may be used: what the processor has, unless the environment requests the plain ones or the
 * library was configured without others (PH_PLAIN_KERNELS), and all paths but those that it switches off. There is no static state. */
#include "kernels.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(PH_PLAIN_KERNELS)
#define CHOICE
#endif

static const char variable[] = "POLHODE_KERNELS";

enum { PLAIN, AVX2, WIDE, LEVELS };
static const char *const levels[LEVELS] = {"plain", "avx2", "wide"};

const char *const ph_fast_path_words[PH_FAST_PATHS] = {
    "no-lanes",  "no-short-chains", "no-chains", "no-trees",      "no-articulated",
    "no-trains", "no-carry",        "no-amd",    "no-libdeflate", "no-compiled"};

/* What the variable says. */
typedef struct request {
    unsigned level; /* of `levels` */
    unsigned off;   /* PH_PATH_... */
    const char *unknown;
} request;

static unsigned place_of(const char *word, size_t length, const char *const *words, unsigned n)
{
    unsigned i = 0;
    while (i < n && (strncmp(word, words[i], length) != 0 || words[i][length]))
        i++;
    return i;
}

static request asked(void)
{
    request r = {.level = WIDE};
    const char *text = getenv(variable);
    for (const char *word = text ? text : ""; *word; word += *word == ',') {
        const size_t length = strcspn(word, ",");
        const unsigned level = place_of(word, length, levels, LEVELS),
                       path = place_of(word, length, ph_fast_path_words, PH_FAST_PATHS);
        if (level < LEVELS)
            r.level = level;
        else if (path < PH_FAST_PATHS)
            r.off |= 1u << path;
        else if (!r.unknown)
            r.unknown = text;
        word += length;
    }
    return r;
}

unsigned ph_kernels(void)
{
    unsigned has = 0;
#ifdef CHOICE
    const unsigned level = asked().level;
    if (level == PLAIN)
        return 0;
    has |= __builtin_cpu_supports("avx") ? PH_KERNEL_AVX : 0;
    has |= __builtin_cpu_supports("avx2") ? PH_KERNEL_AVX2 : 0;
    has |= __builtin_cpu_supports("fma") ? PH_KERNEL_FMA : 0;
    has |= level == WIDE && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
               ? PH_KERNEL_AVX512
               : 0;
#endif
    return has;
}

unsigned ph_fast_paths(void)
{
    return ((1u << PH_FAST_PATHS) - 1) & ~asked().off;
}

ph_status ph_kernels_check(ph_error *err)
{
    const request r = asked();
    char words[256] = "";
    if (!r.unknown)
        return PH_OK;
    for (size_t i = 0, at = 0; i < PH_FAST_PATHS; i++)
        at += (size_t)snprintf(words + at, sizeof words - at, ", %s", ph_fast_path_words[i]);
    return ph_fail(
        err, PH_E_UNKNOWN,
        "the environment variable %s is \"%.60s\"; it may be plain, avx2, or wide, which is the same as not set, and, "
        "behind commas, what is switched off%s",
        variable, r.unknown, words);
}
