/* SPDX-License-Identifier: BSD-3-Clause */
/* NAME.statistics.json: what the final states of a sweep are like. Mean and covariance of the configurations are those of
 * spread.c; of each column it has mean, standard deviation, quantiles by sorting, and a histogram. Everything is
 * summed in the order of members, so that it has the same bits for any number of shards and threads. */
#include "finals.h"
#include "parts.h"
#include "spread.h"

#include "lib/archive/document.h"
#include "lib/internal/mean.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns are gathered so many bytes at a time, at least one. */
static const double gathered_bytes = 256e6;
/* Of more tangent coordinates only the variances are written. */
enum { BINS = 50, COVARIANCE_MOST = 64 };

typedef struct report {
    ph_record *record;
    ph_finals finals;
    ph_document json;
    int64_t counted, stopped;
} report;

/* ---- Columns --------------------------------------------------------------------------------------------------- */

/* Numbers in ascending order. */
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted numbers (n), by linear interpolation between those on both sides. */
static double quantile(const double *sorted, int64_t n, double share)
{
    const double at = share * (double)(n - 1);
    const int64_t i = (int64_t)floor(at), next = i + 1 < n ? i + 1 : i;
    return sorted[i] + (at - (double)i) * (sorted[next] - sorted[i]);
}

static void put_quantiles(ph_document *j, const double *sorted, int64_t n)
{
    static const struct {
        const char *name;
        double share;
    } of[] = {{"0.01", 0.01}, {"0.05", 0.05}, {"0.25", 0.25}, {"0.5", 0.5},
              {"0.75", 0.75}, {"0.95", 0.95}, {"0.99", 0.99}};
    ph_document_key(j, "quantiles");
    ph_document_begin(j);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        ph_document_number(j, of[i].name, quantile(sorted, n, of[i].share));
    ph_document_end(j);
}

/* Bins of equal width from the least to the largest; a bin has its lower end, the last one both. */
static void put_histogram(ph_document *j, const double *sorted, int64_t n)
{
    double counts[BINS] = {0};
    const double from = sorted[0], to = sorted[n - 1];
    const size_t bins = to > from && isfinite(to - from) ? BINS : 1;
    for (int64_t i = 0; i < n; i++) {
        const double at = bins > 1 ? (double)bins * ((sorted[i] - from) / (to - from)) : 0;
        counts[at < (double)bins ? (size_t)at : bins - 1]++;
    }
    ph_document_key(j, "histogram");
    ph_document_begin(j);
    ph_document_number(j, "from", from);
    ph_document_number(j, "to", to);
    ph_document_numbers(j, "counts", counts, bins);
    ph_document_end(j);
}

/* What the finite ones of n numbers are like; they are sorted then. */
static void put_column(report *r, size_t column, double *values, int64_t n)
{
    ph_document *j = &r->json;
    double mean, deviation;
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            values[m++] = values[i];
    ph_mean(values, (size_t)m, &mean, &deviation);
    qsort(values, (size_t)m, sizeof *values, compare);
    ph_document_key(j, ph_record_column(r->record, column));
    ph_document_begin(j);
    ph_document_text(j, "unit", ph_record_unit(r->record, column));
    ph_document_count(j, "members", m);
    ph_document_number(j, "mean", mean);
    ph_document_number(j, "standard_deviation", deviation);
    ph_document_number(j, "least", m ? values[0] : (double)NAN);
    ph_document_number(j, "largest", m ? values[m - 1] : (double)NAN);
    if (m) {
        put_quantiles(j, values, m);
        put_histogram(j, values, m);
    }
    ph_document_end(j);
}

static void put_list(ph_document *j, const char *name)
{
    ph_document_key(j, name);
    ph_file_text(j->file, "[");
}

/* The place-th of the numbers of members (n; placed: of the row that it is in): all but the numbers of members and their status. */
static void put_number(report *r, size_t place, double *values, int64_t n, bool placed)
{
    ph_document *j = &r->json;
    const size_t columns = r->finals.columns, column = place % columns;
    if (placed && !column) {
        ph_file_text(j->file, place ? ", " : "");
        ph_document_begin(j);
        ph_document_count(j, "row", (int64_t)(place / columns));
        ph_document_key(j, "columns");
        ph_document_begin(j);
    }
    if (column != PH_MEMBER && column != PH_MEMBER_STATUS)
        put_column(r, column, values, n);
    if (placed && column == columns - 1) {
        ph_document_end(j);
        ph_document_end(j);
    }
}

