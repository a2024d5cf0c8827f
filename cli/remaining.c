/* SPDX-License-Identifier: BSD-3-Clause */
/* With W(d) the time at which d of the D fits to all the data were done, a fold that has done r of them counts as
 *     w = (W(r) + min(W(r + 1) - W(r), time since then)) / W(D)
 * folds. Where folds worth w have taken t seconds and K are to be done, (K - w) (t + a g) / (w + a) seconds are left, g
 * being the guess before there was any, which weighs as much as a folds. */
#include "remaining.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GUESS_WEIGHT 0.2    /* a */
#define SEARCH_TIME 1.6     /* of a path that is searched, in times of its descent */
#define SEVERAL_GROWTH 1.3
#define USUAL_GROWTH 2.0
#define MOST_GROWTH 3.0

/* Times of a fold as a share of that of the paths on all the data, where folds do the same and where they end early and
 * search less: 0.5 to 0.85, and 0.2 to 0.85 (six problems). */
#define SAME_FOLD_TIME 0.75
#define SHORTER_FOLD_TIME 0.5

/* Guess: times of a subsample, which has half of the rows and follows one path as far as the chosen lambda, as shares
 * of that of a fold: 0.1 to 0.7 of one penalty, 0.2 to 0.4 of a comparison (nine problems). */
#define SUBSAMPLE_TIME 0.35
#define COMPARED_SUBSAMPLE_TIME 0.22
#define SUBSAMPLE_SETUP 0.17 /* of one penalty it is this and the share of the path that its first half takes */

enum { FEW_POINTS = 8, USUAL_FOLDS = 10, LAMBDAS_TO_COMPARE = 50 };

struct work_ahead dcpn_cli_work_ahead(const dcpn_cv_options *o, int64_t rows, int has_groups, const char *penalty,
                                      int threads)
{
    int64_t usual = rows < USUAL_FOLDS ? rows : USUAL_FOLDS, repeats = o->repeats > 1 ? o->repeats : 1;
    int is_same = o->compares || strcmp(penalty, "l1") == 0;
    int64_t lambdas = o->compares && !has_groups ? LAMBDAS_TO_COMPARE : DCPN_CLI_USUAL_LAMBDAS;
    return (struct work_ahead){.folds = repeats * (o->folds ? o->folds : usual),
                               .subsamples = o->subsamples,
                               .lambdas = o->path.lambda_count ? o->path.lambda_count : lambdas,
                               .threads = threads,
                               .subsample_time = o->compares ? COMPARED_SUBSAMPLE_TIME : SUBSAMPLE_TIME,
                               .fold_time = is_same ? SAME_FOLD_TIME : SHORTER_FOLD_TIME};
}

/* A descent goes down the path; lambda rises without a fit being done when lower ends are searched for. */
static void look(struct fold_seen *seen, int64_t done, double elapsed_s, const dcpn_path_progress *p)
{
    int is_new = seen->fold != p->fold || seen->lambda == 0.0, is_same = !is_new && done == seen->done;
    int is_searching = is_same && (seen->is_searching || p->lambda > seen->lambda * (1.0 + 1e-9));
    *seen = (struct fold_seen){p->fold, done, is_same ? seen->since_s : elapsed_s, p->lambda, is_searching};
}

/* ---- the paths on all the data ---- */

/* Notes the time at which so many fits were done. Returns 0 if there is no room for that, and then nothing is known. */
static int note(struct remaining *r, int64_t done, double elapsed_s)
{
    if (done >= r->capacity) {
        int64_t capacity = done + 256 > 2 * r->capacity ? done + 256 : 2 * r->capacity;
        double *larger = realloc(r->reached_s, (size_t)capacity * sizeof *larger);
        if (!larger) return 0;
        r->reached_s = larger;
        r->capacity = capacity;
    }
    while (r->count <= done) r->reached_s[r->count++] = elapsed_s;
    return 1;
}

/* The time at which d fits were done; beyond the last count that was noted, the time at which all were. */
static double reached(const struct remaining *r, int64_t d)
{
    return d < r->count ? r->reached_s[d] : r->whole_s;
}

/* The power of the points that are done by which the time of a path grows, from when half of them were done. */
static double growth(const struct remaining *r, double elapsed_s, int64_t done)
{
    double half_s = r->reached_s[done / 2];
    if (done < FEW_POINTS || !(half_s > 0.0)) return USUAL_GROWTH;
    return fmin(fmax(log2(elapsed_s / half_s), 1.0), MOST_GROWTH);
}

/* Do so many points belong to one path? A penalty that is not convex may have two. */
static int is_one_path(const struct remaining *r, int64_t points)
{
    return (double)points < 1.5 * (double)r->ahead.lambdas;
}

/* The time of a path grows as a power of the points that are done, and one that is not convex is searched afterwards;
 * several paths follow one another, those that are searched among them. */
static double whole_time(const struct remaining *r, double elapsed_s, const dcpn_path_progress *p)
{
    double points = (double)(p->total - r->ahead.subsamples * r->ahead.lambdas) / (double)(r->ahead.folds + 1);
    double share = fmin(1.0, fmax((double)p->done, 0.5) / fmax(points, 1.0));
    int is_one = is_one_path(r, (int64_t)points);
    double search = is_one && strcmp(p->penalty, "l1") != 0 ? SEARCH_TIME : 1.0;
    if (is_one && r->whole.is_searching) return fmax(elapsed_s, search * r->whole.since_s);
    if (share < 1.0) return search * elapsed_s / pow(share, is_one ? growth(r, elapsed_s, p->done) : SEVERAL_GROWTH);
    return fmax(elapsed_s, search * r->whole.since_s);
}

