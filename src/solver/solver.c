/* SPDX-License-Identifier: BSD-3-Clause */
/* The public solver: makes a plan and workspaces, runs descents and searches on them, and tells what came of it. */
#include "solver/solver.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/ranks.h"
#include "base/vector.h"
#include "solver/finite.h"
#include "transduction/start.h"

/* ---- making ---- */

/* The number of coefficients of all scores together. */
static int64_t coefficient_count(const dcpn_solver *solver)
{
    return dcpn_solver_scores(solver) * dcpn_plan_features(solver->plan);
}

static int64_t intercept_count(const dcpn_solver *solver)
{
    return dcpn_targets_constants(&solver->plan->targets);
}

/* Sets the result and the coefficients to those of a solver that has not run. */
static void take_back(dcpn_solver *solver)
{
    solver->result = (dcpn_result){.outcome = DCPN_NOT_RUN};
    dcpn_fill(coefficient_count(solver), 0.0, solver->coefficients);
    dcpn_fill(intercept_count(solver), solver->plan->targets.middle, solver->intercepts);
}

static dcpn_status make(dcpn_solver *solver, const dcpn_problem *problem, const dcpn_settings *settings)
{
    dcpn_context *context = solver->context;
    DCPN_TRY(dcpn_plan_new(context, problem, settings, 1, &solver->plan));
    solver->settings.sums = solver->plan->settings.sums;
    if (solver->plan->targets.ordered.count) solver->settings.intercept = 1;
    DCPN_TRY(dcpn_levels_new(solver->plan, &solver->levels));
    DCPN_TRY(dcpn_transduction_new(solver->plan, &solver->transduction));
    size_t size = (size_t)dcpn_plan_size(solver->plan), intercepts = (size_t)intercept_count(solver);
    solver->start = dcpn_allocate(context, size, sizeof *solver->start);
    solver->coefficients = dcpn_allocate(context, (size_t)coefficient_count(solver), sizeof *solver->coefficients);
    solver->intercepts = dcpn_allocate(context, intercepts, sizeof *solver->intercepts);
    if (!solver->start || !solver->coefficients || !solver->intercepts) return DCPN_MEMORY;
    dcpn_fill((int64_t)size, 0.0, solver->start);
    take_back(solver);
    return DCPN_OK;
}

dcpn_status dcpn_solver_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                            dcpn_solver **solver)
{
    dcpn_settings standard = dcpn_settings_default();
    double begun_at = dcpn_clock_s();
    DCPN_NEED(context, context, solver);
    *solver = NULL;
    if (!problem) return dcpn_fail(context, DCPN_USAGE, "solver: found no problem (NULL)");
    if (!settings) settings = &standard;
    dcpn_solver *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_solver){.context = context, .settings = *settings};
    dcpn_status status = make(made, problem, settings);
    status = dcpn_ranks_end(context, status);
    if (status != DCPN_OK) {
        dcpn_solver_free(made);
        return status;
    }
    dcpn_log_parts(context, &made->plan->parts);
    made->made_in_s = dcpn_clock_s() - begun_at;
    *solver = made;
    return DCPN_OK;
}

void dcpn_solver_free(dcpn_solver *solver)
{
    if (!solver) return;
    dcpn_journal_free(solver->journal);
    dcpn_transduction_free(solver->transduction);
    dcpn_levels_free(&solver->levels);
    dcpn_plan_free(solver->plan);
    dcpn_free(solver->context, solver->start);
    dcpn_free(solver->context, solver->coefficients);
    dcpn_free(solver->context, solver->intercepts);
    dcpn_free(solver->context, solver);
}

dcpn_status dcpn_solver_set_start(dcpn_solver *solver, const double *coefficients, double intercept)
{
    DCPN_NEED(NULL, solver);
    if (intercept_count(solver) > 1)
        return dcpn_fail(solver->context, DCPN_USAGE,
                         "start: found one intercept, expected %lld; use dcpn_solver_set_start_of_scores",
                         (long long)intercept_count(solver));
    return dcpn_solver_set_start_of_scores(solver, coefficients, &intercept);
}

dcpn_status dcpn_solver_set_start_of_scores(dcpn_solver *solver, const double *coefficients, const double *intercepts)
{
    DCPN_NEED(NULL, solver);
    DCPN_NEED(solver->context, coefficients, intercepts);
    if (!dcpn_all_finite(coefficient_count(solver), coefficients) ||
        !dcpn_all_finite(intercept_count(solver), intercepts))
        return dcpn_fail(solver->context, DCPN_DATA, "start: found a coefficient that is not finite, expected numbers");
    for (int64_t k = 1; k < solver->plan->targets.ordered.count; k++)
        if (!(intercepts[k] < intercepts[k - 1]))
            return dcpn_fail(solver->context, DCPN_DATA,
                             "start: found the intercept %g behind %g, expected those of ordered classes to descend",
                             intercepts[k], intercepts[k - 1]);
    dcpn_plan_take(solver->plan, coefficients, intercepts, solver->start);
    solver->has_start = 1;
    return DCPN_OK;
}

