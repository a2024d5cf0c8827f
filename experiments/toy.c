/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's table of toy problems: two settings, T relevant variables. */
#include "speech.h"
#include "statistics.h"
#include "trial.h"


struct setting {
    int64_t features, rows;
    double lambda, theta;
    const char *figure;
};

static const struct setting settings[] = {
    {2000, 100000, 2.0, 0.2, "toy-d2000.svg"},
    {10000, 5000, 2.0, 2.0, "toy-d10000.svg"},
};
static const int64_t relevant[] = {50, 100, 500, 1000};
enum { SETTINGS = 2, RELEVANTS = 4, PROBLEMS = SETTINGS * RELEVANTS, TEST_ROWS = 5000 };
/* Passes of a fit. Of 960 at full size none takes 200; with a fifth of the rows GIST may rise and fall for ever. */
enum { MOST_PASSES = 2000 };
enum { QUICK_DIVISOR = 5, FIGURE_LINE = 1 /* of relevant: the curves are those of T = 100 */ };

struct problems {
    char name[PROBLEMS][DCPN_EXP_TEXT_SIZE];
    const char *selected[PROBLEMS];
    size_t count; /* selected ones */
};

static void name_problems(const struct plan *plan, struct problems *problems)
{
    problems->count = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        snprintf(problems->name[i], sizeof problems->name[i], "d%lld-T%lld",
                 (long long)settings[i / RELEVANTS].features, (long long)relevant[i % RELEVANTS]);
        if (dcpn_exp_selected(plan, problems->name[i])) problems->selected[problems->count++] = problems->name[i];
    }
}

static int64_t at_least_one(int64_t number)
{
    return number > 0 ? number : 1;
}

static dcpn_toy toy_of(const struct plan *plan, int problem, int64_t trial)
{
    const struct setting *setting = &settings[problem / RELEVANTS];
    int64_t rows = setting->rows / (plan->quick ? QUICK_DIVISOR : 1);
    return (dcpn_toy){.features = at_least_one(setting->features / plan->scale),
                      .relevant = at_least_one(relevant[problem % RELEVANTS] / plan->scale),
                      .rows = at_least_one(rows / plan->scale),
                      .test_rows = at_least_one(TEST_ROWS / plan->scale),
                      .value_type = DCPN_FLOAT32, /* the same numbers, half the memory */
                      .seed = (uint64_t)trial};
}

static int run_trial(const struct lab *lab, const struct problems *problems, int i, int64_t trial, struct csv *csv)
{
    const struct setting *setting = &settings[i / RELEVANTS];
    double began_s = dcpn_exp_clock_s();
    dcpn_toy toy = toy_of(lab->plan, i, trial);
    dcpn_dataset *train = NULL, *test = NULL;
    struct row rows[METHOD_COUNT] = {0};
    dcpn_exp_at_work("%s, trial %lld: drawing the data", problems->name[i], (long long)trial);
    int code = dcpn_exp_check(lab, dcpn_generate_toy(lab->context, &toy, &train, &test, NULL));
    if (!code) {
        struct task task = {.problem = problems->name[i],
                            .trial = trial,
                            .train = {train->matrix, train->labels},
                            .test = {test->matrix, test->labels},
                            .lambda = setting->lambda,
                            .theta = setting->theta};
        int drawn = trial == 1 && i % RELEVANTS == FIGURE_LINE;
        code = dcpn_exp_trial(lab, &task, began_s, drawn ? setting->figure : NULL, rows);
    }
    if (!code) code = dcpn_exp_csv_append(csv, rows);
    dcpn_dataset_free(test);
    dcpn_dataset_free(train);
    return code;
}

static void report(const struct lab *lab, const struct problems *problems, int i, const struct csv *csv)
{
    int64_t done = 0, trials = lab->plan->trials;
    char what[64];
    for (size_t k = 0; k < problems->count; k++) done += dcpn_exp_csv_trials(csv, problems->selected[k], trials);
    snprintf(what, sizeof what, "toy %s", problems->name[i]);
    dcpn_exp_progress(what, done, (int64_t)problems->count * trials,
                      dcpn_exp_csv_left_s(csv, problems->count, problems->selected, trials));
}

