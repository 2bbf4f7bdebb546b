/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a handle is NULL that another function was to give: its failure is the reason, and its message stays.
 * (Here, not in a file of the core: libpolhode-io needs it, too, and it is not for users.) */
#ifndef PH_INTERNAL_MISSING_H
#define PH_INTERNAL_MISSING_H

#include <polhode/status.h>

#include <stdbool.h>
#include <string.h>

/* Does it hold a failure? It may never have been filled: its bytes may be any. */
static inline bool ph_holds_failure(const ph_error *err)
{
    return err && (unsigned)err->status < PH_STATUS_COUNT && err->status != PH_OK && err->message[0] &&
           memchr(err->message, '\0', sizeof err->message);
}

static inline ph_status ph_missing(ph_error *err, const char *what, const char *source)
{
    return ph_fail(err, PH_E_INVALID,
                   "there is no %s (it is NULL); it is to come from %s, which may have failed", what, source);
}

/* There is no `what` (NULL), which `source` creates. If err holds a failure, that is why: it stays, and its
 * status is returned. Else PH_E_INVALID. */
static inline ph_status ph_not_created(ph_error *err, const char *what, const char *source)
{
    return ph_holds_failure(err) ? err->status : ph_missing(err, what, source);
}

/* The same of what `source` finds by its name: only its own failure stays, PH_E_UNKNOWN with a message of such
 * a `what`. So in ph_integrator_create(..., ph_method_find(name, &err), ..., &err) the suggestion is not lost,
 * and another failure, before, is not taken for it. */
static inline ph_status ph_not_found(ph_error *err, const char *what, const char *source)
{
    const bool its = ph_holds_failure(err) && err->status == PH_E_UNKNOWN && strstr(err->message, what);
    return its ? err->status : ph_missing(err, what, source);
}

#endif
