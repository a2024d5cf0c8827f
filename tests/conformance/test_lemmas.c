/* SPDX-License-Identifier: BSD-3-Clause */
/* The lemmas and propositions of the paper as properties, over every loss, penalty, metric and subproblem solver of the
 * registries that go together. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/vector.h"
#include "settings/registry.h"
#include "support/one_score.h"
#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/conformance_problem.h"

static const double EPS = DBL_EPSILON;
enum { MOST = 16, INNER = 20000 };

static const struct recipe RECIPES[] = {
    {.rows = 30, .features = 6, .seed = 1},
    {.rows = 40, .features = 8, .sparse = 1, .weights = 1, .offset = 1, .factors = 1, .seed = 2},
};

/* One combination of parts on one problem. */
struct scene {
    struct small_problem data;
    dcpn_settings settings;
    dcpn_solver *solver;
    struct algorithm *a;
    struct naive F;
    int64_t size;
    char name[192];
};

typedef void scene_check(struct scene *scene);

static dcpn_settings plain_settings(const char *loss, const char *penalty)
{
    dcpn_settings settings = dcpn_settings_default();
    set_loss(&settings, loss, 1.0);
    settings.penalty = penalty;
    settings.lambda = 1.0;
    settings.theta = 0.4;
    settings.shape_units = "raw";
    settings.eps = 0.1;
    settings.tol = 1e-6;
    settings.max_iter = 300000; /* identity under --majorize: the curvature may be the ridge alone */
    return settings;
}

static void look_at(struct scene *scene)
{
    scene->a = scene->solver->levels.all->algorithm;
    scene->size = scene->a->objective.size;
    scene->F = naive_of(&scene->data, &scene->settings);
    snprintf(scene->name, sizeof scene->name, "%s %s %s %s, intercept %d, ridge %g", scene->settings.loss,
             scene->settings.penalty, scene->a->H->ops->name, scene->a->subsolver->ops->name, scene->settings.intercept,
             scene->settings.ridge);
}

/* 1 if the combination is served. */
static int with_settings(const struct recipe *recipe, const dcpn_settings *settings, scene_check *check)
{
    struct scene scene = {.settings = *settings};
    make_problem(&scene.data, recipe, settings->loss);
    scene.solver = solver_of(&scene.data, settings);
    int served = scene.solver != NULL;
    if (served) {
        /* the solver's x is that of labels without their median */
        for (int64_t i = 0; i < scene.data.rows; i++) scene.data.y[i] -= scene.solver->plan->targets.middle;
        look_at(&scene);
        check(&scene);
    }
    dcpn_solver_free(scene.solver);
    free_problem(&scene.data);
    return served;
}

/* Every loss with every penalty, metric and subsolver; the second recipe with an intercept. */
static void on_every_combination(int majorize, scene_check *check)
{
    dcpn_part loss, penalty, metric, subsolver;
    int served = 0;
    for (size_t l = 0; dcpn_part_at("loss", l, &loss) && has_one_score(&loss); l++)
        for (size_t p = 0; dcpn_part_at("penalty", p, &penalty); p++)
            for (size_t m = 0; dcpn_part_at("metric", m, &metric); m++)
                for (size_t s = 0; dcpn_part_at("subsolver", s, &subsolver); s++) {
                    size_t r = (l + p + m + s) % COUNT_OF(RECIPES);
                    dcpn_settings settings = plain_settings(loss.name, penalty.name);
                    settings.metric = metric.name;
                    settings.subsolver = subsolver.name;
                    settings.majorize = majorize;
                    settings.intercept = r == 1;
                    settings.ridge = r == 1 ? 0.05 : 0.2; /* without it F may fall for ever on separable rows */
                    served += with_settings(&RECIPES[r], &settings, check);
                }
    assert_true(served > 0);
}

/* M = H at the point where the solver stands, and d, D solved as far as it goes. Returns how far d is from the
 * solution. */
static double exact_direction(struct scene *scene, double *M)
{
    struct algorithm *a = scene->a;
    struct direction_rule rule = {.share = 1e-12, .max_iterations = INNER};
    struct quadratic_model model = {a->H, a->v, a->point.x, &a->objective.penalty, scene->size, NULL, 0};
    dcpn_fill(scene->size, 0.0, a->direction.d);
    a->subsolver->ops->prepare(a->subsolver);
    dcpn_direction(a->subsolver, &model, a->stationarity, &rule, &a->direction);
    matrix_of_metric(a->H, M);
    return model_violation(a, M, a->direction.d) + model_rounding(a, M, a->direction.d);
}

