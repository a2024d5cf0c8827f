/* SPDX-License-Identifier: BSD-3-Clause */
/* Annealing: where a problem with unlabelled rows starts from.
 *
 * The loss of such rows is not convex, and from x = 0 a fit falls into poor minima: one class for all rows, or the
 * first few features that the labels pick. So the start is that of a transductive machine with a ridge instead of the
 * penalty, as Joachims has it: first the labelled rows alone; then, round by round, the unlabelled rows are ranked by
 * their score, the first of them are taken for positive, as many as the labels suggest, the others for negative, and
 * all rows are fitted, the weight of the unlabelled ones growing from round to round. Each round is a convex problem,
 * taken one visit of every row on from the one before (ridge_machine.c). A ridge keeps all features in play, so that
 * rows without labels pass on what the labels say of one feature to those that occur beside it.
 *
 * The problem itself then starts where its own penalty, from x = 0, fits the labels that the rows were last taken to
 * have. (At the solution with the ridge, whose features are all in use, a penalty that is flat far out would keep too
 * many, even those that cost more than they bring.) Where the unlabelled rows weigh at most twice as much as the
 * labelled ones, another start is tried: the fit to the labelled rows alone. It is the better one where many features
 * are noise, among which the machine with the ridge loses its way. From both F is descended, loosely; the lower one
 * stays, the second only if the classes of the unlabelled rows are balanced as those of the labels.
 *
 * Where there are no more features than labelled rows, these say something of each one, and the other rows have nothing
 * to pass on: the machine with the ridge, which keeps the features that are noise, is the worse teacher. Then the fit
 * to the labelled rows alone is the start. */
#include "transduction/start.h"

#include <math.h>

#include "base/clock.h"
#include "base/select.h"
#include "base/vector.h"
#include "dcpn/path.h"
#include "transduction/ridge_svm_dual.h"

static const double RIDGE = 1e-3; /* of the weight of the labelled rows times the mean square of a row */
/* How far a fit on the way goes. */
struct effort {
    double tol;
    int64_t iterations;
};
static const struct effort ROUGH = {0.1, 6};    /* to fit a start */
static const struct effort LOOSE = {1e-2, 100}; /* to compare two of them */
/* Of the weight of all labelled rows, what all unlabelled ones together have in each round. */
static const double SHARES[] = {0.1, 0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 1.0};
enum { ROUNDS = sizeof SHARES / sizeof *SHARES };
/* Visits of a labelled row, at first and in a round: it weighs more than another, which makes it slower. */
enum { FIRST_VISITS = 30, LABELLED_VISITS = 5 };
static const double SMALL_STEP = 1e-3; /* of a margin: after these the labelled rows are left alone */

/* ---- making ---- */

static double own_weight(const dcpn_problem *problem, int64_t row)
{
    return problem->weights ? problem->weights[row] : 1.0;
}

/* Counts and weights of the rows. */
static struct annealing totals_of(const dcpn_solver *solver)
{
    const dcpn_problem *problem = solver->problem;
    struct annealing totals = {0};
    double positive = 0.0;
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++) {
        double weight = own_weight(problem, i);
        int labelled = dcpn_has_label(problem, i);
        totals.count += !labelled;
        *(labelled ? &totals.labelled : &totals.unlabelled) += weight;
        if (labelled && solver->y[i] > 0.0) positive += weight;
    }
    double share = totals.labelled > 0.0 ? positive / totals.labelled : 0.5;
    totals.positive = (int64_t)(share * (double)totals.count + 0.5);
    return totals;
}

dcpn_status dcpn_annealer_new(dcpn_solver *solver)
{
    const dcpn_problem *problem = solver->problem;
    const dcpn_matrix *A = solver->standardized ? solver->standardized : problem->A;
    int wanted = solver->parts.unlabelled && solver->settings.annealing && solver->settings.unlabelled_weight > 0.0;
    if (!wanted || solver->parts.h || problem->penalty) return DCPN_OK;
    DCPN_TRY(dcpn_ridge_svm_new(solver->context, A, problem->offset, &solver->annealer));
    solver->annealing = totals_of(solver);
    solver->annealing.touched_to_make = solver->annealer->touched;
    solver->annealer->ridge = RIDGE * solver->annealing.labelled * dcpn_ridge_svm_mean_square(solver->annealer);
    return DCPN_OK;
}

