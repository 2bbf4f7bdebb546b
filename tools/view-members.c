/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of an ensemble are run one by one, each into an archive of its own in a temporary directory; what the archive of the
 * sweep has of them is compared with the last state of the run. */
#include "view-members.h"

#include "bench/common/scenario-input.h"
#include "figures/utf8.h"

#include <polhode/kit/text.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The columns of a sweep that every member has; behind them are those that vary, and the chosen ones. */
enum { TIME, STEP, MEMBER, STATUS };
enum { LONGEST_PATH = 400 };

/* Members of which the same is to be said. */
typedef struct told {
    size_t n;
    char list[160], first[sizeof((ph_error *)0)->message]; /* numbers; the message of the first one, or "" */
} told;

static void note(told *t, int64_t member, const char *message)
{
    enum { NAMED = 10 };
    if (!t->n)
        snprintf(t->first, sizeof t->first, "%s", message);
    if (t->n++ < NAMED)
        text_add(t->list, sizeof t->list, "%s%" PRId64, t->n > 1 ? ", " : "", member);
    else if (t->n == NAMED + 1)
        text_add(t->list, sizeof t->list, ", ...");
}

static void tell(const told *t, const char *words)
{
    if (t->n)
        complain(0, "member%s %s: %s%s%s", t->n > 1 ? "s" : "", t->list, words,
                 t->n > 1 && *t->first ? "; the first: "
                 : *t->first           ? ": "
                                       : "",
                 t->first);
}

/* An ensemble, of a file or of an archive. */
typedef struct ensemble {
    const member_choice *choice;
    ph_record *record; /* of the sweep, or NULL */
    ph_swept swept;    /* of the record */
    char *text;        /* of the scenario, if it was read from a file */
    size_t length;
    const char *path; /* of the scenario, for messages, and where its files are */
    const char *name; /* what the runs are called after */
    ph_members *members;
    progress shown;
    size_t at, n; /* the member that is being run, of so many */
    told failed, changed, missing;
} ensemble;

static void close_ensemble(ensemble *e)
{
    ph_members_free(e->members);
    ph_record_close(e->record);
    free(e->text);
}

static ph_status open_ensemble(ensemble *e, ph_error *err)
{
    static const option_texts none = {.n = 0};
    const char *text;
    ph_status status;
    if (e->choice->of_archive) {
        status = ph_record_open(e->choice->file, &e->record, err);
        if (status)
            return status;
        ph_record_swept(e->record, &e->swept);
        const char *source = ph_record_meta(e->record, "source"), *name = ph_record_meta(e->record, "name");
        text = ph_record_meta(e->record, "scenario");
        e->name = name ? name : "sweep";
        e->path = source ? source : e->name;
        if (!text)
            return ph_fail(err, PH_E_PARSE, "%s: has no scenario", e->choice->file);
        e->length = strlen(text);
    } else {
        e->path = e->name = scenario_name(e->choice->file);
        status = scenario_text(e->choice->file, &none, 0, &e->text, &e->length, err);
        if (status)
            return status;
        text = e->text;
    }
    return ph_members_open(text, e->length, e->path, &e->members, err);
}

/* ---- Which --------------------------------------------------------------------------------------------- */

/* "5", "10-20", "0-100:10" */
static bool read_range(const char *word, int64_t *from, int64_t *to, int64_t *by)
{
    char text[64];
    if (strlen(word) >= sizeof text)
        return false;
    strcpy(text, word);
    char *colon = strchr(text, ':'), *dash = strchr(text, '-');
    if (colon)
        *colon = '\0';
    if (dash)
        *dash = '\0';
    *by = 1;
    return !ph_parse_count(text, from) && !ph_parse_count(dash ? dash + 1 : text, to) && *from <= *to &&
           (!colon || (dash && !ph_parse_count(colon + 1, by) && *by > 0));
}

static bool add_member(member_runs *runs, int64_t member)
{
    for (size_t i = 0; i < runs->n; i++)
        if (runs->list[i].member == member)
            return true;
    if (runs->n == MOST_MEMBERS)
        return false;
    runs->list[runs->n++] = (member_run){.member = member};
    return true;
}

