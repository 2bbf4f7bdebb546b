/* SPDX-License-Identifier: BSD-3-Clause */
/* The key of a figure: its layout, and the commands that draw it. */
#include "key.h"
#include "utf8.h"

#include <string.h>

enum { KEY_LEFT = 12, SAMPLE = 40 };
/* A character of a title takes about 9 pixels at most; a title may have as many as fit into the width, and
 * two in one row together as many as fit next to their samples. */
enum { LETTER = 9, GAP = 8, TITLE_MOST = 46, TITLE_HEAD = 30, TITLES_BOTH = 44 };

/* Okabe and Ito's colours, darkest first. */
const char *key_colour(size_t i)
{
    static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#000000",
                                          "#CC79A7", "#882255", "#E69F00", "#56B4E9"};
    return colours[i % (sizeof colours / sizeof colours[0])];
}

int key_mark(size_t i)
{
    static const int marks[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 15};
    return marks[i % (sizeof marks / sizeof marks[0])];
}

void key_title(char title[TITLE_SIZE], const char *label)
{
    size_t n = utf8_length(label), tail = n > TITLE_MOST ? n - (TITLE_MOST - TITLE_HEAD - 1) : 0;
    char *end = title, one[5];
    for (size_t i = 0; *label && end < title + TITLE_SIZE - 16; i++) {
        label = utf8_next(label, one);
        if (tail && i == TITLE_HEAD)
            end = stpcpy(end, "\xe2\x80\xa6");
        if (!tail || i < TITLE_HEAD || i >= tail)
            end = stpcpy(end, strpbrk(one, "\t\r\n") ? " " : one);
    }
    *end = '\0';
}

/* Contenders to the left of the rest, or in both columns if there is no rest. */
static size_t column_of(const key *k, size_t i)
{
    return k->n > k->n_left ? i >= k->n_left : i % 2;
}

void key_lay_out(key *k)
{
    size_t used[2] = {0, 0}, longest[2] = {0, 0};
    for (size_t i = 0; i < k->n; i++) {
        size_t length = utf8_length(k->entries[i].title), column = column_of(k, i);
        longest[column] = length > longest[column] ? length : longest[column];
    }
    for (size_t i = 0; i < k->n; i++) {
        key_entry *e = &k->entries[i];
        e->column = longest[0] + longest[1] <= TITLES_BOTH ? column_of(k, i) : 0;
        e->row = used[e->column]++;
    }
    k->rows = used[0] > used[1] ? used[0] : used[1];
    size_t least = KEY_LEFT + SAMPLE + 2 * GAP + LETTER * longest[0];
    size_t taken = SAMPLE + GAP + LETTER * longest[1], most = taken < WIDTH ? WIDTH - taken : 0;
    k->second = most < WIDTH / 2 ? most : WIDTH / 2;
    if (k->second < least)
        k->second = least;
}

/* Within single quotes gnuplot replaces nothing and runs nothing. */
static void put_quoted(FILE *g, const char *text)
{
    fputc('\'', g);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', g);
        fputc(*text, g);
    }
    fputc('\'', g);
}

/* Coordinates of the screen run from 0 to 1, from the lower left corner. */
static void put_entry(FILE *g, const key *k, const key_entry *e, size_t height)
{
    double x = (double)(e->column ? k->second : KEY_LEFT) / WIDTH, sample = (double)SAMPLE / WIDTH;
    double y = (double)(KEY_LINE * (k->rows - e->row) - KEY_LINE / 3) / (double)height;
    fputs("set label ", g);
    put_quoted(g, e->title);
    fprintf(g, " at screen %.4f,%.4f left noenhanced\n", x + sample + (double)GAP / WIDTH, y);
    if (e->dashes)
        fprintf(g, "set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead lw 2 dt %s lc rgb '%s'\n", x,
                y, x + sample, y, e->dashes, e->colour);
    if (e->mark)
        fprintf(g, "set label '' at screen %.4f,%.4f point pt %d ps %g lw 2 lc rgb '%s'\n", x + sample / 2, y,
                e->mark, e->mark == CROSS ? 1.3 : 0.8, e->colour);
}

void key_put(FILE *g, const key *k, size_t height)
{
    for (size_t i = 0; i < k->n; i++)
        put_entry(g, k, &k->entries[i], height);
}
