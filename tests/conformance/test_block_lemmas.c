/* SPDX-License-Identifier: BSD-3-Clause */
/* The lemmas of the paper where groups share penalties: they hold for any convex h1, and so for every kind of group,
 * penalty, loss, metric and subproblem solver that go together. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/vector.h"
#include "settings/registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/conformance_problem.h"
#include "support/one_score.h"

static const double EPS = DBL_EPSILON;
enum { MOST = 16, INNER = 20000 };

static const struct recipe RECIPES[] = {
    {.rows = 30, .features = 8, .seed = 31},
    {.rows = 40, .features = 8, .sparse = 1, .weights = 1, .offset = 1, .seed = 32},
};

/* Not contiguous, 5 and 7 in none; and the same with a root and a group within a group. */
static const int64_t start[] = {0, 2, 5, 6}, member[] = {0, 3, 6, 1, 4, 2};
static const int64_t tree_start[] = {0, 8, 10, 13, 15};
static const int64_t tree_member[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 3, 6, 1, 4, 1, 4};

static const struct kind {
    const char *grouping, *inner;
} kinds[] = {{"norm", "auto"}, {"sum", "auto"}, {"sum", "mcp"}, {"sparse", "auto"}, {"tree", "auto"}};

struct scene {
    dcpn_settings settings;
    struct small_problem data;
    dcpn_solver *solver;
    struct algorithm *a;
    int64_t size;
    char name[192];
};

typedef void scene_check(struct scene *scene);

static dcpn_settings settings_of(const char *loss, const char *penalty, const struct kind *kind)
{
    dcpn_settings settings = dcpn_settings_default();
    set_loss(&settings, loss, 1.0);
    settings.penalty = penalty;
    settings.grouping = kind->grouping;
    settings.inner_penalty = kind->inner;
    settings.mix = 0.4;
    settings.lambda = 1.0;
    settings.theta = 0.4;
    settings.shape_units = "raw";
    settings.eps = 0.1;
    settings.tol = 1e-5;
    settings.max_iter = 300000;
    settings.ridge = 0.1;
    return settings;
}

/* 1 if the combination is served. */
static int with_settings(const struct recipe *recipe, const dcpn_settings *settings, scene_check *check)
{
    struct scene scene = {.settings = *settings};
    int is_tree = strcmp(settings->grouping, "tree") == 0;
    make_problem(&scene.data, recipe, settings->loss);
    assert_int_equal(dcpn_problem_set_groups(scene.data.problem, is_tree ? 4 : 3, is_tree ? tree_start : start,
                                             is_tree ? tree_member : member, NULL),
                     DCPN_OK);
    scene.solver = solver_of(&scene.data, settings);
    int served = scene.solver != NULL;
    if (served) {
        scene.a = scene.solver->levels.all->algorithm;
        scene.size = scene.a->objective.size;
        snprintf(scene.name, sizeof scene.name, "%s %s %s %s %s %s", settings->loss, settings->penalty,
                 settings->grouping, settings->inner_penalty, settings->metric, settings->subsolver);
        check(&scene);
    }
    dcpn_solver_free(scene.solver);
    free_problem(&scene.data);
    return served;
}

/* Every kind, penalty, metric and subsolver; the loss goes round. */
static void on_every_combination(scene_check *check)
{
    dcpn_part loss, penalty, metric, subsolver;
    size_t losses = 0, turn = 0;
    int served = 0;
    while (dcpn_part_at("loss", losses, &loss) && has_one_score(&loss)) losses++;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t p = 0; dcpn_part_at("penalty", p, &penalty); p++)
            for (size_t m = 0; dcpn_part_at("metric", m, &metric); m++)
                for (size_t s = 0; dcpn_part_at("subsolver", s, &subsolver); s++)
                    for (int some = 0; some < 3; some++, turn++) {
                        int is_tree = strcmp(kinds[k].grouping, "tree") == 0;
                        if (is_tree && strcmp(subsolver.name, "coordinate-descent") == 0) continue; /* is refused */
                        dcpn_part_at("loss", turn % losses, &loss);
                        dcpn_settings settings = settings_of(loss.name, penalty.name, &kinds[k]);
                        settings.metric = metric.name;
                        settings.subsolver = subsolver.name;
                        served += with_settings(&RECIPES[turn % 2], &settings, check);
                    }
    assert_true(served > 300);
}

/* ---- Lemmas 2 and 3: D <= -d'Hd, and sufficient decrease for every t <= min(1, 2 m (1 - alpha) / L) ---- */

static void go_randomly(struct scene *scene, struct rng *rng, double length)
{
    double x[MOST];
    for (int64_t j = 0; j < scene->size; j++) x[j] = dcpn_rng_next(rng) % 3 ? length * dcpn_rng_normal(rng) : 0.0;
    go_to(scene->solver, x);
}

