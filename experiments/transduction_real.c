/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's table of sparse transductive learning on real sets: of the 80% that train, few rows keep their labels. */
#include "real_sets.h"
#include "speech.h"
#include "statistics.h"
#include "transduction.h"

#include <math.h>
#include <stdlib.h>

static const struct real_set URL_MINI = {"url-mini", 3231961, "url", 0};

/* How many rows keep their labels: the paper's numbers, or its share of the training rows where the set is another. */
static const struct part_labelled {
    int set; /* of dcpn_exp_real_sets; -1: url-mini */
    int64_t labelled;
    double share;
    int in_quick;
    int is_large; /* its settings are chosen once: the 100 fits of a choice take a quarter of an hour */
} LABELLED[] = {{0, 61, 0.0, 1, 0},   {1, 85, 0.0, 1, 0},   {2, 70, 0.0, 1, 0},       {3, 55, 0.0, 1, 0},
                {4, 0, 0.0125, 0, 0}, {5, 0, 0.0125, 0, 1}, {-1, 0, 1.0 / 41.0, 1, 0}};
enum { SETS = sizeof LABELLED / sizeof *LABELLED, COMPARED = 2, LEAST_OF_CLASS = 5 };
static const int METHODS[COMPARED] = {SPARSE_LOG, SPARSE_TRANSDUCTIVE};
static const struct hyperparameters OF_QUICK = {.lambda = 0.2, .theta = 2.0, .weight = 1.0};

struct chosen {
    struct hyperparameters of[COMPARED];
};

static const struct real_set *set_at(int i)
{
    return LABELLED[i].set < 0 ? &URL_MINI : &dcpn_exp_real_sets[LABELLED[i].set];
}

static void name_problem(int i, int unit_rows, char name[DCPN_EXP_TEXT_SIZE])
{
    snprintf(name, DCPN_EXP_TEXT_SIZE, "%s%s", set_at(i)->name, unit_rows ? "-unit" : "");
}

static size_t find_problems(const struct plan *plan, struct real_problem problems[SETS], int which[SETS])
{
    size_t count = 0;
    for (int i = 0; i < SETS; i++) {
        struct real_problem problem = {.set = set_at(i), .unit_rows = !plan->raw_transductive && !set_at(i)->is_unit};
        name_problem(i, problem.unit_rows, problem.name);
        if ((plan->quick && !LABELLED[i].in_quick) || !dcpn_exp_selected(plan, problem.name)) continue;
        if (dcpn_exp_keep_present(plan, 1, &problem) == 0) continue;
        which[count] = i;
        problems[count++] = problem;
    }
    return count;
}

static int64_t labelled_rows(int which, int64_t rows)
{
    int64_t wanted =
        LABELLED[which].labelled ? LABELLED[which].labelled : (int64_t)(LABELLED[which].share * (double)rows);
    return wanted < rows / 2 ? wanted : rows / 2;
}

/* The first rows of the split, which are in random order, keep their labels; more of them if a class is rare. */
static int64_t hide_labels(int which, const struct split *split)
{
    int64_t rows = dcpn_matrix_rows(split->train), wanted = labelled_rows(which, rows), kept = 0, in_class[2] = {0, 0};
    while (kept < rows && (kept < wanted || in_class[0] < LEAST_OF_CLASS || in_class[1] < LEAST_OF_CLASS))
        in_class[split->train_labels[kept++] > 0.0]++;
    for (int64_t i = kept; i < rows; i++) split->train_labels[i] = NAN;
    return kept;
}

/* ---- the choice, on the labelled rows of the trial; of a large set on those of split 0, which is no trial ---- */

static int choose_for(const struct lab *lab, const dcpn_problem *problem, int method, struct row *row)
{
    static const double NONE[] = {0.0}, LAMBDAS[] = {0.2, 2.0}; /* of the paper: the best of its grid */
    const struct hyperparameters start = {1.0, 1.0, 1.0};
    dcpn_grid_options options = {
        .lambdas = LAMBDAS, .lambda_count = 2, .weights = method == SPARSE_LOG ? NONE : NULL, .weight_count = 1};
    dcpn_settings settings = dcpn_exp_transduction_settings(lab, method, &start);
    dcpn_grid_selection *selection = NULL;
    if (dcpn_exp_check(lab, dcpn_select_on_grid(lab->context, problem, &settings, &options, &selection))) return 1;
    const dcpn_grid_candidate *best = &selection->candidates[selection->chosen];
    row->lambda = best->lambda;
    row->theta = best->value;
    row->weight = best->weight;
    row->rate = 100.0 * (1.0 - best->mean);
    row->time_s = selection->time_s;
    dcpn_grid_selection_free(selection);
    return 0;
}

