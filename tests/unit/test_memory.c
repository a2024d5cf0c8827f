/* SPDX-License-Identifier: BSD-3-Clause */
/* The limit of memory: what is beyond it is refused with its number of bytes, what is freed counts no more; and where
 * the limits of cgroups are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/machine.h"
#include "dcpn/dcpn.h"
#include "scratch.h"

static void the_limit_holds(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    (void)state;
    dcpn_context_set_memory_limit(context, 1000);
    assert_int_equal(dcpn_context_memory_limit(context), 1000);
    char *first = dcpn_allocate(context, 600, 1);
    assert_non_null(first);
    memset(first, 1, 600);
    assert_null(dcpn_allocate(context, 600, 1));
    assert_contains(dcpn_last_error(context), "besides the 6");
    assert_contains(dcpn_last_error(context), "and the limit is 1000; max-memory 1");
    assert_int_equal(dcpn_memory_check(context, 1000), DCPN_MEMORY);
    assert_int_equal(dcpn_memory_check(context, 100), DCPN_OK);
    assert_null(dcpn_grow(context, first, 600, 700, 1)); /* both would exist for a while */
    dcpn_free(context, first);
    char *second = dcpn_allocate(context, 900, 1);
    assert_non_null(second);
    dcpn_context_set_memory_limit(context, 10); /* lower than what is in use: nothing more */
    assert_null(dcpn_allocate(context, 1, 1));
    dcpn_context_set_memory_limit(context, 0);
    char *third = dcpn_allocate(context, 5000, 1);
    assert_non_null(third);
    dcpn_free(context, third);
    dcpn_free(context, second);
    assert_int_equal(context->memory_in_use, 0);
    dcpn_context_free(context);
}

/* The limit that a refusal names is the least that will do. */
static void the_limit_that_is_named_is_enough(void **state)
{
    static const char NAMED[] = "max-memory ";
    dcpn_context *context = dcpn_context_new(NULL);
    (void)state;
    dcpn_context_set_memory_limit(context, 1000);
    void *first = dcpn_allocate(context, 600, 1);
    assert_null(dcpn_allocate(context, 600, 1));
    const char *named = strstr(dcpn_last_error(context), NAMED);
    assert_non_null(named);
    size_t limit = (size_t)strtoull(named + sizeof NAMED - 1, NULL, 10);
    dcpn_context_set_memory_limit(context, limit - 1);
    assert_null(dcpn_allocate(context, 600, 1));
    dcpn_context_set_memory_limit(context, limit);
    void *second = dcpn_allocate(context, 600, 1);
    assert_non_null(second);
    dcpn_free(context, first);
    dcpn_free(context, second);
    dcpn_context_free(context);
}

/* Large arrays begin where a line of the caches does, so that every line is read as a whole. */
static void large_blocks_begin_with_a_line(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    (void)state;
    void *memory = dcpn_allocate(context, 3000000, 1);
    assert_int_equal((uintptr_t)memory % 64, 0);
    dcpn_free(context, memory);
    dcpn_context_free(context);
}

static void blocks_are_aligned(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    (void)state;
    for (size_t size = 0; size < 40; size++) {
        void *memory = dcpn_allocate(context, size, 1);
        assert_int_equal((uintptr_t)memory % 16, 0);
        dcpn_free(context, memory);
    }
    dcpn_context_free(context);
}

static void a_huge_request_is_refused(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    (void)state;
    assert_null(dcpn_allocate(context, SIZE_MAX / 2, 4));
    assert_null(dcpn_allocate(context, SIZE_MAX, 1));
    assert_null(dcpn_allocate(context, PTRDIFF_MAX, 1));
    assert_contains(dcpn_last_error(context), "cannot be addressed");
    assert_int_equal(context->memory_in_use, 0);
    dcpn_context_free(context);
}

/* Whatever the limit, a call works or says DCPN_MEMORY with a sentence that names the place. */
static void a_call_within_any_limit(void **state)
{
    const dcpn_toy toy = {.features = 50, .relevant = 5, .rows = 40, .seed = 1};
    int refused = 0, done = 0;
    (void)state;
    for (size_t limit = 100; limit < 100000; limit = limit * 5 / 4) {
        dcpn_context *context = dcpn_context_new(NULL);
        dcpn_dataset *data = NULL;
        dcpn_context_set_memory_limit(context, limit);
        dcpn_status status = dcpn_generate_toy(context, &toy, &data, NULL, NULL);
        if (status != DCPN_OK) {
            assert_int_equal(status, DCPN_MEMORY);
            assert_contains(dcpn_last_error(context), "toy problem: out of memory: ");
        }
        refused += status != DCPN_OK;
        done += status == DCPN_OK;
        dcpn_dataset_free(data);
        assert_int_equal(context->memory_in_use, 0);
        dcpn_context_free(context);
    }
    assert_true(refused > 3 && done > 3);
}

static void make_group(const char *path, const char *file, const char *text)
{
    char name[200];
    mkdir(path, 0700);
    snprintf(name, sizeof name, "%s/%s", path, file);
    put_text(name, text);
}

static void remove_groups(void)
{
    static const char *const names[] = {"v2/a/b/memory.max",
                                        "v2/a/memory.max",
                                        "v2/memory.max",
                                        "v1/memory/memory.limit_in_bytes",
                                        "v1/memory/x/memory.limit_in_bytes",
                                        "v2/a/b",
                                        "v2/a",
                                        "v2",
                                        "v1/memory/x",
                                        "v1/memory",
                                        "v1"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) remove(names[k]);
}

static void the_least_group_counts(void **state)
{
    (void)state;
    make_group("v2", "memory.max", "max\n");
    make_group("v2/a", "memory.max", "700\n");
    make_group("v2/a/b", "memory.max", "900\n");
    put_text("groups", "0::/a/b\n");
    assert_int_equal(dcpn_cgroup_limit("groups", "v2"), 700);
    put_text("groups", "0::/\n");
    assert_true(dcpn_cgroup_limit("groups", "v2") == SIZE_MAX);
    put_text("groups", "0::/not/here/a\n");
    assert_true(dcpn_cgroup_limit("groups", "v2") == SIZE_MAX);
    mkdir("v1", 0700);
    make_group("v1/memory", "memory.limit_in_bytes", "9223372036854771712\n");
    make_group("v1/memory/x", "memory.limit_in_bytes", "4096\n");
    put_text("groups", "9:name=systemd:/\n5:cpu,memory:/x\n0::/\n");
    assert_int_equal(dcpn_cgroup_limit("groups", "v1"), 4096);
    put_text("groups", "5:memoryless:/x\n");
    assert_true(dcpn_cgroup_limit("groups", "v1") == SIZE_MAX);
    put_text("groups", "nonsense\n::\n");
    assert_true(dcpn_cgroup_limit("groups", "v1") == SIZE_MAX);
    assert_true(dcpn_cgroup_limit("missing", "v1") == SIZE_MAX);
    remove_groups();
}

static void the_machine_has_memory(void **state)
{
    (void)state;
    assert_true(dcpn_machine_memory() > 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(the_limit_that_is_named_is_enough),
        cmocka_unit_test(large_blocks_begin_with_a_line),
        cmocka_unit_test(blocks_are_aligned),
        cmocka_unit_test(a_huge_request_is_refused),
        cmocka_unit_test(a_call_within_any_limit),
        cmocka_unit_test(the_least_group_counts),
        cmocka_unit_test(the_machine_has_memory),
    };
    return cmocka_run_group_tests_name("memory", tests, enter_scratch, leave_scratch);
}
