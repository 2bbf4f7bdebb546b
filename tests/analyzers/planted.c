/* SPDX-License-Identifier: BSD-3-Clause */
/* A fault that each analyzer has to find, or scripts/check-analyzers has not asked it properly. It is in no build. */
#include <stdlib.h>

void planted(void);
void planted(void)
{
    char *block = malloc(1);
    free(block);
    free(block);
}
