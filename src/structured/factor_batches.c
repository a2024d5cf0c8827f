/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of more rows than memory has room for: codes of one batch of rows at a time. Between two turns of a batch its
 * codes are kept as the few numbers that are not 0; what atoms need of all rows is C'C and C'X, which add up.
 *
 *     first, batches in drawn order:  its codes, the sums so far, the atoms
 *     then, until nothing moves:      the codes of all batches, the sums of all, the atoms
 *
 * The first part promises nothing of F. A whole pass does the same moves as without batches, and F falls with each of
 * them; the certificate is that of all rows. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "base/rng.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "structured/factoring.h"

/* The codes of a batch that are not 0: those of row i are first[i] .. first[i + 1]. */
struct kept_codes {
    int64_t *first, *index;
    double *value;
};

struct batches {
    struct factoring *f;
    const dcpn_matrix *X; /* all rows */
    dcpn_matrix **parts;  /* those of each batch: views of dense data, copies of sparse ones */
    double *norms2;       /* of all rows */
    int64_t rows, size, count;
    int64_t *order;
    struct kept_codes *codes, *next; /* of each batch, before and after a pass */
    double *A, *B;                   /* sums over batches */
    double loss, penalty, violation; /* of a pass, before its moves */
    uint64_t seed;
};

static int64_t first_row(const struct batches *b, int64_t k)
{
    return k * b->size;
}

static int64_t rows_of(const struct batches *b, int64_t k)
{
    int64_t left = b->rows - first_row(b, k);
    return left < b->size ? left : b->size;
}

/* ---- kept codes ---- */

static void forget(dcpn_context *context, struct kept_codes *codes)
{
    dcpn_free(context, codes->first);
    dcpn_free(context, codes->index);
    dcpn_free(context, codes->value);
    *codes = (struct kept_codes){0};
}

static dcpn_status keep(const struct factoring *f, struct kept_codes *codes)
{
    int64_t total = dcpn_count_nonzeros(f->count * f->atoms, f->C), used = 0;
    forget(f->context, codes);
    codes->first = dcpn_allocate(f->context, (size_t)f->count + 1, sizeof *codes->first);
    codes->index = dcpn_allocate(f->context, (size_t)total, sizeof *codes->index);
    codes->value = dcpn_allocate(f->context, (size_t)total, sizeof *codes->value);
    if (!codes->first || !codes->index || !codes->value) return DCPN_MEMORY;
    for (int64_t i = 0; i < f->count; i++) {
        codes->first[i] = used;
        for (int64_t k = 0; k < f->atoms; k++) {
            if (f->C[i * f->atoms + k] == 0.0) continue;
            codes->index[used] = k;
            codes->value[used++] = f->C[i * f->atoms + k];
        }
    }
    codes->first[f->count] = used;
    return DCPN_OK;
}

static void spread(const struct kept_codes *codes, struct factoring *f)
{
    dcpn_fill(f->count * f->atoms, 0.0, f->C);
    for (int64_t i = 0; codes->first && i < f->count; i++)
        for (int64_t e = codes->first[i]; e < codes->first[i + 1]; e++)
            f->C[i * f->atoms + codes->index[e]] = codes->value[e];
}

/* ---- one batch ---- */

/* Takes the rows of batch k, with their codes, and finds their slopes. */
static void take(struct batches *b, int64_t k)
{
    struct factoring *f = b->f;
    f->X = b->parts[k];
    f->count = rows_of(b, k);
    f->norms2 = b->norms2 + first_row(b, k);
    spread(&b->codes[k], f);
    dcpn_codes_look(f);
}

/* Improves the codes of the batch that is taken, keeps them, and adds what atoms need of them to the sums. */
static dcpn_status improve(struct batches *b, double goal, struct kept_codes *to)
{
    struct factoring *f = b->f;
    double enough = fmax(goal, FACTOR_CODES_SHARE * dcpn_codes_violation(f));
    dcpn_codes_minimize(f, enough, FACTOR_CODES_SWEEPS);
    DCPN_TRY(keep(f, to));
    dcpn_atoms_look(f);
    dcpn_axpy(f->atoms * f->atoms, 1.0, f->A, b->A);
    dcpn_axpy(f->atoms * f->length, 1.0, f->B, b->B);
    return DCPN_OK;
}

