/* SPDX-License-Identifier: BSD-3-Clause */
/* A quadrotor that carries a cable (linkage.h): R^3 x SO(3) x (S^2)^n. x is its centre of mass, R its
 * attitude, m and J its inertia; the cable hangs from the point rho of the body. With y = x + R rho:
 *     L = (1/2) m |xdot|^2 + (1/2) tr(Rdot J_d Rdot^T) + sum (1/2) m_j |xdot_j|^2 - U,
 *     U = -G . (m x + sum m_j x_j),     J_d = (tr J / 2) I - J
 * (Goodarzi, Lee, Geometric control of a quadrotor UAV connected with a flexible cable, ACC 2014): a linkage
 * that a body carries (ph_linkage.body). Inputs are a thrust T along the body's e3 at the centre of mass,
 * and a moment M in the body frame. */
#include "body.h"
#include "gravity.h"
#include "linkage.h"

#include <polhode/kit/elementary.h>

enum { NUMBER = PH_LINKS_LENGTH + 1, GRAVITY, MASS, INERTIA, ATTACHMENT, THRUST, MOMENT };

static const ph_parameter parameters[] = {
    PH_LINKS_ROWS(PER_LINK, "masses", 0.1, "lengths", 0.1, "link"),
    [NUMBER] = PH_LINKS_NUMBER(PH_MOST_LINKS, "masses or lengths"),
    [GRAVITY] = PH_VERTICAL_GRAVITY,
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 0.5, "mass of the quadrotor"),
    [INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_POSITIVE, 0.557e-2, 0.557e-2, 1.05e-2,
                          "its principal moments of inertia about its centre of mass"),
    [ATTACHMENT] = PH_VECTOR("attachment", "m", PH_ANY, 0, 0, 0,
                             "where the cable hangs, from the centre of mass, in the body frame"),
    [THRUST] = PH_NUMBER("thrust", "N", PH_ANY, 0, "constant thrust along the body's e3"),
    [MOMENT] =
        PH_VECTOR("moment", "N m", PH_ANY, 0, 0, 0, "constant moment on the quadrotor, in the body frame"),
};

enum { TUMBLING, HOVER, SWINGING };

static const ph_preset presets[] = {
    [TUMBLING] = {"tumbling", "thrown up at 3 m/s, turning about all three axes, above a curved cable"},
    [HOVER] = {"hover", "level, above a cable that hangs straight down, at rest: "
                        "an equilibrium if the thrust is the total weight "
                        "and the attachment below or above the centre"},
    [SWINGING] =
        {"swinging",
         "level, under a thrust of 9.81 N, the weight with 5 links of 0.1 kg, above a straight cable that is "
         "let go 1 rad from hanging: it swings below, and pulls the quadrotor to and fro"},
};

static const ph_preset_value own[] = {
    PH_OWN(SWINGING, "thrust", 9.81),
};

/* x at 0, R at 3, q at 12. */
enum { ATTITUDE = 3, LINKS = 12 };

typedef struct quadrotor {
    size_t np, n; /* numbers of a momentum, links */
    double rho[3], thrust, moment[3];
    double lengths[]; /* (n) l_i */
} quadrotor;

/* ---- Callbacks ---------------------------------------------------------------------------------- */

/* The thrust T R e3 acts on x, and the moment M of the body frame on R. */
static ph_status force(void *user, double t, const double *z, const double *zdot, double *f)
{
    const quadrotor *c = user;
    (void)t, (void)zdot;
    for (size_t k = 0; k < 3; k++)
        f[k] += c->thrust * z[ATTITUDE + 3 * k + 2];
    ph_add_moment3(z + ATTITUDE, c->moment, f + ATTITUDE);
    return PH_OK;
}