static void go_randomly(struct scene *scene, struct rng *rng, double length)
{
    double x[MOST];
    for (int64_t j = 0; j < scene->size; j++)
        x[j] = dcpn_rng_next(rng) % 3 ? scene->a->point.x[j] + length * dcpn_rng_normal(rng) : 0.0;
    go_to(scene->solver, x);
}

static double length_1(int64_t n, const double *d)
{
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++) sum += fabs(d[j]);
    return sum;
}

/* ---- Lemma 1: d = 0 if and only if x is stationary ---- */

/* u with |phi'(u; y)| = size, on the side where y says so; 0 if there is none. */
static int find_margin(const struct naive *F, double y, double target, double *u)
{
    const double one = 1.0;
    dcpn_loss row = {.ops = F->loss, .rows = 1, .y = &y, .w = &one, .parameter = F->parameter, .second = F->second};
    double r1, r2 = 0.0, before = 0.0, previous = -30.0;
    for (int k = 0; k <= 600; k++) {
        double at = -30.0 + 0.1 * k;
        F->loss->slope1(&row, 0, 1, &at, &r1);
        if (F->loss->slope2) F->loss->slope2(&row, 0, 1, &at, &r2);
        double gap = r1 - r2 - target;
        if (k > 0 && (gap > 0.0) != (before > 0.0)) {
            double low = previous, high = at; /* gap has the sign of `before` at low */
            for (int halving = 0; halving < 200; halving++) {
                double middle = 0.5 * (low + high);
                F->loss->slope1(&row, 0, 1, &middle, &r1);
                if (F->loss->slope2) F->loss->slope2(&row, 0, 1, &middle, &r2);
                *((r1 - r2 - target > 0.0) == (before > 0.0) ? &low : &high) = middle;
            }
            *u = low;
            return 1;
        }
        before = gap;
        previous = at;
    }
    return 0;
}

/* A square, well conditioned A; r = A^-T (-p'(|x*|) sign x*, or within c at 0); offsets that make phi'(u_i) = r_i. Then
 * grad f(x*) = A'r makes x* stationary by construction. */
static void plant(struct scene *scene, const double *x)
{
    enum { N = 7 };
    static const struct recipe square = {.rows = N, .features = N, .seed = 6};
    struct small_problem *data = &scene->data;
    struct rng rng;
    double transposed[N * N], g[N], r[N];
    dcpn_rng_seed(&rng, 21);
    make_problem(data, &square, scene->settings.loss);
    scene->F = naive_of(data, &scene->settings);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) data->A[i * N + j] = transposed[j * N + i] = (i == j) + 0.1 * dcpn_rng_normal(&rng);
    for (int j = 0; j < N; j++) {
        double c = scene->F.penalty->slope0(&scene->F.shape, scene->settings.lambda);
        double slope =
            x[j] == 0.0 ? 0.0 : scene->F.penalty->slope(&scene->F.shape, scene->settings.lambda, fabs(x[j]), DCPN_LEFT);
        g[j] = x[j] == 0.0 ? (1.8 * dcpn_rng_uniform(&rng) - 0.9) * c : -copysign(slope, x[j]);
    }
    solve_dense(N, transposed, g, r);
    for (int i = 0; i < N; i++) {
        double u = 0.0, without = 0.0;
        if (scene->F.loss->targets == DCPN_CLASSES) data->y[i] = r[i] > 0.0 ? -1.0 : 1.0;
        if (!find_margin(&scene->F, data->y[i], r[i], &u))
            fail_msg("no margin has the slope %g of %s", r[i], scene->settings.loss);
        for (int j = 0; j < N; j++) without += data->A[i * N + j] * x[j];
        data->offset[i] = u - without;
    }
}

