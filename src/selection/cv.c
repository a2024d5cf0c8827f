/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation: the paths on all the data, then the same penalties and lambdas without each fold in turn. A fold is
 * fitted by one thread in a context of its own, so that the results are the same bytes for any number of threads. Its
 * paths end by what it has seen alone; where the mean over the folds turns out to be still falling, or nearly, at the
 * last lambda that all of them have reached, those that ended before are fitted again down to the last lambda of
 * all. */
#include "selection/cv.h"

#include <math.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/ranks.h"
#include "selection/comparison.h"
#include "selection/held_out.h"
#include "selection/patience.h"
#include "selection/rules.h"
#include "selection/validation.h"

enum { DEFAULT_FOLDS = 10 };

/* ---- the observer, from several threads ---- */

/* Counts all fits, where all paths together have `points` points and the longest path has `longest`. */
static int64_t all_fits(const struct validation *v, int64_t points, int64_t longest)
{
    return points * (v->cv->folds + 1) + v->options->subsamples * longest;
}

/* Fits that are done on the path of one fold count as they come; each fold reports its own number. */
static int observe(void *user, const dcpn_path_progress *progress)
{
    struct validation *v = user;
    dcpn_mutex_lock(&v->mutex);
    dcpn_path_progress whole = *progress;
    whole.done += v->done;
    whole.total = v->total ? v->total : all_fits(v, progress->total, dcpn_path_lambda_count(&v->options->path));
    if (v->options->path.observer && v->options->path.observer(v->options->path.user, &whole)) v->is_stopped = 1;
    int stop = v->is_stopped;
    dcpn_mutex_unlock(&v->mutex);
    return stop;
}

static void count_done(void *user, int64_t fits)
{
    struct validation *v = user;
    dcpn_mutex_lock(&v->mutex);
    v->done += fits;
    dcpn_mutex_unlock(&v->mutex);
}

/* ---- all folds ---- */

static dcpn_status report_failure(dcpn_context *context, const struct subset_fit *fits, int64_t count)
{
    for (int64_t f = 0; f < count; f++)
        if (fits[f].status != DCPN_OK)
            return dcpn_fail(context, fits[f].status, "fold %lld: %s", (long long)f + 1,
                             fits[f].context ? dcpn_last_error(fits[f].context) : "out of memory");
    return DCPN_OK;
}

struct fold_work {
    struct validation *v;
    const struct subset_source *source;
    struct subset_fit *fits;
    struct fold_task *tasks;
};

/* Returns the context whose threads share the folds. With ranks it is NULL: all ranks together work on one fold
 * after another. */
static dcpn_context *context_of_team(const struct validation *v)
{
    return dcpn_has_ranks(v->context) ? NULL : v->context;
}

/* Is the work to end? With ranks the observer of one of them only asks for that, and all end when all have been
 * told. */
static int is_stopped(struct validation *v)
{
    if (dcpn_has_ranks(v->context))
        v->is_stopped = dcpn_ranks_told_to_stop(v->context);
    else
        v->is_stopped |= dcpn_is_interrupted(v->context);
    return v->is_stopped;
}

static void work_on_some_folds(void *user, int64_t begin, int64_t end)
{
    const struct fold_work *work = user;
    for (int64_t k = begin; k < end; k++)
        dcpn_fold_work(work->v, work->source, &work->tasks[k], &work->fits[work->tasks[k].fold]);
}

/* ---- an early end, by the observer or by the limit of time ---- */

/* Is the fold done at all the points that it is to be measured at? Points that it does not need are not missing. */
static int is_whole(const struct validation *v, int64_t fold)
{
    const dcpn_cv *cv = v->cv;
    for (int64_t p = 0; p < cv->paths->count; p++)
        for (int64_t k = 0; k < v->reached[p * cv->folds + fold]; k++) {
            dcpn_outcome outcome = cv->outcome[(cv->first[p] + k) * cv->folds + fold];
            if (outcome == DCPN_NOT_RUN || outcome == DCPN_INTERRUPTED || outcome == DCPN_MAX_TIME) return 0;
        }
    return 1;
}

