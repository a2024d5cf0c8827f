# SPDX-License-Identifier: BSD-3-Clause
# ncvreg: coordinate descent for mcp and scad, with an intercept and on standardised columns, always: it has the objective
# of the case where the columns and the response of the data are standardised already.
source(file.path(Sys.getenv("DCPN_BENCH_PEERS"), "worker.R"))
suppressMessages(library(ncvreg))

prepare <- function(A, y, problem) {
  if (problem$scale != "mean") stop("ncvreg takes the mean of the losses")
  A <- as.matrix(A)
  family <- if (problem$loss == "logistic") "binomial" else "gaussian"
  penalty <- c(mcp = "MCP", scad = "SCAD", l1 = "lasso")[[problem$penalty]]
  shape <- if (problem$penalty == "mcp") problem$gamma else if (problem$penalty == "scad") problem$a else 3
  response <- if (family == "binomial") (y + 1) / 2 else y
  lambda <- if (is.null(problem$lambdas)) problem$lambda else problem$lambdas
  function(tolerance) {
    model <- ncvreg(A, response, family = family, penalty = penalty, gamma = shape, lambda = lambda, eps = tolerance,
                    max.iter = 1e6, warn = FALSE)
    as.numeric(model$beta[-1, ncol(model$beta)])
  }
}
run(prepare)
