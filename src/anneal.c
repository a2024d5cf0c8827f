/* SPDX-License-Identifier: BSD-3-Clause */
/* Annealing: where a problem with unlabelled rows starts from.
 *
 * The loss of such rows is not convex, and from x = 0 a fit falls into poor minima: one class for all rows, or the
 * first few features that the labels pick. So the start is that of a transductive machine with a ridge instead of the
 * penalty, as Joachims has it: first the labelled rows alone; then, round by round, the unlabelled rows are ranked by
 * their score, the first of them are taken for positive, as many as the labels suggest, the others for negative, and
 * all rows are fitted, the weight of the unlabelled ones growing from round to round. Each round is a convex problem,
 * taken a few spectral gradient steps on from the one before. A ridge keeps all features in play, so that rows without
 * labels pass on what the labels say of one feature to those that occur beside it.
 *
 * The problem itself then starts where its own penalty, from x = 0, fits the labels that the rows were last taken to
 * have. (At the solution with the ridge, whose features are all in use, a penalty that is flat far out would keep too
 * many, even those that cost more than they bring.) Where the labelled rows weigh as much as the others, another start
 * is tried: the fit to the labelled rows alone. It is the better one where many features are noise, among which the
 * machine with the ridge loses its way. From both F is descended, loosely; the lower one stays, the second only if the
 * classes of the unlabelled rows are balanced as those of the labels. */
#include "anneal.h"

#include <math.h>

#include "base/clock.h"
#include "base/select.h"
#include "base/vector.h"
#include "dcpn/path.h"
#include "matrix/copy_rows.h"

static const double RIDGE = 1e-3; /* of the weight of the labelled rows times the mean square of a row */
static const double RELATIVE_TOL = 1e-4;
static const double LOOSE_TOL = 1e-2;
enum { FIRST_ITERATIONS = 50, ITERATIONS = 10, LOOSE_ITERATIONS = 100 };
/* Of the weight of all labelled rows, what all unlabelled ones together have in each round. */
static const double SHARES[] = {0.1, 0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 1.0};
enum { ROUNDS = sizeof SHARES / sizeof *SHARES };
enum { FEW = 4 }; /* one in so many rows, or less, has a label: their copy costs little */

/* ---- making ---- */

static dcpn_settings settings_of(const dcpn_solver *solver)
{
    dcpn_settings settings = solver->settings;
    settings.algorithm = "gist";
    settings.metric = settings.subsolver = "auto";
    settings.loss = "squared-hinge";
    settings.penalty = "l1";
    settings.lambda = settings.balance = 0.0;
    settings.scale = "sum";
    settings.active_set = settings.global = "off";
    settings.majorize = settings.annealing = 0;
    settings.stop = "relative-change";
    settings.relative_tol = RELATIVE_TOL;
    return settings;
}

/* The mean of |a_i|^2 over all rows; ones is scratch. */
static double mean_square(const dcpn_matrix *A, double *ones)
{
    double sum = 0.0;
    dcpn_fill(A->rows, 1.0, ones);
    for (int64_t j = 0; j < A->columns; j++) sum += A->ops->column_curvature(A, j, ones);
    return sum / (double)A->rows;
}

static double own_weight(const dcpn_problem *problem, int64_t row)
{
    return problem->weights ? problem->weights[row] : 1.0;
}

/* Counts and weights of the rows; all take the loss of labelled ones. */
static void prepare(dcpn_solver *annealer, struct annealing *totals)
{
    const dcpn_problem *problem = annealer->problem;
    struct objective *F = &annealer->algorithm->objective;
    double positive = 0.0;
    *totals = (struct annealing){0};
    for (int64_t i = 0; i < F->rows; i++) {
        double weight = own_weight(problem, i);
        int labelled = dcpn_has_label(problem, i);
        totals->count += !labelled;
        *(labelled ? &totals->labelled : &totals->unlabelled) += weight;
        if (labelled && annealer->y[i] > 0.0) positive += weight;
    }
    double share = totals->labelled > 0.0 ? positive / totals->labelled : 0.5;
    totals->positive = (int64_t)(share * (double)totals->count + 0.5);
    F->loss.runs = NULL;
    F->loss.unlabelled.ops = NULL;
    const dcpn_matrix *A = annealer->standardized ? annealer->standardized : problem->A;
    F->ridge = annealer->settings.ridge = RIDGE * totals->labelled * mean_square(A, F->r);
}

dcpn_status dcpn_annealer_new(dcpn_solver *solver)
{
    dcpn_settings settings = settings_of(solver);
    int wanted = solver->parts.unlabelled && solver->settings.annealing && solver->settings.unlabelled_weight > 0.0;
    if (!wanted || solver->parts.h || solver->problem->penalty) return DCPN_OK;
    DCPN_TRY(dcpn_solver_new(solver->context, solver->problem, &settings, &solver->annealer));
    solver->annealer->is_quiet = 1;
    prepare(solver->annealer, &solver->annealing);
    return DCPN_OK;
}

/* ---- running ---- */

