/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode view: a page that shows archives in motion. It is the viewer (viewer/, bundled into one file) with a thinned
 * copy of each archive in it, as base64, which it reads as it reads an archive that is dropped on it. For a sweep, these are archives
 * of members that are run for the page (view-members.h). */
#include "program.h"
#include "view-members.h"

#include <polhode/domain/scene.h>
#include <polhode/kit/text.h>
#include <polhode/rows.h>

#include "bench/report/markup.h"
#include "viewer/page.h"

#include <inttypes.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct arguments {
    option_texts files, columns, members;
    const char *output;
    int64_t rows, megabytes, member;
    bool empty, force, quiet;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"ARCHIVE", 0, "archive", AT(OPERANDS, files),
     .text =
         "archives, NAME.polhode, or directories that hold one; two are shown on one clock. From a sweep, or a "
         "scenario with an ensemble, members are run for the page"},
    {"member", 0, "I", AT(WHOLE, member),
     .text = "member I of a sweep, which count from 0 (default: the first one)"},
    {"members", 0, "LIST", AT(LIST, members),
     .text =
         "members of a sweep in one picture, at most 50, for example 0,5,10-20 or 0-190:10 (every tenth)"},
    {"output", 'o', "FILE", AT(TEXT, output),
     .text = "the page (default: NAME.html next to the first archive)"},
    {"empty", 0, NULL, AT(FLAG, empty), .text = "the page without an archive, on which archives are dropped"},
    {"columns", 0, "LIST", AT(LIST, columns),
     .text =
         "further columns, for example energies,position1: the archive's, or others that can be computed"},
    {"rows", 0, "N", AT(WHOLE, rows),
     .text = "at most N rows of each archive, whatever the size (default: as many as fit, at most 20000)",
     .least = 2, .most = 10000000},
    {"size", 0, "MB", AT(WHOLE, megabytes), .text = "the page takes at most so many megabytes (10)",
     .least = 2, .most = 500},
    {"force", 'f', NULL, AT(FLAG, force), .text = "replace an existing page"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but warnings and errors"},
    {.name = NULL}};
static const arguments defaults = {.megabytes = 10, .member = -1};

/* [bytes] Where the blocks of the page's rows have more, which would take a minute, it takes rows with which blocks begin. */
static const int64_t most_read = (int64_t)32 << 30;

/* More rows than these show nothing more at the width of a screen; with fewer a motion is no motion. */
enum { MOST_ARCHIVES = 2, MOST_ROWS = 20000, LEAST_ROWS = 400, MOST_EVENTS = 20000 };

/* An archive as it is put into the page. */
typedef struct page_entry {
    const char *file;
    const member_run *member;              /* that the archive is of, or NULL */
    char name[256], label[256], model[64]; /* model: "" where it is not known */
    unsigned char *bytes;
    size_t size;
    double *times; /* [s] of its rows */
    ph_copy_report report;
    bool damaged; /* what the archive says of its run */
} entry;

/* The archives of a page. */
typedef struct view_page {
    const arguments *a;
    entry *entries; /* (n); behind the last is one without a file */
    size_t n;
    char *files[MOST_ARCHIVES]; /* (a->files.n) as find_archive has them */
    member_runs members;
} view_page;

static void empty_entry(entry *e)
{
    free(e->bytes);
    free(e->times);
    e->bytes = NULL;
    e->times = NULL;
}

/* [bytes] of numbers that there is room for, in each archive: base64 makes four bytes of three, and tables take some. */
static size_t room_in_page(const view_page *p)
{
    const double whole = 1e6 * (double)p->a->megabytes - (double)viewer_page_size - 100000;
    return (size_t)(0.72 * (whole > 400000 ? whole : 400000) / (double)p->n);
}

/* [bytes] of a page with such copies, but for its names. */
static size_t page_size(const view_page *p)
{
    size_t size = viewer_page_size;
    for (size_t i = 0; i < p->n; i++)
        size += 4 * ((p->entries[i].size + 2) / 3) + 200;
    return size;
}

