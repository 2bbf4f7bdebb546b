/* SPDX-License-Identifier: BSD-3-Clause */
/* Before a session goes on: has another build begun the archive, and has the scenario changed since? The
 * archived text is what is run; a file that says something else by now is worth a word, or a refusal where it
 * was named. */
#include "session-parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines that are shown are cut at so many bytes. */
enum { SHOWN = 60 };

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

/* How much of a line is shown: no half of a letter. */
static int shown(const char *line, size_t n)
{
    size_t most = n < SHOWN ? n : SHOWN;
    while (most && most < n && ((unsigned char)line[most] & 0xc0) == 0x80)
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
        return snprintf(words, size, "line %ld: there %s%.*s%s, in the archive %s%.*s%s", number,
                        one ? "\"" : "nothing", one ? shown(here, n) : 0, here, one ? "\"" : "",
                        other ? "\"" : "nothing", other ? shown(there, m) : 0, there, other ? "\"" : "");
    }
}

/* The whole file, or NULL. */
static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL, *larger;
    size_t room = 0, got = 1;
    *n = 0;
    while (f && got) {
        if (*n == room) {
            room = 2 * room + 65536;
            larger = realloc(text, room);
            if (!larger)
                break;
            text = larger;
        }
        got = fread(text + *n, 1, room - *n, f);
        *n += got;
    }
    const bool whole = f && !got && !ferror(f);
    if (f)
        fclose(f);
    if (whole)
        return text;
    free(text);
    return NULL;
}

/* Does the file differ from the archived text? *read tells whether it could be read. */
static bool differs(const char *path, const char *then, bool *read, char *words, size_t size)
{
    size_t n, m = strlen(then);
    char *now = read_file(path, &n);
    *read = now;
    bool different = now && find_difference((reader){now, now + n}, (reader){then, then + m}, words, size);
    free(now);
    return different;
}

static ph_status compare_scenario(const session *s, const ph_record *record, ph_error *err)
{
    const char *then = ph_record_meta(record, "scenario"), *source = ph_record_meta(record, "source");
    const char *wished = s->wishes->scenario;
    char words[4 * SHOWN];
    bool read;
    if (!then) /* which recalling it will tell */
        return PH_OK;
    if (wished && differs(wished, then, &read, words, sizeof words))
        return ph_fail(err, PH_E_INVALID,
                       "%.200s is not the scenario that the run was begun with: it differs in %s; "
                       "to go on with the archived one leave out --scenario",
                       wished, words);
    if (wished && !read)
        return ph_fail(err, PH_E_INVALID, "%.300s: cannot be read", wished);
    if (!wished && source && !s->wishes->quiet && differs(source, then, &read, words, sizeof words))
        complain(0,
                 "warning: %s has changed since the run was begun: it differs in %s; "
                 "the archived text is what is run",
                 source, words);
    return PH_OK;
}

static void compare_build(const session *s, const ph_record *record)
{
    const char *version = ph_record_meta(record, "version"), *build = ph_record_meta(record, "build");
    char here[512];
    ph_archive_build(here, sizeof here);
    if (!version || !build || (!strcmp(version, ph_version()) && !strcmp(build, here)))
        return;
    complain(0,
             "warning: %s was begun by version %s (%s), this is %s (%s); "
             "bits may differ from those of a run in one piece, see doc/archive.md",
             s->path, version, build, ph_version(), here);
}

ph_status session_compare(const session *s, const ph_record *record, ph_error *err)
{
    if (!s->wishes->quiet)
        compare_build(s, record);
    return compare_scenario(s, record, err);
}
