/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls with one size or one number that is odd: each ends with a status, and a sentence where it is no success. A size
 * below 0 and NaN are never one, but where the header gives them a meaning. */
#ifndef DCPN_TESTS_ODD_NUMBERS_H
#define DCPN_TESTS_ODD_NUMBERS_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"

enum { MOST_MEMORY = 64 << 20 };

static const int64_t BELOW_0[] = {-1, -2, INT32_MIN, INT64_MIN, INT64_MIN + 1};
static const int64_t HUGE_SIZES[] = {INT32_MAX,     (int64_t)1 << 32, (int64_t)1 << 59, (int64_t)1 << 60,
                                     INT64_MAX / 2, INT64_MAX - 1,    INT64_MAX};
static const double ODD[] = {-1.0, -0.0,  0.0,     1e-320,   DBL_MIN,  0.5,       1.0,
                             1.5,  1e300, DBL_MAX, -DBL_MAX, HUGE_VAL, -HUGE_VAL, (double)NAN};

static dcpn_context *context; /* the calls', with a limit of memory */
static int complaints;

static inline void make_context(void)
{
    context = dcpn_context_new(NULL);
    dcpn_context_set_memory_limit(context, MOST_MEMORY);
}

/* A call with one size or one number that is odd. */
typedef dcpn_status call_with_size(int64_t size);
typedef dcpn_status call_with_number(double number);

static inline void complain(const char *name, const char *what, double with)
{
    complaints++;
    print_error("%s: %s %g\n", name, what, with);
}

static inline void look_at(dcpn_status status, int may_work, const char *name, double with)
{
    if (status != DCPN_OK && !dcpn_last_error(context)[0]) complain(name, "no sentence for", with);
    if (status == DCPN_OK && !may_work) complain(name, "takes", with);
}

static inline void try_sizes(call_with_size *call, const char *name, int is_array)
{
    for (size_t k = 0; k < sizeof BELOW_0 / sizeof *BELOW_0; k++)
        look_at(call(BELOW_0[k]), 0, name, (double)BELOW_0[k]);
    for (size_t k = 0; !is_array && k < sizeof HUGE_SIZES / sizeof *HUGE_SIZES; k++)
        look_at(call(HUGE_SIZES[k]), 1, name, (double)HUGE_SIZES[k]);
}

static inline void try_numbers(call_with_number *call, const char *name)
{
    for (size_t k = 0; k < sizeof ODD / sizeof *ODD; k++) look_at(call(ODD[k]), !isnan(ODD[k]), name, ODD[k]);
}

#endif
