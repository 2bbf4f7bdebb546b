/* SPDX-License-Identifier: BSD-3-Clause */
/* A study in tables, of the terminal and of a page (report.h). */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 16, HEAD = 40 };

/* ---- Columns ------------------------------------------------------------------------------------------------------ */

static const result_field run_fields[] = {STUDY_RUN_HEAD,
                                          {"0", STUDY_RUN(NUMBER, errors[0])},
                                          {"1", STUDY_RUN(NUMBER, errors[1])},
                                          {"2", STUDY_RUN(NUMBER, errors[2])},
                                          {"3", STUDY_RUN(NUMBER, errors[3])},
                                          STUDY_RUN_TAIL,
                                          {.name = NULL}};
static const result_field line_fields[] = {STUDY_LINE_HEAD, STUDY_STEP, {.name = NULL}};
static const result_rows lines = {line_fields, STUDY_LINES},
                         steps = {line_fields, STUDY_LINES, .has = study_has_step},
                         runs = {run_fields, STUDY_RUN_OF};
static const result_rows *const steps_path[] = {&steps, NULL}, *const runs_path[] = {&lines, &runs, NULL};

/* The widest label, and the format of its column. */
static int label_width(const study *s)
{
    size_t most = 20;
    for (size_t i = 0; i < s->n; i++)
        most = strlen(s->lines[i].label) > most ? strlen(s->lines[i].label) : most;
    return (int)most;
}

/* Columns of the long runs, of a page or, with the format of the methods, of a terminal. heads: memory for them. */
static void run_columns(const study *s, const char *methods, result_column *c, char (*heads)[HEAD])
{
    static const char *const errors[STUDY_ERRORS] = {"0", "1", "2", "3"}, *const parts[2] = {"first", "last"},
                             *const names[2] = {"energy_error_first_tenth", "energy_error_last_tenth"};
    const study_kind *kind = s->kind;
    *c++ = (result_column){"method", methods ? kind->long_title : "method", .format = methods};
    *c++ = (result_column){"h", methods ? "h [s]" : "step [s]", .format = methods ? "%9.4g" : "%.4g"};
    *c++ = (result_column){"steps", "steps", .format = methods ? "%9.0f" : "%.0f"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(heads[i], HEAD, "%s, %s%s", kind->energy_name, parts[i], methods ? "" : " tenth");
        *c++ = (result_column){names[i], heads[i], .format = methods ? "%11.2e" : NULL};
    }
    snprintf(heads[2], HEAD, methods ? "%s, drift" : "%s, drift of its mean", kind->energy_name);
    *c++ = (result_column){"energy_drift", heads[2], .format = methods ? "%11.2e" : "%.1e"};
    for (size_t i = kind->long_from; i < kind->n_errors; i++)
        *c++ = (result_column){errors[i], s->error_names[i], .format = methods ? "%11.2e" : NULL};
    *c++ = (result_column){"cpu_seconds", "CPU [s]", .format = methods ? "%9.3f" : "%.3f"};
    *c++ = (result_column){"verdict", methods ? NULL : "", .format = methods ? " %s" : NULL};
    *c = (result_column){.name = NULL};
}

static void step_columns(const study *s, const char *methods, result_column *c)
{
    const char *part = s->kind->parts_name;
    *c++ = (result_column){"method", methods ? "a step" : "method", .format = methods};
    *c++ = (result_column){"step_time", methods ? "ns" : "ns a step", .format = methods ? "%12.0f" : "%.0f"};
    if (part)
        *c++ = (result_column){"step_time_a_part", part, .format = methods ? "%12.1f" : "%.1f"};
    *c++ = (result_column){"ratio_to_rk4", methods ? "of rk4's" : "ratio to rk4",
                           .format = methods ? "%12.2f" : "%.2f"};
    *c = (result_column){.name = NULL};
}

/* ---- Points ------------------------------------------------------------------------------------------------------- */

/* Errors of a series: all of its only one, or one of each. */
static size_t errors_of(const study *s)
{
    return s->kind->series[1].name ? 1 : s->kind->n_errors;
}

