/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that are made of archives: their names, their files, what a run is called in them, and what its energy error is. */
#include "program.h"

#include "bench/report/file.h"
#include "figures/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *beside_archive(const char *file, const char *ending)
{
    static const char own[] = ".polhode";
    size_t n = strlen(file);
    if (n > strlen(own) && !strcmp(file + n - strlen(own), own))
        n -= strlen(own);
    char *path = malloc(n + strlen(ending) + 1);
    if (path)
        strcpy(stpncpy(path, file, n), ending);
    return path;
}

static FILE *open_result(const char *path, char part[4200], ph_error *err)
{
    char *directory = strdup(path);
    if (!directory) {
        ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        return NULL;
    }
    char *slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    FILE *f = report_open(!slash ? "." : *directory ? directory : "/", slash ? slash + 1 : path, part, err);
    free(directory);
    return f;
}

int check_place(const char *path, bool force)
{
    return force || access(path, F_OK)
               ? EXIT_OK
               : complain(EXIT_OUTPUT,
                          "%s: exists already; choose another place (-o) or allow to replace it (--force)",
                          path);
}

int write_file(const char *path, ph_status (*put)(FILE *f, const void *self, ph_error *err), const void *self)
{
    char part[4200];
    ph_error err;
    FILE *f = open_result(path, part, &err);
    if (!f)
        return complain_of(EXIT_OUTPUT, &err);
    if (put(f, self, &err)) {
        fclose(f);
        remove(part);
        return complain_of(EXIT_OUTPUT, &err);
    }
    return report_close(f, part, &err) ? complain_of(EXIT_OUTPUT, &err) : EXIT_OK;
}

static ph_status put_text(FILE *f, const void *text, ph_error *err)
{
    (void)err;
    fputs(text, f);
    return PH_OK;
}

int write_result(const char *path, const char *text, bool force)
{
    const int code = check_place(path, force);
    return code ? code : write_file(path, put_text, text);
}

bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void remark_on_archives(const char *const *files, const char *const *models, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (is_same_file(files[k], files[i])) {
                complain(0, "%s and %s are the same archive", files[k], files[i]);
                break;
            }
    for (size_t i = 1; i < n; i++)
        if (models[0] && models[i] && strcmp(models[0], models[i]) != 0) {
            complain(0, "%s is of the model %s, %s of %s: what differs is not the method alone", files[0],
                     models[0], files[i], models[i]);
            break;
        }
}

void label_run(char *label, size_t size, const char *method, const char *order, double h)
{
    snprintf(label, size, "%.80s", method);
    if (order)
        text_add(label, size, ", order %.20s", order);
    if (isfinite(h))
        text_add(label, size, ", h = %.6g s", h);
}

energy_change energy_change_of(const ph_record *record, const ph_scenario *scenario)
{
    const char *text = ph_record_meta(record, "conservative"); /* older archives lack it */
    if (text)
        return !strcmp(text, "true") ? ENERGY_ERROR : !strcmp(text, "false") ? ENERGY_DRIVEN : ENERGY_UNKNOWN;
    if (!scenario)
        return ENERGY_UNKNOWN;
    return ph_system_is_conservative(ph_scenario_system(scenario)) ? ENERGY_ERROR : ENERGY_DRIVEN;
}
