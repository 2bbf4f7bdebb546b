/* SPDX-License-Identifier: BSD-3-Clause */
/* When formulas are compiled, and what the cache of compiled ones takes and keeps: a compiler that counts its calls shows what
 * came from the cache. That the bits are the same is tried in check_formulas.c. */
#define _GNU_SOURCE
#include "tests/kit/iokit.h"

#include "lib/formula/sha256.h"

#include <polhode/domain/formula.h>
#include <polhode/members.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 400 };
static char root[] = "/tmp/check_polhode.XXXXXX", home[PATH];
static ph_error err;

static const char *below_home(const char *name)
{
    static char path[4][2 * PATH];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", home, name);
    return path[next];
}

/* A compiler of ours: body with $OUT where the result goes. It writes down each call. */
static void give_compiler(const char *body)
{
    FILE *f = fopen(below_home("cc"), "w");
    fprintf(f,
            "#!/bin/sh\n"
            "test \"$1\" = --version && { echo 1.0; exit 0; }\n"
            "echo call >>%s\n"
            "for OUT; do :; done\n%s\n",
            below_home("calls"), body);
    fclose(f);
    chmod(below_home("cc"), 0700);
    setenv("POLHODE_CC", below_home("cc"), 1);
}

static size_t calls(void)
{
    struct stat is;
    return stat(below_home("calls"), &is) ? 0 : (size_t)is.st_size / strlen("call\n");
}

/* A home that is new, and a compiler that works. */
static void begin(void)
{
    snprintf(home, sizeof home, "%s/XXXXXX", root);
    ck_assert_ptr_nonnull(mkdtemp(home));
    setenv("XDG_CACHE_HOME", home, 1);
    setenv("TMPDIR", home, 1);
    give_compiler("exec cc \"$@\"");
}

/* How many files are in the cache, *name <- one of them. */
static size_t kept(char name[PATH])
{
    DIR *list = opendir(below_home("polhode/formulas"));
    const struct dirent *entry;
    size_t n = 0;
    while (list && (entry = readdir(list)))
        if (entry->d_name[0] != '.') {
            snprintf(name, PATH, "%s/%s", below_home("polhode/formulas"), entry->d_name);
            n++;
        }
    if (list)
        closedir(list);
    return n;
}

static ph_scenario *load(const char *compile, const char *steps)
{
    char text[500];
    ph_scenario *s = NULL;
    snprintf(text, sizeof text,
             "polhode: 1\n"
             "model:\n"
             "  space: {q: S2}\n"
             "  parameters: {k: 3}\n"
             "  kinetic: (1 + q.x^2)*dot(qdot, qdot)/2\n"
             "  potential: k*sin(q.z)\n"
             "  compile: %s\n"
             "initial: {q: [[0, 0, 1]], omega: [[0, 1, 0]]}\nmethod: rk4\nstep: 0.01\nsteps: %s\n",
             compile, steps);
    ck_assert_msg(!ph_scenario_parse(text, strlen(text), "own.yaml", &s, &err), "%s", err.message);
    return s;
}

/* Is it compiled then? */
static bool compiles(const char *compile, const char *steps)
{
    ph_scenario *s = load(compile, steps);
    ck_assert_msg(!ph_scenario_compile(s, &err), "%s", err.message);
    const bool is = strstr(ph_scenario_found(s), "; compiled") != NULL;
    ph_scenario_free(s);
    return is;
}

TEST(when)
{
    begin();
    ck_assert(compiles("always", "1"));
    ck_assert(!compiles("never", "1000000000"));
    ck_assert(!compiles("auto", "1000"));
    ck_assert(compiles("auto", "1000000000"));
    setenv("POLHODE_COMPILE", "never", 1);
    ck_assert(!compiles("always", "1"));
    unsetenv("POLHODE_COMPILE");
    ph_scenario *s = NULL;
    static const char wrong[] =
        "polhode: 1\nmodel: {space: {q: S2}, kinetic: 'dot(qdot, qdot)', compile: yes}\n"
        "initial: {q: [[0, 0, 1]]}\nmethod: rk4\nstep: 0.01\nsteps: 1\n";
    ck_assert(ph_scenario_parse(wrong, strlen(wrong), "own.yaml", &s, &err) == PH_E_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(err.message, "auto, never or always"));
}

