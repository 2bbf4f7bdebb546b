/* SPDX-License-Identifier: BSD-3-Clause */
/* One seam through which what a program asks of its system fails at the n-th call. It is a shared object for LD_PRELOAD (Linux and
 * glibc on x86-64), which tests/program/torture.py compiles, loads into the program or into Python, and looks at afterwards.
 *
 *     POLHODE_TORTURE=malloc:17     the 17th call of this kind fails; malloc:17+ it and all later ones; malloc:0 none, calls are counted
 *     POLHODE_TORTURE_FROM=polhode  only memory that is asked for by objects with this in their names
 * Memory that `frail` objects ask for is not refused: they end the process, use what they did not get, or lose it.
 *     POLHODE_TORTURE_REPORT=FILE   a file of two numbers of 64 bits: calls of the kind, and how many were made to fail
 *
 * Memory, threads, processes, dlopen and clocks are functions in the place of the C library's. Reads, writes and the like are stopped
 * as system calls, by seccomp: streams of stdio call no function that could be replaced. The filter stops those of this process's C library
 * alone, so that a compiler or gnuplot, which inherit it, are not disturbed. Standard error can always be written: it has the reason.
 *
 * All clocks advance by 1 ms a call from a fixed time, so that what is written has the same bytes in each run. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

typedef enum kind { NOTHING, MALLOC, DLOPEN, CLOCK, JUMP, SPAWN, THREAD, SYSTEM } kind;

/* What is stopped, and how it fails; SHORT: by doing half of it. */
enum { SHORT = -1 };
static const struct {
    const char *word;
    int error, calls[8];
} systems[] = {
    {"write", ENOSPC, {SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev}},
    {"short", SHORT, {SYS_write, SYS_pwrite64}},
    {"read", EIO, {SYS_read, SYS_pread64, SYS_readv, SYS_preadv}},
    {"fsync", EIO, {SYS_fsync, SYS_fdatasync}},
    {"rename", EACCES, {SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat}},
    {"unlink", EACCES, {SYS_unlink, SYS_unlinkat, SYS_rmdir}},
    {"open", EMFILE, {SYS_open, SYS_openat, SYS_mkdir, SYS_memfd_create}},
    {"truncate", EIO, {SYS_ftruncate, SYS_fallocate}},
    {"map", ENOMEM, {SYS_mmap}},
};
enum {
    SYSTEMS = sizeof systems / sizeof systems[0],
    MOST = sizeof systems[0].calls / sizeof systems[0].calls[0]
};

static struct {
    kind kind;
    int error;
    long at;
    bool always;
    char from[64];
    struct report {
        atomic_long calls, failed;
    } * report, own;
} now = {.report = &now.own};

static bool fails(kind kind)
{
    if (now.kind != kind)
        return false;
    const long n = 1 + atomic_fetch_add(&now.report->calls, 1);
    if (!now.at || (now.always ? n < now.at : n != now.at))
        return false;
    atomic_fetch_add(&now.report->failed, 1);
    return true;
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* libarchive: "Fatal Internal Error in libarchive: Out of memory"; ld.so: "cannot allocate memory for thread-local data: ABORT"; HDF5
 * crashes in H5E_dump_api_stack, H5_hash_string and H5_term_library, SUNDIALS in N_VClone and ARKodeButcherTable_LoadERK; json-c leaves out
 * of its text what it has no memory for, and does not say so (printbuf_memappend). */
static const char *const frail[] = {"/libarchive.", "/ld-linux", "/libhdf5", "/libsundials_", "/libjson-c."};

static bool refused(const void *caller)
{
    Dl_info info;
    if (now.kind != MALLOC || !dladdr(caller, &info) || !strstr(info.dli_fname, now.from))
        return false;
    for (size_t i = 0; i < sizeof frail / sizeof frail[0]; i++)
        if (strstr(info.dli_fname, frail[i]))
            return false;
    if (!fails(MALLOC))
        return false;
    errno = ENOMEM;
    return true;
}
#define REFUSED refused(__builtin_return_address(0))

void *malloc(size_t size)
{
    return REFUSED ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return REFUSED ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return REFUSED ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return REFUSED ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (REFUSED)
        return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

/* Of whom asks, and not of the C library. */
char *strdup(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = REFUSED ? NULL : __libc_malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

char *strndup(const char *text, size_t most)
{
    const size_t n = strnlen(text, most);
    char *copy = REFUSED ? NULL : __libc_malloc(n + 1);
    if (copy) {
        memcpy(copy, text, n);
        copy[n] = '\0';
    }
    return copy;
}

/* ---- Libraries, threads, processes ----------------------------------------------------------------- */

#define THEIRS(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

void *dlopen(const char *file, int flags)
{
    return THEIRS(dlopen)(fails(DLOPEN) ? "/torture/there is no such library" : file, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    return fails(THREAD) ? EAGAIN : THEIRS(pthread_create)(thread, attributes, function, argument);
}

/* Where all signals are blocked, that of a stopped system call is not. */
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t most;
    if (set) {
        most = *set;
        sigdelset(&most, SIGSYS);
    }
    return THEIRS(pthread_sigmask)(how, set ? &most : NULL, old);
}

pid_t fork(void)
{
    if (!fails(SPAWN))
        return THEIRS(fork)();
    errno = EAGAIN;
    return -1;
}

int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    return fails(SPAWN) ? EAGAIN : THEIRS(posix_spawn)(child, path, actions, attributes, argv, envp);
}

/* ---- Clocks ---------------------------------------------------------------------------------------- */

enum { BEGIN = 946684800, YEARS = 315360000 }; /* 2000-01-01, and ten years */

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static atomic_long calls, jumped;
    const long n = atomic_fetch_add(&calls, 1);
    (void)clock;
    if (fails(CLOCK)) {
        errno = EINVAL;
        return -1;
    }
    if (fails(JUMP))
        atomic_store(&jumped, jumped ? 0 : n % 2 ? YEARS : -YEARS);
    *time = (struct timespec){BEGIN + jumped + n / 1000, n % 1000 * 1000000};
    return 0;
}

time_t time(time_t *at)
{
    struct timespec t;
    const time_t seconds = clock_gettime(CLOCK_REALTIME, &t) ? -1 : t.tv_sec;
    if (at)
        *at = seconds;
    return seconds;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec t;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &t))
        return -1;
    *at = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
    return 0;
}

