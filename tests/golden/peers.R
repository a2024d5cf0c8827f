# Solves the cases of a tab-separated table with glmnet; called by peers.py: Rscript peers.R TABLE
# Columns: family data weights offset factor lambda ridge intercept out ("-" for no file), lambda and ridge on
# glmnet's own scale (mean loss). Writes the intercept and then every coefficient to the file `out`.

suppressMessages(library(glmnet))
glmnet.control(fdev = 0, devmax = 1, epsnr = 1e-14, mxitnr = 1000, pmin = 1e-14)

read_libsvm <- function(path) {
    fields <- strsplit(readLines(path), " ", fixed = TRUE)
    entries <- lapply(fields, function(row) matrix(as.numeric(unlist(strsplit(row[-1], ":"))), nrow = 2))
    x <- matrix(0, length(fields), max(sapply(entries, function(e) max(e[1, ]))))
    for (i in seq_along(entries)) x[i, entries[[i]][1, ]] <- entries[[i]][2, ]
    list(x = x, y = as.numeric(sapply(fields, `[`, 1)))
}

numbers_or <- function(path, default) if (path == "-") default else scan(path, quiet = TRUE)

# glmnet scales y to unit variance internally, which changes the meaning of the ridge part. With y scaled
# beforehand the factor is one; the solution and lambda scale along.
response_scale <- function(y, w, intercept) {
    w <- w / sum(w)
    centre <- if (intercept) sum(w * y) else 0
    sqrt(sum(w * (y - centre)^2))
}

solve_case <- function(case) {
    data <- read_libsvm(case$data)
    n <- nrow(data$x)
    w <- numbers_or(case$weights, rep(1, n))
    offset <- numbers_or(case$offset, rep(0, n))
    factors <- numbers_or(case$factor, rep(1, ncol(data$x)))
    gaussian <- case$family == "gaussian"
    s <- if (gaussian) response_scale(data$y, w, case$intercept == 1) else 1
    y <- if (gaussian) data$y / s else factor(data$y, levels = c(-1, 1))
    # glmnet rescales the factors so that their mean is one.
    lambda <- case$lambda / s * mean(factors)
    total <- lambda + case$ridge
    fit <- glmnet(data$x, y, family = case$family, weights = w, offset = offset, alpha = lambda / total,
                  lambda = total * 2^(5:0), standardize = FALSE, intercept = case$intercept == 1,
                  penalty.factor = factors, thresh = 1e-14, maxit = 1e7)
    values <- s * c(fit$a0[6], as.vector(fit$beta[, 6]))
    writeLines(sprintf("%.17g", values), case$out)
}

cases <- read.delim(commandArgs(trailingOnly = TRUE)[1], stringsAsFactors = FALSE)
for (i in seq_len(nrow(cases))) solve_case(cases[i, ])
