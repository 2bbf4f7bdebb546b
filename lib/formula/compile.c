/* SPDX-License-Identifier: BSD-3-Clause */
/* C to a shared object: the compiler that configure found, or POLHODE_CC, is started without a shell and reads the text
 * from its standard input. The flags fuse no product with a sum and replace no function: the bits are those of the text. */
#define _GNU_SOURCE
#include "compile.h"

#ifndef __linux__ /* files in memory, descriptors by name */

ph_status ph_compile(const char *text, size_t length, void **library, ph_error *err)
{
    (void)text, (void)length, (void)library;
    return ph_fail(err, PH_E_UNSUPPORTED, "formulas are compiled on Linux only");
}

#else

#include "cache.h"
#include "config.h"
#include "sha256.h"

#include <polhode/version.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { KEY = 2 * PH_SHA256_BYTES + sizeof ".so", PATH = 1024 };

/* What is run: the compiler with its flags, the last of which is where the result goes. With -O2 it takes a fifth longer; once
 * instructions are scheduled its code is no faster. */
static const char *const flags[] = {"-x",
                                    "c",
                                    "-O1",
                                    "-fschedule-insns2",
                                    "-ffp-contract=off",
                                    "-fno-builtin",
                                    "-fno-math-errno",
                                    "-fno-asynchronous-unwind-tables",
                                    "-fPIC",
                                    "-shared",
                                    "-w",
                                    "-",
                                    "-o"};
enum { FLAGS = sizeof flags / sizeof flags[0] };

static ph_status find_compiler(const char **cc, ph_error *err)
{
    const char *given = getenv("POLHODE_CC");
    *cc = given ? given : PH_CC;
#if FLT_EVAL_METHOD != 0
    return ph_fail(err, PH_E_UNSUPPORTED, "this machine computes with more digits than numbers have");
#endif
    if (getauxval(AT_SECURE))
        return ph_fail(err, PH_E_UNSUPPORTED, "the program has other rights than its user");
    if (**cc != '/' || access(*cc, X_OK))
        return ph_fail(err, PH_E_UNSUPPORTED, "there is no C compiler%s%.200s%s", **cc ? " \"" : "", *cc,
                       **cc ? "\"; POLHODE_CC may be the absolute path of one" : "");
    return PH_OK;
}

/* Runs to the end, without output but to `out`; was it successful? */
static bool run(const char *cc, char *const *argv, int in, int out)
{
    posix_spawn_file_actions_t files;
    pid_t child;
    int code = -1;
    if (posix_spawn_file_actions_init(&files))
        return false;
    bool ready = in < 0 ? !posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
                        : !posix_spawn_file_actions_adddup2(&files, in, 0);
    ready = ready && (out < 0 ? !posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
                              : !posix_spawn_file_actions_adddup2(&files, out, 1));
    ready = ready && !posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    if (ready && !posix_spawn(&child, cc, &files, NULL, argv, environ))
        while (waitpid(child, &code, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    return code == 0;
}

/* A file in memory with this text, to be read from its start; -1. */
static int file_of(const char *text, size_t length)
{
    const int fd = memfd_create("formulas", MFD_CLOEXEC);
    while (fd >= 0 && length) {
        const ssize_t n = write(fd, text, length);
        if (n <= 0) {
            close(fd);
            return -1;
        }
        text += n, length -= (size_t)n;
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

/* key <- the name of the shared object: what it is made of and by what. */
static void name_of(const char *cc, const char *text, size_t length, char key[KEY])
{
    ph_sha256 s;
    struct utsname machine;
    unsigned char digest[PH_SHA256_BYTES];
    char version[4096], *argv[] = {(char *)(uintptr_t)cc, (char *)(uintptr_t) "--version", NULL};
    const int out = file_of("", 0);
    ssize_t n = out >= 0 && run(cc, argv, -1, out) ? pread(out, version, sizeof version, 0) : 0;
    if (out >= 0)
        close(out);
    ph_sha256_begin(&s);
    ph_sha256_add(&s, text, length + 1);
    ph_sha256_add(&s, cc, strlen(cc) + 1);
    ph_sha256_add(&s, version, n > 0 ? (size_t)n : 0);
    for (size_t i = 0; i < FLAGS; i++)
        ph_sha256_add(&s, flags[i], strlen(flags[i]) + 1);
    ph_sha256_add(&s, PH_VERSION, sizeof PH_VERSION);
    if (!uname(&machine))
        ph_sha256_add(&s, machine.machine, strlen(machine.machine) + 1);
    ph_sha256_end(&s, digest);
    for (size_t i = 0; i < PH_SHA256_BYTES; i++)
        snprintf(key + 2 * i, 3, "%02x", digest[i]);
    memcpy(key + KEY - sizeof ".so", ".so", sizeof ".so");
}

/* By the descriptor of the directory that was checked. Its name in there is that of its contents: what is loaded already by the
 * same path, which another directory may have had, is the same. */
static void *load(int directory, const char *key)
{
    char path[PATH];
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", directory, key);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* In a directory that nobody else has, which is removed; kept in the cache (-1: there is none). */
static ph_status make(const char *cc, const char *text, size_t length, int cache, const char *key,
                      void **library, ph_error *err)
{
    const char *temporary = getenv("TMPDIR");
    char directory[PATH / 2], path[PATH], *argv[FLAGS + 3] = {(char *)(uintptr_t)cc};
    snprintf(directory, sizeof directory, "%s/polhode-XXXXXX",
             temporary && *temporary == '/' ? temporary : "/tmp");
    if (!mkdtemp(directory))
        return ph_fail(err, PH_E_IO, "%s: no directory can be made: %s", directory, strerror(errno));
    snprintf(path, sizeof path, "%s/%s", directory, key);
    for (size_t i = 0; i < FLAGS; i++)
        argv[1 + i] = (char *)(uintptr_t)flags[i];
    argv[1 + FLAGS] = path;
    const int in = file_of(text, length), own = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ph_status status = PH_OK;
    if (in < 0 || own < 0)
        status = ph_fail(err, PH_E_IO, "%s: no file can be made", directory);
    else if (!run(cc, argv, in, -1))
        status = ph_fail(err, PH_E_UNSUPPORTED, "the C compiler %.200s failed", cc);
    if (!status && cache >= 0 && ph_cache_put(cache, key, path))
        *library = load(cache, key);
    if (!status && !*library && !(*library = load(own, key)))
        status = ph_fail(err, PH_E_UNSUPPORTED, "what the C compiler %.200s made cannot be loaded", cc);
    unlink(path);
    rmdir(directory);
    if (in >= 0)
        close(in);
    if (own >= 0)
        close(own);
    return status;
}

ph_status ph_compile(const char *text, size_t length, void **library, ph_error *err)
{
    const char *cc;
    char key[KEY];
    ph_status status = find_compiler(&cc, err);
    if (status)
        return status;
    name_of(cc, text, length, key);
    const int cache = ph_cache_open();
    *library = cache >= 0 && ph_cache_has(cache, key) ? load(cache, key) : NULL;
    if (!*library)
        status = make(cc, text, length, cache, key, library, err);
    if (cache >= 0)
        close(cache);
    return status;
}

#endif
