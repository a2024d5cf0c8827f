/* SPDX-License-Identifier: BSD-3-Clause */
/* B_0 of L-BFGS. Pairs learn one direction each, so that twenty of them do not know fifty columns that go together.
 * Those are in K, and B_0 knows all of their products; how the rest goes with K is left to the pairs. */
#include "metric/seed.h"

#include <float.h>
#include <math.h>

#include "base/select.h"
#include "base/tuning.h"
#include "base/vector.h"

void dcpn_seed_layout(struct seed *seed, const struct objective *objective, int64_t size, struct arena *arena)
{
    int64_t most = seed->most = size < SEED_MOST ? size : SEED_MOST;
    seed->K = dcpn_arena_integers(arena, most);
    seed->place = dcpn_arena_integers(arena, size);
    seed->diagonal = dcpn_arena_doubles(arena, size);
    seed->scratch = dcpn_arena_doubles(arena, size);
    seed->G = dcpn_arena_doubles(arena, most * most);
    seed->Gd = dcpn_arena_doubles(arena, most);
    seed->w = dcpn_arena_doubles(arena, most > 0 ? objective->rows : 0);
    seed->scratch_rows = dcpn_arena_doubles(arena, most > 0 ? objective->rows : 0);
    if (most > 0) dcpn_gram_layout(objective->design.A, most, &seed->space, arena);
}

static int is_sound(const struct seed *seed, int64_t size)
{
    int sound = seed->count >= 0 && seed->count <= seed->most;
    for (int64_t k = 0; sound && k < seed->count; k++) sound = seed->K[k] >= 0 && seed->K[k] < size;
    for (int64_t j = 0; sound && seed->count > 0 && j < size; j++) sound = seed->place[j] < seed->count;
    return sound;
}

void dcpn_seed_state(struct seed *seed, int64_t size, struct state *state)
{
    DCPN_STATE(state, seed->sigma);
    DCPN_STATE(state, seed->curvature);
    DCPN_STATE(state, seed->count);
    DCPN_STATE(state, seed->forms);
    DCPN_STATE(state, seed->updates);
    DCPN_STATE_ARRAY(state, seed->K, seed->most);
    DCPN_STATE_ARRAY(state, seed->place, seed->most > 0 ? size : 0);
    DCPN_STATE_ARRAY(state, seed->diagonal, seed->most > 0 ? size : 0);
    DCPN_STATE_ARRAY(state, seed->G, seed->most * seed->most);
    if (!is_sound(seed, size)) dcpn_seed_forget(seed); /* as a forged file may say */
}

void dcpn_seed_forget(struct seed *seed)
{
    seed->count = seed->forms = seed->updates = 0;
}

/* Products of k columns over SEED_ROWS_A_COLUMN k rows take the time of about k^3 entries of A. What was spent on steps
 * since the last time may be spent on better ones: where few are enough, little is lost, and where many are needed K
 * grows. */
static int64_t affordable(const struct seed *seed, const struct objective *F)
{
    double entries = SEED_PASSES * (double)seed->updates * (double)F->rows * (double)F->size;
    int64_t k = 1;
    while (k < seed->most && (double)(k + 1) * (double)(k + 1) * (double)(k + 1) <= entries) k++;
    return k;
}

/* How much each row is of H_KK: w_i (a_i'z)^2, z signs without order at the scale of the columns, is a_i's share of the
 * trace on average. Returns the sum. */
static double measure_rows(struct seed *seed, struct objective *F, double *shares)
{
    double *z = seed->scratch, sum = 0.0;
    dcpn_fill(F->size, 0.0, z);
    for (int64_t k = 0; k < seed->count; k++) {
        int64_t j = seed->K[k];
        double sign = (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15) >> 63 ? -1.0 : 1.0;
        z[j] = seed->diagonal[j] > 0.0 ? sign / sqrt(seed->diagonal[j]) : 0.0;
    }
    dcpn_design_apply(&F->design, z, shares);
    for (int64_t i = 0; i < F->rows; i++) sum += shares[i] *= seed->w[i] * shares[i];
    return sum;
}

/* Sets the weights of the other rows to 0, which products of columns do not read then. Rows that are much of H_KK by
 * themselves are always in: few of them may make up all of it, and a sample would hardly see them. */
static void sample_rows(struct seed *seed, struct objective *F)
{
    int64_t for_K = seed->count * SEED_ROWS_A_COLUMN, wanted = for_K > SEED_LEAST_ROWS ? for_K : SEED_LEAST_ROWS;
    int64_t height = (wanted + SEED_RUNS - 1) / SEED_RUNS, step = F->rows / SEED_RUNS;
    if (step < 2 * height) return;
    double *shares = seed->scratch_rows, share = (double)height / (double)step;
    double much = SEED_HEAVY * measure_rows(seed, F, shares) / (double)wanted;
    for (int64_t i = 0; i < F->rows; i++)
        if (!(shares[i] > much)) seed->w[i] = i % step < height ? seed->w[i] / share : 0.0;
}

/* What coordinate j matters, whatever the unit of its column. */
static double weight_of(const struct seed *seed, const double *x, int64_t j)
{
    return fabs(x[j]) * sqrt(seed->diagonal[j]);
}

