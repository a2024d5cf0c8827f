/* SPDX-License-Identifier: BSD-3-Clause */
/* Orthonormal vectors, and singular values of small matrices.
 *
 * Gram and Schmidt go over each vector twice: once leaves what rounding does to vectors that nearly depend on one
 * another. Jacobi's method from one side turns pairs of columns until all are orthogonal: their lengths are the
 * singular values, the small ones as exact as the large ones. */
#include <math.h>

#include "base/vector.h"
#include "structured/low_rank.h"

enum { MOST_SWEEPS = 60 };

/* vector k less its part along those before it; upper gets the coefficients. */
static void remove_before(int64_t n, int64_t k, int64_t count, double *vectors, double *upper)
{
    double *vector = vectors + k * n;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t l = 0; l < k; l++) {
            double along = dcpn_dot(n, vectors + l * n, vector);
            dcpn_axpy(n, -along, vectors + l * n, vector);
            if (upper) upper[k * count + l] += along;
        }
}

static void scale(int64_t n, double times, double *vector)
{
    for (int64_t i = 0; i < n; i++) vector[i] *= times;
}

/* A direction that is not among those before: that of one coordinate after another is tried. */
static void replace(int64_t n, int64_t k, int64_t count, double *vectors)
{
    double *vector = vectors + k * n;
    for (int64_t tried = 0; tried < n; tried++) {
        dcpn_fill(n, 0.0, vector);
        vector[(k + tried) % n] = 1.0;
        remove_before(n, k, count, vectors, NULL);
        double length = dcpn_norm2(n, vector);
        if (length < 0.5 / sqrt((double)n)) continue;
        scale(n, 1.0 / length, vector);
        return;
    }
}

/* upper is by columns: column k has the coefficients of vector k. */
void dcpn_vectors_orthonormalize(int64_t n, int64_t count, double *vectors, double *upper)
{
    if (upper) dcpn_fill(count * count, 0.0, upper);
    for (int64_t k = 0; k < count; k++) {
        double before = dcpn_norm2(n, vectors + k * n);
        remove_before(n, k, count, vectors, upper);
        double length = dcpn_norm2(n, vectors + k * n);
        if (length > 1e-13 * before && length > 1e-150) {
            scale(n, 1.0 / length, vectors + k * n);
            if (upper) upper[k * count + k] = length;
        } else {
            replace(n, k, count, vectors);
        }
    }
}

/* ---- Jacobi from one side ---- */

static void turn(int64_t n, double cosine, double sine, double *a, double *b)
{
    for (int64_t i = 0; i < n; i++) {
        double first = a[i], second = b[i];
        a[i] = cosine * first - sine * second;
        b[i] = sine * first + cosine * second;
    }
}

/* Makes two columns orthogonal; 0 if they are. */
static int rotate(int64_t n, double *a, double *b, double *va, double *vb)
{
    double aa = dcpn_dot(n, a, a), bb = dcpn_dot(n, b, b), ab = dcpn_dot(n, a, b);
    if (fabs(ab) <= 1e-15 * sqrt(aa) * sqrt(bb) || ab == 0.0) return 0;
    double ratio = (bb - aa) / (2.0 * ab);
    double tangent = copysign(1.0, ratio) / (fabs(ratio) + hypot(1.0, ratio));
    double cosine = 1.0 / hypot(1.0, tangent), sine = tangent * cosine;
    turn(n, cosine, sine, a, b);
    turn(n, cosine, sine, va, vb);
    return 1;
}

static void swap(int64_t n, double *a, double *b)
{
    for (int64_t i = 0; i < n; i++) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void sort_falling(int64_t n, double *M, double *sigma, double *V)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t largest = k;
        for (int64_t l = k + 1; l < n; l++)
            if (sigma[l] > sigma[largest]) largest = l;
        if (largest == k) continue;
        swap(1, sigma + k, sigma + largest);
        swap(n, M + k * n, M + largest * n);
        swap(n, V + k * n, V + largest * n);
    }
}

void dcpn_small_svd(int64_t n, double *M, double *sigma, double *V)
{
    dcpn_fill(n * n, 0.0, V);
    for (int64_t k = 0; k < n; k++) V[k * n + k] = 1.0;
    for (int sweep = 0, turned = 1; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = 0;
        for (int64_t k = 0; k < n; k++)
            for (int64_t l = k + 1; l < n; l++) turned += rotate(n, M + k * n, M + l * n, V + k * n, V + l * n);
    }
    for (int64_t k = 0; k < n; k++) {
        sigma[k] = dcpn_norm2(n, M + k * n);
        if (sigma[k] > 0.0) scale(n, 1.0 / sigma[k], M + k * n);
    }
    sort_falling(n, M, sigma, V);
}

/* ---- X from two blocks ---- */

/* out = sum_k vectors_k times_kj for each j. */
static void combine(int64_t n, int64_t count, const double *vectors, const double *times, double *out)
{
    dcpn_fill(n * count, 0.0, out);
    for (int64_t j = 0; j < count; j++)
        for (int64_t k = 0; k < count; k++)
            if (times[j * count + k] != 0.0) dcpn_axpy(n, times[j * count + k], vectors + k * n, out + j * n);
}

/* left = Q S and right = P T: left right' = Q (S T') P', and S T' = A diag(sigma) B'. */
void dcpn_low_rank_take_product(struct low_rank *x, int64_t count, double *left, double *right)
{
    double *S = x->space.small[0], *T = x->space.small[1], *M = x->space.small[2];
    dcpn_vectors_orthonormalize(x->seen.rows, count, left, S);
    dcpn_vectors_orthonormalize(x->seen.columns, count, right, T);
    dcpn_fill(count * count, 0.0, M);
    for (int64_t j = 0; j < count; j++) /* column j of S T' is sum_k S_k T_jk */
        for (int64_t k = 0; k < count; k++)
            if (T[k * count + j] != 0.0) dcpn_axpy(count, T[k * count + j], S + k * count, M + j * count);
    dcpn_small_svd(count, M, x->sigma, T);
    combine(x->seen.rows, count, left, M, x->U);
    combine(x->seen.columns, count, right, T, x->V);
    x->rank = count;
    while (x->rank > 0 && !(x->sigma[x->rank - 1] > 0.0)) x->rank--;
}