static void set_weights(dcpn_solver *annealer, const struct annealing *totals, double share)
{
    const dcpn_problem *problem = annealer->problem;
    double weight = totals->unlabelled > 0.0 ? share * totals->labelled / totals->unlabelled : 0.0;
    for (int64_t i = 0; i < annealer->algorithm->objective.rows; i++)
        annealer->w[i] = own_weight(problem, i) * (dcpn_has_label(problem, i) ? 1.0 : weight);
}

/* The unlabelled rows of the highest scores are positive; among equal scores, those that come first. */
static void label_by_rank(dcpn_solver *annealer, const struct annealing *totals)
{
    const struct objective *F = &annealer->algorithm->objective;
    const double *u = annealer->algorithm->point.u;
    double *scores = F->r;
    int64_t count = 0, above = 0, left = totals->positive;
    for (int64_t i = 0; i < F->rows; i++)
        if (!dcpn_has_label(annealer->problem, i)) scores[count++] = u[i];
    double least = left > 0 ? dcpn_kth_largest(scores, count, left) : HUGE_VAL;
    for (int64_t i = 0; i < F->rows; i++) above += !dcpn_has_label(annealer->problem, i) && u[i] > least;
    left -= above; /* equal scores that are still positive */
    for (int64_t i = 0; i < F->rows; i++) {
        if (dcpn_has_label(annealer->problem, i)) continue;
        int positive = u[i] > least || (u[i] == least && left-- > 0);
        annealer->y[i] = positive ? 1.0 : -1.0;
    }
}

