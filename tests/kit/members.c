/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles against members that step alone: see members.h. */
#include "members.h"

static const double begin = 2; /* [s] */

static ph_integrator *integrator_of(const tk_members *m, const ph_system *system)
{
    ph_integrator *it = NULL;
    tk_ok(ph_integrator_create(system, m->method, m->h, &m->setting, m->setting.value ? 1 : 0, &it, tk_err));
    return it;
}

static void make(const tk_members *m, const ph_integrator *it, ph_ensemble **e)
{
    if (m->systems)
        tk_ok(ph_ensemble_create_each(it, m->systems, m->members, e, tk_err));
    else
        tk_ok(ph_ensemble_create(it, m->members, e, tk_err));
    ck_assert_uint_eq(ph_ensemble_members(*e), m->members);
    const unsigned needs = PH_PATH_LANES | PH_PATH_CARRY;
    const size_t lanes = (ph_fast_paths() & needs) == needs ? m->lanes : 1;
    ck_assert_msg(ph_ensemble_lanes(*e) == lanes, "%s: %zu lanes", m->name, ph_ensemble_lanes(*e));
    ck_assert_int_eq(ph_ensemble_step(*e, 1), PH_E_INVALID);
    tk_ok(ph_ensemble_set(*e, begin, m->z, m->p, PH_STRICT, tk_err));
}

/* Has member i of the ensemble, whose numbers are z and p, the bits of the state? */
static void compare_one(const tk_members *m, const ph_ensemble *e, size_t i, const double *z, const double *p,
                        const ph_state *state)
{
    ck_assert_msg(ph_ensemble_steps(e, i) == state->k,
                  "%s: member %zu of %zu has made %lld steps, alone %lld", m->name, i, m->members,
                  (long long)ph_ensemble_steps(e, i), (long long)state->k);
    ck_assert_double_eq(ph_ensemble_time(e, i), state->t);
    for (size_t k = 0; k < state->nz; k++)
        ck_assert_msg(!memcmp(z + k * m->members + i, state->z + k, sizeof *z),
                      "%s: z[%zu] of member %zu of %zu is %.17g, alone %.17g", m->name, k, i, m->members,
                      z[k * m->members + i], state->z[k]);
    for (size_t k = 0; k < state->np; k++)
        ck_assert_msg(!memcmp(p + k * m->members + i, state->p + k, sizeof *p),
                      "%s: p[%zu] of member %zu of %zu is %.17g, alone %.17g", m->name, k, i, m->members,
                      p[k * m->members + i], state->p[k]);
}

/* Member i alone, and in two ensembles; what it fails by. words: of the failure, for members of the first ensemble. */
static ph_status follow(const tk_members *m, size_t i, int64_t steps, ph_ensemble *const e[2],
                        double *const z[2], double *const p[2], char words[200])
{
    const ph_system *system = m->systems ? m->systems[i] : m->system;
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    TK_OWN(ph_integrator) *it = integrator_of(m, system);
    TK_MAKE(ph_state, state, ph_state_create(it, &state, tk_err));
    TK_MEMORY double *begins = calloc(nz + np, sizeof *begins);
    for (size_t k = 0; k < nz; k++)
        begins[k] = m->z[k * m->members + i];
    for (size_t k = 0; k < np; k++)
        begins[nz + k] = m->p[k * m->members + i];
    tk_ok(ph_state_set(it, state, begin, begins, begins + nz, PH_STRICT, tk_err));
    const ph_status status = ph_integrator_step(it, state, steps);
    snprintf(words, 200, "member %zu: %.160s", i, ph_integrator_message(it));
    for (int k = 0; k < 2; k++) {
        ck_assert_msg(ph_ensemble_status(e[k], i) == status, "%s: member %zu: %s, alone %s", m->name, i,
                      ph_status_name(ph_ensemble_status(e[k], i)), ph_status_name(status));
        compare_one(m, e[k], i, z[k], p[k], state);
    }
    return status;
}

size_t tk_compare_members(const tk_members *m, int64_t steps)
{
    const ph_space *space = ph_system_space(m->system);
    const size_t nz = ph_space_ambient(space) * m->members, np = ph_space_momenta(space) * m->members;
    TK_MEMORY double *numbers = calloc(2 * (nz + np), sizeof *numbers);
    double *const z[2] = {numbers, numbers + nz}, *const p[2] = {numbers + 2 * nz, numbers + 2 * nz + np};
    ph_ensemble *e[2] = {NULL, NULL};
    ph_status found[2] = {PH_OK, PH_OK}, first = PH_OK;
    size_t failures = 0;
    bool said = false;
    TK_OWN(ph_integrator) *it = integrator_of(m, m->system);
    for (int k = 0; k < 2; k++)
        make(m, it, &e[k]);
    found[0] = ph_ensemble_step(e[0], steps);
    for (int64_t k = 0, n = 0; k < steps; k += n, n = 2 * n + 1 < steps - k ? 2 * n + 1 : steps - k)
        found[1] = ph_ensemble_step(e[1], n);
    found[1] = ph_ensemble_step(e[1], 0);
    for (int k = 0; k < 2; k++)
        ph_ensemble_get(e[k], z[k], p[k]);
    for (size_t i = 0; i < m->members; i++) {
        char words[200];
        const ph_status own = follow(m, i, steps, e, z, p, words);
        first = first ? first : own;
        failures += own != PH_OK;
        said = said || (own && strstr(ph_ensemble_message(e[1]), words) == ph_ensemble_message(e[1]));
    }
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(found[k], first);
        ck_assert_msg(!failures == !ph_ensemble_message(e[k])[0], "%s: %s", m->name,
                      ph_ensemble_message(e[k]));
    }
    ck_assert_msg(said == (failures > 0), "%s: %s", m->name, ph_ensemble_message(e[1]));
    for (int k = 0; k < 2; k++)
        ph_ensemble_free(e[k]);
    return failures;
}
