/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix with its labels. */
#include "data/dataset.h"

#include <sys/mman.h>

#include "base/number.h"
#include "matrix/matrix.h"

enum { BELIEVED = 1 << 24, BELIEVED_PER_BYTE = 64 };

void dcpn_dataset_free(dcpn_dataset *dataset)
{
    if (!dataset) return;
    dcpn_matrix_free(dataset->matrix);
    dcpn_free(dataset->context, dataset->labels);
    dcpn_free(dataset->context, dataset->feature_names);
    dcpn_free(dataset->context, dataset->label_names);
    dcpn_free(dataset->context, dataset->label_name);
    dcpn_free(dataset->context, dataset->fill);
    dcpn_free(dataset->context, dataset->row_names);
    dcpn_free(dataset->context, dataset->id_name);
    dcpn_free(dataset->context, dataset->gaps);
    dcpn_free(dataset->context, dataset->categories);
    if (dataset->borrowed.mapped)
        munmap(dataset->borrowed.memory, dataset->borrowed.mapped);
    else
        dcpn_free(dataset->context, dataset->borrowed.memory);
    dcpn_free(dataset->context, dataset);
}

dcpn_status dcpn_dataset_new(dcpn_context *context, int64_t rows, int64_t found, int64_t features,
                             const dcpn_read_options *options, dcpn_dataset **dataset)
{
    *dataset = dcpn_allocate(context, 1, sizeof **dataset);
    if (!*dataset) return DCPN_MEMORY;
    **dataset = (dcpn_dataset){.rows = rows,
                               .features = features,
                               .features_found = found,
                               .index_base = options->indexing == DCPN_INDEX_FROM_0 ? 0 : 1,
                               .context = context};
    return DCPN_OK;
}

dcpn_status dcpn_dataset_finish(dcpn_status status, dcpn_dataset **dataset)
{
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_dataset_free(*dataset);
    *dataset = NULL;
    return status;
}

dcpn_status dcpn_settle_features(const struct content *content, const dcpn_read_options *options, int64_t found,
                                 int is_dense, int64_t *features)
{
    int64_t expected = options->features > 0 ? options->features : options->at_least;
    *features = found;
    if (found > INT32_MAX)
        return dcpn_fail(content->context, DCPN_DATA, "%s: found %lld columns, expected at most %d, the limit for now",
                         content->name, (long long)found, INT32_MAX);
    if ((options->features > 0 && found > expected) || (is_dense && found < expected))
        return dcpn_fail(content->context, DCPN_DATA, "%s: found %lld features, expected %lld; %s", content->name,
                         (long long)found, (long long)expected,
                         found > expected ? "leave the others out" : "add the columns that are missing");
    if (found < expected) *features = expected;
    return DCPN_OK;
}

int64_t dcpn_believed_size(const struct content *content)
{
    int64_t by_bytes;
    if (__builtin_mul_overflow((int64_t)content->size, (int64_t)BELIEVED_PER_BYTE, &by_bytes)) return INT64_MAX;
    return by_bytes > BELIEVED ? by_bytes : BELIEVED;
}

dcpn_status dcpn_believe_size(const struct content *content, int64_t size, const char *what, const char *advice)
{
    if (size <= dcpn_believed_size(content)) return DCPN_OK;
    return dcpn_fail(content->context, DCPN_DATA,
                     "%s: found a header that announces %lld %s in a file of %zu bytes, which is not believed; %s",
                     content->name, (long long)size, what, content->size, advice);
}

dcpn_status dcpn_check_generated(dcpn_context *context, const struct generated_sizes *sizes)
{
    int64_t rows = sizes->rows > sizes->test_rows ? sizes->rows : sizes->test_rows, entries, bytes;
    if (sizes->rows < 2 || sizes->test_rows < 0)
        return dcpn_fail(context, DCPN_USAGE,
                         "%s: found %lld rows and %lld test rows, expected at least 2 and at least 0", sizes->what,
                         (long long)sizes->rows, (long long)sizes->test_rows);
    if (sizes->test_rows > 0 && !sizes->has_test)
        return dcpn_fail(context, DCPN_USAGE, "%s: found %lld test rows and no place for them, expected 0", sizes->what,
                         (long long)sizes->test_rows);
    if (__builtin_mul_overflow(rows, sizes->features, &entries) ||
        __builtin_mul_overflow(entries, (int64_t)sizeof(double), &bytes))
        return dcpn_fail(context, DCPN_MEMORY, "out of memory: %lld x %lld numbers cannot be addressed",
                         (long long)rows, (long long)sizes->features);
    return DCPN_OK;
}

dcpn_status dcpn_check_value_type(dcpn_context *context, dcpn_value_type type)
{
    if ((unsigned)type <= DCPN_FLOAT32) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE, "value_type: found %d, expected DCPN_FLOAT64 or DCPN_FLOAT32", (int)type);
}

dcpn_status dcpn_refuse_value(const struct content *content, int64_t row, int64_t column, double value)
{
    char number[DCPN_NUMBER_LENGTH];
    dcpn_format_double(number, value);
    if (isfinite(value))
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: row %lld, column %lld: found %s, expected a value of at most 3.4e38, the largest "
                         "float32; store the values as float64",
                         content->name, (long long)row + 1, (long long)column + 1, number);
    return dcpn_fail(content->context, DCPN_DATA,
                     "%s: row %lld, column %lld: found %s, expected a finite number; remove or impute missing values",
                     content->name, (long long)row + 1, (long long)column + 1, number);
}

static dcpn_status check_sizes(const dcpn_dataset *dataset)
{
    const dcpn_matrix *A = dataset->matrix;
    if (A->rows == dataset->rows && A->columns == dataset->features) return DCPN_OK;
    return dcpn_fail(dataset->context, DCPN_USAGE,
                     "data set: found %lld rows and %lld features with a matrix of %lld x %lld, expected the same",
                     (long long)dataset->rows, (long long)dataset->features, (long long)A->rows, (long long)A->columns);
}

/* Labels are numbers of names where there are names. */
static dcpn_status check_label_names(const dcpn_dataset *dataset)
{
    if (!dataset->label_names) return DCPN_OK;
    DCPN_TRY(dcpn_need_texts(dataset->context, "names of the classes", (const char *const *)dataset->label_names,
                             dataset->label_count));
    for (int64_t i = 0; i < dataset->rows; i++) {
        double label = dataset->labels[i];
        if (isnan(label) || (label >= 0.0 && label < (double)dataset->label_count)) continue;
        return dcpn_fail(dataset->context, DCPN_USAGE,
                         "data set: found the label %g for row %lld, expected the number of a class, from 0 to %lld",
                         label, (long long)i + 1, (long long)dataset->label_count - 1);
    }
    return DCPN_OK;
}

dcpn_status dcpn_dataset_check(const dcpn_dataset *dataset)
{
    dcpn_context *context = dataset->context;
    DCPN_NEED(context, context, dataset->matrix, dataset->labels);
    DCPN_TRY(check_sizes(dataset));
    if (dataset->feature_names)
        DCPN_TRY(dcpn_need_texts(context, "names of the features", (const char *const *)dataset->feature_names,
                                 dataset->features));
    return check_label_names(dataset);
}
