/* SPDX-License-Identifier: BSD-3-Clause */
/* Random problems as plain arrays, and their way into the library. */
#include "support/problems_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "settings/registry.h"

void *problems_memory(int64_t count, size_t size)
{
    void *memory = calloc((size_t)(count > 0 ? count : 1), size);
    if (!memory) abort();
    return memory;
}

static void fill_matrix(struct problems_data *data, double density, struct rng *rng)
{
    for (int64_t k = 0; k < data->rows * data->columns; k++)
        data->A[k] = dcpn_rng_uniform(rng) < density ? dcpn_rng_normal(rng) : 0.0;
}

/* u = A x with every third coefficient in use, of size 1 to 2 and of both signs. */
static double linear_model(const struct problems_data *data, int64_t i)
{
    double u = 0.0;
    for (int64_t j = 0; j < data->columns; j += 3)
        u += data->A[i * data->columns + j] * (j % 2 ? -1.0 : 1.0) * (1.0 + (double)(j % 5) / 4.0);
    return u;
}

static void fill_rows(struct problems_data *data, struct rng *rng)
{
    for (int64_t i = 0; i < data->rows; i++) {
        double u = linear_model(data, i), noise = dcpn_rng_normal(rng);
        data->numbers[i] = u + 0.5 * noise;
        data->positives[i] = exp(fmax(-3.0, fmin(data->numbers[i], 3.0)));
        data->classes[i] = u + 2.0 * noise > 0.0 ? 3.0 : 1.0;
        data->weights[i] = 0.5 + 1.5 * dcpn_rng_uniform(rng);
        data->offset[i] = 0.3 * dcpn_rng_normal(rng);
    }
    data->classes[0] = 1.0; /* both classes, whatever the seed */
    if (data->rows > 1) data->classes[1] = 3.0;
}

static struct problems_data allocate_data(int64_t rows, int64_t columns)
{
    return (struct problems_data){
        .rows = rows,
        .columns = columns,
        .A = problems_memory(rows * columns, sizeof(double)),
        .classes = problems_memory(rows, sizeof(double)),
        .numbers = problems_memory(rows, sizeof(double)),
        .positives = problems_memory(rows, sizeof(double)),
        .weights = problems_memory(rows, sizeof(double)),
        .offset = problems_memory(rows, sizeof(double)),
        .factors = problems_memory(columns, sizeof(double)),
    };
}

struct problems_data problems_data_new(int64_t rows, int64_t columns, double density, uint64_t seed)
{
    static const double factors[] = {1.0, 0.5, 2.0, 0.0};
    struct problems_data data = allocate_data(rows, columns);
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    fill_matrix(&data, density, &rng);
    fill_rows(&data, &rng);
    for (int64_t j = 0; j < columns; j++) data.factors[j] = factors[j % 4];
    return data;
}

static double *copy_doubles(const double *from, int64_t count)
{
    if (!from) return NULL;
    return memcpy(problems_memory(count, sizeof(double)), from, (size_t)count * sizeof(double));
}

struct problems_data problems_data_copy(const struct problems_data *data)
{
    return (struct problems_data){
        .rows = data->rows,
        .columns = data->columns,
        .A = copy_doubles(data->A, data->rows * data->columns),
        .classes = copy_doubles(data->classes, data->rows),
        .numbers = copy_doubles(data->numbers, data->rows),
        .positives = copy_doubles(data->positives, data->rows),
        .weights = copy_doubles(data->weights, data->rows),
        .offset = copy_doubles(data->offset, data->rows),
        .factors = copy_doubles(data->factors, data->columns),
    };
}

void problems_data_plain(struct problems_data *data)
{
    free(data->weights);
    free(data->offset);
    free(data->factors);
    data->weights = data->offset = data->factors = NULL;
}

void problems_data_free(struct problems_data *data)
{
    problems_data_plain(data);
    free(data->A);
    free(data->classes);
    free(data->numbers);
    free(data->positives);
}

const double *problems_labels(const struct problems_data *data, const char *loss)
{
    const dcpn_loss_ops *ops = dcpn_find_loss(loss);
    return ops->response.takes ? data->positives : ops->targets == DCPN_NUMBERS ? data->numbers : data->classes;
}

/* ---- storage ---- */

static dcpn_matrix *dense(dcpn_context *context, const struct problems_data *data, dcpn_layout layout,
                          dcpn_value_type type)
{
    int64_t n = data->rows, d = data->columns;
    double *doubles = problems_memory(n * d, sizeof *doubles);
    float *floats = problems_memory(n * d, sizeof *floats);
    dcpn_matrix *matrix = NULL;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++) {
            int64_t k = layout == DCPN_ROW_MAJOR ? i * d + j : i + j * n;
            doubles[k] = data->A[i * d + j];
            floats[k] = (float)doubles[k];
        }
    }
    const void *values = type == DCPN_FLOAT64 ? (const void *)doubles : floats;
    if (dcpn_matrix_dense(context, n, d, values, type, layout, layout == DCPN_ROW_MAJOR ? d : n, DCPN_COPY, &matrix))
        abort();
    free(doubles);
    free(floats);
    return matrix;
}

struct entries {
    int64_t *pointers, *wide;
    int32_t *narrow;
    double *doubles;
    float *floats;
};

