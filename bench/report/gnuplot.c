/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot between two temporary files: without pipes there is no SIGPIPE when it dies, and no alternating
 * reads and writes. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 60, NOT_THERE = 127, ENDED_BY_SIGNAL = -1, SCRIPT_LOST = -2 };

static void become_gnuplot(FILE *script, FILE *picture)
{
    int nowhere = open("/dev/null", O_WRONLY);
    alarm(SECONDS_MOST); /* survives exec: ends a gnuplot that hangs */
    if (nowhere >= 0 && dup2(fileno(script), STDIN_FILENO) >= 0 &&
        dup2(fileno(picture), STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL); /* -d: ignore the user's settings */
    _exit(NOT_THERE);
}

/* Its exit status, NOT_THERE if it cannot be started, or ENDED_BY_SIGNAL. */
static int run(FILE *script, FILE *picture)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(script, picture);
    if (child < 0)
        return NOT_THERE;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ENDED_BY_SIGNAL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : ENDED_BY_SIGNAL;
}

static ph_status read_all(FILE *f, char **text, size_t *length, ph_error *err)
{
    long size = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
    if (size <= 0)
        return ph_fail(err, PH_E_IO, "gnuplot has drawn nothing");
    *text = malloc((size_t)size + 1);
    if (!*text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    rewind(f);
    *length = fread(*text, 1, (size_t)size, f);
    (*text)[*length] = '\0';
    return PH_OK;
}

ph_status gnuplot_run(FILE *script, char **svg, size_t *length, int *missing, ph_error *err)
{
    *svg = NULL;
    FILE *picture = tmpfile();
    if (!picture)
        return ph_fail(err, PH_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
    int status = SCRIPT_LOST;
    if (!fflush(script) && !ferror(script)) {
        rewind(script); /* the child shares the offset */
        status = run(script, picture);
    }
    *missing = status == NOT_THERE;
    ph_status result;
    if (status == SCRIPT_LOST)
        result = ph_fail(err, PH_E_IO, "no room for gnuplot's script among the temporary files");
    else if (status)
        result = ph_fail(err, PH_E_IO, status == NOT_THERE ? "gnuplot was not found" : "gnuplot failed");
    else
        result = read_all(picture, svg, length, err);
    fclose(picture);
    return result;
}