void dcpn_solver_set_observer(dcpn_solver *solver, dcpn_observer *observer, void *user)
{
    if (!solver) return;
    solver->observer = observer;
    solver->observer_user = user;
}

void dcpn_solver_interrupt(dcpn_solver *solver)
{
    if (solver) solver->interrupted = 1;
}

/* ---- a run ---- */

dcpn_status dcpn_solver_refuse_running(const dcpn_solver *solver, const char *what)
{
    if (!solver->is_running) return DCPN_OK;
    return dcpn_fail(solver->context, DCPN_USAGE,
                     "%s: found a solver that is running, expected one between two runs; let the observer end this one",
                     what);
}

static int see(void *user, const struct algorithm *a, int counts)
{
    dcpn_solver *solver = user;
    const dcpn_progress *shown =
        dcpn_report_step(&solver->report, a, counts, dcpn_levels_touched(&solver->levels), solver->levels.all);
    return solver->observer && solver->observer(solver->observer_user, shown);
}

static void begin(dcpn_solver *solver, struct watch *watch)
{
    *watch = dcpn_watch_of(&solver->settings, solver->plan, dcpn_clock_s() - solver->made_in_s);
    watch->see = see;
    watch->user = solver;
    watch->interrupted = &solver->interrupted;
    solver->made_in_s = 0.0;
    dcpn_report_begin(&solver->report, solver->plan, &solver->settings);
    dcpn_objective_forget_product(&solver->levels.all->algorithm->objective);
    dcpn_levels_begin(&solver->levels);
}

static dcpn_status begin_journal(dcpn_solver *solver, struct watch *watch, struct journal_stream *stream)
{
    struct journal_key key;
    if (!solver->journal) return DCPN_OK;
    DCPN_TRY(dcpn_key_of(solver->plan, &solver->settings, solver->has_start ? solver->start : NULL, &key));
    DCPN_TRY(dcpn_journal_begin(solver->journal, &key));
    *stream = (struct journal_stream){.journal = solver->journal};
    watch->journal = stream;
    watch->started_at -= dcpn_journal_elapsed_s(solver->journal);
    return DCPN_OK;
}

/* Moves the point of all columns to the start. */
static void stand_at_start(dcpn_solver *solver)
{
    struct algorithm *a = solver->levels.all->algorithm;
    dcpn_copy(a->objective.size, solver->start, a->point.x);
    for (int64_t j = 0; a->objective.penalty.lower && j < a->objective.size; j++)
        a->point.x[j] = dcpn_penalty_clamp(&a->objective.penalty, j, a->point.x[j]);
}

static dcpn_status find_start(dcpn_solver *solver, struct watch *watch, double *passes)
{
    *passes = 0.0;
    if (!solver->transduction || solver->has_start) return DCPN_OK;
    return dcpn_transduction_start(solver->transduction, &solver->levels, &solver->settings, watch, solver->start,
                                   passes);
}

static dcpn_status refuse_infinite(const dcpn_solver *solver)
{
    const struct algorithm *a = solver->levels.all->algorithm;
    if (isfinite(a->point.value) && isfinite(a->stationarity)) return DCPN_OK;
    return dcpn_fail(solver->context, DCPN_DATA,
                     "the objective or its gradient is not finite at the start; are the data scaled sensibly?");
}

static dcpn_status look_at_start(dcpn_solver *solver)
{
    struct algorithm *a = solver->levels.all->algorithm;
    stand_at_start(solver);
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_look_at_all(solver->levels.all->look, &a->objective, &a->point);
    dcpn_algorithm_look_again(a);
    return refuse_infinite(solver);
}

static dcpn_status conclude(dcpn_solver *solver, const struct ending *ending)
{
    solver->result = dcpn_result_of(ending);
    dcpn_plan_give(solver->plan, solver->levels.all->algorithm->point.x, solver->coefficients, solver->intercepts);
    const double *bad = solver->intercepts; /* any that is not finite, else the first */
    for (int64_t k = 0; k < dcpn_solver_scores(solver) && isfinite(*bad); k++) bad = solver->intercepts + k;
    const struct leaving leaving = {&solver->result, NULL, solver->coefficients, coefficient_count(solver), *bad};
    dcpn_status status = dcpn_refuse_infinite_result(solver->context, &leaving);
    if (status != DCPN_OK)
        take_back(solver);
    else if (!solver->is_quiet)
        dcpn_explain_result(ending, &solver->result);
    return status;
}

