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

# The ridge is the same at every lambda, as in dcpn; glmnet has one alpha for a path, so each lambda is a call of its own
# (of two lambdas: cross-validation refuses one). With a gaussian response glmnet divides lambda (1 - alpha) by the
# deviation of the response, which is undone here.
mixed <- function(lambda, ridge, unit) lapply(lambda, function(l) {
    total <- l + ridge * unit
    list(lambda = c(2, 1) * total, alpha = l / total)
})
unit_of <- function(family, intercept, y, w) {
    if (family != "gaussian") return(1)
    if (intercept) deviation(matrix(y), w / sum(w)) else sqrt(sum(w * y^2) / sum(w))
}

# cv.glmnet's mean and standard error for a ridge that is the same in all folds, although their units differ.
squared_errors <- function(d, common, grid, ridge, folds) {
    r <- sapply(sort(unique(folds)), function(fold) {
        out <- folds == fold
        part <- common
        for (name in c("x", "y", "weights", "offset"))
            part[[name]] <- if (name == "x") common$x[!out, ] else common[[name]][!out]
        unit <- unit_of("gaussian", common$intercept, part$y - part$offset, part$weights)
        sapply(mixed(grid, ridge, unit), function(call) {
            fit <- do.call(glmnet, c(part, call))
            u <- fit$a0[2] + common$x[out, ] %*% fit$beta[, 2] + common$offset[out]
            weighted.mean((d$y[out] - as.numeric(u))^2, common$weights[out])
        })
    })
    w <- as.numeric(tapply(common$weights, folds, sum))
    mean <- apply(r, 1, weighted.mean, w)
    list(mean = mean, se = sqrt(apply((r - mean)^2, 1, weighted.mean, w) / (ncol(r) - 1)))
}

glmnet_case <- function(id, data, family, standardize = FALSE, intercept = TRUE, weights = NULL, offset = NULL,
                        factors = NULL, ridge = 0, nlambda = 20, ratio = 0.01, measures = c("deviance")) {
    d <- read_libsvm(sprintf("data/%s.svm", data))
    n <- nrow(d$x)
    w <- if (is.null(weights)) rep(1, n) else numbers(weights)
    o <- if (is.null(offset)) rep(0, n) else numbers(offset)
    f <- if (is.null(factors)) rep(1, ncol(d$x)) else numbers(factors)
    y <- if (family == "gaussian") d$y else factor(d$y, levels = c(-1, 1))
    common <- list(x = d$x, y = y, family = family, weights = w, offset = o, standardize = standardize,
                   intercept = intercept, penalty.factor = f, thresh = 1e-14, maxit = 1e7)
    grid <- do.call(glmnet, c(common, list(nlambda = nlambda, lambda.min.ratio = ratio)))$lambda
    unit <- unit_of(family, intercept, d$y - o, w)
    calls <- if (ridge > 0) mixed(grid, ridge, unit) else list(list(lambda = grid, alpha = 1))
    last <- function(v) if (ridge > 0) v[2] else v
    fits <- lapply(calls, function(call) do.call(glmnet, c(common, call)))
    beta <- do.call(cbind, lapply(fits, function(fit) if (ridge > 0) fit$beta[, 2, drop = FALSE] else fit$beta))
    a0 <- unlist(lapply(fits, function(fit) last(fit$a0)))
    lambda <- grid / mean(f) # glmnet scales the factors to mean 1
    s <- if (standardize) deviation(d$x, w / sum(w)) else rep(1, ncol(d$x))
    objective <- sapply(seq_along(lambda), function(k) {
        b <- as.numeric(beta[, k])
        sum(w / sum(w) * losses(family, d$y, o + a0[k] + d$x %*% b)) + lambda[k] * sum(f * s * abs(b)) +
            ridge / 2 * sum((s * b)^2)
    })
    folds <- rep(1:5, length.out = n)
    cv <- lapply(setNames(as.list(measures), measures), function(measure) {
        if (ridge > 0 && family == "gaussian") return(squared_errors(d, common, grid, ridge, folds))
        type <- c(deviance = "deviance", error = "class", auc = "auc", mse = "mse", mae = "mae")[[measure]]
        runs <- lapply(calls, function(call)
            do.call(cv.glmnet, c(common, call, list(foldid = folds, type.measure = type))))
        curve <- list(mean = unlist(lapply(runs, function(r) last(r$cvm))),
                      se = unlist(lapply(runs, function(r) last(r$cvsd))))
        if (ridge > 0) return(curve)
        r <- runs[[1]]
        c(curve, list(min = which(r$lambda == r$lambda.min) - 1, one_se = which(r$lambda == r$lambda.1se) - 1))
    })
    list(id = id, software = "glmnet", data = sprintf("data/%s.svm", data), penalty = "l1", shape = NA,
         loss = if (family == "gaussian") "squared" else "logistic", standardize = standardize, intercept = intercept,
         weights = weights, offset = offset, penalty_factor = factors, ridge = ridge, lambda = lambda,
         objective = objective, nnz = colSums(as.matrix(beta) != 0),
         explained = unlist(lapply(fits, function(fit) last(fit$dev.ratio))), folds = 5, cv = cv)
}

