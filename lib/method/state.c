/* SPDX-License-Identifier: BSD-3-Clause */
/* States: one block of memory for z, p and carry; data from outside is admitted (lib/space/admission.c)
 * before anything is changed. A packed state is a string of bytes, from which a run continues on any machine
 * with the same bits. */
#include <polhode/constraints.h>
#include <polhode/integrator.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/kernels.h>
#include <polhode/kit/memory.h>
#include <polhode/kit/tensions.h>
#include <polhode/state.h>

#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"
#include "lib/internal/space.h"
#include "lib/system/evaluation.h"
#include "lib/system/structure.h"
#include "members.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------- */

/* [bytes] The carry starts at the start of a cache line, as methods read it with vector instructions. */
enum { LINE = 64 };

/* The place of the carry, n numbers. */
static double *lay_carry(ph_lay *l, size_t n)
{
    /* LINE - 16 bytes are enough to round up: ph_lay_bytes aligns to 16 */
    uintptr_t place = (uintptr_t)ph_lay_bytes(l, n * sizeof(double) + LINE - 16);
    return (double *)((place + LINE - 1) & ~(uintptr_t)(LINE - 1));
}

/* The places of the state and its arrays in one block; NULL while the size is counted. */
static ph_state *lay_state(ph_lay *l, const ph_integrator *it)
{
    const ph_space *space = ph_system_space(ph_integrator_system(it));
    size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    size_t nc = ph_integrator_method(it)->size(ph_integrator_system(it), ph_integrator_options(it)).carry;
    ph_state *state = ph_lay_bytes(l, sizeof *state);
    double *z = ph_lay_doubles(l, nz), *p = ph_lay_doubles(l, np), *carry = lay_carry(l, nc);
    if (state)
        *state = (ph_state){
            .z = z, .p = p, .carry = carry, .nz = nz, .np = np, .ncarry = nc, .kind = ph_integrator_kind(it)};
    return state;
}

size_t ph_state_size(const ph_integrator *it)
{
    ph_lay l = {NULL, 0};
    lay_state(&l, it);
    return l.bytes;
}

ph_state *ph_state_place(const ph_integrator *it, void *memory)
{
    ph_lay l = {memory, 0};
    memset(memory, 0, ph_state_size(it));
    return lay_state(&l, it);
}

ph_status ph_state_create(const ph_integrator *it, ph_state **state, ph_error *err)
{
    if (!it)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    void *memory = malloc(ph_state_size(it));
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *state = ph_state_place(it, memory);
    return PH_OK;
}

void ph_state_free(ph_state *state)
{
    free(state);
}

/* The head is copied as a whole, but for the places of the arrays. */
ph_status ph_state_copy(ph_state *to, const ph_state *from)
{
    if (!to || !from)
        return PH_E_INVALID;
    if (to->kind != from->kind)
        return PH_E_INVALID;
    ph_state head = *from;
    head.z = memcpy(to->z, from->z, from->nz * sizeof *to->z);
    head.p = memcpy(to->p, from->p, from->np * sizeof *to->p);
    head.carry = to->carry;
    if (from->ncarry)
        memcpy(to->carry, from->carry, from->ncarry * sizeof *to->carry);
    *to = head;
    return PH_OK;
}

/* ---- Setting ------------------------------------------------------------------------------------ */

/* Are all numbers finite? what: their name, for the message. */
static ph_status check_finite(const double *v, size_t n, const char *what, ph_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return ph_fail(err, PH_E_NOT_FINITE, "%s[%zu] is %g; every number must be finite", what, i, v[i]);
    return PH_OK;
}

/* p <- the momentum of the velocity v at z. */
static ph_status momentum_of_velocity(const ph_system *system, double t, const double *z, const double *v,
                                      double *p, double *work, ph_error *err)
{
    ph_status status = ph_system_momentum(system, t, z, v, p, work);
    return status ? ph_fail(err, status, "the Legendre transform of the velocity failed: %s",
                            ph_status_text(status))
                  : PH_OK;
}

/* Can the Legendre transform be inverted at z and the velocity v, or, where v is NULL, the velocity of the
 * momentum p? (The second derivative of a general Lagrangian depends on the velocity.) */
