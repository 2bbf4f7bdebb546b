/* SPDX-License-Identifier: BSD-3-Clause */
/* Status names and texts from the one list in status.h, the error record, and the version. */
#include <polhode/status.h>
#include <polhode/version.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* Makes the message one line of whole characters: control characters become '?', and a UTF-8 character that
 * was cut at the end is removed. */
static void tidy(char *message, size_t room)
{
    size_t n = strlen(message);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)message[i] < 0x20 || message[i] == 0x7f)
            message[i] = '?';
    if (n + 1 < room)
        return;
    while (n > 0 && ((unsigned char)message[n - 1] & 0xc0) == 0x80)
        n--;
    if (n > 0 && (unsigned char)message[n - 1] >= 0xc0)
        n--;
    message[n] = '\0';
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
        tidy(err->message, sizeof err->message);
    }
    return status;
}

const char *ph_version(void)
{
    return PH_VERSION;
}
