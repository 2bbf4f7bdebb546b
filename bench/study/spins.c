/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench spins, polhode bench vortices: spheres as phase space by all methods. The errors of a trajectory, of the energy, of J
 * and of the lengths |s| against their cost, and energies over a long time. */
#include "report.h"
#include "spin-systems.h"

#include <math.h>

static const char *const contenders[] = {
    "spherical-midpoint:order=2",
    "spherical-midpoint:order=4",
    "spherical-midpoint:order=6",
    "spherical-midpoint:order=8",
    "spin-splitting:order=2",
    "spin-splitting:order=4",
    "spin-splitting:order=6",
    "spin-splitting:order=8",
    "midpoint-by-hand",
    "rk4",
    "rk4-projected",
    "rk8",
    "arkode",
    "cvode",
};

/* ---- What is measured --------------------------------------------------------------------------------------------- */

enum {
    PLACE,    /* the largest |s_i - truth|, at the end */
    ENERGY,   /* the largest |H - H(0)|, in the units of H */
    MOMENTUM, /* the largest |J - J(0)|, or |J_3 - J_3(0)| */
    LENGTH,   /* the largest | |s_i| - 1 | */
    ERRORS
};

static ph_status open(study *s, const study_plan *plan, ph_error *err)
{
    (void)err;
    s->times[0] = s->of->time;
    s->first_step = s->of->first_step;
    if (plan->steps > 0)
        s->long_steps = (int64_t)fmax(1, (double)plan->steps * s->of->share);
    s->error_names[PLACE] = "trajectory";
    s->error_names[ENERGY] = "H";
    s->error_names[MOMENTUM] = s->of->class == SPINS_AXIAL ? "J_3" : "J";
    s->error_names[LENGTH] = "|s|";
    const ph_status status = ph_spins_momentum(s->start.system, s->start.z, s->reference);
    return status ? status : ph_spins_energy(s->start.system, 0, s->start.z, &s->energy);
}

static ph_status measure(study *s, const ph_state *state, bool first, double *errors, double *energy)
{
    double H, J[3], momentum = 0;
    ph_status status = ph_spins_energy(s->start.system, state->t, state->z, &H);
    if (!status)
        status = ph_spins_momentum(s->start.system, state->z, J);
    if (status || first)
        return status;
    for (size_t k = s->of->class == SPINS_AXIAL ? 2 : 0; k < 3; k++)
        momentum += (J[k] - s->reference[k]) * (J[k] - s->reference[k]);
    for (size_t i = 0; i < s->parts; i++) {
        const double *v = state->z + 3 * i;
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        errors[LENGTH] = fmax(errors[LENGTH], fabs(length - 1));
    }
    *energy = H - s->energy;
    errors[ENERGY] = fmax(errors[ENERGY], fabs(*energy));
    errors[MOMENTUM] = fmax(errors[MOMENTUM], sqrt(momentum));
    return isfinite(H) && isfinite(momentum) ? PH_OK : PH_E_NOT_FINITE;
}

