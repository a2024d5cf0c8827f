/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn-experiments: regenerates the paper's experiments on sparse logistic regression and sparse transduction. */
#include "plan.h"
#include "speech.h"
#include "wilcoxon.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FULL_TRIALS = 30, TRANSDUCTIVE_TRIALS = 10, QUICK_TRIALS = 3, USAGE = 2, GO_ON = -1 };
enum { FULL_PASSES = 1000, QUICK_PASSES = 200 };

static const char help[] =
    "usage: experiments/run [OPTIONS]\n"
    "Regenerates the paper's experiments on sparse logistic regression and on sparse transduction. An interrupted run\n"
    "goes on where it was.\n\n"
    "  --quick          3 trials, a fifth of the training rows of the toy problems, --max-passes 200\n"
    "  --only NAME      one of them: toy, real, basin; transductive-loss, transductive-toy, transductive-real, "
    "url-shape\n"
    "  --problem NAME   only the problems whose name begins so: d2000, d10000-T50, la2\n"
    "  --rows KIND      raw (default of real), unit (each row scaled to norm 1; of transductive-real) or both\n"
    "  --trials N       30, transductive ones 10; 3 with --quick\n"
    "  --max-passes N   real, basin: most passes over the data of one fit: 1000; 200 with --quick\n"
    "  --threads N      1; 0: one per processor\n"
    "  --output DIR     build/experiments; build/experiments-quick with --quick\n"
    "  --help\n\n"
    "The real data sets, NAME.libsvm or NAME.libsvm.xz, are looked for in the folder that DCPN_DATA names\n"
    "(../shared/data); a set that is not there is left out. Results: toy.md, real.md, basin.md, transductive-toy.md,\n"
    "transductive-real.md and url-shape.md with their CSV files and figures.\n";

struct arguments {
    struct plan plan;
    const char *root, *output;
};

int dcpn_exp_selected(const struct plan *plan, const char *problem)
{
    return !plan->problem || strncmp(problem, plan->problem, strlen(plan->problem)) == 0;
}

char *dcpn_exp_output_path(const struct lab *lab, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", lab->plan->output, name) >= 0) return path;
    dcpn_exp_say("out of memory");
    return NULL;
}

static int read_whole(const char *option, const char *text, int64_t low, int64_t high, int64_t *number)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high) {
        dcpn_exp_say("--%s: found '%s', expected a whole number from %lld to %lld", option, text, (long long)low,
                     (long long)high);
        return USAGE;
    }
    *number = value;
    return GO_ON;
}

static int read_word(const char *option, const char *text, const char *const words[3], const char **word)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *word = words[i];
            return GO_ON;
        }
    dcpn_exp_say("--%s: found '%s', expected %s, %s or %s", option, text, words[0], words[1], words[2]);
    return USAGE;
}

/* The experiments, in the order in which they are done. */
static const struct experiment {
    const char *name;
    int (*run)(const struct lab *lab);
    int64_t trials; /* in full */
} experiments[] = {
    {"toy", dcpn_exp_toy, FULL_TRIALS},
    {"real", dcpn_exp_real, FULL_TRIALS},
    {"basin", dcpn_exp_basin, FULL_TRIALS},
    {"transductive-loss", dcpn_exp_transductive_loss, 1},
    {"transductive-toy", dcpn_exp_transductive_toy, TRANSDUCTIVE_TRIALS},
    {"transductive-real", dcpn_exp_transductive_real, TRANSDUCTIVE_TRIALS},
    {"url-shape", dcpn_exp_url_shape, 1},
};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static int read_experiment(const char *text, const char **name)
{
    for (int i = 0; i < EXPERIMENTS; i++)
        if (strcmp(text, experiments[i].name) == 0) {
            *name = experiments[i].name;
            return GO_ON;
        }
    dcpn_exp_say("--only: found '%s', expected one of those that --help names", text);
    return USAGE;
}

static int print_help(void)
{
    fputs(help, stdout);
    return 0;
}

