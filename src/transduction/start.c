/* SPDX-License-Identifier: BSD-3-Clause */
/* Annealing: where a problem with unlabelled rows starts from.
 *
 * The loss of such rows is not convex, and from x = 0 a fit falls into poor minima: one class for all rows, or the
 * first few features that the labels pick. So the start is that of a transductive machine with a ridge instead of the
 * penalty, as Joachims has it: first the labelled rows alone; then, round by round, the unlabelled rows are ranked by
 * their score, the first of them are taken for positive, as many as the labels suggest, the others for negative, and
 * all rows are fitted, the weight of the unlabelled ones growing from round to round. Each round is a convex problem,
 * taken one visit of every row on from the one before (ridge_svm_dual.c). A ridge keeps all features in play, so that
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
#include "base/tuning.h"
#include "base/vector.h"
#include "transduction/ridge_svm_dual.h"

struct transduction {
    const struct plan *plan;
    struct ridge_svm *machine;
    double labelled, unlabelled; /* weights */
    int64_t count, positive;     /* of unlabelled rows, and how many of them are taken for positive */
    int has_labels;              /* the rounds are done: they do not depend on the penalty */
    double *scores;              /* space */
};

/* ---- making ---- */

static double own_weight(const dcpn_problem *problem, int64_t row)
{
    return problem->weights ? problem->weights[row] : 1.0;
}

/* Counts and weights of the rows. */
static void count_rows(struct transduction *t)
{
    const dcpn_problem *problem = t->plan->problem;
    double positive = 0.0;
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++) {
        double weight = own_weight(problem, i);
        int labelled = dcpn_has_label(problem, i);
        t->count += !labelled;
        *(labelled ? &t->labelled : &t->unlabelled) += weight;
        if (labelled && t->plan->targets.y[i] > 0.0) positive += weight;
    }
    double share = t->labelled > 0.0 ? positive / t->labelled : 0.5;
    t->positive = (int64_t)(share * (double)t->count + 0.5);
}

dcpn_status dcpn_transduction_new(const struct plan *plan, struct transduction **transduction)
{
    const dcpn_problem *problem = plan->problem;
    int wanted = plan->parts.unlabelled && plan->settings.annealing && plan->settings.unlabelled_weight > 0.0;
    *transduction = NULL;
    if (!wanted || plan->parts.h || problem->penalty) return DCPN_OK;
    struct transduction *t = dcpn_allocate(plan->context, 1, sizeof *t);
    if (!t) return DCPN_MEMORY;
    *t = (struct transduction){.plan = plan};
    t->scores = dcpn_allocate(plan->context, (size_t)dcpn_problem_rows(problem), sizeof *t->scores);
    dcpn_status status = t->scores ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK)
        status = dcpn_ridge_svm_new(plan->context, dcpn_plan_distinct(plan), problem->offset, &t->machine);
    if (status != DCPN_OK) {
        dcpn_transduction_free(t);
        return status;
    }
    count_rows(t);
    t->machine->ridge = TEACHER_RIDGE * t->labelled * dcpn_ridge_svm_mean_square(t->machine);
    *transduction = t;
    return DCPN_OK;
}

void dcpn_transduction_free(struct transduction *t)
{
    if (!t) return;
    dcpn_ridge_svm_free(t->machine);
    dcpn_free(t->plan->context, t->scores);
    dcpn_free(t->plan->context, t);
}

/* ---- the rounds ---- */

static void set_weights(struct transduction *t, double share)
{
    const dcpn_problem *problem = t->plan->problem;
    double weight = t->unlabelled > 0.0 ? share * t->labelled / t->unlabelled : 0.0;
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++)
        t->machine->w[i] = own_weight(problem, i) * (dcpn_has_label(problem, i) ? 1.0 : weight);
}

/* Labels the unlabelled rows: those of the highest scores are positive, and among equal scores those that come
 * first. */
