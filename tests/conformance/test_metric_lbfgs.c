/* SPDX-License-Identifier: BSD-3-Clause */
/* L-BFGS: the recursion of the textbook on dense matrices, the secant equation, pairs that are left out. */
#include <stdio.h>

#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/conformance_scene.h"

static const double EPS = DBL_EPSILON;

/* The pairs that a metric has been fed, oldest first. */
struct pairs {
    int count;
    double s[SCENE_ITERATES * 2][SCENE_SIZE], y[SCENE_ITERATES * 2][SCENE_SIZE];
};

static double inner(int64_t n, const double *a, const double *b)
{
    long double sum = 0.0L;
    for (int64_t j = 0; j < n; j++) sum += (long double)a[j] * (long double)b[j];
    return (double)sum;
}

/* A point made by hand: x + s and grad f1 + y. */
static void feed_pair(struct scene *scene, const double *s, const double *y)
{
    for (int64_t j = 0; j < scene->size; j++) {
        scene->a->point.x[j] += s[j];
        scene->a->point.gradient1[j] += y[j];
    }
    scene->H->ops->update(scene->H, &scene->a->point, 1.0);
}

/* y = G s with G > 0, not constant from pair to pair: s'y > 0. Multiples of 2^-20, so that sums of them are exact. */
static void random_pair(int64_t n, struct rng *rng, double *s, double *y)
{
    double push = 0.25 * dcpn_rng_uniform(rng);
    for (int64_t j = 0; j < n; j++) s[j] = nearbyint(0x1p20 * dcpn_rng_normal(rng)) * 0x1p-20;
    for (int64_t j = 0; j < n; j++)
        y[j] = nearbyint(0x1p20 * ((1.0 + 0.5 * (double)j + push) * s[j] + 0.3 * s[(j + 1) % n])) * 0x1p-20;
}

static void sigma_of_last_pair(int64_t n, const struct pairs *pairs, double *B)
{
    const double *s = pairs->s[pairs->count - 1], *y = pairs->y[pairs->count - 1];
    for (int64_t i = 0; i < n * n; i++) B[i] = i % (n + 1) ? 0.0 : inner(n, y, y) / inner(n, s, y);
}

/* B <- B - B s s'B / s'B s + y y'/s'y, over the last `memory` pairs. */
static void textbook_bfgs(int64_t n, const struct pairs *pairs, int memory, double *B)
{
    int last = pairs->count - 1, first = pairs->count > memory ? pairs->count - memory : 0;
    double Bs[SCENE_SIZE];
    for (int k = first; k <= last; k++) {
        const double *s = pairs->s[k], *y = pairs->y[k];
        dense_product(n, B, s, Bs);
        double sBs = inner(n, s, Bs), sy = inner(n, s, y);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) B[i * n + j] += y[i] * y[j] / sy - Bs[i] * Bs[j] / sBs;
    }
}

/* Random pairs are well conditioned: rounding costs less than 1e5 EPS. */
static void check_against_textbook(struct scene *scene, const struct pairs *pairs, int memory, double *B)
{
    int64_t n = scene->size;
    textbook_bfgs(n, pairs, memory, B);
    matrix_of_metric(scene->H, scene->M);
    double m = scene->H->ops->lower_bound(scene->H), tolerance = 1e5 * EPS * largest_entry(n * n, B);
    for (int64_t i = 0; i < n * n; i++)
        assert_near(scene->M[i], B[i] + (i % (n + 1) ? 0.0 : m), tolerance, "memory %d, pair %d, entry %d", memory,
                    pairs->count - 1, (int)i);
}

/* At x = 0, updated once, with gradients whose sums are exact. */
static void begin_pairs(struct scene *scene, struct small_problem *data, const char *metric, int memory)
{
    begin_scene(scene, data, metric, memory);
    for (int64_t j = 0; j < scene->size; j++) scene->a->point.gradient1[j] = nearbyint(scene->a->point.gradient1[j]);
    scene->H->ops->prepare(scene->H);
    scene->H->ops->update(scene->H, &scene->a->point, 0.0);
}

