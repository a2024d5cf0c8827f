/* SPDX-License-Identifier: BSD-3-Clause */
/* Two variables, one of which a method with a linearised penalty leaves at 0 although moving it would pay:
 *     F(x) = 1/2 (x_1 - 0.3 x_2 - 0.6)^2 + 1/2 (x_2 - 3)^2 + lambda min(|x_1|, theta) + lambda min(|x_2|, theta)
 * with lambda = 2, theta = 0.2. The least F is 2 lambda theta = 0.8, at (1.5, 3). */
#include "plane.h"

#include "plot/figure.h"
#include "speech.h"
#include "trial.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double A[4] = {1.0, 0.0, -0.3, 1.0}; /* by columns */
static const double Y[2] = {0.6, 3.0}, LAMBDA = 2.0, THETA = 0.2;
enum { MOST_STEPS = 30, GRID = 241 };
static const double GRID_BEGIN = -0.4, GRID_STEP = 0.01;

struct point {
    double x[2], objective;
};
struct path {
    int count;
    struct point at[MOST_STEPS + 1];
};

static double smooth(double x1, double x2)
{
    double first = A[0] * x1 + A[2] * x2 - Y[0], second = A[1] * x1 + A[3] * x2 - Y[1];
    return 0.5 * first * first + 0.5 * second * second;
}

static double capped(double t)
{
    return LAMBDA * fmin(fabs(t), THETA);
}

/* min over x_2 of f + h(x_2): f is a parabola in x_2 of curvature C, and x_2 > 0 here. */
static double best_over_x2(double x1)
{
    const double C = A[2] * A[2] + A[3] * A[3], B = A[2] * (Y[0] - A[0] * x1) + A[3] * (Y[1] - A[1] * x1);
    double near = fmin(fmax((B - LAMBDA) / C, 0.0), THETA), far = fmax(B / C, THETA);
    return fmin(smooth(x1, near) + capped(near), smooth(x1, far) + capped(far));
}

/* The point after at most k steps: the observer is not shown x. */
static int run(const struct lab *lab, const dcpn_problem *problem, const struct method *method, int64_t k,
               struct point *point, int *finished)
{
    dcpn_settings settings = dcpn_settings_default();
    dcpn_solver *solver = NULL;
    settings.loss = "squared";
    settings.penalty = "capped-l1";
    settings.lambda = LAMBDA;
    settings.theta = THETA;
    settings.shape_units = "raw";
    settings.algorithm = method->algorithm;
    settings.metric = method->metric;
    settings.subsolver = method->subsolver;
    settings.max_iter = k;
    settings.tol = 1e-8;
    int code = dcpn_exp_check(lab, dcpn_solver_new(lab->context, problem, &settings, &solver));
    if (!code) code = dcpn_exp_check(lab, dcpn_solver_run(solver));
    if (!code) {
        memcpy(point->x, dcpn_solver_coefficients(solver), sizeof point->x);
        point->objective = dcpn_solver_result(solver)->objective;
        *finished = dcpn_solver_result(solver)->outcome != DCPN_MAX_ITERATIONS;
    }
    dcpn_solver_free(solver);
    return code;
}

static int follow(const struct lab *lab, const dcpn_problem *problem, const struct method *method, struct path *path)
{
    int code = 0, finished = 0;
    for (path->count = 0; path->count <= MOST_STEPS && !finished && !code; path->count++)
        code = run(lab, problem, method, path->count, &path->at[path->count], &finished);
    return code;
}

static int follow_both(const struct lab *lab, struct path *gist, struct path *dcpn)
{
    dcpn_matrix *matrix = NULL;
    dcpn_problem *problem = NULL;
    int code = dcpn_exp_check(
        lab, dcpn_matrix_dense(lab->context, 2, 2, A, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, 2, DCPN_BORROW, &matrix));
    if (!code) code = dcpn_exp_check(lab, dcpn_problem_new(lab->context, matrix, Y, &problem));
    if (!code) code = follow(lab, problem, &dcpn_exp_methods[METHOD_GIST], gist);
    if (!code) code = follow(lab, problem, &dcpn_exp_methods[METHOD_DCPN], dcpn);
    dcpn_problem_free(problem);
    dcpn_matrix_free(matrix);
    return code;
}

static void write_path(FILE *stream, const char *label, const struct path *path)
{
    for (int k = 0; k < path->count; k++)
        fprintf(stream, "| %s | %d | %.6f | %.6f | %.6f |\n", label, k, path->at[k].x[0], path->at[k].x[1],
                path->at[k].objective);
}

