/* SPDX-License-Identifier: BSD-3-Clause */
/* The model file: exact round trips, refusals that name the field, and scores of a model made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <pthread.h>

#include "base/context.h"
#include "dcpn/results.h"
#include "faulty_allocator.h"
#include "scratch.h"
#include "with_context.h"

static int64_t index_of_model[] = {0, 4, 9};
static double classes_of_model[2];
static double value_of_model[] = {0.1, -1e-300, 1.0 / 3.0};

/* Owns nothing: not for dcpn_model_free. */
static dcpn_model classifier(void)
{
    dcpn_model model = {
        .context = context, .settings = dcpn_settings_default(), .features = 10, .nonzeros = 3, .scores = 1};
    model.settings.lambda = 0.1 + 0.2;
    model.settings.intercept = 1;
    model.settings.max_iter = 123;
    model.index_base = 1;
    model.index = index_of_model;
    model.value = value_of_model;
    model.intercept = -0.0;
    model.labels.count = 2;
    model.labels.numbers = classes_of_model;
    model.labels.numbers[0] = 2.0;
    model.labels.numbers[1] = 5.5;
    model.rows = 42;
    model.making.threads = 3;
    model.making.read_s = 0.25;
    model.fit = (dcpn_result){.outcome = DCPN_MAX_ITERATIONS,
                              .objective = 1.0 / 7.0,
                              .loss_value = 1e-17,
                              .penalty_value = 12345678.9,
                              .stationarity = 2.0,
                              .stationarity_goal = 1e-4,
                              .nonzeros = 3,
                              .iterations = 7,
                              .inner_iterations = 70,
                              .line_search_trials = 8,
                              .safeguards = 1,
                              .passes = 12.5,
                              .time_s = 0.5,
                              .algorithm = "dcpn",
                              .metric = "hessian",
                              .subsolver = "coordinate-descent"};
    return model;
}

static void assert_same_fit(const dcpn_result *a, const dcpn_result *b)
{
    assert_true(a->objective == b->objective && a->loss_value == b->loss_value);
    assert_true(a->penalty_value == b->penalty_value && a->passes == b->passes);
    assert_true(a->stationarity == b->stationarity && a->stationarity_goal == b->stationarity_goal);
    assert_true(a->outcome == b->outcome && a->nonzeros == b->nonzeros && a->iterations == b->iterations);
    assert_true(a->inner_iterations == b->inner_iterations && a->safeguards == b->safeguards);
    assert_true(a->line_search_trials == b->line_search_trials);
    assert_string_equal(a->algorithm, b->algorithm);
    assert_string_equal(a->metric, b->metric);
    assert_string_equal(a->subsolver, b->subsolver);
}

static void test_round_trip(void **state)
{
    dcpn_model model = classifier(), *back;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "model"), DCPN_OK);
    if (dcpn_model_read(context, "model", &back) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_int_equal(back->features, 10);
    assert_int_equal(back->nonzeros, 3);
    assert_int_equal(back->index_base, 1);
    assert_int_equal(back->rows, 42);
    assert_memory_equal(back->index, model.index, sizeof index_of_model);
    assert_memory_equal(back->value, model.value, sizeof value_of_model);
    assert_true(back->intercept == 0.0 && signbit(back->intercept));
    assert_true(back->labels.count && back->labels.numbers[0] == 2.0 && back->labels.numbers[1] == 5.5);
    assert_true(back->settings.lambda == 0.1 + 0.2 && back->settings.max_time_s == model.settings.max_time_s);
    assert_true(back->settings.intercept == 1 && back->settings.max_iter == 123);
    assert_string_equal(back->settings.penalty, model.settings.penalty);
    assert_same_fit(&back->fit, &model.fit);

    assert_int_equal(dcpn_model_write(back, "again"), DCPN_OK);
    char *first = get_text_of("model"), *second = get_text_of("again");
    assert_string_equal(first, second);
    free(first);
    free(second);
    dcpn_model_free(back);
}

/* A file of one model gives it once; there is nothing to choose from. */
static void test_results_of_one_model(void **state)
{
    const dcpn_model model = classifier();
    static const char *const names[] = {"model", "model.gz", "model.zst", "model.xz"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        dcpn_model *back = NULL;
        dcpn_results *results;
        assert_int_equal(dcpn_model_write(&model, names[k]), DCPN_OK);
        assert_int_equal(dcpn_results_read(context, names[k], &results), DCPN_OK);
        assert_non_null(results->model);
        assert_true(!results->paths && !results->cv);
        assert_int_equal(dcpn_results_model(results, &(dcpn_selection){.rule = "min"}, &back), DCPN_USAGE);
        assert_int_equal(dcpn_results_model(results, NULL, &back), DCPN_OK);
        assert_same_fit(&back->fit, &model.fit);
        dcpn_model_free(back);
        assert_int_equal(dcpn_results_model(results, NULL, &back), DCPN_USAGE);
        dcpn_results_free(results);
    }
    assert_int_equal(dcpn_model_write(&model, "model.bz2"), DCPN_USAGE);
    assert_contains(dcpn_last_error(context), "model.bz2: .bz2 is not written; end the name in .gz, .zst or .xz");
}

