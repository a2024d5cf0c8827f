/* SPDX-License-Identifier: BSD-3-Clause */
/* Times to events: the partial likelihood and its derivatives against plain loops over risk sets, and optima of other
 * software (statsmodels 0.14 PHReg, lifelines 0.30, scikit-survival 0.25), with ties, strata, late entries and
 * weights. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "loss/loss.h"
#include "loss/survival.h"
#include "selection/concordance.h"
#include "with_context.h"

enum { ROWS = 60, COLUMNS = 4 };

struct patients {
    double X[ROWS * COLUMNS], y[ROWS], start[ROWS], strata[ROWS], weights[ROWS]; /* X by columns */
};

static double entry(int i, int j)
{
    return sin(7.3 * (i + 1) + 1.7 * (j + 1) + (i + 1) * (j + 1));
}

/* The same formulas as in the script that asked the others. Times are halves: many are equal. */
static struct patients patients_new(void)
{
    struct patients p;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) p.X[j * ROWS + i] = entry(i, j);
        double t = 1.0 + ((i * 37) % 23) / 4.0 * exp(-0.8 * entry(i, 0) + 0.5 * entry(i, 1));
        t = 0.5 + 0.5 * floor(2.0 * t);
        p.y[i] = (i * 11) % 3 != 0 ? t : -t;
        p.start[i] = (i % 5) * 0.1499 * t;
        p.strata[i] = i % 3;
        p.weights[i] = 1.0 + (i % 4) / 2.0;
    }
    return p;
}

struct variant {
    const char *ties;
    int has_strata, has_start, has_weights;
};
static const struct variant variants[] = {{"breslow", 0, 0, 0}, {"efron", 0, 0, 0},   {"breslow", 1, 0, 1},
                                          {"efron", 1, 1, 0},   {"breslow", 0, 1, 1}, {"efron", 1, 1, 1}};

/* ---- by plain loops ---- */

static int is_at_risk(const struct patients *p, const struct variant *v, int i, int event)
{
    double t = p->y[event];
    return fabs(p->y[i]) >= t && (!v->has_start || p->start[i] < t) &&
           (!v->has_strata || p->strata[i] == p->strata[event]);
}

static int is_tied(const struct patients *p, const struct variant *v, int i, int event)
{
    return p->y[i] == p->y[event] && (!v->has_strata || p->strata[i] == p->strata[event]);
}

static double weight(const struct patients *p, const struct variant *v, int i)
{
    return v->has_weights ? p->weights[i] : 1.0;
}

/* Sum over the events, each by itself: of m at one time, event number l has the risk set less l / m of the tied. */
static long double naive(const struct patients *p, const struct variant *v, const double *u)
{
    long double sum = 0.0L;
    for (int e = 0; e < ROWS; e++) {
        long double risk = 0.0L, tied = 0.0L, mean = 0.0L;
        int count = 0, before = 0;
        if (p->y[e] < 0.0) continue;
        for (int i = 0; i < ROWS; i++) {
            long double x = weight(p, v, i) * expl(u[i]);
            risk += is_at_risk(p, v, i, e) ? x : 0.0L;
            if (!is_tied(p, v, i, e)) continue;
            tied += x;
            mean += weight(p, v, i);
            before += i < e;
            count++;
        }
        int is_efron = strcmp(v->ties, "efron") == 0;
        long double w = is_efron ? mean / count : weight(p, v, e);
        sum +=
            w * logl(is_efron ? risk - (long double)before / count * tied : risk) - weight(p, v, e) * (long double)u[e];
    }
    return sum;
}

static struct survival *survival_of(const struct patients *p, const struct variant *v)
{
    struct survival *s = NULL;
    const struct survival_rows given = {.rows = ROWS,
                                        .y = p->y,
                                        .weights = v->has_weights ? p->weights : NULL,
                                        .start = v->has_start ? p->start : NULL,
                                        .strata = v->has_strata ? p->strata : NULL,
                                        .is_efron = strcmp(v->ties, "efron") == 0};
    assert_int_equal(dcpn_survival_new(context, &given, &s), DCPN_OK);
    return s;
}

static void draw(struct rng *rng, double size, double *u)
{
    for (int i = 0; i < ROWS; i++) u[i] = size * dcpn_rng_normal(rng);
}

