/* SPDX-License-Identifier: BSD-3-Clause */
/* The forces on a serial chain (chain.h): those of a torque tau on the first joint, a force d on the last
 * mass, and viscous joints, as generalized forces f_i (3 numbers each) on the directions of the links:
 *     f_1 = -q_1 x tau,
 *     f_i = l_i d,
 *     f_i = -c_i (v_i - v_(i-1)) + c_(i+1) (v_(i+1) - v_i),      v_0 = 0.
 * These are forces in the sense of virtual work sum f_i . delta q_i: q_1 x f_1 = P_1 tau. What is printed
 * as f_i in eq. (40) of the two-spheres paper would not do: those are moments q_i x f_i, not forces. */
#include "chain.h"
#include "gravity.h"

#include <polhode/kit/elementary.h>

/* constant + amplitude sin(frequency t + phase) */
typedef struct load {
    double constant[3], amplitude[3], frequency, phase;
} load;

/* What the callbacks need; one block. */
typedef struct chain {
    size_t n;
    load torque, tip;
    double *length;  /* (n) l_i */
    double *damping; /* (n) c_i */
    double storage[];
} chain;

/* ---- Callbacks ---------------------------------------------------------------------------------- */

static void load_at(const load *l, double t, double value[3])
{
    double s = ph_sin(l->frequency * t + l->phase);
    for (int a = 0; a < 3; a++)
        value[a] = l->constant[a] + s * l->amplitude[a];
}

/* f += the forces of the joints' dampers. */
static void damp(const chain *c, const double *v, double *f)
{
    static const double fixed[3] = {0, 0, 0};
    for (size_t i = 0; i < c->n; i++) {
        const double *before = i ? v + 3 * (i - 1) : fixed;
        for (size_t a = 0; a < 3; a++) {
            double moment = c->damping[i] * (v[3 * i + a] - before[a]);
            f[3 * i + a] -= moment;
            if (i)
                f[3 * (i - 1) + a] += moment;
        }
    }
}

static ph_status force(void *user, double t, const double *z, const double *zdot, double *f)
{
    const chain *c = user;
    double tau[3], d[3], cross[3];
    damp(c, zdot, f);
    load_at(&c->torque, t, tau);
    load_at(&c->tip, t, d);
    ph_cross3(z, tau, cross);
    for (size_t a = 0; a < 3; a++)
        f[a] -= cross[a];
    for (size_t i = 0; i < c->n; i++)
        for (size_t a = 0; a < 3; a++)
            f[3 * i + a] += c->length[i] * d[a];
    return PH_OK;
}

/* dfdv (3n x 3n) += the dampers' part, block tridiagonal with multiples of the unit matrix: it does not
 * depend on anything. */
static ph_status force_dv(void *user, double t, const double *z, const double *zdot, double *dfdv)
{
    const chain *c = user;
    size_t nz = 3 * c->n;
    (void)t, (void)z, (void)zdot;
    for (size_t i = 0; i < nz; i++) {
        dfdv[i * nz + i] -= c->damping[i / 3];
        if (i < 3)
            continue;
        dfdv[(i - 3) * nz + i - 3] -= c->damping[i / 3];
        dfdv[i * nz + i - 3] += c->damping[i / 3];
        dfdv[(i - 3) * nz + i] += c->damping[i / 3];
    }
    return PH_OK;
}

/* ---- Building ----------------------------------------------------------------------------------- */

/* Does the load vanish at all times? */
static bool no_load(const load *l)
{
    return ph_all_zero(3, l->constant) && ph_all_zero(3, l->amplitude);
}

/* *l <- the four rows of a load, in the order of the table. */
static void read_load(load *l, const ph_parameter_value *constant)
{
    memcpy(l->constant, constant[0].values, sizeof l->constant);
    memcpy(l->amplitude, constant[1].values, sizeof l->amplitude);
    l->frequency = constant[2].values[0];
    l->phase = constant[3].values[0];
}

/* The chain of the table, everything that the forces need; masses are the linkage's. NULL without memory. */
static chain *make_chain(const ph_model_table *table, size_t n)
{
    chain *c = calloc(1, sizeof *c + 2 * n * sizeof(double));
    if (!c)
        return NULL;
    *c = (chain){.n = n, .length = c->storage, .damping = c->storage + n};
    read_load(&c->torque, &table->row[PH_CHAIN_TORQUE]);
    read_load(&c->tip, &table->row[PH_CHAIN_TIP_FORCE]);
    for (size_t i = 0; i < n; i++) {
        c->length[i] = ph_entry(table, PH_LINKS_LENGTH, i);
        c->damping[i] = ph_entry(table, PH_CHAIN_DAMPING, i);
    }
    return c;
}

/* The rotations under which the chain is invariant: those of gravity, unless a damper (which is attached to
 * the fixed frame) or a load breaks them. A force on the tip along the axis has no moment about it, and
 * breaks none. Returns their number. */
static size_t find_symmetries(const chain *c, const double *G, ph_symmetry symmetries[3])
{
    size_t found = 0, candidates = ph_gravity_symmetries(G, symmetries);
    if (!ph_all_zero(c->n, c->damping) || !no_load(&c->torque))
        return 0;
    for (size_t i = 0; i < candidates; i++) {
        double side[2][3];
        ph_cross3(symmetries[i].axis, c->tip.constant, side[0]);
        ph_cross3(symmetries[i].axis, c->tip.amplitude, side[1]);
        if (ph_all_zero(3, side[0]) && ph_all_zero(3, side[1]))
            symmetries[found++] = symmetries[i];
    }
    return found;
}

ph_status ph_chain_read(const ph_model_table *table, ph_links *links, ph_error *err)
{
    const size_t n = (size_t)table->model->variant;
    const ph_numbering rule =
        PH_NUMBERING("links", n ? PH_NO_INDEX : PH_CHAIN_LINKS, n ? n : PH_LINKS_DEFAULT, PH_MOST_LINKS,
                     PH_LINKS_MASS, PH_LINKS_LENGTH, PH_CHAIN_DAMPING);
    ph_status status = ph_links_read(table, &rule, 3, links, err);
    memcpy(links->G, ph_vector(table, PH_CHAIN_GRAVITY), sizeof links->G);
    return status;
}

ph_status ph_chain_build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_links links;
    ph_status status = ph_chain_read(table, &links, err);
    if (status)
        return status;
    chain *c = make_chain(table, links.n);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a chain of %zu links", links.n);
    ph_symmetry symmetries[3];
    const bool damped = !ph_all_zero(c->n, c->damping),
               forced = damped || !no_load(&c->torque) || !no_load(&c->tip);
    const ph_system_definition rest = {.symmetries = symmetries,
                                       .n_symmetries = find_symmetries(c, links.G, symmetries),
                                       .force = forced ? force : NULL,
                                       .force_dv = forced ? force_dv : NULL,
                                       .force_ignores_velocity = forced && !damped,
                                       .user = c,
                                       .user_free = free};
    return ph_links_build(&links, &rest, system, err);
}
