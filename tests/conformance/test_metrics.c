/* SPDX-License-Identifier: BSD-3-Clause */
/* Every metric of the registry on small problems: symmetric, positive, within its bounds, consistent with its diagonal
 * and its walk, and what its formula says. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_dense.h"
#include "support/conformance_problem.h"

static const double EPS = DBL_EPSILON;
enum { MOST = 16, MOST_ROWS = 200, ITERATES = 9 };

static const struct recipe RECIPES[] = {
    {.rows = 30, .features = 7, .seed = 1},
    {.rows = 30, .features = 7, .sparse = 1, .weights = 1, .offset = 1, .factors = 1, .seed = 2},
    {.rows = 5, .features = 11, .weights = 1, .seed = 3},
    {.rows = 6, .features = 11, .sparse = 1, .seed = 4},
};

/* One metric on one problem, at some iterate. */
struct scene {
    const struct small_problem *data;
    dcpn_solver *solver;
    struct algorithm *a;
    struct metric *H;
    struct naive F;
    int64_t size;
    char name[128];
    double M[MOST * MOST];
    int iterate;
    double x_before[MOST], gradient1_before[MOST]; /* for a check that looks at pairs */
    int64_t safeguards_before;
};

typedef void scene_check(struct scene *scene);

static void move_randomly(struct scene *scene, struct rng *rng, double length)
{
    double x[MOST];
    for (int64_t j = 0; j < scene->size; j++) x[j] = scene->a->point.x[j] + length * dcpn_rng_normal(rng);
    go_to(scene->solver, x);
}

