/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts as files: every byte arrives, or the old file stays and the sentence says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"
#include "scratch.h"
#include "with_context.h"

static void assert_holds(const char *path, const char *expected)
{
    char *text = get_text_of(path);
    assert_string_equal(text, expected);
    free(text);
}

static void every_byte_arrives(void **state)
{
    (void)state;
    assert_int_equal(dcpn_write_text(context, "a.txt", "one\ntwo\nthree", 7), DCPN_OK);
    assert_holds("a.txt", "one\ntwo");
    assert_int_equal(dcpn_write_text(context, "a.txt", "", 0), DCPN_OK);
    assert_holds("a.txt", "");
}

static void a_text_that_could_not_be_made_is_short_memory(void **state)
{
    (void)state;
    put_text("a.txt", "old");
    assert_int_equal(dcpn_write_text(context, "a.txt", NULL, 0), DCPN_MEMORY);
    assert_non_null(strstr(dcpn_last_error(context), "a.txt: out of memory"));
    assert_holds("a.txt", "old");
}

static void a_path_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    assert_int_equal(dcpn_write_text(context, "nowhere/a.txt", "x", 1), DCPN_IO);
    assert_non_null(strstr(dcpn_last_error(context), "nowhere/a.txt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_byte_arrives, setup, teardown),
        cmocka_unit_test_setup_teardown(a_text_that_could_not_be_made_is_short_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(a_path_that_cannot_be_written_is_named, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
