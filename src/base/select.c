/* SPDX-License-Identifier: BSD-3-Clause */
/* Hoare's selection: partition around the middle element until the k-th largest stands in its place. */
#include "base/select.h"

static double middle_of_three(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

double dcpn_kth_largest(double *values, int64_t count, int64_t k)
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