/* Along a few iterates, steps of different lengths and t as the line search may have had. */
static void along_iterates(struct scene *scene, scene_check *check)
{
    struct rng rng;
    double zero[MOST] = {0.0};
    dcpn_rng_seed(&rng, 99);
    go_to(scene->solver, zero);
    scene->H->ops->prepare(scene->H);
    for (int k = 0; k < ITERATES; k++) {
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
    make_problem(&data, recipe, dcpn_find_loss(loss)->targets);
    struct scene scene = {.data = &data, .solver = solver_of(&data, settings), .F = naive_of(&data, settings)};
    int served = scene.solver != NULL;
    if (served) {
        scene.a = scene.solver->algorithm;
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

static void with_metric(const char *metric, int majorize, scene_check *check)
{
    dcpn_part loss;
    int served = 0;
    for (size_t l = 0; dcpn_part_at("loss", l, &loss); l++)
        for (size_t r = 0; r < COUNT_OF(RECIPES); r++) {
            dcpn_settings settings = dcpn_settings_default();
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

static void on_every_metric(int majorize, scene_check *check)
{
    dcpn_part metric;
    size_t i = 0;
    for (; dcpn_part_at("metric", i, &metric); i++) with_metric(metric.name, majorize, check);
    assert_true(i > 0);
}

/* ---- all metrics ---- */

/* Rounding of one entry of a product with H. */
static double product_rounding(const struct scene *scene)
{
    return 64.0 * EPS * scene->H->ops->upper_bound(scene->H);
}

static void check_symmetric(struct scene *scene)
{
    int64_t n = scene->size;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            assert_near(scene->M[i * n + j], scene->M[j * n + i], product_rounding(scene), "%s: H[%d][%d]", scene->name,
                        (int)i, (int)j);
}

static void metrics_are_symmetric(void **state)
{
    (void)state;
    on_every_metric(0, check_symmetric);
}

static void check_bounds(struct scene *scene)
{
    struct range range = eigenvalue_range(scene->size, scene->M);
    double low = scene->H->ops->lower_bound(scene->H), high = scene->H->ops->upper_bound(scene->H);
    assert_true(low > 0.0 && isfinite(high));
    assert_true(range.least > 0.0);
    assert_at_most(low * (1.0 - 1e-6) - product_rounding(scene), range.least, "%s: smallest eigenvalue", scene->name);
    assert_at_most(range.largest, high * (1.0 + 1e-12), "%s: largest eigenvalue", scene->name);
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
    if (H->ops->walk_image && H->ops->walk_image(H, image)) {
        dcpn_design_apply(&F->design, d, expected);
        for (int64_t i = 0; i < F->rows; i++)
            assert_near(image[i], expected[i], 1e-12 * travelled * (1.0 + fabs(expected[i])),
                        "%s: (A d)_%d after a walk", scene->name, (int)i);
    }
    for (int64_t j = 0; F->size > F->features && H->ops->walk_coupling && j < last; j++)
        assert_near(H->ops->walk_coupling(H, j), scene->M[j * scene->size + last], product_rounding(scene),
                    "%s: coupling of %d and the intercept", scene->name, (int)j);
}

static void check_walk(struct scene *scene)
{
    enum { MOVES = 400 };
    struct metric *H = scene->H;
    double d[MOST], Hd[MOST];
    struct rng rng;
    if (!H->ops->can_walk(&scene->a->objective.loss)) return;
    dcpn_rng_seed(&rng, 5);
    for (int64_t j = 0; j < scene->size; j++) d[j] = j % 3 ? dcpn_rng_normal(&rng) : 0.0;
    H->ops->walk_start(H, d);
    for (int64_t j = 0; j < scene->size; j++)
        assert_near(H->ops->diagonal(H, j), scene->M[j * scene->size + j], product_rounding(scene), "%s: diagonal %d",
                    scene->name, (int)j);
    double travelled = 0.0;
    for (int k = 0; k < MOVES; k++) {
        int64_t j = (int64_t)dcpn_rng_below(&rng, (uint64_t)scene->size);
        double delta = dcpn_rng_normal(&rng);
        H->ops->walk_move(H, j, delta);
        d[j] += delta;
        travelled += fabs(delta);
    }
    double walked[MOST];
    for (int64_t j = 0; j < scene->size; j++) walked[j] = H->ops->walk_product(H, d, j);
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
    double x[MOST], z[MOST], d[MOST], gradient[MOST];
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
    double expected[MOST * MOST], bound[MOST * MOST];
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
    double x[MOST], before[MOST], after[MOST], M_before[MOST * MOST], M_after[MOST * MOST], bound[MOST * MOST];
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

/* ---- the identities ---- */

static double lipschitz(const struct scene *scene)
{
    double bound[MOST * MOST];
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
    check_multiple_of_identity(scene);
    assert_at_most(lipschitz(scene) * (1.0 - 1e-12), scene->H->ops->lower_bound(scene->H), "%s: L", scene->name);
    assert_int_equal(scene->H->safeguards, 0);
}

static void identity_is_the_lipschitz_constant(void **state)
{
    (void)state;
    with_metric("identity", 0, check_identity);
    with_metric("identity", 1, check_identity_majorizing);
}

/* A solver for the squared loss on the first recipe, at x = 0, its metric updated once. */
static void begin_scene(struct scene *scene, struct small_problem *data, const char *metric, int64_t memory)
{
    dcpn_settings settings = dcpn_settings_default();
    set_loss(&settings, "squared", 1.0);
    settings.metric = metric;
    settings.memory = memory;
    make_problem(data, &RECIPES[0], DCPN_NUMBERS);
    *scene = (struct scene){.data = data, .solver = solver_of(data, &settings), .F = naive_of(data, &settings)};
    scene->a = scene->solver->algorithm;
    scene->H = scene->a->H;
    scene->size = scene->a->objective.size;
    double zero[MOST] = {0.0};
    go_to(scene->solver, zero);
    scene->H->ops->prepare(scene->H);
    scene->H->ops->update(scene->H, &scene->a->point, 0.0);
}

static void end_scene(struct scene *scene, struct small_problem *data)
{
    dcpn_solver_free(scene->solver);
    free_problem(data);
}

static double updated(struct scene *scene, double t)
{
    scene->H->ops->update(scene->H, &scene->a->point, t);
    return scene->H->ops->lower_bound(scene->H);
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
        double x[MOST], g[MOST], after[MOST], ss = 0.0, sy = 0.0;
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

/* ---- lbfgs ---- */

/* The pairs that a metric has been fed, oldest first. */
struct pairs {
    int count;
    double s[ITERATES * 2][MOST], y[ITERATES * 2][MOST];
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
    double Bs[MOST];
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
        double B[MOST * MOST];
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
    double weight[MOST], largest = 0.0;
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
    double hessian[MOST * MOST], B[MOST * MOST];
    int is_large[MOST], memory = 3, seeded_at = 6;
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
    double s[MOST], y[MOST], Hs[MOST], m = scene->H->ops->lower_bound(scene->H);
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
        double s[MOST], y[MOST], before[MOST * MOST];
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
        double s[MOST], y[MOST];
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
        double zero[MOST] = {0.0}, first[MOST * MOST];
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
        cmocka_unit_test(metrics_are_symmetric),
        cmocka_unit_test(metrics_are_positive_definite_within_their_bounds),
        cmocka_unit_test(walks_keep_the_product_current),
        cmocka_unit_test(majorising_metrics_majorise_f1),
        cmocka_unit_test(hessian_is_the_dense_one),
        cmocka_unit_test(hessian_is_the_derivative_of_the_gradient),
        cmocka_unit_test(identity_is_the_lipschitz_constant),
        cmocka_unit_test(identity_doubles_an_estimate_that_was_too_low),
        cmocka_unit_test(identity_backtracked_follows_the_step),
        cmocka_unit_test(barzilai_borwein_is_the_curvature_of_the_last_pair),
        cmocka_unit_test(barzilai_borwein_counts_its_safeguard),
        cmocka_unit_test(lbfgs_is_the_textbook_recursion),
        cmocka_unit_test(seeded_lbfgs_begins_with_the_hessian_of_large_coordinates),
        cmocka_unit_test(lbfgs_satisfies_the_secant_equation),
        cmocka_unit_test(lbfgs_leaves_out_a_flat_pair),
        cmocka_unit_test(lbfgs_survives_dependent_pairs),
        cmocka_unit_test(a_metric_prepared_again_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
