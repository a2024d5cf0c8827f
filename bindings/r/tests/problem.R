# SPDX-License-Identifier: BSD-3-Clause
# What the tests share: data, and the objective and its stationarity by R alone.
library(dcpn)
library(Matrix)

refused <- function(expression, words) {
  said <- tryCatch({
    expression
    "nothing was refused"
  }, error = conditionMessage)
  if (!grepl(words, said, fixed = TRUE)) stop("found '", said, "', expected '", words, "' in it")
}

close_to <- function(found, expected, tolerance = 1e-8) {
  if (length(found) != length(expected) || anyNA(found) || any(abs(found - expected) > tolerance * (1 + abs(expected))))
    stop("found ", paste(utils::head(found), collapse = " "), ", expected ", paste(utils::head(expected), collapse = " "))
}

numbers_problem <- function(n = 80, p = 40) {
  set.seed(7)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  list(x = x, y = drop(x[, 1:3] %*% c(2, -2, 1.5)) + rnorm(n))
}

classes_problem <- function(n = 150, p = 60) {
  set.seed(8)
  x <- rsparsematrix(n, p, 0.2)
  score <- drop(as.matrix(x[, 1:3] %*% c(3, -3, 2))) + rnorm(n) / 2
  list(x = x, y = factor(ifelse(score > 0, "yes", "no")))
}

# The mean squared loss and MCP with raw gamma: F, and how far x is from being stationary.
naive_mcp <- function(x, y, a0, beta, lambda, gamma) {
  r <- drop(x %*% beta) + a0 - y
  t <- abs(beta)
  value <- mean(r^2) / 2 + sum(ifelse(t <= gamma * lambda, lambda * t - t^2 / (2 * gamma), gamma * lambda^2 / 2))
  slope <- drop(crossprod(x, r)) / length(y)
  in_use <- slope + sign(beta) * pmax(lambda - t / gamma, 0)
  list(value = value, violation = max(abs(mean(r)), ifelse(beta == 0, pmax(abs(slope) - lambda, 0), abs(in_use))))
}