static void label_by_rank(struct transduction *t)
{
    struct ridge_svm *machine = t->machine;
    const dcpn_problem *problem = t->plan->problem;
    const double *u = machine->score;
    int64_t rows = dcpn_problem_rows(problem), count = 0, above = 0, left = t->positive;
    dcpn_ridge_svm_score(machine);
    for (int64_t i = 0; i < rows; i++)
        if (!dcpn_has_label(problem, i)) t->scores[count++] = u[i];
    double least = left > 0 ? dcpn_kth_largest(t->scores, count, left) : HUGE_VAL;
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

/* Returns a stride of about the golden section of count. Its multiples modulo count are all numbers below count, and
 * each is far from the last ones. */
static int64_t far_stride(int64_t count)
{
    int64_t stride = (int64_t)(0.618 * (double)count) + 1;
    while (common_divisor(stride, count) > 1) stride++;
    return stride;
}

/* Visits the rows with a label, or those without; returns the longest step. Neighbours, which a full matrix keeps
 * together, are visited in groups. As a file may have all rows of one class first, each group is far from the one
 * before. */
static double visit_all(struct transduction *t, int labelled)
{
    enum { TOGETHER = 16 };
    int64_t rows = dcpn_problem_rows(t->plan->problem), groups = (rows + TOGETHER - 1) / TOGETHER;
    int64_t stride = far_stride(groups);
    double longest = 0.0;
    for (int64_t k = 0, group = 0; k < groups; k++, group = (group + stride) % groups)
        for (int64_t i = group * TOGETHER; i < rows && i < (group + 1) * TOGETHER; i++)
            if (dcpn_has_label(t->plan->problem, i) == labelled)
                longest = fmax(longest, dcpn_ridge_svm_visit(t->machine, i));
    return longest;
}

static void visit_labelled(struct transduction *t, int visits)
{
    double longest = HUGE_VAL;
    while (visits-- > 0 && longest > TEACHER_SMALL_STEP) {
        longest = visit_all(t, 1);
        if (t->plan->settings.intercept) dcpn_ridge_svm_fit_constant(t->machine);
    }
}

static void run_round(struct transduction *t, double share)
{
    set_weights(t, share);
    visit_all(t, 0);
    visit_labelled(t, TEACHER_LABELLED_VISITS);
}

/* Goes back to x = 0 and fits the labelled rows alone. */
static void restart(struct transduction *t)
{
    struct ridge_svm *machine = t->machine;
    dcpn_copy(machine->A->rows, t->plan->targets.y, machine->y);
    machine->constant = 0.0;
    dcpn_fill(machine->A->columns, 0.0, machine->x);
    dcpn_fill(machine->A->rows, 0.0, machine->dual);
    set_weights(t, 0.0);
    visit_labelled(t, TEACHER_FIRST_VISITS);
}

/* Returns the passes over the data since the last call. */
static double passes_of(struct ridge_svm *machine)
{
    struct design design = {.A = machine->A, .touched = machine->touched};
    machine->touched = 0;
    return dcpn_design_passes(&design);
}

/* Are there enough labelled rows to say something about every feature? */
static int do_labels_suffice(const struct transduction *t)
{
    return dcpn_plan_columns(t->plan) <= dcpn_problem_rows(t->plan->problem) - t->count;
}

/* Runs all rounds. The last ranking labels the rows. */
static void run_rounds(struct transduction *t, struct watch *watch)
{
    if (t->has_labels || do_labels_suffice(t)) return;
    restart(t);
    for (int k = 0; k < TEACHER_ROUNDS && !dcpn_watch_ends(watch); k++) {
        label_by_rank(t);
        run_round(t, TEACHER_SHARES[k]);
    }
    label_by_rank(t);
    t->has_labels = !watch->is_over;
    dcpn_log(t->plan->context, DCPN_LOG_DETAIL,
             "annealing: all features, a ridge: %lld of %lld unlabelled rows are taken for positive",
             (long long)t->positive, (long long)t->count);
}

/* ---- the fits ---- */

/* Gives every row the loss of labelled rows, with the labels of the last ranking. */
static void pretend_labels(const struct transduction *t, struct targets *targets)
{
    for (int64_t i = 0; i < dcpn_problem_rows(t->plan->problem); i++)
        if (!dcpn_has_label(t->plan->problem, i)) targets->y[i] = t->machine->y[i];
    for (int64_t k = 1; k < targets->run_count; k++) targets->runs[k] = INT64_MAX;
}

static void silence_others(const struct transduction *t, struct targets *targets)
{
    int64_t rows = dcpn_problem_rows(t->plan->problem);
    for (int64_t i = 0; i < targets->rows; i++)
        if (i >= rows || !dcpn_has_label(t->plan->problem, i)) targets->w[i] = 0.0;
}

/* What the descents of a start share. */
struct fitting_of_start {
    struct transduction *t;
    struct levels *levels;
    const dcpn_settings *settings;
    struct watch *watch;
};

/* Returns the steps of a rough fit. It takes many gradient steps to go as far as a few of Newton's. */
static int64_t rough_steps(const struct fitting_of_start *f)
{
    const struct parts *parts = &f->t->plan->parts;
    int is_newton = parts->algorithm->uses_metric && parts->metric == &dcpn_metric_hessian;
    return is_newton ? START_ROUGH_STEPS : START_ROUGH_GRADIENT_STEPS;
}

static dcpn_status descend(const struct fitting_of_start *f, double tol, int64_t steps, const char *what)
{
    struct algorithm *a = f->levels->all->algorithm;
    double goal = dcpn_workspace_goal(f->levels->all, fmax(f->settings->tol, tol));
    const struct effort effort = {.goal = goal, .steps = steps};
    struct descent d;
    DCPN_TRY(dcpn_solve(f->levels, &effort, f->watch, &d));
    dcpn_log(f->t->plan->context, DCPN_LOG_DETAIL, "annealing: %s: %lld iterations, F = %.6g with %lld features", what,
             (long long)d.steps, a->point.value, (long long)dcpn_count_nonzeros(a->objective.features, a->point.x));
    return DCPN_OK;
}

/* Fits other targets than those of the problem, beginning at x = 0. */
static dcpn_status fit_by(const struct fitting_of_start *f,
                          void (*change)(const struct transduction *, struct targets *), const char *what)
{
    struct workspace *all = f->levels->all;
    struct targets targets;
    DCPN_TRY(dcpn_targets_copy(&f->t->plan->targets, &targets));
    change(f->t, &targets);
    dcpn_workspace_use_targets(all, &targets);
    dcpn_fill(all->algorithm->objective.size, 0.0, all->algorithm->point.x);
    dcpn_status status = descend(f, START_ROUGH_TOL, rough_steps(f), what);
    dcpn_workspace_use_targets(all, &f->t->plan->targets);
    dcpn_targets_free(&targets);
    return status;
}

static dcpn_status fit_labelled(const struct fitting_of_start *f)
{
    return fit_by(f, silence_others, "the penalty, labelled rows alone");
}

static dcpn_status fit_pretended(const struct fitting_of_start *f)
{
    return fit_by(f, pretend_labels, "the penalty, all rows labelled");
}

static dcpn_status compare(const struct fitting_of_start *f)
{
    return descend(f, START_LOOSE_TOL, START_LOOSE_STEPS, "from there, the problem itself");
}

/* Is the share of positive scores among the unlabelled rows what the labels suggest, within two standard errors? */
static int is_balanced(const struct fitting_of_start *f)
{
    const struct transduction *t = f->t;
    const double *u = f->levels->all->algorithm->point.u;
    double share = (double)t->positive / (double)t->count, found = 0.0;
    int64_t rows = dcpn_problem_rows(t->plan->problem);
    for (int64_t i = 0; i < rows; i++) found += !dcpn_has_label(t->plan->problem, i) && u[i] > 0.0;
    double error = sqrt(fmax(share * (1.0 - share), 0.01) / (double)(rows - t->count));
    return fabs(found / (double)t->count - share) <= 2.0 * error;
}

/* Chooses the start. The fit to the labelled rows alone is tried beside the other one where a lower F means a better
 * start. */
static dcpn_status choose_start(const struct fitting_of_start *f, double *start)
{
    struct algorithm *a = f->levels->all->algorithm;
    if (do_labels_suffice(f->t)) return fit_labelled(f);
    if (!dcpn_unlabelled_weigh_at_most(2.0, f->t->plan->problem, f->settings)) return fit_pretended(f);
    DCPN_TRY(fit_labelled(f));
    DCPN_TRY(compare(f));
    double value = is_balanced(f) ? a->point.value : HUGE_VAL;
    dcpn_copy(a->objective.size, a->point.x, start);
    if (!f->watch->is_over) DCPN_TRY(fit_pretended(f));
    if (!f->watch->is_over) DCPN_TRY(compare(f));
    if (f->watch->is_over || a->point.value > value) dcpn_copy(a->objective.size, start, a->point.x);
    return DCPN_OK;
}

/* Starts from the machine as it is, if the rounds were interrupted. */
static void take_machine(const struct transduction *t, struct algorithm *a)
{
    dcpn_copy(a->objective.features, t->machine->x, a->point.x);
    if (a->objective.size > a->objective.features) a->point.x[a->objective.features] = t->machine->constant;
}

/* Replaces the start by 0 if F is lower there, because the penalty of the start is more than all that it brings. */
static void take_the_lower(struct algorithm *a, double *start)
{
    dcpn_copy(a->objective.size, a->point.x, start);
    dcpn_point_evaluate(&a->objective, &a->point);
    double annealed = a->point.value;
    dcpn_fill(a->objective.size, 0.0, a->point.x);
    dcpn_point_evaluate(&a->objective, &a->point);
    if (!(annealed <= a->point.value)) dcpn_fill(a->objective.size, 0.0, start);
}

dcpn_status dcpn_transduction_start(struct transduction *t, struct levels *levels, const dcpn_settings *settings,
                                    struct watch *watch, double *start, double *passes)
{
    struct watch inner = *watch; /* these steps are none of the run's */
    struct fitting_of_start f = {t, levels, settings, &inner};
    inner.steps = 0;
    inner.see = NULL;
    run_rounds(t, &inner);
    if (inner.is_over)
        take_machine(t, levels->all->algorithm);
    else
        DCPN_TRY(choose_start(&f, start));
    take_the_lower(levels->all->algorithm, start);
    watch->is_over = inner.is_over;
    watch->is_cut = inner.is_cut;
    watch->reason = inner.reason;
    *passes = passes_of(t->machine);
    return DCPN_OK;
}

dcpn_status dcpn_transduction_targets(struct transduction *t, struct watch *watch, struct targets *targets)
{
    DCPN_TRY(dcpn_targets_copy(&t->plan->targets, targets));
    if (do_labels_suffice(t)) {
        silence_others(t, targets);
        return DCPN_OK;
    }
    run_rounds(t, watch);
    pretend_labels(t, targets);
    return DCPN_OK;
}
