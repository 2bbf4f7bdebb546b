/* SPDX-License-Identifier: BSD-3-Clause */
/* For a NULL handle that another function should have returned: the failure of that function is the reason,
 * so its message is kept. (In a header, not in a file of the core: libpolhode-io needs it, too, and it is not
 * public.) */
#ifndef PH_INTERNAL_MISSING_H
#define PH_INTERNAL_MISSING_H

#include <polhode/status.h>

#include <stdbool.h>
#include <string.h>

/* Does err hold a failure? It may be uninitialised, so its bytes are checked before they are believed. */
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

/* `what`, which `source` creates, is NULL. If err holds a failure, that is the reason: it is kept, and its
 * status is returned. Else PH_E_INVALID. */
static inline ph_status ph_not_created(ph_error *err, const char *what, const char *source)
{
    return ph_holds_failure(err) ? err->status : ph_missing(err, what, source);
}

/* The same for what `source` finds by its name: only its own failure is kept, PH_E_UNKNOWN with a message
 * about such a `what`. So in ph_integrator_create(..., ph_method_find(name, &err), ..., &err) the suggestion
 * is not lost, and an earlier, unrelated failure is not mistaken for it. */
static inline ph_status ph_not_found(ph_error *err, const char *what, const char *source)
{
    const bool its = ph_holds_failure(err) && err->status == PH_E_UNKNOWN && strstr(err->message, what);
    return its ? err->status : ph_missing(err, what, source);
}

#endif
