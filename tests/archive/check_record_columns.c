/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives with chosen columns, and the names of columns. */
#include "lib/archive/database.h"
#include "tests/kit/recording.h"

/* ---- The row of the state without the state ------------------------------------------------------------ */

/* Names of columns that go into other files. */
TEST(names_of_columns)
{
    ph_record *record = NULL;
    RECORDING(t, 0);
    rec_close(&t);
    rec_change(
        "UPDATE columns SET name = printf('%.*c', 255, 'a'), unit = printf('%.*c', 255, 'a') WHERE i = 3");
    record = rec_open("r");
    ck_assert_uint_eq(strlen(ph_record_column(record, 3)), 255);
    ph_record_close(record);
    static const char *const changes[][2] = {
        {"UPDATE columns SET name = printf('%.*c', 66000, 'a') WHERE i = 2", "name of column 2, \"aaaaaaaa"},
        {"UPDATE columns SET name = 'b' WHERE i = 2; UPDATE columns SET unit = printf('%.*c', 256, 'm') WHERE i = 7",
         "unit of column 7, \"mmmm"},
        {"UPDATE columns SET unit = NULL WHERE i = 7; UPDATE columns SET name = '' WHERE i = 5",
         "column 5 has no name"}};
    for (size_t i = 0; i < 3; i++) {
        rec_change(changes[i][0]);
        tk_returns(ph_record_open(io_path("r"), &record, tk_err), PH_E_IO);
        ck_assert_msg(strstr(tk_err->message, changes[i][1]) &&
                          (i == 2 || strstr(tk_err->message, "at most 255")),
                      "%s", tk_err->message);
    }
}

/* ---- Chosen columns --------------------------------------------------------------------------------- */

typedef struct choice {
    const char *words[5];
    size_t n, columns, at[6]; /* which of all they are */
    bool measured;
    const char *headings;
} choice;

static const choice choices[] = {
    {{"q2", "energy_error"},
     2,
     6,
     {0, 1, 5, 6, 7, 15},
     true,
     "t[s] step q2x[1] q2y[1] q2z[1] energy_error[J] "},
    {{"newton_passes", "Jg", "t", "energy", "pi1y"},
     5,
     6,
     {0, 1, 19, 18, 14, 9},
     true,
     "t[s] step newton_passes Jg[kg m^2/s] energy[J] pi1y[kg m^2/s] "},
    {{"pi2z", "q1x"}, 2, 4, {0, 1, 13, 2}, false, "t[s] step pi2z[kg m^2/s] q1x[1] "},
    {{"step"}, 1, 2, {0, 1}, false, "t[s] step "}};
enum { CHOICES = sizeof choices / sizeof choices[0] };

/* Further rows by the archive that chooses, and all of them in the memory of the test. */
static void add_chosen(recording *t, const choice *c, int n)
{
    ph_archive *archive = t->archive;
    ph_measures m;
    for (int i = 0; i < n; i++) {
        tk_ok(ph_diagnostics_measure(t->r.diagnostics, t->r.state, &m));
        tk_ok(ph_archive_row(archive, t->r.state, c->measured ? &m : NULL, 7 + t->n, NULL));
        t->archive = NULL;
        rec_add_row(t);
        t->archive = archive;
    }
}

static void check_choice(ph_record *record, const choice *c)
{
    char heading[100], all[400] = "";
    size_t words;
    const char *const *chosen = ph_record_choice(record, &words);
    ck_assert_uint_eq(words, c->n);
    for (size_t i = 0; i < words; i++)
        ck_assert_str_eq(chosen[i], c->words[i]);
    ck_assert_uint_eq(ph_record_columns(record), c->columns);
    for (size_t i = 0; i < c->columns; i++) {
        const char *unit = ph_record_unit(record, i);
        snprintf(heading, sizeof heading, *unit ? "%s[%s] " : "%s ", ph_record_column(record, i), unit);
        strcat(all, heading);
    }
    ck_assert_str_eq(all, c->headings);
}