static void test_regression_and_results_that_are_not_finite(void **state)
{
    dcpn_model model = classifier(), *back;
    (void)state;
    model.settings.loss = "squared";
    model.labels.count = 0;
    model.nonzeros = model.fit.nonzeros = 0;
    model.fit.stationarity = HUGE_VAL;
    assert_int_equal(dcpn_model_write(&model, "model"), DCPN_OK);
    if (dcpn_model_read(context, "model", &back) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_false(back->labels.count);
    assert_int_equal(back->nonzeros, 0);
    assert_true(isnan(back->fit.stationarity));
    assert_true(dcpn_model_label(back, 0.75) == 0.75);
    dcpn_model_free(back);
}

/* Time and threads are not part of the model: the file is the same bytes for any of them. */
static void test_times_are_in_the_json_alone(void **state)
{
    dcpn_model model = classifier();
    char *json;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "first"), DCPN_OK);
    model.making.threads = 1;
    model.making.read_s = 9.0;
    model.fit.time_s = 8.0;
    assert_int_equal(dcpn_model_write(&model, "second"), DCPN_OK);
    char *first = get_text_of("first"), *second = get_text_of("second");
    assert_string_equal(first, second);
    free(first);
    free(second);
    assert_int_equal(dcpn_model_fit_json(&model, &json), DCPN_OK);
    assert_contains(json, "{\"objective\": 0.14285714285714285, ");
    assert_contains(json, "\"outcome\": \"max-iter\", ");
    assert_contains(json, "\"n\": 42, \"p\": 10, \"nnz\": 3, ");
    assert_contains(json, "\"read_s\": 9, \"time_s\": 8, \"threads\": 1}");
    assert_null(strchr(json, '\n'));
    dcpn_free(context, json);
}