static int run_round(const struct lab *lab, const struct problems *problems, int64_t trial, struct csv *csv)
{
    int code = 0;
    for (int i = 0; i < PROBLEMS && !code; i++) {
        if (!dcpn_exp_selected(lab->plan, problems->name[i])) continue;
        if (dcpn_exp_csv_find(csv, problems->name[i], trial, NULL)) continue;
        code = run_trial(lab, problems, i, trial, csv);
        if (!code) report(lab, problems, i, csv);
    }
    return code;
}

static int has_trials(const struct lab *lab, const struct problems *problems, int s, const struct csv *csv)
{
    for (int t = 0; t < RELEVANTS; t++)
        if (dcpn_exp_csv_trials(csv, problems->name[s * RELEVANTS + t], lab->plan->trials) > 0) return 1;
    return 0;
}

static void write_setting(FILE *stream, const struct lab *lab, const struct problems *problems, int s,
                          const struct csv *csv)
{
    struct table_line lines[RELEVANTS];
    dcpn_toy toy = toy_of(lab->plan, s * RELEVANTS, 1);
    for (int t = 0; t < RELEVANTS; t++) {
        lines[t].problem = problems->name[s * RELEVANTS + t];
        snprintf(lines[t].cells, sizeof lines[t].cells, "%lld",
                 (long long)toy_of(lab->plan, s * RELEVANTS + t, 1).relevant);
    }
    fprintf(stream, "\n## d = %lld, N = %lld, lambda = %g, theta = %g\n", (long long)toy.features, (long long)toy.rows,
            settings[s].lambda, settings[s].theta);
    dcpn_exp_write_tables(stream, csv, lab->plan->trials, "T", lines, RELEVANTS);
    if (dcpn_exp_csv_find(csv, lines[FIGURE_LINE].problem, 1, NULL))
        fprintf(stream, "\n![F against time, T = %s, trial 1](%s)\n", lines[FIGURE_LINE].cells, settings[s].figure);
}

static int write_markdown(const struct lab *lab, const struct problems *problems, const char *heading,
                          const struct csv *csv)
{
    char *path;
    FILE *stream = dcpn_exp_markdown_begin(lab, "toy.md", &path);
    if (!stream) return 1;
    fprintf(stream, "# Toy problems\n\nMade by `experiments/run`: %s. Raw numbers: `toy.csv`.\n", heading);
    for (int s = 0; s < SETTINGS; s++)
        if (has_trials(lab, problems, s, csv)) write_setting(stream, lab, problems, s, csv);
    return dcpn_exp_markdown_end(lab, stream, path);
}

/* Trial by trial, so that an interrupted run has something of every problem and the time left is known early. */
static int run_trials(const struct lab *lab, const struct problems *problems, const char *heading, struct csv *csv)
{
    int code = 0;
    for (int64_t trial = 1; trial <= lab->plan->trials && !code; trial++) {
        code = run_round(lab, problems, trial, csv);
        if (!code) code = write_markdown(lab, problems, heading, csv);
    }
    dcpn_exp_progress_end();
    return code;
}

int dcpn_exp_toy(const struct lab *lab)
{
    struct problems problems;
    struct csv csv;
    char heading[160];
    struct plan plan = *lab->plan;
    struct lab limited = *lab;
    limited.plan = &plan;
    plan.max_passes = MOST_PASSES;
    snprintf(heading, sizeof heading, "toy, dcpn %s, N / %d, sizes / %lld, float32, threads %lld", dcpn_version(),
             plan.quick ? QUICK_DIVISOR : 1, (long long)plan.scale, (long long)plan.threads);
    name_problems(&plan, &problems);
    if (dcpn_exp_csv_open(&csv, dcpn_exp_output_path(lab, "toy.csv"), heading, METHOD_COUNT)) return 1;
    int code = run_trials(&limited, &problems, heading, &csv);
    dcpn_exp_csv_close(&csv);
    return code;
}
