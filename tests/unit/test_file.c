/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: what is written appears complete or not at all, and every refusal says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>

#include "base/file.h"
#include "scratch.h"
#include "with_context.h"

static dcpn_status write_file(const char *path, const char *text)
{
    struct output_file file;
    DCPN_TRY(dcpn_output_open(context, path, &file));
    dcpn_output_write(&file, text, strlen(text));
    return dcpn_output_commit(&file);
}

static void assert_holds(const char *path, const char *expected)
{
    char *text = get_text_of(path);
    assert_string_equal(text, expected);
    free(text);
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 0777;
}

static void test_reads_all_blocks(void **state)
{
    struct input_file file;
    char buffer[4];
    size_t length;
    (void)state;
    put_text("in", "abcdefghij");
    assert_int_equal(dcpn_input_open(context, "in", &file), DCPN_OK);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(dcpn_input_read(&file, buffer, sizeof buffer, &length), DCPN_OK);
        assert_int_equal(length, k < 2 ? 4 : k == 2 ? 2 : 0);
    }
    dcpn_input_close(&file);
}

static void test_refuses_what_cannot_be_read(void **state)
{
    struct input_file file;
    (void)state;
    assert_int_equal(dcpn_input_open(context, "missing", &file), DCPN_IO);
    assert_contains(dcpn_last_error(context), "missing: cannot be read: No such file");
    assert_int_equal(dcpn_input_open(context, ".", &file), DCPN_IO);
    assert_contains(dcpn_last_error(context), "directory");
}

static void test_commit_replaces(void **state)
{
    (void)state;
    put_text("out", "old");
    assert_int_equal(chmod("out", 0640), 0);
    assert_int_equal(write_file("out", "new"), DCPN_OK);
    assert_holds("out", "new");
    assert_int_equal(mode_of("out"), 0640);
    assert_int_equal(files_here(), 1);
}

static void test_new_files_obey_the_umask(void **state)
{
    mode_t old = umask(027);
    (void)state;
    assert_int_equal(write_file("out", "text"), DCPN_OK);
    umask(old);
    assert_int_equal(mode_of("out"), 0640);
}

static void test_nothing_appears_before_commit(void **state)
{
    struct output_file file;
    static char block[100000];
    (void)state;
    put_text("out", "old");
    memset(block, 'x', sizeof block);
    assert_int_equal(dcpn_output_open(context, "out", &file), DCPN_OK);
    for (int k = 0; k < 3; k++) dcpn_output_write(&file, block, sizeof block - (k == 1) * 99000u);
    assert_holds("out", "old");
    dcpn_output_abandon(&file);
    assert_holds("out", "old");
    assert_int_equal(files_here(), 1);
}

static int file_system_has_nameless_files(void)
{
    int descriptor = open(".", O_TMPFILE | O_RDWR, 0600);
    if (descriptor >= 0) close(descriptor);
    return descriptor >= 0;
}

/* A process that is killed now leaves nothing. */
static void test_an_output_has_no_name_before_commit(void **state)
{
    struct output_file file;
    static char block[100000];
    (void)state;
    if (!file_system_has_nameless_files()) skip();
    assert_int_equal(dcpn_output_open(context, "out", &file), DCPN_OK);
    dcpn_output_write(&file, block, sizeof block);
    assert_int_equal(files_here(), 0);
    assert_int_equal(dcpn_output_commit(&file), DCPN_OK);
    assert_int_equal(files_here(), 1);
}

static void test_names_that_are_taken_are_passed_over(void **state)
{
    char taken[64];
    (void)state;
    snprintf(taken, sizeof taken, ".out.%lx-0", (long)getpid());
    put_text(taken, "of another process");
    assert_int_equal(write_file("out", "text"), DCPN_OK);
    assert_holds("out", "text");
    assert_holds(taken, "of another process");
    assert_int_equal(files_here(), 2);
}

static void test_large_and_small_writes_keep_their_order(void **state)
{
    struct output_file file;
    static char block[70000];
    (void)state;
    memset(block, 'x', sizeof block);
    assert_int_equal(dcpn_output_open(context, "out", &file), DCPN_OK);
    dcpn_output_write(&file, "a", 1);
    dcpn_output_write(&file, block, sizeof block);
    dcpn_output_write(&file, "b", 1);
    assert_int_equal(dcpn_output_commit(&file), DCPN_OK);
    char *text = get_text_of("out");
    assert_int_equal(strlen(text), sizeof block + 2);
    assert_int_equal(text[0], 'a');
    assert_int_equal(text[1], 'x');
    assert_int_equal(text[sizeof block + 1], 'b');
    free(text);
}

