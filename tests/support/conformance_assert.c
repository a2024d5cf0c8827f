/* SPDX-License-Identifier: BSD-3-Clause */
/* Assertions on numbers that say which numbers failed. */
#include "support/conformance_assert.h"

#include <stdio.h>

void assert_at_most(double found, double bound, const char *format, ...)
{
    char where[512];
    va_list arguments;
    if (found <= bound) return;
    va_start(arguments, format);
    vsnprintf(where, sizeof where, format, arguments);
    va_end(arguments);
    fail_msg("%s: found %.17g, expected at most %.17g", where, found, bound);
}

void assert_near(double found, double expected, double tolerance, const char *format, ...)
{
    char where[512];
    va_list arguments;
    if (fabs(found - expected) <= tolerance) return;
    va_start(arguments, format);
    vsnprintf(where, sizeof where, format, arguments);
    va_end(arguments);
    fail_msg("%s: found %.17g, expected %.17g to within %.3g", where, found, expected, tolerance);
}