static int choose_anew(const struct lab *lab, const struct real_problem *problem, int which, const dcpn_dataset *data,
                       int64_t trial, struct csv *csv)
{
    struct split split;
    struct row rows[COMPARED] = {0};
    dcpn_problem *labelled = NULL;
    if (dcpn_exp_split(lab, problem, data, (uint64_t)trial, &split)) return 1;
    hide_labels(which, &split);
    int code = dcpn_exp_check(lab, dcpn_problem_new(lab->context, split.train, split.train_labels, &labelled));
    for (int m = 0; m < COMPARED && !code; m++) {
        dcpn_exp_at_work("%s, trial %lld: choosing for %s", problem->name, (long long)trial,
                         dcpn_exp_transduction_labels[METHODS[m]]);
        rows[m].trial = trial;
        snprintf(rows[m].problem, sizeof rows[m].problem, "%s", problem->name);
        snprintf(rows[m].method, sizeof rows[m].method, "%s", dcpn_exp_transduction_names[METHODS[m]]);
        snprintf(rows[m].outcome, sizeof rows[m].outcome, "chosen");
        code = choose_for(lab, labelled, METHODS[m], &rows[m]);
    }
    if (!code) code = dcpn_exp_csv_append(csv, rows);
    dcpn_problem_free(labelled);
    dcpn_exp_split_free(&split);
    return code;
}

static int choose(const struct lab *lab, const struct real_problem *problem, int which, const dcpn_dataset *data,
                  int64_t trial, struct chosen *chosen)
{
    struct csv csv;
    char heading[160];
    int64_t split = LABELLED[which].is_large ? 0 : trial;
    for (int m = 0; m < COMPARED; m++) chosen->of[m] = OF_QUICK;
    if (lab->plan->quick) return 0;
    snprintf(heading, sizeof heading, "transductive-choice, dcpn %s", dcpn_version());
    if (dcpn_exp_csv_open(&csv, dcpn_exp_output_path(lab, "transductive-choice.csv"), heading, COMPARED)) return 1;
    int code = 0;
    if (!dcpn_exp_csv_find(&csv, problem->name, split, NULL))
        code = choose_anew(lab, problem, which, data, split, &csv);
    for (int m = 0; m < COMPARED && !code; m++) {
        const struct row *row = dcpn_exp_csv_find(&csv, problem->name, split, dcpn_exp_transduction_names[METHODS[m]]);
        chosen->of[m] = (struct hyperparameters){row->lambda, row->theta, row->weight};
    }
    dcpn_exp_csv_close(&csv);
    return code;
}

/* ---- trials ---- */

static int run_split(const struct lab *lab, const struct real_problem *problem, int which, const dcpn_dataset *data,
                     int64_t trial, struct csv *csv)
{
    double began_s = dcpn_exp_clock_s();
    struct chosen chosen;
    struct split split;
    struct row rows[COMPARED] = {0};
    if (choose(lab, problem, which, data, trial, &chosen)) return 1;
    if (dcpn_exp_split(lab, problem, data, (uint64_t)trial, &split)) return 1;
    int64_t kept = hide_labels(which, &split);
    struct task task = dcpn_exp_split_task(problem, &split, trial);
    double *x = dcpn_exp_allocate(data->features, sizeof *x);
    int code = !x;
    for (int m = 0; m < COMPARED && !code; m++)
        code = dcpn_exp_transduction_fit(lab, &task, METHODS[m], &chosen.of[m], x, &rows[m]);
    for (int m = 0; m < COMPARED; m++) {
        rows[m].held = kept;
        rows[m].trial_s = dcpn_exp_clock_s() - began_s;
    }
    if (!code) code = dcpn_exp_csv_append(csv, rows);
    free(x);
    dcpn_exp_split_free(&split);
    return code;
}

static void report(const struct lab *lab, const struct real_problem *problems, size_t count, const char *name,
                   const struct csv *csv)
{
    const char *names[SETS];
    int64_t done = 0, trials = lab->plan->trials;
    char what[64];
    for (size_t i = 0; i < count; i++) {
        names[i] = problems[i].name;
        done += dcpn_exp_csv_trials(csv, names[i], trials);
    }
    snprintf(what, sizeof what, "transductive-real %s", name);
    dcpn_exp_progress(what, done, (int64_t)count * trials, dcpn_exp_csv_left_s(csv, count, names, trials));
}

static int run_problem(const struct lab *lab, const struct real_problem *problems, size_t count, size_t k, int which,
                       struct csv *csv)
{
    const struct real_problem *problem = &problems[k];
    dcpn_dataset *data = NULL;
    if (dcpn_exp_csv_trials(csv, problem->name, lab->plan->trials) == lab->plan->trials) return 0;
    int code = dcpn_exp_read(lab, problem, &data);
    for (int64_t trial = 1; trial <= lab->plan->trials && !code; trial++) {
        if (dcpn_exp_csv_find(csv, problem->name, trial, NULL)) continue;
        code = run_split(lab, problem, which, data, trial, csv);
        if (!code) report(lab, problems, count, problem->name, csv);
    }
    dcpn_dataset_free(data);
    return code;
}

