/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of LIBLINEAR: read as their documentation says, exact round trips, and every allocation fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "dcpn/model.h"
#include "faulty_allocator.h"
#include "scratch.h"
#include "with_context.h"

static dcpn_model *read_text(const char *text)
{
    dcpn_model *model = NULL;
    put_text("m.txt", text);
    assert_int_equal(dcpn_model_read(context, "m.txt", &model), DCPN_OK);
    return model;
}

static const char classifier[] = "solver_type L1R_LR\nnr_class 2\nlabel -3 8\nnr_feature 4\nbias 2\n"
                                 "w\n0 \n1.5 \n0 \n-2.25e-3 \n0.125 \n";

/* The first label is that of positive scores, and w ends with the weight of the bias. */
static void a_classifier(void **state)
{
    (void)state;
    dcpn_model *model = read_text(classifier);
    assert_int_equal(model->features, 4);
    assert_int_equal(model->nonzeros, 2);
    assert_int_equal(model->index[0], 1);
    assert_int_equal(model->index[1], 3);
    assert_true(model->value[0] == 1.5 && model->value[1] == -2.25e-3);
    assert_true(model->intercept == 0.25);
    assert_true(dcpn_model_label(model, 0.1) == -3.0 && dcpn_model_label(model, -0.1) == 8.0);
    double probability = 0.0;
    assert_int_equal(dcpn_model_probability(model, log(3.0), &probability), DCPN_OK);
    assert_true(fabs(probability - 0.75) < 1e-15);
    dcpn_model_free(model);
}

static void a_regression(void **state)
{
    (void)state;
    dcpn_model *model = read_text("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 2\nbias -1\nw\n1\n2\n");
    assert_false(model->labels.count);
    assert_true(model->intercept == 0.0 && dcpn_model_label(model, -1.5) == -1.5);
    dcpn_model_free(model);
}

static void round_trips_are_exact(void **state)
{
    (void)state;
    dcpn_model *model = read_text(classifier), *again = NULL;
    model->value[0] = 1.0 / 3.0;
    model->value[1] = -5e-324;
    model->intercept = 0.1 + 0.2;
    assert_int_equal(dcpn_model_write_liblinear(model, "again.txt"), DCPN_OK);
    assert_int_equal(dcpn_model_read(context, "again.txt", &again), DCPN_OK);
    assert_true(again->value[0] == model->value[0] && again->value[1] == model->value[1]);
    assert_true(again->intercept == model->intercept);
    assert_true(again->labels.numbers[0] == model->labels.numbers[0] &&
                again->labels.numbers[1] == model->labels.numbers[1]);
    dcpn_model_free(again);
    dcpn_model_free(model);
}

static void cut_anywhere_it_is_refused(void **state)
{
    (void)state;
    for (size_t length = 12; length < strlen(classifier) - 2; length++) {
        char text[sizeof classifier];
        dcpn_model *model = NULL;
        memcpy(text, classifier, length);
        text[length] = '\0';
        put_text("cut.txt", text);
        dcpn_status status = dcpn_model_read(context, "cut.txt", &model);
        if (status == DCPN_OK) { /* within the last number */
            assert_true(length > strlen(classifier) - 7);
            dcpn_model_free(model);
        } else {
            assert_int_equal(status, DCPN_MODEL);
            assert_null(model);
        }
    }
}

static void a_command_is_kept(void **state)
{
    (void)state;
    const char *words[] = {"dcpn", "fit", "a \"b\"\n", ""};
    dcpn_model *model = read_text(classifier), *again = NULL;
    assert_int_equal(dcpn_model_set_command(model, words, 4), DCPN_OK);
    assert_int_equal(dcpn_model_set_command(model, words, 4), DCPN_OK);
    assert_int_equal(dcpn_model_write(model, "m.json"), DCPN_OK);
    assert_int_equal(dcpn_model_read(context, "m.json", &again), DCPN_OK);
    assert_int_equal(again->making.command_length, 4);
    for (int k = 0; k < 4; k++) assert_string_equal(again->making.command[k], words[k]);
    dcpn_model_free(again);
    dcpn_model_free(model);
}

static dcpn_status read_and_write(dcpn_context *faulty)
{
    const char *words[] = {"dcpn", "fit"};
    dcpn_model *model = NULL;
    dcpn_status status = dcpn_model_read(faulty, "m.txt", &model);
    if (status == DCPN_OK) status = dcpn_model_set_command(model, words, 2);
    if (status == DCPN_OK) status = dcpn_model_write_liblinear(model, "out.txt");
    if (status == DCPN_OK) status = dcpn_model_write(model, "out.json");
    dcpn_model_free(model);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    put_text("m.txt", classifier);
    dcpn_status status = DCPN_MEMORY;
    for (int64_t k = 1; status == DCPN_MEMORY; k++) {
        struct faulty faulty = {.fails_at = k};
        const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
        dcpn_context *tortured = dcpn_context_new(&allocator);
        if (tortured) status = read_and_write(tortured);
        dcpn_context_free(tortured);
        assert_int_equal(faulty.out, 0);
        assert_true(k < 1000);
    }
    assert_int_equal(status, DCPN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_classifier, setup, teardown),
        cmocka_unit_test_setup_teardown(a_regression, setup, teardown),
        cmocka_unit_test_setup_teardown(round_trips_are_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(cut_anywhere_it_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_command_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(every_allocation_fails_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
