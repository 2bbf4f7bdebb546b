/* SPDX-License-Identifier: BSD-3-Clause */
/* The group of a system for steady motions (polhode/domain/steady.h): candidates are tried at states in general position. A motion
 * g is of the group where L(g z, g zdot) = L(z, zdot), g takes velocities that fulfil the constraint to such ones, and
 * forces to forces. */
#include "lib/system/generator.h"
#include "steady.h"

#include <polhode/constraints.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 3 };
static const double by = 0.7,
                    same_to = 1e-10; /* how far the motions go, and the error that rounding may make */

/* ---- Generators ------------------------------------------------------------------------------------------- */

void ph_steady_turn(const ph_space *space, const ph_steady_part *part, const double *x, double *y)
{
    const ph_factor_place *f = ph_space_factor(space, part->factor);
    const double axis[3] = {part->axis == 0, part->axis == 1, part->axis == 2};
    if (part->kind == PH_STEADY_TURN) {
        ph_turn_about(space, axis, x, y);
        return;
    }
    memset(y, 0, ph_space_ambient(space) * sizeof *y);
    if (part->kind == PH_STEADY_SHIFT)
        return;
    if (f->kind == PH_FACTOR_S1) {
        y[f->z] = -x[f->z + 1];
        y[f->z + 1] = x[f->z];
    } else {
        for (size_t row = 0; row < 3; row++) /* R S(e): each row of R times e */
            ph_cross3(x + f->z + 3 * row, axis, y + f->z + 3 * row);
    }
}

void ph_steady_generator(const ph_space *space, const ph_steady_part *part, const double *z, double *zeta)
{
    ph_steady_turn(space, part, z, zeta);
    if (part->kind == PH_STEADY_SHIFT)
        zeta[ph_space_factor(space, part->factor)->z + part->axis] = 1;
}

void ph_steady_motion_of(ph_steady *w, const double *z, const double *v, const double *xi, double *zeta,
                         double *turn)
{
    double *one = w->there;
    memset(zeta, 0, w->nz * sizeof *zeta);
    memset(turn, 0, w->nz * sizeof *turn);
    for (size_t a = 0; a < w->k; a++) {
        ph_steady_generator(w->space, &w->parts[a], z, one);
        for (size_t l = 0; l < w->nz; l++)
            zeta[l] += xi[a] * one[l];
    }
    if (!v)
        v = zeta;
    for (size_t a = 0; a < w->k; a++) {
        ph_steady_turn(w->space, &w->parts[a], v, one);
        for (size_t l = 0; l < w->nz; l++)
            turn[l] += xi[a] * one[l];
    }
}

/* x <- g x of a configuration (affine) or a vector; Z^3 = -Z. work (2 nz). */
static void move(const ph_space *space, const ph_steady_part *part, bool affine, double *x, double *work)
{
    const size_t nz = ph_space_ambient(space);
    double *once = work, *twice = work + nz;
    const double s = ph_sin(by), half = ph_sin(0.5 * by);
    ph_steady_turn(space, part, x, once);
    ph_steady_turn(space, part, once, twice);
    for (size_t l = 0; l < nz; l++)
        x[l] += s * once[l] + 2 * half * half * twice[l];
    if (affine && part->kind == PH_STEADY_SHIFT)
        x[ph_space_factor(space, part->factor)->z + part->axis] += by;
}

/* ---- Trials ------------------------------------------------------------------------------------------------- */

typedef struct trial {
    const ph_system *system;
    const ph_space *space;
    size_t nz, m;
    double *z, *v, *w;                     /* a configuration and two tangent vectors; v on the constraint */
    double *z1, *v1, *w1, *f, *f1, *A, *b; /* where they are moved to; forces, rows */
    double *work;
} trial;

