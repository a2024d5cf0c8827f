/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices and data sets. A matrix never changes after it is made, and may serve several solvers at once. */
#ifndef DCPN_DATA_H
#define DCPN_DATA_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcpn_matrix dcpn_matrix;

/* An entry that is missing, for what can do without it: factors (factor.h), and a table that is read with missing
 * "keep". Everything else takes it for the number it is. */
#define DCPN_MISSING (-1.7976931348623157e308)

/* How values are stored; the arithmetic is always double. */
typedef enum dcpn_value_type { DCPN_FLOAT64, DCPN_FLOAT32 } dcpn_value_type;
typedef enum dcpn_index_type { DCPN_INT32, DCPN_INT64 } dcpn_index_type;
/* How a matrix is kept that is read from a file. DCPN_STORAGE_AUTO keeps what the format is, sparse or a table,
 * unless at least half of the entries of a sparse file are there (then dense) or at most a quarter of those of a
 * table are not 0 (then sparse). */
typedef enum dcpn_storage { DCPN_STORAGE_AUTO, DCPN_STORAGE_SPARSE, DCPN_STORAGE_DENSE } dcpn_storage;
typedef enum dcpn_layout { DCPN_COLUMN_MAJOR, DCPN_ROW_MAJOR } dcpn_layout;

/* The number that a file gives to its first feature. DCPN_INDEX_DETECT: 0 if the file uses the number 0, else 1.
 * DCPN_INDEX_FROM_0 + dataset->index_base repeats what was found in a file that was read before. */
typedef enum dcpn_indexing { DCPN_INDEX_DETECT, DCPN_INDEX_FROM_0, DCPN_INDEX_FROM_1 } dcpn_indexing;

/* DCPN_BORROW: the caller keeps the arrays alive and unchanged as long as the matrix lives. */
typedef enum dcpn_ownership { DCPN_COPY, DCPN_BORROW } dcpn_ownership;

/* values[i + j * stride] (column major) or values[i * stride + j] (row major); values are finite. */
DCPN_API dcpn_status dcpn_matrix_dense(dcpn_context *context, int64_t rows, int64_t columns, const void *values,
                                       dcpn_value_type type, dcpn_layout layout, int64_t stride,
                                       dcpn_ownership ownership, dcpn_matrix **matrix);

/* A compressed sparse matrix: by rows (CSR) or by columns (CSC). pointers has major + 1 entries; within a row
 * (column) the indices are distinct, in any order. The other orientation is built and owned by the matrix. */
typedef struct dcpn_compressed {
    int64_t rows, columns;
    const int64_t *pointers;
    const void *indices;
    dcpn_index_type index_type;
    const void *values;
    dcpn_value_type value_type;
    const int32_t *pointers32; /* pointers of 32 bits, which are copied, where `pointers` is NULL */
} dcpn_compressed;

DCPN_API dcpn_status dcpn_matrix_csr(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                                     dcpn_matrix **matrix);
DCPN_API dcpn_status dcpn_matrix_csc(dcpn_context *context, const dcpn_compressed *arrays, dcpn_ownership ownership,
                                     dcpn_matrix **matrix);

DCPN_API int64_t dcpn_matrix_rows(const dcpn_matrix *matrix);
DCPN_API int64_t dcpn_matrix_columns(const dcpn_matrix *matrix);
/* Stored entries: rows x columns for a dense matrix. */
DCPN_API int64_t dcpn_matrix_entries(const dcpn_matrix *matrix);
/* Is it stored dense? */
DCPN_API int dcpn_matrix_is_dense(const dcpn_matrix *matrix);
/* u = A x and g = A' r, with the context's threads. */
DCPN_API void dcpn_matrix_apply(const dcpn_matrix *matrix, const double *x, double *u);
DCPN_API void dcpn_matrix_adjoint(const dcpn_matrix *matrix, const double *r, double *g);
/* Copies the non-zero entries of a row into arrays with room for one per column; returns how many there are. */
DCPN_API int64_t dcpn_matrix_row(const dcpn_matrix *matrix, int64_t row, int64_t *columns, double *values);
/* A matrix of `count` rows from the row `first` on, numbered from 0. It borrows the values of a dense matrix, which
 * must outlive it. */
