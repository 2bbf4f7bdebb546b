/* SPDX-License-Identifier: BSD-3-Clause */
/* Counted and refused memory: see allocations.h.
 *
 * The program brings its own malloc, calloc, realloc and free, which count and, on demand, refuse, and which
 * the shared libraries (libyaml, LAPACK, the C library's streams) use as well. That needs glibc, whose own
 * are called underneath. Under a sanitizer, which needs the names for itself, the linker redirects the calls
 * of our own objects instead (TEST_WRAP, with -Wl,--wrap for each name below). */
#include "allocations.h"

#include <errno.h>

#ifdef TEST_WRAP
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#else
#define OURS(name) name
#define THEIRS(name) __libc_##name
#endif

#if defined(TEST_WRAP) || defined(__GLIBC__)
void *THEIRS(malloc)(size_t size);
void *THEIRS(calloc)(size_t n, size_t size);
void *THEIRS(realloc)(void *old, size_t size);
void THEIRS(free)(void *memory);
PH_API void *OURS(malloc)(size_t size);
PH_API void *OURS(calloc)(size_t n, size_t size);
PH_API void *OURS(realloc)(void *old, size_t size);
PH_API void OURS(free)(void *memory);
#define COUNTING
#endif

/* ---- Counting ----------------------------------------------------------------------------------- */

volatile struct counting count;

#ifdef COUNTING
static bool refused(void)
{
    if (!count.on)
        return false;
    const long asked = ++count.asked;
    if (!count.refuse_from || (count.once ? asked != count.refuse_from : asked < count.refuse_from))
        return false;
    errno = ENOMEM;
    return true;
}

static void *got(void *memory)
{
    if (count.on && memory)
        count.held++;
    return memory;
}

void *OURS(malloc)(size_t size)
{
    return refused() ? NULL : got(THEIRS(malloc)(size));
}

void *OURS(calloc)(size_t n, size_t size)
{
    return refused() ? NULL : got(THEIRS(calloc)(n, size));
}

void *OURS(realloc)(void *old, size_t size)
{
    if (refused())
        return NULL;
    return old ? THEIRS(realloc)(old, size) : got(THEIRS(realloc)(NULL, size));
}

void OURS(free)(void *memory)
{
    if (count.on && memory)
        count.held--;
    THEIRS(free)(memory);
}
#endif

#ifdef TEST_WRAP
char *OURS(strdup)(const char *text);

char *OURS(strdup)(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = OURS(malloc)(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

char *OURS(strndup)(const char *text, size_t most);
char *OURS(realpath)(const char *path, char *place);
char *THEIRS(realpath)(const char *path, char *place);

char *OURS(strndup)(const char *text, size_t most)
{
    size_t n = strnlen(text, most);
    char *copy = OURS(malloc)(n + 1);
    if (copy) {
        memcpy(copy, text, n);
        copy[n] = '\0';
    }
    return copy;
}

/* Its internal call of malloc is not redirected by the linker. */
char *OURS(realpath)(const char *path, char *place)
{
    if (place)
        return THEIRS(realpath)(path, place);
    return refused() ? NULL : got(THEIRS(realpath)(path, NULL));
}
#endif

void start_counting(long refuse_from, bool once)
{
    count.asked = count.held = 0;
    count.refuse_from = refuse_from;
    count.once = once;
    count.on = true;
}

void stop_counting(void)
{
    count.on = false;
}

bool can_count(void)
{
    start_counting(0, false);
    void *volatile block = malloc(1);
    free(block);
    stop_counting();
    return count.asked == 1 && count.held == 0;
}

/* A ring of unit vectors by its inverse inertia. */
ph_status make_ring(ph_system **system, ph_error *err)
{
    enum { N = 30 };
    size_t row[2 * N], column[2 * N];
    double value[2 * N];
    ph_sparse W = {N, 2 * N, row, column, value};
    ph_system_definition d = {.inverse_inertia = &W};
    ph_space *space = NULL;
    for (size_t i = 0; i < N; i++) {
        row[2 * i] = column[2 * i] = i;
        row[2 * i + 1] = i ? i : N - 1;
        column[2 * i + 1] = i ? i - 1 : 0;
        value[2 * i] = 3;
        value[2 * i + 1] = -1;
    }
    ph_status status = ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, N, &space, err);
    d.space = space;
    if (!status)
        status = ph_system_create(&d, system, err);
    ph_space_free(space);
    return status;
}
