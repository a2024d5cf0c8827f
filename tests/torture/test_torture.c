/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th allocation fails, for every k: the call says DCPN_MEMORY, nothing leaks, and an old model file survives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "data/format.h"
#include "dcpn/dcpn.h"
#include "faulty_allocator.h"
#include "scratch.h"

#define OLD_MODEL "the model of yesterday"

static const char data_text[] = "+1 1:0.5 3:1.25\n-1 2:-1 4:2\n+1 1:1.5 2:0.25 5:1\n-1 3:0.75 5:-2\n"
                                "+1 4:1 1:2\n-1 1:-0.5 2:1\n";

struct stages {
    int written; /* the new model file is complete */
};

static dcpn_settings small_settings(const char *metric, const char *subsolver)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.lambda = 0.1;
    settings.intercept = 1;
    settings.metric = metric;
    settings.subsolver = subsolver;
    return settings;
}

/* ---- what is tortured ---- */

static dcpn_status predict(dcpn_context *context, const dcpn_dataset *dataset)
{
    dcpn_model *model = NULL;
    double scores[6];
    dcpn_status status = dcpn_model_read(context, "model.json", &model);
    if (status == DCPN_OK) status = dcpn_model_scores(model, dataset->matrix, NULL, scores);
    dcpn_model_free(model);
    return status;
}

static dcpn_status write_model(const dcpn_solver *solver, int index_base, struct stages *stages)
{
    dcpn_model *model = NULL;
    dcpn_status status = dcpn_model_new(solver, index_base, &model);
    if (status == DCPN_OK) status = dcpn_model_write(model, "model.json");
    if (status == DCPN_OK) stages->written = 1;
    dcpn_model_free(model);
    return status;
}

static dcpn_status fit(dcpn_context *context, const dcpn_dataset *dataset, const dcpn_settings *settings,
                       struct stages *stages)
{
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_status status = dcpn_problem_new(context, dataset->matrix, dataset->labels, &problem);
    if (status == DCPN_OK) status = dcpn_solver_new(context, problem, settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status == DCPN_OK) status = write_model(solver, dataset->index_base, stages);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    return status;
}

static dcpn_status everything_with(dcpn_context *context, const char *metric, const char *subsolver,
                                   struct stages *stages)
{
    dcpn_settings settings = small_settings(metric, subsolver);
    dcpn_dataset *dataset = NULL;
    dcpn_status status = dcpn_read_libsvm(context, "data.svm", NULL, &dataset);
    if (status == DCPN_OK) status = fit(context, dataset, &settings, stages);
    if (status == DCPN_OK) status = predict(context, dataset);
    dcpn_dataset_free(dataset);
    return status;
}

static dcpn_status read_fit_write_read_predict(dcpn_context *context, struct stages *stages)
{
    return everything_with(context, "auto", "auto", stages);
}

static dcpn_status the_same_with_other_parts(dcpn_context *context, struct stages *stages)
{
    return everything_with(context, "lbfgs", "fista", stages);
}

/* A table with names and gaps, which the model remembers; then the table as the model wants it. */
static dcpn_status read_as_wanted(dcpn_context *context, struct stages *stages)
{
    const dcpn_read_options mean = {.table.missing = "mean"};
    dcpn_settings settings = small_settings("auto", "auto");
    dcpn_dataset *table = NULL, *again = NULL;
    dcpn_model *model = NULL, *back = NULL;
    dcpn_status status = dcpn_fit_file(context, "full.csv", &settings, &model);
    if (status == DCPN_OK) status = dcpn_read(context, "table.csv", &mean, &table);
    if (status == DCPN_OK) status = dcpn_model_set_names(model, table);
    if (status == DCPN_OK) status = dcpn_model_write(model, "model.json");
    if (status == DCPN_OK) stages->written = 1;
    if (status == DCPN_OK) status = dcpn_model_read(context, "model.json", &back);
    if (status == DCPN_OK) {
        const dcpn_read_options wanted = {.indexing = DCPN_INDEX_FROM_1,
                                          .at_least = back->features,
                                          .table.wanted = back->table.names,
                                          .table.wanted_count = back->nonzeros,
                                          .table.fill = back->table.fill,
                                          .table.label_name = back->table.label_name};
        assert_true(back->nonzeros > 0 && back->table.fill[0] == 2.0);
        status = dcpn_read(context, "table.csv", &wanted, &again);
    }
    if (status == DCPN_OK) assert_string_equal(again->label_name, "class");
    dcpn_dataset_free(table);
    dcpn_dataset_free(again);
    dcpn_model_free(model);
    dcpn_model_free(back);
    return status;
}

