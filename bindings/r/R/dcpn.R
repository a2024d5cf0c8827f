# SPDX-License-Identifier: BSD-3-Clause
# Paths of fits down a grid of lambdas.

dcpn <- function(x, y, penalty = "mcp", family = NULL, lambda = NULL, nlambda = 100, lambda.min.ratio = NULL, values = NULL,
                 weights = NULL, offset = NULL, penalty.factor = NULL, lower = NULL, upper = NULL, group = NULL,
                 group.weights = NULL, strata = NULL, saturation = NULL, threads = 1, ...) {
  x <- as_features(x)
  labels <- as_labels(y, family, nrow(x))
  problem <- as_problem(x, labels, weights, offset, penalty.factor, lower, upper, group, group.weights, strata)
  options <- as_path_options(lambda, nlambda, lambda.min.ratio, penalty, values, saturation)
  found <- ask(.Call(dcpn_r_path, x, problem, as_options(list(loss = labels$loss, ...)), options, as_threads(threads)))
  warn_of(found$notes)
  paths <- as_paths(found$paths, labels, feature_names(x), match.call(), !is.null(offset))
  if (length(paths) == 1L) paths[[1L]] else paths
}

# The paths of an answer, each an object of its own.
as_paths <- function(answer, labels, names, call, has_offset) {
  lapply(answer$paths, as_path, answer = answer, labels = labels, names = names, call = call, has_offset = has_offset)
}

as_path <- function(path, answer, labels, names, call, has_offset) {
  points <- length(path$lambda)
  at <- sequence(path$df, from = path$first + 1) # of the coefficients of one point after another
  beta <- sparseMatrix(i = path$index[at] + 1, j = rep(seq_len(points), path$df), x = path$value_of[at],
                       dims = c(answer$features * answer$scores, points), dimnames = list(rep(names, answer$scores), NULL))
  a0 <- path$intercept
  if (answer$scores > 1) {
    beta <- by_class(beta, labels$classes)
    a0 <- matrix(a0, answer$scores, dimnames = list(labels$classes, NULL))
  }
  structure(list(call = call, beta = beta, a0 = a0, lambda = path$lambda, df = path$df,
                 deviance = path$deviance, null.deviance = answer$null_deviance,
                 dev.ratio = 1 - path$deviance / answer$null_deviance, objective = path$objective,
                 stationarity = path$stationarity, stationarity.goal = path$stationarity_goal,
                 converged = path$converged != 0, outcome = path$outcome, convex = as.logical(path$convex),
                 penalty = path$penalty, varying = path$varying, value = path$value, lambda.max = path$lambda_max,
                 end = path$end, family = answer$loss, classes = if (is.null(labels$are_responses)) labels$classes, nobs = answer$rows,
                 has.offset = has_offset, time = answer$time_s),
            class = "dcpn")
}

# The coefficients of each class, which come one class after another, as a list.
by_class <- function(table, classes) {
  features <- nrow(table) / length(classes)
  structure(lapply(seq_along(classes), function(k) table[(k - 1) * features + seq_len(features), , drop = FALSE]), names = classes)
}

shape_of <- function(object) {
  if (is.null(object$varying)) "" else sprintf(", %s = %g", object$varying, object$value)
}

print.dcpn <- function(x, digits = 4, ...) {
  cat("Call: ", paste(deparse(x$call), collapse = " "), "\n\n", sep = "")
  cat(sprintf("%s loss, penalty %s%s: %d lambdas%s\n\n", x$family, x$penalty, shape_of(x), length(x$lambda),
              if (x$end == "saturated") ", ended where more features explain nothing more" else ""))
  table <- data.frame(Df = x$df, `%Dev` = round(100 * x$dev.ratio, 2), Lambda = signif(x$lambda, digits), check.names = FALSE)
  print(table, ...)
  late <- sum(!x$converged)
  if (late) cat(sprintf("\n%d of %d fits ended before they were stationary: $outcome says how\n", late, length(x$lambda)))
  invisible(x)
}

# Coefficients at lambdas: those of a path as they are; between two of them interpolated if the penalty and the loss are
# convex, else those of the nearer one, since in between F has other minima.
at_lambdas <- function(object, s) {
  if (is.list(object$beta)) { # of many classes, for each of them
    one <- function(k) at_lambdas(utils::modifyList(unclass(object), list(beta = object$beta[[k]], a0 = object$a0[k, ])), s)
    return(structure(lapply(seq_along(object$beta), one), names = names(object$beta)))
  }
  all <- rbind(`(Intercept)` = object$a0, object$beta)
  if (is.null(s)) return(all)
  s <- as.double(s)
  if (anyNA(s) || any(s < 0)) stop("s: found a lambda that is negative or missing", call. = FALSE)
  if (length(object$lambda) == 1L) return(all[, rep(1L, length(s)), drop = FALSE])
  place <- stats::approx(log(object$lambda), seq_along(object$lambda), log(pmax(s, 1e-300)), rule = 2)$y
  if (!is_convex(object)) return(all[, round(place), drop = FALSE])
  low <- floor(place)
  high <- pmin(low + 1, length(object$lambda))
  at <- (object$lambda[low] - clamp(s, object$lambda)) / ifelse(high > low, object$lambda[low] - object$lambda[high], 1)
  all[, low, drop = FALSE] %*% Matrix::Diagonal(x = 1 - at) + all[, high, drop = FALSE] %*% Matrix::Diagonal(x = at)
}

