/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison that is made where nobody has named a penalty. It compares l1, which shrinks and keeps many
 * features; mcp with a softer and a sharper shape, by plain descents and by search; and, for each number of
 * features, the best of the models on these paths, refitted, without shrinkage and with two ridges. Paths end where
 * there are too many features for any of them to be told from noise, or where lambda is so small that noise alone
 * brings features in.
 *
 * A model that separates classes has no minimiser if the penalty is flat far out, or if there is none. A ridge
 * of a hundredth of the curvature of f gives it one: it bounds the coefficients of such a model, and changes those
 * of others by about a hundredth of themselves. */
#include "selection/comparison.h"

#include <string.h>

#include "base/context.h"
#include "base/tuning.h"
#include "workspace/plan.h"

static const char *const penalties[] = {"l1", "mcp"};
static const double shapes[] = {3.0, 1.5};
static const double shares[] = {COMPARISON_LESS_SHRUNK, COMPARISON_MORE_SHRUNK};

static void set_ridge(const struct plan *plan, dcpn_settings *settings)
{
    const dcpn_loss_ops *loss = plan->parts.loss;
    int has_tail = (loss->targets == DCPN_CLASSES && loss->response.probability) || loss->shares ||
                   loss->targets == DCPN_ORDERED_CLASSES;
    if (has_tail && settings->ridge == 0.0 && plan->shape_unit > 0.0)
        settings->ridge = COMPARISON_RIDGE / plan->shape_unit;
}

/* May models be refitted? That needs columns that are used once, a loss that is a sum over rows with a second
 * derivative, and no bounds. */
static int may_refit(const struct plan *plan)
{
    const dcpn_problem *problem = &plan->given;
    if (plan->targets.scores > 1 || plan->targets.ordered.count) return 0;
    return !problem->groups.count && !problem->lower && !problem->upper &&
           !problem->unlabelled && !problem->zero_is_no_label && plan->parts.loss->curvature1 &&
           !plan->parts.loss->product1;
}

/* Returns how many features a path may have: the usual number, or more if the caller wants to keep more. */
static int64_t most_of(const dcpn_path_options *o, int64_t usual)
{
    return o->features_kept > usual ? o->features_kept : usual;
}

/* Sets the ridges of refitted models, in the unit of the curvature of f. */
static void set_refit_ridges(const struct plan *plan, const dcpn_settings *settings, double *ridges,
                             dcpn_path_options *o)
{
    int is_measured = strcmp(settings->loss, "squared") == 0 || strcmp(settings->loss, "logistic") == 0;
    if (!o->is_by_size || !ridges || !is_measured || settings->ridge > 0.0 || !(plan->shape_unit > 0.0)) return;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) ridges[k] = shares[k] / plan->shape_unit;
    ridges[sizeof shares / sizeof *shares] = 0.0;
    o->refit_ridges = ridges;
}

static void set_options(const struct plan *plan, dcpn_path_options *o)
{
    double rows = dcpn_problem_counted_rows(&plan->given), features = (double)dcpn_problem_features(&plan->given);
    if (!o->lambdas && !o->lambda_count) o->lambda_count = COMPARISON_LAMBDAS;
    if (!(o->min_ratio > 0.0) && o->least_noise == 0.0) o->least_noise = COMPARISON_NOISE;
    if (!(o->min_ratio > 0.0)) o->min_ratio = rows > features ? COMPARISON_RATIO_TALL : COMPARISON_RATIO_WIDE;
    if (!o->most_features) o->most_features = most_of(o, dcpn_usual_most_features(rows, features));
    o->penalties = penalties;
    o->penalty_count = sizeof penalties / sizeof *penalties;
    o->values = shapes;
    o->value_count = sizeof shapes / sizeof *shapes;
    o->is_twofold = 1;
    o->is_by_size |= may_refit(plan);
}

dcpn_status dcpn_comparison_set(dcpn_context *context, const dcpn_problem *problem, dcpn_settings *settings,
                                dcpn_path_options *options, double *ridges)
{
    dcpn_settings of_mcp = *settings;
    struct plan *plan;
    of_mcp.penalty = "mcp";
    if (!problem->A || problem->penalty || problem->h || options->penalties || options->values)
        return dcpn_fail(context, DCPN_USAGE,
                         "comparison: found %s, expected neither a penalty of your own nor names nor shapes of some",
                         !problem->A ? "no matrix" : "a penalty that was chosen");
    DCPN_TRY(dcpn_plan_new(context, problem, &of_mcp, 0, &plan));
    set_options(plan, options);
    set_refit_ridges(plan, settings, ridges, options);
    set_ridge(plan, settings);
    dcpn_plan_free(plan);
    return DCPN_OK;
}

void dcpn_comparison_of_groups(dcpn_path_options *options)
{
    if (options->penalties) return;
    options->penalties = penalties;
    options->penalty_count = sizeof penalties / sizeof *penalties;
}
