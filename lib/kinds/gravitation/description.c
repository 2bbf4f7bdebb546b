/* SPDX-License-Identifier: BSD-3-Clause */
/* The description that a system of bodies under mutual gravity was created from, which its callbacks get. */
#include "kind.h"

void ph_gravitation_release(void *user)
{
    ph_gravitation_free(user);
}

const ph_gravitation *ph_system_gravitation(const ph_system *system)
{
    const ph_system_definition *root = &ph_system_root(system)->is;
    return root->user_free == ph_gravitation_release ? root->user : NULL;
}

bool ph_system_is_gravitation(const ph_system *system)
{
    return !system->base && ph_system_gravitation(system);
}
