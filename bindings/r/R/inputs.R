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
  if (anyNA(x)) {
    at <- which(is.na(x), arr.ind = TRUE)
    stop("x: found ", nrow(at), " missing value", if (nrow(at) > 1L) "s", ", the first in row ", at[1L, 1L], " of column ",
         feature_names(x)[at[1L, 2L]], ", expected numbers; leave these rows out, or fill them in", call. = FALSE)
  }
  x
}

# Numbers as they are; two classes as -1 and 1, the last level being the positive one; more as 0, 1, ...; times to events
# negative where there was none.
as_labels <- function(y, loss, rows) {
  loss <- if (is.null(loss)) NULL else as_loss(loss)
  if (identical(loss, "cox") || inherits(y, "Surv")) return(as_times(y, if (is.null(loss)) "cox" else loss, rows))
  if (is.data.frame(y)) y <- as.matrix(y)
  if (is.matrix(y) && ncol(y) == 1L) y <- y[, 1L]
  if (is.matrix(y)) return(as_responses(y, if (is.null(loss)) "squared" else loss, rows))
  if (length(y) != rows)
    stop("y: found ", length(y), " labels, expected ", rows, ", one for each row of x", call. = FALSE)
  is_text <- is.factor(y) || is.character(y)
  found <- length(unique(y[!is.na(y)]))
  if (is.null(loss) && is_text && found > 2L) loss <- "multinomial"
  if (is.null(loss)) loss <- if (is_text || is.logical(y) || found == 2L) "logistic" else "squared"
  if (loss == "ordinal")
    stop("family: found 'ordinal', which the command and the Python package know; expected another one", call. = FALSE)
  if (loss == "multinomial") return(as_many_classes(y))
  if (!.Call(dcpn_r_wants_classes, loss)) {
    if (is_text) stop("y: found classes, expected numbers for the family ", loss, call. = FALSE)
    return(list(numbers = as.double(y), loss = loss, classes = NULL))
  }
  levels <- classes_of(y)
  if (length(levels) != 2L)
    stop("y: found ", length(levels), " classes, expected 2 for the family ", loss,
         "; family = \"multinomial\" takes more, and family = \"gaussian\" numbers", call. = FALSE)
  numbers <- c(-1, 1)[match(y, levels)]
  numbers[is.na(numbers)] <- NaN # without a label
  list(numbers = numbers, loss = loss, classes = levels)
}

# Several responses of each row, a column each.
as_responses <- function(y, loss, rows) {
  if (!is.numeric(y) || .Call(dcpn_r_wants_classes, loss))
    stop("y: found ", ncol(y), " columns, expected numbers, each column a response, and a family of numbers", call. = FALSE)
  if (nrow(y) != rows) stop("y: found ", nrow(y), " rows, expected ", rows, ", one for each row of x", call. = FALSE)
  names <- if (is.null(colnames(y))) paste0("y", seq_len(ncol(y))) else colnames(y)
  list(numbers = as.double(y[, 1L]), responses = as.double(y), loss = loss, classes = names, are_responses = TRUE)
}

as_loss <- function(family) {
  loss <- if (family %in% names(families)) families[[family]] else family
  if (!loss %in% names(dcpn_losses()))
    stop("family: found '", loss, "', expected ", paste(unique(c(names(families), names(dcpn_losses()))), collapse = ", "),
         call. = FALSE)
  loss
}

classes_of <- function(y) if (is.factor(y)) levels(droplevels(y)) else sort(unique(y[!is.na(y)]))

as_many_classes <- function(y) {
  levels <- classes_of(y)
  if (anyNA(y)) stop("y: found ", sum(is.na(y)), " rows without a label, expected none for the family multinomial", call. = FALSE)
  if (length(levels) < 2L) stop("y: found ", length(levels), " class, expected at least 2", call. = FALSE)
  list(numbers = match(y, levels) - 1, loss = "multinomial", classes = as.character(levels))
}