static dcpn_status run_round(dcpn_solver *solver, double share, int64_t iterations)
{
    dcpn_solver *annealer = solver->annealer;
    struct annealing *totals = &solver->annealing;
    set_weights(annealer, totals, share);
    annealer->settings.max_iter = iterations;
    annealer->settings.max_time_s = fmax(0.0, solver->settings.max_time_s - totals->time_s);
    annealer->slope_at_0 = -1.0;
    DCPN_TRY(dcpn_descend(annealer));
    annealer->interrupted = 0;
    totals->time_s += dcpn_clock_s() - annealer->started_at;
    totals->passes += dcpn_design_passes(&annealer->algorithm->objective.design);
    dcpn_copy(annealer->algorithm->objective.size, annealer->algorithm->point.x, annealer->start);
    dcpn_log(solver->context, DCPN_LOG_DETAIL,
             "annealing: unlabelled rows with %g of the weight of the labelled ones: %lld iterations, objective %.6g",
             share, (long long)annealer->result.iterations, annealer->algorithm->point.value);
    return DCPN_OK;
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

/* The problem itself from solver->start, loosely, but for what its rows are taken for. */
static dcpn_status descend_loosely(dcpn_solver *solver, const char *what)
{
    struct algorithm *a = solver->algorithm;
    const dcpn_settings asked = solver->settings;
    dcpn_observer *observer = solver->observer;
    struct checkpoint *checkpoint = solver->checkpoint;
    solver->settings.tol = fmax(asked.tol, LOOSE_TOL);
    solver->settings.max_iter = LOOSE_ITERATIONS;
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
    dcpn_status status = descend_loosely(solver, "the penalty, all rows labelled");
    pretend_labels(solver, 0);
    return status;
}

static dcpn_status fit_labelled(dcpn_solver *solver)
{
    for (int64_t i = 0; i < solver->algorithm->objective.rows; i++)
        if (i >= dcpn_problem_rows(solver->problem) || !dcpn_has_label(solver->problem, i)) solver->w[i] = 0.0;
    dcpn_status status = descend_loosely(solver, "the penalty, labelled rows alone");
    dcpn_status restored = dcpn_fill_targets(solver);
    return status == DCPN_OK ? restored : status;
}

/* Do the labelled rows weigh about as much as the others, or more? */
static int are_labels_heavy(const dcpn_solver *solver)
{
    const struct annealing *totals = &solver->annealing;
    return solver->settings.unlabelled_weight * totals->unlabelled <= 2.0 * totals->labelled;
}

/* A start, fitted from 0, and, where there is another one to compare with, the problem itself. */
static dcpn_status try_start(dcpn_solver *solver, dcpn_status (*fit)(dcpn_solver *solver))
{
    dcpn_fill(solver->algorithm->objective.size, 0.0, solver->start);
    DCPN_TRY(fit(solver));
    return are_labels_heavy(solver) ? descend_loosely(solver, "from there, the problem itself") : DCPN_OK;
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

/* Where the unlabelled rows have the greater say, a low F says little: it is often least with all on one side. */
static dcpn_status choose_start(dcpn_solver *solver)
{
    const struct algorithm *a = solver->algorithm;
    double *first = solver->annealer->start; /* the rounds are over */
    if (!are_labels_heavy(solver)) return try_start(solver, fit_pretended);
    DCPN_TRY(try_start(solver, fit_labelled));
    double value = is_balanced(solver) ? a->point.value : HUGE_VAL;
    dcpn_copy(a->objective.size, solver->start, first);
    if (!solver->interrupted) DCPN_TRY(try_start(solver, fit_pretended));
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

/* ---- the labelled rows alone, copied: products with all rows would be in vain ---- */

struct labelled_rows {
    dcpn_problem problem;
    dcpn_matrix *A;
    int64_t *rows;
    double *y, *weights, *offset;
    dcpn_solver *solver;
};

static dcpn_status copy_labelled(const dcpn_solver *annealer, int64_t count, struct labelled_rows *few)
{
    const dcpn_problem *from = annealer->problem;
    dcpn_context *context = annealer->context;
    struct row_selection selection = {.count = count};
    few->rows = dcpn_allocate(context, (size_t)count, sizeof *few->rows);
    few->y = dcpn_allocate(context, (size_t)count, 3 * sizeof *few->y);
    if (!few->rows || !few->y) return DCPN_MEMORY;
    few->weights = few->y + count;
    few->offset = few->weights + count;
    for (int64_t i = 0, k = 0; k < count; i++) {
        if (!dcpn_has_label(from, i)) continue;
        few->rows[k] = i;
        few->y[k] = annealer->y[i];
        few->weights[k] = own_weight(from, i);
        few->offset[k++] = from->offset ? from->offset[i] : 0.0;
    }
    selection.rows = few->rows;
    few->problem = *from;
    few->problem.y = few->y;
    few->problem.weights = few->weights;
    few->problem.offset = few->offset;
    few->problem.unlabelled = few->problem.zero_is_no_label = 0;
    DCPN_TRY(dcpn_matrix_copy_rows(context, from->A, &selection, &few->A));
    few->problem.A = few->A;
    return DCPN_OK;
}

static dcpn_status run_on_copy(dcpn_solver *annealer, int64_t count, struct labelled_rows *few)
{
    struct algorithm *a = annealer->algorithm;
    DCPN_TRY(copy_labelled(annealer, count, few));
    DCPN_TRY(dcpn_solver_new(annealer->context, &few->problem, &annealer->settings, &few->solver));
    few->solver->is_quiet = 1;
    DCPN_TRY(dcpn_solver_run(few->solver));
    dcpn_copy(a->objective.features, dcpn_solver_coefficients(few->solver), a->point.x);
    if (a->objective.size > a->objective.features)
        a->point.x[a->objective.features] = dcpn_solver_intercept(few->solver);
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_copy(a->objective.size, a->point.x, annealer->start);
    return DCPN_OK;
}

static dcpn_status run_first_round(dcpn_solver *solver)
{
    dcpn_solver *annealer = solver->annealer;
    int64_t rows = dcpn_problem_rows(solver->problem), count = rows - solver->annealing.count;
    struct labelled_rows few = {0};
    if (annealer->standardized || FEW * count > rows) return run_round(solver, 0.0, FIRST_ITERATIONS);
    double started_at = dcpn_clock_s();
    annealer->settings.max_iter = FIRST_ITERATIONS;
    annealer->settings.max_time_s = solver->settings.max_time_s;
    dcpn_status status = run_on_copy(annealer, count, &few);
    solver->annealing.time_s += dcpn_clock_s() - started_at;
    solver->annealing.passes += 1.0;
    dcpn_solver_free(few.solver);
    dcpn_matrix_free(few.A);
    dcpn_free(annealer->context, few.y);
    dcpn_free(annealer->context, few.rows);
    return status;
}

/* All rounds; the last ranking labels the rows. */
static dcpn_status run_rounds(dcpn_solver *solver)
{
    dcpn_solver *annealer = solver->annealer;
    struct annealing *totals = &solver->annealing;
    if (totals->has_labels) return DCPN_OK;
    dcpn_fill(annealer->algorithm->objective.size, 0.0, annealer->start);
    DCPN_TRY(run_first_round(solver));
    for (int k = 0; k < ROUNDS && !solver->interrupted; k++) {
        label_by_rank(annealer, totals);
        DCPN_TRY(run_round(solver, SHARES[k], ITERATIONS));
    }
    label_by_rank(annealer, totals);
    totals->has_labels = !solver->interrupted;
    return DCPN_OK;
}

dcpn_status dcpn_anneal(dcpn_solver *solver)
{
    struct annealing *totals = &solver->annealing;
    totals->time_s = totals->passes = 0.0;
    if (!solver->annealer || solver->has_start) return DCPN_OK;
    DCPN_TRY(run_rounds(solver));
    if (!solver->interrupted)
        DCPN_TRY(choose_start(solver));
    else
        dcpn_copy(solver->annealer->algorithm->objective.size, solver->annealer->start, solver->start);
    start_from_the_lower(solver);
    return DCPN_OK;
}

dcpn_status dcpn_annealed_lambda_max(dcpn_solver *solver, double *lambda_max)
{
    double pretended;
    DCPN_TRY(dcpn_solver_lambda_max(solver, lambda_max));
    if (!solver->annealer) return DCPN_OK;
    DCPN_TRY(run_rounds(solver));
    pretend_labels(solver, 1);
    dcpn_status status = dcpn_solver_lambda_max(solver, &pretended);
    pretend_labels(solver, 0);
    solver->slope_at_0 = -1.0;
    *lambda_max = fmax(*lambda_max, pretended);
    return status;
}