static int is_same_choice(const struct row *a, const struct row *b)
{
    return a->lambda == b->lambda && a->theta == b->theta && a->weight == b->weight;
}

/* A trial of which the settings were chosen most often, and in how many. */
static const struct row *most_chosen(const struct csv *csv, const char *name, int64_t trials, int method, int *often)
{
    const char *of = dcpn_exp_transduction_names[method];
    const struct row *most = NULL;
    *often = 0;
    for (int64_t i = 1; i <= trials; i++) {
        const struct row *row = dcpn_exp_csv_find(csv, name, i, of);
        int count = 0;
        for (int64_t k = 1; k <= trials && row; k++) {
            const struct row *other = dcpn_exp_csv_find(csv, name, k, of);
            count += other && is_same_choice(row, other);
        }
        if (count <= *often) continue;
        most = row;
        *often = count;
    }
    return most;
}

/* The higher rate is bold where Wilcoxon's p is below 0.05. */
static void write_line(FILE *stream, const struct csv *csv, const char *name, int64_t trials, const struct rates *rates)
{
    int often_log, often_transd, differ = rates->p < 0.05;
    const struct row *log = most_chosen(csv, name, trials, SPARSE_LOG, &often_log);
    const struct row *transd = most_chosen(csv, name, trials, SPARSE_TRANSDUCTIVE, &often_transd);
    if (!log || !transd) return;
    fprintf(stream, "| %s | %lld | %lld | %lld | %d |", name, (long long)log->features, (long long)log->held,
            (long long)(log->rows - log->held), rates->trials);
    for (int m = 0; m < COMPARED; m++) {
        int other = METHODS[COMPARED - 1 - m], method = METHODS[m];
        const char *mark = differ && rates->mean[method] > rates->mean[other] ? "**" : "";
        fprintf(stream, " %s%.2f ± %.1f%s |", mark, rates->mean[method], rates->deviation[method], mark);
    }
    fprintf(stream, " %.2g | %.0f / %.0f | %.3f / %.3f | %g, %g (%d) | %g, %g, %g (%d) |\n", rates->p,
            rates->nonzeros[SPARSE_LOG], rates->nonzeros[SPARSE_TRANSDUCTIVE], rates->time_s[SPARSE_LOG],
            rates->time_s[SPARSE_TRANSDUCTIVE], log->lambda, log->theta, often_log, transd->lambda, transd->theta,
            transd->weight, often_transd);
}

static int write_markdown(const struct lab *lab, const char *heading, const struct csv *csv)
{
    struct rates rates;
    char *path;
    FILE *stream = dcpn_exp_markdown_begin(lab, "transductive-real.md", &path);
    if (!stream) return 1;
    fprintf(
        stream,
        "# Sparse transductive learning on real sets\n\nMade by `experiments/run`: %s. Raw numbers: "
        "`transductive-real.csv`; the choices: `transductive-choice.csv`. The last columns: the choice that was made "
        "most "
        "often, and in how many trials.\n\n| dataset | d | labelled | unlabelled | "
        "trials | Sparse Log | Sparse Transd. | p | features kept | time (s) | lambda, theta | lambda, theta, gamma "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        heading);
    for (int i = 0; i < 2 * SETS; i++) {
        char name[DCPN_EXP_TEXT_SIZE];
        name_problem(i % SETS, i < SETS, name);
        if (dcpn_exp_collect_rates(csv, name, lab->plan->trials, 0, &rates))
            write_line(stream, csv, name, lab->plan->trials, &rates);
    }
    return dcpn_exp_markdown_end(lab, stream, path);
}

int dcpn_exp_transductive_real(const struct lab *lab)
{
    struct csv csv;
    struct real_problem problems[SETS];
    int which[SETS], code = 0;
    char heading[160];
    size_t count = find_problems(lab->plan, problems, which);
    snprintf(heading, sizeof heading, "transductive-real, dcpn %s, threads %lld", dcpn_version(),
             (long long)lab->plan->threads);
    if (dcpn_exp_csv_open(&csv, dcpn_exp_output_path(lab, "transductive-real.csv"), heading, COMPARED)) return 1;
    for (size_t k = 0; k < count && !code; k++) {
        code = run_problem(lab, problems, count, k, which[k], &csv);
        if (!code) code = write_markdown(lab, heading, &csv);
    }
    if (!code && count == 0) code = write_markdown(lab, heading, &csv);
    dcpn_exp_progress_end();
    dcpn_exp_csv_close(&csv);
    return code;
}