static ph_status choose_members(const ensemble *e, member_runs *runs, ph_error *err)
{
    const member_choice *c = e->choice;
    const int64_t there = ph_members_count(e->members);
    int64_t from, to, by;
    runs->list = calloc(MOST_MEMBERS, sizeof *runs->list);
    if (!runs->list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!c->list.n)
        add_member(runs, c->member >= 0 ? c->member : e->record ? e->swept.first : 0);
    for (size_t i = 0; i < c->list.n; i++) {
        if (!read_range(c->list.at[i], &from, &to, &by))
            return ph_fail(err, PH_E_INVALID,
                           "--members %.60s: numbers and ranges are expected, as 0,5,10-20 or 0-100:10",
                           c->list.at[i]);
        for (int64_t k = from; k <= to && k < there; k += by)
            if (!add_member(runs, k))
                return ph_fail(err, PH_E_INVALID,
                               "--members: a page shows at most %d; every tenth is for example 0-%" PRId64
                               ":10",
                               MOST_MEMBERS, there - 1);
        if (to >= there)
            add_member(runs, to);
    }
    for (size_t i = 0; i < runs->n; i++)
        if (runs->list[i].member >= there)
            return ph_fail(err, PH_E_RANGE,
                           "%s: there is no member %" PRId64 "; the ensemble has %" PRId64
                           ", from 0 to %" PRId64,
                           e->path, runs->list[i].member, there, there - 1);
    return PH_OK;
}

/* ---- What it is called, and its colour ------------------------------------------------------------------- */

static ph_status describe_member(const ensemble *e, member_run *run, ph_error *err)
{
    enum { NAMED = 3 };
    const size_t n = ph_members_columns(e->members);
    double *values = malloc((n + 1) * sizeof *values);
    if (!values)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const ph_status status = ph_members_values(e->members, run->member, values, err);
    snprintf(run->label, sizeof run->label, "member %" PRId64, run->member);
    for (size_t j = 0; j < n && !status; j++) {
        const char *word = ph_members_word(e->members, j, values[j]);
        char number[32];
        snprintf(number, sizeof number, "%.6g", values[j]);
        if (j < NAMED)
            text_add(run->label, sizeof run->label, "%s%s = %s", j ? ", " : ": ",
                     ph_members_column(e->members, j), word ? word : number);
        else if (j == NAMED)
            text_add(run->label, sizeof run->label, " and %zu more", n - NAMED);
    }
    run->share = n == 1 ? values[0] : (double)run->member;
    free(values);
    return status;
}

static int compare_shares(const void *a, const void *b)
{
    const member_run *x = a, *y = b;
    return x->share != y->share ? (x->share > y->share) - (x->share < y->share)
                                : (x->member > y->member) - (x->member < y->member);
}

/* From the least to the largest: 0 to 1. */
static void spread_shares(member_runs *runs)
{
    qsort(runs->list, runs->n, sizeof *runs->list, compare_shares);
    const double least = runs->list[0].share, most = runs->list[runs->n - 1].share;
    for (size_t i = 0; i < runs->n; i++)
        runs->list[i].share = most > least ? (runs->list[i].share - least) / (most - least) : 0;
}

/* ---- Running ----------------------------------------------------------------------------------------------- */

/* The text with this value; NULL: without the key. */
static ph_status edit(char **text, const char *key, const char *value, ph_error *err)
{
    char *edited = NULL;
    const ph_status status = ph_scenario_edit(*text, strlen(*text), key, value, &edited, err);
    if (!status) {
        free(*text);
        *text = edited;
    }
    return status;
}

/* Those with which it ran again after it had failed. */
static ph_status apply_settings(const ensemble *e, int64_t member, char **text, ph_error *err)
{
    char *settings = NULL, *rest = NULL;
    ph_status status = ph_record_member_settings(e->record, member, &settings, err);
    if (status)
        return status;
    for (char *line = strtok_r(settings, "\n", &rest); line && !status; line = strtok_r(NULL, "\n", &rest)) {
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = '\0';
        status = edit(text, line, equals[1] ? equals + 1 : NULL, err);
    }
    free(settings);
    return status;
}

/* `output` of a sweep says what is kept of each member, often one row: here it is that of a run without it. Where an energy
 * bound ends the run, which is looked at when rows are made, its times stay. */
static ph_status choose_output(const ensemble *e, const ph_scenario *member, char **text, ph_error *err)
{
    const int64_t steps = ph_scenario_steps(member), rows = e->choice->rows;
    char every[32];
    if (isfinite(ph_scenario_energy_bound(member)))
        return edit(text, "output.columns", NULL, err);
    const ph_status status = edit(text, "output", NULL, err);
    snprintf(every, sizeof every, "%" PRId64, rows > 1 && steps >= rows ? 1 + (steps - 1) / (rows - 1) : 1);
    return status || !rows ? status : edit(text, "output.every", every, err);
}