/* ---- System calls ---------------------------------------------------------------------------------- */

/* From here, where the filter stops none. */
static long call(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static void stopped(int signal, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const long number = info->si_syscall;
    const bool output = number == SYS_write || number == SYS_pwrite64;
    const bool excepted = (number == SYS_write || number == SYS_writev) && r[REG_RDI] == 2;
    long length = r[REG_RDX];
    (void)signal;
    if (!excepted && (now.error != SHORT || (output && length > 1)) && fails(SYSTEM)) {
        if (now.error != SHORT) {
            r[REG_RAX] = -now.error;
            return;
        }
        length /= 2;
    }
    r[REG_RAX] = call(number, r[REG_RDI], r[REG_RSI], length, r[REG_R10], r[REG_R8], r[REG_R9]);
}

/* The code of the C library: [begin, end). */
static struct {
    uintptr_t begin, end;
} libc;

static int look(struct dl_phdr_info *object, size_t size, void *inside)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        const uintptr_t begin = object->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && (uintptr_t)inside - begin < p->p_memsz) {
            libc.begin = begin;
            libc.end = begin + p->p_memsz;
        }
    }
    return 0;
}

static bool stop(const int *calls)
{
    struct sock_filter filter[2 * MOST + 12];
    unsigned short n = 0;
    const struct sigaction action = {.sa_sigaction = stopped,
                                     .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};
    dl_iterate_phdr(look, dlsym(RTLD_NEXT, "write"));
    if (!libc.begin || libc.begin >> 32 != libc.end >> 32)
        return false;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                               offsetof(struct seccomp_data, instruction_pointer) + 4);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(libc.begin >> 32), 1, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                               offsetof(struct seccomp_data, instruction_pointer));
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)libc.begin, 0, 1);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)libc.end, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < MOST && (calls[i] || !i); i++) { /* 0 is read, which stands first */
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {n, filter};
    return !sigaction(SIGSYS, &action, NULL) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* ---- Again and again ----------------------------------------------------------------------------------- */

/* In one process: calls are counted from now on, and the at-th fails (0: none). Result: how many failed since the latest call of this. */
long torture_again(long at, int always);

long torture_again(long at, int always)
{
    const long failed = now.report->failed;
    now.at = at;
    now.always = always;
    now.report->calls = now.report->failed = 0;
    return failed;
}

/* ---- Begin ----------------------------------------------------------------------------------------- */

static kind kind_of(const char *word, size_t n)
{
    static const char *const words[] = {[MALLOC] = "malloc", [DLOPEN] = "dlopen", [CLOCK] = "clock",
                                        [JUMP] = "jump",     [SPAWN] = "spawn",   [THREAD] = "thread"};
    for (kind k = MALLOC; k < SYSTEM; k++)
        if (strlen(words[k]) == n && !memcmp(words[k], word, n))
            return k;
    return SYSTEM;
}

/* 70: it cannot be done, by what this object was given or on this machine; 71: at other addresses it could. */
__attribute__((constructor)) static void begin(void)
{
    const char *what = getenv("POLHODE_TORTURE"), *from = getenv("POLHODE_TORTURE_FROM"),
               *report = getenv("POLHODE_TORTURE_REPORT");
    const char *colon = what ? strchr(what, ':') : NULL;
    if (!colon)
        return;
    char *end;
    const size_t length = (size_t)(colon - what);
    now.at = strtol(colon + 1, &end, 10);
    now.always = *end == '+';
    if (from)
        strncpy(now.from, from, sizeof now.from - 1);
    if (report) {
        const int fd = open(report, O_RDWR);
        void *shared = mmap(NULL, sizeof *now.report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (shared == MAP_FAILED)
            _exit(70);
        close(fd);
        now.report = shared;
    }
    /* processes that this one starts are themselves */
    unsetenv("LD_PRELOAD");
    unsetenv("POLHODE_TORTURE");
    const kind kind = kind_of(what, length);
    for (size_t i = 0; kind == SYSTEM && i < SYSTEMS; i++)
        if (strlen(systems[i].word) == length && !memcmp(systems[i].word, what, length)) {
            now.error = systems[i].error;
            if (!stop(systems[i].calls))
                _exit(libc.begin >> 32 != libc.end >> 32 ? 71 : 70);
        }
    if (kind == SYSTEM && !now.error)
        _exit(70);
    now.kind = kind;
}
