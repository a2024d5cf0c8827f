/* SPDX-License-Identifier: BSD-3-Clause */
/* Wilcoxon's signed-rank test: rank |a_i - b_i|, add the ranks of the positive and of the negative differences. */
#include "wilcoxon.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_EXACT = 30, MOST_RANK_SUM = MOST_EXACT * (MOST_EXACT + 1) / 2 };

struct ranking {
    int count;
    double positive, negative; /* sums of ranks */
    double ties;               /* sum over the groups of t equal differences of t^3 - t */
};

static int by_size(const void *left, const void *right)
{
    double a = fabs(*(const double *)left), b = fabs(*(const double *)right);
    return (a > b) - (a < b);
}

static int keep_differences(int pairs, const double *a, const double *b, double *difference)
{
    int count = 0;
    for (int i = 0; i < pairs; i++)
        if (a[i] < b[i] || a[i] > b[i]) difference[count++] = a[i] - b[i];
    return count;
}

/* Equal differences share the mean of their ranks. */
static struct ranking rank(int count, double *difference)
{
    struct ranking result = {.count = count};
    qsort(difference, (size_t)count, sizeof *difference, by_size);
    for (int begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && !(fabs(difference[end]) > fabs(difference[begin])); end++) continue;
        double size = end - begin, mean_rank = 0.5 * (begin + 1 + end);
        result.ties += size * size * size - size;
        for (int i = begin; i < end; i++) *(difference[i] > 0.0 ? &result.positive : &result.negative) += mean_rank;
    }
    return result;
}

/* ways[s]: the subsets of {1..count} with the sum s, rank by rank. All 2^count are equally likely. */
static double exact(int count, double smaller_sum)
{
    double ways[MOST_RANK_SUM + 1] = {1.0}, below = 0.0;
    for (int r = 1; r <= count; r++)
        for (int s = MOST_RANK_SUM; s >= r; s--) ways[s] += ways[s - r];
    for (int s = 0; s <= (int)smaller_sum; s++) below += ways[s];
    return fmin(1.0, 2.0 * ldexp(below, -count));
}

static double approximate(const struct ranking *ranking, double smaller_sum)
{
    double n = ranking->count, mean = n * (n + 1.0) / 4.0;
    double variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranking->ties / 48.0;
    return erfc((mean - smaller_sum) / sqrt(2.0 * variance));
}

double dcpn_exp_wilcoxon(int pairs, const double *a, const double *b)
{
    double difference[DCPN_EXP_MOST_PAIRS];
    int count = keep_differences(pairs, a, b, difference);
    if (count == 0) return 1.0;
    struct ranking ranking = rank(count, difference);
    double smaller_sum = fmin(ranking.positive, ranking.negative);
    int is_exact = count == pairs && count <= MOST_EXACT && !(ranking.ties > 0.0);
    return is_exact ? exact(count, smaller_sum) : approximate(&ranking, smaller_sum);
}