static void put_point(FILE *f, const study *s, const study_point *p, size_t series)
{
    for (size_t i = 0; i < errors_of(s); i++) {
        const char *head = s->error_names[series + i];
        if (i == 0 && p->steps && p->status)
            markup_cell_text(f, head, ph_status_text(p->status));
        else
            markup_cell(f, head, NULL, p->errors[i]);
    }
    markup_cell(f, "CPU [ms]", "%.4g", 1e3 * p->cpu);
}

void study_page_points(FILE *f, const study *s)
{
    const char *heads[COLUMNS] = {"method", "step [s] or tolerance"};
    size_t n = 2;
    for (size_t series = 0; series < STUDY_SERIES && s->kind->series[series].name; series++) {
        for (size_t i = 0; i < errors_of(s); i++)
            heads[n++] = s->error_names[series + i];
        heads[n++] = "CPU [ms]";
    }
    markup_table(f, "All trajectories", heads, n);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->kind->n_points; k++) {
            const study_point *p = s->lines[i].points[k];
            if (!p[0].steps && !p[1].steps)
                continue;
            markup_between(f, "<tr><th scope=\"row\">", s->lines[i].label, "</th>");
            markup_cell(f, heads[1], "%.4g", p->setting);
            for (size_t series = 0; series < STUDY_SERIES && s->kind->series[series].name; series++)
                put_point(f, s, &p[series], series);
            fputs("</tr>\n", f);
        }
    markup_table_end(f);
}

/* For a study with two series; the points of a single one are in the page alone. */
static void print_points(FILE *out, const study *s, int width)
{
    fprintf(out, "  %-*s %10s", width, "method", "h or rtol");
    for (size_t series = 0; series < STUDY_SERIES; series++)
        fprintf(out, " %12s %10s", s->kind->series[series].name, "CPU [ms]");
    fputc('\n', out);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->kind->n_points; k++) {
            const study_point *p = s->lines[i].points[k];
            fprintf(out, "  %-*s %10.3g", width, k ? "" : s->lines[i].label, p->setting);
            for (size_t series = 0; series < STUDY_SERIES; series++, p++)
                if (!p->steps)
                    fprintf(out, " %12s %10s", "left out", "-");
                else if (p->status)
                    fprintf(out, " %23s",
                            p->status == PH_E_DIVERGED ? "diverged" : ph_status_text(p->status));
                else
                    fprintf(out, " %12.1e %10.4g", p->errors[0], 1e3 * p->cpu);
            fputc('\n', out);
        }
}

/* ---- The whole ---------------------------------------------------------------------------------------------------- */

static void put_reached(FILE *out, const void *run)
{
    const study_run *r = run;
    if (r->status)
        fprintf(out, " at t = %.6g s: %s", r->reached, ph_status_text(r->status));
}

static bool has_long(const study *s)
{
    return s->long_time > 0 || s->long_steps;
}

void study_tables(FILE *out, const study *s)
{
    const study_kind *kind = s->kind;
    const int width = label_width(s);
    char methods[16], heads[3][HEAD];
    result_column columns[COLUMNS];
    snprintf(methods, sizeof methods, "%%-%ds", width);
    kind->title(out, s);
    if (kind->timed_part > 0) {
        step_columns(s, methods, columns);
        result_words(out, "  ", columns, steps_path, s, NULL);
    }
    if (kind->series[1].name)
        print_points(out, s, width);
    for (size_t i = 0; i < kind->n_accuracies; i++)
        costs_print(out, s, &kind->accuracies[i], width);
    if (has_long(s)) {
        run_columns(s, methods, columns, heads);
        result_words(out, "  ", columns, runs_path, s, put_reached);
    }
}

void study_page_runs(FILE *f, const study *s)
{
    char heads[3][HEAD];
    result_column columns[COLUMNS];
    if (!has_long(s))
        return;
    run_columns(s, NULL, columns, heads);
    result_page(f, "The long run", columns, runs_path, s);
}

void study_page_steps(FILE *f, const study *s)
{
    result_column columns[COLUMNS];
    if (!(s->kind->timed_part > 0))
        return;
    step_columns(s, NULL, columns);
    result_page(f, "The cost of a step", columns, steps_path, s);
}
