/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario file run by a program of your own, without the program polhode, into an archive from which it
 * can be resumed with the same bits:
 *     cc scenario.c $(pkg-config --cflags --libs polhode-io) -o scenario && ./scenario FILE.yaml DIRECTORY
 * Prints where the motion ended and the largest errors on the way, with all digits. A call with a session
 * that could not be opened (NULL) does nothing, and the first failure stays in err. */
#include <polhode/polhode.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    ph_session *session = NULL;
    ph_result result;
    ph_error err = {PH_OK, ""};
    if (argc < 2 || argc > 3)
        return fprintf(stderr, "usage: scenario FILE.yaml [DIRECTORY]\n"), 2;
    ph_session_open(argv[1], argv[2], NULL, &session, &err); /* without a directory: FILE.out */
    ph_session_run(session, &err);
    if (session) {
        ph_session_result(session, &result);
        printf("time %.17g\n", result.state->t);
        printf("energy_error_max %.17g\n", result.summary->energy_error_max);
        printf("constraint_error_max %.17g\n", result.summary->constraint_error_max);
        for (size_t i = 0; i < result.state->nz; i++)
            printf("%s%.17g", i ? ", " : "z ", result.state->z[i]);
        printf("\narchive %s\n", ph_session_path(session, PH_SESSION_ARCHIVE));
    }
    ph_session_close(session, &err);
    return err.status ? fprintf(stderr, "%s\n", err.message), 1 : 0;
}