static ph_status check_regular(const ph_system *system, double t, const double *z, const double *v,
                               const double *p, double *work, ph_error *err)
{
    double condition = INFINITY, *found = work;
    const double *at = v;
    if (ph_system_is_regular(system))
        return PH_OK;
    work += ph_space_ambient(ph_system_space(system));
    ph_status status = PH_OK;
    if (!v && ph_system_kind(system) == PH_LAGRANGIAN_GENERAL) {
        status = ph_system_velocity(system, t, z, p, found, work);
        at = status ? NULL : found;
    }
    bool none = status == PH_E_NO_CONVERGENCE; /* why did the inversion fail? */
    if (!status || none)
        status = ph_check_regular(system, t, z, at, work, &condition);
    if (none && status != PH_E_SINGULAR)
        return ph_fail(err, PH_E_NO_CONVERGENCE, "no velocity was found that belongs to the momentum");
    if (status == PH_E_SINGULAR)
        return ph_fail(
            err, status,
            "the Lagrangian is not regular at this configuration and velocity: "
            "its Legendre transform cannot be inverted, as its second derivative in the tangent velocities "
            "is singular or not positive definite (condition number %.1e)",
            condition);
    return status ? ph_fail(err, status, "the second derivative of the Lagrangian at this state failed: %s",
                            ph_status_text(status))
                  : PH_OK;
}

/* Velocities that a strict admission takes as on the constraint, relative to |A| |v| + |b|. */
static const double on_constraint = 1e-12;

/* Does the momentum p belong to a velocity on the constraint at t and z? If not it is refused, or projected.
 * work: nz, and ph_system_constraint_work */
static ph_status admit_constraint(const ph_system *system, double t, const double *z, bool project, double *p,
                                  double *work, ph_error *err)
{
    double *v = work, error;
    work += ph_space_ambient(ph_system_space(system));
    if (!ph_system_constraints(system))
        return PH_OK;
    ph_status status = ph_system_velocity(system, t, z, p, v, work);
    if (!status)
        status = ph_system_constraint_error(system, t, z, v, &error, work);
    if (status)
        return ph_fail(err, status, "the velocity constraint failed at this state: %s",
                       ph_status_text(status));
    const bool off = !(error <= on_constraint);
    status = ph_system_constraint_project(system, t, z, v, work, err); /* also: are the rows independent? */
    if (status)
        return status;
    if (off && !project)
        return ph_fail(err, PH_E_NOT_TANGENT,
                       "the velocity is off the velocity constraint A zdot = b by %.3g of |A| |zdot| + |b|; "
                       "the projection (PH_PROJECT) would give the nearest one on it, which changes all "
                       "velocities: better compute the dependent ones from the others",
                       error);
    return error > 4 * DBL_EPSILON ? momentum_of_velocity(system, t, z, v, p, work, err) : PH_OK;
}

size_t ph_admission_work(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space),
                 regular = ph_regularity_work(system);
    size_t work = ph_system_constraints(system) ? ph_system_constraint_work(system) : ph_system_work(system);
    if (ph_structure_of(system)
            ->no_velocities) /* there is nothing to transform, and there may be 10^6 spins */
        return nz + np;
    return 3 * nz + 2 * np + (work > regular ? work : regular);
}

ph_status ph_admit(const ph_system *system, double t, const double *z, const double *w, bool velocity,
                   ph_admission admission, double *fresh, const double **momentum, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    const ph_structure *of = ph_structure_of(system);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space), nw = velocity ? nz : np;
    const bool project = admission == PH_PROJECT;
    ph_status status = check_finite(z, nz, "z", err);
    if (!status)
        status = check_finite(w, nw, velocity ? "velocity" : "pi", err);
    if (status)
        return status;
    double *w1 = fresh + nz, *p = velocity ? w1 + nw : w1, *work = w1 + nw + np;
    memcpy(fresh, z, nz * sizeof *fresh);
    memcpy(w1, w, nw * sizeof *fresh);
    status = ph_space_admit_point(space, project, fresh, err);
    if (!status && of->admit)
        status = of->admit(system, fresh, err);
    if (!status && velocity) {
        status = ph_space_admit_velocity(space, fresh, project, w1, err);
        if (!status)
            status = momentum_of_velocity(system, t, fresh, w1, p, work, err);
    } else if (!status) {
        status = ph_space_admit_momentum(space, fresh, project, w1, err);
    }
    if (!status)
        status = check_finite(p, np, "the momentum, pi", err);
    if (!status)
        status = check_regular(system, t, fresh, velocity ? w1 : NULL, p, work, err);
    if (!status)
        status = admit_constraint(system, t, fresh, project, p, work, err);
    *momentum = p;
    return status;
}

