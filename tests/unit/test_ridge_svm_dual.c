/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine with a ridge: where its visits end the gradient of the primal, by naive loops, is 0; also if labels and
 * weights were others before. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/data.h"
#include "transduction/ridge_svm_dual.h"

enum { ROWS = 40, COLUMNS = 7, VISITS = 5000 };

struct machine_test {
    double A[ROWS * COLUMNS], offset[ROWS];
    dcpn_context *context;
    dcpn_matrix *matrix;
    struct ridge_svm *machine;
    struct rng rng;
};

static void label_at_random(struct machine_test *test)
{
    for (int i = 0; i < ROWS; i++) {
        test->machine->y[i] = dcpn_rng_uniform(&test->rng) < 0.4 ? -1.0 : 1.0;
        test->machine->w[i] = i % 5 == 0 ? 0.0 : exp(4.0 * dcpn_rng_uniform(&test->rng) - 3.0);
    }
}

static void begin(struct machine_test *test, uint64_t seed)
{
    dcpn_rng_seed(&test->rng, seed);
    for (int k = 0; k < ROWS * COLUMNS; k++)
        test->A[k] = dcpn_rng_uniform(&test->rng) < 0.3 ? 0.0 : dcpn_rng_normal(&test->rng);
    for (int i = 0; i < ROWS; i++) test->offset[i] = dcpn_rng_normal(&test->rng);
    test->context = dcpn_context_new(NULL);
    assert_non_null(test->context);
    assert_int_equal(dcpn_matrix_dense(test->context, ROWS, COLUMNS, test->A, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS,
                                       DCPN_BORROW, &test->matrix),
                     DCPN_OK);
    assert_int_equal(dcpn_ridge_svm_new(test->context, test->matrix, test->offset, &test->machine), DCPN_OK);
    test->machine->ridge = 0.3;
    label_at_random(test);
}

static void end(struct machine_test *test)
{
    dcpn_ridge_svm_free(test->machine);
    dcpn_matrix_free(test->matrix);
    dcpn_context_free(test->context);
}

static void visit(struct machine_test *test, int visits, int with_constant)
{
    for (int k = 0; k < visits; k++) {
        for (int i = 0; i < ROWS; i++) dcpn_ridge_svm_visit(test->machine, i);
        dcpn_ridge_svm_score(test->machine);
        if (with_constant) dcpn_ridge_svm_fit_constant(test->machine);
    }
}

/* The last entry is that of the constant. */
static void primal_gradient(const struct machine_test *test, double gradient[COLUMNS + 1])
{
    const struct ridge_svm *machine = test->machine;
    for (int j = 0; j < COLUMNS; j++) gradient[j] = machine->ridge * machine->x[j];
    gradient[COLUMNS] = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double s = test->offset[i] + machine->constant;
        for (int j = 0; j < COLUMNS; j++) s += test->A[i * COLUMNS + j] * machine->x[j];
        double slope = -2.0 * machine->w[i] * machine->y[i] * fmax(0.0, 1.0 - machine->y[i] * s);
        for (int j = 0; j < COLUMNS; j++) gradient[j] += slope * test->A[i * COLUMNS + j];
        gradient[COLUMNS] += slope;
    }
}

static void assert_minimum(const struct machine_test *test, int with_constant)
{
    double gradient[COLUMNS + 1];
    primal_gradient(test, gradient);
    for (int j = 0; j < COLUMNS + (with_constant ? 1 : 0); j++) assert_true(fabs(gradient[j]) <= 1e-8);
}

static void visits_end_at_the_minimum_of_the_primal(void **state)
{
    (void)state;
    for (int with_constant = 0; with_constant < 2; with_constant++) {
        struct machine_test test;
        begin(&test, 3);
        visit(&test, VISITS, with_constant);
        assert_minimum(&test, with_constant);
        assert_int_equal(test.machine->constant != 0.0, with_constant);
        end(&test);
    }
}

static void labels_and_weights_may_change(void **state)
{
    struct machine_test test;
    (void)state;
    begin(&test, 4);
    for (int k = 0; k < 5; k++) {
        visit(&test, 2, 1);
        label_at_random(&test);
    }
    for (int i = 0; i < ROWS; i++) test.machine->w[i] += 0.01; /* a row without weight would keep what it had */
    visit(&test, VISITS, 1);
    assert_minimum(&test, 1);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visits_end_at_the_minimum_of_the_primal),
        cmocka_unit_test(labels_and_weights_may_change),
    };
    return cmocka_run_group_tests_name("unit.ridge_machine", tests, NULL, NULL);
}