/* Members that share a system are one job, and those with systems of their own many. */
TEST(when_members_share_it)
{
    static const struct {
        const char *varies;
        bool compiled;
    } cases[] = {{"initial.omega[0][1]: {from: 1, to: 2, count: 2}", false},
                 {"initial.omega[0][1]: {from: 1, to: 2, count: 1000000}", true},
                 {"model.parameters.k: {from: 1, to: 2, count: 1000000}", false}};
    begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ph_scenario *own = load("auto", "1000"), *s = NULL;
        size_t length;
        char text[1000];
        ph_members *m = NULL;
        snprintf(text, sizeof text, "%sensemble: {product: {\"%.*s\": %s}}\n", ph_scenario_text(own, &length),
                 (int)strcspn(cases[i].varies, ":"), cases[i].varies, strchr(cases[i].varies, ':') + 2);
        ck_assert_msg(!ph_members_open(text, strlen(text), "own.yaml", &m, &err), "%s", err.message);
        ck_assert_msg(!ph_members_make(m, 1, &s, &err), "%s", err.message);
        ck_assert_msg(!ph_scenario_compile(s, &err), "%s", err.message);
        ck_assert(ph_scenario_found(s) || !cases[i].compiled);
        ck_assert_int_eq(ph_scenario_found(s) && strstr(ph_scenario_found(s), "compiled") != NULL,
                         cases[i].compiled);
        ph_scenario_free(s);
        ph_members_free(m);
        ph_scenario_free(own);
    }
}

TEST(never_leaves_nothing)
{
    char name[PATH];
    begin();
    setenv("POLHODE_COMPILE", "never", 1);
    ck_assert(!compiles("always", "1000000000"));
    ck_assert_uint_eq(calls(), 0);
    ck_assert_uint_eq(kept(name), 0);
    ck_assert_int_ne(access(below_home("polhode"), F_OK), 0);
}

TEST(kept_and_taken)
{
    char name[PATH];
    struct stat is;
    begin();
    ck_assert(compiles("always", "1") && compiles("always", "1"));
    ck_assert_uint_eq(calls(), 1);
    ck_assert_uint_eq(kept(name), 1);
    ck_assert(!stat(name, &is) && (is.st_mode & 07777) == 0600);
    ck_assert(!stat(below_home("polhode/formulas"), &is) && (is.st_mode & 07777) == 0700);
    give_compiler("true\nexec cc \"$@\""); /* by the same path and version */
    ck_assert(compiles("always", "1"));
    ck_assert_uint_eq(calls(), 1);
}

/* The library goes with its system. */
TEST(released)
{
    char line[PATH];
    bool there[2] = {false, false};
    begin();
    ph_scenario *s = load("always", "1");
    tk_ok(ph_scenario_compile(s, &err));
    for (int k = 0; k < 2; k++) {
        FILE *maps = fopen("/proc/self/maps", "r");
        while (fgets(line, sizeof line, maps))
            there[k] = there[k] || strstr(line, "polhode/formulas") != NULL;
        fclose(maps);
        if (!k)
            ph_scenario_free(s);
    }
    ck_assert(there[0] && !there[1]);
}

/* Each makes the directory one that must not be used. */
static void link_to_other(void)
{
    mkdir(below_home("polhode"), 0700);
    mkdir(below_home("other"), 0700);
    ck_assert(!symlink(below_home("other"), below_home("polhode/formulas")));
}

static void link_above(void)
{
    mkdir(below_home("other"), 0700);
    ck_assert(!symlink(below_home("other"), below_home("polhode")));
}

static void open_to_others(void)
{
    mkdir(below_home("polhode"), 0700);
    mkdir(below_home("polhode/formulas"), 0700);
    ck_assert(!chmod(below_home("polhode/formulas"), 0720));
}

static void open_above(void)
{
    mkdir(below_home("polhode"), 0700);
    ck_assert(!chmod(below_home("polhode"), 0702));
}

static void readable(void)
{
    mkdir(below_home("polhode"), 0700);
    mkdir(below_home("polhode/formulas"), 0700);
    ck_assert(!chmod(below_home("polhode/formulas"), 0755));
}

static void of_another(void)
{
    mkdir(below_home("polhode"), 0700);
    mkdir(below_home("polhode/formulas"), 0700);
    if (!geteuid()) /* another user cannot make one */
        ck_assert(!chown(below_home("polhode/formulas"), 12345, 12345));
    else
        ck_assert(!chmod(below_home("polhode/formulas"), 0755));
}

static void (*const unfit[])(void) = {link_to_other, link_above, open_to_others,
                                      open_above,    readable,   of_another};

TEST_EACH(unfit_directories, sizeof unfit / sizeof unfit[0])
{
    char name[PATH];
    begin();
    unfit[_i]();
    ck_assert(compiles("always", "1") && compiles("always", "1"));
    ck_assert_uint_eq(calls(), 2);
    ck_assert_uint_eq(kept(name), 0);
    rmdir(below_home("other")); /* which is empty */
    ck_assert_int_ne(access(below_home("other"), F_OK), 0);
}

static void flip(const char *name)
{
    FILE *f = fopen(name, "r+");
    fseek(f, 4096, SEEK_SET);
    const int c = getc(f);
    fseek(f, 4096, SEEK_SET);
    putc(c ^ 1, f);
    fclose(f);
}

