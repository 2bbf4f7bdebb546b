/* SPDX-License-Identifier: BSD-3-Clause */
/* The inputs that fuzzing has found worth keeping, corpus/NAME, a line each: what the targets assert holds, in bounded time. A line is
 * bytes as in a string of C: \n, \\ and \xHH for what is not printable; one that begins with # is a remark on the next line.
 *
 *   check_corpora                      all, as a suite
 *   check_corpora TARGET [FILE ...]    these files, or all lines of the corpus, with what is tried printed before: to look at one */
#include "fuzz.h"

#include "tests/kit/iokit.h"

#include <time.h>
#include <unistd.h>

static const struct {
    const char *name;
    fuzz_function *run;
} targets[] = {
#define ROW(name) {#name, fuzz_##name},
    FUZZ_TARGETS(ROW)
#undef ROW
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

/* [s of CPU] for one input. A hang is to be found, not a slow machine: the slowest take some tenths of a second. */
static const double most = 60;

static const char *corpora; /* the folder */

static unsigned char *load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s cannot be read", path);
    ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*size + 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

/* bytes <- of a line; returns how many. */
static size_t unescape(const unsigned char *line, size_t n, uint8_t *bytes)
{
    size_t size = 0;
    for (size_t i = 0; i < n; size++) {
        unsigned value;
        if (line[i] != '\\') {
            bytes[size] = line[i++];
            continue;
        }
        ck_assert_uint_lt(i + 1, n);
        if (line[i + 1] == 'x') {
            ck_assert(i + 3 < n && sscanf((const char *)line + i + 2, "%2x", &value) == 1);
            bytes[size] = (uint8_t)value;
            i += 4;
        } else {
            ck_assert(line[i + 1] == 'n' || line[i + 1] == '\\');
            bytes[size] = line[i + 1] == 'n' ? '\n' : '\\';
            i += 2;
        }
    }
    return size;
}

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In memory of exactly its size, so that a read behind it is seen. Returns the seconds that it took. */
static double run(size_t target, const uint8_t *bytes, size_t size)
{
    TK_MEMORY uint8_t *own = malloc(size ? size : 1);
    memcpy(own, bytes, size);
    const double began = cpu();
    targets[target].run(own, size);
    return cpu() - began;
}

/* Every line, or every `stride`-th from `first` on. */
static void run_corpus(size_t target, size_t first, size_t stride, bool tell)
{
    char path[1000];
    size_t size, lines = 0, number = 0;
    double slowest = 0;
    snprintf(path, sizeof path, "%s/%s", corpora, targets[target].name);
    TK_MEMORY unsigned char *text = load(path, &size);
    TK_MEMORY uint8_t *bytes = malloc(size + 1);
    text[size] = '\n';
    for (const unsigned char *line = text, *next; line < text + size; line = next) {
        const unsigned char *end = memchr(line, '\n', (size_t)(text + size - line) + 1);
        next = end + 1;
        number++;
        if (*line == '#' || lines++ % stride != first)
            continue;
        if (tell)
            printf("%s:%zu\n", path, number);
        const double took = run(target, bytes, unescape(line, (size_t)(end - line), bytes));
        slowest = took > slowest ? took : slowest;
        ck_assert_msg(took < most, "%s:%zu took %g s of CPU", path, number, took);
    }
    printf("%s: %zu inputs, slowest %.3f s\n", targets[target].name, lines, slowest);
    ck_assert_uint_gt(lines, 0);
}

/* In the short form, under valgrind say, an eighth of them. */
TEST_EACH(corpus, TARGETS)
{
    run_corpus((size_t)_i, 0, tk_short() ? 8 : 1, false);
}

static void enter_folder(void)
{
    io_make_folder();
    ck_assert_int_eq(chdir(io_folder()), 0);
}

static void leave_folder(void)
{
    io_clear(".", "input init_system.json target_time.json");
    ck_assert_int_eq(chdir("/"), 0);
    io_remove_folder();
}

static int run_alone(int argc, char **argv)
{
    size_t target = 0;
    while (target < TARGETS && strcmp(targets[target].name, argv[1]) != 0)
        target++;
    if (target == TARGETS)
        return printf("there is no target %s\n", argv[1]), EXIT_FAILURE;
    fuzz_tells = argc > 2;
    if (argc == 2)
        run_corpus(target, 0, 1, true);
    for (int i = 2; i < argc; i++) {
        size_t size;
        printf("%s\n", argv[i]);
        TK_MEMORY unsigned char *bytes = load(argv[i], &size);
        printf("    %.3f s\n", run(target, bytes, size));
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static char folder[1000], here[800];
    const char *top = getenv("top_srcdir");
    setenv("POLHODE_COMPILE", "never", 1);
    if (!getcwd(here, sizeof here))
        return EXIT_FAILURE;
    if (!top)
        top = ".";
    snprintf(folder, sizeof folder, "%s/%s/tests/fuzz/corpus", *top == '/' ? "" : here, top);
    corpora = folder;
    return argc > 1 ? run_alone(argc, argv) : tk_run_in("corpora", enter_folder, leave_folder);
}
