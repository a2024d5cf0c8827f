# Writes paths.json: objectives along the paths of glmnet and of ncvreg, and cross-validation curves of glmnet.
#     Rscript paths.R [NCVREG.so]      (run by hand, in this folder; see README.md)
# The objectives are computed here from the coefficients: mean loss + penalty, on standardised columns where it says so.

suppressMessages({library(glmnet); library(jsonlite)})
glmnet.control(fdev = 0, devmax = 1, epsnr = 1e-14, mxitnr = 1000, pmin = 1e-14)
ncvreg_so <- commandArgs(trailingOnly = TRUE)

read_libsvm <- function(path) {
    fields <- strsplit(readLines(path), " ", fixed = TRUE)
    entries <- lapply(fields, function(row) matrix(as.numeric(unlist(strsplit(row[-1], ":"))), nrow = 2))
    x <- matrix(0, length(fields), max(sapply(entries, function(e) max(e[1, ]))))
    for (i in seq_along(entries)) x[i, entries[[i]][1, ]] <- entries[[i]][2, ]
    list(x = x, y = as.numeric(sapply(fields, `[`, 1)))
}

numbers <- function(path) scan(path, quiet = TRUE)
deviation <- function(x, w) apply(x, 2, function(v) sqrt(sum(w * (v - sum(w * v))^2)))

losses <- function(family, y, u) {
    if (family == "gaussian") return((y - u)^2 / 2)
    m <- y * u
    pmax(-m, 0) + log1p(exp(-abs(m)))
}

p_mcp <- function(b, lambda, gamma) {
    t <- pmin(abs(b), gamma * lambda)
    lambda * t - t^2 / (2 * gamma)
}
p_scad <- function(b, lambda, a) {
    t <- abs(b)
    ifelse(t <= lambda, lambda * t,
           ifelse(t <= a * lambda, (2 * a * lambda * t - t^2 - lambda^2) / (2 * (a - 1)), lambda^2 * (a + 1) / 2))
}

glmnet_case <- function(id, data, family, standardize = FALSE, intercept = TRUE, weights = NULL, offset = NULL,
                        factors = NULL, nlambda = 20, ratio = 0.01, measures = c("deviance")) {
    d <- read_libsvm(sprintf("data/%s.svm", data))
    n <- nrow(d$x)
    w <- if (is.null(weights)) rep(1, n) else numbers(weights)
    o <- if (is.null(offset)) rep(0, n) else numbers(offset)
    f <- if (is.null(factors)) rep(1, ncol(d$x)) else numbers(factors)
    y <- if (family == "gaussian") d$y else factor(d$y, levels = c(-1, 1))
    common <- list(x = d$x, y = y, family = family, weights = w, offset = o, standardize = standardize,
                   intercept = intercept, penalty.factor = f, thresh = 1e-14, maxit = 1e7)
    fit <- do.call(glmnet, c(common, list(nlambda = nlambda, lambda.min.ratio = ratio)))
    lambda <- fit$lambda / mean(f) # glmnet scales the factors to mean 1
    s <- if (standardize) deviation(d$x, w / sum(w)) else rep(1, ncol(d$x))
    objective <- sapply(seq_along(lambda), function(k) {
        b <- as.numeric(fit$beta[, k])
        sum(w / sum(w) * losses(family, d$y, o + fit$a0[k] + d$x %*% b)) + lambda[k] * sum(f * s * abs(b))
    })
    folds <- rep(1:5, length.out = n)
    cv <- lapply(setNames(as.list(measures), measures), function(measure) {
        type <- c(deviance = "deviance", error = "class", auc = "auc", mse = "mse", mae = "mae")[[measure]]
        r <- do.call(cv.glmnet, c(common, list(lambda = fit$lambda, foldid = folds, type.measure = type)))
        list(mean = r$cvm, se = r$cvsd, min = which(r$lambda == r$lambda.min) - 1, one_se =
             which(r$lambda == r$lambda.1se) - 1)
    })
    list(id = id, software = "glmnet", data = sprintf("data/%s.svm", data), penalty = "l1", shape = NA,
         loss = if (family == "gaussian") "squared" else "logistic", standardize = standardize, intercept = intercept,
         weights = weights, offset = offset, penalty_factor = factors, lambda = lambda, objective = objective,
         nnz = fit$df, explained = fit$dev.ratio, folds = 5, cv = cv)
}