static void forget_fold(dcpn_cv *cv, int64_t fold)
{
    for (int64_t at = 0; at < cv->first[cv->paths->count]; at++) {
        for (int m = 0; m < DCPN_MEASURES; m++) cv->value[(at * DCPN_MEASURES + m) * cv->folds + fold] = NAN;
        cv->outcome[at * cv->folds + fold] = DCPN_NOT_RUN;
        cv->nonzeros[at * cv->folds + fold] = 0;
    }
}

/* Counts the folds that are done. The results of the others are cleared, as if these had not begun. */
static void settle_folds(struct validation *v)
{
    dcpn_cv *cv = v->cv;
    int are_paths_whole = 1;
    for (int64_t p = 0; p < cv->paths->count; p++) are_paths_whole &= cv->paths->paths[p].end != DCPN_PATH_INTERRUPTED;
    cv->ending.folds_done = 0;
    for (int64_t f = 0; f < cv->folds; f++) {
        int counts = are_paths_whole && is_whole(v, f);
        if (!counts) forget_fold(cv, f);
        cv->ending.folds_done += counts;
    }
    int stops = dcpn_has_ranks(v->context) ? is_stopped(v) : v->is_stopped;
    cv->ending.is_complete = cv->ending.folds_done == cv->folds && !stops;
}

/* ---- folds that ended too early ---- */

static int64_t least_reached(const struct validation *v, int64_t path)
{
    int64_t least = v->cv->paths->paths[path].count;
    for (int64_t f = 0; f < v->cv->folds; f++)
        if (v->reached[path * v->cv->folds + f] < least) least = v->reached[path * v->cv->folds + f];
    return least;
}

/* Has the mean over the folds, too, been clearly worse than its best, for half as many lambdas as a fold waits for? */
static int is_settled(const struct validation *v, int64_t path)
{
    const dcpn_cv *cv = v->cv;
    int64_t lambdas = dcpn_path_lambda_count(&v->options->path);
    struct patience patience =
        dcpn_patience_new(v->options->patience, lambdas, v->measures[cv->measured.chooses].larger_is_better);
    patience.limit = (patience.limit + 1) / 2;
    for (int64_t k = 0; k < least_reached(v, path); k++)
        dcpn_patience_see(&patience, cv->mean[(cv->first[path] + k) * DCPN_MEASURES + cv->measured.chooses]);
    return patience.limit == 0 || dcpn_patience_is_over(&patience);
}

/* Lists the folds that are to be fitted again, and returns how many there are. */
static int64_t list_hasty(struct validation *v, struct fold_task *tasks)
{
    const uint64_t second = UINT64_C(1) << 31; /* streams of the journal, before those of subsamples */
    const dcpn_cv *cv = v->cv;
    int64_t count = 0;
    for (int64_t f = 0; f < cv->folds; f++) {
        int is_hasty = 0;
        for (int64_t p = 0; p < cv->paths->count; p++)
            is_hasty |= v->reached[p * cv->folds + f] < cv->paths->paths[p].count && !is_settled(v, p);
        if (is_hasty) tasks[count++] = (struct fold_task){f, -1, second + (uint64_t)f};
    }
    return count;
}

/* The models of the folds are kept until it is known which of them are wanted. */
static dcpn_status fit_folds(struct fold_work *work, int64_t count)
{
    struct validation *v = work->v;
    dcpn_parallel_items(context_of_team(v), count, work_on_some_folds, work);
    DCPN_TRY(report_failure(v->context, work->fits, v->cv->folds));
    settle_folds(v);
    if (v->cv->ending.folds_done > 1)
        dcpn_cv_choose(v->cv, v->options);
    else
        v->cv->choice.min = v->cv->choice.sparse = v->cv->choice.chosen = (dcpn_cv_choice){-1, -1, NAN, NAN};
    return DCPN_OK;
}

static dcpn_status fit_hasty_again(struct fold_work *work)
{
    struct validation *v = work->v;
    int64_t again = v->cv->ending.is_complete ? list_hasty(v, work->tasks) : 0;
    for (int64_t k = 0; k < again; k++) dcpn_subset_fit_free(&work->fits[work->tasks[k].fold]);
    v->total += again * v->cv->first[v->cv->paths->count];
    return again ? fit_folds(work, again) : DCPN_OK;
}

