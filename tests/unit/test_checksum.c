/* SPDX-License-Identifier: BSD-3-Clause */
/* XXH64 against the values that xxhsum, the tool of its authors, prints for the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "base/checksum.h"

static const struct {
    size_t size; /* of the bytes 3, 10, 17, ... modulo 256 */
    uint64_t checksum;
} known[] = {
    {0, 0xef46db3751d8e999u},   {1, 0x1f25c8d0bc1f4bb6u},    {3, 0x31d2363f52e564c9u},  {4, 0x9bb64b7d66ee9fdau},
    {7, 0x9a7b149959ce60d8u},   {8, 0xdab99d95c6f90092u},    {12, 0xd52e407833af5133u}, {31, 0xa2aa5f33cc4a6119u},
    {32, 0x23c3c17ef790fd97u},  {33, 0x50a7cfc7ba588784u},   {63, 0x5e3e54b431c7493cu}, {64, 0x0eb64b3ef6eeb01fu},
    {100, 0xa61f8d4c170fe531u}, {1000, 0x5f235fa033f1a3fbu},
};

static void matches_the_reference(void **state)
{
    unsigned char bytes[1001];
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        unsigned char *start = bytes + k % 2; /* the bytes need not be aligned */
        for (size_t i = 0; i < known[k].size; i++) start[i] = (unsigned char)(7 * i + 3);
        assert_true(dcpn_checksum(start, known[k].size) == known[k].checksum);
    }
}

static void sees_every_bit(void **state)
{
    unsigned char bytes[100] = {0};
    uint64_t before = dcpn_checksum(bytes, sizeof bytes);
    (void)state;
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(dcpn_checksum(bytes, sizeof bytes) != before);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_reference),
        cmocka_unit_test(sees_every_bit),
    };
    return cmocka_run_group_tests_name("checksum", tests, NULL, NULL);
}