# ncvreg's coordinate descent, called as its own R code calls it: columns standardised, the response centred.
ncvreg_case <- function(id, data, penalty, shape, nlambda = 30, ratio = 0.01) {
    d <- read_libsvm(sprintf("data/%s.svm", data))
    n <- nrow(d$x)
    s <- deviation(d$x, rep(1 / n, n))
    x <- sweep(sweep(d$x, 2, colMeans(d$x)), 2, s, "/")[, s > 0]
    y <- d$y - mean(d$y)
    most <- max(abs(crossprod(x, y)) / n)
    lambda <- exp(seq(log(most), log(ratio * most), length.out = nlambda))
    r <- .Call("cdfit_gaussian", x, y, penalty, lambda, 1e-12, 10000000L, shape, rep(1, ncol(x)), 1, ncol(x) + 1L, 1L)
    b <- matrix(r[[1]], ncol(x))
    p <- if (penalty == "MCP") p_mcp else p_scad
    concavity <- if (penalty == "MCP") 1 / shape else 1 / (shape - 1)
    objective <- sapply(seq_along(lambda), function(k) mean((y - x %*% b[, k])^2) / 2 + sum(p(b[, k], lambda[k], shape)))
    convex <- sapply(seq_along(lambda), function(k) {
        S <- which(b[, k] != 0)
        length(S) == 0 || min(eigen(crossprod(x[, S]) / n, TRUE, only.values = TRUE)$values) > concavity
    })
    list(id = id, software = "ncvreg", data = sprintf("data/%s.svm", data), penalty = tolower(penalty), shape = shape,
         loss = "squared", standardize = TRUE, intercept = TRUE, lambda = lambda, objective = objective,
         nnz = colSums(b != 0), convex = cumprod(convex) == 1)
}

classes <- c("deviance", "error", "auc")
regression <- c("deviance", "mse", "mae")
cases <- list(
    # folds of the sparse data have features that occur in one row only: fits to them are not unique
    glmnet_case("l1-logistic-sparse", "sparse-class", "binomial", measures = c()),
    glmnet_case("l1-logistic-dense", "dense-class", "binomial", measures = classes),
    glmnet_case("l1-logistic-sparse-standardized", "sparse-class", "binomial", standardize = TRUE, measures = c()),
    glmnet_case("l1-logistic-dense-weighted-offset", "dense-class", "binomial", weights = "data/dense-class.weights",
                offset = "data/dense-class.offset"),
    glmnet_case("l1-logistic-dense-standardized-weighted", "dense-class", "binomial", standardize = TRUE,
                weights = "data/dense-class.weights", measures = c("deviance", "error")),
    glmnet_case("l1-squared-dense", "dense-reg", "gaussian", measures = regression),
    glmnet_case("l1-squared-dense-standardized-weighted", "dense-reg", "gaussian", standardize = TRUE,
                weights = "data/dense-reg.weights", measures = regression),
    glmnet_case("l1-squared-dense-factor", "dense-reg", "gaussian", factors = "data/dense-reg.factor"),
    glmnet_case("l1-squared-sparse-no-intercept", "sparse-reg", "gaussian", intercept = FALSE, measures = c()))
if (length(ncvreg_so)) {
    dyn.load(ncvreg_so)
    cases <- c(cases, list(
        ncvreg_case("mcp-dense", "dense-reg", "MCP", 3),
        ncvreg_case("scad-dense", "dense-reg", "SCAD", 3.7),
        ncvreg_case("mcp-sparse", "sparse-reg", "MCP", 3, ratio = 0.05),
        ncvreg_case("scad-sparse", "sparse-reg", "SCAD", 3.7, ratio = 0.05),
        ncvreg_case("mcp-wide", "wide-class", "MCP", 3, ratio = 0.1),
        ncvreg_case("scad-wide", "wide-class", "SCAD", 3.7, ratio = 0.1)))
}
writeLines(toJSON(cases, digits = I(17), auto_unbox = TRUE, null = "null", na = "null", pretty = FALSE), "paths.json")
