/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast memory is read: sums an array that no cache holds and prints GB/s (10^9 bytes), the best of some passes.
 *     memory_bandwidth [MEGABYTES [PASSES]] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LANES = 16 }; /* sums that do not wait for each other */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* By the widest loads that the processor has: narrow ones find fewer lines on their way at a time. */
#if defined(__x86_64__) && defined(__linux__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static uint64_t sum(const uint64_t *array, size_t length)
{
    uint64_t lanes[LANES] = {0}, total = 0;
    for (size_t i = 0; i + LANES <= length; i += LANES)
        for (size_t k = 0; k < LANES; k++) lanes[k] += array[i + k];
    for (size_t k = 0; k < LANES; k++) total += lanes[k];
    return total;
}

int main(int count, char **words)
{
    long megabytes = count > 1 ? atol(words[1]) : 1024, passes = count > 2 ? atol(words[2]) : 10;
    if (megabytes < 1 || passes < 1) {
        fputs("memory_bandwidth [MEGABYTES [PASSES]]: both at least 1\n", stderr);
        return 2;
    }
    size_t length = (size_t)megabytes * 1000000 / sizeof(uint64_t) / LANES * LANES;
    uint64_t *array = malloc(length * sizeof *array);
    if (!array) {
        fputs("memory_bandwidth: not enough memory\n", stderr);
        return 1;
    }
    for (size_t i = 0; i < length; i++) array[i] = i;

    double best = 0.0;
    uint64_t check = 0;
    for (long pass = 0; pass < passes; pass++) {
        double start = now();
        check += sum(array, length);
        double speed = (double)(length * sizeof *array) / (now() - start) * 1e-9;
        if (speed > best) best = speed;
    }
    free(array);
    printf("%.2f\n", best);
    return check == 1; /* the sums are used: the loop cannot be left out */
}
