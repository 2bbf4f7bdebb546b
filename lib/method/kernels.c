/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels may be used: what the processor has, unless the environment requests the plain ones or the
 * library was configured without others (PH_PLAIN_KERNELS). There is no static state. */
#include "kernels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(PH_PLAIN_KERNELS)
#define CHOICE
#endif

#ifdef CHOICE
static const char variable[] = "POLHODE_KERNELS";
static const char *const words[] = {"plain", "avx2", "wide"};
#endif

unsigned ph_kernels(void)
{
    unsigned has = 0;
#ifdef CHOICE
    const char *asked = getenv(variable);
    if (asked && !strcmp(asked, words[0]))
        return 0;
    const bool narrow = asked && !strcmp(asked, words[1]);
    has |= __builtin_cpu_supports("avx") ? PH_KERNEL_AVX : 0;
    has |= __builtin_cpu_supports("avx2") ? PH_KERNEL_AVX2 : 0;
    has |= __builtin_cpu_supports("fma") ? PH_KERNEL_FMA : 0;
    has |= !narrow && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
               ? PH_KERNEL_AVX512
               : 0;
#endif
    return has;
}

ph_status ph_kernels_check(ph_error *err)
{
#ifdef CHOICE
    const char *asked = getenv(variable);
    if (asked && *asked && strcmp(asked, words[0]) && strcmp(asked, words[1]) && strcmp(asked, words[2]))
        return ph_fail(
            err, PH_E_UNKNOWN,
            "the environment variable %s is \"%.60s\"; it may be plain, avx2, or wide, which is the "
            "same as not set",
            variable, asked);
#else
    (void)err;
#endif
    return PH_OK;
}