static void clear_sums(struct batches *b)
{
    dcpn_fill(b->f->atoms * b->f->atoms, 0.0, b->A);
    dcpn_fill(b->f->atoms * b->f->length, 0.0, b->B);
}

static void take_sums(struct batches *b)
{
    dcpn_copy(b->f->atoms * b->f->atoms, b->A, b->f->A);
    dcpn_copy(b->f->atoms * b->f->length, b->B, b->f->B);
}

static void move_atoms(struct batches *b)
{
    take_sums(b);
    dcpn_atoms_renew(b->f);
    dcpn_atoms_improve(b->f);
}

/* ---- the passes ---- */

static void shuffle(struct batches *b)
{
    struct rng rng;
    dcpn_rng_seed(&rng, b->seed);
    for (int64_t k = 0; k < b->count; k++) b->order[k] = k;
    for (int64_t k = b->count - 1; k > 0; k--) {
        int64_t other = (int64_t)dcpn_rng_below(&rng, (uint64_t)k + 1), held = b->order[k];
        b->order[k] = b->order[other];
        b->order[other] = held;
    }
}

static dcpn_status first_passes(struct batches *b, double goal)
{
    shuffle(b);
    for (int pass = 0; pass < FACTOR_FIRST_PASSES; pass++) {
        clear_sums(b);
        for (int64_t k = 0; k < b->count && !dcpn_is_interrupted(b->f->context); k++) {
            take(b, b->order[k]);
            DCPN_TRY(improve(b, goal, &b->codes[b->order[k]]));
            move_atoms(b);
        }
    }
    return DCPN_OK;
}

/* Codes of all batches. What F and the violation are before them is found on the way; once the end is asked for,
 * nothing else is done. */
static dcpn_status pass(struct batches *b, double goal)
{
    b->loss = b->penalty = b->violation = 0.0;
    clear_sums(b);
    for (int64_t k = 0; k < b->count; k++) {
        take(b, k);
        b->loss += dcpn_factoring_loss(b->f);
        b->penalty += dcpn_factoring_penalty(b->f);
        b->violation = fmax(b->violation, dcpn_codes_violation(b->f));
        DCPN_TRY(improve(b, goal, &b->next[k]));
    }
    return DCPN_OK;
}

static void turn(struct batches *b)
{
    struct kept_codes *held = b->codes;
    b->codes = b->next;
    b->next = held;
}

/* The sums are those of the codes that are given. */
static void add_up(struct batches *b)
{
    clear_sums(b);
    for (int64_t k = 0; k < b->count; k++) {
        take(b, k);
        dcpn_atoms_look(b->f);
        dcpn_axpy(b->f->atoms * b->f->atoms, 1.0, b->f->A, b->A);
        dcpn_axpy(b->f->atoms * b->f->length, 1.0, b->f->B, b->B);
    }
    take_sums(b);
}

static void note(const struct batches *b, dcpn_factors *made)
{
    made->loss_value = b->loss;
    made->penalty_value = b->penalty;
    made->of_atoms.value = dcpn_factoring_atom_penalty(b->f);
    made->objective = made->loss_value + made->penalty_value + made->of_atoms.value;
    made->codes_end.violation = b->violation;
}

dcpn_status dcpn_batches_descend(struct batches *b, const dcpn_settings *s, const dcpn_factor_options *options,
                                 double started_at, dcpn_factors *made)
{
    struct factoring *f = b->f;
    f->norms2 = b->norms2;
    f->count = b->rows;
    const struct factor_goals goals = dcpn_factor_goals_of(f, s);
    double before = HUGE_VAL;
    made->codes_end.goal = goals.codes;
    made->atoms_end.goal = goals.atoms;
    if (!b->codes[0].first) DCPN_TRY(first_passes(b, goals.codes));
    add_up(b);
    for (made->iterations = 0;; made->iterations++) {
        made->atoms_end.violation = dcpn_atoms_violation(f);
        DCPN_TRY(pass(b, goals.codes));
        note(b, made);
        if (!isfinite(made->objective))
            return dcpn_fail(f->context, DCPN_DATA, "the objective is not finite; are the data scaled sensibly?");
        if (dcpn_factor_should_end(f->context, s, options, &goals, before, started_at, made)) return DCPN_OK;
        before = made->objective;
        turn(b);
        move_atoms(b);
    }
}

