# SPDX-License-Identifier: BSD-3-Clause
# The settings by their names in R: defaults, choices and texts come from the library's own table.

# What glm and glmnet call a loss.
families <- c(gaussian = "squared", binomial = "logistic", multinomial = "multinomial", cox = "cox", mgaussian = "squared")

# What others call it, and what there is instead.
elsewhere <- c(alpha = "ridge = is the weight of the squares, beside lambda and not a share of it",
               type.measure = "measure = names it: \"deviance\", which of numbers is the mean square, \"error\", \"auc\" and others",
               type.multinomial = "class_grouping = \"row\" keeps a feature for all classes or for none",
               thresh = "tol = is the accuracy of a fit",
               maxit = "max_iter = limits the iterations")

dcpn_settings <- function() {
  table <- .Call(dcpn_r_settings)
  data.frame(name = gsub("-", "_", table$option), default = table$default, choices = table$choices,
             group = table$group, help = in_words_of_r(table$help), stringsAsFactors = FALSE)
}

dcpn_penalties <- function() .Call(dcpn_r_parts, "penalty")

dcpn_losses <- function() .Call(dcpn_r_parts, "loss")

# The library's sentence with the names that the settings have here: --max-iter becomes max_iter.
in_words_of_r <- function(text) {
  text <- gsub("'dcpn list penalties'", "dcpn_penalties()", gsub("'dcpn list losses'", "dcpn_losses()", text, fixed = TRUE),
               fixed = TRUE)
  hit <- gregexpr("--[a-z][a-z0-9-]*", text)
  regmatches(text, hit) <- lapply(regmatches(text, hit), function(found) gsub("-", "_", sub("^--", "", found)))
  text
}

# Calls the library; what it refuses is said with the names of R, as an error of the function that was called.
ask <- function(expression) {
  tryCatch(expression, error = function(e) stop(in_words_of_r(conditionMessage(e)), call. = FALSE))
}

warn_of <- function(notes) {
  for (sentence in in_words_of_r(notes)) warning(sentence, call. = FALSE)
}

as_text <- function(value, name) {
  if (length(value) != 1L || is.na(value))
    stop(name, ": found ", paste(format(value), collapse = " "), ", expected one value", call. = FALSE)
  if (is.logical(value)) return(if (value) "1" else "0")
  if (is.numeric(value)) return(format(value, digits = 17L, scientific = value != round(value) || abs(value) >= 1e15))
  if (is.character(value)) return(value)
  stop(name, ": found an object of class ", class(value)[1L], ", expected a number, a text, TRUE or FALSE", call. = FALSE)
}

# The settings that were given, by the option of the library that each of them is.
as_options <- function(given) {
  given <- given[!vapply(given, is.null, NA)]
  if (length(given) == 0L) return(structure(list(), names = character()))
  if (is.null(names(given)) || any(names(given) == ""))
    stop("found an argument without a name, expected settings such as gamma = 3; dcpn_settings() lists them", call. = FALSE)
  known <- dcpn_settings()$name
  for (name in names(given)) {
    if (name %in% known) next
    if (name %in% names(elsewhere)) stop("found the argument '", name, "', which is no setting here; ", elsewhere[[name]], call. = FALSE)
    near <- known[adist(name, known)[1L, ] <= 2L]
    stop("found the argument '", name, "', which is no setting",
         if (length(near)) paste0("; is ", near[1L], " meant?") else "; dcpn_settings() lists them", call. = FALSE)
  }
  values <- Map(as_text, given, names(given))
  structure(values, names = gsub("_", "-", names(given)))
}
