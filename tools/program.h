/* SPDX-License-Identifier: BSD-3-Clause */
/* The program polhode: what its commands share. */
#ifndef POLHODE_TOOLS_PROGRAM_H
#define POLHODE_TOOLS_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/common/command.h"
#include "bench/report/results.h"
#include <polhode/polhode.h>

/* Exit codes; main.c prints them in --help. */
enum {
    EXIT_OK = 0,
    EXIT_ENDED_EARLY = 1, /* the run ended before its planned time; results up to there were written */
    EXIT_INPUT = 2,       /* usage, scenario, unknown name */
    EXIT_OUTPUT = 3,      /* results cannot be written */
    EXIT_SIGNAL = 128     /* plus the signal's number */
};

/* The commands, each in a file of its name. */
extern const command_row command_new, command_run, command_resume, command_info, command_tail, command_export,
    command_plot, command_report, command_view, command_check, command_equilibria, command_gubas,
    command_keys, command_models, command_methods, command_sweep, command_merge, command_repair;

/* [bytes] What this machine, or the container, has left; INFINITY: not known. What this process has used at
 * most; 0: not known. Let it take no more than there is (memory.c). */
double memory_free(void);
double memory_used(void);
void memory_bound(void);

/* Of commands that run scenarios, which may be a stranger's: their formulas are interpreted (POLHODE_COMPILE=never). */
#define NO_COMPILE "start no compiler for formulas"
void never_compile(void);

/* The arguments of `polhode methods`, of which --advise needs all but the name. */
typedef struct methods_arguments {
    const char *name;         /* of a method, or NULL */
    const char *file;         /* a scenario to advise on, or NULL */
    double accuracy, horizon; /* [s]; 0: not given */
    double budget;            /* [s of CPU]; 0: that of advice */
    option_texts set;
    bool quiet, json, timed;
} methods_arguments;
/* Returns an exit code. */
int give_advice(const methods_arguments *a);

/* Chooses what a scenario with an accuracy leaves open, with progress unless quiet. line <- what was chosen, "" where
 * nothing was left open. Returns an exit code; a message was printed where it is not EXIT_OK. file: its name for
 * messages. */
enum { CHOICE_LINE = 500 };
int settle_scenario(ph_scenario *scenario, const char *file, bool quiet, char line[CHOICE_LINE]);

/* Shows the progress of advice: self is a progress. */
void show_advice_progress(void *self, const char *what, double fraction);

/* *rate <- the fastest rate [rad/s] that `polhode check` finds, at the start and elsewhere; 0 without one. */
ph_status check_rate(const ph_scenario *scenario, double *rate, ph_error *err);

/* What a change of the energy is. */
typedef enum energy_change {
    ENERGY_UNKNOWN, /* an error or not: the archive does not say whether forces change it */
    ENERGY_ERROR,   /* the system keeps its energy */
    ENERGY_DRIVEN   /* forces change it */
} energy_change;

/* result <- of an archive, by its table meta, else by the scenario (nullable). */
energy_change energy_change_of(const ph_record *record, const ph_scenario *scenario);

/* The energy error of a scenario's method and step. */
typedef struct energy_estimate {
    int64_t steps; /* measured, from the start */
    double seen;   /* the largest relative error in them; NaN: none was measured */
    double
        expected; /* the same over the whole run: as seen where it is bounded, else in proportion to time */
    bool bounded; /* does the method claim that it is (symplectic or symmetric)? */
} energy_estimate;
/* Measured over at most `most` steps and about `seconds` of CPU time, by counted work: the same on every machine; not
 * further than to an error above `worst`. The status of a step that fails, also the first one; nothing is written. */
ph_status estimate_energy(const ph_scenario *scenario, int64_t most, double seconds, double worst,
                          energy_estimate *e, ph_error *err);

/* *error <- the largest difference of the trajectory from one with half the step, over so many steps: of lengths
 * relative to the largest of the motion. NaN: the method chooses steps of its own. The status of a step that fails. */
ph_status estimate_by_half(const ph_scenario *scenario, int64_t steps, double *error, ph_error *err);

/* A relative energy error above which check finds fault and run remarks on it. */
#define ENERGY_ERROR_LARGE 0.01

