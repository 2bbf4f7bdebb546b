/* SPDX-License-Identifier: BSD-3-Clause */
/* Integrators: binding a method to a system, the clock t = t_base + (k - k_base) h, and the rule that a
 * step happens whole or not at all (the method writes the state only when it succeeds). */
#include <polhode/constraints.h>
#include <polhode/integrator.h>

#include "kernels.h"
#include "lib/internal/missing.h"
#include "members.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct ph_integrator {
    ph_context context;
    const ph_method *method;
    uint64_t kind;
    size_t bound; /* place of max-iterations among the options; n_options: the method has none */
    double *options;
    ph_statistics statistics;
    ph_error error;
    bool begun;        /* finish is due */
    bool forgets;      /* without PH_PATH_CARRY: after each step the carry is emptied */
    unsigned paths;    /* PH_PATH_... when it was created */
    ph_status unready; /* why the latest init failed */
    void *block;       /* unaligned memory behind context.work */
};

/* May h be a step size? */
static ph_status check_step_size(double h, ph_error *err)
{
    if (!isfinite(h) || h == 0)
        return ph_fail(err, PH_E_RANGE,
                       "the step size is %g s; it must be finite and not 0 (negative runs backwards)", h);
    return PH_OK;
}

/* The method gives back what its latest init took. */
static void call_finish(ph_integrator *it)
{
    if (it->begun && it->method->finish)
        it->method->finish(&it->context);
}

/* The method prepares for system, options and h; what it prepared before is given back first. */
static ph_status call_init(ph_integrator *it)
{
    call_finish(it);
    it->error.message[0] = '\0';
    it->begun = true;
    it->unready = it->method->init ? it->method->init(&it->context) : PH_OK;
    if (it->unready && !it->error.message[0])
        ph_fail(&it->error, it->unready, "%s", ph_status_text(it->unready));
    return it->unready;
}

/* FNV-1a hash: of the addresses of system and method and of the values of the options, in kind_of. */
static uint64_t hash_bytes(uint64_t seed, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        seed = (seed ^ byte[i]) * 0x100000001b3u;
    return seed;
}

/* The number by which a state knows its kind of integrator: equal for the same system, method, options and fast paths, on which
 * what a state carries depends. */
static uint64_t kind_of(const ph_integrator *it)
{
    uint64_t kind = hash_bytes(0xcbf29ce484222325u, &it->context.system, sizeof it->context.system);
    kind = hash_bytes(kind, &it->method, sizeof it->method);
    kind = hash_bytes(kind, &it->paths, sizeof it->paths);
    for (size_t i = 0; i < it->method->n_options; i++)
        kind = i == it->bound ? kind : hash_bytes(kind, it->options + i, sizeof *it->options);
    return kind;
}

/* The place of max-iterations, which bounds the work of a step and changes nothing of it. */
static size_t find_bound(const ph_method *method)
{
    size_t i = 0;
    while (i < method->n_options && strcmp(method->options[i].name, "max-iterations") != 0)
        i++;
    return i;
}

/* Options, the kind, and the workspace, aligned to a cache line; then the method's init. The options are
 * those of `like`, or, where that is NULL, those of the settings. */
static ph_status bind_method(ph_integrator *it, const double *like, const ph_setting *settings, size_t n,
                             ph_error *err)
{
    const ph_method *method = it->method;
    ph_status status = PH_OK;
    it->options = calloc(method->n_options + 1, sizeof *it->options);
    if (!it->options)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (like)
        memcpy(it->options, like, method->n_options * sizeof *like);
    else
        status = ph_method_options(method, settings, n, it->options, err);
    if (!status)
        status = ph_method_supports(method, it->context.system, err);
    if (status)
        return status;
    if (method->settle)
        method->settle(it->context.system, it->options);
    it->context.options = it->options;
    it->bound = find_bound(method);
    if (it->bound < method->n_options)
        it->context.max_iterations = (int64_t)it->options[it->bound];
    it->paths = ph_fast_paths();
    it->kind = kind_of(it);
    it->context.statistics = &it->statistics;
    it->context.error = &it->error;
    size_t bytes = method->size(it->context.system, it->options).work;
    it->block = calloc(1, bytes + 64);
    if (!it->block)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory (%zu bytes of workspace)", bytes);
    it->context.work = (void *)(((uintptr_t)it->block + 63) & ~(uintptr_t)63);
    it->forgets = !(it->paths & PH_PATH_CARRY) &&
                  (method->claims & (PH_CLAIM_MULTISTEP | PH_CLAIM_MANIFOLD)) == PH_CLAIM_MANIFOLD;
    status = call_init(it);
    return status ? ph_fail(err, status, "%s", it->error.message) : PH_OK;
}

/* An integrator with the options of `like`, or, where that is NULL, those of the settings. */
static ph_status create_integrator(const ph_system *system, const ph_method *method, double h,
                                   const double *like, const ph_setting *settings, size_t n,
                                   ph_integrator **integrator, ph_error *err)
{
    ph_status status = check_step_size(h, err);
    if (!status)
        status = ph_kernels_check(err);
    if (status)
        return status;
    ph_integrator *it = calloc(1, sizeof *it);
    if (!it)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    it->method = method;
    it->context.system = system;
    it->context.h = h;
    status = bind_method(it, like, settings, n, err);
    if (status) {
        ph_integrator_free(it);
        return status;
    }
    *integrator = it;
    return PH_OK;
}

