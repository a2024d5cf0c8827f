# SPDX-License-Identifier: BSD-3-Clause
# Many classes and times to events: fits are stationary by other code, and predictions are what the scores say.
source("problem.R")

p <- numbers_problem()
set.seed(9)

# Many classes: slopes of the mean loss, whose softmax is written down here.
kinds <- c("ash", "elm", "oak")
y <- factor(kinds[max.col(p$x[, 1:3] + matrix(rnorm(240), 80) / 2)])
fit <- dcpn_fit(p$x, y, penalty = "l1", lambda = 0.03, standardize = FALSE, tol = 1e-9)
stopifnot(identical(dim(fit$beta), c(40L, 3L)), identical(colnames(coef(fit)), kinds), fit$family == "multinomial")
link <- sweep(p$x %*% fit$beta, 2, fit$intercept, `+`)
odds <- exp(link)
chance <- odds / rowSums(odds)
slopes <- crossprod(p$x, chance - outer(y, kinds, `==`)) / 80
used <- fit$beta != 0
stopifnot(sum(used) > 3, sum(used) < 100)
close_to(slopes[used], -0.03 * sign(fit$beta[used]), 1e-6)
stopifnot(max(abs(slopes)) <= 0.03 + 1e-6, max(abs(colMeans(chance - outer(y, kinds, `==`)))) < 1e-6)
close_to(predict(fit, p$x), link)
close_to(predict(fit, p$x, type = "response"), chance)
stopifnot(identical(unname(predict(fit, p$x, type = "class")), kinds[max.col(link)]))
stopifnot(identical(lapply(predict(fit, type = "nonzero"), as.integer)$elm, unname(which(fit$beta[, "elm"] != 0))))

path <- dcpn(p$x, y, penalty = "l1", nlambda = 8, standardize = FALSE, tol = 1e-9)
alone <- dcpn_fit(p$x, y, penalty = "l1", lambda = path$lambda[6], standardize = FALSE, tol = 1e-9)
for (k in kinds) close_to(as.vector(path$beta[[k]][, 6]), unname(alone$beta[, k]), 1e-5)
found <- predict(path, p$x, type = "response")
stopifnot(identical(dim(found), c(80L, 3L, 8L)), abs(apply(found, c(1, 3), sum) - 1) < 1e-12)
close_to(found[, , 6], predict(alone, p$x, type = "response"), 1e-4)
middle <- mean(path$lambda[4:5])
close_to(as.vector(coef(path, s = middle)$oak), as.vector((coef(path)$oak[, 4] + coef(path)$oak[, 5]) / 2))
rows <- dcpn(p$x, y, penalty = "l1", nlambda = 8, class_grouping = "row")
stopifnot(identical(as.matrix(rows$beta$ash != 0), as.matrix(rows$beta$oak != 0)))
cv <- cv.dcpn(p$x, y, penalty = "l1", nfolds = 4, nlambda = 8, measure = "class-error", rule = "min", seed = 1)
stopifnot(cv$cvm < 0.5, identical(names(coef(cv)), kinds))
stopifnot(mean(predict(cv, p$x, type = "class") == y) > 0.6)
grDevices::pdf(NULL)
plot(path, label = TRUE)
plot(cv)
invisible(grDevices::dev.off())
invisible(utils::capture.output(print(path), print(cv), print(fit)))

