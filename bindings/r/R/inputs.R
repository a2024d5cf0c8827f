# SPDX-License-Identifier: BSD-3-Clause
# What comes in: matrices and labels, as the library takes them. Doubles and dgCMatrix are borrowed, others are copied once.

as_features <- function(x) {
  if (inherits(x, "dgCMatrix")) return(x)
  if (inherits(x, "Matrix")) return(methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"))
  if (is.data.frame(x)) {
    texts <- names(x)[!vapply(x, function(column) is.numeric(column) || is.logical(column), NA)]
    if (length(texts))
      stop("x: found columns that are no numbers (", paste(head(texts, 5L), collapse = ", "),
           "), expected numbers; model.matrix(~ ., x)[, -1] makes columns of factors", call. = FALSE)
    x <- as.matrix(x)
  }
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)))
    stop("x: found an object of class ", class(x)[1L], ", expected a numeric matrix, a sparse one of the package Matrix or ",
         "a data frame of numbers", call. = FALSE)
  if (!is.double(x)) storage.mode(x) <- "double"
  x
}

# Numbers as they are; two classes as -1 and 1, the last level being the positive one.
as_labels <- function(y, loss, rows) {
  if (is.matrix(y) && ncol(y) == 1L) y <- y[, 1L]
  if (length(y) != rows)
    stop("y: found ", length(y), " labels, expected ", rows, ", one for each row of x", call. = FALSE)
  is_text <- is.factor(y) || is.character(y)
  if (is.null(loss)) loss <- if (is_text || is.logical(y) || length(unique(y[!is.na(y)])) == 2L) "logistic" else "squared"
  loss <- if (loss %in% names(families)) families[[loss]] else loss
  if (!loss %in% names(dcpn_losses()))
    stop("family: found '", loss, "', expected ", paste(c(names(families), names(dcpn_losses())), collapse = ", "), call. = FALSE)
  if (loss == "multinomial")
    stop("family: found 'multinomial', whose several scores a row this package does not take; fit one class against the ",
         "rest, or use the command with --loss multinomial", call. = FALSE)
  if (!.Call(dcpn_r_wants_classes, loss)) {
    if (is_text) stop("y: found classes, expected numbers for the family ", loss, call. = FALSE)
    return(list(numbers = as.double(y), loss = loss, classes = NULL))
  }
  levels <- if (is.factor(y)) levels(droplevels(y)) else sort(unique(y[!is.na(y)]))
  if (length(levels) != 2L)
    stop("y: found ", length(levels), " classes, expected 2 for the family ", loss,
         "; family = \"gaussian\" takes numbers", call. = FALSE)
  numbers <- c(-1, 1)[match(y, levels)]
  numbers[is.na(numbers)] <- NaN # without a label
  list(numbers = numbers, loss = loss, classes = levels)
}

# One number for each, or one for all; NULL stays.
as_numbers <- function(values, count) {
  if (is.null(values)) return(NULL)
  if (length(values) == 1L) values <- rep(values, count)
  as.double(values)
}

# A vector with the group of each feature, 0 or NA being none; groups are numbered in the order of their sorted names. Or a list
# of vectors of features, by number or name, in which a feature may be more than once.
as_groups <- function(groups, names, weights) {
  if (is.null(groups)) return(list())
  members <- if (is.list(groups)) listed_groups(groups, names) else vector_groups(groups, length(names))
  list(group_start = as.double(c(0, cumsum(lengths(members)))), group_member = as.double(unlist(members, use.names = FALSE)),
       group_weights = if (is.null(weights)) NULL else as.double(weights))
}

vector_groups <- function(groups, features) {
  if (length(groups) != features)
    stop("group: found ", length(groups), " entries, expected ", features, ", one for each column of x", call. = FALSE)
  groups[!is.na(groups) & groups == 0] <- NA
  split(seq_len(features) - 1, groups, drop = TRUE)
}

listed_groups <- function(groups, names) {
  lapply(groups, function(members) {
    at <- if (is.character(members)) match(members, names) else match(members, seq_along(names))
    if (anyNA(at))
      stop("group: found ", format(members[is.na(at)][1L]), ", expected the number or the name of a column of x", call. = FALSE)
    at - 1
  })
}

as_problem <- function(x, labels, weights, offset, penalty.factor, lower, upper, group, group.weights) {
  given <- c(list(y = labels$numbers, weights = as_numbers(weights, nrow(x)), offset = as_numbers(offset, nrow(x)),
                  factors = as_numbers(penalty.factor, ncol(x)), lower = as_numbers(lower, ncol(x)),
                  upper = as_numbers(upper, ncol(x))),
             as_groups(group, feature_names(x), group.weights))
  given[!vapply(given, is.null, NA)]
}

as_path_options <- function(lambda, nlambda, lambda.min.ratio, penalty, values, saturation) {
  given <- list(lambdas = if (is.null(lambda)) NULL else as.double(lambda), lambda_count = as.double(nlambda),
                min_ratio = as_numbers(lambda.min.ratio, 1L), penalties = as.character(penalty),
                values = if (is.null(values)) NULL else as.double(values), saturation = as_numbers(saturation, 1L))
  given[!vapply(given, is.null, NA)]
}

as_threads <- function(threads) {
  if (length(threads) != 1L || is.na(threads) || threads < 0 || threads != round(threads))
    stop("threads: found ", format(threads), ", expected a whole number from 1, or 0 for one on each processor", call. = FALSE)
  as.integer(threads)
}

feature_names <- function(x) {
  if (is.null(colnames(x))) paste0("V", seq_len(ncol(x))) else colnames(x)
}
