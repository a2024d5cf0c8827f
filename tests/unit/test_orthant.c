/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's step on some coordinates: both ways to it solve the equations, and leave the others alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "subproblem/orthant.h"

enum { SIZE = 37, ROWS = 60 };

struct system {
    double G[SIZE * SIZE], right[SIZE], residual[SIZE], step[SIZE], along[SIZE], image[SIZE], factor[SIZE * (SIZE + 8)];
    int64_t list[SIZE];
    struct orthant orthant;
};

/* G = B'B for a random B, whose columns are of very different lengths. */
static void make(struct system *s, double shift)
{
    static double B[ROWS * SIZE];
    struct rng rng;
    dcpn_rng_seed(&rng, 5);
    for (int i = 0; i < ROWS * SIZE; i++) B[i] = (dcpn_rng_uniform(&rng) - 0.5 + shift) * pow(10.0, i % SIZE % 4);
    for (int a = 0; a < SIZE; a++)
        for (int b = 0; b < SIZE; b++) {
            s->G[a * SIZE + b] = 0.0;
            for (int i = 0; i < ROWS; i++) s->G[a * SIZE + b] += B[i * SIZE + a] * B[i * SIZE + b];
        }
    s->orthant = (struct orthant){s->list, 0, s->residual, s->step, s->along, s->image, s->factor};
    for (int a = 0; a < SIZE; a++) {
        s->right[a] = s->residual[a] = dcpn_rng_uniform(&rng) - 0.5;
        s->step[a] = 7.0; /* of an earlier use */
        if (a % 3) s->list[s->orthant.count++] = a;
    }
}

static double largest_lack(const struct system *s)
{
    double largest = 0.0;
    for (int64_t a = 0; a < s->orthant.count; a++) {
        double lack = s->right[s->list[a]];
        for (int b = 0; b < SIZE; b++) lack -= s->G[s->list[a] * SIZE + b] * s->step[b];
        largest = fmax(largest, fabs(lack));
    }
    return largest;
}

static void both_ways_solve_the_equations(void **state)
{
    static struct system s;
    (void)state;
    make(&s, 0.0);
    assert_true(dcpn_orthant_factor(&s.orthant, SIZE, s.G));
    assert_true(largest_lack(&s) < 1e-10);
    for (int a = 0; a < SIZE; a += 3) assert_true(s.step[a] == 0.0);
    make(&s, 0.0);
    int64_t made = dcpn_orthant_iterate(&s.orthant, SIZE, s.G, 1e-6, 1000);
    assert_true(made < 2 * SIZE);
    assert_true(largest_lack(&s) < 1.1e-6);
    for (int a = 0; a < SIZE; a += 3) assert_true(s.step[a] == 0.0);
}

/* 1/2 step'G step - right'step */
static double model(const struct system *s)
{
    double value = 0.0;
    for (int a = 0; a < SIZE; a++) {
        value -= s->right[a] * s->step[a];
        for (int b = 0; b < SIZE; b++) value += 0.5 * s->step[a] * s->G[a * SIZE + b] * s->step[b];
    }
    return value;
}

static void every_product_lowers_the_model(void **state)
{
    static struct system s;
    double before = 0.0;
    (void)state;
    for (int64_t most = 1; most < 12; most++) {
        make(&s, 0.4);
        assert_int_equal(dcpn_orthant_iterate(&s.orthant, SIZE, s.G, 0.0, most), most);
        assert_true(model(&s) < before);
        before = model(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_solve_the_equations),
        cmocka_unit_test(every_product_lowers_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
