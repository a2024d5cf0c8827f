/* SPDX-License-Identifier: BSD-3-Clause */
/* With q = v + G d, in turn:  x_j + d_j <- soft(x_j + d_j - q_j / G_jj, c_j / G_jj), and G d follows. */
#include "subproblem/matrix_sweep.h"

#include <math.h>

#include "base/level.h"

#define INLINE static inline __attribute__((always_inline))

/* How far 0 is from q + c d|y|. NaN stays: a model without a minimum has led there, and leads to y = 0 from there. */
INLINE double violation_at(double y, double q, double c)
{
    double over = y == 0.0 ? fabs(q) - c : fabs(q + copysign(c, y));
    return over < 0.0 ? 0.0 : over;
}

INLINE double sweep(const struct quadratic_model *model, const int64_t *list, int64_t count, double *d)
{
    const struct matrix_metric *H = (const struct matrix_metric *)model->H;
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = list[i];
        const double *row = H->G + j * model->size;
        double y = model->x[j] + d[j], c = model->h1->c[j], q = model->v[j] + H->Gd[j];
        double violation = violation_at(y, q, c);
        if (violation == 0.0) continue;
        if (violation > largest) largest = violation;
        double moved = dcpn_soft_threshold(y - q / row[j], c / row[j]) - model->x[j], delta = moved - d[j];
        d[j] = moved;
        for (int64_t k = 0; k < model->size; k++) H->Gd[k] += delta * row[k];
    }
    return largest;
}

typedef double sweep_function(const struct quadratic_model *model, const int64_t *list, int64_t count, double *d);
#define MAKE_SWEEP(NAME, AT)                                                                                           \
    AT static double NAME(const struct quadratic_model *model, const int64_t *list, int64_t count, double *d)          \
    {                                                                                                                  \
        return sweep(model, list, count, d);                                                                           \
    }
MAKE_SWEEP(sweep_baseline, AT_BASELINE)
MAKE_SWEEP(sweep_avx2, AT_AVX2)
MAKE_SWEEP(sweep_avx512, AT_AVX512)

double dcpn_matrix_sweep(const struct quadratic_model *model, const int64_t *list, int64_t count, double *d)
{
    static sweep_function *const at[LEVEL_COUNT] = {sweep_baseline, sweep_avx2, sweep_avx512};
    return at[dcpn_level()](model, list, count, d);
}
