/* SPDX-License-Identifier: BSD-3-Clause */
/* The least eigenvalue of a symmetric matrix: Householder's reduction to a tridiagonal one, then bisection by Sturm's
 * count of the eigenvalues below a number. */
#include "base/eigenvalue.h"

#include <float.h>
#include <math.h>

/* Row i of the lower triangle left of column `length` becomes a reflector v that maps it to a multiple of its last
 * entry, which is returned; the row then holds v, scaled so that the reflection is I - v v'. 0: nothing to do. */
static double make_reflector(double *row, int64_t length)
{
    double largest = 0.0, sum = 0.0;
    for (int64_t k = 0; k < length; k++) largest = fmax(largest, fabs(row[k]));
    if (!(largest > 0.0)) return 0.0;
    for (int64_t k = 0; k < length; k++) sum += (row[k] / largest) * (row[k] / largest);
    double norm = largest * sqrt(sum), last = row[length - 1];
    double image = last > 0.0 ? -norm : norm;
    /* |v|^2 = 2: v = (row - image e) / sqrt(norm (norm + |last|)) */
    double scale = sqrt(norm) * sqrt(norm + fabs(last));
    row[length - 1] -= image;
    for (int64_t k = 0; k < length; k++) row[k] /= scale;
    return image;
}

/* B <- (I - v v') B (I - v v') on the leading `length` rows, lower triangle: B - v q' - q v', q = B v - (v'Bv / 2)
 * v. */
static void reflect(double *matrix, int64_t n, int64_t length, const double *v, double *q)
{
    double half = 0.0;
    for (int64_t i = 0; i < length; i++) q[i] = 0.0;
    for (int64_t i = 0; i < length; i++) {
        const double *row = matrix + i * n;
        double sum = row[i] * v[i];
        for (int64_t k = 0; k < i; k++) {
            sum += row[k] * v[k];
            q[k] += row[k] * v[i];
        }
        q[i] += sum;
    }
    for (int64_t i = 0; i < length; i++) half += 0.5 * v[i] * q[i];
    for (int64_t i = 0; i < length; i++) q[i] -= half * v[i];
    for (int64_t i = 0; i < length; i++)
        for (int64_t k = 0; k <= i; k++) matrix[i * n + k] -= v[i] * q[k] + q[i] * v[k];
}

/* off[i] stands between the diagonal entries i - 1 and i; off[0] = 0. */
static void make_tridiagonal(int64_t n, double *matrix, double *off)
{
    double *q = off; /* entries up to i are still free while row i is worked on */
    for (int64_t i = n - 1; i > 0; i--) {
        double *row = matrix + i * n, image = row[0];
        if (i > 1) {
            image = make_reflector(row, i);
            if (image != 0.0) reflect(matrix, n, i, row, q);
        }
        off[i] = image;
    }
    off[0] = 0.0;
}

/* Is there an eigenvalue below x? The pivots of the elimination of T - x I have as many negative ones. */
static int has_below(int64_t n, const double *diagonal, const double *off, double x)
{
    double pivot = 1.0;
    for (int64_t i = 0; i < n; i++) {
        pivot = diagonal[i] - x - (i ? off[i] * (off[i] / pivot) : 0.0);
        if (pivot < 0.0) return 1;
        if (pivot == 0.0) pivot = DBL_MIN;
    }
    return 0;
}

double dcpn_least_tridiagonal_eigenvalue(int64_t n, const double *diagonal, const double *off)
{
    double low = HUGE_VAL, high = HUGE_VAL;
    for (int64_t i = 0; i < n; i++) {
        double radius = fabs(off[i]) + (i + 1 < n ? fabs(off[i + 1]) : 0.0);
        low = fmin(low, diagonal[i] - radius); /* Gershgorin */
        high = fmin(high, diagonal[i]);        /* the least eigenvalue is below every diagonal entry */
    }
    double width = 4.0 * DBL_EPSILON * fmax(fabs(low), fabs(high));
    while (high - low > width) {
        double middle = low + 0.5 * (high - low);
        if (middle <= low || middle >= high) break;
        *(has_below(n, diagonal, off, middle) ? &high : &low) = middle;
    }
    return 0.5 * (low + high);
}

double dcpn_least_eigenvalue(int64_t n, double *matrix, double *work)
{
    double *diagonal = work, *off = work + n;
    make_tridiagonal(n, matrix, off);
    for (int64_t i = 0; i < n; i++) diagonal[i] = matrix[i * n + i];
    return dcpn_least_tridiagonal_eigenvalue(n, diagonal, off);
}
