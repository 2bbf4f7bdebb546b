/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the members of a sweep: see ensemble.h. */
#include "ensemble.h"

#include "figures/utf8.h"

#include <polhode/kit/text.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the archive before those that vary (doc/reference/archive.md). */
enum { TIME, STEP, MEMBER, STATUS, VARIED };
enum { TABLE_BYTES = 1 << 27, NUMBERS_AT_ONCE = 1 << 16, NAMED = 5, ROWS_MOST = 256 };

bool is_sweep(const char *path)
{
    char *file = NULL;
    ph_record *record = NULL;
    ph_error err;
    const bool is = !find_archive(path, &file, &err) && !ph_record_open(file, &record, &err) &&
                    ph_record_swept(record, NULL);
    ph_record_close(record);
    free(file);
    return is;
}

/* ---- The rows of members, one member after the other -------------------------------------------------------- */

/* What is done with the rows (n x columns) of a member that are there. */
typedef ph_status (*enter_member)(void *self, const double *rows, ph_error *err);

static void note_damage(ensemble *e, int64_t rows, const char *why)
{
    if (!e->damaged)
        snprintf(e->damage, sizeof e->damage, "%.299s", why);
    e->damaged += rows;
}

/* Members that are not whole in the archive are left out. */
static ph_status each_member(ensemble *e, enter_member enter, void *self, ph_error *err)
{
    const size_t columns = ph_record_columns(e->info.record);
    const int64_t rows = e->info.swept.rows, all = e->info.rows / rows;
    const double numbers = (double)rows * (double)columns;
    const int64_t at_once = numbers < NUMBERS_AT_ONCE ? (int64_t)(NUMBERS_AT_ONCE / numbers) : 1;
    double *values =
        numbers < 0x1p32 ? malloc((size_t)at_once * (size_t)rows * columns * sizeof *values) : NULL;
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    progress show = progress_start(e->file, e->quiet);
    e->damaged = 0;
    for (int64_t first = 0, read, next; !status && first < all;) {
        const int64_t want = (all - first < at_once ? all - first : at_once) * rows;
        ph_error why;
        int64_t got = 0;
        why.status = PH_OK;
        do {
            why.status = ph_record_read(e->info.record, first * rows + got, want - got,
                                        values + (size_t)got * columns, &read, &next, &why);
            got += read;
        } while (!why.status && read && got < want);
        for (int64_t k = 0; k < got / rows && !status; k++)
            status = enter(self, values + (size_t)(k * rows) * columns, err);
        first += got / rows;
        if (got < want) { /* behind the damage, with the next whole member */
            const int64_t behind = next > first * rows ? next / rows + (next % rows != 0) : first + 1;
            note_damage(e, (behind < all ? behind : all) * rows - first * rows,
                        why.status ? why.message : "rows are missing");
            first = behind;
        }
        if (*signal_flag() && !status)
            status = ph_fail(err, PH_E_INTERRUPTED, "interrupted; nothing was written");
        progress_show(&show, (double)NAN, first, all, NULL);
    }
    progress_end(&show);
    free(values);
    return status;
}

/* The last row of a member in the span; NULL: none. */
static const double *chosen_row(const ensemble *e, const double *rows)
{
    const size_t columns = ph_record_columns(e->info.record);
    for (int64_t r = e->info.swept.rows; r-- > 0;) {
        const double *row = rows + (size_t)r * columns;
        if (isfinite(row[TIME]) && time_is_in(e->span, row[TIME]))
            return row;
    }
    return NULL;
}

/* ---- Which columns ------------------------------------------------------------------------------------------ */

/* The least and the largest number of each column; of what varies those of all members, as they are in each row. */
typedef struct extremes {
    const ensemble *e;
    double *least, *most; /* (columns) */
    size_t n, varied;
    int64_t members;
} extremes;

