/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a bench, of whatever kind. */
#include "kind.h"
#include "bench/report/file.h"

const char *bench_file(const bench_kind *kind, size_t i)
{
    const bench_table *table = kind->tables;
    if (kind->page && i-- == 0)
        return "report.html";
    if (i-- == 0)
        return kind->json_file;
    for (; table && table->file; table++)
        if (i-- == 0)
            return table->file;
    return i == 0 ? kind->picture_file : NULL;
}

static json_object *make_json(builder *b, const bench_kind *kind, const bench_run *run)
{
    if (kind->json)
        return kind->json(b, run);
    json_object *root = build_object(b);
    build_add(b, root, kind->json_name, build_count(b, 1));
    build_surroundings(b, root, &run->where);
    result_add(b, root, kind->results, run);
    return root;
}

static ph_status write_json(const bench_kind *kind, const bench_run *run, const char *directory,
                            ph_error *err)
{
    builder b = {0};
    json_object *root = make_json(&b, kind, run);
    return build_file(&b, root, directory, kind->json_file, err);
}

static ph_status write_table(const bench_table *table, const bench_run *run, const char *directory,
                             ph_error *err)
{
    char part[4200];
    FILE *f = report_open(directory, table->file, part, err);
    if (!f)
        return PH_E_IO;
    if (table->put) {
        fprintf(f, "%s\n", table->head);
        table->put(f, run);
    } else {
        result_csv(f, table->head, table->path, run);
    }
    return report_close(f, part, err);
}

ph_status bench_write(const bench_kind *kind, const bench_run *run, const char *directory, ph_error *err)
{
    ph_status status = write_json(kind, run, directory, err);
    for (const bench_table *table = kind->tables; table && table->file && !status; table++)
        status = write_table(table, run, directory, err);
    if (!status && kind->page)
        status = page_write(kind->page, run, run->interrupted, &run->where, directory, err);
    if (!status && kind->picture)
        status = kind->picture(run, directory, err);
    return status;
}

ph_status bench_print_json(const bench_kind *kind, const bench_run *run, FILE *out, ph_error *err)
{
    builder b = {0};
    json_object *root = make_json(&b, kind, run);
    return build_print(&b, root, out, err);
}
