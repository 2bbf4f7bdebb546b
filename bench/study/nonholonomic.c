/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench nonholonomic: energies of systems with velocity constraints over long times, at equal work, on the well-behaved ones
 * and on those where no method is known to do well. Equal work: a step of a composition of s stages is s times as long as one of order
 * 2, a step of RK4, which evaluates four times, 4 times. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Systems and contenders --------------------------------------------------------------------------------------- */

/* What is known of a system. */
enum {
    CLASS_REVERSIBLE,     /* and near an integrable one: symmetric methods stay near the energy */
    CLASS_EXACT,          /* rows of constant length and no potential: order 2 conserves the energy exactly */
    CLASS_CHAOTIC,        /* the energy error walks */
    CLASS_NOT_REVERSIBLE, /* the motion is taken to itself by no reversal: symmetric methods drift */
    CLASS_AFFINE,         /* the constraint moves: the moving energy is conserved instead of the energy */
    CLASSES
};
/* What is to be expected, and why. */
static const char *const expected[CLASSES] = {
    [CLASS_REVERSIBLE] =
        "Reversible, and near an integrable system: the energy error of symmetric methods stays bounded "
        "in experience; no theorem says so for ever.",
    [CLASS_EXACT] =
        "The rows of the constraint have constant length and nothing pulls: dla of order 2 with exponential "
        "conserves the energy up to rounding.",
    [CLASS_CHAOTIC] = "Chaotic: the energy error of every method walks.",
    [CLASS_NOT_REVERSIBLE] =
        "The motion is taken to itself by no reversal: the energy drifts in proportion to time by "
        "every method, symmetric or not; a higher order makes the drift small, none removes it.",
    [CLASS_AFFINE] =
        "The constraint moves, so the energy changes. The moving energy (the energy less the momentum along "
        "the motion of the support) is conserved, and is what is shown."};

#define CASE(name, words, scenario, stage_of, class_of)                                                      \
    {                                                                                                        \
        name, words, scenario, .stage = stage_of, .class = class_of                                          \
    }
static const study_case cases[] = {
    CASE("contact-oscillator", "contact oscillator", "model: contact-oscillator", 0.0314, CLASS_REVERSIBLE),
    CASE("contact-shifted", "contact oscillator with p = v - grad cos z",
         "model: contact-oscillator\nparameters: {shift: 1}", 0.0314, CLASS_NOT_REVERSIBLE),
    CASE("gearbox", "gearbox, symmetric driver", "model: gearbox", 0.02, CLASS_REVERSIBLE),
    CASE("gearbox-asymmetric", "gearbox, asymmetric driver", "model: gearbox\nparameters: {asymmetry: 0.25}",
         0.02, CLASS_NOT_REVERSIBLE),
    CASE("chaotic-quartic", "chaotic quartic oscillator", "model: chaotic-quartic", 0.01, CLASS_CHAOTIC),
    CASE("sleigh", "Chaplygin sleigh", "model: chaplygin-sleigh", 0.01, CLASS_EXACT),
    CASE("vertical-disk", "vertical rolling disk", "model: vertical-disk", 0.01, CLASS_EXACT),
    CASE("rolling-disk", "rolling disk near its steady circle",
         "model: rolling-disk\ninitial: {preset: wobbling}", 0.002, CLASS_REVERSIBLE),
    CASE("snakeboard", "snakeboard, not driven",
         "model: snakeboard\nparameters: {rotor_torque: 0, steering_torque: 0}", 0.002, CLASS_REVERSIBLE),
    CASE("suslov", "Suslov's problem", "model: suslov", 0.01, CLASS_REVERSIBLE),
    CASE("veselova", "Veselova's problem", "model: veselova", 0.01, CLASS_REVERSIBLE),
    CASE("chaplygin-ball", "Chaplygin's ball", "model: chaplygin-ball", 0.01, CLASS_REVERSIBLE),
    CASE("rubber-ball", "rubber ball", "model: rubber-ball", 0.01, CLASS_REVERSIBLE),
    CASE("belt", "unsymmetric ball on a belt: moving energy", "model: belt-ball", 0.01, CLASS_AFFINE),
    CASE("turntable", "unsymmetric ball on a turntable: moving energy", "model: turntable-ball", 0.01,
         CLASS_AFFINE),
};
static const char *const contenders[] = {
    "dla:order=2",   "dla:order=2:discrete-lagrangian=exponential-midpoint",
    "dla:order=4",   "dla:order=6",
    "dla:order=8",   "rk4",
    "rk4-projected", "by-hand",
    "arkode",        "cvode",
};

/* ---- What is conserved -------------------------------------------------------------------------------------------- */