static void compare(const study *s, const double *z, const double *known, double *errors)
{
    errors[PLACE] = 0;
    for (size_t i = 0; i < 3 * s->parts; i += 3) {
        const double x = z[i] - known[i], y = z[i + 1] - known[i + 1], u = z[i + 2] - known[i + 2],
                     d = sqrt(x * x + y * y + u * u);
        if (!(d <= errors[PLACE]))
            errors[PLACE] = d; /* a NaN stays */
    }
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

static void title(FILE *out, const study *s)
{
    fprintf(out, "%s: %s; H = %.6g\n", s->name, s->words, s->energy);
}

static void say(FILE *out, const study *s)
{
    if (s->long_steps)
        fprintf(out,
                "%s: the energy within %lld steps of order 2 of %.4g s, and as many stages of compositions\n",
                s->name, (long long)s->long_steps, s->of->stage);
    if (s->long_steps && (double)s->long_steps < 10000 * s->of->share)
        fputs("  These are few steps: whether an error grows is known after more of them (--steps).\n", out);
    if (s->long_steps)
        study_say_long(out, s);
    fprintf(out, "%s: what an accuracy within %.4g s costs\n", s->name, s->of->time);
    study_say_costs(out, s);
    fputs("  That is a short run: errors that grow with time count for more in a longer one.\n", out);
    fprintf(out, "  The truth is %s with small steps; %s differs from it by %.1e.\n",
            s->truth ? s->truth : "", s->second ? s->second : "", s->doubt[PLACE]);
}

static const char how_to_read[] =
    "<li>Each method computes the same motion with smaller and smaller steps, each half of the one before; those with error "
    "control with smaller and smaller tolerances, relative and absolute alike, starting again at four times. All evaluate the "
    "same energy.</li>\n"
    "<li>The error of a trajectory is the largest distance of a point on its sphere from the truth, at the end; those of the "
    "energy H, of J and of the lengths |s| are the largest at twenty times until then. The truth is rk8 with small steps; what "
    "a method of another family differs from it is stated.</li>\n"
    "<li>Times are CPU times of all steps. The runs alternate; the median is shown. Times of a step are measured in turn with "
    "those of rk4, in short slices.</li>\n"
    "<li>In the long run a step of a composition is as long as its stages together, each of the length of a step of order 2; "
    "Runge-Kutta methods take the steps of order 2. The CPU time is stated.</li>\n"
    "<li>\"grows\": the largest energy error in the last tenth of the run is more than 1.5 times that in the first. "
    "\"rounding\": at most 1e-12.</li>\n";

/* When there are too many lines for one figure. */
static const char *const shown[] = {"spherical-midpoint:order=2",
                                    "spherical-midpoint:order=4",
                                    "spherical-midpoint:order=8",
                                    "spin-splitting:order=2",
                                    "spin-splitting:order=4",
                                    "spin-splitting:order=8",
                                    "rk4-projected",
                                    "rk8",
                                    NULL};
static const double levels[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
static const study_accuracy accuracies[] = {
    {.quantity = "error of the trajectory", .unit = "", .error = PLACE, STUDY_LEVELS(levels)},
    {.quantity = "error of the energy", .unit = "", .error = ENERGY, STUDY_LEVELS(levels)}};
static const study_figure figures[] = {
    {"energy error in each interval of time of the long run", "energy error", .shown = shown},
    {NULL, "trajectory error", &accuracies[0], PLACE, .shown = shown},
    {NULL, "energy error", &accuracies[1], ENERGY, .shown = shown},
};

/* Adaptive methods start again at each output. */
static const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14};
/* clang-format off */
#define KIND(systems) { \
    STUDY_TABLES(systems, contenders), \
    .plain_stages = 1, \
    .open = open, \
    .measure = measure, \
    .compare = compare, \
    .timed_part = 4, \
    .series = {{"trajectories", .compared = true, .outputs = 20, .outputs_adaptive = 4}}, \
    .n_points = 10, \
    .turns = 7, \
    .tolerances = tolerances, \
    .absolute = 1, \
    .settled = 1e-6, \
    .growth = 1.5, \
    .truth = "rk8", \
    .seconds = {"spin-splitting:order=8", "spherical-midpoint:order=8", "rk8"}, \
    .truth_part = 1.0 / 80, \
    .second_part = 1.0 / 55, \
    .samples = 2000, \
    .brief = true, \
    .energy_name = "H", \
    .energy_unit = "", \
    .parts_name = "ns a sphere", \
    .long_title = "long run, equal stages", \
    .accuracies = accuracies, \
    .n_accuracies = sizeof accuracies / sizeof accuracies[0], \
    .figures = figures, \
    .n_figures = sizeof figures / sizeof figures[0], \
    .n_errors = ERRORS, \
    .long_from = MOMENTUM, \
    .title = title, \
    .say = say}
/* clang-format on */
static const study_kind magnets = KIND(spin_systems), vortices = KIND(vortex_systems);

/* ---- Results ------------------------------------------------------------------------------------------------------ */

static const result_field point_fields[] = {STUDY_SETTING,
                                            STUDY_POINT_HEAD,
                                            {"trajectory_error", STUDY_POINT(NUMBER, errors[PLACE])},
                                            {"energy_error", STUDY_POINT(NUMBER, errors[ENERGY])},
                                            {"momentum_error", STUDY_POINT(NUMBER, errors[MOMENTUM])},
                                            {"length_error", STUDY_POINT(NUMBER, errors[LENGTH])},
                                            STUDY_POINT_TAIL};
static const result_field run_fields[] = {STUDY_RUN_HEAD,
                                          {"momentum_error", STUDY_RUN(NUMBER, errors[MOMENTUM])},
                                          {"length_error", STUDY_RUN(NUMBER, errors[LENGTH])},
                                          STUDY_RUN_TAIL,
                                          {.name = NULL}};
static const result_rows points = {point_fields, STUDY_POINTS_OF},
                         points_run = {point_fields, STUDY_POINTS_RUN}, runs = {run_fields, STUDY_RUN_OF};
static const result_field line_fields[] = {STUDY_LINE_HEAD,
                                           STUDY_STEP,
                                           {"stages", STUDY_LINE(NUMBER, stages)},
                                           {"points", RESULT_ROWS, .rows = &points},
                                           {"long_run", RESULT_PART, .rows = &runs},
                                           {.name = NULL}};