/* Does a rule of thumb for steps not apply, as the method chooses steps of its own, or the step was chosen by measurements
 * for an accuracy? */
bool chooses_steps(const ph_scenario *scenario);

/* Before a run: the status and message of a first step that fails. Warns of a step that is not stable, unless
 * quiet. */
ph_status look_ahead(const ph_scenario *scenario, bool quiet, ph_error *err);

/* "polhode: " message on stderr; returns code. */
int complain(int code, const char *format, ...) PH_PRINTF(2, 3);

/* The same in the name of a program. It is one write: what other processes print on the same terminal does not stand inside. */
int complain_as(const char *program, int code, const char *format, va_list args) PH_PRINTF(3, 0);

/* The same with the message of an error; of one that says that a signal came, returns the signal's code. */
int complain_of(int code, const ph_error *err);

/* Words of the library's messages that are others in the program: "options.until" is --until. */
typedef struct translation {
    const char *theirs, *ours; /* the last one has NULL */
} translation;
void translate(ph_error *err, const translation *words);

/* *file <- the path (malloc), or, where that is a directory, of the one archive in it. PH_E_INVALID: it holds none,
 * or several. */
ph_status find_archive(const char *path, char **file, ph_error *err);

/* The failure of a command that shows one run where it is given the archive of a sweep. */
ph_status refuse_sweep(const char *file, ph_error *err);

/* PATH/NAME + ending (malloc) of the path of an archive PATH/NAME.polhode. */
char *beside_archive(const char *file, const char *ending);
/* What is at `path` may be replaced by --force alone. Returns an exit code. */
int check_place(const char *path, bool force);
/* A file that appears when `put` has written all of it; an error of `put`, or of the disk, is reported. Returns an exit code. */
int write_file(const char *path, ph_status (*put)(FILE *f, const void *self, ph_error *err),
               const void *self);
/* A text as a file, which may not be there yet unless forced. Returns an exit code. */
int write_result(const char *path, const char *text, bool force);
/* Are both there, and the same file? A result may not replace what it is made of. */
bool is_same_file(const char *one, const char *other);
/* Remarks on stderr: archives that are the same, or of different models. models: nullable entries. */
void remark_on_archives(const char *const *files, const char *const *models, size_t n);
/* label <- "variational, order 2, h = 0.01 s"; order may be NULL, h not finite: they are left out. */
void label_run(char *label, size_t size, const char *method, const char *order, double h);

/* text <- "{name: variational, order: 6}" */
void write_method(char *text, size_t size, const char *name, const ph_setting *settings, size_t n);

/* The one document that `--json` prints; root is given back. Returns an exit code. */
int print_document(const builder *b, json_object *root);
/* The same of a document that has nothing but this list, under this key. */
int print_list(builder *b, json_object *list, const char *key);

/* The version, the build and its optional libraries; behind --version stands argv (argc), which may be --json. */
int print_version(int argc, char **argv);
/* The homepage, and where bugs are reported. */
void print_addresses(void);

/* Catch SIGINT and SIGTERM once (a second one ends the program); the flag holds the signal. */
void catch_signals(void);
const volatile sig_atomic_t *signal_flag(void);

/* "1:02:03", "2:03" or "3 s" */
void write_duration(char text[32], double seconds);

/* Progress with rate, time remaining and errors on one line of stderr, only if that is a terminal, or, where it is
 * none, in a line of its own from time to time. Where t is NaN, `done` counts no steps, and only its share of the
 * total and the time remaining are shown. */
typedef struct progress {
    const char *label;
    double started, shown; /* seconds of the wall clock */
    double interval;       /* [s] between two of them */
    bool visible, in_place;
} progress;

progress progress_start(const char *label, bool quiet);
/* The same, also where stderr is no terminal: a line each `interval` seconds, none where that is 0. */
progress progress_start_lines(const char *label, bool quiet, double interval);
/* Is it visible, and some time since it was shown? Only then what is expensive to find out is computed. */
bool progress_is_due(const progress *p);
/* Shown when it is due. errors: until now, or NULL. */
void progress_show(progress *p, double t, int64_t done, int64_t total, const ph_summary *errors);
void progress_end(progress *p);

#endif