static double left_of_whole(struct remaining *r, double elapsed_s, const dcpn_path_progress *p)
{
    if (!note(r, p->done, elapsed_s)) return (double)NAN;
    look(&r->whole, p->done, elapsed_s, p);
    double whole = whole_time(r, elapsed_s, p);
    double folds = (double)r->ahead.folds + r->ahead.subsample_time * (double)r->ahead.subsamples;
    double at_once = fmax(1.0, fmin((double)r->ahead.threads, (double)r->ahead.folds));
    double left = whole - elapsed_s + whole * r->ahead.fold_time * folds / at_once;
    return left > 0.0 ? left : (double)NAN;
}

/* ---- the folds ---- */

static double worth(const struct remaining *r, const struct fold_seen *seen, double elapsed_s)
{
    int64_t done = seen->is_searching ? r->points : seen->done;
    double before = reached(r, done), step = (done < r->points ? reached(r, done + 1) : r->whole_s) - before;
    return fmin((before + fmin(step, elapsed_s - seen->since_s)) / r->whole_s, 1.0);
}

/* The folds before those that are in work are done. */
static double folds_worth(const struct remaining *r, double elapsed_s)
{
    int64_t in_work = r->ahead.threads > 1 ? r->ahead.threads : 1, first = r->last_fold + 1 - in_work;
    double sum = first > 0 ? (double)first : 0.0;
    for (int64_t f = first > 0 ? first : 0; f <= r->last_fold; f++) {
        const struct fold_seen *seen = &r->seen[f % DCPN_CLI_FOLDS_SEEN];
        sum += seen->fold == f ? worth(r, seen, elapsed_s) : 0.0;
    }
    return sum;
}

/* Notes how many fits of a fold are done. p->done counts those of folds that are done as a whole, too. */
static void look_at_fold(struct remaining *r, double elapsed_s, const dcpn_path_progress *p)
{
    struct fold_seen *seen = &r->seen[p->fold % DCPN_CLI_FOLDS_SEEN];
    int64_t done = (p->done - r->points) % r->points;
    if (done == 0 && seen->fold == p->fold && seen->done > 0) done = r->points;
    look(seen, done, elapsed_s, p);
    if (p->fold > r->last_fold) r->last_fold = p->fold;
}

static double left_of_folds(struct remaining *r, double elapsed_s, const dcpn_path_progress *p)
{
    look_at_fold(r, elapsed_s, p);
    int64_t again =
        p->total > r->total ? (p->total - r->total) / r->points : 0; /* folds that are fitted a second time */
    double all = (double)(r->ahead.folds + again), at_once = fmax(1.0, fmin((double)r->ahead.threads, all));
    double done = fmax(folds_worth(r, elapsed_s), (double)((p->done - r->points) / r->points) - 1.0);
    double guess = GUESS_WEIGHT * r->ahead.fold_time * r->whole_s / at_once;
    double each = (elapsed_s - r->whole_s + guess) / (done + GUESS_WEIGHT);
    return (fmax(all - done, 0.0) + r->ahead.subsample_time * (double)r->ahead.subsamples) * each;
}

static void begin_folds(struct remaining *r, double elapsed_s, const dcpn_path_progress *p)
{
    r->points = p->done;
    r->total = p->total;
    r->whole_s = elapsed_s;
    if (is_one_path(r, r->points)) r->ahead.subsample_time = SUBSAMPLE_SETUP + reached(r, r->points / 2) / elapsed_s;
    for (int k = 0; k < DCPN_CLI_FOLDS_SEEN; k++) r->seen[k].fold = -1;
}

/* ---- the subsamples, which take about the same time each ---- */

static double left_of_subsamples(struct remaining *r, double elapsed_s, const dcpn_path_progress *p)
{
    if (r->sampled_s == 0.0) {
        r->sampled_s = elapsed_s;
        r->sampled_from = p->done;
    }
    double done = (double)(p->done - r->sampled_from), all = (double)(p->total - r->sampled_from);
    return done > 0.0 ? (elapsed_s - r->sampled_s) / done * (all - done) : (double)NAN;
}

/* Their number of lambdas, which is that of the chosen one, is known when the folds are done, and mostly smaller. */
static int is_sampling(const struct remaining *r, const dcpn_path_progress *p)
{
    int64_t again = p->total > r->total ? (p->total - r->total) / r->points : 0;
    return r->ahead.subsamples > 0 && (p->total < r->total || p->done >= r->points * (1 + r->ahead.folds + again));
}

double dcpn_cli_remaining(struct remaining *r, double elapsed_s, const dcpn_path_progress *p)
{
    if (r->ahead.lambdas == 0)
        return p->done > 0 ? elapsed_s / (double)p->done * (double)(p->total - p->done) : (double)NAN;
    if (p->fold < 0) return r->points == 0 ? left_of_whole(r, elapsed_s, p) : (double)NAN;
    if (r->points == 0 && p->done > 0 && elapsed_s > 0.0) begin_folds(r, elapsed_s, p);
    if (r->points == 0 || r->ahead.folds == 0) return (double)NAN;
    if (r->sampled_s > 0.0 || is_sampling(r, p)) return left_of_subsamples(r, elapsed_s, p);
    return left_of_folds(r, elapsed_s, p);
}

void dcpn_cli_remaining_free(struct remaining *r)
{
    free(r->reached_s);
    r->reached_s = NULL;
    r->count = r->capacity = 0;
}