/* By a step that leads coordinate 2 back to 0, if it is the sixth. */
static void feed_random_pair(struct scene *scene, struct rng *rng, struct pairs *pairs)
{
    int k = pairs->count++;
    random_pair(scene->size, rng, pairs->s[k], pairs->y[k]);
    if (k == 5) pairs->s[k][2] = -scene->a->point.x[2];
    feed_pair(scene, pairs->s[k], pairs->y[k]);
}

/* More pairs than the memory holds. */
static void lbfgs_is_the_textbook_recursion(void **state)
{
    (void)state;
    for (int memory = 1; memory <= 5; memory += 2) {
        struct small_problem data;
        struct scene scene;
        struct pairs pairs = {0};
        struct rng rng;
        double B[SCENE_SIZE * SCENE_SIZE];
        dcpn_rng_seed(&rng, 12);
        begin_pairs(&scene, &data, "lbfgs", memory);
        while (pairs.count < 2 * memory + 3) {
            feed_random_pair(&scene, &rng, &pairs);
            sigma_of_last_pair(scene.size, &pairs, B);
            check_against_textbook(&scene, &pairs, memory, B);
        }
        assert_int_equal(scene.H->safeguards, 0);
        end_scene(&scene, &data);
    }
}

/* Which coordinates have at least 0.02 of the largest |x_j| sqrt(H_jj). */
static void find_large(int64_t n, const double *x, const double *hessian, int *is_large)
{
    double weight[SCENE_SIZE], largest = 0.0;
    for (int64_t j = 0; j < n; j++) largest = fmax(largest, weight[j] = fabs(x[j]) * sqrt(hessian[j * n + j]));
    for (int64_t j = 0; j < n; j++) is_large[j] = weight[j] >= 0.02 * largest;
}

/* From its seventh update on: the Hessian where both coordinates are large, and the diagonal. The squared loss has one
 * Hessian. */
static void seeded_lbfgs_begins_with_the_hessian_of_large_coordinates(void **state)
{
    (void)state;
    struct small_problem data;
    struct scene scene;
    struct pairs pairs = {0};
    struct rng rng;
    double hessian[SCENE_SIZE * SCENE_SIZE], B[SCENE_SIZE * SCENE_SIZE];
    int is_large[SCENE_SIZE], memory = 3, seeded_at = 6;
    dcpn_rng_seed(&rng, 13);
    begin_pairs(&scene, &data, "seeded-lbfgs", memory);
    int64_t n = scene.size;
    naive_hessian1(&scene.F, NULL, hessian);
    while (pairs.count < 2 * seeded_at) {
        feed_random_pair(&scene, &rng, &pairs);
        if (pairs.count == seeded_at) find_large(n, scene.a->point.x, hessian, is_large);
        assert_true(pairs.count != seeded_at || !is_large[2]);
        sigma_of_last_pair(n, &pairs, B);
        for (int64_t i = 0; pairs.count >= seeded_at && i < n * n; i++)
            B[i] = i % (n + 1) == 0 ? hessian[i] * (1.0 + 1e-6) : is_large[i / n] && is_large[i % n] ? hessian[i] : 0.0;
        check_against_textbook(&scene, &pairs, memory, B);
    }
    end_scene(&scene, &data);
}

/* H s = y + m s for the newest pair, along real iterates, unless it was left out. */
static void check_secant(struct scene *scene)
{
    double s[SCENE_SIZE], y[SCENE_SIZE], Hs[SCENE_SIZE], m = scene->H->ops->lower_bound(scene->H);
    const struct point *point = &scene->a->point;
    int kept = scene->iterate > 0 && scene->H->safeguards == scene->safeguards_before;
    for (int64_t j = 0; j < scene->size; j++) {
        s[j] = point->x[j] - scene->x_before[j];
        y[j] = point->gradient1[j] - scene->gradient1_before[j];
        scene->x_before[j] = point->x[j];
        scene->gradient1_before[j] = point->gradient1[j];
    }
    scene->safeguards_before = scene->H->safeguards;
    if (!kept) return;
    dense_product(scene->size, scene->M, s, Hs);
    double length = sqrt(inner(scene->size, s, s)), high = scene->H->ops->upper_bound(scene->H);
    for (int64_t j = 0; j < scene->size; j++)
        assert_near(Hs[j], y[j] + m * s[j], 1e5 * EPS * high * length, "%s: (H s)_%d", scene->name, (int)j);
}