static void likelihood_and_derivatives(void **state)
{
    const struct patients p = patients_new();
    (void)state;
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        const struct variant *v = &variants[k];
        struct rng rng;
        double u[ROWS], du[ROWS], r[ROWS], ahead[ROWS], behind[ROWS], there[ROWS], Hd[ROWS], c[ROWS], w[ROWS];
        for (int i = 0; i < ROWS; i++) w[i] = 0.25 * weight(&p, v, i);
        const dcpn_loss loss = {.ops = &dcpn_loss_cox, .rows = ROWS, .y = p.y, .w = w, .user = survival_of(&p, v)};
        dcpn_rng_seed(&rng, 7 + k);
        for (int trial = 0; trial < 20; trial++) {
            const double h = 1e-5;
            double slope = 0.0, form = 0.0, above = 0.0;
            draw(&rng, trial % 4 ? 1.0 : trial % 8 ? 6.0 : 90.0, u); /* of hazards that differ by up to 1e200, too */
            draw(&rng, 1.0, du);
            long double value = 0.25L * naive(&p, v, u);
            assert_true(fabsl(dcpn_loss_cox.value(&loss, 0, ROWS, u) - value) <= 1e-12L * (1.0L + fabsl(value)));
            /* short and long steps, and of all rows the same */
            const double steps[] = {1e-9, 1e-3, 0.05, 1.0, 8.0};
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
                for (int i = 0; i < ROWS; i++) there[i] = u[i] + steps[s] * (du[i] + 3.0);
                for (int i = 0; i < ROWS; i++) ahead[i] = du[i] + 3.0;
                long double change = 0.25L * (naive(&p, v, there) - naive(&p, v, u));
                double found = dcpn_loss_cox.change(&loss, 0, ROWS, u, ahead, steps[s]);
                if (!(fabsl(found - change) <= 1e-11L * fabsl(change) + 2e-12L + 1e-15L * fabsl(value)))
                    fail_msg("step %g: found %.17g, expected %.17Lg, value %Lg", steps[s], found, change, value);
            }
            dcpn_loss_cox.slope1(&loss, 0, ROWS, u, r);
            dcpn_loss_cox.curvature1(&loss, 0, ROWS, u, c);
            dcpn_loss_cox.product1(&loss, u, du, Hd);
            for (int i = 0; i < ROWS; i++) {
                slope += r[i] * du[i];
                form += Hd[i] * du[i];
                above += c[i] * du[i] * du[i];
                there[i] = u[i] + h * du[i];
                ahead[i] = u[i] - h * du[i];
            }
            double difference = (double)(0.25L * (naive(&p, v, there) - naive(&p, v, ahead))) / (2.0 * h);
            assert_true(fabs(slope - difference) <= 1e-8 * (1.0 + fabs(slope)));
            for (int i = 0; i < ROWS; i++) ahead[i] = 700.0 * i; /* no step is taken to scores so far apart */
            assert_true(dcpn_loss_cox.change(&loss, 0, ROWS, u, ahead, 1.0) == HUGE_VAL);
            for (int i = 0; i < ROWS; i++) ahead[i] = u[i] - h * du[i];
            assert_true(form >= 0.0 && form <= above * (1.0 + 1e-12)); /* convex, and below the diagonal */
            dcpn_loss_cox.slope1(&loss, 0, ROWS, there, behind);
            dcpn_loss_cox.slope1(&loss, 0, ROWS, ahead, c);
            for (int i = 0; i < ROWS; i++)
                assert_true(fabs((behind[i] - c[i]) / (2.0 * h) - Hd[i]) <= 1e-7 * (1.0 + fabs(Hd[i])));
        }
        dcpn_survival_free(loss.user);
    }
}

/* ---- fits ---- */

struct fitted {
    double x[COLUMNS];
    dcpn_result result;
};

static struct fitted fit(const struct patients *p, const struct variant *v, dcpn_settings settings)
{
    struct fitted fitted;
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    settings.loss = "cox";
    settings.ties = v->ties;
    settings.tol = 1e-9;
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, p->X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, p->y, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, v->has_weights ? p->weights : NULL), DCPN_OK);
    assert_int_equal(
        dcpn_problem_set_survival(problem, v->has_start ? p->start : NULL, v->has_strata ? p->strata : NULL), DCPN_OK);
    dcpn_status status = dcpn_solver_new(context, problem, &settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    memcpy(fitted.x, dcpn_solver_coefficients(solver), sizeof fitted.x);
    fitted.result = *dcpn_solver_result(solver);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return fitted;
}

static void assert_coefficients(const struct fitted *found, const double *expected, double tolerance)
{
    for (int j = 0; j < COLUMNS; j++)
        if (!(fabs(found->x[j] - expected[j]) <= tolerance))
            fail_msg("found %.9g, expected %.9g", found->x[j], expected[j]);
}

