/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes (one list: code and text) and the error record that carries the particulars.
 *
 * Every fallible function returns a ph_status. The library never prints, exits or aborts. Functions
 * that take a ph_error fill it when they fail: what is wrong, where, and what would be right.
 *
 * Handles (a system, method, integrator, state, ...) come from functions that may fail. A function with a
 * ph_status answers one that is NULL by PH_E_INVALID, or, where its ph_error holds a failure already, by
 * that: it is the reason, and its message stays, so that in a chain of calls with one ph_error the first
 * failure is what is read at the end. (Of a method, model, form or format that was sought by name only
 * PH_E_UNKNOWN of that search is taken for it.) Functions without a status ask for handles that are there. */
#ifndef POLHODE_STATUS_H
#define POLHODE_STATUS_H

#include <polhode/export.h>

/** The list: X(code, text) for every status. */
#define PH_STATUS_LIST(X)                                                                                    \
    X(PH_OK, "success")                                                                                      \
    X(PH_E_INVALID, "invalid argument")                                                                      \
    X(PH_E_RANGE, "value out of range")                                                                      \
    X(PH_E_SIZE, "wrong number of values")                                                                   \
    X(PH_E_UNKNOWN, "unknown name")                                                                          \
    X(PH_E_NOT_FINITE, "a number is NaN or infinite")                                                        \
    X(PH_E_NOT_ON_MANIFOLD, "the configuration is not on its manifold")                                      \
    X(PH_E_NOT_TANGENT, "a velocity or momentum is not tangent to the manifold")                             \
    X(PH_E_UNSUPPORTED, "the method does not support this system")                                           \
    X(PH_E_NO_MEMORY, "out of memory")                                                                       \
    X(PH_E_SINGULAR, "a matrix is singular or not positive definite")                                        \
    X(PH_E_NO_SOLUTION, "the implicit equations of this step have no solution: the step is too large")       \
    X(PH_E_NO_CONVERGENCE, "the iteration did not converge")                                                 \
    X(PH_E_CALLBACK, "a callback reported failure")                                                          \
    X(PH_E_DIVERGED, "the trajectory left the finite numbers")                                               \
    X(PH_E_INTERRUPTED, "interrupted")                                                                       \
    X(PH_E_STOPPED, "a stop condition was met")                                                              \
    X(PH_E_PARSE, "the text cannot be read")                                                                 \
    X(PH_E_EXISTS, "the output exists already")                                                              \
    X(PH_E_IO, "input or output failed")

/** How a function ended; the list is PH_STATUS_LIST. */
typedef enum ph_status {
#define PH_STATUS_ENUM(code, text) code,
    PH_STATUS_LIST(PH_STATUS_ENUM)
#undef PH_STATUS_ENUM
        PH_STATUS_COUNT
} ph_status;

/** Room for one message, owned by the caller; no clean-up is needed. */
typedef struct ph_error {
    ph_status status; /**< what kind of failure */
    /** Zero-terminated, one line, cut at the end if too long. That of a formula (formula.h) has the text and
     * a caret in two more lines, which begin with four spaces. */
    char message[512];
} ph_error;

PH_BEGIN_DECLS

/** The name of a status, "PH_E_RANGE". A static string, never NULL; thread-safe. */
PH_API const char *ph_status_name(ph_status status);
/** Its text in PH_STATUS_LIST. A static string, never NULL; thread-safe. */
PH_API const char *ph_status_text(ph_status status);

/** Fill an error record and return its status, so that a failing function can end in one line:
 *     return ph_fail(err, PH_E_RANGE, "mass %zu is %g kg; it must be positive", i, m);
 * err may be NULL. Thread-safe when err is not shared. */
PH_API ph_status ph_fail(ph_error *err, ph_status status, const char *format, ...) PH_PRINTF(3, 4);

PH_END_DECLS
#endif
