/* SPDX-License-Identifier: BSD-3-Clause */
/* Every subproblem solver of the registry with every metric: d = argmin 1/2 d'Hd + v'd + h1(x + d), checked with H as a
 * dense matrix, and the same d from every solver. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "settings/registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/conformance_problem.h"

static const double EPS = DBL_EPSILON;
static const double TOLERANCE = 1e-10;
enum { MOST = 16, MOST_SOLVERS = 8, ITERATIONS = 300000 };

static const struct recipe RECIPES[] = {
    {.rows = 40, .features = 6, .seed = 1},
    {.rows = 40, .features = 8, .sparse = 1, .weights = 1, .factors = 1, .seed = 2}, /* its second column is empty */
    {.rows = 6, .features = 11, .weights = 1, .seed = 3},
};

/* One model, with every solver that serves it. */
struct scene {
    dcpn_solver *solvers[MOST_SOLVERS];
    int count;
    int64_t size;
    char name[160];
};

typedef void scene_check(const struct scene *scene);

/* All solvers of a scene stand at the same x with the same H: each has a metric of its own, fed alike. */
static void walk_to(struct scene *scene, uint64_t seed, int iterates)
{
    for (int s = 0; s < scene->count; s++) {
        struct algorithm *a = scene->solvers[s]->levels.all->algorithm;
        double x[MOST] = {0.0};
        struct rng rng;
        dcpn_rng_seed(&rng, seed);
        go_to(scene->solvers[s], x);
        a->H->ops->prepare(a->H);
        a->subsolver->ops->prepare(a->subsolver);
        for (int k = 0; k < iterates; k++) {
            a->H->ops->update(a->H, &a->point, k == 0 ? 0.0 : 1.0);
            if (k == iterates - 1) break;
            for (int64_t j = 0; j < scene->size; j++) x[j] = j % 3 == k % 3 ? 0.0 : x[j] + 0.4 * dcpn_rng_normal(&rng);
            go_to(scene->solvers[s], x);
        }
    }
}

static void on_problem(const struct recipe *recipe, dcpn_settings *settings, scene_check *check, int *served)
{
    struct small_problem data;
    struct scene scene = {0};
    dcpn_part part;
    make_problem(&data, recipe, settings->loss);
    for (size_t i = 0; dcpn_part_at("subsolver", i, &part); i++) {
        settings->subsolver = part.name;
        assert_true(scene.count < MOST_SOLVERS);
        scene.solvers[scene.count] = solver_of(&data, settings);
        scene.count += scene.solvers[scene.count] != NULL;
    }
    *served += scene.count;
    for (int iterates = 1; iterates <= 5 && scene.count > 0; iterates += 2) {
        scene.size = scene.solvers[0]->levels.all->algorithm->objective.size;
        snprintf(scene.name, sizeof scene.name, "%s, %s, %s, problem %d, iterate %d", settings->metric, settings->loss,
                 settings->penalty, (int)recipe->seed, iterates);
        walk_to(&scene, 17 + recipe->seed, iterates);
        check(&scene);
    }
    for (int s = 0; s < scene.count; s++) dcpn_solver_free(scene.solvers[s]);
    free_problem(&data);
}

static void on_every_model(scene_check *check)
{
    static const char *const penalties[] = {"l1", "capped-l1"};
    static const char *const losses[] = {"logistic", "smooth-ramp", "squared"};
    dcpn_part metric;
    int served = 0;
    for (size_t m = 0; dcpn_part_at("metric", m, &metric); m++)
        for (size_t r = 0; r < COUNT_OF(RECIPES); r++)
            for (size_t k = 0; k < COUNT_OF(losses); k++) {
                dcpn_settings settings = dcpn_settings_default();
                set_loss(&settings, losses[k], 0.7);
                settings.penalty = penalties[k % 2];
                settings.metric = metric.name;
                settings.lambda = 2.0;
                settings.theta = 0.3;
                settings.intercept = r == 0;
                settings.ridge = r == 2 ? 0.5 : 0.0; /* fewer rows than columns: without it H is 1e-8 in places */
                on_problem(&RECIPES[r], &settings, check, &served);
            }
    assert_true(served > 0);
}

