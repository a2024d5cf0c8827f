/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems on which searches over basins find something: counts of words, and dense numbers. */
#ifndef DCPN_TESTS_PROBLEMS_WORDS_H
#define DCPN_TESTS_PROBLEMS_WORDS_H

#include <math.h>

#include "base/rng.h"
#include "support/problems_data.h"

/* Counts of words: small whole numbers, some words in most rows, most words in few; rows as they are or of length 1. */
static inline struct problems_data words(int64_t rows, int64_t columns, int of_length_1, uint64_t seed)
{
    struct problems_data data = problems_data_new(rows, columns, 0.5, seed);
    struct rng rng;
    problems_data_plain(&data);
    dcpn_rng_seed(&rng, seed);
    for (int64_t i = 0; i < rows; i++) {
        double square = 0.0, *row = data.A + i * columns;
        for (int64_t j = 0; j < columns; j++) {
            uint64_t rarity = 2 + (uint64_t)j / 4;
            int is_topic = j % 7 == 0 && data.classes[i] > 2.0;
            row[j] = dcpn_rng_below(&rng, is_topic ? 2 + rarity / 3 : 2 + rarity) == 0 ? 1.0 : 0.0;
            while (row[j] > 0.0 && row[j] < 9.0 && dcpn_rng_below(&rng, 3) == 0) row[j] += 1.0;
            square += row[j] * row[j];
        }
        for (int64_t j = 0; of_length_1 && square > 0.0 && j < columns; j++) row[j] /= sqrt(square);
    }
    return data;
}

static inline struct problems_data dense(int64_t rows, int64_t columns, uint64_t seed)
{
    struct problems_data data = problems_data_new(rows, columns, 1.0, seed);
    problems_data_plain(&data);
    return data;
}

#endif
