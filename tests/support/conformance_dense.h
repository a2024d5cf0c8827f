/* SPDX-License-Identifier: BSD-3-Clause */
/* Small dense matrices, n x n row by row, the slow and plain way. */
#ifndef DCPN_TESTS_CONFORMANCE_DENSE_H
#define DCPN_TESTS_CONFORMANCE_DENSE_H

#include <stdint.h>

/* The smallest and the largest eigenvalue of a symmetric matrix, by Jacobi's rotations. n <= 64. */
struct range {
    double least, largest;
};
struct range eigenvalue_range(int64_t n, const double *M);

/* x with M x = b, by elimination with pivots. n <= 64. */
void solve_dense(int64_t n, const double *M, const double *b, double *x);

void dense_product(int64_t n, const double *M, const double *d, double *product);
double quadratic_form(int64_t n, const double *M, const double *d); /* d'Md */
double largest_entry(int64_t count, const double *a);               /* max |a_i| */

#endif