static dcpn_status run(dcpn_solver *solver)
{
    struct watch watch;
    struct journal_stream stream = {0};
    struct descent d = {.outcome = DCPN_CONVERGED};
    struct workspace *all = solver->levels.all;
    double passes;
    dcpn_ranks_begin(solver->context);
    begin(solver, &watch);
    DCPN_TRY(dcpn_refuse_infinite_penalty(solver->context, &all->algorithm->objective.penalty));
    DCPN_TRY(begin_journal(solver, &watch, &stream));
    DCPN_TRY(find_start(solver, &watch, &passes));
    double goal = dcpn_workspace_goal(all, solver->settings.tol);
    DCPN_TRY(look_at_start(solver));
    const struct effort effort = dcpn_effort_of(&solver->settings, solver->plan, goal);
    const struct start start = {
        .from_0 = dcpn_count_nonzeros(all->algorithm->objective.features, all->algorithm->point.x) == 0,
        .is_kept_to = solver->has_start && strcmp(solver->settings.global, "auto") == 0};
    DCPN_TRY(dcpn_solve_and_search(&solver->levels, &start, &effort, &watch, &d));
    DCPN_TRY(dcpn_ranks_status(solver->context));
    DCPN_TRY(dcpn_refuse_beyond(all));
    passes += dcpn_plan_passes(solver->plan) + dcpn_passes_of(all, dcpn_levels_touched(&solver->levels));
    const struct ending ending = {all, &d, goal, dcpn_clock_s() - watch.started_at, passes};
    DCPN_TRY(conclude(solver, &ending));
    if (watch.is_over && watch.journal) dcpn_journal_write(watch.journal->journal);
    return DCPN_OK;
}

dcpn_status dcpn_solver_run(dcpn_solver *solver)
{
    DCPN_NEED(NULL, solver);
    DCPN_TRY(dcpn_solver_refuse_running(solver, "run"));
    solver->is_running = 1;
    dcpn_status status = dcpn_ranks_end(solver->context, run(solver));
    dcpn_journal_end(solver->journal);
    solver->is_running = solver->interrupted = 0;
    return status;
}

dcpn_status dcpn_solver_continue(dcpn_solver *solver)
{
    DCPN_NEED(NULL, solver);
    DCPN_TRY(dcpn_solver_refuse_running(solver, "run"));
    const struct algorithm *a = solver->levels.all->algorithm;
    if (solver->result.outcome != DCPN_NOT_RUN) {
        dcpn_copy(a->objective.size, a->point.x, solver->start);
        solver->has_start = 1;
    }
    return dcpn_solver_run(solver);
}

/* ---- checkpoints ---- */

dcpn_status dcpn_solver_set_checkpoint(dcpn_solver *solver, const char *path, double every_s)
{
    DCPN_NEED(NULL, solver);
    if (path && !(every_s >= 0.0))
        return dcpn_fail(solver->context, DCPN_USAGE, "checkpoint: found every %g s, expected at least 0", every_s);
    if (!solver->journal && !path) return DCPN_OK;
    if (!solver->journal) return dcpn_journal_new(solver->context, path, every_s, &solver->journal);
    return dcpn_journal_set_path(solver->journal, path, every_s);
}

dcpn_status dcpn_solver_resume(dcpn_solver *solver, const char *path)
{
    DCPN_NEED(NULL, solver);
    DCPN_NEED(solver->context, path);
    if (!solver->journal) DCPN_TRY(dcpn_journal_new(solver->context, NULL, 0.0, &solver->journal));
    return dcpn_journal_read(solver->journal, path);
}

/* ---- the penalty between two runs ---- */

static dcpn_status change_settings(dcpn_solver *solver, const dcpn_settings *changed, const char *what)
{
    if (solver->plan->parts.h)
        return dcpn_fail(solver->context, DCPN_USAGE, "%s belongs to a separable penalty; change your own h yourself",
                         what);
    DCPN_TRY(dcpn_solver_refuse_running(solver, what));
    DCPN_TRY(dcpn_settings_check(solver->context, changed));
    const dcpn_penalty_shape shape = dcpn_shape_of(solver->plan, changed);
    solver->settings = *changed;
    dcpn_workspace_set_penalty(solver->levels.all, changed->lambda, &shape);
    return DCPN_OK;
}

dcpn_status dcpn_solver_set_lambda(dcpn_solver *solver, double lambda)
{
    DCPN_NEED(NULL, solver);
    dcpn_settings changed = solver->settings;
    changed.lambda = lambda;
    return change_settings(solver, &changed, "lambda");
}

/* Is the setting among those of the penalty, "theta" or "p eps"? A penalty of the caller's own may read what it
 * likes. */
