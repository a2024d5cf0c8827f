/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences name settings as the caller has them, and say which one they are about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/sentence.h"
#include "dcpn/dcpn.h"

static void test_the_prefix_of_options(void **state)
{
    static const struct {
        const char *prefix, *before, *after;
    } cases[] = {
        {"", "--max-iter: found -1", "max-iter: found -1"},
        {"", "use --metric hessian, or --tol", "use metric hessian, or tol"},
        {"", "found '--x' -- and --, a--b, ---c", "found '--x' -- and --, a--b, ---c"},
        {"", "(--p)", "(p)"},
        {"--", "--max-iter", "--max-iter"},
        {"opt.", "--max-iter and --tol", "opt.max-iter and opt.tol"},
        {"", "", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char sentence[64];
        strcpy(sentence, cases[k].before);
        dcpn_sentence_set_prefix(sentence, sizeof sentence, cases[k].prefix);
        assert_string_equal(sentence, cases[k].after);
    }
}

/* Whatever the room, no byte beyond it is written. */
static void test_a_long_prefix_in_little_room(void **state)
{
    (void)state;
    for (size_t room = 9; room < 24; room++) {
        char sentence[32];
        memset(sentence, '!', sizeof sentence);
        strcpy(sentence, "--a --bc");
        dcpn_sentence_set_prefix(sentence, room, "1234567");
        assert_true(strlen(sentence) < room);
        assert_int_equal(sentence[room], '!');
        assert_int_equal(strncmp(sentence, "1234567a 1234567bc", strlen(sentence) < 8 ? strlen(sentence) : 8), 0);
    }
}

static void test_the_setting_of_an_error(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_settings settings = dcpn_settings_default();
    (void)state;
    assert_string_equal(dcpn_last_error_setting(context), "");
    assert_int_equal(dcpn_settings_set(context, &settings, "max-iter", "-3"), DCPN_USAGE);
    assert_string_equal(dcpn_last_error_setting(context), "max-iter");
    assert_memory_equal(dcpn_last_error(context), "max-iter: found '-3'", 20);
    dcpn_context_set_option_prefix(context, "--");
    settings.max_iter = -3;
    assert_int_equal(dcpn_settings_check(context, &settings), DCPN_USAGE);
    assert_string_equal(dcpn_last_error_setting(context), "max-iter");
    assert_memory_equal(dcpn_last_error(context), "--max-iter: found '-3'", 22);
    assert_int_equal(dcpn_fail(context, DCPN_DATA, "labels: found none"), DCPN_DATA);
    assert_string_equal(dcpn_last_error_setting(context), "");
    assert_string_equal(dcpn_last_error_setting(NULL), "");
    dcpn_context_free(context);
}

/* The name survives the sentence that a thread's error becomes part of. */
static void test_the_setting_of_an_error_of_a_thread(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL), *other = dcpn_context_new_for(context);
    (void)state;
    (void)dcpn_fail(other, DCPN_USAGE, "--tol: found -1");
    (void)dcpn_fail(context, DCPN_USAGE, "fold 1: %s", dcpn_last_error(other));
    assert_string_equal(dcpn_last_error(context), "fold 1: tol: found -1");
    assert_string_equal(dcpn_last_error_setting(context), "tol");
    dcpn_context_free(other);
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_prefix_of_options),
        cmocka_unit_test(test_a_long_prefix_in_little_room),
        cmocka_unit_test(test_the_setting_of_an_error),
        cmocka_unit_test(test_the_setting_of_an_error_of_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
