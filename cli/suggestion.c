/* SPDX-License-Identifier: BSD-3-Clause */
/* "did you mean": edit distance, where two swapped neighbours count once. */
#include "suggestion.h"

#include <string.h>

enum { LONGEST = 32 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* d[i][j]: the distance of the first i letters of a from the first j letters of b. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++) d[i][0] = i;
    for (size_t j = 0; j <= b_length; j++) d[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        for (size_t j = 1; j <= b_length; j++) {
            d[i][j] = smaller(d[i - 1][j], d[i][j - 1]) + 1;
            d[i][j] = smaller(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a_length][b_length];
}

/* Options of glmnet, ncvreg, scikit-learn, LIBLINEAR and the like, and what they are here. */
static const struct {
    const char *there, *here;
} elsewhere[] = {
    {"target", "label-column"},
    {"label", "label-column"},
    {"response", "label-column"},
    {"outcome", "label-column"},
    {"y", "label-column"},
    {"nfolds", "folds"},
    {"cv", "folds"},
    {"family", "loss"},
    {"fit-intercept", "intercept"},
    {"normalize", "standardize"},
    {"sample-weight", "weights"},
    {"random-state", "seed"},
    {"n-jobs", "threads"},
    {"jobs", "threads"},
    {"ncores", "threads"},
    {"cost", "lambda"},
    {"C", "lambda"},
    {"ids", "id"},
    {"id-column", "id"},
    {"row-names", "id"},
    {"categories", "categorical"},
    {"factors", "categorical"},
    {"na", "missing"},
    {"impute", "missing"},
    {"output-file", "output"},
    {"out", "output"},
    {"html", "report"},
    {"n-lambda", "nlambda"},
    {"n-alphas", "nlambda"},
    {"max-iterations", "max-iter"},
    {"maxit", "max-iter"},
    {"verbosity", "verbose"},
    {"l1-ratio", "ridge"},
    {"lambda-ratio", "lambda-min-ratio"},
    {"thresh", "tol"},
    {"penalty-weights", "penalty-factor"},
    {"pos-label", "positive"},
    {"multi-class", "positive"},
    {"drop", "ignore"},
    {"exclude", "ignore"},
    {"na-values", "missing"},
};

const char *dcpn_cli_suggestion_elsewhere(const char *wanted, size_t length)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strlen(elsewhere[i].there) == length && memcmp(elsewhere[i].there, wanted, length) == 0)
            return elsewhere[i].here;
    return NULL;
}

const char *dcpn_cli_suggestion_explained(const char *wanted, size_t length)
{
    static const char alpha[] = "alpha";
    if (length != strlen(alpha) || memcmp(wanted, alpha, length) != 0) return NULL;
    return "the elastic net of glmnet (--alpha 0.5, say) is --penalty l1 with --ridge X here; the weight of the "
           "penalty, which scikit-learn calls alpha, is --lambda";
}

const char *dcpn_cli_suggestion_letter(char letter)
{
    switch (letter) {
    case 's': return "LIBLINEAR's -s 6 is --loss logistic --penalty l1, its -s 5 --loss squared-hinge --penalty l1";
    case 'c': return "LIBLINEAR's -c C, a weight of the loss, is --lambda 1/C, that of the penalty";
    case 'e': return "LIBLINEAR's -e is --tol here, a distance to stationarity";
    case 'B': return "LIBLINEAR's -B 1 is --intercept here, which no penalty shrinks";
    default: return NULL;
    }
}

const char *dcpn_cli_suggestion_command(const char *name)
{
    static const char *const others[][2] = {{"train", "fit"},     {"learn", "fit"},         {"test", "predict"},
                                            {"glmnet", "path"},   {"cross-validate", "cv"}, {"summary", "info"},
                                            {"plot", "report"},   {"coefficients", "coef"}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k][0], name) == 0) return others[k][1];
    return NULL;
}

/* Values of glmnet, ncvreg, scikit-learn and the like. */
static const struct {
    const char *option, *there, *here;
} values[] = {
    {"penalty", "lasso", "did you mean l1?"},
    {"penalty", "L1", "did you mean l1?"},
    {"penalty", "elasticnet", "that is l1 with --ridge X"},
    {"penalty", "elastic-net", "that is l1 with --ridge X"},
    {"penalty", "enet", "that is l1 with --ridge X"},
    {"penalty", "ridge", "that is --ridge X beside a penalty that selects features"},
    {"penalty", "l2", "that is --ridge X beside a penalty that selects features"},
    {"penalty", "none", "--lambda 0 penalises nothing"},
    {"penalty", "MCP", "did you mean mcp?"},
    {"penalty", "SCAD", "did you mean scad?"},
    {"penalty", "capped", "did you mean capped-l1?"},
    {"penalty", "l0", "capped-l1 with a small --theta comes near it"},
    {"loss", "binomial", "did you mean logistic?"},
    {"loss", "logit", "did you mean logistic?"},
    {"loss", "log", "did you mean logistic?"},
    {"loss", "gaussian", "did you mean squared?"},
    {"loss", "mse", "did you mean squared?"},
    {"loss", "least-squares", "did you mean squared?"},
    {"loss", "hinge", "did you mean squared-hinge?"},
    {"loss", "svm", "did you mean squared-hinge?"},
    {"type", "prob", "did you mean probabilities?"},
    {"type", "proba", "did you mean probabilities?"},
    {"type", "probability", "did you mean probabilities?"},
    {"type", "response", "did you mean probabilities?"},
    {"type", "class", "did you mean labels?"},
    {"type", "link", "did you mean scores?"},
    {"type", "score", "did you mean scores?"},
    {"type", "label", "did you mean labels?"},
    {"measure", "accuracy", "did you mean error?"},
    {"measure", "class", "did you mean error?"},
    {"measure", "AUC", "did you mean auc?"},
    {"rule", "lambda.min", "did you mean min?"},
    {"rule", "lambda.1se", "did you mean 1se?"},
    {"missing", "median", "mean is the nearest"},
    {"missing", "impute", "did you mean mean?"},
};

const char *dcpn_cli_suggestion_value(const char *option, const char *value)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].option, option) == 0 && strcmp(values[i].there, value) == 0) return values[i].here;
    return NULL;
}

void dcpn_cli_suggestion_consider(struct suggestion *suggestion, const char *word)
{
    size_t length = strlen(word);
    if (suggestion->length < 2 || suggestion->length > LONGEST || length > LONGEST) return;
    size_t distance = edit_distance(suggestion->wanted, suggestion->length, word, length);
    int is_start = length > suggestion->length && memcmp(word, suggestion->wanted, suggestion->length) == 0;
    if (is_start) distance = 1;
    if (distance > 1 + suggestion->length / 5) return;
    if (suggestion->best && distance >= suggestion->distance) return;
    suggestion->best = word;
    suggestion->distance = distance;
}