static void optima_of_statsmodels_and_lifelines(void **state)
{
    static const struct {
        struct variant variant;
        double x[COLUMNS], likelihood;
    } golden[] = {
        {{"breslow", 0, 0, 0}, {0.9756827034, -0.7707931258, 0.02302532597, -0.1088257805}, 115.722047611},
        {{"breslow", 1, 0, 0}, {1.276835879, -0.7577738363, 0.06545823256, 0.08754997325}, 74.4329789359},
        {{"breslow", 0, 1, 0}, {0.6827137735, -0.5457123679, -0.008246586994, 0.02337441637}, 110.996169569},
        {{"breslow", 1, 1, 0}, {0.954517177, -0.4410989066, -0.03587186645, 0.2565544604}, 69.5326529389},
        {{"efron", 0, 0, 0}, {1.032651365, -0.7936700134, 0.001201976591, -0.1085153673}, 113.722469612},
        {{"efron", 1, 0, 0}, {1.366257579, -0.7768087235, 0.03239854656, 0.09863147478}, 71.8479493195},
        {{"efron", 0, 1, 0}, {0.7368527817, -0.5700817476, -0.02767902411, 0.02525245907}, 108.894770754},
        {{"efron", 1, 1, 0}, {1.043777988, -0.4538956982, -0.0682004023, 0.270321885}, 66.8255997406},
        {{"efron", 0, 0, 1}, {1.048800555, -0.7626670167, -0.1941719178, -0.1428313929}, 238.641409099}, /* lifelines */
    };
    const struct patients p = patients_new();
    (void)state;
    for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
        dcpn_settings settings = dcpn_settings_default();
        settings.penalty = "l1";
        settings.lambda = 0.0;
        const struct fitted found = fit(&p, &golden[k].variant, settings);
        assert_coefficients(&found, golden[k].x, 1e-6);
        assert_true(fabs(found.result.objective - golden[k].likelihood) <= 1e-8 * golden[k].likelihood);
        assert_int_equal(found.result.outcome, DCPN_CONVERGED);
    }
}

/* CoxnetSurvivalAnalysis(l1_ratio=1, alphas=[lambda], tol=1e-14): Breslow, the mean of the losses. */
static void optima_of_scikit_survival(void **state)
{
    static const double lambdas[] = {0.05, 0.02};
    static const double golden[][COLUMNS] = {{0.63021665, -0.51414057, 0.0, 0.0},
                                             {0.82836736, -0.66325094, 0.0, -0.0321985}};
    const struct patients p = patients_new();
    (void)state;
    for (int k = 0; k < 2; k++) {
        dcpn_settings settings = dcpn_settings_default();
        settings.penalty = "l1";
        settings.scale = "mean";
        settings.lambda = lambdas[k];
        settings.intercept = 1; /* which has no part in it */
        const struct fitted found = fit(&p, &variants[0], settings);
        assert_coefficients(&found, golden[k], 2e-6);
    }
}

/* Every metric and subproblem solver that takes the loss ends where the others do. */
static void all_methods_end_alike(void **state)
{
    static const char *const metrics[] = {"hessian", "lbfgs"}, *const subsolvers[] = {"auto", "fista",
                                                                                      "forward-backward"};
    const struct patients p = patients_new();
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        dcpn_settings settings = dcpn_settings_default();
        settings.penalty = "mcp";
        settings.shape_units = "raw";
        settings.gamma = 30.0;
        settings.scale = "mean";
        settings.lambda = 0.03;
        const struct fitted first = fit(&p, &variants[v], settings);
        for (size_t m = 0; m < 2; m++)
            for (size_t s = 0; s < 3; s++) {
                settings.metric = metrics[m];
                settings.subsolver = subsolvers[s];
                const struct fitted other = fit(&p, &variants[v], settings);
                assert_coefficients(&other, first.x, 1e-5);
            }
    }
}

/* ---- concordance ---- */

/* By all pairs; scikit-survival says 708 and 383 for column 0, and 408, 628, 55 tied for column 1, rounded. */
/* scikit-survival 0.28.0, CoxPHSurvivalAnalysis(alpha=0, ties="breslow"): cum_baseline_hazard_ and
 * predict_survival_function. */
