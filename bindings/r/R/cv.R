# SPDX-License-Identifier: BSD-3-Clause
# Cross-validation: which penalty, which lambda, which features.

cv.dcpn <- function(x, y, penalty = c("l1", "mcp"), family = NULL, nfolds = 10, foldid = NULL, rule = "1se", measure = NULL,
                    seed = NULL, subsamples = 0, threshold = NULL, patience = NULL, lambda = NULL, nlambda = 100,
                    lambda.min.ratio = NULL, values = NULL, weights = NULL, offset = NULL, penalty.factor = NULL, lower = NULL, upper = NULL,
                    group = NULL, group.weights = NULL, strata = NULL, saturation = NULL, threads = 1, ...) {
  x <- as_features(x)
  labels <- as_labels(y, family, nrow(x))
  problem <- as_problem(x, labels, weights, offset, penalty.factor, lower, upper, group, group.weights, strata)
  options <- as_path_options(lambda, nlambda, lambda.min.ratio, penalty, values, saturation)
  asked <- as_cv_options(nfolds, foldid, rule, measure, seed, subsamples, threshold, patience)
  found <- ask(.Call(dcpn_r_cv, x, problem, as_options(list(loss = labels$loss, ...)), options, asked, as_threads(threads)))
  warn_of(found$notes)
  cv <- found$cv
  paths <- as_paths(cv$paths, labels, feature_names(x), match.call(), !is.null(offset))
  made <- structure(list(call = match.call(), paths = Map(with_curve, paths, cv$curves), measure = cv$measure,
                         nfolds = cv$folds, rule = rule, stability = as_stability(cv$stability, feature_names(x)),
                         complete = cv$complete),
                    class = "cv.dcpn")
  with_choice(made, cv)
}

as_cv_options <- function(nfolds, foldid, rule, measure, seed, subsamples, threshold, patience) {
  if (!is.null(foldid)) {
    foldid <- match(foldid, sort(unique(foldid))) - 1
    nfolds <- max(foldid) + 1
  }
  if (is.null(seed)) seed <- sample.int(.Machine$integer.max, 1L) # so that set.seed() decides
  given <- list(folds = as.double(nfolds), fold_of = if (is.null(foldid)) NULL else as.double(foldid), rule = rule,
                measure = measure, seed = as.double(seed), subsamples = as.double(subsamples),
                threshold = if (is.null(threshold)) NULL else as.double(threshold),
                patience = if (is.null(patience)) NULL else if (patience > 0) as.double(patience) else -1)
  given[!vapply(given, is.null, NA)]
}

with_curve <- function(path, curve) {
  path$cvm <- curve$cvm
  path$cvsd <- curve$cvsd
  path$lambda.min <- if (curve$min > 0) path$lambda[curve$min] else NA_real_
  path$lambda.1se <- if (curve[["1se"]] > 0) path$lambda[curve[["1se"]]] else NA_real_
  path
}

as_stability <- function(stability, names) {
  if (is.null(stability)) return(NULL)
  frequency <- structure(stability$frequency, names = names[stability$index + 1])
  list(frequency = sort(frequency, decreasing = TRUE), stable = names(frequency)[frequency >= stability$threshold],
       bound = stability$bound, subsamples = stability$subsamples, threshold = stability$threshold)
}

with_choice <- function(made, cv) {
  choice <- cv$chosen
  if (choice$path < 1) return(made)
  made$fit <- made$paths[[choice$path]]
  made$lambda <- made$fit$lambda[choice$point]
  made$cvm <- choice$mean
  made$cvsd <- choice$se
  made$lambda.min <- made$fit$lambda.min
  made$lambda.1se <- made$fit$lambda.1se
  made
}

need_choice <- function(object) {
  if (is.null(object$fit)) stop("the cross-validation chose nothing; $paths has its paths", call. = FALSE)
}

# A number, or the name of one of the three lambdas of the chosen path.
lambda_of <- function(object, s) {
  need_choice(object)
  if (!is.character(s)) return(s)
  s <- match.arg(s, c("lambda", "lambda.min", "lambda.1se"))
  object[[s]]
}

coef.cv.dcpn <- function(object, s = "lambda", ...) coef(object$fit, s = lambda_of(object, s))

predict.cv.dcpn <- function(object, newx, s = "lambda", ...) predict(object$fit, newx, s = lambda_of(object, s), ...)

print.cv.dcpn <- function(x, digits = 4, ...) {
  cat("Call: ", paste(deparse(x$call), collapse = " "), "\n\n", sep = "")
  cat(sprintf("%d folds, measure %s\n\n", as.integer(x$nfolds), x$measure))
  rows <- do.call(rbind, lapply(x$paths, function(path) {
    at <- match(c(path$lambda.min, path$lambda.1se), path$lambda)
    data.frame(penalty = paste0(path$penalty, shape_of(path)), rule = c("min", "1se"), lambda = signif(path$lambda[at], digits),
               features = path$df[at], mean = signif(path$cvm[at], digits), se = signif(path$cvsd[at], 2L))
  }))
  print(rows, row.names = FALSE, ...)
  if (is.null(x$fit)) return(invisible(x))
  at <- match(x$lambda, x$fit$lambda)
  cat(sprintf("\nchosen by the rule %s: %s%s, lambda %g, %d features\n", x$rule, x$fit$penalty, shape_of(x$fit), x$lambda,
              as.integer(x$fit$df[at])))
  if (!is.null(x$stability))
    cat(sprintf("stable: %d features in %g%% of %d subsamples (at most %.3g wrong ones expected)\n", length(x$stability$stable),
                100 * x$stability$threshold, as.integer(x$stability$subsamples), x$stability$bound))
  invisible(x)
}

plot.cv.dcpn <- function(x, ...) {
  paths <- x$paths
  colours <- hcl.colors(max(length(paths), 2L), "Dark 3")
  all <- unlist(lapply(paths, function(path) c(path$cvm - path$cvsd, path$cvm + path$cvsd)))
  reach <- range(unlist(lapply(paths, function(path) -log(path$lambda))))
  plot(NULL, xlim = reach, ylim = range(all, finite = TRUE), xlab = "-log(lambda)", ylab = x$measure, ...)
  for (k in seq_along(paths)) {
    along <- -log(paths[[k]]$lambda)
    suppressWarnings(arrows(along, paths[[k]]$cvm - paths[[k]]$cvsd, along, paths[[k]]$cvm + paths[[k]]$cvsd, length = 0.015,
                            angle = 90, code = 3, col = "grey75"))
    points(along, paths[[k]]$cvm, pch = 20, col = colours[k])
  }
  if (!is.null(x$fit)) abline(v = -log(c(x$lambda.min, x$lambda.1se)), lty = 3)
  if (length(paths) > 1L)
    legend("top", legend = vapply(paths, function(path) paste0(path$penalty, shape_of(path)), ""), col = colours, pch = 20,
           bty = "n", horiz = TRUE)
  invisible(x)
}
