/* SPDX-License-Identifier: BSD-3-Clause */
/* One metric on one small problem, at some iterate. */
#include "support/conformance_scene.h"

#include <stdio.h>

#include "settings/registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/one_score.h"

static const struct recipe RECIPES[] = {
    {.rows = 30, .features = 7, .seed = 1},
    {.rows = 30, .features = 7, .sparse = 1, .weights = 1, .offset = 1, .factors = 1, .seed = 2},
    {.rows = 5, .features = 11, .weights = 1, .seed = 3},
    {.rows = 6, .features = 11, .sparse = 1, .seed = 4},
};

void move_randomly(struct scene *scene, struct rng *rng, double length)
{
    double x[SCENE_SIZE];
    for (int64_t j = 0; j < scene->size; j++) x[j] = scene->a->point.x[j] + length * dcpn_rng_normal(rng);
    go_to(scene->solver, x);
}

/* Along a few iterates, steps of different lengths and t as the line search may have had. */
static void along_iterates(struct scene *scene, scene_check *check)
{
    struct rng rng;
    double zero[SCENE_SIZE] = {0.0};
    dcpn_rng_seed(&rng, 99);
    go_to(scene->solver, zero);
    scene->H->ops->prepare(scene->H);
    for (int k = 0; k < SCENE_ITERATES; k++) {
        scene->H->ops->update(scene->H, &scene->a->point, k == 0 ? 0.0 : (k % 3 ? 1.0 : 0.5));
        matrix_of_metric(scene->H, scene->M);
        scene->iterate = k;
        check(scene);
        move_randomly(scene, &rng, k % 2 ? 0.3 : 0.01);
    }
}

static int on_problem(const struct recipe *recipe, const char *loss, dcpn_settings *settings, scene_check *check)
{
    struct small_problem data;
    make_problem(&data, recipe, loss);
    struct scene scene = {.data = &data, .solver = solver_of(&data, settings), .F = naive_of(&data, settings)};
    int served = scene.solver != NULL;
    if (served) {
        scene.a = scene.solver->levels.all->algorithm;
        scene.H = scene.a->H;
        scene.size = scene.a->objective.size;
        snprintf(scene.name, sizeof scene.name, "%s on %s, problem %d, intercept %d, ridge %g", settings->metric, loss,
                 (int)recipe->seed, settings->intercept, settings->ridge);
        along_iterates(&scene, check);
    }
    dcpn_solver_free(scene.solver);
    free_problem(&data);
    return served;
}

void with_metric(const char *metric, int majorize, scene_check *check)
{
    dcpn_part loss;
    int served = 0;
    for (size_t l = 0; dcpn_part_at("loss", l, &loss) && has_one_score(&loss); l++)
        for (size_t r = 0; r < COUNT_OF(RECIPES); r++) {
            dcpn_settings settings = dcpn_settings_default();
            settings.shape_units = "raw";
            set_loss(&settings, loss.name, 0.7);
            settings.metric = metric;
            settings.majorize = majorize;
            settings.intercept = r % 2 == 1;
            settings.ridge = r >= 2 ? 0.0 : 0.3 * (double)r;
            settings.memory = 3;
            served += on_problem(&RECIPES[r], loss.name, &settings, check);
        }
    assert_true(majorize || served > 0);
}

void on_every_metric(int majorize, scene_check *check)
{
    dcpn_part metric;
    size_t i = 0;
    for (; dcpn_part_at("metric", i, &metric); i++) with_metric(metric.name, majorize, check);
    assert_true(i > 0);
}

void begin_scene(struct scene *scene, struct small_problem *data, const char *metric, int64_t memory)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.shape_units = "raw";
    set_loss(&settings, "squared", 1.0);
    settings.metric = metric;
    settings.memory = memory;
    make_problem(data, &RECIPES[0], "squared");
    *scene = (struct scene){.data = data, .solver = solver_of(data, &settings), .F = naive_of(data, &settings)};
    scene->a = scene->solver->levels.all->algorithm;
    scene->H = scene->a->H;
    scene->size = scene->a->objective.size;
    double zero[SCENE_SIZE] = {0.0};
    go_to(scene->solver, zero);
    scene->H->ops->prepare(scene->H);
    scene->H->ops->update(scene->H, &scene->a->point, 0.0);
}

void end_scene(struct scene *scene, struct small_problem *data)
{
    dcpn_solver_free(scene->solver);
    free_problem(data);
}

double updated(struct scene *scene, double t)
{
    scene->H->ops->update(scene->H, &scene->a->point, t);
    return scene->H->ops->lower_bound(scene->H);
}

double product_rounding(const struct scene *scene)
{
    return 64.0 * DBL_EPSILON * scene->H->ops->upper_bound(scene->H);
}

void check_symmetric(struct scene *scene)
{
    int64_t n = scene->size;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            assert_near(scene->M[i * n + j], scene->M[j * n + i], product_rounding(scene), "%s: H[%d][%d]", scene->name,
                        (int)i, (int)j);
}

void check_bounds(struct scene *scene)
{
    struct range range = eigenvalue_range(scene->size, scene->M);
    double low = scene->H->ops->lower_bound(scene->H), high = scene->H->ops->upper_bound(scene->H);
    assert_true(low > 0.0 && isfinite(high));
    assert_true(range.least > 0.0);
    assert_at_most(low * (1.0 - 1e-6) - product_rounding(scene), range.least, "%s: smallest eigenvalue", scene->name);
    assert_at_most(range.largest, high * (1.0 + 1e-12), "%s: largest eigenvalue", scene->name);
}