static void check_planted(const dcpn_settings *settings)
{
    static const double planted[] = {0.0, 1.3, -0.9, 0.0, 0.02, 0.0, -0.06};
    struct scene scene = {.settings = *settings};
    double M[MOST * MOST];
    plant(&scene, planted);
    scene.solver = solver_of(&scene.data, settings);
    if (scene.solver) {
        look_at(&scene);
        go_to(scene.solver, planted);
        scene.a->H->ops->prepare(scene.a->H);
        scene.a->H->ops->update(scene.a->H, &scene.a->point, 0.0);
        double noise = 64.0 * EPS * (1.0 + dcpn_penalty_reference_slope(&scene.a->objective.penalty));
        assert_at_most(scene.a->stationarity, noise, "%s: stationarity of a planted point", scene.name);
        exact_direction(&scene, M);
        double least = eigenvalue_range(scene.size, M).least;
        assert_at_most(dcpn_norm2(scene.size, scene.a->direction.d), 4.0 * (double)scene.size * noise / least,
                       "%s: |d| at a planted point", scene.name);
        for (int64_t j = 0; j < scene.size; j++) { /* and not beside it: in each coordinate, on both sides */
            double beside[MOST];
            memcpy(beside, planted, sizeof planted);
            beside[j] += j % 2 ? 0.01 : -0.01;
            go_to(scene.solver, beside);
            scene.a->H->ops->update(scene.a->H, &scene.a->point, 1.0);
            if (scene.a->stationarity <= 1e-6) continue; /* flat penalty and flat loss */
            exact_direction(&scene, M);
            assert_true(scene.a->direction.D < 0.0);
            assert_at_most(scene.a->stationarity * 1e-3 / eigenvalue_range(scene.size, M).largest,
                           dcpn_norm2(scene.size, scene.a->direction.d), "%s: |d| beside a planted point", scene.name);
        }
    }
    dcpn_solver_free(scene.solver);
    free_problem(&scene.data);
}

static void lemma_1_the_direction_is_0_exactly_at_stationary_points(void **state)
{
    (void)state;
    dcpn_part loss, penalty, metric, subsolver;
    for (size_t l = 0; dcpn_part_at("loss", l, &loss) && has_one_score(&loss); l++)
        for (size_t p = 0; dcpn_part_at("penalty", p, &penalty); p++)
            for (size_t m = 0; dcpn_part_at("metric", m, &metric); m++)
                for (size_t s = 0; dcpn_part_at("subsolver", s, &subsolver); s++) {
                    dcpn_settings settings = plain_settings(loss.name, penalty.name);
                    settings.lambda = 0.04;
                    settings.theta = 0.5;
                    settings.metric = metric.name;
                    settings.subsolver = subsolver.name;
                    check_planted(&settings);
                }
}

/* ---- Lemmas 2 and 3 ---- */

/* F(x + t d) - F(x) by terms that do not cancel, against the difference of two values from the raw arrays. */
static void check_change(const struct scene *scene, double t, double change)
{
    const struct point *point = &scene->a->point;
    double there[MOST];
    for (int64_t j = 0; j < scene->size; j++) there[j] = point->x[j] + t * scene->a->direction.d[j];
    double before = naive_value(&scene->F, point->x), after = naive_value(&scene->F, there);
    double noise = 64.0 * EPS * (1.0 + fabs(before) + fabs(after)) * (double)scene->data.rows;
    assert_near(point->value, before, noise, "%s: F", scene->name);
    assert_near(change, after - before, noise, "%s: change of F at t = %g", scene->name, t);
}

/* Without a bound on the curvature of the loss: the sum of what it is at five points of the step. */
static void bound_of_hessian(const struct scene *scene, const double *d, double *bound)
{
    double there[MOST], M[MOST * MOST];
    naive_hessian1(&scene->F, NULL, bound);
    if (scene->F.loss->curvature1_sup) return;
    for (int64_t j = 0; j < scene->size * scene->size; j++) bound[j] = 0.0;
    for (int k = 0; k <= 4; k++) {
        for (int64_t j = 0; j < scene->size; j++) there[j] = scene->a->point.x[j] + 0.25 * k * d[j];
        naive_hessian1(&scene->F, there, M);
        for (int64_t j = 0; j < scene->size * scene->size; j++) bound[j] += M[j];
    }
}

/* D <= -d'Hd, and F(x + t d) - F(x) <= alpha t D for every t <= min(1, 2 m (1 - alpha) / L), m the smallest eigenvalue
 * of H and L the largest of the bound on the Hessian of f1. A violation e of the optimality of d adds e |d|_1. */
