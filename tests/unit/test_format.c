/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats by their content, names of features and classes from file to model, and all that is wrong with a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <lzma.h>
#include <math.h>
#include <zlib.h>

#include "base/context.h"
#include "dcpn/dcpn.h"
#include "faulty_allocator.h"
#include "scratch.h"
#include "with_context.h"

static void assert_refused(dcpn_status expected, dcpn_status found, const char *fragment)
{
    assert_int_equal(found, expected);
    assert_contains(dcpn_last_error(context), fragment);
}

/* ---- Which format -------------------------------------------------------------------------------------------------*/

static void test_recognised_by_content(void **state)
{
    static const struct {
        const char *text, *format;
    } cases[] = {
        {"1 1:1 2:2\n", "libsvm"},
        {"# comment\n\n\n-1 qid:3 5:1\n", "libsvm"},
        {"1\n2 1:1\n", "libsvm"},
        {"\xEF\xBB\xBF+1 12:0.5\r\n", "libsvm"},
        {"a,b,y\n1,2,0\n3,4,1\n", "csv"},
        {"1;2;0\n3;4;1\n", "csv"},
        {"a\tb\ty\n1\t2\t0\n", "tsv"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n", "matrix-market"},
    };
    const dcpn_read_options options = {.unlabelled = 1};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dcpn_dataset *dataset;
        put_text("data", cases[k].text);
        if (dcpn_read(context, "data", &options, &dataset) != DCPN_OK)
            fail_msg("'%s': %s", cases[k].text, dcpn_last_error(context));
        assert_string_equal(dataset->format, cases[k].format);
        dcpn_dataset_free(dataset);
    }
}

static void test_every_format_is_described(void **state)
{
    dcpn_format format;
    size_t count = 0;
    (void)state;
    for (; dcpn_format_at(count, &format); count++) {
        assert_true(format.name[0] && format.extensions[0] == '.' && format.summary[0]);
        for (const char *word = format.extensions; *word; word += strcspn(word, " "), word += strspn(word, " "))
            assert_int_equal(*word, '.');
    }
    assert_true(count >= 1);
    assert_false(dcpn_format_at(count + 1, &format));
}

static void test_unknown_formats(void **state)
{
    dcpn_dataset *dataset;
    const dcpn_read_options named = {.format = "word processor"};
    (void)state;
    put_text("data", "1 1:1\n");
    assert_refused(DCPN_USAGE, dcpn_read(context, "data", &named, &dataset), "found 'word processor', expected one of");
    assert_int_equal(dcpn_read(context, "data", NULL, &dataset), DCPN_OK);
    assert_refused(DCPN_USAGE, dcpn_write(dataset, "copy", NULL), "copy: its name does not tell the format");
    assert_refused(DCPN_USAGE, dcpn_write(dataset, "a.svm/copy", NULL), "its name does not tell the format");
    assert_refused(DCPN_USAGE, dcpn_write(dataset, "copy.svm", "x"), "found 'x', expected one of");
    assert_int_equal(dcpn_write(dataset, "copy.svm", NULL), DCPN_OK);
    assert_int_equal(dcpn_write(dataset, "copy", "libsvm"), DCPN_OK);
    dcpn_dataset_free(dataset);
}

/* ---- All that is wrong --------------------------------------------------------------------------------------------*/

static char findings[4096];

static void keep_finding(void *user, const char *sentence)
{
    int64_t *reported = user;
    ++*reported;
    strcat(findings, sentence);
    strcat(findings, "\n");
}

static int64_t check_text(const char *text, int64_t limit, int64_t *reported)
{
    int64_t count = -1;
    findings[0] = '\0';
    *reported = 0;
    put_text("data", text);
    assert_int_equal(dcpn_check(context, "data", NULL, limit, keep_finding, reported, &count), DCPN_OK);
    return count;
}

static void test_check(void **state)
{
    int64_t reported, count;
    (void)state;
    assert_int_equal(check_text("1 1:1\n-1 2:1\n", 10, &reported), 0);
    assert_int_equal(check_text("1 a:1 2:b\nx 1:1\n2 3:3 4:inf\n", 10, &reported), 4);
    assert_int_equal(reported, 4);
    assert_contains(findings, "data: line 1, column 3: found 'a:1'");
    assert_contains(findings, "data: line 1, column 9: found 'b'");
    assert_contains(findings, "data: line 2, column 1: found 'x'");
    assert_contains(findings, "data: line 3, column 9: found 'inf'");
    assert_int_equal(check_text("1 a:1 2:b\nx 1:1\n2 3:3 4:inf\n", 2, &reported), 4);
    assert_int_equal(reported, 2);
    assert_int_equal(check_text("1\n2\n", 10, &reported), 1); /* only reading tells */
    assert_contains(findings, "found no feature in 2 rows");
    assert_int_equal(dcpn_check(context, "nowhere", NULL, 1, keep_finding, &reported, &count), DCPN_IO);
}

