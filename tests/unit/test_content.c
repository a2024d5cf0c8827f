/* SPDX-License-Identifier: BSD-3-Clause */
/* Content: the same bytes from a file, a pipe and every compression; damage is refused with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "data/content.h"
#include "scratch.h"

enum { PLAIN_SIZE = 300000, ROOM = 2 * PLAIN_SIZE };

static dcpn_context *context;
static char plain[PLAIN_SIZE];
static char packed[ROOM];

static int setup(void **state)
{
    context = dcpn_context_new(NULL);
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof plain; i++) { /* compresses, but not to nothing */
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        plain[i] = "0123456789: \n"[(random >> 33) % 13];
    }
    return enter_scratch(state);
}

static int teardown(void **state)
{
    dcpn_context_free(context);
    return leave_scratch(state);
}

/* ---- Three compressors: return the length of what they append to packed[at] ---------------------------------------*/

static size_t pack_gzip(const char *bytes, size_t size, size_t at)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (unsigned)size;
    stream.next_out = (Bytef *)packed + at;
    stream.avail_out = (unsigned)(ROOM - at);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t length = stream.total_out;
    deflateEnd(&stream);
    return length;
}

static size_t pack_zstd(const char *bytes, size_t size, size_t at)
{
    size_t length = ZSTD_compress(packed + at, ROOM - at, bytes, size, 3);
    assert_false(ZSTD_isError(length));
    return length;
}

static size_t pack_xz(const char *bytes, size_t size, size_t at)
{
    size_t length = at;
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)bytes, size, (uint8_t *)packed,
                                             &length, ROOM),
                     LZMA_OK);
    return length - at;
}

static const struct packer {
    const char *name;
    size_t (*pack)(const char *bytes, size_t size, size_t at);
} packers[] = {{"gzip", pack_gzip}, {"zstd", pack_zstd}, {"xz", pack_xz}};

enum { PACKERS = sizeof packers / sizeof *packers };

static void assert_opens_as(const char *path, const char *bytes, size_t size)
{
    struct content content;
    assert_int_equal(dcpn_content_open(context, path, &content), DCPN_OK);
    assert_int_equal(content.size, size);
    if (size) assert_memory_equal(content.bytes, bytes, size);
    dcpn_content_close(&content);
}

static void assert_refused(const char *path, const char *sentence)
{
    struct content content;
    assert_int_equal(dcpn_content_open(context, path, &content), DCPN_DATA);
    if (!strstr(dcpn_last_error(context), sentence))
        fail_msg("found \"%s\", expected \"%s\"", dcpn_last_error(context), sentence);
    dcpn_content_close(&content);
}

/* ---- Tests --------------------------------------------------------------------------------------------------------*/

static void test_plain_file_is_mapped(void **state)
{
    struct content content;
    (void)state;
    put_bytes("file", plain, sizeof plain);
    assert_int_equal(dcpn_content_open(context, "file", &content), DCPN_OK);
    assert_null(content.owned);
    assert_string_equal(content.plain_path, "file");
    assert_string_equal(content.name, "file");
    assert_int_equal(content.size, sizeof plain);
    assert_memory_equal(content.bytes, plain, sizeof plain);
    dcpn_content_close(&content);
    dcpn_content_close(&content); /* harmless */
}

static void test_empty_and_short_files(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 6; size++) {
        put_bytes("short",
                  "\x1f"
                  "bcdef",
                  size);
        assert_opens_as("short",
                        "\x1f"
                        "bcdef",
                        size);
    }
}

static void test_pipe(void **state)
{
    int ends[2], old = dup(STDIN_FILENO);
    struct content content;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        for (size_t at = 0; at < sizeof plain;) {
            ssize_t done = write(ends[1], plain + at, sizeof plain - at < 777 ? sizeof plain - at : 777);
            if (done <= 0) _exit(1);
            at += (size_t)done;
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    assert_int_equal(dcpn_content_open(context, "-", &content), DCPN_OK);
    assert_string_equal(content.name, "standard input");
    assert_null(content.plain_path);
    assert_int_equal(content.size, sizeof plain);
    assert_memory_equal(content.bytes, plain, sizeof plain);
    dcpn_content_close(&content);
    dup2(old, STDIN_FILENO);
    close(old);
    close(ends[0]);
}

static void test_missing_and_directory(void **state)
{
    struct content content;
    (void)state;
    assert_int_equal(dcpn_content_open(context, "nowhere", &content), DCPN_IO);
    assert_int_equal(dcpn_content_open(context, ".", &content), DCPN_IO);
    assert_non_null(strstr(dcpn_last_error(context), "it is a directory"));
}

static void test_compressed_sizes(void **state)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, PLAIN_SIZE};
    (void)state;
    for (size_t p = 0; p < PACKERS; p++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            put_bytes("packed", packed, packers[p].pack(plain, sizes[k], 0));
            assert_opens_as("packed", plain, sizes[k]);
        }
}