/* Lists the tasks of all folds. A fold goes down to the last lambda if the caller gave the lambdas and asked for no
 * patience, in a comparison, whose paths are short, and where a criterion chooses. */
static void list_all(const struct validation *v, struct fold_task *tasks)
{
    const dcpn_cv_options *o = v->options;
    int is_whole = v->cv->compares || dcpn_rule_is_criterion(v->cv->choice.rule);
    int64_t patience = is_whole || (o->patience == 0 && o->path.lambdas) ? -1 : o->patience;
    for (int64_t f = 0; f < v->cv->folds; f++) tasks[f] = (struct fold_task){f, patience, (uint64_t)f + 1};
}

static dcpn_status work_through(struct fold_work *work)
{
    struct validation *v = work->v;
    list_all(v, work->tasks);
    DCPN_TRY(fit_folds(work, v->cv->folds));
    DCPN_TRY(fit_hasty_again(work));
    return v->cv->choice.min.path >= 0 ? dcpn_cv_score_held_out(v->cv, v->problem, v->fold_of, work->fits, v->exact)
                                       : DCPN_OK;
}

static dcpn_status work_on_folds(struct validation *v, const struct subset_source *source)
{
    size_t folds = (size_t)v->cv->folds;
    struct fold_work work = {.v = v, .source = source};
    work.fits = dcpn_allocate(v->context, folds, sizeof *work.fits);
    work.tasks = dcpn_allocate(v->context, folds, sizeof *work.tasks);
    dcpn_status status = DCPN_MEMORY;
    if (work.fits && work.tasks) {
        memset(work.fits, 0, folds * sizeof *work.fits);
        status = work_through(&work);
        for (size_t f = 0; f < folds; f++) dcpn_subset_fit_free(&work.fits[f]);
    }
    dcpn_free(v->context, work.fits);
    dcpn_free(v->context, work.tasks);
    return status;
}

/* Marks all results as not known, which they remain at points that no fold reaches. */
static void clear_results(dcpn_cv *cv, int64_t points)
{
    for (int64_t k = 0; k < points * DCPN_MEASURES * cv->folds; k++) cv->value[k] = NAN;
    for (int64_t k = 0; k < points * DCPN_MEASURES; k++) cv->mean[k] = cv->se[k] = NAN;
    for (int64_t k = 0; k < points * cv->folds; k++) cv->outcome[k] = DCPN_NOT_RUN;
    for (int64_t k = 0; k < points * cv->folds; k++) cv->nonzeros[k] = 0;
    for (int64_t p = 0; p < cv->paths->count; p++) cv->best[p] = cv->one_se[p] = -1;
}

static dcpn_status allocate_results(struct validation *v)
{
    dcpn_cv *cv = v->cv;
    size_t points = (size_t)cv->first[cv->paths->count], folds = (size_t)cv->folds, paths = (size_t)cv->paths->count;
    cv->value = dcpn_allocate(cv->context, points * DCPN_MEASURES * folds, sizeof *cv->value);
    cv->mean = dcpn_allocate(cv->context, points * DCPN_MEASURES, sizeof *cv->mean);
    cv->se = dcpn_allocate(cv->context, points * DCPN_MEASURES, sizeof *cv->se);
    cv->outcome = dcpn_allocate(cv->context, points * folds, sizeof *cv->outcome);
    cv->nonzeros = dcpn_allocate(cv->context, points * folds, sizeof *cv->nonzeros);
    cv->best = dcpn_allocate(cv->context, paths, sizeof *cv->best);
    cv->one_se = dcpn_allocate(cv->context, paths, sizeof *cv->one_se);
    v->reached = dcpn_allocate(cv->context, paths * folds, sizeof *v->reached);
    if (!cv->value || !cv->mean || !cv->se || !cv->outcome || !cv->nonzeros || !cv->best || !cv->one_se || !v->reached)
        return DCPN_MEMORY;
    clear_results(cv, (int64_t)points);
    for (size_t k = 0; k < paths * folds; k++) v->reached[k] = cv->paths->paths[k / folds].count;
    return DCPN_OK;
}

