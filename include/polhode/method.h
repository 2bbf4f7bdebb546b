/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods: a method describes itself as data. From this one struct come the catalogue, the option
 * parser and its error messages, `polhode methods`, the manual's table and the claims tests.
 *
 * A user's own method is a ph_method like ours: fill in the struct, hand it to
 * ph_integrator_create. memory.h lays out scratch, implicit.h solves the equations of a step.
 * CONTRIBUTING.md shows how one is written. */
#ifndef POLHODE_METHOD_H
#define POLHODE_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** What a method claims; each claim is measured in the test suite. */
enum {
    PH_CLAIM_SYMPLECTIC = 1 << 0, /**< without forces */
    PH_CLAIM_SYMMETRIC = 1 << 1,  /**< a step h, then -h, is the identity */
    PH_CLAIM_MOMENTUM = 1 << 2,   /**< keeps the momentum maps of the symmetries to rounding */
    PH_CLAIM_MANIFOLD = 1 << 3,   /**< keeps the configuration on the manifold to rounding */
    PH_CLAIM_IMPLICIT = 1 << 4,   /**< solves equations: statistics count iterations */
    PH_CLAIM_ADAPTIVE = 1 << 5,   /**< its error follows its option `rtol`, not h */
    /** Steps from several points, which the carry holds; from z and p alone it starts again. It is symmetric,
     * then, after its start. */
    PH_CLAIM_MULTISTEP = 1 << 6
};

/** What values an option has. */
typedef enum ph_option_type {
    PH_OPTION_NUMBER, /**< a real number in [min, max] */
    PH_OPTION_COUNT,  /**< a whole number in [min, max] */
    PH_OPTION_CHOICE  /**< one of the words in choices; the value is its position */
} ph_option_type;

/** An option of a method. */
typedef struct ph_option {
    const char *name;    /**< one word: "form" */
    ph_option_type type; /**< number, count or choice */
    double initial;      /**< the default; for a choice its position */
    double min, max;     /**< bounds, both included */
    const char *choices; /**< "one two three"; NULL unless PH_OPTION_CHOICE */
    const char *unit;    /**< nullable */
    const char *text;    /**< what it does, for people */
} ph_option;

/** An option as the caller gives it: name and value as text ("form", "q-omega"). */
typedef struct ph_setting {
    const char *name, *value; /**< as text */
} ph_setting;

/** Counters since the integrator was created. */
typedef struct ph_statistics {
    int64_t steps;         /**< taken */
    int64_t newton_passes; /**< iterations (Newton's, or sweeps), all steps together */
    int64_t branches;      /**< steps whose solution was followed from h = 0 */
    int64_t
        evaluations; /**< of the equations of motion, by methods that choose steps of their own inside one */
} ph_statistics;

/** What a method's functions get. */
typedef struct ph_context {
    const ph_system *system; /**< as bound */
    double h;                /**< step size [s]; may be negative; never 0 */
    const double *options;   /**< (n_options) values in the order of the table */
    /** The method's scratch, 64-byte aligned: nothing in it outlives a step, but what init put there. */
    void *work;
    ph_statistics *statistics; /**< count iterations and branches here; steps are counted by the caller */
    ph_error *error;           /**< fill it (ph_fail) when returning a failure */
    int64_t max_iterations;    /**< of a step (PH_ITERATIONS_OPTION); 0: no bound but the method's own */
    int64_t iterations_before; /**< newton_passes when the step began, if there is a bound */
    /** For a step of several states at once (`lanes` of ph_method): bit i is set here for each that has
     * failed. NULL elsewhere. */
    unsigned *failed;
    /** For a step of several states at once: (PH_METHOD_LANES) the systems of these states, each of the shape
     * of `system`, which is the first. NULL: `system` is that of all. Only where `takes_systems`. */
    const ph_system *const *systems;
} ph_context;

/** A bound on the work of a step, for the options of a method that iterates or chooses internal steps; by
 * this name an integrator finds its value. States of integrators that differ in it alone fit each other. */
#define PH_ITERATIONS_OPTION                                                                                 \
    {                                                                                                        \
        .name = "max-iterations", .type = PH_OPTION_COUNT, .min = 0, .max = 1e9,                             \
        .text = "bound on the work of a step, looked at before each set of equations: one that has made "    \
                "this many iterations, or internal steps, fails, and the state stays; 0: no such bound"      \
    }
/** Before a method begins an iteration, or the equations of a stage: PH_OK, or PH_E_NO_CONVERGENCE, with
 * context->error filled, where the step from t [s] has made as many as `max-iterations` allows. */
PH_API ph_status ph_context_allow(const ph_context *context, double t);
/** How many internal steps a method may make in a step that would make at most `own`. */
PH_API int64_t ph_context_most(const ph_context *context, int64_t own);

/** How many states the functions of `lanes` make a step of at once. */
#define PH_METHOD_LANES 8

/** For a method that has called the system: PH_OK where the status of a callback is and what it wrote to
 * v (n) is finite; else that status or PH_E_NOT_FINITE, with context->error filled.
 *   what  which callback, for the message: "the force"
 *   t     [s] where it was called */
PH_API ph_status ph_context_judge(const ph_context *context, const char *what, double t, ph_status status,
                                  const double *v, size_t n);

