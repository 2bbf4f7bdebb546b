/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts and places of labels. */
#include "labels.h"

#include "utf8.h"

#include <math.h>
#include <string.h>

/* ---- Lines ------------------------------------------------------------------------------------------------- */

/* The bytes of the next word with the blanks before it, at most so many letters. */
static size_t next_word(const char *text, size_t letters)
{
    const char *at = text;
    char one[5];
    while (*at == ' ')
        at++;
    for (size_t n = 0; *at && *at != ' ' && n < letters; n++)
        at = utf8_next(at, one);
    return (size_t)(at - text);
}

static void append(char *line, size_t size, const char *text, size_t n)
{
    const size_t used = strlen(line);
    while (!used && n && *text == ' ') {
        text++;
        n--;
    }
    n = used + n < size ? n : size - 1 - used;
    memcpy(line + used, text, n);
    line[used + n] = '\0';
}

void label_wrap(label_text *to, const char *text, size_t letters, size_t most)
{
    memset(to, 0, sizeof *to);
    to->n = *text ? 1 : 0;
    while (*text) {
        char *line = to->lines[to->n - 1], longer[2 * sizeof to->lines[0]];
        const size_t n = next_word(text, letters);
        snprintf(longer, sizeof longer, "%s%.*s", line,
                 (int)(n < sizeof to->lines[0] ? n : sizeof to->lines[0] - 1), text);
        if (!*line || utf8_length(longer) <= letters) {
            append(line, sizeof to->lines[0], text, n);
            text += n ? n : 1;
        } else if (to->n == most) {
            append(line, sizeof to->lines[0], "\xe2\x80\xa6", 3);
            return;
        } else {
            to->n++;
        }
    }
}

/* ---- What is the same in all ---------------------------------------------------------------------------------- */

/* The length of the part of a label that begins there: up to ", " or " (". */
static size_t part_length(const char *text)
{
    size_t n = 0;
    while (text[n] && strncmp(text + n, ", ", 2) != 0 && (!n || strncmp(text + n, " (", 2) != 0))
        n++;
    return n;
}

static const char *behind_part(const char *text, size_t n)
{
    text += n;
    return strncmp(text, ", ", 2) ? text : text + 2;
}

static bool has_part(const char *label, const char *part, size_t n)
{
    for (size_t m; *label; label = behind_part(label, m)) {
        m = part_length(label);
        if (m == n && !memcmp(label, part, n))
            return true;
    }
    return false;
}

static bool is_common(const picture *p, const char *part, size_t n)
{
    for (size_t i = 0; i < p->n_labels; i++)
        if (!has_part(p->labels[i], part, n))
            return false;
    return p->n_labels > 1;
}

/* Appends a part, with blanks at which no line breaks. */
static void add_part(char *text, size_t size, const char *part, size_t n)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "%s", used && *part != ' ' ? ", " : (used ? " " : ""));
    for (const char *end = part + n; part < end && used + 3 < size; part++) {
        const bool blank = *part == ' ';
        if (blank && text[used ? used - 1 : 0] == ' ')
            continue;
        memcpy(text + used, blank ? "\xc2\xa0" : part, blank ? 2 : 1);
        used += blank ? 2 : 1;
        text[used] = '\0';
    }
}

void labels_of(labels *l, const picture *p)
{
    memset(l, 0, sizeof *l);
    l->n = p->n_labels;
    for (size_t i = 0; i < p->n_labels; i++) {
        char own[2 * RUN_LABEL] = "";
        const char *text = p->labels[i];
        for (size_t n; *text; text = behind_part(text, n)) {
            n = part_length(text);
            if (!is_common(p, text, n))
                add_part(own, sizeof own, text, n);
            else if (!i)
                add_part(l->common, sizeof l->common, text, n);
        }
        label_wrap(&l->at[i], *own ? own : p->labels[i], /* all the same */
                   LABEL_LETTERS, LABEL_LINES - 1);
        if (*p->notes[i] && l->at[i].n)
            snprintf(l->at[i].lines[l->at[i].n++], sizeof l->at[i].lines[0], "%s", p->notes[i]);
        l->lines += l->at[i].n;
        for (size_t k = 0; k < l->at[i].n; k++) {
            const size_t letters = utf8_length(l->at[i].lines[k]);
            l->letters = letters > l->letters ? letters : l->letters;
        }
    }
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* Neighbours that would overlap form a block, whose top is the mean of what its members want. */
typedef struct block {
    double sum, height, top; /* of the tops that its members want for the block */
    size_t members;
} block;

void labels_place(size_t n, const double *wanted, const double *heights, double least, double most,
                  double *tops)
{
    size_t order[LABELS_MOST], n_blocks = 0, k = 0;
    block blocks[LABELS_MOST];
    for (size_t i = 0; i < n; i++) { /* sorted by what they want */
        size_t at = i;
        for (; at && wanted[order[at - 1]] > wanted[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t i = 0; i < n; i++) {
        block b = {wanted[order[i]], heights[order[i]], 0, 1};
        for (;;) {
            b.top = fmax(fmin(b.sum / (double)b.members, most - b.height), least);
            if (!n_blocks || blocks[n_blocks - 1].top + blocks[n_blocks - 1].height <= b.top)
                break;
            const block above = blocks[--n_blocks];
            b.sum += above.sum - (double)b.members * above.height;
            b.height += above.height;
            b.members += above.members;
        }
        blocks[n_blocks++] = b;
    }
    for (size_t i = 0; i < n_blocks; i++)
        for (double top = blocks[i].top; blocks[i].members; blocks[i].members--, k++) {
            tops[order[k]] = top;
            top += heights[order[k]];
        }
}