static int has_shape(const dcpn_solver *solver, const char *setting)
{
    size_t length = strlen(setting);
    if (solver->plan->parts.h || solver->plan->problem->penalty) return 1;
    for (const char *word = solver->plan->parts.penalty->parameters; word; word = strchr(word, ' ')) {
        if (*word == ' ') word++;
        if (strncmp(word, setting, length) == 0 && (word[length] == ' ' || !word[length])) return 1;
    }
    return 0;
}

dcpn_status dcpn_solver_set_shape(dcpn_solver *solver, const char *setting, double value)
{
    DCPN_NEED(NULL, solver);
    DCPN_NEED(solver->context, setting);
    dcpn_settings changed = solver->settings;
    const struct {
        const char *name;
        double *field;
    } shape[] = {{"theta", &changed.theta},
                 {"a", &changed.a},
                 {"gamma", &changed.gamma},
                 {"p", &changed.p},
                 {"eps", &changed.eps}};
    if (!has_shape(solver, setting)) {
        const dcpn_penalty_ops *ops = solver->plan->parts.penalty;
        return dcpn_fail(solver->context, DCPN_USAGE, "shape of the penalty %s: found '%s', expected what it has: %s",
                         ops->name, setting, ops->parameters ? ops->parameters : "nothing but lambda");
    }
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        if (strcmp(shape[k].name, setting) != 0) continue;
        *shape[k].field = value;
        return change_settings(solver, &changed, setting);
    }
    return dcpn_fail(solver->context, DCPN_USAGE,
                     "shape of the penalty: found '%s', expected theta, a, gamma, p or eps", setting);
}

dcpn_status dcpn_solver_lambda_max(dcpn_solver *solver, double *lambda_max)
{
    struct watch watch;
    struct null_model null;
    DCPN_NEED(NULL, solver);
    DCPN_NEED(solver->context, lambda_max);
    DCPN_TRY(dcpn_solver_refuse_running(solver, "lambda_max"));
    *lambda_max = 0.0;
    begin(solver, &watch);
    solver->is_running = 1;
    dcpn_null_model_find(solver->levels.all, &solver->settings, &watch, &null);
    solver->is_running = solver->interrupted = 0;
    struct descent d = {.outcome = watch.is_over ? watch.reason : DCPN_CONVERGED, .steps = watch.steps};
    const struct ending ending = {solver->levels.all, &d, 0.0, dcpn_clock_s() - watch.started_at,
                                  dcpn_passes_of(solver->levels.all, dcpn_levels_touched(&solver->levels))};
    solver->result = dcpn_result_of(&ending);
    DCPN_TRY(dcpn_ranks_status(solver->context));
    *lambda_max = null.lambda_max;
    dcpn_fill(dcpn_plan_size(solver->plan), 0.0, solver->start);
    return dcpn_solver_set_lambda(solver, null.lambda_max);
}

/* ---- asking ---- */

const dcpn_result *dcpn_solver_result(const dcpn_solver *solver)
{
    return solver ? &solver->result : NULL;
}

const double *dcpn_solver_coefficients(const dcpn_solver *solver)
{
    return solver ? solver->coefficients : NULL;
}

double dcpn_solver_intercept(const dcpn_solver *solver)
{
    return solver ? solver->intercepts[0] : (double)NAN;
}

int64_t dcpn_solver_scores(const dcpn_solver *solver)
{
    return solver ? solver->plan->targets.scores : 0;
}

const double *dcpn_solver_intercepts(const dcpn_solver *solver)
{
    return solver ? solver->intercepts : NULL;
}

const double *dcpn_solver_labels(const dcpn_solver *solver)
{
    if (!solver) return NULL;
    const struct targets *targets = &solver->plan->targets;
    return targets->scores > 1 || targets->ordered.count ? targets->classes : NULL;
}

int64_t dcpn_solver_intercept_count(const dcpn_solver *solver)
{
    return solver ? intercept_count(solver) : 0;
}

dcpn_context *dcpn_solver_context(const dcpn_solver *solver)
{
    return solver->context;
}

const dcpn_settings *dcpn_solver_settings(const dcpn_solver *solver)
{
    return &solver->settings;
}

int64_t dcpn_solver_features(const dcpn_solver *solver)
{
    return dcpn_plan_features(solver->plan);
}

int64_t dcpn_solver_rows(const dcpn_solver *solver)
{
    const struct plan *plan = solver->plan;
    return plan->summed ? plan->summed->all_rows : dcpn_problem_rows(&plan->given);
}

const double *dcpn_solver_classes(const dcpn_solver *solver, int64_t *count)
{
    *count = solver->plan->targets.class_count;
    return solver->plan->targets.classes;
}

const char *dcpn_solver_loss_name(const dcpn_solver *solver)
{
    return solver->plan->parts.loss ? solver->plan->parts.loss->name : "own";
}

const char *dcpn_solver_penalty_name(const dcpn_solver *solver)
{
    return solver->plan->parts.penalty ? solver->plan->parts.penalty->name : "own";
}
