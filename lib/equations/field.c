/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of formulations, the choice among them, and what callers do with any of them. */
#include "equations.h"
#include "lib/internal/missing.h"
#include "lib/system/structure.h"

#include <polhode/constraints.h>
#include <polhode/kit/rolling.h>
#include <polhode/kit/tensions.h>
#include <polhode/kit/text.h>

#include <string.h>

/* In the order of the words of PH_FIELD_OPTION behind the first. */
static const ph_field *const catalogue[] = {&ph_field_q_qdot,  &ph_field_q_omega, &ph_field_q_mu,
                                            &ph_field_q_pi,    &ph_field_x_xdot,  &ph_field_x_mu,
                                            &ph_field_tensions};

enum { COUNT = sizeof catalogue / sizeof catalogue[0] };

size_t ph_fields(void)
{
    return COUNT;
}

const ph_field *ph_field_at(size_t i)
{
    return i < COUNT ? catalogue[i] : NULL;
}

const ph_field *ph_field_find(const char *name, ph_error *err)
{
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        if (name && !strcmp(name, catalogue[i]->name))
            return catalogue[i];
        names[i] = catalogue[i]->name;
    }
    ph_fail_unknown(err, "form", name ? name : "", names, COUNT);
    return NULL;
}

/* Is there a circle, sphere or rotation among the factors, and no embedded manifold? */
static bool turns(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    bool found = false;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_kind kind = ph_space_factor(space, i)->kind;
        if (kind == PH_FACTOR_EMBEDDED)
            return false;
        found = found || kind != PH_FACTOR_R;
    }
    return found;
}

/* The choice minimises the instructions of an evaluation on the models of the catalogue: doc/evidence/speed.md,
 * "Forms of the equations". */
const ph_field *ph_field_chosen(const ph_system *system, double value)
{
    if (value >= 1)
        return ph_field_at((size_t)value - 1);
    if (ph_system_constraints(system))
        return ph_system_kind(system) == PH_INERTIA_CONSTANT || ph_system_rolling(system) ? &ph_field_q_omega
                                                                                          : &ph_field_q_qdot;
    if (ph_structure_of(system)->form &&
        !ph_system_bodies(system)) /* these have short forms of Euler's equations */
        return ph_structure_of(system)->form;
    /* In velocities q' or R' of an inertia that varies, without reactions, |q| - 1 and R^T R - I grow
     * exponentially. */
    return ph_system_kind(system) == PH_INERTIA_CONSTANT || turns(system) ? &ph_field_q_omega
                                                                          : &ph_field_q_qdot;
}

void ph_field_method_settle(const ph_system *system, double *options)
{
    const ph_field *field = ph_field_chosen(system, options[0]);
    for (size_t i = 0; i < COUNT; i++)
        if (catalogue[i] == field)
            options[0] = (double)i + 1;
}

ph_status ph_field_supports(const ph_field *field, const ph_system *system, ph_error *err)
{
    if (!field)
        return ph_not_found(err, "form", "ph_field_find");
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_error why = {PH_OK, ""};
    const ph_structure *of = ph_structure_of(system);
    if (of->form_only && field != of->form)
        return ph_fail(err, PH_E_UNSUPPORTED, "form %s: %s", field->name, of->form_only);
    if (ph_system_constraints(system) && field != &ph_field_q_qdot && field != &ph_field_q_omega)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "form %s: these are equations without the reactions of velocity constraints, of which "
                       "the system has %zu; take q-qdot or q-omega",
                       field->name, ph_system_constraints(system));
    ph_status status = field->supports ? field->supports(system, &why) : PH_OK;
    return status ? ph_fail(err, status, "form %s: %s", field->name, why.message) : PH_OK;
}

size_t ph_field_convert_work(const ph_field *from, const ph_field *to, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    size_t one = from->work(system), other = to->work(system);
    return ph_space_ambient(space) + ph_space_momenta(space) + (one > other ? one : other);
}

/* By way of the state: every form knows the way to (z, p) and back. */
ph_status ph_field_convert(const ph_field *from, const ph_field *to, const ph_system *system, double t,
                           const double *y, double *y1, double *work)
{
    if (!from || !to || !system)
        return PH_E_INVALID;
    const ph_space *space = ph_system_space(system);
    double *z = work, *p = z + ph_space_ambient(space), *rest = p + ph_space_momenta(space);
    ph_status status = from->to_momentum(system, t, y, z, p, rest);
    return status ? status : to->from_momentum(system, t, z, p, y1, rest);
}

ph_status ph_field_project(const ph_field *field, const ph_system *system, double t, double *y, double *work)
{
    if (!field || !system)
        return PH_E_INVALID;
    ph_status status = field->project(system, y);
    if (!status)
        status = ph_reactions_project(system, t, y, field == &ph_field_q_omega, work);
    return status == PH_E_NOT_ON_MANIFOLD ? PH_E_DIVERGED : status;
}

ph_status ph_field_projection_supports(const ph_system *system, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    if (ph_space_has_retraction(ph_system_space(system)))
        return PH_OK;
    return ph_fail(
        err, PH_E_UNSUPPORTED,
        "the method needs a nearest point: give the embedded manifold by its constraints, or use rk4");
}