static void check_steps(struct scene *scene, struct rng *rng)
{
    struct algorithm *a = scene->a;
    double M[MOST * MOST], bound[MOST * MOST], *d = a->direction.d;
    double left = exact_direction(scene, M) * length_1(scene->size, d), D = a->direction.D;
    double dHd = quadratic_form(scene->size, M, d),
           noise = 64.0 * EPS * (fabs(D) + dHd + largest_entry(scene->size, a->v) * length_1(scene->size, d));
    if (!(D < 0.0)) return;
    assert_at_most(D, -dHd + left + noise, "%s: D and d'Hd", scene->name);
    bound_of_hessian(scene, d, bound);
    double m = eigenvalue_range(scene->size, M).least, L = eigenvalue_range(scene->size, bound).largest;
    double longest = fmin(1.0, 2.0 * m * (1.0 - a->rules.alpha) / L);
    dcpn_design_apply(&a->objective.design, d, a->du);
    for (int k = 0; k < 12; k++) {
        double t = k == 0 ? longest : longest * pow(10.0, -6.0 * dcpn_rng_uniform(rng));
        double change = dcpn_objective_change(&a->objective, &a->point, d, a->du, t);
        check_change(scene, t, change);
        assert_at_most(change, a->rules.alpha * t * D + t * (left + noise), "%s: change of F at t = %g of %g",
                       scene->name, t, longest);
    }
}

static void check_lemmas_2_and_3(struct scene *scene)
{
    struct rng rng;
    double zero[MOST] = {0.0};
    dcpn_rng_seed(&rng, 14);
    go_to(scene->solver, zero);
    scene->a->H->ops->prepare(scene->a->H);
    for (int k = 0; k < 6; k++) {
        scene->a->H->ops->update(scene->a->H, &scene->a->point, k == 0 ? 0.0 : 1.0);
        check_steps(scene, &rng);
        go_randomly(scene, &rng, k % 2 ? 1.0 : 0.1);
    }
}

static void lemmas_2_and_3_decrease_and_accepted_steps(void **state)
{
    (void)state;
    on_every_combination(0, check_lemmas_2_and_3);
}

/* ---- whole runs ---- */

struct watcher {
    const struct scene *scene;
    double last;
    int64_t seen;
};

/* F never increases, and each step has its sufficient decrease. */
static int watch_decrease(void *user, const dcpn_progress *progress)
{
    struct watcher *watch = user;
    double noise = 64.0 * EPS * (1.0 + fabs(progress->objective)), alpha = watch->scene->settings.alpha;
    if (progress->k > 0 && progress->k == watch->seen + 1) {
        assert_true(progress->decrease < 0.0 && progress->step > 0.0 && progress->step <= 1.0);
        assert_at_most(progress->objective, watch->last + alpha * progress->step * progress->decrease + noise,
                       "%s: F at iteration %d", watch->scene->name, (int)progress->k);
    }
    watch->last = progress->objective;
    watch->seen = progress->k;
    return 0;
}

/* The final point from the raw arrays. Rounding: n terms of the size of the slopes. */
static void check_certificate(const struct scene *scene)
{
    const dcpn_result *result = dcpn_solver_result(scene->solver);
    double x[MOST], stationarity, value;
    memcpy(x, dcpn_solver_coefficients(scene->solver), (size_t)scene->data.features * sizeof *x);
    if (scene->settings.intercept)
        x[scene->data.features] = dcpn_solver_intercept(scene->solver) - scene->solver->plan->targets.middle;
    stationarity = naive_stationarity(&scene->F, x);
    value = naive_value(&scene->F, x);
    double slopes = 1.0 + largest_entry(scene->data.rows, scene->data.y) * 10.0;
    double noise = 64.0 * EPS * (double)scene->data.rows *
                   largest_entry(scene->data.rows * scene->data.features, scene->data.A) * slopes;
    assert_near(result->stationarity, stationarity, noise, "%s: stationarity", scene->name);
    assert_near(result->objective, value, 64.0 * EPS * (1.0 + fabs(value)) * (double)scene->data.rows, "%s: F",
                scene->name);
    assert_near(result->penalty_value, naive_h(&scene->F, x), 64.0 * EPS * (1.0 + fabs(value)), "%s: h", scene->name);
    assert_near(result->loss_value + result->penalty_value, result->objective, 4.0 * EPS * (1.0 + fabs(value)),
                "%s: f + h", scene->name);
}

