/* SPDX-License-Identifier: BSD-3-Clause */
/* exp, expm1 and log1p against the C library's, in long double; and at the edges of their ranges. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/elementary.h"
#include "base/rng.h"

/* The last place of a result of this size. */
static long double last_place(long double exact)
{
    double size = fabs((double)exact);
    return size < DBL_MIN ? (long double)DBL_TRUE_MIN : (long double)(nextafter(size, INFINITY) - size);
}

struct function {
    const char *name;
    double (*ours)(double);
    long double (*exact)(long double);
    double limit; /* units in the last place */
};

static double our_exp(double v)
{
    return portable_exp(v);
}

static double our_expm1(double v)
{
    return portable_expm1(v);
}

static double our_log1p(double v)
{
    return portable_log1p(v);
}

static const struct function EXP = {"exp", our_exp, expl, 1.1}, EXPM1 = {"expm1", our_expm1, expm1l, 2.2},
                             LOG1P = {"log1p", our_log1p, log1pl, 1.1};

static void check(const struct function *f, double v)
{
    long double exact = f->exact((long double)v), error = fabsl((long double)f->ours(v) - exact);
    if (!isfinite((double)exact)) {
        if (f->ours(v) != (double)exact) fail_msg("%s(%.17g) = %g", f->name, v, f->ours(v));
    } else if (!(error <= (long double)f->limit * last_place(exact))) {
        fail_msg("%s(%.17g) = %.17g, off by %.2f units in the last place", f->name, v, f->ours(v),
                 (double)(error / last_place(exact)));
    }
}

/* Numbers of every size up to `most`, of both signs. */
static void check_sizes(const struct function *f, double least, double most)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 1);
    for (int i = 0; i < 200000; i++) {
        double size = least * exp(dcpn_rng_uniform(&rng) * log(most / least));
        check(f, size);
        if (f != &LOG1P || size < 1.0) check(f, -size);
    }
}

static void they_are_right_to_the_last_place(void **state)
{
    (void)state;
    const struct function *const all[] = {&EXP, &EXPM1, &LOG1P};
    for (int i = 0; i < 3; i++) {
        check_sizes(all[i], 1e-300, 1e-10);
        check_sizes(all[i], 1e-10, 1.0);
        check_sizes(all[i], 1.0, 800.0);
    }
    check_sizes(&LOG1P, 800.0, 1e308);
    for (double v = -750.0; v < 750.0; v += 0.009765625) check(&EXP, v), check(&EXPM1, v);
}

/* Where the ways to compute them part: at whole multiples of log(2)/2, and at 1 + z = 2^k sqrt(2). */
static void they_are_right_where_pieces_meet(void **state)
{
    (void)state;
    for (int k = -40; k <= 40; k++)
        for (int step = -3; step <= 3; step++) {
            double v = (double)k * 0.34657359027997264, z = ldexp(sqrt(2.0), k) - 1.0;
            double towards = step < 0 ? -HUGE_VAL : HUGE_VAL;
            for (int i = 0; i < abs(step); i++) v = nextafter(v, towards), z = nextafter(z, towards);
            check(&EXP, v);
            check(&EXPM1, v);
            if (z > -1.0) check(&LOG1P, z);
        }
}

static void the_ends_are_those_of_the_standard(void **state)
{
    (void)state;
    assert_true(portable_exp(0.0) == 1.0 && portable_expm1(0.0) == 0.0 && portable_log1p(0.0) == 0.0);
    assert_true(portable_exp(-INFINITY) == 0.0 && portable_expm1(-INFINITY) == -1.0);
    assert_true(portable_exp(-746.0) == 0.0 && portable_exp(-745.0) == DBL_TRUE_MIN);
    assert_true(isinf(portable_exp(INFINITY)) && isinf(portable_expm1(INFINITY)) && isinf(portable_log1p(INFINITY)));
    assert_true(isinf(portable_exp(709.8)) && portable_exp(709.7) < HUGE_VAL);
    assert_true(portable_log1p(-1.0) == -HUGE_VAL && isnan(portable_log1p(-1.5)));
    assert_true(isnan(portable_exp(NAN)) && isnan(portable_expm1(NAN)) && isnan(portable_log1p(NAN)));
    assert_true(portable_expm1(DBL_TRUE_MIN) == DBL_TRUE_MIN && portable_log1p(-DBL_TRUE_MIN) == -DBL_TRUE_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_right_to_the_last_place),
        cmocka_unit_test(they_are_right_where_pieces_meet),
        cmocka_unit_test(the_ends_are_those_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
