# SPDX-License-Identifier: BSD-3-Clause
# Cross-validation: its means recomputed from fits by hand, what is chosen, and stability selection.
source("problem.R")

p <- numbers_problem()
folds <- rep(1:4, length.out = 80)
cv <- cv.dcpn(p$x, p$y, penalty = "l1", foldid = folds, lambda = c(0.5, 0.2, 0.1), measure = "mse", rule = "min", tol = 1e-9)
by_hand <- sapply(1:4, function(k) {
  out <- folds == k
  fit <- dcpn(p$x[!out, ], p$y[!out], penalty = "l1", lambda = c(0.5, 0.2, 0.1), tol = 1e-9)
  colMeans((predict(fit, p$x[out, ]) - p$y[out])^2)
})
close_to(cv$paths[[1]]$cvm, rowMeans(by_hand), 1e-6)
close_to(cv$cvm, min(rowMeans(by_hand)), 1e-6)
stopifnot(cv$lambda == cv$fit$lambda[which.min(rowMeans(by_hand))])

# Two penalties; set.seed() decides the folds, and the threads change nothing.
run <- function(threads = 1) {
  set.seed(3)
  cv.dcpn(p$x, p$y, nfolds = 5, subsamples = 10, threads = threads)
}
one <- run()
again <- run(2)
stopifnot(identical(one$paths[[2]]$cvm, again$paths[[2]]$cvm), identical(one$stability, again$stability))
stopifnot(length(one$paths) == 2L, all(c("g1", "g2", "g3") %in% names(which(coef(one)[-1, ] != 0))))
stopifnot(all(one$stability$frequency <= 1), all(c("g1", "g2") %in% one$stability$stable))
stopifnot(identical(as.vector(predict(one, p$x)), as.vector(predict(one$fit, p$x, s = one$lambda))))
stopifnot(one$lambda.1se >= one$lambda.min)

# Printing and drawing work.
shown <- utils::capture.output(print(one))
stopifnot(any(grepl("chosen by the rule 1se", shown)))
grDevices::pdf(NULL)
plot(one)
plot(one$fit, xvar = "norm", label = TRUE)
plot(dcpn(p$x, p$y, lambda = 1e6))
invisible(grDevices::dev.off())

refused(cv.dcpn(p$x, p$y, rule = "best"), "rule")
refused(cv.dcpn(p$x, p$y, nfolds = 1), "folds")
refused(cv.dcpn(p$x, p$y, foldid = 1:3), "expected 80")