static ph_status open(study *s, const study_plan *plan, ph_error *err)
{
    const ph_system *system = s->start.system;
    const size_t constraint = ph_system_constraint_work(system), other = ph_system_work(system);
    s->long_steps = plan->steps;
    s->long_time = (double)plan->steps * s->of->stage;
    s->error_names[0] = "constraint";
    s->work = malloc((s->nz + (constraint > other ? constraint : other)) * sizeof *s->work);
    return s->work ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* The momentum of a ball along the motion of what it rolls on, by the defaults of these models: E - u . p of a belt, E - W J_z of a
 * turntable, with J_z about its centre; z = (x, R), p = (p_x, Pi). */
static double along_support(const study_case *of, const ph_state *s)
{
    static const double belt[] = {0.5, 0.2}, turn = 0.8;
    const double *x = s->z, *R = s->z + 2, *p = s->p, *Pi = s->p + 2;
    if (strstr(of->scenario, "belt"))
        return belt[0] * p[0] + belt[1] * p[1];
    return turn * (x[0] * p[1] - x[1] * p[0] + R[6] * Pi[0] + R[7] * Pi[1] + R[8] * Pi[2]);
}

static ph_status measure(study *s, const ph_state *state, bool first, double *errors, double *energy)
{
    const ph_system *system = s->start.system;
    double *zdot = s->work, *work = zdot + s->nz, kinetic, potential, constraint = 0;
    ph_status status = ph_system_velocity(system, state->t, state->z, state->p, zdot, work);
    if (!status)
        status = ph_system_energy(system, state->t, state->z, zdot, &kinetic, &potential, work);
    if (!status)
        status = ph_system_constraint_error(system, state->t, state->z, zdot, &constraint, work);
    if (status)
        return status;
    const double E = kinetic + potential - (s->of->class == CLASS_AFFINE ? along_support(s->of, state) : 0);
    if (first)
        s->energy = E;
    else
        errors[0] = fmax(errors[0], constraint);
    if (s->energy == 0)
        s->energy_unit = " J";
    *energy = (E - s->energy) / (s->energy != 0 ? fabs(s->energy) : 1);
    return isfinite(E) ? PH_OK : PH_E_NOT_FINITE;
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

static void title(FILE *out, const study *s)
{
    fprintf(out, "%s, %.6g s, energy %.6g J\n", s->words, s->long_time, s->energy);
}

static void say(FILE *out, const study *s)
{
    fprintf(out, "%s\n", expected[s->of->class]);
    study_say_long(out, s);
}

static const char how_to_read[] =
    "<li>dla is the discrete Lagrange-d'Alembert integrator. It is symmetric, of the order that it states, keeps the "
    "constraint and the momenta of horizontal symmetries to rounding; it is not symplectic, as the motion is not, and no "
    "modified energy is known for it. That its energy error stays bounded is observed on reversible systems near "
    "integrable ones (Modin, Verdier, Numer. Math. 145 (2020) 405), not proven for ever.</li>\n"
    "<li>All runs do the same work: a step of order 4, 6, 8 is as long as its 5, 11, 21 stages together, one of RK4 as 4 "
    "of them. Adaptive methods take their own steps.</li>\n"
    "<li>Energy errors are relative to the energy at the start, or in J where that is 0; of a system whose constraint moves, "
    "those of the moving energy.</li>\n"
    "<li>\"grows\": the largest error in the last tenth of the run is more than 1.5 times that in the first. "
    "\"rounding\": at most 1e-12.</li>\n";

static const study_figure figures[] = {
    {"largest energy error in each interval of time", .y_label = "energy error"}};

static const study_kind kind = {
    STUDY_TABLES(cases, contenders),
    .scenario_method = "dla",
    .plain_stages = 4, /* of RK4 */
    .open = open,
    .measure = measure,
    .samples = 4000,
    .energy_name = "E",
    .energy_unit = " of the energy",
    .long_title = "method",
    .figures = figures,
    .n_figures = 1,
    .n_errors = 1,
    .title = title,
    .say = say,
};

/* ---- Results ------------------------------------------------------------------------------------------------------ */

/* A line has its label and what its run has. */
static const result_field line_fields[] = {{"method", RESULT_TEXT_AT(study_line, label)},
                                           STUDY_RUN_HEAD,
                                           {"constraint_error", STUDY_RUN(NUMBER, errors[0])},
                                           STUDY_RUN_TAIL,
                                           {.name = NULL}};
static const result_rows lines = {line_fields, STUDY_LINES, .has = study_has_run};
static const result_field system_fields[] = {STUDY_HEAD,
                                             {"time", STUDY(NUMBER, long_time)},
                                             {"energy", STUDY(NUMBER, energy)},
                                             {"methods", RESULT_ROWS, .rows = &lines},
                                             {.name = NULL}};
static const result_rows systems = {system_fields, STUDY_RESULTS};
static const result_field results[] = {{"stages", RESULT_AT(WHOLE, study_report, plan.steps)},
                                       {"systems", RESULT_ROWS, .rows = &systems},
                                       {.name = NULL}};
static const bench_table tables[] = {
    {"nonholonomic.csv",
     "system,method,h[s],reached[s],energy_error_first_tenth,energy_error_last_tenth,energy_drift,constraint_error,cpu[s],verdict",
     .path = {&systems, &lines}},
    {.file = NULL}};
static const page_frame page = STUDY_PAGE("energies of nonholonomic systems");

/* ---- The command -------------------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"SYSTEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a system of the list (default: all; see --list)"},
    {"steps", 'n', "N", STUDY_AT(WHOLE, plan.steps), .least = 1000, .most = 1e12,
     .text = "the length of each run in steps of order 2; longer steps are fewer (default: 50000)"},
    BENCH_LIST("list the systems"),
    BENCH_OPTIONS("where to write (default: nonholonomic.bench.out)", "overwrite existing results",
                  "print what nonholonomic.json has, instead of tables and words"),
    {.name = NULL}};

static const study_report defaults = {.kind = &kind, .plan = {.steps = 50000}};

const bench_kind nonholonomic_kind = {
    .command =
        {.name = "bench nonholonomic",
         .summary = "compare the energies of rolling and sliding systems over long times",
         .about =
             "Follow systems with velocity constraints over a long time by dla of every order, RK4, and adaptive methods, all "
             "with the same work, and report how the energy error behaves: also on systems where it drifts by every method "
             "that is known. Prints a table and words for each; writes DIR/report.html"
             ", nonholonomic.json and nonholonomic.csv.",
         .exits = STUDY_EXITS,
         .options = options,
         .size = sizeof(study_report),
         .defaults = &defaults},
    STUDY_BENCH("nonholonomic", tables, page),
    STUDY_SYSTEMS(cases, 22)};