/* Finds where the points of each path begin in the arrays of results. */
static dcpn_status number_points(dcpn_cv *cv)
{
    cv->first = dcpn_allocate(cv->context, (size_t)cv->paths->count + 1, sizeof *cv->first);
    if (!cv->first) return DCPN_MEMORY;
    cv->first[0] = 0;
    for (int64_t p = 0; p < cv->paths->count; p++) cv->first[p + 1] = cv->first[p] + cv->paths->paths[p].count;
    return DCPN_OK;
}

static dcpn_status set_measures(struct validation *v, const dcpn_settings *settings)
{
    dcpn_cv *cv = v->cv;
    struct parts parts;
    const char *wanted = v->options->measure ? v->options->measure : "deviance";
    DCPN_TRY(dcpn_ranks_agree(v->context, dcpn_choose_parts(v->context, v->problem, settings, &parts)));
    v->loss = parts.loss;
    DCPN_TRY(dcpn_rule_check(v->context, v->options->rule, parts.loss));
    for (int k = 0; k < 2; k++) v->loss_parameters[k] = dcpn_loss_parameter(parts.loss, settings, k);
    cv->measured.count = dcpn_measures_of(parts.loss->targets, &v->measures);
    cv->measured.chooses = -1;
    for (int m = 0; m < cv->measured.count; m++) {
        cv->measured.names[m] = v->measures[m].name;
        if (strcmp(wanted, v->measures[m].name) == 0) cv->measured.chooses = m;
    }
    if (cv->measured.chooses >= 0) return DCPN_OK;
    int are_three = cv->measured.count > 2;
    return dcpn_fail(v->context, DCPN_USAGE, "measure: found '%s', expected %s%s%s or %s for the loss %s", wanted,
                     cv->measured.names[0], are_three ? ", " : "", are_three ? cv->measured.names[1] : "",
                     cv->measured.names[cv->measured.count - 1], parts.loss->name);
}

/* Returns the usual number of folds, but no more than there are rows with a label. Where sums are exact all rows
 * have one. */
static int64_t usual_folds(const struct validation *v)
{
    const dcpn_problem *problem = v->problem;
    int64_t labelled = !v->exact ? 0 : v->place.all < DEFAULT_FOLDS ? v->place.all : DEFAULT_FOLDS;
    for (int64_t i = 0; !v->exact && i < problem->A->rows && labelled < DEFAULT_FOLDS; i++)
        labelled += dcpn_has_label(problem, i);
    return labelled < 2 ? 2 : labelled;
}

/* Fits the paths to all the data. The folds and subsamples to come are counted as part of the work. */
static dcpn_status fit_paths(struct validation *v, const dcpn_settings *settings, const dcpn_path_options *options)
{
    dcpn_cv *cv = v->cv;
    int64_t longest = 0;
    const struct journal_stream stream = {.journal = v->journal};
    DCPN_TRY(dcpn_paths_fit_by(v->context, v->problem, settings, options, &stream, &cv->paths));
    DCPN_TRY(number_points(cv));
    for (int64_t p = 0; p < cv->paths->count; p++)
        if (cv->paths->paths[p].count > longest) longest = cv->paths->paths[p].count;
    v->done = cv->first[cv->paths->count];
    v->total = all_fits(v, v->done, longest);
    return allocate_results(v);
}

/* Adds the stability selection. It is left out if it was cut short, since frequencies over some of the subsamples,
 * or over paths cut short, would be too low. */
static dcpn_status add_stability(struct validation *v, const struct subset_source *source)
{
    dcpn_cv *cv = v->cv;
    int is_cut;
    v->total = v->done + v->options->subsamples * dcpn_cv_stability_reach(cv);
    DCPN_TRY(dcpn_cv_stability(cv, source, v->options, v->strata, &is_cut));
    if (!is_cut && !is_stopped(v)) return DCPN_OK;
    dcpn_stability_free(cv->context, cv->stability);
    cv->stability = NULL;
    cv->ending.is_complete = 0;
    return DCPN_OK;
}

/* Opens the journal. Its key is that of the paths together with the folds, given or as they are drawn, and the
 * subsamples. */
