/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues, linear systems and products of small dense matrices. */
#include "support/conformance_dense.h"

#include <math.h>
#include <string.h>

#include "support/conformance_assert.h"

enum { MOST = 64 };

/* One rotation in the plane (p, q) that makes S_pq 0. */
static void rotate(int64_t n, double *S, int64_t p, int64_t q)
{
    if (S[p * n + q] == 0.0) return;
    double theta = (S[q * n + q] - S[p * n + p]) / (2.0 * S[p * n + q]);
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(1.0, theta)), c = 1.0 / hypot(1.0, t), s = t * c;
    for (int64_t k = 0; k < n; k++) {
        double kp = S[k * n + p], kq = S[k * n + q];
        S[k * n + p] = c * kp - s * kq;
        S[k * n + q] = s * kp + c * kq;
    }
    for (int64_t k = 0; k < n; k++) {
        double pk = S[p * n + k], qk = S[q * n + k];
        S[p * n + k] = c * pk - s * qk;
        S[q * n + k] = s * pk + c * qk;
    }
}

struct range eigenvalue_range(int64_t n, const double *M)
{
    double S[MOST * MOST] = {0};
    assert_true(n <= MOST);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) S[i * n + j] = 0.5 * (M[i * n + j] + M[j * n + i]);
    for (int sweep = 0; sweep < 30; sweep++)
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) rotate(n, S, p, q);
    struct range range = {S[0], S[0]};
    for (int64_t i = 1; i < n; i++) {
        range.least = fmin(range.least, S[i * n + i]);
        range.largest = fmax(range.largest, S[i * n + i]);
    }
    return range;
}

static void swap_rows(int64_t width, double *a, double *b)
{
    for (int64_t j = 0; j < width; j++) {
        double keep = a[j];
        a[j] = b[j];
        b[j] = keep;
    }
}

void solve_dense(int64_t n, const double *M, const double *b, double *x)
{
    double T[MOST * (MOST + 1)];
    int64_t width = n + 1;
    assert_true(n <= MOST);
    for (int64_t i = 0; i < n; i++) {
        memcpy(T + i * width, M + i * n, (size_t)n * sizeof *T);
        T[i * width + n] = b[i];
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(T[i * width + k]) > fabs(T[pivot * width + k])) pivot = i;
        swap_rows(width, T + k * width, T + pivot * width);
        for (int64_t i = k + 1; i < n; i++) {
            double share = T[i * width + k] / T[k * width + k];
            for (int64_t j = k; j < width; j++) T[i * width + j] -= share * T[k * width + j];
        }
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        double rest = T[i * width + n];
        for (int64_t j = i + 1; j < n; j++) rest -= T[i * width + j] * x[j];
        x[i] = rest / T[i * width + i];
    }
}

void dense_product(int64_t n, const double *M, const double *d, double *product)
{
    for (int64_t i = 0; i < n; i++) {
        long double sum = 0.0L;
        for (int64_t j = 0; j < n; j++) sum += (long double)M[i * n + j] * (long double)d[j];
        product[i] = (double)sum;
    }
}

double quadratic_form(int64_t n, const double *M, const double *d)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) sum += (long double)d[i] * (long double)M[i * n + j] * (long double)d[j];
    return (double)sum;
}

double largest_entry(int64_t count, const double *a)
{
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(a[i]));
    return largest;
}
