/* SPDX-License-Identifier: BSD-3-Clause */
/* Every loss x penalty x metric x subsolver of the registries, and an f and an h of the caller's own: each either ends
 * at a point that naive code also finds stationary, or is refused with a sentence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "settings/registry.h"
#include "support/one_score.h"
#include "support/problems_naive.h"
#include "with_context.h"

/* What a problem has besides a matrix, labels and a penalty. */
struct variant {
    enum problems_storage storage;
    double density;
    int intercept, mean, majorize, weights, offset, factors;
    double ridge;
};

static const struct variant variants[] = {
    {.storage = PROBLEMS_COLUMN_MAJOR, .density = 1.0},
    {.storage = PROBLEMS_CSR, .density = 0.3, .intercept = 1},
    {.storage = PROBLEMS_ROW_MAJOR, .density = 0.7, .intercept = 1, .ridge = 0.5, .offset = 1},
    {.storage = PROBLEMS_CSC, .density = 0.3, .weights = 1, .offset = 1, .factors = 1},
    {.storage = PROBLEMS_CSR_INT64,
     .density = 0.5,
     .mean = 1,
     .intercept = 1,
     .weights = 1,
     .factors = 1,
     .ridge = 0.01},
    {.storage = PROBLEMS_COLUMN_MAJOR, .density = 1.0, .majorize = 1},
    {.storage = PROBLEMS_CSC, .density = 0.3, .majorize = 1, .intercept = 1, .weights = 1, .ridge = 0.5},
};

static struct problems_data data_of(const struct variant *variant)
{
    struct problems_data data = problems_data_new(40, 8, variant->density, 20260731);
    struct problems_data spare = data;
    if (!variant->weights) data.weights = NULL;
    if (!variant->offset) data.offset = NULL;
    if (!variant->factors) data.factors = NULL;
    if (!variant->weights) free(spare.weights);
    if (!variant->offset) free(spare.offset);
    if (!variant->factors) free(spare.factors);
    return data;
}

static void apply_variant(const struct variant *variant, dcpn_settings *settings)
{
    settings->intercept = variant->intercept;
    settings->majorize = variant->majorize;
    settings->ridge = variant->ridge;
    settings->scale = variant->mean ? "mean" : "sum";
    settings->lambda = variant->mean ? 0.05 : 2.0;
    settings->theta = 0.8;
    if (strcmp(settings->penalty, "lp") == 0) settings->lambda /= 5.0; /* its slope at 0 is 15.8 lambda */
}

static int majorizes(const char *metric)
{
    return strcmp(metric, "identity") == 0 || strcmp(metric, "hessian") == 0;
}

static void assert_refused_in_a_sentence(dcpn_status status)
{
    assert_int_equal(status, DCPN_USAGE);
    assert_true(strlen(dcpn_last_error(context)) > 20);
}

/* What asks for the largest curvature of a loss that has none, or for a metric that majorises and does not. */
static int is_refused(const dcpn_settings *settings)
{
    int has_bound = dcpn_find_loss(settings->loss)->curvature1_sup != NULL;
    if (!has_bound && (settings->majorize || strcmp(settings->metric, "identity") == 0)) return 1;
    return settings->majorize && !majorizes(settings->metric);
}

static void solve_one(const struct problems_data *data, const struct variant *variant, dcpn_settings settings)
{
    apply_variant(variant, &settings);
    dcpn_status expected = dcpn_combination_check(context, &settings);
    struct problems_fit fit = problems_solve(context, data, variant->storage, &settings, NULL);
    assert_int_equal(fit.status, expected);
    assert_int_equal(fit.status != DCPN_OK, is_refused(&settings));
    if (fit.status != DCPN_OK)
        assert_refused_in_a_sentence(fit.status);
    else
        problems_assert_converged(data, &settings, &fit);
    problems_fit_free(&fit);
}

#define FOR_EACH(KIND, PART) for (size_t PART##_index = 0; dcpn_part_at(KIND, PART##_index, &PART); PART##_index++)

static void every_combination_converges_or_is_refused(void **state)
{
    dcpn_part loss, penalty, metric, subsolver;
    int64_t solved = 0;
    (void)state;
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        struct problems_data data = data_of(&variants[k]);
        FOR_EACH("loss", loss)
        FOR_EACH("penalty", penalty)
        FOR_EACH("metric", metric)
        FOR_EACH("subsolver", subsolver)
        {
            if (!has_one_score(&loss)) continue;
            solve_one(&data, &variants[k], problems_settings(loss.name, penalty.name, metric.name, subsolver.name));
            solved++;
        }
        problems_data_free(&data);
    }
    assert_true(solved >= (int64_t)(sizeof variants / sizeof *variants) * 5 * 6 * 5 * 3);
}