static int take_option(int option, struct arguments *arguments)
{
    static const char *const kinds[3] = {"raw", "unit", "both"};
    struct plan *plan = &arguments->plan;
    switch (option) {
    case 'q':
        plan->quick = 1;
        return GO_ON;
    case 'o':
        arguments->output = optarg;
        return GO_ON;
    case 'r':
        arguments->root = optarg;
        return GO_ON;
    case 'p':
        plan->problem = optarg;
        return GO_ON;
    case 'n':
        return read_experiment(optarg, &plan->only);
    case 'w':
        plan->raw_transductive = strcmp(optarg, "raw") == 0;
        return read_word("rows", optarg, kinds, &plan->rows);
    case 't':
        return read_whole("trials", optarg, 1, DCPN_EXP_MOST_PAIRS, &plan->trials);
    case 'j':
        return read_whole("threads", optarg, 0, 4096, &plan->threads);
    case 's':
        return read_whole("scale", optarg, 1, 1000000, &plan->scale);
    case 'm':
        return read_whole("max-passes", optarg, 1, 1000000000, &plan->max_passes);
    case 'h':
        return print_help();
    default:
        return USAGE; /* getopt has said why */
    }
}

/* --scale, which divides the sizes of the toy problems, and --root are for tests and for experiments/run. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
    static const struct option options[] = {
        {"quick", no_argument, NULL, 'q'},         {"only", required_argument, NULL, 'n'},
        {"problem", required_argument, NULL, 'p'}, {"rows", required_argument, NULL, 'w'},
        {"trials", required_argument, NULL, 't'},  {"max-passes", required_argument, NULL, 'm'},
        {"threads", required_argument, NULL, 'j'}, {"output", required_argument, NULL, 'o'},
        {"root", required_argument, NULL, 'r'},    {"scale", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},          {0},
    };
    int code = GO_ON, option;
    while (code == GO_ON && (option = getopt_long(argc, argv, "hqo:", options, NULL)) != -1)
        code = take_option(option, arguments);
    if (code == GO_ON && optind < argc) {
        dcpn_exp_say("found the argument '%s', expected options only; see --help", argv[optind]);
        code = USAGE;
    }
    return code;
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static int settle(struct arguments *arguments)
{
    struct plan *plan = &arguments->plan;
    const char *data = getenv("DCPN_DATA");
    if (!plan->max_passes) plan->max_passes = plan->quick ? QUICK_PASSES : FULL_PASSES;
    const char *place = plan->quick ? "build/experiments-quick" : "build/experiments";
    plan->output = arguments->output ? strdup(arguments->output) : join(arguments->root, place);
    plan->data = data && *data ? strdup(data) : join(arguments->root, "../shared/data");
    return plan->output && plan->data ? 0 : dcpn_exp_fail("out of memory");
}

/* Makes a folder and those above it. */
static int make_folder(const char *path)
{
    char *part = strdup(path);
    if (!part) return dcpn_exp_fail("out of memory");
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0777); /* what fails here fails below */
        *slash = '/';
    }
    free(part);
    struct stat found;
    if (mkdir(path, 0777) == 0 || (stat(path, &found) == 0 && S_ISDIR(found.st_mode))) return 0;
    return dcpn_exp_fail("%s: %s", path, strerror(errno));
}

static int run_experiment(const struct plan *asked, const struct experiment *experiment)
{
    struct plan plan = *asked;
    struct lab lab = {.plan = &plan, .context = dcpn_context_new(NULL)};
    if (!lab.context) return dcpn_exp_fail("out of memory");
    if (plan.trials == 0) plan.trials = plan.quick ? QUICK_TRIALS : experiment->trials;
    dcpn_context_set_option_prefix(lab.context, "--");
    dcpn_context_set_threads(lab.context, (int)plan.threads);
    int code = experiment->run(&lab);
    dcpn_context_free(lab.context);
    return code;
}

static int run(const struct plan *plan)
{
    int code = make_folder(plan->output);
    for (int i = 0; i < EXPERIMENTS && !code; i++)
        if (!plan->only || strcmp(plan->only, experiments[i].name) == 0) code = run_experiment(plan, &experiments[i]);
    if (!code) dcpn_exp_say("results are in %s", plan->output);
    return code;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.plan = {.rows = "raw", .threads = 1, .scale = 1}, .root = "."};
    int code = parse(argc, argv, &arguments);
    if (code != GO_ON) return code;
    code = settle(&arguments);
    if (!code) code = run(&arguments.plan);
    free(arguments.plan.output);
    free(arguments.plan.data);
    return code;
}
