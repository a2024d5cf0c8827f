/* SPDX-License-Identifier: BSD-3-Clause */
/* A, or [A 1], or either of them once for each score of a row, of which this rank has some rows.
 * Vectors of rows are those of this rank, vectors of columns are on all
 * ranks, and each product that sums over rows is a message, whose sums are the same for any number of ranks and any way
 * of dealing out the rows (base/reduce.h). With one process alone no message is sent, and the sums are the same.
 *
 * Sparse A: each product a_ij r_i is a term of its own, so rows may be dealt like cards. Dense A: the terms are plain
 * sums over blocks of 1024 rows, so the ranks have whole blocks, in the order of the ranks. */
#ifndef DCPN_SRC_SUMMED_H
#define DCPN_SRC_SUMMED_H

#include "base/reduce.h"
#include "matrix/sparse.h"

enum { DCPN_ROWS_OF_A_BLOCK = 1024, SUMMED_NO_HINT = INT32_MAX };
/* A plain sum over a block of 2^10 rows is below 2^11 times its largest term, rounding included. */
enum { SUMMED_EXPONENT_OF_A_BLOCK = 11, SUMMED_LEAST_SCALED = -1000 };

struct summed {
    dcpn_matrix base; /* its entries are those of all ranks */
    const dcpn_matrix *inner;
    int64_t scores; /* of a row, numbered as matrix/replicated.c has it: score k of row i is k rows + i */
    int has_ones, is_sparse;
    struct compressed_both arrays; /* if it is sparse */
    dcpn_matrix **blocks;          /* if it is dense: views of its rows */
    int64_t block_count;
    int64_t all_rows, first_row; /* of all ranks; and on those before this one */
    int64_t *counts;             /* terms of the sum of a column */
    int *exponents;              /* |a_ij| < 2^exponent */
    int bound;            /* of the rows of the next product, |r_i| < 2^bound; SUMMED_NO_HINT: the ranks compare */
    int bound_of_weights; /* likewise, of weights that come along */
    struct grid *grids;   /* of the present product, */
    int64_t *words;       /* its sums, two for each column, */
    double *numbers;      /* and those of a block, likewise */
    int64_t *stored;      /* space for columns of one score */
};

/* Borrows A. Refuses what the ranks do not have alike. */
dcpn_status dcpn_summed_new(dcpn_context *context, const dcpn_matrix *A, int64_t scores, int has_ones,
                            struct summed **summed);
void dcpn_summed_free(struct summed *summed);
void dcpn_summed_make_base(struct summed *summed, dcpn_context *context);

/* Column j is a stored one, or behind those the constant, in the rows of a score. */
struct summed_place {
    int64_t column, rows_before;
};
struct summed_place dcpn_summed_place(const struct summed *summed, int64_t j);

/* summed_gram.c: A_U'diag(w)A_U; of several scores the Hessian of their shares w, as metric/shared_hessian.c has it. */
int64_t dcpn_summed_gram(const dcpn_matrix *matrix, const double *w, const int64_t *U, int64_t count,
                         struct gram_space *space, double *G);
/* The bound of the rows of the next product, SUMMED_NO_HINT: none was set; and the one that the ranks find. */
int dcpn_summed_take_hint(const struct summed *summed);
int dcpn_summed_bound(const struct summed *summed, const double *r);

/* NULL: it is another matrix. */
const struct summed *dcpn_summed_of(const dcpn_matrix *matrix);
/* The rows of a matrix; of all ranks if it is summed over them. */
double dcpn_matrix_all_rows(const dcpn_matrix *matrix);

/* The r or w of the next product with the matrix, or with some columns of one, is at most this on all ranks: a message
 * less. Where that proves wrong the ranks compare after all. */
void dcpn_matrix_bound_rows(const dcpn_matrix *matrix, double bound);

/* The weights in a product that brings squares along are at most this, likewise. */
void dcpn_matrix_bound_weights(const dcpn_matrix *matrix, double bound);

/* How many stored columns have an entry on any rank. */
int64_t dcpn_summed_columns_with_entries(const struct summed *summed);

/* How many of these columns a descent may have in use: as many as a Gram matrix is made for. */
int64_t dcpn_summed_most_in_use(const dcpn_matrix *matrix, int64_t columns);

/* ---- summed_columns.c: statistics of the stored columns ---- */

/* The mean of each column and its deviation about it, 0 where all entries are the same, for weights of the rows, whose
 * sum is given. */
dcpn_status dcpn_summed_moments(const struct summed *summed, const double *w, double total, double *mean,
                                double *deviation);

/* ---- summed_sparse.c: terms on the grids of their columns ---- */

struct on_columns {
    const dcpn_compressed *A; /* by columns */
    const int64_t *columns;   /* NULL: all */
    const double *r;          /* of each row */
    const struct grid *grids; /* in the order of the columns */
    int64_t *words;
};
typedef void on_columns_function(const struct on_columns *on, int64_t begin, int64_t end);

/* The lower triangle, by rows, of sum_i w_i a_i a_i' / scale: what is added up is (w_i s_w)(a_ij s_j)(a_ik s_k). */
struct on_rows {
    const dcpn_compressed *A; /* by rows */
    const int64_t *number;    /* of a column, from 1; 0: it is left out */
    int64_t count;            /* columns, */
    int has_ones;             /* and one more */
    const double *w, *scale;  /* s_j in the order of the numbers */
    double scale_w;
    struct grid grid;
    int64_t *place; /* space: of the entries of a row, */
    double *v, *wv; /* and their values, by scale */
    int64_t *words;
};

struct summed_kernels {
    on_columns_function *dots, *squares; /* words_k += of a_ij r_i, of r_i a_ij^2 */
    void (*gram)(const struct on_rows *on);
    void (*largest)(const dcpn_compressed *A, double *of_column);
};
const struct summed_kernels *dcpn_summed_kernels(dcpn_value_type value_type, dcpn_index_type index_type);

#endif
