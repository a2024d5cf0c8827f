/* SPDX-License-Identifier: BSD-3-Clause */
/* Losses with one score a row, which stand first in the registry: test_multinomial.c has the other one. */
#ifndef DCPN_TESTS_ONE_SCORE_H
#define DCPN_TESTS_ONE_SCORE_H

#include <string.h>

#include "dcpn/solver.h"

static inline int has_one_score(const dcpn_part *loss)
{
    return strcmp(loss->name, "multinomial") != 0;
}

#endif
