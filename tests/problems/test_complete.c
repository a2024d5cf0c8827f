/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions: F and the certificate by naive code on the whole matrix, planted ranks, a convex optimum, services,
 * refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/symmetric.h"
#include "dcpn/dcpn.h"
#include "scratch.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { M = 30, N = 20, RANK = 3 };

static const char *const penalties[] = {"l1", "capped-l1", "scad", "mcp", "log", "lp"};

struct scene {
    int64_t row[M * N], column[M * N];
    double value[M * N], truth[M * N];
    dcpn_entries entries;
};

/* Rank 3, a share of the entries, with noise; some entries are far off if spikes are wanted. */
static void draw(double share, int spikes, struct scene *s)
{
    struct rng rng;
    double A[M * RANK], B[N * RANK];
    int64_t count = 0;
    dcpn_rng_seed(&rng, 5);
    for (int k = 0; k < M * RANK; k++) A[k] = dcpn_rng_normal(&rng);
    for (int k = 0; k < N * RANK; k++) B[k] = dcpn_rng_normal(&rng);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double x = 0.0;
            for (int k = 0; k < RANK; k++) x += A[i * RANK + k] * B[j * RANK + k];
            s->truth[i * N + j] = x;
            double noise = 0.1 * dcpn_rng_normal(&rng);
            if (dcpn_rng_uniform(&rng) >= share) continue;
            s->row[count] = i;
            s->column[count] = j;
            s->value[count] = x + noise + (spikes && count % 23 == 0 ? 10.0 : 0.0);
            count++;
        }
    s->entries = (dcpn_entries){M, N, count, s->row, s->column, s->value};
}

static dcpn_settings settings_for(const char *penalty, double lambda)
{
    dcpn_settings s = dcpn_settings_default();
    s.penalty = penalty;
    s.lambda = lambda;
    s.tol = 1e-6;
    s.theta = 3.0;
    s.shape_units = "raw";
    s.gamma = 5.0;
    return s;
}

static dcpn_completion *fit(const dcpn_entries *entries, const dcpn_settings *s, const dcpn_complete_options *options)
{
    dcpn_completion *c = NULL;
    if (dcpn_completion_fit(context, entries, s, options, &c) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    return c;
}

static double number_of(const dcpn_completion *c, const char *field)
{
    dcpn_value value;
    assert_int_equal(dcpn_completion_get(c, field, &value), 1);
    return value.real;
}

/* The singular values of a whole matrix, from the eigenvalues of A'A. */
static void singular_values(const double *A, double *sigma)
{
    double G[N * N] = {0}, V[N * N];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) G[j * N + k] += A[i * N + j] * A[i * N + k];
    dcpn_symmetric_factor(N, G, sigma, V);
    for (int j = 0; j < N; j++) sigma[j] = sqrt(fmax(sigma[j], 0.0));
}

struct factors {
    int64_t rank;
    double U[M * N], sigma[N], V[N * N], E[M * N], R[M * N];
};

static void take(const dcpn_completion *c, const struct scene *scene, struct factors *f)
{
    int64_t row[M * N], column[M * N], count = (int64_t)number_of(c, "sparse_count");
    double value[M * N], X[M * N];
    memset(f, 0, sizeof *f);
    f->rank = (int64_t)number_of(c, "rank");
    assert_int_equal(dcpn_completion_factors(c, f->U, f->sigma, f->V), DCPN_OK);
    assert_int_equal(dcpn_completion_sparse(c, row, column, value), DCPN_OK);
    for (int64_t e = 0; e < count; e++) f->E[row[e] * N + column[e]] = value[e];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            X[i * N + j] = 0.0;
            for (int64_t k = 0; k < f->rank; k++)
                X[i * N + j] += f->sigma[k] * f->U[i * f->rank + k] * f->V[j * f->rank + k];
        }
    for (int64_t e = 0; e < scene->entries.count; e++) {
        int64_t at = scene->row[e] * N + scene->column[e];
        f->R[at] = scene->value[e] - X[at] - f->E[at];
    }
}