/* ---- own f: 1/2 x'Qx - b'x minus sum of 0.3 log cosh x_j, Q = M'M + I ---- */

enum { OWN = 6, GROUP = 3 };

struct own {
    double Q[OWN][OWN], b[OWN], lipschitz;
};

static double own_value1(void *user, const double *x)
{
    const struct own *own = user;
    double value = 0.0;
    for (int i = 0; i < OWN; i++) {
        value -= own->b[i] * x[i];
        for (int j = 0; j < OWN; j++) value += 0.5 * x[i] * own->Q[i][j] * x[j];
    }
    return value;
}

static void own_product(void *user, const double *x, const double *d, double *product)
{
    const struct own *own = user;
    (void)x;
    for (int i = 0; i < OWN; i++) {
        product[i] = 0.0;
        for (int j = 0; j < OWN; j++) product[i] += own->Q[i][j] * d[j];
    }
}

static void own_gradient1(void *user, const double *x, double *gradient)
{
    own_product(user, x, x, gradient);
    for (int i = 0; i < OWN; i++) gradient[i] -= ((struct own *)user)->b[i];
}

static double own_value2(void *user, const double *x)
{
    double value = 0.0;
    (void)user;
    for (int j = 0; j < OWN; j++) value += 0.3 * log(cosh(x[j]));
    return value;
}

static void own_gradient2(void *user, const double *x, double *gradient)
{
    (void)user;
    for (int j = 0; j < OWN; j++) gradient[j] = 0.3 * tanh(x[j]);
}

static struct own make_own(void)
{
    struct problems_data M = problems_data_new(OWN, OWN, 1.0, 11);
    struct own own = {.lipschitz = 0.0};
    for (int i = 0; i < OWN; i++) {
        own.b[i] = 4.0 * M.numbers[i];
        for (int j = 0; j < OWN; j++) {
            own.Q[i][j] = i == j;
            for (int k = 0; k < OWN; k++) own.Q[i][j] += M.A[k * OWN + i] * M.A[k * OWN + j];
        }
        own.lipschitz += own.Q[i][i];
    }
    problems_data_free(&M);
    return own;
}

static dcpn_smooth smooth_of(struct own *own, int with_second_order)
{
    return (dcpn_smooth){
        .size = OWN,
        .value1 = own_value1,
        .gradient1 = own_gradient1,
        .value2 = own_value2,
        .gradient2 = own_gradient2,
        .hessian1_product = with_second_order ? own_product : NULL,
        .lipschitz1 = with_second_order ? own->lipschitz : 0.0,
        .user = own,
    };
}

/* ---- own h: lambda sum over groups of 3 of |x_g| minus mu |x| ---- */

struct groups {
    double lambda, mu;
};

static double length_of(const double *x, int64_t count)
{
    double sum = 0.0;
    for (int64_t j = 0; j < count; j++) sum += x[j] * x[j];
    return sqrt(sum);
}

static double groups_value1(void *user, int64_t size, const double *x)
{
    double value = 0.0;
    for (int64_t g = 0; g < size; g += GROUP) value += ((struct groups *)user)->lambda * length_of(x + g, GROUP);
    return value;
}

static double groups_value2(void *user, int64_t size, const double *x)
{
    return ((struct groups *)user)->mu * length_of(x, size);
}

static void groups_subgradient2(void *user, int64_t size, const double *x, double *z)
{
    double length = length_of(x, size);
    for (int64_t j = 0; j < size; j++) z[j] = length > 0.0 ? ((struct groups *)user)->mu * x[j] / length : 0.0;
}

static void groups_prox1(void *user, int64_t size, const double *x, double step, double *out)
{
    for (int64_t g = 0; g < size; g += GROUP) {
        double length = length_of(x + g, GROUP), left = length - step * ((struct groups *)user)->lambda;
        for (int64_t j = g; j < g + GROUP; j++) out[j] = left > 0.0 ? x[j] * (left / length) : 0.0;
    }
}

static dcpn_regularizer regularizer_of(struct groups *groups)
{
    return (dcpn_regularizer){
        .value1 = groups_value1,
        .value2 = groups_value2,
        .subgradient2 = groups_subgradient2,
        .prox1 = groups_prox1,
        .user = groups,
    };
}

