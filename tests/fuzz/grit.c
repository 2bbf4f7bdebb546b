/* SPDX-License-Identifier: BSD-3-Clause */
/* GRIT's init_system.json of any bytes, with target_time.json behind a line "---".
 * fuzz: lib/import lib/scenario/yaml.c lib/scenario/node.c lib/shape/lines.c; 20000 inputs of at most 4096 bytes */
#include "fuzz.h"

FUZZ_TARGET(grit)
{
    static const char *const names[] = {"init_system.json", "target_time.json"};
    (void)fuzz_split(data, size, names, 2);
    fuzz_import("init_system.json");
    return FUZZ_TAKEN;
}