/* F(x + t d) - F(x) as the difference of two values. */
static double difference(const struct scene *scene, double t)
{
    struct objective *F = &scene->a->objective;
    double x[MOST], u[64];
    struct point there = {.x = x, .u = u};
    for (int64_t j = 0; j < scene->size; j++) x[j] = scene->a->point.x[j] + t * scene->a->direction.d[j];
    dcpn_point_evaluate(F, &there);
    return there.value - scene->a->point.value;
}

static void check_steps(struct scene *scene, struct rng *rng)
{
    struct algorithm *a = scene->a;
    struct direction_rule rule = {.share = 1e-12, .max_iterations = INNER};
    struct quadratic_model model = {a->H, a->v, a->point.x, &a->objective.penalty, scene->size, NULL, 0};
    double M[MOST * MOST], bound[MOST * MOST], *d = a->direction.d;
    dcpn_fill(scene->size, 0.0, d);
    a->subsolver->ops->prepare(a->subsolver);
    dcpn_direction(a->subsolver, &model, a->stationarity, &rule, &a->direction);
    matrix_of_metric(a->H, M);
    double D = a->direction.D, dHd = quadratic_form(scene->size, M, d);
    if (!(D < -1e-9)) return;
    assert_at_most(D, -dHd * (1.0 - 1e-6) + 1e-9, "%s: D and d'Hd", scene->name);
    const struct naive F = naive_of(&scene->data, &scene->settings);
    if (!F.loss->curvature1_sup) return;
    naive_hessian1(&F, NULL, bound);
    double m = eigenvalue_range(scene->size, M).least, L = eigenvalue_range(scene->size, bound).largest;
    double longest = fmin(1.0, 2.0 * m * (1.0 - a->rules.alpha) / L);
    dcpn_design_apply(&a->objective.design, d, a->du);
    for (int k = 0; k < 6; k++) {
        double t = k == 0 ? longest : longest * pow(10.0, -4.0 * dcpn_rng_uniform(rng));
        double change = dcpn_objective_change(&a->objective, &a->point, d, a->du, t);
        assert_near(change, difference(scene, t), 256.0 * EPS * (1.0 + fabs(a->point.value)) * (double)scene->data.rows,
                    "%s: change of F at t = %g", scene->name, t);
        assert_at_most(change, a->rules.alpha * t * D + 1e-9 * t * (1.0 + fabs(D)), "%s: change of F at t = %g of %g",
                       scene->name, t, longest);
    }
}

static void check_lemmas_2_and_3(struct scene *scene)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 41);
    go_randomly(scene, &rng, 0.0);
    scene->a->H->ops->prepare(scene->a->H);
    for (int k = 0; k < 4; k++) {
        scene->a->H->ops->update(scene->a->H, &scene->a->point, k == 0 ? 0.0 : 1.0);
        check_steps(scene, &rng);
        go_randomly(scene, &rng, k % 2 ? 1.0 : 0.1);
    }
}

static void lemmas_2_and_3_decrease_and_accepted_steps(void **state)
{
    (void)state;
    on_every_combination(check_lemmas_2_and_3);
}

/* ---- whole runs: F falls, each step as much as it has to ---- */

struct watcher {
    const struct scene *scene;
    double last;
    int64_t seen;
};

static int watch_decrease(void *user, const dcpn_progress *progress)
{
    struct watcher *watch = user;
    double noise = 256.0 * EPS * (1.0 + fabs(progress->objective)), alpha = watch->scene->settings.alpha;
    if (progress->k > 0 && progress->k == watch->seen + 1) {
        assert_true(progress->decrease < 0.0 && progress->step > 0.0);
        double most = watch->last + alpha * fmin(progress->step, 1.0) * progress->decrease + noise;
        assert_at_most(progress->objective, most, "%s: F at iteration %d", watch->scene->name, (int)progress->k);
    }
    watch->last = progress->objective;
    watch->seen = progress->k;
    return 0;
}

static void check_run(struct scene *scene)
{
    struct watcher watch = {scene, 0.0, -1};
    dcpn_solver_set_observer(scene->solver, watch_decrease, &watch);
    assert_int_equal(dcpn_solver_run(scene->solver), DCPN_OK);
    const dcpn_result *result = dcpn_solver_result(scene->solver);
    if (result->outcome != DCPN_CONVERGED)
        fail_msg("%s: %s after %lld iterations, stationarity %g of %g", scene->name, dcpn_outcome_name(result->outcome),
                 (long long)result->iterations, result->stationarity, result->stationarity_goal);
    assert_at_most(result->stationarity, result->stationarity_goal, "%s: stationarity", scene->name);
}

static void runs_decrease_and_end_at_a_stationary_point(void **state)
{
    (void)state;
    on_every_combination(check_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemmas_2_and_3_decrease_and_accepted_steps),
        cmocka_unit_test(runs_decrease_and_end_at_a_stationary_point),
    };
    return cmocka_run_group_tests_name("conformance.block_lemmas", tests, NULL, NULL);
}