static ph_status enter_extremes(void *self, const double *rows, ph_error *err)
{
    extremes *x = self;
    const double *row = chosen_row(x->e, rows);
    (void)err;
    x->members++;
    for (size_t k = 0; k < x->n; k++) {
        const bool varies = k >= VARIED && k < VARIED + x->varied;
        const double *of = varies ? rows : row && !ensemble_failed(row[STATUS]) ? row : NULL;
        if (of && isfinite(of[k])) {
            x->least[k] = fmin(x->least[k], of[k]);
            x->most[k] = fmax(x->most[k], of[k]);
        }
    }
    return PH_OK;
}

static bool is_error(const char *name)
{
    const size_t n = strlen(name), ending = strlen("_error");
    return n > ending && !strcmp(name + n - ending, "_error");
}

static void set_column(const ensemble *e, ensemble_column *c, size_t in_row)
{
    c->name = ph_record_column(e->info.record, in_row);
    c->unit = ph_record_unit(e->info.record, in_row);
    c->in_row = in_row;
    c->error = is_error(c->name);
}

static bool has_column(const ensemble *e, size_t in_row)
{
    for (size_t k = 0; k < e->n_columns; k++)
        if (e->columns[k].in_row == in_row)
            return true;
    return false;
}

/* Once, however often it is named. */
static void add_column(ensemble *e, size_t in_row)
{
    if (has_column(e, in_row))
        return;
    if (e->n_columns == ENSEMBLE_COLUMNS) {
        e->more_columns++;
        return;
    }
    set_column(e, &e->columns[e->n_columns++], in_row);
}

static size_t count_varied(const ensemble *e)
{
    const char *names = info_meta(&e->info, "varied");
    size_t n = names && *names ? 1 : 0;
    for (; names && *names; names++)
        n += *names == '\n';
    return n;
}

static ph_status find_named(ensemble *e, const char *const *columns, size_t n, ph_error *err)
{
    const size_t all = ph_record_columns(e->info.record);
    if (n > ENSEMBLE_COLUMNS)
        return ph_fail(err, PH_E_RANGE, "%zu columns, and a figure has up to %d panels", n, ENSEMBLE_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        const size_t at = ph_record_find(e->info.record, columns[i]);
        const char **names = malloc(all * sizeof *names);
        for (size_t k = 0; names && k < all; k++)
            names[k] = ph_record_column(e->info.record, k);
        const char *near = names ? ph_suggest(columns[i], names, all) : NULL;
        free(names);
        if (at == all)
            return ph_fail(err, PH_E_UNKNOWN,
                           "%s: the sweep has no column '%.60s'%s%s%s (polhode info --columns lists them)",
                           e->file, columns[i], near ? "; did you mean '" : "", near ? near : "",
                           near ? "'?" : "");
        add_column(e, at);
    }
    return PH_OK;
}

/* Those that differ between members: the time if it does, and the chosen ones behind what varies. */
static void find_differing(ensemble *e, const extremes *x, size_t varied, size_t most)
{
    for (size_t k = 0; k < x->n; k++)
        if ((k == TIME || k >= VARIED + varied) && x->least[k] < x->most[k]) {
            if (e->n_columns < most)
                add_column(e, k);
            else
                e->more_columns++;
        }
    if (!e->n_columns && x->n > VARIED + varied) /* one member, or all the same */
        add_column(e, VARIED + varied);
}

/* Those at axes that are neither keys nor drawn; ensemble_find refuses others. */
static void add_axes(ensemble *e, const char *const axes[2])
{
    for (size_t i = 0; i < 2; i++) {
        const size_t all = ph_record_columns(e->info.record),
                     at = axes[i] ? ph_record_find(e->info.record, axes[i]) : all;
        bool is = at == all || has_column(e, at) || (e->n_axes && e->axes[0].in_row == at);
        for (size_t k = 0; k < e->n_keys; k++)
            is = is || e->keys[k].in_row == at;
        if (!is)
            set_column(e, &e->axes[e->n_axes++], at);
    }
}

