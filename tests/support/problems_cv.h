/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems to cross-validate, the same for every test of a program. Include after cmocka.h. */
#ifndef DCPN_TESTS_PROBLEMS_CV_H
#define DCPN_TESTS_PROBLEMS_CV_H

#include "scratch.h"
#include "support/problems_naive.h"

enum { ROWS = 60, COLUMNS = 12, FOLDS = 4, LAMBDAS = 6 };

static dcpn_context *context;
static struct problems_data data;
static dcpn_matrix *A;
static dcpn_problem *of_classes, *of_numbers;

static inline dcpn_problem *problem_of(const double *labels)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, data.weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(problem, data.offset), DCPN_OK);
    return problem;
}

static inline int setup(void **state)
{
    if (enter_scratch(state) != 0) return -1;
    context = dcpn_context_new(NULL);
    data = problems_data_new(ROWS, COLUMNS, 0.7, 11);
    A = problems_matrix(context, &data, PROBLEMS_CSR);
    of_classes = problem_of(data.classes);
    of_numbers = problem_of(data.numbers);
    return 0;
}

static inline int teardown(void **state)
{
    dcpn_problem_free(of_classes);
    dcpn_problem_free(of_numbers);
    dcpn_matrix_free(A);
    problems_data_free(&data);
    dcpn_context_free(context);
    return leave_scratch(state);
}

static inline dcpn_cv *cv_of(const dcpn_problem *problem, const dcpn_settings *settings, const dcpn_cv_options *options)
{
    dcpn_cv *cv = NULL;
    if (dcpn_cv_run(context, problem, settings, options, &cv) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_true(cv->ending.is_complete);
    return cv;
}

#endif
