/* SPDX-License-Identifier: BSD-3-Clause */
/* Free rigid body, reduced by its rotations: the direction s of the angular momentum Pi = |Pi| s in the body frame, on the
 * sphere as phase space with Gamma = -|Pi| (brackets of body components have the other sign than those of space):
 *     H = (1/2) |Pi|^2 (s_1^2/I_1 + s_2^2/I_2 + s_3^2/I_3),      Pi' = Pi x I^-1 Pi.
 * s moves along the polhode, by elliptic functions; on the separatrix s_2 = tanh w t about the axis of the middle moment,
 * w^2 = |Pi|^2 (1/I_1 - 1/I_2) (1/I_2 - 1/I_3), I_1 < I_2 < I_3.
 * (E. Hairer, G. Vilmart, J. Phys. A 39 (2006) 13225; L. D. Landau, E. M. Lifshitz, Mechanics, section 37.) */
#include "body.h"
#include <polhode/domain/spins.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/sphere.h>

enum { INERTIA, MOMENTUM };

static const ph_parameter parameters[] = {
    [INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_POSITIVE, 0.6, 0.8, 1.0,
                          "principal moments of inertia; body axes are principal axes"),
    [MOMENTUM] = PH_NUMBER("momentum", "kg m^2/s", PH_POSITIVE, 2.0518284528683193,
                           "|Pi|, size of the angular momentum"),
};

enum { TUMBLING, INTERMEDIATE, SEPARATRIX, STEADY };

static const ph_preset presets[] = {
    [TUMBLING] = {"tumbling", "Pi along (1.8, 0.4, -0.9)"},
    [INTERMEDIATE] = {"intermediate-axis",
                      "0.001 rad from the axis of the middle moment, towards that of the largest: "
                      "turns over again and again"},
    [SEPARATRIX] = {"separatrix",
                    "between the axes of the largest and the least moment, where the motion ends at the "
                    "axis of the middle one"},
    [STEADY] = {"steady", "along the axis of the largest moment: stays so"},
};

/* The ellipsoid of inertia with the axes of the body, 0.7 long and 1.1, and the direction of Pi on a globe about it. */
static void draw(const double J[9], ph_part_list *parts)
{
    ph_part_size(ph_part_add(parts, PH_SCENE_GLOBE, PH_NO_INDEX, PH_NO_INDEX), 1, 0, 0);
    if (ph_part_inertia(parts, PH_NO_INDEX, PH_NO_INDEX, 1, J, 0.7) > 0 && !parts->failed)
        parts->at[parts->n - 1].name = "body";
    ph_part_size(ph_part_add(parts, PH_SCENE_AXES, PH_NO_INDEX, PH_NO_INDEX), 1.1, 0, 0);
    ph_part_end(ph_part_add(parts, PH_SCENE_ARROW, PH_NO_INDEX, PH_NO_INDEX), PH_NO_INDEX, 0, 1, 0, 0)->name =
        "angular momentum";
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry axes[3] = {
        {"Jx", "minus the component of Pi along body axis 1", "kg m^2/s", {1, 0, 0}, NULL},
        {"Jy", "minus the component of Pi along body axis 2", "kg m^2/s", {0, 1, 0}, NULL},
        {"Jz", "minus the component of Pi along body axis 3", "kg m^2/s", {0, 0, 1}, NULL},
    };
    const double *I = ph_vector(table, INERTIA), momentum = ph_number(table, MOMENTUM), strength = -momentum;
    double K[3], J[9];
    ph_anisotropy parts[3];
    ph_symmetry symmetries[3];
    size_t found = 0;
    ph_status status = ph_body_tensor(I, NULL, J, err);
    if (status)
        return status;
    for (size_t a = 0; a < 3; a++) {
        K[a] = -0.5 * momentum * momentum / I[a];
        parts[a] = (ph_anisotropy){.K = &K[a], .uniform = true};
        parts[a].axis[a] = 1;
        if (I[(a + 1) % 3] == I[(a + 2) % 3])
            symmetries[found++] = axes[a];
    }
    const ph_spins spins = {.n = 1, .strengths = &strength, .anisotropies = parts, .n_anisotropies = 3};
    ph_system_definition definition = {.spins = &spins, .symmetries = symmetries, .n_symmetries = found};
    ph_part_list drawn = {0};
    draw(J, &drawn);
    return ph_part_create(&drawn, &definition, system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double momentum[3] = {1.8, 0.4, -0.9};
    const double *I = ph_vector(table, INERTIA);
    size_t rank[3];
    (void)err;
    ph_body_rank(I, rank);
    memset(z, 0, 3 * sizeof *z);
    memset(zdot, 0, 3 * sizeof *zdot);
    if (which == TUMBLING) {
        for (size_t k = 0; k < 3; k++)
            z[k] = momentum[k] / ph_norm3(momentum);
    } else if (which == INTERMEDIATE) {
        z[rank[1]] = ph_cos(1e-3);
        z[rank[2]] = ph_sin(1e-3);
    } else if (which == SEPARATRIX) { /* s_1^2 (1/I_1 - 1/I_2) = s_3^2 (1/I_2 - 1/I_3) */
        const double first = 1 / I[rank[0]] - 1 / I[rank[1]], last = 1 / I[rank[1]] - 1 / I[rank[2]],
                     sum = first + last;
        z[rank[0]] = sum > 0 ? sqrt(last / sum) : 1;
        z[rank[2]] = sum > 0 ? sqrt(first / sum) : 0;
    } else {
        z[rank[2]] = 1;
    }
    ph_unit_correct3(z);
    return PH_OK;
}

const ph_model ph_model_reduced_rigid_body = {
    .name = "reduced-rigid-body",
    .summary = "the angular momentum of a free rigid body in its own frame, on the sphere",
    .reference = "Hairer, Vilmart, J. Phys. A 39 (2006) 13225, section 1",
    PH_MODEL_HERE,
};
