/* SPDX-License-Identifier: BSD-3-Clause */
/* --orthonormal: a penalty of the deviation of what a group adds to the score, recomputed from covariances; fits do not
 * hang on the coding of a group. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "with_context.h"

enum { ROWS = 40, COLUMNS = 9, GROUPS = 3, SIZE = 3 };

/* Not contiguous; feature j is member number place in its group. */
static const int64_t start[] = {0, 3, 6, 9}, member[] = {7, 0, 4, 2, 1, 8, 6, 5, 3};

struct drawn {
    double A[ROWS * COLUMNS], y[ROWS], classes[ROWS], weights[ROWS]; /* A by columns */
};

static double draw(struct rng *rng)
{
    return 2.0 * dcpn_rng_uniform(rng) - 1.0;
}

static struct drawn draw_data(uint64_t seed, double density)
{
    struct drawn d;
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) {
        double value = pow(10.0, (double)(k / ROWS % 4) - 1.0) * (draw(&rng) + 0.5);
        d.A[k] = dcpn_rng_uniform(&rng) < density ? value : 0.0;
    }
    for (int64_t i = 0; i < ROWS; i++) {
        double u = d.A[7 * ROWS + i] / 100.0 + d.A[i] * 10.0 - d.A[2 * ROWS + i] / 10.0;
        d.y[i] = u + 0.5 * draw(&rng);
        d.classes[i] = u + 4.0 * draw(&rng) > 0.3 ? 1.0 : -1.0;
        d.weights[i] = 0.2 + dcpn_rng_uniform(&rng);
    }
    return d;
}

static dcpn_matrix *matrix_of(const double *A, int is_sparse)
{
    dcpn_matrix *matrix = NULL;
    int64_t pointers[COLUMNS + 1] = {0}, indices[ROWS * COLUMNS];
    double values[ROWS * COLUMNS];
    if (!is_sparse) {
        assert_int_equal(
            dcpn_matrix_dense(context, ROWS, COLUMNS, A, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_COPY, &matrix),
            DCPN_OK);
        return matrix;
    }
    for (int64_t j = 0, end = 0; j < COLUMNS; j++) {
        for (int64_t i = 0; i < ROWS; i++) {
            if (A[j * ROWS + i] == 0.0) continue;
            indices[end] = i;
            values[end++] = A[j * ROWS + i];
        }
        pointers[j + 1] = end;
    }
    const dcpn_compressed arrays = {.rows = ROWS,
                                    .columns = COLUMNS,
                                    .pointers = pointers,
                                    .indices = indices,
                                    .index_type = DCPN_INT64,
                                    .values = values,
                                    .value_type = DCPN_FLOAT64};
    assert_int_equal(dcpn_matrix_csc(context, &arrays, DCPN_COPY, &matrix), DCPN_OK);
    return matrix;
}

struct fit {
    double x[COLUMNS], intercept, objective, stationarity;
    int64_t iterations, nonzeros;
};