/* The entries that are not 0, vector by vector, in falling order of the index: any order must do. */
static void compress(const struct problems_data *data, int by_row, struct entries *entries)
{
    int64_t vectors = by_row ? data->rows : data->columns, length = by_row ? data->columns : data->rows, count = 0;
    for (int64_t k = 0; k < vectors; k++) {
        for (int64_t l = length - 1; l >= 0; l--) {
            double value = by_row ? data->A[k * data->columns + l] : data->A[l * data->columns + k];
            if (value == 0.0) continue;
            entries->wide[count] = l;
            entries->narrow[count] = (int32_t)l;
            entries->doubles[count] = value;
            entries->floats[count++] = (float)value;
        }
        entries->pointers[k + 1] = count;
    }
}

static dcpn_matrix *sparse(dcpn_context *context, const struct problems_data *data, int by_row,
                           dcpn_index_type index_type, dcpn_value_type value_type)
{
    int64_t most = data->rows * data->columns;
    struct entries entries = {
        .pointers = problems_memory((by_row ? data->rows : data->columns) + 1, sizeof(int64_t)),
        .wide = problems_memory(most, sizeof(int64_t)),
        .narrow = problems_memory(most, sizeof(int32_t)),
        .doubles = problems_memory(most, sizeof(double)),
        .floats = problems_memory(most, sizeof(float)),
    };
    dcpn_matrix *matrix = NULL;
    compress(data, by_row, &entries);
    dcpn_compressed arrays = {
        .rows = data->rows,
        .columns = data->columns,
        .pointers = entries.pointers,
        .indices = index_type == DCPN_INT32 ? (const void *)entries.narrow : entries.wide,
        .index_type = index_type,
        .values = value_type == DCPN_FLOAT64 ? (const void *)entries.doubles : entries.floats,
        .value_type = value_type,
    };
    if ((by_row ? dcpn_matrix_csr : dcpn_matrix_csc)(context, &arrays, DCPN_COPY, &matrix)) abort();
    free(entries.pointers);
    free(entries.wide);
    free(entries.narrow);
    free(entries.doubles);
    free(entries.floats);
    return matrix;
}

dcpn_matrix *problems_matrix(dcpn_context *context, const struct problems_data *data, enum problems_storage storage)
{
    switch (storage) {
    case PROBLEMS_COLUMN_MAJOR:
        return dense(context, data, DCPN_COLUMN_MAJOR, DCPN_FLOAT64);
    case PROBLEMS_ROW_MAJOR:
        return dense(context, data, DCPN_ROW_MAJOR, DCPN_FLOAT64);
    case PROBLEMS_ROW_MAJOR_FLOAT32:
        return dense(context, data, DCPN_ROW_MAJOR, DCPN_FLOAT32);
    case PROBLEMS_CSR:
        return sparse(context, data, 1, DCPN_INT32, DCPN_FLOAT64);
    case PROBLEMS_CSC:
        return sparse(context, data, 0, DCPN_INT32, DCPN_FLOAT64);
    case PROBLEMS_CSR_INT64:
        return sparse(context, data, 1, DCPN_INT64, DCPN_FLOAT64);
    case PROBLEMS_CSC_FLOAT32:
        return sparse(context, data, 0, DCPN_INT32, DCPN_FLOAT32);
    case PROBLEMS_STORAGE_COUNT:
        break;
    }
    abort();
}

/* ---- solution ---- */

static dcpn_status describe(dcpn_problem *problem, const struct problems_data *data)
{
    dcpn_status status = dcpn_problem_set_weights(problem, data->weights);
    if (status == DCPN_OK) status = dcpn_problem_set_offset(problem, data->offset);
    return status == DCPN_OK ? dcpn_problem_set_penalty_factors(problem, data->factors) : status;
}

static void keep(struct problems_fit *fit, const dcpn_solver *solver)
{
    fit->result = *dcpn_solver_result(solver);
    fit->x = copy_doubles(dcpn_solver_coefficients(solver), fit->columns);
    fit->intercept = dcpn_solver_intercept(solver);
}

struct problems_fit problems_solve(dcpn_context *context, const struct problems_data *data,
                                   enum problems_storage storage, const dcpn_settings *settings, const double *start)
{
    struct problems_fit fit = {.columns = data->columns};
    dcpn_matrix *A = problems_matrix(context, data, storage);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    fit.status = dcpn_problem_new(context, A, problems_labels(data, settings->loss), &problem);
    if (fit.status == DCPN_OK) fit.status = describe(problem, data);
    if (fit.status == DCPN_OK) fit.status = dcpn_solver_new(context, problem, settings, &solver);
    if (fit.status == DCPN_OK && start) fit.status = dcpn_solver_set_start(solver, start, 0.0);
    if (fit.status == DCPN_OK) fit.status = dcpn_solver_run(solver);
    if (fit.status == DCPN_OK) keep(&fit, solver);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return fit;
}

void problems_fit_free(struct problems_fit *fit)
{
    free(fit->x);
    fit->x = NULL;
}

dcpn_settings problems_settings(const char *loss, const char *penalty, const char *metric, const char *subsolver)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.shape_units = "raw";
    if (loss) settings.loss = loss;
    if (penalty) settings.penalty = penalty;
    if (metric) settings.metric = metric;
    if (subsolver) settings.subsolver = subsolver;
    return settings;
}