ph_status ph_integrator_create(const ph_system *system, const ph_method *method, double h,
                               const ph_setting *settings, size_t n, ph_integrator **integrator,
                               ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    if (!method)
        return ph_not_found(err, "method", "ph_method_find");
    return create_integrator(system, method, h, NULL, settings, n, integrator, err);
}

ph_status ph_integrator_copy(const ph_integrator *from, double h, ph_integrator **copy, ph_error *err)
{
    if (!from)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    return create_integrator(from->context.system, from->method, h, from->options, NULL, 0, copy, err);
}

ph_status ph_integrator_like(const ph_integrator *from, const ph_system *system, ph_integrator **like,
                             ph_error *err)
{
    return create_integrator(system, from->method, from->context.h, from->options, NULL, 0, like, err);
}

void ph_integrator_free(ph_integrator *it)
{
    if (!it)
        return;
    call_finish(it);
    free(it->block);
    free(it->options);
    free(it);
}

const ph_system *ph_integrator_system(const ph_integrator *it)
{
    return it->context.system;
}

const ph_method *ph_integrator_method(const ph_integrator *it)
{
    return it->method;
}

double ph_integrator_step_size(const ph_integrator *it)
{
    return it->context.h;
}

uint64_t ph_integrator_kind(const ph_integrator *it)
{
    return it->kind;
}

const double *ph_integrator_options(const ph_integrator *it)
{
    return it->options;
}

const ph_statistics *ph_integrator_statistics(const ph_integrator *it)
{
    return &it->statistics;
}

const char *ph_integrator_message(const ph_integrator *it)
{
    return it ? it->error.message
              : "there is no integrator (it is NULL); it is to come from ph_integrator_create";
}

ph_status ph_integrator_set_step_size(ph_integrator *it, double h)
{
    if (!it)
        return PH_E_INVALID;
    ph_status status = check_step_size(h, &it->error);
    if (!status && ph_fast_paths() != it->paths) /* the workspace is laid out for those */
        status = ph_fail(
            &it->error, PH_E_INVALID,
            "POLHODE_KERNELS switches other fast paths off than when this integrator was created; create another");
    if (status)
        return status;
    double before = it->context.h;
    it->context.h = h;
    status = call_init(it);
    if (status) { /* the method refuses: restore what was before */
        ph_error why = it->error;
        it->context.h = before;
        call_init(it);
        it->error = why;
    }
    return status;
}

/* A state that comes from another step size (or was just set) starts a new stretch of the clock. */
static void rebase_clock(ph_state *state, double h)
{
    state->t_base = state->t;
    state->k_base = state->k;
    state->h = h;
}

/* Is the time of the n-th step from here finite? Then the times before it are, too. */
static bool in_time(const ph_state *state, int64_t n)
{
    return isfinite(state->t_base + ((double)(state->k - state->k_base) + (double)n) * state->h);
}

/* The state is z and p alone. */
static void forget(ph_integrator *it, ph_state *state)
{
    if (it->method->synchronise)
        it->method->synchronise(&it->context, state);
    if (state->ncarry)
        memset(state->carry, 0, state->ncarry * sizeof *state->carry);
}

/* The clock is t_base + (k - k_base) h, not a sum of steps: its error does not grow with their number.
 * What the method keeps in other variables is written to z and p once, behind the last step. */
ph_status ph_integrator_step(ph_integrator *it, ph_state *state, int64_t n)
{
    if (!it)
        return PH_E_INVALID;
    it->error.message[0] = '\0';
    if (!state)
        return ph_fail(&it->error, PH_E_INVALID,
                       "there is no state (it is NULL); it is to come from ph_state_create");
    if (n < 0)
        return ph_fail(&it->error, PH_E_RANGE, "cannot take %lld steps; to run backwards use a negative h",
                       (long long)n);
    if (state->kind != it->kind)
        return ph_fail(&it->error, PH_E_INVALID,
                       "the state was made for another system, method or option than this integrator's (%s)",
                       it->method->name);
    if (it->unready)
        return ph_fail(&it->error, it->unready,
                       "the method %s could not go back to the step size %g s "
                       "after it had refused another one; set a step size",
                       it->method->name, it->context.h);
    const ph_state before = *state;
    if (state->h != it->context.h)
        rebase_clock(state, it->context.h);
    ph_status status = PH_OK;
    const bool all = in_time(state, n);
    for (; n > 0; n--) {
        if (!all && !in_time(state, 1)) {
            status = ph_fail(&it->error, PH_E_RANGE,
                             "a step of %g s from t = %g s leads beyond the finite numbers; shorten the step",
                             state->h, state->t);
            break;
        }
        it->context.iterations_before = it->statistics.newton_passes;
        status = it->method->step(&it->context, state);
        if (status)
            break;
        state->k++;
        state->t = state->t_base + (double)(state->k - state->k_base) * state->h;
        it->statistics.steps++;
        if (it->forgets)
            forget(it, state);
    }
    if (state->k == before.k) /* the clock, too, is that of the steps which were made */
        *state = before;
    else if (it->method->synchronise && !it->forgets)
        it->method->synchronise(&it->context, state);
    if (status && !it->error.message[0])
        ph_fail(&it->error, status, "%s", ph_status_text(status));
    return status;
}