static struct fit fit(const struct drawn *d, const double *A, int is_sparse, const dcpn_settings *settings,
                      const struct fit *from)
{
    struct fit fit;
    dcpn_matrix *matrix = matrix_of(A, is_sparse);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    const double *y = strcmp(settings->loss, "logistic") == 0 ? d->classes : d->y;
    assert_int_equal(dcpn_problem_new(context, matrix, y, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, d->weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, GROUPS, start, member, NULL), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_OK);
    if (from) assert_int_equal(dcpn_solver_set_start(solver, from->x, from->intercept), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    const dcpn_result *result = dcpn_solver_result(solver);
    assert_int_equal(result->outcome, DCPN_CONVERGED);
    memcpy(fit.x, dcpn_solver_coefficients(solver), sizeof fit.x);
    fit.intercept = dcpn_solver_intercept(solver);
    fit.objective = result->objective;
    fit.stationarity = result->stationarity;
    fit.iterations = result->iterations;
    fit.nonzeros = result->nonzeros;
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(matrix);
    return fit;
}

/* ---- naive: covariances, and linear equations by elimination ---- */

static double weight_of_all(const struct drawn *d)
{
    double all = 0.0;
    for (int i = 0; i < ROWS; i++) all += d->weights[i];
    return all;
}

/* S = the weighted covariance of the columns of group g; about 0 without an intercept. */
static void covariance(const struct drawn *d, int g, int is_centred, double S[SIZE][SIZE])
{
    double all = weight_of_all(d), mean[SIZE] = {0.0};
    for (int a = 0; a < SIZE; a++)
        for (int i = 0; i < ROWS && is_centred; i++)
            mean[a] += d->weights[i] / all * d->A[member[start[g] + a] * ROWS + i];
    for (int a = 0; a < SIZE; a++)
        for (int b = 0; b < SIZE; b++) {
            S[a][b] = 0.0;
            for (int i = 0; i < ROWS; i++)
                S[a][b] += d->weights[i] / all * (d->A[member[start[g] + a] * ROWS + i] - mean[a]) *
                           (d->A[member[start[g] + b] * ROWS + i] - mean[b]);
        }
}

/* v'S^-1 v; S is used up. */
static double inverse_form(double S[SIZE][SIZE], const double v[SIZE])
{
    double z[SIZE], form = 0.0;
    memcpy(z, v, sizeof z);
    for (int k = 0; k < SIZE; k++)
        for (int r = k + 1; r < SIZE; r++) {
            double factor = S[r][k] / S[k][k];
            for (int c = k; c < SIZE; c++) S[r][c] -= factor * S[k][c];
            z[r] -= factor * z[k];
        }
    for (int k = SIZE; k-- > 0;) {
        for (int c = k + 1; c < SIZE; c++) z[k] -= S[k][c] * z[c];
        z[k] /= S[k][k];
    }
    for (int k = 0; k < SIZE; k++) form += v[k] * z[k];
    return form;
}

struct naive {
    double objective, stationarity;
};

static double mcp(double r, double lambda, double gamma)
{
    return r < gamma * lambda ? lambda * r - r * r / (2.0 * gamma) : gamma * lambda * lambda / 2.0;
}

/* |b|^2 = x'S x, and with g the gradient in x, |grad_b + slope b/|b||^2 = v'S^-1 v, v = g + slope S x / |b|. */
static struct naive recompute(const struct drawn *d, const struct fit *f, const dcpn_settings *s)
{
    double all = weight_of_all(d), slope_sum = 0.0, r[ROWS];
    int is_logistic = strcmp(s->loss, "logistic") == 0, is_l1 = strcmp(s->penalty, "l1") == 0;
    struct naive n = {0.0, 0.0};
    for (int i = 0; i < ROWS; i++) {
        double u = f->intercept;
        for (int j = 0; j < COLUMNS; j++) u += d->A[j * ROWS + i] * f->x[j];
        double y = is_logistic ? d->classes[i] : d->y[i], w = d->weights[i] / all;
        n.objective += w * (is_logistic ? log1p(exp(-y * u)) : 0.5 * (u - y) * (u - y));
        r[i] = w * (is_logistic ? -y / (1.0 + exp(y * u)) : u - y);
        slope_sum += r[i];
    }
    if (s->intercept) n.stationarity = fabs(slope_sum);
    for (int g = 0; g < GROUPS; g++) {
        double S[SIZE][SIZE], Sx[SIZE] = {0.0}, v[SIZE], square = 0.0, lambda = s->lambda * sqrt(SIZE);
        covariance(d, g, s->intercept, S);
        for (int a = 0; a < SIZE; a++) {
            v[a] = 0.0;
            for (int i = 0; i < ROWS; i++) v[a] += d->A[member[start[g] + a] * ROWS + i] * r[i];
            for (int b = 0; b < SIZE; b++) Sx[a] += S[a][b] * f->x[member[start[g] + b]];
            square += Sx[a] * f->x[member[start[g] + a]];
        }
        double norm = sqrt(square), slope = is_l1 ? lambda : fmax(lambda - norm / s->gamma, 0.0);
        n.objective += is_l1 ? lambda * norm : mcp(norm, lambda, s->gamma);
        for (int a = 0; a < SIZE && norm > 0.0; a++) v[a] += slope * Sx[a] / norm;
        double miss = sqrt(inverse_form(S, v));
        n.stationarity = fmax(n.stationarity, norm > 0.0 ? miss : fmax(miss - lambda, 0.0));
    }
    return n;
}

static dcpn_settings settings_for(const char *loss, const char *penalty, int intercept)
{
    dcpn_settings s = dcpn_settings_default();
    s.loss = loss;
    s.penalty = penalty;
    s.intercept = intercept;
    s.scale = "mean";
    s.shape_units = "raw";
    s.gamma = strcmp(loss, "logistic") == 0 ? 12.0 : 3.0;
    s.lambda = 0.04;
    s.tol = 1e-8;
    s.orthonormal = 1;
    return s;
}

static void what_is_reported_is_what_covariances_say(void **state)
{
    static const char *const losses[] = {"squared", "logistic"}, *const penalties[] = {"l1", "mcp"};
    int in_use = 0;
    (void)state;
    for (int k = 0; k < 32; k++) {
        struct drawn d = draw_data(40 + (uint64_t)k, k & 1 ? 0.5 : 1.0);
        dcpn_settings s = settings_for(losses[k >> 1 & 1], penalties[k >> 2 & 1], k >> 3 & 1);
        s.ridge = 0.0;
        struct fit f = fit(&d, d.A, k & 1, &s, NULL);
        struct naive n = recompute(&d, &f, &s);
        assert_true(fabs(n.objective - f.objective) <= 1e-11 * (1.0 + fabs(n.objective)));
        assert_true(n.stationarity <= 1e-8);
        in_use += f.nonzeros > 0 && f.nonzeros < COLUMNS;
        struct fit again = fit(&d, d.A, k & 1, &s, &f);
        assert_true(again.iterations <= 2 && fabs(again.objective - f.objective) <= 1e-12);
    }
    assert_true(in_use > 10);
}

/* Features of a group become other ones that span the same. */
static void the_coding_of_a_group_does_not_matter(void **state)
{
    static const double M[SIZE][SIZE] = {{2.0, 1.0, 0.0}, {0.0, -30.0, 1.0}, {0.0, 0.0, 0.01}};
    (void)state;
    for (int k = 0; k < 8; k++) {
        struct drawn d = draw_data(80 + (uint64_t)k, k & 1 ? 0.5 : 1.0);
        double other[ROWS * COLUMNS] = {0.0};
        for (int g = 0; g < GROUPS; g++)
            for (int a = 0; a < SIZE; a++)
                for (int b = 0; b < SIZE; b++)
                    for (int i = 0; i < ROWS; i++)
                        other[member[start[g] + b] * ROWS + i] += d.A[member[start[g] + a] * ROWS + i] * M[a][b];
        dcpn_settings s = settings_for(k & 2 ? "logistic" : "squared", k & 4 ? "l1" : "mcp", 1);
        s.global = "off";
        struct fit one = fit(&d, d.A, k & 1, &s, NULL), two = fit(&d, other, k & 1, &s, NULL);
        assert_true(fabs(one.objective - two.objective) <= 1e-9 * (1.0 + one.objective));
        for (int i = 0; i < ROWS; i++) {
            double u = one.intercept, v = two.intercept;
            for (int j = 0; j < COLUMNS; j++) u += d.A[j * ROWS + i] * one.x[j], v += other[j * ROWS + i] * two.x[j];
            assert_true(fabs(u - v) <= 1e-5 * (1.0 + fabs(u)));
        }
    }
}

/* A group of a factor with all of its levels and one that leaves a level out are the same; and a copy of a column is
 * none. */
static void what_depends_on_others_has_no_direction(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct drawn d = draw_data(120 + (uint64_t)k, 1.0);
        double all[ROWS * COLUMNS], some[ROWS * COLUMNS];
        for (int i = 0; i < ROWS; i++)
            for (int a = 0; a < SIZE; a++) d.A[member[a] * ROWS + i] = i % SIZE == a ? 1.0 : 0.0;
        memcpy(all, d.A, sizeof all);
        memcpy(some, d.A, sizeof some);
        for (int i = 0; i < ROWS; i++)
            some[member[0] * ROWS + i] = some[member[1] * ROWS + i]; /* a copy in place of a level */
        for (int i = 0; i < ROWS; i++) d.y[i] += i % SIZE == 1 ? 1.0 : i % SIZE == 2 ? -0.5 : 0.0;
        dcpn_settings s = settings_for("squared", k & 1 ? "l1" : "mcp", 1);
        s.global = "off";
        struct fit one = fit(&d, all, k >> 1, &s, NULL), two = fit(&d, some, k >> 1, &s, NULL);
        assert_true(fabs(one.objective - two.objective) <= 1e-10 * (1.0 + one.objective));
        assert_true(one.x[member[0]] == 0.0 || one.x[member[1]] == 0.0 || one.x[member[2]] == 0.0);
        assert_true(two.x[member[0]] == 0.0 || two.x[member[1]] == 0.0);
    }
}

static void refuse(const dcpn_settings *settings, int has_groups, const char *word)
{
    struct drawn d = draw_data(1, 1.0);
    dcpn_matrix *matrix = matrix_of(d.A, 0);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_problem_new(context, matrix, d.y, &problem), DCPN_OK);
    if (has_groups) assert_int_equal(dcpn_problem_set_groups(problem, GROUPS, start, member, NULL), DCPN_OK);
    assert_int_not_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_OK);
    assert_non_null(strstr(dcpn_last_error(context), word));
    dcpn_problem_free(problem);
    dcpn_matrix_free(matrix);
}

static void what_is_no_norm_is_refused(void **state)
{
    static const char *const groupings[] = {"sum", "sparse", "latent", "entry"};
    dcpn_settings s = settings_for("squared", "l1", 1);
    (void)state;
    refuse(&s, 0, "orthonormal");
    for (size_t k = 0; k < 4; k++) {
        s.grouping = groupings[k];
        refuse(&s, 1, "orthonormal");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_reported_is_what_covariances_say, setup, teardown),
        cmocka_unit_test_setup_teardown(the_coding_of_a_group_does_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(what_depends_on_others_has_no_direction, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_norm_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
