# SPDX-License-Identifier: BSD-3-Clause
# One fit, at one lambda.

dcpn_fit <- function(x, y, penalty = "mcp", family = NULL, lambda = NULL, lambda.ratio = 0.1, weights = NULL, offset = NULL,
                     penalty.factor = NULL, lower = NULL, upper = NULL, group = NULL, group.weights = NULL, strata = NULL, threads = 1,
                     ...) {
  x <- as_features(x)
  labels <- as_labels(y, family, nrow(x))
  problem <- as_problem(x, labels, weights, offset, penalty.factor, lower, upper, group, group.weights, strata)
  settings <- as_options(list(loss = labels$loss, penalty = as_penalty(penalty), lambda = lambda, ...))
  options <- if (is.null(lambda)) list(share = as.double(lambda.ratio)) else structure(list(), names = character())
  found <- ask(.Call(dcpn_r_fit, x, problem, settings, options, as_threads(threads)))
  warn_of(found$notes)
  fit <- found$fit
  if (length(fit$intercept) == 1L) {
    fit$beta <- structure(fit$beta, names = feature_names(x))
  } else {
    fit$beta <- matrix(fit$beta, ncol(x), dimnames = list(feature_names(x), labels$classes))
    names(fit$intercept) <- labels$classes
  }
  made <- structure(c(list(call = match.call(), penalty = penalty, family = labels$loss, classes = if (is.null(labels$are_responses)) labels$classes,
                           has.offset = !is.null(offset)), fit), class = "dcpn_fit")
  if (!made$result$converged)
    warning("the fit ended before it was stationary: ", in_words_of_r(made$result$meaning), call. = FALSE)
  made
}

print.dcpn_fit <- function(x, ...) {
  r <- x$result
  cat("Call: ", paste(deparse(x$call), collapse = " "), "\n\n", sep = "")
  cat(sprintf("objective     %.10g  (loss %g + penalty %g)\n", r$objective, r$loss_value, r$penalty_value))
  cat(sprintf("features      %d of %d kept, lambda %g\n", as.integer(r$nonzeros), NROW(x$beta), x$lambda))
  cat(sprintf("stationarity  %.3g  (goal %.3g): %s\n", r$stationarity, r$stationarity_goal, in_words_of_r(r$meaning)))
  invisible(x)
}

coef.dcpn_fit <- function(object, ...) {
  if (is.matrix(object$beta)) return(rbind(`(Intercept)` = object$intercept, object$beta))
  c(`(Intercept)` = object$intercept, object$beta)
}

predict.dcpn_fit <- function(object, newx, type = c("link", "response", "class", "coefficients", "nonzero"), newoffset = NULL,
                             ...) {
  all <- coef(object)
  coefficients <- if (is.matrix(all)) lapply(structure(colnames(all), names = colnames(all)), function(k) all[, k, drop = FALSE])
                  else matrix(all, dimnames = list(names(all), NULL))
  found <- predict_at(object, coefficients, newx, match.arg(type), newoffset)
  if (is.matrix(all) && is.list(found)) return(lapply(found, function(one) if (is.list(one)) one[[1L]] else one))
  if (is.list(found)) found[[1L]] else if (length(dim(found)) == 3L) found[, , 1L] else drop(found)
}
