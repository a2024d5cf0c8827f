/* SPDX-License-Identifier: BSD-3-Clause */
/* A generated problem of the shape of the paper's url set, for time and memory: 3231961 columns, 1000 labelled rows,
 * 40000 without a label, about 115 entries a row. */
#include "speech.h"
#include "statistics.h"
#include "transduction.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { FEATURES = 3231961, RELEVANT = 1000, LABELLED = 1000, UNLABELLED = 40000, TEST_ROWS = 5000, WORDS = 150 };
enum { QUICK_DIVISOR = 10, COMPARED = 2 };
static const int METHODS[COMPARED] = {SPARSE_LOG, SPARSE_TRANSDUCTIVE};
static const struct hyperparameters CHOSEN = {.lambda = 0.2, .theta = 2.0, .weight = 0.01};
static const char NAME[] = "url-shape";

static dcpn_text text_of(const struct plan *plan)
{
    int64_t divisor = (plan->quick ? QUICK_DIVISOR : 1) * plan->scale;
    return (dcpn_text){.features = FEATURES / plan->scale,
                       .relevant = RELEVANT / plan->scale + 1,
                       .rows = (LABELLED + UNLABELLED) / divisor,
                       .test_rows = TEST_ROWS / divisor,
                       .entries = WORDS,
                       .value_type = DCPN_FLOAT64,
                       .seed = 1};
}

static double memory_gb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1048576.0;
}

static int run_methods(const struct lab *lab, const dcpn_dataset *train, const dcpn_dataset *test, double began_s,
                       struct row rows[COMPARED])
{
    struct task task = {
        .problem = NAME, .trial = 1, .train = {train->matrix, train->labels}, .test = {test->matrix, test->labels}};
    double *x = dcpn_exp_allocate(train->features, sizeof *x);
    int code = !x;
    int64_t labelled = train->rows * LABELLED / (LABELLED + UNLABELLED);
    for (int64_t i = labelled; i < train->rows; i++) train->labels[i] = NAN;
    for (int m = 0; m < COMPARED && !code; m++) {
        code = dcpn_exp_transduction_fit(lab, &task, METHODS[m], &CHOSEN, x, &rows[m]);
        rows[m].held = labelled;
        rows[m].trial_s = dcpn_exp_clock_s() - began_s;
    }
    free(x);
    return code;
}

static int run_once(const struct lab *lab, struct csv *csv)
{
    double began_s = dcpn_exp_clock_s();
    dcpn_text text = text_of(lab->plan);
    dcpn_dataset *train = NULL, *test = NULL;
    struct row rows[COMPARED] = {0};
    if (dcpn_exp_csv_find(csv, NAME, 1, NULL)) return 0;
    dcpn_exp_at_work("%s: drawing the data", NAME);
    int code = dcpn_exp_check(lab, dcpn_generate_text(lab->context, &text, &train, &test, NULL));
    if (!code) code = run_methods(lab, train, test, began_s, rows);
    if (!code) code = dcpn_exp_csv_append(csv, rows);
    dcpn_dataset_free(test);
    dcpn_dataset_free(train);
    return code;
}

static int write_markdown(const struct lab *lab, const char *heading, const struct csv *csv, double memory)
{
    char *path;
    FILE *stream = dcpn_exp_markdown_begin(lab, "url-shape.md", &path);
    if (!stream) return 1;
    fprintf(
        stream,
        "# A problem of the shape of url\n\nMade by `experiments/run`: %s; lambda = %g, theta = %g, gamma = %g. Most "
        "memory of the program, data and all: %.2f GB.\n\n| model | d | labelled | unlabelled | time (s) | passes | "
        "features kept | rate (%%) | outcome |\n|---|---|---|---|---|---|---|---|---|\n",
        heading, CHOSEN.lambda, CHOSEN.theta, CHOSEN.weight, memory);
    for (int m = 0; m < COMPARED; m++) {
        const struct row *row = dcpn_exp_csv_find(csv, NAME, 1, dcpn_exp_transduction_names[METHODS[m]]);
        if (row)
            fprintf(stream, "| %s | %lld | %lld | %lld | %.2f | %.1f | %lld | %.2f | %s |\n",
                    dcpn_exp_transduction_labels[METHODS[m]], (long long)row->features, (long long)row->held,
                    (long long)(row->rows - row->held), row->time_s, row->passes, (long long)row->nonzeros, row->rate,
                    row->outcome);
    }
    return dcpn_exp_markdown_end(lab, stream, path);
}

int dcpn_exp_url_shape(const struct lab *lab)
{
    const struct plan *plan = lab->plan;
    struct csv csv;
    char heading[160];
    snprintf(heading, sizeof heading, "url-shape, dcpn %s, rows / %d, sizes / %lld, threads %lld", dcpn_version(),
             plan->quick ? QUICK_DIVISOR : 1, (long long)plan->scale, (long long)plan->threads);
    if (dcpn_exp_csv_open(&csv, dcpn_exp_output_path(lab, "url-shape.csv"), heading, COMPARED)) return 1;
    int is_new = !dcpn_exp_csv_find(&csv, NAME, 1, NULL);
    int code = run_once(lab, &csv);
    if (!code && is_new) code = write_markdown(lab, heading, &csv, memory_gb());
    dcpn_exp_progress_end();
    dcpn_exp_csv_close(&csv);
    return code;
}
