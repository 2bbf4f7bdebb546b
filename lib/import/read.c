/* SPDX-License-Identifier: BSD-3-Clause */
/* Which format the files of a run have, a row for each (polhode/domain/import.h). */
#define _POSIX_C_SOURCE 200809L
#include "import.h"

#include "lib/shape/shape.h"

#include <polhode/kit/text.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a file looks like. */
typedef struct look {
    bool json;    /* by its name */
    bool section; /* has it a line that begins with "["? */
    bool number;  /* is its first line one? */
} look;

static bool is_json(const look *of)
{
    return of->json;
}

static bool is_config(const look *of)
{
    return of->section;
}

static bool is_input(const look *of)
{
    return of->number;
}

/* In a directory the first of these files counts. */
static const struct format {
    const char *file; /* its name in a directory */
    bool (*knows)(const look *of);
    ph_importer *importer;
} formats[] = {{"init_system.json", is_json, ph_import_grit},
               {"hou_config.cfg", is_config, ph_import_gubas_config},
               {"ic_input.txt", is_input, ph_import_gubas_input}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static ph_status look_at(const char *path, look *of, ph_error *err)
{
    ph_lines lines;
    double value;
    const size_t n = strlen(path);
    *of = (look){.json = n > 5 && !strcmp(path + n - 5, ".json")};
    if (of->json)
        return PH_OK;
    ph_status status = ph_lines_open(&lines, path, err);
    if (status)
        return status;
    for (bool first = true; !of->section && ph_lines_next(&lines); first = false) {
        of->number |= first && !ph_parse_number(lines.line + strspn(lines.line, " \t"), &value);
        of->section = *lines.line == '[';
    }
    ph_lines_close(&lines);
    return PH_OK;
}

ph_status ph_import_find(const char *path, char *file, size_t size, ph_importer **importer, ph_error *err)
{
    struct stat seen;
    look of;
    if (strlen(path) + 32 > size)
        return ph_fail(err, PH_E_RANGE, "the path \"%.100s...\" is too long", path);
    const bool folder = !stat(path, &seen) && S_ISDIR(seen.st_mode);
    snprintf(file, size, "%s", path);
    ph_status status = folder ? PH_OK : look_at(path, &of, err);
    for (size_t i = 0; i < FORMATS && !status; i++) {
        *importer = formats[i].importer;
        if (folder)
            snprintf(file, size, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", formats[i].file);
        if (folder ? !access(file, F_OK) : formats[i].knows(&of))
            return PH_OK;
    }
    if (status)
        return status;
    return folder
               ? ph_fail(
                     err, PH_E_IO,
                     "%s has neither hou_config.cfg nor ic_input.txt, of GUBAS, nor init_system.json, of GRIT",
                     path)
               : ph_fail(
                     err, PH_E_PARSE,
                     "%s is neither a hou_config.cfg, which has sections [...], nor an ic_input.txt, which "
                     "begins with a number, of GUBAS, nor an init_system.json of GRIT",
                     path);
}

ph_status ph_import_read(const char *path, const char *output, ph_import *import, ph_error *err)
{
    char file[1024];
    size_t size;
    ph_importer *importer;
    ph_importing to = {.output = output};
    *import = (ph_import){.program = NULL};
    ph_status status = ph_import_find(path, file, sizeof file, &importer, err);
    if (status)
        return status;
    to.out = open_memstream(&to.to.scenario, &size);
    to.words.out = to.out ? open_memstream(&to.words.text, &to.words.size) : NULL;
    status = to.words.out ? importer(file, &to, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    FILE *const streams[] = {to.words.out, to.out};
    bool whole = true;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        whole = whole && streams[i] && !ferror(streams[i]);
        whole = streams[i] && !fclose(streams[i]) && whole;
    }
    if (!status && !(whole && to.to.scenario && to.words.text))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    to.to.remarks = to.words.text;
    if (status)
        ph_import_release(&to.to);
    *import = to.to;
    return status;
}

void ph_import_release(ph_import *import)
{
    if (!import)
        return;
    free(import->scenario);
    free(import->remarks);
    *import = (ph_import){.program = NULL};
}
