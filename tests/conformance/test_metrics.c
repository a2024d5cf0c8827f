/* SPDX-License-Identifier: BSD-3-Clause */
/* Every metric of the registry on small problems: symmetric, positive, within its bounds, consistent with its diagonal
 * and its walk; the Hessian is the dense one. */
#include <string.h>

#include "settings/registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/conformance_scene.h"

static const double EPS = DBL_EPSILON;
enum { MOST_ROWS = 200 };

static void metrics_are_symmetric(void **state)
{
    (void)state;
    on_every_metric(0, check_symmetric);
}

static void metrics_are_positive_definite_within_their_bounds(void **state)
{
    (void)state;
    on_every_metric(0, check_bounds);
    on_every_metric(1, check_bounds);
}

/* What only some metrics can tell of a walk: A d, and the column of H that belongs to the intercept. */
static void check_image_and_coupling(struct scene *scene, const double *d, double travelled)
{
    struct metric *H = scene->H;
    struct objective *F = &scene->a->objective;
    int64_t last = scene->size - 1;
    double image[MOST_ROWS], expected[MOST_ROWS];
    assert_true(F->rows <= MOST_ROWS);
    if (H->ops->walk.image && H->ops->walk.image(H, image)) {
        dcpn_design_apply(&F->design, d, expected);
        for (int64_t i = 0; i < F->rows; i++)
            assert_near(image[i], expected[i], 1e-12 * travelled * (1.0 + fabs(expected[i])),
                        "%s: (A d)_%d after a walk", scene->name, (int)i);
    }
    for (int64_t j = 0; F->size > F->features && H->ops->walk.coupling && j < last; j++)
        assert_near(H->ops->walk.coupling(H, j), scene->M[j * scene->size + last], product_rounding(scene),
                    "%s: coupling of %d and the intercept", scene->name, (int)j);
}

static void check_walk(struct scene *scene)
{
    enum { MOVES = 400 };
    struct metric *H = scene->H;
    double d[SCENE_SIZE], Hd[SCENE_SIZE];
    struct rng rng;
    if (!H->ops->walk.exists(&scene->a->objective.loss)) return;
    dcpn_rng_seed(&rng, 5);
    for (int64_t j = 0; j < scene->size; j++) d[j] = j % 3 ? dcpn_rng_normal(&rng) : 0.0;
    H->ops->walk.start(H, d);
    for (int64_t j = 0; j < scene->size; j++)
        assert_near(H->ops->diagonal(H, j), scene->M[j * scene->size + j], product_rounding(scene), "%s: diagonal %d",
                    scene->name, (int)j);
    double travelled = 0.0;
    for (int k = 0; k < MOVES; k++) {
        int64_t j = (int64_t)dcpn_rng_below(&rng, (uint64_t)scene->size);
        double delta = dcpn_rng_normal(&rng);
        H->ops->walk.move(H, j, delta);
        d[j] += delta;
        travelled += fabs(delta);
    }
    double walked[SCENE_SIZE];
    for (int64_t j = 0; j < scene->size; j++) walked[j] = H->ops->walk.product(H, d, j);
    dense_product(scene->size, scene->M, d, Hd);
    for (int64_t j = 0; j < scene->size; j++) /* each move adds one rounding, of at most the way so far */
        assert_near(walked[j], Hd[j], product_rounding(scene) * (double)scene->size * travelled,
                    "%s: (H d)_%d after a walk", scene->name, (int)j);
    check_image_and_coupling(scene, d, travelled);
}

static void walks_keep_the_product_current(void **state)
{
    (void)state;
    on_every_metric(0, check_walk);
    on_every_metric(1, check_walk);
}

/* f1(z) <= f1(x) + grad f1(x)'(z - x) + 1/2 |z - x|_H^2 */
static void check_majorant(struct scene *scene)
{
    double x[SCENE_SIZE], z[SCENE_SIZE], d[SCENE_SIZE], gradient[SCENE_SIZE];
    struct rng rng;
    dcpn_rng_seed(&rng, 31);
    memcpy(x, scene->a->point.x, (size_t)scene->size * sizeof *x);
    naive_gradient1(&scene->F, x, gradient);
    double start = naive_f1(&scene->F, x);
    for (int k = 0; k < 12; k++) {
        double length = pow(10.0, (double)(k % 6) - 3.0), linear = 0.0;
        for (int64_t j = 0; j < scene->size; j++) {
            d[j] = length * dcpn_rng_normal(&rng);
            z[j] = x[j] + d[j];
            d[j] = z[j] - x[j];
            linear += gradient[j] * d[j];
        }
        double model = start + linear + 0.5 * quadratic_form(scene->size, scene->M, d), there = naive_f1(&scene->F, z);
        double noise = 64.0 * EPS * (fabs(start) + fabs(there) + fabs(linear) + fabs(model));
        assert_at_most(there, model + noise, "%s: f1 at distance %g", scene->name, length);
    }
}