clamp <- function(s, lambda) pmin(pmax(s, min(lambda)), max(lambda))

is_convex <- function(object) object$penalty == "l1" && !object$family %in% c("welsch", "smooth-ramp")

coef.dcpn <- function(object, s = NULL, ...) at_lambdas(object, s)

predict.dcpn <- function(object, newx, s = NULL, type = c("link", "response", "class", "coefficients", "nonzero"),
                         newoffset = NULL, ...) {
  predict_at(object, at_lambdas(object, s), newx, match.arg(type), newoffset)
}

predict_at <- function(object, coefficients, newx, type, newoffset) {
  if (type == "coefficients") return(coefficients)
  if (is.list(coefficients)) return(predict_many(object, coefficients, newx, type, newoffset))
  if (type == "nonzero") return(lapply(seq_len(ncol(coefficients)), function(k) unname(which(coefficients[-1L, k] != 0))))
  if (missing(newx)) stop("newx: found none, expected the rows to predict", call. = FALSE)
  newx <- as_features(newx)
  if (ncol(newx) != nrow(coefficients) - 1L)
    stop("newx: found ", ncol(newx), " columns, expected ", nrow(coefficients) - 1L, " as in the fit", call. = FALSE)
  if (object$has.offset && is.null(newoffset))
    stop("newoffset: found none, expected one for each row, since the fit had an offset", call. = FALSE)
  scores <- as.matrix(newx %*% coefficients[-1L, , drop = FALSE])
  scores <- sweep(scores, 2L, coefficients[1L, ], `+`)
  if (!is.null(newoffset)) scores <- scores + as_numbers(newoffset, nrow(newx))
  dimnames(scores) <- list(rownames(newx), NULL)
  if (type == "link") return(scores)
  if (type == "class") return(as_classes(object, scores))
  as_response(object, scores)
}

# Of many classes, or several responses: scores and what they stand for are arrays of rows x classes x lambdas.
predict_many <- function(object, coefficients, newx, type, newoffset) {
  if (type == "nonzero") return(lapply(coefficients, function(one) predict_at(object, one, newx, type, newoffset)))
  each <- lapply(coefficients, function(one) predict_at(object, one, newx, "link", newoffset))
  scores <- array(unlist(each), c(dim(each[[1L]]), length(each)), list(rownames(each[[1L]]), NULL, names(coefficients)))
  scores <- aperm(scores, c(1L, 3L, 2L))
  if (type == "link") return(scores)
  if (is.null(object$classes)) return(if (type == "class") as_classes(object, scores) else as_response(object, scores))
  if (type == "class") return(apply(scores, c(1L, 3L), function(row) names(coefficients)[which.max(row)]))
  largest <- apply(scores, c(1L, 3L), max)
  odds <- exp(sweep(scores, c(1L, 3L), largest))
  sweep(odds, c(1L, 3L), apply(odds, c(1L, 3L), sum), `/`)
}

as_classes <- function(object, scores) {
  if (is.null(object$classes)) stop("type: found 'class', but the family ", object$family, " has numbers", call. = FALSE)
  array(as.character(object$classes)[1L + (scores > 0)], dim(scores), dimnames(scores))
}

as_response <- function(object, scores) {
  if (object$family == "logistic") return(stats::plogis(scores))
  if (object$family %in% c("poisson", "negative-binomial", "gamma", "cox")) return(exp(scores)) # by their logarithm; a risk
  if (is.null(object$classes)) return(scores)
  stop("type: found 'response', but the family ", object$family, " has no probabilities; 'link' has the scores", call. = FALSE)
}

# Of many classes, of each feature the coefficient that is largest in size.
largest_coefficients <- function(object) {
  if (!is.list(object$beta)) return(as.matrix(object$beta))
  Reduce(function(one, other) ifelse(abs(one) >= abs(other), one, other), lapply(object$beta, as.matrix))
}

plot.dcpn <- function(x, xvar = c("lambda", "norm", "dev"), label = FALSE, ...) {
  xvar <- match.arg(xvar)
  beta <- largest_coefficients(x)
  used <- which(rowSums(beta != 0) > 0)
  along <- switch(xvar, lambda = -log(x$lambda), norm = colSums(abs(beta)), dev = x$dev.ratio)
  words <- switch(xvar, lambda = "-log(lambda)", norm = "L1 norm", dev = "share of the deviance explained")
  if (!length(used)) used <- 1L
  used <- used[order(-apply(abs(beta[used, , drop = FALSE]), 1L, max))] # neighbours in size differ in colour
  matplot(along, t(beta[used, , drop = FALSE]), type = "l", lty = 1, col = rep_len(hcl.colors(9L, "Dark 3"), length(used)),
          xlab = words, ylab = "coefficient", ...)
  abline(h = 0, col = "grey60")
  at <- pretty(along)
  near <- vapply(at, function(place) which.min(abs(along - place)), 1L)
  axis(3L, at = at, labels = x$df[near], tick = FALSE, line = -0.5)
  if (label) mtext(rownames(beta)[used], side = 4L, at = beta[used, ncol(beta)], las = 1L, cex = 0.6)
  invisible(x)
}