/* In general position, the k-th. PH_E_NOT_ON_MANIFOLD where there is none. */
static ph_status place(trial *t, size_t k)
{
    ph_error ignored;
    for (size_t l = 0; l < t->nz; l++) {
        t->z[l] = 0.9 * ph_sin(1.7 * (double)(l + 1) * (double)(k + 1) + 0.4);
        t->v[l] = ph_sin(2.3 * (double)(l + 1) + (double)k);
        t->w[l] = ph_cos(1.1 * (double)(l + 1) + 2.0 * (double)k);
    }
    ph_status status = ph_space_project(t->space, t->z);
    if (status)
        return status;
    ph_space_project_tangent(t->space, t->z, t->v);
    ph_space_project_tangent(t->space, t->z, t->w);
    return ph_system_constraint_project(t->system, 0, t->z, t->v, t->work, &ignored);
}

/* *off <- by how much the constraint is missed at (time, z, v), relative to its terms. */
static ph_status miss(trial *t, double time, const double *z, const double *v, double *off)
{
    *off = 0;
    ph_status status = t->m ? ph_system_constraint_rows(t->system, time, z, t->A, t->b) : PH_OK;
    for (size_t i = 0; i < t->m && !status; i++) {
        double sum = -t->b[i], size = fabs(t->b[i]);
        for (size_t l = 0; l < t->nz; l++) {
            sum += t->A[i * t->nz + l] * v[l];
            size += fabs(t->A[i * t->nz + l] * v[l]);
        }
        *off = fmax(*off, size > 0 ? fabs(sum) / size : 0);
    }
    return status;
}

/* *same <- does the part leave everything as it is, at this state? */
static ph_status try_part(trial *t, const ph_steady_part *part, bool *same)
{
    double L[2], off = 0;
    memcpy(t->z1, t->z, t->nz * sizeof *t->z);
    memcpy(t->v1, t->v, t->nz * sizeof *t->v);
    memcpy(t->w1, t->w, t->nz * sizeof *t->w);
    move(t->space, part, true, t->z1, t->work);
    move(t->space, part, false, t->v1, t->work);
    move(t->space, part, false, t->w1, t->work);
    ph_status status = ph_system_lagrangian(t->system, 0, t->z, t->w, &L[0], t->work);
    if (!status)
        status = ph_system_lagrangian(t->system, 0, t->z1, t->w1, &L[1], t->work);
    if (!status)
        status = miss(t, 0, t->z1, t->v1, &off);
    *same = !status && fabs(L[1] - L[0]) <= same_to * (1 + fabs(L[0])) && off <= same_to;
    if (status || !*same || !ph_system_has_force(t->system))
        return status;
    status = ph_system_force(t->system, 0, t->z, t->v, t->f);
    if (!status)
        status = ph_system_force(t->system, 0, t->z1, t->v1, t->f1);
    const double power[2] = {ph_dot(t->f, t->w, t->nz), ph_dot(t->f1, t->w1, t->nz)};
    *same = !status && fabs(power[1] - power[0]) <= same_to * (1 + fabs(power[0]));
    return status;
}

/* *depends <- is the motion another at another time? */
static ph_status try_time(trial *t, bool *depends)
{
    double off = 0;
    ph_status status = miss(t, 1.3, t->z, t->v, &off);
    *depends = off > same_to ||
               (ph_system_kind(t->system) == PH_LAGRANGIAN_GENERAL && ph_system_depends_on_time(t->system));
    if (status || !ph_system_has_force(t->system))
        return status;
    status = ph_system_force(t->system, 0, t->z, t->v, t->f);
    if (!status)
        status = ph_system_force(t->system, 1.3, t->z, t->v, t->f1);
    for (size_t l = 0; l < t->nz; l++)
        *depends |= fabs(t->f1[l] - t->f[l]) > same_to * (1 + fabs(t->f[l]));
    return status;
}

/* ---- The group ------------------------------------------------------------------------------------------------ */