/* The largest singular value of R - U diag(p') V', and of what is wrong with it along U and V. */
static double naive_violation(const struct factors *f, const dcpn_settings *s, double *along)
{
    double rest[M * N], sigma[N], largest = 0.0;
    memcpy(rest, f->R, sizeof rest);
    *along = 0.0;
    for (int64_t k = 0; k < f->rank; k++) {
        double slope = problems_slope_of(s, f->sigma[k]), length = 0.0;
        for (int i = 0; i < M; i++) {
            double sum = -slope * f->U[i * f->rank + k];
            for (int j = 0; j < N; j++) sum += f->R[i * N + j] * f->V[j * f->rank + k];
            length += sum * sum;
        }
        *along = fmax(*along, sqrt(length));
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) rest[i * N + j] -= slope * f->U[i * f->rank + k] * f->V[j * f->rank + k];
    }
    singular_values(rest, sigma);
    for (int k = 0; k < N; k++) largest = fmax(largest, sigma[k]);
    return largest;
}

static void test_objective_and_certificate_are_those_of_naive_code(void **state)
{
    (void)state;
    struct scene scene;
    draw(0.6, 1, &scene);
    for (size_t k = 0; k < sizeof penalties / sizeof *penalties; k++)
        for (int sparse = 0; sparse < 2; sparse++) {
            const dcpn_settings s = settings_for(penalties[k], 2.0);
            const dcpn_complete_options options = {.sparse_lambda = sparse ? 0.8 : 0.0};
            struct factors f;
            double along, F = 0.0, goal;
            dcpn_completion *c = fit(&scene.entries, &s, &options);
            take(c, &scene, &f);
            goal = number_of(c, "goal");
            for (int at = 0; at < M * N; at++) F += f.R[at] * f.R[at] / 2.0 + 0.8 * fabs(f.E[at]);
            for (int64_t j = 0; j < f.rank; j++) F += problems_penalty_of(&s, f.sigma[j]);
            double norm = naive_violation(&f, &s, &along), violation = fmax(along, norm - problems_slope_of(&s, 0.0));
            if (fabs(F - number_of(c, "objective")) > 1e-8 * F || violation > goal + 1e-5 || f.rank < 1)
                fail_msg("%s %d: F %.12g, naive %.12g, violation %g, naive %g, goal %g, rank %d", s.penalty, sparse,
                         number_of(c, "objective"), F, number_of(c, "violation"), violation, goal, (int)f.rank);
            for (int64_t e = 0; sparse && e < scene.entries.count;
                 e++) { /* each E_ij is the soft threshold of what is left */
                int64_t at = scene.row[e] * N + scene.column[e];
                double left = f.R[at] + f.E[at];
                assert_true(fabs(f.E[at] - copysign(fmax(fabs(left) - 0.8, 0.0), left)) < 1e-9);
            }
            dcpn_completion_free(c);
        }
}

/* With all entries seen X is the prox of h at Y, which is known. */
static void test_whole_matrices_have_their_spectrum_shrunk(void **state)
{
    (void)state;
    struct scene scene;
    double Y[M * N], expected[N], sigma[N] = {0.0};
    draw(1.1, 0, &scene);
    memcpy(Y, scene.value, sizeof Y);
    singular_values(Y, expected);
    const dcpn_settings s = settings_for("l1", 3.0);
    dcpn_completion *c = fit(&scene.entries, &s, NULL);
    int64_t rank = (int64_t)number_of(c, "rank"), kept = 0;
    assert_int_equal(dcpn_completion_factors(c, NULL, sigma, NULL), DCPN_OK);
    for (int k = 0; k < N; k++) {
        int64_t above = 0;
        for (int l = 0; l < N; l++) above += expected[l] > expected[k];
        if (expected[k] <= 3.0) continue;
        kept++;
        assert_true(above < rank && fabs(sigma[above] - (expected[k] - 3.0)) < 1e-6);
    }
    assert_int_equal(rank, kept);
    dcpn_completion_free(c);
}

static double error_of(const dcpn_completion *c, const struct scene *scene)
{
    double sum = 0.0;
    for (int64_t at = 0; at < M * N; at++) {
        int64_t row = at / N, column = at % N;
        double x;
        assert_int_equal(dcpn_completion_values(c, 1, &row, &column, &x), DCPN_OK);
        sum += (x - scene->truth[at]) * (x - scene->truth[at]);
    }
    return sqrt(sum / (M * N));
}

