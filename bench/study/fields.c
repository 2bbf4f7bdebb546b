/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of fields that the results of all studies have (report.h). */
#include "report.h"

bool study_point_planned(const void *point)
{
    return ((const study_point *)point)->time > 0;
}

bool study_point_run(const void *point)
{
    return ((const study_point *)point)->steps > 0;
}

bool study_has_run(const void *run)
{
    return ((const study_run *)run)->status != PH_E_UNKNOWN;
}

bool study_has_step(const void *line)
{
    return !((const study_line *)line)->adaptive;
}

result_value study_verdict(const void *run)
{
    return value_word(growth_text(study_judge(run)));
}

result_value study_drift(const void *run)
{
    const tenths *t = &((const study_run *)run)->energy;
    return t->n[1] ? value_number(t->sum[1] / (double)t->n[1] - t->sum[0] / (double)t->n[0]) : value_absent;
}

result_value study_setting_is(const void *line)
{
    return value_word(((const study_line *)line)->adaptive ? "rtol" : "h");
}

json_object *study_findings(builder *b, const void *of)
{
    return build_lines(b, study_words(of));
}
