/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives to be damaged, changes of their values, and all that is read of them: for tests that change archives at random. */
#ifndef POLHODE_TESTS_DAMAGE_H
#define POLHODE_TESTS_DAMAGE_H

#include "tests/kit/recording.h"

/* Kinds of archives: of a run, of one whose state is in pieces, of a rank of a sweep. */
enum { DAMAGE_KINDS = 3 };
/* The archive "r" in the folder of the test, closed. */
void damage_record(recording *t, int kind);

/* A sum of all that is read; damage: of what was the failure, NULL where there was none. */
typedef struct damage_seen {
    uint32_t sum;
    const char *damage;
} damage_seen;
/* some <- as those see it who take the rows, as `polhode export` does, all <- as a check does. A failure has a message. */
void damage_see(const recording *t, damage_seen *some, damage_seen *all);

/* Which value of which table becomes what: numbers of the lists in damage.c, modulo their lengths. */
typedef struct damage_choice {
    unsigned table, column, value;
    unsigned number;     /* which row, and for values that need a number */
    bool remove;         /* the row goes instead */
    const char *literal; /* what it becomes, in SQL; NULL: `value` of the list */
} damage_choice;
/* sql <- the change. */
void damage_change(const damage_choice *choice, char *sql, size_t size);
/* Makes it. Is it made? It may be against what the table takes. */
bool damage_make(const char *sql);

#endif