DCPN_API dcpn_status dcpn_matrix_some_rows(const dcpn_matrix *matrix, int64_t first, int64_t count, dcpn_matrix **some);
DCPN_API void dcpn_matrix_free(dcpn_matrix *matrix);

/* A column of categories in a table. Its first level is the reference; each other one is a feature, "site=Lyon", that
 * is 1 in the rows of that level, else 0. */
typedef struct dcpn_category {
    char *column;
    char **levels; /* ascending */
    int64_t count;
} dcpn_category;

/* A matrix with one label per row, as read from a file or generated; read by names (handles.h). */
typedef struct dcpn_dataset dcpn_dataset;

/* How the columns of a table are read. A member that is 0 stands for its default. */
typedef struct dcpn_table_options {
    const char *label_column; /* csv, tsv, mat, h5ad: its name, or its number from 1; NULL: the format's own rule */
    int label_optional;    /* csv, tsv with a header: where no column is called like labels it may be guessed, a
                            * column of text, or the rows have none, with a note; 2: without one, and without a
                            * header as well; 0: refused, with the question which one it is */
    const char *id_column; /* csv, tsv: the column whose texts name the rows, and which is no feature: its name, or its
                            * number from 1; NULL: that of id_name, or a first one without a name */
    /* csv, tsv with a header, unless id_column says otherwise: if a column is called so, the same */
    const char *id_name;
    /* csv, tsv with a header: columns of categories, their names or numbers from 1, separated by commas; "auto": all
     * features that have texts; NULL: none, texts are refused */
    const char *categorical;
    /* csv, tsv with a header: what columns of these names have for levels; another level is a missing value */
    const dcpn_category *categories;
    int64_t category_count;
    const char *ignore;  /* csv, tsv: columns to leave out, their names or numbers from 1, separated by commas */
    char *const *wanted; /* csv, tsv with a header: the names of the features to read, all others are left out; one
                          * that is not there is refused, one that is there twice leaves all columns in */
    int64_t wanted_count;
    const double *fill;     /* what each of the wanted counts as where it is missing, whatever `missing` says */
    const char *label_name; /* csv, tsv with a header, unless label_column says otherwise: the labels' column is called
                             * so; if neither it nor one with a usual name is there the rows have no labels */
    int64_t label_number;   /* csv, tsv, where no name tells: the number, from 1, of the labels' column, if there is one
                             * besides the features that are expected; 0: not known */
    const char *missing;    /* csv, tsv: "refuse" (NULL), "zero", "mean" or "keep" (as DCPN_MISSING) */
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_table_options;

/* A member that is 0 stands for its default. */
typedef struct dcpn_read_options {
    int64_t features; /* number of columns; 0: the largest index in the file, but no less than at_least */
    int64_t at_least; /* only if features is 0 */
    dcpn_indexing indexing;
    dcpn_value_type value_type;
    int narrow;              /* libsvm: doubles that are floats, counts say, are kept as those: the same numbers */
    const char *format;      /* its name, see dcpn_format_at; NULL: by its content */
    const char *labels_path; /* labels, one per line, in a second file; NULL: in the data, where the format has them */
    const char *names_path;  /* feature names, one per line; NULL: those in the data, if any */
    dcpn_table_options table;
    int unlabelled; /* rows without a label ('?') are allowed: their label is NaN */
    dcpn_storage storage;
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_read_options;

/* A file format. */
typedef struct dcpn_format {
    const char *name;       /* "libsvm": what dcpn_read_options.format and dcpn_write take */
    const char *extensions; /* ".svm .libsvm": what dcpn_write takes from the name of a file */
    const char *summary;    /* one line */
    int is_writable;
} dcpn_format;

/* The format at index; 0 beyond the last one. */
DCPN_API int dcpn_format_at(size_t index, dcpn_format *format);

/* Reads a data set in any format, plain or compressed by gzip, zstd or xz, which the first bytes tell. path may name
 * a pipe, and "-" is standard input. options may be NULL. */
DCPN_API dcpn_status dcpn_read(dcpn_context *context, const char *path, const dcpn_read_options *options,
                               dcpn_dataset **dataset);
/* Reads a data set from the bytes of such a file. They are borrowed for the call; name is what messages call them. */
DCPN_API dcpn_status dcpn_read_memory(dcpn_context *context, const char *name, const void *bytes, size_t size,
                                      const dcpn_read_options *options, dcpn_dataset **dataset);
/* Writes a data set to a temporary file, which replaces path only when it is complete; "-" is standard output.
 * format NULL: by the extension of path. If path ends in .gz, .zst or .xz, the file is compressed. */
DCPN_API dcpn_status dcpn_write(const dcpn_dataset *dataset, const char *path, const char *format);
/* Is there such a format, and can it be written? Ask this before a long run, like dcpn_output_try. */
DCPN_API dcpn_status dcpn_write_check(dcpn_context *context, const char *path, const char *format);

/* Receives one thing that is wrong with a file: a sentence with its place. */
typedef void dcpn_finding_function(void *user, const char *sentence);
/* Looks for everything that is wrong with a file, where dcpn_read stops at the first fault. All faults are counted,
 * and the first `limit` go to report, which may be NULL. A file with faults is no failure of the call. */
DCPN_API dcpn_status dcpn_check(dcpn_context *context, const char *path, const dcpn_read_options *options,
                                int64_t limit, dcpn_finding_function *report, void *user, int64_t *count);

/* These two are dcpn_read and dcpn_write for LIBSVM text alone. */
DCPN_API dcpn_status dcpn_read_libsvm(dcpn_context *context, const char *path, const dcpn_read_options *options,
                                      dcpn_dataset **dataset);
DCPN_API dcpn_status dcpn_write_libsvm(const dcpn_dataset *dataset, const char *path);
/* Reads a text with one number per line, in which blank lines and lines that start with # are skipped, or a NumPy
 * array (.npy) of one dimension. Free the numbers with dcpn_free. */
DCPN_API dcpn_status dcpn_read_numbers(dcpn_context *context, const char *path, double **numbers, int64_t *count);
/* Reads the same with several numbers on each line, as many as on the first one, between blanks or commas: those of
 * the first column come first, then those of the second. */
DCPN_API dcpn_status dcpn_read_number_columns(dcpn_context *context, const char *path, double **numbers, int64_t *rows,
                                              int64_t *columns);
/* Writes what dcpn_read_numbers reads: the shortest text of each number that reads back to the same double. No
 * numbers at all are refused (DCPN_USAGE), and so are NaN and infinities (DCPN_DATA). The file appears complete or not
 * at all; "-" is standard output. */
DCPN_API dcpn_status dcpn_write_numbers(dcpn_context *context, const char *path, const double *numbers, int64_t count);
/* Writes any text, complete or not at all. text NULL, as a failed allocation leaves it, returns DCPN_MEMORY. */
DCPN_API dcpn_status dcpn_write_text(dcpn_context *context, const char *path, const char *text, size_t length);
/* Appends the rows of a matrix to the data set, without labels: their label is NaN (see problem.h). The data set
 * gets a new matrix that is as wide as the wider one of the two, and dense only if its own was. */
DCPN_API dcpn_status dcpn_dataset_add_unlabelled(dcpn_dataset *dataset, const dcpn_matrix *more);
/* Makes two classes of the labels: `positive` (for labels that are numbers, any text of the number) against the
 * other one, or all others. labels become 0 and 1; label_names become the name of the other class, or "not POSITIVE"
 * if there are several, and that of the positive one. Every number counts as a class, 0 too. Rows without a label
 * stay so. */
DCPN_API dcpn_status dcpn_dataset_set_positive(dcpn_dataset *dataset, const char *positive);
/* Says the order of labels that are texts, for the loss ordinal: label_names become `names`, each of which is the label
 * of a row, and labels their positions, from 0. Rows without a label stay so. */
DCPN_API dcpn_status dcpn_dataset_order_classes(dcpn_dataset *dataset, const char *const *names, int64_t count);
/* Replaces each label by the position of its name among `names`, from 0, for example among the classes of a model.
 * If the names are X and "not X", the latter stands for all other labels. *stranger becomes the first row whose
 * label is not among the names, and then no label is changed, or else -1. label_names stay as they are. */
DCPN_API dcpn_status dcpn_dataset_match_classes(dcpn_dataset *dataset, char *const *names, int64_t count,
                                                int64_t *stranger);
DCPN_API void dcpn_dataset_free(dcpn_dataset *dataset);

/* The paper's toy problem: two Gaussian classes with means +mu and -mu, mu uniform in {-1, +1}^T, and a covariance of
 * its own for each class, drawn from a Wishart distribution with T degrees of freedom, in T relevant variables; the
 * other d - T are standard normal noise. Columns are standardised with the means and deviations of the training rows.
 * The same seed gives the same bytes on every machine. */
typedef struct dcpn_toy {
    int64_t features;           /* d */
    int64_t relevant;           /* T */
    int64_t rows;               /* N, training */
    int64_t test_rows;          /* 0: no test part */
    dcpn_value_type value_type; /* how the values are stored; they are the same numbers in both */
    uint64_t seed;
} dcpn_toy;

/* truth (may be NULL) receives d bytes, 1 where the variable is relevant. test may be NULL if test_rows is 0. */
DCPN_API dcpn_status dcpn_generate_toy(dcpn_context *context, const dcpn_toy *toy, dcpn_dataset **train,
                                       dcpn_dataset **test, unsigned char *truth);

/* A sparse problem of the shape of text or of web addresses: each row has `entries` words, drawn with repetition. One
 * in five is of `relevant` words that each belong to a class, and then four in five times one of the row's own class;
 * the others come from all columns, the first ones often, the last ones hardly ever. A word that is there has the value
 * 1 / sqrt(number of words that are there): rows have norm 1. */
typedef struct dcpn_text {
    int64_t features;
    int64_t relevant;
    int64_t rows;
    int64_t test_rows; /* 0: no test part */
    int64_t entries;   /* of a row, words that repeat counted again */
    dcpn_value_type value_type;
    uint64_t seed;
} dcpn_text;

/* truth (may be NULL) receives one byte per feature, 1 where the word is relevant. test may be NULL if test_rows is
 * 0. */
DCPN_API dcpn_status dcpn_generate_text(dcpn_context *context, const dcpn_text *text, dcpn_dataset **train,
                                        dcpn_dataset **test, unsigned char *truth);

/* A regression on groups of `size` neighbours, the last of which may be smaller: features of a group have correlation
 * 1/2, `relevant` groups have normal coefficients, and the ratio of signal to noise is 3. */
typedef struct dcpn_grouped {
    int64_t features;
    int64_t size;
    int64_t relevant; /* groups */
    int64_t rows;
    int64_t test_rows; /* 0: no test part */
    uint64_t seed;
} dcpn_grouped;

/* truth (may be NULL) receives one byte per feature, 1 in a relevant group. test may be NULL if test_rows is 0. */
DCPN_API dcpn_status dcpn_generate_groups(dcpn_context *context, const dcpn_grouped *groups, dcpn_dataset **train,
                                          dcpn_dataset **test, unsigned char *truth);

/* Groups of features, as dcpn_problem_set_groups takes them, with their names. */
typedef struct dcpn_groups {
    int64_t count;
    int64_t *start, *member; /* group g has the features member[start[g]] .. member[start[g + 1] - 1], from 0 */
    double *weights;         /* NaN: the standard one */
    char **names;            /* one block of memory, texts included */
    dcpn_context *context;
} dcpn_groups;

/* Reads groups from a file with a line "feature,group" or "feature,group,weight" for each member. A feature is given
 * by its name, or by its number as in the data; a column of categories stands for the features of all its levels. A
 * header and lines that begin with # are skipped. */
DCPN_API dcpn_status dcpn_groups_read(dcpn_context *context, const char *path, const dcpn_dataset *data,
                                      dcpn_groups **groups);
/* Makes groups of the features whose names have the same text before the first separator. */
DCPN_API dcpn_status dcpn_groups_of_names(dcpn_context *context, const dcpn_dataset *data, const char *separator,
                                          dcpn_groups **groups);
/* Makes a group of the features of each column of categories. */
DCPN_API dcpn_status dcpn_groups_of_categories(dcpn_context *context, const dcpn_dataset *data, dcpn_groups **groups);
DCPN_API void dcpn_groups_free(dcpn_groups *groups);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/data.h"
#endif
#endif
