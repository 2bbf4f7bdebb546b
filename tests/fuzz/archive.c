/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives in which values, rows and bytes were changed, with checksums that are wrong then, or right: there, every checksum is 0.
 * All is read, as by a check and as by an export, repaired, and the run is gone on with: nothing but a status comes of it, soon.
 * fuzz: tests/archive/damage.c lib/archive lib/rows lib/session; 2000 inputs of at most 256 bytes */
#include "fuzz.h"

#include "tests/archive/damage.h"

#include <polhode/rows.h>
#include <polhode/session.h>

#include <fcntl.h>
#include <unistd.h>

enum { SESSION = DAMAGE_KINDS, KINDS, CHANGES = 4 };

/* ---- Checksums: the library calls these in place of those of libdeflate, or of zlib ------------------------ */

static bool constant;

static uint32_t sum_up(uint32_t before, const unsigned char *bytes, size_t n)
{
    static uint32_t table[256];
    uint32_t sum = ~before;
    for (uint32_t i = 0; i < 256 && !table[255]; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    for (size_t i = 0; i < n; i++)
        sum = table[(sum ^ bytes[i]) & 0xff] ^ sum >> 8;
    return constant ? 0 : ~sum;
}

#ifdef HAVE_LIBDEFLATE
uint32_t libdeflate_crc32(uint32_t before, const void *bytes, size_t n);
uint32_t libdeflate_crc32(uint32_t before, const void *bytes, size_t n)
{
    return sum_up(before, bytes, n);
}
#else
unsigned long crc32_z(unsigned long before, const unsigned char *bytes, size_t n);
unsigned long crc32_z(unsigned long before, const unsigned char *bytes, size_t n)
{
    return sum_up((uint32_t)before, bytes, n);
}
#endif

/* ---- Archives as they were ----------------------------------------------------------------------------------- */

typedef struct kept {
    recording t; /* of a session: that of kind 0, whose system it has */
    unsigned char *bytes;
    size_t size;
} kept;

static const char session_text[] =
    "polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\n"
    "steps: 60\noutput: {every: 2, columns: [configuration, momentum, energy]}\n"
    "events: [{name: low, when: q1z, crosses: -0.9}]\n";

static void record_session(void)
{
    ph_session *session = NULL;
    const ph_session_options options = {.force = true, .archive = "r"};
    tk_ok(ph_session_open_text(session_text, sizeof session_text - 1, "s.yaml", io_folder(), &options,
                               &session, tk_err));
    tk_ok(ph_session_run_until(session, 0.4, tk_err));
    tk_ok(ph_session_close(session, tk_err));
}

static const kept *keep(size_t kind)
{
    static kept all[2][KINDS]; /* that stay */
    kept *k = &all[constant][kind];
    if (k->bytes)
        return k;
    if (!*io_folder())
        io_make_folder();
    damage_record(&k->t, kind == SESSION ? 0 : (int)kind);
    if (kind == SESSION)
        record_session();
    k->bytes = rec_load("r", &k->size);
    return k;
}

static void restore(const kept *k)
{
    static const char *const others[] = {"r-journal", "r-wal", "r-shm", "x", "x-journal", "summary.json"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        unlink(io_path(others[i]));
    unlink(io_path("r"));
    rec_store("r", k->bytes, k->size);
}

/* ---- Changes --------------------------------------------------------------------------------------------------- */

/* A value in SQL. */
static void write_literal(fuzz_bytes *b, char *to, size_t size)
{
    const unsigned kind = fuzz_byte(b), n = kind % 48;
    if (kind < 96) {
        char *at = to + snprintf(to, size, "x'");
        for (unsigned i = 0; i < n; i++)
            at += sprintf(at, "%02x", fuzz_byte(b));
        strcpy(at, "'");
    } else if (kind < 160) {
        char *at = to + snprintf(to, size, "'");
        for (unsigned i = 0; i < n; i++) {
            const unsigned c = fuzz_byte(b);
            *at++ = c && c != '\'' ? (char)c : '.';
        }
        strcpy(at, "'");
    } else if (kind < 208) {
        const double x = fuzz_number(b);
        snprintf(to, size, isfinite(x) ? "%.17g" : isnan(x) ? "NULL" : x > 0 ? "9e999" : "-9e999", x);
    } else {
        int64_t x = 0;
        for (unsigned i = 0; i < kind % 9; i++)
            x = (int64_t)((uint64_t)x << 8 | fuzz_byte(b));
        snprintf(to, size, "%lld", (long long)x);
    }
}

static void change(const kept *k, fuzz_bytes *b)
{
    char sql[1500], literal[200];
    const unsigned what = fuzz_byte(b);
    if (what < 16) {
        const size_t at = (fuzz_byte(b) * 256u + fuzz_byte(b)) * 4 + what % 4;
        rec_poke("r", at % k->size, (unsigned char)fuzz_byte(b));
        return;
    }
    damage_choice c = {.table = fuzz_byte(b),
                       .column = fuzz_byte(b),
                       .value = fuzz_byte(b),
                       .number = fuzz_byte(b),
                       .remove = what >= 248};
    if (what < 128) {
        write_literal(b, literal, sizeof literal);
        c.literal = literal;
    }
    damage_change(&c, sql, sizeof sql);
    if (fuzz_tells)
        printf("%s\n", sql);
    (void)damage_make(sql);
}

/* ---- What is done with it --------------------------------------------------------------------------------------- */

static void read_columns(ph_record *record)
{
    static const char *const words[] = {"t", "energy", "configuration", "angular_velocity"};
    enum { AT_ONCE = 64 };
    TK_OWN(ph_rows) *rows = NULL;
    ph_error err = {PH_OK, ""};
    int64_t read = 0, next = 0;
    if (!fuzz_judge(ph_rows_open(record, words, 4, &rows, &err), &err))
        return;
    TK_MEMORY double *values = malloc((AT_ONCE * ph_rows_columns(rows) + 1) * sizeof *values);
    (void)fuzz_judge(ph_rows_read(rows, 0, AT_ONCE, values, &read, &next, &err), &err);
}

static void repair(void)
{
    TK_OWN(ph_record) *record = NULL;
    ph_repair report = {.rows = 0};
    ph_error err = {PH_OK, ""};
    if (!fuzz_judge(ph_record_open(io_path("r"), &record, &err), &err))
        return;
    read_columns(record);
    (void)fuzz_judge(ph_record_repair(record, io_path("x"), &report, &err), &err);
}

static void go_on(const kept *k)
{
    ph_archive *archive = NULL;
    ph_error err = {PH_OK, ""};
    const ph_ending ending = {.status = PH_E_INTERRUPTED, .reason = "whim"};
    ph_measures m;
    const ph_account account = {.cpu_seconds = 1};
    if (!fuzz_judge(ph_archive_reopen(io_path("r"), k->t.r.system, 1e9, &archive, &err), &err))
        return;
    tk_ok(ph_monitor_see(k->t.r.monitor, k->t.r.state, &m));
    if (fuzz_judge(ph_archive_go_on(archive, &err), &err) &&
        fuzz_judge(ph_archive_row(archive, k->t.r.state, &m, 7, &err), &err))
        (void)fuzz_judge(ph_archive_commit(archive, k->t.r.state, k->t.r.monitor, &account, &err), &err);
    (void)fuzz_judge(ph_archive_close(archive, &ending, &err), &err);
}

/* A changed scenario may plan any number of steps. */
static bool stop(void *self, const char **reason, const char **by)
{
    (void)reason;
    (void)by;
    return ++*(int *)self > 3;
}

static void resume(void)
{
    int asked = 0;
    const ph_session_options options = {.stop = stop, .self = &asked};
    ph_session *session = NULL;
    ph_error err = {PH_OK, ""};
    if (!fuzz_judge(ph_session_resume(io_path("r"), &options, &session, &err), &err))
        return;
    fuzz_finite(ph_session_state(session)->z, ph_session_state(session)->nz);
    (void)fuzz_judge(ph_session_run(session, &err), &err);
    (void)fuzz_judge(ph_session_close(session, &err), &err);
}

FUZZ_TARGET(archive)
{
    fuzz_bytes b = {data, data + size};
    damage_seen some, all;
    const size_t kind = fuzz_choose(&b, 2 * KINDS);
    constant = kind % 2;
    const kept *k = keep(kind / 2);
    restore(k);
    for (int i = 0; i < CHANGES && b.at < b.end; i++)
        change(k, &b);
    damage_see(&k->t, &some, &all);
    if (fuzz_tells)
        printf("damage: %s, %s\n", some.damage, all.damage);
    repair();
    if (kind / 2 == SESSION)
        resume();
    else
        go_on(k);
    constant = false;
    return FUZZ_TAKEN;
}
