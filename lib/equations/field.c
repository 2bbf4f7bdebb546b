/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of formulations, and the classical Runge-Kutta method on any of them. */
#include <internal/equations.h>

static const ph_field *const catalogue[] = {&ph_field_q_qdot, &ph_field_q_omega};

enum { COUNT = sizeof catalogue / sizeof catalogue[0] };

size_t ph_fields(void)
{
    return COUNT;
}

const ph_field *ph_field_at(size_t i)
{
    return i < COUNT ? catalogue[i] : NULL;
}

ph_status ph_field_project(const ph_field *field, const ph_system *system, double *y)
{
    ph_status status = field->project(system, y);
    return status == PH_E_NOT_ON_MANIFOLD ? PH_E_DIVERGED : status;
}

ph_status ph_field_projection_supports(const ph_system *system, ph_error *err)
{
    if (ph_space_has_retraction(ph_system_space(system)))
        return PH_OK;
    return ph_fail(
        err, PH_E_UNSUPPORTED,
        "the method needs a nearest point: give the embedded manifold by its constraints, or use rk4");
}

bool ph_field_is_spheres(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    bool spheres = ph_system_inertia(system) != NULL;
    for (size_t i = 0; i < ph_space_factors(space) && spheres; i++)
        spheres = ph_space_factor(space, i)->kind == PH_FACTOR_S2;
    return spheres;
}

size_t ph_field_pair_size(const ph_system *system)
{
    return 2 * ph_space_ambient(ph_system_space(system));
}

ph_status ph_field_pair_project(const ph_system *system, double *y)
{
    const ph_space *space = ph_system_space(system);
    ph_status status = ph_space_project(space, y);
    if (!status)
        ph_space_project_tangent(space, y, y + ph_space_ambient(space));
    return status;
}

/* k1 = F(t, y), k2 = F(t + h/2, y + h/2 k1), k3 likewise from k2, k4 = F(t + h, y + h k3);
 * y <- y + h/6 (k1 + 2 k2 + 2 k3 + k4).  The sum is gathered before y is added: one rounding at its size. */
ph_status ph_field_rk4(const ph_field *field, const ph_system *system, double t, double h, double *y,
                       double *work)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    size_t n = field->size(system);
    double *k = work, *stage = work + n, *sum = work + 2 * n, *rest = work + 3 * n;
    const double *at = y;
    for (size_t j = 0; j < 4; j++) {
        ph_status status = field->evaluate(system, t + node[j] * h, at, k, rest);
        if (status)
            return status;
        for (size_t i = 0; i < n; i++)
            sum[i] = j ? sum[i] + weight[j] * k[i] : k[i];
        for (size_t i = 0; i < n && j < 3; i++)
            stage[i] = y[i] + node[j + 1] * h * k[i];
        at = stage;
    }
    for (size_t i = 0; i < n; i++)
        y[i] += h / 6 * sum[i];
    return PH_OK;
}
