/* SPDX-License-Identifier: BSD-3-Clause */
/* The least eigenvalue, against matrices whose eigenvalues are known by construction or in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/eigenvalue.h"
#include "base/rng.h"

enum { MOST = 40 };

static void assert_close(double found, double expected, double scale)
{
    if (!(fabs(found - expected) <= 1e-12 * scale)) fail_msg("found %.17g, expected %.17g", found, expected);
}

/* Q diag(values) Q' with Q a product of random reflections. */
static void make_symmetric(struct rng *rng, int64_t n, const double *values, double *matrix)
{
    double v[MOST];
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) matrix[i * n + k] = i == k ? values[i] : 0.0;
    for (int turn = 0; turn < 3; turn++) {
        double norm = 0.0;
        for (int64_t i = 0; i < n; i++) v[i] = dcpn_rng_normal(rng);
        for (int64_t i = 0; i < n; i++) norm += v[i] * v[i];
        for (int side = 0; side < 2; side++)
            for (int64_t i = 0; i < n; i++) {
                double dot = 0.0; /* from the left on columns, then from the right on rows */
                for (int64_t k = 0; k < n; k++) dot += v[k] * (side ? matrix[i * n + k] : matrix[k * n + i]);
                for (int64_t k = 0; k < n; k++)
                    *(side ? &matrix[i * n + k] : &matrix[k * n + i]) -= 2.0 * dot / norm * v[k];
            }
    }
}

static void finds_what_was_put_in(void **state)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 17, MOST};
    double values[MOST], matrix[MOST * MOST], work[2 * MOST];
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 5);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int turn = 0; turn < 20; turn++) {
            double least = HUGE_VAL, most = 0.0;
            for (int64_t i = 0; i < sizes[s]; i++) {
                values[i] = turn % 3 == 0 ? fabs(dcpn_rng_normal(&rng)) : dcpn_rng_normal(&rng);
                if (turn % 5 == 0 && i > 0) values[i] = values[0]; /* all equal */
                least = fmin(least, values[i]);
                most = fmax(most, fabs(values[i]));
            }
            make_symmetric(&rng, sizes[s], values, matrix);
            assert_close(dcpn_least_eigenvalue(sizes[s], matrix, work), least, most);
        }
}

/* The second differences: 2 - 2 cos(pi / (n + 1)). */
static void of_second_differences(void **state)
{
    double matrix[MOST * MOST] = {0}, work[2 * MOST];
    (void)state;
    for (int64_t i = 0; i < MOST; i++) {
        matrix[i * MOST + i] = 2.0;
        if (i > 0) matrix[i * MOST + i - 1] = -1.0;
    }
    assert_close(dcpn_least_eigenvalue(MOST, matrix, work), 2.0 - 2.0 * cos(3.14159265358979323846 / (MOST + 1)), 4.0);
}

static void of_zero_and_of_rank_one(void **state)
{
    double zero[9] = {0}, ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, work[6];
    (void)state;
    assert_true(dcpn_least_eigenvalue(3, zero, work) == 0.0);
    assert_close(dcpn_least_eigenvalue(3, ones, work), 0.0, 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_put_in),
        cmocka_unit_test(of_second_differences),
        cmocka_unit_test(of_zero_and_of_rank_one),
    };
    return cmocka_run_group_tests_name("unit.eigenvalue", tests, NULL, NULL);
}