static ph_status find_columns(ensemble *e, const char *const *columns, size_t n, size_t most, ph_error *err)
{
    const size_t all = ph_record_columns(e->info.record), varied = count_varied(e);
    extremes x = {.e = e, .n = all, .varied = varied, .least = malloc(2 * all * sizeof(double))};
    ph_status status = PH_OK;
    if (!x.least)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (varied + VARIED > all)
        status = ph_fail(err, PH_E_PARSE, "%s: the table meta is damaged: more varies than there are columns",
                         e->file);
    x.most = x.least + all;
    for (size_t k = 0; k < all; k++) {
        x.least[k] = INFINITY;
        x.most[k] = -INFINITY;
    }
    if (!status)
        status = each_member(e, enter_extremes, &x, err);
    e->read = x.members;
    for (size_t k = 0; k < varied && !status; k++) {
        if (!(x.least[VARIED + k] < x.most[VARIED + k]))
            continue;
        if (e->n_keys == ENSEMBLE_KEYS) {
            e->more_keys++;
            continue;
        }
        const char *name = ph_record_column(e->info.record, VARIED + k);
        e->keys[e->n_keys++] = (ensemble_column){.name = name,
                                                 .unit = ph_record_unit(e->info.record, VARIED + k),
                                                 .in_row = VARIED + k,
                                                 .words = e->members && ph_members_word(e->members, k, 0)};
    }
    if (!status && n)
        status = find_named(e, columns, n, err);
    else if (!status)
        find_differing(e, &x, varied, most);
    free(x.least);
    return status;
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

/* Of each `each` neighbouring members one is taken, which one is by a hash: at equal distances they would be in step with the members of a
 * product. */
typedef struct taking {
    ensemble *e;
    int64_t each, place;
    size_t room;
} taking;

static bool is_taken(int64_t place, int64_t each)
{
    uint64_t h = (uint64_t)(place / each) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    return each == 1 || place % each == (int64_t)(h % (uint64_t)each);
}

static ph_status enter_table(void *self, const double *rows, ph_error *err)
{
    taking *t = self;
    ensemble *e = t->e;
    (void)err;
    if (!is_taken(t->place++, t->each) || e->n == t->room)
        return PH_OK;
    double *to = e->table + e->n++ * e->width;
    const double *row = chosen_row(e, rows);
    const bool failed = ensemble_failed(rows[STATUS]);
    to[ENSEMBLE_MEMBER] = rows[MEMBER];
    to[ENSEMBLE_STATUS] = rows[STATUS];
    for (size_t k = 0; k < e->n_keys; k++)
        to[e->keys[k].in_table] = rows[e->keys[k].in_row];
    for (size_t k = 0; k < e->n_columns; k++)
        to[e->columns[k].in_table] = row && !failed ? row[e->columns[k].in_row] : (double)NAN;
    for (size_t k = 0; k < e->n_axes; k++)
        to[e->axes[k].in_table] = row && !failed ? row[e->axes[k].in_row] : (double)NAN;
    e->failed += failed;
    e->elsewhere += !failed && !row;
    e->counted += !failed && row;
    return PH_OK;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Is the median nearer to the middle of a logarithmic axis than to that of a linear one? */
static bool is_log(const double *sorted, size_t n)
{
    const double least = sorted[0], most = sorted[n - 1], low = sorted[(n - 1) / 2], high = sorted[n / 2];
    if (!(least > 0) || most < 8 * least || n < 3)
        return false;
    const double linear = ((low - least) + (high - least)) / (most - least) - 1,
                 even = (log(low / least) + log(high / least)) / log(most / least) - 1;
    return fabs(even) < fabs(linear);
}

/* A list has a word once for each of its entries: all get the number of the first one. Of many words those behind the first ones stay. */
static void join_words(const ensemble *e, const ensemble_column *c)
{
    enum { FIRST = 64 };
    double firsts[FIRST];
    const char *words[FIRST];
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        double *value = &e->table[i * e->width + c->in_table];
        const char *word = ensemble_word(e, c, *value);
        size_t k = 0;
        while (word && k < n && strcmp(words[k], word) != 0)
            k++;
        if (!word || k == FIRST)
            continue;
        if (k == n) {
            words[n] = word;
            firsts[n++] = *value;
        }
        *value = firsts[k];
    }
}

/* c <- its values, the keys' of all members, in the table. scratch (n) */
static ph_status find_values(const ensemble *e, ensemble_column *c, bool key, double *scratch, ph_error *err)
{
    size_t n = 0, distinct = 0;
    if (c->words)
        join_words(e, c);
    c->rises = true;
    for (size_t i = 0; i < e->n; i++) {
        const double x = ensemble_value(e, c, i);
        if (!isfinite(x))
            continue;
        c->rises = c->rises && (!n || x >= scratch[n - 1]);
        scratch[n++] = x;
    }
    qsort(scratch, n, sizeof *scratch, compare);
    c->finite = (int64_t)n;
    c->least = n ? scratch[0] : (double)NAN;
    c->most = n ? scratch[n - 1] : (double)NAN;
    for (size_t i = 0; i < n; i++)
        distinct += !i || scratch[i] > scratch[i - 1];
    c->n = distinct < ENSEMBLE_VALUES + 1 ? distinct : ENSEMBLE_VALUES + 1;
    c->values = malloc((c->n + 1) * sizeof *c->values);
    if (!c->values)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    size_t k = 0;
    for (size_t i = 0; i < n && k < c->n; i++)
        if (!i || scratch[i] > scratch[i - 1])
            c->values[k++] = scratch[i];
    if (c->error) { /* zeros have no place there */
        size_t zero = 0;
        while (zero < n && !(scratch[zero] > 0))
            zero++;
        c->log = zero < n && scratch[n - 1] >= 8 * scratch[zero];
        c->least = c->log ? scratch[zero] : c->least;
    } else if (key && n && !c->words) {
        c->log = c->n <= ENSEMBLE_VALUES ? is_log(c->values, c->n) : is_log(scratch, n);
    }
    return PH_OK;
}

static ph_status read_table(ensemble *e, ph_error *err)
{
    taking t = {.e = e, .each = 1};
    e->width = ENSEMBLE_LEADING + e->n_keys + e->n_columns + e->n_axes;
    t.room = (size_t)TABLE_BYTES / (e->width * sizeof(double));
    if (e->read > (int64_t)t.room)
        t.each = (e->read + (int64_t)t.room - 1) / (int64_t)t.room;
    else
        t.room = (size_t)e->read;
    for (size_t k = 0; k < e->n_keys; k++)
        e->keys[k].in_table = ENSEMBLE_LEADING + k;
    for (size_t k = 0; k < e->n_columns; k++)
        e->columns[k].in_table = ENSEMBLE_LEADING + e->n_keys + k;
    for (size_t k = 0; k < e->n_axes; k++)
        e->axes[k].in_table = ENSEMBLE_LEADING + e->n_keys + e->n_columns + k;
    e->table = malloc((t.room * e->width + 1) * sizeof *e->table);
    double *scratch = malloc((t.room + 1) * sizeof *scratch);
    ph_status status = e->table && scratch ? each_member(e, enter_table, &t, err)
                                           : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < e->n_keys && !status; k++)
        status = find_values(e, &e->keys[k], true, scratch, err);
    for (size_t k = 0; k < e->n_columns && !status; k++)
        status = find_values(e, &e->columns[k], false, scratch, err);
    for (size_t k = 0; k < e->n_axes && !status; k++)
        status = find_values(e, &e->axes[k], false, scratch, err);
    free(scratch);
    return status;
}