void dcpn_annealer_forget(dcpn_solver *solver)
{
    if (!solver->annealer) return;
    solver->annealing.has_labels = 0;
    solver->annealer->touched = solver->annealing.touched_to_make;
}

/* ---- running ---- */

static void set_weights(dcpn_solver *solver, double share)
{
    const struct annealing *totals = &solver->annealing;
    double weight = totals->unlabelled > 0.0 ? share * totals->labelled / totals->unlabelled : 0.0;
    for (int64_t i = 0; i < dcpn_problem_rows(solver->problem); i++)
        solver->annealer->w[i] = own_weight(solver->problem, i) * (dcpn_has_label(solver->problem, i) ? 1.0 : weight);
}

/* The unlabelled rows of the highest scores are positive; among equal scores, those that come first. */
static void label_by_rank(dcpn_solver *solver)
{
    struct ridge_svm *machine = solver->annealer;
    const dcpn_problem *problem = solver->problem;
    double *scores = solver->algorithm->objective.r; /* scratch */
    const double *u = machine->score;
    int64_t rows = dcpn_problem_rows(problem), count = 0, above = 0, left = solver->annealing.positive;
    dcpn_ridge_svm_score(machine);
    for (int64_t i = 0; i < rows; i++)
        if (!dcpn_has_label(problem, i)) scores[count++] = u[i];
    double least = left > 0 ? dcpn_kth_largest(scores, count, left) : HUGE_VAL;
    for (int64_t i = 0; i < rows; i++) above += !dcpn_has_label(problem, i) && u[i] > least;
    left -= above; /* equal scores that are still positive */
    for (int64_t i = 0; i < rows; i++) {
        if (dcpn_has_label(problem, i)) continue;
        int positive = u[i] > least || (u[i] == least && left-- > 0);
        machine->y[i] = positive ? 1.0 : -1.0;
    }
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* About the golden section of count, so that its multiples, modulo count, are all numbers below, and each far from the
 * last ones. */
static int64_t far_stride(int64_t count)
{
    int64_t stride = (int64_t)(0.618 * (double)count) + 1;
    while (common_divisor(stride, count) > 1) stride++;
    return stride;
}

/* Visits the rows with a label, or those without; returns the longest step. Neighbours, which a full matrix keeps
 * together, are visited together; but a file may have one class first, and so from one group of them to the next it
 * goes far. */
static double visit_all(dcpn_solver *solver, int labelled)
{
    enum { TOGETHER = 16 };
    int64_t rows = dcpn_problem_rows(solver->problem), groups = (rows + TOGETHER - 1) / TOGETHER;
    int64_t stride = far_stride(groups);
    double longest = 0.0;
    for (int64_t k = 0, group = 0; k < groups; k++, group = (group + stride) % groups)
        for (int64_t i = group * TOGETHER; i < rows && i < (group + 1) * TOGETHER; i++)
            if (dcpn_has_label(solver->problem, i) == labelled)
                longest = fmax(longest, dcpn_ridge_svm_visit(solver->annealer, i));
    return longest;
}

static void visit_labelled(dcpn_solver *solver, int visits)
{
    double longest = HUGE_VAL;
    while (visits-- > 0 && longest > SMALL_STEP) {
        longest = visit_all(solver, 1);
        if (solver->settings.intercept) dcpn_ridge_svm_fit_constant(solver->annealer);
    }
}

static void run_round(dcpn_solver *solver, double share)
{
    set_weights(solver, share);
    visit_all(solver, 0);
    visit_labelled(solver, LABELLED_VISITS);
}

/* From x = 0 to the fit of the labelled rows alone. */
static void restart(dcpn_solver *solver)
{
    struct ridge_svm *machine = solver->annealer;
    for (int64_t i = 0; i < dcpn_problem_rows(solver->problem); i++) machine->y[i] = solver->y[i];
    machine->constant = 0.0;
    dcpn_fill(machine->A->columns, 0.0, machine->x);
    dcpn_fill(machine->A->rows, 0.0, machine->dual);
    set_weights(solver, 0.0);
    visit_labelled(solver, FIRST_VISITS);
}

static double passes_of(struct ridge_svm *machine)
{
    struct design design = {.A = machine->A, .touched = machine->touched};
    machine->touched = 0;
    return dcpn_design_passes(&design);
}

/* Every row takes the loss of labelled ones, with the labels of the last ranking; or back again. */
static void pretend_labels(dcpn_solver *solver, int pretend)
{
    struct loss *loss = &solver->algorithm->objective.loss;
    int64_t rows = dcpn_problem_rows(solver->problem);
    for (int64_t i = 0; i < rows; i++)
        if (!dcpn_has_label(solver->problem, i)) solver->y[i] = pretend ? solver->annealer->y[i] : 0.0;
    if (pretend)
        for (int64_t k = 1; k < loss->run_count; k++) solver->runs[k] = INT64_MAX;
    else
        dcpn_fill_runs(solver);
}

/* The problem itself from solver->start, but for what its rows are taken for. */
static dcpn_status descend_some(dcpn_solver *solver, const struct effort *effort, const char *what)
{
    struct algorithm *a = solver->algorithm;
    const dcpn_settings asked = solver->settings;
    dcpn_observer *observer = solver->observer;
    struct checkpoint *checkpoint = solver->checkpoint;
    solver->settings.tol = fmax(asked.tol, effort->tol);
    solver->settings.max_iter = effort->iterations;
    solver->observer = NULL;
    solver->checkpoint = NULL; /* of the run to come: one that goes on anneals again, to the same start */
    solver->slope_at_0 = -1.0;
    dcpn_status status = dcpn_descend(solver);
    solver->settings = asked;
    solver->observer = observer;
    solver->checkpoint = checkpoint;
    solver->slope_at_0 = -1.0;
    solver->annealing.time_s = dcpn_clock_s() - solver->started_at;
    solver->annealing.passes += dcpn_design_passes(&a->objective.design);
    dcpn_copy(a->objective.size, a->point.x, solver->start);
    dcpn_log(solver->context, DCPN_LOG_DETAIL, "annealing: %s: %lld iterations, F = %.6g with %lld features", what,
             (long long)solver->result.iterations, a->point.value,
             (long long)dcpn_count_nonzeros(a->objective.features, a->point.x));
    return status;
}

/* All rows with the labels of the last ranking: the penalty chooses features that keep them. */
static dcpn_status fit_pretended(dcpn_solver *solver)
{
    pretend_labels(solver, 1);
    dcpn_status status = descend_some(solver, &ROUGH, "the penalty, all rows labelled");
    pretend_labels(solver, 0);
    return status;
}

static void silence_others(dcpn_solver *solver)
{
    for (int64_t i = 0; i < solver->algorithm->objective.rows; i++)
        if (i >= dcpn_problem_rows(solver->problem) || !dcpn_has_label(solver->problem, i)) solver->w[i] = 0.0;
}

static dcpn_status fit_labelled(dcpn_solver *solver)
{
    silence_others(solver);
    dcpn_status status = descend_some(solver, &ROUGH, "the penalty, labelled rows alone");
    dcpn_status restored = dcpn_fill_targets(solver);
    return status == DCPN_OK ? restored : status;
}

/* Do the labelled rows say something of every feature? */
static int do_labels_suffice(const dcpn_solver *solver)
{
    int64_t labelled = dcpn_problem_rows(solver->problem) - solver->annealing.count;
    return solver->algorithm->objective.features <= labelled;
}

/* A start, fitted from 0, and, where there is another one to compare with, the problem itself. */
static dcpn_status try_start(dcpn_solver *solver, dcpn_status (*fit)(dcpn_solver *solver), int compared)
{
    dcpn_fill(solver->algorithm->objective.size, 0.0, solver->start);
    DCPN_TRY(fit(solver));
    return compared ? descend_some(solver, &LOOSE, "from there, the problem itself") : DCPN_OK;
}

/* Is the share of positive scores among the unlabelled rows what the labels suggest, within two standard errors? */
static int is_balanced(const dcpn_solver *solver)
{
    const struct annealing *totals = &solver->annealing;
    const double *u = solver->algorithm->point.u;
    double share = (double)totals->positive / (double)totals->count, found = 0.0;
    int64_t rows = dcpn_problem_rows(solver->problem);
    for (int64_t i = 0; i < rows; i++) found += !dcpn_has_label(solver->problem, i) && u[i] > 0.0;
    double error = sqrt(fmax(share * (1.0 - share), 0.01) / (double)(rows - totals->count));
    return fabs(found / (double)totals->count - share) <= 2.0 * error;
}

/* The fit to the labelled rows alone is tried beside the other start where a low F says something. */
static dcpn_status choose_start(dcpn_solver *solver)
{
    const struct algorithm *a = solver->algorithm;
    double *first = solver->annealer->x; /* the rounds are over */
    if (do_labels_suffice(solver)) return try_start(solver, fit_labelled, 0);
    if (!dcpn_unlabelled_weigh_at_most(2.0, solver->problem, &solver->settings))
        return try_start(solver, fit_pretended, 0);
    DCPN_TRY(try_start(solver, fit_labelled, 1));
    double value = is_balanced(solver) ? a->point.value : HUGE_VAL;
    dcpn_copy(a->objective.size, solver->start, first);
    if (!solver->interrupted) DCPN_TRY(try_start(solver, fit_pretended, 1));
    if (solver->interrupted || a->point.value > value) dcpn_copy(a->objective.size, first, solver->start);
    return DCPN_OK;
}

/* Where the penalty of the start is more than all that it brings, 0 is the better one. */
static void start_from_the_lower(dcpn_solver *solver)
{
    struct algorithm *a = solver->algorithm;
    dcpn_copy(a->objective.size, solver->start, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    double annealed = a->point.value;
    dcpn_fill(a->objective.size, 0.0, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    if (!(annealed <= a->point.value)) dcpn_fill(a->objective.size, 0.0, solver->start);
}

/* All rounds; the last ranking labels the rows. */
static void run_rounds(dcpn_solver *solver)
{
    struct annealing *totals = &solver->annealing;
    double started_at = dcpn_clock_s();
    if (totals->has_labels || do_labels_suffice(solver)) return;
    restart(solver);
    for (int k = 0; k < ROUNDS && !solver->interrupted; k++) {
        label_by_rank(solver);
        if (dcpn_clock_s() - started_at >= solver->settings.max_time_s) break;
        run_round(solver, SHARES[k]);
    }
    label_by_rank(solver);
    totals->has_labels = !solver->interrupted;
    totals->time_s += dcpn_clock_s() - started_at;
    totals->passes += passes_of(solver->annealer);
    dcpn_log(solver->context, DCPN_LOG_DETAIL,
             "annealing: all features, a ridge: %lld of %lld unlabelled rows are taken for positive (%.1f passes)",
             (long long)totals->positive, (long long)totals->count, totals->passes);
}

/* Where the rounds were interrupted. */
static void start_from_machine(dcpn_solver *solver)
{
    const struct objective *F = &solver->algorithm->objective;
    const struct ridge_svm *machine = solver->annealer;
    dcpn_copy(F->features, machine->x, solver->start);
    if (F->size > F->features) solver->start[F->features] = machine->constant;
}

dcpn_status dcpn_anneal(dcpn_solver *solver)
{
    struct annealing *totals = &solver->annealing;
    double started_at = dcpn_clock_s() - solver->made_in_s;
    totals->time_s = totals->passes = 0.0;
    totals->cut_short = 0;
    if (!solver->annealer || solver->has_start) return DCPN_OK;
    run_rounds(solver);
    if (!solver->interrupted)
        DCPN_TRY(choose_start(solver));
    else
        start_from_machine(solver);
    start_from_the_lower(solver);
    totals->cut_short = solver->interrupted || dcpn_clock_s() - started_at >= solver->settings.max_time_s;
    return DCPN_OK;
}

/* That of the fit which the start is. */
static dcpn_status start_lambda_max(dcpn_solver *solver, double *lambda_max)
{
    if (do_labels_suffice(solver)) {
        silence_others(solver);
        dcpn_status status = dcpn_solver_lambda_max(solver, lambda_max);
        dcpn_status restored = dcpn_fill_targets(solver);
        return status == DCPN_OK ? restored : status;
    }
    run_rounds(solver);
    pretend_labels(solver, 1);
    dcpn_status status = dcpn_solver_lambda_max(solver, lambda_max);
    pretend_labels(solver, 0);
    return status;
}

dcpn_status dcpn_annealed_lambda_max(dcpn_solver *solver, double *lambda_max)
{
    double of_start;
    DCPN_TRY(dcpn_solver_lambda_max(solver, lambda_max));
    if (!solver->annealer) return DCPN_OK;
    DCPN_TRY(start_lambda_max(solver, &of_start));
    solver->slope_at_0 = -1.0;
    *lambda_max = fmax(*lambda_max, of_start);
    return DCPN_OK;
}