/* The weight from which on a coordinate is among the `most` in K. */
static double least_weight(struct seed *seed, int64_t size, const double *x, int64_t most)
{
    double *weight = seed->scratch;
    for (int64_t j = 0; j < size; j++) weight[j] = weight_of(seed, x, j);
    double matters = seed->forms == 0 ? SEED_MATTERS * dcpn_norm_max(size, weight) : 0.0;
    return fmax(fmax(matters, DBL_MIN), size > most ? dcpn_kth_largest(weight, size, most) : 0.0);
}

static void choose_coordinates(struct seed *seed, int64_t size, const double *x, int64_t most)
{
    double least = least_weight(seed, size, x, most);
    seed->count = 0;
    for (int64_t j = 0; j < size; j++) {
        int matters = weight_of(seed, x, j) >= least && seed->count < most;
        seed->place[j] = matters ? seed->count : -1;
        if (matters) seed->K[seed->count++] = j;
    }
}

/* Would many coordinates be in K by now that are not? */
static int has_strayed(struct seed *seed, int64_t size, const double *x, int64_t most)
{
    double least = least_weight(seed, size, x, most);
    int64_t missing = 0;
    for (int64_t j = 0; j < size; j++) missing += seed->place[j] < 0 && weight_of(seed, x, j) >= least;
    return SEED_STRAYED * missing > seed->count;
}

/* G at the scale of the diagonal, which a sample does not know well where few rows make up a column. */
static void scale_to_diagonal(struct seed *seed)
{
    int64_t count = seed->count;
    double *factor = seed->Gd;
    for (int64_t k = 0; k < count; k++) {
        double sampled = seed->G[k * (count + 1)];
        factor[k] = sampled > 0.0 ? sqrt(seed->diagonal[seed->K[k]] / sampled) : 0.0;
    }
    for (int64_t k = 0; k < count; k++)
        for (int64_t l = 0; l < count; l++) seed->G[k * count + l] *= factor[k] * factor[l];
}

/* What makes B_0 > 0 where columns depend on one another, and the ridge; an empty column has no scale. */
static void raise_diagonal(struct seed *seed, const struct objective *F)
{
    for (int64_t j = 0; j < F->size; j++) {
        double *entry = &seed->diagonal[j], ridge = j < F->features ? F->ridge : 0.0;
        *entry = *entry > 0.0 ? *entry * (1.0 + SEED_SHIFT) + ridge : seed->sigma;
    }
    for (int64_t k = 0; k < seed->count; k++) seed->G[k * (seed->count + 1)] = seed->diagonal[seed->K[k]];
}

static void form(struct seed *seed, struct objective *F, const double *x, int64_t most)
{
    struct design *design = &F->design;
    dcpn_design_curvatures(design, seed->w, seed->diagonal);
    choose_coordinates(seed, F->size, x, most);
    if (seed->count > 0) {
        sample_rows(seed, F);
        design->touched += design->A->ops->gram(design->A, seed->w, seed->K, seed->count, &seed->space, seed->G);
    }
    scale_to_diagonal(seed);
    raise_diagonal(seed, F);
}

int dcpn_seed_refresh(struct seed *seed, struct objective *F, const struct point *point)
{
    int64_t most = affordable(seed, F);
    double sum = 0.0;
    if (seed->most == 0 || ++seed->updates < (seed->forms == 0 ? SEED_FIRST_AFTER : SEED_NEXT_AFTER)) return 0;
    dcpn_loss_curvature1(&F->loss, point->u, seed->w);
    for (int64_t i = 0; i < F->rows; i++) sum += seed->w[i];
    int is_same = seed->forms > 0 && sum < SEED_OTHER * seed->curvature && seed->curvature < SEED_OTHER * sum;
    if (is_same && !has_strayed(seed, F->size, point->x, most)) return 0;
    form(seed, F, point->x, most);
    seed->curvature = sum;
    seed->updates = 0;
    seed->forms++;
    return seed->count > 0;
}

void dcpn_seed_walk_start(struct seed *seed, const double *d)
{
    dcpn_fill(seed->count, 0.0, seed->Gd);
    for (int64_t k = 0; k < seed->count; k++)
        if (d[seed->K[k]] != 0.0) dcpn_axpy(seed->count, d[seed->K[k]], seed->G + k * seed->count, seed->Gd);
}

void dcpn_seed_walk_move(struct seed *seed, int64_t j, double delta)
{
    if (seed->count > 0 && seed->place[j] >= 0)
        dcpn_axpy(seed->count, delta, seed->G + seed->place[j] * seed->count, seed->Gd);
}

double dcpn_seed_walk_form(const struct seed *seed, int64_t size, const double *d)
{
    double sum = 0.0;
    if (seed->count == 0) return seed->sigma * dcpn_dot(size, d, d);
    for (int64_t j = 0; j < size; j++) sum += dcpn_seed_walk_product(seed, d, j) * d[j];
    return sum;
}

double dcpn_seed_bound(const struct seed *seed, int64_t size)
{
    double largest = 0.0, trace = 0.0;
    if (seed->count == 0) return seed->sigma;
    for (int64_t j = 0; j < size; j++) {
        largest = fmax(largest, seed->diagonal[j]);
        if (seed->place[j] >= 0) trace += seed->diagonal[j];
    }
    return fmax(largest, trace);
}