/* ---- memory ---- */

dcpn_status dcpn_batches_new(struct factoring *f, const dcpn_factor_options *options, struct batches **batches)
{
    dcpn_context *context = f->context;
    struct batches *b = *batches = dcpn_allocate(context, 1, sizeof *b);
    if (!b) return DCPN_MEMORY;
    *b = (struct batches){
        .f = f, .X = f->X, .norms2 = f->norms2, .rows = f->count, .size = f->space.rows, .seed = options->seed};
    b->count = (b->rows + b->size - 1) / b->size;
    b->parts = dcpn_allocate(context, (size_t)b->count, sizeof(dcpn_matrix *));
    b->order = dcpn_allocate(context, (size_t)b->count, sizeof *b->order);
    b->codes = dcpn_allocate(context, (size_t)b->count, sizeof *b->codes);
    b->next = dcpn_allocate(context, (size_t)b->count, sizeof *b->next);
    b->A = dcpn_allocate(context, (size_t)(f->atoms * f->atoms), sizeof *b->A);
    b->B = dcpn_allocate(context, (size_t)(f->atoms * f->length), sizeof *b->B);
    if (b->parts) memset((void *)b->parts, 0, (size_t)b->count * sizeof(dcpn_matrix *));
    if (b->codes) memset(b->codes, 0, (size_t)b->count * sizeof *b->codes);
    if (b->next) memset(b->next, 0, (size_t)b->count * sizeof *b->next);
    dcpn_status status = b->parts && b->order && b->codes && b->next && b->A && b->B ? DCPN_OK : DCPN_MEMORY;
    for (int64_t k = 0; status == DCPN_OK && k < b->count; k++)
        status = dcpn_matrix_some_rows(b->X, first_row(b, k), rows_of(b, k), &b->parts[k]);
    if (status != DCPN_OK) dcpn_batches_free(b);
    return status;
}

void dcpn_batches_free(struct batches *b)
{
    dcpn_context *context = b->f->context;
    for (int64_t k = 0; k < b->count; k++) {
        if (b->codes) forget(context, &b->codes[k]);
        if (b->next) forget(context, &b->next[k]);
        if (b->parts) dcpn_matrix_free(b->parts[k]);
    }
    dcpn_free(context, (void *)b->parts);
    dcpn_free(context, b->order);
    dcpn_free(context, b->codes);
    dcpn_free(context, b->next);
    dcpn_free(context, b->A);
    dcpn_free(context, b->B);
    dcpn_free(context, b);
}

/* ---- what is handed out ---- */

static dcpn_status give_codes(const struct batches *b, dcpn_factors *made)
{
    int64_t total = 0, used = 0;
    for (int64_t k = 0; k < b->count; k++) total += b->codes[k].first ? b->codes[k].first[rows_of(b, k)] : 0;
    made->codes.first = dcpn_allocate(made->context, (size_t)b->rows + 1, sizeof *made->codes.first);
    made->codes.index = dcpn_allocate(made->context, (size_t)total, sizeof *made->codes.index);
    made->codes.value = dcpn_allocate(made->context, (size_t)total, sizeof *made->codes.value);
    if (!made->codes.first || !made->codes.index || !made->codes.value) return DCPN_MEMORY;
    for (int64_t k = 0; k < b->count; k++) {
        const struct kept_codes *codes = &b->codes[k];
        int64_t entries = codes->first ? codes->first[rows_of(b, k)] : 0;
        for (int64_t i = 0; i < rows_of(b, k); i++)
            made->codes.first[first_row(b, k) + i] = used + (codes->first ? codes->first[i] : 0);
        if (entries > 0) {
            memcpy(made->codes.index + used, codes->index, (size_t)entries * sizeof *codes->index);
            memcpy(made->codes.value + used, codes->value, (size_t)entries * sizeof *codes->value);
        }
        used += entries;
    }
    made->codes.first[b->rows] = used;
    return DCPN_OK;
}

dcpn_status dcpn_batches_give(struct batches *b, dcpn_factors *made)
{
    struct factoring *f = b->f;
    add_up(b); /* a pass that was not taken has left its own sums */
    f->norms2 = b->norms2;
    f->count = b->rows;
    f->X = b->X;
    DCPN_TRY(dcpn_factor_give_atoms(f, made));
    return give_codes(b, made);
}
