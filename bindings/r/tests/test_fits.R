# SPDX-License-Identifier: BSD-3-Clause
# Fits and paths: their objective and stationarity recomputed, the same from dense and sparse data, and what is refused.
source("problem.R")

# A path of MCP is stationary by other code, and its objective is what it says.
p <- numbers_problem()
fit <- dcpn(p$x, p$y, standardize = FALSE, shape_units = "raw", gamma = 3, tol = 1e-8, nlambda = 20)
for (k in seq_along(fit$lambda)) {
  naive <- naive_mcp(p$x, p$y, fit$a0[k], fit$beta[, k], fit$lambda[k], 3)
  close_to(fit$objective[k], naive$value)
  stopifnot(naive$violation <= 1e-6)
}
stopifnot(all(fit$converged), fit$df == colSums(as.matrix(fit$beta != 0)), identical(rownames(fit$beta), colnames(p$x)))

# l1 against least squares on the orthant: where the signs are known, the coefficients solve a linear system.
l1 <- dcpn_fit(p$x, p$y, penalty = "l1", lambda = 0.2, standardize = FALSE, intercept = FALSE, tol = 1e-10)
used <- which(l1$beta != 0)
X <- p$x[, used]
close_to(unname(l1$beta[used]), drop(solve(crossprod(X), crossprod(X, p$y) - nrow(X) * 0.2 * sign(l1$beta[used]))), 1e-6)

# Dense and sparse, whole numbers and threads: the same model.
q <- classes_problem()
sparse <- dcpn(q$x, q$y, penalty = "l1", nlambda = 10)
dense <- dcpn(as.matrix(q$x), q$y, penalty = "l1", nlambda = 10)
close_to(as.vector(sparse$beta), as.vector(dense$beta), 1e-3)
stopifnot(identical(sparse$beta, dcpn(q$x, q$y, penalty = "l1", nlambda = 10, threads = 2)$beta))
stopifnot(identical(sparse$beta, dcpn(as(q$x, "TsparseMatrix"), q$y, penalty = "l1", nlambda = 10)$beta))
counts <- matrix(rpois(400, 2), 40)
stopifnot(identical(dcpn(counts, counts[, 1] - 1.5)$beta, dcpn(counts + 0, counts[, 1] - 1.5)$beta))

# Classes: the last level is the positive one, predictions fit together.
s <- sparse$lambda[8]
link <- predict(sparse, q$x, s = s)
close_to(predict(sparse, q$x, s = s, type = "response"), 1 / (1 + exp(-link)))
stopifnot(identical(predict(sparse, q$x, s = s, type = "class") == "yes", link > 0))
close_to(drop(link), drop(as.matrix(q$x %*% sparse$beta[, 8])) + sparse$a0[8])
stopifnot(mean((drop(link) > 0) == (q$y == "yes")) > 0.8)
flags <- dcpn(q$x, q$y == "yes", penalty = "l1", nlambda = 10)
stopifnot(identical(flags$beta, sparse$beta))

# Between two lambdas of a convex path coefficients are interpolated; others are of the nearer one.
middle <- mean(sparse$lambda[4:5])
close_to(as.vector(coef(sparse, s = middle)), as.vector((coef(sparse)[, 4] + coef(sparse)[, 5]) / 2))
stopifnot(identical(as.vector(coef(fit, s = fit$lambda[7] * 1.001)), as.vector(coef(fit)[, 7])))

# Counts are predicted on their own scale, and the fit is stationary: slopes of the intercept and of features in use.
events <- rpois(80, exp(1 + p$x[, 1] / 2))
rates <- dcpn_fit(p$x, events, family = "poisson", penalty = "l1", lambda = 0.1, standardize = FALSE, tol = 1e-8)
response <- predict(rates, p$x, type = "response")
close_to(response, exp(predict(rates, p$x)))
close_to(mean(response), mean(events), 1e-6)
used <- which(rates$beta != 0)
close_to(drop(crossprod(p$x[, used], response - events)) / 80, unname(-0.1 * sign(rates$beta[used])), 1e-6)

# Groups come whole; weights are repetitions; factors of 0 are not penalised.
grouped <- dcpn(p$x, p$y, penalty = "l1", group = rep(1:8, each = 5), nlambda = 20)
stopifnot(all(grouped$df %% 5 == 0), grouped$df[5] > 0)
listed <- dcpn(p$x, p$y, penalty = "l1", group = split(colnames(p$x), rep(1:8, each = 5)), nlambda = 20)
stopifnot(identical(listed$beta, grouped$beta))
over <- dcpn(p$x, p$y, penalty = "l1", group = list(1:10, 6:20), grouping = "sum", nlambda = 5, tol = 1e-9)
factors <- c(rep(1, 5), rep(2, 5), rep(1, 30))
close_to(as.vector(over$beta), as.vector(dcpn(p$x, p$y, penalty = "l1", penalty.factor = factors, lambda = over$lambda, tol = 1e-9)$beta), 1e-6)
refused(dcpn(p$x, p$y, group = list("nope")), "found nope, expected the number or the name")
w <- rep(c(1, 2), 40)
heavy <- dcpn(p$x, p$y, penalty = "l1", weights = w, lambda = 0.3, tol = 1e-9)
twice <- dcpn(p$x[rep(1:80, w), ], p$y[rep(1:80, w)], penalty = "l1", lambda = 0.3, tol = 1e-9)
close_to(as.vector(heavy$beta), as.vector(twice$beta), 1e-6)
free <- dcpn(p$x, p$y, penalty.factor = c(rep(1, 39), 0), nlambda = 5)
stopifnot(all(free$beta[40, ] != 0))
positive <- dcpn(p$x, p$y, lower = 0, nlambda = 5)
stopifnot(all(positive$beta >= 0), any(positive$beta > 0))
stopifnot(length(dcpn(p$x, p$y, penalty = c("l1", "scad"))) == 2L)

# What is wrong is refused with a sentence that names it.
refused(dcpn(p$x, p$y[-1]), "found 79 labels, expected 80")
refused(dcpn(p$x, p$y, gama = 3), "is gamma meant?")
refused(dcpn(p$x, p$y, penalty = "nope"), "no penalty called 'nope'")
refused(dcpn(p$x, p$y, family = "poison"), "expected gaussian, binomial")
refused(dcpn(p$x, p$y, max_iter = -1), "max_iter: found '-1'")
refused(dcpn(p$x, p$y, weights = 1:3), "weights: found 3 numbers, expected 80")
refused(dcpn(p$x, rep(1:3, length.out = 80), family = "binomial"), "found 3 classes, expected 2")
refused(dcpn(data.frame(a = letters), 1:26), "found columns that are no numbers (a)")
refused(dcpn("x", 1), "found an object of class character")
refused(dcpn(replace(p$x, 5, NA), p$y), "found 1 missing value, the first in row 5 of column g1")
refused(dcpn(replace(p$x, 5, Inf), p$y), "found a value that is not finite")
refused(predict(fit, p$x[, -1]), "found 39 columns, expected 40")
refused(predict(dcpn(p$x, p$y, offset = 0, nlambda = 3), p$x), "newoffset: found none")
forged <- q$x
forged@p[61] <- 10000000L
refused(dcpn(forged, q$y), "do not fit together")

# Nothing grows: what C owned is gone after a refusal, too.
for (k in 1:200) try(dcpn(p$x, p$y, weights = -1), silent = TRUE)
invisible(gc())
