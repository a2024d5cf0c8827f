# SPDX-License-Identifier: BSD-3-Clause
# ncvreg: coordinate descent for mcp and scad, with an intercept and on standardised columns, always: it has the
# objective of the case where the columns and the response of the data are standardised already.
# Without the package, NCVREG_SO can name its src/gaussian.c compiled by R CMD SHLIB; its coordinate descent is then
# called as the package calls it.
source(file.path(Sys.getenv("DCPN_BENCH_PEERS"), "worker.R"))

prepare <- function(A, y, problem) {
  if (problem$scale != "mean") stop("ncvreg takes the mean of the losses")
  A <- as.matrix(A)
  penalty <- c(mcp = "MCP", scad = "SCAD")[[problem$penalty]]
  shape <- if (problem$penalty == "mcp") problem$gamma else problem$a
  lambda <- if (is.null(problem$lambdas)) problem$lambda else problem$lambdas
  if (requireNamespace("ncvreg", quietly = TRUE)) {
    family <- if (problem$loss == "logistic") "binomial" else "gaussian"
    response <- if (family == "binomial") (y + 1) / 2 else y
    return(function(tolerance) {
      ncvreg::ncvreg(A, response, family = family, penalty = penalty, gamma = shape, lambda = lambda, eps = tolerance,
                     max.iter = 1e6, warn = FALSE)$beta[-1, , drop = FALSE]
    })
  }
  if (problem$loss != "squared") stop("without the package there is only the squared loss")
  dyn.load(Sys.getenv("NCVREG_SO"))
  function(tolerance) {
    found <- .Call("cdfit_gaussian", A, y, penalty, as.double(lambda), tolerance, 10000000L, as.double(shape),
                   rep(1, ncol(A)), 1, ncol(A) + 1L, 1L)
    matrix(found[[1]], ncol(A))
  }
}
run(prepare)
