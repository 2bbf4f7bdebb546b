/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a file with their numbers, words and numbers in them (shape.h). */
#include "shape.h"

#include "lib/text/file.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Far more than any surface or configuration needs. */
static const size_t longest = (size_t)1 << 30;

ph_status ph_lines_open(ph_lines *l, const char *path, ph_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t length;
    *l = (ph_lines){.path = path};
    ph_status status = ph_text_slurp(path, longest, &l->text, &length, err);
    if (status)
        return status;
    if (length > longest) {
        ph_lines_close(l);
        return ph_fail(err, PH_E_SIZE, "%s: has more than %zu bytes, which is too long here", path, longest);
    }
    l->end = l->text + length; /* a byte behind it is ours, too */
    l->at = l->text + (length >= 3 && !memcmp(l->text, mark, 3) ? 3 : 0);
    return PH_OK;
}

bool ph_lines_next(ph_lines *l)
{
    while (l->at < l->end) {
        char *const stop = memchr(l->at, '\n', (size_t)(l->end - l->at)), *last = stop ? stop : l->end;
        l->line = l->at;
        l->at = stop ? stop + 1 : l->end;
        l->number++;
        while (last > l->line && strchr("\r\n \t", last[-1]))
            last--;
        *last = '\0';
        if (last > l->line)
            return true;
    }
    return false;
}

void ph_lines_close(ph_lines *l)
{
    free(l->text);
    l->text = NULL;
}

ph_status ph_lines_fail(const ph_lines *l, ph_error *err, const char *what, const char *word)
{
    char shown[48];
    return ph_fail(err, PH_E_PARSE, word ? "%s:%zu: %s: \"%s\"" : "%s:%zu: %s", l->path, l->number, what,
                   word ? ph_text_show(shown, sizeof shown, word) : "");
}

ph_status ph_lines_short(const ph_lines *l, ph_error *err, const char *what)
{
    return ph_fail(err, PH_E_PARSE, "%s: ends after line %zu, before %s", l->path, l->number, what);
}

char *ph_next_word(char **at, const char *between)
{
    char *word = *at;
    while (*word && (strchr(" \t", *word) || strchr(between, *word)))
        word++;
    if (!*word)
        return NULL;
    char *end = word;
    while (*end && !strchr(" \t", *end) && !strchr(between, *end))
        end++;
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

ph_status ph_lines_numbers(const ph_lines *l, char *at, double *x, size_t most, size_t *n, ph_error *err)
{
    *n = 0;
    for (const char *word; (word = ph_next_word(&at, ",;")) && *word != '#'; ++*n) {
        if (*n == most) {
            char what[48];
            snprintf(what, sizeof what, "there are more than %zu numbers", most);
            return ph_lines_fail(l, err, what, word);
        }
        if (ph_parse_number(word, &x[*n]))
            return ph_lines_fail(l, err, "this is not a number", word);
    }
    return PH_OK;
}

bool ph_is_whole(double x)
{
    return x >= 0 && x < 4294967295. && x == floor(x);
}