/* ---- Names --------------------------------------------------------------------------------------------------------*/

static void test_names(void **state)
{
    dcpn_dataset *dataset;
    const dcpn_read_options named = {.names_path = "names"};
    (void)state;
    put_text("data", "1 1:1 2:2\n");
    put_text("names", "\xEF\xBB\xBF"
                      "a\r\n  two words \nthe third\n\n  \n");
    assert_int_equal(dcpn_read(context, "data", &named, &dataset), DCPN_OK);
    assert_int_equal(dataset->features, 3); /* the names tell of one that no row has */
    assert_string_equal(dataset->feature_names[0], "a");
    assert_string_equal(dataset->feature_names[1], "two words");
    assert_string_equal(dataset->feature_names[2], "the third");
    dcpn_dataset_free(dataset);
    put_text("names", "a\n");
    assert_refused(DCPN_DATA, dcpn_read(context, "data", &named, &dataset), "names: found 1 names, expected 2");
    assert_null(dataset);
    put_text("names", "a\n\nb\n");
    assert_refused(DCPN_DATA, dcpn_read(context, "data", &named, &dataset), "names: line 2, column 1: found a blank");
    put_text("names", "\n");
    assert_refused(DCPN_DATA, dcpn_read(context, "data", &named, &dataset), "names: found no names");
}

static void test_names_are_utf8(void **state)
{
    static const struct {
        const char *name;
        int is_right;
    } cases[] = {
        {"plain", 1},
        {"caf\xc3\xa9", 1},
        {"\xe2\x82\xac", 1},
        {"\xf0\x9f\x98\x80", 1},
        {"caf\xe9", 0},
        {"\xc0\x80", 0},         /* overlong */
        {"\xe0\x9f\xbf", 0},     /* overlong */
        {"\xed\xa0\x80", 0},     /* a surrogate */
        {"\xf4\x90\x80\x80", 0}, /* beyond 0x10ffff */
        {"\xf5\x80\x80\x80", 0},
        {"\xe2\x82", 0}, /* cut off */
        {"\x80", 0},
    };
    const dcpn_read_options named = {.names_path = "names"};
    (void)state;
    put_text("data", "1 1:1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dcpn_dataset *dataset;
        char text[40];
        snprintf(text, sizeof text, "%s\n", cases[k].name);
        put_text("names", text);
        dcpn_status status = dcpn_read(context, "data", &named, &dataset);
        if (status != (cases[k].is_right ? DCPN_OK : DCPN_DATA)) fail_msg("name %zu", k);
        dcpn_dataset_free(dataset);
    }
}

/* ---- In the model -------------------------------------------------------------------------------------------------*/

static const char data_text[] = "0 1:0.5 3:1.25\n1 2:-1 3:2\n0 1:1.5 2:0.25\n1 3:0.75 2:-2\n0 1:2\n1 1:-0.5 2:1\n";
static const char names_text[] = "first\n\"beta\"\ng\\mma\n";
static const char labels_text[] = "yes\nno \"sir\"\nyes\nno \"sir\"\nyes\nno \"sir\"\n";

static void put_files(void)
{
    put_text("data.svm", data_text);
    put_text("names", names_text);
    put_text("labels", labels_text);
}

static dcpn_status fit_named(dcpn_context *with, dcpn_model **model)
{
    const dcpn_read_options options = {.names_path = "names", .labels_path = "labels"};
    dcpn_settings settings = dcpn_settings_default();
    dcpn_dataset *data = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    settings.lambda = 0.05;
    dcpn_status status = dcpn_read(with, "data.svm", &options, &data);
    if (status == DCPN_OK) status = dcpn_problem_new(with, data->matrix, data->labels, &problem);
    if (status == DCPN_OK) status = dcpn_solver_new(with, problem, &settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status == DCPN_OK) status = dcpn_model_new(solver, data->index_base, model);
    if (status == DCPN_OK) status = dcpn_model_set_names(*model, data);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_dataset_free(data);
    return status;
}

