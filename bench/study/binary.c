/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench binary: binary asteroids by all methods. The errors of the place and of the attitudes after a day against their cost,
 * energies and places over a long time in which all methods cost the same. */
#include "report.h"

#include <math.h>
#include <string.h>

/* ---- Systems and contenders --------------------------------------------------------------------------------------- */

#define TWO(preset) .scenario = "model: binary\ninitial: {preset: " preset "}"
static const study_case cases[] = {
    {"didymos", "(65803) Didymos: polyhedron and ellipsoid", TWO("didymos")},
    {"kw4", "like (66391) Moshup, 1999 KW4: two ellipsoids", TWO("kw4")},
    {"ellipsoids", "two ellipsoids, tilted, not synchronous", TWO("ellipsoids")},
    {"octahedra", "two octahedra that almost touch", TWO("octahedra")},
    {"triple", "two ellipsoids and a sphere", .scenario = "model: rigid-n-body\ninitial: {preset: triple}"},
};
static const char *const standard[] = {"didymos", "kw4"};
static const char *const contenders[] = {
    "variational:order=2",
    "variational:order=4",
    "variational:order=6",
    "variational:order=8",
    "kepler-rotor",
    "kepler-rotor:splitting=strang",
    "kepler-rotor:splitting=aba-10-6-4",
    "rk4",
    "rkmk4",
    "rk8",
    "gauss",
    "arkode",
    "cvode",
};

/* ---- What is measured --------------------------------------------------------------------------------------------- */

enum { PLACE, TURN, ERRORS }; /* of the largest distance [m], of the largest attitude [rad] */

/* The fastest of the spins |Omega| and of the rates |x' x x| / |x|^2 of distances between bodies. */
static double fastest(const ph_gravitation *g, const motion *start)
{
    const size_t places = ph_gravitation_places(g), bodies = ph_gravitation_bodies(g);
    const double *z = start->z, *p = start->p, *m = ph_gravitation_inertia(g);
    double most = 0;
    for (size_t i = 0; i < bodies; i++) {
        const size_t at = ph_gravitation_attitude(g, i);
        const double *J = ph_gravitation_mass(g, i)->J, *Pi = p + 3 * places + 3 * at;
        const double largest = fmax(J[0], fmax(J[4], J[8]));
        if (at != PH_NO_INDEX)
            most = fmax(most, sqrt(Pi[0] * Pi[0] + Pi[1] * Pi[1] + Pi[2] * Pi[2]) / largest);
    }
    for (size_t i = 0; i < places; i++)
        for (size_t j = ph_gravitation_is_relative(g) ? 0 : i + 1; j < places; j++) {
            double x[3], v[3], square = 0, turn = 0;
            for (size_t k = 0; k < 3; k++) {
                x[k] = z[3 * i + k] - (j > i ? z[3 * j + k] : 0);
                v[k] = p[3 * i + k] / m[i] - (j > i ? p[3 * j + k] / m[j] : 0);
                square += x[k] * x[k];
            }
            for (size_t k = 0; k < 3; k++) {
                const size_t a = (k + 1) % 3, b = (k + 2) % 3;
                turn += (x[a] * v[b] - x[b] * v[a]) * (x[a] * v[b] - x[b] * v[a]);
            }
            most = fmax(most, sqrt(turn) / square);
        }
    return most;
}

static ph_status open(study *s, const study_plan *plan, ph_error *err)
{
    static const double ten_years = 10 * 365.25 * 86400;
    s->rate = fastest(ph_system_gravitation(s->start.system), &s->start);
    s->first_step = 2 / s->rate; /* two radians of the fastest turn */
    s->order = plan->order;
    s->times[0] = plan->day;
    s->long_time = plan->years ? ten_years : plan->time;
    s->error_names[PLACE] = "place [m]";
    s->error_names[TURN] = "turn [rad]";
    const ph_status status = ph_system_potential(s->start.system, s->start.z, &s->potential);
    return status ? status : ph_diagnostics_create(s->start.system, &s->diagnostics, err);
}

/* The energy error is relative to the potential energy at the start. */
static ph_status measure(study *s, const ph_state *state, bool first, double *errors, double *energy)
{
    ph_measures measures;
    const ph_status status = ph_diagnostics_measure(s->diagnostics, state, &measures);
    (void)errors;
    if (first)
        s->energy = measures.energy;
    *energy = (measures.energy - s->energy) / fabs(s->potential);
    return status;
}

