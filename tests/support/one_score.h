/* SPDX-License-Identifier: BSD-3-Clause */
/* Losses that are a sum over rows of one score each, which stand first in the registry: test_multinomial.c and
 * test_cox.c have the others. */
#ifndef DCPN_TESTS_ONE_SCORE_H
#define DCPN_TESTS_ONE_SCORE_H

#include <string.h>

#include "dcpn/solver.h"

static inline int has_one_score(const dcpn_part *loss)
{
    return strcmp(loss->name, "multinomial") != 0 && strcmp(loss->name, "cox") != 0;
}

#endif
