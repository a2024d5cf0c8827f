/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of categories: which they are, the features that they become, gaps and levels that nobody knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "reading.h"

static const struct format *const csv = &dcpn_format_csv;
static const char TEXT[] = "age,site,y,rank\n1,Lyon,5,2\n2,Basel,6,1\n3,\"Lyon\",5,2\n4,\"O\"\"slo\",6,3\n";

static void assert_names(const dcpn_dataset *dataset, int64_t count, const char *const *names)
{
    assert_int_equal(dataset->features, count);
    for (int64_t j = 0; j < count; j++) assert_string_equal(dataset->feature_names[j], names[j]);
}

/* The first level, in ascending order, is the reference; the features stand where the column stood. */
static void test_levels_become_features(void **state)
{
    static const char *const names[] = {"age", "site=Lyon", "site=O\"slo", "rank"};
    static const char *const ranked[] = {"age", "site=Lyon", "site=O\"slo", "rank=2", "rank=3"};
    const double expected[] = {1, 1, 0, 2, 2, 0, 0, 1, 3, 1, 0, 2, 4, 0, 1, 3};
    const double with_rank[] = {1, 1, 0, 1, 0, 2, 0, 0, 0, 0, 3, 1, 0, 1, 0, 4, 0, 1, 0, 1};
    static const char *const wishes[] = {"auto", "site", " 2 "};
    (void)state;
    for (int k = 0; k < 6; k++) {
        const dcpn_read_options options = {.table.categorical = wishes[k % 3],
                                           .storage = k < 3 ? DCPN_STORAGE_DENSE : DCPN_STORAGE_SPARSE};
        dcpn_dataset *dataset = accept_text(csv, TEXT, &options);
        assert_data(dataset, 4, 4, expected);
        assert_names(dataset, 4, names);
        assert_int_equal(dataset->category_count, 1);
        assert_string_equal(dataset->categories[0].column, "site");
        assert_string_equal(dataset->categories[0].levels[2], "O\"slo");
        dcpn_dataset_free(dataset);
    }
    const dcpn_read_options both = {.table.categorical = "site,rank"};
    dcpn_dataset *dataset = accept_text(csv, TEXT, &both);
    assert_data(dataset, 4, 5, with_rank);
    assert_names(dataset, 5, ranked);
    assert_contains(last_message, "'rank' has 3 categories, each a feature but '1', the reference");
    dcpn_dataset_free(dataset);
}

/* A missing category is missing in each feature of its column. */
static void test_gaps(void **state)
{
    static const char text[] = "site,y\na,1\nb,2\n,1\nb,2\nc,1\n";
    const double zeros[] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 1}, means[] = {0, 0, 1, 0, 0.5, 0.25, 1, 0, 0, 1};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const dcpn_read_options options = {.table.categorical = "auto",
                                           .table.missing = k % 2 ? "mean" : "zero",
                                           .storage = k < 2 ? DCPN_STORAGE_DENSE : DCPN_STORAGE_SPARSE};
        dcpn_dataset *dataset = accept_text(csv, text, &options);
        assert_data(dataset, 5, 2, k % 2 ? means : zeros);
        assert_int_equal(dataset->gaps[0], 1);
        assert_int_equal(dataset->gaps[1], 1);
        assert_contains(last_message, "found 1 missing value in 1 of 1 columns (1 in 'site')");
        dcpn_dataset_free(dataset);
    }
    const dcpn_read_options refuse = {.table.categorical = "auto"};
    refuse_text(csv, text, &refuse, "line 4, column 1: found nothing in field 1 ('site'), a missing value");
}

/* Rows to predict: the levels are those of the fit, whatever stands in the rows. */
static void test_levels_of_a_model(void **state)
{
    char site[] = "site", a[] = "a", b[] = "b", c[] = "c", age[] = "age", feature[] = "site=c";
    char *levels[] = {a, b, c}, *const wanted[] = {feature, age};
    const dcpn_category category = {site, levels, 3};
    const double fill[] = {0.25, 7}, expected[] = {1, 1, 2, 0, 3, 0.25}, zeros[] = {1, 1, 2, 0, 3, 0};
    dcpn_read_options options = {.table.categories = &category,
                                 .table.category_count = 1,
                                 .table.wanted = wanted,
                                 .table.wanted_count = 2,
                                 .unlabelled = 1,
                                 .table.fill = fill};
    (void)state;
    dcpn_dataset *dataset = accept_text(csv, "age,note,site\n1,x,c\n2,,b\n3,y,new\n", &options);
    assert_data(dataset, 3, 2, expected);
    assert_string_equal(dataset->feature_names[1], "site=c");
    dcpn_dataset_free(dataset);
    options.table.fill = NULL;
    refuse_text(
        csv, "age,site\n1,c\n3,new\n", &options,
        "line 3, column 3: found 'new' in field 2 ('site'), which the data of the fit did not have there, expected one "
        "of a, b, c; --missing zero takes a, the reference, in its place");
    refuse_text(csv, "age,town\n1,c\n", &options, "found no column named 'site', expected one, which the model uses");
    options.table.missing = "zero";
    dataset = accept_text(csv, "age,note,site\n1,x,c\n2,,b\n3,y,new\n", &options);
    assert_data(dataset, 3, 2, zeros);
    dcpn_dataset_free(dataset);
}

static void test_refusals(void **state)
{
    const dcpn_read_options option = {.table.categorical = "auto"}, label = {.table.categorical = "y"},
                            far = {.table.categorical = "9"},
                            id = {.table.categorical = "id,a", .table.id_column = "id"};
    char text[400] = "name,y\n";
    (void)state;
    for (int i = 0; i < 30; i++) sprintf(text + strlen(text), "p%d,%d\n", i % 16, i % 2);
    refuse_text(csv, text, &option,
                "found 16 different texts in the 30 rows of the column 'name', expected categories");
    refuse_text(csv, "a,b\n", &option, "expected to be told which one holds the labels");
    refuse_text(csv, "x,1\ny,2\n", &option, "found no header, expected one");
    refuse_text(csv, "a,y\nx,1\n", &label, "found no column 'y' of features to take for categories");
    refuse_text(csv, "a,y\nx,1\n", &far, "found no column '9' of features to take for categories");
    refuse_text(csv, "id,a,y\np,x,1\n", &id, "found no column 'id' of features to take for categories");
}

static void test_bad_luck(void **state)
{
    const dcpn_read_options options = {.table.categorical = "auto", .table.missing = "mean"};
    (void)state;
    fail_every_allocation(csv, TEXT, strlen(TEXT), &options);
    survive_damage(csv, TEXT, strlen(TEXT), &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_become_features),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_levels_of_a_model),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bad_luck),
    };
    return cmocka_run_group_tests(tests, setup_reading, teardown_reading);
}
