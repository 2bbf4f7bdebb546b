/* SPDX-License-Identifier: BSD-3-Clause */
/* In words: what `polhode gubas` takes differently from GUBAS, and why; each with its numbers in the case. */
#include "gubas.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

static const char *const bodies[2] = {"the primary", "the secondary"};

/* ---- Bodies -------------------------------------------------------------------------------------------- */

static void say_order(ph_remarks *words, const ph_gubas_case *c)
{
    if (c->asked_order != c->order)
        ph_remark(
            words,
            "Order of the mutual potential: %zu, the larger one of the bodies' orders, as GUBAS uses it; the %zu of its "
            "\"Gravity Expansion Truncation Order\" has no effect there either.",
            c->order, c->asked_order);
    for (size_t i = 0; i < 2; i++) {
        const ph_gubas_body *body = &c->body[i];
        if (body->shape == PH_GUBAS_SPHERE)
            ph_remark(words, "%s is a sphere: it attracts as a point, as in GUBAS, and turns with 2/5 M R^2.",
                      bodies[i]);
        else if (body->shape == PH_GUBAS_ELLIPSOID && body->order == 0)
            ph_remark(
                words,
                "%s is an ellipsoid of order 0: it attracts as a point and turns as an ellipsoid, as in "
                "GUBAS.",
                bodies[i]);
        else if (body->shape == PH_GUBAS_ELLIPSOID && body->order < 4)
            ph_remark(words, "%s is an ellipsoid of order %zu: moments of degree 2, as in GUBAS%s.",
                      bodies[i], body->order,
                      c->order < 2 ? ", which here do not count at that order of the potential (GUBAS stops)"
                                   : "");
        else if (body->shape == PH_GUBAS_ELLIPSOID && c->order > 4)
            ph_remark(
                words,
                "%s is an ellipsoid of order %zu: GUBAS's moments end with degree 4; here they are those "
                "of an ellipsoid up to degree %zu.",
                bodies[i], body->order, c->order);
        else if (body->shape == PH_GUBAS_POLYHEDRON && body->order < c->order)
            ph_remark(words, "%s is a polyhedron: its order %zu is raised to %zu, as in GUBAS.", bodies[i],
                      body->order, c->order);
    }
}

/* GUBAS's mass and moments of inertia compared with those of the body. */
static void say_polyhedron(ph_remarks *words, size_t i, const ph_gubas_solid *solid)
{
    const ph_mass *m = &solid->mass;
    const double *d = solid->center, shift = ph_norm3(d);
    const double product = fmax(fabs(m->J[1]), fmax(fabs(m->J[2]), fabs(m->J[5]))) / m->J[8];
    if (solid->turned)
        ph_remark(words, "%s: all faces are inside out, and were taken the other way round.", bodies[i]);
    if (fabs(solid->absolute / m->moment[0] - 1) > 1e-12)
        ph_remark(
            words,
            "%s: M = %.10g kg by signed volumes; GUBAS adds the absolute volumes of tetrahedra from the origin, %.10g kg, "
            "which is wrong for a body that is not star-shaped about it.",
            bodies[i], m->moment[0], solid->absolute);
    if (shift > 1e-9 * m->radius)
        ph_remark(
            words,
            "%s: the centre of mass is at (%.6g, %.6g, %.6g) m of its vertices; the body is shifted, and its place is "
            "that of the centre of mass. GUBAS takes the origin for it.",
            bodies[i], d[0], d[1], d[2]);
    if (product > 1e-12)
        ph_remark(
            words,
            "%s: its axes are not principal, products of inertia are up to %.2g of J_zz; they count here, GUBAS "
            "takes the diagonal alone.",
            bodies[i], product);
}

static void say_bodies(ph_remarks *words, const ph_gubas_case *c, const ph_gubas_solid solid[2])
{
    for (size_t i = 0; i < 2; i++)
        if (c->body[i].shape == PH_GUBAS_POLYHEDRON)
            say_polyhedron(words, i, &solid[i]);
    const double distance = ph_norm3(c->state.r);
    const double size = solid[0].mass.radius + solid[1].mass.radius;
    if (distance < size &&
        (c->body[0].shape == PH_GUBAS_POLYHEDRON || c->body[1].shape == PH_GUBAS_POLYHEDRON))
        ph_remark(
            words,
            "The bodies overlap: their centres are %g m apart, %.3g of the sum of the radii about them, %g m%s.",
            distance, distance / size, size,
            distance < size / 20 ? "; is the position in km? GUBAS needs m" : "");
    if (c->read_integrals)
        ph_remark(
            words,
            "GUBAS would read moments of an earlier run from files (\"Inertia Integral Generation Flag: 0\"); here they "
            "are computed from the shapes.");
}

