/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with a tile of a dense matrix, for one type of stored value and one level of instructions. V_0, V_1, ... are
 * the tile's vectors (columns of a column-major A, rows of a row-major one), `stride` values apart, n values long. */
#ifndef DCPN_SRC_DENSE_TILES_H
#define DCPN_SRC_DENSE_TILES_H

#include "base/level.h"
#include "dcpn/data.h"

enum { DENSE_LANES = 8 }; /* running sums of which a dot product, or a curvature, is made */

struct dense_tiles {
    /* out += sum_k c_k V_k. Vectors with c_k = 0 are not touched. While one is used, the one that is used `ahead` after
     * it is fetched; the vectors of the next tile begin `after` values from V on. */
    void (*combine)(int64_t vectors, int64_t n, const void *V, int64_t stride, int64_t ahead, int64_t after,
                    const double *c, double *out);
    /* out_k += V_k'c, from the last vector to the first: what combine has used last is still in the cache. With each
     * value the one that lies `ahead` values after it is fetched; 0: none. */
    void (*project)(int64_t vectors, int64_t n, const void *V, int64_t stride, int64_t ahead, const double *c,
                    double *out);
    /* project in parts: the running sums of V_k'c, DENSE_LANES of each vector, which last over several tiles (n a
     * multiple of DENSE_LANES, but for the last); then out_k += them, and they are 0 again. */
    void (*accumulate)(int64_t vectors, int64_t n, const void *V, int64_t stride, const double *c, double *sums);
    void (*add_sums)(int64_t vectors, double *sums, double *out);
    /* out_k += V_j'c, j = which_k, with the bits of project. */
    void (*project_some)(int64_t count, int64_t n, const void *V, int64_t stride, const int64_t *which, const double *c,
                         double *out);
    double (*curvature)(int64_t n, const void *v, const double *w); /* sum_i w_i v_i^2 */
    /* project, which goes on with the running sums of w_i v_i^2, DENSE_LANES of each vector and 0 at first, over
     * several tiles (n a multiple of DENSE_LANES, but for the last); add_sums makes curvatures of them, with their
     * bits. */
    void (*project_and_square)(int64_t vectors, int64_t n, const void *V, int64_t stride, const double *c,
                               const double *w, double *out, double *squares);
    void (*add_square)(int64_t n, double c, const void *v, double *out);              /* out += c v.v */
    void (*axpy)(int64_t n, double alpha, const double *w, const void *v, double *u); /* u += alpha w.v */
};

const struct dense_tiles *dcpn_dense_tiles(dcpn_value_type type, enum level level);

#endif