/* Numbers of the last row of each member, or of all its rows, some at a time. */
static ph_status put_numbers(report *r, bool all_rows, ph_error *err)
{
    const size_t n = r->finals.columns * (all_rows ? (size_t)r->finals.all.rows : 1);
    const double most = gathered_bytes / (8 * fmax(1, (double)r->counted));
    const size_t at_once = most < 1 ? 1 : most < (double)n ? (size_t)most : n;
    double *values = malloc(at_once * (size_t)(r->counted + 1) * sizeof *values);
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t first = 0; first < n && !status; first += at_once) {
        const double *row;
        const size_t here = n - first < at_once ? n - first : at_once;
        int64_t i = 0;
        ph_finals_rewind(&r->finals);
        while (!(status = ph_finals_next(&r->finals, &row, err)) && row && i < r->counted) {
            const double *from = all_rows ? r->finals.member : row;
            for (size_t k = 0; k < here; k++)
                values[(int64_t)k * r->counted + i] = from[first + k];
            i++;
        }
        for (size_t k = 0; k < here && !status; k++)
            put_number(r, first + k, values + (int64_t)k * r->counted, i, all_rows);
    }
    free(values);
    return status;
}

static ph_status put_columns(report *r, ph_error *err)
{
    ph_document_key(&r->json, "columns");
    ph_document_begin(&r->json);
    const ph_status status = put_numbers(r, false, err);
    ph_document_end(&r->json);
    return status;
}

static ph_status put_rows(report *r, ph_error *err)
{
    put_list(&r->json, "rows");
    const ph_status status = put_numbers(r, true, err);
    ph_file_text(r->json.file, "]");
    r->json.first = false;
    return status;
}

/* ---- Configurations --------------------------------------------------------------------------------------------- */

/* The distance up to which a mean is the only one (Karcher): on spheres and rotations a quarter of a turn. */
static double reach(ph_factor_kind kind)
{
    return kind == PH_FACTOR_R ? INFINITY : kind == PH_FACTOR_EMBEDDED ? (double)NAN : ph_acos(0);
}

static void put_factor(ph_document *j, const ph_spread *s, size_t i)
{
    const ph_factor_place *f = ph_space_factor(s->space, i);
    ph_document_begin(j);
    ph_document_text(j, "manifold", ph_space_factor_words(s->space, i)->whole);
    ph_document_numbers(j, "mean", s->mean + f->z, f->nz);
    ph_document_number(j, "largest_distance", s->largest[i]);
    if (isfinite(reach(f->kind))) {
        ph_document_key(j, "mean_is_unique");
        ph_file_text(j->file, !s->opposite && s->largest[i] < reach(f->kind) ? "true" : "false");
    }
    ph_document_end(j);
}

/* Rows of numbers, one a line; or their diagonal. */
static void put_matrix(ph_document *j, const ph_spread *s)
{
    if (s->nx > COVARIANCE_MOST) {
        put_list(j, "variances");
        for (size_t a = 0; a < s->nx; a++) {
            ph_file_text(j->file, a ? ", " : "");
            ph_document_number_value(j->file, s->covariance[a * s->nx + a]);
        }
        ph_file_text(j->file, "]");
        return;
    }
    put_list(j, "covariance");
    for (size_t a = 0; a < s->nx; a++) {
        ph_file_text(j->file, a ? ",\n      [" : "\n      [");
        for (size_t b = 0; b < s->nx; b++) {
            ph_file_text(j->file, b ? ", " : "");
            ph_document_number_value(j->file, s->covariance[a * s->nx + b]);
        }
        ph_file_text(j->file, "]");
    }
    ph_file_text(j->file, "]");
}

/* Of each factor the tangent vectors that the coordinates of the covariance belong to. */
static void put_basis(ph_document *j, const ph_spread *s)
{
    const double *E = s->basis;
    if (s->nx > COVARIANCE_MOST)
        return;
    put_list(j, "basis");
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t a = 0; a < f->nx; a++) {
            ph_file_text(j->file, i || a ? ",\n      [" : "\n      [");
            for (size_t k = 0; k < f->nz; k++) {
                ph_file_text(j->file, k ? ", " : "");
                ph_document_number_value(j->file, *E++);
            }
            ph_file_text(j->file, "]");
        }
    }
    ph_file_text(j->file, "]");
}

static void put_spread(ph_document *j, const ph_spread *s)
{
    ph_document_key(j, "configuration");
    ph_document_begin(j);
    ph_document_count(j, "iterations", s->iterations);
    ph_document_key(j, "converged");
    ph_file_text(j->file, s->converged ? "true" : "false");
    ph_document_count(j, "opposite_to_mean", s->opposite);
    put_list(j, "factors");
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        ph_file_text(j->file, i ? ", " : "");
        put_factor(j, s, i);
    }
    ph_file_text(j->file, "]");
    j->first = false;
    put_matrix(j, s);
    put_basis(j, s);
    ph_document_end(j);
}