static const result_rows lines = {line_fields, STUDY_LINES};
static const result_field system_fields[] = {STUDY_HEAD,
                                             {"spheres", STUDY(SIZE, parts)},
                                             {"energy", STUDY(NUMBER, energy)},
                                             {"trajectory_time", STUDY(NUMBER, times[0])},
                                             {"step_timed_at_h", STUDY(NUMBER, timed_at)},
                                             {"truth", STUDY(WORD, truth)},
                                             {"truth_compared_with", STUDY(WORD, second)},
                                             {"truth_known_to", STUDY(NUMBER, doubt[PLACE])},
                                             {"long_steps", STUDY(WHOLE, long_steps)},
                                             {"methods", RESULT_ROWS, .rows = &lines},
                                             {.name = NULL}};
static const result_rows systems = {system_fields, STUDY_RESULTS};
static const result_field results[] = {{"systems", RESULT_ROWS, .rows = &systems}, {.name = NULL}};
/* clang-format off */
#define TABLES(kind) { \
    {kind ".csv", "system,method,setting_is,setting,steps,status,trajectory_error,energy_error,momentum_error,length_error," \
                  "cpu_time_median[s],cpu_time_least[s],turns", .path = {&systems, &lines, &points_run}}, \
    {kind "-runs.csv", "system,method,step_time[ns],ratio_to_rk4,h[s],steps,reached[s],energy_error_first_tenth," \
                       "energy_error_last_tenth,energy_drift,momentum_error,length_error,cpu[s],verdict", \
     .path = {&systems, &lines, &runs}}, \
    {.file = NULL}}
/* clang-format on */
static const bench_table spins_tables[] = TABLES("spins"), vortices_tables[] = TABLES("vortices");

static const page_frame spins_page = STUDY_PAGE("spins"), vortices_page = STUDY_PAGE("vortices on a sphere");

/* ---- The commands ------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define OPTIONS(kind) { \
    {"SYSTEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names), .text = "a system of the list (default: all; see --list)"}, \
    STUDY_METHODS("a method, with options as METHOD:option=value (may be repeated; default: spherical-midpoint and spin-splitting " \
                  "of order 2, 4, 6 and 8, rk4, rk4-projected, rk8, arkode, cvode)"), \
    {"steps", 'n', "N", STUDY_AT(WHOLE, plan.steps), .least = 0, .most = 1e9, \
     .text = "the length of the long run in steps of order 2, which a large system has fewer of; longer steps are fewer " \
             "(default: 20000); 0: there is none"}, \
    STUDY_TIMES(" of a trajectory", "timing steps, and again for repeating the runs of trajectories (default: 2)", "0.3"), \
    BENCH_LIST("list the systems"), \
    BENCH_OPTIONS_QUIET("where to write (default: " kind ".bench.out)", "overwrite existing results", \
                        "no progress, and of what is printed the sentences alone", \
                        "print what " kind ".json has, instead of tables and words"), \
    {.name = NULL}}
#define ABOUT(systems, kind) \
    "Compare the methods on " systems ": the spherical midpoint and the splittings of order 2 to 8, Runge-Kutta " \
    "methods, and SUNDIALS where it takes them. Prints the cost of a step and its ratio to rk4; the errors of the " \
    "trajectory, of the energy, of J and of the lengths of the vectors against CPU time; and how the energy error " \
    "grows over a long run; in words what an accuracy costs. Writes DIR/report.html" \
    ", " kind ".json, " kind ".csv and " kind "-runs.csv."
/* clang-format on */
static const option_row spins_options[] = OPTIONS("spins"), vortices_options[] = OPTIONS("vortices");
static const study_report spins_defaults = {.kind = &magnets,
                                            .plan = {.steps = 20000, .budget = 2, .limit = 0.3}},
                          vortices_defaults = {.kind = &vortices,
                                               .plan = {.steps = 20000, .budget = 2, .limit = 0.3}};

const bench_kind spins_kind = {
    .command = {.name = "bench spins",
                .summary = "compare all methods on spins: errors against cost, energy over a long time",
                .about = ABOUT("spins on lattices", "spins"),
                .exits = STUDY_EXITS,
                .options = spins_options,
                .size = sizeof(study_report),
                .defaults = &spins_defaults},
    STUDY_BENCH("spins", spins_tables, spins_page),
    STUDY_SYSTEMS(spin_systems, 12)};

const bench_kind vortices_kind = {
    .command =
        {.name = "bench vortices",
         .summary =
             "compare all methods on vortices on a sphere: errors against cost, energy over a long time",
         .about = ABOUT("point vortices on a sphere", "vortices"),
         .exits = STUDY_EXITS,
         .options = vortices_options,
         .size = sizeof(study_report),
         .defaults = &vortices_defaults},
    STUDY_BENCH("vortices", vortices_tables, vortices_page),
    STUDY_SYSTEMS(vortex_systems, 12)};
