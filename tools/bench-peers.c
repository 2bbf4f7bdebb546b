/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench peers */
#include "bench.h"
#include "command.h"
int bench_peers(int argc, char **argv)
{
    (void)argc, (void)argv;
    return EXIT_INPUT;
}