static void survival_of_scikit_survival(void **state)
{
    const struct patients p = patients_new();
    const double x[COLUMNS] = {0.9756827034, -0.7707931258, 0.02302532597, -0.1088257805},
                 times[] = {1.5, 2.0, 3.0, 5.0};
    const double expected[] = {0.05931002032, 0.1292656425, 0.2632271435, 0.757253334};
    const double survival[3][3] = {{0.9664379717, 0.859408863, 0.6467042186},
                                   {0.9607237783, 0.8370850753, 0.5995468774},
                                   {0.8481246588, 0.4813854063, 0.122065754}};
    double u[ROWS] = {0};
    dcpn_hazard *hazard;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) u[i] += p.X[j * ROWS + i] * x[j];
    const dcpn_hazard_rows rows = {.rows = ROWS, .times = p.y, .scores = u};
    assert_int_equal(dcpn_hazard_new(context, &rows, &hazard), DCPN_OK);
    for (int k = 0; k < 4; k++) assert_true(fabs(dcpn_hazard_until(hazard, 0.0, times[k]) - expected[k]) < 1e-9);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double t = k == 0 ? 1.5 : k == 1 ? 3.0 : 5.0;
            assert_true(fabs(dcpn_hazard_survival(hazard, 0.0, t, u[i]) - survival[i][k]) < 1e-9);
        }
    dcpn_hazard_free(hazard);
}

/* Every kind of rows, by the definition: an event adds its share to all later times of its stratum. */
static void hazards_by_hand(void **state)
{
    const struct patients p = patients_new();
    (void)state;
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        const struct variant *v = &variants[k];
        struct rng rng;
        double u[ROWS];
        dcpn_hazard *hazard;
        dcpn_rng_seed(&rng, 70 + k);
        draw(&rng, 2.0, u);
        const dcpn_hazard_rows rows = {.rows = ROWS,
                                       .times = p.y,
                                       .scores = u,
                                       .weights = v->has_weights ? p.weights : NULL,
                                       .start = v->has_start ? p.start : NULL,
                                       .strata = v->has_strata ? p.strata : NULL,
                                       .is_efron = strcmp(v->ties, "efron") == 0};
        assert_int_equal(dcpn_hazard_new(context, &rows, &hazard), DCPN_OK);
        for (int of = 0; of < ROWS; of++) {
            long double sum = 0.0L, t = fabs(p.y[of]);
            for (int e = 0; e < ROWS; e++) {
                long double risk = 0.0L, tied = 0.0L, mean = 0.0L;
                int count = 0, before = 0;
                if (p.y[e] < 0.0 || p.y[e] > t || (v->has_strata && p.strata[e] != p.strata[of])) continue;
                for (int i = 0; i < ROWS; i++) {
                    long double x = weight(&p, v, i) * expl(u[i]);
                    risk += is_at_risk(&p, v, i, e) ? x : 0.0L;
                    if (!is_tied(&p, v, i, e)) continue;
                    tied += x;
                    mean += weight(&p, v, i);
                    before += i < e;
                    count++;
                }
                sum += rows.is_efron ? mean / count / (risk - (long double)before / count * tied)
                                     : weight(&p, v, e) / risk;
            }
            double found = dcpn_hazard_until(hazard, v->has_strata ? p.strata[of] : 0.0, (double)t);
            if (v->has_strata && p.strata[of] == 0.0) { /* all of them were censored */
                assert_true(isnan(found));
                continue;
            }
            if (!(fabsl(found - sum) <= 1e-12L * (1.0L + sum)))
                fail_msg("variant %zu, row %d: found %.17g, expected %.17Lg", k, of, found, sum);
        }
        assert_true(isnan(dcpn_hazard_until(hazard, 17.0, 3.0)));
        dcpn_hazard_free(hazard);
    }
    double alive[] = {-1.0, -2.0}, u[] = {0.0, (double)NAN};
    dcpn_hazard *hazard;
    const dcpn_hazard_rows none = {.rows = 2, .times = alive, .scores = alive},
                           bad = {.rows = 2, .times = alive, .scores = u};
    assert_int_equal(dcpn_hazard_new(context, &none, &hazard), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "no event"));
    assert_int_equal(dcpn_hazard_new(context, &bad, &hazard), DCPN_DATA);
}

