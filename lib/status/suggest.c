/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": the nearest name by edit distance (insertion, deletion, exchange, swap of
 * neighbours), or else one that has the word as a part; and the error message for an unknown name. */
#include <polhode/kit/text.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

/* The smallest of three. */
static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Case and the choice between - and _ do not count. */
static int fold_letter(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

/* The edit distance of two words, by dynamic programming with three rows: the two before are needed for a
 * swap of neighbours. LONGEST where a word is longer than that. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t rows[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = fold_letter(a[i - 1]) != fold_letter(b[j - 1]);
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + change);
            if (i > 1 && j > 1 && fold_letter(a[i - 1]) == fold_letter(b[j - 2]) &&
                fold_letter(a[i - 2]) == fold_letter(b[j - 1]) && two[j - 2] + 1 < row[j])
                row[j] = two[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

/* Is the word, perhaps without the s of a plural, one of the parts of the name, between its hyphens? */
static bool is_part(const char *word, const char *name)
{
    const size_t all = strlen(word), least = all > 3 && word[all - 1] == 's' ? all - 1 : all;
    for (const char *at = name; at; at = strpbrk(at, "-_") ? strpbrk(at, "-_") + 1 : NULL) {
        const size_t part = strcspn(at, "-_");
        size_t same = 0;
        while (same < part && same < all && fold_letter(at[same]) == fold_letter(word[same]))
            same++;
        if (part > 2 && same == part && (same == all || same == least))
            return true;
    }
    return false;
}

const char *ph_suggest(const char *word, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t least = LONGEST;
    for (size_t i = 0; i < n; i++) {
        if (!names[i])
            continue;
        size_t d = edit_distance(word, names[i]), allowed = strlen(names[i]) / 3;
        if (d < least && d <= (allowed > 1 ? allowed : 1)) {
            least = d;
            best = names[i];
        }
    }
    for (size_t i = 0; i < n && !best; i++)
        if (names[i] && is_part(word, names[i]))
            best = names[i];
    return best;
}

/* Room for what a message has besides the list of names: "unknown KIND "WORD"; available: ... and 20 more". */
enum { OTHER_WORDS = 140 };

/* text (size bytes) <- the names, separated by commas, as many as there is room for; result <- how many were
 * left out. */
static size_t list_names(char *text, size_t size, const char *const *names, size_t n)
{
    size_t used = 0, left_out = 0;
    for (size_t i = 0; i < n; i++) {
        if (!names[i])
            continue;
        int wrote = left_out ? 0 : snprintf(text + used, size - used, "%s%s", used ? ", " : "", names[i]);
        if (left_out || wrote < 0 || (size_t)wrote >= size - used) {
            text[used] = '\0';
            left_out++;
        } else {
            used += (size_t)wrote;
        }
    }
    return left_out;
}

ph_status ph_fail_unknown(ph_error *err, const char *kind, const char *word, const char *const *names,
                          size_t n)
{
    const char *near = ph_suggest(word, names, n);
    if (near)
        return ph_fail(err, PH_E_UNKNOWN, "unknown %s \"%.60s\"; did you mean \"%s\"?", kind, word, near);
    const bool named = !strcmp(kind, "key") || !strcmp(kind, "parameter");
    if (named && *word && strspn(word, "0123456789") == strlen(word))
        return ph_fail(
            err, PH_E_UNKNOWN,
            "unknown %s \"%.60s\", a number: is a comma meant as a decimal point? Write 9.81, not 9,81", kind,
            word);
    char list[sizeof err->message - OTHER_WORDS] = "";
    const size_t left_out = list_names(list, sizeof list, names, n);
    if (!list[0] && !left_out)
        return ph_fail(err, PH_E_UNKNOWN, "unknown %s \"%.60s\"; none is available", kind, word);
    if (left_out)
        return ph_fail(err, PH_E_UNKNOWN, "unknown %s \"%.60s\"; available: %s and %zu more", kind, word,
                       list, left_out);
    return ph_fail(err, PH_E_UNKNOWN, "unknown %s \"%.60s\"; available: %s", kind, word, list);
}