static ph_status read_member(const ensemble *e, int64_t member, ph_scenario **scenario, ph_error *err)
{
    ph_scenario *sc = NULL;
    char *text = NULL;
    ph_status status =
        ph_members_make(e->members, member, &sc, err); /* messages have positions in the file */
    ph_scenario_free(sc);
    if (status)
        return status;
    status = ph_members_text(e->members, member, &text, err);
    if (!status && e->record)
        status = apply_settings(e, member, &text, err);
    if (!status && !(status = ph_scenario_parse_at(text, strlen(text), e->path, &sc, err))) {
        status = choose_output(e, sc, &text, err);
        ph_scenario_free(sc);
    }
    if (!status)
        status = ph_scenario_parse_at(text, strlen(text), e->path, scenario, err);
    free(text);
    return status;
}

static void show_progress(void *self, const ph_session *s)
{
    ensemble *e = self;
    const double share = (double)ph_session_state(s)->k / (double)ph_session_steps(s);
    progress_show(&e->shown, (double)NAN, (int64_t)(1e6 * ((double)e->at + share)), 1000000 * (int64_t)e->n,
                  NULL);
}

static bool signalled(void *self, const char **reason, const char **by)
{
    (void)self;
    *reason = "signal";
    *by = *signal_flag() == SIGTERM ? "SIGTERM" : "SIGINT";
    return *signal_flag() != 0;
}