ph_status ensemble_open(ensemble *e, const char *path, const char *const *columns, size_t n_columns,
                        const char *const axes[2], size_t most, time_span span, bool quiet, ph_error *err)
{
    *e = (ensemble){.span = span, .quiet = quiet};
    ph_error why;
    ph_status status = find_archive(path, &e->file, err);
    if (!status)
        status = info_open(&e->info, e->file, err);
    if (status)
        return status;
    const char *text = info_meta(&e->info, "scenario"), *source = info_meta(&e->info, "source");
    if (text &&
        (status = ph_members_open(text, strlen(text), source ? source : "scenario", &e->members, &why))) {
        e->members = NULL; /* as a file of members is gone: its words are not known */
        if (status == PH_E_NO_MEMORY)
            return ph_fail(err, status, "%s", why.message);
    }
    status = find_columns(e, columns, n_columns, most, err);
    if (!status)
        add_axes(e, axes);
    return status ? status : read_table(e, err);
}

void ensemble_close(ensemble *e)
{
    for (size_t k = 0; k < e->n_keys; k++)
        free(e->keys[k].values);
    for (size_t k = 0; k < e->n_columns; k++)
        free(e->columns[k].values);
    for (size_t k = 0; k < e->n_axes; k++)
        free(e->axes[k].values);
    free(e->table);
    ph_members_free(e->members);
    if (e->info.record)
        info_close(&e->info);
    free(e->file);
}

