/* SPDX-License-Identifier: BSD-3-Clause */
/* A study as a kind of bench (report.h): what its arguments name, its items, what is printed of one. */
#include "report.h"

#include <stdlib.h>

/* r->methods <- those given, or the standard ones that this build has. */
static ph_status choose_methods(study_report *r, ph_error *err)
{
    const study_kind *kind = r->kind;
    const bool given = r->methods.n > 0;
    const option_texts all = given ? r->methods : (option_texts){kind->contenders, kind->n_contenders};
    ph_status status = !given && kind->available ? kind->available(err) : PH_OK;
    if (status)
        r->run.remark = kind->remark;
    r->methods = (option_texts){r->there, 0};
    for (size_t i = 0; i < all.n && !status; i++) {
        contender c;
        status = contender_parse(&c, all.at[i], err);
        if (!status)
            r->there[r->methods.n++] = all.at[i];
        else if (!given)
            status = PH_OK;
    }
    return status || r->methods.n ? status : ph_fail(err, PH_E_UNKNOWN, "this build has none of the methods");
}

/* s->of <- the case of that name; all in their order where there are no names. */
static ph_status find_case(study *s, const bench_run *run, size_t i, ph_error *err)
{
    const study_kind *kind = s->kind;
    const bench_list all = {.first = kind->cases, .n = kind->n_cases, .stride = sizeof *kind->cases};
    ph_status status = PH_OK;
    if (kind->find)
        return kind->find(s, run->names.at[i], &run->set, err);
    if (run->names.n)
        status = list_find(&all, run->names.at[i], &i, err);
    s->of = &kind->cases[i];
    return status;
}

/* A mistake in a name is found before anything is run. */
ph_status study_load(bench_run *run, ph_error *err)
{
    study_report *r = (study_report *)run;
    const study_kind *kind = r->kind;
    if (!run->names.n && kind->n_standard)
        run->names = (option_texts){kind->standard, kind->n_standard};
    const size_t n = run->names.n ? run->names.n : kind->n_cases;
    r->results = calloc(n, sizeof *r->results);
    if (!r->results)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    run->n_items = n;
    ph_status status = choose_methods(r, err);
    for (size_t i = 0; i < n && !status; i++) {
        r->results[i].kind = kind;
        status = find_case(&r->results[i], run, i, err);
        if (!status)
            status = study_open(&r->results[i], r->methods.at, r->methods.n, &r->plan, err);
    }
    return status;
}

ph_status study_make_item(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    study_report *r = (study_report *)run;
    r->plan.progress = watch;
    ph_status status = study_make(&r->results[i], &r->plan, err);
    if (!status && r->results[i].status)
        status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    return status;
}

void study_release(bench_run *run)
{
    study_report *r = (study_report *)run;
    for (size_t i = 0; r->results && i < run->n_items; i++)
        study_free(&r->results[i]);
    free(r->results);
}

void study_print(FILE *out, const bench_run *run, size_t i)
{
    const study *s = &((const study_report *)run)->results[i];
    const bool brief = run->quiet && s->kind->brief;
    char *words = study_words(s);
    if (!brief)
        study_tables(out, s);
    fprintf(out, "%s%s\n", brief ? "" : "\n", words ? words : "");
    free(words);
}