/* A member that fails is shown until then. */
static ph_status run_session(ensemble *e, const member_runs *runs, member_run *run, ph_scenario *scenario,
                             ph_error *err)
{
    char archive[LONGEST_PATH], stem[200];
    ph_session *s = NULL;
    ph_error ended;
    const char *slash = strrchr(e->name, '/'), *name = slash ? slash + 1 : e->name, *dot = strrchr(name, '.');
    snprintf(stem, sizeof stem, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    snprintf(archive, sizeof archive, "%.150s-%" PRId64 ".polhode", stem, run->member);
    const ph_session_options options = {.force = true, /* summary.json of the member before */
                                        .archive = archive,
                                        .progress = show_progress,
                                        .stop = signalled,
                                        .self = e};
    ph_status status = ph_session_open_scenario(scenario, e->path, runs->directory, &options, &s, err);
    if (status)
        return status;
    status = ph_session_run(s, &ended);
    const char *path = ph_session_path(s, PH_SESSION_ARCHIVE);
    run->file = strdup(path ? path : "");
    ph_session_close(s, NULL);
    if (!run->file)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (*signal_flag() || status == PH_E_IO || status == PH_E_EXISTS || status == PH_E_NO_MEMORY)
        return ph_fail(err, status, "%s", ended.message);
    if (status && status != PH_E_STOPPED)
        note(&e->failed, run->member, ended.message);
    return PH_OK;
}

/* ---- Is it as in the sweep? -------------------------------------------------------------------------------- */

/* values <- the last row of the member that is not NaN. false: the archive has none. */
static bool last_row_swept(const ensemble *e, int64_t member, double *values)
{
    const ph_swept *s = &e->swept;
    int64_t low = 0, high = s->rows, read, next;
    if (s->rank >= 0 || member < s->first || member >= s->end)
        return false;
    while (low < high) { /* rows before `low` are numbers, those from `high` on are not */
        const int64_t k = low + (high - low) / 2;
        if (ph_record_read(e->record, (member - s->first) * s->rows + k, 1, values, &read, &next, NULL) ||
            !read)
            return false;
        if (isnan(values[TIME]))
            high = k;
        else
            low = k + 1;
    }
    return low &&
           !ph_record_read(e->record, (member - s->first) * s->rows + low - 1, 1, values, &read, &next,
                           NULL) &&
           read && values[MEMBER] == (double)member;
}

/* Have the columns that both have the same bits? Not counts since the row before, which is another one. */
static bool is_same_row(const ph_record *sweep, const double *swept, const ph_record *run, const double *own)
{
    for (size_t i = 0; i < ph_record_columns(sweep); i++)
        for (size_t j = 0;
             j < ph_record_columns(run) && strcmp(ph_record_column(sweep, i), "newton_passes") != 0; j++)
            if (!strcmp(ph_record_column(sweep, i), ph_record_column(run, j)) &&
                memcmp(&swept[i], &own[j], sizeof *own))
                return false;
    return true;
}

static void compare_with_sweep(ensemble *e, const member_run *run)
{
    int64_t read, next;
    ph_record *record = NULL;
    if (!e->record || ph_record_open(run->file, &record, NULL))
        return;
    double *swept = malloc((ph_record_columns(e->record) + 1) * sizeof *swept),
           *own = malloc((ph_record_columns(record) + 1) * sizeof *own);
    if (swept && own && last_row_swept(e, run->member, swept) &&
        !ph_record_read(record, ph_record_rows(record) - 1, 1, own, &read, &next, NULL) && read &&
        !is_same_row(e->record, swept, record, own))
        note(&e->changed, run->member, "");
    free(swept);
    free(own);
    ph_record_close(record);
}

/* ---- All ---------------------------------------------------------------------------------------------------- */

static int run_member(ensemble *e, const member_runs *runs, member_run *run)
{
    ph_scenario *scenario = NULL;
    ph_error err;
    char line[CHOICE_LINE];
    if (read_member(e, run->member, &scenario, &err)) {
        note(&e->missing, run->member, err.message);
        return EXIT_OK;
    }
    const int code = settle_scenario(scenario, e->path, true, line);
    if (code) {
        ph_scenario_free(scenario);
        return code;
    }
    const ph_status status = run_session(e, runs, run, scenario, &err);
    if (status)
        return *signal_flag()
                   ? complain(EXIT_SIGNAL + (int)*signal_flag(), "interrupted; nothing was written")
                   : complain(status == PH_E_IO ? EXIT_OUTPUT : EXIT_INPUT, "member %" PRId64 ": %s",
                              run->member, err.message);
    compare_with_sweep(e, run);
    return EXIT_OK;
}

/* Those that cannot begin, which was said, are not in the page. */
static void drop_missing(member_runs *runs)
{
    size_t n = 0;
    for (size_t i = 0; i < runs->n; i++)
        if (runs->list[i].file)
            runs->list[n++] = runs->list[i];
    runs->n = n;
}

static int run_chosen(ensemble *e, member_runs *runs)
{
    ph_error err;
    if (open_ensemble(e, &err) || choose_members(e, runs, &err))
        return complain_of(EXIT_INPUT, &err);
    for (size_t i = 0; i < runs->n; i++)
        if (describe_member(e, &runs->list[i], &err))
            return complain_of(EXIT_INPUT, &err);
    spread_shares(runs);
    const char *base = getenv("TMPDIR");
    snprintf(runs->directory, sizeof runs->directory, "%.200s/polhode-view-XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(runs->directory)) {
        const int why = errno;
        const int code = complain(EXIT_OUTPUT, "%s: cannot be made: %s", runs->directory, strerror(why));
        *runs->directory = '\0';
        return code;
    }
    runs->opened = opendir(runs->directory); /* there may be no memory to do this at the end */
    if (!runs->opened) {
        const int code = complain(EXIT_OUTPUT, "%s: cannot be opened: %s", runs->directory, strerror(errno));
        rmdir(runs->directory);
        return code;
    }
    e->n = runs->n;
    e->shown = progress_start("members", e->choice->quiet);
    int code = EXIT_OK;
    for (e->at = 0; e->at < e->n && !code; e->at++)
        code = run_member(e, runs, &runs->list[e->at]);
    progress_end(&e->shown);
    if (code)
        return code;
    tell(&e->missing, "cannot begin");
    tell(&e->failed, "shown until the run failed");
    tell(&e->changed,
         "the last state is not, to the last bit, that of the sweep, which another build or another kind "
         "of processor has run, or files have changed since");
    drop_missing(runs);
    if (!runs->n)
        return EXIT_INPUT;
    if (!e->choice->quiet && !e->choice->list.n && ph_members_count(e->members) == 1)
        printf("  %s\n", runs->list[0].label);
    else if (!e->choice->quiet && !e->choice->list.n)
        printf("  %s; the ensemble has %" PRId64 " members%s\n", runs->list[0].label,
               ph_members_count(e->members),
               e->choice->member < 0 ? ": --member I shows another one, --members 0,5,10-20 several" : "");
    return EXIT_OK;
}

int run_members(const member_choice *choice, member_runs *runs)
{
    ensemble e = {.choice = choice};
    catch_signals();
    const int code = run_chosen(&e, runs);
    close_ensemble(&e);
    return code;
}

void end_member_runs(member_runs *runs)
{
    const struct dirent *entry;
    char path[LONGEST_PATH + 256];
    DIR *directory = runs->opened;
    if (directory)
        rewinddir(directory);
    while (directory && (entry = readdir(directory))) {
        snprintf(path, sizeof path, "%s/%s", runs->directory, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(path);
    }
    if (directory) {
        closedir(directory);
        rmdir(runs->directory);
    }
    for (size_t i = 0; i < runs->n; i++)
        free(runs->list[i].file);
    free(runs->list);
    *runs = (member_runs){.n = 0};
}