static dcpn_status open_journal(struct validation *v, const dcpn_settings *settings, const dcpn_path_options *path)
{
    const dcpn_cv_options *o = v->options;
    struct journal_key key;
    if (!o->path.checkpoint && !o->path.resume) return DCPN_OK;
    DCPN_TRY(dcpn_paths_key(v->context, v->problem, settings, path, &key));
    const uint64_t folds[] = {key.settings,          (uint64_t)v->cv->folds,       (uint64_t)v->cv->draw.repeats,
                              v->cv->draw.seed,      (uint64_t)o->is_unstratified, (uint64_t)o->subsamples,
                              (uint64_t)o->patience, (uint64_t)o->compares,        (uint64_t)o->relaxes,
                              dcpn_cv_hash_folds(v)};
    key.settings = dcpn_checksum(folds, sizeof folds);
    return dcpn_paths_journal(v->context, &o->path, &key, &v->journal);
}

/* Is this a comparison with groups? There nothing is refitted, and neither shapes nor searches are compared. */
static int is_of_groups(const struct validation *v)
{
    const dcpn_problem *problem = v->problem;
    return v->options->compares && problem->groups.count && !problem->unlabelled && !problem->zero_is_no_label;
}

static dcpn_status validate(struct validation *v, const dcpn_settings *asked)
{
    dcpn_cv *cv = v->cv;
    dcpn_path_options options = v->options->path;
    dcpn_settings of_comparison = *asked;
    const dcpn_settings *settings = &of_comparison;
    options.is_by_size |= v->options->relaxes || options.features_kept;
    double *ridges = v->options->relaxes || options.features_kept ? NULL : v->refit_ridges;
    if (cv->compares) DCPN_TRY(dcpn_comparison_set(v->context, v->problem, &of_comparison, &options, ridges));
    if (is_of_groups(v)) dcpn_comparison_of_groups(&options);
    DCPN_TRY(dcpn_rule_check_penalties(v->context, v->options->rule, settings, &options));
    options.observer = observe;
    options.user = v;
    DCPN_TRY(set_measures(v, settings));
    int by_class = v->loss->targets != DCPN_NUMBERS && !v->options->is_unstratified && !v->exact;
    DCPN_TRY(dcpn_cv_set_strata(v, by_class));
    cv->draw.is_stratified = by_class && cv->draw.is_drawn;
    DCPN_TRY(dcpn_cv_set_folds(v));
    DCPN_TRY(open_journal(v, settings, &options));
    DCPN_TRY(fit_paths(v, settings, &options));
    struct subset_source source = {v->context,    v->problem, cv->paths, options,
                                   v->started_at, v->journal, v->exact,  count_done};
    if (!is_stopped(v)) DCPN_TRY(work_on_folds(v, &source));
    if (!cv->ending.is_complete || cv->choice.min.path < 0 || v->options->subsamples == 0) return DCPN_OK;
    return add_stability(v, &source);
}

/* Is the measure that chooses the deviance of the squared loss, by either name? */
static int is_of_squares(const char *measure, const char *loss)
{
    int is_deviance = !measure || strcmp(measure, "deviance") == 0 || strcmp(measure, "mse") == 0;
    return is_deviance && strcmp(loss, "squared") == 0;
}

/* Returns the rule that chooses if the caller named none. A comparison of two classes takes a criterion, because
 * refits are overconfident on the rows of a fold, the more so the more features they have, so that their deviance
 * there would choose too few features. Where that criterion could choose among a few features only, it is l1: so few
 * rows do not tell models apart, and of many the best on the folds is the best by chance. */
static const char *usual_rule(const dcpn_cv_options *o, int compares, const dcpn_problem *problem, const char *loss)
{
    double rows = dcpn_problem_counted_rows(problem), features = (double)dcpn_problem_features(problem);
    const char *rule = "paired";
    if (o->path.features_kept)
        rule = "kept";
    else if (!compares)
        rule = "1se";
    else if (strcmp(loss, "logistic") == 0)
        rule = dcpn_usual_most_features(rows, features) >= CRITERION_LEAST_FEATURES || rows >= features ? "sized"
               : o->relaxes                                                                             ? "min"
                                                                                                        : "convex";
    else if (o->relaxes)
        rule = "min";
    else if (is_of_squares(o->measure, loss))
        rule = "earned";
    return dcpn_rule_named(rule);
}