/* ---- Columns ------------------------------------------------------------------------------------------- */

/* Names of columns, each once. */
typedef struct words {
    char **at; /* (n), also in the tree */
    size_t n, room;
    void *tree; /* of tsearch */
} words;

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void free_words(words *w)
{
    for (size_t i = 0; i < w->n; i++) {
        tdelete(w->at[i], &w->tree, compare_words);
        free(w->at[i]);
    }
    free(w->at);
    *w = (words){0};
}

static bool add_word(words *w, const char *word)
{
    if (tfind(word, &w->tree, compare_words))
        return true;
    if (w->n == w->room) {
        const size_t room = w->room ? 2 * w->room : 64;
        char **at = realloc(w->at, room * sizeof *at);
        if (!at)
            return false;
        w->at = at;
        w->room = room;
    }
    char *copied = strdup(word);
    if (!copied || !tsearch(copied, &w->tree, compare_words)) {
        free(copied);
        return false;
    }
    w->at[w->n++] = copied;
    return true;
}

static ph_status add_own(words *w, const ph_record *record, size_t most, ph_error *err)
{
    for (size_t i = 0; i < ph_record_columns(record) && i < most; i++)
        if (!add_word(w, ph_record_column(record, i)))
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return PH_OK;
}

/* The columns of a group, those of the archive and those that are computed; nothing where there are none. */
static ph_status add_group(words *w, ph_record *record, const char *group, ph_error *err)
{
    ph_rows *rows;
    ph_status status = ph_rows_open(record, &group, 1, &rows, err);
    if (status)
        return status;
    for (size_t i = 0; i < ph_rows_columns(rows) && !status; i++)
        if (!add_word(w, ph_rows_column(rows, i)))
            status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_rows_free(rows);
    return status;
}

/* The same where it can be had. PH_E_NO_MEMORY. */
static ph_status add_further(words *w, ph_record *record, const char *group, ph_error *err)
{
    const ph_status status = add_group(w, record, group, err);
    return status == PH_E_NO_MEMORY ? status : PH_OK;
}

/* *follow <- are the points of the archive's system functions of its configuration that the viewer knows? PH_E_NO_MEMORY. */
static ph_status points_follow(ph_record *record, bool *follow, ph_error *err)
{
    ph_rows *rows;
    ph_scene *scene;
    *follow = true;
    if (ph_rows_open(record, NULL, 0, &rows, NULL))
        return PH_OK;
    const ph_status status =
        ph_rows_system(rows) ? ph_scene_create(ph_rows_system(rows), &scene, err) : PH_E_UNSUPPORTED;
    if (!status) {
        *follow = ph_scene_is_affine(scene);
        ph_scene_free(scene);
    }
    ph_rows_free(rows);
    return status == PH_E_NO_MEMORY ? status : PH_OK;
}

/* What a page shows: all that the archive has, and what is missing for figures. Where that would leave few rows, only
 * what the scene and the errors take; of an archive without a scenario its first columns. */
static ph_status choose_columns(words *w, ph_record *record, const arguments *a, size_t most, ph_error *err)
{
    static const char *const always[] = {"energy_error", "constraint_error", "momentum_maps",
                                         "newton_passes"};
    static const char *const more[] = {"energy", "omega", "tensions"};
    ph_error ignored;
    const bool few = most / (8 * (ph_record_columns(record) + 8)) < LEAST_ROWS;
    ph_status status = few ? PH_OK : add_own(w, record, SIZE_MAX, err);
    if (few && add_group(w, record, "configuration", &ignored))
        status = add_own(w, record, most / (8 * LEAST_ROWS), err);
    bool follow = true;
    if (!status)
        status = points_follow(record, &follow, err);
    if (!status && !follow)
        status = add_further(w, record, "positions", err);
    for (size_t i = 0; i < sizeof always / sizeof always[0] && !status; i++)
        status = add_further(w, record, always[i], err);
    for (size_t i = 0; !few && i < sizeof more / sizeof more[0] && !status; i++)
        status = add_further(w, record, more[i], err);
    for (size_t i = 0; i < a->columns.n && !status; i++)
        status = add_group(w, record, a->columns.at[i], err);
    return status;
}

