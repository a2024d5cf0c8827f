/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th call of the system fails, for every k: the library says DCPN_IO or manages without, nothing leaks, no
 * temporary file stays, and a file that is written is afterwards the old one or the new one, complete. The calls are
 * intercepted by the linker (--wrap, see tests/CMakeLists.txt). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"
#include "data/content.h"
#include "data/format.h"
#include "dcpn/dcpn.h"
#include "faulty_allocator.h"
#include "scratch.h"

/* ---- the system ---- */

enum mode { FAIL_ONCE, IN_SMALL_PIECES };
enum file_system { USUAL, WITHOUT_PROC, WITHOUT_NAMELESS_FILES };

static struct {
    enum mode mode;
    enum file_system file_system;
    int64_t calls, fails_at;
    int watching;    /* counts and fails; off while the test itself works */
    int interrupted; /* the last call was, so that the next one is not */
} machine;

static int fails_now(void)
{
    return machine.watching && machine.mode == FAIL_ONCE && ++machine.calls == machine.fails_at;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

/* Every other call is interrupted, and the others move one byte. */
static int is_interrupted(void)
{
    if (!machine.watching || machine.mode != IN_SMALL_PIECES) return 0;
    machine.interrupted = !machine.interrupted;
    return machine.interrupted;
}

static size_t piece(size_t size)
{
    return machine.watching && machine.mode == IN_SMALL_PIECES && size > 1 ? 1 : size;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
    mode_t mode = flags & O_CREAT || is_nameless ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (is_nameless && machine.watching && machine.file_system == WITHOUT_NAMELESS_FILES) return fail_with(EOPNOTSUPP);
    return fails_now() ? fail_with(EMFILE) : __real_open(path, flags, mode);
}

ssize_t __real_read(int descriptor, void *buffer, size_t size);
ssize_t __wrap_read(int descriptor, void *buffer, size_t size);
ssize_t __wrap_read(int descriptor, void *buffer, size_t size)
{
    if (is_interrupted()) return fail_with(EINTR);
    return fails_now() ? fail_with(EIO) : __real_read(descriptor, buffer, piece(size));
}

ssize_t __real_write(int descriptor, const void *buffer, size_t size);
ssize_t __wrap_write(int descriptor, const void *buffer, size_t size);
ssize_t __wrap_write(int descriptor, const void *buffer, size_t size)
{
    if (is_interrupted()) return fail_with(EINTR);
    return fails_now() ? fail_with(ENOSPC) : __real_write(descriptor, buffer, piece(size));
}

/* Linux closes the descriptor also when it reports an error. */
int __real_close(int descriptor);
int __wrap_close(int descriptor);
int __wrap_close(int descriptor)
{
    int result = __real_close(descriptor);
    return fails_now() ? fail_with(EIO) : result;
}

#define WRAP(NAME, PARAMETERS, ARGUMENTS, ERROR)                                                                       \
    int __real_##NAME PARAMETERS;                                                                                      \
    int __wrap_##NAME PARAMETERS;                                                                                      \
    int __wrap_##NAME PARAMETERS                                                                                       \
    {                                                                                                                  \
        return fails_now() ? fail_with(ERROR) : __real_##NAME ARGUMENTS;                                               \
    }
WRAP(fsync, (int descriptor), (descriptor), EIO)
WRAP(rename, (const char *from, const char *to), (from, to), EACCES)
WRAP(stat, (const char *path, struct stat *about), (path, about), EACCES)
WRAP(fstat, (int descriptor, struct stat *about), (descriptor, about), EIO)
WRAP(fchmod, (int descriptor, mode_t mode), (descriptor, mode), EPERM)

int __real_linkat(int from, const char *path, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *path, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *path, int to, const char *name, int flags)
{
    if (machine.watching && machine.file_system == WITHOUT_PROC) return fail_with(ENOENT);
    return fails_now() ? fail_with(ENOENT) : __real_linkat(from, path, to, name, flags);
}

off_t __real_lseek(int descriptor, off_t offset, int whence);
off_t __wrap_lseek(int descriptor, off_t offset, int whence);
off_t __wrap_lseek(int descriptor, off_t offset, int whence)
{
    return fails_now() ? fail_with(EIO) : __real_lseek(descriptor, offset, whence);
}

void *__real_mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    if (!fails_now()) return __real_mmap(at, size, protection, flags, descriptor, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

/* ---- what is tortured ---- */

static const char data_text[] = "+1 1:0.5 3:1.25\n-1 2:-1 4:2\n+1 1:1.5 2:0.25 5:1\n-1 3:0.75 5:-2\n"
                                "+1 4:1 1:2\n-1 1:-0.5 2:1\n";

static dcpn_status predict(dcpn_context *context, const dcpn_dataset *dataset)
{
    dcpn_model *model = NULL;
    double scores[6];
    dcpn_status status = dcpn_model_read(context, "model", &model);
    if (status == DCPN_OK) status = dcpn_model_scores(model, dataset->matrix, NULL, scores);
    if (status == DCPN_OK) status = dcpn_write_numbers(context, "scores", scores, dataset->rows);
    dcpn_model_free(model);
    return status;
}

static dcpn_status read_fit_write_predict(dcpn_context *context)
{
    dcpn_settings settings = dcpn_settings_default();
    dcpn_model *model = NULL;
    dcpn_dataset *dataset = NULL;
    settings.lambda = 0.1;
    dcpn_status status = dcpn_output_try(context, "model");
    if (status == DCPN_OK) status = dcpn_fit_file(context, "data.svm", &settings, &model);
    if (status == DCPN_OK) status = dcpn_model_write(model, "model");
    if (status == DCPN_OK) status = dcpn_read_libsvm(context, "data.svm", NULL, &dataset);
    if (status == DCPN_OK) status = predict(context, dataset);
    dcpn_dataset_free(dataset);
    dcpn_model_free(model);
    return status;
}

static dcpn_status read_and_write_data(dcpn_context *context)
{
    const dcpn_read_options usual = {0};
    struct content content = {.context = context, .name = "model", .plain_path = "model"};
    dcpn_dataset *text = NULL, *binary = NULL;
    dcpn_status status = dcpn_read_libsvm(context, "data.svm", NULL, &text);
    if (status == DCPN_OK) status = dcpn_format_binary.write(text, "model");
    if (status == DCPN_OK) status = dcpn_format_binary.read(&content, &usual, &binary);
    if (status == DCPN_OK) status = dcpn_write_libsvm(binary, "scores");
    dcpn_dataset_free(binary);
    dcpn_dataset_free(text);
    return status;
}

static dcpn_status read_numbers(dcpn_context *context)
{
    double *numbers = NULL;
    int64_t count = 0;
    dcpn_status status = dcpn_read_numbers(context, "numbers", &numbers, &count);
    if (status == DCPN_OK) status = dcpn_write_numbers(context, "model", numbers, count);
    dcpn_free(context, numbers);
    return status;
}

enum { MANY = 5 << 20 };

static void put_many_compressed(void)
{
    static char blanks[MANY];
    struct output_file file;
    dcpn_context *context = dcpn_context_new(NULL);
    memset(blanks, ' ', sizeof blanks);
    assert_int_equal(dcpn_output_open(context, "many.gz", &file), DCPN_OK);
    dcpn_output_write(&file, blanks, sizeof blanks);
    assert_int_equal(dcpn_output_commit(&file), DCPN_OK);
    dcpn_context_free(context);
}

/* A disk that is full, say, is no reason to fail: the bytes come back to memory. */
static dcpn_status expand_many(dcpn_context *context)
{
    struct content content;
    DCPN_TRY(dcpn_content_open(context, "many.gz", &content));
    assert_int_equal(content.size, MANY);
    for (size_t i = 0; i < MANY; i++)
        if (content.bytes[i] != ' ') fail_msg("byte %zu is another", i);
    dcpn_content_close(&content);
    return DCPN_OK;
}

/* ---- torture ---- */

typedef dcpn_status scenario(dcpn_context *context);

static dcpn_status run(scenario *work)
{
    struct faulty faulty = {0};
    const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
    dcpn_context *context = dcpn_context_new(&allocator);
    machine.calls = 0;
    machine.watching = 1;
    dcpn_status status = work(context);
    machine.watching = 0;
    if (status != DCPN_OK) assert_true(strlen(dcpn_last_error(context)) > 0);
    dcpn_context_free(context);
    assert_int_equal(faulty.out, 0);
    return status;
}

static size_t load(const char *path, char bytes[1 << 14])
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, 1 << 14, file);
    fclose(file);
    return size;
}