static const double OWN_NOISE = 1e-12; /* (OWN^2 operations, values below 100) x DBL_EPSILON, and room */

/* For a prox, |x - prox(x - g)|; for the groups it is checked against the optimality conditions too: with v = g - z,
 * 0 in v_g + lambda x_g/|x_g|, or |v_g| <= lambda where x_g = 0. */
static double distance_to_stationarity(const struct groups *groups, const double *x, const double *v)
{
    double largest = 0.0;
    for (int64_t g = 0; g < OWN; g += GROUP) {
        double length = length_of(x + g, GROUP), off = fmax(length_of(v + g, GROUP) - groups->lambda, 0.0);
        for (int64_t j = g; j < g + GROUP && length > 0.0; j++)
            off = j == g ? fabs(v[j] + groups->lambda * x[j] / length)
                         : fmax(off, fabs(v[j] + groups->lambda * x[j] / length));
        largest = fmax(largest, off);
    }
    return largest;
}

/* The prox residual is no more than the distance to stationarity in the 2-norm of a group, and tends to it. */
static void check_groups(struct own *own, struct groups *groups, const double *x, const dcpn_result *result)
{
    double g1[OWN], g2[OWN], z[OWN], v[OWN], from[OWN], to[OWN], residual = 0.0;
    own_gradient1(own, x, g1);
    own_gradient2(own, x, g2);
    groups_subgradient2(groups, OWN, x, z);
    for (int j = 0; j < OWN; j++) from[j] = x[j] - (v[j] = g1[j] - g2[j] - z[j]);
    groups_prox1(groups, OWN, from, 1.0, to);
    for (int j = 0; j < OWN; j++) residual = fmax(residual, fabs(to[j] - x[j]));
    assert_true(fabs(residual - result->stationarity) <= OWN_NOISE);
    double F = own_value1(own, x) - own_value2(own, x) + groups_value1(groups, OWN, x) - groups_value2(groups, OWN, x);
    assert_true(fabs(F - result->objective) <= OWN_NOISE * (1.0 + fabs(F)));
    /* |x_g| is 0 or not small here, so that both measures agree within a small factor */
    assert_true(distance_to_stationarity(groups, x, v) <= 100.0 * result->stationarity_goal + OWN_NOISE);
}

static dcpn_status run(dcpn_problem *problem, const dcpn_settings *settings, dcpn_result *result, double *x)
{
    dcpn_solver *solver = NULL;
    dcpn_status status = dcpn_solver_new(context, problem, settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status == DCPN_OK) {
        *result = *dcpn_solver_result(solver);
        memcpy(x, dcpn_solver_coefficients(solver), OWN * sizeof *x);
    }
    dcpn_solver_free(solver);
    return status;
}

static int own_refused(const char *metric, const char *subsolver, int second_order, int separable)
{
    int hessian = strcmp(metric, "hessian") == 0, walks = strcmp(subsolver, "coordinate-descent") == 0;
    if (strcmp(metric, "seeded-lbfgs") == 0) return 1;
    if (!second_order && (hessian || strcmp(metric, "identity") == 0)) return 1;
    return walks && (hessian || !separable);
}

static void own_f_with_own_h(void **state)
{
    struct own own = make_own();
    struct groups groups = {1.5, 0.5};
    dcpn_regularizer h = regularizer_of(&groups);
    dcpn_part metric, subsolver;
    (void)state;
    for (int second_order = 0; second_order < 2; second_order++) FOR_EACH("metric", metric)
    FOR_EACH("subsolver", subsolver)
    {
        dcpn_smooth f = smooth_of(&own, second_order);
        dcpn_settings settings = problems_settings(NULL, NULL, metric.name, subsolver.name);
        dcpn_problem *problem = NULL;
        dcpn_result result;
        double x[OWN];
        settings.tol = 1e-7;
        assert_int_equal(dcpn_problem_new_smooth(context, &f, &problem), DCPN_OK);
        assert_int_equal(dcpn_problem_set_regularizer(problem, &h), DCPN_OK);
        dcpn_status status = run(problem, &settings, &result, x);
        if (own_refused(metric.name, subsolver.name, second_order, 0)) {
            assert_refused_in_a_sentence(status);
        } else {
            assert_int_equal(status, DCPN_OK);
            if (result.outcome != DCPN_CONVERGED)
                fail_msg("%s %s: %s, stationarity %g, goal %g", metric.name, subsolver.name,
                         dcpn_outcome_name(result.outcome), result.stationarity, result.stationarity_goal);
            check_groups(&own, &groups, x, &result);
        }
        dcpn_problem_free(problem);
    }
}