static size_t list_candidates(const ph_space *space, ph_steady_part *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = 0; a < f->nz && f->kind == PH_FACTOR_R; a++, n++)
            if (parts)
                parts[n] = (ph_steady_part){PH_STEADY_SHIFT, i, a};
    }
    for (size_t a = 0; a < 3; a++, n++)
        if (parts)
            parts[n] = (ph_steady_part){PH_STEADY_TURN, 0, a};
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_kind kind = ph_space_factor(space, i)->kind;
        const size_t axes = kind == PH_FACTOR_SO3 ? 3 : kind == PH_FACTOR_S1;
        for (size_t a = 0; a < axes; a++, n++)
            if (parts)
                parts[n] = (ph_steady_part){PH_STEADY_SPIN, i, a};
    }
    return n;
}

size_t ph_steady_candidates(const ph_space *space)
{
    return list_candidates(space, NULL);
}

bool ph_steady_orthonormal(double *rows, size_t k, size_t n, double from)
{
    double *row = rows + k * n, before = sqrt(ph_dot(row, row, n));
    for (size_t twice = 0; twice < 2; twice++)
        for (size_t i = 0; i < k; i++) {
            const double share = ph_dot(row, rows + i * n, n);
            for (size_t l = 0; l < n; l++)
                row[l] -= share * rows[i * n + l];
        }
    const double rest = sqrt(ph_dot(row, row, n));
    if (!(rest > from * before))
        return false;
    for (size_t l = 0; l < n; l++)
        row[l] /= rest;
    return true;
}

/* parts, *k <- those of the n candidates in parts that the trials allow; of them no sum of others, with the same shares everywhere:
 * the generators of a part at all trials, one behind the other, are a row of G. */
static ph_status select_parts(trial *t, ph_steady_part *parts, size_t n, size_t *k, ph_error *err)
{
    double *G = calloc((n + 1) * TRIALS * t->nz, sizeof *G);
    ph_status status = G ? PH_OK : PH_E_NO_MEMORY;
    bool depends = false;
    *k = 0;
    for (size_t i = 0; i < n && !status; i++) {
        bool same = true;
        const ph_steady_part part = parts[i];
        for (size_t j = 0; j < TRIALS && same && !status; j++) {
            status = place(t, j);
            if (!status && !i)
                status = try_time(t, &depends);
            if (!status && depends) {
                free(G);
                return ph_fail(
                    err, PH_E_UNSUPPORTED,
                    "steady motions are sought of systems whose Lagrangian, forces and constraints do not depend "
                    "on the time, and those of this one do");
            }
            if (!status)
                status = try_part(t, &part, &same);
            ph_steady_generator(t->space, &part, t->z, G + (*k * TRIALS + j) * t->nz);
        }
        if (!status && same && ph_steady_orthonormal(G, *k, TRIALS * t->nz, 1e-8))
            parts[(*k)++] = part;
    }
    free(G);
    if (status)
        return ph_fail(err, status, "the group of the system was tried at a state in general position: %s",
                       ph_status_text(status));
    return *k ? PH_OK
              : ph_fail(err, PH_E_UNSUPPORTED,
                        "no translation, turn or spin leaves the system as it is: it has no steady motions "
                        "but equilibria at rest");
}

ph_status ph_steady_find_group(const ph_system *system, ph_steady_part *parts, size_t *k, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    trial t = {
        .system = system, .space = space, .nz = ph_space_ambient(space), .m = ph_system_constraints(system)};
    const size_t turning = 2 * t.nz, evaluating = ph_system_work(system) + ph_system_constraint_work(system);
    double *memory = malloc(
        (8 * t.nz + t.m * t.nz + t.m + (turning > evaluating ? turning : evaluating) + 1) * sizeof *memory);
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    double **const arrays[] = {&t.z, &t.v, &t.w, &t.z1, &t.v1, &t.w1, &t.f, &t.f1};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = memory + i * t.nz;
    t.A = memory + 8 * t.nz;
    t.b = t.A + t.m * t.nz;
    t.work = t.b + t.m;
    ph_status status = select_parts(&t, parts, list_candidates(space, parts), k, err);
    free(memory);
    return status;
}
