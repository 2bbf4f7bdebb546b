/* SPDX-License-Identifier: BSD-3-Clause */
/* Models with extreme parameters: see extremes.h. */
#include "extremes.h"
#include "testkit.h"

size_t for_extremes(void (*use)(const char *model, const ph_system *system))
{
    static const struct {
        const char *model, *parameter;
        double value;
    } cases[] = {{"submerged-pendula", "spacing", 1e308},
                 {"dipole-array", "spacing", 1e308},
                 {"chain-pendulum", "lengths", 1e308},
                 {"chain-pendulum", "gravity", 1e308},
                 {"double-spherical-pendulum", "gravity", 1.7e308},
                 {"rigid-chain", "gravity", 1e308},
                 {"vertical-disk", "radius", 1e-320}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ph_parameter_value value = {cases[i].parameter, &cases[i].value, 1};
        ph_error err = {PH_OK, ""};
        TK_OWN(ph_system) *system = NULL;
        if (ph_model_build(ph_model_find(cases[i].model, NULL), &value, 1, &system, &err)) {
            printf("%s, %s = %g: %s\n", cases[i].model, cases[i].parameter, cases[i].value, err.message);
            ck_assert_ptr_null(strstr(err.message, "part "));
            continue;
        }
        use(cases[i].model, system);
        used++;
    }
    return used;
}