void ph_state_begin(ph_state *state, double t)
{
    if (state->ncarry)
        memset(state->carry, 0, state->ncarry * sizeof *state->carry);
    state->t = state->t_base = t;
    state->k = state->k_base = 0;
    state->h = 0;
}

/* Admits z and w, a velocity or a momentum; only when all is well the state is changed, with a new clock and an
 * empty carry. */
static ph_status admit_state(const ph_integrator *it, ph_state *state, double t, const double *z,
                             const double *w, bool velocity, ph_admission admission, ph_error *err)
{
    const ph_system *system = ph_integrator_system(it);
    const double *p;
    if (state->kind != ph_integrator_kind(it))
        return ph_fail(err, PH_E_INVALID,
                       "the state was made for another system, method or option than this integrator's");
    if (!isfinite(t))
        return ph_fail(err, PH_E_NOT_FINITE, "the time is %g; it must be finite", t);
    double *fresh = malloc(ph_admission_work(system) * sizeof *fresh);
    if (!fresh)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const ph_status status = ph_admit(system, t, z, w, velocity, admission, fresh, &p, err);
    if (!status) {
        memcpy(state->z, fresh, state->nz * sizeof *fresh);
        memcpy(state->p, p, state->np * sizeof *fresh);
        ph_state_begin(state, t);
    }
    free(fresh);
    return status;
}

ph_status ph_state_set(const ph_integrator *it, ph_state *state, double t, const double *z, const double *p,
                       ph_admission admission, ph_error *err)
{
    if (!it)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    if (!z != !p && (state->np || !z)) /* without momenta p may be NULL */
        return ph_fail(err, PH_E_INVALID, "give z and p together, or neither");
    return admit_state(it, state, t, z ? z : state->z, p ? p : state->p, false, admission, err);
}

ph_status ph_state_set_velocity(const ph_integrator *it, ph_state *state, double t, const double *z,
                                const double *zdot, ph_admission admission, ph_error *err)
{
    if (!it)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    const char *follows = ph_structure_of(ph_integrator_system(it))->velocity;
    if (z && follows) {
        if (zdot && ph_max_norm(zdot, state->nz) != 0)
            return ph_fail(err, PH_E_INVALID, "%s", follows);
        return admit_state(it, state, t, z, state->p, false, admission, err);
    }
    if (!z || !zdot)
        return ph_fail(err, PH_E_INVALID, "a configuration and a velocity are needed");
    return admit_state(it, state, t, z, zdot, true, admission, err);
}

/* ---- Packing ------------------------------------------------------------------------------------ */

static const char packed_tag[8] = "phstate1";
enum { HEAD_WORDS = 9, WORDS_OFF = 48 };

/* The fast paths that are switched off, of those on which it depends what a state carries: above the number of words carried, so
 * that a state that is written with all of them is the same as ever. */
static uint64_t off_layout(void)
{
    const unsigned paths = PH_PATH_SHORT_CHAINS | PH_PATH_CHAINS | PH_PATH_TREES | PH_PATH_ARTICULATED |
                           PH_PATH_TRAINS | PH_PATH_CARRY;
    return (uint64_t)(paths & ~ph_fast_paths()) << WORDS_OFF;
}

size_t ph_state_packed_size(const ph_state *state)
{
    return 8 * (HEAD_WORDS + state->nz + state->np + state->ncarry);
}

/* to (8 HEAD_WORDS bytes) <- tag, sizes and clock. */
static void pack_head(const ph_state *state, unsigned char *to)
{
    memcpy(to, packed_tag, sizeof packed_tag);
    to = ph_put_word(to + 8, state->nz);
    to = ph_put_word(to, state->np);
    to = ph_put_word(to, state->ncarry | off_layout());
    to = ph_put_double(to, state->t);
    to = ph_put_double(to, state->t_base);
    to = ph_put_double(to, state->h);
    to = ph_put_word(to, (uint64_t)state->k);
    ph_put_word(to, (uint64_t)state->k_base);
}