static void test_mcp_finds_the_planted_rank(void **state)
{
    (void)state;
    struct scene scene;
    double error[2];
    draw(0.5, 0, &scene);
    for (int k = 0; k < 2; k++) {
        dcpn_settings s = settings_for(k ? "mcp" : "l1", 1.0);
        s.shape_units = "problem";
        s.gamma = 3.0;
        s.tol = 1e-4;
        const dcpn_complete_options options = {.lambda_count = 20, .seed = 2};
        dcpn_completion *c = fit(&scene.entries, &s, &options);
        error[k] = error_of(c, &scene);
        if (k) assert_int_equal((int)number_of(c, "rank"), RANK);
        assert_true(dcpn_completion_tried(c) > 3);
        dcpn_completion_free(c);
    }
    assert_true(error[1] < 0.7 * error[0]);
}

static void test_spikes_go_into_the_sparse_part(void **state)
{
    (void)state;
    struct scene scene;
    int64_t row[M * N], column[M * N], found = 0;
    double value[M * N];
    draw(0.9, 1, &scene);
    const dcpn_settings s = settings_for("mcp", 2.0);
    const dcpn_complete_options options = {.sparse_lambda = 1.0, .sparse_penalty = "mcp"};
    dcpn_completion *c = fit(&scene.entries, &s, &options);
    int64_t count = (int64_t)number_of(c, "sparse_count");
    assert_int_equal(dcpn_completion_sparse(c, row, column, value), DCPN_OK);
    for (int64_t k = 0; k < count; k++)
        for (int64_t e = 0; e < scene.entries.count; e += 23)
            found += scene.row[e] == row[k] && scene.column[e] == column[k] && fabs(value[k] - 10.0) < 1.0;
    assert_int_equal(found, (scene.entries.count + 22) / 23);
    assert_int_equal(count, found);
    dcpn_completion_free(c);
}

static char *slurp(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void test_files_are_the_same_for_threads_and_are_read_back(void **state)
{
    (void)state;
    struct scene scene;
    char *expected = NULL;
    draw(0.5, 1, &scene);
    const dcpn_settings s = settings_for("scad", 2.0);
    const dcpn_complete_options options = {.sparse_lambda = 1.0, .center = 1, .lambda_count = 5};
    for (int threads = 1; threads <= 3; threads++) {
        dcpn_context_set_threads(context, threads);
        dcpn_completion *c = fit(&scene.entries, &s, &options), *back;
        assert_int_equal(dcpn_completion_write(c, "c.json"), DCPN_OK);
        if (!expected) expected = strdup(slurp("c.json"));
        assert_string_equal(slurp("c.json"), expected);
        assert_int_equal(dcpn_completion_begin(context, "c.json"), 1);
        if (dcpn_completion_read(context, "c.json", &back) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
        assert_int_equal(dcpn_completion_write(back, "back.json"), DCPN_OK);
        assert_string_equal(slurp("back.json"), expected);
        dcpn_completion_free(c);
        dcpn_completion_free(back);
    }
    free(expected);
}

static void test_wrong_entries_are_refused(void **state)
{
    (void)state;
    struct scene scene;
    dcpn_completion *c;
    dcpn_settings s = settings_for("l1", 2.0);
    draw(0.5, 0, &scene);
    scene.row[3] = scene.row[2];
    scene.column[3] = scene.column[2];
    assert_int_equal(dcpn_completion_fit(context, &scene.entries, &s, NULL, &c), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "found two entries"));
    scene.column[3] = N;
    assert_int_equal(dcpn_completion_fit(context, &scene.entries, &s, NULL, &c), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "entry 4"));
    draw(0.5, 0, &scene);
    scene.value[7] = INFINITY;
    assert_int_equal(dcpn_completion_fit(context, &scene.entries, &s, NULL, &c), DCPN_DATA);
    draw(0.5, 0, &scene);
    s.lambda = 0.0;
    assert_int_equal(dcpn_completion_fit(context, &scene.entries, &s, NULL, &c), DCPN_USAGE);
    s.lambda = 0.01;
    const dcpn_complete_options few = {.most_rank = 2};
    assert_int_equal(dcpn_completion_fit(context, &scene.entries, &s, &few, &c), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "--most-rank"));
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)
    const struct CMUnitTest tests[] = {TEST(test_objective_and_certificate_are_those_of_naive_code),
                                       TEST(test_whole_matrices_have_their_spectrum_shrunk),
                                       TEST(test_mcp_finds_the_planted_rank),
                                       TEST(test_spikes_go_into_the_sparse_part),
                                       TEST(test_files_are_the_same_for_threads_and_are_read_back),
                                       TEST(test_wrong_entries_are_refused)};
    return cmocka_run_group_tests_name("complete", tests, NULL, NULL);
}