/* How many events have room, of which each keeps a whole state: as many as take no more than half of it. */
static int64_t fitting_events(ph_record *record, size_t most)
{
    ph_recorded_event event;
    int64_t i = -1;
    while (ph_record_next_event(record, i, &i))
        if (!ph_record_event(record, i, &event, NULL)) {
            const size_t fit = most / 2 / (8 * (event.n + 4) + strlen(event.name) + 64);
            return fit < 1 ? 1 : fit < MOST_EVENTS ? (int64_t)fit : MOST_EVENTS;
        }
    return MOST_EVENTS;
}

/* [bytes] that so many events take. */
static size_t bytes_of_events(ph_record *record, int64_t n)
{
    const int64_t there = ph_record_events(record);
    ph_recorded_event event;
    int64_t i;
    if (!ph_record_next_event(record, -1, &i) || ph_record_event(record, i, &event, NULL))
        return 0;
    return (size_t)(there < n ? there : n) * (8 * (event.n + 4) + strlen(event.name) + 64);
}

/* ---- A copy -------------------------------------------------------------------------------------------- */

static bool show_progress(void *self, double share)
{
    progress_show(self, (double)NAN, (int64_t)(1000 * share), 1000, NULL);
    return !*signal_flag();
}

static void name_entry(entry *e, const ph_record *record)
{
    const char *method = ph_record_meta(record, "method"), *step = ph_record_meta(record, "step"),
               *slash = strrchr(e->file, '/');
    double h;
    const char *model = ph_record_meta(record, "model");
    snprintf(e->name, sizeof e->name, "%s", slash ? slash + 1 : e->file);
    snprintf(e->model, sizeof e->model, "%s", model ? model : "");
    if (!step || ph_parse_number(step, &h))
        h = NAN;
    label_run(e->label, sizeof e->label, method ? method : e->name, ph_record_meta(record, "order"), h);
    if (e->member)
        snprintf(e->label, sizeof e->label, "%s", e->member->label);
}

/* In `most` bytes; next to `other`, whose rows' times are taken where they are; `first`: others are to come, which take its times. Then rows that are
 * being written meanwhile are left out. */
static ph_status copy_archive(entry *e, const arguments *a, size_t most, bool first, const entry *other,
                              ph_error *err)
{
    ph_record *record;
    words columns = {0};
    ph_status status = ph_record_open(e->file, &record, err);
    if (status)
        return status;
    ph_error why;
    if (ph_record_verify(record, &why)) {
        if (!e->damaged)
            complain(0, "%s", why.message);
        e->damaged = true;
    }
    progress shown = progress_start(e->file, a->quiet);
    name_entry(e, record);
    status = choose_columns(&columns, record, a, most, err);
    const int64_t events = fitting_events(record, most);
    const size_t taken = bytes_of_events(record, events),
                 fit = taken < most ? (most - taken) / (8 * (columns.n + 3)) : 0;
    const int64_t wanted = a->rows           ? a->rows
                           : fit > MOST_ROWS ? MOST_ROWS
                           : fit < 2         ? 2
                                             : (int64_t)fit,
                  there = ph_record_rows(record) > 2 ? ph_record_rows(record) : 2,
                  rows = first && wanted > there ? there : wanted;
    e->times = first ? malloc(((size_t)rows + 2) * sizeof *e->times) : NULL;
    const ph_copy_plan plan = {.words = (const char *const *)columns.at,
                               .n = columns.n,
                               .rows = rows,
                               .events = events,
                               .times = other ? other->times : NULL,
                               .n_times = other ? (size_t)other->report.rows : 0,
                               .copied = e->times,
                               .bytes = most_read,
                               .progress = show_progress,
                               .self = &shown};
    if (!status && first && !e->times)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = ph_record_copy(record, &plan, &e->bytes, &e->size, &e->report, err);
    progress_end(&shown);
    if (!status && !e->report.rows)
        status = ph_fail(err, PH_E_IO, "%s: has no row that can be read", e->file);
    free_words(&columns);
    ph_record_close(record);
    return status;
}