static struct quadratic_model model_of(const struct algorithm *a)
{
    return (struct quadratic_model){a->H, a->v, a->point.x, &a->objective.penalty, a->objective.size, NULL, 0};
}

static int64_t solve(dcpn_solver *solver, double tolerance, double *d)
{
    struct algorithm *a = solver->levels.all->algorithm;
    struct quadratic_model model = model_of(a);
    return a->subsolver->ops->solve(a->subsolver, &model, tolerance, ITERATIONS, d);
}

/* D <= -d'Hd (the paper's second lemma). If 0 is within e of v + Hd + dh1 then D <= -d'Hd + e |d|_1. */
static void check_lemma_2(const char *name, struct algorithm *a, const double *M, const double *d, double violation)
{
    struct quadratic_model model = model_of(a);
    double D = dcpn_predicted_decrease(&model, d), length = 0.0, dHd = quadratic_form(a->objective.size, M, d);
    for (int64_t j = 0; j < a->objective.size; j++) length += fabs(d[j]);
    assert_at_most(D, -dHd + violation * length + 64.0 * EPS * (dHd + length * largest_entry(a->objective.size, a->v)),
                   "%s: D", name);
}

/* A solver stops when the violations that it sees before its last move are within the tolerance. That move s is then no
 * longer than the tolerance over the curvature L that it was made with, at least the smallest of H, and changes the
 * violation by at most |Hs| <= sqrt(n |H| / L) tolerance, or, coordinate by coordinate, n sqrt(|H| / L) tolerance. */
static double reached(const struct range *range, int64_t n)
{
    return TOLERANCE * (1.0 + (double)n * sqrt(range->largest / range->least));
}

static void check_solution(const struct scene *scene, int s, const char *start, double *d)
{
    struct algorithm *a = scene->solvers[s]->levels.all->algorithm;
    double M[MOST * MOST];
    char name[256];
    matrix_of_metric(a->H, M);
    snprintf(name, sizeof name, "%s with %s, %s", a->subsolver->ops->name, scene->name, start);
    struct range range = eigenvalue_range(scene->size, M);
    int64_t iterations = solve(scene->solvers[s], TOLERANCE, d);
    /* An empty column is flat but for mu: a first-order method from elsewhere needs |H| / mu iterations. */
    if (iterations == ITERATIONS && range.largest / range.least > ITERATIONS) return;
    assert_at_most((double)iterations, ITERATIONS - 1, "%s: iterations", name);
    double violation = model_violation(a, M, d), rounding = model_rounding(a, M, d);
    assert_at_most(violation, reached(&range, scene->size) + rounding, "%s: violation", name);
    check_lemma_2(name, a, M, d, violation + rounding);
}

/* H >= m I: two points with violations e1 and e2 are within sqrt(n) (e1 + e2) / m of each other. */
static void check_agreement(const struct scene *scene)
{
    double d[MOST_SOLVERS][MOST] = {{0.0}}, M[MOST * MOST];
    int64_t n = scene->size;
    for (int s = 0; s < scene->count; s++) {
        struct algorithm *a = scene->solvers[s]->levels.all->algorithm;
        check_solution(scene, s, "from 0", d[s]);
        matrix_of_metric(a->H, M);
        struct range range = eigenvalue_range(n, M);
        double error = 2.0 * (reached(&range, n) + model_rounding(a, M, d[s]));
        for (int64_t j = 0; j < n; j++)
            assert_near(d[s][j], d[0][j], sqrt((double)n) * error / range.least, "%s with %s: d_%d",
                        a->subsolver->ops->name, scene->name, (int)j);
    }
}

static void solvers_reach_the_tolerance_and_agree(void **state)
{
    (void)state;
    on_every_model(check_agreement);
}

static void check_warm_starts(const struct scene *scene)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 4);
    for (int s = 0; s < scene->count; s++) {
        const struct algorithm *a = scene->solvers[s]->levels.all->algorithm;
        double far_away[MOST], against[MOST];
        for (int64_t j = 0; j < scene->size; j++) {
            far_away[j] = 3.0 * dcpn_rng_normal(&rng);
            against[j] = -a->point.x[j]; /* x + d = 0 */
        }
        check_solution(scene, s, "from far away", far_away);
        check_solution(scene, s, "from x + d = 0", against);
    }
}