static void test_highly_compressible(void **state)
{
    static char blanks[1000000];
    (void)state;
    memset(blanks, ' ', sizeof blanks);
    for (size_t p = 0; p < PACKERS; p++) {
        put_bytes("packed", packed, packers[p].pack(blanks, sizeof blanks, 0));
        assert_opens_as("packed", blanks, sizeof blanks);
    }
}

/* Many bytes go to a file without a name; where there is no folder for it, they stay in memory. */
static void test_many_bytes(void **state)
{
    enum { MANY = 5000001 };
    char *many = malloc(MANY);
    (void)state;
    for (size_t i = 0; i < MANY; i++) many[i] = (char)(i / 1000);
    for (size_t p = 0; p < PACKERS; p++) {
        put_bytes("packed", packed, packers[p].pack(many, MANY, 0));
        for (int has_folder = 0; has_folder <= 1; has_folder++) {
            struct content content;
            setenv("TMPDIR", has_folder ? "." : "nowhere", 1);
            int files = files_here();
            assert_int_equal(dcpn_content_open(context, "packed", &content), DCPN_OK);
            assert_int_equal(content.is_mapped, has_folder);
            assert_int_equal(files_here(), files);
            dcpn_content_close(&content);
            assert_opens_as("packed", many, MANY);
        }
    }
    unsetenv("TMPDIR");
    free(many);
}

static void test_many_bytes_are_limited(void **state)
{
    enum { MANY = 5000001 };
    char *many = calloc(MANY, 1);
    struct content content;
    (void)state;
    put_bytes("packed", packed, packers[0].pack(many, MANY, 0));
    dcpn_context_set_memory_limit(context, 4000000);
    assert_int_equal(dcpn_content_open(context, "packed", &content), DCPN_MEMORY);
    assert_non_null(strstr(dcpn_last_error(context), "max-memory"));
    dcpn_context_set_memory_limit(context, 0);
    free(many);
}

static void test_members_and_padding(void **state)
{
    (void)state;
    for (size_t p = 0; p < PACKERS; p++) {
        size_t length = packers[p].pack(plain, 1000, 0);
        memset(packed + length, 0, 8); /* xz pads by multiples of 4 */
        length += 8;
        length += packers[p].pack(plain + 1000, 1, length);
        length += packers[p].pack(plain + 1001, sizeof plain - 1001, length);
        memset(packed + length, 0, 512);
        put_bytes("members", packed, length + 512);
        assert_opens_as("members", plain, sizeof plain);
    }
}

static void test_every_truncation(void **state)
{
    (void)state;
    for (size_t p = 0; p < PACKERS; p++) {
        size_t length = packers[p].pack(plain, 2000, 0);
        for (size_t cut = 6; cut < length; cut++) {
            put_bytes("cut", packed, cut);
            assert_refused("cut", "ends early");
        }
        put_bytes("cut", packed, length - 1);
        assert_refused("cut", packers[p].name);
        assert_refused("cut", "cut: byte ");
    }
}

static void test_damage(void **state)
{
    (void)state;
    for (size_t p = 0; p < PACKERS; p++) {
        if (p == 1) continue; /* ZSTD_compress adds no checksum: damage may go unseen */
        size_t length = packers[p].pack(plain, 2000, 0);
        packed[length / 2] ^= 0x55;
        put_bytes("damaged", packed, length);
        assert_refused("damaged", "damaged");
    }
}

static void test_trailing_garbage(void **state)
{
    (void)state;
    for (size_t p = 0; p < PACKERS; p++) {
        size_t length = packers[p].pack(plain, 2000, 0);
        strcpy(packed + length, "garbage");
        put_bytes("garbage", packed, length + 7);
        assert_refused("garbage", "something else follows");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_file_is_mapped),
        cmocka_unit_test(test_empty_and_short_files),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_missing_and_directory),
        cmocka_unit_test(test_compressed_sizes),
        cmocka_unit_test(test_highly_compressible),
        cmocka_unit_test(test_many_bytes),
        cmocka_unit_test(test_many_bytes_are_limited),
        cmocka_unit_test(test_members_and_padding),
        cmocka_unit_test(test_every_truncation),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_trailing_garbage),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