static dcpn_status fit_a_file(dcpn_context *context, struct stages *stages)
{
    dcpn_settings settings = small_settings("auto", "auto");
    dcpn_model *model = NULL;
    char *text = NULL;
    dcpn_status status = dcpn_fit_file(context, "data.svm", &settings, &model);
    if (status == DCPN_OK) status = dcpn_model_write(model, "model.json");
    if (status == DCPN_OK) stages->written = 1;
    if (status == DCPN_OK) status = dcpn_model_fit_json(model, &text);
    dcpn_free(context, text);
    dcpn_model_free(model);
    return status;
}

static dcpn_status generate_and_write(dcpn_context *context, struct stages *stages)
{
    dcpn_toy toy = {.features = 6, .relevant = 2, .rows = 8, .test_rows = 4, .seed = 1};
    dcpn_dataset *train = NULL, *test = NULL;
    (void)stages;
    dcpn_status status = dcpn_generate_toy(context, &toy, &train, &test, NULL);
    if (status == DCPN_OK) status = dcpn_write_libsvm(train, "toy.svm");
    if (status == DCPN_OK) status = dcpn_write_numbers(context, "toy.numbers", train->labels, train->rows);
    dcpn_dataset_free(train);
    dcpn_dataset_free(test);
    return status;
}

/* With names, from a file and from memory, widened and in single precision. */
static dcpn_status write_and_read_binary(dcpn_context *context, struct stages *stages)
{
    static char letters[] = "a\0b\0c\0d\0e";
    char *names[] = {letters, letters + 2, letters + 4, letters + 6, letters + 8};
    const dcpn_read_options usual = {0}, other = {.at_least = 9, .value_type = DCPN_FLOAT32};
    struct content content = {.context = context, .name = "data.dcpn", .plain_path = "data.dcpn"};
    dcpn_dataset *text = NULL, *binary = NULL, *changed = NULL;
    (void)stages;
    dcpn_status status = dcpn_read_libsvm(context, "data.svm", NULL, &text);
    if (text) text->feature_names = names;
    if (status == DCPN_OK) status = dcpn_format_binary.write(text, "data.dcpn");
    if (status == DCPN_OK) status = dcpn_format_binary.read(&content, &usual, &binary);
    if (status == DCPN_OK) {
        content.plain_path = NULL;
        content.bytes = binary->borrowed.memory;
        content.size = binary->borrowed.mapped;
        status = dcpn_format_binary.read(&content, &other, &changed);
    }
    if (text) text->feature_names = NULL;
    dcpn_dataset_free(changed);
    dcpn_dataset_free(binary);
    dcpn_dataset_free(text);
    remove("data.dcpn");
    return status;
}

/* Compressed, and stored in either way. */
static dcpn_status write_and_read_compressed(dcpn_context *context, struct stages *stages)
{
    static const char *const paths[] = {"data.svm.gz", "data.csv.xz"};
    const dcpn_read_options stored[] = {{.storage = DCPN_STORAGE_DENSE}, {.storage = DCPN_STORAGE_SPARSE}};
    dcpn_dataset *text = NULL, *back[2] = {NULL, NULL};
    (void)stages;
    dcpn_status status = dcpn_read_libsvm(context, "data.svm", &stored[0], &text);
    for (int k = 0; k < 2; k++) {
        if (status == DCPN_OK) status = dcpn_write(text, paths[k], NULL);
        if (status == DCPN_OK) status = dcpn_read(context, paths[k], &stored[k], &back[k]);
        dcpn_dataset_free(back[k]);
        remove(paths[k]);
    }
    dcpn_dataset_free(text);
    return status;
}

static dcpn_status read_numbers(dcpn_context *context, struct stages *stages)
{
    double *numbers = NULL;
    int64_t count = 0;
    (void)stages;
    dcpn_status status = dcpn_read_numbers(context, "numbers", &numbers, &count);
    if (status == DCPN_OK) assert_int_equal(count, 3);
    dcpn_free(context, numbers);
    return status;
}

static dcpn_status dense_and_sparse_matrices(dcpn_context *context, struct stages *stages)
{
    static const double values[] = {1.0, 2.0, 3.0, 4.0};
    static const int64_t pointers[] = {0, 2, 4};
    static const int32_t indices[] = {0, 1, 1, 0};
    const dcpn_compressed arrays = {2, 2, pointers, indices, DCPN_INT32, values, DCPN_FLOAT64, NULL};
    dcpn_matrix *made[3] = {NULL};
    (void)stages;
    dcpn_status status = dcpn_matrix_dense(context, 2, 2, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, 2, DCPN_COPY, &made[0]);
    if (status == DCPN_OK) status = dcpn_matrix_csr(context, &arrays, DCPN_COPY, &made[1]);
    if (status == DCPN_OK) status = dcpn_matrix_csc(context, &arrays, DCPN_BORROW, &made[2]);
    for (int k = 0; k < 3; k++) dcpn_matrix_free(made[k]);
    return status;
}