static double square_of(const double *z, const double *known, size_t n)
{
    double square = 0;
    for (size_t k = 0; k < n; k++)
        square += (z[k] - known[k]) * (z[k] - known[k]);
    return square;
}

/* z = (places, attitudes); |R - R'|^2 = 8 sin^2(angle/2). */
static void compare(const study *s, const double *z, const double *known, double *errors)
{
    const ph_gravitation *g = ph_system_gravitation(s->start.system);
    const size_t places = ph_gravitation_places(g), attitudes = ph_gravitation_attitudes(g);
    errors[PLACE] = errors[TURN] = 0;
    for (size_t i = 0; i < places; i++) {
        const double square = square_of(z + 3 * i, known + 3 * i, 3);
        errors[PLACE] = isnan(square) ? (double)NAN : fmax(errors[PLACE], sqrt(square));
    }
    for (size_t i = 0; i < attitudes; i++) {
        const size_t at = 3 * places + 9 * i;
        const double square = square_of(z + at, known + at, 9);
        errors[TURN] = isnan(square) ? (double)NAN : fmax(errors[TURN], 2 * asin(fmin(1, sqrt(square / 8))));
    }
}

/* ---- The long run ------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 1200, STRIDE = 8, STEPS_A_RADIAN = 40 };

/* [ns] CPU for a second of motion: that of variational of order 2, or of the cheapest, with so many steps a radian. */
static double price(const study *s)
{
    double least = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        if (!strcmp(s->lines[i].label, "variational:order=2") || !strcmp(s->lines[i].label, "variational"))
            return s->lines[i].time.median * STEPS_A_RADIAN * s->rate;
        least = fmin(least, s->lines[i].time.median);
    }
    return least * STEPS_A_RADIAN * s->rate;
}