/* ---- All rows of some members ------------------------------------------------------------------------------- */

typedef struct gathering {
    ensemble *e;
    double *to;
    size_t n, most;
    int64_t place, of, each;
} gathering;

static int64_t stride_of(const ensemble *e)
{
    return (e->info.swept.rows + ROWS_MOST - 1) / ROWS_MOST;
}

size_t ensemble_times(const ensemble *e)
{
    return (size_t)((e->info.swept.rows + stride_of(e) - 1) / stride_of(e));
}

static ph_status enter_rows(void *self, const double *rows, ph_error *err)
{
    gathering *g = self;
    const ensemble *e = g->e;
    const size_t columns = ph_record_columns(e->info.record), width = 2 + e->n_columns;
    (void)err;
    const bool taken = is_taken(g->place++, g->each);
    if (ensemble_failed(rows[STATUS]))
        return PH_OK;
    g->of++;
    if (!taken || g->n == g->most)
        return PH_OK;
    double *to = g->to + g->n++ * ensemble_times(e) * width;
    for (int64_t r = 0; r < e->info.swept.rows; r += stride_of(e), to += width) {
        const double *row = rows + (size_t)r * columns;
        const bool in = time_is_in(e->span, row[TIME]);
        to[0] = in ? row[TIME] : (double)NAN;
        to[1] = row[MEMBER];
        for (size_t k = 0; k < e->n_columns; k++) {
            const double x = row[e->columns[k].in_row];
            to[2 + k] = !in ? (double)NAN : e->columns[k].error ? fabs(x) : x;
        }
    }
    return PH_OK;
}