/** Memory that a method needs. */
typedef struct ph_method_size {
    size_t work;  /**< bytes of scratch */
    size_t carry; /**< doubles in the state's carry */
} ph_method_size;

/** A method, described as data. */
typedef struct ph_method {
    const char *name;      /**< one word: "variational" */
    const char *summary;   /**< one line */
    const char *reference; /**< paper and equation */
    /** Order of convergence, on every system and with all options; for an adaptive method that of
     * the formula inside. */
    int order;
    unsigned claims;          /**< PH_CLAIM_..., likewise */
    const ph_option *options; /**< (n_options) */
    size_t n_options;         /**< how many */

    /** The order on this system with these options, where it may be higher than `order`. NULL: it is not. */
    int (*order_for)(const ph_system *system, const double *options);
    /** What it claims there in addition to `claims`. NULL: nothing. */
    unsigned (*claims_for)(const ph_system *system, const double *options);
    /** PH_OK, or PH_E_UNSUPPORTED with the reason. NULL: every system. */
    ph_status (*supports)(const ph_system *system, ph_error *err);
    /** The memory that it needs for this system and these options. */
    ph_method_size (*size)(const ph_system *system, const double *options);
    /** Prepare the scratch for this system, h and options: when the integrator is created, and again when its
     * step size is set. NULL: nothing to do. */
    ph_status (*init)(ph_context *context);
    /** Give back what init got from elsewhere (memory, handles of other libraries). Called exactly once for
     * each call of init, also for one that failed, wherever it did: before the next init, or when the
     * integrator is freed. NULL: nothing to give back, which is so for a method that needs no more than its
     * scratch. */
    void (*finish)(ph_context *context);
    /** One step from state->t by h: writes z, p and carry, and only when it succeeds. The caller
     * advances t and k. No allocation. A carry of zeros means that the state was just set. */
    ph_status (*step)(ph_context *context, ph_state *state);
    /** For a method that keeps its own account of the motion in the carry, and does without z or p between
     * steps: writes z and p of the last step's end. Later steps have the same bits whether it was called or
     * not: in the carry it does at most what the next step would begin with. Called once after the steps of
     * each ph_integrator_step, also of one that failed after its first step. NULL: step writes them. */
    void (*synchronise)(ph_context *context, ph_state *state);
    /** Options that leave a choice to the method <- what it is on this system, before anything else that
     * gets them: archives and summaries say what was done, and a run resumes as it began. NULL:
     * nothing is left. */
    void (*settle)(const ph_system *system, double *options);
    /** Does it keep velocity constraints (polhode/constraints.h)? Where not, no integrator is created for a
     * system that has some. */
    bool takes_constraints;
    /** Does it step spheres as phase space (spins.h)? Where not, no integrator is created for such a
     * system. */
    bool takes_spins;
    /** Does it step systems that are seen from a turning frame (routh.h) by steps of the whole,
     * though it does not keep velocity constraints? */
    bool takes_reduced;
    /** Does it step by any part of h as well as by h, without a memory of the steps before that matters?
     * Then states between two steps (dense.h) are ends of shorter ones, where its order is higher than that
     * of interpolation. */
    bool takes_parts;
    /** A method that makes the same step of PH_METHOD_LANES states at once, for ensembles (ensemble.h): it
     * gets a state whose z, p and carry have so many numbers, one of each, in place of every one; its `size`
     * has the carry of all of them, and so has `step` all of their steps or, with context->failed, none. NULL
     * there: on this system, with these options, there is none. NULL: there never is. */
    const struct ph_method *(*lanes)(const ph_system *system, const double *options);
    /** May the states be those of different systems (systems in ph_context), of which `lanes` returns the
     * same and `size` the same sizes? It is asked of what `lanes` returns. Where not, members of different
     * systems step one after the other. */
    bool takes_systems;
} ph_method;

/** PH_OK, or PH_E_UNSUPPORTED with the reason: does the method take the system (velocity constraints, and
 * what its `supports` asks), whatever its options? A form or another option may refuse it still.
 * Thread-safe. */
PH_API ph_status ph_method_supports(const ph_method *method, const ph_system *system, ph_error *err);

/** How many methods the catalogue has. They are static data; thread-safe. */
PH_API size_t ph_methods(void);
/** The i-th of them; NULL beyond the last. */
PH_API const ph_method *ph_method_at(size_t i);
/** By name; NULL and PH_E_UNKNOWN in err when there is none: with a suggestion, or with what a method takes
 * that this build is without. */
PH_API const ph_method *ph_method_find(const char *name, ph_error *err);

/** values (n_options) <- defaults, overridden by the settings.
 * PH_E_UNKNOWN (no such option; the message suggests), PH_E_RANGE, PH_E_INVALID (not a number). */
PH_API ph_status ph_method_options(const ph_method *method, const ph_setting *settings, size_t n,
                                   double *values, ph_error *err);

/** The order of the method on this system with these values of its options (n_options); `order` where it does
 * not take the system. */
PH_API int ph_method_order(const ph_method *method, const ph_system *system, const double *options);
/** What it claims there: PH_CLAIM_...; `claims` where it does not take the system. */
PH_API unsigned ph_method_claims(const ph_method *method, const ph_system *system, const double *options);

PH_END_DECLS
#endif