/* Each case replaces a piece of a good file. */
static const struct {
    const char *old, *replacement, *fragment;
} damages[] = {
    {"{", "", "model: line 2, column 10: found no valid JSON"},
    {"\"\n}", "\"", "found no valid JSON"},
    {"\"\n}", "\"\n} x", "found no valid JSON"},
    {"[0.1,", "[0.2,", "field checksum: found "},
    {"\"passes\"", "\"passos\": 1, \"passes\"", "if you have edited it, remove the checksum"},
    {"\"checksum\": \"", "\"checksum\": \"0", "field checksum: found 0"},
    {"\"checksum\": \"", "\"checksum\": 7, \"x\": \"", "field checksum: found a whole number, expected a text"},
    {"dcpn-model", "other", "model: field format: found another text, expected \"dcpn-model\", \"dcpn-path\""},
    {"\"format\"", "\"form\"", "field format: found nothing, expected a text"},
    {"\"version\": 1", "\"version\": 3", "field version: found 3, expected 2; it is from a newer dcpn"},
    {"\"version\": 1", "\"version\": 2", "field scores: found nothing, expected a whole number"},
    {"\"version\": 1", "\"version\": 2, \"scores\": 1", "field scores: found another number, expected how many"},
    {"\"version\": 1", "\"version\": 2, \"scores\": 3", "field scores: found several, expected 1 for this loss"},
    {"\"version\": 1", "\"version\": 0", "field version"},
    {"\"version\": 1", "\"version\": \"1\"", "field version: found a text, expected a whole number"},
    {"\"version\": 1", "\"version\": 1, \"version\": 1", "found no valid JSON (duplicate"},
    {"\"loss\": \"logistic\"", "\"loss\": \"logarithmic\"", "model: field params: --loss: found 'logarithmic'"},
    {"\"loss\": \"logistic\"", "\"loss\": 1", "field params.loss: found a whole number, expected a text"},
    {"\"loss\"", "\"gain\"", "field params.loss: found nothing"},
    {"\"lambda\": 0.3", "\"lambda\": -0.3", "model: field params: --lambda: found '-0.3"},
    {"\"theta\": 1", "\"theta\": 1e999", "found no valid JSON (real number overflow"},
    {"\"theta\": 1", "\"theta\": NaN", "found no valid JSON"},
    {"\"theta\": 1", "\"theta\": null", "field params.theta: found null, expected a number"},
    {"\"max-iter\": 123", "\"max-iter\": 1.5", "field params.max-iter: found a number, expected a whole number"},
    {"\"intercept\": true", "\"intercept\": 1", "field params.intercept: found a whole number, expected true or false"},
    {"\"params\": {", "\"params\": 3, \"other\": {", "field params: found a whole number, expected an object"},
    {"[2, 5.5]", "[2, 2]", "field classes: found the same number twice"},
    {"[2, 5.5]", "[2]", "field classes: found an array, expected [negative, positive]"},
    {"[2, 5.5]", "null", "field classes: found null, expected [negative, positive]"},
    {"[2, 5.5]", "[2, \"x\"]", "field classes: found a text, expected numbers"},
    {"\"features\": 10", "\"features\": -1", "field features: found a negative number"},
    {"\"features\": 10", "\"features\": 9", "field coef.index: found a number beyond the features"},
    {"\"features\": 10", "\"features\": 11", "field fit.p: found a number that contradicts"},
    {"\"features\": 10", "\"features\": 9223372036854775807", "field features: found a number out of range"},
    {"\"features\": 10", "\"features\": 99999999999999999999", "found no valid JSON (too big integer"},
    {"\"index_base\": 1", "\"index_base\": 2", "field index_base: found another number, expected 0 or 1"},
    {"\"intercept\": -0.0", "\"intercept\": []", "field intercept: found an array, expected a number"},
    {"[1, 5, 10]", "[0, 5, 10]", "field coef.index: found a number beyond the features"},
    {"[1, 5, 10]", "[1, 10, 5]", "field coef.index: found numbers that do not ascend"},
    {"[1, 5, 10]", "[1, 5, 5]", "field coef.index: found numbers that do not ascend"},
    {"[1, 5, 10]", "[1, 5]", "field coef.value: found another length"},
    {"[1, 5, 10]", "[1, 5.5, 10]", "field coef.index: found a number, expected whole numbers"},
    {"[1, 5, 10]", "7", "field coef.index: found a whole number, expected an array"},
    {"[0.1,", "[\"0.1\",", "field coef.value: found a text, expected numbers"},
    {"\"coef\"", "\"cof\"", "field coef: found nothing, expected an object"},
    {"\"fit\"", "\"fat\"", "field fit: found nothing, expected an object"},
    {"max-iter\",", "maximal\",", "field fit.outcome: found an unknown text"},
    {"\"n\": 42", "\"n\": -42", "field fit.n: found a negative number"},
    {"\"nnz\": 3", "\"nnz\": 4", "field fit.nnz: found a number that contradicts"},
    {"\"iterations\": 7", "\"iterations\": \"many\"", "field fit.iterations: found a text"},
    {"\"objective\": 0.14", "\"objective\": \"0.14\", \"x\": 0.14", "field fit.objective: found a text"},
};

static void put_damaged(const char *good, const char *old, const char *replacement)
{
    static char damaged[1 << 16];
    const char *at = strstr(good, old);
    if (!at) fail_msg("the file has no %s", old);
    snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)(at - good), good, replacement, at + strlen(old));
    put_text("model", damaged);
}

static void test_damaged_files_are_refused(void **state)
{
    dcpn_model model = classifier(), *back;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "good"), DCPN_OK);
    char *good = get_text_of("good");
    for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        put_damaged(good, damages[k].old, damages[k].replacement);
        if (dcpn_model_read(context, "model", &back) != DCPN_MODEL) fail_msg("not refused: %s", damages[k].replacement);
        assert_contains(dcpn_last_error(context), damages[k].fragment);
        assert_null(back);
    }
    free(good);
}

/* Cut anywhere, a file is refused or, where only its last line end is missing, read. */
static void test_truncated_files(void **state)
{
    dcpn_model model = classifier(), *back;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "good"), DCPN_OK);
    char *good = get_text_of("good");
    size_t length = strlen(good);
    for (size_t k = 0; k < length - 1; k++) {
        put_bytes("model", good, k);
        assert_int_equal(dcpn_model_read(context, "model", &back), DCPN_MODEL);
    }
    free(good);
    assert_int_equal(dcpn_model_read(context, "missing", &back), DCPN_IO);
    assert_int_equal(dcpn_model_read(context, ".", &back), DCPN_IO);
}

/* Removes the checksum, as someone who edits the file has to. */
static void remove_checksum(char *text)
{
    char *at = strstr(text, ",\n  \"checksum\"");
    assert_non_null(at);
    strcpy(at, "\n}\n");
}

