/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives with one bit changed anywhere, or one value of one table: whatever was changed, it is reported, or what is read is what was
 * written. Nothing crashes, and nothing takes long. Twice of each: as `polhode export` and `plot` read, which verify and take the rows, and
 * as `info --check` reads, which takes all. In the everyday form some thousands; in the long form 100 000 bits and 1 000 000 values. */
#include "damage.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static const double most = 5.0; /* [s] that reading may take */

/* ---- Judging ----------------------------------------------------------------------------------------------- */

typedef struct counts {
    long reported, harmless, silent;
    double slowest;
} counts;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads the archive and compares; every 16th is also opened to be continued, which may be refused. */
static void try_archive(const recording *t, const damage_seen whole[2], counts *c, long i, const char *words)
{
    damage_seen got[2];
    const double began = now();
    damage_see(t, &got[0], &got[1]);
    if (i % 16 == 0) {
        ph_archive *archive = NULL;
        ph_error err = {PH_OK, ""};
        if (!ph_archive_reopen(io_path("r"), t->r.system, 1e9, &archive, &err))
            ph_archive_abandon(archive);
    }
    const double took = now() - began;
    c->slowest = took > c->slowest ? took : c->slowest;
    for (int k = 0; k < 2; k++)
        if (!got[k].damage && got[k].sum != whole[k].sum) {
            c->silent++;
            printf("silent, %s: %s\n", k ? "checked" : "exported", words);
            return;
        }
    if (got[1].damage)
        c->reported++;
    else
        c->harmless++;
}

static void finish(const counts *c, const char *what, int kind)
{
    printf("archive %d, %s: %ld reported, %ld harmless, %ld silent; slowest %.3f s\n", kind, what,
           c->reported, c->harmless, c->silent, c->slowest);
    ck_assert_int_eq(c->silent, 0);
    ck_assert(c->slowest < most);
}

static long trials(long everyday, long thorough, long all)
{
    return (tk_long() ? all : tk_thorough() ? thorough : everyday) / DAMAGE_KINDS;
}

/* As it was, whatever was left next to it. */
static void restore(const unsigned char *bytes, size_t size)
{
    rec_store("r", bytes, size);
    unlink(io_path("r-journal"));
    unlink(io_path("r-wal"));
}

/* An archive of that kind, what is seen of it, and its bytes. */
static unsigned char *begin(recording *t, int kind, damage_seen whole[2], size_t *size)
{
    damage_record(t, kind);
    unsigned char *bytes = rec_load("r", size);
    damage_see(t, &whole[0], &whole[1]);
    ck_assert_msg(!whole[1].damage, "%s", whole[1].damage);
    return bytes;
}

TEST_EACH(bits, DAMAGE_KINDS)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    damage_seen whole[2];
    counts c = {0};
    tk_random random = {31 + (uint64_t)_i};
    TK_MEMORY unsigned char *bytes = begin(&t, _i, whole, &size);
    for (long i = 0; i < trials(1500, 20000, 100000); i++) {
        const size_t at = (size_t)tk_uniform(&random, 0, (double)size);
        const int bit = (int)tk_uniform(&random, 0, 8);
        char words[80];
        snprintf(words, sizeof words, "byte %zu, bit %d", at, bit);
        rec_poke("r", at, bytes[at] ^ (unsigned char)(1 << bit));
        try_archive(&t, whole, &c, i, words);
        if (io_there("r-journal") || io_there("r-wal"))
            restore(bytes, size);
        rec_poke("r", at, bytes[at]);
    }
    finish(&c, "bits", _i);
}

/* A change of a random value, or now and then of a whole row. */
static damage_choice choose(tk_random *random)
{
    unsigned draw[4];
    for (int i = 0; i < 4; i++)
        draw[i] = (unsigned)tk_uniform(random, 0, 1e6);
    return (damage_choice){draw[0], draw[1], draw[2], draw[3], tk_uniform(random, 0, 20) < 1, NULL};
}

TEST_EACH(values_of_tables, DAMAGE_KINDS)
{
    TK_ENDS(rec_free) recording t;
    size_t size;
    damage_seen whole[2];
    counts c = {0};
    tk_random random = {77 + (uint64_t)_i};
    TK_MEMORY unsigned char *bytes = begin(&t, _i, whole, &size);
    for (long i = 0; i < trials(1500, 30000, 1000000);) {
        char sql[1500];
        const damage_choice choice = choose(&random);
        damage_change(&choice, sql, sizeof sql);
        if (!damage_make(sql))
            continue;
        try_archive(&t, whole, &c, i++, sql);
        restore(bytes, size);
    }
    finish(&c, "values", _i);
}

int main(void)
{
    return tk_run_in("record: flips", io_make_folder, io_remove_folder);
}
