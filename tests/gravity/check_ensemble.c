/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles: members in the lanes of vectors get the bits of a state that steps alone, with every width of vectors; those that
 * fail stop where they would alone, and disturb no other; methods without lanes are stepped one member after the other. */
#include <polhode/ensemble.h>

#include "cases.h"

enum { MEMBERS = 11 };

/* Numbers of member i among those of all. */
static void put(const double *one, size_t n, size_t i, double *all)
{
    for (size_t k = 0; k < n; k++)
        all[k * MEMBERS + i] = one[k];
}

static void get(const double *all, size_t n, size_t i, double *one)
{
    for (size_t k = 0; k < n; k++)
        one[k] = all[k * MEMBERS + i];
}

typedef struct members {
    gc_motion m;
    double z[GC_Z * MEMBERS], p[GC_P * MEMBERS];
} members;

/* The motion, begun with other momenta by each member; `fast` of them with a body that spins too fast for steps of 1 s. */
static members gather(const gc_case *c, const bool *fast)
{
    members all = {.m = gc_begin(c)};
    const gc_motion *m = &all.m;
    for (size_t i = 0; i < MEMBERS; i++) {
        double p[GC_P] = {0};
        for (size_t k = 0; k < m->np; k++)
            p[k] = m->p[k] * (1 + 0.01 * (double)(i * (k % 3 + 1)));
        for (size_t k = 0; fast && fast[i] && k < 3; k++)
            p[3 * m->places + k] *= 20;
        put(m->z, m->nz, i, all.z);
        put(p, m->np, i, all.p);
    }
    return all;
}

