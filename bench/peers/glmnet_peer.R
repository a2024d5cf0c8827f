# SPDX-License-Identifier: BSD-3-Clause
# glmnet: coordinate descent on a quadratic model, at the lambda or the lambdas of the case; without its early exits.
source(file.path(Sys.getenv("DCPN_BENCH_PEERS"), "worker.R"))
suppressMessages(library(glmnet))
glmnet.control(fdev = 0, devmax = 1)

prepare <- function(A, y, problem) {
  lambda <- if (is.null(problem$lambdas)) problem$lambda else problem$lambdas
  if (problem$scale == "sum") lambda <- lambda / nrow(A)
  family <- if (problem$loss == "logistic") "binomial" else "gaussian"
  # glmnet scales a gaussian response by its standard deviation and back: the objective stays as written.
  response <- if (family == "binomial") factor(y, levels = c(-1, 1)) else y
  function(tolerance) {
    model <- glmnet(A, response, family = family, lambda = lambda, standardize = FALSE, intercept = FALSE,
                    thresh = tolerance, maxit = 1e8)
    as.matrix(model$beta)
  }
}
run(prepare)