/* The quadrotor's centre of mass, then the masses of the cable, the first of which hangs from x + R rho. */
static ph_status points(void *user, double t, const double *z, double *x)
{
    (void)t;
    const quadrotor *c = user;
    double end[3];
    ph_apply3(z + ATTITUDE, c->rho, end);
    for (size_t k = 0; k < 3; k++) {
        x[k] = z[k];
        end[k] += z[k];
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < 3; k++) {
            end[k] += c->lengths[i] * z[LINKS + 3 * i + k];
            x[3 * i + 3 + k] = end[k];
        }
    return PH_OK;
}

/* Two arms with a rotor at each end, and the cable, which hangs from x + R rho. The size of the arms follows from the inertia
 * as that of a thin cross, J_3 = m a^2 / 3. */
static void draw(const quadrotor *c, double mass, double J3, ph_part_list *parts)
{
    enum { BODY = 1 };
    const double arm = sqrt(3 * J3 / mass);
    for (int axis = 0; axis < 2; axis++) {
        const double x = axis ? 0 : arm, y = axis ? arm : 0;
        ph_scene_part *line = ph_part_solid(parts, PH_SCENE_LINE, 0, BODY, 0.05 * arm, 0, 0, -x, -y, 0);
        ph_part_end(line, 0, BODY, x, y, 0)->name = "arm";
        for (int side = -1; side <= 1; side += 2)
            ph_part_solid(parts, PH_SCENE_CYLINDER, 0, BODY, 0.42 * arm, 0.42 * arm, 0.03 * arm, side * x,
                          side * y, 0.12 * arm)
                ->name = "rotor";
    }
    ph_part_solid(parts, PH_SCENE_BOX, 0, BODY, 0.2 * arm, 0.2 * arm, 0.1 * arm, 0, 0, 0)->name = "quadrotor";
    for (size_t i = 0; i < c->n; i++) {
        ph_scene_part *line = ph_part_rod(parts, i, i + 1, 0.03 * arm);
        if (!i) {
            line->a.frame = BODY;
            ph_part_shift(line, c->rho[0], c->rho[1], c->rho[2]);
        }
        ph_part_size(ph_part_add(parts, PH_SCENE_BALL, i + 1, PH_NO_INDEX), 0.1 * arm, 0, 0);
    }
}

/* ---- Building ----------------------------------------------------------------------------------- */

/* The symmetries. Gravity breaks the translation along e3 and the rotations about e1 and e2; a thrust, whose
 * line moves with the body, breaks all symmetries; a moment breaks the rotations. */
static size_t find_symmetries(const quadrotor *c, const double *G, ph_symmetry symmetries[6])
{
    static const ph_symmetry all[] = {
        {"px", "momentum along e1", "kg m/s", {0}, ph_links_move1},
        {"py", "momentum along e2", "kg m/s", {0}, ph_links_move2},
        {"pz", "momentum along e3", "kg m/s", {0}, ph_links_move3},
        {"Jx", "angular momentum about e1", "kg m^2/s", {1, 0, 0}, NULL},
        {"Jy", "angular momentum about e2", "kg m^2/s", {0, 1, 0}, NULL},
        {"Jz", "angular momentum about e3", "kg m^2/s", {0, 0, 1}, NULL},
    };
    const bool heavy = !ph_all_zero(3, G), turned = !ph_all_zero(3, c->moment);
    const bool lost[] = {false, false, heavy, heavy || turned, heavy || turned, turned};
    size_t found = 0;
    for (size_t i = 0; i < 6 && c->thrust == 0; i++)
        if (!lost[i])
            symmetries[found++] = all[i];
    return found;
}

/* *links <- the cable. */
static ph_status read(const ph_model_table *table, ph_links *links, ph_error *err)
{
    static const ph_numbering numbering =
        PH_NUMBERING("links", NUMBER, PH_LINKS_DEFAULT, PH_MOST_LINKS, PH_LINKS_MASS, PH_LINKS_LENGTH);
    ph_status status =
        ph_gravity_check_vertical(&table->row[GRAVITY], "turn the frame so that e3 is vertical", err);
    if (!status)
        status = ph_links_read(table, &numbering, 3, links, err);
    links->carried = true;
    return status;
}

