/* SPDX-License-Identifier: BSD-3-Clause */
/* What `polhode info` has found, in words and as JSON. */
#include "info.h"
#include "judge.h"
#include "momentum.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The events of the scenario, *n of them. */
static const ph_event *events_of(const info *i, size_t *n)
{
    *n = 0;
    return i->scenario ? ph_scenario_events(i->scenario, n) : NULL;
}

/* NaN where there are no numbers yet. */
static double bytes_a_number(const info *i)
{
    return (double)i->size / ((double)i->rows * (double)ph_record_columns(i->record));
}

/* Room for a text that is shown. */
enum { SHOWN = sizeof((ph_error *)0)->message };

/* ---- In words ----------------------------------------------------------------------------------------- */

/* A text that the file holds, as messages are: one line, without a control character. */
static const char *shorten(char to[SHOWN], const char *text)
{
    ph_error line;
    ph_fail(&line, PH_OK, "%s", text);
    return strcpy(to, line.message);
}

static const char *text_of(const info *i, const char *key, const char *none, char to[SHOWN])
{
    const char *text = info_meta(i, key);
    return text ? shorten(to, text) : none;
}

/* What stands behind a label; the line goes on. */
static void PH_PRINTF(2, 3) say(const char *label, const char *format, ...)
{
    va_list list;
    printf("  %-16s ", label);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

static void print_plan(const info *i)
{
    char one[SHOWN], two[SHOWN], three[SHOWN];
    say("scenario", "%s, model %s\n", text_of(i, "name", "none: another program has written it", one),
        text_of(i, "model", "not given", two));
    if (*i->unread)
        say("", "cannot be read: %s\n", i->unread);
    char factors[FACTORS_TEXT] = "";
    if (i->scenario)
        write_factors(ph_scenario_system(i->scenario), factors, sizeof factors);
    if (*factors)
        say("factors", "%s\n", factors);
    const char *options = text_of(i, "options", "", three);
    say("method", "%s, order %s%s%s\n", text_of(i, "method", "not given", one),
        text_of(i, "order", "not given", two), *options ? ", " : "", options);
    if (!i->sweeps)
        say("plan", "%" PRId64 " steps of %.10g s, from t = %.10g s to %.10g s\n", i->planned, i->h, i->t0,
            i->t0 + (double)i->planned * i->h);
}

static void print_place(const info *i)
{
    char ago[32] = "", created[SHOWN];
    if (i->sweeps)
        info_print_members(i);
    else if (i->committed)
        say("reached", "%" PRId64 " steps, t = %.10g s, %.4g %%\n", i->commit.steps, i->commit.t,
            100 * info_share(i));
    else
        say("reached", "not known\n");
    say("rows", "%" PRId64 " of %zu numbers", i->rows, ph_record_columns(i->record));
    if (info_meta(i, "thinned"))
        printf(", %s of the archive", text_of(i, "thinned", "", created));
    printf("\n");
    say("size", "%" PRId64 " bytes", i->size);
    if (i->rows)
        printf(", %.3g a number", bytes_a_number(i));
    printf("\n");
    say("begun", "%s\n", text_of(i, "created", "not given", created));
    if (!i->committed)
        return;
    write_duration(ago, fmax(0, i->age));
    say("last commit", "%s, %s ago\n", shorten(created, i->commit.written), ago);
}

static void print_events(const info *i)
{
    size_t n;
    const ph_event *events = events_of(i, &n);
    for (size_t k = 0; k < n; k++)
        say(k ? "" : "events", "%s: %" PRId64 "\n", events[k].name,
            ph_record_found(i->record, events[k].name));
    const int64_t all = n ? 0 : ph_record_events(i->record);
    if (all)
        say("events", "%" PRId64 "\n", all);
}

/* "finished: all 10000 steps"; "no-solution: no solution at t = ..."; "stopped by event upright: ..." */
static void print_ended(const info *i, const char *status, const char *reason, const char *by,
                        const char *message)
{
    if (!strcmp(status, "ok") && reason && !strcmp(reason, "duration")) {
        if (i->sweeps)
            say("finished",
                i->swept.rank < 0 ? "all %" PRId64 " member%s" : "no more of %" PRId64 " member%s were dealt",
                i->swept.end - i->swept.first, i->swept.end - i->swept.first == 1 ? "" : "s");
        else
            say("finished", "all %" PRId64 " steps", i->planned);
        return;
    }
    say("ended", "%s", status);
    if (reason && strcmp(reason, status))
        printf(" (%s%s%s)", reason, by ? " " : "", by ? by : "");
    if (message)
        printf(": %s", message);
}

static void print_end(const info *i)
{
    char room[4][SHOWN], left[32];
    const char *status = text_of(i, "status", NULL, room[0]), *reason = text_of(i, "reason", NULL, room[1]);
    const char *by = text_of(i, "ended_by", NULL, room[2]), *message = text_of(i, "message", NULL, room[3]);
    if (i->writing) {
        say("being written", "by process %ld", i->process);
        if (isfinite(i->left)) {
            write_duration(left, i->left);
            printf(", %.3g %s/s, about %s left", i->rate, i->sweeps ? "members" : "steps", left);
        }
    } else if (status) {
        print_ended(i, status, reason, by, message);
    } else {
        say("not ended", "and no process writes it: it was killed; to continue: %s %s",
            i->sweeps ? "polhode sweep" : "polhode resume",
            i->sweeps ? text_of(i, "name", "FILE", room[0]) : i->file);
    }
    printf("\n");
}

static void print_errors(const info *i)
{
    const ph_summary *e = &i->errors;
    if (!i->monitored) {
        say("errors", "not known: %s\n", i->why);
        return;
    }
    if (!e->outputs)
        return;
    say(i->change_is == ENERGY_ERROR ? "energy error" : "energy change",
        "%.3g now, %.3g at most, relative to %.6g J\n", e->energy_error_final, e->energy_error_max,
        e->energy_scale);
    if (i->change_is == ENERGY_UNKNOWN)
        say("", "(it is not known whether forces change the energy: if not, this is an error)\n");
    if (i->balanced)
        say("work", "%.9g J by the column power, the energy changes by %.3g J more\n", i->work,
            i->change - i->work);
    if (i->maps) {
        const momentum_words words = momentum_name(i->scenario ? ph_scenario_system(i->scenario) : NULL);
        say(words.label, "%.3g now, %.3g at most, relative to %.6g %s\n", e->momentum_error_final,
            e->momentum_error_max, e->momentum_scale, words.unit);
    }
    say("constraint error", "%.3g at most", e->constraint_error_max);
    if (isfinite(e->velocity_constraint_error_max))
        printf("; of the velocity constraints %.3g", e->velocity_constraint_error_max);
    printf("\n");
}

static void print_damage(const info *i)
{
    if (i->checked && !i->damaged) {
        say("check", info_meta(i, "copy") ? "all rows and all events are whole\n"
                                          : "all rows, all events and the state are whole\n");
        if (i->committed && !i->commit.is_protected) {
            say("", "(in an archive of this age the progress of the run has no checksum; "
                    "it gets one when the run is resumed)\n");
        }
    }
    for (int64_t k = 0; k < i->damaged && k < INFO_NAMED; k++)
        say(k ? "" : "damaged", "%s\n", i->named[k] ? i->named[k] : "?");
    if (i->damaged > INFO_NAMED)
        say("", "and %" PRId64 " more\n", i->damaged - INFO_NAMED);
}

void info_print(const info *i)
{
    char room[SHOWN];
    printf("%s: archive by Polhode %s\n", i->file, text_of(i, "version", "of an unknown version", room));
    print_plan(i);
    print_place(i);
    print_events(i);
    print_end(i);
    if (!i->sweeps)
        print_errors(i);
    say("build", "%s\n", text_of(i, "build", "not given", room));
    print_damage(i);
}

/* ---- As JSON ------------------------------------------------------------------------------------------ */

static void add_texts(builder *b, json_object *o, const info *i, const char *const *keys, size_t n)
{
    for (size_t k = 0; k < n; k++)
        build_add(b, o, keys[k], build_text(b, info_meta(i, keys[k])));
}

/* Where a run is. */
static void add_steps(builder *b, json_object *o, const info *i)
{
    const bool known = i->committed;
    build_add(b, o, "planned_steps", i->planned >= 0 ? build_count(b, i->planned) : NULL);
    build_add(b, o, "t0", build_number(b, i->t0));
    build_add(b, o, "end_time",
              build_number(b, i->planned >= 0 ? i->t0 + (double)i->planned * i->h : (double)NAN));
    build_add(b, o, "steps", known ? build_count(b, i->commit.steps) : NULL);
    build_add(b, o, "time", known ? build_number(b, i->commit.t) : NULL);
}

static void add_place(builder *b, json_object *o, const info *i)
{
    const bool known = i->committed;
    build_add(b, o, "step", build_number(b, i->h));
    if (i->sweeps)
        info_add_members(b, o, i);
    else
        add_steps(b, o, i);
    build_add(b, o, "share", build_number(b, info_share(i)));
    build_add(b, o, "rows", build_count(b, i->rows));
    build_add(b, o, "bytes", build_count(b, i->size));
    build_add(b, o, "bytes_per_number", build_number(b, bytes_a_number(i)));
    build_add(b, o, "written", known ? build_text(b, i->commit.written) : NULL);
    build_add(b, o, "seconds_since_written", build_number(b, i->age));
    build_add(b, o, "cpu_seconds", known ? build_number(b, i->commit.account.cpu_seconds) : NULL);
    build_add(b, o, i->sweeps ? "members_per_second" : "steps_per_second", build_number(b, i->rate));
    build_add(b, o, "being_written", build_flag(b, i->writing));
    build_add(b, o, "process", i->process ? build_count(b, i->process) : NULL);
    build_add(b, o, "seconds_left", build_number(b, i->left));
}

static void add_columns(builder *b, json_object *o, const info *i)
{
    json_object *list = build_array(b);
    for (size_t k = 0; k < ph_record_columns(i->record); k++) {
        const char *unit = ph_record_unit(i->record, k);
        json_object *column = build_object(b);
        build_add(b, column, "name", build_text(b, ph_record_column(i->record, k)));
        build_add(b, column, "unit", build_text(b, *unit ? unit : NULL));
        build_append(b, list, column);
    }
    build_add(b, o, "columns", list);
}

static void add_events(builder *b, json_object *o, const info *i)
{
    size_t n;
    const ph_event *events = events_of(i, &n);
    json_object *found = build_object(b);
    for (size_t k = 0; k < n; k++)
        build_add(b, found, events[k].name, build_count(b, ph_record_found(i->record, events[k].name)));
    build_add(b, o, "events", found);
    build_add(b, o, "events_in_all", build_count(b, ph_record_events(i->record)));
}

static json_object *errors_of(builder *b, const info *i)
{
    if (!i->monitored)
        return NULL;
    const ph_summary *e = &i->errors;
    json_object *o = build_object(b);
    build_add(b, o, "conservative", i->change_is ? build_flag(b, i->change_is == ENERGY_ERROR) : NULL);
    build_add(b, o, "energy_scale", build_number(b, e->energy_scale));
    build_add(b, o, "energy_error_max", build_number(b, e->energy_error_max));
    build_add(b, o, "energy_error_final", build_number(b, e->energy_error_final));
    build_add(b, o, "work", i->balanced ? build_number(b, i->work) : NULL);
    build_add(b, o, "energy_change", i->balanced ? build_number(b, i->change) : NULL);
    build_add(b, o, "momentum_scale", build_number(b, e->momentum_scale));
    build_add(b, o, "momentum_error_max", build_number(b, e->momentum_error_max));
    build_add(b, o, "momentum_error_final", build_number(b, e->momentum_error_final));
    build_add(b, o, "constraint_error_max", build_number(b, e->constraint_error_max));
    build_add(b, o, "tangency_error_max", build_number(b, e->tangency_max));
    if (isfinite(e->velocity_constraint_error_max))
        build_add(b, o, "velocity_constraint_error_max", build_number(b, e->velocity_constraint_error_max));
    return o;
}

int info_print_json(const info *i)
{
    static const char *const keys[] = {"name",    "source",   "model",  "method",  "order",
                                       "options", "version",  "build",  "created", "status",
                                       "reason",  "ended_by", "message"};
    builder b = {0};
    json_object *o = build_object(&b), *damaged = build_array(&b);
    build_add(&b, o, "polhode_info", build_count(&b, 1));
    build_add(&b, o, "file", build_text(&b, i->file));
    add_texts(&b, o, i, keys, sizeof keys / sizeof keys[0]);
    add_place(&b, o, i);
    add_columns(&b, o, i);
    add_events(&b, o, i);
    if (!i->sweeps) {
        build_add(&b, o, "errors", errors_of(&b, i));
        build_add(&b, o, "errors_unknown", i->monitored ? NULL : build_text(&b, i->why));
    }
    build_add(&b, o, "checked", build_flag(&b, i->checked));
    build_add(&b, o, "protected", i->committed ? build_flag(&b, i->commit.is_protected) : NULL);
    build_add(&b, o, "damaged_places", build_count(&b, i->damaged));
    for (int64_t k = 0; k < i->damaged && k < INFO_NAMED; k++)
        build_append(&b, damaged, build_text(&b, i->named[k]));
    build_add(&b, o, "damaged", damaged);
    return print_document(&b, o);
}