# ncvreg's coordinate descent, called as its own R code calls it: columns standardised, the response centred.
ncvreg_case <- function(id, data, penalty, shape, factors = NULL, nlambda = 30, ratio = 0.01) {
    d <- read_libsvm(sprintf("data/%s.svm", data))
    n <- nrow(d$x)
    s <- deviation(d$x, rep(1 / n, n))
    x <- sweep(sweep(d$x, 2, colMeans(d$x)), 2, s, "/")[, s > 0]
    y <- d$y - mean(d$y)
    f <- if (is.null(factors)) rep(1, ncol(d$x)) else numbers(factors)
    f <- f[s > 0]
    most <- max(abs(crossprod(x, y)) / n / f)
    lambda <- exp(seq(log(most), log(ratio * most), length.out = nlambda))
    r <- .Call("cdfit_gaussian", x, y, penalty, lambda, 1e-12, 10000000L, shape, f, 1, ncol(x) + 1L, 1L)
    b <- matrix(r[[1]], ncol(x))
    p <- if (penalty == "MCP") p_mcp else p_scad
    concavity <- if (penalty == "MCP") 1 / shape else 1 / (shape - 1)
    objective <- sapply(seq_along(lambda), function(k) mean((y - x %*% b[, k])^2) / 2 + sum(p(b[, k], f * lambda[k], shape)))
    in_use <- cbind(FALSE, b != 0)
    convex <- sapply(seq_along(lambda), function(k) { # on the way from the lambda before
        S <- which(in_use[, k] | in_use[, k + 1])
        length(S) == 0 || min(eigen(crossprod(x[, S]) / n, TRUE, only.values = TRUE)$values) > concavity
    })
    list(id = id, software = "ncvreg", data = sprintf("data/%s.svm", data), penalty = tolower(penalty), shape = shape,
         loss = "squared", standardize = TRUE, intercept = TRUE, penalty_factor = factors, lambda = lambda,
         objective = objective, nnz = colSums(b != 0), convex = cumprod(convex) == 1)
}

classes <- c("deviance", "error", "auc")
regression <- c("deviance", "mse", "mae")

# Every standardisation and intercept, once plain and once with weights, offset, factors and a ridge together.
glmnet_cases <- function(family, data, measures) {
    loss <- if (family == "gaussian") "squared" else "logistic"
    file <- function(what) sprintf("data/%s.%s", data, what)
    cases <- list()
    for (standardize in c(FALSE, TRUE)) for (intercept in c(TRUE, FALSE)) {
        case <- function(what, ...) {
            id <- paste0("l1-", loss, if (standardize) "-standardized", if (!intercept) "-through-0", what)
            list(glmnet_case(id, data, family, standardize, intercept, ...))
        }
        cases <- c(cases, case("", measures = measures),
                   case("-weighted-offset-factor", weights = file("weights"), offset = file("offset"),
                        factors = file("factor"), measures = measures[1:2]),
                   case("-weighted-offset-ridge", weights = file("weights"), offset = file("offset"), ridge = 0.05,
                        nlambda = 10, measures = measures[1]))
    }
    cases
}

cases <- c(
    glmnet_cases("binomial", "dense-class", classes),
    glmnet_cases("gaussian", "dense-reg", regression),
    list(
        # folds of the sparse data have features that occur in one row only: fits to them are not unique
        glmnet_case("l1-logistic-sparse", "sparse-class", "binomial", measures = c()),
        glmnet_case("l1-logistic-sparse-standardized", "sparse-class", "binomial", standardize = TRUE, measures = c()),
        glmnet_case("l1-logistic-wide", "wide-class", "binomial", ratio = 0.1),
        glmnet_case("l1-squared-sparse-through-0", "sparse-reg", "gaussian", intercept = FALSE, measures = c()),
        glmnet_case("l1-squared-sparse-ridge", "sparse-reg", "gaussian", standardize = TRUE, ridge = 0.02,
                    nlambda = 10, measures = c())))
if (length(ncvreg_so)) {
    dyn.load(ncvreg_so)
    for (penalty in c("MCP", "SCAD")) {
        shape <- if (penalty == "MCP") 3 else 3.7
        case <- function(what, data, ...) list(ncvreg_case(paste0(tolower(penalty), what), data, penalty, ...))
        cases <- c(cases, case("-dense", "dense-reg", shape), case("-dense-nearly-hard", "dense-reg", shape - 1.5),
                   case("-dense-factor", "dense-reg", shape, factors = "data/dense-reg.multiplier"),
                   case("-sparse", "sparse-reg", shape, ratio = 0.05), case("-wide", "wide-class", shape, ratio = 0.1),
                   case("-wide-nearly-l1", "wide-class", 10, ratio = 0.1))
    }
}
writeLines(toJSON(cases, digits = I(17), auto_unbox = TRUE, null = "null", na = "null", pretty = FALSE), "paths.json")