/* A changed byte is refused, or does not change what the file says. */
static void test_changed_bytes(void **state)
{
    dcpn_model model = classifier(), *back;
    int refused = 0, read = 0;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "good"), DCPN_OK);
    char *good = get_text_of("good");
    size_t length = strlen(good);
    for (size_t k = 0; k < length; k++) {
        char *now = NULL, before = good[k];
        good[k] ^= (char)(1 << k % 7);
        put_bytes("model", good, length);
        good[k] = before;
        dcpn_status status = dcpn_model_read(context, "model", &back);
        if (status != DCPN_OK) assert_int_equal(status, DCPN_MODEL);
        refused += status != DCPN_OK;
        if (status != DCPN_OK) continue;
        read++;
        assert_int_equal(dcpn_model_write(back, "now"), DCPN_OK);
        now = get_text_of("now");
        assert_string_equal(now, good);
        free(now);
        dcpn_model_free(back);
    }
    free(good);
    assert_true(refused > 1000 && read < 100);
}

static void test_other_programs_may_rewrite_the_file(void **state)
{
    dcpn_model model = classifier(), *back;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "good"), DCPN_OK);
    char *good = get_text_of("good");
    put_damaged(good, "{\n  \"format\": \"dcpn-model\",", "\xef\xbb\xbf{\"format\"  :\r\n\"dcpn\\u002dmodel\",");
    assert_int_equal(dcpn_model_read(context, "model", &back), DCPN_OK);
    dcpn_model_free(back);
    put_damaged(good, "[0.1,", "[1e-1,");
    assert_int_equal(dcpn_model_read(context, "model", &back), DCPN_OK);
    dcpn_model_free(back);
    put_damaged(good, "\"features\": 10,\n  \"index_base\": 1", "\"index_base\": 1, \"features\": 10");
    assert_int_equal(dcpn_model_read(context, "model", &back), DCPN_OK);
    dcpn_model_free(back);
    free(good);
}

/* A small file can ask for much memory: 2 bytes of text for an array of its own. */
static void test_the_limit_of_memory_holds(void **state)
{
    size_t length = 1 << 20;
    char *text = malloc(length);
    dcpn_model *back;
    (void)state;
    for (size_t k = 0; k < length; k++) text[k] = k % 3 == 2 ? ',' : k % 3 == 0 ? '[' : ']';
    text[0] = text[1] = '[';
    put_bytes("model", text, length);
    free(text);
    dcpn_context_set_memory_limit(context, 10 << 20);
    assert_int_equal(dcpn_model_read(context, "model", &back), DCPN_MEMORY);
    assert_contains(dcpn_last_error(context), "model: out of memory: ");
    dcpn_context_set_memory_limit(context, 0);
}

static void test_unknown_fields_and_missing_settings(void **state)
{
    dcpn_model model = classifier(), *back;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "good"), DCPN_OK);
    char *good = get_text_of("good");
    remove_checksum(good);
    put_damaged(good, "\"theta\": 1", "\"new\": {\"deep\": [1, null]}");
    if (dcpn_model_read(context, "model", &back) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_true(back->settings.theta == dcpn_settings_default().theta);
    dcpn_model_free(back);
    free(good);
}

static void test_failed_write_leaves_the_old_file(void **state)
{
    dcpn_model model = classifier();
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "no/model"), DCPN_IO);
    assert_int_equal(dcpn_model_write(&model, "."), DCPN_IO);
    assert_int_equal(files_here(), 0);
}

static dcpn_status copy_model(dcpn_context *other)
{
    dcpn_model *model;
    char *json;
    DCPN_TRY(dcpn_model_read(other, "model", &model));
    dcpn_status status = dcpn_model_write(model, "copy");
    if (status == DCPN_OK) status = dcpn_model_fit_json(model, &json);
    if (status == DCPN_OK) dcpn_free(other, json);
    dcpn_model_free(model);
    return status;
}

static void test_every_failed_allocation_is_survived(void **state)
{
    dcpn_model model = classifier();
    dcpn_status status = DCPN_MEMORY;
    (void)state;
    assert_int_equal(dcpn_model_write(&model, "model"), DCPN_OK);
    for (int64_t k = 2; status != DCPN_OK; k++) { /* the first call makes the context */
        struct faulty faulty = {.fails_at = k};
        const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
        dcpn_context *other = dcpn_context_new(&allocator);
        status = copy_model(other);
        if (status != DCPN_OK) assert_int_equal(status, DCPN_MEMORY);
        dcpn_context_free(other);
        assert_int_equal(faulty.out, 0);
        assert_in_range(k, 2, 200);
    }
    assert_int_equal(files_here(), 2);
}