static void lbfgs_satisfies_the_secant_equation(void **state)
{
    (void)state;
    with_metric("lbfgs", 0, check_secant);
    with_metric("seeded-lbfgs", 0, check_secant);
}

/* y = s turned by a right angle in pairs of coordinates, and a share of s: s'y = share s's. */
static void turn(int64_t n, const double *s, double share, double *y)
{
    for (int64_t j = 0; j < n; j++) {
        double turned = j % 2 ? s[j - 1] : -(j + 1 < n ? s[j + 1] : 0.0);
        y[j] = turned + share * s[j];
    }
}

/* A pair without curvature is left out and counted; H stays what the other pairs make it. */
static void lbfgs_leaves_out_a_flat_pair(void **state)
{
    (void)state;
    const double shares[] = {0.0, 1e-10, -0.5};
    for (size_t k = 0; k < COUNT_OF(shares); k++) {
        struct small_problem data;
        struct scene scene;
        struct rng rng;
        double s[SCENE_SIZE], y[SCENE_SIZE], before[SCENE_SIZE * SCENE_SIZE];
        dcpn_rng_seed(&rng, 77);
        begin_scene(&scene, &data, "lbfgs", 5);
        random_pair(scene.size, &rng, s, y);
        feed_pair(&scene, s, y);
        matrix_of_metric(scene.H, before);
        turn(scene.size, s, shares[k], y);
        feed_pair(&scene, s, y);
        assert_int_equal(scene.H->safeguards, 1);
        matrix_of_metric(scene.H, scene.M);
        assert_memory_equal(before, scene.M, sizeof(double) * (size_t)(scene.size * scene.size));
        end_scene(&scene, &data);
    }
}

/* The same step over and over, with a curvature just above what is left out: the factor is singular in floating point,
 * old pairs are forgotten and counted, H stays positive definite. */
static void lbfgs_survives_dependent_pairs(void **state)
{
    (void)state;
    const double shares[] = {1.0, 1e-3, 2e-8};
    for (size_t c = 0; c < COUNT_OF(shares); c++) {
        struct small_problem data;
        struct scene scene;
        struct rng rng;
        double s[SCENE_SIZE], y[SCENE_SIZE];
        dcpn_rng_seed(&rng, 78);
        begin_scene(&scene, &data, "lbfgs", 5);
        snprintf(scene.name, sizeof scene.name, "lbfgs, the same step again, curvature %g", shares[c]);
        random_pair(scene.size, &rng, s, y);
        turn(scene.size, s, shares[c], y);
        for (int k = 0; k < 8; k++) {
            feed_pair(&scene, s, y);
            matrix_of_metric(scene.H, scene.M);
            check_bounds(&scene);
            check_symmetric(&scene);
        }
        assert_true(shares[c] > 1e-7 || scene.H->safeguards > 0);
        end_scene(&scene, &data);
    }
}

/* A second run starts from nothing. */
static void a_metric_prepared_again_forgets(void **state)
{
    (void)state;
    dcpn_part part;
    for (size_t i = 0; dcpn_part_at("metric", i, &part); i++) {
        struct small_problem data;
        struct scene scene;
        struct rng rng;
        double zero[SCENE_SIZE] = {0.0}, first[SCENE_SIZE * SCENE_SIZE];
        dcpn_rng_seed(&rng, 41);
        begin_scene(&scene, &data, part.name, 3);
        matrix_of_metric(scene.H, first);
        for (int k = 0; k < 8; k++) { /* seeded-lbfgs has its matrix then */
            move_randomly(&scene, &rng, 1.0);
            updated(&scene, 0.5);
        }
        go_to(scene.solver, zero);
        scene.H->ops->prepare(scene.H);
        updated(&scene, 0.0);
        matrix_of_metric(scene.H, scene.M);
        assert_memory_equal(first, scene.M, sizeof(double) * (size_t)(scene.size * scene.size));
        end_scene(&scene, &data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lbfgs_is_the_textbook_recursion),
        cmocka_unit_test(seeded_lbfgs_begins_with_the_hessian_of_large_coordinates),
        cmocka_unit_test(lbfgs_satisfies_the_secant_equation),
        cmocka_unit_test(lbfgs_leaves_out_a_flat_pair),
        cmocka_unit_test(lbfgs_survives_dependent_pairs),
        cmocka_unit_test(a_metric_prepared_again_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
