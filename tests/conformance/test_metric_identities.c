/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiples of the identity: the Lipschitz constant, estimates that follow the step, the curvature of the last pair. */
#include <string.h>

#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/conformance_scene.h"

static const double EPS = DBL_EPSILON;

static double lipschitz(const struct scene *scene)
{
    double bound[SCENE_SIZE * SCENE_SIZE];
    naive_hessian1(&scene->F, NULL, bound);
    return eigenvalue_range(scene->size, bound).largest;
}

static void check_multiple_of_identity(const struct scene *scene)
{
    double L = scene->H->ops->lower_bound(scene->H);
    for (int64_t i = 0; i < scene->size; i++)
        for (int64_t j = 0; j < scene->size; j++) assert_true(scene->M[i * scene->size + j] == (i == j ? L : 0.0));
}

/* An estimate from below, times 1.05. The power method gains on every step, and stops when that is a thousandth. */
static void check_identity(struct scene *scene)
{
    double L = scene->H->ops->lower_bound(scene->H), exact = lipschitz(scene);
    check_multiple_of_identity(scene);
    if (scene->H->safeguards > 0) return; /* doubled after a shortened step */
    assert_at_most(L, 1.05 * exact * (1.0 + 1e-12), "%s: L", scene->name);
    assert_at_most(0.8 * exact, L, "%s: L", scene->name);
}

static void check_identity_majorizing(struct scene *scene)
{
    double L = scene->H->ops->lower_bound(scene->H), exact = lipschitz(scene);
    check_multiple_of_identity(scene);
    assert_at_most(exact * (1.0 - 1e-12), L, "%s: L", scene->name);
    assert_at_most(L, exact * (1.0 + 1e-12) / 0.9, "%s: L", scene->name);
    assert_int_equal(scene->H->safeguards, 0);
}

static void identity_is_the_lipschitz_constant(void **state)
{
    (void)state;
    with_metric("identity", 0, check_identity);
    with_metric("identity", 1, check_identity_majorizing);
}

static void identity_doubles_an_estimate_that_was_too_low(void **state)
{
    (void)state;
    struct small_problem data;
    struct scene scene;
    begin_scene(&scene, &data, "identity", 5);
    double L = scene.H->ops->lower_bound(scene.H);
    assert_true(updated(&scene, 1.0) == L);
    assert_int_equal(scene.H->safeguards, 0);
    assert_true(updated(&scene, 0.5) == 2.0 * L);
    assert_int_equal(scene.H->safeguards, 1);
    end_scene(&scene, &data);
}

static void identity_backtracked_follows_the_step(void **state)
{
    (void)state;
    struct small_problem data;
    struct scene scene;
    begin_scene(&scene, &data, "identity-backtracked", 5);
    double L = scene.H->ops->lower_bound(scene.H);
    assert_true(L > 0.0);
    assert_true(updated(&scene, 0.25) == 4.0 * L);
    double relaxed = updated(&scene, 1.0);
    assert_true(relaxed < 4.0 * L && relaxed > 2.0 * L);
    end_scene(&scene, &data);
}

/* L = s'y / s's from consecutive points. */
static void barzilai_borwein_is_the_curvature_of_the_last_pair(void **state)
{
    (void)state;
    struct small_problem data;
    struct scene scene;
    struct rng rng;
    dcpn_rng_seed(&rng, 8);
    begin_scene(&scene, &data, "barzilai-borwein", 5);
    for (int k = 0; k < 6; k++) {
        double x[SCENE_SIZE], g[SCENE_SIZE], after[SCENE_SIZE], ss = 0.0, sy = 0.0;
        memcpy(x, scene.a->point.x, sizeof(double) * (size_t)scene.size);
        naive_gradient1(&scene.F, x, g);
        move_randomly(&scene, &rng, 0.5);
        naive_gradient1(&scene.F, scene.a->point.x, after);
        for (int64_t j = 0; j < scene.size; j++) {
            double s = scene.a->point.x[j] - x[j];
            ss += s * s;
            sy += s * (after[j] - g[j]);
        }
        double L = updated(&scene, 1.0);
        /* the gradients are of size |g|, their difference has its rounding */
        double noise = 64.0 * EPS * (largest_entry(scene.size, g) + largest_entry(scene.size, after)) / sqrt(ss);
        assert_near(L, sy / ss, noise + 1e-13 * L, "barzilai-borwein");
    }
    assert_int_equal(scene.H->safeguards, 0);
    double L = scene.H->ops->lower_bound(scene.H);
    assert_true(updated(&scene, 1.0) == L); /* the same point again: nothing is learned */
    end_scene(&scene, &data);
}

/* A point made by hand, far away with the same gradient: s'y = 0 is raised to the range, and counted. */
static void barzilai_borwein_counts_its_safeguard(void **state)
{
    (void)state;
    struct small_problem data;
    struct scene scene;
    begin_scene(&scene, &data, "barzilai-borwein", 5);
    scene.a->point.x[0] += 1.0;
    assert_true(updated(&scene, 1.0) > 0.0);
    assert_int_equal(scene.H->safeguards, 1);
    end_scene(&scene, &data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identity_is_the_lipschitz_constant),
        cmocka_unit_test(identity_doubles_an_estimate_that_was_too_low),
        cmocka_unit_test(identity_backtracked_follows_the_step),
        cmocka_unit_test(barzilai_borwein_is_the_curvature_of_the_last_pair),
        cmocka_unit_test(barzilai_borwein_counts_its_safeguard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