/* ---- plain l1, given as a prox, against the built-in one ---- */

static double l1_value(void *user, int64_t size, const double *x)
{
    double sum = 0.0;
    for (int64_t j = 0; j < size; j++) sum += fabs(x[j]);
    return *(double *)user * sum;
}

static void l1_prox(void *user, int64_t size, const double *x, double step, double *out)
{
    double threshold = step * *(double *)user;
    for (int64_t j = 0; j < size; j++) out[j] = copysign(fmax(fabs(x[j]) - threshold, 0.0), x[j]);
}

/* f is strongly convex with modulus 0.7 = 1 - 0.3, so the minimiser is unique, and with stationarity s in each of d
 * coordinates F is within d s^2 / (2 0.7) of it. An f of the caller's own is seen through its values alone: a step that
 * lowers F by less than the rounding of F is not seen, which happens at s near sqrt(DBL_EPSILON F L) = 3e-7. */
static void l1_by_its_prox_is_l1(void **state)
{
    struct own own = make_own();
    double lambda = 1.5;
    dcpn_regularizer h = {.value1 = l1_value, .prox1 = l1_prox, .user = &lambda};
    dcpn_part metric, subsolver;
    dcpn_smooth f = smooth_of(&own, 1);
    double first = NAN, first_goal = 0.0;
    (void)state;
    for (int as_prox = 0; as_prox < 2; as_prox++) FOR_EACH("metric", metric)
    FOR_EACH("subsolver", subsolver)
    {
        dcpn_settings settings = problems_settings(NULL, "l1", metric.name, subsolver.name);
        dcpn_problem *problem = NULL;
        dcpn_result result;
        double x[OWN];
        settings.lambda = lambda;
        settings.tol = 1e-6;
        assert_int_equal(dcpn_problem_new_smooth(context, &f, &problem), DCPN_OK);
        if (as_prox) assert_int_equal(dcpn_problem_set_regularizer(problem, &h), DCPN_OK);
        dcpn_status status = run(problem, &settings, &result, x);
        if (own_refused(metric.name, subsolver.name, 1, !as_prox)) {
            assert_refused_in_a_sentence(status);
        } else {
            assert_int_equal(status, DCPN_OK);
            assert_int_equal(result.outcome, DCPN_CONVERGED);
            if (isnan(first)) {
                first = result.objective;
                first_goal = result.stationarity_goal;
            }
            double s2 = first_goal * first_goal + result.stationarity_goal * result.stationarity_goal;
            assert_true(fabs(result.objective - first) <= OWN * s2 / 1.4 + OWN_NOISE * fabs(first));
        }
        dcpn_problem_free(problem);
    }
    assert_true(first < -1.0);
}

static void what_an_own_f_cannot_have_is_refused(void **state)
{
    struct own own = make_own();
    dcpn_smooth f = smooth_of(&own, 1);
    double numbers[OWN] = {1, 1, 1, 1, 1, 1};
    struct groups groups = {1.0, 0.5};
    dcpn_regularizer h = regularizer_of(&groups);
    dcpn_settings settings = problems_settings(NULL, "l1", NULL, NULL);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    (void)state;
    assert_int_equal(dcpn_problem_new_smooth(context, &f, &problem), DCPN_OK);
    assert_refused_in_a_sentence(dcpn_problem_set_weights(problem, numbers));
    assert_refused_in_a_sentence(dcpn_problem_set_offset(problem, numbers));
    settings.intercept = 1;
    assert_refused_in_a_sentence(dcpn_solver_new(context, problem, &settings, &solver));
    settings.intercept = 0;
    settings.scale = "mean";
    assert_refused_in_a_sentence(dcpn_solver_new(context, problem, &settings, &solver));
    settings.scale = "sum";
    assert_int_equal(dcpn_problem_set_penalty_factors(problem, numbers), DCPN_OK);
    assert_int_equal(dcpn_problem_set_regularizer(problem, &h), DCPN_OK);
    assert_refused_in_a_sentence(dcpn_solver_new(context, problem, &settings, &solver));
    assert_null(solver);
    dcpn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_converges_or_is_refused),
        cmocka_unit_test(own_f_with_own_h),
        cmocka_unit_test(l1_by_its_prox_is_l1),
        cmocka_unit_test(what_an_own_f_cannot_have_is_refused),
    };
    return cmocka_run_group_tests_name("problems.combinations", tests, setup, teardown);
}