/* The chosen columns of all rows are right. */
static void check_chosen(const recording *t, const choice *c)
{
    double values[100 * 6];
    TK_OWN(ph_record) *record = rec_open("r");
    check_choice(record, c);
    ck_assert_int_eq(ph_record_rows(record), t->n);
    int64_t read = 0, next = 0;
    for (int64_t first = 0; first < t->n; first = next) {
        tk_ok(ph_record_read(record, first, 100, values, &read, &next, NULL));
        ck_assert_int_gt(read, 0);
        for (size_t i = 0; i < (size_t)read * c->columns; i++) {
            const size_t row = (size_t)first + i / c->columns, column = c->at[i % c->columns];
            ck_assert_msg(!memcmp(&values[i], &t->rows[REC_COLUMNS * row + column], sizeof values[i]),
                          "row %zu, column %zu", row, column);
        }
    }
}

/* What is read is what was chosen, also after a kill and after an end, when the choice is read from the
 * archive; events are complete. */
TEST_EACH(chosen_columns, CHOICES)
{
    const choice *c = &choices[_i];
    ph_recorded_event e;
    RECORDING(t, 0);
    ph_archive_abandon(t.archive);
    const ph_archive_plan plan = {
        .integrator = t.r.integrator, .steps = 1000, .columns = c->words, .n_columns = c->n};
    tk_ok(ph_archive_create(io_path("r"), &plan, t.r.state, t.r.monitor, 1e9, &t.archive, NULL));
    check_chosen(&t, c);
    for (int i = 0; i < 12; i++) {
        add_chosen(&t, c, i % 4 == 3 ? 5000 : 1 + i);
        if (!i)
            rec_add_event(&t, "whole", 1);
        rec_commit(&t);
        check_chosen(&t, c);
        const int64_t safe = t.n;
        add_chosen(&t, c, i % 3 * 10); /* behind the state */
        if (i % 2)
            rec_close(&t);
        else
            ph_archive_abandon(t.archive);
        t.n = safe;
        rec_reopen(&t);
        check_chosen(&t, c);
    }
    rec_close(&t);
    rec_check_one_file();
    check_chosen(&t, c);
    TK_OWN(ph_record) *record = rec_open("r");
    tk_ok(ph_record_event(record, 0, &e, NULL));
    ck_assert_uint_eq(e.n, 12);
}

/* Words that choose nothing, and archives of other systems. */
TEST(wrong_choices)
{
    static const char *const wrong[][2] = {{"q1x", "q9x"}, {"q1x", "q1"}}, *const cut[] = {"a", "b\nc"};
    ph_archive *archive = NULL;
    char *joined = NULL;
    size_t length;
    RECORDING(t, 0);
    TK_OWN(ph_system) *small = tk_model("spherical-pendulum");
    for (int i = 0; i < 2; i++) {
        const ph_archive_plan plan = {
            .integrator = t.r.integrator, .steps = 1, .columns = wrong[i], .n_columns = 2};
        tk_returns(ph_archive_create(io_path("a"), &plan, t.r.state, NULL, 1, &archive, tk_err),
                   i ? PH_E_INVALID : PH_E_UNKNOWN);
        ck_assert(!io_there("a") && !io_there("a.part") && !io_there("a.lock"));
    }
    tk_returns(ph_choice_text(cut, 2, &joined, &length, tk_err), PH_E_INVALID);
    rec_commit_rows(&t, 3);
    const ph_state foreign = {.nz = 3, .np = 3};
    const ph_occurrence o = {.state = &foreign};
    ph_measures m = {.energy = 0};
    tk_returns(ph_archive_row(t.archive, &foreign, &m, 0, tk_err), PH_E_SIZE);
    tk_returns(ph_archive_event(t.archive, "x", &o, tk_err), PH_E_SIZE);
    rec_close(&t);
    tk_refused(ph_archive_reopen(io_path("r"), small, 1, &archive, tk_err), PH_E_SIZE,
               "r: its rows have 20 numbers; those of this system have ");
    rec_check_rows(&t, 3, 10);
    rec_change("PRAGMA user_version = 2; " REC_UNSEALED "; INSERT INTO meta VALUES('columns', 'q1\nq2')");
    tk_returns(ph_archive_reopen(io_path("r"), t.r.system, 1, &archive, tk_err), PH_E_SIZE);
    tk_refused(ph_archive_reopen(io_path("r"), small, 1, &archive, tk_err), PH_E_UNKNOWN,
               "r: its columns do not suit this system: unknown column \"q2\"");
    ck_assert(!io_there("r.lock"));
}

int main(void)
{
    return tk_run_in("record: columns", io_make_folder, io_remove_folder);
}
