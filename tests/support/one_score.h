/* SPDX-License-Identifier: BSD-3-Clause */
/* Losses that are a sum over rows of one score each, which stand first in the registry: test_multinomial.c,
 * test_ordinal.c and test_cox.c have the others. */
#ifndef DCPN_TESTS_ONE_SCORE_H
#define DCPN_TESTS_ONE_SCORE_H

#include <string.h>

#include "dcpn/solver.h"

static inline int has_one_score(const dcpn_part *loss)
{
    const char *const others[] = {"multinomial", "ordinal", "cox"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(loss->name, others[k]) == 0) return 0;
    return 1;
}

#endif