static void majorising_metrics_majorise_f1(void **state)
{
    (void)state;
    on_every_metric(1, check_majorant);
    assert_null(
        dcpn_metric_identity.refusal(&(struct loss){.rows = {.ops = dcpn_find_loss("logistic"), .parameter = 1.0}},
                                     &(struct metric_settings){.majorize = 1}));
    assert_null(
        dcpn_metric_hessian.refusal(&(struct loss){.rows = {.ops = dcpn_find_loss("logistic"), .parameter = 1.0}},
                                    &(struct metric_settings){.majorize = 1}));
}

/* ---- hessian ---- */

/* H = A'WA + ridge I + diag(mu) with W floored at 1e-6 of the largest curvature, and mu_j at most 1e-8 of the diagonal
 * at that curvature, or 1e-8 in an empty column. */
static void check_hessian(struct scene *scene)
{
    double expected[SCENE_SIZE * SCENE_SIZE], bound[SCENE_SIZE * SCENE_SIZE];
    int64_t n = scene->size;
    naive_hessian1(&scene->F, scene->a->point.x, expected);
    naive_hessian1(&scene->F, NULL, bound);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double floor = 1e-6 * sqrt(bound[i * n + i] * bound[j * n + j]); /* Cauchy's bound on what the floor adds */
            double mu = i == j ? 1e-8 * fmax(1.0, bound[i * n + i]) : 0.0;
            assert_near(scene->M[i * n + j], expected[i * n + j], mu + floor + product_rounding(scene), "%s: H[%d][%d]",
                        scene->name, (int)i, (int)j);
        }
}

static void hessian_is_the_dense_one(void **state)
{
    (void)state;
    with_metric("hessian", 0, check_hessian);
}

/* Central differences of grad f1, where the curvature of no row jumps within the step. */
static void check_hessian_by_differences(struct scene *scene)
{
    const double h = 1e-5;
    int64_t n = scene->size;
    double x[SCENE_SIZE], before[SCENE_SIZE], after[SCENE_SIZE], M_before[SCENE_SIZE * SCENE_SIZE],
        M_after[SCENE_SIZE * SCENE_SIZE], bound[SCENE_SIZE * SCENE_SIZE];
    memcpy(x, scene->a->point.x, (size_t)n * sizeof *x);
    naive_hessian1(&scene->F, NULL, bound);
    double largest = largest_entry(n * n, bound);
    for (int64_t j = 0; j < n; j++) {
        double keep = x[j];
        x[j] = keep - h;
        naive_gradient1(&scene->F, x, before);
        naive_hessian1(&scene->F, x, M_before);
        x[j] = keep + h;
        naive_gradient1(&scene->F, x, after);
        naive_hessian1(&scene->F, x, M_after);
        x[j] = keep;
        for (int64_t i = 0; i < n; i++) {
            double quotient = (after[i] - before[i]) / (2.0 * h);
            double jump = fabs(M_after[i * n + j] - M_before[i * n + j]);
            if (jump > 1e-3 * largest) continue;
            double tolerance =
                2e-6 * largest + jump + 4.0 * EPS * largest_entry(n, after) / h; /* floor of W, bend, noise */
            assert_near(scene->M[i * n + j], quotient, tolerance, "%s: derivative %d of gradient %d", scene->name,
                        (int)j, (int)i);
        }
    }
}

static void hessian_is_the_derivative_of_the_gradient(void **state)
{
    (void)state;
    with_metric("hessian", 0, check_hessian_by_differences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_are_symmetric),
        cmocka_unit_test(metrics_are_positive_definite_within_their_bounds),
        cmocka_unit_test(walks_keep_the_product_current),
        cmocka_unit_test(majorising_metrics_majorise_f1),
        cmocka_unit_test(hessian_is_the_dense_one),
        cmocka_unit_test(hessian_is_the_derivative_of_the_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