ph_status ensemble_rows(ensemble *e, size_t most, double **rows, size_t *n, int64_t *of, ph_error *err)
{
    const size_t numbers = ensemble_times(e) * (2 + e->n_columns),
                 room = TABLE_BYTES / sizeof(double) / numbers;
    gathering g = {.e = e, .most = room < most ? room : most};
    g.each = (e->read + (int64_t)g.most - 1) / (int64_t)g.most;
    g.each = g.each > 1 ? g.each : 1;
    g.to = malloc(g.most * numbers * sizeof *g.to);
    ph_status status =
        g.to ? each_member(e, enter_rows, &g, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *rows = g.to;
    *n = g.n;
    *of = g.of;
    return status;
}

/* ---- Words -------------------------------------------------------------------------------------------------- */

double ensemble_value(const ensemble *e, const ensemble_column *c, size_t i)
{
    const double x = e->table[i * e->width + c->in_table];
    return c->error ? fabs(x) : x;
}

const ensemble_column *ensemble_find(const ensemble *e, const char *name, ph_error *err)
{
    char all[400] = "";
    for (size_t k = 0; k < e->n_axes; k++)
        if (!strcmp(e->axes[k].name, name))
            return &e->axes[k];
    for (size_t k = 0; k < e->n_keys + e->n_columns; k++) {
        const ensemble_column *c = k < e->n_keys ? &e->keys[k] : &e->columns[k - e->n_keys];
        if (!strcmp(c->name, name))
            return c;
        text_add(all, sizeof all, "%s%s", k ? ", " : "", c->name);
    }
    ph_fail(err, PH_E_UNKNOWN,
            "'%.60s' neither varies nor is a column of the sweep, which has among others %s "
            "(polhode info --columns lists them)",
            name, all);
    return NULL;
}

const char *ensemble_word(const ensemble *e, const ensemble_column *key, double value)
{
    return key->words ? ph_members_word(e->members, key->in_row - VARIED, value) : NULL;
}

void ensemble_words(const ensemble *e, const ensemble_column *key, double value, char *text, size_t size)
{
    const char *word = ensemble_word(e, key, value);
    *text = '\0';
    if (word)
        text_add(text, size, "%.40s = %.60s", key->name, word);
    else
        text_add(text, size, "%.40s = %.6g%s%.20s", key->name, value, *key->unit ? " " : "", key->unit);
}

static void say_failed(const ensemble *e, picture *p)
{
    const int64_t failed = ph_record_failures(e->info.record);
    char list[200] = "", message[160] = "";
    ph_member_failure f = {.member = -1};
    for (int k = 0; k < NAMED && ph_record_next_failure(e->info.record, f.member, &f); k++) {
        if (!k)
            snprintf(message, sizeof message, "%.159s", f.message);
        text_add(list, sizeof list, "%s%" PRId64, k ? ", " : "", f.member);
    }
    if (failed)
        picture_say(p, "%" PRId64 " failed: %s%s; the first: %s.", failed, list,
                    failed > NAMED ? ", ..." : "", message);
}

/* Members that did not fail, and have rows, but no number there. */
static void say_missing(const ensemble *e, const ensemble_column *c, picture *p)
{
    const int64_t missing = (int64_t)e->n - e->failed - e->elsewhere - c->finite;
    if (missing > 0)
        picture_say(p, "%" PRId64 " ha%s no finite number of %.60s.", missing, missing == 1 ? "s" : "ve",
                    c->name);
}

void ensemble_say(const ensemble *e, const ensemble_column *shown, picture *p)
{
    const ph_swept *s = &e->info.swept;
    const int64_t damaged = e->damaged / s->rows, there = e->read + damaged,
                  wanted = s->rank < 0 ? s->end - s->first : there; /* a rank's share is not known */
    picture_say(p, "%" PRId64 " member%s%s.", e->read, e->read == 1 ? "" : "s",
                there < wanted ? " until now" : "");
    if (damaged)
        picture_say(p, "%" PRId64 " more are damaged, and left out.", damaged);
    if (there < wanted)
        picture_say(p, "There will be %" PRId64 ".", wanted);
    if (s->rank >= 0)
        picture_say(p, "They were dealt to rank %" PRId64 ".", s->rank);
    if (s->shards > 1)
        picture_say(p, "These are shard %" PRId64 " of %" PRId64 ".", s->shard, s->shards);
    if ((int64_t)e->n < e->read)
        picture_say(p, "Drawn are %zu of them, taken evenly.", e->n);
    say_failed(e, p);
    if (e->elsewhere)
        picture_say(p, "%" PRId64 " have no row in the span.", e->elsewhere);
    for (size_t k = 0; k < e->n_columns; k++)
        if (!shown || shown == &e->columns[k])
            say_missing(e, &e->columns[k], p);
}

int ensemble_complain(const ensemble *e)
{
    const int code = e->info.unsound ? complain(EXIT_ENDED_EARLY, "%s", info_unsound(&e->info)) : EXIT_OK;
    return e->damaged ? complain(EXIT_ENDED_EARLY, "%s: %" PRId64 " damaged rows are left out; the first: %s",
                                 e->file, e->damaged, e->damage)
                      : code;
}
