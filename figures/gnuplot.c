/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot between two temporary files: without pipes there is no SIGPIPE when it dies, and no alternating
 * reads and writes. */
#include "gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 60, NOT_THERE = 127, ENDED_BY_SIGNAL = -1, TOO_LONG = -2, SCRIPT_LOST = -3 };
enum { SAID_MOST = 200 }; /* bytes of its last line that are passed on */

static void become_gnuplot(FILE *script, FILE *drawing, FILE *said)
{
    alarm(SECONDS_MOST);     /* survives exec: ends a gnuplot that hangs */
    setenv("TZ", "UTC0", 1); /* PDFs have the time zone in them */
    if (dup2(fileno(script), STDIN_FILENO) >= 0 && dup2(fileno(drawing), STDOUT_FILENO) >= 0 &&
        dup2(fileno(said), STDERR_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL); /* -d: ignore the user's settings */
    _exit(NOT_THERE);
}

/* Its exit status, NOT_THERE if it cannot be started, TOO_LONG, or ENDED_BY_SIGNAL. */
static int run(FILE *script, FILE *drawing, FILE *said)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(script, drawing, said);
    if (child < 0)
        return NOT_THERE;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ENDED_BY_SIGNAL;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    return WTERMSIG(status) == SIGALRM ? TOO_LONG : ENDED_BY_SIGNAL;
}

/* last <- the last line with words that it wrote to its standard error, printable ASCII alone; or "". */
static void last_words(FILE *said, char last[SAID_MOST])
{
    char line[SAID_MOST];
    *last = '\0';
    rewind(said);
    while (fgets(line, sizeof line, said)) {
        const char *words = line + strspn(line, " \t\r\n");
        size_t n = 0;
        for (; *words && *words != '\n'; words++)
            line[n++] = (char)(*words >= ' ' && *words <= '~' ? *words : '?');
        line[n] = '\0';
        if (n)
            memcpy(last, line, n + 1);
    }
}

static ph_status say_failure(int status, FILE *said, ph_error *err)
{
    char last[SAID_MOST];
    if (status == SCRIPT_LOST)
        return ph_fail(err, PH_E_IO, "no room for gnuplot's script among the temporary files");
    if (status == NOT_THERE)
        return ph_fail(err, PH_E_IO, "gnuplot was not found");
    if (status == TOO_LONG)
        return ph_fail(err, PH_E_IO, "gnuplot was ended: it took more than %d s", SECONDS_MOST);
    last_words(said, last);
    return ph_fail(err, PH_E_IO, "gnuplot failed%s%s", *last ? ": " : "", last);
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
    return *length == (size_t)size ? PH_OK : ph_fail(err, PH_E_IO, "what gnuplot has drawn cannot be read");
}

ph_status gnuplot_run(FILE *script, char **svg, size_t *length, int *missing, ph_error *err)
{
    *svg = NULL;
    *missing = 0;
    FILE *drawing = tmpfile(), *said = tmpfile();
    if (!drawing || !said) {
        ph_fail(err, PH_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
        if (drawing)
            fclose(drawing);
        if (said)
            fclose(said);
        return PH_E_IO;
    }
    int status = SCRIPT_LOST;
    if (!fflush(script) && !ferror(script)) {
        rewind(script); /* the child shares the offset */
        status = run(script, drawing, said);
    }
    *missing = status == NOT_THERE;
    const ph_status result = status ? say_failure(status, said, err) : read_all(drawing, svg, length, err);
    fclose(drawing);
    fclose(said);
    return result;
}