/* ---- State, method, output ----------------------------------------------------------------------------- */

static void say_method(ph_remarks *words, const ph_gubas_case *c)
{
    const double steps = ph_gubas_steps(c);
    switch (c->integrator) {
    case PH_GUBAS_LGVI:
        ph_remark(
            words,
            "LGVI: variational of order 2, the same map, with each body's momentum in its own axes and an attitude "
            "that stays a rotation; order 4, 6 or 8 by {name: variational, order: 4}.");
        break;
    case PH_GUBAS_RK4:
        ph_remark(
            words,
            "RK4: rk4 in axes that do not turn, so that its errors are others than GUBAS's, which integrates in the axes "
            "of the primary; GUBAS's result also depends on C not being a rotation inside a step.");
        break;
    case PH_GUBAS_RK78:
        ph_remark(
            words,
            "RK 7(8) adapts its step; rk8 takes fixed ones of %g s, the \"Fixed Time Step\". Halve it to see the error.",
            c->step);
        break;
    default:
        ph_remark(
            words,
            "Adams-Bashforth-Moulton: multistep of order 4 takes its place, symmetric and implicit, with the "
            "same step.");
    }
    if (fabs(steps * c->step - (c->end - c->start)) > 1e-9 * (c->end - c->start))
        ph_remark(
            words,
            "The end is no whole number of steps: as GUBAS, the run takes %.0f steps of %g s and ends at %g s.",
            steps, c->step, c->start + steps * c->step);
    ph_remark(
        words,
        "Attitudes are quaternions of N, and each angular velocity is in the axes of its body: the state is "
        "GUBAS's with r, v turned by \"A into N\".");
    if (c->interval == -1)
        ph_remark(
            words,
            "Outputs are at the times of %s. (GUBAS compares them in a way that never holds, and takes its numbers for "
            "those of rows.)",
            c->times);
}

/* ---- Perturbations ------------------------------------------------------------------------------------- */

static void say_tides(ph_remarks *words, const ph_gubas_case *c, const ph_gubas_solid solid[2])
{
    ph_remark(
        words,
        "Tides: right sign (a primary that turns faster than the orbit slows down), factor 3/2, radius in m. "
        "GUBAS's are 1000 times too weak, by 1 instead of 3/2, and of the wrong sign: energy grows.");
    for (size_t i = 0; i < 2; i++) {
        const double lag = c->body[i].lag, R = ph_gubas_tide_radius(&c->body[i], &solid[i].mass);
        if (!(c->body[i].love > 0 && ph_sin(2 * lag) > 0 && c->body[i].reference > 0))
            ph_remark(words,
                      "%s has no tide: its Love number, sin(2 lag) or reference radius is not positive.",
                      bodies[i]);
        else if (fabs(R / c->body[i].reference - 1) > 0.01)
            ph_remark(
                words,
                "%s: GUBAS's torque has R_0^6/R of the radius R_0 = (3 M/4 pi rho)^(1/3) and the reference radius R = %g m, "
                "where R^5 of one radius is meant; %.6g m gives the same torque.",
                bodies[i], c->body[i].reference, R);
    }
}

static void say_perturbations(ph_remarks *words, const ph_gubas_case *c, const ph_gubas_solid solid[2])
{
    if ((c->planet.on || c->sun.on || c->hill || c->tides) && c->integrator == PH_GUBAS_LGVI)
        ph_remark(words, "GUBAS's LGVI leaves all perturbations out; here they act.");
    if (c->planet.on || c->sun.on)
        ph_remark(
            words,
            "Third body: at (1 - nu) r from it, with torques on both bodies and Kepler's equation solved to "
            "rounding. GUBAS has 1 - nu r (it subtracts from the vector (1, 1, 1) km), computes the torques "
            "without adding them, and stops at 1e-3 rad.");
    if (c->sun.on)
        ph_remark(
            words,
            "The Sun's mass is that of the key \"Solar Mass\", which GUBAS's example has in the paragraph of the "
            "circular orbit.");
    if (c->hill)
        ph_remark(
            words,
            "Solar gravity: a Sun on a circle, along -x at the start, in axes that do not turn%s, with torques; the "
            "velocity is taken to be against them. GUBAS's terms are Hill's, in axes that turn, but its attitudes, "
            "spins and velocity are not against them.",
            c->planet.on || c->sun.on ? "" : ", by the leading terms in its distance");
    if (c->tides)
        say_tides(words, c, solid);
}

void ph_gubas_differences(ph_remarks *words, const ph_gubas_case *c, const ph_gubas_solid solid[2])
{
    say_order(words, c);
    say_bodies(words, c, solid);
    say_method(words, c);
    say_perturbations(words, c, solid);
}