/* at (nz, malloc's) <- the columns of the configuration; NULL where the archive does not have all of them. */
static ph_status find_configuration(const ph_record *record, const ph_system *system, size_t **at,
                                    ph_error *err)
{
    static const char *const words[] = {"configuration"};
    ph_columns *columns = NULL;
    char room[PH_COLUMN_NAME];
    *at = NULL;
    ph_status status = ph_columns_create(system, words, 1, &columns, err);
    if (status)
        return status;
    const size_t n = ph_columns_count(columns);
    size_t *found = malloc(n * sizeof *found);
    bool whole = found;
    for (size_t i = 0; i < n && whole; i++) {
        found[i] = ph_record_find(record, ph_columns_name(columns, i, room));
        whole = found[i] < ph_record_columns(record);
    }
    ph_columns_free(columns);
    if (!found)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (whole)
        *at = found;
    else
        free(found);
    return PH_OK;
}

static ph_status put_configuration(report *r, const ph_system *system, ph_error *err)
{
    size_t *at = NULL;
    ph_spread spread = {.space = NULL};
    const ph_space *space = ph_system_space(system);
    if (!ph_space_has_retraction(space))
        return PH_OK;
    ph_status status = find_configuration(r->record, system, &at, err);
    if (!status && at) {
        status = ph_spread_find(&spread, space, at, &r->finals, err);
        if (!status && spread.counted)
            put_spread(&r->json, &spread);
        ph_spread_free(&spread);
    }
    free(at);
    return status;
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

/* The members that count. */
static ph_status count(report *r, ph_error *err)
{
    const double *row;
    ph_status status;
    while (!(status = ph_finals_next(&r->finals, &row, err)) && row) {
        r->counted++;
        r->stopped += row[PH_MEMBER_STATUS] != PH_OK;
    }
    return status;
}

/* *member <- the first member that can be made. Where none can, as files of which they are made are gone, the scenario as it
 * stands, without its initial state, whose system has the same columns. */
static ph_status make_member(const ph_record *record, ph_members **members, ph_scenario **member,
                             ph_error *err)
{
    ph_error why;
    const char *text = ph_record_meta(record, "scenario"), *name = ph_record_meta(record, "source");
    name = name ? name : "scenario";
    if (!ph_members_open(text, strlen(text), name, members, &why))
        for (int64_t i = 0; !*member && i < ph_members_count(*members) && i < 100; i++)
            if (ph_members_make(*members, i, member, &why))
                *member = NULL;
    if (*member)
        return PH_OK;
    char *plain = NULL;
    ph_status status = ph_scenario_edit(text, strlen(text), "ensemble", NULL, &plain, err);
    if (!status)
        status =
            ph_scenario_recall_kept(plain, strlen(plain), name, ph_record_meta(record, "kept"), member, err);
    free(plain);
    if (!status)
        return PH_OK;
    *member = NULL;
    return ph_fail(err, status, "no member can be made of which there would be statistics: %.400s",
                   why.message);
}

static ph_status put_all(report *r, bool all_rows, ph_error *err)
{
    ph_members *members = NULL;
    ph_scenario *member = NULL;
    const ph_swept *all = &r->finals.all;
    const char *name = ph_record_meta(r->record, "name"), *model = ph_record_meta(r->record, "model");
    ph_document *j = &r->json;
    ph_status status = count(r, err);
    if (status)
        return status;
    ph_document_begin(j);
    ph_document_count(j, "polhode_statistics", 1);
    ph_document_text(j, "scenario", name ? name : "");
    ph_document_text(j, "model", model ? model : "");
    ph_document_count(j, "members", all->members);
    ph_document_count(j, "rows_per_member", all->rows);
    ph_document_count(j, "failed", all->members - r->counted);
    ph_document_count(j, "stopped_by_an_event", r->stopped);
    ph_document_count(j, "counted", r->counted);
    status = make_member(r->record, &members, &member, err);
    if (!status)
        status = put_configuration(r, ph_scenario_system(member), err);
    if (!status)
        status = put_columns(r, err);
    if (!status && all_rows)
        status = put_rows(r, err);
    ph_document_end(j);
    ph_file_text(j->file, "\n");
    ph_scenario_free(member);
    ph_members_free(members);
    return status;
}

ph_status ph_sweep_write_statistics(const char *archive, const char *path, bool all_rows, ph_error *err)
{
    report r = {.json = {.first = true}};
    ph_status status = ph_record_open(archive, &r.record, err);
    if (!status)
        status = ph_finals_open(&r.finals, r.record, err);
    if (!status && !ph_record_meta(r.record, "scenario"))
        status = ph_fail(err, PH_E_PARSE, "%s: has no scenario", archive);
    if (!status)
        status = ph_file_open(path, &r.json.file, err);
    if (!status)
        status = put_all(&r, all_rows, err);
    if (!status)
        status = ph_file_commit(r.json.file, err);
    else
        ph_file_abandon(r.json.file);
    ph_finals_close(&r.finals);
    ph_record_close(r.record);
    return status;
}