/* A whole number of steps in an interval between samples. Adaptive methods stop at each output, so that they have fewer. */
static void plan_run(const study *s, study_line *l)
{
    const double interval = s->long_time / SAMPLES;
    const double steps = fmax(1, floor(interval / (l->time.median / price(s)) + 0.5));
    l->run.h = l->adaptive ? STRIDE * interval : interval / steps;
    l->run.steps = l->adaptive ? SAMPLES / STRIDE : SAMPLES * (int64_t)steps;
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

/* "43200 s", "a day", "100 days", "10 years" */
static void put_time(FILE *out, double seconds)
{
    const double day = 86400, year = 365.25 * day;
    if (seconds >= 0.999 * year)
        fprintf(out, "%.4g years", seconds / year);
    else if (seconds == day)
        fputs("a day", out);
    else if (seconds > day)
        fprintf(out, "%.4g days", seconds / day);
    else
        fprintf(out, "%.4g s", seconds);
}

static void title(FILE *out, const study *s)
{
    fprintf(out, "%s: %s, potential of order %lld; trajectories of ", s->name, s->words, (long long)s->order);
    put_time(out, s->times[0]);
    fputc('\n', out);
}

static void say(FILE *out, const study *s)
{
    fprintf(out, "%s: what an accuracy after ", s->name);
    put_time(out, s->times[0]);
    fputs(" costs\n", out);
    study_say_costs(out, s);
    fprintf(
        out,
        "  The truth is variational of order 8 with small steps; rk8 differs from it by %.1e m and %.1e rad.\n",
        s->doubt[PLACE], s->doubt[TURN]);
    if (!(s->long_time > 0))
        return;
    fputs("Within ", out);
    put_time(out, s->long_time);
    fputs(", all at the cost of variational of order 2\n", out);
    study_say_long(out, s);
    fprintf(out, "  The truth there is known to %.1e m and %.1e rad.\n", s->long_doubt[PLACE],
            s->long_doubt[TURN]);
}

static const char how_to_read[] =
    "<li>Each method computes the same motion with smaller and smaller steps, each half of the one before; those with error "
    "control with smaller and smaller tolerances, the absolute one 1e-4 of the relative one, as spins are of that size in SI "
    "units. All evaluate the same forces.</li>\n"
    "<li>The error of the place is the distance from the truth at the end, in metres; that of the attitude the angle by which "
    "a body is turned off, the largest of all. The truth is the variational integrator of order 8 with small steps; what "
    "rk8 differs from it is stated.</li>\n"
    "<li>Times are CPU times of all steps. The runs alternate; the median is shown. Times of a step are measured in turn with "
    "those of rk4, in short slices.</li>\n"
    "<li>In the long run all methods take steps that cost as much, by the second of motion, as those of the variational "
    "integrator of order 2 with 40 steps a radian of the fastest turn; those with error control have a relative tolerance of "
    "1e-10. Energy errors are relative to the potential energy at the start, places compared with the truth at the same "
    "times; a line of the figure shows the largest in each interval of time.</li>\n";

/* In the first figures, and in that of splittings and other methods, when there are too many lines for one. */
static const char *const first_set[] = {"variational:order=2",
                                        "variational:order=4",
                                        "variational:order=6",
                                        "variational:order=8",
                                        "kepler-rotor",
                                        "rk4",
                                        "rk8",
                                        "arkode",
                                        NULL};
static const char *const second_set[] = {"variational:order=8",
                                         "kepler-rotor",
                                         "kepler-rotor:splitting=strang",
                                         "kepler-rotor:splitting=aba-10-6-4",
                                         "gauss",
                                         "rk8",
                                         "arkode",
                                         "cvode",
                                         NULL};
static const double levels[] = {1e0, 1e-2, 1e-4, 1e-6, 1e-8};
static const study_accuracy place = {.quantity = "error of the place",
                                     .unit = " m",
                                     .error = PLACE,
                                     STUDY_LEVELS(levels)},
                            attitude = {.quantity = "error of the attitudes", .unit = " rad", .error = TURN};
static const study_figure figures[] = {
    {NULL, "error of the place [m]", &place, PLACE, .shown = first_set},
    {NULL, "error of the attitude [rad]", &attitude, TURN, .shown = first_set},
    {"the splittings and other methods: ", "error of the place [m]", &place, PLACE, second_set,
     .spare = true},
    {"energy error in each interval of time, all methods at equal cost", "energy error / |U|",
     .shown = first_set},
    {"error of the place in each interval of time, all methods at equal cost", "error of the place [m]",
     .error = 1, .shown = first_set},
};

static const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14};
static const study_kind kind = {
    STUDY_TABLES(cases, contenders),
    .standard = standard,
    .n_standard = sizeof standard / sizeof standard[0],
    .scenario_method = "rk4",
    .plain_stages = 1,
    .open = open,
    .measure = measure,
    .compare = compare,
    .timed_part = 10, /* a fifth of a radian */
    .series = {{"trajectories", .compared = true, .outputs_adaptive = 1}},
    .n_points = 10,
    .turns = 9,
    .tolerances = tolerances,
    .absolute = 1e-4, /* spins are of the size of 1e-4, entries of R of the size of 1, places of 1e3, in SI */
    .settled = 1,
    .growth = 1.5,
    .truth = "variational:order=8",
    .seconds = {"rk8"},
    .truth_part = 0.03,
    .second_part = 0.02,
    .samples = SAMPLES,
    .long_part = 0.04,
    .long_second_part = 0.055,
    .long_options = ":rtol=1e-10:atol=1e-14",
    .plan_run = plan_run,
    .brief = true,
    .energy_name = "E",
    .energy_unit = " of the potential energy",
    .long_title = "long run, equal cost",
    .accuracies = &place,
    .n_accuracies = 1,
    .figures = figures,
    .n_figures = sizeof figures / sizeof figures[0],
    .days = true,
    .n_errors = ERRORS,
    .title = title,
    .say = say,
};

/* ---- Results ------------------------------------------------------------------------------------------------------ */

static const result_field point_fields[] = {STUDY_SETTING,
                                            STUDY_POINT_HEAD,
                                            {"place_error", STUDY_POINT(NUMBER, errors[PLACE])},
                                            {"attitude_error", STUDY_POINT(NUMBER, errors[TURN])},
                                            STUDY_POINT_TAIL};
static const result_field run_fields[] = {STUDY_RUN_HEAD,
                                          {"place_error", STUDY_RUN(NUMBER, errors[PLACE])},
                                          {"attitude_error", STUDY_RUN(NUMBER, errors[TURN])},
                                          STUDY_RUN_TAIL,
                                          {"place_error_of_t", STUDY_RUN(CURVE, distances)},
                                          {.name = NULL}};
static const result_rows points = {point_fields, STUDY_POINTS_OF},
                         points_run = {point_fields, STUDY_POINTS_RUN}, runs = {run_fields, STUDY_RUN_OF};