/* Steps of the ensemble, in two parts, and of each member alone. */
static void compare(const members *all, const char *method, const char *order, double h, size_t lanes)
{
    const gc_motion *m = &all->m;
    double z[GC_Z * MEMBERS], p[GC_P * MEMBERS];
    const ph_setting setting = {"order", order};
    ph_status first = PH_OK;
    TK_MAKE(
        ph_integrator, it,
        ph_integrator_create(m->system, ph_method_find(method, NULL), h, &setting, order ? 1 : 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    TK_MAKE(ph_ensemble, e, ph_ensemble_create(it, MEMBERS, &e, NULL));
    ck_assert_uint_eq(ph_ensemble_members(e), MEMBERS);
    ck_assert_uint_eq(ph_ensemble_lanes(e), lanes);
    ck_assert_int_eq(ph_ensemble_step(e, 1), PH_E_INVALID);
    tk_ok(ph_ensemble_set(e, 2, all->z, all->p, PH_STRICT, NULL));
    ph_ensemble_step(e, 0);
    ph_ensemble_step(e, 17);
    const ph_status status = ph_ensemble_step(e, 23);
    ph_ensemble_get(e, z, p);
    for (size_t i = 0; i < MEMBERS; i++) {
        double one_z[GC_Z], one_p[GC_P];
        get(all->z, m->nz, i, one_z);
        get(all->p, m->np, i, one_p);
        tk_ok(ph_state_set(it, state, 2, one_z, one_p, PH_STRICT, NULL));
        const ph_status own = ph_integrator_step(it, state, 40);
        if (!first && own) {
            char words[64];
            first = own;
            snprintf(words, sizeof words, "member %zu: %.40s", i, ph_integrator_message(it));
            ck_assert_msg(strstr(ph_ensemble_message(e), words) != NULL || i > 0, "%s",
                          ph_ensemble_message(e));
        }
        ck_assert_int_eq(ph_ensemble_status(e, i), own);
        ck_assert_int_eq(ph_ensemble_steps(e, i), state->k);
        ck_assert_double_eq(ph_ensemble_time(e, i), state->t);
        get(z, m->nz, i, one_z);
        get(p, m->np, i, one_p);
        ck_assert_msg(!memcmp(one_z, state->z, m->nz * sizeof *z), "%s %s: member %zu", method,
                      order ? order : "", i);
        ck_assert_msg(!memcmp(one_p, state->p, m->np * sizeof *p), "%s %s: member %zu", method,
                      order ? order : "", i);
    }
    ck_assert_int_eq(status, first);
    if (!first)
        ck_assert_str_eq(ph_ensemble_message(e), "");
}

/* Kernels of this processor, or plain ones. */
TEST_EACH(bits, 2)
{
    const gc_case cases[] = {gc_worked(2), gc_four(3), gc_triple(4)};
    tk_kernels(_i);
    for (size_t i = 0; i < 3; i++) {
        const members all = gather(&cases[i], NULL);
        const double h = i == 2 ? 60 : 0.03;
        compare(&all, "variational", "2", h, 8);
        compare(&all, "variational", "4", h, 8);
        compare(&all, "variational", "2", 10 * h, 8); /* large turns */
        compare(&all, "variational", "2", -h, 8);
        compare(&all, "rk4", NULL, h, 1);
        ph_system_free(all.m.system);
    }
    tk_kernels(false);
}

/* A body that turns too far in a step: members 0, 3 and 10, which is in a group that is not full; then all. */
TEST_EACH(failures, 2)
{
    static const bool some[MEMBERS] = {true, false, false, true, [10] = true};
    bool every[MEMBERS];
    const gc_case pair = gc_worked(2);
    for (size_t i = 0; i < MEMBERS; i++)
        every[i] = true;
    tk_kernels(_i);
    const members few = gather(&pair, some), none = gather(&pair, every);
    compare(&few, "variational", "2", 0.1, 8);
    compare(&few, "variational", "4", 0.1, 8);
    compare(&few, "rk4", NULL, 0.1, 1);
    compare(&none, "variational", "2", 0.1, 8);
    ph_system_free(few.m.system);
    ph_system_free(none.m.system);
    tk_kernels(false);
}

TEST(refused)
{
    const gc_case pair = gc_worked(2);
    members all = gather(&pair, NULL);
    TK_OWN(ph_system) *system = all.m.system;
    TK_MAKE(ph_integrator, it,
            ph_integrator_create(system, ph_method_find("variational", NULL), 0.1, NULL, 0, &it, NULL));
    TK_OWN(ph_ensemble) *e = NULL;
    tk_returns(ph_ensemble_create(it, 0, &e, tk_err), PH_E_RANGE);
    ck_assert_int_ne(ph_ensemble_create(NULL, 1, &e, tk_err), PH_OK);
    tk_ok(ph_ensemble_create(it, MEMBERS, &e, NULL));
    all.z[(3 + 4) * MEMBERS + 7] += 0.1; /* an entry of R_A */
    tk_returns(ph_ensemble_set(e, 0, all.z, all.p, PH_STRICT, tk_err), PH_E_NOT_ON_MANIFOLD);
    ck_assert_msg(strstr(tk_err->message, "member 7: ") == tk_err->message, "%s", tk_err->message);
    ck_assert_int_eq(ph_ensemble_step(e, 1), PH_E_INVALID);
    all.z[(3 + 4) * MEMBERS + 7] -= 0.1;
    tk_ok(ph_ensemble_set(e, 0, all.z, all.p, PH_STRICT, NULL));
    ck_assert_int_eq(ph_ensemble_step(e, -1), PH_E_RANGE);
    tk_ok(ph_ensemble_step(e, 3));
    ph_ensemble_free(NULL);
}

/* A step of eight states that cannot begin is finished once, as method.h has it, and its words are the ensemble's; one
 * without anything to begin is taken. */
static int finished;

static ph_method_size little(const ph_system *system, const double *options)
{
    (void)system;
    (void)options;
    return (ph_method_size){.work = 8};
}

static ph_status fail_to_begin(ph_context *context)
{
    return ph_fail(context->error, PH_E_UNSUPPORTED, "not here");
}

static void finish(ph_context *context)
{
    (void)context;
    finished++;
}

static const ph_method *bare_lanes(const ph_system *system, const double *options)
{
    static const ph_method bare = {.name = "bare", .size = little};
    (void)system;
    (void)options;
    return &bare;
}

static const ph_method *broken_lanes(const ph_system *system, const double *options)
{
    static const ph_method broken = {
        .name = "broken", .size = little, .init = fail_to_begin, .finish = finish};
    (void)system;
    (void)options;
    return &broken;
}

TEST(no_beginning)
{
    const gc_case c = gc_worked(2);
    TK_ENDS(gc_end) const gc_motion m = gc_begin(&c);
    ph_method method = *ph_method_find("variational", NULL);
    ph_integrator *it;
    method.lanes = broken_lanes;
    tk_ok(ph_integrator_create(m.system, &method, 0.1, NULL, 0, &it, NULL));
    ph_ensemble *e = NULL;
    tk_says(ph_ensemble_create(it, MEMBERS, &e, tk_err), PH_E_UNSUPPORTED, "not here");
    ck_assert_int_eq(finished, 1);
    ph_integrator_free(it);
    method.lanes = bare_lanes;
    tk_ok(ph_integrator_create(m.system, &method, 0.1, NULL, 0, &it, NULL));
    tk_ok(ph_ensemble_create(it, MEMBERS, &e, NULL));
    ck_assert_uint_eq(ph_ensemble_lanes(e), 8);
    ph_ensemble_free(e);
    ph_integrator_free(it);
}

int main(void)
{
    return tk_run("ensemble");
}