static void cut(const char *name)
{
    ck_assert(!truncate(name, 5000));
}

static void empty(const char *name)
{
    ck_assert(!truncate(name, 0));
}

static void make_link(const char *name)
{
    ck_assert(!rename(name, below_home("good")) && !symlink(below_home("good"), name));
}

static void second_link(const char *name)
{
    ck_assert(!link(name, below_home("good")));
}

static void writable(const char *name)
{
    ck_assert(!chmod(name, 0620));
}

static void owned_by_another(const char *name)
{
    if (geteuid())
        cut(name);
    else
        ck_assert(!chown(name, 12345, 12345));
}

static void (*const spoil[])(const char *) = {flip,        cut,      empty,           make_link,
                                              second_link, writable, owned_by_another};

/* A file that is not as it was left is made again. */
TEST_EACH(spoiled_files, sizeof spoil / sizeof spoil[0])
{
    char name[PATH];
    begin();
    ck_assert(compiles("always", "1"));
    ck_assert_uint_eq(kept(name), 1);
    spoil[_i](name);
    ck_assert(compiles("always", "1"));
    ck_assert_uint_eq(calls(), 2);
    ck_assert(compiles("always", "1"));
    ck_assert_uint_eq(calls(), 2);
    ck_assert_uint_eq(kept(name), 1);
}

/* Each callback in three ways, also where results are zeros with a sign: the bits are the same. */
TEST(ways)
{
    static const char text[] =
        "polhode: 1\n"
        "model:\n"
        "  space: {x: R3, q: 'S2[3]', a: S1}\n"
        "  parameters: {k: 3, m: 2}\n"
        "  kinetic: m/2*dot(xdot, xdot) + (1 + sin(x.x)^2)*sum(i=1..3, dot(d(q[i]), d(q[i])))/2 + omega(a)^2/2\n"
        "  potential: sum(i=1..2, k*dot(q[i], q[i+1])^3/(2 + exp(x.y))) - k*sqrt(1 + dot(x, x))\n"
        "  dissipation: (k - a.x)/2*dot(xdot, xdot)\n"
        "  forces: [{at: x, force: '-x*sin(t) - cross(x, q[1])'}]\n"
        "  constraints: [xdot.x*a.y - xdot.y*a.x = sin(t)*x.z]\n"
        "  compile: always\n"
        "initial: {q: [[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [1, 0]], project: true}\n"
        "method: rk4\nstep: 0.01\nsteps: 1\n";
    enum { NZ = 14, LANES = PH_FORMULA_LANES, MOST = NZ * NZ * NZ };
    double t[LANES], z[LANES][NZ], v[LANES][NZ], z_lanes[NZ * LANES], v_lanes[NZ * LANES];
    double *one = malloc(MOST * sizeof *one), *other = malloc(MOST * sizeof *one),
           *lanes = malloc(MOST * LANES * sizeof *one);
    ph_formula_callback all[PH_FORMULA_CALLBACKS];
    ph_scenario *s = NULL;
    tk_random r = {7};
    begin();
    ck_assert_msg(!ph_scenario_parse(text, sizeof text - 1, "own.yaml", &s, &err), "%s", err.message);
    const ph_system *system = ph_scenario_system(s);
    const size_t n = ph_formula_callbacks(system, all);
    ck_assert_uint_eq(n, 10);
    ck_assert_int_eq(ph_formula_evaluate(system, all[0].part, PH_FORMULA_COMPILED, t, z[0], v[0], one, &err),
                     PH_E_UNSUPPORTED);
    ck_assert_int_eq(ph_formula_evaluate(system, -1, PH_FORMULA_INTERPRETED, t, z[0], v[0], one, &err),
                     PH_E_INVALID);
    tk_ok(ph_scenario_compile(s, &err));
    for (size_t l = 0; l < LANES; l++)
        for (size_t i = 0; i < NZ; i++) {
            t[l] = 0.5 * (double)l; /* 0 first; the first points have zeros of both signs */
            z[l][i] = l < 2 ? (i % 3 ? 0.0 : l ? 1 : -1) : tk_uniform(&r, -1, 1);
            v[l][i] = l < 3 ? -0.0 : tk_uniform(&r, -1, 1);
            z_lanes[i * LANES + l] = z[l][i], v_lanes[i * LANES + l] = v[l][i];
        }
    for (size_t k = 0; k < n; k++) {
        ck_assert_uint_le(all[k].n, MOST);
        tk_ok(
            ph_formula_evaluate(system, all[k].part, PH_FORMULA_IN_LANES, t, z_lanes, v_lanes, lanes, &err));
        for (size_t l = 0; l < LANES; l++) {
            tk_ok(ph_formula_evaluate(system, all[k].part, PH_FORMULA_INTERPRETED, &t[l], z[l], v[l], one,
                                      &err));
            tk_ok(ph_formula_evaluate(system, all[k].part, PH_FORMULA_COMPILED, &t[l], z[l], v[l], other,
                                      &err));
            for (size_t i = 0; i < all[k].n; i++)
                ck_assert_msg(!memcmp(&one[i], &other[i], sizeof *one) &&
                                  !memcmp(&one[i], &lanes[i * LANES + l], sizeof *one),
                              "%s %zu: %a %a %a", all[k].name, i, one[i], other[i], lanes[i * LANES + l]);
        }
    }
    ph_scenario_free(s);
    free(one);
    free(other);
    free(lanes);
}