static void test_links_are_followed(void **state)
{
    struct stat about;
    (void)state;
    put_text("real", "old");
    assert_int_equal(symlink("real", "link"), 0);
    assert_int_equal(symlink("./link", "link2"), 0);
    assert_int_equal(symlink("later", "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(write_file("link2", "new"), DCPN_OK);
    assert_holds("real", "new");
    assert_int_equal(lstat("link2", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(write_file("dangling", "there"), DCPN_OK);
    assert_holds("later", "there");
    assert_int_equal(write_file("loop", "x"), DCPN_IO);
    assert_contains(dcpn_last_error(context), "loop: cannot be written");
}

static void test_what_is_not_regular_is_written_straight(void **state)
{
    char text[8] = "";
    struct stat about;
    (void)state;
    assert_int_equal(write_file("/dev/null", "gone"), DCPN_OK);
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));

    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_int_equal(dcpn_output_try(context, "pipe"), DCPN_OK);
    assert_int_equal(write_file("pipe", "piped"), DCPN_OK);
    assert_int_equal(read(reader, text, sizeof text), 5);
    assert_string_equal(text, "piped");
    close(reader);
}

static void test_errors_of_writing_are_reported(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    assert_int_equal(write_file("/dev/full", "text"), DCPN_IO);
    assert_contains(dcpn_last_error(context), "/dev/full: cannot be written: No space left");
}

/* A limit of the file size stands for a full disk. */
static void test_old_file_survives_a_full_disk(void **state)
{
    struct rlimit old, small;
    static char block[200000];
    (void)state;
    put_text("out", "old");
    memset(block, 'x', sizeof block - 1);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){.rlim_cur = 1000, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    dcpn_status status = write_file("out", block);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, DCPN_IO);
    assert_contains(dcpn_last_error(context), "out: cannot be written: File too large");
    assert_holds("out", "old");
    assert_int_equal(files_here(), 1);
}

static void test_standard_output(void **state)
{
    int saved = dup(STDOUT_FILENO), target = open("captured", O_WRONLY | O_CREAT, 0600);
    (void)state;
    fflush(stdout);
    assert_true(dup2(target, STDOUT_FILENO) >= 0);
    dcpn_status status = write_file("-", "talk");
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(target);
    assert_int_equal(status, DCPN_OK);
    assert_holds("captured", "talk");
}

static void test_try_refuses_without_harm(void **state)
{
    static const struct {
        const char *path, *fragment;
    } cases[] = {{".", "it is a directory"},
                 {"no/out", "its directory does not exist"},
                 {"file/out", "Not a directory"},
                 {"", "a file name is needed"}};
    (void)state;
    put_text("file", "kept");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(dcpn_output_try(context, cases[k].path), DCPN_IO);
        assert_contains(dcpn_last_error(context), cases[k].fragment);
        assert_int_equal(write_file(cases[k].path, "x"), DCPN_IO);
        assert_contains(dcpn_last_error(context), cases[k].fragment);
    }
    assert_int_equal(dcpn_output_try(context, "file"), DCPN_OK);
    assert_int_equal(dcpn_output_try(context, "new"), DCPN_OK);
    assert_int_equal(dcpn_output_try(context, "-"), DCPN_OK);
    assert_holds("file", "kept");
    assert_int_equal(files_here(), 1);
}

static void test_long_names(void **state)
{
    char name[256];
    (void)state;
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(write_file(name, "text"), DCPN_OK);
    assert_holds(name, "text");
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reads_all_blocks),
        TEST(test_refuses_what_cannot_be_read),
        TEST(test_commit_replaces),
        TEST(test_new_files_obey_the_umask),
        TEST(test_nothing_appears_before_commit),
        TEST(test_an_output_has_no_name_before_commit),
        TEST(test_names_that_are_taken_are_passed_over),
        TEST(test_large_and_small_writes_keep_their_order),
        TEST(test_links_are_followed),
        TEST(test_what_is_not_regular_is_written_straight),
        TEST(test_errors_of_writing_are_reported),
        TEST(test_old_file_survives_a_full_disk),
        TEST(test_standard_output),
        TEST(test_try_refuses_without_harm),
        TEST(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