static dcpn_status cross_validate(dcpn_context *context, const dcpn_dataset *dataset)
{
    static const char *const penalties[] = {"l1", "mcp"};
    static const double values[] = {3.0, 9.0};
    dcpn_settings settings = small_settings("auto", "auto");
    dcpn_cv_options options = {.folds = 2, .subsamples = 2};
    dcpn_problem *problem = NULL;
    dcpn_cv *cv = NULL;
    settings.standardize = 1;
    settings.ridge = 0.5;
    options.path = (dcpn_path_options){
        .lambda_count = 2, .penalties = penalties, .penalty_count = 2, .values = values, .value_count = 2};
    dcpn_status status = dcpn_problem_new(context, dataset->matrix, dataset->labels, &problem);
    if (status == DCPN_OK) status = dcpn_cv_run(context, problem, &settings, &options, &cv);
    if (status == DCPN_OK) status = dcpn_cv_write(cv, NULL, NULL, "cv.json");
    if (status == DCPN_OK) status = dcpn_paths_write(cv->paths, NULL, "path.json");
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    return status;
}

static dcpn_status cross_validate_write_read(dcpn_context *context, struct stages *stages)
{
    dcpn_dataset *dataset = NULL;
    dcpn_model *model = NULL;
    stages->written = 1; /* not the model; other files */
    put_text("model.json", OLD_MODEL);
    dcpn_status status = dcpn_read_libsvm(context, "data.svm", NULL, &dataset);
    if (status == DCPN_OK) status = cross_validate(context, dataset);
    if (status == DCPN_OK) status = dcpn_model_read(context, "cv.json", &model);
    dcpn_model_free(model);
    dcpn_dataset_free(dataset);
    return status;
}

/* ---- torture ---- */

typedef dcpn_status scenario(dcpn_context *context, struct stages *stages);

/* The status with the k-th allocation failing; the context itself is the first. */
static dcpn_status run_with_failure(scenario *run, int64_t k, struct stages *stages)
{
    struct faulty faulty = {.fails_at = k};
    const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
    dcpn_context *context = dcpn_context_new(&allocator);
    dcpn_status status = context ? run(context, stages) : DCPN_MEMORY;
    if (context && status != DCPN_OK) assert_true(strlen(dcpn_last_error(context)) > 0);
    dcpn_context_free(context);
    if (faulty.out != 0) fail_msg("allocation %lld fails: %lld leak", (long long)k, (long long)faulty.out);
    return status;
}

static void assert_old_model_intact(int64_t k)
{
    char *text = get_text_of("model.json");
    if (strcmp(text, OLD_MODEL) != 0) fail_msg("allocation %lld fails: the old model file is gone", (long long)k);
    free(text);
}

static void torture(scenario *run, int64_t least)
{
    dcpn_status status = DCPN_MEMORY;
    int64_t k = 0;
    while (status != DCPN_OK) {
        struct stages stages = {0};
        put_text("model.json", OLD_MODEL);
        int files = files_here();
        status = run_with_failure(run, ++k, &stages);
        if (status != DCPN_OK && status != DCPN_MEMORY)
            fail_msg("allocation %lld fails: %s", (long long)k, dcpn_status_meaning(status));
        if (!stages.written) assert_old_model_intact(k);
        if (status != DCPN_OK && !stages.written && run != generate_and_write) assert_int_equal(files_here(), files);
        if (k > 100000) fail_msg("no end after %lld allocations", (long long)k);
    }
    assert_true(k > least);
}

static void the_whole_way_survives(void **state)
{
    (void)state;
    torture(read_fit_write_read_predict, 10);
    torture(the_same_with_other_parts, 10);
    torture(fit_a_file, 10);
    torture(read_as_wanted, 40);
}

static void cross_validation_survives(void **state)
{
    (void)state;
    torture(cross_validate_write_read, 100);
}

static void data_survive(void **state)
{
    (void)state;
    torture(generate_and_write, 3);
    torture(write_and_read_binary, 10);
    torture(write_and_read_compressed, 20);
    torture(read_numbers, 2);
    torture(dense_and_sparse_matrices, 5);
}

static int setup(void **state)
{
    if (enter_scratch(state) != 0) return -1;
    put_text("data.svm", data_text);
    put_text("full.csv", "a,b,class\n3,0,1\n3,5,1\n1,0,-1\n1,5,-1\n");
    put_text("table.csv", "a,b,class\n1,0,1\n3,5,1\n,4,1\n2,-3,-1\n2,-2,-1\n");
    put_text("numbers", "1\n2.5\n-3e-4\n");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_way_survives),
        cmocka_unit_test(cross_validation_survives),
        cmocka_unit_test(data_survive),
    };
    return cmocka_run_group_tests_name("torture", tests, setup, leave_scratch);
}