/* score = intercept + offset + a'x, with missing columns as 0 */
static void test_scores(void **state)
{
    const double dense[] = {1, 0, 0, 0, 2, /* second row */ -3, 0, 0, 0, 0};
    const double offset[] = {10, 20}, wide[11] = {0};
    double scores[2], probability;
    dcpn_model model = classifier();
    dcpn_matrix *A;
    (void)state;
    model.intercept = 0.5;
    assert_int_equal(dcpn_matrix_dense(context, 2, 5, dense, DCPN_FLOAT64, DCPN_ROW_MAJOR, 5, DCPN_COPY, &A), DCPN_OK);
    assert_int_equal(dcpn_model_scores(&model, A, offset, scores), DCPN_OK);
    assert_true(fabs(scores[0] - 10.6) < 1e-14 && fabs(scores[1] - 20.2) < 1e-14);
    assert_int_equal(dcpn_model_scores(&model, A, NULL, scores), DCPN_OK);
    assert_true(fabs(scores[0] - 0.6) < 1e-15 && fabs(scores[1] - 0.2) < 1e-15);
    dcpn_matrix_free(A);

    assert_int_equal(dcpn_matrix_dense(context, 1, 11, wide, DCPN_FLOAT64, DCPN_ROW_MAJOR, 11, DCPN_COPY, &A), DCPN_OK);
    assert_int_equal(dcpn_model_scores(&model, A, NULL, scores), DCPN_DATA);
    assert_contains(dcpn_last_error(context), "the data have 11 features, expected at most the 10 of the model");
    dcpn_matrix_free(A);

    assert_true(dcpn_model_label(&model, 0.1) == 5.5 && dcpn_model_label(&model, -0.1) == 2.0);
    assert_int_equal(dcpn_model_probability(&model, 0.0, &probability), DCPN_OK);
    assert_true(probability == 0.5);
    model.settings.loss = "squared-hinge";
    assert_int_equal(dcpn_model_probability(&model, 0.0, &probability), DCPN_USAGE);
    assert_contains(dcpn_last_error(context), "squared-hinge has no probabilities");
}

/* ---- A small stack ------------------------------------------------------------------------------------------------*/

static dcpn_status parse_status;

static void *parse(void *text)
{
    dcpn_results *results = NULL;
    parse_status = dcpn_results_parse(context, "deep", text, strlen(text), &results);
    dcpn_results_free(results);
    return NULL;
}

static void assert_depth(const char *begin, const char *open, const char *close, int depth, const char *expected)
{
    enum { SMALL_STACK = 160 << 10 };
    pthread_attr_t attributes;
    pthread_t thread;
    char *text = malloc(strlen(begin) + (size_t)depth * (strlen(open) + strlen(close)) + 1), *end;
    assert_non_null(text);
    end = stpcpy(text, begin);
    for (int k = 0; k < depth; k++) end = stpcpy(end, open);
    for (int k = 0; k < depth; k++) end = stpcpy(end, close);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, parse, text), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    assert_int_equal(parse_status, DCPN_MODEL);
    assert_contains(dcpn_last_error(context), expected);
    free(text);
}

static void what_is_nested_deep_takes_no_stack(void **state)
{
    (void)state;
    assert_depth("", "[", "]", 2000, "line 1, column 65: found more than 64 arrays or objects");
    assert_depth("{\n\"a\": ", "[", "]", 100000, "line 2, column 69: found more than 64 arrays or objects");
    assert_depth("", "{\"a\":", "}", 2000, "line 1, column 321: found more than 64 arrays or objects");
    assert_depth("{\"a\": \"\\\"", "[", "", 2000, "premature end of input"); /* within a text */
    assert_depth("", "[", "]", 64, "found an array");
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

int main(void)
{
    setlocale(LC_NUMERIC, ""); /* as a host program may do */
    const struct CMUnitTest tests[] = {
        TEST(what_is_nested_deep_takes_no_stack),
        TEST(test_round_trip),
        TEST(test_results_of_one_model),
        TEST(test_regression_and_results_that_are_not_finite),
        TEST(test_times_are_in_the_json_alone),
        TEST(test_damaged_files_are_refused),
        TEST(test_truncated_files),
        TEST(test_changed_bytes),
        TEST(test_other_programs_may_rewrite_the_file),
        TEST(test_the_limit_of_memory_holds),
        TEST(test_unknown_fields_and_missing_settings),
        TEST(test_failed_write_leaves_the_old_file),
        TEST(test_every_failed_allocation_is_survived),
        TEST(test_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