static const result_field line_fields[] = {STUDY_LINE_HEAD,
                                           STUDY_STEP,
                                           {"points", RESULT_ROWS, .rows = &points},
                                           {"long_run", RESULT_PART, .rows = &runs},
                                           {.name = NULL}};
static const result_rows lines = {line_fields, STUDY_LINES};

static bool has_long(const void *s)
{
    return ((const study *)s)->long_time > 0;
}

static const result_field system_fields[] = {
    STUDY_HEAD,
    {"order", STUDY(WHOLE, order)},
    {"fastest_rate", STUDY(NUMBER, rate)},
    {"potential_energy", STUDY(NUMBER, potential)},
    {"trajectory_time", STUDY(NUMBER, times[0])},
    {"long_time", STUDY(NUMBER, long_time)},
    {"truth_known_to", STUDY(NUMBER, doubt[PLACE])},
    {"truth_known_to_rad", STUDY(NUMBER, doubt[TURN])},
    {"long_truth_known_to", STUDY(NUMBER, long_doubt[PLACE]), .when = has_long},
    {"methods", RESULT_ROWS, .rows = &lines},
    {.name = NULL}};
static const result_rows systems = {system_fields, STUDY_RESULTS};
static const result_field results[] = {{"systems", RESULT_ROWS, .rows = &systems}, {.name = NULL}};
static const bench_table tables[] = {
    {"binary.csv",
     "system,method,setting_is,setting,steps,status,place_error[m],attitude_error[rad],cpu_time_median[s],"
     "cpu_time_least[s],turns",
     .path = {&systems, &lines, &points_run}},
    {"binary-runs.csv",
     "system,method,step_time[ns],ratio_to_rk4,h[s],reached[s],energy_error_first_tenth,energy_error_last_tenth,energy_drift,"
     "place_error[m],attitude_error[rad],cpu[s],verdict",
     .path = {&systems, &lines, &runs}},
    {.file = NULL}};

static const page_frame page = STUDY_PAGE("binary asteroids");

/* ---- The command -------------------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"SYSTEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a system of the list (default: didymos and kw4)"},
    STUDY_METHODS(
        "a method, with options as METHOD:option=value (may be repeated; default: variational of order 2, 4, 6 and 8, "
        "kepler-rotor with three splittings, rk4, rkmk4, rk8, gauss, arkode, cvode)"),
    {"order", 'N', "N", STUDY_AT(WHOLE, plan.order), .least = 1, .most = 8,
     .text = "order of the mutual potential (default: 4)"},
    {"time", 'T', "TIME", STUDY_AT(DURATION, plan.time),
     .text = "duration of the long run in s (default: 100 days); 0: there is none"},
    {"years", 0, NULL, STUDY_AT(FLAG, plan.years), .text = "a long run of ten years: some minutes"},
    {"trajectory", 0, "TIME", STUDY_AT(POSITIVE_TIME, plan.day),
     .text = "time in s after which the errors of trajectories are taken (default: a day)"},
    STUDY_TIMES(" of a trajectory",
                "timing steps, and again for repeating the runs of trajectories (default: 3)", "1"),
    BENCH_LIST("list the systems"),
    BENCH_OPTIONS_QUIET("where to write (default: binary.bench.out)", "overwrite existing results",
                        "no progress, and of what is printed the sentences alone",
                        "print what binary.json has, instead of tables and words"),
    {.name = NULL}};

static const study_report defaults = {
    .kind = &kind, .plan = {.order = 4, .day = 86400, .time = 100 * 86400.0, .budget = 3, .limit = 1}};

const bench_kind binary_kind = {
    .command =
        {.name = "bench binary",
         .summary =
             "compare all methods on binary asteroids: error against cost over a day, energy over years",
         .about =
             "Compare the methods on binary asteroids: the variational integrator of order 2 to 8 (LGVI), the splittings of "
             "kepler-rotor, Runge-Kutta methods and SUNDIALS. Prints the cost of a step and its ratio to rk4, the errors of "
             "the place and the attitudes after a day against CPU time, and energies and places over a long run in which all "
             "methods cost the same; in words what an accuracy costs. Writes DIR/report.html"
             ", binary.json, binary.csv and binary-runs.csv.",
         .exits = STUDY_EXITS,
         .options = options,
         .size = sizeof(study_report),
         .defaults = &defaults},
    STUDY_BENCH("binary", tables, page),
    STUDY_SYSTEMS(cases, 12)};