static void check_run(struct scene *scene)
{
    struct watcher watch = {scene, 0.0, -1};
    dcpn_solver_set_observer(scene->solver, watch_decrease, &watch);
    assert_int_equal(dcpn_solver_run(scene->solver), DCPN_OK);
    const dcpn_result *result = dcpn_solver_result(scene->solver);
    check_certificate(scene);
    if (result->outcome != DCPN_CONVERGED)
        fail_msg("%s: %s after %lld iterations, stationarity %g of %g", scene->name, dcpn_outcome_name(result->outcome),
                 (long long)result->iterations, result->stationarity, result->stationarity_goal);
    assert_at_most(result->stationarity, result->stationarity_goal, "%s: stationarity", scene->name);
}

static void runs_decrease_and_end_at_a_stationary_point(void **state)
{
    (void)state;
    on_every_combination(0, check_run);
}

/* ---- Proposition 2 ---- */

/* f1(z) <= f1(x) + grad f1(x)'(z - x) + 1/2 |z - x|_H^2 at the point z = x + d of an iteration */
static void check_majorised(const struct scene *scene, const double *M, const double *x, const double *z)
{
    double gradient[MOST], d[MOST], linear = 0.0;
    naive_gradient1(&scene->F, x, gradient);
    for (int64_t j = 0; j < scene->size; j++) linear += gradient[j] * (d[j] = z[j] - x[j]);
    double here = naive_f1(&scene->F, x), there = naive_f1(&scene->F, z);
    double noise = 64.0 * EPS * (1.0 + fabs(here) + fabs(there) + fabs(linear));
    assert_at_most(there, here + linear + 0.5 * quadratic_form(scene->size, M, d) + noise, "%s: f1 and its majorant",
                   scene->name);
}

/* One iteration, looked at from outside: H_k majorises f1 and F(x_{k+1}) <= (1 - a) F(x_k) + a F(z_k). With a direction
 * solved to nearly nothing the first trial, t = 1, is taken. */
static void check_iteration(struct scene *scene, int exact)
{
    struct algorithm *a = scene->a;
    double x[MOST], z[MOST], M[MOST * MOST], share = scene->settings.alpha;
    memcpy(x, a->point.x, (size_t)scene->size * sizeof *x);
    assert_true(a->ops->step(a));
    for (int64_t j = 0; j < scene->size; j++) z[j] = a->point.x[j] + a->direction.d[j]; /* d (1 - t) is left */
    matrix_of_metric(a->H, M);
    check_majorised(scene, M, x, z);
    double before = naive_value(&scene->F, x), at_z = naive_value(&scene->F, z),
           after = naive_value(&scene->F, a->point.x);
    double noise = 256.0 * EPS * (1.0 + fabs(before) + fabs(at_z));
    assert_at_most(after, (1.0 - share) * before + share * at_z + noise, "%s: F(x_k+1) between F(x_k) and F(z_k)",
                   scene->name);
    if (exact) assert_true(a->search.t == 1.0);
    dcpn_algorithm_look(a);
}

static void check_proposition_2(struct scene *scene)
{
    struct algorithm *a = scene->a;
    for (int exact = 0; exact <= 1; exact++) {
        double zero[MOST] = {0.0};
        go_to(scene->solver, zero);
        double goal = 1e-5 * fmax(a->stationarity, 1e-3);
        a->rules.direction = (struct direction_rule){exact ? 1e-10 : 0.1, exact ? INNER : 200};
        a->ops->start(a, &(struct effort){.goal = goal});
        dcpn_algorithm_look(a);
        for (int k = 0; k < 60 && a->stationarity > goal; k++) check_iteration(scene, exact);
    }
}

static void proposition_2_conditions_hold_under_majorize(void **state)
{
    (void)state;
    on_every_combination(1, check_proposition_2);
}

static void majorized_runs_end_at_a_stationary_point(void **state)
{
    (void)state;
    on_every_combination(1, check_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemma_1_the_direction_is_0_exactly_at_stationary_points),
        cmocka_unit_test(lemmas_2_and_3_decrease_and_accepted_steps),
        cmocka_unit_test(runs_decrease_and_end_at_a_stationary_point),
        cmocka_unit_test(proposition_2_conditions_hold_under_majorize),
        cmocka_unit_test(majorized_runs_end_at_a_stationary_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