static void assert_named(const dcpn_model *model)
{
    static const char *const names[] = {"first", "\"beta\"", "g\\mma"};
    assert_non_null(model->labels.names);
    assert_string_equal(model->labels.names[0], "no \"sir\"");
    assert_string_equal(model->labels.names[1], "yes");
    assert_true(model->labels.numbers[0] == 0.0 && model->labels.numbers[1] == 1.0);
    assert_true(model->nonzeros > 0);
    for (int64_t k = 0; k < model->nonzeros; k++) assert_string_equal(model->table.names[k], names[model->index[k]]);
}

static void test_names_in_the_model(void **state)
{
    dcpn_model *model = NULL, *again;
    (void)state;
    put_files();
    assert_int_equal(fit_named(context, &model), DCPN_OK);
    assert_named(model);
    assert_int_equal(dcpn_model_write(model, "model.json"), DCPN_OK);
    assert_int_equal(dcpn_model_read(context, "model.json", &again), DCPN_OK);
    assert_named(again);
    assert_int_equal(dcpn_model_write(again, "again.json"), DCPN_OK);
    char *first = get_text_of("model.json"), *second = get_text_of("again.json");
    assert_string_equal(first, second);
    free(first);
    free(second);
    dcpn_model_free(again);
    dcpn_model_free(model);
}

static void test_damaged_names(void **state)
{
    static const struct {
        const char *from, *to, *fragment;
    } cases[] = {
        {"\"first\"", "7", "field coef.name: found a whole number, expected texts"},
        {"\"first\", ", "", "field coef.name: found another length than that of coef.index"},
        {"\"name\": [", "\"name\": 3, \"x\": [", "field coef.name: found a whole number"},
        {"\"no \\\"sir\\\"\"", "\"yes\"", "field classes: found the same text twice"},
        {"\"yes\"]", "1]", "field classes: found a whole number, expected texts"},
        {"[\"no \\\"sir\\\"\"", "[2", "field classes: found a text, expected numbers or texts, not both"},
    };
    dcpn_model *model = NULL;
    (void)state;
    put_files();
    assert_int_equal(fit_named(context, &model), DCPN_OK);
    assert_int_equal(dcpn_model_write(model, "model.json"), DCPN_OK);
    dcpn_model_free(model);
    char *text = get_text_of("model.json");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char damaged[8192];
        const char *at = strstr(text, cases[k].from);
        if (!at) fail_msg("%s is not in the model", cases[k].from);
        snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)(at - text), text, cases[k].to, at + strlen(cases[k].from));
        put_text("damaged.json", damaged);
        assert_refused(DCPN_MODEL, dcpn_model_read(context, "damaged.json", &model), cases[k].fragment);
        assert_null(model);
    }
    free(text);
}

/* ---- Memory -------------------------------------------------------------------------------------------------------*/

static void put_compressed(void)
{
    unsigned char packed[4096];
    size_t size = 0;
    gzFile file = gzopen("names", "wb");
    gzwrite(file, names_text, sizeof names_text - 1);
    gzclose(file);
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)data_text,
                                             sizeof data_text - 1, packed, &size, sizeof packed),
                     LZMA_OK);
    put_bytes("data.svm", (const char *)packed, size);
    put_text("labels", labels_text);
}

static dcpn_status fit_write_read(dcpn_context *with)
{
    dcpn_model *model = NULL, *again = NULL;
    dcpn_status status = fit_named(with, &model);
    if (status == DCPN_OK) status = dcpn_model_write(model, "model.json");
    if (status == DCPN_OK) status = dcpn_model_read(with, "model.json", &again);
    if (status == DCPN_OK) assert_named(again);
    dcpn_model_free(again);
    dcpn_model_free(model);
    return status;
}

static void test_every_failed_allocation_is_survived(void **state)
{
    dcpn_status status = DCPN_MEMORY;
    (void)state;
    put_compressed();
    for (int64_t k = 2; status != DCPN_OK; k++) {
        struct faulty faulty = {.fails_at = k};
        const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
        dcpn_context *other = dcpn_context_new(&allocator);
        status = fit_write_read(other);
        if (status != DCPN_OK && status != DCPN_MEMORY) fail_msg("call %d: %s", (int)k, dcpn_last_error(other));
        dcpn_context_free(other);
        assert_int_equal(faulty.out, 0);
        assert_in_range(k, 2, 400);
    }
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_recognised_by_content),
        TEST(test_every_format_is_described),
        TEST(test_unknown_formats),
        TEST(test_check),
        TEST(test_names),
        TEST(test_names_are_utf8),
        TEST(test_names_in_the_model),
        TEST(test_damaged_names),
        TEST(test_every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