# A Surv of the package survival, or two columns: time and status, by these names or in this order.
as_times <- function(y, loss, rows) {
  if (loss != "cox") stop("y: found times of events (Surv), which the family ", loss, " does not take; \"cox\" does", call. = FALSE)
  kind <- if (inherits(y, "Surv")) attr(y, "type") else "right"
  if (!kind %in% c("right", "counting"))
    stop("y: found a Surv of the type ", kind, ", expected one of the type right or counting", call. = FALSE)
  y <- if (is.data.frame(y)) as.matrix(y) else unclass(y)
  if (!is.matrix(y) || !is.numeric(y) && !is.logical(y) || ncol(y) != (if (kind == "right") 2L else 3L))
    stop("y: found neither a Surv nor two columns of numbers, expected time and status", call. = FALSE)
  if (nrow(y) != rows) stop("y: found ", nrow(y), " labels, expected ", rows, ", one for each row of x", call. = FALSE)
  entry <- if (kind == "counting") as.double(y[, 1L])
  if (kind == "counting") y <- y[, 2:3]
  if (all(c("time", "status") %in% colnames(y))) y <- y[, c("time", "status")]
  if (anyNA(y) || any(y[, 1L] < 0)) stop("y: found a time that is negative or missing, expected times and then the status", call. = FALSE)
  if (!all(y[, 2L] %in% 0:1)) stop("y: found the status ", y[!y[, 2L] %in% 0:1, 2L][1L], ", expected 1, or 0 where there was no event", call. = FALSE)
  list(numbers = ifelse(y[, 2L] == 1, 1, -1) * as.double(y[, 1L]), loss = loss, classes = NULL, entry = entry)
}

as_strata <- function(strata, loss) {
  if (is.null(strata)) return(NULL)
  if (loss != "cox") stop("strata: found some, which the family ", loss, " does not have; \"cox\" does", call. = FALSE)
  if (anyNA(strata)) stop("strata: found ", sum(is.na(strata)), " missing values, expected none", call. = FALSE)
  match(strata, unique(strata)) - 1
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

as_problem <- function(x, labels, weights, offset, penalty.factor, lower, upper, group, group.weights, strata) {
  given <- c(list(y = labels$numbers, responses = labels$responses, weights = as_numbers(weights, nrow(x)), offset = as_numbers(offset, nrow(x)),
                  factors = as_numbers(penalty.factor, ncol(x)), lower = as_numbers(lower, ncol(x)),
                  upper = as_numbers(upper, ncol(x)), entry = labels$entry, strata = as_strata(strata, labels$loss)),
             as_groups(group, feature_names(x), group.weights))
  given[!vapply(given, is.null, NA)]
}

as_path_options <- function(lambda, nlambda, lambda.min.ratio, penalty, values, saturation) {
  given <- list(lambdas = if (is.null(lambda)) NULL else as.double(lambda), lambda_count = if (is.null(lambda)) as.double(nlambda) else NULL,
                min_ratio = as_numbers(lambda.min.ratio, 1L), penalties = as_penalty(penalty),
                values = if (is.null(values)) NULL else as.double(values), saturation = as_numbers(saturation, 1L))
  given[!vapply(given, is.null, NA)]
}

# As the library writes it: ncvreg's "MCP" and "SCAD", and "lasso", are known, too.
as_penalty <- function(penalty) {
  penalty <- tolower(as.character(penalty))
  penalty[penalty %in% c("lasso", "grlasso")] <- "l1"
  penalty[penalty == "grmcp"] <- "mcp"
  penalty[penalty == "grscad"] <- "scad"
  penalty
}

as_threads <- function(threads) {
  if (length(threads) != 1L || is.na(threads) || threads < 0 || threads != round(threads))
    stop("threads: found ", format(threads), ", expected a whole number from 1, or 0 for one on each processor", call. = FALSE)
  as.integer(threads)
}

feature_names <- function(x) {
  if (is.null(colnames(x))) paste0("V", seq_len(ncol(x))) else colnames(x)
}
