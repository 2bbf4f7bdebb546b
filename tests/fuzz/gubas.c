/* SPDX-License-Identifier: BSD-3-Clause */
/* GUBAS's hou_config.cfg or ic_input.txt of any bytes; behind lines "---" a table of vertices v.csv, one of faces f.csv, and
 * Fahnestock's pair of files.
 * fuzz: lib/import lib/shape lib/text; 20000 inputs of at most 8192 bytes */
#include "fuzz.h"

FUZZ_TARGET(gubas)
{
    static const char *const names[] = {"input", "v.csv", "f.csv", "systemdata_standard_MKS_units",
                                        "initstate_standard_MKS_units"};
    (void)fuzz_split(data, size, names, 5);
    fuzz_import("input");
    return FUZZ_TAKEN;
}