/* Numbers of the callbacks, and the arrays of the linkage, whose first two factors are the body. */
static void fill(quadrotor *c, const ph_links *links, const ph_model_table *table, double *length,
                 double *mass)
{
    c->n = links->n;
    c->np = 6 + 3 * links->n;
    for (size_t i = 0; i < links->n; i++) {
        length[2 + i] = c->lengths[i] = ph_parameter_entry(links->length, i);
        mass[2 + i] = ph_parameter_entry(links->mass, i);
    }
    mass[0] = ph_number(table, MASS);
    c->thrust = ph_number(table, THRUST);
    memcpy(c->rho, ph_vector(table, ATTACHMENT), sizeof c->rho);
    memcpy(c->moment, ph_vector(table, MOMENT), sizeof c->moment);
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_links links;
    ph_linkage_body body;
    ph_status status = read(table, &links, err);
    if (!status)
        status = ph_body_tensor(ph_vector(table, INERTIA), NULL, body.inertia, err);
    if (status)
        return status;
    const size_t n = links.n, size = sizeof(quadrotor) + n * sizeof(double);
    quadrotor *c = calloc(1, size);
    ph_factor *factors = calloc(2 + n, sizeof *factors);
    double *numbers = calloc(2 * (2 + n), sizeof *numbers);
    if (c && factors && numbers) {
        const double *G = ph_vector(table, GRAVITY);
        ph_symmetry symmetries[6];
        ph_part_list parts = {0};
        const ph_linkage linkage = {
            .length = numbers, .mass = numbers + 2 + n, .gravity = {G[0], G[1], G[2]}, .body = &body};
        factors[0] = (ph_factor)PH_R(3);
        factors[1] = (ph_factor)PH_ROTATIONS;
        for (size_t i = 0; i < n; i++)
            factors[2 + i].kind = PH_FACTOR_S2;
        fill(c, &links, table, numbers, numbers + 2 + n);
        memcpy(body.hitch, c->rho, sizeof body.hitch);
        draw(c, linkage.mass[0], body.inertia[8], &parts);
        const bool driven = c->thrust != 0 || !ph_all_zero(3, c->moment);
        ph_system_definition definition = {.linkage = &linkage,
                                           .points = points,
                                           .n_points = n + 1,
                                           .force = driven ? force : NULL,
                                           .force_ignores_velocity = true,
                                           .symmetries = symmetries,
                                           .n_symmetries = find_symmetries(c, G, symmetries)};
        status = ph_model_create(factors, 2 + n, c, size, &parts, &definition, system, err);
    } else {
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for a cable of %zu links", n);
    }
    free(c);
    free(factors);
    free(numbers);
    return status;
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

/* R = I: the thrown quadrotor has the body angular velocity (4, 3, 2) rad/s. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double up = 3, Omega[3] = {4, 3, 2};
    ph_links links;
    ph_status status = read(table, &links, err);
    if (status)
        return status;
    memset(z, 0, LINKS * sizeof *z);
    memset(zdot, 0, LINKS * sizeof *zdot);
    for (size_t k = 0; k < 3; k++)
        z[ATTITUDE + 4 * k] = 1;
    if (which == TUMBLING) {
        zdot[2] = up;
        ph_hat3(Omega, zdot + ATTITUDE); /* R = I */
    }
    ph_links_preset(&links, which == TUMBLING ? PH_LINKS_CURVED : PH_LINKS_HANGING, z + LINKS, zdot + LINKS);
    for (size_t i = 0; i < links.n && which == SWINGING; i++) { /* towards e1; gravity is vertical */
        double *q = z + LINKS + 3 * i;
        q[0] = ph_sin(1);
        q[2] = copysign(ph_cos(1), q[2]);
    }
    return PH_OK;
}

const ph_model ph_model_quadrotor_cable = {
    .name = "quadrotor-cable",
    .summary = "quadrotor from which a cable of links hangs, in free flight or under thrust",
    .reference =
        "Goodarzi, Lee, Geometric control of a quadrotor UAV connected with a flexible cable, ACC 2014",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
    .start = SWINGING,
};