# Times to events: Breslow's partial likelihood, with entries and strata, and y as a Surv of the package survival.
hazard <- exp(0.8 * p$x[, 1] - 0.6 * p$x[, 2])
time <- ceiling(8 * rexp(80, hazard)) / 8
status <- rbinom(80, 1, 0.7)
entry <- ifelse(seq_len(80) %% 2 == 0, 0, 0.4 * time)
sites <- rep(c("Lyon", "Oslo"), 40)
slopes_of <- function(beta, entry = rep(-1, 80), sites = rep("", 80)) {
  risk <- exp(drop(p$x %*% beta))
  Reduce(`+`, lapply(which(status == 1), function(i) {
    seen <- time >= time[i] & entry < time[i] & sites == sites[i]
    colSums(risk[seen] * p$x[seen, , drop = FALSE]) / sum(risk[seen]) - p$x[i, ]
  })) / 80
}
stationary <- function(fit, ...) {
  slopes <- slopes_of(fit$beta, ...)
  used <- fit$beta != 0
  stopifnot(any(used), !all(used), max(abs(slopes)) <= 0.05 + 1e-6)
  close_to(unname(slopes[used]), unname(-0.05 * sign(fit$beta[used])), 1e-6)
}
words <- list(x = p$x, penalty = "l1", lambda = 0.05, standardize = FALSE, tol = 1e-9)
cox <- function(y, ...) do.call(dcpn_fit, c(words, list(y = y, ...)))
right <- structure(cbind(time = time, status = status), class = "Surv", type = "right")
counting <- structure(cbind(start = entry, stop = time, status = status), class = "Surv", type = "counting")
plain <- cox(right)
stationary(plain)
stationary(cox(counting), entry = entry)
stationary(cox(right, strata = sites), sites = sites)
stopifnot(identical(cox(cbind(status = status, time = time), family = "cox")$beta, plain$beta))
stopifnot(identical(cox(data.frame(time, status), family = "cox")$beta, plain$beta))
close_to(predict(plain, p$x, type = "response"), exp(drop(p$x %*% plain$beta)))
chosen <- cv.dcpn(p$x, right, nfolds = 4, nlambda = 10, measure = "concordance", rule = "min", strata = sites, seed = 2)
stopifnot(chosen$cvm > 0.6, all(c("g1", "g2") %in% names(which(coef(chosen)[-1, ] != 0))))

# A rule that is neither min nor 1se is the one that chooses.
set.seed(10)
bic <- cv.dcpn(p$x, p$y, penalty = "l1", rule = "bic", nlambda = 30, seed = 3)
goodness <- 80 * log(bic$fit$deviance) + bic$fit$df * log(80)
stopifnot(bic$lambda == bic$fit$lambda[which.min(goodness)])

refused(dcpn(p$x, y, family = "binomial"), "found 3 classes, expected 2")
refused(dcpn(p$x, replace(y, 3, NA)), "found 1 rows without a label")
refused(dcpn(p$x, cbind(-time, status), family = "cox"), "found a time that is negative")
refused(dcpn(p$x, cbind(time, 2 * status), family = "cox"), "found the status 2")
refused(dcpn(p$x, time, family = "cox"), "expected time and status")
refused(dcpn(p$x, right, family = "gaussian"), "found times of events (Surv)")
refused(dcpn(p$x, p$y, strata = sites), "strata: found some, which the family squared does not have")
refused(dcpn(p$x, right[1:3, ], family = "cox"), "found 3 labels, expected 80")

# Several responses: each as if fitted alone, with coefficients and predictions of its own.
both <- cbind(first = p$y, second = p$x[, 5] * 2 + rnorm(80) / 3)
fit <- dcpn_fit(p$x, both, penalty = "l1", lambda = 0.1, tol = 1e-9)
stopifnot(identical(colnames(coef(fit)), colnames(both)), is.null(fit$classes))
for (k in 1:2) close_to(unname(fit$beta[, k]), unname(dcpn_fit(p$x, both[, k], penalty = "l1", lambda = 0.1, tol = 1e-9)$beta), 1e-5)
close_to(predict(fit, p$x), sweep(p$x %*% fit$beta, 2, fit$intercept, `+`))
path <- dcpn(p$x, both, penalty = "mcp", nlambda = 6, class_grouping = "row")
stopifnot(identical(names(path$beta), colnames(both)), identical(dim(predict(path, p$x, type = "response")), c(80L, 2L, 6L)))
stopifnot(identical(as.matrix(path$beta$first != 0), as.matrix(path$beta$second != 0)))
cv <- cv.dcpn(p$x, both, penalty = "l1", nfolds = 4, nlambda = 8, seed = 1)
stopifnot(identical(names(coef(cv)), colnames(both)), mean((predict(cv, p$x)[, , 1] - both)^2) < 0.5 * mean(both^2))
refused(dcpn(p$x, both, family = "binomial"), "expected numbers, each column a response")

# Words of other packages.
close_to(as.vector(dcpn(p$x, p$y, penalty = "MCP", nlambda = 5)$beta), as.vector(dcpn(p$x, p$y, penalty = "mcp", nlambda = 5)$beta))
refused(dcpn(p$x, p$y, alpha = 0.5), "ridge = is the weight of the squares")
refused(cv.dcpn(p$x, p$y, type.measure = "mse"), "measure = names it")
gaps <- p$x
gaps[3, 4] <- NA
refused(dcpn(gaps, p$y), "1 missing value, the first in row 3 of column g4")
