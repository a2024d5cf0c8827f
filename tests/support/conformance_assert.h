/* SPDX-License-Identifier: BSD-3-Clause */
/* cmocka with what it needs, and assertions on numbers that say which numbers failed. */
#ifndef DCPN_TESTS_CONFORMANCE_ASSERT_H
#define DCPN_TESTS_CONFORMANCE_ASSERT_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define COUNT_OF(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

/* found <= bound; NaN fails. The rest is a sentence, as for printf, that says where. */
void assert_at_most(double found, double bound, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* |found - expected| <= tolerance; NaN fails. */
void assert_near(double found, double expected, double tolerance, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