/* ---- The page ------------------------------------------------------------------------------------------ */

static void put_entry(FILE *f, const entry *e)
{
    markup_between(f, "<script type=\"application/vnd.polhode\" data-name=\"", e->name, "\"");
    markup_between(f, " data-label=\"", e->label, "\"");
    if (e->member)
        fprintf(f, " data-member=\"%" PRId64 "\" data-share=\"%.4f\"", e->member->member, e->member->share);
    fprintf(f, ">\n");
    markup_base64(f, (const char *)e->bytes, e->size);
    fprintf(f, "\n</script>\n");
}

/* The place of the archives in the viewer's page. */
static const char marker[] = "<!-- polhode: archives -->";

static ph_status put_page(FILE *f, const void *self, ph_error *err)
{
    const entry *entries = self;
    const char *page = (const char *)viewer_page;
    size_t before = 0;
    (void)err;
    while (before + sizeof marker <= viewer_page_size && memcmp(page + before, marker, sizeof marker - 1))
        before++;
    fwrite(page, 1, before, f);
    for (; entries->file; entries++)
        put_entry(f, entries);
    fwrite(page + before, 1, viewer_page_size - before, f);
    return PH_OK;
}

/* Is it a page of this command, of any version? */
static bool is_own_page(const char *path)
{
    char start[2048];
    FILE *f = fopen(path, "r");
    const size_t n = f ? fread(start, 1, sizeof start - 1, f) : 0;
    if (f)
        fclose(f);
    start[n] = '\0';
    return strstr(start, "<title>Polhode viewer</title>") != NULL;
}

/* An exit code, after a message where the page exists and must stay. A page next to its archive is derived from it: it is
 * replaced, as after `polhode resume`; one that was given a name is somebody's. */
static int keep_existing(const view_page *p, const char *output)
{
    const arguments *a = p->a;
    for (size_t i = 0; i < a->files.n; i++)
        if (is_same_file(output, p->files[i]))
            return complain(EXIT_INPUT, "%s: is the archive itself; -o FILE names another file", output);
    return check_place(output, a->force || (!a->output && a->files.n && is_own_page(output)));
}

/* What is said of the copies, also as warnings where something is missing. */
static int report_entries(const view_page *p, const char *output)
{
    const arguments *a = p->a;
    int code = EXIT_OK;
    const double size = 1e-6 * (double)page_size(p);
    const char *files[MOST_ARCHIVES], *models[MOST_ARCHIVES];
    for (size_t i = 0; i < p->n && i < MOST_ARCHIVES; i++) {
        files[i] = p->entries[i].file;
        models[i] = *p->entries[i].model ? p->entries[i].model : NULL;
    }
    if (!p->members.n)
        remark_on_archives(files, models, p->n);
    if (!a->quiet)
        printf("Written: %s\n", output);
    if (p->n && size > (double)a->megabytes)
        complain(0, "%s: has %.1f MB, more than --size %" PRId64 "%s", output, size, a->megabytes,
                 a->rows ? ": --rows goes before it" : ": with the scenes and scenarios there is no less");
    for (size_t i = 0; i < p->n; i++) {
        const entry *e = &p->entries[i];
        const ph_copy_report *r = &e->report;
        if (!a->quiet && r->rows < r->rows_of && p->n <= MOST_ARCHIVES)
            printf("  %s: %" PRId64 " of %" PRId64 " rows\n", e->name, r->rows, r->rows_of);
        if (r->events < r->events_of)
            complain(0, "%s: %" PRId64 " of %" PRId64 " events are in the page", e->file, r->events,
                     r->events_of);
        if (e->damaged)
            code = EXIT_ENDED_EARLY;
        if (r->damaged)
            code =
                complain(EXIT_ENDED_EARLY,
                         "%s: damaged rows are left out; the page has those that could be read (polhode info "
                         "--check names what is damaged)",
                         e->file);
    }
    return code;
}