static void assert_old_or_new(const char *path, const char *expected, size_t size, int64_t k)
{
    static char found[1 << 14];
    size_t length = load(path, found);
    int is_old = length == 3 && memcmp(found, "old", 3) == 0,
        is_new = length == size && memcmp(found, expected, size) == 0;
    if (!is_old && !is_new) fail_msg("call %lld fails: %s is neither the old nor the new file", (long long)k, path);
}

static int open_descriptors(void)
{
    int count = 0;
    for (int descriptor = 0; descriptor < 256; descriptor++) count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

static void put_old(void)
{
    put_text("model", "old");
    put_text("scores", "old");
}

static void torture(scenario *work, int least)
{
    static char model[1 << 14], scores[1 << 14];
    put_old();
    machine.fails_at = 0;
    assert_int_equal(run(work), DCPN_OK);
    size_t model_size = load("model", model), scores_size = load("scores", scores);
    int descriptors = open_descriptors(), failures = 0;
    int64_t k = 0;
    do {
        put_old();
        int files = files_here();
        machine.fails_at = ++k;
        dcpn_status status = run(work);
        if (status != DCPN_OK && status != DCPN_IO)
            fail_msg("call %lld fails: %s", (long long)k, dcpn_status_meaning(status));
        failures += status == DCPN_IO;
        assert_old_or_new("model", model, model_size, k);
        assert_old_or_new("scores", scores, scores_size, k);
        assert_int_equal(files_here(), files);
        assert_int_equal(open_descriptors(), descriptors);
    } while (machine.calls >= machine.fails_at);
    assert_true(failures > least);
}

static void torture_all(enum file_system file_system)
{
    machine.file_system = file_system;
    torture(read_fit_write_predict, 15);
    torture(read_and_write_data, 10);
    torture(read_numbers, 5);
    machine.file_system = USUAL;
}

static void every_call_may_fail(void **state)
{
    (void)state;
    torture_all(USUAL);
    torture_all(WITHOUT_PROC);
    torture_all(WITHOUT_NAMELESS_FILES);
    put_many_compressed();
    torture(expand_many, 0);
}

static void pieces_and_interrupts_change_nothing(void **state)
{
    static char expected[2][1 << 14], found[1 << 14];
    scenario *const all[] = {read_fit_write_predict, read_and_write_data, read_numbers};
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        size_t sizes[2];
        put_old();
        machine.mode = FAIL_ONCE;
        machine.fails_at = 0;
        assert_int_equal(run(all[k]), DCPN_OK);
        sizes[0] = load("model", expected[0]);
        sizes[1] = load("scores", expected[1]);
        machine.mode = IN_SMALL_PIECES;
        assert_int_equal(run(all[k]), DCPN_OK);
        machine.mode = FAIL_ONCE;
        assert_int_equal(load("model", found), sizes[0]);
        assert_memory_equal(found, expected[0], sizes[0]);
        assert_int_equal(load("scores", found), sizes[1]);
        assert_memory_equal(found, expected[1], sizes[1]);
    }
}

static int setup(void **state)
{
    if (enter_scratch(state) != 0) return -1;
    put_text("data.svm", data_text);
    put_text("numbers", "1\n2.5\n-3e-4\n");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(pieces_and_interrupts_change_nothing),
    };
    return cmocka_run_group_tests_name("io", tests, setup, leave_scratch);
}
