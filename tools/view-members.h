/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of an ensemble, for the page of polhode view. The archive of a sweep has columns, not whole states: each member that is to be
 * shown is run by itself, into an archive of its own that is removed when the page is made. */
#ifndef POLHODE_TOOLS_VIEW_MEMBERS_H
#define POLHODE_TOOLS_VIEW_MEMBERS_H

#include "program.h"

#include <dirent.h>

enum { MOST_MEMBERS = 50 }; /* pictures of more cannot be told apart */

/* Which are to be shown. */
typedef struct member_choice {
    const char *file;  /* a scenario, or the archive of a sweep */
    int64_t member;    /* or -1 */
    option_texts list; /* several: "5", "10-20", "0-100:10" */
    int64_t rows;      /* at most so many of each; 0: as a run has */
    bool of_archive;   /* is the file an archive? */
    bool quiet;
} member_choice;

typedef struct member_run {
    int64_t member;
    char *file;      /* the archive of its run */
    char label[256]; /* "member 5: parameters.m2 = 0.5" */
    double
        share; /* 0 to 1: of its colour between the first one's and the last one's; by what varies, if that is one number */
} member_run;

typedef struct member_runs {
    char directory[256]; /* of the archives; "": none was made */
    DIR *opened;         /* the same, or NULL */
    member_run *list;    /* (n) in the order of their shares */
    size_t n;
} member_runs;

/* Run them; what is to be said of single ones (they failed; they are not as in the sweep) is a warning. To be given back by
 * end_member_runs also on failure. Returns an exit code. */
int run_members(const member_choice *choice, member_runs *runs);
void end_member_runs(member_runs *runs);

#endif