/* Words first ... first + n - 1 of the packed state, which is head, z, p, carry, 8 bytes a word. */
void ph_state_pack_part(const ph_state *state, size_t first, size_t n, void *bytes)
{
    const struct {
        const double *values;
        size_t n;
    } parts[] = {{state->z, state->nz}, {state->p, state->np}, {state->carry, state->ncarry}};
    unsigned char head[8 * HEAD_WORDS], *to = bytes;
    if (first < HEAD_WORDS) {
        const size_t some = HEAD_WORDS - first < n ? HEAD_WORDS - first : n;
        pack_head(state, head);
        memcpy(to, head + 8 * first, 8 * some);
        to += 8 * some;
        first += some;
        n -= some;
    }
    first -= HEAD_WORDS;
    for (size_t i = 0; n && i < sizeof parts / sizeof parts[0]; i++) {
        if (first < parts[i].n) {
            const size_t some = parts[i].n - first < n ? parts[i].n - first : n;
            to = ph_put_doubles(to, parts[i].values + first, some);
            first += some;
            n -= some;
        }
        first -= parts[i].n;
    }
}

void ph_state_pack(const ph_state *state, void *bytes)
{
    ph_state_pack_part(state, 0, ph_state_packed_size(state) / 8, bytes);
}

/* Are n packed numbers finite? */
static ph_status check_packed_finite(const unsigned char *from, size_t n, const char *what, ph_error *err)
{
    double value;
    for (size_t i = 0; i < n; i++) {
        from = ph_get_double(from, &value);
        if (!isfinite(value))
            return ph_fail(err, PH_E_NOT_FINITE, "%s of the packed state has %g; every number must be finite",
                           what, value);
    }
    return PH_OK;
}

/* Do the bytes begin as a packed state, and one of this size? */
static ph_status check_sizes(const ph_state *state, const unsigned char *from, size_t size, ph_error *err)
{
    uint64_t nz, np, ncarry;
    if (size < 8 * HEAD_WORDS || memcmp(from, packed_tag, sizeof packed_tag))
        return ph_fail(err, PH_E_PARSE, "these %zu bytes are no packed state", size);
    ph_get_word(ph_get_word(ph_get_word(from + 8, &nz), &np), &ncarry);
    const uint64_t off = off_layout(), all = (uint64_t)-1 << WORDS_OFF;
    if ((ncarry & all) != off && (ncarry & ~all) == state->ncarry)
        return ph_fail(
            err, PH_E_INVALID,
            "the packed state was written where POLHODE_KERNELS switches other fast paths off, and carries other "
            "numbers; set the variable as it was then");
    ncarry ^= off;
    if (nz != state->nz || np != state->np || ncarry != state->ncarry)
        return ph_fail(err, PH_E_SIZE,
                       "the packed state has %llu, %llu and %llu numbers in z, p and carry; "
                       "the system, method and options here need %zu, %zu and %zu",
                       (unsigned long long)nz, (unsigned long long)np, (unsigned long long)(ncarry & ~all),
                       state->nz, state->np, state->ncarry);
    if (size != ph_state_packed_size(state))
        return ph_fail(err, PH_E_SIZE, "the packed state has %zu bytes; %zu are expected", size,
                       ph_state_packed_size(state));
    return PH_OK;
}

/* All is checked before anything is changed. The carry may hold numbers that are not finite: what they
 * mean is up to the method. */
ph_status ph_state_unpack(ph_state *state, const void *bytes, size_t size, ph_error *err)
{
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    const unsigned char *clock = (const unsigned char *)bytes + 32, *numbers = clock + 40;
    ph_state head = *state;
    uint64_t k, k_base;
    ph_status status = check_sizes(state, bytes, size, err);
    if (!status)
        status = check_packed_finite(clock, 3, "the clock", err);
    if (!status)
        status = check_packed_finite(numbers, state->nz, "z", err);
    if (!status)
        status = check_packed_finite(numbers + 8 * state->nz, state->np, "p", err);
    if (status)
        return status;
    clock = ph_get_double(ph_get_double(ph_get_double(clock, &head.t), &head.t_base), &head.h);
    ph_get_word(ph_get_word(clock, &k), &k_base);
    head.k = (int64_t)k;
    head.k_base = (int64_t)k_base;
    if (head.k_base < 0 || head.k < head.k_base)
        return ph_fail(err, PH_E_RANGE, "the packed state has taken %lld steps, %lld before its step size",
                       (long long)head.k, (long long)head.k_base);
    *state = head;
    numbers = ph_get_doubles(numbers, state->z, state->nz);
    numbers = ph_get_doubles(numbers, state->p, state->np);
    ph_get_doubles(numbers, state->carry, state->ncarry);
    return PH_OK;
}