static void concordance_counts_pairs(void **state)
{
    const struct patients p = patients_new();
    const struct variant plain = variants[0], strata = {"breslow", 1, 0, 1};
    int64_t order[ROWS];
    double scores[ROWS], ones[ROWS];
    (void)state;
    for (int i = 0; i < ROWS; i++) ones[i] = 1.0;
    struct survival *s = survival_of(&p, &plain);
    struct measured_rows rows = {.loss = {.ops = &dcpn_loss_cox, .rows = ROWS, .y = p.y, .w = ones, .user = s}};
    assert_true(fabs(dcpn_concordance(&rows, p.X, order) - 708.0 / 1091.0) <= 1e-14);
    for (int i = 0; i < ROWS; i++) scores[i] = nearbyint(10.0 * p.X[ROWS + i]) / 10.0;
    assert_true(fabs(dcpn_concordance(&rows, scores, order) - (408.0 + 27.5) / 1091.0) <= 1e-14);
    dcpn_survival_free(s);
    rows.loss.user = s = survival_of(&p, &strata);
    rows.loss.w = p.weights;
    rows.strata = p.strata;
    double right = 0.0, all = 0.0;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < ROWS; k++) {
            int is_later = fabs(p.y[k]) > p.y[i] || (p.y[k] < 0.0 && fabs(p.y[k]) == p.y[i]);
            if (p.y[i] < 0.0 || !is_later || p.strata[i] != p.strata[k]) continue;
            all += p.weights[i] * p.weights[k];
            right += p.weights[i] * p.weights[k] * (scores[i] > scores[k] ? 1.0 : scores[i] == scores[k] ? 0.5 : 0.0);
        }
    assert_true(fabs(dcpn_concordance(&rows, scores, order) - right / all) <= 1e-13);
    dcpn_survival_free(s);
}

/* ---- what is refused ---- */

static dcpn_status try(const struct patients *p, const double *start, const double *strata, const char *loss)
{
    dcpn_settings settings = dcpn_settings_default();
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    settings.loss = loss;
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, p->X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, p->y, &problem), DCPN_OK);
    dcpn_status status = dcpn_problem_set_survival(problem, start, strata);
    if (status == DCPN_OK) status = dcpn_solver_new(context, problem, &settings, &solver);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return status;
}

static void refusals(void **state)
{
    struct patients p = patients_new();
    (void)state;
    assert_int_equal(try(&p, p.start, NULL, "squared"), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "belong to --loss cox"));
    p.start[7] = fabs(p.y[7]);
    assert_int_equal(try(&p, p.start, NULL, "cox"), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "start of row 8"));
    for (int i = 0; i < ROWS; i++) p.y[i] = -fabs(p.y[i]);
    assert_int_equal(try(&p, NULL, NULL, "cox"), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "no event"));
}

/* Paths and folds; a fold is measured on its own risk sets. */
static void paths_and_cross_validation(void **state)
{
    const struct patients p = patients_new();
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_cv *cv = NULL;
    const dcpn_cv_options options = {
        .folds = 4, .measure = "concordance", .rule = "min", .path = {.lambda_count = 6, .min_ratio = 0.05}};
    (void)state;
    settings.loss = "cox";
    settings.penalty = "l1";
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, p.X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, p.y, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_survival(problem, p.start, p.strata), DCPN_OK);
    if (dcpn_cv_run(context, problem, &settings, &options, &cv) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_int_equal(cv->measured.count, 2);
    assert_true(cv->choice.min.mean > 0.5 && cv->choice.min.mean < 1.0);
    const dcpn_path *path = &cv->paths->paths[0];
    assert_int_equal(path->points[0].fit.nonzeros, 0);
    for (int64_t k = 0; k < path->count; k++) assert_int_equal(path->points[k].fit.outcome, DCPN_CONVERGED);
    assert_true(path->points[path->count - 1].deviance < cv->paths->null_deviance);
    char *json = NULL;
    dcpn_results *back = NULL;
    assert_int_equal(dcpn_cv_json(cv, NULL, NULL, &json), DCPN_OK);
    assert_int_equal(dcpn_results_parse(context, "cv", json, strlen(json), &back), DCPN_OK);
    assert_string_equal(back->cv->measured.names[1], "concordance");
    dcpn_results_free(back);
    dcpn_free(context, json);
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likelihood_and_derivatives),  cmocka_unit_test(optima_of_statsmodels_and_lifelines),
        cmocka_unit_test(optima_of_scikit_survival),   cmocka_unit_test(all_methods_end_alike),
        cmocka_unit_test(survival_of_scikit_survival), cmocka_unit_test(hazards_by_hand),
        cmocka_unit_test(concordance_counts_pairs),    cmocka_unit_test(refusals),
        cmocka_unit_test(paths_and_cross_validation),
    };
    return cmocka_run_group_tests_name("problems.cox", tests, setup, teardown);
}