static void write_markdown(FILE *stream, const struct path *gist, const struct path *dcpn)
{
    const struct point *stop = &dcpn->at[dcpn->count - 1];
    double first = A[0] * stop->x[0] + A[2] * stop->x[1] - Y[0], second = A[1] * stop->x[0] + A[3] * stop->x[1] - Y[1];
    fputs("\n## Two variables\n\n"
          "    F(x) = 1/2 (x_1 - 0.3 x_2 - 0.6)^2 + 1/2 (x_2 - 3)^2 + 2 min(|x_1|, 0.2) + 2 min(|x_2|, 0.2)\n\n"
          "Both start at 0. The least F is 0.8, at (1.5, 3).\n\n"
          "| method | k | x_1 | x_2 | F |\n|---|---|---|---|---|\n",
          stream);
    write_path(stream, dcpn_exp_methods[METHOD_GIST].label, gist);
    write_path(stream, dcpn_exp_methods[METHOD_DCPN].label, dcpn);
    fprintf(stream,
            "\nWhere DC-PN stops, |grad_1 f| = %.6f <= lambda = %g: with h2 linearised at x_1 = 0, moving x_1 costs "
            "lambda per unit for ever, and 0 is the best. The true penalty costs no more than lambda theta = %g.\n\n"
            "![F over x_1, x_2 being the best for each x_1](plane.svg)\n",
            fabs(A[0] * first + A[1] * second), LAMBDA, LAMBDA * THETA);
}

struct profile {
    double x1[GRID], F[GRID], linearised[GRID];
};

static void fill_profile(struct profile *profile)
{
    for (int i = 0; i < GRID; i++) {
        double x1 = GRID_BEGIN + GRID_STEP * i, rest = best_over_x2(x1);
        profile->x1[i] = x1;
        profile->F[i] = rest + capped(x1);
        profile->linearised[i] = rest + LAMBDA * fabs(x1);
    }
}

static int write_csv(const struct lab *lab, const struct profile *profile)
{
    char *path = dcpn_exp_output_path(lab, "plane.csv");
    FILE *stream = path ? fopen(path, "w") : NULL;
    int bad = !stream;
    if (stream) {
        fputs("x1,F,linearised\n", stream);
        for (int i = 0; i < GRID; i++)
            fprintf(stream, "%.17g,%.17g,%.17g\n", profile->x1[i], profile->F[i], profile->linearised[i]);
        bad = ferror(stream);
        bad |= fclose(stream) != 0;
    }
    if (bad) dcpn_exp_say("%s: %s", path ? path : "plane.csv", strerror(errno));
    free(path);
    return bad;
}

static struct figure_series series_of(const char *name, const struct path *path, double *x1, double *F)
{
    for (int k = 0; k < path->count; k++) {
        x1[k] = path->at[k].x[0];
        F[k] = path->at[k].objective;
    }
    return (struct figure_series){.name = name, .count = (size_t)path->count, .x = x1, .y = F};
}

static int draw(const struct lab *lab, const struct profile *profile, const struct path *gist, const struct path *dcpn)
{
    double gist_x[MOST_STEPS + 1], gist_F[MOST_STEPS + 1], dcpn_x[MOST_STEPS + 1], dcpn_F[MOST_STEPS + 1];
    struct figure_series series[] = {
        {.name = "F, x_2 the best for each x_1", .count = GRID, .x = profile->x1, .y = profile->F},
        {.name = "the same, h2(x_1) linearised at 0", .count = GRID, .x = profile->x1, .y = profile->linearised},
        series_of("GIST's steps", gist, gist_x, gist_F),
        series_of("DC-PN's steps", dcpn, dcpn_x, dcpn_F),
    };
    struct figure figure = {.title = "GIST jumps over the hill; DC-PN sees no valley behind it",
                            .x_label = "x_1",
                            .y_label = "objective F",
                            .series_count = 4,
                            .series = series};
    char *path = dcpn_exp_output_path(lab, "plane.svg");
    int code = path ? dcpn_exp_check(lab, dcpn_figure_write(lab->context, path, &figure)) : 1;
    free(path);
    return code;
}

int dcpn_exp_plane(const struct lab *lab, FILE *markdown)
{
    struct path gist, dcpn;
    struct profile profile;
    if (follow_both(lab, &gist, &dcpn)) return 1;
    fill_profile(&profile);
    write_markdown(markdown, &gist, &dcpn);
    return write_csv(lab, &profile) || draw(lab, &profile, &gist, &dcpn);
}
