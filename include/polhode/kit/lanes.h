/* SPDX-License-Identifier: BSD-3-Clause */
/* For a method's step of eight states at once (`lanes` of ph_method): callbacks of their systems, by `lanes`
 * of the definitions where these have it, else one after the other; and steps of those that leave the
 * vectors. Each system gets the bits that it gets alone. Number i of system l is [8 i + l]. Thread-safe where
 * the callbacks are; nothing allocates. */
#ifndef POLHODE_LANES_H
#define POLHODE_LANES_H

#include <stddef.h>

#include <polhode/kit/memory.h>
#include <polhode/method.h>

PH_BEGIN_DECLS

/** Eight systems of one shape: in the scratch of a method. */
typedef struct ph_lanes_systems {
    const ph_system *systems[PH_METHOD_LANES]; /**< these */
    void *users[PH_METHOD_LANES];              /**< those of their callbacks */
    /** How many of them are evaluated, the first ones: all, unless it is set behind ph_lanes_place. */
    size_t count;
    /** Which of the functions below evaluate them at once: 1 << PH_LANES_GRADIENT, 1 << PH_LANES_FORCE,
     * 1 << PH_LANES_FORCE_DV, 1 << PH_LANES_LAGRANGIAN_GRADIENT. */
    unsigned together;
    double *work; /**< (ph_lanes_work) */
} ph_lanes_systems;

/** Doubles of work that the functions below need for systems of this shape. */
PH_API size_t ph_lanes_work(const ph_system *system);
/** *of <- the systems of the states of a step: context->systems, or eight times context->system. */
PH_API void ph_lanes_place(ph_lanes_systems *of, const ph_context *context, double *work);

/** dU (8 nz) <- the gradients of their potentials at z (8 nz), as by ph_system_gradient. Returns of which
 * systems the callback failed, as bits, here and below. */
PH_API unsigned ph_lanes_gradient(const ph_lanes_systems *of, const double *z, double *dU);
/** f (8 nz) <- their forces at t (8) [s], z and zdot (8 nz), as by ph_system_force. */
PH_API unsigned ph_lanes_force(const ph_lanes_systems *of, const double *t, const double *z,
                               const double *zdot, double *f);
/** dfdv (8 nz nz) <- their derivatives by zdot, as by ph_system_force_dv. */
PH_API unsigned ph_lanes_force_dv(const ph_lanes_systems *of, const double *t, const double *z,
                                  const double *zdot, double *dfdv);
/** L (8 x 2 nz) <- Lz, then Lv of their Lagrangians, as by ph_system_lagrangian_gradient. */
PH_API unsigned ph_lanes_lagrangian_gradient(const ph_lanes_systems *of, const double *t, const double *z,
                                             const double *zdot, double *L);

/** Steps of those of eight states that leave the vectors, each by a method for single states: in the scratch
 * of a method. */
typedef struct ph_lanes_alone {
    /** init, step, finish and synchronise (these nullable) of this one are called, nothing else. */
    const ph_method *method;
    /** one->carry <- that of a lane, and back, where a state does not carry eight of each of its numbers, as
     * it does where these are NULL. */
    void (*gather)(void *user, const ph_state *state, size_t lane, ph_state *one);
    void (*scatter)(void *user, const ph_state *one, size_t lane, ph_state *state); /**< and back */
    void *user;                                                                     /**< of these two */
    const ph_system *systems[PH_METHOD_LANES];                                      /**< of the lanes */
    const ph_system *ready;         /**< for which the method has been prepared; NULL: for none */
    ph_context context;             /**< its own, with its scratch */
    ph_state ones[PH_METHOD_LANES]; /**< states alone, before and after their steps */
} ph_lanes_alone;

/** Lay out what steps of single states of systems of this shape need, and what the method needs, `size`; the
 * members above are for the caller to set, behind ph_lanes_alone_begin. */
PH_API void ph_lanes_alone_lay(ph_lanes_alone *alone, ph_method_size size, const ph_system *system,
                               ph_lay *l);
/** For the systems, h and options of a step of eight, and this method. It is prepared for none of them. */
PH_API void ph_lanes_alone_begin(ph_lanes_alone *alone, const ph_method *method, const ph_context *context);
/** Prepare the method for the system of a lane, unless it is. The error of its init. */
PH_API ph_status ph_lanes_alone_ready(ph_lanes_alone *alone, size_t lane);
/** z and p of the state <- by the method's synchronise, lane by lane. */
PH_API void ph_lanes_alone_synchronise(ph_lanes_alone *alone, ph_state *state);
/** ones <- the ends of the steps by context->h of these lanes, as bits; the state is not changed. Where
 * several fail, the first failure is returned, with its message, and context->failed gets the lanes that have
 * the same status: the next call, without these, finds others. */
PH_API ph_status ph_lanes_alone_step(ph_lanes_alone *alone, ph_context *context, const ph_state *state,
                                     unsigned lanes);
/** These lanes of the state <- ones. */
PH_API void ph_lanes_alone_scatter(const ph_lanes_alone *alone, ph_state *state, unsigned lanes);
/** Give back what the method got (finish of ph_method). */
PH_API void ph_lanes_alone_finish(ph_lanes_alone *alone);

/** The energies of eight systems of spins that are declared by parts, in the scratch of a method. */
typedef struct ph_lanes_spins ph_lanes_spins;

/** Bytes of memory, at a multiple of 64, that ph_lanes_spins_place needs; 0: such energies are not evaluated
 * at once (callbacks, a field that depends on time, vortices of which each acts on each). */
PH_API size_t ph_lanes_spins_size(const ph_system *system);
/** Lay them out; NULL where these systems differ in more than numbers. */
PH_API ph_lanes_spins *ph_lanes_spins_place(const ph_lanes_systems *of, void *memory);
/** T (8 x 3n) <- their torques at z (8 x 3n), as by ph_spins_torque; T may not overlap z. */
PH_API void ph_lanes_torque(const ph_lanes_spins *spins, const double *z, double *T);

PH_END_DECLS
#endif