dcpn_status dcpn_cv_run(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                        const dcpn_cv_options *options, dcpn_cv **cv)
{
    const dcpn_cv_options none = {0};
    const dcpn_settings standard = dcpn_settings_default();
    struct validation v = {.context = context, .options = options ? options : &none, .started_at = dcpn_clock_s()};
    DCPN_NEED(context, context, cv);
    *cv = NULL;
    DCPN_NEED(context, problem);
    if (!settings) settings = &standard;
    const dcpn_problem seen = dcpn_problem_seen_by(problem, settings);
    v.problem = &seen;
    DCPN_TRY(dcpn_settings_check(context, settings));
    dcpn_ranks_begin(context);
    if (problem->A) v.place = dcpn_ranks_place(context, problem->A->rows);
    if (dcpn_sums_are_exact(context, settings)) v.exact = &v.place;
    dcpn_cv_options agreed = *v.options;
    if (agreed.fold_of) dcpn_ranks_max(context, &agreed.folds, 1); /* a rank may have no row of the last fold */
    v.options = &agreed;
    DCPN_TRY(dcpn_ranks_status(context));
    DCPN_TRY(dcpn_cv_check_options(context, problem, v.place.all, v.options));
    if (v.exact && v.options->path.features_kept)
        return dcpn_fail(context, DCPN_USAGE,
                         "features kept: found %lld with exact sums, to which a search among sets is not known; leave "
                         "one of them out",
                         (long long)v.options->path.features_kept);
    int has_labels = v.exact || (!seen.unlabelled && !seen.zero_is_no_label);
    int compares = v.options->compares && has_labels && !seen.groups.count;
    int64_t repeats = v.options->repeats ? v.options->repeats : 1;
    v.cv = dcpn_allocate(context, 1, sizeof *v.cv);
    if (!v.cv) return dcpn_ranks_end(context, DCPN_MEMORY);
    *v.cv = (dcpn_cv){.context = context,
                      .folds = repeats * (v.options->folds ? v.options->folds : usual_folds(&v)),
                      .draw = {.repeats = repeats, .seed = v.options->seed, .is_drawn = !v.options->fold_of},
                      .choice.min = {-1, -1, NAN, NAN},
                      .choice.sparse = {-1, -1, NAN, NAN},
                      .choice.chosen = {-1, -1, NAN, NAN},
                      .compares = compares,
                      .choice.rule = v.options->rule ? dcpn_rule_named(v.options->rule)
                                                     : usual_rule(v.options, compares, &seen, settings->loss)};
    dcpn_mutex_init(&v.mutex);
    dcpn_status status = dcpn_ranks_end(context, validate(&v, settings));
    dcpn_mutex_destroy(&v.mutex);
    v.cv->ending.time_s = dcpn_clock_s() - v.started_at;
    dcpn_free(context, v.fold_of);
    dcpn_free(context, v.strata);
    dcpn_free(context, v.reached);
    if (status == DCPN_OK && !v.cv->ending.is_complete) dcpn_journal_write(v.journal);
    dcpn_journal_free(v.journal);
    if (status == DCPN_OK)
        *cv = v.cv;
    else
        dcpn_cv_free(v.cv);
    return status;
}

void dcpn_cv_free(dcpn_cv *cv)
{
    if (!cv) return;
    dcpn_paths_free(cv->paths);
    dcpn_stability_free(cv->context, cv->stability);
    dcpn_held_out_free(cv->context, cv->held_out);
    dcpn_free(cv->context, cv->sizes);
    dcpn_free(cv->context, cv->weights);
    dcpn_free(cv->context, cv->first);
    dcpn_free(cv->context, cv->value);
    dcpn_free(cv->context, cv->mean);
    dcpn_free(cv->context, cv->se);
    dcpn_free(cv->context, cv->outcome);
    dcpn_free(cv->context, cv->nonzeros);
    dcpn_free(cv->context, cv->best);
    dcpn_free(cv->context, cv->one_se);
    dcpn_free(cv->context, cv);
}
