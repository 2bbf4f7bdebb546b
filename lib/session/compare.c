/* SPDX-License-Identifier: BSD-3-Clause */
/* Before a session is resumed: has another build begun the archive, and has the scenario changed since? The
 * archived text is what is run; a file that says something else by now causes a warning, or a refusal
 * where it was named. A system of the caller's must have the name, method, options and step size that are
 * recorded. */
#include "parts.h"

#include "lib/archive/file.h"
#include "lib/archive/words.h"
#include "lib/text/file.h"

#include <polhode/kit/text.h>
#include <polhode/version.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines are shown in so many bytes, of which so many are before the first one that differs. */
enum { SHOWN = 60, BEFORE = 30 };

/* A text, and the place where it is read. */
typedef struct reader {
    const char *at, *end;
} reader;

/* The next line without its end; false behind the last one. */
static bool next_line(reader *r, const char **line, size_t *n)
{
    if (r->at == r->end)
        return false;
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    *line = r->at;
    *n = (size_t)((end ? end : r->end) - r->at);
    r->at = end ? end + 1 : r->end;
    return true;
}

static bool inside_letter(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Where two lines begin to be shown: at their beginning, if there they differ in what is shown then. */
static size_t first_shown(const char *a, size_t n, const char *b, size_t m)
{
    size_t same = 0;
    while (same < n && same < m && a[same] == b[same])
        same++;
    size_t first = same < SHOWN ? 0 : same - BEFORE;
    while (first && inside_letter(a[first]))
        first--;
    return first;
}

/* How much of a line is shown: no half of a letter. */
static int shown(const char *line, size_t n)
{
    size_t most = n < SHOWN ? n : SHOWN;
    while (most && most < n && inside_letter(line[most]))
        most--;
    return (int)most;
}

/* The first line in which two texts differ, in words; false where they are the same. */
static bool find_difference(reader now, reader then, char *words, size_t size)
{
    const char *here = "", *there = "";
    size_t n = 0, m = 0;
    if (now.end - now.at == then.end - then.at && !memcmp(now.at, then.at, (size_t)(now.end - now.at)))
        return false;
    for (long number = 1;; number++) {
        const bool one = next_line(&now, &here, &n), other = next_line(&then, &there, &m);
        if (one && other && n == m && !memcmp(here, there, n))
            continue;
        if (!one && !other)
            return snprintf(words, size, "the end of line %ld", number - 1);
        const size_t first = one && other ? first_shown(here, n, there, m) : 0;
        const char *begin = first ? "\"..." : "\"";
        return snprintf(words, size, "line %ld: there %s%.*s%s, in the archive %s%.*s%s", number,
                        one ? begin : "nothing", one ? shown(here + first, n - first) : 0, here + first,
                        one ? "\"" : "", other ? begin : "nothing",
                        other ? shown(there + first, m - first) : 0, there + first, other ? "\"" : "");
    }
}

/* Does the file differ from the archived text? *read: could it be read? */
static bool differs(const char *path, const char *then, bool *read, char *words, size_t size)
{
    size_t n, m = strlen(then);
    char *now = NULL;
    *read = !ph_text_slurp(path, SIZE_MAX, &now, &n, NULL);
    bool different = *read && find_difference((reader){now, now + n}, (reader){then, then + m}, words, size);
    free(now);
    return different;
}

bool ph_session_texts_differ(const char *now, size_t n, const char *then, char *words, size_t size)
{
    return find_difference((reader){now, now + n}, (reader){then, then + strlen(then)}, words, size);
}

bool ph_session_same_text(const char *path, const char *text)
{
    char words[4 * SHOWN];
    bool read;
    const bool different = differs(path, text, &read, words, sizeof words);
    return read && !different;
}

/* A warning for the caller, who has given options.message. */
static void PH_PRINTF(2, 3) warn(const ph_session *s, const char *format, ...)
{
    char text[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    s->options.message(s->options.self, text);
}

/* The scenario that the caller names must be the archived one; where it names none, a change of the source
 * file is worth a warning. */
static ph_status compare_scenario(const ph_session *s, const char *wished, const ph_record *record,
                                  ph_error *err)
{
    const char *then = ph_record_meta(record, "scenario"), *source = ph_record_meta(record, "source");
    char words[4 * SHOWN];
    bool read;
    if (!then) /* which recalling it will report */
        return PH_OK;
    if (wished && differs(wished, then, &read, words, sizeof words))
        return ph_fail(
            err, PH_E_INVALID,
            "%.200s is not the scenario that the run was begun with: it differs in %s; to continue with the "
            "archived one leave out options.scenario",
            wished, words);
    if (wished && !read)
        return ph_fail(err, PH_E_INVALID, "%.300s: cannot be read", wished);
    if (!wished && source && s->options.message && differs(source, then, &read, words, sizeof words))
        warn(s, "%s has changed since the run was begun: it differs in %s; the archived text is what is run",
             source, words);
    return PH_OK;
}

/* Warns where another build of the library began the run. */
static void compare_build(const ph_session *s, const char *path, const ph_record *record)
{
    const char *version = ph_record_meta(record, "version"), *build = ph_record_meta(record, "build");
    char here[512];
    ph_archive_build(here, sizeof here);
    if (!version || !build || (!strcmp(version, ph_version()) && !strcmp(build, here)))
        return;
    warn(s,
         "%s was begun by version %s (%s), this is %s (%s); bits may differ from those of a run in one "
         "piece, see doc/reference/archive.md",
         path, version, build, ph_version(), here);
}

ph_status ph_session_compare(const ph_session *s, const char *wished, const char *path,
                             const ph_record *record, ph_error *err)
{
    if (s->options.message)
        compare_build(s, path, record);
    return compare_scenario(s, wished, record, err);
}

/* Has the archive this text under the key? `here`: what the caller has. */
static ph_status compare_text(const ph_record *record, const char *path, const char *key, const char *here,
                              ph_error *err)
{
    const char *there = ph_record_meta(record, key);
    if (there && !strcmp(there, here))
        return PH_OK;
    return ph_fail(err, PH_E_INVALID, "%.200s: was begun with the %s \"%.100s\", not \"%.100s\"", path, key,
                   there ? there : "", here);
}

ph_status ph_session_compare_plan(const ph_session_plan *plan, const char *path, const ph_record *record,
                                  ph_error *err)
{
    const ph_method *method = ph_integrator_method(plan->integrator);
    char options[512], step[64];
    if (ph_record_meta(record, "scenario"))
        return ph_fail(err, PH_E_INVALID, "%.300s: is of a scenario; ph_session_resume resumes it", path);
    ph_options_text(method, ph_integrator_options(plan->integrator), options, sizeof options);
    ph_number_text(ph_integrator_step_size(plan->integrator), step);
    ph_status status = compare_text(record, path, "name", plan->name, err);
    if (!status)
        status = compare_text(record, path, "method", method->name, err);
    if (!status)
        status = compare_text(record, path, "options", options, err);
    return status ? status : compare_text(record, path, "step", step, err);
}
