/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that are coupled by the potential only: see apart.h. They are described as a linkage in which all of
 * them hang from the fixed point by links of length 1, so that M is known to be diagonal. */
#include "apart.h"
#include "linkage.h"

ph_status ph_apart_build(size_t n, const ph_parameter_value *inertia, ph_part_list *parts,
                         ph_system_definition *rest, const char *bodies, ph_system **system, ph_error *err)
{
    static const double one = 1;
    const ph_parameter_value length = {NULL, &one, 1};
    size_t *parents = rest->user ? malloc(n * sizeof *parents) : NULL;
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && parents; i++)
        parents[i] = PH_NO_INDEX;
    if (parents) {
        const ph_links links = {.n = n, .d = 3, .mass = inertia, .length = &length, .parent = parents};
        ph_part_give(parts, rest);
        status = ph_links_build(&links, rest, system, err);
    } else {
        rest->user_free(rest->user);
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu %s", n, bodies);
    }
    free(parents);
    free(parts->at);
    return status;
}
