/* SPDX-License-Identifier: BSD-3-Clause */
/* One reader of data (FUZZ_FORMAT), given any bytes: it refuses them with a sentence, or makes a data set that can be
 * worked with. FUZZ_SEAL: the checksums of a binary file are made right first, since no mutation would hit them. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binary_seal.h"
#include "data/format.h"
#include "matrix/matrix.h"

enum { LARGEST_PRODUCT = 1 << 12 };

static void use_matrix(const dcpn_matrix *A)
{
    double *x = calloc((size_t)A->columns, sizeof *x), *u = calloc((size_t)A->rows, sizeof *u);
    int64_t *columns = calloc((size_t)A->columns, sizeof *columns);
    DCPN_FUZZ_CHECK(x && u && columns);
    for (int64_t j = 0; j < A->columns; j++) x[j] = 1.0;
    dcpn_matrix_apply(A, x, u);
    dcpn_matrix_adjoint(A, u, x);
    for (int64_t i = 0; i < A->rows; i++) {
        int64_t count = dcpn_matrix_row(A, i, columns, x);
        DCPN_FUZZ_CHECK(count >= 0 && count <= A->columns);
        for (int64_t k = 0; k < count; k++)
            DCPN_FUZZ_CHECK(isfinite(x[k]) && columns[k] >= 0 && columns[k] < A->columns);
    }
    free(x);
    free(u);
    free(columns);
}

static void use_names(char **names, int64_t count)
{
    size_t length = 0;
    for (int64_t k = 0; names && k < count; k++) length += strlen(names[k]);
    DCPN_FUZZ_CHECK(length < SIZE_MAX);
}

static void use(const dcpn_dataset *data, int unlabelled)
{
    DCPN_FUZZ_CHECK(data->rows >= 1 && data->features >= 1 && data->labels);
    DCPN_FUZZ_CHECK(data->rows == dcpn_matrix_rows(data->matrix) &&
                    data->features == dcpn_matrix_columns(data->matrix));
    DCPN_FUZZ_CHECK(data->index_base == 0 || data->index_base == 1);
    for (int64_t i = 0; i < data->rows; i++)
        DCPN_FUZZ_CHECK(isfinite(data->labels[i]) || (unlabelled && isnan(data->labels[i])));
    use_names(data->feature_names, data->features);
    use_names(data->label_names, data->label_count);
    if (data->features < LARGEST_PRODUCT && data->rows < LARGEST_PRODUCT) use_matrix(data->matrix);
}

static void read_with(const uint8_t *bytes, size_t size, const dcpn_read_options *options, int threads)
{
    dcpn_context *context = dcpn_fuzz_context();
    struct content content = {.context = context, .name = "input", .bytes = (const char *)bytes, .size = size};
    dcpn_dataset *data = NULL;
    dcpn_context_set_threads(context, threads);
    dcpn_status status = FUZZ_FORMAT.read(&content, options, &data);
    DCPN_FUZZ_CHECK((status == DCPN_OK) == (data != NULL));
    DCPN_FUZZ_CHECK(status == DCPN_OK || dcpn_last_error(context)[0]);
    if (data) use(data, options->unlabelled);
    dcpn_dataset_free(data);
    dcpn_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const dcpn_read_options usual = {0};
    static const dcpn_read_options other = {.indexing = DCPN_INDEX_FROM_1,
                                            .features = 9,
                                            .value_type = DCPN_FLOAT32,
                                            .unlabelled = 1,
                                            .table.missing = "mean"};
    int rating = FUZZ_FORMAT.sniff((const char *)bytes, size);
    DCPN_FUZZ_CHECK(rating >= 0 && rating <= 100);
#ifdef FUZZ_SEAL
    char *copy = malloc(size + 1);
    DCPN_FUZZ_CHECK(copy);
    memcpy(copy, bytes, size);
    seal_binary(copy, size);
    bytes = (const uint8_t *)copy;
#endif
    read_with(bytes, size, &usual, 1);
    read_with(bytes, size, &other, 2);
#ifdef FUZZ_SEAL
    free(copy);
#endif
    return 0;
}
