/* SPDX-License-Identifier: BSD-3-Clause */
/* Domain adaptation by optimal transport with the lp-l1 norm over classes (Courty, Flamary, Tuia 2014), the paper's
 * example of groups under a non-convex penalty.
 *
 * Labelled source points s and target points t without labels are two half moons each, the target's turned. A plan G
 * moves the weight of the source to the target, G_st >= 0 from s to t:
 *     f(G) = sum_st C_st G_st + rho/2 (|G 1 - a|^2 + |G'1 - b|^2) + ridge/2 |G|^2,   C_st = |s - t|^2
 *     h(G) = lambda sum_t sum_c ((sum of G_st over s in class c) + eps)^p - eps^p
 * With p < 1 it is cheap that what arrives at a target point comes from one class, which is then its label: the plan
 * respects the classes of the source. The groups are the pairs of a class and a target point, and the grouping "sum"
 * with lp is this h. */
#include <dcpn/dcpn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOURCE = 40, TARGET = 40, CLASSES = 2, SIZE = SOURCE * TARGET, GROUPS = CLASSES * TARGET };
static const double RHO = 4e3, TURN = 0.7 /* radians */, PI = 3.14159265358979323846;

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

/* ---- the points: the first half of each domain is the upper moon ---- */

struct points {
    double source[SOURCE][2], target[TARGET][2];
};

static void moon(int k, int count, double turn, double *point)
{
    int upper = k < count / 2;
    double angle = PI * (k % (count / 2) + 0.5) / (count / 2), wiggle = 0.06 * sin(37.0 * k);
    double x = (upper ? cos(angle) : 1.0 - cos(angle)) + wiggle - 0.5;
    double y = (upper ? sin(angle) : 0.5 - sin(angle)) + 0.06 * cos(53.0 * k) - 0.25;
    point[0] = cos(turn) * x - sin(turn) * y;
    point[1] = sin(turn) * x + cos(turn) * y;
}

static int class_of(int k, int count)
{
    return k < count / 2 ? 0 : 1;
}

/* ---- f, G being stored target by target ---- */

static double cost(const struct points *p, int s, int t)
{
    double x = p->source[s][0] - p->target[t][0], y = p->source[s][1] - p->target[t][1];
    return x * x + y * y;
}

/* What leaves each source point and arrives at each target point too much. */
static void margins(const double *G, double *leaves, double *arrives)
{
    for (int s = 0; s < SOURCE; s++) leaves[s] = -1.0 / SOURCE;
    for (int t = 0; t < TARGET; t++) {
        arrives[t] = -1.0 / TARGET;
        for (int s = 0; s < SOURCE; s++) {
            leaves[s] += G[t * SOURCE + s];
            arrives[t] += G[t * SOURCE + s];
        }
    }
}

static double value(void *points, const double *G)
{
    double leaves[SOURCE], arrives[TARGET], sum = 0.0;
    margins(G, leaves, arrives);
    for (int s = 0; s < SOURCE; s++) sum += 0.5 * RHO * leaves[s] * leaves[s];
    for (int t = 0; t < TARGET; t++) {
        sum += 0.5 * RHO * arrives[t] * arrives[t];
        for (int s = 0; s < SOURCE; s++) sum += cost(points, s, t) * G[t * SOURCE + s];
    }
    return sum;
}

static void gradient(void *points, const double *G, double *g)
{
    double leaves[SOURCE], arrives[TARGET];
    margins(G, leaves, arrives);
    for (int t = 0; t < TARGET; t++)
        for (int s = 0; s < SOURCE; s++) g[t * SOURCE + s] = cost(points, s, t) + RHO * (leaves[s] + arrives[t]);
}

/* ---- the plan, and the labels it gives ---- */

struct labels {
    int right; /* target points whose weight comes mostly from their own class */
    int mixed; /* and those that have weight from both */
};

static struct labels labels_of(const double *G)
{
    struct labels labels = {0, 0};
    for (int t = 0; t < TARGET; t++) {
        double from[CLASSES] = {0.0};
        for (int s = 0; s < SOURCE; s++) from[class_of(s, SOURCE)] += G[t * SOURCE + s];
        labels.right += (from[1] > from[0]) == class_of(t, TARGET);
        labels.mixed += fmin(from[0], from[1]) > 1e-6;
    }
    return labels;
}

static struct labels solve(dcpn_context *context, struct points *points, double lambda)
{
    static double lower[SIZE], start[SIZE];
    static int64_t first[GROUPS + 1], member[SIZE];
    const dcpn_smooth f = {
        .size = SIZE, .value1 = value, .gradient1 = gradient, .user = points, .lipschitz1 = RHO * (SOURCE + TARGET)};
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    for (int g = 0; g <= GROUPS; g++) first[g] = (int64_t)g * SOURCE / CLASSES; /* classes follow each other */
    for (int j = 0; j < SIZE; j++) {
        member[j] = j;
        start[j] = 1.0 / SIZE; /* all to all: at 0 the slope of lp is so steep that nothing would leave it */
    }
    must(context, dcpn_problem_new_smooth(context, &f, &problem));
    must(context, dcpn_problem_set_bounds(problem, lower, NULL));
    must(context, dcpn_problem_set_groups(problem, GROUPS, first, member, NULL));
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "penalty=lp grouping=sum p=0.5 eps=0.001 ridge=4"));
    must(context, dcpn_settings_set_all(settings, "tol=0.001 max-iter=20000"));
    must(context, dcpn_settings_set_real(settings, "lambda", lambda));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_set_start(solver, start, 0.0));
    must(context, dcpn_solver_run(solver));
    const dcpn_result *result = dcpn_solver_result(solver);
    struct labels labels = labels_of(dcpn_solver_coefficients(solver));
    printf("lambda %.2f: %s, F = %.4f, %.0f of %d entries, %d of %d targets from both classes, %d right\n", lambda,
           dcpn_outcome_name(dcpn_result_outcome(result)), dcpn_result_number(result, "objective"),
           dcpn_result_number(result, "nonzeros"), SIZE, labels.mixed, TARGET, labels.right);
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    return labels;
}

int main(void)
{
    static struct points points;
    dcpn_context *context = dcpn_context_new(NULL);
    if (!context) return 1;
    for (int s = 0; s < SOURCE; s++) moon(s, SOURCE, 0.0, points.source[s]);
    for (int t = 0; t < TARGET; t++) moon(t, TARGET, TURN, points.target[t]);
    struct labels without = solve(context, &points, 0.0), with = solve(context, &points, 0.04);
    dcpn_context_free(context);
    return with.mixed < without.mixed / 4 && with.right >= without.right ? 0 : 1;
}