/* What cannot be compiled is interpreted, with a note, or refused. */
TEST(without_compiler)
{
    static const char *const bodies[] = {"exit 1", "echo x >\"$OUT\"", "exit 0",
                                         "echo 'int f1;' | cc -x c -shared -fPIC - -o \"$OUT\"", NULL};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        begin();
        if (bodies[i])
            give_compiler(bodies[i]);
        else
            setenv("POLHODE_CC", "cc", 1); /* no absolute path */
        ph_scenario *s = load("auto", "1000000000");
        size_t n;
        tk_ok(ph_scenario_compile(s, &err));
        ck_assert_ptr_null(strstr(ph_scenario_found(s), "compiled"));
        const char *const *notes = ph_scenario_notes(s, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_msg(strstr(notes[0], "are interpreted") != NULL, "%s", notes[0]);
        ph_scenario_free(s);
        s = load("always", "1");
        ck_assert_int_eq(ph_scenario_compile(s, &err), PH_E_UNSUPPORTED);
        ck_assert_ptr_nonnull(strstr(err.message, "model.compile is always, but"));
        ph_scenario_free(s);
    }
}

TEST(at_once)
{
    enum { CHILDREN = 6 };
    char name[PATH];
    begin();
    for (int i = 0; i < CHILDREN; i++)
        if (!fork())
            _exit(!compiles("always", "1"));
    for (int i = 0; i < CHILDREN; i++) {
        int code = 1;
        wait(&code);
        ck_assert_int_eq(code, 0);
    }
    ck_assert_uint_eq(kept(name), 1);
    const size_t before = calls();
    ck_assert(compiles("always", "1"));
    ck_assert_uint_eq(calls(), before);
}

/* 64 MiB remain, without the oldest. */
TEST(pruned)
{
    char name[PATH];
    begin();
    ck_assert(compiles("always", "1"));
    for (int i = 0; i < 3; i++) {
        const char *path = below_home(i == 0   ? "polhode/formulas/a"
                                      : i == 1 ? "polhode/formulas/b"
                                               : "polhode/formulas/c");
        const struct timespec old[2] = {{1000 + i, 0}, {1000 + i, 0}};
        const int fd = open(path, O_WRONLY | O_CREAT, 0600);
        ck_assert(!ftruncate(fd, 30 << 20) && !futimens(fd, old));
        close(fd);
    }
    ck_assert(compiles("always", "1")); /* a hit removes nothing */
    ck_assert_uint_eq(kept(name), 4);
    ph_scenario *s = NULL;
    static const char other[] =
        "polhode: 1\nmodel: {space: {x: R1}, kinetic: '(1 + x^2)*xdot^2/2', compile: always}\n"
        "initial: {q: [1], omega: [0]}\nmethod: rk4\nstep: 0.01\nsteps: 1\n";
    ck_assert_msg(!ph_scenario_parse(other, strlen(other), "own.yaml", &s, &err), "%s", err.message);
    tk_ok(ph_scenario_compile(s, &err));
    ph_scenario_free(s);
    ck_assert_int_ne(access(below_home("polhode/formulas/a"), F_OK), 0);
    ck_assert_int_eq(access(below_home("polhode/formulas/b"), F_OK), 0);
    ck_assert_uint_eq(kept(name), 4);
}

/* Examples of FIPS 180-4 and its supplement. */
TEST(sha256)
{
    static const struct {
        const char *text;
        size_t times;
        const char *hash;
    } known[] = {{"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                 {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
                 {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ph_sha256 s;
        unsigned char digest[PH_SHA256_BYTES];
        char hash[2 * PH_SHA256_BYTES + 1];
        ph_sha256_begin(&s);
        for (size_t k = 0; k < known[i].times; k++)
            ph_sha256_add(&s, known[i].text, strlen(known[i].text));
        ph_sha256_end(&s, digest);
        for (size_t k = 0; k < PH_SHA256_BYTES; k++)
            snprintf(hash + 2 * k, 3, "%02x", digest[k]);
        ck_assert_str_eq(hash, known[i].hash);
    }
}

int main(void)
{
    char command[PATH];
    if (!mkdtemp(root))
        return 1;
    const int code = tk_run("compiled formulas");
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) ? 1 : code;
}
