/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a trajectory: time, step count, configuration z, momentum p, and the carry of the
 * method: everything that survives a step and is not z or p (increments, an unprojected velocity).
 *
 * A state belongs to one kind of integrator: one system, method and set of options. Others refuse it
 * (PH_E_INVALID).
 * One block of memory, which the caller may own. A state is used by one thread at a time. */
#ifndef POLHODE_STATE_H
#define POLHODE_STATE_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

PH_BEGIN_DECLS

/** Read the fields freely; write z and p only through ph_state_set (it clears the carry). */
typedef struct ph_state {
    double t;              /**< time [s] = t_base + (k - k_base) h, never a running sum */
    int64_t k;             /**< steps taken since ph_state_set */
    double *z;             /**< (nz) configuration */
    double *p;             /**< (np) momentum */
    double *carry;         /**< (ncarry) the method's own; all zero = empty */
    size_t nz, np, ncarry; /**< numbers in z, p and carry */
    double t_base, h;      /**< the integrator's clock: see t */
    int64_t k_base;        /**< likewise */
    uint64_t kind;         /**< of the integrators that it fits: same system, method and options; any h */
} ph_state;

struct ph_integrator;

/** Bytes of one state of this integrator. */
PH_API size_t ph_state_size(const struct ph_integrator *integrator);
/** A state laid into the caller's memory of that size (aligned as malloc's). Not yet set: call
 * ph_state_set. */
PH_API ph_state *ph_state_place(const struct ph_integrator *integrator, void *memory);

/** The same on the heap. PH_E_NO_MEMORY. */
PH_API ph_status ph_state_create(const struct ph_integrator *integrator, ph_state **state, ph_error *err);
PH_API void ph_state_free(ph_state *state); /**< Free one of ph_state_create; NULL is allowed. */

/** How ph_state_set treats data that is slightly or grossly off the manifold. */
typedef enum ph_admission {
    PH_STRICT, /**< off by more than 1e-12 is an error; less is corrected */
    /** z and the velocity or momentum are projected, where there is a nearest: on the tangent space, then on
     * the velocity constraints (ph_system_constraint_project), where there are some. */
    PH_PROJECT
} ph_admission;

/** Set time, configuration and momentum; k = 0, carry empty. On error the state is unchanged.
 *   z (nz), p (np)  may be NULL together to keep the present ones; of spins, which have no
 *                   momenta, p may be NULL alone
 * PH_E_INVALID (a state of another kind), PH_E_NOT_FINITE, PH_E_NOT_ON_MANIFOLD, PH_E_NOT_TANGENT: the
 * message names the factor and says what the projection would give. PH_E_SINGULAR where the Lagrangian is not
 * regular: the Legendre transform has no inverse there, or its velocity constraints depend on each other (off
 * them: PH_E_NOT_TANGENT). A failure of the system's callbacks. */
PH_API ph_status ph_state_set(const struct ph_integrator *integrator, ph_state *state, double t,
                              const double *z, const double *p, ph_admission admission, ph_error *err);

/** The same from a velocity zdot (nz), by the Legendre transform. For spins (spins.h), whose velocity
 * follows from z, zdot is NULL or zeros; PH_E_INVALID otherwise. */
PH_API ph_status ph_state_set_velocity(const struct ph_integrator *integrator, ph_state *state, double t,
                                       const double *z, const double *zdot, ph_admission admission,
                                       ph_error *err);

/** to <- from, carry included; both of the same kind. PH_E_INVALID otherwise. */
PH_API ph_status ph_state_copy(ph_state *to, const ph_state *from);

/** Bytes of the state when it is packed: 72 + 8 (nz + np + ncarry). */
PH_API size_t ph_state_packed_size(const ph_state *state);

/** The whole state as bytes, to be kept or sent: words of eight bytes, little-endian on every machine:
 *   "phstate1" (eight letters), nz, np, ncarry (unsigned), t, t_base, h (doubles), k, k_base (signed),
 *   z (nz), p (np), carry (ncarry): doubles
 * bytes: ph_state_packed_size of them. `kind` is not among them: the state that they are
 * unpacked into has it. */
PH_API void ph_state_pack(const ph_state *state, void *bytes);

/** n words of them, from the word `first` on (8 n bytes), for a state that is to be written
 * piece by piece. */
PH_API void ph_state_pack_part(const ph_state *state, size_t first, size_t n, void *bytes);

/** A packed state into one that an integrator of the same system, method, options and step size has made
 * (that they are the same only the caller can know): steps continue with the same bits.
 * PH_E_SIZE (other lengths), PH_E_PARSE (no packed state), PH_E_RANGE (step counts that cannot be),
 * PH_E_NOT_FINITE (t, z or p); the state is unchanged then. */
PH_API ph_status ph_state_unpack(ph_state *state, const void *bytes, size_t size, ph_error *err);

PH_END_DECLS
#endif
