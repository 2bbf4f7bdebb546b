/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of several figures, and the sweeps between them. */
#include "making.h"

#include <stdlib.h>
#include <string.h>

/* The step for each run, then the one for all; both may be NULL. */
static ph_status take(making *m, ph_status (*each)(making *m, size_t run, ph_error *err),
                      ph_status (*all)(making *m, ph_error *err))
{
    for (size_t i = 0; each && i < m->in->n && !m->status; i++)
        m->status = each(m, i, &m->err);
    if (all && !m->status)
        m->status = all(m, &m->err);
    return m->status;
}

making *making_begin(const figure *which, const plot_input *in)
{
    making *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->which = which;
    m->steps = in->against && which->steps == &steps_columns ? &steps_against : which->steps;
    m->in = in;
    m->picture.n_runs = in->n;
    for (size_t i = 0; i < in->n; i++)
        m->picture.colours[i] = in->runs[i].colour;
    m->own = calloc(in->n, m->steps->size + 1);
    m->common = calloc(1, m->steps->common + 1);
    if (!m->own || !m->common)
        m->status = ph_fail(&m->err, PH_E_NO_MEMORY, "out of memory");
    take(m, m->steps->open, m->steps->begin);
    return m;
}

ph_status making_finish(making *m)
{
    take(m, m->steps->fill, m->steps->finish);
    for (size_t i = 0; i < m->in->n && m->in->n > 1; i++)
        picture_label(&m->picture, i, "%s", m->in->runs[i].label);
    return m->status;
}

const char *making_why_empty(const making *m)
{
    const picture *p = &m->picture;
    for (size_t i = 0; i < p->n_runs; i++)
        if (m->in->runs[i].rows)
            return *p->words ? p->words : "no value is above zero, as a logarithmic axis takes it";
    return "there are no rows";
}

void making_free(making *m)
{
    if (!m)
        return;
    for (size_t i = 0; m->own && m->steps->close && i < m->in->n; i++)
        m->steps->close((char *)m->own + i * m->steps->size);
    free(m->own);
    free(m->common);
    picture_free(&m->picture);
    free(m);
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------- */

/* Does it watch the rows of the run? */
static bool watches(const making *m, size_t run)
{
    return !m->status && m->watchers[run].enter;
}

/* What became of its watcher is the figure's. */
static void take_status(making *m, size_t run)
{
    const watcher *w = &m->watchers[run];
    if (!m->status && w->status) {
        m->status = w->status;
        m->err = w->err;
    }
}

/* The rows of one run, for its errors, if they are not known yet, and the figures. */
static ph_status sweep_run(making *const *all, size_t n, size_t run, archived *errors, const swept *of,
                           ph_error *err)
{
    watcher **at = malloc((n + 1) * sizeof *at);
    size_t watching = 0;
    if (!at)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (errors)
        at[watching++] = &errors->watcher;
    for (size_t i = 0; i < n; i++)
        if (watches(all[i], run))
            at[watching++] = &all[i]->watchers[run];
    const ph_status status = watching ? sweep(of, at, watching, err) : PH_OK;
    for (size_t i = 0; i < n; i++)
        take_status(all[i], run);
    free(at);
    return status;
}

/* The rows of all runs; of->done is carried on. */
static ph_status sweep_runs(making *const *all, size_t n, archived *runs, size_t n_runs, bool first,
                            swept *of, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < n_runs && !status; i++) {
        of->record = runs[i].info.record;
        of->rows = runs[i].info.rows;
        of->show->label = runs[i].file;
        status = sweep_run(all, n, i, first ? &runs[i] : NULL, of, err);
        of->done += of->rows;
    }
    return status;
}

static void step_between(making *m)
{
    memset(m->watchers, 0, sizeof m->watchers);
    if (!m->status && m->twice)
        m->status = m->steps->between(m, &m->err);
}

static bool is_swept_twice(making *const *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!all[i]->status && all[i]->twice)
            return true;
    return false;
}

ph_status makings_sweep(making *const *all, size_t n, archived *runs, const plot_input *in, bool quiet,
                        ph_error *err)
{
    progress show = progress_start(runs->file, quiet);
    swept of = {.span = in->span, .show = &show};
    for (size_t i = 0; i < in->n; i++)
        of.total += runs[i].info.rows * (is_swept_twice(all, n) ? 2 : 1);
    ph_status status = sweep_runs(all, n, runs, in->n, true, &of, err);
    for (size_t i = 0; i < n && !status; i++)
        step_between(all[i]);
    if (!status && is_swept_twice(all, n))
        status = sweep_runs(all, n, runs, in->n, false, &of, err);
    progress_end(&show);
    return status;
}
