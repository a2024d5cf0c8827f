/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse data that are in memory already: CSR arrays, lent to the library and not copied, in single precision, and
 * products on several threads.
 *
 * The arrays are what SciPy and R use: 32-bit indices, values as float. (The library builds the other orientation, CSC,
 * for itself.) However many threads there are, the result is the same to the last bit. */
#include <dcpn/dcpn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENTS = 4000, WORDS = 2000, WORDS_PER_DOCUMENT = 40, TELLING = 20 };

static int64_t pointers[DOCUMENTS + 1];
static int32_t indices[DOCUMENTS * WORDS_PER_DOCUMENT];
static float values[DOCUMENTS * WORDS_PER_DOCUMENT];
static double labels[DOCUMENTS];

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % limit;
}

/* Each document has 40 different words, one of every 50. The first 20 words speak for the class or against it. */
static void write_documents(void)
{
    uint64_t state = 1;
    for (int i = 0; i < DOCUMENTS; i++) {
        int score = (int)random_below(&state, 7) - 3;
        for (int k = 0; k < WORDS_PER_DOCUMENT; k++) {
            int64_t entry = (int64_t)i * WORDS_PER_DOCUMENT + k;
            uint32_t step = WORDS / WORDS_PER_DOCUMENT, word = (uint32_t)k * step + random_below(&state, step);
            indices[entry] = (int32_t)word;
            values[entry] = (float)(1 + random_below(&state, 3));
            if (word < TELLING) score += word % 2 ? 8 : -8;
        }
        pointers[i + 1] = (int64_t)(i + 1) * WORDS_PER_DOCUMENT;
        labels[i] = score > 0 ? 1.0 : -1.0;
    }
}

static void fit(int threads, double x[WORDS])
{
    const dcpn_compressed arrays = {.rows = DOCUMENTS,
                                    .columns = WORDS,
                                    .pointers = pointers,
                                    .indices = indices,
                                    .index_type = DCPN_INT32,
                                    .values = values,
                                    .value_type = DCPN_FLOAT32};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    if (!context) exit(1);

    dcpn_context_set_threads(context, threads);
    must(context, dcpn_matrix_csr(context, &arrays, DCPN_BORROW, &A)); /* the arrays must outlive A */
    must(context, dcpn_problem_new(context, A, labels, &problem));
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "penalty=log lambda=40"));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));

    memcpy(x, dcpn_solver_coefficients(solver), WORDS * sizeof *x);
    const dcpn_result *result = dcpn_solver_result(solver);
    printf("%d threads: %s, F = %.4f, %.0f of %d words kept\n", threads,
           dcpn_outcome_name(dcpn_result_outcome(result)), dcpn_result_number(result, "objective"),
           dcpn_result_number(result, "nonzeros"), WORDS);
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

int main(void)
{
    static double x[2][WORDS];
    int telling = 0;

    write_documents();
    fit(1, x[0]);
    for (int j = 0; j < TELLING; j++) telling += x[0][j] != 0.0;
    printf("among them %d of the %d that tell the class\n", telling, TELLING);
    fit(2, x[1]);
    int same = memcmp(x[0], x[1], sizeof x[0]) == 0;
    printf("%s\n", same ? "the same coefficients, bit by bit" : "other coefficients");
    return same ? 0 : 1;
}
