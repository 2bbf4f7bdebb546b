/* SPDX-License-Identifier: BSD-3-Clause */
/* Status names and texts from the one list in status.h, the error record, and the version. */
#include <polhode/status.h>
#include <polhode/version.h>

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *name, *text;
} table[] = {
#define PH_STATUS_ROW(code, text) {#code, text},
    PH_STATUS_LIST(PH_STATUS_ROW)
#undef PH_STATUS_ROW
};

const char *ph_status_name(ph_status status)
{
    return (unsigned)status < PH_STATUS_COUNT ? table[status].name : "unknown status";
}

const char *ph_status_text(ph_status status)
{
    return (unsigned)status < PH_STATUS_COUNT ? table[status].text : "unknown status";
}

ph_status ph_fail(ph_error *err, ph_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        if (vsnprintf(err->message, sizeof err->message, format, args) < 0)
            err->message[0] = '\0';
        va_end(args);
    }
    return status;
}

const char *ph_version(void)
{
    return PH_VERSION;
}
