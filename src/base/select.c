/* SPDX-License-Identifier: BSD-3-Clause */
/* Hoare's selection: partition around the middle element until the k-th largest stands in its place. Its comparisons
 * are coin tosses, which processors guess badly, so that of many numbers those that a sample says are too small are put
 * aside before, without a branch. */
#include "base/select.h"

enum { SAMPLE = 512, MANY = 8 * SAMPLE };

static double middle_of_three(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static double partition(double *values, int64_t count, int64_t k)
{
    int64_t first = 0, last = count - 1, place = k - 1;
    while (first < last) {
        double pivot = middle_of_three(values[first], values[first + (last - first) / 2], values[last]);
        int64_t i = first, j = last;
        while (i <= j) {
            while (values[i] > pivot) i++;
            while (values[j] < pivot) j--;
            if (i > j) break;
            double swapped = values[i];
            values[i++] = values[j];
            values[j--] = swapped;
        }
        if (place <= j)
            last = j;
        else if (place >= i)
            first = i;
        else
            break; /* between the parts: equal to the pivot */
    }
    return values[place];
}

/* Guesses about the (1.5 k)-th largest number, which is most likely a bound below the k-th. */
static double guess_bound(const double *values, int64_t count, int64_t k)
{
    double sample[SAMPLE];
    int64_t place = 3 * k * SAMPLE / (2 * count) + 8;
    for (int64_t i = 0; i < SAMPLE; i++) sample[i] = values[i * (count / SAMPLE)];
    return partition(sample, SAMPLE, place < SAMPLE ? place : SAMPLE);
}

/* Brings what is not below a bound to the front, if that is k or more. Returns how many are left to look at. */
static int64_t put_small_aside(double *values, int64_t count, int64_t k)
{
    double bound = guess_bound(values, count, k);
    int64_t above = 0, left = 0;
    for (int64_t i = 0; i < count; i++) above += values[i] >= bound;
    if (above < k) return count;
    for (int64_t i = 0; i < count; i++) {
        double value = values[i];
        values[left] = value;
        left += value >= bound;
    }
    return left;
}

double dcpn_kth_largest(double *values, int64_t count, int64_t k)
{
    return partition(values, count >= MANY ? put_small_aside(values, count, k) : count, k);
}