static void any_start_leads_to_the_solution(void **state)
{
    (void)state;
    on_every_model(check_warm_starts);
}

/* From the solution: it stays, up to the tolerance over the smallest curvature, in a sweep or two. */
static void check_solved_start(const struct scene *scene)
{
    for (int s = 0; s < scene->count; s++) {
        struct algorithm *a = scene->solvers[s]->levels.all->algorithm;
        double d[MOST] = {0.0}, again[MOST], M[MOST * MOST];
        check_solution(scene, s, "from 0", d);
        memcpy(again, d, sizeof d);
        int64_t iterations = solve(scene->solvers[s], TOLERANCE, again);
        matrix_of_metric(a->H, M);
        struct range range = eigenvalue_range(scene->size, M);
        double error =
            sqrt((double)scene->size) * 2.0 * (reached(&range, scene->size) + model_rounding(a, M, d)) / range.least;
        for (int64_t j = 0; j < scene->size; j++)
            assert_near(again[j], d[j], error, "%s with %s: d_%d again", a->subsolver->ops->name, scene->name, (int)j);
        assert_at_most((double)iterations, 1000.0, "%s with %s: iterations from the solution", a->subsolver->ops->name,
                       scene->name);
    }
}

static void a_solved_start_stays(void **state)
{
    (void)state;
    on_every_model(check_solved_start);
}

/* v = 0 and x = 0: d = 0 is the solution, exactly. */
static void check_nothing_to_do(const struct scene *scene)
{
    for (int s = 0; s < scene->count; s++) {
        struct algorithm *a = scene->solvers[s]->levels.all->algorithm;
        double d[MOST] = {0.0};
        memset(a->v, 0, (size_t)scene->size * sizeof *a->v);
        memset(a->point.x, 0, (size_t)scene->size * sizeof *a->v);
        assert_at_most((double)solve(scene->solvers[s], TOLERANCE, d), 2.0, "%s with %s: iterations at the solution",
                       a->subsolver->ops->name, scene->name);
        for (int64_t j = 0; j < scene->size; j++) assert_true(d[j] == 0.0);
    }
}

static void without_a_slope_nothing_moves(void **state)
{
    (void)state;
    on_every_model(check_nothing_to_do);
}

/* The iterations asked for are the most that are made, and each lowers the model or leaves it. */
static double model_value(struct algorithm *a, const double *M, const double *d)
{
    struct quadratic_model model = model_of(a);
    return 0.5 * quadratic_form(a->objective.size, M, d) + dcpn_predicted_decrease(&model, d);
}

static void check_limit(const struct scene *scene)
{
    for (int s = 0; s < scene->count; s++) {
        struct algorithm *a = scene->solvers[s]->levels.all->algorithm;
        struct quadratic_model model = model_of(a);
        double M[MOST * MOST], before = 0.0;
        int momentum = strcmp(a->subsolver->ops->name, "fista") == 0; /* it may rise in between */
        matrix_of_metric(a->H, M);
        for (int64_t limit = 1; limit <= 6; limit++) {
            double d[MOST] = {0.0};
            a->subsolver->ops->prepare(a->subsolver);
            int64_t made = a->subsolver->ops->solve(a->subsolver, &model, 0.0, limit, d);
            assert_at_most((double)made, (double)limit, "%s with %s: iterations", a->subsolver->ops->name, scene->name);
            double value = model_value(a, M, d),
                   noise =
                       64.0 * EPS * (fabs(before) + largest_entry(scene->size, a->v) * largest_entry(scene->size, d));
            assert_at_most(value, (momentum ? 0.0 : before) + noise, "%s with %s: model after %d iterations",
                           a->subsolver->ops->name, scene->name, (int)limit);
            before = value;
        }
    }
}

static void the_limit_holds_and_the_model_falls(void **state)
{
    (void)state;
    on_every_model(check_limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_reach_the_tolerance_and_agree),
        cmocka_unit_test(any_start_leads_to_the_solution),
        cmocka_unit_test(a_solved_start_stays),
        cmocka_unit_test(without_a_slope_nothing_moves),
        cmocka_unit_test(the_limit_holds_and_the_model_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