/* ---- The command --------------------------------------------------------------------------------------- */

static ph_status copy_all(view_page *p, size_t most, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < p->n && !status; i++) {
        empty_entry(&p->entries[i]);
        status = copy_archive(&p->entries[i], p->a, most, i == 0 && p->n > 1, i ? p->entries : NULL, err);
    }
    return status;
}

/* Words, scenes and tables take room that is known when they are written: then there is less for rows. */
static ph_status copy_archives(view_page *p, ph_error *err)
{
    enum { TRIES = 3 };
    const double limit = 1e6 * (double)p->a->megabytes;
    double most = (double)room_in_page(p);
    ph_status status = copy_all(p, (size_t)most, err);
    for (int k = 0; k < TRIES && !status && !p->a->rows && (double)page_size(p) > limit; k++) {
        most -=
            0.78 * ((double)page_size(p) - limit) / (double)p->n + (2000 << 2 * k); /* a row may be large */
        if (most < 0)
            most = 0;
        status = copy_all(p, (size_t)most, err);
    }
    return status;
}

/* *is <- are members to be run for the page? *of_archive <- those of a sweep's archive, and not of a scenario. */
static ph_status shows_members(const view_page *p, bool *of_archive, bool *is, ph_error *err)
{
    const arguments *a = p->a;
    ph_record *record;
    *is = *of_archive = false;
    for (size_t i = 0; i < a->files.n; i++) {
        const bool archive = !ph_record_open(p->files[i], &record, err);
        const bool swept = archive && ph_record_swept(record, NULL);
        if (archive)
            ph_record_close(record);
        else if (a->member < 0 && !a->members.n) {
            const ph_error why = *err;
            const char *dot = strrchr(p->files[i], '.');
            return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"))
                       ? ph_fail(err, why.status, "%.400s; of a scenario with an ensemble: --member I",
                                 why.message)
                       : why.status;
        }
        if (swept && a->files.n > 1)
            return ph_fail(
                err, PH_E_INVALID,
                "%s: is the archive of a sweep; a page shows members of one sweep, and nothing else",
                p->files[i]);
        if (archive && !swept && (a->member >= 0 || a->members.n))
            return ph_fail(err, PH_E_INVALID, "%s: is the archive of one run; %s is for sweeps", p->files[i],
                           a->members.n ? "--members" : "--member");
        *of_archive = archive;
        *is = swept || !archive;
    }
    return PH_OK;
}

/* Archives, or those of members, become entries. Returns an exit code. */
static int find_entries(view_page *p)
{
    const arguments *a = p->a;
    member_choice choice = {
        .file = p->files[0], .member = a->member, .list = a->members, .rows = a->rows, .quiet = a->quiet};
    bool members;
    ph_error err;
    if (shows_members(p, &choice.of_archive, &members, &err))
        return complain_of(EXIT_INPUT, &err);
    const int code = members ? run_members(&choice, &p->members) : EXIT_OK;
    if (code)
        return code;
    p->n = members ? p->members.n : a->files.n;
    p->entries = calloc(p->n + 1, sizeof *p->entries);
    for (size_t i = 0; p->entries && i < p->n; i++) {
        p->entries[i].member = members ? &p->members.list[i] : NULL;
        p->entries[i].file = members ? p->members.list[i].file : p->files[i];
    }
    return p->entries ? EXIT_OK : complain(EXIT_OUTPUT, "out of memory");
}

static int fill_page(view_page *p, const char *output)
{
    ph_error err;
    int code = keep_existing(p, output); /* before the work, and behind it */
    if (code)
        return code;
    catch_signals();
    code = find_entries(p);
    if (code)
        return code;
    const ph_status status = copy_archives(p, &err);
    if (status)
        return complain_of(EXIT_INPUT, &err);
    code = keep_existing(p, output);
    if (!code)
        code = write_file(output, put_page, p->entries);
    return code ? code : report_entries(p, output);
}

/* NAME.html next to NAME.polhode; of member 5, also of NAME.yaml, NAME-5.html. From malloc. */
static char *usual_place(const view_page *p)
{
    const arguments *a = p->a;
    char ending[40] = ".html";
    const char *file = a->files.n ? p->files[0] : "viewer", *slash = strrchr(file, '/'),
               *dot = strrchr(file, '.');
    const bool chosen = a->member >= 0 || a->members.n;
    char *stem =
        strndup(file, chosen && dot > (slash ? slash + 1 : file) ? (size_t)(dot - file) : strlen(file));
    if (a->member >= 0)
        snprintf(ending, sizeof ending, "-%" PRId64 ".html", a->member);
    char *place = stem ? beside_archive(stem, ending) : NULL;
    free(stem);
    return place;
}

static int make_page(view_page *p)
{
    ph_error err;
    const arguments *a = p->a;
    for (size_t i = 0; i < a->files.n; i++)
        if (find_archive(a->files.at[i], &p->files[i], &err))
            return complain_of(EXIT_INPUT, &err);
    char *output = a->output ? strdup(a->output) : usual_place(p);
    const int code = output ? fill_page(p, output) : complain(EXIT_OUTPUT, "out of memory");
    free(output);
    return code;
}

static int run_view(void *pointer)
{
    const arguments *a = pointer;
    if (a->empty && a->files.n)
        return complain(EXIT_INPUT, "--empty is the page without an archive; %s is one too many",
                        a->files.at[0]);
    if (a->files.n > MOST_ARCHIVES)
        return complain(EXIT_INPUT, "%zu archives; a page shows %d on one clock", a->files.n, MOST_ARCHIVES);
    if (!a->empty && !a->files.n)
        return complain(EXIT_INPUT, "an archive is missing: polhode view NAME.polhode (or --empty)");
    if (a->member >= 0 && a->members.n)
        return complain(EXIT_INPUT, "--member and --members: one of them is expected");
    if ((a->member >= 0 || a->members.n) && a->files.n != 1)
        return complain(EXIT_INPUT, "%s takes one sweep; %zu files are given",
                        a->members.n ? "--members" : "--member", a->files.n);
    view_page p = {.a = a};
    const int code = make_page(&p);
    for (size_t i = 0; p.entries && i < p.n; i++)
        empty_entry(&p.entries[i]);
    for (size_t i = 0; i < a->files.n; i++)
        free(p.files[i]);
    free(p.entries);
    end_member_runs(&p.members);
    return code;
}

const command_row command_view = {
    .name = "view",
    .summary = "write a page that shows archives in motion, in three dimensions, in any browser",
    .about =
        "Write one HTML file that shows the motion in archives: a three-dimensional picture with a clock, curves of "
        "energy, momentum and any column with the same clock, events. It can be sent and opened anywhere: it "
        "needs no other file and no network. Two archives are shown together, with their distance.",
    .notes =
        "A long run is thinned to the size of the page, with the rows around its events (of more than 32 GB, to rows that are found without reading the others). Columns that the "
        "pictures take and the archive lacks are computed from its configuration and momentum. On the page of "
        "--empty archives can be dropped, also one that is being written, together with its NAME.polhode-wal. The members of a sweep, "
        "whose archive has no motion, are run again by themselves, with the same bits and the rows of a run without "
        "output (--rows chooses their number); one that fails is shown until then.",
    .exits = {{0, "done"},
              {1, "done, but something is damaged; damaged rows were left out"},
              {2, "wrong usage, or an archive that cannot be read"},
              {3, "the page cannot be written, or exists already"},
              {130, "interrupted; nothing was written"}},
    .options = options,
    .size = sizeof(arguments),
    .defaults = &defaults,
    .run = run_view};
